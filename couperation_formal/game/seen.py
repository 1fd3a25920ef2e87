"""Who may know what: a record, or a position, as one player or the public could have written it down.

What is shown of a turn is what was known when it was played: of the first turns alone the same would be seen. Dealt and
drawn cards, cards laid down and cards destroyed out of a hand are known to their player; what comes from the Reserve or
goes there, up and opened cards, and the Finish card where it lies open, to everybody.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, Open, Position, Record, Turn, cards_of
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Cell, Down, Mark, Shown, Up, Value

_KEPT = ("CGN", "Rules", "Variant", "Players")
_FORMS = {
    "Date": re.compile(r"[0-9?]{2,4}([-./][0-9?]{1,4}){0,2}"),
    "Lang": re.compile("[A-Za-z]{2,3}([-_][A-Za-z]{2,4}){0,2}"),
}


def seen_record(record: Record, viewer: str | None = None) -> Record:
    """The record as the player `viewer` could have written it down, or (None) anybody at the table.

    A card that the record does not tell stays unseen. Tags that may tell anything are left out (`Event`, unknown ones,
    a `Date` that is none), and so are glyphs; of the marks stay those of the cards that are seen, all where the record
    has the mark of every card. A legal record stays legal. Cost: linear in the turns.
    """
    deals = {name: cards if name == viewer else (UNSEEN,) * len(cards) for name, cards in record.deals.items()}
    watcher = _Watcher(viewer, record.deck or ())
    turns = tuple(map(watcher.turn, record.turns))
    marks = _marks(record.marks, _cards_of(deals, record.reserve or (), turns))
    return replace(record, tags=_tags(record), deals=deals, deck=None, turns=turns).bearing(marks)


def seen_position(position: Position, viewer: str | None = None) -> Position:
    """The same of a position. It does not tell who laid a card down or destroyed one, so nobody knows these."""
    hands = {name: cards if name == viewer else (UNSEEN,) * len(cards) for name, cards in position.hands.items()}
    tower = tuple((cell, Down(UNSEEN) if isinstance(laid, Down) else laid) for cell, laid in position.tower)
    gone = tuple(card if card is FINISH else UNSEEN for card in position.gone)
    marks = _marks(position.marks, _cards_of(hands, [*(position.reserve or ()), *(laid.card for _, laid in tower)]))
    return replace(position, tags=_tags(position), tower=tower, hands=hands, gone=gone, deck=None).bearing(marks)


class _Watcher:
    """Who watches the turns as they are played: what lies down on a cell, as the record tells it and as the viewer
    knows it, before whom the Finish card lies, and what the record tells of the deck.
    """

    def __init__(self, viewer: str | None, deck: Iterable[Shown]) -> None:
        self.viewer = viewer
        self.down: dict[Cell, tuple[Shown, Shown]] = {}
        self.front: str | None = None
        self.deck = iter(deck)

    def turn(self, turn: Turn) -> Turn:
        """The turn as it is seen."""
        player = turn.player
        draw = self._drawn(turn.draw, turn.draw_open, player)
        action = self._action(turn.action, player)
        fill = self._drawn(turn.fill, turn.fill_open, player)
        drop = tuple(self._given(card, player) for card in turn.drop)
        return replace(turn, draw=draw, action=action, fill=fill, drop=drop, glyphs=())

    def _drawn(self, cards: tuple[Shown, ...], unnoted: bool, player: str) -> tuple[Shown, ...]:
        if unnoted:  # nothing tells where in the deck the next draw begins
            self.deck = iter(())
        shown: list[Shown] = []
        for card in cards:
            top = next(self.deck, UNSEEN)
            if card is UNSEEN and top is not FINISH:  # `?` is never `F` in a draw
                card = top
            if card is FINISH:
                self.front = player
            shown.append(card if player == self.viewer or card is FINISH else UNSEEN)
        return tuple(shown)

    def _given(self, card: Shown, player: str) -> Shown:
        """A card that leaves a player's own cards with its back to the others. That the Finish card does, which lay
        open before him, everybody sees.
        """
        open_ = card is FINISH and self.front == player
        if open_:
            self.front = None
        return card if open_ or player == self.viewer else UNSEEN

    def _action(self, action: Action, player: str) -> Action:
        match action:
            case LayUp():
                self._leaves(action.card)
                self._lies(action.cell)
            case LayDown():
                shown = self._given(action.card, player)
                self._lies(action.cell, action.card, shown)
                return LayDown(shown, action.cell)
            case Open():
                self._lies(action.cell)
            case Exchange():
                return self._exchange(action, player)
        return action

    def _exchange(self, action: Exchange, player: str) -> Exchange:
        adjust = tuple((sign, self._given(card, player)) for sign, card in action.adjust)
        self._leaves(action.first)
        self._leaves(action.second)
        replaced = self._replaced(action, player)
        if action.face_up:
            self._lies(action.cell)
        else:
            self._lies(action.cell, action.taken, action.taken)
        return replace(action, adjust=adjust, replaced=replaced)

    def _replaced(self, action: Exchange, player: str) -> Up | Down | None:
        """Who takes a down card looks at it; of the others only who knew it knows it still."""
        laid, cell = action.replaced, action.cell
        if laid is None or (isinstance(laid, Up) and cell not in self.down):
            if laid is not None and laid.card is FINISH:
                self.front = player
            return laid
        told, seen = self.down.get(cell, (UNSEEN, UNSEEN))
        if player != self.viewer:
            return Down(seen)
        return Down(told) if laid.card is UNSEEN else laid

    def _leaves(self, card: Shown) -> None:
        if card is FINISH:
            self.front = None

    def _lies(self, cell: Cell, told: Shown | None = None, seen: Shown = UNSEEN) -> None:
        """A card lies on a cell now: down, as `told` and `seen`, or up."""
        self.down.pop(cell, None)
        if told is not None:
            self.down[cell] = told, seen


def _cards_of(
    hands: Mapping[str, tuple[Shown, ...]], open_: Iterable[Shown], turns: Iterable[Turn] = ()
) -> Iterator[Shown]:
    """Every card that what is seen shows."""
    yield from open_
    for cards in hands.values():
        yield from cards
    for turn in turns:
        yield from (*turn.draw, *turn.fill, *turn.drop, *turn.trim, *cards_of(turn.action))


def _marks(marks: Mapping[Value, Mark], shown: Iterable[Shown]) -> dict[Value, Mark]:
    """The marks that stay: which cards of a few were noted would tell which of them came up."""
    if len(marks) == STANDARD.cards:
        return dict(marks)
    seen = {1, STANDARD.anchor, STANDARD.cards, *shown}
    return {value: mark for value, mark in marks.items() if value in seen}


def _tags(told: Record | Position) -> tuple[tuple[str, str], ...]:
    return tuple(tag for tag in told.tags if tag[0] in _KEPT or (tag[0] in _FORMS and _FORMS[tag[0]].fullmatch(tag[1])))
