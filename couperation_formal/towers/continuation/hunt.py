"""The search for a winning line: a beam over positions of the same turn, the most promising ones of each.

It looks at few turns of each position and proves nothing when it finds no line. What it finds is replayed by the rules
(`turns.line`), so nothing here has to be trusted.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from heapq import nsmallest
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from couperation_formal.game.fact import Spent
from couperation_formal.towers.completion.fill import shape
from couperation_formal.towers.continuation.exhaust import Reductions
from couperation_formal.towers.continuation.final_tower import ideals
from couperation_formal.towers.continuation.guesses import Beam, Plan, Wanted, Weights, Worth
from couperation_formal.towers.continuation.legal import Choice, Own, SearchStep, Total, Turned, Turns
from couperation_formal.towers.continuation.line import Packed
from couperation_formal.towers.continuation.position import DOWN, FIRST_TURN, Frame, Kept, Node, Spot, Towers, bits

# How promising positions look to the search for a line: the weighted number of their final towers.
#
# A final tower counts as the product, over its cells, of how easily its card comes there; a position as the sum over
# all final towers in order. The sum runs along the order ideals, as the least price does, for hundreds of positions at
# once. The factors are guesses and prove nothing; only the order of the weights matters. Nothing but products and sums
# of floating-point numbers in a fixed order is used, so that it is the same on every machine.

_BATCH = 256
_ABSENT = 1 << 10
_DEEP = 1 << 7
_BYTES = 16
_KEPT = 1 << 12
_BATCHED = 150
_WEIGHED = 2
_PLANNED = 40
"""The steps that a batch takes, each of its positions, and a plan for the cells that a number can fill."""

Numbers = NDArray[np.float64]


class Weigher:
    """The weights of positions whose tower is meant to stand at column `left`; with a plan, a mask for each cell, only
    of towers of its cards.
    """

    def __init__(self, frame: Frame, left: int, weights: Weights, plan: Mapping[int, int] | None = None) -> None:
        self.frame, self.weights = frame, weights
        board = frame.board
        self._cards, self._grid = board.cards, shape(board.levels)
        self._cells = np.array(frame.grid(left))
        self._finish = frame.variant == "finish"
        self._allowed = self._fitting()
        if plan is not None:
            self._allowed *= _spread(tuple(plan.get(cell, 0) for cell in self._cells), self._cards)[:, :, None]
        grid = ideals(board.levels, self._finish)
        self._into: list[list[tuple[int, int]]] = [[] for _ in grid.cells]
        for ideal, steps in enumerate(grid.steps):
            for cell, after in steps:
                self._into[after].append((cell, ideal))
        self._plans = Kept(self._plan, _KEPT)
        self._depth = np.full((board.cards + 1, 1), _ABSENT)
        for at, card in enumerate(frame.deck):
            if 0 < card <= board.cards:
                self._depth[card] = at
        self._deep = np.array([_power(weights.deep, depth) for depth in range(_DEEP)])
        self._payable = lru_cache(1 << 14)(self._sums)

    def _fitting(self) -> Numbers:
        """1 where a number can stand on a cell of a final tower at all, else 0."""
        frame, grid, top = self.frame, self._grid, self._cards
        under, over = frame.edges
        fitting = np.zeros((top + 1, grid.size, 1))
        for i, (column, level) in enumerate(grid.places):
            if self._finish and i == grid.apex:
                continue
            first = grid.down_sets[i].bit_count() - self._finish
            last = top + 1 - grid.up_sets[i].bit_count() + self._finish
            if column == 0:
                last = min(last, under - 1)
            if column + level == frame.board.levels:
                first = max(first, over + 1)
            fitting[first : last + 1, i] = 1
        return fitting

    def _sums(self, hand: int) -> int:
        """The numbers that D makes of two cards of a hand, as a mask."""
        sums = 0
        for low, high in combinations(bits(hand & self.frame.glass), 2):
            sums |= 1 << low + high | 1 << high - low
        return sums & self.frame.glass

    def weigh(self, nodes: list[Node]) -> Numbers:
        """The weight of each position, 0 where it is surely lost; more is better. Cost: some 20 microseconds each."""
        parts = [np.zeros(0)]
        for start in range(0, len(nodes), _BATCH):
            batch = nodes[start : start + _BATCH]
            self.frame.budget.spend(_BATCHED + _WEIGHED * len(batch))
            parts.append(self._towers(self._factors(batch)) * self._rest(batch))
        return np.concatenate(parts)

    def _factors(self, nodes: list[Node]) -> Numbers:
        """How easily each number comes to each cell, by number, cell and position."""
        weights, top = self.weights, self._cards
        towers = np.frombuffer(b"".join([node.tower for node in nodes]), np.uint8).reshape(len(nodes), -1)
        codes = towers[:, self._cells].T.astype(np.intp)
        own, reserve, payable = zip(*map(self._piles, nodes), strict=True)
        depth = np.maximum(self._depth - np.array([node.top for node in nodes]), -1)
        deck = np.where((depth >= 0) & (depth < _DEEP), self._deep[np.minimum(depth, _DEEP - 1)], 0)
        in_hand, in_reserve = _spread(own, top), _spread(reserve, top)
        in_reserve *= 1 + _spread(payable, top) * (weights.payable - 1)
        on_empty = in_hand * weights.hand + deck * weights.deck + in_reserve * weights.reserve
        on_laid = in_hand * weights.by_hand + deck * weights.by_deck + in_reserve * weights.by_reserve
        numbers, laid = codes & DOWN - 1, codes > 0
        known = laid & (numbers > 0) & (numbers <= top)
        cell, at = np.nonzero(known)
        on_empty[numbers[known], at] = weights.moved
        on_laid[numbers[known], at] = weights.by_moved
        factors = np.where(laid, on_laid[:, None, :], on_empty[:, None, :])
        stays = np.where(codes >= DOWN, weights.open, 1.0)
        if self.frame.apex_again:
            stays[self._grid.apex] = 0
        factors[numbers[known], cell, at] = stays[known]
        if max(map(max, (node.tower for node in nodes))) >= DOWN:
            for cell, at in np.argwhere(codes == DOWN):
                hidden = nodes[at].hidden
                if hidden is not None:
                    factors[list(bits(hidden.values)), cell, at] = weights.open
        factors *= self._allowed
        return factors

    def _piles(self, node: Node) -> tuple[int, int, int]:
        """The cards in hands, in the Reserve, and those that some hand can pay for, as masks."""
        own, payable = 0, 0
        for hand in node.hands:
            own |= hand
            payable |= self._payable(hand)
        reserve, hidden, glass = node.reserve, node.hidden, self.frame.glass
        if hidden is not None:
            if self.frame.unseen_below[node.top] or any(hidden.hands):
                own |= hidden.values
            if hidden.reserve:
                reserve |= hidden.values
        return own & glass, reserve & glass, payable

    def _towers(self, factors: Numbers) -> Numbers:
        """The sum over all final towers."""
        best: Numbers = np.zeros((len(self._into), factors.shape[2]))
        best[0] = 1
        some: NDArray[np.bool_] = np.any(factors, axis=2)
        for number in range(1, self._cards + 1):
            plan = self._plans[some[number].tobytes()]
            grown = [best[before] * factors[number][cells] for before, _, cells in plan]
            for (_, after, _), more in zip(plan, grown, strict=True):
                best[after] += more
        full: Numbers = best[-1]
        return full

    def _plan(self, key: bytes) -> list[NDArray[np.intp]]:
        """The steps along the ideals that fill these cells, in groups that reach no ideal twice: the ideal before, the
        one after, and the cell.
        """
        cells = np.frombuffer(key, np.bool_)
        self.frame.budget.spend(_PLANNED)
        groups: list[list[tuple[int, int, int]]] = []
        for after, ways in enumerate(self._into):
            usable = [(ideal, after, cell) for cell, ideal in ways if cells[cell]]
            groups += [[] for _ in range(len(usable) - len(groups))]
            for group, way in zip(groups, usable, strict=False):
                group.append(way)
        return [np.array(group, dtype=np.intp).T for group in groups]

    def _rest(self, nodes: list[Node]) -> Numbers:
        """What counts beside the towers."""
        frame, weights = self.frame, self.weights
        rests = []
        for node in nodes:
            slack, finish, seat, limit = frame.slack(node), frame.finish_cost(node), node.seat, node.limit
            if slack < 0 or finish is None:
                rests.append(0.0)
                continue
            weight = _power(weights.slack, slack) * _power(weights.held, min(frame.held(node), 2 * frame.players))
            weight *= _power(weights.draw, 0 if limit == FIRST_TURN else abs(limit))
            has_cards = node.hands[seat] or node.front == seat or (node.hidden and node.hidden.hands[seat])
            if limit in (0, FIRST_TURN) and not has_cards:
                weight *= weights.idle
            rests.append(weight * weights.finish if finish else weight)
        return np.array(rests)


def _spread(masks: tuple[int, ...], top: int) -> Numbers:
    """1 where a number is in a mask, by number and mask."""
    raw = np.frombuffer(b"".join([mask.to_bytes(_BYTES, "little") for mask in masks]), np.uint8)
    spread = np.unpackbits(raw.reshape(len(masks), _BYTES), axis=1, bitorder="little")
    return spread[:, : top + 1].T.astype(np.float64)


@lru_cache(maxsize=1 << 12)
def _power(base: float, exponent: int) -> float:
    """By multiplication alone, which rounds alike everywhere."""
    power = 1.0
    for _ in range(exponent):
        power *= base
    return power


# The beams.

_DESTROYED = 2.0
"""What a card destroyed for action D counts beside its worth."""
_APART = 0.5
"""What a card of the Reserve is worth on an empty cell, as a part of one in a hand."""
_VARIETY = 10
"""At most this part of a beam has the same tower, or two positions."""
_LOOKED = 1
"""The steps that a position looked at takes, beside being weighed."""
_PRICED = 8
"""So many payments for action D compared are one step."""


Ways = dict[int, SearchStep]
"""How a position is come to: the last step from each table, by the table's number."""


