"""The orders of a tower as named integer constraints: decided by Z3 with unsatisfiable cores, printed as SMT-LIB."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

import z3

from couperation_formal.game.budget import Steps
from couperation_formal.game.rules.arrangement import (
    BrokenOrder,
    Chain,
    Order,
    OrderClause,
    gap,
    number,
    orders,
    shown_on,
)
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import Board, Cell, Down, Tower

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
    order: Order | None

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
        value = number(laid, shown_on(board, cell, rulings))
        if value is not None:
            sides[cell] = value
        elif type(laid) is Down and rulings.facedown != "ignored":
            sides[cell] = cell
    found = [
        Constraint(
            f"{order.clause} {order.lower} {order.upper}",
            sides[order.lower],
            gap(order.clause, rulings),
            sides[order.upper],
            order,
        )
        for order in orders(board).every
        if order.lower in sides and order.upper in sides
    ]
    if rulings.facedown == "deck":
        for cell in sorted(tower.down):
            found.append(Constraint(f"TOW07 floor {cell}", 1, 0, cell, None))
            found.append(Constraint(f"TOW07 ceiling {cell}", cell, 0, board.cards, None))
    return tuple(found)


# The orders of a tower, decided by Z3 (TOW01, TOW02, TOW07): the reference that the plain evaluator is held against.
#
# Every constraint is a tracked assertion, named by its clause and cells. A reason is an unsatisfiable core: made
# minimal by deletion, and decided once more in a fresh solver. Each call works in a Z3 context of its own: nothing is
# left behind in a long run, and the same tower gives the same core whatever was solved before.

BUDGET = 10_000_000
"""Z3's resource units for one check; a full tower of down cards takes a few thousand."""


_SOLVER: Final = 100
_CONSTRAINT: Final = 10
"""The steps that a solver takes, and those of each constraint that it is given."""


class SolverUnknown(RuntimeError):
    """Z3 stopped without an answer, as a rule because a check used up its `BUDGET`. Nothing is known of the tower."""


def broken_orders(
    board: Board,
    tower: Tower,
    rulings: Rulings,
    cell: Cell | None = None,
    clause: OrderClause | None = None,
    budget: Steps | None = None,
) -> list[BrokenOrder]:
    """The orders between up cards that fail; with `cell`, only those that involve it; with `clause`, only its own.

    The same list as the plain evaluator's: with `cell`, the orders to the cells below it come first. Raises
    `SolverUnknown`, and `Spent` where `budget` does not suffice. Cost: one check of all these orders; where they fail,
    one more for each.
    """
    budget = budget or Steps()
    wanted = []
    for constraint in constraints(board, tower, rulings):
        order = constraint.order
        if order is None or isinstance(constraint.low, Cell) or isinstance(constraint.high, Cell):
            continue
        if (cell is None or cell in (order.lower, order.upper)) and clause in (None, order.clause):
            wanted.append((constraint, BrokenOrder(order, constraint.low, constraint.high)))
    if cell is not None:
        wanted.sort(key=lambda pair: pair[1].order.upper != cell)
    context = z3.Context()
    if _core([constraint for constraint, _ in wanted], context, budget) is None:
        return []
    return [broken for constraint, broken in wanted if _core([constraint], context, budget) is not None]


def failing_chain(board: Board, tower: Tower, rulings: Rulings, budget: Steps | None = None) -> Chain | None:
    """The reason why no numbers for the down cards keep all orders, or None when some do (TOW07).

    The orders between up cards are taken to hold. Another chain than the plain evaluator's may come back where several
    fail. Raises `SolverUnknown`, and `Spent` where `budget` does not suffice. Cost: one check; where it fails, one more
    for each constraint of its core.
    """
    budget = budget or Steps()
    asked = [constraint for constraint in constraints(board, tower, rulings) if constraint.free]
    if not asked:
        return None
    context = z3.Context()
    core = _core(asked, context, budget)
    return None if core is None else _chain(_minimal(core, context, budget))


class Model:
    """The two questions, with a budget that pays for both."""

    def __init__(self, budget: Steps) -> None:
        self.broken_orders = partial(broken_orders, budget=budget)
        self.failing_chain = partial(failing_chain, budget=budget)


def _core(asked: Sequence[Constraint], context: z3.Context, budget: Steps) -> list[Constraint] | None:
    """Constraints among `asked` that no numbers satisfy together, as a new solver finds them; None when some do."""
    budget.spend(_SOLVER + _CONSTRAINT * len(asked))
    solver = z3.SimpleSolver(ctx=context)
    solver.set("rlimit", BUDGET)
    for constraint in asked:
        low, high = _term(constraint.low, context), _term(constraint.high, context)
        solver.assert_and_track(low + constraint.difference <= high, constraint.name)
    answer = solver.check()
    if answer == z3.sat:
        return None
    if answer != z3.unsat:
        raise SolverUnknown(f"no answer within {BUDGET} resource units: {solver.reason_unknown()}")
    names = {str(name) for name in solver.unsat_core()}
    return [constraint for constraint in asked if constraint.name in names]


def _term(side: int | Cell, context: z3.Context) -> z3.ArithRef:
    return z3.Int(str(side), context) if isinstance(side, Cell) else z3.IntVal(side, context)


def _minimal(core: list[Constraint], context: z3.Context, budget: Steps) -> list[Constraint]:
    """A core of which every part is needed: each is left out in turn, and stays out where the rest still fails.

    The last step decides the outcome once more, in a solver that has seen nothing else.
    """
    for constraint in tuple(core):
        smaller = _core([other for other in core if other != constraint], context, budget)
        if smaller is not None:
            core = smaller
    if _core(core, context, budget) is None:
        raise RuntimeError(f"an unsatisfiable core has a solution: {', '.join(part.name for part in core)}")
    return core


def _chain(core: list[Constraint]) -> Chain:
    """The run that a minimal core is, lowest cell first.

    Read each constraint as an edge from its low to its high side, weighted with its difference, and all numbers that
    lie open as one vertex, zero. Difference constraints fail together exactly when their edges have a cycle that asks
    for more than it has room for, and a minimal core is the edges of one such cycle that passes no vertex twice. The
    orders alone have no cycle (they rise in 2·column + level), so it passes zero, once: it leaves zero by an up card's
    order or by the deck's floor, rises from down card to down card, and comes back by an up card's order or by the
    deck's ceiling. Every down card on it has one constraint that leads on.
    """
    onward = {constraint.low: constraint for constraint in core if isinstance(constraint.low, Cell)}
    ((link, start),) = ((constraint, constraint.low) for constraint in core if not isinstance(constraint.low, Cell))
    cells = [] if link.order is None else [link.order.lower]
    least = start + link.difference
    while isinstance(link.high, Cell):
        cells.append(link.high)
        link = onward[link.high]
        least += link.difference
    if link.order is not None:
        cells.append(link.order.upper)
    return Chain(tuple(cells), least, link.high)
