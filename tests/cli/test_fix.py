"""`couperation fix`: what can only have been meant one way is mended, shown first, written when asked for; no more."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from couperation_formal.editor.document import Document
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Diagnostic, Edit, Span
from couperation_formal.notation import read as module
from couperation_formal.notation.read import Malformed, edited, mend, read_text
from couperation_formal.questions.schemas import schema
from tests.cli.run import HEAD, LEGAL, POSITION, couperation, objects, process
from tests.conftest import some
from tests.fuzz.inputs import ROOT, spoiled
from tests.kit.counted import calls

SLIPS = LEGAL.replace("1. Aki A 17@f1", "1 Aki A 17＠f1") + "2. Ben b 22@f2 ; ünchanged 17＠f1\n"
MENDED = LEGAL + "2. Ben B 22@f2 ; ünchanged 17＠f1\n"
LEFT = f"{HEAD}1 Aki A 51@f1\n"
"""A slip that can be mended, and no card."""

SCHEMA = schema("fix")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.cgn"
    path.write_text(SLIPS, encoding="utf-8")
    return path


def data(*arguments: str | Path, stdin: str | None = None, code: int = 0) -> dict[str, Any]:
    result = couperation("fix", "--output-format", "json", *arguments, stdin=stdin)
    assert result.exit_code == code
    (found,) = objects(result)
    Draft202012Validator(SCHEMA).validate(found)
    return found


def test_the_difference_is_shown_and_nothing_written(file: Path) -> None:
    result = couperation("fix", file)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"--- {file}", f"+++ {file} (mended)", "@@ -3,5 +3,5 @@", *(f" {line}" for line in HEAD.splitlines()[2:]),
        "-1 Aki A 17＠f1", "-2. Ben b 22@f2 ; ünchanged 17＠f1", "+1. Aki A 17@f1",
        "+2. Ben B 22@f2 ; ünchanged 17＠f1",
    ]  # fmt: skip
    assert result.stderr == f"{file}: 3 slips can be mended; --write does it\n"
    assert file.read_text(encoding="utf-8") == SLIPS


def test_it_is_written_when_asked_for_and_the_difference_stands_before(file: Path) -> None:
    file.chmod(0o640)
    link = file.with_name("link.cgn")
    link.symlink_to(file)
    shown = couperation("fix", link).stdout
    result = couperation("fix", "--write", link)
    assert (result.exit_code, result.stdout, result.stderr) == (0, shown, f"mended: {link} (3 slips)\n")
    assert file.read_text(encoding="utf-8") == MENDED
    assert (link.is_symlink(), stat.S_IMODE(file.stat().st_mode)) == (True, 0o640)
    assert sorted(path.name for path in file.parent.iterdir()) == ["game.cgn", "link.cgn"]
    before = file.stat().st_mtime_ns
    again = couperation("fix", "--write", file)
    assert (again.exit_code, again.output, file.stat().st_mtime_ns) == (0, "", before)


def test_what_cannot_be_mended_is_told_and_the_rest_is_mended(file: Path) -> None:
    file.write_text(LEGAL + LEFT + SLIPS, encoding="utf-8")
    result = couperation("fix", "--write", file)
    assert result.exit_code == 2
    assert "51 is no card" in result.stderr
    assert f"{file}:12:10  game 2" in result.stderr
    assert "a dot follows" not in result.stderr
    assert file.read_text(encoding="utf-8") == LEGAL + LEFT.replace("1 Aki", "1. Aki") + MENDED
    told = couperation("check", file)
    assert told.stdout.count("error[CGN]") == 1
    assert f"{file}:12:10  game 2" in told.stdout


def test_places_of_what_is_left_are_those_of_the_mended_file(file: Path) -> None:
    """A line is parted in two in the first game."""
    file.write_text(f"{HEAD}1. Aki A 17@f1 2. Ben A 22@f2\n{HEAD}1. Aki A 51@f1\n", encoding="utf-8")
    before = couperation("fix", file)
    assert couperation("fix", "--write", file).exit_code == before.exit_code == 2
    assert file.read_text(encoding="utf-8") == f"{HEAD}1. Aki A 17@f1\n2. Ben A 22@f2\n{HEAD}1. Aki A 51@f1\n"
    assert f"{file}:13:10  game 2" in before.stderr


def test_json(file: Path) -> None:
    found = data(file)
    assert [(each["line"], each["column"], each["replacement"]) for each in found["mended"]] == [
        (6, 1, "1."), (6, 11, "@"), (7, 8, "B"),
    ]  # fmt: skip
    assert found["mended"][1]["message"].startswith("this is FULLWIDTH COMMERCIAL AT (U+FF20)")
    assert found["difference"] == couperation("fix", file).stdout
    assert (found["file"], found["written"], found["diagnostics"], found["format"]) == (str(file), False, [], 1)
    assert data("--write", file)["written"] is True
    assert file.read_text(encoding="utf-8") == MENDED
    assert data("--write", file) == {**found, "mended": [], "difference": "", "written": False}
    file.write_text(LEFT)
    (left,) = data(file, code=2)["diagnostics"]
    assert (left["line"], left["severity"]) == (6, "error")


@pytest.mark.parametrize("text", [LEGAL, POSITION, LEGAL + POSITION, LEGAL.replace("\n", "\r\n"), "\ufeff" + LEGAL])
def test_nothing_to_mend_is_silent(file: Path, text: str) -> None:
    file.write_bytes(text.encode())
    result = couperation("fix", "--write", file)
    assert (result.exit_code, result.output) == (0, "")
    assert file.read_bytes() == text.encode()


def test_line_ends_and_the_byte_order_mark_stay(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + SLIPS.replace("\n", "\r\n").encode() * 2)
    assert couperation("fix", "--write", file).exit_code == 0
    assert file.read_bytes() == b"\xef\xbb\xbf" + MENDED.replace("\n", "\r\n").encode() * 2


def test_positions_are_mended_too(file: Path) -> None:
    file.write_text(POSITION.replace("25@g1", "25＠g1"), encoding="utf-8")
    assert couperation("fix", "--write", file).exit_code == 0
    assert file.read_text() == POSITION


def test_standard_input() -> None:
    assert couperation("fix", "-", stdin=SLIPS).stdout.startswith("--- -\n+++ - (mended)\n")
    assert couperation("fix", "--write", "-", stdin=SLIPS).stdout == MENDED
    assert couperation("fix", "--write", "-", stdin=LEGAL).stdout == LEGAL
    assert data("-", stdin=SLIPS)["file"] == "-"
    assert couperation("fix", "--write", "--output-format", "json", "-", stdin=SLIPS).exit_code == 2
    left = process("fix", "--write", "-", stdin=LEFT.encode())
    assert (left.returncode, left.stdout.decode()) == (2, LEFT.replace("1 Aki", "1. Aki"))


@pytest.mark.parametrize("rest", [b"\xff\n", b"\xe9 ; caf\xe9\n", b"; " + b"x" * (1 << 17) + b"\n"])
def test_a_file_that_cannot_be_read_in_whole_is_left(file: Path, rest: bytes) -> None:
    """Whether the rest stands in the game with the slips or in one of its own."""
    for text in (SLIPS.encode() + LEGAL.encode() + rest, SLIPS.encode() + rest, LEGAL.encode() + rest):
        file.write_bytes(text)
        result = couperation("fix", "--write", file)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "error[CGN]" in result.stderr
        assert file.read_bytes() == text
        assert f"{file}: nothing is mended" in result.stderr
        assert data(file, code=2)["mended"] == []
        piped = couperation("fix", "--write", "-", stdin=text)
        assert (piped.exit_code, piped.stdout) == (2, "")


def test_folders_files_that_are_none_and_the_others(tmp_path: Path) -> None:
    for name, text in {"b/z.cgn": SLIPS, "b/a.cgn": LEGAL, "a.cgn": LEFT, "x.txt": SLIPS}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.cgn")
    done = process("fix", "--write", tmp_path, tmp_path / "no.cgn")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert f"error: cannot read {tmp_path / 'no.cgn'}: no such file".encode() in done.stderr
    assert (tmp_path / "b/z.cgn").read_text(encoding="utf-8") == MENDED
    assert (tmp_path / "a.cgn").read_text() == LEFT.replace("1 Aki", "1. Aki")
    assert (tmp_path / "x.txt").read_text(encoding="utf-8") == SLIPS


def test_a_write_that_fails_leaves_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    result = couperation("fix", "--write", file)
    assert (result.exit_code, result.stderr) == (2, f"error: cannot write {file}: no space left on device\n")
    assert file.read_text(encoding="utf-8") == SLIPS
    assert list(file.parent.iterdir()) == [file]


def fault(start: int, end: int, replacement: str) -> Diagnostic:
    edit = Edit(Span(start, end), replacement)
    return Diagnostic(code="CGN", severity="error", turn=None, span=edit.span, what=fact("none"), edit=edit)


def broken(text: str, *faults: Diagnostic) -> Malformed:
    return Malformed(file="-", index=1, text=text, line=1, event=None, diagnostics=faults)


def test_edits_that_overlap_are_not_both_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "read_text", lambda text, _file: iter([broken(text)]))
    found = mend(
        broken("abcdef", fault(4, 4, "!"), fault(1, 3, "X"), fault(2, 5, "Y"), fault(4, 4, "?"), fault(0, 1, "a"))
    )
    assert found is not None
    assert (found.after, len(found.faults)) == ("aXd!ef", 2)
    assert mend(broken("abc", fault(0, 1, "a"))) is None
    assert edited("abc", [fault(0, 0, "x"), fault(3, 3, "y\n")]) == "xabcy\n"


def test_edits_that_turn_in_a_circle_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def turning(text: str, _file: str) -> object:
        return iter([broken(text, fault(0, 1, "b" if text == "a" else "a"))])

    monkeypatch.setattr(module, "read_text", turning)
    found = mend(broken("a", fault(0, 1, "b")))
    assert found is not None
    assert (found.after, len(found.faults)) == ("a", 2)


ALIKE = str.maketrans({"@": "＠", "-": "–", "=": "＝", "1": "１", "+": "＋", "[": "［", '"': "“", "A": "Ａ", ",": "，"})
GAME = '[CGN "1"]\n[Players "Mio Ben"]\n' + LEGAL.partition("\n")[2].partition("\n")[2].replace("Aki", "Mio")
FULL = GAME + "2. Ben +4,5 B 22@h1 drop 9\n3. Mio C h1=22\n4. Ben D 3-4=7@h1 trim 12,33\n*\n"


@given(st.sets(st.integers(len('[CGN "1"]\n[Players "Mio Ben"]\n'), len(FULL) - 1), max_size=30))
def test_look_alikes_anywhere_are_mended_to_the_very_text(places: set[int]) -> None:
    text = "".join(each.translate(ALIKE) if at in places else each for at, each in enumerate(FULL))
    found = [mend(item) for item in read_text(text)]
    assert "".join(each.after if each else text for each in found) == FULL


def test_many_slips_are_mended_in_one_run() -> None:
    """Beyond as many as are told at once, and in time that grows with them."""
    turns = "".join(f"{n}. {'Aki' if n % 2 else 'Ben'} A 17＠f1\n" for n in range(1, 301))
    result = couperation("fix", "--write", "-", stdin=HEAD + turns)
    assert (result.exit_code, result.stdout) == (0, HEAD + turns.replace("＠", "@"))


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_mended_is_mended_for_good(seed: int) -> None:
    """Spoiled texts: mending ends, and what it leaves carries no edit; the file's other texts stay as they are."""
    mended = 0
    for number in range(100):
        draw = Random(f"fix {seed} {number}")
        text = spoiled(draw, draw.choice((FULL, SLIPS, POSITION, LEGAL + LEFT)), (FULL, SLIPS, "＠–“１，　 \u200b"))
        for item in read_text(text):
            found = mend(item)
            if found is not None:
                mended += 1
                assert found.before != found.after
                assert [mend(each) for each in read_text(found.after)] == [None] * len(found.items), text
    assert mended > 10


