"""The piles of a table while a turn is carried out, and what is noted on the way.

Taking a card judges nothing. One that is not where the turn takes it from is noted as a stray, and its pile counts as
if it had left; one that may or may not be there is noted as a doubt. Either goes where the turn puts it (D3).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from couperation_formal.game.fact import Datum, Fact, fact
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, UNSEEN, Card, Cell, FinishCard, Shown, Tower, UnseenCard

Part = Literal["number", "player", "draw", "action", "fill", "drop", "trim", "result"]
"""The part of a turn that a finding points to."""

Source = Literal["deck", "hand", "front", "Reserve", "tower"]


class Stray(NamedTuple):
    """A card that is not where the turn takes it from; `where` says where it is known to be instead."""

    card: Shown
    source: Source
    part: Part
    where: Fact | None


def with_hand(hands: tuple[Pile, ...], player: int, hand: Pile) -> tuple[Pile, ...]:
    """The hands with another one for `player`."""
    return (*hands[:player], hand, *hands[player + 1 :])


class Piles(msgspec.Struct):
    """The piles while a turn is carried out, and what is noted on the way."""

    start: State
    player: int
    deck: tuple[Shown, ...]
    hand: Pile
    front: int | None
    reserve: Pile
    gone: Pile
    tower: Tower
    laid: Cell | None
    touched: Cell | None
    anchor_moved: bool
    turned: bool
    replaced: bool
    skipped: int = 0
    given: bool = False
    strays: list[Stray] = []
    doubts: list[Fact] = []
    lost: bool = False

    def state(self, turns: int, to_move: int) -> State:
        """The table as it is now."""
        start = self.start
        return State(
            board=start.board,
            variant=start.variant,
            players=start.players,
            marks=start.marks,
            tower=self.tower,
            hands=with_hand(start.hands, self.player, self.hand),
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
            replaced=self.replaced,
            skipped=self.skipped,
            given=self.given,
        )

    def whereabouts(self, card: Card) -> Fact | None:
        """Where `card` is known to be by now; see `State.whereabouts`."""
        return self.state(0, 0).whereabouts(card)

    def stray(self, card: Shown, source: Source, part: Part) -> None:
        """Note that `part` of the turn takes `card` from where it is not; where the Finish card may have left in place
        of an unseen one, it may be there.
        """
        if self.lost:
            self.doubt("whether_in", card=card, pile=source)
            return
        where = None if isinstance(card, UnseenCard) else self.whereabouts(card)
        self.strays.append(Stray(card, source, part, where))

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
        if isinstance(card, FinishCard):
            if self.front == self.player:
                self.front = None
            else:
                self.stray(card, "front", "action")
            return card
        if isinstance(card, UnseenCard) and self.front == self.player:
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
