"""On what a legal verdict hangs: which marks, cards and places have to be as nobody noted that they were.

The legal worlds are described within those in which every card lay where the record takes it from: that is what was
played. A world is found, all that it says of the unknowns is one term, and the term is made smaller for as long as it
suffices: an unknown is left out, a further value is allowed. The next world is one of no term so far; where there is
none, the terms are all of it, which a fresh solver proves once more (spec/dispute.md, *Provisos*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from couperation_formal.formulas.circuits.circuit import Formula, no
from couperation_formal.game.budget import Spent, Steps, steps_of
from couperation_formal.game.diagnostic import ALWAYS, Answer, Assumption, Proviso, Term
from couperation_formal.game.record import Record
from couperation_formal.game.rulings import Rulings, options_in_order
from couperation_formal.game.tower import STANDARD, Board
from couperation_formal.hidden.smt.exact import Solver
from couperation_formal.hidden.smt.readings import excluded
from couperation_formal.hidden.symbolic.record import Symbolic, symbolic, unknowns

MOST: Final = 16
"""So many terms a proviso has; where it takes more, one of them is told as an example."""

_TRIED: Final = 2 * MOST
"""So many terms are looked at: some may turn out not to be needed."""

_CHECK: Final = 60
_GATES: Final = 50
"""The steps of a check, beside one for each formula that it assumes, one for so many gates, and what the solver counts
itself.
"""

Exclusion = tuple[int, Answer]
"""An unknown, by its place in the list of all, and a value of it."""

Excluded = dict[int, list[Answer]]
"""For some of the unknowns the values that they do not have."""


def proviso(
    record: Record,
    rulings: Rulings,
    board: Board = STANDARD,
    budget: Steps | int | None = None,
    since: int = 0,
) -> Proviso | None:
    """On what it hangs that `record` is legal under these rulings; None where it is not. Turns before turn `since`
    stand as they were played, and are not judged.

    Where the budget ends the answer is not exact; without terms where it ended before a legal world was found. Cost: a
    circuit, and a check for each value that the terms speak of.
    """
    steps = steps_of(budget)
    try:
        return Provisos(symbolic(record, rulings, board, budget=steps, since=since, places=True), since, steps).under()
    except Spent:
        return Proviso(False)


class _Untold(Exception):
    """Legality hangs on something that is no unknown here, so that no term tells it."""


class Provisos:
    """The provisos of one run, made with `places`, whose turns before turn `since` stand as they were played; for each
    reading where its rulings are variables. All methods raise `Spent` where `budget` ends before there is anything to
    tell.
    """

    def __init__(self, run: Symbolic, since: int, budget: Steps) -> None:
        self._run, self._budget, circuit = run, budget, run.table.circuit
        stood = [rule.formula for rule in run.table.rules if rule.turn < max(since, 1)]
        self._held = [*(formula for _, formula in run.table.facts), *stood, *(run.table.places or ())]
        held = set(self._held)
        self._legal = circuit.all_of(rule.formula for rule in run.table.rules if rule.formula not in held)
        reached = circuit.variables([self._legal])
        self._unknowns = [each for each in unknowns(run) if reached & circuit.variables(each.ways.values())]
        self._check = _CHECK + len(circuit.cone([self._legal, *self._held])) // _GATES
        self._solver, self._reading = _Named(self._new()), list[str]()
        self._never: dict[int, list[Answer]] = {}

    def under(self, rulings: Rulings | None = None, like: Proviso | None = None) -> Proviso | None:
        """The proviso under these rulings (None: those of the run), None where nothing is legal. `like` is taken over
        where it proves right.
        """
        self._reading = [] if rulings is None else excluded(rulings)
        always = not self._can("illegal")
        if not self._can("legal"):
            return None
        if always:
            return ALWAYS
        world, terms = self._world(), list[Term]()
        try:
            if like is not None and not like.always and self._suits(like):
                return like
            terms.append(self._term(world))
            while self._can("legal", *self._beyond(terms)):
                if len(terms) == _TRIED:
                    return _example(terms)
                terms.append(self._term(self._world()))
            return self._all(terms)
        except _Untold:
            return Proviso(False)
        except Spent:
            return _example(terms) if terms else Proviso(False)

    def _all(self, terms: list[Term]) -> Proviso:
        """The terms that are needed; one of them where they are too many."""
        terms.sort(key=_place)
        for term in sorted(terms, key=_size, reverse=True):
            others = [other for other in terms if other != term]
            if others and not self._can("legal", *self._beyond(others)):
                terms = others
        if len(terms) > MOST:
            return _example(terms)
        if not self._proved(terms, _Named(self._new())):
            raise RuntimeError("a fresh solver does not find the terms of a proviso to be the legal worlds")
        return Proviso(True, tuple(terms))

    def _world(self) -> Excluded:
        """For each unknown the values that it does not have in the world just found."""
        values = self._solver.of.values(way for each in self._unknowns for way in each.ways.values())
        return {
            at: [value for value, way in each.ways.items() if not values[way]] for at, each in enumerate(self._unknowns)
        }

    def _term(self, world: Excluded) -> Term:
        """A prime term that holds in this world: whole unknowns are left out first, then values are allowed. Where the
        budget ends, as small as it is then.
        """
        if self._can("illegal", *map(self._fixed, world.items())):
            raise _Untold
        kept = self._cored(world)
        try:
            for at in sorted(kept, reverse=True):
                fewer = {other: values for other, values in kept.items() if other != at}
                if at in kept and not self._can("illegal", *map(self._fixed, fewer.items())):
                    kept = self._cored(fewer)
            for at in list(kept):
                kept[at] = self._needed(at, kept)
            for at, values in kept.items():
                kept[at] = values + [value for value in self._impossible(at) if value not in values]
        except Spent:
            pass
        return self._literals(kept)

    def _cored(self, kept: Excluded) -> Excluded:
        core = set(self._solver.of.core())
        return {at: values for at, values in kept.items() if self._fixed((at, values)) in core}

    def _needed(self, at: int, kept: Excluded) -> list[Answer]:
        """The values of an unknown that have to stay excluded beside what is kept of the others. All that are not known
        to be needed are allowed at once; an illegal world with one of them shows that this one is.
        """
        others = [self._fixed(each) for each in kept.items() if each[0] != at]
        ways, needed = self._unknowns[at].ways, list[Answer]()
        while self._can("illegal", *others, *(self._except((at, value)) for value in needed)):
            values = self._solver.of.values(ways[value] for value in kept[at])
            needed.append(next(value for value in kept[at] if values[ways[value]]))
        return needed

    def _impossible(self, at: int) -> list[Answer]:
        """The values that an unknown has in no world in which cards lay where they were taken from."""
        if at not in self._never:
            ways = self._unknowns[at].ways
            self._never[at] = [value for value in ways if not self._can(self._is((at, value)))]
        return self._never[at]

    def _literals(self, kept: Excluded) -> Term:
        """The term that excludes these."""
        return tuple(
            Assumption(each.kind, each.of, tuple(sorted(each.ways.keys() - kept[at], key=_order)))
            for at, each in enumerate(self._unknowns)
            if kept.get(at)
        )

    def _exclusions(self, term: Term) -> list[Exclusion]:
        """The values that a term excludes. Raises `KeyError` for an unknown that plays no part here."""
        at = {(each.kind, each.of): place for place, each in enumerate(self._unknowns)}
        places = [(at[literal.kind, literal.of], literal.values) for literal in term]
        return [(at, value) for at, values in places for value in self._unknowns[at].ways if value not in values]

    def _suits(self, like: Proviso) -> bool:
        """Whether an answer under another reading is one under this: an example suffices."""
        if like.exact:
            return self._proved(like.terms, self._solver)
        try:
            told = [self._exclusions(term) for term in like.terms]
        except KeyError:
            return False
        return bool(told) and all(not self._can("illegal", *map(self._except, each)) for each in told)

    def _proved(self, terms: Sequence[Term], solver: _Named) -> bool:
        """Whether what is legal is just what these terms say."""
        try:
            told = [self._exclusions(term) for term in terms]
        except KeyError:
            return False
        held = all(not self._can("illegal", *(self._except(e, solver) for e in each), solver=solver) for each in told)
        return held and not self._can("legal", *self._beyond(terms, solver), solver=solver)

    def _can(self, *names: str, solver: _Named | None = None) -> bool:
        """Whether these can hold together, under the reading."""
        self._budget.spend(self._check + len(names))
        return (solver or self._solver).of.check([*names, *self._reading]) == "sat"

    def _new(self) -> Solver:
        solver, choices = Solver(self._run.table.circuit, self._budget), self._run.table.choices
        for formula in self._held:
            solver.add(formula)
        solver.name("legal", self._legal)
        solver.name("illegal", no(self._legal))
        for ruling, options in options_in_order() if choices.free else ():
            for option in options:
                solver.literal(f"{ruling} {option}", no(choices.chooses(ruling, option)))
        return solver

    # Names of formulas

    def _is(self, each: Exclusion) -> str:
        return self._solver.name(f"{each[0]}={each[1]}", lambda: self._way(each))

    def _except(self, each: Exclusion, solver: _Named | None = None) -> str:
        return (solver or self._solver).name(f"{each[0]}!={each[1]}", lambda: no(self._way(each)))

    def _fixed(self, unknown: tuple[int, list[Answer]]) -> str:
        """All that is excluded of an unknown."""
        at, values = unknown
        excluded_ = (no(self._way((at, value))) for value in values)
        return self._solver.name(f"{at}!={values}", lambda: self._run.table.circuit.all_of(excluded_))

    def _beyond(self, terms: Iterable[Term], solver: _Named | None = None) -> list[str]:
        """That none of these terms holds."""
        circuit, solver = self._run.table.circuit, solver or self._solver

        def none_of(term: Term) -> Formula:
            return circuit.any_of(map(self._way, self._exclusions(term)))

        return [solver.name(f"!{term}", partial(none_of, term)) for term in terms]

    def _way(self, each: Exclusion) -> Formula:
        at, value = each
        return self._unknowns[at].ways[value]


class _Named:
    """A solver whose formulas get their names when they are first asked for."""

    def __init__(self, solver: Solver) -> None:
        self.of, self._known = solver, set[str]()

    def name(self, name: str, formula: Callable[[], Formula]) -> str:
        """The name, once the solver knows it."""
        if name not in self._known:
            self._known.add(name)
            self.of.name(name, formula())
        return name


def _example(terms: Sequence[Term]) -> Proviso:
    """One of the terms, the simplest."""
    return Proviso(False, (min(terms, key=_size),))


def _order(value: Answer) -> tuple[int, int, str]:
    """Marks and numbers rise, the Finish card follows them; lines of the set-up stay apart."""
    return (0, value, "") if isinstance(value, int) else (1, 0, str(value))


def _place(term: Term) -> tuple[int, list[str], list[list[tuple[int, int, str]]]]:
    """Where a term stands among others, whatever the order in which they were found."""
    of = [str(literal.of).zfill(9) for literal in term]
    return len(term), of, [[_order(value) for value in literal.values] for literal in term]


def _size(term: Term) -> tuple[int, int]:
    """Terms with few literals are told before others, and those that allow more values."""
    return len(term), -sum(len(literal.values) for literal in term)
