"""Whether one tower can still be completed, as a picture of it shows: by how much, how, or why not."""

from __future__ import annotations

from typing import Literal

import msgspec

from couperation_formal.game.record import Position
from couperation_formal.game.tower import UNSEEN, Up, column_name
from couperation_formal.towers.completion.answer import Deadlocked, Json, complete, filling_data, places_data
from couperation_formal.towers.completion.fill import fill, problems
from couperation_formal.towers.completion.reason import Slack, tower_slack


class TowerOutlook(msgspec.Struct, frozen=True, kw_only=True):
    """The answer on one tower.

    `answer` is `unknown` where an up card is not shown or no pyramid holds the tower. `slack` is the room that is left
    and the interval that has it. `filling` completes the tower; `places` are the reasons of a deadlocked one as
    certificates write them, that of the pyramid shown first.
    """

    answer: Literal["completable", "deadlocked", "unknown"]
    slack: Slack | None = None
    filling: dict[str, int | Literal["F"]] = {}
    places: tuple[Json, ...] = ()


UNKNOWN = TowerOutlook(answer="unknown")


def tower_outlook(position: Position, home: int) -> TowerOutlook:
    """The answer on the tower of a position; of several pyramids the one from column `home` is shown where it can be.

    Cost: a few questions, some hundred microseconds.
    """
    if any(isinstance(laid, Up) and laid.card is UNSEEN for _, laid in position.tower):
        return UNKNOWN
    found = sorted(problems(position), key=lambda problem: problem.left != home)
    if not found:
        return UNKNOWN
    room = tower_slack(position)
    slack = None if room is None else room[1]
    for problem in found:
        filling = fill(problem)
        if filling is not None:
            shown = filling_data(position, problem, filling)
            return TowerOutlook(answer="completable", slack=slack, filling=shown)
    answer = complete(position)
    if not isinstance(answer, Deadlocked):
        raise AssertionError("a tower without a filling is deadlocked")
    places = sorted(places_data(answer), key=lambda place: place["column"] != column_name(home))
    return TowerOutlook(answer="deadlocked", slack=slack, places=tuple(places))
