"""What a verdict takes for granted, as warnings: in every form, in a process, with `--strict`, and in the editor."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from couperation_formal.editor.document import Document
from couperation_formal.game.rulings import parse_rules
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import sample_game
from tests.cli.run import BROKEN, HEAD, LEGAL, MALFORMED, POSITION, UNDETERMINED, couperation, objects, process
from tests.conftest import LONG
from tests.spec.book import ROOT

ANYWHERE = f"{HEAD}1. Aki A 44@i1\n"
"""Only where a card of level 1 may lie anywhere, as in en-1, this turn is legal."""

ELSEWHERE = ANYWHERE.replace("44@i1", "17@f1\n2. Ben A 9@d1")
FINISH = (
    HEAD.replace("[Players", '[Rules "ja-2.2"]\n[Variant "finish"]\n[Players') + f"deck{' ?' * 36} F\n1. Aki A 17@f1\n"
)
"""The Finish card lies in the bottom half, and ja-2.2 lays it into the top half (SET05)."""


def tagged(*tags: str, text: str = LEGAL) -> str:
    return text.replace("deal Aki", "".join(f"[{tag}]\n" for tag in tags) + "deal Aki", 1)


def warned(text: str, *arguments: str, code: int = 0) -> list[dict[str, Any]]:
    """The warnings of `check`, which ends with this code."""
    result = couperation("check", "-", "--output-format", "json", *arguments, stdin=text)
    assert result.exit_code == code, result.stdout
    return [found for data in objects(result) for found in data["diagnostics"] if found["severity"] == "warning"]


@pytest.mark.parametrize("tag, known, taken", [
    ("Rule", "Rules", "the rules are ja-2.2"), ("rules", "Rules", "the rules are ja-2.2"),
    ("Ruels", "Rules", "the rules are ja-2.2"), ("Ruleset", "Rules", "the rules are ja-2.2"),
    ("Rulebook", "Rules", "the rules are ja-2.2"), ("Rulings", "Rules", "the rules are ja-2.2"),
    ("marks", "Marks", "no marks are given"), ("Mark", "Marks", "no marks are given"),
    ("arks", "Marks", "no marks are given"), ("MARKS", "Marks", "no marks are given"),
    ("Varient", "Variant", "the variant is first"), ("variant", "Variant", "the variant is first"),
    ("Variants", "Variant", "the variant is first"), ("Vairant", "Variant", "the variant is first"),
    ("event", "Event", "the game has no name"),
    ("players", "Players", "the tag Players, which stands here too, counts"),
])  # fmt: skip
def test_a_tag_near_a_known_one(tag: str, known: str, taken: str) -> None:
    (found,) = warned(tagged(f'{tag} "x"'))
    assert (found["code"], found["turn"], found["line"], found["column"]) == ("CGN", None, 3, 2)
    assert found["end_column"] == 2 + len(tag)
    assert found["message"] == f"there is no tag {tag}: did you mean {known}? {said(taken)}"


def said(taken: str) -> str:
    return taken if taken.startswith("the tag") else f"as it stands, {taken}"


@pytest.mark.parametrize(
    "tag",
    ["Remarks", "Date", "Site", "Round", "Result", "Version", "Place", "Venue", "Player1", "Time", "Table", "R" * 999],
)
def test_a_tag_of_ones_own_is_none(tag: str) -> None:
    assert warned(tagged(f'{tag} "x"')) == []


def test_beside_the_known_tag_only_its_case_is_told_and_each_once() -> None:
    known = ('Rules "ja-2.2"', 'Variant "first"', 'Marks "1:1"', 'Event "e"')
    assert warned(tagged(*known, 'Rule "en-2"', 'Mark "1:1"', 'Variants "x"')) == []
    (found,) = warned(tagged(*known, 'rules "en-2"', 'RULES "bgg"'))
    assert found["message"].endswith("Rules? the tag Rules, which stands here too, counts")
    assert len(warned(tagged('Rule "en-2"', 'Ruels "en-2"', 'mark "1:1"', 'Variantt "x"'))) == 3


def test_a_tag_that_changes_the_verdict_is_told_with_it() -> None:
    text = tagged('Rule "en-2"', text=ANYWHERE)
    (found,) = warned(text, code=1)
    assert "Rules" in found["message"]
    assert warned(text.replace("Rule ", "Rules "), code=0) == []


@pytest.mark.parametrize("text, code, otherwise", [
    (ANYWHERE, 1, "under en-1 no turn breaks a rule"), (ELSEWHERE, 1, "under en-1 no turn breaks a rule"),
    (LEGAL, 0, None),
    (f"{HEAD}1. Aki A 44@k1\n", 1, None),
    (tagged('Marks "17:2"') + "2. Ben A 22@f2\n", 0, "under bgg turn 2 breaks DRW02"),
])  # fmt: skip
def test_the_default_rulebook_where_another_one_judges_otherwise(text: str, code: int, otherwise: str | None) -> None:
    found = warned(text, code=code)
    assert [each["message"] for each in found] == (
        [f"the tag Rules is missing, and ja-2.2 is taken; {otherwise}"] if otherwise else []
    )
    assert warned(text, "--rules", "ja-2.2", code=code) == []
    assert warned(text.replace("[Players", '[Rules "ja-2.2"]\n[Players'), code=code) == []


def test_a_spec_engine_asks_the_formulas_only() -> None:
    assert warned(ANYWHERE, "--engine", "spec", code=1) == []
    assert len(warned(tagged('Rule "en-2"'), "--engine", "spec")) == 1


@cache
def seen(marks: bool) -> str:
    record = sample_game(2, "first", parse_rules("ja-2.2"), 3, "careful")
    return "".join(line for line in record_text(record).splitlines(True) if marks or not line.startswith("[Marks"))


@pytest.mark.slow
def test_marks_that_are_missing_where_draws_hang_on_them() -> None:
    (found,) = warned(seen(marks=False))
    assert found["message"].startswith(
        "the verdict hangs on marks that the record does not give, in the draws of turns "
    )
    line = seen(marks=False).splitlines()[found["line"] - 1]
    assert line[found["column"] - 1 : found["end_column"] - 1].startswith("+")
    assert line.startswith(f"{found['turn']}. ")
    assert warned(seen(marks=True)) == []
    (other,) = warned(seen(marks=True).replace("[Marks", "[marks"))
    assert "did you mean Marks?" in other["message"]


def test_what_the_note_tells_is_not_told_twice() -> None:
    """With one such draw only; where there are more, they are named."""
    text = tagged('Rules "ja-2.2"') + "2. Ben +4 A 22@f2\n"
    result = couperation("check", "-", "--engine", "plain", "--output-format", "json", stdin=text)
    (data,) = objects(result)
    assert [(found["severity"], found["turn"]) for found in data["diagnostics"]] == [("note", 2)]
    assert "nobody noted the mark of 17 on f1" in data["diagnostics"][0]["message"]
    (found,) = warned(text)
    assert found["message"].endswith('in the draw of turn 2; a tag such as [Marks "17:2 28:H"] gives them')


@pytest.mark.slow
@pytest.mark.parametrize("form", ["full", "concise", "json", "sarif", "github"])
@pytest.mark.parametrize(
    "text",
    [tagged('Rule "en-2"'), tagged('marks "1:1"'), *([seen(marks=False)] if LONG else []), FINISH],
    ids="RMDF" if LONG else "RMF",
)
def test_every_form_tells_it_and_only_strict_changes_the_exit_code(form: str, text: str) -> None:
    told = couperation("check", "-", "--output-format", form, stdin=text)
    strict = couperation("check", "-", "--output-format", form, "--strict", stdin=text)
    assert (told.exit_code, strict.exit_code, told.stdout == strict.stdout) == (0, 1, True)
    code = "SET05" if text == FINISH else "CGN"
    shown = {
        "full": f"warning[{code}]: ", "concise": f": {code} warning: ", "json": f'"code":"{code}","severity":"warning"',
        "sarif": '"level":"warning","message"', "github": "::warning file=-,line=",
    }  # fmt: skip
    assert shown[form] in told.stdout
    assert told.stdout.count(shown[form]) == 1


def test_strict_in_a_process(tmp_path: Path) -> None:
    (tmp_path / "a.cgn").write_text(tagged('Rule "en-2"'))
    (tmp_path / "b.cgn").write_text(LEGAL)
    assert [process("check", tmp_path, *more).returncode for more in ((), ("--strict",))] == [0, 1]


def test_strict_beside_other_verdicts() -> None:
    undecided = UNDETERMINED.replace('"Aki Ben"]\n', '"Aki Ben"]\n[Rule "en-2"]\n', 1)
    for text, code in ((LEGAL, 0), (undecided, 1), (BROKEN, 1), (undecided + MALFORMED, 2)):
        assert couperation("check", "-", "--budget", "1", "--strict", stdin=text).exit_code == code
    assert couperation("check", "-", "--budget", "1", stdin=undecided).exit_code == 3


def test_the_editor_tells_it_of_positions_too() -> None:
    for text in (tagged('Rule "en-2"'), POSITION.replace("position", '[Rule "en-2"]\nposition')):
        document = Document(text)
        (found,) = document.findings(document.parts[0], {})
        assert (found.found.severity, text[found.span.start : found.span.end]) == ("warning", "Rule")
        assert found.found.edit is not None
        assert found.found.edit.replacement == "Rules"


def test_the_page_shows_it(tmp_path: Path) -> None:
    (tmp_path / "a.cgn").write_text(tagged('Rule "en-2"'))
    assert couperation("report", tmp_path / "a.cgn", "-o", tmp_path / "a.html").exit_code == 0
    assert "did you mean Rules?" in (tmp_path / "a.html").read_text()


@pytest.mark.parametrize("part, column", [
    ("; 2. Ben A 9@e1", 16), (";2. Ben: B 9@e1", 16), ("; drop 5,?", 16), ("{ so\n} ; trim 12", 3),
    ("{ never closed\n2. Ben A 9@e1 {here}", 16),
])  # fmt: skip
def test_a_comment_that_holds_a_part_of_the_game(part: str, column: int) -> None:
    (found,) = warned(f"{LEGAL[:-1]} {part}\n")
    assert (found["code"], found["column"]) == ("CGN", column)
    assert warned(f"{LEGAL[:-1]} {part}\n", "--strict", code=1) == [found]


@pytest.mark.parametrize(
    "part",
    ["; drop 5 was silly", "{ 2. Ben A 9@e1 }", "{\n2. Ben A 9@e1 ; drop 5\n}", "\n; 2. Ben A 9@e1", "; 2. Ada A 9@e1",
     "; 9. moves to go", "{ a } { b\n c }", "; why { so ; drop 5"],
)  # fmt: skip
def test_comments_that_are_none_but_comments(part: str) -> None:
    assert warned(f"{LEGAL[:-1]} {part}\n") == []


@pytest.mark.parametrize(
    "tag, line, told",
    [
        ("win", "loss", "says win, and the record ends with loss"),
        ("1-0", "*", "says win, and the record ends with *"),
        ("Lost", "", "says loss, and the record ends with *"),
        ("*", "stuck", "says *, and the record ends with stuck"),
        ("win", "win", None),
        ("1-0", "win", None),
        ("*", "", None),
        ("a fine evening", "loss", None),
    ],
)
def test_a_tag_that_contradicts_the_result(tag: str, line: str, told: str | None) -> None:
    """It is a warning, whatever the verdict is; the line counts."""
    with_tag = couperation("check", "-", stdin=LEGAL.replace("deal Aki", f'[Result "{tag}"]\ndeal Aki') + line)
    without = couperation("check", "-", stdin=LEGAL + line)
    assert with_tag.exit_code == without.exit_code
    assert ("warning[CGN]: this tag " in with_tag.stdout) == (told is not None)
    assert told is None or told in with_tag.stdout


def test_a_record_without_turns_is_told() -> None:
    for text in (HEAD, HEAD + "*\n", '[CGN "1"]\n[Players "Aki Ben"]\n'):
        result = couperation("check", "-", stdin=text)
        assert (result.exit_code, "warning[CGN]: no turn is recorded" in result.stdout) == (0, True), result.stdout
        assert couperation("check", "--strict", "-", stdin=text).exit_code == 1
    assert "no turn is recorded" not in couperation("check", "-", stdin=LEGAL).stdout


def test_what_an_error_offers_is_as_decided() -> None:
    """D31: each draw, and each sign before a destroyed card, that it names is told of a record."""
    (decision,) = re.findall(r"\*\*D31\..*", (ROOT / "spec" / "decisions.md").read_text("utf-8"), re.DOTALL)
    laid = "1. Aki A 17@f1\n2. Ben A 9@e1\n3. Aki A 30@h1\n4. Ben A 22@f2\n5. Aki A 44@i1\n6. Ben A 3@d1\n"
    turns = ("1. Aki A 18@f1\n", "1. Aki D 44-30=14@h1 destroy 44\n", f"{laid}7. Aki A ?@g2\n")
    told = "".join(couperation("check", "-", stdin=HEAD + text).stdout for text in turns)
    offered = re.findall(r"`([+^_]\S+)`", decision)
    assert offered == ["+18", "+?", "^44", "_44"]
    assert [each for each in offered if each not in told] == []
