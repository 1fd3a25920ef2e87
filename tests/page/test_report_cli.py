"""`couperation report`: what it writes, and what it refuses."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from couperation_formal.cli.commands import report as module
from tests.cli.run import BROKEN, LEGAL, MALFORMED, POSITION, UNDETERMINED, couperation, process
from tests.page.pages import BROKEN as BROKEN_FILE, LEGAL as LEGAL_FILE, TWO


@pytest.mark.slow
@pytest.mark.parametrize("stdin", [LEGAL, BROKEN, UNDETERMINED, MALFORMED, POSITION], ids=range(5))
def test_every_kind_of_item_makes_a_page(tmp_path: Path, stdin: str) -> None:
    out = tmp_path / "game.html"
    result = couperation("report", "-", "-o", out, stdin=stdin)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"1 game: {out}\n"
    assert out.read_text().startswith("<!doctype html>")
    assert out.stat().st_size < 500_000


@pytest.mark.slow
def test_files_and_folders_make_one_page(tmp_path: Path) -> None:
    for file in (TWO, BROKEN_FILE):
        shutil.copy(file, tmp_path)
    out = tmp_path / "all.html"
    result = couperation("report", tmp_path, "-o", out)
    assert result.exit_code == 0
    assert out.read_text().count("<article") == 3


@pytest.mark.slow
def test_the_same_games_make_the_same_page(tmp_path: Path) -> None:
    one, other = tmp_path / "1.html", tmp_path / "2.html"
    for out in (one, other):
        assert couperation("report", BROKEN_FILE, TWO, "-o", out).exit_code == 0
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_a_page_that_exists_is_replaced_by_force_only(tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    out.write_text("my notes")
    result = couperation("report", TWO, "-o", out)
    assert (result.exit_code, result.stderr) == (2, f"error: {out} exists; --force replaces it\n")
    assert out.read_text() == "my notes"
    assert couperation("report", TWO, "-o", out, "--force").exit_code == 0


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
    ("no/such/game.html", "there is no folder"), ("-", "has to be a file"), ("no/such/", "there is no folder"),
    ("/dev/null/", "cannot write"), ("", "cannot write"),
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
    result = couperation("report", tmp_path / "none.cgn", BROKEN_FILE, "-o", out)
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


@pytest.mark.slow
def test_rules_and_dispute(tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    result = couperation("report", BROKEN_FILE, "--rules", "en-2", "--dispute", "-o", out)
    assert result.exit_code == 0
    text = out.read_text()
    assert "<span>English rulebook, corrected printing</span>" in text
    assert text.count('<th scope="row">') == 4
    assert couperation("report", BROKEN_FILE, "--rules", "en-9", "-o", out).exit_code == 2


def test_as_a_process(tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    done = process("report", str(TWO), "-o", str(out))
    assert (done.returncode, done.stdout) == (0, b"")
    assert out.read_bytes().count(b"<article") == 2


def made(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


ALL = LEGAL + BROKEN + MALFORMED + POSITION + UNDETERMINED
FIVE = POSITION + MALFORMED + POSITION * 3
"""As many that are soon shown."""

PAGES = [f"game-{number:04}.html" for number in range(1, 6)]


@pytest.mark.slow
@pytest.mark.parametrize("there", [False, True], ids=["new", "there"])
def test_a_folder_gets_an_index_and_a_page_a_game(tmp_path: Path, there: bool) -> None:
    """One that is there needs no slash. Each page is whole by itself and leads back to its row."""
    out = tmp_path / "out"
    if there:
        out.mkdir()
    result = couperation("report", "-", "-o", out if there else f"{out}/", stdin=ALL)
    assert (result.exit_code, result.stderr) == (0, f"5 games: {out}/index.html\n")
    assert made(out) == [*PAGES, "index.html"]
    index = (out / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'<a href="([^"]*)" data-open="(\d+)"', index) == [(name, name[8]) for name in PAGES]
    rows = re.findall(r'<li id="row-(\d)" data-verdict="(\w+)">.*?<span class="said">(.*?)</span>', index, re.DOTALL)
    assert rows == [
        ("1", "legal", "Every turn keeps the rules. The record ends before the game does."),
        ("2", "illegal", "Illegal at turn 2, by TOW02."),
        ("3", "malformed", "This is no CGN: 1 fault."),
        ("4", "position", ""),
        ("5", "legal", "Legal: some choice of the cards that are not shown keeps every rule."),
    ]
    for number, name in enumerate(PAGES, 1):
        text = (out / name).read_text(encoding="utf-8")
        assert f'<a class="back" href="index.html#row-{number}">' in text
        assert text.count("<article") == 1
        assert f'id="game={number}"' in text


def test_more_games_than_a_page_takes_go_to_a_folder_beside_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_GAMES", 4)
    out = tmp_path / "all of them.html"
    result = couperation("report", "-", "-o", out, stdin=FIVE)
    assert (result.exit_code, result.stderr) == (0, f"5 games: {out}\n")
    assert made(tmp_path) == ["all of them.html", "all of them_files"]
    assert made(tmp_path / "all of them_files") == PAGES
    index = out.read_text(encoding="utf-8")
    assert "<article" not in index
    assert 'href="all%20of%20them_files/game-0005.html"' in index
    page = (tmp_path / "all of them_files" / PAGES[4]).read_text(encoding="utf-8")
    assert 'href="../all%20of%20them.html#row-5"' in page


def test_fifty_games_are_one_page_and_fifty_one_a_folder(tmp_path: Path) -> None:
    """However little they say."""
    one, many = tmp_path / "one.html", tmp_path / "many.html"
    assert couperation("report", "-", "-o", one, stdin='[CGN "1"]\n' * 50).exit_code == 0
    assert made(tmp_path) == ["one.html"]
    assert one.read_text(encoding="utf-8").count("<article") == 50
    assert couperation("report", "-", "-o", many, stdin='[CGN "1"]\n' * 51).exit_code == 0
    assert len(made(tmp_path / "many_files")) == 51


def test_the_same_games_make_the_same_folder_and_older_pages_are_told(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert couperation("report", "-", "-o", f"{out}/", stdin=FIVE).exit_code == 0
    before = {name: (out / name).read_bytes() for name in made(out)}
    assert couperation("report", "-", "-o", out, "--force", stdin=FIVE).exit_code == 0
    assert {name: (out / name).read_bytes() for name in made(out)} == before
    result = couperation("report", "-", "-o", out, "--force", stdin=POSITION + MALFORMED)
    assert result.exit_code == 0
    told = f"note: 3 older pages are left that this run did not make, from {out}/game-0003.html on"
    assert result.stderr.splitlines() == [f"2 games: {out}/index.html", told]
    assert {name: (out / name).read_bytes() for name in PAGES} == {name: before[name] for name in PAGES}
    assert (out / "index.html").read_bytes() != before["index.html"]


@pytest.mark.parametrize("name", ["game-0003.html", "index.html"])
@pytest.mark.parametrize("kind", ["note", "folder", "link"])
def test_nothing_of_the_users_in_the_folder_is_overwritten(tmp_path: Path, name: str, kind: str) -> None:
    """And then nothing else there has changed either: it is looked at before the first page is written."""
    out, mine = tmp_path / "out", tmp_path / "mine.txt"
    out.mkdir()
    mine.write_text("mine")
    if kind == "note":
        (out / name).write_text("mine")
    elif kind == "folder":
        (out / name).mkdir()
    else:
        (out / name).symlink_to(mine)
    (out / "other.txt").write_text("mine")

    def content() -> dict[str, bytes | None]:
        return {path.name: path.read_bytes() if path.is_file() else None for path in out.iterdir()}

    before = content()
    result = couperation("report", "-", "-o", out, stdin=MALFORMED * 4)
    assert result.exit_code == 2
    assert str(out / name) in result.stderr
    assert content() == before
    assert mine.read_text() == "mine"
    if kind == "note":
        assert couperation("report", "-", "-o", out, "--force", stdin=MALFORMED * 4).exit_code == 0
        assert content()["other.txt"] == b"mine"


@pytest.mark.parametrize("walked", [False, True])
def test_an_input_in_the_folder_is_never_overwritten(tmp_path: Path, walked: bool) -> None:
    """Not even one that is read after the page of its name could have been written."""
    record = tmp_path / "first.cgn"
    record.write_text(LEGAL * 3)
    theirs = tmp_path / "game-0002.html"
    theirs.write_text(LEGAL)
    if walked:
        theirs = theirs.rename(tmp_path / "second.cgn")
        (tmp_path / "game-0002.html").symlink_to(theirs)
    files = [tmp_path] if walked else [record, theirs]
    result = couperation("report", *files, "-o", tmp_path, "--force")
    assert result.exit_code == 2
    assert "is an input; it is not overwritten" in result.stderr
    assert theirs.read_text() == LEGAL
    assert not (tmp_path / "game-0001.html").exists()


def test_a_folder_that_was_made_for_nothing_goes_away(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert couperation("report", tmp_path / "none.cgn", "-o", f"{out}/").exit_code == 2
    assert not out.exists()


def test_paths_stay_on_the_machine(tmp_path: Path) -> None:
    """Index and pages name files, not where they lie."""
    secret = tmp_path / "secret"
    secret.mkdir()
    shutil.copy(BROKEN_FILE, secret / "game.cgn")
    (secret / "bad.cgn").write_text(MALFORMED)
    assert couperation("report", secret, "-o", f"{tmp_path}/out/").exit_code == 0
    assert couperation("report", secret, "-o", tmp_path / "one.html").exit_code == 0
    for path in [tmp_path / "one.html", *(tmp_path / "out").iterdir()]:
        text = path.read_text(encoding="utf-8")
        assert "secret" not in text, path
    assert "game.cgn, game 1" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_rulebook_of_the_house_is_named_without_its_place(tmp_path: Path) -> None:
    house, out = tmp_path / "house.toml", tmp_path / "page.html"
    house.write_text('base = "en-2"\nspread = "adjacent"\n', encoding="utf-8")
    assert couperation("report", BROKEN_FILE, "--rules", f"{house} anchor=floating", "-o", out).exit_code == 0
    html = out.read_text(encoding="utf-8")
    assert str(tmp_path) not in html
    assert "<span>house.toml</span>" in html
    assert "<span>Which columns make up level 1, and where does the 25 stand among them?</span><span>Some seven" in html
