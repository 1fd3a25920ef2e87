"""A turn that breaks a rule: the card that it lays or opens, the laid ones that it cannot stand with, and the table
that it would leave.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, assert_never

import msgspec

from couperation_formal.game.diagnostic import Diagnostic
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Exchange, Game, LayDown, LayUp, NoAction, Open, Position, Turn
from couperation_formal.game.replay import as_played, replay
from couperation_formal.game.rules.arrangement import broken_orders, failing_chain
from couperation_formal.game.rulings import Rules, Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, Cell, Down, Laid, Tower, Up
from couperation_formal.notation.write import turn_text
from couperation_formal.output.blocks import BAD, Heading, Paragraph, Sentence
from couperation_formal.output.clauses import cited, hanging
from couperation_formal.output.position import position_blocks, position_rows
from couperation_formal.questions.records.states import kept_tags
from couperation_formal.questions.records.verdict import plain_report
from couperation_formal.words.say import phrase

if TYPE_CHECKING:
    from couperation_formal.output.svg_picture import Theme


def attempt(turn: Turn) -> tuple[Cell, Laid] | None:
    """The cell that a turn acts on, and how the card that it lays or opens there would lie."""
    action = turn.action
    match action:
        case LayUp() | Open():
            return action.cell, Up(action.card)
        case LayDown():
            return action.cell, Down(action.card)
        case Exchange():
            return action.cell, Up(action.taken) if action.face_up else Down(action.taken)
        case NoAction():
            return None
        case _:
            assert_never(action)


def conflict(state: State, cell: Cell, laid: Laid, rulings: Rulings) -> tuple[Cell, ...]:
    """The other cells of the orders that this card on `cell` breaks, sorted; of a chain through down cards where it
    breaks none by itself. None off the board, and none where the card lies there already. Cost: one check of a tower.
    """
    board = state.board
    if laid == state.tower.cells.get(cell) or cell.level > board.levels or cell.column + cell.level > board.columns:
        return ()
    tower = state.tower.lay(cell, laid)
    broken = broken_orders(board, tower, rulings, cell)
    chain = None if broken else failing_chain(board, tower, rulings)
    cells = {each for found in broken for each in found.order[:2]} | set(chain.cells if chain else ())
    return tuple(sorted(cells - {cell}))


class Attempted(NamedTuple):
    """A turn that breaks a rule, as it was played: its place, what it breaks, the error first, and the table that it
    would leave, with the card that it lays or opens as the last one and nobody to move, and the least and the
    greatest number of cards in the deck then; no table where the record does not show it.
    """

    place: int
    turn: Turn
    broken: tuple[Diagnostic, ...]
    position: Position | None
    deck: tuple[int, int]


def attempted(game: Game, turn: int | None = None, rules: Rules | None = None) -> Attempted | None:
    """Turn `turn` (None: the last), where the plain replay of the game ends with it because it breaks a rule; None for
    any other turn. Cost: a replay.
    """
    record, rules = game.record, rules or game.record.rules
    place = len(record.turns) if turn is None else turn
    outcome = replay(record, rules.rulings)
    if not place or outcome.illegal != place or len(outcome.states) != place:
        return None
    found = plain_report(game, rules, outcome).diagnostics
    state, _ = as_played(outcome.states[-1], record.turns[place - 1], place, rules.rulings, [], False, False)
    position, deck = None, (0, 0)
    if state is not None:
        after = position_of(state, rules, kept_tags(game))
        position = msgspec.structs.replace(after, turn=None, last=state.touched, idle=False, skipped=0)
        deck = state.sizes()
    broken = tuple(each for each in found if each.turn == place and each.severity != "warning")
    return Attempted(place, record.turns[place - 1], broken, position, deck)


def misstated(game: Game, turn: int | None = None, rules: Rules | None = None) -> Diagnostic | None:
    """What is wrong with the result that the game states (END05), where it is all that is wrong and `turn` (None: the
    last) is the last one. Cost: a replay.
    """
    record, rules = game.record, rules or game.record.rules
    outcome = replay(record, rules.rulings)
    if turn not in (None, len(record.turns)) or outcome.illegal is None or outcome.broken[0].clause != "END05":
        return None
    return plain_report(game, rules, outcome).diagnostics[0]


# A turn that is refused, for people: what it breaks, and the table that it would leave, told as such.


def attempted_blocks(found: Attempted, rules: Rules) -> Iterator[Paragraph]:
    """The turn with what it breaks, and the table that it would leave."""
    head = Sentence(f": {turn_text(found.turn)}", phrase("refused_turn", turn=found.place), BAD)
    yield [head, *(Sentence(said, indent=2) for said in _broken(found, rules))]
    if found.position is None:
        yield [Sentence(phrase("attempted_untold", turn=found.place))]
        return
    first, *rest = position_blocks(found.position, deck=found.deck)
    yield [Heading(phrase("as_attempted", turn=found.place)), *first]
    yield from rest


def _broken(found: Attempted, rules: Rules) -> Iterator[str]:
    for each in found.broken:
        told = each.message + cited(each.code, rules) + hanging(each)
        yield phrase("refused_by", clause=each.code, message=told)


def attempted_svg(found: Attempted, before: Position, rules: Rules, theme: Theme, names: bool = False) -> str:
    """The table that a refused turn would leave as SVG, its card marked as refused, with what it breaks; the one
    `before` it where the record does not show that.
    """
    from couperation_formal.output.svg import Note, below, tower_svg
    from couperation_formal.output.svg_picture import tower_picture

    position = found.position or before
    tower = Tower.of(STANDARD, dict(position.tower))
    picture = tower_picture(tower, rules.rulings, position.marks, refused=attempt(found.turn))
    rows = list(position_rows(position, deck=found.deck if found.position else None))
    head = f"{phrase('refused_turn', turn=found.place)}: {turn_text(found.turn)}"
    told = [Note(text, wrong=True) for text in (head, *_broken(found, rules))]
    rows_below = below(
        [*told, Note(phrase("as_attempted" if found.position else "attempted_untold", turn=found.place)), *rows],
        position.marks,
    )
    return tower_svg(picture, theme, names=names, width=720, under=rows_below)
