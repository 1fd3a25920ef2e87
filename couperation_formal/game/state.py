"""The state of a table between two turns, as far as a record shows it."""

from __future__ import annotations

import msgspec

from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Outcome, short
from couperation_formal.game.tower import (
    FINISH,
    UNSEEN,
    Board,
    Card,
    Cell,
    FinishCard,
    Mark,
    Shown,
    Tower,
    UnseenCard,
    Value,
    Variant,
    card_list,
)

IN_DECK = fact("in_deck")
"""That a card lies in the deck."""


class Pile(msgspec.Struct, frozen=True):
    """A hand, the Reserve or the gone cards: the cards known to be there and the number of others. A hand that drew
    cards which nobody noted may have `more` than these (`State.sizes`).

    A card that a turn takes from here although it was not here lowers the number of others, below zero where all cards
    are known: then so many of the known ones no longer count (D3). The size is never below zero.
    """

    known: frozenset[Card] = frozenset()
    unseen: int = 0
    more: int = 0

    @classmethod
    def of(cls, cards: tuple[Shown, ...]) -> Pile:
        """The pile of these cards. A card named twice counts once (the set-up reports it: SET06)."""
        known = frozenset(card for card in cards if not isinstance(card, UnseenCard))
        return cls(known, sum(card is UNSEEN for card in cards))

    @property
    def size(self) -> int:
        """The number of cards, the least where it is not noted."""
        return len(self.known) + self.unseen

    def __str__(self) -> str:
        return card_list((*self.known, *(UNSEEN,) * self.unseen)) + " *" * (self.more > 0)

    def add(self, card: Shown) -> Pile:
        """The pile with one more card. One that is known to be here already counts as some other card."""
        if isinstance(card, UnseenCard) or card in self.known:
            return Pile(self.known, self.unseen + 1, self.more)
        return Pile(self.known | {card}, self.unseen, self.more)

    def remove(self, card: Card) -> Pile:
        """The pile without `card`, which counts as one of the unseen cards where it is not known to be here. An empty
        pile stays empty.
        """
        known = self.known - {card}
        unseen = self.unseen - (card not in self.known)
        return Pile(known, max(unseen, -len(known)), self.more)

    def remove_unseen(self) -> tuple[Shown, Pile]:
        """The pile after some card left it, and that card where it can be told.

        Where it cannot, no card stays known to be here: only the count is certain. The pile is not empty.
        """
        if len(self.known) == 1 and not self.unseen and not self.more:
            (card,) = self.known
            return card, Pile()
        return UNSEEN, Pile(frozenset(), self.size - 1, self.more)


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A table after `turns` turns, before the next player's draw.

    `to_move` and `front` index the players; `front` is who has the Finish card in front. `deck` lists all its cards,
    top first, unseen ones as `UNSEEN`. `laid` is the cell laid last, `touched` the one laid or opened last; None before
    turn 1. Where draws were not noted the table is `open`: the deck lists as many cards as it may hold, and those that
    a hand has `more` came off its top. `anchor_moved` tells whether the card of set-up was replaced, `replaced` whether
    any card was. `turned` tells that the action done last was C, so that the down cards may be left without numbers
    [opened_against]. So many turns in a row just before were `skipped`. `result` is None while the game goes on.
    `given` tells that the tower is as a position gives it: orders may be broken, so the next action is asked for all.
    `stands` tells that the table is as it was played, slips and all: of a tower that was wrong before, the next turn
    answers for its own card only.
    """

    board: Board
    variant: Variant
    players: tuple[str, ...]
    marks: dict[Value, Mark]
    tower: Tower
    hands: tuple[Pile, ...]
    front: int | None = None
    reserve: Pile
    gone: Pile = Pile()
    deck: tuple[Shown, ...]
    turns: int = 0
    to_move: int = 0
    laid: Cell | None = None
    touched: Cell | None = None
    anchor_moved: bool = False
    turned: bool = False
    replaced: bool = False
    skipped: int = 0
    result: Outcome | None = None
    given: bool = False
    stands: bool = False

    def __repr__(self) -> str:
        mover = None if self.result is not None else self.players[self.to_move]
        return short(self, turns=self.turns, turn=mover, cards=len(self.tower.cells), result=self.result)

    def __str__(self) -> str:
        """The lines of a position, as far as they need no rulings."""
        tower = sorted(self.tower.cells.items(), key=lambda item: (item[0].level, item[0].column))
        lines = [["tower", *(f"{laid}@{cell}" for cell, laid in tower)]]
        lines += [["hand", name, str(hand)] for name, hand in zip(self.players, self.hands, strict=True)]
        if self.front is not None:
            lines.append(["front", self.players[self.front]])
        lines += [["reserve", str(self.reserve)], ["gone", str(self.gone)], ["deck", *map(str, self.deck)]]
        lines.append(["turn", self.players[self.to_move]] if self.result is None else [self.result])
        return "\n".join(" ".join(filter(None, line)) for line in lines)

    @property
    def reserve_size(self) -> int | None:
        """The size that the Reserve is trimmed to (SET03), None for an impossible number of players."""
        return self.board.reserve_size(len(self.players))

    @property
    def open(self) -> bool:
        """Whether draws that were not noted leave the sizes of hands and deck open."""
        return any(hand.more for hand in self.hands)

    def sizes(self, player: int | None = None) -> tuple[int, int]:
        """The least and the greatest number of cards that a player's hand, or (None) the deck, may have."""
        cards = len(self.deck)
        if player is None:
            return max(0, cards - sum(hand.more for hand in self.hands)), cards
        hand = self.hands[player]
        return hand.size, hand.size + min(hand.more, cards)

    def whereabouts(self, card: Card) -> Fact | None:
        """Where `card` is known to be; None where the record does not tell. Cost: linear in the cards."""
        for player, hand in zip(self.players, self.hands, strict=True):
            if card in hand.known:
                return fact("in_hand", player=player)
        if isinstance(card, FinishCard) and self.front is not None:
            return fact("in_front", player=self.players[self.front])
        if card in self.reserve.known:
            return fact("in_reserve")
        if card in self.gone.known:
            return fact("destroyed")
        for cell, laid in self.tower.cells.items():
            if laid.card == card:
                return fact("on_cell", cell=cell)
        if card in self.deck:
            return IN_DECK
        return None

    def owned(self, player: int) -> int:
        """How many cards are a player's own: the hand, and the Finish card where it lies in front."""
        return self.hands[player].size + (self.front == player)


def all_cards(board: Board, variant: Variant) -> frozenset[Card]:
    """Every card of the game."""
    glass: frozenset[Card] = frozenset(Value(value) for value in range(1, board.cards + 1))
    return glass | {FINISH} if variant == "finish" else glass
