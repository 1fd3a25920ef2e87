"""`couperation deadlocks`: what it prints, keeps and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from couperation_checker import check_object
from jsonschema import Draft202012Validator

from couperation_formal.cli.commands import tables as module
from couperation_formal.questions.schemas import schema
from tests.cli.run import couperation, objects, process
from tests.conftest import LONG, some

pytestmark = pytest.mark.slow

MOST = 2 if LONG else 1
"""Cards besides the 25 where each number of them asks the same."""


def run(*arguments: object) -> str:
    result = couperation("deadlocks", *map(str, arguments))
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_for_people() -> None:
    lines = run("--max-cards", 1).splitlines()
    assert lines == [
        "25@g1 24@f1",
        "    f2 must hold a number between 24 and 25, and none is left",
        "25@g1 26@h1",
        "    g2 must hold a number between 25 and 26, and none is left",
        "",
        "0 cards         0",
        "1 card          2",
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--max-cards", 2),
        ("--max-cards", 1, "--rules", "en-2 facedown=ignored", "--gone", 1),
        ("--max-cards", MOST, "--variant", "finish", "--gone", 1, "--rules", "bgg finish_value=none"),
        ("--max-cards", 4, "--levels", 3, "--cards", 9, "--anchor", 5),
    ],
)
def test_every_line_of_json_is_valid_and_they_are_counted(arguments: tuple[object, ...]) -> None:
    lines = objects(couperation("deadlocks", *map(str, arguments), "--output-format", "json"))
    validator = Draft202012Validator(schema("deadlocks"))
    *found, last = lines
    for line in (*some(found, 10), last):
        validator.validate(line)
    assert found
    assert last["listed"] is True
    assert sum(last["counts"].values()) == len(found)
    sizes = [each["cards"] for each in found]
    assert sizes == sorted(sizes)
    assert {size: sizes.count(int(size)) for size in map(int, last["counts"])} == {
        int(size): count for size, count in last["counts"].items()
    }
    assert len({(each["tower"], tuple(each["gone"])) for each in found}) == len(found)
    assert all(len(each["tower"].split()) == each["cards"] + 1 for each in found)


@pytest.mark.parametrize("arguments", [("--max-cards", "3", "--count"), ("--max-cards", "2", "--rules", "en-2")])
def test_the_same_question_gives_the_same_bytes(arguments: tuple[str, ...]) -> None:
    """In this process and in another one, in which texts and sets come in other orders."""
    here = run(*arguments)
    assert here
    for seed in some(("1", "2"), 2):
        other = process("deadlocks", *arguments, environment={"PYTHONHASHSEED": seed})
        assert (other.returncode, other.stdout.decode()) == (0, here)


def test_only_counting() -> None:
    (line,) = objects(couperation("deadlocks", "--max-cards", "3", "--count", "--output-format", "json"))
    assert line == {"counts": {"0": 0, "1": 2, "2": 139, "3": 548}, "listed": False, "format": 1}


def test_beyond_the_limit_a_size_is_counted_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LISTED", 100)
    *found, last = objects(couperation("deadlocks", "--max-cards", "2", "--output-format", "json"))
    assert [each["cards"] for each in found] == [1, 1]
    assert last == {"counts": {"0": 0, "1": 2, "2": 139}, "listed": False, "format": 1}


@pytest.mark.parametrize("cut", [0, 20, 500, 800, 100_000])
def test_an_interrupted_run_goes_on(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "parts.jsonl"
    plain = ("--rules", "en-2", "--output-format", "json", "--no-verify")
    expected = run("--max-cards", 2, *plain)
    assert run("--max-cards", 1, *plain, "--resume", file).count("\n") == 41
    whole = file.read_bytes()
    assert len(whole.splitlines()) == 1 + 1 + 6
    file.write_bytes(whole[:cut])
    assert run("--max-cards", 2, *plain, "--resume", file) == expected
    assert file.read_bytes().startswith(whole)
    assert len(file.read_bytes().splitlines()) == 1 + 1 + 6 + 17


def test_finished_parts_are_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "parts.jsonl"
    expected = run("--max-cards", MOST, "--resume", file)
    monkeypatch.setattr("couperation_formal.towers.completion.deadlocks.deadlocks", None)
    assert run("--max-cards", MOST, "--resume", file) == expected


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "another enumeration"),
        (b"something else\n", "another enumeration"),
        ("line", "a line of it is no finished shape"),
    ],
)
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: object, reason: str) -> None:
    file = tmp_path / "parts.jsonl"
    run("--max-cards", 1, "--resume", file, *(("--rules", "en-2") if content is None else ()))
    if isinstance(content, bytes):
        file.write_bytes(content)
    elif content == "line":
        file.write_bytes(file.read_bytes() + b"{}\n")
    before = file.read_bytes()
    result = couperation("deadlocks", "--max-cards", "1", "--resume", str(file))
    assert result.exit_code == 2
    assert reason in result.stderr
    assert file.read_bytes() == before


def test_certificates_are_accepted(tmp_path: Path) -> None:
    out = tmp_path / "certificates.json"
    run("--max-cards", 2, "--certificate", out, "--count", "--force")
    assert json.loads(out.read_text()) == []
    result = couperation("deadlocks", "--max-cards", "2", "--certificate", str(out), "--force", "--rules", "en-2")
    certificates = json.loads(out.read_text())
    assert len(certificates) == 346
    assert result.stderr == ""
    for certificate in certificates:
        assert certificate["claim"] == "tower-deadlocked"
        assert check_object(certificate).status == "accepted"


def test_only_the_first_certificates_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CERTIFICATES", 7)
    out = tmp_path / "certificates.json"
    result = couperation("deadlocks", "--max-cards", "2", "--certificate", str(out))
    assert len(json.loads(out.read_text())) == 7
    assert "certificates of the first 7 of 141 deadlocks only" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--max-cards", "28"), "28 is not in the range"),
        (("--max-cards", "1", "--gone", "3"), "3 is not in the range"),
        (("--max-cards", "1", "--rules", "xx"), "there is no rulebook 'xx'"),
        (("--max-cards", "1", "--levels", "4", "--cards", "9"), "are no board"),
        (("--max-cards", "1", "--cards", "30", "--anchor", "31"), "are no board"),
        (("--max-cards", "1", "--cards", "40", "--certificate", "x.json"), "the printed board only"),
        (("--max-cards", "1", "--resume", "no/such/folder/x"), "cannot use no/such/folder/x"),
        ((), "--max-cards"),
    ],
)
def test_refusals(arguments: tuple[str, ...], reason: str) -> None:
    result = couperation("deadlocks", *arguments)
    assert result.exit_code == 2
    assert reason in result.stderr


def test_a_certificate_file_is_not_replaced_unasked(tmp_path: Path) -> None:
    out = tmp_path / "kept.json"
    out.write_text("mine")
    result = couperation("deadlocks", "--max-cards", "1", "--certificate", str(out))
    assert (result.exit_code, out.read_text()) == (2, "mine")
