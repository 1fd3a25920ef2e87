"""The questions of players run: verdicts, rulings and answers are computed and agree with what their pages say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from couperation_formal.game.record import Game
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import RULING_NAMES, registry
from couperation_formal.hidden.readings.standing import quarrel_verdicts
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.disputes.dispute import dispute
from couperation_formal.questions.records import ask
from couperation_formal.questions.records.ask import PAGES, Question, answered, asked_data, questions
from couperation_formal.questions.records.quarrel import TurnVerdict, deciding
from tests.conftest import some
from tests.spec.book import ROOT, SECTIONS
from tests.spec.clauses import CHAPTERS, judge

ALL = questions()


def each_question(check: Callable[[Question], None]) -> Callable[[str], None]:
    """The check of each question; those of a page are one test, as a test by itself takes longer than most of them."""

    @pytest.mark.parametrize("page", PAGES)
    def of_a_page(page: str) -> None:
        for question in ALL:
            if question.page == page:
                check(question)

    return of_a_page


@cache
def said(title: str) -> dict[str, TurnVerdict]:
    """What each rulebook says of the turn that a question is about."""
    return ask.said(next(question for question in ALL if question.title == title))


@cache
def answer_to(title: str) -> str:
    return answered(next(question for question in ALL if question.title == title))


def test_there_are_enough_and_no_two_are_the_same() -> None:
    assert len(ALL) >= 130
    assert len({question.title for question in ALL}) == len(ALL)
    assert len({question.anchor for question in ALL}) == len(ALL)


def test_every_page_is_read_and_listed() -> None:
    folder = ROOT / "spec" / "questions"
    listed = re.findall(r"^\| `(\w+)\.md` \|", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert tuple(listed) == PAGES
    assert {question.page for question in ALL} == set(PAGES)
    for page in PAGES:
        text = (folder / f"{page}.md").read_text(encoding="utf-8")
        assert text.count("\n## ") == text.count("```cgn\n") == sum(question.page == page for question in ALL)


@each_question
def test_the_verdicts_are_those_of_the_page(question: Question) -> None:
    found = {name: each.told() for name, each in said(question.title).items()}
    assert list(question.verdicts) == list(registry().rulebooks)
    assert found == question.verdicts


PROVIDED = [question for question in ALL if any("provided" in told for told in question.verdicts.values())]


def test_what_hangs_on_marks_says_on_which() -> None:
    """A page says that a verdict hangs on marks; `dispute` tells on which, and of these alone."""
    assert PROVIDED
    for question in (*PROVIDED, *ALL[:4]):
        found = dispute(question.game, at=question.turn).provided if question.turn else {}
        for name, told in question.verdicts.items():
            hangs = name in found and not found[name].always
            assert hangs == ("provided" in told), question.title
            for term in found[name].terms if hangs else ():
                assert {literal.kind for literal in term} == {"mark"}


@pytest.mark.slow
@each_question
def test_the_rulings_that_decide_and_the_clauses_are_those_of_the_page(question: Question) -> None:
    assert set(question.rulings) == set(deciding(question.game.record, question.turn))
    named = {each.clause for each in said(question.title).values() if each.clause}
    assert named <= set(question.clauses) <= {chapter.id for chapter in CHAPTERS}


@each_question
def test_every_place_in_the_answer_is_filled(question: Question) -> None:
    answer = answer_to(question.title)
    assert not re.search(r"[{}]|None|Fact\(", answer)
    assert 1 <= len(re.findall(r"[.?!](?= |$)", answer)) <= 3
    for name in set(re.findall(r"\b[a-z]+_[a-z_]+\b", answer)) | set(re.findall(r"\b[A-Z]{3}\d\d\b", answer)):
        assert name not in re.sub(r"\{[^{}]+\}", "", question.answer), "prose is typed, names are computed"


@each_question
def test_the_record_is_canonical_and_its_dispute_marked(question: Question) -> None:
    assert len(question.text) < 1500
    marked = [place for place, turn in enumerate(question.game.record.turns, 1) if "~~" in turn.glyphs]
    assert marked == ([question.turn] if question.game.record.turns else [])
    (again,) = read_text(record_text(question.game.record))
    assert isinstance(again, Game)
    assert again.record == question.game.record


@pytest.mark.slow
@each_question
def test_every_rulebook_that_says_otherwise_than_most_is_named(question: Question) -> None:
    verdicts = Counter(question.verdicts.values())
    answer = answer_to(question.title)
    for name, verdict in question.verdicts.items():
        if verdicts[verdict] <= len(question.verdicts) / 2:
            assert re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", answer), name


@each_question
def test_no_answer_begins_with_what_some_rulebook_denies(question: Question) -> None:
    """Of a question whether one may: *Yes* where all find the turn legal and nothing was over, *No* where none does;
    neither where a text leaves it open.
    """
    if re.search(r"\b(May|Can) (I|we)\b[^.?]*\?$|Is that allowed\?$", question.title):
        told = question.verdicts.values()
        fine = {"open" if "open" in each else each.startswith("legal") and ";" not in each for each in told}
        assert not question.answer.startswith(("No,", "No.", "No:")) or fine == {False}
        assert not question.answer.startswith(("Yes,", "Yes.", "Yes:")) or fine == {True}


@each_question
def test_places_are_places_of_the_texts(question: Question) -> None:
    for place in question.places:
        text, _, section = place.partition(" ")
        assert text in registry().rulebooks
        assert (text == "bgg") == section.startswith(("¶", "last lines"))
        assert section in {*SECTIONS, "last lines"}


def test_every_clause_that_can_be_broken_at_a_table_is_broken_in_some_question() -> None:
    asked = {clause for question in ALL for clause in question.clauses}
    assert asked == {chapter.id for chapter in CHAPTERS}
    broken = {clause for question in ALL for each in said(question.title).values() for clause, _ in each.broken}
    assert {chapter.id for chapter in CHAPTERS} - broken == {"SET05", "END01", "END02", "END03", "END04"}
    verdicts = {verdict for question in ALL for verdict in question.verdicts.values()}
    for mark in ("legal, SET05", "legal, win", "legal, loss", "legal, stuck", "legal; 3: loss", "legal, provided"):
        assert mark in verdicts


def test_every_ruling_is_asked_about() -> None:
    assert {name for question in ALL for name in question.rulings} >= set(RULING_NAMES)


@pytest.mark.slow
@each_question
def test_the_replay_of_the_whole_record_says_the_same_where_nothing_before_is_wrong(question: Question) -> None:
    """Another way to the verdict: the record up to the turn, carried out until its first illegal turn."""
    for name, each in said(question.title).items():
        if not each.standing:
            found = replay(question.game.record, registry().rulebooks[name])
            errors = [broken.clause for broken in found.broken if not broken.warning]
            assert errors == [clause for clause, _ in each.broken]
            assert found.illegal == (question.turn if errors else None)
            assert each.broken or found.reached == (each.ends or "unfinished")


@pytest.mark.slow
@pytest.mark.parametrize("question", some(ALL, 20))
def test_some_choice_of_what_the_record_does_not_show_makes_a_legal_turn_legal(question: Question) -> None:
    for name, each in said(question.title).items():
        if not each.standing:
            report = judge(question.text.replace('[CGN "1"]\n', f'[CGN "1"]\n[Rules "{name}"]\n', 1))
            assert report.verdict == each.verdict


@each_question
def test_the_turn_by_itself_under_all_readings_says_the_same(question: Question) -> None:
    """`dispute --at`: sets of readings, on the table of the total step."""
    if question.turn == 0:
        return
    found = quarrel_verdicts(question.game.record, question.turn)
    for name, each in said(question.title).items():
        rulings = registry().rulebooks[name]
        if each.clause != "END05" and rulings not in found.undetermined:
            assert rulings in (found.legal if each.verdict == "legal" else found.illegal)
            admits = {ruling.name: ruling.texts[name].options for ruling in registry().rulings.values()}
            left = {ruling: options for ruling, options in admits.items() if options}
            ways = [rulings.with_changes(dict(zip(left, ways, strict=True))) for ways in product(*left.values())]
            if len({way in found.illegal for way in ways}) > 1 or not (each.ends or each.standing):
                assert each.open == (len({way in found.illegal for way in ways}) > 1)


def test_a_wrong_page_is_not_read_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    import couperation_formal.questions.records.ask as module

    page = (ROOT / "spec" / "questions" / "limits.md").read_text(encoding="utf-8")
    for wrong in (page.replace("Rulings: none.\n", "", 1), page.replace("[CGN", "[CGM", 1)):
        monkeypatch.setattr(module, "spec_text", lambda _, text=wrong: text)
        questions.cache_clear()
        with pytest.raises(ValueError, match="four after"):
            questions()
    questions.cache_clear()


def test_a_place_that_nothing_fills_is_an_error() -> None:
    import msgspec

    legal = next(question for question in ALL if set(question.verdicts.values()) == {"legal"} and not question.rulings)
    for place in ("{nobody}", "{who loss}", "{clause ja-2.2}", "{rulings}", "{standing bgg}"):
        question = msgspec.structs.replace(legal, answer=f"So {place}.")
        with pytest.raises((KeyError, IndexError)):
            answered(question)


def test_the_data_of_an_answer() -> None:
    data = asked_data(next(question for question in ALL if question.page == "table"))
    assert data.rulebooks["en-2"].codes[0] == "DRW03"
    assert data.rulebooks["en-2"].standing == {"1": "DRW01"}
    assert Path(ROOT / "spec" / "questions" / f"{data.page}.md").is_file()
