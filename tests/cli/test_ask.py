"""`couperation ask`: questions found by words, as a person asks."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from couperation_formal.cli.main import main
from couperation_formal.game.rulings import spec_text
from couperation_formal.output.blocks import plain
from couperation_formal.questions.records.ask import (
    AskData,
    Texts,
    Words,
    ask_blocks,
    ask_data,
    asked_data,
    nearest,
    questions,
    ranked,
    weighted,
    words_of,
)
from couperation_formal.questions.schemas import schema
from couperation_formal.words.say import ENGLISH
from tests.cli.asked import ASKED, NONSENSE, TRIALS, found, honest, wordings
from tests.cli.run import couperation, on_a_terminal, process

NONE = Words(frozenset(), {}, frozenset(), 1)
"""Nothing is known of words."""


def asked(*words: str) -> dict[str, Any]:
    result = couperation("ask", *words, "--output-format", "json")
    assert result.exit_code == 0
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def titles(words: str, most: int) -> list[str]:
    return [questions()[place].title for place, _ in nearest(words)[:most]]


ALL = [(words, question) for question in questions() for words in (question.title, *question.asked)]


@pytest.mark.slow
def test_what_a_page_says_that_players_ask_is_found_by_it() -> None:
    ways = [(words, question.title, titles(words, 3)) for words, question in ALL]
    assert [(words, found) for words, title, found in ways if title not in found] == []
    assert 100 * sum(found[0] == title for _, title, found in ways) >= 95 * len(ways)


def test_every_page_is_asked_for_in_both_languages_and_nothing_twice() -> None:
    for question in questions():
        assert sum(words.isascii() for words in question.asked) >= 3, question.title
        assert sum(not words.isascii() for words in question.asked) >= 3, question.title
    assert [words for words, times in Counter(words.lower() for words, _ in ALL).items() if times > 1] == []


@pytest.mark.parametrize("half", [0, 1], ids=["set by", "held out"])
def test_wordings_that_no_page_has_find_their_question_or_nothing(half: int) -> None:
    """The figures of `spec/questions/README.md`."""
    asked = [*wordings(half, True), *wordings(half, False)]
    first, three = found(asked)
    assert (len(asked) >= 90, 10 * first >= 8 * len(asked), 10 * three >= 9 * len(asked)) == (True, True, True)
    nothing, of = honest(half)
    assert 10 * nothing >= 7 * of


def test_the_titles_of_the_wordings_are_those_of_questions() -> None:
    assert {*ASKED["wordings"]} <= {question.title for question in questions()}


def test_quarrels_of_every_kind_are_questions() -> None:
    for part, ruling in TRIALS.values():
        (question,) = [each for each in questions() if part in each.title]
        assert ruling is None or ruling in question.rulings
        assert ruling is not None or any("provided" in verdict for verdict in question.verdicts.values())
    assert len(TRIALS) == 12


@pytest.mark.parametrize("words", NONSENSE)
def test_to_nonsense_nothing_is_near(words: str) -> None:
    assert titles(words, 1) == []


def test_every_question_is_found_by_its_title() -> None:
    assert [each.title for each in questions() if titles(each.title, 1) != [each.title]] == []


SHOWN = """\
A heart lies over a heart and two diamonds. Do the diamonds still count?

  It hangs on hearts_below. Under ja-2.2 and bgg the heart below counts nothing and the other
  card its diamonds. en-1 and en-2 speak of one card below and leave it open; their rulebooks
  take it that a heart below ends the matter, so that nothing may be drawn, and DRW03 is
  broken.

  [Marks "17:H 21:H 25:2"]
  deal Ada 17 30 3
  1. Ada A 17@f1
  2. Bo A 21@f2
  3. Ada +5,6 A 30@h1 ~~

  en-1    illegal  DRW03 A heart allows the diamonds of its two supports, its text leaves it open
  en-2    illegal  DRW03 A heart allows the diamonds of its two supports, its text leaves it open
  ja-2.2  legal
  bgg     legal
  hearts_below  What does a heart among the supports of a heart count for the draw?
  en-1 §4.1, en-2 §4.1, ja-2.2 §4.1 (spec/questions/drawing.md)
