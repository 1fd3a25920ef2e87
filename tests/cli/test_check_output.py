"""What `check` can leave out, count, and write for other programs."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.run import BROKEN, LEGAL, MALFORMED, UNDETERMINED, couperation, on_a_terminal, process

ALL = "\n".join((LEGAL, BROKEN, MALFORMED, UNDETERMINED))


def test_quiet_tells_only_what_is_not_legal() -> None:
    legal = couperation("check", "-", "--quiet", stdin=LEGAL.replace("[Pl", '[Rules "en-2"]\n[Pl') * 2)
    assert (legal.exit_code, legal.stdout) == (0, "")
    told = couperation("check", "-", "-q", stdin=ALL)
    assert told.exit_code == 2
    assert "error[TOW02]" in told.stdout
    assert "games:" not in told.output


def test_exit_zero_forgives_broken_rules_only() -> None:
    assert couperation("check", "-", "--exit-zero", stdin=BROKEN).exit_code == 0
    assert couperation("check", "-", "--exit-zero", stdin=MALFORMED).exit_code == 2
    assert couperation("check", "-", "--exit-zero", "--engine", "plain", stdin=UNDETERMINED).exit_code == 3


def test_statistics_count_verdicts_and_clauses() -> None:
    text = "\n".join((ALL, BROKEN))
    told = couperation("check", "-", "--statistics", "--engine", "plain", stdin=text)
    assert told.exit_code == 2
    assert told.stdout.splitlines() == [
        "2  TOW02  A card lies between its two supports",
        "1  CGN    The text is CGN",
        "5 games: 1 legal, 2 illegal, 1 undetermined, 1 malformed",
    ]
    data = json.loads(
        couperation("check", "-", "--statistics", "--engine", "plain", "--output-format", "json", stdin=text).stdout
    )
    assert data["verdicts"] == {"legal": 1, "illegal": 2, "malformed": 1, "undetermined": 1}
    assert data["clauses"] == {"TOW02": 2, "CGN": 1}
    assert couperation("check", "-", "--statistics", "--output-format", "csv", stdin=text).exit_code == 2


def test_a_table_of_csv_has_a_row_for_each_game(tmp_path: Path) -> None:
    (tmp_path / "all.cgn").write_text(ALL, encoding="utf-8")
    result = couperation("check", tmp_path, tmp_path / "none.cgn", "--engine", "plain", "--output-format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["verdict"] for row in rows] == ["legal", "illegal", "malformed", "undetermined", "malformed"]
    assert [rows[1][name] for name in ("turn", "clause", "line", "column")] == ["2", "TOW02", "14", "8"]
    assert rows[1]["message"].startswith("9 on f2 cannot lie between")


def test_a_row_of_csv_names_the_clauses_of_the_notes() -> None:
    """The sum is right, and 27 is not in the Reserve: with it, it holds one card too many."""
    text = LEGAL.replace("deal Ben 22 9 3", "deal Ben 18 20 45") + "2. Ben D 45-18=27@h1\n"
    told = json.loads(couperation("check", "-", "--output-format", "json", stdin=text).stdout)
    row = next(csv.DictReader(io.StringIO(couperation("check", "-", "--output-format", "csv", stdin=text).stdout)))
    notes = [each["code"] for each in told["diagnostics"] if each["severity"] == "note"]
    assert notes
    assert [row["clause"], *row["notes"].split()] == [told["codes"][0], *notes]


def test_no_field_of_csv_is_a_formula() -> None:
    named = LEGAL.replace("Aki Ben", "Aki =Ben").replace("deal Ben", "deal =Ben") + "2. =Ben A 9@f2\n"
    for text in (named, LEGAL.replace("17@f1", "=1@f1")):
        out = couperation("check", "-", "--output-format", "csv", stdin=text).stdout
        row = next(csv.DictReader(io.StringIO(out)))
        assert not any(field.startswith(("=", "+", "@")) for field in row.values())


def test_junit_has_a_case_for_each_game(tmp_path: Path) -> None:
    odd = tmp_path / 'a&b"<\x01.cgn'
    odd.write_text(ALL.replace("51@f1", "5]]>\x02@f1"), encoding="utf-8")
    result = couperation("check", odd, "--engine", "plain", "--output-format", "junit")
    assert result.exit_code == 2
    suite = ElementTree.fromstring(result.stdout).find("testsuite")
    assert suite is not None
    cases = suite.findall("testcase")
    assert [[child.tag for child in case] for case in cases] == [[], ["failure"], ["error"], ["error"]]
    failure = cases[1][0]
    assert failure.attrib["type"] == "TOW02"
    assert "hangs on" not in failure.attrib["message"]
    assert 'a&b"<' in cases[0].attrib["classname"]


@pytest.mark.parametrize(("words", "coloured"), [([], True), (["--color", "never"], False)])
def test_colours_are_as_they_are_asked_for(words: list[str], coloured: bool, tmp_path: Path) -> None:
    (tmp_path / "x.cgn").write_text(BROKEN, encoding="utf-8")
    _, shown = on_a_terminal("check", "x.cgn", *words, cwd=tmp_path)
    assert ("\x1b[" in shown) is coloured
    always = couperation("check", tmp_path / "x.cgn", "--color", "always").stdout
    assert "\x1b[" in always
    assert "\x1b[" not in couperation("check", tmp_path / "x.cgn").stdout


def test_sarif_tells_where_more_stands_and_what_a_finding_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.cgn").write_text(BROKEN, encoding="utf-8")
    run = json.loads(couperation("check", tmp_path / "x.cgn", "--output-format", "sarif").stdout)["runs"][0]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert rules["TOW02"]["name"] == "ACardLiesBetweenItsTwoSupports"
    assert rules["TOW02"]["helpUri"].endswith("spec/clauses/tower.md#tow02--a-card-lies-between-its-two-supports")
    found = next(each for each in run["results"] if each["ruleId"] == "TOW02")
    at = found["locations"][0]["physicalLocation"]["artifactLocation"]
    assert at == {"uri": "x.cgn", "uriBaseId": "%SRCROOT%"}
    moved = "; a comment above\n" + BROKEN
    (tmp_path / "x.cgn").write_text(moved, encoding="utf-8")
    again = json.loads(couperation("check", "x.cgn", "--output-format", "sarif").stdout)["runs"][0]["results"]
    other = next(each for each in again if each["ruleId"] == "TOW02")
    assert other["partialFingerprints"] == found["partialFingerprints"]
    assert other["locations"] != found["locations"]


HANGS = Path(__file__).parents[2] / "examples" / "broken" / "hearts.cgn"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["full", "concise", "json", "sarif", "github", "csv", "junit"])
def test_every_form_tells_on_what_a_finding_hangs(form: str) -> None:
    """Where people read it: in the message that viewers and build servers show, and as data where there is a place."""
    done = process("check", HANGS, "--output-format", form)
    out = done.stdout.decode()
    assert done.returncode == 1
    if form == "json":
        found = next(each for each in json.loads(out)["diagnostics"] if each["severity"] == "error")
        assert found["rulings"] == ["hearts_below"]
    elif form == "sarif":
        result = json.loads(out)["runs"][0]["results"][0]
        assert result["properties"]["rulings"] == ["hearts_below"]
        assert result["message"]["text"].endswith(" [hangs on hearts_below]")
    elif form == "csv":
        (row,) = csv.DictReader(io.StringIO(out))
        assert row["hangs on"] == "hearts_below"
    elif form == "junit":
        failure = next(ElementTree.fromstring(out).iter("failure"))
        assert failure.attrib["message"].endswith(" [hangs on hearts_below]")
        assert (failure.text or "").endswith(" [hangs on hearts_below]")
    else:
        told = "= hangs on hearts_below=" if form == "full" else " [hangs on hearts_below]\n"
        assert told in out


def test_one_game_is_counted_too() -> None:
    told = couperation("check", "-", "--statistics", stdin=LEGAL)
    assert told.stdout == "1 game: 1 legal\n"
    assert couperation("check", "-", "--statistics", "--quiet", stdin=LEGAL).stdout == ""
