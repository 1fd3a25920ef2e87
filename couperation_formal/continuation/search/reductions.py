"""What the exhaustive search leaves out: positions that counting proves lost, and differences that no longer matter.

Each rule is an id of the specification (`search.md`), with its proof there.
"""

from __future__ import annotations

from typing import Final

from couperation_formal.continuation.position.frame import DOWN, Frame
from couperation_formal.continuation.position.node import Node
from couperation_formal.continuation.reasons.counting_game import MOST_DECK, CountingGame, Counts, terms_of, without
from couperation_formal.continuation.reasons.taking import NEVER
from couperation_formal.continuation.search.prices import Prices
from couperation_formal.continuation.turns.sums import MOST

MOST_LEFT: Final = 8
"""With more empty cells, down cards and cards owed together the search does not ask the counting game."""
REDUCTIONS: Final = ("cards", "exchanges", "reserve", "turns")


class Bounds:
    """The reductions under one frame; `used` names those that are on."""

    def __init__(self, frame: Frame, used: tuple[str, ...] = REDUCTIONS) -> None:
        self.frame, self.used = frame, used
        self.prices = Prices(frame)
        self._apexes = [cell for cell, apex in enumerate(frame.is_apex) if apex]
        self._games = [
            CountingGame(terms_of(frame.board, frame.variant, frame.rulings, bool(again)), frame.budget)
            for again in (0, 1)
        ]

    def slack(self, node: Node) -> int:
        """How many cards may still go otherwise than by filling one empty cell each: cards in hands, in front and in
        the deck, less the empty cells. No turn makes it greater.
        """
        frame, tower, hidden = self.frame, node.tower, node.hidden
        cards = sum([hand.bit_count() for hand in node.hands]) + (node.front >= 0) + len(frame.deck) - node.top
        if hidden is not None:
            cards += sum(hidden.hands)
        return cards - frame.size + len(tower) - tower.count(0)

    def hopeless(self, node: Node) -> bool:
        """Whether counting proves that no continuation of this position wins."""
        return self.most_gone(node) < 0

    def most_gone(self, node: Node) -> int:
        """How many cards its next turn may destroy and drop at most, below 0 where the position is left out.

        Those that destroy and drop more lead to positions that are lost (`search.md`, lemmas 3 and 4). Cost: that of a
        price, and of counting games where little is left.
        """
        slack = self.slack(node)
        most = -1 if slack < 0 and "cards" in self.used else MOST
        if most < 0 or not ("exchanges" in self.used or "turns" in self.used):
            return most
        price = self.prices.least(node, slack)
        if "exchanges" in self.used:
            if price is None:
                return -1
            most = slack - price
        if "turns" not in self.used or len(self.frame.deck) - node.top > MOST_DECK:
            return most
        game, counts = self._game(node, price)
        if counts.empty + counts.down + counts.owe > MOST_LEFT:
            return most
        if game.lost(counts):
            return -1
        while game.lost(without(counts, most)):
            most -= 1
        return most

    def untrimmed(self, node: Node) -> Node | None:
        """The position that stands for this one before something is trimmed from its Reserve; None where it is left out
        with whatever is trimmed, as that makes no price less. Cost: as `most_gone`.
        """
        slack = self.slack(node)
        if slack < 0:
            return None if "cards" in self.used else node
        price = self.prices.least(node, slack)
        if price is None and "exchanges" in self.used:
            return None
        if "turns" in self.used and len(self.frame.deck) - node.top <= MOST_DECK:
            game, counts = self._game(node, price)
            if counts.empty + counts.down + slack <= MOST_LEFT and game.lost(counts):
                return None
        return self.reduced(node)

    def _paid_no_more(self, node: Node, price: int) -> bool:
        """Whether the counting game says that no continuation wins whose actions D cost more than this price."""
        if "turns" not in self.used or len(self.frame.deck) - node.top > MOST_DECK:
            return False
        game, counts = self._game(node, price + 1)
        return counts.empty + counts.down + counts.owe <= MOST_LEFT and game.lost(counts)

    def _game(self, node: Node, price: int | None) -> tuple[CountingGame, Counts]:
        """The counting game of a position, with this price owed (None: more than can be paid)."""
        tower, hands, hidden = node.tower, node.hands, node.hidden
        unseen = hidden.hands if hidden is not None else (0,) * len(hands)
        own = [hand.bit_count() + more for hand, more in zip(hands, unseen, strict=True)]
        if node.front >= 0:
            own[node.front] += 1
        counts = Counts(
            mover=node.seat,
            own=tuple(own),
            deck=len(self.frame.deck) - node.top,
            empty=self.frame.size - len(tower) + tower.count(0),
            down=sum([code >= DOWN for code in tower]),
            owe=NEVER if price is None else price,
            draw=abs(node.limit),
        )
        again = self.frame.apex_again and any(tower[cell] for cell in self._apexes)
        return self._games[again], counts

    def reduced(self, node: Node) -> Node:
        """The position that stands for this one in the search: idle cards of the Reserve have no number."""
        frame, reserve = self.frame, node.reserve
        if "reserve" not in self.used or not reserve & frame.glass or node.hidden is not None:
            return node
        slack = self.slack(node)
        price = self.prices.least(node, slack) if slack >= 0 else None
        if price is None or not (price == slack or self._paid_no_more(node, price)):
            return node
        idle = self.prices.idle(node, price)
        if not idle:
            return node
        known = reserve & frame.cards & ~idle
        count = reserve.bit_count() - known.bit_count()
        return node._replace(reserve=known | (1 << count) - 1 << frame.finish + 1)
