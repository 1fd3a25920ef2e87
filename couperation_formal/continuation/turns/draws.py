"""Draws: what can be drawn now, and what the next player can draw (DRW01 to DRW06).

Where marks are not given they are settled when a draw hangs on them, in every way.
"""

from __future__ import annotations

from collections.abc import Iterator

from couperation_formal.continuation.position.frame import DOWN, Frame, bits
from couperation_formal.continuation.position.node import FIRST_TURN, Hidden, Node, Own


class Draws:
    """The draws under one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._optional = frame.rulings.draw_amount == "up_to"
        self._amounts = (2, 0) if self._optional else (2, 1, 0)
        # Whether a hand is filled up or not at all (DRW04).
        self._whole = frame.rulings.refill_amount == "all_or_none"
        self._backs_stop = frame.rulings.heart_over_back == "zero"
        self._at_once = frame.rulings.finish_refill == "at_once"

    def draws(self, node: Node) -> Iterator[Own]:
        """Every legal draw, the least first."""
        frame, seat, limit, hidden = self.frame, node.seat, node.limit, node.hidden
        unseen, finish = (hidden.hands[seat], hidden.finish) if hidden else (0, False)
        # Fewer cards may be drawn in turn 1 and under `up_to`, else only where the deck ends before (DRW05).
        whole = limit < FIRST_TURN
        optional = limit == FIRST_TURN or (self._optional and not whole)
        edge = [Own(node.hands[seat], unseen, node.front, node.top, -1, finish)]
        for count in range(abs(limit)):
            ahead: list[Own] = []
            for own in edge:
                if optional or own.top == len(frame.deck) or (whole and self._optional and not count):
                    yield own
                ahead += self._draw(own, seat)
            edge = ahead
        yield from edge

    def fills(self, top: int, size: int) -> list[int]:
        """How many cards may come to a hand of so many after F was laid (DRW04)."""
        if not self._at_once:
            return [0]
        left = len(self.frame.deck) - top
        most = min(left, max(0, self.frame.board.refill - size))
        if not self._optional:
            return [most]
        return sorted({0, most}) if self._whole else list(range(most + 1))

    def _draw(self, own: Own, seat: int) -> Iterator[Own]:
        """One card of the draw (DRW06); nothing where the deck is empty."""
        frame = self.frame
        if own.top >= len(frame.deck):
            return
        card = frame.deck[own.top]
        if card == frame.finish or (card == 0 and own.finish):
            # F lies in front, and the next card of the deck replaces it (DRW06).
            at = own.top if card == 0 else own.finish_at
            brought = own._replace(front=seat, top=own.top + 1, finish_at=at, finish=False)
            if brought.top < len(frame.deck):
                yield from self._draw(brought, seat)
            else:
                yield brought
        # An unseen card that is not F: one must be left that can be, while F is still to come.
        if card == 0 and frame.unseen_below[own.top] > own.finish:
            yield own._replace(unseen=own.unseen + 1, top=own.top + 1)
        elif card and card != frame.finish:
            yield own._replace(hand=own.hand | 1 << card, top=own.top + 1)

    def limits(
        self, tower: bytes, cell: int, top: int, hand: int, seat: int, hidden: Hidden | None
    ) -> list[tuple[int, Hidden | None]]:
        """What the next player can draw, with the marks that are settled for it (DRW02 to DRW05); as in turn 1 where
        the source is no `cell` (-1: D21).
        """
        frame = self.frame
        held = frame.units_below[top]
        if not held:
            return [(0, hidden)]
        if cell < 0:
            return [(FIRST_TURN, hidden)]
        card = tower[cell]
        if card >= DOWN or card == frame.finish:
            # After a down card or F the hand is filled up (DRW04).
            size = hand.bit_count() + (hidden.hands[seat] if hidden else 0)
            fills = 0 if card == frame.finish and self._at_once else min(held, max(0, frame.board.refill - size))
            return [(-fills if self._whole and fills > 1 else fills, hidden)]
        if hidden is None:
            # As many as there are diamonds, for a heart as those of its supports (DRW02, DRW03).
            diamonds = frame.diamonds[card]
            return [(min(held, diamonds or self._heart(tower, cell, frame.diamonds)), None)]
        return self._settled(tower, cell, held, hidden)

    def _heart(self, tower: bytes, cell: int, diamonds: list[int]) -> int:
        """The draw after a heart on `cell` (DRW03)."""
        total = 0
        for support in self.frame.supports[cell]:
            if support < 0:
                return 0
            card = tower[support]
            if card >= DOWN and self._backs_stop:
                return 0
            if card < DOWN and card != self.frame.finish:
                if not diamonds[card] and self.frame.rulings.hearts_below == "zero_all":
                    return 0
                total += diamonds[card]
        return total

    def _settled(self, tower: bytes, cell: int, held: int, hidden: Hidden) -> list[tuple[int, Hidden | None]]:
        """The same for every way to settle the marks that it hangs on, the greatest draw first. Two diamonds allow all
        that one does where draws are optional, so one is not tried there.
        """
        frame = self.frame
        diamonds = list(frame.diamonds)
        for amount, mask in ((1, hidden.ones), (2, hidden.twos), (0, hidden.hearts)):
            for card in bits(mask):
                diamonds[card] = amount
        found: dict[Hidden, int] = {}

        def settle(state: Hidden, cards: list[int]) -> None:
            open_cards = [card for card in cards if diamonds[card] < 0]
            if open_cards:
                card = open_cards[0]
                for amount in self._amounts:
                    diamonds[card] = amount
                    settle(_with_mark(state, card, amount), cards)
                diamonds[card] = -1
                return
            card = tower[cell]
            if diamonds[card] == 0:
                supports = [tower[support] for support in frame.supports[cell] if support >= 0]
                below = [other for other in supports if other < DOWN and other != frame.finish]
                backed = self._backs_stop and max(supports, default=0) >= DOWN
                if not backed and any(diamonds[other] < 0 for other in below):
                    settle(state, [card, *below])
                    return
            found[state] = min(held, diamonds[card] or self._heart(tower, cell, diamonds))

        settle(hidden, [tower[cell]])
        return sorted(((limit, state) for state, limit in found.items()), key=lambda pair: (-pair[0], pair[1]))


def _with_mark(hidden: Hidden, card: int, amount: int) -> Hidden:
    if amount == 1:
        return hidden._replace(ones=hidden.ones | 1 << card)
    if amount == 2:
        return hidden._replace(twos=hidden.twos | 1 << card)
    return hidden._replace(hearts=hidden.hearts | 1 << card)
