"""The records' part of the checker: its size, the command line with scripts, and the published form."""

import json
from pathlib import Path

import pytest

from tests.checker.package import FOLDER, code_lines, command
from tests.checker.record_corruptions import RIGHT, TEXT, WRONG
from tests.checker.record_package import SCHEMA
from tests.checker.records import illegal, legal

MODULES = [FOLDER / f"{name}.py" for name in ("orders", "turns", "replay")]


def test_the_records_part_stays_small() -> None:
    assert sum(map(code_lines, MODULES)) < 420
    assert sum(len(module.read_text(encoding="utf-8").splitlines()) for module in MODULES) < 575


@pytest.mark.slow
def test_the_command_line(tmp_path: Path) -> None:
    script, right, wrong = (str(tmp_path / name) for name in ("core.smt2", "right.json", "wrong.json"))
    Path(script).write_text("; turn 9, DRW02\n(set-logic QF_LIA)\n(assert false)\n(check-sat)\n")
    Path(right).write_text(json.dumps([legal(TEXT, TEXT), RIGHT]))
    Path(wrong).write_text(json.dumps(illegal(WRONG, 1, "TOW02", {})))
    assert command(script) == (3, f"{script}: unsupported: an SMT-LIB script: any SMT solver runs it\n", "")
    assert command(right) == (0, f"{right}[0]: accepted\n{right}[1]: accepted\n", "")
    assert command(wrong) == (1, f"{wrong}: rejected: CLAUSE turn 1 does not break TOW02\n", "")
    assert command(script, right)[0] == 3
    assert command("-", text=Path(script).read_bytes())[0] == 3


def test_the_published_form() -> None:
    SCHEMA.validate([legal(TEXT, TEXT), RIGHT])
    evidence = RIGHT["evidence"]
    for wrong in (
        {**RIGHT, "position": TEXT},
        {key: value for key, value in RIGHT.items() if key != "record"},
        {**RIGHT, "claim": "record-legal"},
        {**RIGHT, "claim": "tower-completable"},
        {**RIGHT, "evidence": {**evidence, "clause": "SET05"}},
        {**RIGHT, "evidence": {**evidence, "turn": -1}},
        {**RIGHT, "evidence": {**evidence, "numbers": {"low": 1.5}}},
        {**RIGHT, "evidence": {**evidence, "numbers": {"low": [1]}}},
        {**RIGHT, "evidence": {**evidence, "world": TEXT}},
    ):
        assert not SCHEMA.is_valid(wrong)
