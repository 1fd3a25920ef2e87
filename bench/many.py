"""How many games a second `couperation check` judges on one and on two processes, and what memory that takes.

``python -m bench.many --write`` writes `bench/many.md`. 20,000 distinct games of random players are made before any
clock starts. One process, two workers, and two plain processes with half of the games each take turns, in rounds whose
medians are quoted; the time is that which passes, so the machine should have nothing else to do. Memory is the peak of
the greatest process, on a folder with the same games again and again. With ``--study`` it measures what a study costs
instead: tasks that do nothing go through the loop that carries its parts, a few games are asked about, and rows are
written and read.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from itertools import cycle, islice, product
from multiprocessing import Pool
from pathlib import Path
from statistics import median
from typing import Any, get_args

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


ASKED = {
    "how a careful game ends, how long it is, what is left, when its tower died": (
        'source = "games"\nquestions = ["result", "length", "left", "tower"]',
        250,
    ),
    "when its table was lost, within 100,000 steps": (
        'source = "games"\nquestions = ["table"]\nbudget = 100_000',
        12,
    ),
    "whether a deal can be won with open cards": ('source = "deals"\nquestions = ["winnable"]', 12),
}
"""What is asked, as the plan says it, and of how many games here."""


def study(tasks: int) -> str:
    """What a study's scheduler carries, what its rows take, and what many games would: a chapter of the page."""
    import pickle

    from couperation_formal.questions.studies import results, rows

    def nothing(number: int) -> tuple[object, ...]:
        return results.Counted, number, 0, ()

    seconds = []
    for workers in (1, 2):
        with results.cluster(None, workers) as client:
            assert len([*results._asked(client, nothing, range(100))]) == 100  # the workers have started
            begun = time.perf_counter()
            assert len([*results._asked(client, nothing, range(tasks))]) == tasks
            seconds.append(time.perf_counter() - begun)
    lines, took = [], dict[str, float]()
    with tempfile.TemporaryDirectory() as name:
        for at, (what, (text, games)) in enumerate(ASKED.items()):
            Path(name, "plan.toml").write_text(f'study = "s"\nrulebooks = ["ja-2.2"]\n{text}\n', "utf-8")
            plan = rows.read_plan(Path(name, "plan.toml"))
            made = results.Results(Path(name, str(at)), plan)
            begun = time.process_time()
            listed = [row for seed in range(1, games + 1) for row in rows.rows(plan, rows.Unit(seed))]
            each = (time.process_time() - begun) / games
            if not took:
                size = timed(made, listed, took)
            for number in (1_000_000, 1_000_000_000):
                count = number * len(listed) // games
                told = f"{number:,} | {count:,} | {count * size / 1e6:,.0f} | {each * number / 3600:,.0f}"
                lines.append(f"| {what} | {told} |")
        task = len(pickle.dumps((results.make_part, made.folder, 999_999)))
    listing = "\n".join(lines)
    return f"""
## A study

`python -m bench.many --study {tasks} --write`, {date.today():%Y-%m-%d}: {tasks:,} tasks that do nothing, through the
loop that carries the parts of a study, on a cluster of this machine. A task is {task} bytes pickled.

| workers | milliseconds a task | tasks a second |
|---|--:|--:|
| 1 | {1000 * seconds[0] / tasks:.2f} | {tasks / seconds[0]:,.0f} |
| 2 | {1000 * seconds[1] / tasks:.2f} | {tasks / seconds[1]:,.0f} |

A row takes {size:.0f} bytes in a part of 1,000. To write such a part takes {took["written"]:.0f} milliseconds,
its digest {took["digested"]:.0f}, to count its answers in SQL {took["asked"]:.0f}, to see how many rows it has
{took["looked"]:.1f}.

| what is asked of each game | games | rows | megabytes | core hours |
|---|--:|--:|--:|--:|
{listing}
"""


def timed(made: Any, listed: list[Any], took: dict[str, float]) -> float:
    """Bytes a row of a part with these rows, and the milliseconds that it takes to write and to read it."""
    from couperation_formal.questions.studies import report

    def cost(work: Callable[[], object], count: int) -> float:
        begun = time.process_time()
        work()
        return 1000 * (time.process_time() - begun) / count

    took["written"] = cost(lambda: made.put(0, listed), 1)
    took["digested"] = cost(lambda: made.digest(0), 1)
    sql = "SELECT answer, count(*) FROM rows GROUP BY ALL"
    report.asked([made], sql)
    took["asked"] = cost(lambda: [report.asked([made], sql) for _ in range(20)], 20)
    took["looked"] = cost(lambda: [made.counted(0) for _ in range(100)], 100)
    return Path(made.folder, "parts", "000000.parquet").stat().st_size / len(listed)


def page(times: list[tuple[float, float, float]], games: int, rows: list[str]) -> str:
    """The figures as a page."""
    one, two, plain = (median(column) for column in zip(*times, strict=True))
    ratio = median(first / second for first, second, _ in times)
    beside = median(third / second for _, second, third in times)
    command = "python -m bench.many --write" + (" --memory" if rows else "")
    told = f"""# Many games

`{command}`, {date.today():%Y-%m-%d}, Python {platform.python_version()}, {processor()}:
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
    parser.add_argument("--study", type=int, metavar="TASKS", help="measure this alone, and put it at the page's end")
    parser.add_argument("--memory", action="store_true", help="measure memory too, which takes half an hour")
    options = parser.parse_args(arguments)
    page_now = (FOLDER / "many.md").read_text("utf-8").partition("\n## A study")
    if options.study:
        told = page_now[0] + study(options.study)
    else:
        with tempfile.TemporaryDirectory() as name:
            files = written(Path(name), options.games)
            rows = list(memory(files, Path(name))) if options.memory else []
            told = page(list(rounds(files, options.rounds)), options.games, rows) + "".join(page_now[1:])
    (partial((FOLDER / "many.md").write_text, encoding="utf-8") if options.write else print)(told)


if __name__ == "__main__":
    main(sys.argv[1:])
