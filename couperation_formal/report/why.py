"""Why a clause holds or fails in a turn: as data, and as text."""

from __future__ import annotations

from typing import Literal

from couperation_formal.analysis.by_formulas import NotAsked, Why, explain_turn
from couperation_formal.formula.trace import Instance
from couperation_formal.model.budget import steps_of
from couperation_formal.model.diagnostic import Diagnostic
from couperation_formal.model.record import Game
from couperation_formal.model.rulings import Rules
from couperation_formal.report.clauses import clauses
from couperation_formal.report.data import Data, Natural, Positive
from couperation_formal.report.text import Piece, safe

STEPS = 20_000
"""The budget of an explanation beside other things: tenths of a second."""


class InstanceData(Data, frozen=True, kw_only=True):
    """One case of a formula: what its variables stand for, the values of its parts by how they are written, and what
    they come to.
    """

    bindings: dict[str, str]
    values: dict[str, str]
    formula: str


class WhyData(Data, frozen=True, kw_only=True):
    """Why a clause holds or fails at a turn, 0 being the set-up: all instances that hold, or the first that fails.

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


def failing(game: Game, found: Diagnostic, rules: Rules | None) -> tuple[str, ...]:
    """The instance of the clause's formula that fails at an error, in lines; none where none is told."""
    if found.turn is None or found.severity != "error" or rules is None:
        return ()
    try:
        why = explain_turn(game, found.code, found.turn, rules, steps_of(STEPS))
    except NotAsked:
        return ()
    return () if why is None or why.trace.holds else tuple(map(instance_text, why.trace.instances))


def why_text(found: Why, game: Game) -> list[Piece]:
    """The explanation as text: the formula, what it comes to, and the instances that show it."""
    clause = clauses()[found.clause]
    pieces: list[Piece] = [(clause.id, "bold"), (f" · {clause.title}\n\n", "")]
    pieces += [(f"  {line}\n" if line else "\n", "") for line in clause.formula.splitlines()]
    place = f"turn {found.at}, {game.record.turns[found.at - 1].player}" if found.at else "the set-up"
    holds = found.trace.holds
    pieces += [(f"\n{safe(place)}: ", ""), *([("it holds\n", "bold")] if holds else [("it fails\n", "bold red")])]
    if found.illegal is not None:
        part = f"turn {found.illegal}" if found.illegal else "the set-up"
        pieces.append((f"{part} is illegal; what is asked here goes on from the state that it leaves\n", ""))
    return pieces + [(f"  {safe(instance_text(one))}\n", "") for one in found.trace.instances]


def instance_text(one: Instance) -> str:
    """One instance in a line: what its variables stand for, the values of its parts, what they come to."""
    bound = ", ".join(f"{name} = {value}" for name, value in one.bindings.items())
    values = ", ".join(f"{name} = {value}" for name, value in one.values.items())
    return "; ".join(part for part in (": ".join(filter(None, (bound, values))), one.formula) if part)
