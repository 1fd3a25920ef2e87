"""The search for a winning line: a beam over positions of the same turn, the most promising ones of each (`weigh`).

It looks at few turns of each position and proves nothing when it finds no line. What it finds is replayed by the rules
(`turns.line`), so nothing here has to be trusted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from heapq import nsmallest
from itertools import chain
from typing import Final

import numpy as np

from couperation_formal.game.budget import Spent
from couperation_formal.towers.continuation.beams import Beam, Weights
from couperation_formal.towers.continuation.draws import Spot, Towers
from couperation_formal.towers.continuation.exhaust import Reductions
from couperation_formal.towers.continuation.legal import NOTHING, Choice, Turned, Turns
from couperation_formal.towers.continuation.line import Packed
from couperation_formal.towers.continuation.position import Frame, Node, Own, SearchStep, Total, bits
from couperation_formal.towers.continuation.weigh import Weigher
from couperation_formal.towers.continuation.worlds import Plan, Wanted, Worth

_DESTROYED: Final = 2.0
"""What a card destroyed for action D counts beside its worth."""
_APART: Final = 0.5
"""What a card of the Reserve is worth on an empty cell, as a part of one in a hand."""
_VARIETY: Final = 10
"""At most this part of a beam has the same tower, or two positions."""
_LOOKED: Final = 1
"""The steps that a position looked at takes, beside being weighed."""
_PRICED: Final = 8
"""So many payments for action D compared are one step."""


Ways = dict[int, SearchStep]
"""How a position is come to: the last step from each table, by the table's number."""


