"""The state of a table between two turns, as far as a record shows it, and its piles while a turn is carried out."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeVar

import msgspec

from couperation_formal.game import tower as pieces
from couperation_formal.game.fact import Datum, Fact, fact
from couperation_formal.game.record import Outcome, short
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Card, Cell, Shown, Tower, UnseenCard, Value, Variant

# The state of a table between two turns, as far as a record shows it.

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

    @property
    def cards(self) -> tuple[Shown, ...]:
        """The cards in the order of `card_key`, those that are not known as `UNSEEN`."""
        return (*sorted(self.known, key=pieces.card_key), *(UNSEEN,) * self.unseen)

    def __str__(self) -> str:
        return " ".join(map(str, self.cards)) + " *" * (self.more > 0)

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
        unseen = self.unseen - (len(known) == len(self.known))
        return Pile(known, unseen if unseen >= 0 else max(unseen, -len(known)), self.more)

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
    [opened_against], `laid_down` that the card laid last was laid down. So many turns in a row just before were
    `skipped`. `result` is None while the game goes on. `given` tells that the tower is as a position gives it: orders
    may be broken, so the next action is asked for all. `stands` tells that the table is as it was played, slips and
    all: of a tower that was wrong before, the next turn answers for its own card only.
    """

    board: Board
    variant: Variant
    players: tuple[str, ...]
    marks: dict[Value, pieces.Mark]
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
    laid_down: bool = False
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
        lines = [["tower", *(f"{laid}@{cell}" for cell, laid in pieces.level_by_level(self.tower.cells))]]
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

    def whereabouts(self, card: Shown) -> Fact | None:
        """Where `card` is known to be; None where the record does not tell. Cost: linear in the cards."""
        if card is UNSEEN:
            return None
        for player, hand in zip(self.players, self.hands, strict=True):
            if card in hand.known:
                return fact("in_hand", player=player)
        if card is FINISH and self.front is not None:
            return fact("in_front", player=self.players[self.front])
        if card in self.reserve.known:
            return fact("in_reserve")
        if card in self.gone.known:
            return fact("destroyed")
        for cell, laid in self.tower.cells.items():
            if laid.card == card:
                return fact("on_cell", cell=cell)
        return IN_DECK if card in self.deck else None

    def owned(self, player: int) -> int:
        """How many cards are a player's own: the hand, and the Finish card where it lies in front."""
        return self.hands[player].size + (self.front == player)


def all_cards(board: Board, variant: Variant) -> frozenset[Card]:
    """Every card of the game."""
    glass: frozenset[Card] = frozenset(Value(value) for value in range(1, board.cards + 1))
    return glass | {FINISH} if variant == "finish" else glass


# The piles of a table while a turn is carried out, and what is noted on the way.
#
# Taking a card judges nothing. One that is not where the turn takes it from is noted as a stray, and its pile counts as
# if it had left; one that may or may not be there is noted as a doubt. Either goes where the turn puts it (D3).

Part = Literal["number", "player", "draw", "action", "fill", "drop", "trim", "result"]
"""The part of a turn that a finding points to."""

Source = Literal["deck", "hand", "front", "Reserve", "tower"]


class Stray(NamedTuple):
    """A card that is not where the turn takes it from; `where` says where it is known to be instead."""

    card: Shown
    source: Source
    part: Part
    where: Fact | None


T = TypeVar("T")


def with_hand(hands: tuple[T, ...], player: int, hand: T) -> tuple[T, ...]:
    """The hands, in whatever form, with another one for `player`."""
    changed = list(hands)
    changed[player] = hand
    return tuple(changed)


