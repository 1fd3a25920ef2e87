"""Whole outputs as they were reviewed: one record of each kind, in each form for people.

`pytest --update-goldens` writes them anew, to be reviewed as a diff.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from couperation_formal.game.fact import Fact, fact, named
from couperation_formal.game.tower import Cell
from couperation_formal.notation.read import read
from couperation_formal.output.blocks import plain
from couperation_formal.output.formats import concise, github
from couperation_formal.output.report import Report
from couperation_formal.questions.records.check import check, report_blocks, summary
from couperation_formal.words.say import ENGLISH, say

GOLDEN = Path(__file__).parent / "golden"
RECORDS = sorted(GOLDEN.glob("*.cgn"))

FORMS: dict[str, Callable[[Report], str]] = {
    "full": lambda report: plain([report_blocks(report)], ENGLISH),
    "concise": lambda report: "".join(f"{line}\n" for line in concise(report)),
    "github": lambda report: "".join(f"{line}\n" for line in github(report)),
}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_output_is_as_reviewed(
    record: Path, form: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(GOLDEN)
    text = "".join(FORMS[form](check(item)) for item in read(record.name))
    golden = record.with_suffix(f".{form}.txt")
    if request.config.getoption("--update-goldens"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_there_are_records_and_no_stray_goldens() -> None:
    assert len(RECORDS) >= 8
    wanted = {record.with_suffix(f".{form}.txt") for record in RECORDS for form in FORMS}
    assert set(GOLDEN.glob("*.txt")) == wanted


@pytest.mark.parametrize(
    "verdicts, text",
    [
        ({"legal": 17, "illegal": 31}, "48 games: 17 legal, 31 illegal"),
        ({"malformed": 1, "undetermined": 2, "legal": 0}, "3 games: 2 undetermined, 1 malformed"),
        ({"legal": 1}, "1 game: 1 legal"),
        ({}, "0 games: none"),
    ],
)
def test_summary(verdicts: dict[str, int], text: str) -> None:
    assert say(summary(verdicts), ENGLISH) == text


def test_workflow_commands_escape_what_would_end_them(tmp_path: Path) -> None:
    file = tmp_path / "50%,a:b\n.cgn"
    file.write_bytes(b"\xef\xbb\xbfnothing % here")
    (line,) = (line for item in read(file) for line in github(check(item)))
    properties, _, message = line.removeprefix("::error ").partition("::")
    assert "50%25%2Ca%3Ab%0A.cgn" in properties
    assert "\n" not in line
    assert message


def test_a_cell_is_told_by_its_name_where_a_players_name_has_a_blank(tmp_path: Path) -> None:
    record = tmp_path / "hearts.cgn"
    hearts = Path(__file__).resolve().parents[2] / "examples" / "broken" / "hearts.cgn"
    record.write_text(hearts.read_text(encoding="utf-8").replace("Ida", "Anna_Maria"), encoding="utf-8")
    (item,) = read(str(record))
    assert "21 on f2 bears a heart" in " ".join(FORMS["full"](check(item)).split())


def test_names_are_spoken_in_the_values_of_a_fact_and_in_those_of_facts_within() -> None:
    within = fact("drawn_more", {"so_many": 1}, drawn=("so_many", Cell(5, 2)))
    told = named(fact("dealt", player="so_many", again=within), ["so_many"])
    values = dict(told.beside)
    again = values["again"]
    assert values["player"] == "so many"
    assert isinstance(again, Fact)
    assert dict(again.numbers) == {"so_many": 1}
    assert dict(again.beside)["drawn"] == ("so many", Cell(5, 2))
