"""Whole games entered by taps: the same canonical text, and no more taps than it names things."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest

from bench.board import count, tapped
from couperation_formal.board.judge import stood_before
from couperation_formal.game.record import Game
from couperation_formal.notation.write import record_text, turn_text
from couperation_formal.questions.records.states import seen_by
from tests.board.local import Local
from tests.board.taps import LAPTOP, PHONE, game_of as game_in, marked, screen
from tests.conftest import LONG, some

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

LEGAL = Path(__file__).resolve().parents[2] / "examples" / "legal"


def game_of(name: str, public: bool) -> Game:
    game = game_in(LEGAL / name)
    return cast("Game", seen_by(game)) if public else game


@pytest.mark.parametrize("name, public, settings, tapped_turns", some([
    pytest.param("thursday.cgn", False, LAPTOP, (1, 8, 23, 26, 29), id="thursday"),
    pytest.param("finish.cgn", True, PHONE, (1, 19, 21, 27), id="public"),
], 2))  # fmt: skip
def test_a_whole_game_is_entered_by_taps(
    browser: Browser, tmp_path: Path, name: str, public: bool, settings: dict[str, Any], tapped_turns: tuple[int, ...]
) -> None:
    """The turns that differ in kind, where it is no long run; what lies between them is put in as text."""
    record = game_of(name, public).record
    remembered = public or not LONG
    file = tmp_path / "game.cgn"
    with ExitStack() as stack:
        board = stack.enter_context(Local(file, known=False))
        if remembered:
            assert board.post("/api/remember", marked(record)).status == 200
        hand, page = stack.enter_context(screen(browser, board, **settings))
        hand.begin(record, remembered)
        assert page.locator("#tower").get_attribute("aria-labelledby") == "tower-title"
        entered = 0
        for place in range(1, len(record.turns) + 1) if LONG else tapped_turns:
            turn, before = record.turns[place - 1], stood_before(record, place)
            plain = msgspec.structs.replace(turn, glyphs=())
            if place > entered + 1:
                text = record_text(msgspec.structs.replace(record, turns=record.turns[: place - 1], result=None))
                board.revisions.clear()
                assert board.edit("text", game=1, text=text).status == 200
                hand.listed(turn_text(record.turns[place - 2]))
            entered, hand.taps = place, 0
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
    assert record_text(game_in(file).record) == record_text(record)
