"""The search for a winning line: a beam over positions of the same turn, guided by `Guide`.

It looks at few turns of each position and proves nothing when it finds no line. What it finds is replayed by the rules
(`line`), so nothing here has to be trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import nsmallest
from itertools import chain
from typing import Final

from couperation_formal.continuation.frame import bits
from couperation_formal.continuation.guide import LOST, Guide, View
from couperation_formal.continuation.node import Move, Node, Own, Total
from couperation_formal.continuation.towers import Spot
from couperation_formal.continuation.trail import Step
from couperation_formal.continuation.turns import Turns, choices

_FEW_EMPTY: Final = 10
"""With so few empty cells any laid card may be replaced, to gain time."""
_WIDE: Final = 100
"""From this width on more ways to pay for D, to drop and to trim are looked at: five, else two."""
_VARIETY: Final = 10
"""At most this part of a beam has the same tower, or two positions."""


class HuntTurns(Turns):
    """The turns worth a look at one place of the columns."""

    guide: Guide
    view: View
    blamed: frozenset[int]
    ways: int

    def _drops(self, hand: int, unseen: int) -> list[tuple[int, int, tuple[int, ...]]]:
        extra = hand.bit_count() + unseen - self.frame.limit
        return self._least(hand, unseen, extra)

    def _trims(self, reserve: int, unseen: int) -> list[tuple[int, int, tuple[int, ...]]]:
        frame = self.frame
        cards = reserve if frame.rulings.finish_reserve_count == "yes" else reserve & ~frame.finish_bit
        return self._least(cards, unseen, cards.bit_count() + unseen - frame.reserve_size)

    def _least(self, cards: int, unseen: int, extra: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """Only cards that are wanted least go: the least, and all but one of the least with another."""
        if extra <= 0:
            return [(0, 0, ())]
        worth = self.view.worth
        rising = sorted(bits(cards), key=lambda card: (worth[card], card))
        if extra > len(rising):
            return choices(cards, unseen, extra)[-1:]
        found = []
        for last in range(extra - 1, min(len(rising), extra - 1 + self.ways)):
            chosen = (*rising[: extra - 1], rising[last])
            found.append((sum(1 << card for card in chosen), 0, chosen))
        return found

    def useful(self, node: Node) -> Iterator[tuple[Node | None, Move]]:
        """The turns worth a look, with the positions after them."""
        self.view = self.guide.view(node[0])
        self.blamed = self.guide.blamed(node)
        inside = self.guide.inside
        spots = [spot for spot in self.towers.free(node[0]) if spot.cell in inside]
        for own in self.draws.draws(node):
            some = False
            for made in chain(self._lay(node, own, spots), self._take(node, own, spots)):
                some = True
                yield made
            if not some:
                yield from self._hide(node, own, spots, True)

    def _lay(self, node: Node, own: Own, spots: list[Spot]) -> Iterator[tuple[Node | None, Move]]:
        hidden = node[9]
        cards = own.hand | (self.frame.finish_bit if own.front == node[5] else 0)
        values = hidden.values if hidden and own.unseen else 0
        for spot in spots:
            for card in bits(spot.up & cards):
                yield from self._lay_up(node, own, spot.cell, card, False)
            for card in bits(spot.up & values):
                yield from self._lay_up(node, own, spot.cell, card, True)
        yield from self._hide(node, own, spots, False)
        yield from self._opens(node, own)

    def _hide(self, node: Node, own: Own, spots: list[Spot], every: bool) -> Iterator[tuple[Node | None, Move]]:
        """B: with cards that can be opened where they lie, or with every card."""
        for spot in spots:
            if spot.down:
                for card in bits(own.hand if every else own.hand & spot.up):
                    yield from self._lay_down(node, own, spot.cell, card)
                if own.unseen:
                    yield from self._lay_down(node, own, spot.cell, 0)

    def _take(self, node: Node, own: Own, spots: list[Spot]) -> Iterator[tuple[Node | None, Move]]:
        """D: for each card taken the cheapest ways to pay for it."""
        cards = own.hand | (self.frame.finish_bit if own.front == node[5] else 0)
        if cards.bit_count() + own.unseen < 2:
            return
        cheapest: dict[int, list[tuple[float, Total]]] = {}
        worth = self.view.worth
        for total in self.sums.totals(node, own, cards):
            spent = (*total.destroyed, total.first, total.second)
            price = len(total.destroyed) * 2 + sum(worth[card] for card in spent)
            cheapest.setdefault(total.taken, []).append((price, total))
        if not cheapest:
            return
        replaced = self.towers.replaceable(node[0], node[8])
        every = self.frame.size - len(node[0]) + node[0].count(0) <= _FEW_EMPTY
        targets = [*spots, *(spot for spot in replaced if every or spot.cell in self.blamed)]
        for taken in sorted(cheapest):
            ways = [total for _, total in nsmallest(self.ways, cheapest[taken], key=lambda pair: (pair[0], pair[1]))]
            for spot in targets:
                if spot.up >> taken & 1:
                    for total in ways:
                        yield from self._exchange(node, own, spot, total, True)


class EveryTurn(HuntTurns):
    """Every legal turn: for ends that hang on one exact payment."""

    def _drops(self, hand: int, unseen: int) -> list[tuple[int, int, tuple[int, ...]]]:
        return Turns._drops(self, hand, unseen)

    def _trims(self, reserve: int, unseen: int) -> list[tuple[int, int, tuple[int, ...]]]:
        return Turns._trims(self, reserve, unseen)

    def useful(self, node: Node) -> Iterator[tuple[Node | None, Move]]:
        """The turns worth a look: all of them."""
        return self.turns(node)


def hunt(
    turns: HuntTurns, roots: list[Node], guide: Guide, width: int, budget: int, progress: Callable[[int], None]
) -> tuple[Step | None, int]:
    """A winning line found with a beam of this width, and how many positions were looked at."""
    turns.guide, turns.ways = guide, 2 if width < _WIDE else 5
    spent = 0
    beam = [Step(None, root, None) for root in roots]
    seen: set[Node] = set(roots)
    while beam:
        found: list[tuple[float, int, Step]] = []
        for step in beam:
            for child, move in turns.useful(step.node):
                spent += 1
                if child is None:
                    return Step(step, step.node, move), spent
                if child in seen:
                    continue
                seen.add(child)
                cost = guide.cost(child)
                if cost < LOST:
                    found.append((cost, len(found), Step(step, child, move)))
            progress(spent)
            if spent > budget:
                return None, spent
        beam = _varied(found, width)
    return None, spent


def _varied(found: list[tuple[float, int, Step]], width: int) -> list[Step]:
    """The cheapest steps, only a few with the same tower."""
    most = max(2, width // _VARIETY)
    towers: dict[bytes, int] = {}
    beam = []
    for _, _, step in sorted(found):
        tower = step.node[0]
        count = towers.get(tower, 0)
        if count < most:
            towers[tower] = count + 1
            beam.append(step)
            if len(beam) == width:
                break
    return beam
