"""A circuit in Z3, and what it decides: whether a record can be legal, and the readings under which it is.

Each solver works in a Z3 context of its own, so that nothing is left behind in a long run and the same questions get
the same answers whatever was solved before.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from ctypes import byref, c_void_p
from functools import reduce
from typing import get_args

import z3
from msgspec import Struct

from couperation_formal.formulas.circuit import FALSE, Circuit, Formula, no
from couperation_formal.formulas.judge import RESULTS
from couperation_formal.game.fact import Z3_UNITS, Spent, Steps
from couperation_formal.game.record import Change, Reached, Record
from couperation_formal.game.replay import Replay, replay
from couperation_formal.game.rules.clauses import place_in_order
from couperation_formal.game.rulings import Rulings, options_in_order
from couperation_formal.game.tower import STANDARD, Board
from couperation_formal.hidden.readings.sets import ALL, NONE, Readings, Verdicts, Vertex, both, opposite
from couperation_formal.hidden.readings.standing import cut
from couperation_formal.hidden.smt import calls
from couperation_formal.hidden.symbolic.cards import Rule
from couperation_formal.hidden.symbolic.record import Symbolic, symbolic, world

_MOST = 4_000_000_000
"""The greatest limit that Z3 takes for one check."""

_CHECK = 5
_GATE = 6
"""The steps that a check takes beside Z3's own work, and those to hand a gate over."""