class HuntTurns(Turns):
    """The turns worth a look at one place of the columns."""

    wanted: Wanted
    worth: Worth
    ways: int

    def _drops(self, hand: int, unseen: int) -> list[Choice]:
        extra = hand.bit_count() + unseen - self.frame.limit
        empty, laid = self.worth
        return self._least(hand, unseen, extra, lambda card: (empty[card] + laid[card], card))

    def _trims(self, reserve: int, unseen: int) -> list[Choice]:
        frame = self.frame
        cards = reserve if frame.rulings.finish_reserve_count == "yes" else reserve & ~frame.finish_bit
        extra = cards.bit_count() + unseen - frame.reserve_size
        empty, laid = self.worth
        return self._least(cards, unseen, extra, lambda card: (_APART * empty[card] + laid[card], card))

    def _least(self, cards: int, unseen: int, extra: int, order: Callable[[int], tuple[float, int]]) -> list[Choice]:
        """Only cards that are wanted least go: the least, and all but one of the least with another."""
        if extra <= 0:
            return NOTHING
        rising = sorted(bits(cards), key=order)
        if extra > len(rising):
            return self.choices(cards, unseen, extra)[-1:]
        choices = []
        for last in range(extra - 1, min(len(rising), extra - 1 + self.ways)):
            chosen = (*rising[: extra - 1], rising[last])
            choices.append((sum(1 << card for card in chosen), 0, chosen))
        return choices

    def useful(self, node: Node) -> Iterator[Turned]:
        """The turns worth a look, with the positions after them."""
        self.worth = self.wanted.worth(node.tower)
        inside = self.wanted.inside
        spots = [spot for spot in self.towers.free(node.tower) if spot.cell in inside]
        for own in self.draws.draws(node):
            some = False
            for made in chain(self._lay(node, own, spots), self._take(node, own, spots)):
                some = True
                yield made
            if not some:
                yield from self._hide(node, own, spots, True)

    def _lay(self, node: Node, own: Own, spots: list[Spot]) -> Iterator[Turned]:
        hidden = node.hidden
        cards = own.hand | (self.frame.finish_bit if own.front == node.seat else 0)
        values = hidden.values if hidden and own.unseen else 0
        for spot in spots:
            for card in bits(spot.up & cards):
                yield from self._lay_up(node, own, spot.cell, card, False)
            for card in bits(spot.up & values):
                yield from self._lay_up(node, own, spot.cell, card, True)
        yield from self._hide(node, own, spots, False)
        yield from self._opens(node, own)

    def _hide(self, node: Node, own: Own, spots: list[Spot], every: bool) -> Iterator[Turned]:
        """B: with cards that can be opened where they lie, or with every card."""
        for spot in spots:
            if spot.down:
                for card in bits(own.hand if every else own.hand & spot.up):
                    yield from self._lay_down(node, own, spot.cell, card)
                if own.unseen:
                    yield from self._lay_down(node, own, spot.cell, 0)

    def _take(self, node: Node, own: Own, spots: list[Spot]) -> Iterator[Turned]:
        """D: for each card taken the cheapest ways to pay for it."""
        cards = own.hand | (self.frame.finish_bit if own.front == node.seat else 0)
        if cards.bit_count() + own.unseen < 2:
            return
        cheapest: dict[int, list[tuple[float, Total]]] = {}
        empty, laid = self.worth
        totals = self.sums.totals(node, own, cards, self.most)
        self.frame.budget.spend(len(totals) // _PRICED)
        for total in totals:
            price = empty[total.first] + empty[total.second] - laid[total.first] - laid[total.second]
            for card in total.destroyed:
                price += _DESTROYED + empty[card] + laid[card]
            cheapest.setdefault(total.taken, []).append((price, total))
        if not cheapest:
            return
        targets = [*spots, *self.replaceable(node)]
        for taken in sorted(cheapest):
            ways = [total for _, total in nsmallest(self.ways, cheapest[taken], key=lambda pair: (pair[0], pair[1]))]
            for spot in targets:
                if spot.up >> taken & 1:
                    for total in ways:
                        yield from self._exchange(node, own, spot, total, True)


class EveryTurn(HuntTurns):
    """Every legal turn: for ends that hang on one exact payment."""

    def _drops(self, hand: int, unseen: int) -> list[Choice]:
        return Turns._drops(self, hand, unseen)

    def _trims(self, reserve: int, unseen: int) -> list[Choice]:
        return Turns._trims(self, reserve, unseen)

    def useful(self, node: Node) -> Iterator[Turned]:
        """The turns worth a look: all of them."""
        return self.turns(node, self.most)


class PlannedTowers(Towers):
    """Only the cards of a plan may lie up, each on its cell: `plan` has a mask for each cell."""

    def __init__(self, frame: Frame, plan: dict[int, int]) -> None:
        super().__init__(frame)
        self._plan = plan

    def _spot(self, tower: bytes, cell: int, least: dict[int, int], greatest: dict[int, int], old: int) -> Spot:
        spot = super()._spot(tower, cell, least, greatest, old)
        return spot._replace(up=spot.up & self._plan.get(cell, 0))


class Hunts:
    """The beams from these positions, by a plan or freely. What they know is kept from one to the next.

    The positions are those of one table, or of several: `tables` has a number for each of them. What several come to
    is looked at once. `tried` is for the caller: how many beams were tried at each place of the columns.
    """

    def __init__(
        self,
        packed: Packed,
        roots: list[Node],
        bounds: Reductions,
        plan: Plan | None = None,
        tables: Sequence[int] = (),
    ) -> None:
        self.packed, self._frame, self._roots, self._bounds = packed, packed.frame, roots, bounds
        self._tables = tables or [0] * len(roots)
        self._plan = None if plan is None else plan.masks(packed.frame)
        self.tried: dict[int, int] = {}
        towers = packed.towers if self._plan is None else PlannedTowers(packed.frame, self._plan)
        towers.astray = packed.towers.astray
        self._turns = HuntTurns(packed.frame, towers), EveryTurn(packed.frame, towers)
        self._wanted: dict[int, Wanted] = {}
        self._weighers: dict[tuple[int, Weights], Weigher] = {}

    def places(self) -> list[int]:
        """The places of the columns that the tower allows, the one that looks best first."""
        middle = self._frame.board.middle

        def order(left: int) -> tuple[float, int]:
            return -float(max(self._weigher(left, Weights()).weigh(self._roots))), abs(left - middle)

        allowed = {left for root in self._roots for left in self._bounds.prices.places(root.tower)}
        return sorted(sorted(allowed), key=order)

    def lines(self, left: int, beam: Beam, most: int, done: Container[int] = ()) -> Ways:
        """The winning lines with the tower at this place that so many steps find, but for tables that are `done`."""
        turns, won = self._turns[beam.every], Ways()
        turns.wanted = self._wanted.setdefault(left, Wanted(self._frame, left, self._plan))
        roots: dict[Node, Ways] = {}
        for root, table in zip(self._roots, self._tables, strict=True):
            if table not in done:
                roots.setdefault(root, {})[table] = SearchStep(None, root, None)
        with suppress(Spent), self._frame.budget.at_most(most):
            self._hunt(turns, roots, self._weigher(left, beam.weights), beam, won)
        return won

    def _hunt(self, turns: HuntTurns, roots: dict[Node, Ways], weigher: Weigher, beam: Beam, won: Ways) -> None:
        """Winning lines found with this beam are put into `won`: one for each table. Raises `Spent`."""
        turns.ways = beam.ways
        steps, seen = list(roots.items()), set(roots)
        while steps:
            reached: dict[Node, Ways] = {}
            for node, every in steps:
                ways = {table: step for table, step in every.items() if table not in won}
                turns.most = self._bounds.most_gone(node)
                for child, move in turns.useful(node) if ways else ():
                    self._frame.budget.spend(_LOOKED)
                    if child is None:
                        won |= {table: SearchStep(step, node, move) for table, step in ways.items()}
                        break
                    if child not in seen:
                        known = reached.setdefault(child, {})
                        known.update(
                            {at: SearchStep(step, child, move) for at, step in ways.items() if at not in known}
                        )
            seen.update(reached)
            open_ = {node: ways for node, ways in reached.items() if not won.keys() >= ways.keys()}
            steps = _best(open_, weigher, self._bounds, beam.width)

    def _weigher(self, left: int, weights: Weights) -> Weigher:
        key = left, weights
        if key not in self._weighers:
            self._weighers[key] = Weigher(self._frame, left, weights, self._plan)
        return self._weighers[key]


def _best(ways_to: dict[Node, Ways], weigher: Weigher, bounds: Reductions, width: int) -> list[tuple[Node, Ways]]:
    """For each table the most promising positions that counting leaves open, only a few with the same tower."""
    nodes = list(ways_to)
    weights = weigher.weigh(nodes)
    most = max(2, width // _VARIETY)
    counts, towers = Counter[int](), Counter[tuple[int, bytes]]()
    kept: list[tuple[Node, Ways]] = []
    for at in np.argsort(-weights, kind="stable"):
        if not weights[at]:
            break
        node, tower = nodes[at], nodes[at].tower
        ways = {table: step for table, step in ways_to[node].items() if counts[table] < width}
        ways = {table: step for table, step in ways.items() if towers[table, tower] < most}
        if ways and not bounds.hopeless(node):
            kept.append((node, ways))
            counts.update(list(ways))
            towers.update((table, tower) for table in ways)
    return kept
