"""The configuration of a folder: what it sets, that it is named, and what it cannot do."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.run import BROKEN, POSITION, couperation, objects

HEARTS = """\
[CGN "1"]
[Players "Ida Jon"]
[Marks "17:1 9:H 21:H"]
deal Ida 17 30 44
deal Jon 21 22 9
reserve 1 50 12 33 40 7
1. Ida A 17@f1
2. Jon +3 A 21@f2
3. Ida +14 A 30@h1
"""
"""What a heart over the 25 allows: the texts differ."""

UNNOTED = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Ben 30 9 3\n1. Aki A 17@f1\n2. Ben +6,10 A 30@h1 drop 3\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "couperation.toml").write_text('rules = "en-2"\nmarks = "mine.txt"\n', encoding="utf-8")
    (tmp_path / "mine.txt").write_text("17:1\n", encoding="utf-8")
    inner = tmp_path / "games" / "friday"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    return tmp_path


def checked(text: str, *arguments: str) -> dict[str, object]:
    (data,) = objects(couperation("check", "-", "--output-format", "json", *arguments, stdin=text))
    return data


def test_a_record_that_names_no_rules_is_judged_by_the_configured_ones(folder: Path) -> None:
    data = checked(BROKEN)
    assert (data["rules"], data["configuration"]) == ("en-2", "../../couperation.toml")
    assert not [found for found in data["diagnostics"] if found["severity"] == "warning"]  # type: ignore[attr-defined]
    own = checked(BROKEN.replace('[CGN "1"]', '[CGN "1"]\n[Rules "bgg"]'))
    assert own["rules"] == "bgg"
    assert checked(BROKEN, "--rules", "en-1")["rules"] == "en-1"
    alone = checked(BROKEN, "--isolated")
    assert (alone["rules"], "configuration" in alone) == ("ja-2.2", False)
    assert (
        couperation("--isolated", "check", "-", stdin=BROKEN).stdout
        == couperation("check", "--isolated", "-", stdin=BROKEN).stdout
    )


def test_every_command_takes_it(folder: Path) -> None:
    assert '[Rules "en-2"]' in couperation("sample", "--seed", "1").stdout
    assert '[Rules "ja-2.2"]' in couperation("sample", "--seed", "1", "--isolated").stdout
    assert '[Rules "en-2"]' in couperation("new", "--players", "Aki Ben").stdout
    assert "rules en-2" in couperation("complete", "-", "--level", "tower", stdin=POSITION).stdout
    assert "rules ja-2.2" in couperation("complete", "-", "--isolated", "--level", "tower", stdin=POSITION).stdout
    shown = couperation("position", "-", stdin=BROKEN.rpartition("2.")[0])
    assert '[Rules "en-2"]' in shown.stdout
    assert shown.stderr == "configuration: ../../couperation.toml\n"
    assert "Rules" not in couperation("fmt", "-", stdin=BROKEN).stdout
    assert couperation("dispute", "--compare", "en-1", "en-1").exit_code == 0


def test_marks_are_those_of_the_copy(folder: Path) -> None:
    assert checked(UNNOTED, "--isolated")["verdict"] == "legal"
    assert checked(UNNOTED)["codes"] == ["DRW02"]


def test_the_output_form_holds_where_a_command_has_it(folder: Path) -> None:
    (folder / "couperation.toml").write_text('output-format = "concise"\n', encoding="utf-8")
    told = couperation("check", "-", stdin=BROKEN).stdout.splitlines()
    assert told[0] == "configuration: ../../couperation.toml"
    assert told[1].startswith("-:7:8: TOW02 ")
    assert couperation("check", "-", "--output-format", "full", stdin=BROKEN).stdout.startswith("error[TOW02]")


@pytest.mark.parametrize("form", ["full", "concise", "json", "sarif", "github", "csv", "junit"])
def test_every_form_names_it(form: str, folder: Path) -> None:
    out = couperation("check", "-", "--output-format", form, stdin=BROKEN).stdout
    assert out.count("../../couperation.toml") == 1
    named = "../../couperation.toml"
    if form == "json":
        assert json.loads(out)["configuration"] == named
    elif form == "sarif":
        assert json.loads(out)["runs"][0]["properties"] == {"configuration": named}
    elif form == "csv":
        head, row = csv.reader(io.StringIO(out))
        assert dict(zip(head, row, strict=True))["configuration"] == named
    elif form == "junit":
        assert ElementTree.fromstring(out).find(".//property").attrib["value"] == named  # type: ignore[union-attr]
    assert named not in couperation("check", "-", "--isolated", "--output-format", form, stdin=BROKEN).output


def test_a_project_may_hold_it_and_the_nearest_counts(folder: Path) -> None:
    inner = folder / "games"
    (inner / "pyproject.toml").write_text('[project]\nname = "couperation"\n', encoding="utf-8")
    assert checked(BROKEN)["rules"] == "en-2"
    (inner / "pyproject.toml").write_text('[tool.couperation]\nrules = "bgg"\n', encoding="utf-8")
    assert checked(BROKEN)["rules"] == "bgg"
    (inner / "couperation.toml").write_text("", encoding="utf-8")
    data = checked(BROKEN)
    assert (data["rules"], "configuration" in data) == ("ja-2.2", False)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('rule = "en-2"', "1:1: a configuration has no setting 'rule'; did you mean rules?"),
        ('rules = "en-3"', "1:9: there is no rulebook 'en-3'; did you mean en-2?"),
        ("rules = 3", "1:9: rules is a text, not a number"),
        ('language = "fr"', "1:12: there is no language 'fr'"),
        ('output-format = "jsn"', "1:17: there is no output form 'jsn'; did you mean json?"),
        ('output = "x.txt"', "1:1: a configuration has no setting 'output'"),
        ('exit-zero = "yes"', "1:1: a configuration has no setting 'exit-zero'"),
        ('marks = "../mine.txt"', "1:9: ../mine.txt lies outside the configuration's folder"),
        ('marks = "/etc/passwd"', "1:9: /etc/passwd lies outside the configuration's folder"),
        ('rules = "../house.toml"', "1:9: ../house.toml lies outside the configuration's folder"),
        ('marks = "link.txt"', "1:9: link.txt lies outside the configuration's folder"),
        ('rules = "none.toml"', "1:9: cannot read none.toml: No such file or directory"),
        ("rules = ", "not TOML"),
    ],
)
def test_what_it_may_not_hold_is_refused_at_its_place(text: str, told: str, folder: Path) -> None:
    (folder / "games" / "couperation.toml").write_text(text + "\n", encoding="utf-8")
    (folder / "games" / "link.txt").symlink_to(folder / "mine.txt")
    result = couperation("check", "-", stdin=BROKEN)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "^" in result.stderr
    assert couperation("check", "-", "--isolated", stdin=BROKEN).exit_code == 1


def test_a_house_rulebook_lies_beside_it(folder: Path) -> None:
    (folder / "house.toml").write_text('base = "en-2"\nspread = "adjacent"\n', encoding="utf-8")
    (folder / "couperation.toml").write_text('rules = "house.toml between=inclusive"\n', encoding="utf-8")
    assert checked(BROKEN)["rules"] == f"{folder / 'house.toml'} between=inclusive"


@pytest.mark.parametrize("arguments", [("new", "--players", "2"), ("sample",), ("deadlocks", "--max-cards", "1")])
def test_it_is_named_where_a_record_is_made(arguments: tuple[str, ...], folder: Path) -> None:
    assert couperation(*arguments).output.count("configuration: ../../couperation.toml\n") == 1
    assert "configuration" not in couperation(*arguments, "--rules", "en-2").output


def test_marks_that_are_said_stand_against_it(folder: Path) -> None:
    (folder / "couperation.toml").write_text('marks = "mine.txt"\n', encoding="utf-8")
    assert "configuration" in checked(UNNOTED)
    assert "configuration" not in checked(UNNOTED, "--marks", str(folder / "mine.txt"))


def test_a_world_stays_a_record(folder: Path) -> None:
    world = couperation("check", "-", "--world", stdin=HEARTS.rpartition("2.")[0])
    assert world.stderr.startswith("configuration: ../../couperation.toml\n")
    assert couperation("check", "-", stdin=world.stdout).exit_code == 0


@pytest.mark.parametrize("form", ["concise", "github", "csv", "junit", "sarif"])
def test_a_form_without_a_place_for_what_is_asked_plays_no_part(form: str, folder: Path) -> None:
    (folder / "couperation.toml").write_text(f'output-format = "{form}"\n', encoding="utf-8")
    for flag in ("--statistics", "--world"):
        asked = couperation("check", "-", flag, stdin=HEARTS.rpartition("2.")[0])
        assert (asked.exit_code, asked.output) == (
            0,
            couperation("check", "-", flag, "--isolated", stdin=HEARTS.rpartition("2.")[0]).output,
        )
        refused = couperation("check", "-", flag, "--output-format", form, stdin=HEARTS)
        assert refused.exit_code == 2
        assert "--statistics and --world go with the forms full and json" in refused.stderr
    (folder / "couperation.toml").write_text('output-format = "json"\n', encoding="utf-8")
    assert json.loads(couperation("check", "-", "--statistics", stdin=BROKEN).stdout)["configuration"]


def test_one_that_is_named_has_to_be_one(folder: Path) -> None:
    project = folder / "pyproject.toml"
    for text in ("", '[project]\nname = "couperation"\n', "[tool.ruff]\n"):
        project.write_text(text, encoding="utf-8")
        refused = couperation("check", "-", "--config", str(project), stdin=BROKEN)
        assert refused.exit_code == 2
        assert "pyproject.toml holds no [tool.couperation]" in refused.stderr


def test_a_mark_of_the_byte_order_is_no_text_of_it(folder: Path) -> None:
    (folder / "couperation.toml").write_text('rules = "en-1"\n', encoding="utf-8-sig")
    assert checked(BROKEN)["rules"] == "en-1"
