"""Why a clause holds or fails in a turn: as data, and as text."""

from __future__ import annotations

import msgspec

from couperation_formal.analysis.formulas import Why
from couperation_formal.formula.trace import Instance
from couperation_formal.model.record import Game
from couperation_formal.report.clauses import clauses
from couperation_formal.report.text import Piece, safe


class WhyData(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `couperation explain CLAUSE FILE --output-format json` writes. `illegal` is an earlier illegal turn."""

    clause: str
    at: int
    holds: bool
    instances: tuple[Instance, ...]
    illegal: int | None = None


def why_data(found: Why) -> WhyData:
    """The explanation as data."""
    return WhyData(found.clause, found.at, found.trace.holds, found.trace.instances, found.illegal)


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
