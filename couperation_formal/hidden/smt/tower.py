"""A tower in Z3: its orders as named constraints, with cores and SMT-LIB; its completion, against the exact way."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import z3

from couperation_formal.game.fact import Steps
from couperation_formal.game.rules import arrangement
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import Board, Cell, Down, Tower
from couperation_formal.towers.completion.fill import Problem

# The orders of a tower as named integer constraints: what the Z3 model asserts and the SMT-LIB script prints.


class Constraint(NamedTuple):
    """``low + difference <= high``: an order of the tower, or (`order` None) a bound of the deck on a down card.

    Each side is the number that an up card shows, or the cell of a down card, whose number is free. `name` tells the
    clause and the cells, as ``TOW02 d1 d2``; no two constraints of a tower share it.
    """

    name: str
    low: int | Cell
    difference: int
    high: int | Cell
    order: arrangement.Order | None

    @property
    def free(self) -> bool:
        """Whether a down card has part in it."""
        return isinstance(self.low, Cell) or isinstance(self.high, Cell)


def constraints(board: Board, tower: Tower, rulings: Rulings) -> tuple[Constraint, ...]:
    """Every order of the tower that has two numbers to compare, in the order of `orders`, then the deck's bounds.

    An up card without a number (unseen, or the Finish card where [finish_value] waives its orders) has no orders; under
    `facedown=ignored` a down card has none either. Cost: linear in the orders of the board.
    """
    sides: dict[Cell, int | Cell] = {}
    for cell, laid in tower.cells.items():
        value = arrangement.number(laid, arrangement.shown_on(board, cell, rulings))
        if value is not None:
            sides[cell] = value
        elif type(laid) is Down and rulings.facedown != "ignored":
            sides[cell] = cell
    asked = [
        Constraint(
            f"{order.clause} {order.lower} {order.upper}",
            sides[order.lower],
            arrangement.gap(order.clause, rulings, not tower.down.isdisjoint(order[:2])),
            sides[order.upper],
            order,
        )
        for order in arrangement.orders(board).every
        if order.lower in sides and order.upper in sides
    ]
    if rulings.facedown in ("deck", "repeats"):
        for cell in sorted(tower.down):
            asked.append(Constraint(f"TOW07 floor {cell}", 1, 0, cell, None))
            asked.append(Constraint(f"TOW07 ceiling {cell}", cell, 0, board.cards, None))
    return tuple(asked)


# The orders of a tower, decided by Z3 (TOW01, TOW02, TOW07): the reference that the plain evaluator is held against.
#
# Every constraint is a tracked assertion, named by its clause and cells. A reason is an unsatisfiable core: made
# minimal by deletion, and decided once more in a fresh solver. Each call works in a Z3 context of its own: nothing is
# left behind in a long run, and the same tower gives the same core whatever was solved before.

ORDERS_BUDGET = 10_000_000
"""Z3's resource units for one check; a full tower of down cards takes a few thousand."""


_SOLVER = 100
_CONSTRAINT = 10
"""The steps that a solver takes, and those of each constraint that it is given."""


class SolverUnknown(RuntimeError):
    """Z3 stopped without an answer, mostly as a check used up its budget. Nothing is known of the tower."""


