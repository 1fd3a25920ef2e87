"""Rows: what each question answers, the id from which a row is made again, and the check of what is kept."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from couperation_checker import check_object

import couperation_formal as cf
from couperation_formal.game.fact import Unfit
from couperation_formal.game.replay import replay
from couperation_formal.questions.studies import rows
from couperation_formal.questions.studies.results import COLUMNS, Results
from couperation_formal.questions.studies.rows import SOURCES, Asked, Plan, Row, Unit, asked_of
from tests.cli.run import BROKEN, LEGAL, MALFORMED, POSITION, couperation
from tests.kit.started import ROOT
from tests.questions.studies.plans import made, written

ALL = Plan(
    study="all", source="games", questions=SOURCES["games"], rulebooks=("en-2 spread=adjacent",), budget=20_000,
    variants=("finish",), policies=("random",), under=("bgg",), turns=(0, 5, 400),
)  # fmt: skip


@pytest.fixture(scope="module")
def listed() -> list[Row]:
    return [*rows.rows(ALL, Unit(4))]


def of(listed: list[Row], question: str) -> list[Row]:
    return [row for row in listed if row.question == question]


@pytest.mark.slow
def test_every_answer_is_that_of_the_command(listed: list[Row]) -> None:
    """The functions that the commands print, asked for the same game."""
    game = cf.sample_game(2, "finish", "en-2 spread=adjacent", seed=4, policy="random")
    own, other = of(listed, "verdict")
    reports = [cf.check(game), cf.check(game, "bgg")]
    assert [(row.answer, row.number) for row in (own, other)] == [(each.verdict, each.turn) for each in reports]
    assert (own.under, other.under) == ("en-2 spread=adjacent", "bgg")
    assert [row.answer for row in of(listed, "result")] == [game.result]
    assert [row.number for row in of(listed, "length")] == [len(game.turns)]
    last = cf.state_after(game)
    assert [row.number for row in of(listed, "left")] == [51 - len(last.tower.cells) - last.gone.size]
    tower, table = cf.deadlock(game, level="tower"), cf.deadlock(game, budget=20_000)
    assert [(row.answer, row.number) for row in of(listed, "tower")] == [(tower.data().verdict, tower.data().turn)]
    assert [(row.answer, row.number) for row in of(listed, "table")] == [(table.data().verdict, table.data().turn)]
    alive = [cf.complete(game, turn, budget=20_000).data() for turn in (0, 5)]
    assert [row.answer for row in of(listed, "winnable")] == [*(each.verdict for each in alive), "over"]
    (decides,), settled = of(listed, "decides"), cf.dispute(game, budget=20_000)
    assert decides.answer == (" ".join(settled.decisive) if settled.settled else "undetermined")


def test_turns_that_break_other_rules_are_counted() -> None:
    """Those that a check finds when each turn before stands as it was played; first rules against the others."""
    grid = Plan(study="b", source="games", questions=("breaks",), rulebooks=("ja-2.2", "bgg", "ja-2.2 adjust=uniform"))
    listed = [*rows.rows(grid, Unit(2))]
    assert [row.rules for row in listed] == ["ja-2.2", "ja-2.2", "bgg", "ja-2.2 adjust=uniform"]
    assert [row.under for row in listed] == ["bgg", "ja-2.2 adjust=uniform", "ja-2.2", "ja-2.2"]
    for row in listed:
        record = cf.sample_game(2, rules=row.rules, seed=2)
        broken = set[int]()
        for turn in range(1, len(record.turns) + 1):
            found = replay(record, cf.parse_rules(row.under).rulings, since=turn)
            broken |= {found.illegal} if found.illegal == turn else set()
        assert row.number == len(broken)
    assert sum(row.number or 0 for row in listed)


@pytest.mark.slow
def test_minimal_deadlocks_are_counted_as_the_command_counts_them() -> None:
    plan = Plan(study="m", source="deadlocks", questions=("minimal",), rulebooks=("en-1", "bgg"), count=3)
    counted = {(row.rules, row.seed): row for seed in plan.seeds(0) for row in rows.rows(plan, Unit(seed))}
    for rules in plan.rulebooks:
        told = couperation("deadlocks", "--max-cards", "3", "--count", "--rules", rules).stdout
        lines = [tuple(map(int, re.findall(r"\d+", line))) for line in told.splitlines()]
        assert [(seed, counted[rules, seed].number) for seed in range(1, 4)] == lines[1:]
    done = couperation("study", "row", counted["bgg", 1].id)
    proofs = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert [proof["claim"] for proof in proofs] == ["tower-deadlocked"] * 2
    assert all(check_object(proof).status == "accepted" for proof in proofs)


@pytest.mark.slow
def test_every_row_can_be_made_again_from_its_id(listed: list[Row]) -> None:
    assert len({row.id for row in listed}) == len(listed) == 11
    for row in listed:
        asked = asked_of(row.id)
        item = rows.made(asked)
        again = rows.row(ALL, asked, item, rows.answer(asked, item))
        assert (again.id, rows.told(again)) == (row.id, rows.told(row))


def test_an_id_keeps_every_text() -> None:
    asked = Asked(
        source="collection", file="a b/c,d=e%+é.cgn", game=2, record="0" * 32, rules="en-2 spread=adjacent",
        question="winnable", under="bgg", turn=0, budget=0,
    )  # fmt: skip
    assert asked_of(asked.id) == asked
    assert not {*asked.id} & {*" \t\n'\"&;$"}
    assert asked_of(msgspec.structs.replace(asked, turn=None).id).turn is None


@pytest.mark.parametrize("given", ["", "x", "deals,seed=x", "games,seed=1", "deals,seed=1,no=1", "deals,seed=-1,,"])
def test_what_is_no_id_is_refused(given: str) -> None:
    with pytest.raises(Unfit):
        asked_of(given)


def test_a_budget_that_ends_is_a_row() -> None:
    (row,) = rows.rows(Plan(study="s", source="deals", questions=("winnable",), rulebooks=("en-2",), budget=3), Unit(1))
    assert (row.answer, row.evidence, row.certificate, row.work) == ("undetermined", "", "", 3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of games of every kind, and a plan that asks about them."""
    (tmp_path / "games").mkdir()
    for name, text in (("a", LEGAL + "\n" + BROKEN), ("b", MALFORMED + "\n" + POSITION), ("c", "no game")):
        (tmp_path / "games" / f"{name}.cgn").write_text(text, "utf-8")
    text = 'study = "c"\nsource = "collection"\nfiles = ["games"]\nquestions = ["verdict", "length", "winnable"]\n'
    written(tmp_path, text + "part = 2\nbudget = 1000\n")
    return tmp_path


