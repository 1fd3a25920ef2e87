"""*There are integers h on S with …*: bodies that are conjunctions of differences, and how they are decided.

A difference is ``h(x) + k <= h(y)`` or the same with one side a number. Unknown numbers are vertices, differences are
edges with weight k, and one vertex more stands for 0: integers exist exactly when no cycle has a positive weight
(Bellman 1958; spec/language.md has the proof).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, cast

from couperation_formal.formulas.syntax import Definition, FormulaError, Term

_COMPARISONS = ("less", "at_most", "greater", "at_least", "equal")


def check_differences(term: Term, definition: Callable[[str], Definition]) -> None:
    """Refuse a body that is no conjunction of differences. Raises `FormulaError` at the part that is none."""
    unknown = frozenset((term.value,))
    for part in term.args[1:]:
        if _mentions(part, unknown):
            raise FormulaError(part.span, f"{term.value} cannot be asked where its own numbers are sought")
    _body(term.args[0], unknown, definition, term)


def _body(term: Term, unknown: frozenset[str], definition: Callable[[str], Definition], whole: Term) -> None:
    if not _mentions(term, unknown):
        return
    if term.op in ("and", "for_all", "cases", "case"):
        for arg in (arg for step in term.steps for arg in step.args):
            _ground(arg, unknown, whole)
        for arg in term.args:
            _body(arg, unknown, definition, whole)
    elif term.op in _COMPARISONS:
        for arg in term.args:
            _side(arg, unknown, whole)
    elif term.op == "call":
        called = definition(term.value)
        inner = set()
        for arg, (name, _) in zip(term.args, called.params, strict=True):
            if _mentions(arg, unknown):
                (_numbers if arg.type.kind == "map" else _side)(arg, unknown, whole)
                inner.add(name)
        try:
            _body(called.body, frozenset(inner), definition, whole)
        except FormulaError as error:
            raise FormulaError(term.span, f"{term.value}: {error}") from None
    else:
        _refuse(term, whole)


def _ground(term: Term, unknown: frozenset[str], whole: Term) -> None:
    """A domain or a condition asks for no unknown number, though it may ask where there are some."""
    if not _mentions(term, unknown):
        return
    if term.op == "dom":
        _numbers(term.args[0], unknown, whole)
    elif term.op in ("local", "at"):
        _refuse(term, whole)
    else:
        for part in (*term.args, *(arg for step in term.steps for arg in step.args)):
            _ground(part, unknown, whole)


def _numbers(term: Term, unknown: frozenset[str], whole: Term) -> None:
    """A map some of whose numbers are unknown."""
    if not _mentions(term, unknown) or term.op == "local":
        return
    if term.op == "over":
        for arg in term.args:
            _numbers(arg, unknown, whole)
    elif term.op == "map_without":
        _numbers(term.args[0], unknown, whole)
        _ground(term.args[1], unknown, whole)
    else:
        _refuse(term, whole)


def _side(term: Term, unknown: frozenset[str], whole: Term) -> None:
    """One side of a comparison: a number, or one unknown number and a number added or subtracted."""
    if not _mentions(term, unknown) or (term.op == "local" and term.type.kind == "Int"):
        return
    if term.op == "at":
        _numbers(term.args[0], unknown, whole)
        _ground(term.args[1], unknown, whole)
    elif term.op in ("add", "subtract") and not (
        _mentions(term.args[1], unknown) and (term.op == "subtract" or _mentions(term.args[0], unknown))
    ):
        for arg in term.args:
            _side(arg, unknown, whole)
    else:
        _refuse(term, whole)


def _refuse(term: Term, whole: Term) -> None:
    h = whole.value
    raise FormulaError(
        term.span, f"only differences of two numbers are asked of {h}: {h}(x) + k < {h}(y) or {h}(x) < k, joined by and"
    )


def _mentions(term: Term, names: frozenset[str]) -> bool:
    own = term.op == "local" and term.value in names
    return own or any(_mentions(part, names) for part in (*term.args, *term.steps))


class Offset:
    """An unknown number of a system, plus a known one. Comparing it notes a difference and finds it kept."""

    __slots__ = ("_more", "_system", "_vertex")

    def __init__(self, system: System, vertex: Hashable, more: int = 0) -> None:
        self._system, self._vertex, self._more = system, vertex, more

    def __add__(self, number: int) -> Offset:
        return Offset(self._system, self._vertex, self._more + number)

    __radd__ = __add__

    def __sub__(self, number: int) -> Offset:
        return self + -number

    def __le__(self, other: object) -> bool:
        return self._system.note(self, other, 0)

    def __lt__(self, other: object) -> bool:
        return self._system.note(self, other, 1)

    def __ge__(self, other: object) -> bool:
        return self._system.note(other, self, 0)

    def __gt__(self, other: object) -> bool:
        return self._system.note(other, self, 1)

    def __eq__(self, other: object) -> bool:
        return self._system.note(self, other, 0) and self._system.note(other, self, 0)

    __hash__ = object.__hash__

    def split(self) -> tuple[Hashable, int]:
        """Its vertex, and what is added."""
        return self._vertex, self._more


class System:
    """Differences over unknown numbers, as they are noted while a body is evaluated."""

    def __init__(self) -> None:
        self._zero: Hashable = object()
        self._edges: dict[tuple[Hashable, Hashable], int] = {}

    def unknown(self, key: Hashable) -> Offset:
        """The unknown number at `key`."""
        return Offset(self, (key,))

    def note(self, lower: object, upper: object, gap: int) -> bool:
        """Note ``lower + gap <= upper``."""
        (one, less), (other, more) = self._split(lower), self._split(upper)
        weight = gap + less - more
        edge = one, other
        self._edges[edge] = max(weight, self._edges.get(edge, weight))
        return True

    def _split(self, side: object) -> tuple[Hashable, int]:
        if isinstance(side, Offset):
            return side.split()
        if isinstance(side, int):
            return self._zero, side
        raise TypeError(f"no number: {side!r}")

    def solvable(self) -> bool:
        """Whether integers keep all differences. Cost: vertices times edges."""
        return self._longest()[1] is None

    def _longest(self) -> tuple[dict[Hashable, int], list[tuple[Hashable, Hashable]] | None]:
        """The greatest weight of a walk to each vertex, and the edges of a cycle of positive weight, if any."""
        longest = dict.fromkeys((vertex for edge in self._edges for vertex in edge), 0)
        before: dict[Hashable, Hashable] = {}
        changed: Hashable = None
        for _ in range(len(longest) + 1):
            changed = None
            for (one, other), weight in self._edges.items():
                reached = longest[one] + weight
                if reached > longest[other]:
                    longest[other] = reached
                    before[other] = changed = one
            if changed is None:
                return longest, None
        for _ in longest:  # so far back, the cycle is reached
            changed = before[changed]
        cycle = [(before[changed], changed)]
        while cycle[-1][0] != changed:
            cycle.append((before[cycle[-1][0]], cycle[-1][0]))
        return longest, cycle[::-1]


class SolvedSystem(System):
    """A system that can tell numbers which keep all differences, or differences that no numbers keep.

    `numbers` are the unknown numbers by `keys`, each from `low` to `high` where given.
    """

    def __init__(self, keys: Any, low: int | None, high: int | None) -> None:
        super().__init__()
        self._noted: dict[tuple[Hashable, Hashable], tuple[object, object, int]] = {}
        self.numbers = bounded(self, keys, low, high)

    def note(self, lower: object, upper: object, gap: int) -> bool:
        """Note ``lower + gap <= upper``."""
        edge = self._split(lower)[0], self._split(upper)[0]
        weight = self._edges.get(edge)
        super().note(lower, upper, gap)
        if self._edges[edge] != weight:
            self._noted[edge] = lower, upper, gap
        return True

    def found(self) -> dict[Hashable, int]:
        """Numbers by key that keep all differences, if there are any."""
        longest, _ = self._longest()
        zero = longest.get(self._zero, 0)
        return {key: longest.get(number.split()[0], zero) - zero for key, number in self.numbers.items()}

    def chain(self, name: Callable[[Hashable], str]) -> str:
        """A closed chain of differences that no numbers keep, from a known number on where there is one; `name` gives
        what is written for the number at a key.
        """
        cycle = self._longest()[1] or []
        first = next((place for place, (one, _) in enumerate(cycle) if one is self._zero), 0)
        text = ""
        for edge in cycle[first:] + cycle[:first]:
            lower, upper, gap = self._noted[edge]
            left, right = self._said(lower, name), self._said(upper, name)
            sign = "<" if gap else "<="
            text += f" {sign} {right}" if text.endswith(left) else f"{', ' if text else ''}{left} {sign} {right}"
        return text

    def _said(self, side: object, name: Callable[[Hashable], str]) -> str:
        vertex, more = self._split(side)
        if vertex is self._zero:
            return str(more)
        (key,) = cast("tuple[Hashable]", vertex)
        return name(key) + (f" {'+' if more > 0 else '-'} {abs(more)}" if more else "")


def bounded(system: System, keys: Any, low: int | None, high: int | None) -> dict[Hashable, Offset]:
    """An unknown number of the system for each of `keys`, from `low` to `high` where given."""
    numbers = {key: system.unknown(key) for key in keys}
    if low is not None and high is not None:
        for number in numbers.values():
            system.note(low, number, 0)
            system.note(number, high, 0)
    return numbers


def exist(keys: Any, low: int | None, high: int | None, body: Callable[[Mapping[Any, Any]], bool]) -> bool:
    """Whether integers, one for each of `keys` and from `low` to `high` where given, make `body` true.

    `body` is evaluated once, on unknown numbers; it is a conjunction of differences (`check_differences`).
    """
    system = System()
    return bool(body(bounded(system, keys, low, high))) and system.solvable()
