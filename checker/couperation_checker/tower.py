"""Worlds, fillings, reasons and repairs: spec/certificate.md, "What the position says", "Reasons" and "Claims"."""

from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from couperation_checker.position import Table, pyramid, supports

Fault = tuple[str, str]  # a code and what is wrong
Bounds = dict[str, tuple[int, int]]  # by fixed cell: what is below stays under the first, above over the second


def below(p: str, q: str) -> bool:
    """Whether cell p is below cell q ("Order")."""
    return p != q and p[0] <= q[0] and ord(p[0]) + int(p[1]) <= ord(q[0]) + int(q[1])


class World(NamedTuple):
    """The tower at one place, as it stands or after some up cards were given up ("World")."""

    table: Table
    apex: str | None  # the Finish card's cell, in the variant `finish`
    stray: str | None  # where the Finish card lies up off the apex, unless it was given up
    bounds: Bounds
    free: frozenset[str]
    available: set[int]
    located: set[int]  # those of the available values that the position shows


def window(bounds: Bounds, cell: str) -> tuple[int, int]:
    """The bounds between which a free cell's value stays ("Window")."""
    over = [bound for fixed, (_, bound) in bounds.items() if below(fixed, cell)]
    under = [bound for fixed, (bound, _) in bounds.items() if below(cell, fixed)]
    return max(over, default=0), min(under, default=51)


def disagree(bounds: Bounds, p: str, q: str) -> bool:
    """Whether two cells, p below q, are fixed and do not agree ("Reasons", `order`)."""
    return p in bounds and q in bounds and bounds[p][1] >= bounds[q][0]


def standing(table: Table, place: str, values: dict[str, int]) -> tuple[str | None, Bounds, frozenset[str]]:
    """With these values fixed: the Finish card's cell, the bounds of the fixed cells, and the cells left free."""
    apex = f"{place}7" if table.finish else None
    bounds = {cell: (value, value) for cell, value in values.items()}
    if apex and table.rulings["finish_value"] == "25":
        bounds[apex] = (25, 25) if table.rulings["between"] == "strict" else (26, 24)
    return apex, bounds, pyramid(place) - values.keys() - {apex}


def world(table: Table, place: str, given_up: Collection[str] | None = None) -> World:
    """The world of a repair after these up cards were given up, or, with None, the position as it stands."""
    table.work.spend(3)
    left = {cell: value for cell, value in table.up.items() if cell not in (given_up or ())}
    apex, bounds, free = standing(table, place, left)
    finish_at = next((cell for cell, (card, _) in table.tower.items() if card == "F"), None)
    stray = None if finish_at in (apex, *(given_up or ())) else finish_at
    free -= {stray} if stray and given_up is None else set()
    available = set(range(1, 51)).difference(table.gone, left.values())
    return World(table, apex, stray, bounds, free, available, available & table.seen)


def filling_faults(world: World, filling: dict[str, Any]) -> Iterator[Fault]:
    """What is wrong with a filling ("Claims", `tower-completable`)."""
    apex: set[str] = {world.apex} - world.table.tower.keys() if world.apex else set()
    values = {cell: card for cell, card in filling.items() if cell not in apex}
    used = set(values.values())
    if filling.keys() != world.free | apex:
        yield "CELLS", "the filling does not name exactly the cells without an up card"
    elif any(filling[cell] != "F" for cell in apex) or not used <= world.available or len(used) < len(values):
        yield "VALUE", "a value is not available or is used twice, or the apex is not F"
    else:
        full = world.bounds | {cell: (value, value) for cell, value in values.items()}
        for cell in full:
            left, right = supports(cell)
            if disagree(full, left, cell) or disagree(full, cell, right):
                yield "ORDER", f"{cell} is not between its supports"
        if len(world.available - world.located - used) < world.table.gone.count(None):
            yield "GONE", "too few values that are not located stay unused"
    if world.stray or world.table.finish_gone:
        yield "FINISH", "the Finish card is gone or lies off the apex"