def commented(text: str, draw: Random) -> str:
    """The text with comments, each with a number, after some of its words; not within quotes and comments."""
    lines, number = [], 0
    for line in text.split("\n"):
        words = [line] if re.search('[][{}｛｝;；"“]', line) else re.split(r"(?<=\S)(\s+)(?=\S)", line)
        for at in range(2, len(words), 2):
            if draw.random() < 0.3:
                number += 1
                words[at] += draw.choice([" {%d}", "{%d} "]) % (9000 + number)
        number += 1
        lines.append("".join(words) + (f" ;{9000 + number}" if line and draw.random() < 0.2 else ""))
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(3))
def test_no_comment_is_lost(seed: int) -> None:
    """Wherever it stands in a slip, and however many edits pass over it."""
    mended = 0
    for slip, _ in table():
        text = commented(slip.replace("|", "\n") + "\n", Random(f"{seed} {slip}"))
        for item in read_text(text):
            found = mend(item)
            if found is not None:
                mended += 1
                assert sorted(re.findall("90[0-9]{2}", found.after)) == sorted(re.findall("90[0-9]{2}", text)), text
    assert mended > 100


def test_a_long_list_of_cards_is_read_in_no_time() -> None:
    cards = " ".join(str(10 + at) for at in range(40))
    text = f'[CGN "1"]\n[Players "Aki Ben"]\n1. Aki {cards}\n'
    assert [mend(item) for item in read_text(text)] == [None]
    assert calls(lambda: [mend(item) for item in read_text(text)]) < 20_000


