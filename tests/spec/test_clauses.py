"""Every clause stands in the specification, in the code and in the tests, and its examples mean what they say."""

from __future__ import annotations

import re

import pytest

from couperation_formal.game.rules.clauses import TURN_CLAUSES
from couperation_formal.game.rules.setup import SETUP_CHECKS
from tests.spec.book import ROOT, Chapter, Example
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


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.id)
def test_every_clause_has_a_title_and_both_examples(chapter: Chapter) -> None:
    assert chapter.title.strip()
    assert chapter.accepts
    assert chapter.refuses


@pytest.mark.parametrize(
    "text", [pytest.param(text, id=chapter.id) for chapter in CHAPTERS for text in chapter.accepts]
)
def test_accepted_examples_are_legal(text: str) -> None:
    report = judge(text)
    assert report.verdict == "legal", report.diagnostics
    ends = {"loss": {"END02"}, "stuck": {"END03"}}.get(str(report.result), set())
    assert codes(report, "note") == ends
    assert len(report.diagnostics) == len(ends), report.diagnostics


@pytest.mark.slow
@pytest.mark.parametrize(
    "example", [pytest.param(example, id=chapter.id) for chapter in CHAPTERS for example in chapter.refuses]
)
def test_refused_examples_break_what_they_say(example: Example) -> None:
    report = judge(example.text)
    if example.warned:
        assert report.verdict == "legal"
        assert [(found.code, found.turn) for found in report.diagnostics] == [(example.code, example.turn)]
    else:
        assert report.verdict == "illegal"
        assert report.turn == example.turn
        assert example.code in codes(report), report.diagnostics
        assert example.also in (None, codes(report, "note"))


@pytest.mark.parametrize("chapter", [chapter for chapter in CHAPTERS if chapter.id in TURN_CLAUSES], ids=lambda c: c.id)
def test_the_rulings_of_a_clause_agree(chapter: Chapter) -> None:
    assert set(TURN_CLAUSES[chapter.id].rulings) == chapter.rulings  # type: ignore[index]
