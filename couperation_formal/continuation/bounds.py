"""What the exhaustive search leaves out: positions that counting proves lost, and differences that no longer matter.

Each rule is an id of the specification (`search.md`), with its proof there.
"""

from __future__ import annotations

from typing import Final

from couperation_formal.continuation.frame import Frame
from couperation_formal.continuation.node import Node
from couperation_formal.continuation.prices import Prices
from couperation_formal.continuation.turns import MOST

REDUCTIONS: Final = ("cards", "exchanges", "reserve")


class Bounds:
    """The reductions under one frame; `used` names those that are on."""

    def __init__(self, frame: Frame, used: tuple[str, ...] = REDUCTIONS) -> None:
        self.frame, self.used = frame, used
        self.prices = Prices(frame)

    def slack(self, node: Node) -> int:
        """How many cards may still go otherwise than by filling one empty cell each: cards in hands, in front and in
        the deck, less the empty cells. No turn makes it greater.
        """
        frame = self.frame
        tower, hands, front, _, top, _, _, _, _, hidden = node
        cards = sum([hand.bit_count() for hand in hands]) + (front >= 0) + len(frame.deck) - top
        if hidden is not None:
            cards += sum(hidden.hands)
        return cards - frame.size + len(tower) - tower.count(0)

    def hopeless(self, node: Node) -> bool:
        """Whether counting proves that no continuation of this position wins."""
        return self.most_gone(node) < 0

    def most_gone(self, node: Node) -> int:
        """How many cards its next turn may destroy and drop at most, below 0 where the position is left out.

        Those that destroy and drop more lead to positions that `exchanges` leaves out (`search.md`). Without it the
        number means nothing but its sign.
        """
        slack = self.slack(node)
        if "exchanges" in self.used:
            price = self.prices.least(node, slack)
            return -1 if price is None else slack - price
        return -1 if slack < 0 and "cards" in self.used else MOST

    def reduced(self, node: Node) -> Node:
        """The position that stands for this one in the search."""
        if "reserve" not in self.used or not node[3] or node[9] is not None or self.slack(node):
            return node
        return node if node[3].bit_count() > self.frame.reserve_size else (*node[:3], 0, *node[4:])
