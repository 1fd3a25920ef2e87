"""Short endings by Z3: the reference for the search for winning lines."""

from __future__ import annotations

from typing import Literal

from couperation_formal.formulas.circuit import no
from couperation_formal.game.fact import Spent, Steps
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.hidden.smt.exact import Solver
from tests.formulas.judge.ending import Ending
from tests.formulas.judge.ending_turn import play

BUDGET = 50_000_000
"""The steps for one table."""


def turns_to_win(state: State, rulings: Rulings, most: int, budget: int = BUDGET) -> int | Literal["unknown"] | None:
    """The least number of turns, up to `most`, in which this table can be won; None when it takes more.

    The table shows every card; marks that are not given are as favourable as can be. Raises `ValueError` where a card
    is unseen. Cost: some seconds a turn on the printed board.
    """
    steps = Steps(budget)
    for turns in range(1, most + 1):
        for left in places(state, rulings):
            model = model_of(state, rulings, left, turns)
            model.circuit.budget = steps
            solver = Solver(model.circuit)
            try:
                for rule in model.rules:
                    solver.add(rule)
                if solver.can_hold([]):
                    return turns
            except Spent:
                return "unknown"
    return None


def places(state: State, rulings: Rulings) -> range:
    """The places of the columns that the tower still allows (TOW04) [anchor]."""
    if rulings.anchor == "middle":
        return range(state.board.middle, state.board.middle + 1)
    return range(state.tower.first, state.tower.last + 1)


def model_of(state: State, rulings: Rulings, left: int, turns: int) -> Ending:
    """The model of a win with exactly this turn from now, the columns beginning at `left`."""
    model = Ending(state, rulings, left)
    moment, seats = model.start, len(state.players)
    for time in range(1, turns + 1):
        played = play(model, moment, time, (state.to_move + time - 1) % seats)
        model.require(played.wins if time == turns else no(played.wins))
        moment = played.after
    return model
