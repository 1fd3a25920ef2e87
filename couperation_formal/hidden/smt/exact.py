"""A circuit in Z3: incremental checks under assumptions, a budget that Z3's resource units count in, cores, models.

Each solver works in a Z3 context of its own, so that nothing is left behind in a long run and the same questions get
the same answers whatever was solved before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations
from math import comb
from typing import Final, Literal, get_args

import msgspec
import z3

from couperation_formal.formulas.circuit import FALSE, Circuit, Formula
from couperation_formal.formulas.judge import RESULTS
from couperation_formal.game.budget import Z3_UNITS, Spent, Steps, steps_of
from couperation_formal.game.record import Reached, Record
from couperation_formal.game.replay import Replay, replay
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import STANDARD, Board
from couperation_formal.hidden.symbolic.cards import Line, Rule
from couperation_formal.hidden.symbolic.record import Symbolic, symbolic, world

Answer = Literal["sat", "unsat"]

_MOST = 4_000_000_000
"""The greatest limit that Z3 takes for one check."""

_CHECK: Final = 5
_GATE: Final = 6
"""The steps that a check takes beside Z3's own work, and those to hand a gate over."""


class Solver:
    """Formulas of a circuit, some of them under names that can be assumed or left out. `budget` pays for the checks
    and for what Z3 is handed: where it does not suffice, every method raises `Spent`.
    """

    def __init__(self, circuit: Circuit, budget: Steps) -> None:
        self._circuit, self.budget = circuit, budget
        self._context = z3.Context()
        self._solver: z3.Solver | None = None
        self._waiting: list[z3.BoolRef] = []
        self._terms: dict[int, z3.BoolRef] = {1: z3.BoolVal(True, self._context)}
        self._held: dict[Formula, set[int]] = {}
        self._named: dict[str, Formula] = {}
        self._names: dict[str, z3.BoolRef] = {}
        self._order: dict[str, str] = {}
        self.core: list[str] = []
        """After unsat: names that cannot all be assumed, in the order in which they were given."""
        self._model: z3.ModelRef | None = None
        self._holds = False
        self._units = 0

    def add(self, formula: Formula) -> None:
        """Hold a formula in every check."""
        self._held[formula] = set()
        self._waiting.append(self._term(formula))

    def name(self, name: str, formula: Formula) -> None:
        """Hold a formula whenever `name` is assumed."""
        literal = self._give(name, formula, z3.Bool(f"?{name}", self._context))
        self._waiting.append(z3.Implies(literal, self._term(formula)))

    def literal(self, name: str, formula: Formula) -> None:
        """Give a name to a formula that is itself a variable or its negation."""
        self._give(name, formula, self._term(formula))

    def named(self, name: str, formula: Callable[[], Formula]) -> str:
        """The name, which the solver gets to know with its formula when it is first asked for."""
        if name not in self._named:
            self.name(name, formula())
        return name

    def _give(self, name: str, formula: Formula, literal: z3.BoolRef) -> z3.BoolRef:
        self._named[name], self._names[name], self._order[name] = formula, literal, str(literal)
        return literal

    def check(self, assumed: Iterable[str]) -> Answer:
        """Whether the formulas held and those of the names assumed can hold together. Raises `KeyboardInterrupt` where
        the user stopped it.
        """
        self.budget.spend(_CHECK)
        left = min(self.budget.left * Z3_UNITS, _MOST)
        solver = self._told()
        solver.set("rlimit", max(1, left))
        answer = solver.check([self._names[name] for name in assumed])
        self._model, self._holds = None, answer == z3.sat
        units = self._used(solver)
        self.budget.spend(min(-(-units // Z3_UNITS), self.budget.left))
        if answer == z3.sat:
            return "sat"
        if answer == z3.unsat:
            failed = {str(literal) for literal in solver.unsat_core()}
            self.core = [name for name, text in self._order.items() if text in failed]
            return "unsat"
        if units < left:
            raise KeyboardInterrupt  # Z3 catches the signal, and stops before its limit for no other reason
        raise Spent

    def _told(self) -> z3.Solver:
        """Z3's solver, told everything. It is made only now, when the terms are there: its rewriter remembers no more
        terms than there were when it was made, and where it remembers few it goes through a term that many others
        share once for each of them, which no resource limit counts.
        """
        if self._solver is None:
            self._solver = z3.SimpleSolver(ctx=self._context)
        self._solver.add(*self._waiting)
        self._waiting.clear()
        return self._solver

    def _used(self, solver: z3.Solver) -> int:
        """The resource units of the last check."""
        statistics = solver.statistics()
        units = statistics.get_key_value("rlimit count") if "rlimit count" in statistics.keys() else 0  # noqa: SIM118
        used = max(1, units - self._units)
        self._units = units
        return used

    def values(self, variables: Iterable[Formula] | None = None) -> dict[Formula, bool]:
        """After sat: the values of some variables, or of all. The model is made when it is first asked for."""
        variables = map(Formula, self._circuit.names) if variables is None else variables
        if not self._holds or self._solver is None:
            raise ValueError("no model: the last check found none")
        model = self._model = self._model or self._solver.model()
        return {variable: z3.is_true(model.eval(self._term(variable))) for variable in variables}

    def around(self, names: Sequence[str]) -> Solver:
        """A new solver for these names, with those of the formulas held that share variables with them, directly or by
        way of others. What is left out can hold whatever these names do, so the answers are the same, and quicker.
        """
        part = Solver(self._circuit, self.budget)
        reached = self._circuit.variables(self._named[name] for name in names)
        for formula, variables in self._held.items():
            if not variables:
                self._held[formula] = self._circuit.variables([formula])
        waiting = dict(self._held)
        while near := [formula for formula, variables in waiting.items() if not reached.isdisjoint(variables)]:
            for formula in near:
                part.add(formula)
                reached |= waiting.pop(formula)
        for name in names:
            part.name(name, self._named[name])
        return part

    def _term(self, formula: Formula) -> z3.BoolRef:
        gate = abs(formula)
        if gate not in self._terms:
            for inner in self._circuit.cone([formula], self._terms):
                self.budget.spend(_GATE)
                self._terms[inner] = self._gate(inner)
        return self._literal(formula)

    def _literal(self, formula: Formula) -> z3.BoolRef:
        """The term of a formula whose gate has one."""
        if formula not in self._terms:
            made = z3.Z3_mk_not(self._context.ref(), self._terms[-formula].as_ast())
            self._terms[formula] = z3.BoolRef(made, self._context)
        return self._terms[formula]

    def _gate(self, gate: int) -> z3.BoolRef:
        """The term of a gate, made by the calls beneath Z3's Python classes, which take several times as long."""
        inputs = self._circuit.inputs[gate]
        if inputs is None:
            return z3.Bool(self._circuit.names[gate], self._context)
        terms = [self._literal(each).as_ast() for each in inputs]
        made = z3.Z3_mk_and(self._context.ref(), len(terms), (z3.Ast * len(terms))(*terms))
        return z3.BoolRef(made, self._context)


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
            answer = solver.check([other for other in kept if other != name])
        except Spent:
            break
        if answer == "unsat":
            needed = set(solver.core)
            kept = [other for other in kept if other in needed]
    return kept


# Is a record legal under some choice of all that it does not show? The exact answer, by Z3.
#
# The record is legal up to turn t when the rules of turns 0 to t can hold together. One check asks for all turns; where
# it fails, the last turn of the core bounds the first illegal one from above, and the turns before it are asked for,
# until they can hold.


class Possible(msgspec.Struct, frozen=True):
    """Some world makes every turn legal: `world` is one, a record that shows everything, and `played` its replay.
    `results` are those that legal worlds reach; all that may be where the budget ended before it was known.
    """

    world: Record
    played: Replay
    results: tuple[Reached, ...]


class Impossible(msgspec.Struct, frozen=True, kw_only=True):
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


class Undecided(msgspec.Struct, frozen=True):
    """The budget was spent."""


Outcome = Possible | Impossible | Undecided


def decide(
    record: Record, rulings: Rulings, board: Board = STANDARD, budget: Steps | None = None, since: int = 0
) -> Outcome:
    """The exact answer for one record under these rulings; turns before turn `since` stand as they were played, and one
    that cannot have been is the illegal one.

    Cost: some tenths of a second for a public record of thirty turns, about 60,000 steps; the budget bounds it.
    """
    try:
        return _decided(record, rulings, board, steps_of(budget), since)
    except Spent:
        return Undecided()


def _decided(record: Record, rulings: Rulings, board: Board, budget: Steps, since: int) -> Possible | Impossible:
    run = symbolic(record, rulings, board, budget=budget, since=since)
    solver = solver_for(run, budget)
    turn = first_failing(run, solver)
    if turn <= len(record.turns):
        return _impossible(run, solver, turn, budget)
    legal = world(run, solver.values(), rulings)
    played = verified(legal, rulings, board, since)
    return Possible(legal, played, tuple(_results(run, solver, turn - 1, played.reached)))


def first_failing(run: Symbolic, solver: Solver, assumed: Sequence[str] = (), least: int = 0) -> int:
    """The first turn that cannot be legal after those before it, as far as turn `least`; the one after the last where
    all can be, which the solver's model shows. Each core says that the last turn in it fails, or one before.
    """
    after = len(run.record.turns) + 1
    turn = min((rule.turn for rule in run.table.rules if rule.formula == FALSE), default=after)
    while turn >= least and solver.check([*assumed, *names(run, turn - 1)]) == "unsat":
        core = set(solver.core)
        turn = max(rule.turn for rule in run.table.rules if rule.name in core)
    return turn


def _results(run: Symbolic, solver: Solver, last: int, reached: Reached | None) -> Iterator[Reached]:
    """The results that legal worlds reach, one of which has `reached` one; those that the budget leaves open too."""
    if run.end is None:
        raise RuntimeError("a legal record whose turns were not carried out")
    ways = run.end.lift.ways(run.end.value("result"))
    for result in get_args(Reached):
        here = ways.get(RESULTS[result], FALSE)
        if here == FALSE:
            continue
        with suppress(Spent):
            solver.name(f"result={result}", here)
            if result != reached and solver.check([*names(run, last), f"result={result}"]) == "unsat":
                continue
        yield result


def _impossible(run: Symbolic, solver: Solver, turn: int, budget: Steps) -> Impossible:
    """The finding at the first illegal turn: the rules that fail there, and a core that a fresh solver confirms.

    A rule of the set-up fails by itself only where it is the constant false.
    """
    before = names(run, turn - 1)
    here = [rule for rule in run.table.rules if rule.turn == turn]
    broken: list[Rule] = []
    core: list[str] = []
    for rule in here:
        if rule.clause == "END05" and broken:
            break  # of an illegal turn the result is not asked
        if rule.formula == FALSE or (turn and solver.check([*before, rule.name]) == "unsat"):
            core = core or ([rule.name] if rule.formula == FALSE else solver.core)
            broken.append(rule)
            if rule.clause == "END04":
                break
    if not broken:
        if solver.check([*before, *(rule.name for rule in here)]) != "unsat":
            raise RuntimeError(f"turn {turn} is possible, and the turns up to it are not")
        core = solver.core
    if any(rule.name in core and rule.formula == FALSE for rule in broken):
        kept, least = core, True
    else:
        kept, least = _least(solver.around(core), core, budget)
    rules = tuple(rule for rule in run.table.rules if rule.name in set(kept))
    facts = _confirmed(run, rules, budget)
    joint = tuple(rule for rule in rules if rule.turn == turn)
    return Impossible(turn=turn, broken=tuple(broken) or joint, core=rules, facts=facts, least=least, run=run)


def _least(solver: Solver, core: list[str], budget: Steps) -> tuple[list[str], bool]:
    """The core with what is not needed left out, and whether all of it was tried: half of what is left of the budget
    is kept for the fresh solver.
    """
    with budget.at_most(budget.left // 2):
        return minimal(solver, core), budget.left > 0


def _confirmed(run: Symbolic, rules: tuple[Rule, ...], budget: Steps) -> tuple[str, ...]:
    """The facts with which a fresh solver refutes these rules again."""
    if any(rule.formula == FALSE for rule in rules):
        return ()
    fresh = Solver(run.table.circuit, budget)
    for name, formula in (*run.table.facts, *((rule.name, rule.formula) for rule in rules)):
        fresh.name(name, formula)
    answer = fresh.check([*(name for name, _ in run.table.facts), *(rule.name for rule in rules)])
    if answer == "sat":
        raise RuntimeError(f"an unsatisfiable core has a solution: {', '.join(rule.name for rule in rules)}")
    core = set(fresh.core)
    return tuple(name for name, _ in run.table.facts if name in core)


def solver_of(run: Symbolic, rules: Iterable[Rule], budget: Steps) -> Solver:
    """A solver that holds the facts of a run and these rules."""
    solver = Solver(run.table.circuit, budget)
    for formula in (*(formula for _, formula in run.table.facts), *(rule.formula for rule in rules)):
        solver.add(formula)
    return solver


def solver_for(run: Symbolic, budget: Steps) -> Solver:
    """A solver that holds the facts of a run and knows its rules by name."""
    solver = solver_of(run, (), budget)
    for rule in run.table.rules:
        if rule.formula != FALSE:
            solver.name(rule.name, rule.formula)
    return solver


def names(run: Symbolic, turn: int) -> list[str]:
    """The names of the rules of turns 0 to `turn`."""
    return [rule.name for rule in run.table.rules if rule.turn <= turn and rule.formula != FALSE]


def verified(shown: Record, rulings: Rulings, board: Board, since: int = 0) -> Replay:
    """The plain replay of a world, which accepts it."""
    outcome = replay(shown, rulings, board, since=since)
    if outcome.illegal is not None or outcome.doubts:
        what = outcome.broken[0] if outcome.broken else outcome.doubts[0]
        raise RuntimeError(f"a world that the plain replay does not accept: {what}")
    return outcome


# The fewest lines of a record whose correction would make it legal.
#
# The first line that fails is not always the one that is wrong. A correction turns the numbers and marks written on a
# line into unseen ones; letters, cells and counts stay. Every core over the lines names lines of which one must be
# corrected, so the answer is a least set that meets every core: cores are collected until such a set suffices (implicit
# hitting sets: Chandrasekaran, Karp, Moreno-Centeno, Vempala 2011). Of several least sets it is the first in the order
# of the lines.

MOST = 4
"""No more lines than this are corrected together: beyond it the record is another game."""


class Corrections(msgspec.Struct, frozen=True):
    """The fewest lines to correct, in their order: turns by place, the others by their keyword (``"deal Aki"``,
    ``"reserve"``, ``"deck"``, ``"Marks"``).

    None where no correction of cards and marks makes the record legal, or more than `MOST` lines are needed. `complete`
    is False where the budget ended first; nothing is known then.
    """

    lines: tuple[Line, ...] | None
    complete: bool = True


def corrections(
    record: Record, rulings: Rulings, board: Board = STANDARD, budget: Steps | int | None = None
) -> Corrections:
    """The fewest lines of an illegal record to correct. Cost: some checks for each line of the answer."""
    try:
        return _corrections(record, rulings, board, steps_of(budget))
    except Spent:
        return Corrections(None, complete=False)


def _corrections(record: Record, rulings: Rulings, board: Board, budget: Steps) -> Corrections:
    run = symbolic(record, rulings, board, doubting=True, budget=budget)
    if any(rule.formula == FALSE for rule in run.table.rules):
        return Corrections(None)
    solver = solver_of(run, run.table.rules, budget)
    lines = _in_order(run.table.pins, record)
    for line in lines:
        solver.name(str(line), run.table.circuit.all_of(run.table.pins[line]))
    cores: list[frozenset[int]] = []
    while True:
        chosen = _hitting(cores, budget)
        if chosen is None:
            return Corrections(None)
        answer = solver.check([str(line) for i, line in enumerate(lines) if i not in chosen])
        if answer == "sat":
            return Corrections(tuple(lines[i] for i in chosen))
        core = set(minimal(solver, solver.core))
        budget.spend()
        cores.append(frozenset(i for i, line in enumerate(lines) if str(line) in core))


def _in_order(lines: Iterable[Line], record: Record) -> list[Line]:
    """Lines in the order of canonical text: the marks, the set-up, the turns."""
    before = ["Marks", *(f"deal {name}" for name in record.players), "reserve", "deck"]
    return sorted(lines, key=lambda line: (1, line) if isinstance(line, int) else (0, before.index(line)))


def _hitting(cores: Sequence[frozenset[int]], budget: Steps) -> tuple[int, ...] | None:
    """The first least set of lines that meets every core; None where it takes more than `MOST`, or a core is empty.

    Cost: subsets of the lines that cores name, up to `MOST` of them.
    """
    named = sorted(set().union(*cores)) if cores else []
    for size in range(MOST + 1):
        budget.spend(comb(len(named), size) // 4)
        for chosen in combinations(named, size):
            if all(core.intersection(chosen) for core in cores):
                return chosen
    return None