def table() -> Iterator[tuple[str, str]]:
    """Each slip of the table of slips that is mended, and what its edits make of it; lines are parted by ``|``."""
    head, section, slip = "|".join(HEAD.replace("deal Aki 17 30 44\n", "").splitlines()) + "|", "", ""
    for line in (ROOT / "tests" / "notation" / "slips.txt").read_text(encoding="utf-8").split("\n"):
        section = line.removeprefix("## ") if line.startswith("## ") else section
        slip = line[2:] if line.startswith("> ") else slip
        if line.startswith("= "):
            before = "" if section == "whole" else head
            yield before + slip, before + line[2:]


@pytest.mark.parametrize("slip, mended", some(table()), ids=lambda text: text.rpartition('Ben"]|')[2])
def test_the_slips_that_people_make(slip: str, mended: str) -> None:
    """What the table says that the edits make of each is what the command writes."""
    result = couperation("fix", "--write", "-", stdin=slip.replace("|", "\n") + "\n")
    assert result.stdout == mended.replace("|", "\n") + "\n"


def test_line_ends_stay_in_every_slip() -> None:
    for slip, _ in table():
        text = slip.replace("|", "\r\n") + "\r\n"
        found = [mend(item) for item in read_text(text)]
        after = "".join(each.after for each in found if each)
        assert re.search("(?<!\r)\n|\r(?!\n)", after) is None, after