"""


def test_what_is_shown() -> None:
    result = couperation("ask", "--most", "1", "do", "the", "diamonds", "still", "count")
    assert (result.exit_code, result.stderr, result.stdout) == (0, "", SHOWN)


@pytest.mark.slow
def test_on_a_terminal_prose_is_as_wide_as_the_terminal() -> None:
    data = ask_data("diamonds still count", 1)
    for width in (44, 70, 94):
        lines = plain(ask_blocks(data, width), ENGLISH).splitlines()
        prose = lines[2 : lines.index("", 2)]
        assert max(map(len, prose)) <= width
        assert " ".join(line.strip() for line in prose) == data.questions[0].answer
    assert "ja-2.2" in plain(ask_blocks(data, 1), ENGLISH)
    code, shown = on_a_terminal("ask", "--most", "1", "diamonds", "still", "count", columns=60)
    _, prose, *_ = (part.splitlines() for part in shown.replace("\r", "").split("\n\n"))
    assert (code, len(prose) > 4, max(map(len, prose)) <= 60) == (0, True, True)
    assert " ".join(line.strip() for line in prose) == data.questions[0].answer


def test_without_an_answer_no_file_is_made(tmp_path: Path) -> None:
    out = tmp_path / "answer.txt"
    ran = process("ask", "-o", str(out), "pizza")
    assert (ran.returncode, [*tmp_path.iterdir()]) == (1, [])
    out.write_text("mine", encoding="utf-8")
    assert process("ask", "-o", str(out), "--force", "pizza").returncode == 1
    assert out.read_text(encoding="utf-8") == "mine"
    assert process("ask", "-o", str(out), "--force", "may", "I", "pass").returncode == 0
    assert "nobody passes" in out.read_text(encoding="utf-8")


@pytest.mark.slow
def test_remarks_on_a_verdict_are_told() -> None:
    every = AskData(words="", questions=tuple(asked_data(question) for question in questions()), format=1)
    shown = {" ".join(line.split()) for line in plain(ask_blocks(every, 94), ENGLISH).splitlines()}
    assert {
        "bgg legal the game is won",
        "en-1 legal the game is lost",
        "en-1 legal the game is lost, as the player is stuck",
        "en-1 legal provided that what nobody noted is so",
        "en-1 legal SET05 warns",
        "ja-2.2 legal turn 1 was already wrong: DRW01 (ja-2.2 §4.1)",
        "ja-2.2 legal the game was over after turn 3: lost",
        "ja-2.2 legal the game was over after turn 7: lost, as the player is stuck",
    } <= shown


def test_scores_fall_and_no_more_are_given_than_asked_for() -> None:
    found = asked("back", "number", "--most", "7")["questions"]
    scores = [question["score"] for question in found]
    assert len(found) == 7
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0


@pytest.mark.parametrize("words", [("pizza",), ("?!",), ("",), ("the",)])
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
    validator = Draft202012Validator(schema("ask"))
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
    found = asked("LIM02", "--most", "2")["questions"]
    assert all("LIM02" in each["codes"] for question in found for each in question["rulebooks"].values())
    assert asked("take_sent", "--most", "1")["questions"][0]["rulings"] == ["take_sent"]


def test_ranking() -> None:
    counted = [
        weighted(("a b back", 2), known=NONE),
        weighted(("back", 4), ("gap", 2), known=NONE),
        weighted(("gaps and others", 4), known=NONE),
        *[{f"word{number}": 1.0} for number in range(9)],
    ]
    texts = Texts(counted)
    assert [place for place, _ in ranked("gap", texts, NONE)] == [2, 1]
    assert [place for place, _ in ranked("gap back", texts, NONE)] == [1]
    assert ranked("gap nothing here", texts, NONE) == []
    assert ranked("", Texts([]), NONE) == []
    assert ranked("gap", Texts([]), NONE) == []
    assert words_of("Replaced, replaces: REPLACING (replacement) early_apex 25!", NONE) == ["replac"] * 4 + [
        "earli",
        "apex",
        "25",
    ]
    assert (
        len({*words_of("pass passes passing passed", NONE)})
        == len({*words_of("trim trims trimmed trimming", NONE)})
        == 1
    )


def test_words_that_count_as_another_one() -> None:
    known = Words.of(("the", "a"), {"draw": ("drew", "pick up"), "pick": ("choose",)})
    assert words_of("The ｄｒｅｗ, PICKS up a card; a pick, chooses", known) == ["draw", "draw", "card", "pick", "pick"]
    assert words_of("the drew", NONE) == ["the", "drew"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("dimonds", "diamonds"),
        ("reserrve", "reserve"),
        ("finihs", "finish"),
        ("replaxe", "replace"),
        ("disxard", "discard"),
    ],
)
def test_one_slip_of_the_pen_is_forgiven(word: str, meant: str) -> None:
    assert nearest(f"{word} card")[:3] == nearest(f"{meant} card")[:3] != []


def test_a_word_that_is_short_or_has_two_slips_is_taken_as_it_is() -> None:
    assert [nearest(word) for word in ("gup", "dimmods", "xeserve")] == [[], [], []]


def test_the_table_of_words_says_each_thing_once() -> None:
    data = tomllib.loads(spec_text("questions/words.toml"))
    given = [
        *chain.from_iterable(
            Words.of((), {each: ()}).same for word, others in data["same"].items() for each in (word, *others)
        )
    ]
    assert [each for each, times in Counter(given).items() if times > 1] == []
    silent = [*chain.from_iterable(Words.of((), {each: ()}).same for each in data["silent"])]
    assert {*silent} & {*given} == set()
    assert list(data["same"]) == sorted(data["same"])
    assert data["silent"] == sorted(set(data["silent"]))
