"""The pages on studies of the game: their numbers are those that are kept of the results."""

from __future__ import annotations

import json

import pytest

from bench.studies import KEPT, PAGES, pages
from couperation_formal.questions.studies.rows import read_plan
from tests.kit.started import ROOT

STUDIES = json.loads(KEPT.read_text("utf-8"))
MADE = pages(STUDIES)


def test_every_page_is_of_a_study() -> None:
    assert sorted(path.stem for path in PAGES.glob("*.md")) == sorted(MADE)


@pytest.mark.parametrize("name", MADE)
def test_a_page_has_the_numbers_that_are_kept(name: str) -> None:
    assert (PAGES / f"{name}.md").read_text("utf-8") == MADE[name]


@pytest.mark.parametrize("name", STUDIES)
def test_the_results_are_those_of_the_plan(name: str) -> None:
    """No row failed; and where parts are missing the page says so."""
    plan, kept = read_plan(ROOT / "examples" / "studies" / f"{name}.toml"), STUDIES[name]
    assert (kept["plan"], kept["failed"]) == (plan.digest, 0)
    there, wanted = kept["parts"]
    assert 0 < there <= wanted == plan.parts
    assert there == wanted or f"These are {there:,} of its {wanted:,} parts." in "".join(MADE.values())
