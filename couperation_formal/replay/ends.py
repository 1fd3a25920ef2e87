"""END04, END05 and END06: what a record may say after the end, of the result, and of the order of turns."""

from __future__ import annotations

from difflib import get_close_matches

from couperation_formal.model.diagnostic import Reached
from couperation_formal.model.fact import Datum, Fact, fact
from couperation_formal.model.record import Outcome, Turn
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.rules.ending import ended_by
from couperation_formal.rules.finding import Finding, fails
from couperation_formal.rules.step import Step

_NAME, _NEAR = 40, 0.7
"""So many letters of a name are compared, and how like it another one is that may have been meant."""


def end04(state: State, last: Step | None, rulings: Rulings) -> Finding | None:
    """No turn follows the end of the game, which the turn `last` brought."""
    if state.result is None:
        return None
    numbers: dict[str, Datum] = {"turn": state.turns, "result": state.result}
    how = fact("reaches", reached=state.result) if last is None else ended_by(last, state.result, rulings)
    return fails("game_over", "number", numbers, how=how)


def end06(state: State, turn: Turn, place: int) -> Finding | None:
    """Turns go round the table in the players' order, numbered from 1 without a gap."""
    due = state.players[state.to_move]
    if turn.player == due and turn.number == place:
        return None
    numbers: dict[str, Datum] = {"number": turn.number, "place": place, "player": turn.player, "due": due}
    if turn.player not in state.players:
        like = [name for name in state.players if _bare(name) == _bare(turn.player)]
        if len(like) == 1:
            return fails("no_player_like", "player", numbers, meant=like[0])
        if turn.player.startswith("+"):
            return fails("no_player_draw", "player", numbers)
        near = get_close_matches(turn.player[:_NAME], state.players, 2, _NEAR)
        if len(near) == 1:
            return fails("no_player_near", "player", numbers, meant=near[0])
        return fails("no_player", "player", numbers)
    part = "number" if turn.player == due else "player"
    return fails(f"other_{part}", part, numbers)


def _bare(name: str) -> str:
    """A name without capitals and marks at its end: names that are alike but for these are meant to be one."""
    return name.rstrip(":.,!)").casefold() or name


def end05(stated: Outcome | None, reached: Reached, how: Fact | None = None) -> Finding | None:
    """The result that the record states is the one that the replay reaches; `how` tells of that."""
    if stated is None or stated == reached:
        return None
    numbers: dict[str, Datum] = {"stated": stated, "reached": reached}
    return fails("result", "result", numbers, how=how or fact("reaches", reached=reached))
