"""Right certificates for the tests, found by trying: reasons among all intervals, conflicts by leaving out cards."""

from itertools import combinations
from typing import Any

from tests.checker.judge import parse
from tests.checker.towers import Bare, Table, bare, disagreeing, saved, window


def certificate(claim: str, text: str, rulings: dict[str, str], evidence: dict[str, Any]) -> dict[str, Any]:
    return {"format": 1, "claim": claim, "position": text, "rulings": rulings, "evidence": evidence}


def table_of(text: str, rulings: dict[str, str]) -> Table:
    table = parse(text, rulings)
    if table is None:
        raise ValueError(text)
    return table


def answer(text: str, rulings: dict[str, str]) -> dict[str, Any]:
    """The certificate that says whether the tower is completable."""
    table = table_of(text, rulings)
    for place in table.places():
        filling = saved(table, place, frozenset()) if table.stray() is None else None
        if filling is not None:
            return certificate("tower-completable", text, rulings, {"column": place, "filling": filling})
    places = [{"column": place, "reason": reason(table, place, None)} for place in table.places()]
    return certificate("tower-deadlocked", text, rulings, {"places": places})


def reason(table: Table, place: str, given_up: frozenset[str] | None) -> dict[str, Any]:
    """A reason why there is no filling in a world that has none."""
    if "F" in table.gone:
        return {"kind": "finish", "why": "gone", "cell": None}
    if table.stray() is not None and table.stray() not in (given_up or ()):
        return {"kind": "finish", "why": "below_apex", "cell": table.stray()}
    world = bare(table, place, given_up)
    if pairs := disagreeing(world):
        return {"kind": "order", "cells": list(pairs[0])}
    short = [one for one in intervals(world, world.available) if len(one["cells"]) > len(one["left"])]
    if short:
        return min(short, key=lambda one: (len(one["cells"]), one["below"] - one["above"], one["above"]))
    starved = most_starved(intervals(world, world.located))
    lacking = sum(len(one["cells"]) - len(one["left"]) for one in starved)
    missing = lacking - len(world.available - world.located) + world.unseen_gone
    return {"kind": "gone", "intervals": starved, "missing": missing}


def intervals(world: Bare, values: frozenset[int]) -> list[dict[str, Any]]:
    """Every interval between two ends of windows that holds a cell."""
    windows = {cell: window(world, cell) for cell in sorted(world.free)}
    ends = {cell: (int(low - 0.5), -int(-(high + 0.5) // 1)) for cell, (low, high) in windows.items()}
    found = []
    for bound in sorted({low for low, _ in ends.values()}):
        for top in sorted({high for _, high in ends.values() if high > bound}):
            inside = [cell for cell, (low, high) in ends.items() if low >= bound and high <= top]
            left = [value for value in sorted(values) if bound < value < top]
            if inside:
                found.append({"kind": "interval", "above": bound, "below": top, "cells": inside, "left": left})
    return found


def most_starved(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The disjoint intervals that lack most, by going through the ends from left to right."""
    best: dict[int, tuple[int, list[dict[str, Any]]]] = {0: (0, [])}
    for end in range(1, 52):
        options = [best[end - 1]]
        for one in found:
            lacking = len(one["cells"]) - len(one["left"])
            if one["below"] == end and lacking > 0:
                before = best[one["above"]]
                options.append((before[0] + lacking, [*before[1], one]))
        best[end] = max(options, key=lambda option: option[0])
    return best[51][1]


def conflict(table: Table, place: str, among: frozenset[str]) -> list[str] | None:
    """Cards that cannot all stay, none of them to spare, or None where `among` can stay."""
    may_go = frozenset(table.may_go())
    if saved(table, place, may_go - among) is not None:
        return None
    for cell in sorted(among):
        if saved(table, place, may_go - (among - {cell})) is None:
            among -= {cell}
    return sorted(among)


def shown(table: Table, place: str, cells: list[str]) -> dict[str, Any]:
    return {"cells": cells, "reason": reason(table, place, frozenset(table.may_go()) - frozenset(cells))}


def least(table: Table, place: str) -> list[str] | None:
    """A smallest set to give up at a place: sets that hit all conflicts known, until one saves the tower."""
    known: list[list[str]] = []
    while True:
        cells = sorted({cell for one in known for cell in one})
        hitting = (
            c for n in range(len(cells) + 1) for c in combinations(cells, n) if all(set(c) & {*k} for k in known)
        )
        tried = next(hitting, None)
        if tried is None:
            return None
        new = conflict(table, place, frozenset(table.may_go()) - frozenset(tried))
        if new is None:
            return list(tried)
        if not new:
            return None
        known.append(new)


def repair(text: str, rulings: dict[str, str], *, trees: bool) -> dict[str, Any]:
    """The certificate of the repair distance; with `trees` every proof that can be a tree is one."""
    table = table_of(text, rulings)
    sets = {place: least(table, place) for place in table.places()}
    possible = [(len(cells), place) for place, cells in sets.items() if cells is not None]
    evidence: dict[str, Any] = {"distance": None, "column": None, "give_up": [], "filling": None}
    if possible:
        distance, place = min(possible)
        given_up = sets[place] or []
        filling = saved(table, place, frozenset(given_up))
        evidence = {"distance": distance, "column": place, "give_up": given_up, "filling": filling}
    proofs = [{"column": place, "proof": proof(table, place, evidence["distance"], trees)} for place in sets]
    return certificate("tower-repair", text, rulings, {**evidence, "lower": proofs})


def proof(table: Table, place: str, distance: int | None, trees: bool) -> dict[str, Any]:
    if distance == 0:
        return {"kind": "disjoint", "conflicts": []}
    disjoint: list[list[str]] = []
    left = frozenset(table.may_go())
    while (new := conflict(table, place, left)) is not None:
        if not new:
            return {"kind": "disjoint", "conflicts": [shown(table, place, [])]}
        disjoint.append(new)
        left -= set(new)
    if distance is None:
        raise ValueError("a conflict without cells is missing")
    if len(disjoint) >= distance and not trees:
        return {"kind": "disjoint", "conflicts": [shown(table, place, cells) for cells in disjoint]}
    conflicts: list[list[str]] = []
    nodes: list[dict[str, Any]] = []

    def grow(way: frozenset[str]) -> int:
        cells = conflict(table, place, frozenset(table.may_go()) - way)
        if cells is None:
            raise ValueError("the distance is less")
        if cells not in conflicts:
            conflicts.append(cells)
        node: dict[str, Any] = {"conflict": conflicts.index(cells), "branches": []}
        index = len(nodes)
        nodes.append(node)
        if len(way) < distance - 1:
            node["branches"] = [grow(way | {cell}) for cell in cells]
        return index

    grow(frozenset())
    return {"kind": "tree", "conflicts": [shown(table, place, cells) for cells in conflicts], "nodes": nodes}
