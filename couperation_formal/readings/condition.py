"""From a set of readings to a small readable condition: terms joined by *or*.

A term allows some options of some rulings. It is *prime* when no option can be added to it without leaving the set. A
condition is a cover of the set by prime terms, none of which could be left out: multi-valued sum of products as in
Quine (1952) and McCluskey (1956), with subsets of options as literals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from couperation_formal.model.budget import Steps
from couperation_formal.model.rulings import registry
from couperation_formal.readings.sets import Readings, depends_on
from couperation_formal.readings.truth_table import TruthTable, project, size_of, slices

Condition = tuple[dict[str, tuple[str, ...]], ...]
"""Terms joined by *or*; each maps rulings to the options that it allows, joined by *and*. A ruling left out is free:
``({},)`` is always, ``()`` never.
"""

_Box = tuple[int, ...]
"""For each ruling the options that a term allows, as bits."""

_MOST_PRIMES = 400
"""With more prime terms than this no least cover is looked for."""

_MOST_STEPS = 20_000
"""So many steps the search for a least cover takes at most."""

_MOST_TERMS = 256
"""So many terms at most are expanded to prime ones, one by one."""

_MOST_NODES = 20_000
"""So many pieces of tables are looked at for prime terms at most."""

_LITERAL: Final = 1 << 12
"""What a literal weighs; one over a ruling in which the texts agree weighs one more."""

_BITS: Final = 1 << 14
"""So many bits of a table looked at are one step."""


def condition(readings: Readings, budget: Steps | None = None) -> Condition:
    """The set as a condition: the union of its terms is the set.

    The cover is a least one, with the fewest literals among these and then the most of them over rulings in which the
    texts differ, where there are few prime terms; else it is one without a term to spare. Terms over such rulings come
    first, and so do they in a term. Of a set that even so needs more than some hundreds of terms, what is left over is
    split into terms that may not be prime. The same set gives the same condition. Raises `Spent` where `budget` does
    not suffice. Cost: well below a millisecond for the sets of ordinary records; some seconds for a set without any
    pattern.
    """
    if not readings:
        return ()
    names = depends_on(readings)
    if not names:
        return ({},)
    table = project(readings, names)
    agreed = frozenset(at for at, name in enumerate(names) if not registry().disputed(name))
    boxes = sorted(
        _cover(table, agreed, budget or Steps()), key=lambda box: (_within(agreed, box, table), _order(box, table))
    )
    return tuple(_term(names, table.options, box) for box in boxes)


def _within(agreed: frozenset[int], box: _Box, table: TruthTable) -> int:
    """How many of the rulings that a term restricts are among these."""
    return len(agreed.intersection(_restricted(box, table)))


def _term(names: tuple[str, ...], options: tuple[tuple[str, ...], ...], box: _Box) -> dict[str, tuple[str, ...]]:
    found = {
        name: tuple(option for place, option in enumerate(each) if bits >> place & 1)
        for name, each, bits in zip(names, options, box, strict=True)
        if bits != (1 << len(each)) - 1
    }
    return dict(sorted(found.items(), key=lambda pair: not registry().disputed(pair[0])))


def _restricted(box: _Box, table: TruthTable) -> list[int]:
    """The places of the rulings that a term restricts."""
    pairs = zip(box, table.options, strict=True)
    return [at for at, (bits, each) in enumerate(pairs) if bits != (1 << len(each)) - 1]


def _order(box: _Box, table: TruthTable) -> tuple[int, list[int], _Box]:
    """Short terms first, then by their rulings, then by their options."""
    restricted = _restricted(box, table)
    return len(restricted), restricted, box


def _cover(table: TruthTable, agreed: frozenset[int], budget: Steps) -> list[_Box]:
    found = primes(table, budget)
    if found is None:
        return _expanded(table, budget)
    return _least(table, found, agreed, budget)


def _weight(table: TruthTable) -> int:
    """The steps that a look at a table takes."""
    return 1 + size_of(table.options) // _BITS


def box_bits(options: tuple[tuple[str, ...], ...], box: _Box) -> int:
    """The truth table of a term. Cost: linear in its length."""
    bits, width = 1, 1
    for each, allowed in zip(reversed(options), reversed(box), strict=True):
        bits = sum(bits << (place * width) for place in range(len(each)) if allowed >> place & 1)
        width *= len(each)
    return bits


def primes(table: TruthTable, steps: Steps) -> list[_Box] | None:
    """Every prime term of a set that is not empty, or None where there are too many to list."""
    budget = [_MOST_NODES]
    implicants = _implicants(table, {}, budget, steps)
    if implicants is None:
        return None
    steps.spend(len(implicants) * len(table.options) // 4)
    held = set(implicants)
    found = [box for box in implicants if not any(wider in held for wider in _wider(box, table))]
    return found if len(found) <= _MOST_PRIMES else None


def _wider(box: _Box, table: TruthTable) -> Iterator[_Box]:
    """The terms with one option more, each when it is asked for: mostly the first few settle the question."""
    for at, bits in enumerate(box):
        for place in range(len(table.options[at])):
            if not bits >> place & 1:
                yield (*box[:at], bits | 1 << place, *box[at + 1 :])


def _implicants(
    table: TruthTable, memo: dict[TruthTable, list[_Box]], budget: list[int], steps: Steps
) -> list[_Box] | None:
    """Every term inside the set, None where the budget ends."""
    if not table.bits:
        return []
    if not table.options:
        return [()]
    if table in memo:
        return memo[table]
    parts = slices(table)
    steps.spend(_weight(table))
    found: list[_Box] = []
    for chosen in range(1, 1 << len(parts)):
        common = -1
        for place, part in enumerate(parts):
            if chosen >> place & 1:
                common &= part.bits
        if not common:
            continue
        rest = _implicants(TruthTable(parts[0].options, common), memo, budget, steps)
        budget[0] -= 1 + len(rest or ())
        steps.spend(1 + len(rest or ()) // 8)
        if rest is None or budget[0] < 0:
            return None
        found += [(chosen, *box) for box in rest]
    memo[table] = found
    return found


def _least(table: TruthTable, found: list[_Box], agreed: frozenset[int], budget: Steps) -> list[_Box]:
    """A cover by the fewest of these prime terms, by few literals among such, and by few of them over rulings in which
    the texts agree; without a spare term in any case.
    """
    found = sorted(found, key=lambda box: _order(box, table))
    budget.spend(len(found) ** 2 // 16 + len(found) * _weight(table) * len(table.options))
    covers = [box_bits(table.options, box) for box in found]
    best = _without_spares(_greedy(table.bits, covers), covers, table.bits)
    weights = [_LITERAL * len(_restricted(box, table)) + _within(agreed, box, table) for box in found]
    search = _Search(covers, weights, best, budget, _weight(table))
    search.cover(table.bits, [])
    return [found[k] for k in search.best]


def _greedy(bits: int, covers: list[int]) -> list[int]:
    chosen: list[int] = []
    while bits:
        k = max(range(len(covers)), key=lambda k: (covers[k] & bits).bit_count())
        chosen.append(k)
        bits &= ~covers[k]
    return chosen


def _without_spares(chosen: list[int], covers: list[int], bits: int) -> list[int]:
    """The choice without terms that the others make up for, the last ones looked at first."""
    for k in reversed(chosen.copy()):
        rest = 0
        for other in chosen:
            if other != k:
                rest |= covers[other]
        if rest & bits == bits:
            chosen.remove(k)
    return chosen


class _Search:
    """Branch and bound for a least cover: the uncovered combination that the fewest terms hold is branched on."""

    def __init__(self, covers: list[int], weights: list[int], best: list[int], budget: Steps, weight: int) -> None:
        self._covers, self._weights = covers, weights
        self._budget, self._weight = budget, weight
        self.best = best
        self._steps = _MOST_STEPS
        self._holders: dict[int, list[int]] = {}

    def _worth(self, chosen: list[int]) -> tuple[int, int]:
        return len(chosen), sum(self._weights[k] for k in chosen)

    def cover(self, bits: int, chosen: list[int]) -> None:
        """Look at every way to cover `bits` on top of the terms chosen that could be better than the best one."""
        self._steps -= 1
        if self._steps < 0:
            return
        if not bits:
            if self._worth(chosen) < self._worth(self.best):
                self.best = list(chosen)
            return
        if len(chosen) >= len(self.best):
            return
        for k in self._fewest(bits):
            self.cover(bits & ~self._covers[k], [*chosen, k])

    def _fewest(self, bits: int) -> list[int]:
        """The terms that hold the uncovered combination with the fewest of them."""
        found: list[int] = []
        while bits:
            lowest = bits & -bits
            holders = self._holders.get(lowest)
            self._budget.spend(self._weight)
            if holders is None:
                self._budget.spend(len(self._covers) * self._weight // 16)
                holders = [k for k, cover in enumerate(self._covers) if cover & lowest]
                self._holders[lowest] = holders
            if not found or len(holders) < len(found):
                found = holders
                if len(found) == 1:
                    break
            bits ^= lowest
        return found


def _expanded(table: TruthTable, budget: Steps) -> list[_Box]:
    """A cover by prime terms, each grown from the first combination that is still uncovered. A single pass over the
    options makes a term prime: an option that did not fit does not fit the grown term either.
    """
    left = table.bits
    found: list[_Box] = []
    while left and len(found) < _MOST_TERMS:
        index = (left & -left).bit_length() - 1
        budget.spend(sum(map(len, table.options)) * len(table.options) * _weight(table))
        box = _grown(table, _point(table, index))
        found.append(box)
        left &= ~box_bits(table.options, box)
    if left:
        return found + _split(TruthTable(table.options, left), budget)
    budget.spend(len(found) ** 2 * _weight(table) // 8)
    covers = [box_bits(table.options, box) for box in found]
    kept = _without_spares(list(range(len(found))), covers, table.bits)
    return [found[k] for k in kept]


def _point(table: TruthTable, index: int) -> _Box:
    box: list[int] = []
    for each in reversed(table.options):
        index, place = divmod(index, len(each))
        box.append(1 << place)
    return tuple(reversed(box))


def _grown(table: TruthTable, box: _Box) -> _Box:
    for at in range(len(box)):
        for place in range(len(table.options[at])):
            wider = (*box[:at], box[at] | 1 << place, *box[at + 1 :])
            if wider != box and not box_bits(table.options, wider) & ~table.bits:
                box = wider
    return box


def _split(table: TruthTable, budget: Steps) -> list[_Box]:
    """Terms that share nothing and make up the set: the first ruling splits it, equal parts are joined."""
    if not table.bits:
        return []
    if table.bits == (1 << size_of(table.options)) - 1:
        return [tuple((1 << len(each)) - 1 for each in table.options)]
    budget.spend(_weight(table))
    joined: dict[TruthTable, int] = {}
    for place, part in enumerate(slices(table)):
        joined[part] = joined.get(part, 0) | 1 << place
    return [(bits, *box) for part, bits in joined.items() for box in _split(part, budget)]
