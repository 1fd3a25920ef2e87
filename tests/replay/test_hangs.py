"""On which rulings an error hangs: one change, two, and three where a draw needs them."""

from __future__ import annotations

from tests.replay.judges import broken, reported
from tests.replay.slips import HEAD


def hangs(text: str) -> list[tuple[str, tuple[str, ...]]]:
    broken(text)
    return [(found.code, found.rulings) for found in reported(text).diagnostics if found.severity != "warning"]


DRAW = HEAD.replace("ja-2.2", "ja-2.2 draw_amount=exact hearts_below=zero_all").replace(
    "deal Ada 17 30 44\ndeal Bo 18 21 38", "deal Ada 44 38 30\ndeal Bo 17 21 18"
)
LINES = """
1. Ada +0 A 44@h1
2. Bo +0 B 17@f1
3. Ada +0 A 38@g2
4. Bo +0 C f1=17
5. Ada +{} A 9@e1
*
"""


def test_a_draw_that_takes_three_changes() -> None:
    """One card after a heart on level 1; 38, a heart over two diamonds and a heart, was laid before it. Only the card
    laid last, its other support counted and not all drawn allow one.
    """
    assert hangs(DRAW + LINES.format("9")) == [("DRW03", ("hearts_below", "draw_source", "draw_amount"))]
    assert hangs(DRAW + LINES.format("9,10")) == [("DRW03", ("hearts_below", "draw_source"))]


LIMIT = HEAD.replace("ja-2.2", "ja-2.2 finish_reserve_count=no").replace("deal Bo 18", "deal Bo 26")


def test_a_limit_that_takes_two_changes() -> None:
    """An opened card ends the game, and F in the Reserve does not count: both have to change for one card to go."""
    text = LIMIT.replace('[Players "Ada Bo"]', '[Variant "finish"]\n[Players "Ada Bo"]')
    text += """
1. Ada +F,9 B 30@h1
2. Bo +0 B 26@i1
3. Ada +0 D F+9_17=33@j1
4. Bo +0 C i1=26 trim 12
*
"""
    assert hangs(text) == [("LIM02", ("finish_reserve_count", "row_order", "facedown", "opened_against"))]
    assert hangs(text.replace(" trim 12", "").replace("*", "win")) == [("END05", ())]
