"""What the tests of table corruptions share with others."""

from __future__ import annotations

import json
from typing import Any

from couperation_checker import check_object, search
from couperation_checker.position import read
from couperation_checker.replay import marked

from tests.checker.towers import rules

HEAD = '[CGN "1"]\n[Variant "{}"]\n[Players "Ada Bo"]\n[Marks "{}"]\nposition\n'


MARKS = " ".join(f"{value}:1" for value in range(1, 51))


ROWS = [
    [13, 15, 19, 25, 32, 37, 40],
    [14, 17, 22, 29, 35, 39],
    [16, 20, 26, 33, 38],
    [18, 23, 30, 36],
    [21, 27, 34],
    [24, 31],
]


LAID = [
    f"{value}@{chr(ord('d') + right)}{level}" for level, row in enumerate(ROWS, 1) for right, value in enumerate(row)
]


RESERVE = [1, 50, 12, 11, 10, 9]


def table(
    tower: list[str], ada: str, bo: str, last: str = "e6", marks: str = MARKS, reserve: str = "", variant: str = "first"
) -> str:
    """A table of two, Ada to move, without a deck; every card that is not named is gone."""
    reserve = reserve or " ".join(map(str, RESERVE))
    used = {word.split("@")[0].lstrip("~") for word in tower} | set(f"{ada} {bo} {reserve}".split())
    gone = " ".join(str(value) for value in range(1, 51) if str(value) not in used)
    state = f"tower {' '.join(tower)}\nhand Ada {ada}\nhand Bo {bo}\nreserve {reserve}\ngone {gone}\n"
    return f"{HEAD.format(variant, marks)}{state}turn Ada\nlast {last}\n"


def made(claim: str, text: str, evidence: dict[str, Any], **rulings: str) -> dict[str, Any]:
    return {"format": 1, "claim": claim, "position": text, "rulings": rules(**rulings), "evidence": evidence}


def code(certificate: dict[str, Any]) -> str:
    verdict = check_object(certificate)
    assert json.loads(json.dumps(certificate)) == certificate
    return verdict.code or verdict.status


TABLE = table(LAID[:-1], "5 31", "28").replace("last e6", "last d6")  # e6 and d7 are empty


LINE = ["1. Ada +0 A 31@e6", "2. Bo +0 A 28@d7"]


WON = made("table-completable", TABLE, {"world": TABLE, "line": LINE})


DEAD_TABLE = table(LAID[:-1], "5 6", "").replace("last e6", "last d6")  # nothing for e6 and d7


USED = ["cards", "exchanges", "reserve", "turns"]


def searched(text: str, used: list[str], positions: int, digest: str, **rulings: str) -> dict[str, Any]:
    evidence = {"kind": "search", "reductions": used, "positions": positions, "digest": digest}
    return made("table-deadlocked", text, evidence, **rulings)


def found(text: str, used: list[str]) -> tuple[int, str]:
    """What the checker itself comes to, for tests that then change one thing."""
    position = read(text, rules(), mover=True)
    digests = search.search(marked(position), set(used))
    assert digests is not None
    return len(digests), f"{sum(digests.values()) % (1 << 64):016x}"
