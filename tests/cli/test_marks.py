"""`--marks FILE`: an owner writes the marks of a copy once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import couperation_formal as cf
from tests.cli.run import UNNOTED, couperation, objects, process

OWN = "; my copy\n1:1 2:2 3:H\n17:2 30:H   ; these two\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "game.cgn"
    file.write_text(UNNOTED, encoding="utf-8")
    return file


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "own.txt"
    file.write_text(OWN, encoding="utf-8")
    return file


@pytest.mark.slow
def test_the_owner_settles_it(game: Path, own: Path) -> None:
    (data,) = objects(couperation("dispute", "--at", "2", "--marks", own, game, "--output-format", "json"))
    assert data["rulebooks"]["ja-2.2"]["verdict"] == "legal"
    assert data["provided"] is None or data["provided"]["terms"] == [[]]
    own.write_text(OWN.replace("17:2", "17:1"), encoding="utf-8")
    done = couperation("check", "--marks", own, game)
    assert done.exit_code == 1
    assert "17 on f1 bears one diamond" in done.stdout


def test_the_records_own_tag_stands_and_both_places_are_told(game: Path, own: Path) -> None:
    game.write_text(UNNOTED.replace('Bo"]', 'Bo"]\n[Marks "30:H 17:1"]'), encoding="utf-8")
    (data,) = objects(couperation("check", "--marks", own, game, "--output-format", "json"))
    (warning,) = [found for found in data["diagnostics"] if found["severity"] == "warning"]
    assert (data["verdict"], data["codes"]) == ("illegal", ["DRW02"])
    assert (warning["line"], warning["column"], warning["end_column"]) == (3, 14, 18)
    assert f"17 bears one diamond here and two diamonds in {own}:3:1" in warning["message"]
    for command in ("dispute", "infer", "complete", "deadlock"):
        said = couperation(command, "--marks", own, game, "--budget", "2000").stderr
        assert f"{game}:3:14: warning: 17 bears one diamond here" in said, command


def test_the_world_bears_the_marks(game: Path, own: Path) -> None:
    done = couperation("check", "--world", "--marks", own, game)
    assert '[Marks "1:1 2:2 3:H 17:2 30:H"]' in done.stdout


@pytest.mark.slow
def test_a_certificate_bears_the_marks(game: Path, own: Path, tmp_path: Path) -> None:
    assert couperation("check", "--marks", own, game, "--certificate", tmp_path / "yes.json").exit_code == 0
    own.write_text(OWN.replace("17:2", "17:1"), encoding="utf-8")
    assert couperation("check", "--marks", own, game, "--certificate", tmp_path / "no.json").exit_code == 1


@pytest.mark.parametrize(
    "text, place",
    [
        ("17:2 18:3\n", "1:6: 18:3 is no mark"),
        ("; x\n\n 17\n", "3:2: 17 is no mark"),
        ("51:H\n", "1:1: 51:H is no mark"),
        ("17:2\n1:1 17:2\n", "2:5: card 17 has a mark already"),
        ('[Marks "17:2"]\n', "1:1: [Marks is no mark"),
        ("; nothing\n", "1:1: no marks stand here"),
        ("", "1:1: no marks stand here"),
        ("17:2\x1b[31m\n", "1:1: "),
    ],
)
def test_what_is_no_mark_is_refused_at_its_place(text: str, place: str, game: Path, own: Path) -> None:
    own.write_text(text, encoding="utf-8")
    done = couperation("check", "--marks", own, game)
    assert done.exit_code == 2
    assert f"{own}:{place}" in done.stderr
    assert "\x1b" not in done.stderr


def test_hostile_files(game: Path, own: Path, tmp_path: Path) -> None:
    own.write_bytes(b"17:2 \xff\xfe\n")
    done = process("dispute", "--marks", own, game)
    assert (done.returncode, f"{own}:1:6: this is no UTF-8".encode() in done.stderr) == (2, True)
    own.write_bytes(b" " * 70_000)
    assert "has 65536 bytes at most" in couperation("dispute", "--marks", own, game).stderr
    os.mkfifo(tmp_path / "pipe")
    assert b"a list of marks is a file; this is none" in process("dispute", "--marks", tmp_path / "pipe", game).stderr
    for path in (tmp_path, tmp_path / "none.txt"):
        refused = couperation("check", "--marks", path, game)
        assert (refused.exit_code, "cannot read" in refused.stderr) == (2, True)


def test_windows_line_ends_and_a_byte_order_mark(own: Path) -> None:
    marks = cf.read_marks(own).marks
    own.write_bytes(b"\xef\xbb\xbf" + OWN.replace("\n", "\r\n").encode())
    assert cf.read_marks(own).marks == marks


def test_marks_are_not_written_over(game: Path, own: Path) -> None:
    done = process("report", game, "--marks", own, "-o", own)
    assert done.returncode == 2
    assert own.read_text(encoding="utf-8") == OWN


def test_the_library_reads_them(game: Path, own: Path) -> None:
    (item,) = cf.read(game)
    assert isinstance(item, cf.Game)
    marks = cf.read_marks(own)
    assert cf.check(item, marks=marks).verdict == "legal"
    assert cf.dispute(item, at=2, marks=marks).decisive == ()
    own.write_text("17;2", encoding="utf-8")
    with pytest.raises(cf.MarksError, match="write value:mark"):
        cf.read_marks(own)


def test_one_table_is_looked_at_with_the_marks_of_the_copy(tmp_path: Path) -> None:
    own = tmp_path / "mine.txt"
    own.write_text("17:2\n", encoding="utf-8")
    game = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\n1. Aki A 17@f1\n'
    assert "may draw up to 2 (DRW02" in couperation("show", "-", "--marks", str(own), stdin=game).stdout
    assert "may draw up to 2, as far as is known (DRW02" in couperation("show", "-", stdin=game).stdout
    assert '[Marks "17:2"]' in couperation("position", "-", "--marks", str(own), stdin=game).stdout
    clash = game.replace("\n", '\n[Marks "17:1"]\n', 1)
    for command in (("show",), ("position",), ("moves", "--at", "2")):
        told = couperation(*command, "-", "--marks", str(own), stdin=clash)
        assert told.exit_code == 0
        assert told.stderr.startswith("-:2:9: warning: ")
