"""The claim `tower-repair`: cards given up, conflicts and proofs; spec/certificate.md, "Claims"."""

from collections.abc import Iterator
from typing import Any

from couperation_checker.position import Table
from couperation_checker.tower import Fault, filling_faults, reason_faults, world


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
