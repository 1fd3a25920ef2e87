"""Short endings by Z3: the reference for the search for winning lines."""

from __future__ import annotations

from typing import Literal

from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.smt.solver import Budget, Solver
from couperation_formal.symbolic.circuit import no
from couperation_formal.symbolic.ending import Ending
from couperation_formal.symbolic.ending_turn import play

BUDGET = 2_000_000_000
"""Z3's resource units for one table."""


def turns_to_win(state: State, rulings: Rulings, most: int, budget: int = BUDGET) -> int | Literal["unknown"] | None:
    """The least number of turns, up to `most`, in which this table can be won; None when it takes more.

    The table shows every card; marks that are not given are as favourable as can be. Raises `ValueError` where a card
    is unseen. Cost: some seconds a turn on the printed board.
    """
    units = Budget(budget)
    tower = state.tower
    places = range(tower.first, tower.last + 1)
    if rulings.anchor == "middle":
        places = range(state.board.middle, state.board.middle + 1)
    for turns in range(1, most + 1):
        for left in places:
            answer = _won(state, rulings, left, turns, units)
            if answer == "unknown":
                return "unknown"
            if answer == "sat":
                return turns
    return None


def _won(state: State, rulings: Rulings, left: int, turns: int, units: Budget) -> str:
    """Whether the table can be won with exactly this turn from now, with the columns at this place."""
    model = Ending(state, rulings, left)
    moment, seats = model.start, len(state.players)
    for time in range(1, turns + 1):
        played = play(model, moment, time, (state.to_move + time - 1) % seats)
        model.require(played.wins if time == turns else no(played.wins))
        moment = played.after
    solver = Solver(model.circuit, units)
    for rule in model.rules:
        solver.add(rule)
    return solver.check([])
