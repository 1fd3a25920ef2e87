"""Cards, actions and records as values of the formula language, and back (the types are declared in spec/step.md)."""

from __future__ import annotations

from typing import Any

from couperation_formal.model.board import Board, Cell
from couperation_formal.model.cards import FINISH, UNSEEN, Card, Down, Laid, Mark, Shown, Up, Value, card_key
from couperation_formal.model.record import Action, Exchange, LayDown, LayUp, NoAction, Open, Record, Turn
from couperation_formal.model.state import State, all_cards
from couperation_formal.rules.moves import Move

Formed = Any
"""A value of the formula language (`formula.tables`)."""

SIGNS: dict[str, Formed] = {"+": ("Plus",), "^": ("Plus",), "-": ("Minus",), "_": ("Minus",), "|": ("Idle",)}
MARK_FORMS: dict[Mark, Formed] = {"1": ("Diamonds", 1), "2": ("Diamonds", 2), "H": ("Heart",)}
MARKS = tuple(MARK_FORMS.values())
RESULTS: dict[str | None, Formed] = {
    "unfinished": ("Going",), "win": ("Won",), "loss": ("Lost",), "stuck": ("Stuck",), None: ("Unstated",),
}  # fmt: skip


class NotShown(Exception):
    """A formula asks for something that the record does not show. `number` is the card whose mark it asks for."""

    def __init__(self, number: int | None = None) -> None:
        super().__init__(number)
        self.number = number


class Marks(dict[int, Formed]):
    """The marks by number. Asking for one that is not given raises `NotShown`."""

    def get(self, number: int, _default: Formed = None) -> Formed:
        """The mark of the Glass card with this number."""
        if number not in self:
            raise NotShown(number)
        return self[number]


def card(shown: Shown) -> Formed:
    """A card. Raises `NotShown` for an unseen one."""
    if shown is UNSEEN:
        raise NotShown
    return ("F",) if shown is FINISH else ("Glass", shown)


def cards(shown: tuple[Shown, ...]) -> Formed:
    """A sequence of cards."""
    return tuple(map(card, shown))


def lying(laid: Laid) -> Formed:
    """A card of the tower as it lies."""
    return "Up" if type(laid) is Up else "Down", card(laid.card)


def action(taken: Action, tower: dict[Formed, Formed]) -> Formed:
    """An action on this tower, which tells which card is opened where the record does not."""
    if isinstance(taken, NoAction):
        return ("Pass",)
    cell = tuple(taken.cell)
    if isinstance(taken, LayUp | LayDown):
        return "A" if isinstance(taken, LayUp) else "B", card(taken.card), cell
    if isinstance(taken, Open):
        return "C", cell, tower[cell][1] if taken.card is UNSEEN and cell in tower else card(taken.card)
    laid = "Up" if taken.face_up else "Down", card(taken.taken)
    shifts = tuple((SIGNS[sign], card(spent)) for sign, spent in taken.adjust)
    old: Formed = ("Nothing",)
    if taken.replaced is not None:
        old = ("Unshown",) if taken.replaced == Down(UNSEEN) else ("Was", lying(taken.replaced))
    return "D", card(taken.first), SIGNS[taken.sign], card(taken.second), shifts, laid, cell, old


def constants(board: Board) -> dict[str, Formed]:
    """What is given for a whole game by its board."""
    return {
        "levels": board.levels,
        "cards": board.cards,
        "anchor_card": board.anchor,
        "deal": board.deal,
        "hand_limit": board.hand_limit,
        "refill": board.refill,
        "size": dict(board.reserve_sizes),
    }


def setup(record: Record, board: Board) -> dict[str, Formed]:
    """What a record gives for a whole game. Raises `NotShown` where it leaves a part of the set-up open."""
    names = tuple(dict.fromkeys(record.players))
    if record.reserve is None or any(name not in record.deals for name in names):
        raise NotShown
    deals = tuple(cards(record.deals[name]) for name in names)
    reserve, deck = cards(record.reserve), cards(record.deck or ())
    return {
        "players": record.players,
        "mark": Marks({number: MARK_FORMS[mark] for number, mark in record.marks.items()}),
        "finish": record.variant == "finish",
        "deals": deals,
        "reserve": reserve,
        "deck": deck,
        "order": _order(record, board, [shown for cards_ in (*deals, reserve) for shown in cards_], deck),
        "stated": RESULTS[record.result],
    }