def test_a_collection_is_read_once_and_asked_as_it_stood(folder: Path) -> None:
    """Its games stand in the results, whatever becomes of the files; a part is so many of them."""
    from couperation_formal.cli.commands.study import _games
    from couperation_formal.questions.studies.rows import read_plan

    path = folder / "plan.toml"
    plan = read_plan(path)
    results = Results(folder / "r", plan, _games(path, plan))
    (folder / "games" / "b.cgn").write_text(LEGAL, "utf-8")
    assert [len(results.units(part)) for part in results.wanted] == [2, 2, 1]
    listed = [row for part in results.wanted for unit in results.units(part) for row in rows.rows(plan, unit)]
    answers = [[row.answer for row in listed[at : at + 3]] for at in range(0, 15, 3)]
    assert answers[:2] == [["legal", "1", "undetermined"], ["illegal", "1", "undetermined"]]
    assert answers[2:] == [["malformed"] * 3, ["malformed", "refused", "refused"], ["malformed"] * 3]
    assert listed[0].rules == listed[0].under == "ja-2.2"
    assert (listed[0].variant, listed[0].players, listed[3].number) == ("first", 2, 2)
    assert [Path(row.file or "").name for row in listed[::3]] == ["a.cgn", "a.cgn", "b.cgn", "b.cgn", "c.cgn"]
    for part in results.wanted:
        results.put(part, listed[part * 6 : part * 6 + 6])
    same = couperation("study", "row", listed[3].id, results.folder)
    assert (same.exit_code, "; answer: illegal\n" in same.stdout, same.stderr) == (0, True, "")
    assert couperation("study", "row", listed[3].id).exit_code == 0
    other = couperation("study", "row", listed[9].id)
    told = f"error: game 2 of {folder / 'games' / 'b.cgn'} is not the one that was asked about\n"
    assert (other.exit_code, other.stderr) == (2, told)
    checked = couperation("study", "check", results.folder, "--share", "1")
    assert checked.exit_code == 0
    assert checked.stdout.startswith("15 of 15 rows (100.0%) made again; certificates: 2 accepted")