class Solver:
    """Formulas of a circuit, some of them under names that can be assumed or left out. The circuit's budget pays for
    the checks and for what Z3 is handed: where it does not suffice, every method raises `Spent`.
    """

    def __init__(self, circuit: Circuit) -> None:
        self._circuit, self.budget = circuit, circuit.budget
        self._context = z3.Context()
        self._here: int = self._context.ref().value
        self._solver: z3.Solver | None = None
        self._waiting, self._passing, self._kept = list[int](), list[int](), list[int]()
        self._true = z3.BoolVal(True, self._context)
        self._terms: dict[int, int] = {1: self._true.as_ast().value}
        self._held: dict[Formula, set[int]] = {}
        self._named: dict[str, Formula] = {}
        self._names: dict[str, int] = {}
        self.core: list[str] = []
        """After unsat: names that cannot all be assumed, in the order in which they were given."""
        self._units = 0

    def __del__(self) -> None:
        """Let go of all terms: Z3 takes long over those that are left when their context goes."""
        for term in reversed(self._kept):
            calls.drop(self._here, term)

    def add(self, *formulas: Formula) -> None:
        """Hold formulas in every check."""
        for formula in formulas:
            self._held[formula] = set()
            self._waiting.append(self._term(formula))

    def name(self, name: str, formula: Formula) -> None:
        """Hold a formula whenever `name` is assumed."""
        self._named[name], self._names[name] = formula, self._variable(f"?{name}")
        self._passing.append(calls.implication(self._here, self._names[name], self._term(formula)))
        calls.keep(self._here, self._passing[-1])
        self._waiting.append(self._passing[-1])

    def literal(self, name: str, formula: Formula) -> None:
        """Give a name to a formula that is itself a variable or its negation."""
        self._named[name], self._names[name] = formula, self._term(formula)

    def named(self, name: str, formula: Callable[[], Formula]) -> str:
        """The name, which the solver gets to know with its formula when it is first asked for."""
        if name not in self._named:
            self.name(name, formula())
        return name

    def can_hold(self, assumed: Iterable[str]) -> bool:
        """Whether the formulas held and those of the names assumed can hold together. Raises `KeyboardInterrupt` where
        the user stopped it.
        """
        self.budget.spend(_CHECK)
        left = min(self.budget.left * Z3_UNITS, _MOST)
        if self._solver is None:
            # Made only now, when the terms are there: Z3's rewriter remembers no more terms than there were when it was
            # made, and where it remembers few it goes through a term that many others share once for each of them,
            # which no resource limit counts.
            self._solver = z3.SimpleSolver(ctx=self._context)
        solver, here = self._solver, self._here
        for term in self._waiting:
            calls.hold(here, solver.solver.value, term)
        for term in reversed(self._passing):
            calls.drop(here, term)
        self._waiting, self._passing = [], []
        solver.set("rlimit", max(1, left))
        terms = [self._names[name] for name in assumed]
        asked = (z3.Ast * len(terms))(*terms)
        answer = z3.Z3_solver_check_assumptions(self._context.ref(), solver.solver, len(terms), asked)
        statistics = solver.statistics()
        units = calls.units(here, statistics.stats.value)
        used, self._units = max(1, units - self._units), units
        self.budget.spend(min(-(-used // Z3_UNITS), self.budget.left))
        if answer == z3.Z3_L_FALSE:
            core = solver.unsat_core()
            failed = calls.members(here, core.vector.value)
            self.core = [name for name, literal in self._names.items() if literal in failed]
        if answer != z3.Z3_L_UNDEF:
            return bool(answer == z3.Z3_L_TRUE)
        if used < left:
            raise KeyboardInterrupt  # Z3 catches the signal, and stops before its limit for no other reason
        raise Spent

    def values(self, variables: Iterable[Formula] | None = None) -> dict[Formula, bool]:
        """The values of some variables, or of all, where the formulas of the last check can hold together."""
        variables = map(Formula, self._circuit.names) if variables is None else variables
        if self._solver is None:
            raise ValueError("no model: the last check found none")
        model, told, true = self._solver.model(), c_void_p(), self._terms[1]

        def holds(term: int) -> bool:
            calls.evaluate(self._here, model.model.value, term, False, byref(told))
            return told.value == true

        return {variable: holds(self._term(variable)) for variable in variables}

    def around(self, names: Sequence[str]) -> "Solver":
        """A new solver for these names, with those of the formulas held that share variables with them, directly or by
        way of others. What is left out can hold whatever these names do, so the answers are the same, and quicker.
        """
        part = Solver(self._circuit)
        reached = self._circuit.variables(self._named[name] for name in names)
        for formula, variables in self._held.items():
            if not variables:
                self._held[formula] = self._circuit.variables([formula])
        waiting = dict(self._held)
        while near := [formula for formula, variables in waiting.items() if not reached.isdisjoint(variables)]:
            part.add(*near)
            reached = reached.union(*map(waiting.pop, near))
        for name in names:
            part.name(name, self._named[name])
        return part

    def _term(self, formula: Formula) -> int:
        terms, circuit = self._terms, self._circuit
        for gate in () if abs(formula) in terms else circuit.cone([formula], terms):
            self.budget.spend(_GATE)
            inputs = circuit.inputs[gate]
            if inputs is None:
                terms[gate] = self._variable(circuit.names[gate])
            else:
                of = (c_void_p * len(inputs))(*[terms.get(each) or self._literal(each) for each in inputs])
                terms[gate] = self._keep(calls.conjunction(self._here, len(inputs), of))
        return self._literal(formula)

    def _literal(self, formula: Formula) -> int:
        """The term of a formula whose gate has one."""
        if formula not in self._terms:
            self._terms[formula] = self._keep(calls.negation(self._here, self._terms[-formula]))
        return self._terms[formula]

    def _variable(self, name: str) -> int:
        here = self._here
        return self._keep(calls.constant(here, calls.symbol(here, name.encode()), calls.sort(here)))

    def _keep(self, term: int) -> int:
        calls.keep(self._here, term)
        self._kept.append(term)
        return term


def minimal(solver: Solver, core: Sequence[str]) -> list[str]:
    """A core of which every name is needed, out of `core`, which is one.

    Each name is left out in turn, the last first, and stays out where the rest still fails. Where the budget runs out
    on the way, the core as far as it came. Cost: one check for each name.
    """
    kept = list(core)
    for name in reversed(core):
        if name not in kept:
            continue
        try:
            if not solver.can_hold([other for other in kept if other != name]):
                needed = set(solver.core)
                kept = [other for other in kept if other in needed]
        except Spent:
            break
    return kept


# Is a record legal under some choice of all that it does not show? The exact answer, by Z3.
#
# The record is legal up to turn t when the rules of turns 0 to t can hold together. One check asks for all turns; where
# it fails, the last turn of the core bounds the first illegal one from above, and the turns before it are asked for,
# until they can hold.


class Possible(Struct, frozen=True):
    """Some world makes every turn legal: `world` is one, a record that shows everything, and `played` its replay.
    `results` are those that legal worlds reach; all that may be where the budget ended before it was known.
    """

    world: Record
    played: Replay
    results: tuple[Reached, ...]


class Impossible(Struct, frozen=True, kw_only=True):
    """No world makes turn `turn` legal together with the turns before it, which some world does.

    `broken` holds the rules of this turn that cannot hold after the turns before it, each by itself; where it takes
    several together, those of the core. `core` holds rules that cannot all hold, each of them needed (`least`; False
    where the budget ended before all were tried), among them one of `broken`; `facts` are the facts on the variables of
    `run` that this rests on.
    """

    turn: int
    broken: tuple[Rule, ...]
    core: tuple[Rule, ...]
    facts: tuple[str, ...]
    least: bool
    run: Symbolic


Outcome = Possible | Impossible | None
"""None where the budget was spent."""


def decide(record: Record, rulings: Rulings, budget: Steps, board: Board = STANDARD, since: int = 0) -> Outcome:
    """The exact answer for one record under these rulings; turns before turn `since` stand as they were played, and one
    that cannot have been is the illegal one.

    Cost: some tenths of a second for a public record of thirty turns, about 60,000 steps; the budget bounds it.
    """
    with suppress(Spent):
        run = symbolic(record, rulings, board, budget=budget, since=since)
        solver = solver_for(run)
        turn = first_failing(run, solver)
        if turn <= len(record.turns):
            return _impossible(run, solver, turn)
        legal = world(run, solver.values(), rulings)
        played = replay(legal, rulings, board, since=since)
        if played.illegal is not None or played.doubts:
            what = (*played.broken, *played.doubts)[0]
            raise RuntimeError(f"a world that the plain replay does not accept: {what!r}")
        return Possible(legal, played, tuple(_results(run, solver, turn - 1, played.reached)))
    return None


def first_failing(run: Symbolic, solver: Solver, assumed: Sequence[str] = (), least: int = 0) -> int:
    """The first turn that cannot be legal after those before it, as far as turn `least`; the one after the last where
    all can be, which the solver's model shows. Each core says that the last turn in it fails, or one before.
    """
    after = len(run.record.turns) + 1
    turn = min((rule.turn for rule in run.table.failing), default=after)
    while turn >= least and not solver.can_hold([*assumed, *names(run, turn - 1)]):
        core = set(solver.core)
        turn = max(rule.turn for rule in run.table.rules if rule.name in core)
    return turn


def _results(run: Symbolic, solver: Solver, last: int, reached: Reached | None) -> Iterator[Reached]:
    """The results that legal worlds reach, one of which has `reached` one; those that the budget leaves open too."""
    assert run.end is not None  # the turns of a legal record are carried out
    ways = run.end.lift.ways(run.end.value("result"))
    for result in get_args(Reached):
        here = ways.get(RESULTS[result], FALSE)
        if here == FALSE:
            continue
        with suppress(Spent):
            solver.name(f"result={result}", here)
            if result != reached and not solver.can_hold([*names(run, last), f"result={result}"]):
                continue
        yield result


def _impossible(run: Symbolic, solver: Solver, turn: int) -> Impossible:
    """The finding at the first illegal turn: the rules that fail there, and a core that a fresh solver confirms."""
    before = names(run, turn - 1)
    here = [rule for rule in run.table.rules if rule.turn == turn]
    broken: list[Rule] = []
    core: list[str] = []
    for rule in here:
        if rule.clause == "END05" and broken:
            break  # of an illegal turn the result is not asked
        if _fails(rule, solver, before):
            core = core or ([rule.name] if rule.formula == FALSE else solver.core)
            broken.append(rule)
            if rule.clause == "END04":
                break
    if not broken:
        if solver.can_hold([*before, *(rule.name for rule in here)]):
            raise RuntimeError(f"turn {turn} is possible, and the turns up to it are not")
        core = solver.core
    if any(rule.name in core and rule.formula == FALSE for rule in broken):
        kept, least = core, True
    else:
        kept, least = _least(solver.around(core), core)
    rules = tuple(rule for rule in run.table.rules if rule.name in set(kept))
    facts = _confirmed(run, rules)
    joint = tuple(rule for rule in rules if rule.turn == turn)
    return Impossible(turn=turn, broken=tuple(broken) or joint, core=rules, facts=facts, least=least, run=run)


def _fails(rule: Rule, solver: Solver, before: Sequence[str]) -> bool:
    """Whether a rule cannot hold after those before it. One of the set-up fails by itself only where it is the constant
    false.
    """
    return rule.formula == FALSE or (rule.turn > 0 and not solver.can_hold([*before, rule.name]))


def _least(solver: Solver, core: list[str]) -> tuple[list[str], bool]:
    """The core with what is not needed left out, and whether all of it was tried: half of what is left of the budget
    is kept for the fresh solver.
    """
    with solver.budget.at_most(solver.budget.left // 2):
        return minimal(solver, core), solver.budget.left > 0


def _confirmed(run: Symbolic, rules: tuple[Rule, ...]) -> tuple[str, ...]:
    """The facts with which a fresh solver refutes these rules again."""
    if any(rule.formula == FALSE for rule in rules):
        return ()
    fresh = Solver(run.table.circuit)
    asked = {**run.table.facts, **{rule.name: rule.formula for rule in rules}}
    for name, formula in asked.items():
        fresh.name(name, formula)
    if fresh.can_hold(asked):
        raise RuntimeError(f"an unsatisfiable core has a solution: {', '.join(rule.name for rule in rules)}")
    return tuple(name for name in fresh.core if name in run.table.facts)


def solver_of(run: Symbolic, rules: Iterable[Rule]) -> Solver:
    """A solver that holds the facts of a run and these rules."""
    solver = Solver(run.table.circuit)
    solver.add(*run.table.facts.values(), *(rule.formula for rule in rules))
    return solver


def solver_for(run: Symbolic) -> Solver:
    """A solver that holds the facts of a run and knows its rules by name."""
    solver = solver_of(run, ())
    for rule in run.table.rules:
        if rule.formula != FALSE:
            solver.name(rule.name, rule.formula)
    return solver


def names(run: Symbolic, turn: int) -> list[str]:
    """The names of the rules of turns 0 to `turn`."""
    return [rule.name for rule in run.table.rules if rule.turn <= turn and rule.formula != FALSE]


# The readings under which a record is legal, with the rulings as variables.

_LOOKED = 16
"""So many gates looked at for a set of readings are one step, and so is each of them that is such a set itself."""


def symbolic_verdicts(
    record: Record, within: Readings, budget: Steps, board: Board = STANDARD, since: int = 0
) -> Verdicts:
    """The readings of `within` by the verdict of `record`; turns before `since` stand as they were
    played, and where their cards cannot have been where they were taken from all is undetermined.

    Exact for unseen cards and unknown marks too. What is still open when the budget is spent is undetermined.
    Cost: one check for each set that is closed, some dozens as a rule.
    """
    left, legal, illegal = within, Readings.none(), Readings.none()
    with suppress(Spent):
        run = symbolic(record, None, board, budget=budget, since=since)
        before = (rule for rule in run.table.rules if rule.turn < since)
        if since and not solver_of(run, before).can_hold(()):
            return Verdicts(undetermined=left)
        if run.table.failing:
            return Verdicts(illegal=left)
        solver = choosing(run, solver_of(run, run.table.rules))
        while left:
            reading = left.member()
            if solver.can_hold(excluded(reading)):
                closed = holding(run, solver.values()) & left
                legal |= closed
            else:  # the readings that choose none of the options of a core
                closed = left
                for name in minimal(solver, solver.core):
                    closed -= Readings.option(*name.split(" "))
                illegal |= closed
            if reading not in closed:
                raise RuntimeError("a reading was not closed by its own answer")
            left -= closed
    return Verdicts(legal, illegal, left)


def unplayable(record: Record, at: int, budget: Steps, board: Board = STANDARD) -> int | None:
    """The first turn up to turn `at` that cannot have been played, whatever the record does not show: a card is not
    where the turn takes it from (0: the set-up cannot be). None where there is none. Raises `Spent`.
    """
    run = symbolic(cut(record, at), None, board, budget=budget, since=at + 1)
    turn = first_failing(run, solver_for(run), least=1)
    return turn if turn <= at else None


def first_illegal(
    record: Record, books: Mapping[str, Rulings], budget: Steps, at: int | None = None
) -> dict[str, tuple[int, str]]:
    """For each of these rulings, under which a record is illegal, its first illegal turn, 0 being the set-up (or turn
    `at`, everything before as it was played), and the first clause that this turn cannot keep by itself after those
    before it; a name is left out where it takes several clauses together, or where the budget ends. Cost: that of one
    rulebook asked alone, and little for each more.
    """
    illegal: dict[str, tuple[int, str]] = {}
    with suppress(Spent):
        run = symbolic(record, None, budget=budget, since=at or 0)
        solver = choosing(run, solver_for(run))
        for name, rulings in books.items():
            others = excluded(rulings)
            turn = first_failing(run, solver, others) if at is None else at
            before = [*names(run, turn - 1), *others]
            here = [rule for rule in run.table.rules if rule.turn == turn]
            for rule in sorted(here, key=lambda rule: place_in_order(rule.clause)):
                if _fails(rule, solver, before):
                    illegal[name] = (turn, rule.clause)
                    break
    return illegal


def choosing(run: Symbolic, solver: Solver) -> Solver:
    """A solver for the rules of a run, at which a reading can now be assumed where its rulings are variables."""
    for (ruling, option), here in run.table.chosen.items():
        solver.literal(f"{ruling} {option}", no(here))
    return solver


def kept_at(record: Record, at: int, clause: str, rulings: Rulings, budget: Steps) -> bool | None:
    """Whether turn `at` keeps a clause, or breaks it, whatever the record does not show, everything before as it was
    played. None where that hangs on it, and where the turns before cannot have been played. Raises `Spent`.
    """
    run = symbolic(cut(record, at), rulings, budget=budget, since=at)
    asked = [rule for rule in run.table.rules if rule.turn == at and rule.clause == clause]
    solver, before = solver_for(run), names(run, at - 1)
    if any(rule.turn < at for rule in run.table.failing) or not solver.can_hold(before):
        return None
    if any(rule.formula == FALSE for rule in asked) or not solver.can_hold([*before, *(rule.name for rule in asked)]):
        return False
    solver.name("broken", no(run.table.circuit.all_of(rule.formula for rule in asked)))
    return None if solver.can_hold([*before, "broken"]) else True


def excluded(reading: Rulings) -> list[str]:
    """The names of the options that a reading does not choose: assuming them excluded leaves the reading alone."""
    return [
        f"{ruling} {option}"
        for ruling, options in options_in_order()
        for option in options
        if reading.option(ruling) != option
    ]


def holding(run: Symbolic, values: Mapping[Formula, bool]) -> Readings:
    """The readings under which one world is legal: `values` gives the unseen cards and marks, its rulings are not
    asked. Cost: one pass over the gates; those that no ruling reaches are all readings or none.
    """
    circuit, sets = run.table.circuit, {1: ALL}
    for (ruling, option), formula in run.table.chosen.items():
        sets[formula] = Readings.option(ruling, option).root

    def of(formula: Formula) -> Vertex:
        return sets[formula] if formula > 0 else opposite(sets[-formula])

    roots = [*(rule.formula for rule in run.table.rules), *run.table.facts.values()]
    cone = circuit.cone(roots)
    circuit.budget.spend(len(cone) // _LOOKED)
    for gate in cone:
        if gate in sets:
            continue
        inputs = circuit.inputs[gate]
        if inputs is None:
            sets[gate] = ALL if values[Formula(gate)] else NONE
            continue
        parts = list(map(of, inputs))
        if NONE in parts:
            sets[gate] = NONE
            continue
        circuit.budget.spend()
        sets[gate] = reduce(both, parts)
    return Readings(reduce(both, map(of, roots), ALL))


def mending(
    record: Record, rulings: Rulings, turn: int, asked: tuple[str, ...], budget: Steps, since: int
) -> tuple[Change, ...]:
    """The changes of one ruling among those asked each of which makes the record legal up to `turn`.

    Each is tried under its other options while the budget lasts; those that are left then are not named.
    """
    if not asked:
        return ()
    record = record if turn == len(record.turns) else cut(record, turn)
    changes: list[Change] = []
    with suppress(Spent):
        run = symbolic(record, None, budget=budget, since=since)
        if run.table.failing:
            return ()
        solver = choosing(run, solver_of(run, run.table.rules))
        for ruling, options in options_in_order():
            for option in options if ruling in asked else ():
                changed = rulings.with_changes({ruling: option})
                if changed != rulings and solver.can_hold(excluded(changed)):
                    changes.append(((ruling, option),))
    return tuple(changes)
