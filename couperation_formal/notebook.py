"""How the library's objects show themselves in a notebook: pictures, and answers as short pieces of HTML."""

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from couperation_formal.game.fact import Text, fact
from couperation_formal.game.record import Game, Position, Snapshot
from couperation_formal.game.rulings import Rulings, parse_rules
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, Tower
from couperation_formal.output.blocks import Block, Columns, Drawing, Heading, Paragraph, Sentence, plain, said, styled
from couperation_formal.output.formats import Answer, event_of
from couperation_formal.output.report import Report
from couperation_formal.output.svg import Picture, tower_picture, tower_svg
from couperation_formal.questions.records.check import check, report_blocks
from couperation_formal.questions.records.sample import Table
from couperation_formal.questions.records.states import attempt, conflict
from couperation_formal.questions.tables.deadlock import Scan
from couperation_formal.words.say import ENGLISH

_WIDTH = 560

_FRAME = (
    "font-family:ui-monospace,'Cascadia Mono',Menlo,'Liberation Mono','DejaVu Sans Mono',monospace;font-size:.9em;"
    "line-height:1.4;white-space:pre;overflow-x:auto;color:inherit;background:transparent;border:0;"
    "border-left:3px solid currentColor;padding:.1em 0 .1em .9em;margin:.6em 0"
)
"""Carets stand below what they mark only in letters of one width; a notebook's own colours are kept, be they dark."""


def svg_of_tower(tower: Tower) -> str:
    """A tower by itself; its empty cells are those of the default rulebook."""
    return _svg(tower_picture(tower, parse_rules("").rulings)) if tower.cells else _svg_of_nothing()


def svg_of_state(state: State) -> str:
    """The tower of a state, with marks and the card just laid."""
    return _svg(tower_picture(state.tower, parse_rules("").rulings, state.marks, laid=state.touched))


def svg_of_position(position: Position) -> str:
    """The tower of a position."""
    if not position.tower:
        return _svg_of_nothing()
    tower = Tower.of(STANDARD, dict(position.tower))
    picture = tower_picture(tower, position.rules.rulings, position.marks, laid=position.last)
    return tower_svg(picture, width=720)


def html_of_game(game: Game) -> str:
    """A game with its verdict and its last tower; it is checked for this."""
    return html_of_report(check(game))


def html_of_report(report: Report) -> str:
    """The verdict, what is wrong in frames as the terminal has them, and the tower at the end or at the broken turn."""
    item, event = report.item, event_of(report.item)
    heads: list[Text] = [event] if event else []
    heads += [] if report.turn is None else [fact("illegal_at", turn=report.turn)]
    told = html([[*map(Heading, heads), *report_blocks(report)]])
    if not isinstance(item, Game) or report.rules is None or not report.states:
        return told
    return f"<div>{told}{_svg(_last_picture(report, item, report.rules.rulings))}</div>"


def _last_picture(report: Report, game: Game, rulings: Rulings) -> Picture:
    state = report.states[-1]
    if not report.turn or report.turn != len(report.states):
        return tower_picture(state.tower, rulings, state.marks, laid=state.touched)
    refused = attempt(game.record.turns[report.turn - 1])
    against = conflict(state, *refused, rulings) if refused else ()
    return tower_picture(state.tower, rulings, state.marks, conflict=against, refused=refused)


def html_of_answer(answer: Answer) -> str:
    """An answer for people; where a tower never died, with the tower at the end."""
    last = [[Drawing(answer.positions[-1])]] if isinstance(answer, Scan) and not answer.turn else []
    return html([*answer.blocks(), *last])


def html(paragraphs: Iterable[Paragraph]) -> str:
    """An answer as HTML without a style sheet, towers as pictures."""
    return f"<div>{''.join(_markup(block) for paragraph in paragraphs for block in paragraph)}</div>"


def _markup(block: Block) -> str:
    match block:
        case Heading():
            return f"<p><strong>{_text(block.text)}</strong></p>"
        case Sentence():
            lead = f"<strong>{_text(block.lead)}</strong>" if block.lead else ""
            return f"<p>{lead}{_text(block.gap)}{_text(block.text)}</p>"
        case Drawing():
            return _picture(block)
        case Columns():
            rows = (_row(map(styled, row), "th" if block.head and not i else "td") for i, row in enumerate(block.rows))
            return f"<table>{''.join(rows)}</table>"
        case _:
            return f'<pre style="{_FRAME}">{escape(plain([[block]], ENGLISH))}</pre>'


def _row(row: Iterable[tuple[Text, str]], tag: str) -> str:
    texts = (_text(text) for text, _ in row)
    return f"<tr>{''.join(f'<{tag}>{text}</{tag}>' for text in texts)}</tr>"


def _picture(block: Drawing) -> str:
    position, board = block.position, block.board
    tower = Tower.of(board, dict(position.tower))
    cells = {str(cell): cell for left in range(board.levels) for cell in board.pyramid(left)}
    filling = {cells[name]: str(card) for name, card in block.filling.items()}
    conflict = [cells[name] for name in block.conflict]
    rulings, marks = position.rules.rulings, position.marks
    picture = tower_picture(tower, rulings, marks, laid=position.last, filling=filling, conflict=conflict)
    return _svg(picture) if picture.glasses else ""


def _svg(picture: Picture) -> str:
    return tower_svg(picture, width=_WIDTH)


def _svg_of_nothing() -> str:
    title = _text(fact("picture_empty"))
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><title>{title}</title></svg>'


def _text(text: Text) -> str:
    return escape(said(text, ENGLISH))


# Pictures in notebooks: importing this gives towers, games, verdicts and answers `_repr_svg_` or `_repr_html_`.
#
# Where IPython runs, the first name taken from `couperation_formal` imports it. It stands apart so that the model need
# not know how it is shown.

_SHOWN: dict[str, dict[type, Callable[[Any], str]]] = {
    "_repr_svg_": {
        Tower: svg_of_tower,
        State: svg_of_state,
        Position: svg_of_position,
        Snapshot: lambda table: svg_of_position(table.position),
        Table: lambda table: svg_of_state(table.state),
    },
    "_repr_html_": {Game: html_of_game, Report: html_of_report, Answer: html_of_answer},
}

for _method, _types in _SHOWN.items():
    for _type, _function in _types.items():
        setattr(_type, _method, _function)