class Model:
    """The two questions, with a budget that pays for both."""

    def __init__(self, budget: Steps) -> None:
        self._budget = budget

    def broken_orders(
        self,
        board: Board,
        tower: Tower,
        rulings: Rulings,
        cell: Cell | None = None,
        clause: arrangement.OrderClause | None = None,
    ) -> list[arrangement.BrokenOrder]:
        """The orders between up cards that fail; with `cell`, only those that involve it; with `clause`, only its own.

        The same list as the plain evaluator's: with `cell`, the orders to the cells below it come first. Raises
        `SolverUnknown`, and `Spent` where the budget does not suffice. Cost: one check of all these orders; where they
        fail, one more for each.
        """
        wanted = []
        for constraint in constraints(board, tower, rulings):
            order = constraint.order
            if order is None or isinstance(constraint.low, Cell) or isinstance(constraint.high, Cell):
                continue
            if (cell is None or cell in (order.lower, order.upper)) and clause in (None, order.clause):
                wanted.append((constraint, arrangement.BrokenOrder(order, constraint.low, constraint.high)))
        if cell is not None:
            wanted.sort(key=lambda pair: pair[1].order.upper != cell)
        context = z3.Context()
        if self._core([constraint for constraint, _ in wanted], context) is None:
            return []
        return [broken for constraint, broken in wanted if self._core([constraint], context) is not None]

    def failing_chain(self, board: Board, tower: Tower, rulings: Rulings) -> arrangement.Chain | None:
        """The reason why no numbers for the down cards keep all orders, or None when some do (TOW07).

        The orders between up cards are taken to hold. Another chain than the plain evaluator's may come back where
        several fail. Raises `SolverUnknown`, and `Spent` where the budget does not suffice. Cost: one check; where it
        fails, one more for each constraint of its core.
        """
        asked = [constraint for constraint in constraints(board, tower, rulings) if constraint.free]
        if not asked:
            return None
        context = z3.Context()
        core = self._core(asked, context)
        return None if core is None else _chain(self._minimal(core, context))

    def _core(self, asked: Sequence[Constraint], context: z3.Context) -> list[Constraint] | None:
        """Constraints among `asked` that no numbers satisfy together, as a new solver finds them; None when some do."""
        self._budget.spend(_SOLVER + _CONSTRAINT * len(asked))
        solver = z3.SimpleSolver(ctx=context)
        solver.set("rlimit", ORDERS_BUDGET)
        for constraint in asked:
            low, high = _term(constraint.low, context), _term(constraint.high, context)
            solver.assert_and_track(low + constraint.difference <= high, constraint.name)
        answer = solver.check()
        if answer == z3.sat:
            return None
        if answer != z3.unsat:
            raise SolverUnknown(f"no answer within {ORDERS_BUDGET} resource units: {solver.reason_unknown()}")
        names = {str(name) for name in solver.unsat_core()}
        return [constraint for constraint in asked if constraint.name in names]

    def _minimal(self, core: list[Constraint], context: z3.Context) -> list[Constraint]:
        """A core of which every part is needed: each is left out in turn, and stays out where the rest still fails.

        The last step decides the outcome once more, in a solver that has seen nothing else.
        """
        for constraint in tuple(core):
            smaller = self._core([other for other in core if other != constraint], context)
            if smaller is not None:
                core = smaller
        if self._core(core, context) is None:
            raise RuntimeError(f"an unsatisfiable core has a solution: {', '.join(part.name for part in core)}")
        return core


def _term(side: int | Cell, context: z3.Context) -> z3.ArithRef:
    return z3.Int(str(side), context) if isinstance(side, Cell) else z3.IntVal(side, context)


def _chain(core: list[Constraint]) -> arrangement.Chain:
    """The run that a minimal core is, lowest cell first.

    Read each constraint as an edge from its low to its high side, weighted with its difference, and all numbers that
    lie open as one vertex, zero. Difference constraints fail together exactly when their edges have a cycle that asks
    for more than it has room for, and a minimal core is the edges of one such cycle that passes no vertex twice. The
    orders alone have no cycle (they rise in 2·column + level), so it passes zero, once: it leaves zero by an up card's
    order or by the deck's floor, rises from down card to down card, and comes back by an up card's order or by the
    deck's ceiling. Every down card on it has one constraint that leads on.
    """
    onward = {constraint.low: constraint for constraint in core if isinstance(constraint.low, Cell)}
    (link,) = (constraint for constraint in core if not isinstance(constraint.low, Cell))
    cells = [] if link.order is None else [link.order.lower]
    while isinstance(link.high, Cell):
        cells.append(link.high)
        link = onward[link.high]
    if link.order is not None:
        cells.append(link.order.upper)
    return arrangement.Chain(tuple(cells), link.high)


# The completion of a tower as a Z3 model: the reference that earliest deadline first is held against, and what
# ``complete --level tower --engine z3`` asks.


BUDGET = 200_000_000
"""Z3's resource units for one check; a full-size tower as a rule takes less than a hundredth of it."""

Rule = tuple[str, list[str]]
"""The name of what is asked, and the formulas that say it, as SMT-LIB text with Z3's `at-most`."""


def z3_fill(problem: Problem, budget: int = BUDGET) -> dict[int, int] | None:
    """A filling of the free cells, by cell number, or None when there is none.

    Raises `SolverUnknown` when the budget runs out. Cost: tens of milliseconds on the printed board.
    """
    asked = list(rules(problem))
    solver = solver_of(problem, asked, budget)
    solver.add([z3.Bool(name, solver.ctx) for name, _ in asked])
    if not satisfiable(solver, (), budget):
        return None
    model, most = solver.model(), problem.board.cards

    def is_at_most(i: int, value: int) -> bool:
        return bool(z3.is_true(model.eval(z3.Bool(_most(i, value), solver.ctx))))

    return {i: next((value for value in range(1, most) if is_at_most(i, value)), most) for i in problem.free}