def reason_faults(world: World, reason: dict[str, Any]) -> Iterator[Fault]:
    """What is wrong with a reason in a world ("Reasons")."""
    if reason["kind"] == "interval":
        yield from _interval_faults(world, reason, world.available)
    elif reason["kind"] == "gone":
        for interval in reason["intervals"]:
            yield from _interval_faults(world, interval, world.located)
        spans = sorted((interval["above"], interval["below"]) for interval in reason["intervals"])
        if any(end > begin for (_, end), (begin, _) in pairwise(spans)):
            yield "COUNT", "the intervals overlap"
        lacking = sum(len(interval["cells"]) - len(interval["left"]) for interval in reason["intervals"])
        if reason["missing"] != lacking - len(world.available - world.located) + world.table.gone.count(None):
            yield "LEFT", "missing is not what is lacking less what is not located and not gone"
        if reason["missing"] <= 0:
            yield "COUNT", "nothing is missing"
    elif reason["kind"] == "order":
        p, q = reason["cells"]
        if p == q or not world.bounds.keys() | {world.apex} >= {p, q}:
            yield "CELLS", f"{p} and {q} are not two fixed cells"
        elif not below(p, q) or not disagree(world.bounds, p, q):
            yield "AGREE", f"{p} is not below {q}, or they agree"
    elif not (world.table.finish_gone if reason["why"] == "gone" else world.stray == reason["cell"]):
        yield "FINISH", "the Finish card is not where the reason says"


def _interval_faults(world: World, interval: dict[str, Any], values: set[int]) -> Iterator[Fault]:
    above, below, cells, left = (interval[name] for name in ("above", "below", "cells", "left"))
    world.table.work.spend(1 + len(cells) // 4)
    if len(set(cells)) < len(cells) or not world.free.issuperset(cells):
        yield "CELLS", "an interval's cells are not distinct free cells"
    elif any(over < above or under > below for over, under in (window(world.bounds, cell) for cell in cells)):
        yield "WINDOW", f"a cell's window is not inside ({above}, {below})"
    elif left != sorted(value for value in values if above < value < below):
        yield "LEFT", f"these are not the values left between {above} and {below}"
    elif len(cells) <= len(left):
        yield "COUNT", f"no more cells than values between {above} and {below}"


def repair_faults(table: Table, evidence: dict[str, Any]) -> Iterator[Fault]:
    """What is wrong with a repair whose columns are right."""
    distance, give_up = evidence["distance"], evidence["give_up"]
    laid = table.tower.items()  # of which the Finish card as apex never goes
    may_go = {cell for cell, (card, up) in laid if up and table.may_replace(cell) and (card, cell[1]) != ("F", "7")}
    if give_up != sorted(may_go.intersection(give_up)):
        yield "CELLS", "give_up is not a rising list of cards that may be given up"
    elif distance is not None:
        yield from filling_faults(world(table, evidence["column"], give_up), evidence["filling"])
    if len(give_up) != (distance or 0):
        yield "DISTANCE", "give_up is not as long as the distance says"
    for entry in evidence["lower"]:
        conflicts = [conflict["cells"] for conflict in entry["proof"]["conflicts"]]
        for conflict in entry["proof"]["conflicts"]:
            if conflict["cells"] != sorted(may_go.intersection(conflict["cells"])):
                yield "CELLS", "a conflict is not a rising list of cards that may be given up"
            else:
                after = world(table, entry["column"], may_go.difference(conflict["cells"]))
                yield from reason_faults(after, conflict["reason"])
        if entry["proof"]["kind"] == "tree":
            table.work.spend(len(entry["proof"]["nodes"]))
            proven = bool(distance) and _closed(entry["proof"]["nodes"], conflicts, distance)
        elif distance == 0:
            proven = conflicts == []
        else:
            cells = [cell for conflict in conflicts for cell in conflict]
            apart = distance is not None and len(conflicts) >= distance and len(set(cells)) == len(cells)
            proven = apart or conflicts == [[]]
        if not proven:
            yield "PROOF", f"nothing shows at place {entry['column']} that no less will do"


def _closed(nodes: list[dict[str, Any]], conflicts: list[list[str]], distance: int) -> bool:
    """Whether a tree leaves nothing open: every node reached once, with a branch for each card unless it may stop."""
    bits = {cell: 1 << bit for bit, cell in enumerate({cell for cells in conflicts for cell in cells})}
    given_up = {0: 0}  # by node, the bits of the cards on the way to it; one more at each depth
    for index, node in enumerate(nodes):
        if index not in given_up or node["conflict"] >= len(conflicts):
            return False
        way, cells = given_up[index], conflicts[node["conflict"]]
        wanted = 0 if way.bit_count() == distance - 1 else len(cells)
        if len(node["branches"]) != wanted or any(way & bits[cell] for cell in cells):
            return False
        for cell, branch in zip(cells, node["branches"], strict=False):
            if branch in given_up:  # which holds every node up to this one
                return False
            given_up[branch] = way | bits[cell]
    return len(given_up) == len(nodes)
