"""How many games a second `couperation check` judges on one and on two processes, and what memory that takes.

``python -m bench.many --write`` writes `bench/many.md`. 20,000 distinct games of random players are made before any
clock starts. One process, two workers, and two plain processes with half of the games each take turns, in rounds whose
medians are quoted; the time is that which passes, so the machine should have nothing else to do. Memory is the peak of
the greatest process, on a folder with the same games again and again.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from functools import partial
from itertools import cycle, islice, product
from multiprocessing import Pool
from pathlib import Path
from statistics import median
from typing import get_args

from bench.check import processor
from bench.memory import cost
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.tower import Variant
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import sample_game

FOLDER = Path(__file__).resolve().parent
GAMES, ROUNDS = 20_000, 5
FILE = 1_000
"""So many games a file."""
SIZES = (100_000, 1_000_000)
_CHECK = (sys.executable, "-m", "couperation_formal", "check", "--isolated", "--output-format", "json")


def game(seed: int) -> str:
    """A game of random players, its kind by its seed."""
    kinds = cycle(product(get_args(Variant), (2, 3, 4), registry().rulebooks))
    variant, players, book = next(islice(kinds, seed, None))
    return record_text(sample_game(players, variant, parse_rules(book), seed, "random"))


def written(folder: Path, games: int) -> list[Path]:
    """So many games in files of a folder."""
    files = []
    with Pool() as pool:
        texts = pool.imap(game, range(games), 50)
        for number in range(0, games, FILE):
            files.append(folder / f"{number:07}.cgn")
            files[-1].write_text("\n".join(islice(texts, FILE)), "utf-8")
    return files


def passed(*commands: list[str]) -> float:
    """Seconds that pass until these have ended, which run side by side."""
    begun = time.perf_counter()
    nothing = subprocess.DEVNULL
    running = [subprocess.Popen([*_CHECK, *each], stdout=nothing, stderr=nothing) for each in commands]
    if sum(abs(each.wait()) for each in running):
        raise RuntimeError("a check failed")
    return time.perf_counter() - begun


def rounds(files: list[Path], number: int) -> Iterator[tuple[float, float, float]]:
    """Seconds of one process, of two workers, and of two processes with half each."""
    names = list(map(str, files))
    half = len(names) // 2
    for _ in range(number):
        one, two = passed(["-j", "1", *names]), passed(["-j", "2", *names])
        yield one, two, passed(["-j", "1", *names[:half]], ["-j", "1", *names[half:]])


def memory(files: list[Path], folder: Path) -> Iterator[str]:
    """For each size a row: the peak with one process and with two workers."""
    for size in SIZES:
        place = folder / str(size)
        place.mkdir()
        for number in range(size // FILE):
            os.link(files[number % len(files)], place / f"{number:07}.cgn")
        peaks = [cost("check", "--output-format", "json", "-j", jobs, str(place)).memory for jobs in ("1", "2")]
        yield f"| {size:,} | {peaks[0]:.1f} | {peaks[1]:.1f} |"


def page(times: list[tuple[float, float, float]], games: int, rows: list[str]) -> str:
    """The figures as a page."""
    one, two, plain = (median(column) for column in zip(*times, strict=True))
    ratio = median(first / second for first, second, _ in times)
    beside = median(third / second for _, second, third in times)
    told = f"""# Many games

`python -m bench.many --write`, {date.today():%Y-%m-%d}, Python {platform.python_version()}, {processor()}:
`check --output-format json` of {games:,} distinct games of random players in files of {FILE:,};
medians of {len(times)} rounds.

| | seconds | games a second |
|---|--:|--:|
| `-j 1` | {one:.1f} | {games / one:,.0f} |
| `-j 2` | {two:.1f} | {games / two:,.0f} |
| two processes, half of the games each | {plain:.1f} | {games / plain:,.0f} |

Two workers do {ratio:.2f} times what one process does (the target was 1.8), and {beside:.2f} times what two
processes do.
"""
    if rows:
        head = "\nThe peak of memory of the greatest process, in MiB:\n\n| games | `-j 1` | `-j 2` |\n|---|--:|--:|\n"
        told += head + "\n".join(rows) + "\n"
    return told


def main(arguments: list[str]) -> None:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--memory", action="store_true", help="measure memory too, which takes half an hour")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        files = written(Path(name), options.games)
        rows = list(memory(files, Path(name))) if options.memory else []
        told = page(list(rounds(files, options.rounds)), options.games, rows)
    (partial((FOLDER / "many.md").write_text, encoding="utf-8") if options.write else print)(told)


if __name__ == "__main__":
    main(sys.argv[1:])