class Piles(msgspec.Struct):
    """The piles while a turn is carried out, and what is noted on the way."""

    start: State
    player: int
    hand: Pile
    deck: tuple[Shown, ...]
    front: int | None
    reserve: Pile
    gone: Pile
    tower: Tower
    laid: Cell | None
    touched: Cell | None
    anchor_moved: bool
    turned: bool
    laid_down: bool
    replaced: bool
    skipped: int = 0
    given: bool = False
    strays: list[Stray] = []
    doubts: list[Fact] = []
    lost: bool = False

    @classmethod
    def of(cls, start: State, player: int) -> Piles:
        """The piles of a table before the turn of a player."""
        piles = start.hands[player], start.deck, start.front, start.reserve, start.gone, start.tower
        done = start.anchor_moved, start.turned, start.laid_down, start.replaced
        return cls(start, player, *piles, start.laid, start.touched, *done)

    def state(self, turns: int, to_move: int) -> State:
        """The table as it is now."""
        return msgspec.structs.replace(
            self.start,
            tower=self.tower,
            hands=with_hand(self.start.hands, self.player, self.hand),
            front=self.front,
            reserve=self.reserve,
            gone=self.gone,
            deck=self.deck,
            turns=turns,
            to_move=to_move,
            laid=self.laid,
            touched=self.touched,
            anchor_moved=self.anchor_moved,
            turned=self.turned,
            laid_down=self.laid_down,
            replaced=self.replaced,
            skipped=self.skipped,
            given=self.given,
        )

    def whereabouts(self, card: Shown) -> Fact | None:
        """Where `card` is known to be by now; see `State.whereabouts`."""
        return self.state(0, 0).whereabouts(card)

    def stray(self, card: Shown, source: Source, part: Part) -> None:
        """Note that `part` of the turn takes `card` from where it is not; where the Finish card may have left in place
        of an unseen one, it may be there.
        """
        if self.lost:
            self.doubt("whether_in", card=card, pile=source)
            return
        self.strays.append(Stray(card, source, part, self.whereabouts(card)))

    def doubt(self, kind: str, **values: Datum) -> None:
        """Note what the record does not show."""
        self.doubts.append(fact(kind, **values))

    def take(self, pile: Pile, card: Shown, source: Source, part: Part) -> tuple[Shown, Pile]:
        """`card` out of `pile`: the card as far as it is known, and what is left."""
        if card in pile.known:
            return card, pile.remove(card)
        if isinstance(card, UnseenCard):
            pile = self._had(pile, pile.size == 0)
            if pile.size == 0:
                self.stray(card, source, part)
                return card, pile
            taken, rest = pile.remove_unseen()
            if taken is UNSEEN:
                self.doubt("which_left", pile=source)
            return taken, rest
        if (pile.unseen > 0 or pile.more) and self.whereabouts(card) is None:
            pile = self._had(pile, pile.unseen <= 0)
            self.doubt("whether_in", card=card, pile=source)
            return card, pile.remove(card)
        self.stray(card, source, part)
        return card, pile.remove(card)

    def _had(self, pile: Pile, one: bool) -> Pile:
        """The pile where it had `one` of the cards that it may have had more: that came off the deck."""
        if not (one and pile.more):
            return pile
        self.deck = self.deck[1:]
        return Pile(pile.known, pile.unseen + 1, pile.more - 1)

    def own(self, card: Shown) -> Shown:
        """One of the player's own cards, out of the hand or from in front. The Finish card is no hand card, so the hand
        never counts one less for it.
        """
        if card in self.hand.known:
            self.hand = self.hand.remove(card)
            return card
        mine = self.front == self.player
        if card is FINISH:
            if mine:
                self.front = None
            else:
                self.stray(card, "front", "action")
            return card
        if card is UNSEEN and mine:
            if not self.hand.size and not self.hand.more:
                self.front = None
                return FINISH
            self.lost = True
            self.doubt("which_left", pile="hand")
            hand = self._had(self.hand, not self.hand.size)
            self.hand = Pile(frozenset(), hand.size - 1, hand.more)
            return card
        taken, self.hand = self.take(self.hand, card, "hand", "action")
        return taken