def _order(record: Record, board: Board, elsewhere: list[Formed], written: Formed) -> Formed:
    """The whole deck, top first: as written, then as drawn, then the other cards, those that turns name before the rest
    (D2, D6, D12).
    """
    every = [card(one) for one in sorted(all_cards(board, record.variant), key=card_key)]
    size = max(0, len(every) - 1 - len(elsewhere))
    order: list[Formed] = list(written[:size])
    free = set(every) - {*elsewhere, *order, ("Glass", board.anchor)}
    drawn = [card(shown) for turn in record.turns for shown in turn.draw + turn.fill if shown is not UNSEEN]
    for shown in drawn[len(order) : size]:
        order.append(shown if shown in free else None)
        free.discard(shown)
    named = dict.fromkeys(card(shown) for turn in record.turns for shown in _named(turn.action) if shown is not UNSEEN)
    rest = iter([one for one in (*named, *(one for one in every if one not in named)) if one in free])
    order = [next(rest, None) if one is None else one for one in order]
    return tuple(one for one in (*order, *rest) if one is not None)


def _named(taken: Action) -> tuple[Shown, ...]:
    if isinstance(taken, Exchange):
        return taken.first, taken.second, *(spent for _, spent in taken.adjust), taken.taken
    return () if isinstance(taken, NoAction) else (taken.card,)


def turn_of(turn: Turn, place: int, tower: dict[Formed, Formed]) -> dict[str, Formed]:
    """What a turn gives. Raises `NotShown` where it leaves a card open, or how many were drawn."""
    if turn.draw_open or turn.fill_open:
        raise NotShown
    return {
        "t": place,
        "number": turn.number,
        "name": turn.player,
        "d": cards(turn.draw),
        "a": action(turn.action, tower),
        "fill": cards(turn.fill),
        "drop": cards(turn.drop),
        "trim": cards(turn.trim),
    }


def table(state: State) -> dict[str, Formed]:
    """What a table gives; a deck that is not seen is left out, as after the draw it decides nothing. Raises `NotShown`
    where another card is not seen.
    """
    if any(pile.unseen for pile in (*state.hands, state.reserve, state.gone)):
        raise NotShown
    return {
        "players": state.players,
        "finish": state.variant == "finish",
        "mark": Marks({number: MARK_FORMS[mark] for number, mark in state.marks.items()}),
        "W": {tuple(cell): lying(laid) for cell, laid in state.tower.cells.items()},
        "H": {place: frozenset(map(card, hand.known)) for place, hand in enumerate(state.hands, start=1)},
        "f": None if state.front is None else state.front + 1,
        "R": frozenset(map(card, state.reserve.known)),
        "G": frozenset(map(card, state.gone.known)),
        "K": () if UNSEEN in state.deck else cards(state.deck),
        "laid": None if state.laid is None else tuple(state.laid),
        "touched": None if state.touched is None else tuple(state.touched),
        "moved": state.anchor_moved,
        "turned": state.turned,
        "replaced": state.replaced,
        "skipped": state.skipped,
        "due": state.to_move + 1,
        "result": RESULTS[state.result or "unfinished"],
    }


def card_of(formed: Formed) -> Card:
    """A card of the model."""
    return FINISH if formed[0] == "F" else Value(formed[1])


def laid_of(formed: Formed) -> Laid:
    """A card as it lies, of the model."""
    return (Up if formed[0] == "Up" else Down)(card_of(formed[1]))


def move_of(formed: Formed) -> Move:
    """An action of the model; not for ``-``."""
    if formed[0] in ("A", "B"):
        return (LayUp if formed[0] == "A" else LayDown)(card_of(formed[1]), Cell(*formed[2]))
    if formed[0] == "C":
        return Open(Cell(*formed[1]), card_of(formed[2]))
    _, first, sign, second, shifts, laid, cell, old = formed
    adjust: Any = tuple(({"Plus": "^", "Minus": "_", "Idle": "|"}[sign[0]], card_of(spent)) for sign, spent in shifts)
    return Exchange(
        card_of(first),
        "+" if sign[0] == "Plus" else "-",
        card_of(second),
        adjust,
        card_of(laid[1]),
        laid[0] == "Up",
        Cell(*cell),
        None if old[0] == "Nothing" else laid_of(old[1]),
    )