class HuntTurns(Turns):
    """The turns worth a look at one place of the columns."""

    wanted: Wanted
    worth: Worth
    ways: int

    def _acts(self, node: Node, own: Own) -> Iterator[Turned]:
        """The actions worth a look after one draw."""
        self.worth, inside = self.wanted.worth[node.tower], self.wanted.inside
        spots = [spot for spot in self.towers.free[node.tower] if spot.cell in inside]
        some = False
        for turned in self._useful(node, own, spots):
            some = True
            yield turned
        for spot in () if some else spots:
            yield from self._lay_downs(node, own, spot, own.hand)

    def _useful(self, node: Node, own: Own, spots: list[Spot]) -> Iterator[Turned]:
        """A; B with cards that can be opened where they lie; C; D."""
        for spot in spots:
            yield from self._lay_ups(node, own, spot)
        for spot in spots:
            yield from self._lay_downs(node, own, spot, own.hand & spot.up)
        yield from self._opens(node, own)
        yield from self._take(node, own, spots)

    def _take(self, node: Node, own: Own, spots: list[Spot]) -> Iterator[Turned]:
        """D: for each card taken the cheapest ways to pay for it."""
        cheapest: dict[int, list[tuple[float, Total]]] = {}
        empty, laid = self.worth
        totals = self.sums.totals(node, own, self._held(node, own), self.most)
        self.frame.budget.spend(len(totals) // _PRICED)
        for total in totals:
            price = empty[total.first] + empty[total.second] - laid[total.first] - laid[total.second]
            for card in total.destroyed:
                price += _DESTROYED + empty[card] + laid[card]
            cheapest.setdefault(total.taken, []).append((price, total))
        targets = [*spots, *self.replaceable(node)] if cheapest else []
        for taken in sorted(cheapest):
            ways = [total for _, total in nsmallest(self.ways, cheapest[taken])]
            for spot in targets:
                if spot.up >> taken & 1:
                    for total in ways:
                        yield from self._exchange(node, own, spot, total, True)

    def choices(self, cards: int, unseen: int, count: int, part: float = 1.0) -> list[Choice]:
        """Only cards that are wanted least go: the least, and all but one of the least with another. A card that is
        wanted on an empty cell counts this part of that.
        """
        empty, laid = self.worth
        rising = sorted(bits(cards), key=lambda card: part * empty[card] + laid[card])
        if count > len(rising):
            return super().choices(cards, unseen, count)[-1:]
        every = [(*rising[: count - 1], last) for last in rising[count - 1 : count - 1 + self.ways]]
        return [(sum(1 << card for card in chosen), 0, chosen) for chosen in every]

    def _trim(self, cards: int, unseen: int, extra: int) -> list[Choice]:
        return self.choices(cards, unseen, extra, _APART)


class SparingTurns(Turns):
    """Every turn but those whose D destroys more than one card or lays its card down."""

    destroys = 1

    def _exchange(self, node: Node, own: Own, spot: Spot, total: Total, face_up: bool) -> Iterable[Turned]:
        return super()._exchange(node, own, spot, total, face_up) if face_up else ()


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
        self.tried = Counter[int]()
        towers = packed.towers if self._plan is None else PlannedTowers(packed.frame, self._plan)
        towers.astray = packed.towers.astray
        self._every, self._sparing = Turns(packed.frame, towers), SparingTurns(packed.frame, towers)
        self._useful = HuntTurns(packed.frame, towers)
        self._wanted = Kept[int, Wanted](lambda left: Wanted(self._frame, left, self._plan))
        self._weighers = Kept[tuple[int, Weights], Weigher](lambda key: Weigher(self._frame, *key, self._plan))

    def places(self) -> list[int]:
        """The places of the columns that the tower allows, the one that looks best first."""
        middle = self._frame.board.middle

        def order(left: int) -> tuple[float, int]:
            return -float(max(self._weighers[left, Weights()].weigh(self._roots))), abs(left - middle)

        allowed = {left for root in self._roots for left in self._frame.places(root.tower)}
        return sorted(sorted(allowed), key=order)

    def lines(self, left: int, beam: Beam, most: int, done: Container[int] = ()) -> Ways:
        """The winning lines with the tower at this place that so many steps find, but for tables that are `done`."""
        useful, won = self._useful, Ways()
        useful.wanted, useful.ways = self._wanted[left], beam.ways
        roots: dict[Node, Ways] = {}
        for root, table in zip(self._roots, self._tables, strict=True):
            if table not in done:
                roots.setdefault(root, {})[table] = SearchStep(None, root, None)
        turns = self._sparing if beam.sparing else self._every if beam.every else useful
        weigher = self._weighers[left, beam.weights]
        with suppress(Spent), self._frame.budget.at_most(most):
            self._hunt(turns, roots, weigher, beam.width, won)
        return won

    def _hunt(self, turns: Turns, roots: dict[Node, Ways], weigher: Weigher, width: int, won: Ways) -> None:
        """Winning lines found with this beam are put into `won`: one for each table. Raises `Spent`."""
        steps, seen = list(roots.items()), set(roots)
        while steps:
            reached: dict[Node, Ways] = {}
            for node, every in steps:
                ways = {table: step for table, step in every.items() if table not in won}
                most = self._bounds.most_gone(node)
                for child, move in turns.turns(node, most) if ways else ():
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
            steps = _best(open_, weigher, self._bounds, width)


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
        open_ = (table for table in ways_to[node] if counts[table] < width and towers[table, tower] < most)
        ways = {table: ways_to[node][table] for table in open_}
        if ways and not bounds.hopeless(node):
            kept.append((node, ways))
            counts.update(list(ways))
            towers.update((table, tower) for table in ways)
    return kept
