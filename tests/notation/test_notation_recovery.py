"""A text with faults: all of them are told, the other lines count, the turns before the first broken one are judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from couperation_formal.editor.document import Document
from couperation_formal.game.fact import fact, told
from couperation_formal.game.record import Game
from couperation_formal.notation.names import ALIKE, meant
from couperation_formal.notation.read import Item, Malformed, read_text
from couperation_formal.questions.records.check import check
from couperation_formal.words.say import ENGLISH
from tests.cli.run import HEAD, couperation, objects, process
from tests.conftest import LONG, some
from tests.kit.counted import calls

SEVEN = (
    HEAD
    + "1. Aki A 17 @ f1\n"
    + "2. Ben A 9@f2\n"  # TOW02
    + "3. Aki A 51@e1 drop 77\n"
    + "4 Ben draw 2 A 3@e1\n"
    + "5. Aki\n  A 30@h1\n"
    + "6. Ben A 22@e1 7. Aki A 44@i1\n"
    + "8. Ben A "
)
"""Seven slips, a broken rule before the first line that cannot be read, and a last line that is still being typed."""

BROKEN = [("TOW02", 7)]
FAULTS = [6, 8, 8, 9, 9, 11, 12, 13]


def test_all_is_told_in_one_run() -> None:
    (found,) = objects(couperation("check", "-", "--output-format", "json", stdin=SEVEN))
    errors = [each for each in found["diagnostics"] if each["severity"] == "error"]
    assert [(each["code"], each["line"]) for each in errors if each["code"] != "CGN"] == BROKEN
    assert [each["line"] for each in errors if each["code"] == "CGN"] == FAULTS
    assert (found["verdict"], found["turn"], found["codes"]) == ("malformed", 2, [])
    assert (found["rules"], found["variant"], found["result"]) == ("ja-2.2", "first", None)


@pytest.mark.parametrize("form", ["full", "concise", "json", "sarif", "github"])
def test_every_form_shows_both(form: str) -> None:
    result = couperation("check", "-", "--output-format", form, stdin=SEVEN)
    assert result.exit_code == 2
    said = "".join(result.stdout.split())
    for phrase in (
        "TOW02",
        "51 is no card",
        "77 is no card",
        "goes on with the one above",
        "7. does not stand alone",
    ):
        assert "".join(phrase.split()) in said, phrase


@pytest.mark.slow
def test_a_process_says_so_and_the_other_games_are_judged() -> None:
    run = process(
        "check", "-", "--output-format", "json", stdin=(HEAD + "1. Aki A 17@f1\n" + SEVEN + "\n" + HEAD).encode()
    )
    found = [json.loads(line) for line in run.stdout.splitlines()]
    assert (run.returncode, [each["verdict"] for each in found]) == (2, ["legal", "malformed", "legal"])
    assert [each["line"] for each in found[1]["diagnostics"] if each["code"] == "TOW02"] == [13]


def test_the_editor_shows_both() -> None:
    document = Document(SEVEN)
    (part,) = document.parts
    found = document.findings(part, {})
    assert [each.found.code for each in found if each.found.severity == "error"] == ["CGN", "TOW02"] + ["CGN"] * (
        len(FAULTS) - 1
    )
    assert SEVEN[slice(*found[1].span)].endswith("9@f2")


def test_the_page_shows_both(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert couperation("report", "-", "-o", out, stdin=SEVEN).exit_code == 0
    page = out.read_text(encoding="utf-8")
    assert "TOW02" in page
    assert "77 is no card" in page
    assert f"This is no CGN: {len(FAULTS)} faults" in page


def judged(text: str) -> Game | None:
    (item,) = read_text(text)
    assert isinstance(item, Malformed)
    return item.judged


def test_the_judged_part_ends_before_the_first_line_that_cannot_be_read() -> None:
    game = judged(SEVEN)
    assert game is not None
    assert [turn.number for turn in game.record.turns] == [1, 2]
    assert [SEVEN[slice(*turn.line)] for turn in game.layout.turns] == ["1. Aki A 17 @ f1", "2. Ben A 9@f2"]
    whole = judged(HEAD + "1. Aki A １７＠f1\nwon\n")
    assert whole is not None
    assert (len(whole.record.turns), whole.record.result) == (1, "win")
    assert judged(HEAD.replace("deal Aki 17", "deal Aki 71") + "1. Aki A 17@f1\n2. Ben A\n") is None
    assert judged(HEAD + '[Rules "en-9"]\n1. Aki A 17@f1\n') is None


def test_other_rules_and_a_first_turn_hold_for_the_judged_part() -> None:
    result = couperation("check", "-", "--rules", "bgg", "--output-format", "json", stdin=SEVEN)
    assert objects(result)[0]["rules"] == "bgg"
    (found,) = objects(couperation("check", "-", "--from", "3", "--output-format", "json", stdin=SEVEN))
    assert (found["verdict"], found["turn"]) == ("malformed", None)
    assert [each["code"] for each in found["diagnostics"] if each["severity"] == "error"] == ["CGN"] * len(FAULTS)


@pytest.mark.parametrize(
    "text, lines",
    [
        ('[CGN "1"]\n[Players Aki; Ben]\n[Variant "x"]\n1. Aki A 17@f1\n', 2),  # no Players is not told too
        ('[CGN "3"]\n[Marks "x"]\n1. Aki\n', 1),
        ("hello\nworld\n1. Aki\n", 1),
        (HEAD + "1. Aki A 17@f1\nwin\n2. Ben A 3@e1\n3. Aki\n", 1),
        (HEAD.partition("deal")[0] + "position\ntower 25@z1\nturn Aki\n", 1),
        (HEAD + "1. Aki A { open\nwhat follows\n", 1),
    ],
)
def test_what_follows_from_a_fault_is_not_told(text: str, lines: int) -> None:
    (item,) = read_text(text)
    assert isinstance(item, Malformed)
    assert len({item.text.count("\n", 0, found.span.start) for found in item.diagnostics}) == lines, item.diagnostics


def test_names_are_compared_composed() -> None:
    text = HEAD.replace("Ben", "Zoé") + "1. Aki A 17@f1\n2. Zoe\u0301 A 3@e1\n"
    (item,) = read_text(text)
    assert isinstance(item, Game)
    assert check(item, engine="plain").verdict == "legal"
    (item,) = read_text(text.replace("deal Zoé", "deal Zoe\u0301"))
    assert isinstance(item, Game)
    (item,) = read_text(HEAD + "1. Zoe\u0301 A 17@f1\n")  # nobody's
    assert isinstance(item, Game)
    assert item.record.turns[0].player == "Zoé"


def test_a_name_of_many_blanks_ends() -> None:
    many = f'[CGN "1"]\n[Players "A{"_" * 60}B Ben"]\n1. A{" " * 90}C A 17@f1\n'
    (item,) = read_text(many)
    assert isinstance(item, Malformed)


@pytest.mark.slow
def test_a_result_on_the_line_of_the_last_turn_and_empty_lines_after_it_end() -> None:
    (item,) = read_text(HEAD + "1. Aki A 17@f1 *" + "\n" * (900_000 if LONG else 200_000))
    assert isinstance(item, Malformed)
    assert item.diagnostics[0].edit is not None


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", some(["1. Aki A 51@f1", "x", "{", "# x", "1. Aki A １７@f1", "1. Aki\nA 17@f1", "[a", "1. Aki B"], 3)
)
def test_a_mebibyte_of_broken_lines_ends(line: str) -> None:
    size = 300_000 if LONG else 60_000
    text = HEAD + f"{line}\n" * (size // (len(line.encode()) + 1))
    items: list[Item] = []
    assert calls(lambda: items.extend(read_text(text))) < size * 200 // 3
    (item,) = items
    assert isinstance(item, Malformed)
    assert len(item.diagnostics) <= 51


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "shift-jis", "euc-jp", "cp1252"])
def test_an_encoding_is_told_with_the_command(encoding: str) -> None:
    event = "café" if encoding == "cp1252" else "木曜のあそび"
    run = process("check", "-", "--output-format", "concise", stdin=f'[CGN "1"]\n[Event "{event}"]\n'.encode(encoding))
    name = {"shift-jis": "SHIFT_JIS", "cp1252": "WINDOWS-1252", "utf-16-le": "UTF-16LE", "utf-16-be": "UTF-16BE"}
    assert run.returncode == 2
    assert f"iconv -f {name.get(encoding, encoding.upper())} -t UTF-8 old.cgn > new.cgn" in run.stdout.decode()


@pytest.mark.parametrize(
    "data, said",
    [
        ("木曜のあそび\n".encode("utf-16-le") * 9, "iconv -f UTF-16LE -t UTF-8"),
        ("木曜のあそび\n".encode("utf-16-be") * 9, "iconv -f UTF-16BE -t UTF-8"),
        (HEAD.encode("utf-32"), "iconv -f UTF-32 -t UTF-8"),
        (HEAD.replace("Aki", "木曜").encode("iso2022_jp"), "iconv -f ISO-2022-JP -t UTF-8"),
        (HEAD.replace("Aki", "木曜会").encode("shift-jis"), "iconv -f SHIFT_JIS -t UTF-8"),
        (HEAD.replace("Aki", "木曜会").encode("euc-jp"), "iconv -f EUC-JP -t UTF-8"),
        (HEAD.replace("Aki", "Zoéx").encode("latin-1"), "iconv -f WINDOWS-1252 -t UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "looks like no text at all"),
        (b"\0" * 60, "a control character (U+0000), which cannot be seen; leave it out"),
        (f"\u200b\n{HEAD}1. Aki A\0 17@f1\x1a\n".encode(), ":7:9: CGN this is a control character (U+0000)"),
        (f"{HEAD}1. A\x1bki A 17@f1\x1a\n".encode(), ":6:5: CGN this is a control character (U+001B)"),
        (f"{HEAD}\ufeff{HEAD}".encode(), ":6:1: CGN this is a byte order mark (U+FEFF)"),
    ],
)
def test_bytes_that_are_no_plain_text_are_told(data: bytes, said: str) -> None:
    result = couperation("check", "-", "--output-format", "concise", stdin=data)
    assert result.exit_code == 2
    assert said in result.stdout


@pytest.mark.parametrize(
    "character, named",
    [("\x1b", "control character U+001B"), ("\u200b", "ZERO WIDTH SPACE U+200B"), ("\u00a0", "NO-BREAK SPACE U+00A0")],
)
def test_a_character_that_cannot_be_seen_stands_in_brackets_within_a_word(character: str, named: str) -> None:
    said = told(
        fact("no_such_player", name=f"Zo{character}e", names=f"{character}Aki Ben{character}{character}"), ENGLISH
    )
    assert said == f"Zo[{named}]e is not in the tag Players: [{named}]Aki Ben[{named}][{named}]"
    assert f'"a [{named}] b"' in told(fact("tag_bracket", name="Event", value=f"a {character} b"), ENGLISH)
    alone = told(fact("line_alone", word=character), ENGLISH)
    assert alone.startswith(named.replace(" U+", " (U+").replace("control", "a control") + ") does not")


def test_faults_at_one_place_stand_in_the_order_of_their_sentences() -> None:
    (found,) = read_text(HEAD + "1. Aki A 17@f1 〜\n*\n")
    assert isinstance(found, Malformed)
    first, second = (each.message for each in found.diagnostics)
    assert (first.partition(" ")[0], second.partition(" ")[0]) == ("there", "this")


def test_names_in_any_script_are_no_slips() -> None:
    """A sign that begins a comment elsewhere, and a long vowel that looks like a minus sign, belong to these names."""
    names = HEAD.replace("Aki", "#ー").replace("Ben", "ルーシー")
    (item,) = read_text(names + "1. #ー A 17@f1\n2. ルーシー A 3@e1\n")
    assert isinstance(item, Game)
    (item,) = read_text(names + "1. #ー A 17＠f1\n2. ルーシー A 3@e1 # so\n")
    assert isinstance(item, Malformed)
    assert [found.edit and found.edit.replacement for found in item.diagnostics] == ["@", ";"]


@pytest.mark.slow
def test_what_is_looked_for_is_every_look_alike() -> None:
    """The set that a clean text is searched for holds all that are known."""
    known = {chr(code) for code in range(0x80, 0x110000) if meant(chr(code)) is not None}
    assert len(known) > 200
    assert {character for character in known if not ALIKE.fullmatch(character)} == set()
    assert not any(ALIKE.fullmatch(chr(code)) for code in range(0x80))


@pytest.mark.parametrize(
    "part", ["{A – B} 1. ルーシー A 17@f1 ; “so”", "1. ルーシー A 17@f1", "1. ルーシー {—} A 17@f1"]
)
def test_look_alikes_beside_what_is_said_are_none(part: str) -> None:
    text = HEAD.replace("Aki", "ルーシー").replace("[Players", '[Event "May – June"]\n[Players')
    (item,) = read_text(text + part + "\n")
    assert isinstance(item, Game)
    (item,) = read_text(text.replace('Players "', 'Players "\u3000') + part + "\n")
    assert isinstance(item, Malformed)


def test_whether_the_line_ends_or_the_text() -> None:
    start = '[CGN "1"]\n[Players "Aki Ben"]\nposition\ntower 25@g1\nskipped'
    for text, ends in (("\n", "the text ends"), ("\nturn Aki\n", "the line ends"), ("\n\n; so\n", "the text ends")):
        (item,) = read_text(start + text)
        assert isinstance(item, Malformed)
        assert [found.message.startswith(ends) for found in item.diagnostics] == [True], text


def test_lines_that_end_with_cr_are_told_and_mended() -> None:
    (item,) = read_text(HEAD.replace("\n", "\r"))
    assert isinstance(item, Malformed)
    (found,) = item.diagnostics
    assert "tr '\\r' '\\n' < old.cgn > new.cgn" in found.message
    assert found.edit is not None
    assert found.edit.replacement == HEAD


def test_a_forgotten_drop_or_trim_lists_the_cards() -> None:
    text = HEAD + "1. Aki +8 D 44-30=14@h1\n"
    (item,) = read_text(text.replace("33 40 7", "33 40 14"))
    said = [each.message for each in check(item, engine="plain").diagnostics if each.code == "LIM02"]
    assert said == [
        "no card is trimmed, and 1 must be: of 7 cards in the Reserve 6 may stay;"
        " the Reserve is 1, 12, 30, 33, 40, 44, 50: end the line with 1 of them, as in trim 1"
    ]


@pytest.mark.parametrize(("deal", "clause"), [("deal Aki 17 30 44", "END06"), ("deal Aki", "SET02")])
def test_a_name_that_is_nobodys_is_for_the_rules_to_refuse(deal: str, clause: str) -> None:
    """A list that is empty may have lost its cards behind a ``;``, so its text is looked at once more."""
    text = HEAD.replace("deal Aki 17 30 44", deal) + "1. aki A 17@f1\n"
    assert deal in text.split("\n")
    (found,) = objects(couperation("check", "-", "--output-format", "json", stdin=text))
    assert found["verdict"] == "illegal"
    assert [each["code"] for each in found["diagnostics"] if each["severity"] == "error"] == [clause]


SHAPELESS = (
    "\u200b\u200d\ufe0f\u3164\u115f\u034f\u2065\u206a\U000e0001\u2028\x07\xad\u2800\U0001d173\uffa0\u180b\u17b4\u202e"
)


@pytest.mark.parametrize("odd", SHAPELESS, ids=lambda odd: f"{ord(odd):04X}")
def test_what_cannot_be_seen_is_told_by_its_name(odd: str) -> None:
    """Wherever it stands in a text, no message holds it; a message that names it gives its code point."""
    head = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\n'
    tags = [head.replace('"]\ndeal', f'"]\n[{tag}"]\ndeal') for tag in (f'Marks "17:{odd}2', f'Variant "{odd}')]
    tags += [head.replace('"]\ndeal', f'"]\n[{tag}"]\ndeal') for tag in (f'Rules "ja-2.2{odd}', f'Rul{odd}es "en-2')]
    lines = [f"A 17@f1{odd}", f"A 17{odd}@f1", f"{odd} A 17@f1", f"A 17@f1 {odd} drop 4", f"A{odd} 17@f1", f"{odd}"]
    names = [
        head.replace("Aki Ben", f"Aki{odd} Ben"),
        head.replace("deal Aki", f"deal A{odd}ki"),
        f"{head}1. A{odd}ki -",
    ]
    named = 0
    for text in (*tags, *(f"{head}1. Aki {line}\n" for line in lines), *names, f"{head}{odd}\n", f"{odd}{head}"):
        for item in read_text(text):
            found = item.diagnostics if isinstance(item, Malformed) else check(item, engine="plain").diagnostics
            assert not any(odd in each.message for each in found), text
            named += any(f"U+{ord(odd):04X}" in each.message for each in found)
    assert named > 7
