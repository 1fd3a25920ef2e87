"""A browser for the tests of pages: the machine's, or the one that `make test` gets where there is none."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE = 30_000
"""How long a page is waited for, in milliseconds: a busy machine is no failure."""
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_browser() -> str | None:
    """The program named by COUPERATION_BROWSER, else the first of the usual ones."""
    named = os.environ.get("COUPERATION_BROWSER")
    return next((path for name in ((named,) if named else NAMES) if (path := shutil.which(name))), None)


SIZED = """([width, height]) => new Promise((done) => {
  const drawn = (next) => requestAnimationFrame(next);
  const look = () => drawn(innerWidth === width && innerHeight === height ? () => drawn(() => done(null)) : look);
  look();
})"""


def resize(tab: Page, width: int, height: int) -> None:
    """Give the window another size, until the page has been drawn in it: what is clicked before moves away."""
    tab.set_viewport_size({"width": width, "height": height})
    tab.evaluate(SIZED, [width, height])
