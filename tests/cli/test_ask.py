"""`couperation ask`: questions found by words, as a person asks."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from couperation_formal.answers.nearest import ranked, weighted, words_of
from couperation_formal.answers.questions import answered, questions
from couperation_formal.cli.main import main
from tests.cli.run import couperation, process

ASKED = {
    "joker": "A face-down card is a joker. May I lay it where no number is left?",
    "two backs in one gap": "Two backs lie in one gap, and only one number is left for them. Is that allowed?",
    "can I take back a card that I sent?": "Can I take back the card I just sent?",
    "card over a gap": "May I lay a card over a gap?",
    "replacing the 25": "May a card from the Reserve replace the 25 of the set-up?",
    "plus one and minus one": "I destroy two cards. May one count plus one and the other minus one?",
    "a slip that we let stand": "We let a slip stand. Does it decide the quarrel about a later turn?",
    "nobody noted the mark": "I drew two after her card, and nobody wrote down its mark. Was it right?",
    "early_apex": "We opened the last back after the top was laid. Have we won?",
    "skipped": "She could not act, and we skipped her. May I go on?",
    "the back above had no number left": "She opened 24 and it fitted, but the back above had no number left. Lost?",
    "heart over a back": "A heart lies over a back and two diamonds. Does the back end the draw?",
    "PASSING": "I have nothing good. May I pass?",
}


def asked(*words: str) -> dict[str, Any]:
    result = couperation("ask", *words, "--output-format", "json")
    assert result.exit_code == 0
    data: dict[str, Any] = json.loads(result.stdout)
    return data


@pytest.mark.parametrize("words", ASKED)
def test_the_nearest_question_is_found(words: str) -> None:
    found = [question["question"] for question in asked(*words.split(), "--most", "2")["questions"]]
    assert ASKED[words] in found


def test_every_question_is_found_by_its_own_words() -> None:
    missed = [
        each.title for each in questions() if asked(each.title, "--most", "1")["questions"][0]["question"] != each.title
    ]
    assert missed == []


def test_what_is_shown() -> None:
    result = couperation("ask", "--most", "1", "do", "the", "diamonds", "still", "count")
    question = next(each for each in questions() if each.title.startswith("A heart lies over a heart"))
    lines = result.stdout.splitlines()
    assert (result.exit_code, result.stderr) == (0, "")
    assert lines[0] == question.title
    assert lines[2] == f"  {answered(question)}"
    assert lines[4:8] == [
        "  en-1    illegal  DRW03 A heart allows the diamonds of its two supports",
        "  en-2    illegal  DRW03 A heart allows the diamonds of its two supports",
        "  ja-2.2  legal",
        "  bgg     legal",
    ]
    assert lines[8].startswith("  hearts_below  What does a heart among the supports")
    assert lines[9] == "  en-1 §4.1, en-2 §4.1, ja-2.2 §4.1 (spec/questions/drawing.md)"


def test_remarks_on_a_verdict_are_told() -> None:
    shown = couperation("ask", "--most", "100", "a", "card", "slip", "mark", "opened", "Finish", "half").stdout
    for remark in ("the game ends in a loss", "provided that what nobody noted is so", "SET05 warns", "turn 1 (DRW01)"):
        assert remark in shown


def test_scores_fall_and_no_more_are_given_than_asked_for() -> None:
    found = asked("back", "number", "--most", "7")["questions"]
    scores = [question["score"] for question in found]
    assert len(found) == 7
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0


@pytest.mark.parametrize("words", [("zebra",), ("?!",), ("",), ("the",)])
def test_nothing_near_is_said_and_exits_with_1(words: tuple[str, ...]) -> None:
    result = couperation("ask", *words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("no question is near")
    result = couperation("ask", *words, "--output-format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["questions"] == []


@pytest.mark.parametrize(
    "arguments", [(), ("gap", "--most", "0"), ("gap", "--most", "x"), ("gap", "--output-format", "sarif")]
)
def test_unusable_arguments_exit_with_2(arguments: tuple[str, ...]) -> None:
    assert main(["ask", *arguments]) == 2


def test_the_json_form_is_that_of_the_schema() -> None:
    schema = json.loads(
        resources.files("couperation_formal.report").joinpath("schema/ask.json").read_text(encoding="utf-8")
    )
    validator = Draft202012Validator(schema)
    data = asked("heart", "slip", "--most", "100")
    validator.validate(data)
    for field in data["questions"][0]:
        wrong = {**data, "questions": [{name: value for name, value in data["questions"][0].items() if name != field}]}
        with pytest.raises(ValidationError):
            validator.validate(wrong)


def test_a_process_of_its_own_finds_the_pages_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = process("ask", "may", "I", "pass")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"nobody passes" in ran.stdout


def test_clauses_and_rulings_are_words_too() -> None:
    assert all("LIM02" in question["clauses"] for question in asked("LIM02", "--most", "3")["questions"])
    assert asked("take_sent", "--most", "1")["questions"][0]["rulings"] == ["take_sent"]


def test_ranking() -> None:
    texts = [
        weighted(("a b back", 1)),
        weighted(("back", 4), ("gap", 1)),
        weighted(("gaps and others", 1)),
        Counter[str](),
    ]
    assert [place for place, _ in ranked("gap", texts)] == [2, 1]
    assert ranked("nothing here", texts) == []
    assert ranked("", []) == []
    assert words_of("Replaced, replaces: REPLACING (replacement) early_apex 25!") == ["replac"] * 4 + [
        "early",
        "apex",
        "25",
    ]
