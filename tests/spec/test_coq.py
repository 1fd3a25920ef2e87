"""The theory in Coq (`spec/coq`): its map in README.md, the theorems of the pages, and that nothing is left unproved.

`make prove` has Coq check the proofs.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.spec import coq_formulas

SPEC = Path(__file__).resolve().parents[2] / "spec"
THEORY = {path.stem: path.read_text("utf-8") for path in sorted((SPEC / "coq").glob("*.v"))}
PAGES = {path.name: path.read_text("utf-8") for path in sorted(SPEC.glob("*.md"))}

PRINTED = coq_formulas.WRITTEN.stem

STATED = re.compile(r"^ *(?:Theorem|Lemma|Corollary) (\w+)", re.MULTILINE)
THEOREM = re.compile(r"^\*\*(?:Theorem|Lemma)\b[^*]*\*\*(.{0,160})", re.MULTILINE | re.DOTALL)
PROVED = re.compile(r"\(proved as ((?:`\w+\.\w+`(?:, | and )?)+)\)|\(proved on paper only\)")
NAME = re.compile(r"`(\w+)\.(\w+)`")


def named(text: str) -> list[tuple[str, str]]:
    """The theorems that are named, each with its file."""
    return [(file, name) for file, name in NAME.findall(text) if file in THEORY and name != "v"]


def test_nothing_is_admitted_and_no_axiom_is_assumed() -> None:
    assert THEORY
    for name, text in THEORY.items():
        plain = re.sub(r"\(\*.*?\*\)", " ", text, flags=re.DOTALL)
        words = "Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|Unset|bypass_check"
        assert not re.search(rf"\b({words})\b", plain), name
        assert text.count("\n") <= 500 or name == PRINTED, name


def test_the_formulas_are_printed_from_the_pages() -> None:
    """`python -m tests.spec.coq_formulas` prints them anew."""
    assert THEORY[PRINTED] == coq_formulas.whole()


def test_each_theorem_of_a_page_says_how_it_is_proved() -> None:
    found = {
        (page, said[:60])
        for page, text in PAGES.items()
        for said in THEOREM.findall(text)
        if not PROVED.match(said.lstrip())
    }
    assert found == set()


def test_what_is_named_is_stated_in_coq() -> None:
    stated = {(file, name) for file, text in THEORY.items() for name in STATED.findall(text)}
    listed = named((SPEC / "coq" / "README.md").read_text("utf-8"))
    assert listed
    assert set(listed) - stated == set()
    for page, text in PAGES.items():
        for proved in re.findall(r"\(proved as [^)]*\)", text):
            assert named(proved), (page, proved)
            assert set(named(proved)) <= set(listed), (page, proved)


def test_the_map_leads_back_to_the_pages() -> None:
    """What it gives for a theorem of a page stands there too."""
    rows = re.findall(
        r"^\| `(\w[\w-]*\.md)` \| ([^|]+) \| ([^|]+) \|", (SPEC / "coq" / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert {page for page, _, _ in rows} <= PAGES.keys()
    told = {
        page: {each for proved in re.findall(r"\(proved as [^)]*\)", text) for each in named(proved)}
        for page, text in PAGES.items()
    }
    listed = {
        page: {
            each
            for row, what, proved in rows
            if row == page and what.startswith(("Theorem", "Lemma"))
            for each in named(proved)
        }
        for page in PAGES
    }
    assert told == listed
