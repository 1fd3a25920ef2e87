"""Why no continuation of a table wins, as the fact of its sentence."""

from __future__ import annotations

from couperation_formal.continuation.reasons.theorems import Reason
from couperation_formal.model.fact import Fact, fact


def told(reason: Reason) -> Fact:
    """A reason with its numbers, cells and cards, by a kind of its own for each of its sentences."""
    n, cells = reason.numbers, reason.cells
    kind = f"dead_{reason.kind}"
    if reason.kind == "finish":
        kind = next(f"dead_finish_{way}" for way in ("gone", "reserve", "laid") if way in n)
    if reason.kind == "turns":
        own = [(name.removeprefix("player "), count) for name, count in n.items() if name.startswith("player ")]
        left = tuple(fact("own_cards", player=player, count=count) for player, count in own)
        return fact(kind, {name: n[name] for name in ("empty", "down", "owe", "deck")}, own=left)
    if reason.kind == "interval":
        all_stay = n["cards"] == n["empty"]
        kind += "_tight" if all_stay else ""
        hold = fact("hold_one" if len(cells) == 1 else "hold_all", cells=cells)
        return fact(kind, n, hold=hold, left=fact("come_some" if reason.cards else "come_none", cards=reason.cards))
    return fact(kind, n, cells=cells)
