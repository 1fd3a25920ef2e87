"""What a dispute did not find is said on the page, as the terminal says it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from couperation_formal.game.record import Game
from couperation_formal.notation.read import read
from couperation_formal.output.blocks import plain
from couperation_formal.questions.disputes.dispute import Dispute, dispute
from couperation_formal.words.say import ENGLISH
from tests.kit.browser import resize
from tests.page.pages import BROKEN, HEAD, ROOT, opened, page_with

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LATE = ROOT / "tests" / "data" / "budget" / "late.cgn"
"""A game that is illegal at turn 14, which only a large budget finds."""


def one(path: Path) -> Game:
    (game,) = read(path)
    assert isinstance(game, Game)
    return game


def shown(path: Path, found: Dispute, **other: Any) -> str:
    html = page_with(msgspec.structs.replace(found, **other), path)
    return html[html.index('<section class="dispute"') :].partition("</section>")[0]


@pytest.mark.slow
def test_its_tables_are_no_wider_than_the_window(browser: Browser, tmp_path: Path) -> None:
    path = ROOT / "examples" / "disputed" / "hearts.cgn"
    with opened(browser, page_with(dispute(one(path)), path), tmp_path) as page:
        for width in (320, 390):
            resize(page.tab, width, 800)
            assert page.tab.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
@pytest.mark.parametrize(("budget", "at"), [(3000, None), (2000, 14)])
def test_what_was_not_found_is_said_as_by_the_terminal(budget: int, at: int | None) -> None:
    found = dispute(one(LATE), None, budget, at=at)
    html, told = shown(LATE, found), plain(found.blocks(), ENGLISH)
    missing = [name for name, book in found.rulebooks.items() if not book.told]
    assert html.count("<td>not found</td><td> not found</td>") == len(missing)
    sentences = (
        f"illegal under {', '.join(missing)}; the budget ended before the turn and its clause were found",
        "whether the turns can be carried out is not known: the budget ended before",
    )
    said = [sentence for sentence in sentences if sentence in told]
    assert said
    assert [sentence for sentence in sentences if sentence in html] == said


def test_a_condition_that_was_not_found_is_not_left_out() -> None:
    html = shown(BROKEN, dispute(one(BROKEN)), legal_when=None, untold=("legal_when",))
    assert "<b>legal</b> under some readings: the budget ended before they were found." in html


def test_no_ruling_is_said_to_change_nothing_where_nothing_is_known(tmp_path: Path) -> None:
    record = tmp_path / "hidden.cgn"
    record.write_text(HEAD.replace("22 9 3", "? ? ?") + "1. Aki A 17@e1\n2. Ben +0 A ?@d1\n", encoding="utf-8")
    html = shown(record, dispute(one(record), None, 1))
    assert "<b>undetermined</b> under every reading" in html
    assert "No ruling changes the answer" not in html
