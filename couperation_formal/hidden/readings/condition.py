"""A set of readings as a readable condition and as a tree of questions: the least of each, over a truth table."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, reduce
from math import prod
from operator import and_, or_
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from couperation_formal.game.fact import Steps
from couperation_formal.game.rulings import RULING_NAMES, registry
from couperation_formal.hidden.readings.sets import ALL, Readings, Vertex, depends_on, space

# A set of readings over the few rulings that it depends on: a truth table that fits in a small number.


class TruthTable(NamedTuple):
    """The options of some rulings and a truth table over them: bit i stands for the combination with index i in mixed
    radix, the first ruling counting most.
    """

    options: tuple[tuple[str, ...], ...]
    bits: int


def project(readings: Readings, names: tuple[str, ...]) -> TruthTable:
    """The set over these rulings, in the registry's order, on which alone it may depend. Cost: linear in their
    combinations.
    """
    options = tuple(space()[name] for name in names)
    levels = [RULING_NAMES.index(name) for name in names]
    widths = [size_of(options[place + 1 :]) for place in range(len(options))]

    @cache
    def bits(at: Vertex, place: int) -> int:
        """The truth table of a node over the rulings from this place on."""
        if place == len(levels):
            return int(at is ALL)
        kids = at.kids if at.level == levels[place] else (at,) * len(options[place])
        return sum(bits(kid, place + 1) << (widths[place] * each) for each, kid in enumerate(kids))

    return TruthTable(options, bits(readings.root, 0))


def size_of(options: Iterable[tuple[str, ...]]) -> int:
    """How many combinations these options have."""
    return prod(map(len, options))


def slices(table: TruthTable) -> list[TruthTable]:
    """The tables that are left when the first ruling takes each of its options in turn."""
    rest = table.options[1:]
    width = size_of(rest)
    mask = (1 << width) - 1
    return [TruthTable(rest, table.bits >> (place * width) & mask) for place in range(len(table.options[0]))]


# From a set of readings to a small readable condition: terms joined by *or*.
#
# A term allows some options of some rulings. It is *prime* when no option can be added to it without leaving the set. A
# condition is a cover of the set by prime terms, none of which could be left out: multi-valued sum of products as in
# Quine (1952) and McCluskey (1956), with subsets of options as literals.

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


def condition(readings: Readings, budget: Steps) -> Condition:
    """The set as a condition: the union of its terms is the set.

    The cover is a least one, with the fewest literals among these and then the most of them over rulings in which the
    texts differ, where there are few prime terms; else it is one without a term to spare. Terms over such rulings come
    first, and so do they in a term. Of a set that even so needs more than some hundreds of terms, what is left over is
    split into terms that may not be prime. The same set gives the same condition. Raises `Spent` where `budget` does
    not suffice. Cost: well below a millisecond for the sets of ordinary records; some seconds for a set without any
    pattern.
    """
    names = depends_on(readings)
    if not names:
        return ({},) if readings else ()
    table = project(readings, names)
    agreed = frozenset(at for at, name in enumerate(names) if registry().accord(name) == 2)
    prime = primes(table, budget)
    boxes = _expanded(table, budget) if prime is None else _least(table, prime, agreed, budget)
    boxes.sort(key=lambda box: (len(agreed.intersection(_restricted(box, table))), _order(box, table)))
    return tuple(
        {
            names[at]: tuple(option for place, option in enumerate(table.options[at]) if box[at] >> place & 1)
            for at in sorted(_restricted(box, table), key=lambda at: at in agreed)
        }
        for box in boxes
    )


def _restricted(box: _Box, table: TruthTable) -> list[int]:
    """The places of the rulings that a term restricts."""
    pairs = zip(box, table.options, strict=True)
    return [at for at, (bits, each) in enumerate(pairs) if bits != (1 << len(each)) - 1]


def _order(box: _Box, table: TruthTable) -> tuple[int, list[int], _Box]:
    """Short terms first, then by their rulings, then by their options."""
    restricted = _restricted(box, table)
    return len(restricted), restricted, box


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
    left = _MOST_NODES

    @cache
    def implicants(table: TruthTable) -> list[_Box] | None:
        """Every term inside the set, None where too many pieces were looked at."""
        nonlocal left
        if not table.options:
            return [()]
        parts = slices(table)
        steps.spend(_weight(table))
        terms: list[_Box] = []
        for chosen in range(1, 1 << len(parts)):
            common = reduce(and_, (part.bits for place, part in enumerate(parts) if chosen >> place & 1))
            if not common:
                continue
            rest = implicants(TruthTable(table.options[1:], common))
            left -= 1 + len(rest or ())
            steps.spend(1 + len(rest or ()) // 8)
            if rest is None or left < 0:
                return None
            terms += [(chosen, *box) for box in rest]
        return terms

    every = implicants(table)
    if every is None:
        return None
    steps.spend(len(every) * len(table.options) // 4)
    held = set(every)
    prime = [box for box in every if not any(wider in held for wider in _wider(box, table))]
    return prime if len(prime) <= _MOST_PRIMES else None


def _wider(box: _Box, table: TruthTable) -> Iterator[_Box]:
    """The terms with one option more, each when it is asked for: mostly the first few settle the question."""
    for at, bits in enumerate(box):
        for place in range(len(table.options[at])):
            if not bits >> place & 1:
                yield (*box[:at], bits | 1 << place, *box[at + 1 :])


def _least(table: TruthTable, terms: list[_Box], agreed: frozenset[int], budget: Steps) -> list[_Box]:
    """A cover by the fewest of these prime terms, by few literals among such, and by few of them over rulings in which
    the texts agree; without a spare term in any case.
    """
    terms = sorted(terms, key=lambda box: _order(box, table))
    weight, left = _weight(table), _MOST_STEPS
    budget.spend(len(terms) ** 2 // 16 + len(terms) * weight * len(table.options))
    covers = [box_bits(table.options, box) for box in terms]
    weights = [sum(_LITERAL + (at in agreed) for at in _restricted(box, table)) for box in terms]
    best = _without_spares(_greedy(table.bits, covers), covers, table.bits)

    def cover(bits: int, chosen: list[int]) -> None:
        """Look at every way to cover `bits` on top of the terms chosen that could be better than the best one: branch
        and bound, in which the uncovered combination that the fewest terms hold is branched on.
        """
        nonlocal best, left
        left -= 1
        if left < 0:
            return
        if not bits:
            best = min(best, chosen, key=lambda cover: (len(cover), sum(weights[k] for k in cover)))
        elif len(chosen) < len(best):
            for k in fewest(bits):
                cover(bits & ~covers[k], [*chosen, k])

    def fewest(bits: int) -> list[int]:
        """The terms that hold the uncovered combination with the fewest of them."""
        found: list[int] = []
        while bits and len(found) != 1:
            lowest = bits & -bits
            budget.spend(weight)
            found = min(found or holders(lowest), holders(lowest), key=len)
            bits ^= lowest
        return found

    @cache
    def holders(combination: int) -> list[int]:
        """The terms that hold a combination."""
        budget.spend(len(covers) * weight // 16)
        return [k for k, cover in enumerate(covers) if cover & combination]

    cover(table.bits, [])
    return [terms[k] for k in best]


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
        rest = reduce(or_, (covers[other] for other in chosen if other != k), 0)
        if rest & bits == bits:
            chosen.remove(k)
    return chosen


def _expanded(table: TruthTable, budget: Steps) -> list[_Box]:
    """A cover by prime terms, each grown from the first combination that is still uncovered. A single pass over the
    options makes a term prime: an option that did not fit does not fit the grown term either.
    """
    left = table.bits
    terms: list[_Box] = []
    while left and len(terms) < _MOST_TERMS:
        index = (left & -left).bit_length() - 1
        budget.spend(sum(map(len, table.options)) * len(table.options) * _weight(table))
        box = _grown(table, index)
        terms.append(box)
        left &= ~box_bits(table.options, box)
    if left:
        return terms + _split(TruthTable(table.options, left), budget)
    budget.spend(len(terms) ** 2 * _weight(table) // 8)
    covers = [box_bits(table.options, box) for box in terms]
    kept = _without_spares(list(range(len(terms))), covers, table.bits)
    return [terms[k] for k in kept]


def _grown(table: TruthTable, index: int) -> _Box:
    """A prime term that holds the combination with this index."""
    box: _Box = ()
    for each in reversed(table.options):
        index, place = divmod(index, len(each))
        box = (1 << place, *box)
    for at, each in enumerate(table.options):
        for place in range(len(each)):
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


# A decision tree over the rulings that decide a dispute: asked one after another, they lead to the verdict.

Settled = Literal["legal", "illegal", "undetermined"]

_EXACT = 5
"""With so many rulings every order of questions is tried."""

_LARGEST = 1 << 14
"""A table with more combinations than this gets no tree."""

_LETTERED: Final = 256
"""So many combinations looked at for a question are one step."""


class Leaf(Struct, frozen=True):
    """The end of the questions."""

    verdict: str


class Branching(Struct, frozen=True):
    """A ruling, and where its options lead; options that lead to the same answer are one branch."""

    ruling: str
    branches: "tuple[tuple[tuple[str, ...], Tree], ...]"


Tree = Leaf | Branching


def decision_tree(verdicts: Mapping[str, Readings], budget: Steps) -> Tree | None:
    """A small tree that gives the verdict of every reading, each verdict having its readings; None where too many
    rulings decide.

    Rulings that texts settle differently are asked first, then those that one leaves open, then the others. Least among
    such trees, in the number of questions and leaves, for up to five rulings; for more the ruling that leaves the
    fewest rulings to be asked goes first. Raises `Spent` where `budget` does not suffice. Cost: for five rulings some
    milliseconds.
    """
    names = depends_on(*verdicts.values())
    options = tuple(space()[name] for name in names)
    if size_of(options) > _LARGEST:
        return None
    tables = {str(letter): project(of, names).bits for letter, of in enumerate(verdicts.values())}
    told = dict(zip(tables, verdicts, strict=True))
    values = "".join(
        next(letter for letter, bits in tables.items() if bits >> index & 1) for index in range(size_of(options))
    )

    @cache
    def tree(values: str, names: tuple[str, ...]) -> Tree:
        """The tree of a function, given as the letters of its values over the combinations of some rulings."""
        if values.count(values[0]) == len(values):
            return Leaf(told[values[0]])
        look = 1 + len(values) // _LETTERED
        budget.spend(len(names) * look)
        asked = {name: groups for name in names if len(groups := _groups(values, names, name)) > 1}
        if len(asked) < len(names):
            for name in names:
                if name not in asked:
                    values = next(iter(_groups(values, names, name)))
                    names = tuple(each for each in names if each != name)
            return tree(values, names)
        rest = {name: tuple(each for each in names if each != name) for name in names}
        least = min(map(registry().accord, names))
        first = [name for name in names if registry().accord(name) == least]
        if len(names) > _EXACT:
            budget.spend(len(names) ** 2 * look)
            first = [min(first, key=lambda name: _left(asked[name], rest[name]))]
        questions = (
            Branching(name, tuple((tuple(options), tree(part, rest[name])) for part, options in asked[name].items()))
            for name in first
        )
        return min(questions, key=tree_size)

    return tree(values, names)


def tree_size(tree: Tree) -> int:
    """The number of questions and leaves."""
    return 1 if isinstance(tree, Leaf) else 1 + sum(tree_size(branch) for _, branch in tree.branches)


def _groups(values: str, names: tuple[str, ...], name: str) -> dict[str, list[str]]:
    """What is left of the function under each option of a ruling, options that leave the same together."""
    options = space()[name]
    stride = size_of(tuple(space()[each] for each in names[names.index(name) + 1 :]))
    period = stride * len(options)
    groups: dict[str, list[str]] = {}
    for place, option in enumerate(options):
        starts = range(place * stride, len(values), period)
        groups.setdefault("".join(values[start : start + stride] for start in starts), []).append(option)
    return groups


def _left(groups: dict[str, list[str]], rest: tuple[str, ...]) -> tuple[int, int]:
    """How many rulings are left to be asked below a question, all branches together, and how many branches."""
    return sum(len(_groups(part, rest, name)) > 1 for part in groups for name in rest), len(groups)
