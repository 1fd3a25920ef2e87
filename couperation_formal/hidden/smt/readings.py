"""The readings under which a record is legal, by Z3 with the rulings as variables; on what a legal verdict hangs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from operator import and_, sub
from typing import Final

import msgspec

from couperation_formal.formulas.circuit import FALSE, Formula, no
from couperation_formal.game.budget import Spent, Steps, steps_of
from couperation_formal.game.record import ALWAYS, Answer, Assumption, Change, Proviso, Record, Term
from couperation_formal.game.rules.clauses import place_in_order
from couperation_formal.game.rulings import Rulings, options_in_order
from couperation_formal.game.tower import STANDARD, Board
from couperation_formal.hidden.readings.sets import Readings, Verdicts
from couperation_formal.hidden.smt.exact import Solver, first_failing, minimal, names, solver_for, solver_of
from couperation_formal.hidden.symbolic.record import Symbolic, symbolic, unknowns

_LOOKED: Final = 16
"""So many gates looked at for a set of readings are one step, and so is each of them that is such a set itself."""


def symbolic_verdicts(
    record: Record,
    board: Board = STANDARD,
    turn: int | None = None,
    within: Readings | None = None,
    budget: Steps | int | None = None,
    since: int = 0,
) -> Verdicts:
    """`within` (all readings where left out) by the verdict of `record`, or of its turns up to `turn`; turns before
    `since` stand as they were played, and where their cards cannot have been where they were taken from all is
    undetermined.

    Exact for unseen cards and unknown marks too. What is still open when the budget is spent is undetermined.
    Cost: one check for each set that is closed, some dozens as a rule.
    """
    if turn is not None:
        record = msgspec.structs.replace(record, turns=record.turns[:turn], result=None)
    left = Readings.every() if within is None else within
    legal = illegal = Readings.none()
    steps = steps_of(budget)
    with suppress(Spent):
        run = symbolic(record, None, board, budget=steps, since=since)
        if since and not _played(run, since, steps):
            return Verdicts(Readings.none(), Readings.none(), left)
        if any(rule.formula == FALSE for rule in run.table.rules):
            return Verdicts(Readings.none(), left, Readings.none())
        solver = _choosing(run, solver_of(run, run.table.rules, steps))
        while left:
            reading = left.member()
            if solver.check(excluded(reading)) == "unsat":
                closed = _failing(solver) & left
                illegal |= closed
            else:
                closed = holding(run, solver.values()) & left
                legal |= closed
            if reading not in closed:
                raise RuntimeError("a reading was not closed by its own answer")
            left -= closed
    return Verdicts(legal, illegal, left)


def _played(run: Symbolic, since: int, budget: Steps) -> bool:
    """Whether the turns before `since` can have been played."""
    before = [rule for rule in run.table.rules if rule.turn < since]
    return solver_of(run, before, budget).check(()) == "sat"


def unplayable(record: Record, at: int, board: Board = STANDARD, budget: Steps | int | None = None) -> int | None:
    """The first turn up to turn `at` that cannot have been played, whatever the record does not show: a card is not
    where the turn takes it from (0: the set-up cannot be). None where there is none. Raises `Spent`.
    """
    steps = steps_of(budget)
    record = msgspec.structs.replace(record, turns=record.turns[:at], result=None)
    run = symbolic(record, None, board, budget=steps, since=at + 1)
    turn = first_failing(run, solver_for(run, steps), least=1)
    return turn if turn <= at else None


def broken_at(
    record: Record, at: int, books: Mapping[str, Rulings], board: Board = STANDARD, budget: Steps | int | None = None
) -> dict[str, str]:
    """For each of these rulings the first clause that turn `at`, the last one, cannot keep by itself, everything before
    as it was played; a name is left out where there is none, or where the budget ends.
    """
    return {name: clause for name, (_, clause) in first_illegal(record, books, budget, board, at).items()}


def first_illegal(
    record: Record,
    books: Mapping[str, Rulings],
    budget: Steps | int | None = None,
    board: Board = STANDARD,
    at: int | None = None,
) -> dict[str, tuple[int, str]]:
    """For each of these rulings, under which a record is illegal, its first illegal turn, 0 being the set-up (or turn
    `at`, everything before as it was played), and the first clause that this turn cannot keep by itself after those
    before it; a name is left out where it takes several clauses together, or where the budget ends. Cost: that of one
    rulebook asked alone, and little for each more.
    """
    illegal: dict[str, tuple[int, str]] = {}
    steps = steps_of(budget)
    with suppress(Spent):
        run = symbolic(record, None, board, budget=steps, since=at or 0)
        solver = _choosing(run, solver_for(run, steps))
        for name, rulings in books.items():
            others = excluded(rulings)
            turn = first_failing(run, solver, others) if at is None else at
            clause = _first_broken(run, solver, turn, others)
            if clause is not None:
                illegal[name] = (turn, clause)
    return illegal


def _choosing(run: Symbolic, solver: Solver) -> Solver:
    """A solver for the rules of a run, at which a reading can now be assumed where its rulings are variables."""
    for (ruling, option), here in run.table.chosen.items() if run.table.free else ():
        solver.literal(f"{ruling} {option}", no(here))
    return solver


def _first_broken(run: Symbolic, solver: Solver, at: int, others: list[str]) -> str | None:
    """The first clause that turn `at` cannot keep by itself under a reading that excludes `others`. One of the set-up
    fails by itself only where it is the constant false.
    """
    before = names(run, at - 1)
    asked = (rule for rule in run.table.rules if rule.turn == at)
    for rule in sorted(asked, key=lambda rule: place_in_order(rule.clause)):
        if rule.formula == FALSE or (at and solver.check([*before, *others, rule.name]) == "unsat"):
            return rule.clause
    return None


def kept_at(record: Record, at: int, clause: str, rulings: Rulings, budget: Steps | int | None = None) -> bool | None:
    """Whether turn `at` keeps a clause, or breaks it, whatever the record does not show, everything before as it was
    played. None where that hangs on it, and where the turns before cannot have been played. Raises `Spent`.
    """
    steps = steps_of(budget)
    record = msgspec.structs.replace(record, turns=record.turns[:at], result=None)
    run = symbolic(record, rulings, budget=steps, since=at)
    asked = [rule for rule in run.table.rules if rule.turn == at and rule.clause == clause]
    solver, before = solver_for(run, steps), names(run, at - 1)
    if any(rule.formula == FALSE and rule.turn < at for rule in run.table.rules) or solver.check(before) == "unsat":
        return None
    if any(rule.formula == FALSE for rule in asked):
        return False
    if solver.check([*before, *(rule.name for rule in asked)]) == "unsat":
        return False
    solver.name("broken", no(run.table.circuit.all_of(rule.formula for rule in asked)))
    return True if solver.check([*before, "broken"]) == "unsat" else None


def excluded(reading: Rulings) -> list[str]:
    """The names of the options that a reading does not choose: assuming them excluded leaves the reading alone."""
    return [
        f"{ruling} {option}"
        for ruling, options in options_in_order()
        for option in options
        if reading.option(ruling) != option
    ]


def _failing(solver: Solver) -> Readings:
    """The readings that the last core refutes: those that choose none of its options."""
    excluded_ = (Readings.option(*name.split(" ")) for name in minimal(solver, solver.core))
    return reduce(sub, excluded_, Readings.every())


def holding(run: Symbolic, values: Mapping[Formula, bool]) -> Readings:
    """The readings under which one world is legal: `values` gives the unseen cards and marks, its rulings are not
    asked. Cost: one pass over the gates; those that no ruling reaches are plain truth values.
    """
    circuit = run.table.circuit
    every, none = Readings.every(), Readings.none()
    sets: dict[int, Readings | bool] = {1: True}
    for (ruling, option), formula in run.table.chosen.items():
        sets[formula] = Readings.option(ruling, option)

    def of(formula: Formula) -> Readings | bool:
        known = sets[abs(formula)]
        if isinstance(known, bool):
            return known == (formula > 0)
        return known if formula > 0 else ~known

    roots = [rule.formula for rule in run.table.rules] + [formula for _, formula in run.table.facts]
    cone = circuit.cone(roots)
    circuit.budget.spend(len(cone) // _LOOKED)
    for gate in cone:
        if gate in sets:
            continue
        inputs = circuit.inputs[gate]
        if inputs is None:
            sets[gate] = values[Formula(gate)]
            continue
        parts = [of(formula) for formula in inputs]
        if False in parts:
            sets[gate] = False
            continue
        circuit.budget.spend()
        both = reduce(and_, (part for part in parts if not isinstance(part, bool)), every)
        sets[gate] = False if both == none else True if both == every else both
    asked = list(map(of, roots))
    return none if False in asked else reduce(and_, (part for part in asked if not isinstance(part, bool)), every)


def mending(
    record: Record, rulings: Rulings, turn: int, asked: tuple[str, ...], budget: Steps, since: int = 0
) -> tuple[Change, ...]:
    """The changes of one ruling among those asked each of which makes the record legal up to `turn`.

    Each is tried under its other options while the budget lasts; those that are left then are not named.
    """
    if not asked:
        return ()
    result = record.result if turn == len(record.turns) else None
    cut = msgspec.structs.replace(record, turns=record.turns[:turn], result=result)
    changes: list[Change] = []
    with suppress(Spent):
        run = symbolic(cut, None, budget=budget, since=since)
        if any(rule.formula == FALSE for rule in run.table.rules):
            return ()
        solver = _choosing(run, solver_of(run, run.table.rules, budget))
        for ruling, options in options_in_order():
            for option in options if ruling in asked else ():
                changed = rulings.with_changes({ruling: option})
                if changed != rulings and solver.check(excluded(changed)) == "sat":
                    changes.append(((ruling, option),))
    return tuple(changes)


# On what a legal verdict hangs: which marks, cards and places have to be as nobody noted that they were.


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
    record: Record, rulings: Rulings, board: Board = STANDARD, budget: Steps | int | None = None, since: int = 0
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
        self._solver, self._reading = self._new(), list[str]()
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
        if not self._proved(terms, self._new()):
            raise RuntimeError("a fresh solver does not find the terms of a proviso to be the legal worlds")
        return Proviso(True, tuple(terms))

    def _world(self) -> Excluded:
        """For each unknown the values that it does not have in the world just found."""
        values = self._solver.values(way for each in self._unknowns for way in each.ways.values())
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
        core = set(self._solver.core)
        return {at: values for at, values in kept.items() if self._fixed((at, values)) in core}

    def _needed(self, at: int, kept: Excluded) -> list[Answer]:
        """The values of an unknown that have to stay excluded beside what is kept of the others. All that are not known
        to be needed are allowed at once; an illegal world with one of them shows that this one is.
        """
        others = [self._fixed(each) for each in kept.items() if each[0] != at]
        ways, needed = self._unknowns[at].ways, list[Answer]()
        while self._can("illegal", *others, *(self._except((at, value)) for value in needed)):
            values = self._solver.values(ways[value] for value in kept[at])
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

    def _proved(self, terms: Sequence[Term], solver: Solver) -> bool:
        """Whether what is legal is just what these terms say."""
        try:
            told = [self._exclusions(term) for term in terms]
        except KeyError:
            return False
        held = all(not self._can("illegal", *(self._except(e, solver) for e in each), solver=solver) for each in told)
        return held and not self._can("legal", *self._beyond(terms, solver), solver=solver)

    def _can(self, *names: str, solver: Solver | None = None) -> bool:
        """Whether these can hold together, under the reading."""
        self._budget.spend(self._check + len(names))
        return (solver or self._solver).check([*names, *self._reading]) == "sat"

    def _new(self) -> Solver:
        solver = Solver(self._run.table.circuit, self._budget)
        for formula in self._held:
            solver.add(formula)
        solver.name("legal", self._legal)
        solver.name("illegal", no(self._legal))
        return _choosing(self._run, solver)

    # Names of formulas

    def _is(self, each: Exclusion) -> str:
        return self._solver.named(f"{each[0]}={each[1]}", lambda: self._way(each))

    def _except(self, each: Exclusion, solver: Solver | None = None) -> str:
        return (solver or self._solver).named(f"{each[0]}!={each[1]}", lambda: no(self._way(each)))

    def _fixed(self, unknown: tuple[int, list[Answer]]) -> str:
        """All that is excluded of an unknown."""
        at, values = unknown
        excluded_ = (no(self._way((at, value))) for value in values)
        return self._solver.named(f"{at}!={values}", lambda: self._run.table.circuit.all_of(excluded_))

    def _beyond(self, terms: Iterable[Term], solver: Solver | None = None) -> list[str]:
        """That none of these terms holds."""
        circuit, solver = self._run.table.circuit, solver or self._solver

        def none_of(term: Term) -> Formula:
            return circuit.any_of(map(self._way, self._exclusions(term)))

        return [solver.named(f"!{term}", partial(none_of, term)) for term in terms]

    def _way(self, each: Exclusion) -> Formula:
        at, value = each
        return self._unknowns[at].ways[value]


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
