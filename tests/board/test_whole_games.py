"""Whole games entered by taps: the same canonical text, and no more taps than it names things."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest

from bench.board import count, tapped
from couperation_formal.analysis.seen import seen_by
from couperation_formal.board.judge import stood_before
from couperation_formal.model.record import Game
from couperation_formal.notation.read import read_file
from couperation_formal.notation.write import record_text, turn_text
from tests.board.local import Local
from tests.board.taps import LAPTOP, PHONE, screen
from tests.conftest import LONG

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

LEGAL = Path(__file__).resolve().parents[2] / "examples" / "legal"


def game_of(name: str, public: bool) -> Game:
    game = cast("Game", next(iter(read_file(LEGAL / name))))
    return cast("Game", seen_by(game)) if public else game


@pytest.mark.parametrize("name, public, settings", [
    pytest.param("thursday.cgn", False, LAPTOP, id="thursday"), pytest.param("finish.cgn", True, PHONE, id="public"),
])  # fmt: skip
def test_a_whole_game_is_entered_by_taps(
    browser: Browser, tmp_path: Path, name: str, public: bool, settings: dict[str, Any]
) -> None:
    record = game_of(name, public).record
    if public and not LONG:  # the first turns: what comes after is tapped as in the other game
        record = msgspec.structs.replace(record, turns=record.turns[:12], result=None)
    file = tmp_path / "game.cgn"
    with Local(file) as board, screen(browser, board, **settings) as (hand, page):
        hand.begin(record, remembered=public)
        assert page.locator("#tower").get_attribute("aria-labelledby") == "tower-title"
        for place, turn in enumerate(record.turns, 1):
            before, hand.taps = stood_before(record, place), 0
            plain = msgspec.structs.replace(turn, glyphs=())
            hand.take(plain, before)
            hand.listed(turn_text(plain))
            assert hand.taps <= count(plain, tapped(plain, before, record.deck is not None)).named
            assert page.evaluate("scrollY") == 0
            if turn.glyphs:
                hand.tap(f'#turns [data-place="{place}"]')
                for glyph in turn.glyphs:
                    hand.tap(f'#glyphs [data-glyph="{glyph}"]')
                hand.listed(turn_text(turn))
                hand.tap(f'#turns [data-place="{place}"]')
                page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    entered = cast("Game", next(iter(read_file(file))))
    assert record_text(entered.record) == record_text(record)
