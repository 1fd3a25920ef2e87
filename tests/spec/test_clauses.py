"""Every clause stands in the specification, in the code and in the tests, and its examples mean what they say."""

from __future__ import annotations

import re

import pytest

from couperation_formal.game.rules.clauses import TURN_CLAUSES
from couperation_formal.game.rules.setup import SETUP_CHECKS
from tests.spec.book import ROOT, Chapter
from tests.spec.clauses import CHAPTERS, codes, judge

IN_CODE = {*TURN_CLAUSES, *SETUP_CHECKS, "SET05", "END01", "END02", "END03", "END04", "END05", "END06"}


def test_the_specification_and_the_code_name_the_same_clauses() -> None:
    names = [chapter.id for chapter in CHAPTERS]
    assert len(names) == len(set(names))
    assert set(names) == IN_CODE


def test_no_code_names_a_clause_that_the_specification_lacks() -> None:
    named = set()
    for path in (ROOT / "couperation_formal").rglob("*.py"):
        named |= set(re.findall(r"\b(?:SET|TOW|DRW|ACT|LIM|END)\d\d\b", path.read_text(encoding="utf-8")))
    assert named
    assert named <= {chapter.id for chapter in CHAPTERS}


def test_every_clause_has_a_title_and_both_examples() -> None:
    for chapter in CHAPTERS:
        assert chapter.title.strip(), chapter.id
        assert chapter.accepts, chapter.id
        assert chapter.refuses, chapter.id


each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.id)


@each_chapter
def test_accepted_examples_are_legal(chapter: Chapter) -> None:
    for text in chapter.accepts:
        report = judge(text)
        assert report.verdict == "legal", report.diagnostics
        ends = {"loss": {"END02"}, "stuck": {"END03"}}.get(str(report.result), set())
        assert codes(report, "note") == ends, text
        assert len(report.diagnostics) == len(ends), report.diagnostics


@pytest.mark.slow
@each_chapter
def test_refused_examples_break_what_they_say(chapter: Chapter) -> None:
    for example in chapter.refuses:
        report = judge(example.text)
        if example.warned:
            assert report.verdict == "legal", example
            assert [(found.code, found.turn) for found in report.diagnostics] == [(example.code, example.turn)]
        else:
            assert report.verdict == "illegal", example
            assert report.turn == example.turn, example
            assert example.code in codes(report), report.diagnostics
            assert example.also in (None, codes(report, "note")), example


def test_the_rulings_of_a_clause_agree() -> None:
    told = {chapter.id: chapter.rulings for chapter in CHAPTERS if chapter.id in TURN_CLAUSES}
    assert told == {clause: {*of.rulings} for clause, of in TURN_CLAUSES.items()}
