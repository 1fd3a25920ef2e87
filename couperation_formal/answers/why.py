"""The JSON form of why a clause holds or fails in a turn."""

from __future__ import annotations

from typing import Literal

from couperation_formal.analysis.explained import Why
from couperation_formal.answers.data import Data, Natural, Positive
from couperation_formal.game.record import Game


class InstanceData(Data, frozen=True, kw_only=True):
    """One case of a formula: what its variables stand for, the values of its parts by how they are written, and what
    they come to.
    """

    bindings: dict[str, str]
    values: dict[str, str]
    formula: str


class WhyData(Data, frozen=True, kw_only=True):
    """Why a clause holds or fails at a turn, 0 being the set-up: all instances that hold, or the first that fails. Of a
    clause that is not asked there, which holds, they tell why it is not; END01, END02 and END03 define an end, and hold
    where the game ends so.

    `illegal` is an earlier illegal turn, from whose state the record goes on.
    """

    file: str
    game: Positive
    clause: str
    at: Natural
    holds: bool
    instances: tuple[InstanceData, ...]
    illegal: Natural | None
    format: Literal[1]


def why_data(found: Why, game: Game) -> WhyData:
    """The explanation as data."""
    told = found.trace.instances
    return WhyData(
        file=game.file,
        game=game.index,
        clause=found.clause,
        at=found.at,
        holds=found.trace.holds,
        instances=tuple(InstanceData(bindings=one.bindings, values=one.values, formula=one.formula) for one in told),
        illegal=found.illegal,
        format=1,
    )
