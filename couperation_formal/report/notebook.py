"""How the library's objects show themselves in a notebook: pictures, and short pieces of HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import msgspec

from couperation_formal.analysis.complete import Completion, Outlook
from couperation_formal.analysis.deadlock import Scan
from couperation_formal.analysis.dispute import Dispute
from couperation_formal.analysis.refused import attempt
from couperation_formal.analysis.table_answer import TableAnswer
from couperation_formal.analysis.table_deadlock import TableScan
from couperation_formal.analysis.verify import Report, check
from couperation_formal.completion.answer import Completable
from couperation_formal.model.board import STANDARD, Cell
from couperation_formal.model.record import Game, Position, Table
from couperation_formal.model.rulings import Rulings, parse_rules
from couperation_formal.model.state import State
from couperation_formal.model.tower import Tower
from couperation_formal.report.answers import DeadlockData, complete_data, deadlock_data, windows_data
from couperation_formal.report.data import tag_of
from couperation_formal.report.dispute import dispute_data
from couperation_formal.report.html.findings import Finding, dispute_view, findings
from couperation_formal.report.html.outlook import outlook
from couperation_formal.report.html.steps import game_steps
from couperation_formal.report.sentences import ranges
from couperation_formal.report.svg import position_svg, tower_svg
from couperation_formal.report.svg_picture import Picture, home_column, tower_picture
from couperation_formal.report.table_full import table_complete_full, table_deadlock_full
from couperation_formal.report.text import Piece, safe

_WIDTH = 560


def svg_of_tower(tower: Tower) -> str:
    """A tower by itself; its empty cells are those of the default rulebook."""
    return _svg(tower_picture(tower, parse_rules("").rulings)) if tower.cells else _svg_of_nothing()


def svg_of_state(state: State) -> str:
    """The tower of a state, with marks and the card just laid."""
    return _svg(tower_picture(state.tower, parse_rules("").rulings, state.marks, laid=state.touched))


def svg_of_position(position: Position) -> str:
    """The tower of a position."""
    return position_svg(position, position.rules.rulings) if position.tower else _svg_of_nothing()


def svg_of_table(table: Table) -> str:
    """The tower of a position that was read."""
    return svg_of_position(table.position)


def html_of_game(game: Game) -> str:
    """A game with its verdict and its last tower; it is checked for this."""
    return html_of_report(check(game))


def html_of_report(report: Report) -> str:
    """The verdict, what is wrong in frames as the terminal has them, and the tower at the end or at the broken turn."""
    item = report.item
    parts = [_line(f"{safe(item.file)}, game {item.index}", tag_of(item, "Event"))]
    verdict = report.verdict if report.turn is None else f"{report.verdict} at turn {report.turn}"
    parts.append(_strong(f"{verdict}{f', {report.result}' if report.result else ''}"))
    parts += map(_finding, findings(report))
    if isinstance(item, Game) and report.rules is not None and report.states:
        parts.append(_svg(_last_picture(report, item, report.rules.rulings)))
    return _block(parts)


def _last_picture(report: Report, game: Game, rulings: Rulings) -> Picture:
    state = report.states[-1]
    if not report.turn or report.turn != len(report.states) or report.rules is None:
        return tower_picture(state.tower, rulings, state.marks, laid=state.touched)
    home = home_column(state.tower, rulings)
    step = game_steps(game, report.rules, report.states, report.turn, home)[-1]
    conflict = [Cell(ord(name[0]) - ord("a"), int(name[1:])) for name in step.conflict]
    refused = attempt(game.record.turns[report.turn - 1])
    return tower_picture(state.tower, rulings, state.marks, conflict=conflict, refused=refused)


def html_of_completion(found: Completion) -> str:
    """The answer with a filling or the conflict drawn in, and its reasons."""
    position = found.at.position
    tower = Tower.of(STANDARD, dict(position.tower))
    rulings = position.rules.rulings
    told = outlook(position, home_column(tower, rulings))
    cells = {str(cell): cell for left in range(STANDARD.levels) for cell in STANDARD.pyramid(left)}
    parts = [_strong(told.answer), *(_line(f"{why[0].upper()}{why[1:]}.") for why in told.reasons)]
    repair = complete_data(found).repair
    if told.answer == "deadlocked":
        saved = "Nothing can save it." if repair is None else f"Giving up {', '.join(repair.give_up)} would save it."
        parts.append(_line(saved))
    elif told.slack is not None:
        parts.append(_line(f"Slack {told.slack}: {told.tight}."))
    filling = {cells[name]: str(value) for name, value in told.filling.items()}
    conflict = [cells[name] for name in told.conflict]
    picture = tower_picture(tower, rulings, position.marks, filling=filling, conflict=conflict)
    return _block([*parts, _svg(picture)])


def html_of_outlook(found: Outlook) -> str:
    """What each free cell can still take, as a table."""
    data = windows_data(found)
    rows = "".join(
        f"<tr><th scope='row'>{escape(cell)}</th><td style='text-align:left'>{ranges(values) or 'nothing'}</td></tr>"
        for cell, values in data.windows.items()
    )
    return _block([f"<table><thead><tr><th>cell</th><th>can take</th></tr></thead><tbody>{rows}</tbody></table>"])


def html_of_scan(found: Scan) -> str:
    """When the tower died, and what would have kept it completable."""
    data: DeadlockData = deadlock_data(found)
    last = found.answers[-1]
    if isinstance(last, Completable) or found.turn is None:
        return _block([_strong(data.verdict), svg_of_position(found.positions[-1])])
    when = f"from turn {found.turn} on" if found.turn else "from the set-up on"
    parts = [_strong(f"deadlocked {when}")]
    if data.laid is not None:
        parts.append(_line(f"The turn: {safe(data.laid)}"))
    position = found.positions[found.turn]
    tower = Tower.of(STANDARD, dict(position.tower))
    told = outlook(position, home_column(tower, position.rules.rulings))
    parts += [_line(f"{why[0].upper()}{why[1:]}.") for why in told.reasons]
    if data.saving:
        parts.append(_line(f"Would have kept it completable: {', '.join(data.saving)}"))
    return _block([*parts, svg_of_position(position)])


def html_of_dispute(found: Dispute) -> str:
    """What each rulebook says, as a table, and on what it hangs."""
    view = dispute_view(msgspec.to_builtins(dispute_data(found)))
    cells = [(book.name, book.verdict, "" if book.turn is None else str(book.turn), book.code) for book in view.books]
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in cells)
    head = "".join(f"<th>{word}</th>" for word in ("rulebook", "verdict", "turn", "clause"))
    parts = [f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"]
    parts += [_line(f"{verdict} {words}") for verdict, words in view.conditions]
    return _block(parts)


def html_of_table_answer(found: TableAnswer) -> str:
    """Whether a table can still be won, as the command line says it, and its tower."""
    return _block([_told(table_complete_full(found)), svg_of_position(found.at.position)])


def html_of_table_scan(found: TableScan) -> str:
    """Which turn killed a game, as the command line says it."""
    return _block([_told(table_deadlock_full(found))])


def _told(pieces: Iterable[Piece]) -> str:
    return f"<pre>{escape(''.join(text for text, _ in pieces))}</pre>"


def _finding(found: Finding) -> str:
    frame = f"{found.number} | {found.line}\n{' ' * len(str(found.number))} | {found.carets}"
    kind = "" if found.severity == "error" else f"{found.severity}: "
    title = kind + (found.title or found.message)
    said = _line(f"{found.message}") if found.title else ""
    return f"<p><code>{escape(found.code)}</code> {escape(title)}</p><pre>{escape(frame)}</pre>{said}"


def _svg(picture: Picture) -> str:
    return tower_svg(picture, width=_WIDTH)


def _svg_of_nothing() -> str:
    return '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><title>An empty tower</title></svg>'


def _line(text: str, more: str | None = None) -> str:
    return f"<p>{escape(text if more is None else f'{safe(more)}: {text}')}</p>"


def _strong(text: str) -> str:
    return f"<p><strong>{escape(text)}</strong></p>"


def _block(parts: Iterable[str]) -> str:
    return f"<div>{''.join(parts)}</div>"
