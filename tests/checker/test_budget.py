"""The checker bounds itself: one number of steps for a file, whatever the file asks for."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from couperation_checker.claims import check_each, check_object
from couperation_checker.counting import lost
from couperation_checker.position import Table
from couperation_checker.strict import STEPS, Refused, Work

from tests.checker.budget import TRIMMED, searched, tower_of
from tests.checker.hand import FREE, certificate
from tests.checker.package import FOLDER
from tests.checker.table_corruptions import LAID, made, table
from tests.conftest import LONG, some

pytestmark = pytest.mark.slow


REFUSED = searched(
    tower_of(
        "~3@d1 5@e1 16@f1 25@g1 ~32@h1 ~41@i1 ~49@j1 ~4@d2 15@e2 ~23@f2 ~29@g2 ~39@h2 ~46@i2 ~9@d3 ~19@e3 ~26@f3 ~38@g3"
        " ~45@h3"
    ).replace("15:1", "15:H")
    + "hand A 30 7 17 1 47 35 33 28\nhand B 34\nreserve 27 24 8 14 10 2 6 22 31 37 43 50 48 42 18 21 11 20\n"
    "deck 44 13 36 40 12\nturn A\nlast e2\n",
    ["exchanges"],
    adjust="up_to",
    reserve_face="either",
    early_apex="no_win",
    draw_amount="exact",
    draw_source="last_placed",
)
HAND = " ".join(str(value) for value in range(2, 45) if value != 25)
PASSED = made(
    "table-completable",
    passed := tower_of("25@g1") + f"hand A {HAND}\nhand B\nreserve\ngone 1 45 46 47 48 49 50\nturn A\n",
    {"world": passed, "line": ["1. A +0 -"]},
    take_sent="forbidden",
)
CHEAP = certificate("completable", {"column": "d", "filling": FREE})
DEAR = {"trims": TRIMMED, "refused turns": REFUSED, "payments": PASSED}


@pytest.mark.parametrize("name", DEAR)
def test_what_is_dear_ends_with_the_steps_given_to_it(name: str) -> None:
    for steps in (0, 1, 50, 3000):
        work = Work(steps)
        verdict = check_object(DEAR[name], work)
        assert 0 <= work.left <= steps
        if verdict.status == "unsupported":
            assert verdict.message == "more work than is left of the steps for a file"
    assert (verdict.status, verdict.code) == ("unsupported", "")
    assert check_object(DEAR[name], work) == verdict


def test_a_counting_game_takes_its_steps() -> None:
    start, rulings = (0, (2, 1, 1, 7), 6, 8, 8, 8, 2, True, 0), CHEAP["rulings"] | {"early_apex": "no_win"}
    there = Table((), False, {}, rulings, {}, [], [], [])
    assert not lost(start, there, {})
    assert STEPS - there.work.left > 1000
    with pytest.raises(Refused):
        lost(start, replace(there, work=Work(999)), {})


def test_steps_are_taken_only_where_they_are_left() -> None:
    work = Work(5)
    work.spend(2)
    with pytest.raises(Refused) as refused:
        work.spend(4)
    assert (refused.value.args[0], work.left) == ("", 3)
    work.spend(3)
    assert work.left == 0
    assert Work().left == STEPS


def test_a_claim_takes_as_many_steps_wherever_it_stands() -> None:
    small = searched(table(LAID[:-1], "5 6", "", "d6"), [])
    alone = Work()
    check_object(small, alone)
    taken = STEPS - alone.left
    assert 20 < taken < STEPS // 100
    work = Work()
    check_each(json.dumps([small, CHEAP, small]), work)
    cheap = Work()
    check_object(CHEAP, cheap)
    assert STEPS - work.left == 2 * taken + STEPS - cheap.left
    enough, short = Work(taken), Work(taken - 1)
    assert check_object(small, enough).status == "rejected"
    assert check_object(small, short).status == "unsupported"


def test_all_certificates_of_a_file_share_its_steps() -> None:
    cheap = Work()
    assert check_object(CHEAP, cheap).status == "accepted"
    one = STEPS - cheap.left
    verdicts = check_each(json.dumps([CHEAP] * 5), Work(3 * one))
    assert [verdict.status for _, verdict in verdicts] == ["accepted"] * 3 + ["unsupported"] * 2
    verdicts = check_each(json.dumps([TRIMMED, CHEAP, REFUSED, CHEAP]), Work(2000))
    assert [verdict.status for _, verdict in verdicts] == ["unsupported", "accepted", "unsupported", "unsupported"]


def filled(certificates: list[dict[str, Any]]) -> str:
    """An array that repeats these certificates up to nearly 1 MiB."""
    text = ",".join(json.dumps(one, separators=(",", ":")) for one in certificates)
    return f"[{','.join([text] * ((1 << 20) // (len(text) + 1) - 1))}]"


INTERVAL = {"kind": "interval", "above": 0, "below": 51, "cells": [], "left": []}
WIDE = {"cells": [f"d{level}" for level in range(1, 8)], "reason": {**INTERVAL, "cells": ["e1", "e2"]}}
DRAWS = "1. A +" + ",".join(["12"] * 10_000 + ["13"] * 11_000) + " A 24@f1\n"
DEALS = "deal A 2 3 4\ndeal B 5 6 7\nreserve 1 50 8 9 10 11\n"


def record(turns: str) -> dict[str, Any]:
    evidence = {"turn": 1, "clause": "DRW05", "numbers": {}}
    text = tower_of("").split("position")[0] + DEALS + turns
    return {"format": 1, "claim": "record-illegal", "record": text, "rulings": CHEAP["rulings"], "evidence": evidence}


@cache
def texts() -> dict[str, str]:
    """Files of up to 1 MiB by name: of certificates, and of other things."""
    repair = {"distance": 28, "column": "d", "filling": {}, "give_up": [], "lower": []}
    proof = {"kind": "tree", "conflicts": [WIDE] * 3000, "nodes": [{"conflict": 0, "branches": [1] * 7}] * 11_000}
    repaired = {**CHEAP, "claim": "tower-repair", "evidence": repair | {"lower": [{"column": "d", "proof": proof}]}}
    return {
        "draws": filled([record(DRAWS)]),
        "turns": json.dumps(record("".join(f"{place}. A +0 -\n" for place in range(70_000)))),
        "tree": json.dumps(repaired),
        "comment": json.dumps({**CHEAP, "position": "{" * 1_000_000}),
        "quotes": json.dumps({**CHEAP, "position": ('"{' * 20_000 + "\n") * 8}),
        "objects": f"[{'{},' * ((1 << 16) - 2)}0]",
        "blanks": " " * (1 << 20),
        "lines": ";\n" * (1 << 19),
        "braces": "{" * (1 << 20),
        "backslashes": '"' + "\\" * ((1 << 20) - 2) + '"',
    } | (more_texts() if LONG else {})


def more_texts() -> dict[str, str]:
    """Files like some of those."""
    numbers = f"[{'0,' * ((1 << 19) - 2)}0]"
    return {"numbers": numbers} | {name: filled([one]) for name, one in DEAR.items()}


@pytest.mark.parametrize("name", some(texts(), 3))
def test_a_file_of_one_mebibyte_ends_soon_and_in_little_memory(name: str, tmp_path: Path) -> None:
    """In a process whose memory and processor time are limited: a traceback or a signal would be another exit code."""
    path = tmp_path / "file.json"
    path.write_text(texts()[name])
    assert path.stat().st_size <= 1 << 20

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        resource.setrlimit(resource.RLIMIT_DATA, (256 << 20, 256 << 20))

    run = subprocess.run(
        [sys.executable, "-m", "couperation_checker", str(path)],
        env={**os.environ, "PYTHONPATH": str(FOLDER.parent)},
        preexec_fn=limited,
        capture_output=True,
        check=False,
    )
    assert run.returncode in (1, 3)
    assert run.stderr == b""
    assert run.stdout
