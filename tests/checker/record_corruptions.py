"""What the tests of record corruptions share with others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.checker.records import illegal, illegal_ones, mutated

HEAD = '[CGN "1"]\n[Players "Ada Bo"]\n[Marks "17:1 25:1"]\n\n'


SETUP = "deal Ada 17 30 44\ndeal Bo 9 21 38\nreserve 1 50 12 33 40 7\n\n"


TEXT = f"{HEAD}{SETUP}1. Ada +0 A 17@f1\n2. Bo +14 B 9@e1\n*\n"


WRONG = TEXT.replace("A 17@f1", "A 17@h1")


RIGHT = illegal(WRONG, 1, "TOW01", {"lower": "g1", "upper": "h1", "low": 25, "high": 17, "needed": 1})


def pool(seed: int) -> Iterator[dict[str, Any]]:
    """Right certificates of illegal records: one of each clause that a game's mutations break."""
    seen: set[str] = set()
    for _, text in mutated(seed):
        for one in illegal_ones(text):
            clause = one["evidence"]["clause"]
            if clause not in seen:
                seen.add(clause)
                yield one
