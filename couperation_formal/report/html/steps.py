"""The steps of a game: the set-up, each turn as far as the replay came, and the turn that breaks a rule."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from couperation_formal.analysis.fits import Fit, cards_left, fits
from couperation_formal.analysis.inspect import kept_tags, position_of
from couperation_formal.analysis.refused import attempt, conflict
from couperation_formal.model.cards import card_key
from couperation_formal.model.record import Exchange, Game, LayDown, Open, Position, Turn
from couperation_formal.model.rulings import Rules, Rulings
from couperation_formal.model.state import Pile, State
from couperation_formal.notation.write import position_text
from couperation_formal.report.html.outlook import Outlook, outlook, outlook_lines
from couperation_formal.words.say import phrase
from couperation_formal.words.text import safe


class Refused(msgspec.Struct, frozen=True):
    """The card that a turn lays or opens against a rule."""

    cell: str
    card: str


class StepData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table after a turn, 0 being the set-up; `place` says so.

    `cells` holds the laid cards as CGN writes them. `knows` names, for a down card, the one player besides the recorder
    who saw it, by number. `hands` are in the players' order; a card that is not seen is ``?``. `mover` says who is to
    move, `told` what there is to say of the tower. `refused` and `conflict` belong to the turn that breaks a rule: the
    rest is then the table before it. `lines` are those of the position as CGN, after the game's head. `fits` tells what
    each empty cell can take of `cards`.
    """

    turn: int
    place: str
    cells: dict[str, str]
    laid: str | None = None
    knows: dict[str, int] = {}
    hands: tuple[tuple[str, ...], ...] = ()
    front: int | None = None
    reserve: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    deck: int = 0
    top: tuple[str, ...] = ()
    mover: str = ""
    outlook: Outlook
    told: tuple[str, ...]
    fits: dict[str, Fit]
    cards: tuple[str, ...]
    lines: tuple[str, ...]
    refused: Refused | None = None
    conflict: tuple[str, ...] = ()


def game_steps(game: Game, rules: Rules, states: tuple[State, ...], illegal: int | None, home: int) -> list[StepData]:
    """The steps of a game. Cost: per step a few hundred microseconds."""
    tags, turns = kept_tags(game), game.record.turns
    steps = []
    knows: dict[str, int] = {}
    for turn, state in enumerate(states):
        if turn:
            knows = _knows(knows, turns[turn - 1], (turn - 1) % len(state.players))
        steps.append(step_of(state, position_of(state, rules, tags), turn, _place(turn, len(turns)), home, knows))
    if illegal and illegal == len(states):
        before = msgspec.structs.replace(steps[-1], turn=illegal, place=_place(illegal, len(turns)), laid=None)
        steps.append(_refused(before, states[-1], turns[illegal - 1], rules.rulings))
    return steps


def _place(turn: int, turns: int) -> str:
    return phrase("turn_of", turn=turn, turns=turns) if turn else phrase("the_set_up")


def step_of(state: State, position: Position, turn: int, place: str, home: int, knows: Mapping[str, int]) -> StepData:
    """One table as a step."""
    found = outlook(position, home)
    return StepData(
        turn=turn,
        place=place,
        cells={str(cell): str(laid) for cell, laid in state.tower.cells.items()},
        laid=None if state.touched is None else str(state.touched),
        knows=dict(knows),
        hands=tuple(_pile(hand) for hand in state.hands),
        front=state.front,
        reserve=_pile(state.reserve),
        gone=_pile(state.gone),
        deck=len(state.deck),
        top=tuple(str(card) for card in position.deck or ()),
        mover="" if position.turn is None else phrase("moves_next", player=safe(position.turn)),
        outlook=found,
        told=outlook_lines(found, before=False),
        fits=fits(state, position, position.rules.rulings, told=found.answer != "unknown"),
        cards=cards_left(position),
        lines=tuple(line for line in position_text(position).splitlines() if not line.startswith("[")),
    )


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


def _refused(step: StepData, state: State, turn: Turn, rulings: Rulings) -> StepData:
    """The step of the turn that breaks a rule: the table before it, and the card that it lays."""
    step = msgspec.structs.replace(step, told=outlook_lines(step.outlook, before=True))
    found = attempt(turn)
    if found is None:
        return step
    cell, laid = found
    against = tuple(map(str, conflict(state, cell, laid, rulings)))
    return msgspec.structs.replace(step, mover="", refused=Refused(str(cell), str(laid)), conflict=against)
