"""What the tests of budget share with others."""

from __future__ import annotations

from typing import Any

from tests.checker.table_corruptions import MARKS, made

CLAIM = {"kind": "search", "positions": 1, "digest": "0" * 16}


def tower_of(first: str) -> str:
    return f'[CGN "1"]\n[Players "A B"]\n[Marks "{MARKS}"]\nposition\ntower {first}\n'


def searched(state: str, used: list[str], **rulings: str) -> dict[str, Any]:
    return made("table-deadlocked", state, {**CLAIM, "reductions": used}, **rulings)


RESERVE = " ".join(str(value) for value in range(1, 51) if value not in (10, 11, 24, 25, 26))


TRIMMED = searched(
    tower_of("25@g1") + f"hand A 10\nhand B 26\nreserve {RESERVE}\ngone 11 24\nturn A\nlast g1\n",
    [],
    facedown="ignored",
    anchor="floating",
    early_apex="win_on_completion",
    draw_amount="exact",
)
