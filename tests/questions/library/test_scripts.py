"""The scripts that the documentation shows are short, and what they print is so."""

from __future__ import annotations

import ast
import io
from pathlib import Path

import pytest

import couperation_formal as cf
from tests.kit import started

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = sorted((ROOT / "examples" / "scripts").glob("*.py"))


def run(name: str, *words: str) -> str:
    code = (ROOT / "examples" / "scripts" / name).read_text(encoding="utf-8")
    ran = started.run(words, cwd=ROOT / "examples", code=code)
    assert (ran.returncode, ran.stderr) == (0, b"")
    return ran.stdout.decode()


def test_there_are_three_that_are_short() -> None:
    assert len(SCRIPTS) == 3
    assert max(len(path.read_text(encoding="utf-8").splitlines()) for path in SCRIPTS) < 15


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_each_is_shown_in_the_documentation(path: Path) -> None:
    assert f"examples/scripts/{path.name}" in (ROOT / "docs" / "howto" / "python.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_verdicts_of_a_folder() -> None:
    import pandas  # which takes a while, and not each process that looks for tests needs it

    table = pandas.read_csv(io.StringIO(run("verdicts.py", "broken")), dtype={"turn": "Int64"}, keep_default_na=True)
    assert list(table.columns) == ["file", "game", "verdict", "turn", "codes"]
    items = [item for path in sorted((ROOT / "examples" / "broken").rglob("*.cgn")) for item in cf.read(path)]
    reports = [cf.check(item) for item in items if not isinstance(item, cf.Snapshot)]
    assert list(table["verdict"]) == [report.verdict for report in reports]
    assert {*table["verdict"]} == {"legal", "illegal", "malformed"}
    (row,) = table[table["file"] == "broken/between.cgn"].to_dict("records")
    assert (row["game"], row["turn"], row["codes"]) == (1, 8, "TOW02")


@pytest.mark.slow
def test_every_position_of_a_game() -> None:
    lines = run("positions.py", "tables/lost.cgn", "2000").splitlines()
    (lost,) = cf.read(ROOT / "examples" / "tables" / "lost.cgn")
    tables = [line.rpartition(" ")[2] for line in lines]
    assert [line.split()[0] for line in lines] == [*map(str, range(len(lines)))]
    dead = tables.index("False")
    assert tables == ["open"] * dead + ["False"] * (len(lines) - dead)
    assert cf.table_winnable(lost, dead) is False
    for turn in (0, 25, 33):
        assert f"tower: {cf.tower_completable(lost, turn)} " in lines[turn]


@pytest.mark.slow
def test_games_played_at_random() -> None:
    ends = ast.literal_eval(run("random_games.py", "20", "en-2"))
    assert sum(ends.values()) == 20
    assert set(ends) == {"win", "loss", "stuck"}
    assert ends == ast.literal_eval(run("random_games.py", "20", "en-2"))
    assert ends != ast.literal_eval(run("random_games.py", "21", "en-2"))
