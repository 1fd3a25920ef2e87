"""Which clauses a 25 at the set-up breaks (D4), and what the apex asks of the Finish card (TOW08)."""

from __future__ import annotations

import re

import pytest

from tests.game.replay.judges import MARKS, broken
from tests.game.replay.slips import HEAD
from tests.spec.book import ROOT, chapters

PLACES = {
    "deal": (HEAD.replace("deal Ada 17", "deal Ada 25"), ["SET02", "SET04", "SET06"]),
    "Reserve": (HEAD.replace("reserve 1 50 12", "reserve 1 50 25"), ["SET03", "SET04", "SET06"]),
    "deck": (HEAD + "deck 9 25 8\n", ["SET04", "SET06"]),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_25_that_begins_elsewhere(place: str) -> None:
    head, codes = PLACES[place]
    assert broken(f"{head}\n1. Ada +0 A 30@h1\n*\n") == (0, codes)


def test_the_specification_names_just_these() -> None:
    found = {code for _, codes in PLACES.values() for code in codes}
    decisions = (ROOT / "spec" / "decisions.md").read_text(encoding="utf-8")
    (decision,) = re.findall(r"\*\*D4\..*?(?=\n\n)", decisions, re.DOTALL)
    assert {*re.findall(r"SET\d\d", decision)} == found
    text = (ROOT / "spec" / "clauses" / "setup.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"## SET04.*?(?=\*\*Formula)", text, re.DOTALL)
    assert {*re.findall(r"SET\d\d", section)} == found


def apex(finish_value: str, last: str, d6: int) -> str:
    """The record that TOW08 accepts, with another last turn; 24 and 26 change places where d6 takes the 26."""
    text, *_ = next(chapter for chapter in chapters() if chapter.id == "TOW08").accepts
    text = text.replace('"ja-2.2"', f'"ja-2.2 finish_value={finish_value}"')
    text = re.sub(r'\[Marks "[^"]*"\]', f'[Marks "{MARKS}"]', text)
    for value in re.findall(r"\+(?:F,)?(\d+) ", text):
        text = re.sub(rf'(["\s]){value}:.', rf"\g<1>{value}:2", text)
    if d6 == 26:
        text = text.replace("+F,26 A 26@f3", "+F,24 A 24@f3").replace("+24 A 24@d6", "+26 A 26@d6")
    return text.replace("+0 A F@d7\nwin", last)


def test_the_orders_of_the_finish_card_on_the_apex() -> None:
    assert broken(apex("25", "+0 A F@d7\nwin", 24)) == (None, [])
    assert broken(apex("25", "+0 A F@d7\nwin", 26)) == (27, ["TOW02"])
    assert broken(apex("none", "+0 A F@d7\nwin", 24)) == (None, [])
    assert broken(apex("none", "+0 A F@d7\nwin", 26)) == (None, [])


@pytest.mark.parametrize("finish_value", ["25", "none"])
def test_no_other_card_is_the_apex(finish_value: str) -> None:
    assert broken(apex(finish_value, "+28 A 28@d7\n*", 24)) == (27, ["TOW08"])
