"""Every sentence of every text has a row, and what is told of it exists and is cited there (`spec/coverage.md`)."""

from __future__ import annotations

import re

import pytest

from couperation_formal.game.rulings import registry
from tests.kit.coverage import kind, page, sentences
from tests.spec.book import ROOT, chapters, cited

SECTIONS = (
    "title",
    "components",
    "§1",
    "§2",
    "§3",
    "§4",
    "§4.1",
    "§4.2",
    "§4.2_A",
    "§4.2_B",
    "§4.2_C",
    "§4.2_D",
    "§4.3",
    "§5",
    "§6",
    "§6_(2)",
    "§6_(4.1)",
    "§6_(4.2)",
    "§6_(5)",
    "last_lines",
)
COUNTS = {
    "en-1": dict(zip(SECTIONS, (4, 3, 4, 10, 10, 7, 10, 2, 2, 5, 3, 10, 3, 4, 2, 3, 4, 3, 3, 3), strict=True)),
    "en-2": dict(zip(SECTIONS, (4, 4, 4, 10, 11, 7, 11, 2, 2, 5, 3, 11, 3, 4, 2, 3, 4, 3, 3, 4), strict=True)),
    "ja-2.2": dict(zip(SECTIONS, (4, 6, 6, 9, 13, 8, 13, 1, 2, 5, 3, 8, 3, 3, 2, 2, 3, 3, 2, 5), strict=True)),
    "bgg": {"¶1": 1, "¶2": 2, "¶3": 5, "¶4": 3, "¶5": 1, "¶6": 6, "last_lines": 3},
}
"""The sentences of each section, counted in the texts."""


def test_the_page_is_current(request: pytest.FixtureRequest) -> None:
    path = ROOT / "spec" / "coverage.md"
    if request.config.getoption("--update-goldens"):
        path.write_text(page(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == page()


def test_every_sentence_has_a_row() -> None:
    told = {text: {at.replace(" ", "_"): len(rows) for at, rows in each.items()} for text, each in sentences().items()}
    assert told == COUNTS
    assert all(names for each in sentences().values() for rows in each.values() for names in rows)


def test_what_is_told_of_a_sentence_exists() -> None:
    decisions = re.findall(r"^\*\*(D\d+)\.", (ROOT / "spec" / "decisions.md").read_text(encoding="utf-8"), re.MULTILINE)
    known = {
        "clause": {chapter.id for chapter in chapters()},
        "decision": {*decisions},
        "ruling": {*registry().rulings},
    }
    for each in sentences().values():
        for rows in each.values():
            for names in rows:
                for name in names:
                    assert name in known.get(kind(name), {name})
                assert "no-rule" not in names or len(names) == 1
    told = {name for each in sentences().values() for rows in each.values() for names in rows for name in names}
    assert known["clause"] | known["ruling"] <= told


PAGES = ("decisions", "not-checkable", "errata")


def places(cell: str) -> set[str]:
    """The sections that a row of a table names, without the rule."""
    plain = {place.partition(",")[0] for place in cited(cell)}
    return plain | {name for name in ("title", "components", "last lines") if name in cell}


def test_a_place_that_a_clause_cites_has_a_sentence_of_it() -> None:
    """Where its Sources say that the text is silent, it names the place where one would look."""
    for path in sorted((ROOT / "spec" / "clauses").glob("*.md")):
        for body in re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            clause, (table,) = body[:5], re.findall(r"\| text \| place .*\n\|---.*\n((?:\|.*\n)+)", body)
            for row in table.splitlines():
                texts, place, what = (part.strip() for part in row.strip("|").split(" | ", 2))
                for text in texts.split(", "):
                    for at in places(place) if not what.startswith("silent") else ():
                        told = {name for names in sentences()[text][at] for name in names}
                        assert clause in told, (clause, text, at)


def test_a_place_that_a_ruling_cites_has_a_sentence_of_it() -> None:
    for name, ruling in registry().rulings.items():
        for text, stand in ruling.texts.items():
            for at in places(stand.place) if stand.stand != "silent" else ():
                told = {each for names in sentences()[text][at] for each in names}
                assert name in told, (name, text, at)


def test_what_the_other_pages_are_told_of_they_cite() -> None:
    """A decision, `not-checkable.md` and `errata.md` name the section of each sentence that is laid at their door."""
    read = {name: (ROOT / "spec" / f"{name}.md").read_text(encoding="utf-8") for name in PAGES}
    decisions = dict(re.findall(r"^\*\*(D\d+)\.(.*?)(?=^\*\*D|\Z)", read["decisions"], re.MULTILINE | re.DOTALL))
    for text, sections in sentences().items():
        for at, rows in sections.items():
            for name in {name for names in rows for name in names}:
                where = decisions.get(name) or read.get(name)
                assert where is None or at.partition(" ")[0] in {place.split()[0] for place in cited(where)}, (
                    text,
                    at,
                    name,
                )
                if name in read and where is not None:
                    assert any(text in row and at.split()[0] in row for row in where.splitlines()), (text, at, name)
