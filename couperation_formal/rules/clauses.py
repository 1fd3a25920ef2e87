"""The registry of clauses: the function of each, the rulings its answer can hang on, and the actions it is asked
for.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from couperation_formal.model.record import Exchange, LayDown, LayUp, NoAction, Open
from couperation_formal.rules import actions, drawing, ending, towers
from couperation_formal.rules.finding import Check

TurnClauseId = Literal[
    "SET06",
    "TOW01", "TOW02", "TOW03", "TOW04", "TOW05", "TOW06", "TOW07", "TOW08",
    "DRW01", "DRW02", "DRW03", "DRW04", "DRW05", "DRW06",
    "ACT01", "ACT02", "ACT03", "ACT04", "ACT05", "ACT06", "ACT07", "ACT08",
    "LIM01", "LIM02",
]  # fmt: skip

ORDER_RULINGS = ("row_order", "between", "facedown", "finish_value")
OVER_RULINGS = ("early_apex", *ORDER_RULINGS, "opened_against")
"""Those that can decide whether a turn with an action ends the game."""
ENDING_RULINGS = (*OVER_RULINGS, "no_action")
HEART_RULINGS = ("hearts_below", "heart_over_back", "draw_source", "draw_amount")
REFILL_RULINGS = ("draw_source", "draw_amount", "finish_refill", "refill_amount")
ACTION_RULINGS = (
    *ORDER_RULINGS, "anchor", "spread", "replace_target", "take_sent", "adjust", "reserve_face", "early_apex",
    "replacements", "no_action",
)  # fmt: skip


class Clause(msgspec.Struct, frozen=True):
    """A clause that a turn can break: its id, its function, the rulings its answer can hang on."""

    id: TurnClauseId
    check: Check
    rulings: tuple[str, ...] = ()


_LAY = ("TOW03", "TOW04", "TOW05", "TOW06", "TOW01", "TOW02", "TOW07", "TOW08")
_EVERY = ("SET06", "LIM01", "LIM02")
_DRAW = ("DRW01", "DRW02", "DRW03", "DRW04", "DRW05", "DRW06")

TURN_CLAUSES: dict[TurnClauseId, Clause] = {
    clause.id: clause
    for clause in (
        Clause("DRW01", drawing.drw01, ("draw_source",)),
        Clause("DRW02", drawing.drw02, HEART_RULINGS),
        Clause("DRW03", drawing.drw03, HEART_RULINGS),
        Clause("DRW04", drawing.drw04, (*REFILL_RULINGS, *OVER_RULINGS)),
        Clause("DRW05", drawing.drw05),
        Clause("DRW06", drawing.drw06),
        Clause("ACT01", actions.act01, ACTION_RULINGS),
        Clause("ACT02", actions.act02),
        Clause("ACT03", actions.act03),
        Clause("ACT04", actions.act04, ("opened_against",)),
        Clause("ACT05", actions.act05, ("adjust", "finish_value")),
        Clause("ACT06", actions.act06, ("take_sent",)),
        Clause("ACT07", actions.act07, ("replace_target", "replacements")),
        Clause("ACT08", actions.act08, ("reserve_face",)),
        Clause("TOW01", towers.tow01, ("row_order", "finish_value")),
        Clause("TOW02", towers.tow02, ("between", "finish_value")),
        Clause("TOW03", towers.tow03),
        Clause("TOW04", towers.tow04, ("anchor",)),
        Clause("TOW05", towers.tow05, ("spread",)),
        Clause("TOW06", towers.tow06),
        Clause("TOW07", towers.tow07, ORDER_RULINGS),
        Clause("TOW08", towers.tow08, ("early_apex",)),
        Clause("LIM01", ending.lim01, OVER_RULINGS),
        Clause("LIM02", ending.lim02, ("finish_reserve_count", *OVER_RULINGS)),
        Clause("SET06", actions.set06),
    )
}
"""In the order in which they are named: what a slip breaks by itself comes before what breaks in its wake (D20)."""

_NAMED = ("SET01", "SET02", "SET03", "SET04", "END04", "END06", *TURN_CLAUSES, "END05")


def place_in_order(clause: str) -> int:
    """Where a clause stands among those that one turn can break: the first of them is the error, the others are
    notes.
    """
    return _NAMED.index(clause) if clause in _NAMED else len(_NAMED)


_ASKED: dict[type, tuple[str, ...]] = {
    LayUp: (*_DRAW, "ACT02", *_LAY, *_EVERY),
    LayDown: (*_DRAW, "ACT03", "ACT08", *_LAY, *_EVERY),
    Open: (*_DRAW, "ACT04", *_EVERY),
    Exchange: (*_DRAW, "ACT05", "ACT06", "ACT07", "ACT08", *_LAY, *_EVERY),
    NoAction: (*_DRAW, "ACT01", *_EVERY),
}

ASKED: dict[type, tuple[Clause, ...]] = {
    action: tuple(clause for clause in TURN_CLAUSES.values() if clause.id in asked) for action, asked in _ASKED.items()
}
"""The clauses asked for a turn with this kind of action, in the order of the turn."""