def test_a_row_is_made_again_with_its_game_and_certificate(tmp_path: Path) -> None:
    results = made(tmp_path, parts=1)
    (row, *_) = results.rows(0)
    done = couperation("study", "row", row.id, results.folder)
    assert done.exit_code == 0
    text, _, rest = done.stdout.partition("\n\n; source: ")
    assert cf.check(next(cf.read_text(text))).verdict == row.answer == "legal"
    certificate = msgspec.json.decode(rest.splitlines()[-1])
    assert certificate["claim"] == "record-legal"
    assert f"; certificate: {row.certificate}\n" in rest
    none = couperation("study", "row", row.id.replace("seed=1", "seed=6"), results.folder)
    assert (none.exit_code, none.stderr) == (2, f"error: there is no such row in {results.folder}\n")


def test_a_row_that_says_something_else_is_told(tmp_path: Path) -> None:
    """With the version that made it; so it is where rows are checked."""
    results = made(tmp_path, parts=1)
    (row, *others) = results.rows(0)
    results.put(0, [msgspec.structs.replace(row, answer="illegal", number=3, version="0.1.0"), *others])
    folder = str(results.folder)
    for words in (["row", row.id, folder], ["check", folder, "--share", "1"]):
        done = couperation("study", *words)
        assert done.exit_code == 1
        told = f"is another row now, in answer, number; it was made by version 0.1.0, and this is {cf.__version__}\n"
        assert done.stderr == f"error: {row.id} {told}"


def test_the_checker_rejects_what_is_no_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results, plain = made(tmp_path, parts=1), rows.answer

    def forged(asked: Asked, item: cf.Item) -> rows.Answered:
        found = plain(asked, item)
        proofs = [{**proof, "claim": "illegal"} for proof in found.certificates() if isinstance(proof, dict)]
        return found._replace(certificates=lambda: proofs)

    monkeypatch.setattr(rows, "answer", forged)
    done = couperation("study", "check", results.folder, "--share", "1")
    assert done.exit_code == 70
    assert "0 accepted" in done.stdout
    assert "the independent checker rejects this answer" in done.stderr


@pytest.mark.slow
def test_another_seed_checks_other_rows(tmp_path: Path) -> None:
    folder = made(tmp_path, parts=1).folder
    told = {couperation("study", "check", folder, "--share", "0.4", "--seed", seed).stdout for seed in "123"}
    assert len(told) > 1
    assert all(each.split()[2] == "6" for each in told)


def test_every_column_is_documented() -> None:
    """With its type, in its order; `?` where a row may have none."""
    text = (ROOT / "docs" / "reference" / "study.md").read_text("utf-8")
    table = text.partition("| column | type | what it holds |")[2].partition("\n\n")[0]
    said = [[part.strip(" `") for part in line.split("|")[1:3]] for line in table.splitlines()[2:]]
    names = {pa.string(): "text", pa.int64(): "number", pa.float64(): "seconds"}
    assert said == [[each.name, names[each.type] + "?" * each.nullable] for each in COLUMNS]
    assert "format 1" in text


def test_a_part_is_a_file_for_everybody(tmp_path: Path) -> None:
    results = made(tmp_path, parts=1)
    table = pq.read_table(Path(results.folder) / "parts" / "000000.parquet")
    assert table.schema.equals(COLUMNS)
    assert table.num_rows == 6
