"""The steps of a record, whatever they break: for measurements and tests of what a step consults."""

from __future__ import annotations

from couperation_formal.game.record import Record
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rules.step import Step, carry_out
from couperation_formal.game.tower import STANDARD, Board


def step_states(record: Record, board: Board = STANDARD) -> list[Step]:
    """The steps of a record, carried out without any clause being asked, up to a name that is no player's."""
    state = starting_state(setup_of(record, board))
    steps = []
    for turn in record.turns:
        if turn.player not in state.players:
            break
        steps.append(carry_out(state, turn, state.players.index(turn.player)))
        state = steps[-1].after
    return steps
