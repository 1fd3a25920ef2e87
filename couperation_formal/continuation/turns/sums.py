"""Action D's choices: which cards are sent, destroyed and taken (ACT05, ACT06)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Final

from couperation_formal.continuation.position.frame import Frame, bits
from couperation_formal.continuation.position.node import Hidden, Node, Own, Total

MOST: Final = 99
"""More cards than any turn destroys and drops."""
_KEPT: Final = 1 << 18
"""So many payments are kept at most."""
_PAYMENTS: Final = 4
"""So many payments are one step."""


class Sums:
    """The sums of action D under one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._kept: dict[tuple[int, int, int], list[Total]] = {}
        self._count = 0

    def totals(self, node: Node, own: Own, cards: int, most: int) -> list[Total]:
        """Every choice of cards that D sends, destroys (at most so many) and takes (ACT05, ACT06)."""
        hidden = node.hidden
        if hidden is None or not (own.unseen or hidden.reserve):
            return self._totals(cards, node.reserve & self.frame.cards, min(most, cards.bit_count()))
        return list(self._unseen_totals(cards, node.reserve, own.unseen, hidden, most))

    def _totals(self, cards: int, reserve: int, most: int) -> list[Total]:
        """`_seen_totals`, kept for the next time."""
        # Hands and Reserves recur with other towers.
        key = cards, reserve, most
        found = self._kept.get(key)
        if found is None:
            found = self._seen_totals(*key)
            self._count += len(found)
            if self._count > _KEPT:
                self._kept.clear()
                self._count = len(found)
            self._kept[key] = found
        return found

    def _spend(self, others: int, count: int, taken: int) -> None:
        """Pay for the choices of so many of the other cards, each with every card taken, before they are made."""
        self.frame.budget.spend(1 + comb(others, count) * taken // _PAYMENTS)

    def _number(self, card: int) -> int:
        """The number that `card` counts in sums, 0 for the Finish card without one."""
        return self.frame.finish_value if card == self.frame.finish else card

    def _makes(self, low: int, high: int, count: int) -> set[int]:
        # A destroyed card adds or takes one: each as it likes, all alike, or not at all, as [adjust] says (ACT05).
        adjust = self.frame.rulings.adjust
        if adjust == "each":
            changes = range(-count, count + 1, 2)
        elif adjust == "uniform":
            changes = range(-count, count + 1, 2 * count or 1)
        else:
            changes = range(-count, count + 1)
        return {base + change for base in (low + high, abs(low - high)) for change in changes}

    def _seen_totals(self, cards: int, reserve: int, most: int) -> list[Total]:
        own = bits(cards)
        found = []
        allowed = self.frame.rulings.take_sent == "allowed"
        for first, second in combinations(own, 2):
            low, high = self._number(first), self._number(second)
            if not (low and high):
                continue
            sent = 1 << first | 1 << second
            pool = [(card, self._number(card)) for card in bits(reserve | sent if allowed else reserve)]
            others = bits(cards & ~sent)
            for count in range(min(len(others), most) + 1):
                makes = self._makes(low, high, count)
                taken = [card for card, number in pool if number and number in makes]
                if not taken:
                    continue
                self._spend(len(others), count, len(taken))
                for destroyed in combinations(others, count):
                    gone = sum(1 << card for card in destroyed)
                    found += [
                        Total(first, second, destroyed, card, sent, 0, gone, 0, False, 0) for card in taken
                    ]  # fmt: skip
        return found

    def _unseen_totals(self, cards: int, reserve: int, unseen: int, hidden: Hidden, most: int) -> Iterator[Total]:
        """The same where some own cards or some of the Reserve are unseen."""
        allowed = self.frame.rulings.take_sent == "allowed"
        values = bits(hidden.values) if unseen else ()
        pairs = [(first, second, 0) for first, second in combinations(bits(cards), 2)]
        pairs += [(first, second, 1) for first in bits(cards) for second in values]
        if unseen > 1:
            pairs += [(first, second, 2) for first, second in combinations(values, 2)]
        for first, second, hid in pairs:
            low, high = self._number(first), self._number(second)
            if not (low and high):
                continue
            shown = (0, 1 << second, 1 << first | 1 << second)[hid]
            sent = (1 << first | 1 << second) & ~shown
            pool = reserve | sent | shown if allowed else reserve
            others = bits(cards & ~sent)
            for count in range(min(len(others) + unseen - hid, most) + 1):
                makes = self._makes(low, high, count)
                taken = [(card, False) for card in bits(pool) if self._number(card) in makes and self._number(card)]
                if hidden.reserve:
                    taken += [(card, True) for card in bits(hidden.values & ~shown) if card in makes]
                if not taken:
                    continue
                for gone_unseen in range(min(count, unseen - hid) + 1):
                    self._spend(len(others), count - gone_unseen, len(taken))
                    for destroyed in combinations(others, count - gone_unseen):
                        gone = sum(1 << card for card in destroyed)
                        for card, drawn in taken:
                            yield Total(
                                first, second, destroyed + (0,) * gone_unseen, card, sent, hid, gone, gone_unseen,
                                drawn, shown | (1 << card if drawn else 0),
                            )  # fmt: skip
