"""`couperation report`: what it writes, and what it refuses."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.run import BROKEN, LEGAL, MALFORMED, POSITION, UNDETERMINED, couperation, process
from tests.html.pages import BROKEN as BROKEN_FILE
from tests.html.pages import LEGAL as LEGAL_FILE
from tests.html.pages import TWO


@pytest.mark.parametrize("stdin", [LEGAL, BROKEN, UNDETERMINED, MALFORMED, POSITION], ids=range(5))
def test_every_kind_of_item_makes_a_page(tmp_path: Path, stdin: str) -> None:
    out = tmp_path / "game.html"
    result = couperation("report", "-", "-o", out, stdin=stdin)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"1 game: {out}\n"
    assert out.read_text().startswith("<!doctype html>")
    assert out.stat().st_size < 500_000


def test_files_and_folders_make_one_page(tmp_path: Path) -> None:
    for file in (LEGAL_FILE, TWO, BROKEN_FILE):
        shutil.copy(file, tmp_path)
    out = tmp_path / "all.html"
    result = couperation("report", tmp_path, "-o", out)
    assert result.exit_code == 0
    assert out.read_text().count("<article") == 4


def test_the_same_games_make_the_same_page(tmp_path: Path) -> None:
    one, other = tmp_path / "1.html", tmp_path / "2.html"
    for out in (one, other):
        assert couperation("report", LEGAL_FILE, TWO, "-o", out).exit_code == 0
    assert one.read_bytes() == other.read_bytes()


def test_an_older_page_is_replaced_and_nothing_else_is(tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    assert couperation("report", LEGAL_FILE, "-o", out).exit_code == 0
    before = out.read_bytes()
    assert couperation("report", BROKEN_FILE, "-o", out).exit_code == 0
    assert out.read_bytes() != before
    out.write_text("my notes")
    result = couperation("report", LEGAL_FILE, "-o", out)
    assert (result.exit_code, result.stderr) == (2, f"error: {out} exists; --force replaces it\n")
    assert out.read_text() == "my notes"
    assert couperation("report", LEGAL_FILE, "-o", out, "--force").exit_code == 0


def test_an_input_is_never_overwritten(tmp_path: Path) -> None:
    record = tmp_path / "game.cgn"
    shutil.copy(LEGAL_FILE, record)
    page = tmp_path / "page.html"
    page.write_text("<!doctype html>")
    link = tmp_path / "link.html"
    link.symlink_to(record)
    for out, files in ((record, [record]), (link, [record]), (page, [record, page]), (record, [tmp_path])):
        result = couperation("report", *files, "-o", out, "--force")
        assert result.exit_code == 2, out
        assert "is an input; it is not overwritten" in result.stderr
    assert record.read_bytes() == LEGAL_FILE.read_bytes()


@pytest.mark.parametrize("out, words", [
    ("no/such/game.html", "there is no folder"), ("-", "has to be a file"), (".", "is a directory"),
])  # fmt: skip
def test_an_output_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str, words: str) -> None:
    monkeypatch.chdir(tmp_path)
    result = couperation("report", LEGAL_FILE, "-o", out)
    assert result.exit_code == 2
    assert words in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    result = couperation("report", LEGAL_FILE, "-o", tmp_path / "game.html")
    assert result.exit_code == 2
    assert "cannot write" in result.stderr


def test_what_cannot_be_read_is_told_and_the_rest_is_shown(tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    result = couperation("report", tmp_path / "none.cgn", LEGAL_FILE, "-o", out)
    assert result.exit_code == 2
    assert "cannot read" in result.stderr
    assert out.read_text().count("<article") == 1
    out.unlink()
    assert couperation("report", tmp_path / "none.cgn", "-o", out).exit_code == 2
    assert not out.exists()


def test_the_quarrels_of_a_record_are_shown_before_the_record(tmp_path: Path) -> None:
    """As `dispute` tells them: turn by turn, the rulebooks that were wrong before, what cannot be carried out."""
    record = tmp_path / "quarrel.cgn"
    head = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\ndeal Ben 22 9 28\nreserve 1 50 12 33 40 7\n'
    turns = "1. Aki A 17@d1\n2. Ben B 28@h1 ~~\n3. Aki A 30@c1 ~~\n4. Ben A 30@i1 ~~\n"
    record.write_text(head + turns, encoding="utf-8")
    out = tmp_path / "page.html"
    assert couperation("report", record, "--dispute", "-o", out).exit_code == 0
    html = out.read_text(encoding="utf-8")
    shown = html[html.index('<section class="dispute"') :].partition("</section>")[0]
    heads = re.findall(r"<h4>(.*?)</h4>", shown)
    assert [head.partition(":")[0] for head in heads] == ["Turn 2 by itself", "Turn 3 by itself", "Turn 4 by itself",
                                                          "The whole record"]  # fmt: skip
    told = couperation("dispute", record).stdout
    (standing,) = {line for line in told.splitlines() if "was already wrong: TOW05" in line and "turn 1" in line}
    assert standing in shown
    assert "Turn 2 is legal under every reading" in shown or "Turn 2 is <b>legal</b> under every reading" in shown
    (nowhere,) = [line for line in told.splitlines() if "cannot be carried out" in line]
    assert nowhere in shown


def test_rules_and_dispute(tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    result = couperation("report", BROKEN_FILE, "--rules", "en-2", "--dispute", "-o", out)
    assert result.exit_code == 0
    text = out.read_text()
    assert "rules en-2" in text
    assert text.count('<th scope="row">') == 4
    assert couperation("report", BROKEN_FILE, "--rules", "en-9", "-o", out).exit_code == 2


def test_as_a_process(tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    done = process("report", str(TWO), "-o", str(out))
    assert (done.returncode, done.stdout) == (0, b"")
    assert out.read_bytes().count(b"<article") == 2
