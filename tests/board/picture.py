"""``python -m tests.board.picture`` draws the board as the README shows it: thursday.cgn at turn 23, a card in hand."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from couperation_formal.game.tower import Value
from tests.board.local import Local
from tests.board.taps import LAPTOP, ROOT, screen, thursday
from tests.kit.browser import ARGUMENTS, find_browser

PICTURE = ROOT / "docs" / "board.png"


def main() -> None:
    """Draw it."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(ARGUMENTS))
        file = Path(folder) / "thursday.cgn"
        file.write_text(thursday(22), "utf-8")
        with Local(file) as board, screen(browser, board, **LAPTOP, device_scale_factor=1) as (hand, page):
            hand.draw((Value(21),))
            hand.card(Value(21))
            page.locator("#tower .lit").first.wait_for()
            page.locator('#strip[aria-busy="false"]').wait_for()
            page.screenshot(path=PICTURE)
        browser.close()
    print(PICTURE.relative_to(ROOT), PICTURE.stat().st_size)


if __name__ == "__main__":
    main()
