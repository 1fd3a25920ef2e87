"""What is cited exists: the sections of the texts, every text's row under every clause, and each text's stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from couperation_formal.game.rulings import registry
from tests.spec.book import ROOT, SECTIONS, chapters, cited

PAGES = [
    ROOT / "spec" / name for name in ("errata.md", "not-checkable.md", "decisions.md", "rulings.toml", "README.md")
]
PAGES += sorted((ROOT / "spec" / "clauses").glob("*.md"))
PAGES += sorted(path for path in (ROOT / "spec" / "questions").glob("*.md") if path.stem != "README")
TEXTS = ("en-1", "en-2", "ja-2.2", "bgg")

STANDS = """
anchor states states implies silent
spread literal literal states silent
row_order states states states states
between implies implies implies implies
facedown open open states states
replace_target implies implies implies implies
take_sent implies implies implies implies
adjust states states implies states
reserve_face literal states states silent
early_apex implies implies implies implies
hearts_below open open states silent
draw_amount states states states implies
draw_source open open states silent
finish_value implies implies implies states
finish_half states states states states
finish_reserve_count implies implies implies silent
no_action implies implies implies silent
finish_refill open open states silent
refill_amount open open implies silent
heart_over_back silent silent implies silent
opened_against implies implies implies silent
replacements implies implies states states
finish_in_hand open open states silent
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_place_cited_is_one_of_the_texts(page: Path) -> None:
    text = page.read_text(encoding="utf-8").replace("§6 (x)", "")
    places = cited(text)
    assert places
    assert set(places) <= SECTIONS


def test_every_clause_says_what_each_text_says() -> None:
    count = 0
    for page in sorted((ROOT / "spec" / "clauses").glob("*.md")):
        for body in re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            table = re.search(r"\| text \| place \| what it says \|\n\|---\|---\|---\|\n((?:\|.*\n)+)", body)
            assert table, body[:20]
            rows = [[part.strip() for part in row.strip("|").split("|")] for row in table.group(1).splitlines()]
            assert all(len(row) == 3 and all(row) for row in rows)
            named = [name for row in rows for name in row[0].split(", ")]
            assert sorted(named) == sorted(TEXTS), body[:20]
            assert not any(("§" in row[1] and row[0] == "bgg") or ("¶" in row[1] and row[0] != "bgg") for row in rows)
            count += 1
    assert count == len(chapters())


def test_how_each_text_stands_to_each_ruling() -> None:
    rows = dict(line.split(maxsplit=1) for line in STANDS.split("\n") if line)
    assert rows.keys() == registry().rulings.keys()
    for name, ruling in registry().rulings.items():
        assert [ruling.texts[text].stand for text in TEXTS] == rows[name].split(), name
        for text in TEXTS:
            assert ruling.texts[text].place.startswith(f"{text} {'¶' if text == 'bgg' else '§'}")


def test_what_a_text_leaves_open_it_names_its_rulebooks_option_first() -> None:
    for name, ruling in registry().rulings.items():
        for text, stand in ruling.texts.items():
            assert (stand.stand == "open") == (len(stand.options) > 1) == bool(stand.options), (name, text)
            assert set(stand.options) <= set(ruling.option_names())
            assert len(set(stand.options)) == len(stand.options)
            assert stand.options[:1] in ((), (registry().rulebooks[text].option(name),))


def test_no_option_is_the_houses_that_a_text_takes_or_leaves_open() -> None:
    assert registry().takers("finish_refill", "at_once") == ("en-1", "en-2")
    assert registry().takers("hearts_below", "zero_each") == ("ja-2.2", "bgg", "en-1", "en-2")
    assert registry().takers("row_order", "weak") == ()


def test_only_the_summary_says_which_number_the_finish_card_has() -> None:
    texts = registry().rulings["finish_value"].texts
    assert [text for text in TEXTS if texts[text].stand == "states"] == ["bgg"]
    for text in TEXTS[:3]:
        assert "Which one it does not say" in texts[text].note
        assert texts[text].place.startswith(f"{text} §6 (4.2)")
