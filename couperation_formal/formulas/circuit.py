"""Boolean formulas as a shared circuit, and values that differ from case to case of it."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate, combinations, product
from operator import add, itemgetter
from typing import Any, NewType

from msgspec import Struct

from couperation_formal.game.fact import Steps

# Boolean formulas as a shared circuit: variables, conjunctions, and negation for nothing.
#
# A formula is a number: a gate, or with its sign turned the gate's negation (and-inverter graphs: Kuehlmann, Paruthi,
# Krohm, Ganai 2002). Equal gates are made once, constants and opposite inputs fold away, so that what a record shows
# costs nothing.

Formula = NewType("Formula", int)
"""A Boolean formula of one circuit."""

TRUE = Formula(1)
FALSE = Formula(-1)


def no(formula: Formula) -> Formula:
    """The negation."""
    return -formula  # type: ignore[return-value]  # `Formula` is a call


class Circuit:
    """The gates of some formulas. Each takes a step of `budget` to be made; where it is spent, `Spent` is raised.

    `inputs[g]` holds the formulas that gate g joins by *and*, None for a variable; gate 1 is the constant true. The
    inputs of a gate have smaller numbers than itself.
    """

    def __init__(self, budget: Steps | None = None) -> None:
        self.budget = Steps() if budget is None else budget
        self.inputs: list[tuple[Formula, ...] | None] = [(), ()]
        self.names: dict[int, str] = {}
        self._made: dict[tuple[Formula, ...], Formula] = {}

    def variable(self, name: str) -> Formula:
        """A new variable. Names are for people and for scripts; each is given once."""
        self.budget.spend()
        self.inputs.append(None)
        gate = len(self.inputs) - 1
        self.names[gate] = name
        return Formula(gate)

    def all_of(self, formulas: Iterable[Formula]) -> Formula:
        """The conjunction. Cost: n log n in the formulas."""
        wanted = set(formulas)
        if FALSE in wanted:
            return FALSE
        wanted.discard(TRUE)
        if len(wanted) < 2:
            return wanted.pop() if wanted else TRUE
        for formula in wanted:
            if -formula in wanted:
                return FALSE
        return self._gate(tuple(sorted(wanted)))

    def _gate(self, key: tuple[Formula, ...]) -> Formula:
        made = self._made.get(key)
        if made is None:
            self.budget.spend()
            self.inputs.append(key)
            made = self._made[key] = Formula(len(self.inputs) - 1)
        return made

    def any_of(self, formulas: Iterable[Formula]) -> Formula:
        """The disjunction."""
        return no(self.all_of(no(formula) for formula in formulas))

    def both(self, first: Formula, second: Formula) -> Formula:
        """The conjunction of two."""
        if first == FALSE or second == FALSE or first == -second:
            return FALSE
        if first in (TRUE, second):
            return second
        if second == TRUE:
            return first
        return self._gate((first, second) if first < second else (second, first))

    def either(self, first: Formula, second: Formula) -> Formula:
        """The disjunction of two."""
        if first == TRUE or second == TRUE or first == -second:
            return TRUE
        if first in (FALSE, second):
            return second
        if second == FALSE:
            return first
        return no(self._gate((no(first), no(second)) if first > second else (no(second), no(first))))

    def implies(self, premise: Formula, conclusion: Formula) -> Formula:
        """Whenever `premise` holds, so does `conclusion`."""
        return no(self.both(premise, no(conclusion)))

    def counts(self, formulas: Iterable[Formula], most: int) -> tuple[Formula, ...]:
        """Formula k of the answer says that at least k of the formulas hold, for k from 0 to `most` + 1.

        A sequential counter (Sinz 2005). Cost: gates in the number of formulas times `most`.
        """
        row = [TRUE, *[FALSE] * (most + 1)]
        for formula in formulas:
            if formula == FALSE:
                continue
            row = [TRUE, *(self.either(row[k], self.both(row[k - 1], formula)) for k in range(1, most + 2))]
        return tuple(row)

    def exactly(self, count: int, formulas: Iterable[Formula]) -> Formula:
        """Exactly `count` of the formulas hold."""
        row = self.counts(formulas, count)
        return self.both(row[count], no(row[count + 1]))

    def at_most(self, count: int, formulas: Iterable[Formula]) -> Formula:
        """At most `count` of the formulas hold."""
        return no(self.counts(formulas, count)[count + 1])

    def cone(self, roots: Iterable[Formula], without: Container[int] = ()) -> Sequence[int]:
        """The gates that the roots are made of, in rising order: inputs before what they feed; not those `without`, nor
        what these alone are made of. Cost: their number.
        """
        seen, waiting = set[int](), list(map(abs, roots))
        while waiting:
            gate = waiting.pop()
            if gate not in seen and gate not in without:
                seen.add(gate)
                waiting.extend(map(abs, self.inputs[gate] or ()))
        return sorted(seen)

    def variables(self, roots: Iterable[Formula]) -> set[int]:
        """The variables that the roots are made of. Cost: their gates."""
        return {gate for gate in self.cone(roots) if self.inputs[gate] is None}


# Values of the formula language that are open: functions of what a record does not show, over a circuit.
#
# A value that is shown is what `formulas.writer` says. An open one tells, for each value that it can be, the formula
# under which it is that one; collections tell it of each member. `here` is the formula under which the value is
# defined.


class OpenValue:
    """A value that is open."""

    __slots__ = ()


def shown(one: Any, other: Any) -> bool:
    """Whether neither of two values is open."""
    return not (isinstance(one, OpenValue) or isinstance(other, OpenValue))


class Cases(OpenValue, Struct, eq=False):
    """One of several values: `ways[v]` holds where it is v, never two of them."""

    ways: Mapping[Any, Formula]
    here: Formula
    ladder: tuple[list[int], list[Formula]] | None = None


class OpenRecord(OpenValue, Struct, eq=False):
    """A record or a variant with open parts: by its constructor (None for a record) when it is so, and the parts."""

    ways: Mapping[str | None, tuple[Formula, tuple[Any, ...]]]


class Many(OpenValue):
    """A set: `members[v]` holds where v is one. It has `size` members where that is known, a number or cases of one,
    and never more than `most`. `listed` are the values that it was made of, where they are told and all defined.
    """

    __slots__ = ("listed", "members", "most", "size")

    def __init__(
        self, members: Mapping[Any, Formula], most: int | None = None, size: Any = None, listed: tuple[Any, ...] = ()
    ) -> None:
        self.members, self.size, self.listed = members, size, listed
        self.most = len(members) if most is None else min(most, len(members))


class OpenMap(OpenValue, Struct, eq=False):
    """A map: the value of each key, which may be undefined."""

    entries: Mapping[Any, Any]


class OpenSequence(OpenValue):
    """A sequence of `length`: its first values, and for what is behind them only where each lies there (`behind`).
    Where the length is open the first values are defined as far as it reaches.
    """

    __slots__ = ("behind", "items", "length")

    def __init__(self, items: tuple[Any, ...], length: Any = None, behind: Mapping[Any, Formula] | None = None):
        self.items = items
        self.length: Any = len(items) if length is None else length
        self.behind: Mapping[Any, Formula] = behind or {}


class OpenValues:
    """Everything that can be done with values of which some are open, over one circuit."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.both, self.either = circuit.both, circuit.either
        self.all_of, self.any_of = circuit.all_of, circuit.any_of

    # One value or another

    def made(self, ways: Mapping[Any, Formula], here: Formula) -> Any:
        """One of these values; the value itself where it is the only one."""
        if not ways:
            return None
        if here == TRUE and len(ways) == 1:
            return next(iter(ways))
        return Cases(ways, here)

    def ways(self, value: Any) -> Mapping[Any, Formula]:
        """The values that it can be, each with its formula."""
        if value is None:
            return {}
        if not isinstance(value, OpenValue):
            return {value: TRUE}
        if isinstance(value, Cases):
            return value.ways
        if not isinstance(value, OpenRecord):
            raise TypeError("a collection is none of several values")
        ways: dict[Any, Formula] = {}
        for tag, (here, parts) in value.ways.items():
            for chosen in product(*(self.ways(part).items() for part in parts)):
                plain = tuple(part for part, _ in chosen)
                ways[plain if tag is None else (tag, *plain)] = self.all_of((here, *(when for _, when in chosen)))
        return ways

    def here(self, value: Any) -> Formula:
        """Where the value is defined."""
        if not isinstance(value, OpenValue):
            return FALSE if value is None else TRUE
        if isinstance(value, Cases):
            return value.here
        if isinstance(value, OpenRecord):
            ways = value.ways.values()
            return self.any_of(self.both(here, self.all_of(map(self.here, parts))) for here, parts in ways)
        if isinstance(value, OpenSequence) and not isinstance(value.length, OpenValue):
            return self.all_of(map(self.here, value.items))
        return TRUE

    def map(self, change: Callable[[Any], Any], value: Any) -> Any:
        """The value changed; `change` gives None where nothing is defined."""
        if not isinstance(value, OpenValue):
            return None if value is None else change(value)
        changed: dict[Any, Formula] = {}
        lost = []
        for plain, when in self.ways(value).items():
            new = change(plain)
            if new is None:
                lost.append(when)
            else:
                changed[new] = self.either(changed.get(new, FALSE), when)
        here = self.here(value)
        if lost:
            here = self.both(here, no(self.any_of(lost))) if len(lost) < len(changed) else self.any_of(changed.values())
        return self.made(changed, here)

    def join(self, join: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
        """Two values joined to one."""
        if not isinstance(other, OpenValue):
            return None if other is None else self.map(lambda plain: join(plain, other), one)
        if not isinstance(one, OpenValue):
            return None if one is None else self.map(lambda plain: join(one, plain), other)
        pairs: dict[Any, list[Formula]] = {}
        for first, when in self.ways(one).items():
            for second, then in self.ways(other).items():
                pairs.setdefault(join(first, second), []).append(self.both(when, then))
        here = self.both(self.here(one), self.here(other))
        if None in pairs:
            here = self.both(here, no(self.any_of(pairs.pop(None))))
        return self.made({new: self.any_of(every) for new, every in pairs.items()}, here)

    def choose(self, test: Formula, yes: Any, other: Any) -> Any:
        """One value where `test` holds, and another where it does not."""
        if test == TRUE or yes is other:
            return yes
        if test == FALSE:
            return other
        if shown(yes, other) and type(yes) is type(other) and yes == other:
            return yes
        kinds = {type(yes), type(other)}
        if kinds & {Many, frozenset}:
            return self._chosen_set(test, self.members(yes), self.members(other))
        if kinds & {OpenMap, dict}:
            one, two = self.entries(yes), self.entries(other)
            return OpenMap({key: self.choose(test, one.get(key), two.get(key)) for key in {**one, **two}})
        if OpenSequence in kinds:
            row, past = self.of_length(yes), self.of_length(other)
            if row.length != past.length or row.behind or past.behind:
                raise TypeError("sequences of different lengths")
            return OpenSequence(tuple(map(partial(self.choose, test), row.items, past.items)))
        if OpenRecord in kinds:
            return self._chosen_built(test, yes, other)
        ways: dict[Any, Formula] = {}
        for when, value in ((test, yes), (no(test), other)):
            for plain, way in self.ways(value).items():
                ways[plain] = self.either(ways.get(plain, FALSE), self.both(when, way))
        here = self.chosen(test, self.here(yes), self.here(other))
        return self.made({plain: way for plain, way in ways.items() if way != FALSE}, here)

    def _chosen_set(self, test: Formula, yes: Many, other: Many) -> Many:
        one, two, either = yes.members, other.members, {**yes.members, **other.members}
        members = {plain: self.chosen(test, one.get(plain, FALSE), two.get(plain, FALSE)) for plain in either}
        sized = yes.size is not None and other.size is not None
        return Many(members, max(yes.most, other.most), self.choose(test, yes.size, other.size) if sized else None)

    def chosen(self, test: Formula, yes: Formula, other: Formula) -> Formula:
        """One formula where `test` holds, and another where it does not."""
        return self.either(self.both(test, yes), self.both(no(test), other))

    def _chosen_built(self, test: Formula, yes: Any, other: Any) -> OpenRecord:
        built: dict[str | None, tuple[Formula, tuple[Any, ...]]] = {}
        for when, value in ((no(test), other), (test, yes)):
            for tag, (here, parts) in self.built(value, None in getattr(value, "ways", ())).items():
                now = self.both(when, here)
                if tag in built:
                    before, old = built[tag]
                    parts = tuple(self.choose(now, new, past) for new, past in zip(parts, old, strict=True))
                    now = self.either(before, now)
                built[tag] = now, parts
        return OpenRecord(built)

    def built(self, value: Any, record: bool) -> Mapping[str | None, tuple[Formula, tuple[Any, ...]]]:
        """A record or variant by its constructors."""
        if isinstance(value, OpenRecord):
            return value.ways
        return {tag: self.parts(value, tag) for tag in {None if record else plain[0] for plain in self.ways(value)}}

    # Comparison

    def equal(self, one: Any, other: Any) -> Formula:
        """Whether two values are defined and the same."""
        if one is None or other is None:
            return FALSE
        if shown(one, other):
            return TRUE if (frozenset(one) == other if isinstance(one, range) else one == other) else FALSE
        if one is other and isinstance(one, Cases | OpenRecord):
            return self.here(one)
        kinds = {type(one), type(other)}
        if kinds & {Many, frozenset}:
            return self.both(self.subset(one, other), self.subset(other, one))
        if kinds & {OpenMap, dict}:
            first, second = self.entries(one), self.entries(other)
            return self.all_of(self._alike(first.get(key), second.get(key)) for key in {**first, **second})
        if OpenSequence in kinds:
            first_row, second_row = self.of_length(one), self.of_length(other)
            if first_row.length != second_row.length:
                return FALSE
            return self.all_of(map(self.equal, first_row.items, second_row.items))
        if OpenRecord in kinds:
            record = None in getattr(one, "ways", ()) or None in getattr(other, "ways", ())
            mine, theirs = self.built(one, record), self.built(other, record)
            return self.any_of(
                self.all_of((mine[tag][0], theirs[tag][0], *map(self.equal, mine[tag][1], theirs[tag][1])))
                for tag in mine
                if tag in theirs
            )
        if isinstance(one, Cases) and isinstance(other, Cases):
            lost = [self.both(when, no(other.ways.get(plain, FALSE))) for plain, when in one.ways.items()]
            return self.all_of((one.here, other.here, no(self.any_of(lost))))
        ways, others = self.ways(one).items(), self.ways(other)
        return self.any_of(self.both(when, others[plain]) for plain, when in ways if plain in others)

    def _alike(self, one: Any, other: Any) -> Formula:
        neither = self.both(no(self.here(one)), no(self.here(other)))
        return self.either(neither, self.equal(one, other))

    def at_most(self, lower: Any, gap: int, upper: Any) -> Formula:
        """Whether two numbers are defined, and ``lower + gap <= upper``."""
        if lower is None or upper is None:
            return FALSE
        if not isinstance(upper, Cases):
            if not isinstance(lower, Cases):
                return TRUE if lower + gap <= upper else FALSE
            return self.both(lower.here, no(self.above(lower, upper - gap)))
        if not isinstance(lower, Cases):
            return self.both(upper.here, self.above(upper, lower + gap - 1))
        wrong = [self.both(when, no(self.above(upper, low + gap - 1))) for low, when in lower.ways.items()]
        return self.all_of((lower.here, upper.here, *map(no, wrong)))

    def above(self, number: Cases, bound: int) -> Formula:
        """Whether a number is greater than `bound`, where it is defined."""
        if number.ladder is None:
            ways = sorted(number.ways.items(), reverse=True)
            number.ladder = [plain for plain, _ in ways], [*accumulate((when for _, when in ways), self.either)]
        plains, rungs = number.ladder
        count = sum(plain > bound for plain in plains)
        if count == len(plains):
            return number.here
        return rungs[count - 1] if count else FALSE

    # Collections

    def members(self, value: Any) -> Many:
        """A set, as one whose members are told. Raises `TypeError` for one that is not defined."""
        if isinstance(value, Many):
            return value
        plain = tuple(sorted(frozenset(value)))  # the order of a set hangs on the process, and work on the order
        return Many(dict.fromkeys(plain, TRUE), len(plain), len(plain), plain)

    def entries(self, value: Any) -> Mapping[Any, Any]:
        """The entries of a map."""
        entries: Mapping[Any, Any] = value.entries if isinstance(value, OpenMap) else value
        return entries

    def of_length(self, value: Any) -> OpenSequence:
        """A sequence of known length, as one whose members are told. Raises `TypeError` where its length is open."""
        row = self.row(value)
        if isinstance(row.length, OpenValue):
            raise TypeError("a sequence of open length")
        return row

    def row(self, value: Any) -> OpenSequence:
        """A sequence, as one whose members are told. Raises `TypeError` where it is one of several lengths."""
        if isinstance(value, Cases):
            length, *others = {len(plain) for plain in value.ways}
            if others:
                raise TypeError("a sequence of open length")
            return OpenSequence(tuple(self.map(itemgetter(place), value) for place in range(length)))
        return value if isinstance(value, OpenSequence) else OpenSequence(tuple(value))

    def each(self, value: Any, in_order: bool) -> Iterable[tuple[Any, Formula]]:
        """The members of a set or a sequence, each with the formula under which it is one; a set's may be sorted."""
        if isinstance(value, Many):
            return sorted(value.members.items()) if in_order else value.members.items()
        if isinstance(value, OpenSequence) and isinstance(value.length, OpenValue):
            return ((member, self.here(member)) for member in value.items)
        if isinstance(value, OpenSequence | Cases):
            value = self.row(value).items
        elif isinstance(value, frozenset):
            value = sorted(value)
        return ((member, TRUE) for member in value or ())

    def within(self, value: Any, where: Any) -> Formula:
        """Whether a value is defined and a member of a set or of a sequence."""
        if isinstance(where, OpenSequence | Cases):
            row = self.row(where)
            same = [self.equal(value, item) for item in row.items]
            behind = [self.both(when, row.behind.get(plain, FALSE)) for plain, when in self.ways(value).items()]
            return self.any_of((*same, *behind))
        if isinstance(where, Many):
            if not isinstance(value, OpenValue):
                return where.members.get(value, FALSE)
            lost = [self.both(when, no(where.members.get(plain, FALSE))) for plain, when in self.ways(value).items()]
            return self.both(self.here(value), no(self.any_of(lost)))
        if not isinstance(value, OpenValue):
            return TRUE if value in where else FALSE
        return self.any_of(when for plain, when in self.ways(value).items() if plain in where)

    def subset(self, one: Any, other: Any) -> Formula:
        """Whether every member of one set is one of the other."""
        members = self.members(one).members.items()
        return self.all_of(no(self.both(when, no(self.within(member, other)))) for member, when in members)

    def parts(self, value: Any, tag: str | None) -> tuple[Formula, tuple[Any, ...]]:
        """Where a value is made by this constructor (None for a record), and the parts that it is made of there."""
        if value is None:
            return FALSE, ()
        if isinstance(value, OpenRecord):
            return value.ways.get(tag, (FALSE, ()))
        if not isinstance(value, OpenValue):
            if tag is None:
                return TRUE, value
            return (TRUE, value[1:]) if value[0] == tag else (FALSE, ())
        own = {plain: when for plain, when in self.ways(value).items() if tag is None or plain[0] == tag}
        if not own:
            return FALSE, ()
        here, others = self.here(value), [when for plain, when in self.ways(value).items() if plain not in own]
        if others:
            here = self.both(here, no(self.any_of(others))) if len(others) < len(own) else self.any_of(own.values())
        cases, first = Cases(own, here), 0 if tag is None else 1
        width = len(next(iter(own)))
        return here, tuple(self.map(itemgetter(at), cases) for at in range(first, width))

    def union(self, one: Any, other: Any) -> Any:
        """The members of either set."""
        if shown(one, other):
            return frozenset(one).union(other)
        first, second = self.members(one), self.members(other)
        if not first.members or not second.members:
            return one if first.members else other
        members = dict(first.members)
        for member, when in second.members.items():
            members[member] = self.either(members.get(member, FALSE), when)
        both = (*first.listed, *second.listed) if first.listed and second.listed else ()
        return Many(members, first.most + second.most, None, both)

    def without(self, one: Any, other: Any) -> Any:
        """The members of one set that are not in the other."""
        if shown(one, other):
            return frozenset(one).difference(other)
        first, second = self.members(one), self.members(other)
        if not second.members:
            return one
        out = second.members
        members = {member: self.both(when, no(out.get(member, FALSE))) for member, when in first.members.items()}
        return Many({member: when for member, when in members.items() if when != FALSE}, first.most)

    def gathered(self, members: Iterable[tuple[Formula, Any]]) -> Any:
        """The set of these values, each a member where its formula holds and it is defined."""
        every = [(when, value) for when, value in members if value is not None and when != FALSE]
        if all(when == TRUE and not isinstance(value, OpenValue) for when, value in every):
            return frozenset(value for _, value in every)
        kept: dict[Any, Formula] = {}
        for when, value in every:
            for plain, way in self.ways(value).items():
                now = self.both(when, way)
                if now != FALSE:
                    kept[plain] = self.either(kept.get(plain, FALSE), now)
        listed = tuple(value for when, value in every if when == TRUE and self.here(value) == TRUE)
        return Many(kept, len(every), None, listed if len(listed) == len(every) else ())

    def listed(self, values: Iterable[Any]) -> Any:
        """The sequence of these values."""
        row = tuple(values)
        return OpenSequence(row) if any(isinstance(value, OpenValue) for value in row) else row

    def then(self, one: Any, other: Any) -> Any:
        """One sequence after the other: where the length of the first is open, so are the places of the second."""
        first, second = self.row(one), self.row(other)
        if shown(first.length, second.length):
            return self.listed((*first.items, *second.items))
        length = self.join(add, first.length, second.length)
        if not isinstance(first.length, OpenValue) or not second.items:
            return OpenSequence((*first.items, *second.items), length)
        items = []
        for place in range(1, len(first.items) + len(second.items) + 1):
            ways = [
                (when, second.items[place - count - 1])
                for count, when in self.ways(first.length).items()
                if 0 < place - count <= len(second.items)
            ]
            if place <= len(first.items):
                ways.append((self.at_most(place, 0, first.length), first.items[place - 1]))
            items.append(self.one_of(ways, self.any_of(when for when, _ in ways)))
        return OpenSequence(tuple(items), length)

    def mapped(self, entries: Iterable[tuple[Formula, Any, Any]]) -> Any:
        """The map with these keys and values, each where its formula holds; of two of one key the later counts."""
        every = [pair for pair in entries if pair[0] != FALSE and pair[1] is not None and pair[2] is not None]
        if all(when == TRUE and shown(key, value) for when, key, value in every):
            return {key: value for _, key, value in every}
        made: dict[Any, Any] = {}
        for when, key, value in every:
            for plain, way in self.ways(key).items():
                now = self.both(self.both(when, way), self.here(value))
                made[plain] = value if now == TRUE else self.choose(now, value, made.get(plain))
        return OpenMap(made)

    def some(self, value: Any) -> Formula:
        """Whether a collection has a member."""
        if isinstance(value, Many):
            return self.any_of(value.members.values())
        if isinstance(value, OpenMap):
            return self.any_of(map(self.here, value.entries.values()))
        if isinstance(value, OpenSequence | Cases):
            return self.at_most(1, 0, self.row(value).length)
        return TRUE if value else FALSE

    def size(self, value: Any) -> Any:
        """The number of members."""
        if isinstance(value, Many):
            return self.number(value.members.values(), value.most) if value.size is None else value.size
        if isinstance(value, OpenSequence | Cases):
            return self.row(value).length
        if isinstance(value, OpenMap):
            return self.number(map(self.here, value.entries.values()))
        return len(value)

    def counts(self, value: Any, number: int) -> Formula:
        """Whether a set has so many members. Where it is made of as many values, none of them is there twice."""
        if isinstance(value, Many) and value.size is None and len(value.listed) == number:
            pairs = combinations(value.listed, 2)
            return no(self.any_of(self.equal(one, other) for one, other in pairs))
        return self.equal(self.size(value), number)

    def number(self, formulas: Iterable[Formula], most: int | None = None) -> Any:
        """How many of the formulas hold, which are never more than `most`. Cost: gates, their number times `most`."""
        every = list(formulas)
        sure, doubtful = every.count(TRUE), [formula for formula in every if formula not in (TRUE, FALSE)]
        if not doubtful:
            return sure
        bound = len(doubtful) if most is None else max(0, min(most - sure, len(doubtful)))
        row = self.circuit.counts(doubtful, bound)
        exact = {sure + k: self.both(row[k], no(row[k + 1])) for k in range(bound + 1)}
        return self.made({count: when for count, when in exact.items() if when != FALSE}, TRUE)

    def at(self, where: Any, key: Any) -> Any:
        """The value of a map at a key."""
        entries = self.entries(where)
        if not isinstance(key, OpenValue):
            return entries.get(key)
        return self.one_of([(when, entries.get(plain)) for plain, when in self.ways(key).items()], self.here(key))

    def item(self, row: Any, place: Any) -> Any:
        """The value of a sequence at a place, from 1."""
        if isinstance(place, OpenValue):
            ways = [(when, self.item(row, plain)) for plain, when in self.ways(place).items()]
            return self.one_of(ways, self.here(place))
        row = self.row(row)
        if place > len(row.items) and self.at_most(place, 0, row.length) != FALSE:
            raise LookupError("what lies so deep is not modelled")
        return row.items[place - 1] if 1 <= place <= len(row.items) else None

    def one_of(self, values: Sequence[tuple[Formula, Any]], here: Formula) -> Any:
        """The one of these values whose formula holds; one of the formulas does where `here` holds, and never two."""
        every = [(when, value) for when, value in values if when != FALSE and value is not None]
        if any(isinstance(value, OpenValue) and not isinstance(value, Cases) for _, value in every):
            chosen: Any = None
            for when, value in every:
                chosen = self.choose(when, value, chosen)
            return chosen
        ways: dict[Any, list[Formula]] = {}
        for when, value in every:
            for plain, way in self.ways(value).items():
                ways.setdefault(plain, []).append(self.both(when, way))
        if len(every) < len(values) or any(self.here(value) != TRUE for _, value in every):
            here = self.any_of(self.both(when, self.here(value)) for when, value in every)
        return self.made({plain: self.any_of(some) for plain, some in ways.items()}, here)

    # Records and variants

    def built_of(self, tag: str | None, parts: tuple[Any, ...]) -> Any:
        """The record (`tag` None) or variant made of these parts, all of them defined."""
        head: tuple[str, ...] = () if tag is None else (tag,)
        openly = [place for place, part in enumerate(parts) if isinstance(part, OpenValue)]
        if not openly:
            return head + parts
        (place, *more), only = openly, parts[openly[0]]
        if more or not isinstance(only, Cases):
            return OpenRecord({tag: (TRUE, parts)})
        before, after = head + parts[:place], parts[place + 1 :]
        return Cases({(*before, plain, *after): when for plain, when in only.ways.items()}, only.here)

    def field(self, value: Any, place: int) -> Any:
        """A part of a record."""
        if isinstance(value, OpenRecord):
            return value.ways[None][1][place]
        return self.map(itemgetter(place), value)
