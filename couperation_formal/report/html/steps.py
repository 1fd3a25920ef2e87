"""The steps of a game: the set-up, each turn as far as the replay came, and the turn that breaks a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from couperation_formal.analysis.inspect import kept_tags, position_of
from couperation_formal.model.board import Cell
from couperation_formal.model.cards import card_key
from couperation_formal.model.record import Exchange, Game, LayDown, Open, Position, Turn
from couperation_formal.model.rulings import Rules, Rulings
from couperation_formal.model.state import Pile, State
from couperation_formal.model.tower import Tower
from couperation_formal.notation.write import position_text
from couperation_formal.report.html.outlook import Outlook, outlook
from couperation_formal.report.html.what_if import Fit, cards_left, fits
from couperation_formal.report.html.words import attempt
from couperation_formal.rules.arrangement import broken_orders, failing_chain


class Refused(msgspec.Struct, frozen=True):
    """The card that a turn lays or opens against a rule."""

    cell: str
    card: str


class StepData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table after a turn, 0 being the set-up.

    `cells` holds the laid cards as CGN writes them. `knows` names, for a down card, the one player besides the recorder
    who saw it, by number. `hands` are in the players' order; a card that is not seen is ``?``. `refused` and `conflict`
    belong to the turn that breaks a rule: the rest is then the table before it. `lines` are those of the position as
    CGN, after the game's head. `fits` tells what each empty cell can take of `cards`.
    """

    turn: int
    cells: dict[str, str]
    laid: str | None = None
    knows: dict[str, int] = {}
    hands: tuple[tuple[str, ...], ...] = ()
    front: int | None = None
    reserve: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    deck: int = 0
    top: tuple[str, ...] = ()
    mover: int | None = None
    outlook: Outlook
    fits: dict[str, Fit]
    cards: tuple[str, ...]
    lines: tuple[str, ...]
    refused: Refused | None = None
    conflict: tuple[str, ...] = ()


def game_steps(game: Game, rules: Rules, states: tuple[State, ...], illegal: int | None, home: int) -> list[StepData]:
    """The steps of a game. Cost: per step a few hundred microseconds."""
    tags = kept_tags(game)
    steps = []
    knows: dict[str, int] = {}
    for turn, state in enumerate(states):
        if turn:
            knows = _knows(knows, game.record.turns[turn - 1], (turn - 1) % len(state.players))
        steps.append(step_of(state, position_of(state, rules, tags), turn, home, knows))
    if illegal and illegal == len(states):
        steps.append(_refused(steps[-1], states[-1], game.record.turns[illegal - 1], rules.rulings))
    return steps


def step_of(state: State, position: Position, turn: int, home: int, knows: Mapping[str, int]) -> StepData:
    """One table as a step."""
    rulings = position.rules.rulings
    going, found = state.result is None, outlook(position, home)
    return StepData(
        turn=turn,
        cells={str(cell): str(laid) for cell, laid in state.tower.cells.items()},
        laid=None if state.touched is None else str(state.touched),
        knows=dict(knows),
        hands=tuple(_pile(hand) for hand in state.hands),
        front=state.front,
        reserve=_pile(state.reserve),
        gone=_pile(state.gone),
        deck=len(state.deck),
        top=tuple(str(card) for card in position.deck or ()),
        mover=state.to_move if going else None,
        outlook=found,
        fits=fits(state, position, rulings, told=found.answer != "unknown"),
        cards=cards_left(position),
        lines=position_lines(position),
    )


def position_lines(position: Position) -> tuple[str, ...]:
    """The lines of a position as CGN, without its tags."""
    return tuple(line for line in position_text(position).splitlines() if not line.startswith("["))


def head_lines(position: Position) -> tuple[str, ...]:
    """The tags of a position as CGN."""
    return tuple(line for line in position_text(position).splitlines() if line.startswith("["))


def _pile(pile: Pile) -> tuple[str, ...]:
    return (*map(str, sorted(pile.known, key=card_key)), *("?",) * pile.unseen)


def _knows(before: Mapping[str, int], turn: Turn, player: int) -> dict[str, int]:
    """Who saw the card that lies down on a cell: whoever laid it. What came from the Reserve everybody saw; -1."""
    knows = dict(before)
    action = turn.action
    if isinstance(action, LayDown):
        knows[str(action.cell)] = player
    elif isinstance(action, Exchange | Open):
        knows.pop(str(action.cell), None)
        if isinstance(action, Exchange) and not action.face_up:
            knows[str(action.cell)] = -1
    return knows


def _refused(before: StepData, state: State, turn: Turn, rulings: Rulings) -> StepData:
    """The step of the turn that breaks a rule: the table before it, and the card that it lays."""
    found = attempt(turn)
    refused, conflict = None, set[Cell]()
    if found is not None:
        cell, laid = found
        refused = Refused(str(cell), str(laid))
        if laid != state.tower.cells.get(cell) and _on_board(cell, state):
            conflict = set(_conflict(state.tower.lay(cell, laid), cell, state, rulings)) - {cell}
    return msgspec.structs.replace(
        before, turn=before.turn + 1, laid=None, refused=refused, conflict=tuple(map(str, sorted(conflict)))
    )


def _on_board(cell: Cell, state: State) -> bool:
    board = state.board
    return cell.level <= board.levels and cell.column + cell.level <= board.columns


def _conflict(tower: Tower, cell: Cell, state: State, rulings: Rulings) -> Iterator[Cell]:
    """The cells of the orders that the card on `cell` breaks."""
    broken = broken_orders(state.board, tower, rulings, cell)
    for each in broken:
        yield from (each.order.lower, each.order.upper)
    chain = None if broken else failing_chain(state.board, tower, rulings)
    if chain is not None:
        yield from chain.cells