def test_the_table_is_read() -> None:
    assert len(list(table())) > 100


def quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def fenced(text: str) -> str:
    return f"```cgn\n{text}```\n"


@pytest.mark.parametrize("wrap", [quoted, fenced, lambda text: quoted(fenced(text)), lambda text: fenced(quoted(text))])
def test_what_a_game_came_in_is_taken_off(wrap: Callable[[str], str]) -> None:
    """Slips within, comments, several games: what is left is what the bare text becomes."""
    for text in (LEGAL, SLIPS, LEGAL + SLIPS, LEGAL + "{ > no\n``` quotation }\n; > here\n", POSITION):
        bare = couperation("fix", "--write", "-", stdin=text)
        done = couperation("fix", "--write", "-", stdin=wrap(text))
        assert (done.exit_code, done.stdout) == (0, bare.stdout), text
        assert couperation("check", "--engine", "plain", "-", stdin=wrap(text)).exit_code == 2


def test_games_that_were_glued_are_parted() -> None:
    for before, between in (("*\n", ""), ("win\n", " "), ("", ""), ("", "\t")):
        text = (LEGAL + before).rstrip("\n") + between + LEGAL + '{ *[CGN } ; *[CGN "1"]\n'
        done = couperation("fix", "--write", "-", stdin=text)
        assert (done.exit_code, done.stdout) == (0, LEGAL + before + LEGAL + '{ *[CGN } ; *[CGN "1"]\n')


def test_fences_each_around_one_game_and_words_between() -> None:
    done = couperation("fix", "--write", "-", stdin=fenced(LEGAL) + "\n" + fenced(SLIPS))
    assert (done.exit_code, done.stdout) == (0, LEGAL + "\n" + MENDED)
    done = couperation("fix", "--write", "-", stdin="Look:\n" + fenced(LEGAL))
    assert (done.exit_code, done.stdout) == (2, "Look:\n" + LEGAL)
    assert "this is no beginning" in done.stderr


def test_what_is_no_wrapping_stays() -> None:
    text = f'; > [CGN "1"]\n{{ ```\n> [CGN "1"] *[CGN "1"] }}\n{LEGAL}; *[CGN "1"]\n'
    done = couperation("fix", "--write", "-", stdin=text)
    assert (done.exit_code, done.stdout) == (0, text)


def test_an_editor_takes_it_off_too() -> None:
    for text in (quoted(LEGAL), fenced(LEGAL), LEGAL + "*" + LEGAL):
        document = Document(text)
        (report,) = [document.report(part) for part in document.parts]
        assert report is not None
        after = edited(text, report.diagnostics)
        assert after == {"`": LEGAL, ">": LEGAL, "[": LEGAL + "*\n" + LEGAL}[text[0]]
