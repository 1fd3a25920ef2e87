"""Plans: what is read of them, the grid that they say, and what no plan may hold, told at its place."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from couperation_formal.game.rulings import MAX_BYTES, TomlError
from couperation_formal.questions.studies.rows import Cell, Plan, plan_of, read_plan
from tests.cli.run import couperation
from tests.kit.started import ROOT

GAMES = 'study = "s"\nsource = "games"\nquestions = ["verdict", "winnable"]\nrulebooks = ["en-2"]\n'
DEALS = 'study = "s"\nsource = "deals"\nquestions = ["winnable"]\nrulebooks = ["en-2"]\n'
DEADLOCKS = 'study = "s"\nsource = "deadlocks"\nquestions = ["minimal"]\nrulebooks = ["en-2"]\n'
READ = 'study = "s"\nsource = "collection"\nquestions = ["verdict"]\nfiles = ["a.cgn"]\n'


def plan(folder: Path, text: str) -> Plan:
    path = folder / "plan.toml"
    path.write_text(text, "utf-8")
    return read_plan(path)


def test_the_grid_is_every_rulebook_with_every_change(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('base = "en-2"\nspread = "adjacent"\n', "utf-8")
    text = GAMES.replace('["en-2"]', '["en-2", "house.toml", "en-2"]')
    made = plan(tmp_path, text + 'changes = ["", "between=inclusive"]\nplayers = [2, 3]\nunder = ["bgg", "en-2"]\n')
    own = ("en-2 spread=adjacent", "en-2 spread=adjacent between=inclusive")
    assert made.rulebooks == ("en-2", "en-2 between=inclusive", *own)
    cells = [*made.cells()]
    assert cells[:2] == [Cell("en-2", "first", 2, "careful"), Cell("en-2", "first", 3, "careful")]
    assert len(cells) == 8
    asked = [("verdict", "en-2", None), ("verdict", "bgg", None), ("winnable", "en-2", 0)]
    assert [*made.asked(cells[0])] == asked


def test_the_one_form_is_the_same_plan(tmp_path: Path) -> None:
    """Whatever stands around it; and a plan is told from another, but not by where its files lie."""
    made = plan(tmp_path, GAMES + "count = 7\npart = 3 # three\n")
    assert plan_of(made.text) == plan(tmp_path, made.text) == made
    assert [made.parts, *map(list, map(made.seeds, range(3)))] == [3, [1, 2, 3], [4, 5, 6], [7]]
    assert made.digest != plan(tmp_path, GAMES + "count = 7\n").digest
    here, there = (plan(tmp_path, READ.replace("a.cgn", name)) for name in ("a.cgn", "b/a \\u007f\U0001f0cf.cgn"))
    assert here.digest == there.digest
    assert plan_of(there.text) == there != here


def test_the_smoke_plan_asks_everything() -> None:
    from couperation_formal.questions.studies.rows import SOURCES

    assert read_plan(ROOT / "examples" / "studies" / "smoke.toml").questions == SOURCES["games"]


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "studies").glob("*.toml")), ids=lambda path: path.stem)
def test_the_plans_of_the_studies_are_plans(path: Path) -> None:
    assert read_plan(path).study == path.stem


HOSTILE = [
    *((text, "a plan like this needs ") for text in ("", GAMES.replace('["en-2"]', "[]"), GAMES.partition("\n")[2])),
    (GAMES + "seeds = 3\n", "a plan has no setting 'seeds'"),
    (GAMES + "cont = 3\n", "did you mean count?"),
    (GAMES + 'count = "3"\n', "count is a whole number from 1 to "),
    (GAMES + "count = 0\n", "count is a whole number"),
    (GAMES + "count = true\n", "count is a whole number"),
    (GAMES + f"first = {1 << 60}\n", "first is a whole number from 0 to "),
    (GAMES + f"count = 2\nfirst = {1 << 53}\n", f"first is a whole number from 0 to {(1 << 53) - 1}"),
    (GAMES + f"count = {1 << 50}\n", "at most 1000000 can be"),
    (GAMES + "players = [2, 5]\n", "players is a list of whole numbers from 2 to 4"),
    (GAMES + "players = 2\n", "players is a list"),
    (GAMES + "under = [3]\n", "under is a list of texts"),
    (GAMES.replace('"s"', "3"), "study is a text"),
    (GAMES + 'variants = ["second"]\n', "variants: there is no 'second'"),
    (GAMES + 'policies = ["carefull"]\n', "did you mean careful?"),
    (GAMES + "policies = []\n", "needs policies"),
    (GAMES + 'under = ["en-3"]\n', "there is no rulebook 'en-3'"),
    (GAMES + 'changes = ["sprad=far"]\n', "there is no ruling 'sprad'"),
    (GAMES + 'changes = ["en-2"]\n', "plan.toml:5:11"),
    (GAMES.replace('"en-2"', '"none.toml"'), "none.toml"),
    (GAMES.replace('"s"', '"a b"'), "one word"),
    (GAMES.replace('"s"', '"../s"'), "one word"),
    (GAMES.replace('"verdict"', '"verdicts"'), "did you mean verdict?"),
    (GAMES + 'files = ["a.cgn"]\n', "files says nothing in a plan of games"),
    (DEALS + "turns = [0, 1]\n", "turns can only be [0]"),
    (DEALS.replace("winnable", "result"), "there is no 'result'"),
    (DEALS + 'policies = ["random"]\n', "policies says nothing"),
    (READ + "count = 3\n", "count says nothing"),
    (DEADLOCKS + "players = [2]\n", "players says nothing in a plan of deadlocks"),
    (DEADLOCKS + "budget = 2\n", "budget says nothing"),
    (DEADLOCKS.replace("minimal", "winnable"), "questions: there is no 'winnable'"),
    (READ + "turns = [3]\n", "turns says nothing"),
    (READ + 'changes = ["spread=adjacent"]\n', "needs rulebooks"),
    (READ.replace('files = ["a.cgn"]', ""), "needs files"),
    ("a" * (MAX_BYTES + 1), "a plan has 65536 bytes at most"),
    ("a = " + "[" * 3000, "nested"),
    ("study", ""),
]


@pytest.mark.parametrize(("text", "said"), HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_plan_is_refused_at_its_place(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(TomlError) as refused:
        plan(tmp_path, text)
    assert said in str(refused.value)
    assert str(refused.value).startswith(f"{tmp_path / 'plan.toml'}:")


def test_a_refusal_shows_the_line(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(GAMES + "count = 0  # none\n", "utf-8")
    done = couperation("study", tmp_path / "plan.toml", "-o", tmp_path / "r")
    assert done.exit_code == 2
    assert "5 | count = 0  # none\n  |         ^\n" in done.stderr
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    "words",
    [
        *(["plan.toml"], ["digest"], ["digest", "a", "b"], ["row"], ["merge"], ["check"], ["merge", "a"]),
        *(["digest", "a", "-o", "b"], ["plan.toml", "b", "-o", "c"], ["none.toml", "-o", "r"], ["check", "none"]),
        *(["row", "x"], ["row", "deals"], ["row", "deals,seed=1"], ["row", "games,seed=1,question=deal,budget=1"]),
        ["row", "deals,seed=1,rules=en-9,variant=first,players=2,question=winnable,budget=1"],
        ["row", "deals,seed=1,rules=en-2,variant=first,players=9,question=winnable,budget=1"],
        ["row", "games,seed=1,rules=en-2,variant=first,players=2,question=result,budget=1"],
        ["row", "collection,file=none.cgn,game=1,record=0,question=verdict,budget=1"],
        ["row", "collection,file=a%00b,game=1,record=0,question=verdict,budget=1"],
        ["row", "collection,file=pipe,game=1,record=0,question=verdict,budget=1"],
        ["row", "deals,source=deals,seed=3,rules=en-2,variant=first,players=2,question=winnable,turn=0,budget=1"],
        ["row", "deals,seed=3,seed=4,rules=en-2,variant=first,players=2,question=winnable,turn=0,budget=1"],
    ],
    ids=" ".join,
)
def test_wrong_words_are_refused(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    done = couperation("study", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "rror: " in done.stderr


def test_what_the_extra_brings_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A row alone can be made again without it."""
    monkeypatch.setattr("couperation_formal.cli.commands.study.find_spec", lambda _name: None)
    done = couperation("study", "digest", tmp_path)
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["study"]
    assert done.exit_code == 2
    assert all(f"'{each}'" in done.stderr for each in extra)
    row = "deals,seed=1,rules=en-2,variant=first,players=2,question=winnable,under=en-2,turn=0,budget=0"
    assert "; answer: undetermined\n" in couperation("study", "row", row).stdout
