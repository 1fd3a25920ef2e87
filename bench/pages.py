"""What a folder of pages costs: to write it, on the disk, and to open its index and its pages.

``python -m bench.pages`` measures, ``--write`` writes `bench/pages.md`. The games are made here, of two to four
players, each made once and repeated. `couperation report` runs as a process of its own; a page is loaded from its file
by the browser of the tests, a fresh context each time, until its script has run.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

from bench.memory import cost
from couperation_formal.game.rulings import parse_rules
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import sample_game
from tests.kit.browser import ARGUMENTS, find_browser

FOLDER = Path(__file__).resolve().parent
SIZES = (100, 1_000)
SEEDS = range(8)
OPENED = 12
"""So many pages of a folder are loaded."""


class Measured(NamedTuple):
    """A folder of `games` pages: seconds of the processor to write it and mebibytes of memory at the peak; bytes of the
    index, of a page in the middle and of the largest one, of all of them; milliseconds until the index is there, and
    the slowest page.
    """

    games: int
    seconds: float
    memory: float
    index_bytes: int
    page_bytes: int
    largest: int
    all: int
    index_load: float
    page_load: float


def sample() -> list[str]:
    """Records of whole games."""
    rules = parse_rules("ja-2.2")
    return [
        record_text(sample_game(players, variant, rules, seed, "careful"))
        for seed in SEEDS
        for players in (2, 3, 4)
        for variant in ("first", "finish")
    ]  # fmt: skip


def load(browser: Browser, path: Path) -> float:
    """Milliseconds until a page is loaded and its script has run."""
    with browser.new_context(viewport={"width": 1366, "height": 768}) as context:
        tab = context.new_page()
        begun = time.perf_counter()
        tab.goto(path.as_uri())
        tab.locator("html.live").wait_for(state="attached")
        return (time.perf_counter() - begun) * 1000


def measure(texts: list[str], games: int, browser: Browser) -> Measured:
    """One folder, written and opened."""
    with tempfile.TemporaryDirectory() as folder:
        many, out = Path(folder) / "many.cgn", Path(folder) / "out"
        many.write_text("".join(texts[number % len(texts)] for number in range(games)), encoding="utf-8")
        used = cost("report", str(many), "-o", f"{out}/")
        pages = sorted(out.glob("game-*.html"))
        if len(pages) != games:
            raise RuntimeError(f"{len(pages)} pages of {games} games")
        sizes = [path.stat().st_size for path in pages]
        index = out / "index.html"
        return Measured(
            games=games,
            seconds=used.seconds,
            memory=used.memory,
            index_bytes=index.stat().st_size,
            page_bytes=int(statistics.median(sizes)),
            largest=max(sizes),
            all=sum(sizes),
            index_load=max(load(browser, index) for _ in range(3)),
            page_load=max(load(browser, path) for path in pages[:: max(1, games // OPENED)]),
        )


def table(found: list[Measured]) -> str:
    """The figures as a page."""
    lines = [
        "# A folder of pages",
        "",
        "`couperation report many.cgn -o OUT/` on whole games of two to four players: the processor's time, the memory",
        "at the peak, the bytes on the disk, and how long Chromium takes to show the index (the slowest of three",
        f"times) and a page (the slowest of {OPENED}).",
        f"Made by `python -m bench.pages --write` on {time.strftime('%Y-%m-%d')}, Python {sys.version.split()[0]}.",
        "",
        "| games | written in | memory | index | a page | largest | all pages | index shown in | page shown in |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for each in found:
        lines.append(
            f"| {each.games:,} | {each.seconds:.0f} s | {each.memory:.0f} MiB | {each.index_bytes / 1000:.0f} kB |"
            f" {each.page_bytes / 1000:.0f} kB | {each.largest / 1000:.0f} kB | {each.all / 1e6:.0f} MB |"
            f" {each.index_load:.0f} ms | {each.page_load:.0f} ms |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--write", action="store_true", help="write bench/pages.md")
    arguments.add_argument("--sizes", nargs="+", type=int, default=SIZES, metavar="N", help="games in the folders")
    given = arguments.parse_args()
    made = sample()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=find_browser(), args=list(ARGUMENTS))
        text = table([measure(made, size, started) for size in given.sizes])
    print(text, end="")
    if given.write:
        (FOLDER / "pages.md").write_text(text, encoding="utf-8")