def script(problem: Problem, asked: Iterable[Rule]) -> str:
    """The declarations and assertions of these rules, none of them switched on, as SMT-LIB text for Z3."""
    lines = []
    for i in problem.free:
        lines += [f"(declare-const {_most(i, value)} Bool)" for value in range(1, problem.board.cards)]
        lines += [f"(assert (=> {_most(i, v)} {_most(i, v + 1)}))" for v in range(1, problem.board.cards - 1)]
    for name, formulas in asked:
        lines.append(f"(declare-const |{name}| Bool)")
        lines += [f"(assert (=> |{name}| {formula}))" for formula in formulas]
    return "\n".join(lines)


def solver_of(problem: Problem, asked: Iterable[Rule], budget: int) -> z3.Solver:
    """A solver of its own context for these rules."""
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", budget)
    solver.from_string(script(problem, asked))
    return solver


def satisfiable(solver: z3.Solver, assumed: Sequence[str], budget: int) -> bool:
    """Whether the rules of these names can hold together. Raises `SolverUnknown` when the budget runs out."""
    answer = solver.check([z3.Bool(name, solver.ctx) for name in assumed])
    if answer != z3.unknown:
        return bool(answer == z3.sat)
    if "interrupted" in solver.reason_unknown():  # Z3 catches the signal
        raise KeyboardInterrupt
    raise SolverUnknown(f"no answer within {budget} resource units: {solver.reason_unknown()}")


def _most(i: int, value: int) -> str:
    """The Boolean "the number on cell i is at most `value`"."""
    return f"c{i}_{value}"


def _bound(problem: Problem, i: int, value: int) -> str:
    """The same as a formula, for any value."""
    if value < 1:
        return "false"
    return _most(i, value) if value < problem.board.cards else "true"


def rules(problem: Problem) -> Iterator[Rule]:
    """All that is asked of a filling, rule by rule. Cost: linear in the cells times the values."""
    if problem.finish_gone or problem.stray is not None:
        yield "TOW08 F", ["false"]
    for clause, lower, upper in _neighbours(problem):
        formulas = list(_order(problem, lower, upper))
        if formulas:
            yield f"{clause} {problem.cell(lower)} {problem.cell(upper)}", formulas
    dead = sorted(set(range(1, problem.board.cards + 1)).difference(problem.values))
    for i in problem.free:
        yield f"SET06 {problem.cell(i)}", [f"(not {_holds(problem, i, value)})" for value in dead]
    for value in problem.values:
        yield f"SET06 {value}", [_few(1, [_holds(problem, i, value) for i in problem.free])]
    if problem.hidden:
        open_values = [value for value in problem.values if value not in problem.located]
        used = [f"(or false {' '.join(_holds(problem, i, v) for i in problem.free)})" for v in open_values]
        yield "SET06 gone", [_few(len(open_values) - problem.hidden, used)]


def _neighbours(problem: Problem) -> Iterator[tuple[arrangement.OrderClause, int, int]]:
    """The orders that generate all others: of each cell to the next ones, and past an apex without a number."""
    grid = problem.shape
    for lower, uppers in enumerate(grid.above):
        for upper in uppers:
            if upper < grid.size:
                yield "TOW02", lower, upper
    if problem.finish and problem.ends is None and grid.levels > 1:
        yield "TOW01", grid.below[grid.apex][0], grid.above[grid.apex][1]


def _order(problem: Problem, lower: int, upper: int) -> Iterator[str]:
    """That the number on `lower` is below the one on `upper`; nothing where the Finish card has no number."""
    low, high = _fixed(problem, lower), _fixed(problem, upper)
    if low is None or high is None:
        return
    if isinstance(low, tuple) and isinstance(high, tuple):
        if low[1] >= high[0]:
            yield "false"
    elif isinstance(low, tuple):
        yield f"(not {_bound(problem, upper, low[1])})"
    elif isinstance(high, tuple):
        yield _bound(problem, lower, high[0] - 1)
    else:
        for value in range(1, problem.board.cards + 1):
            yield f"(=> {_bound(problem, upper, value)} {_bound(problem, lower, value - 1)})"


def _fixed(problem: Problem, i: int) -> tuple[int, int] | Literal["free"] | None:
    """What lower cells stay under and higher ones over, ``free`` for a cell to fill, None for a cell without orders."""
    if problem.fixed[i]:
        return problem.fixed[i], problem.fixed[i]
    if problem.finish and i == problem.shape.apex:
        return problem.ends
    return None if i == problem.stray else "free"


def _holds(problem: Problem, i: int, value: int) -> str:
    return f"(and {_bound(problem, i, value)} (not {_bound(problem, i, value - 1)}))"


def _few(most: int, formulas: Sequence[str]) -> str:
    """That at most so many of the formulas hold."""
    if most < 0:
        return "false"
    return f"((_ at-most {most}) {' '.join(formulas)})" if len(formulas) > most else "true"
