"""Short forms of certificates, for tests that write them by hand."""

from typing import Any

from couperation_checker import check_object

from tests.checker.towers import cells, position, rules

ROWS = [
    [13, 15, 19, 25, 32, 37, 40],
    [14, 17, 22, 29, 35, 39],
    [16, 20, 26, 33, 38],
    [18, 23, 30, 36],
    [21, 27, 34],
    [24, 31],
    [28],
]
FULL = dict(zip(cells("d"), [value for row in ROWS for value in row], strict=True))
FREE = {cell: value for cell, value in FULL.items() if cell != "g1"}
ALL = list(FREE)


def certificate(claim: str, evidence: Any, *lines: str, variant: str = "first", **rulings: str) -> dict[str, Any]:
    text = position(*(lines or ["tower 25@g1"]), variant=variant)
    return {"format": 1, "claim": f"tower-{claim}", "position": text, "rulings": rules(**rulings), "evidence": evidence}


def code(certificate: dict[str, Any]) -> str:
    verdict = check_object(certificate)
    assert verdict.status != "rejected" or (verdict.code and verdict.message)
    return verdict.code or verdict.status


def filled(filling: dict[str, Any], *lines: str, column: str = "d", **options: str) -> str:
    return code(certificate("completable", {"column": column, "filling": filling}, *lines, **options))


def refused(reason: dict[str, Any], *lines: str, **options: str) -> str:
    return code(certificate("deadlocked", {"places": [{"column": "d", "reason": reason}]}, *lines, **options))


def interval(above: int, below: int, cells: list[str], left: list[int]) -> dict[str, Any]:
    return {"kind": "interval", "above": above, "below": below, "cells": cells, "left": left}


def order(*cells: str) -> dict[str, Any]:
    return {"kind": "order", "cells": list(cells)}


def finish(why: str, cell: str | None = None) -> dict[str, Any]:
    return {"kind": "finish", "why": why, "cell": cell}


def gone(missing: int, *intervals: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "gone", "intervals": list(intervals), "missing": missing}


def conflict(cells: str, reason: dict[str, Any]) -> dict[str, Any]:
    return {"cells": cells.split(), "reason": reason}


def disjoint(*conflicts: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "disjoint", "conflicts": list(conflicts)}


def repaired(
    distance: int | None,
    give_up: str,
    filling: Any,
    proof: dict[str, Any],
    *lines: str,
    column: str = "d",
    **options: str,
) -> str:
    evidence = {
        "distance": distance,
        "column": None if distance is None else column,
        "give_up": give_up.split(),
        "filling": filling,
        "lower": [{"column": column, "proof": proof}],
    }
    return code(certificate("repair", evidence, *lines, **options))


def without(*cells: str) -> dict[str, Any]:
    return {cell: value for cell, value in FREE.items() if cell not in cells}
