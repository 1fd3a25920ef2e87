"""The most memory that commands take on files of many games, and how it grows with them.

``python -m bench.memory`` measures, ``--write`` writes `bench/memory.md`. Each command runs as a process of its own on
a file of small legal games, and on one of broken games, each at two sizes; the peak of its resident memory is what the
system tells of it when it ends. The line through the two points tells what a million games would take.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent
SIZES = (10_000, 30_000)
MILLION = 1_000_000

_HEAD = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\ndeal Ben 22 9 3\nreserve 1 50 12 33 40 7\n'
GAMES = {
    "legal": _HEAD + "1. Aki A 17@f1\n\n",
    "broken": _HEAD + "1. Aki A 17@f1\n2. Ben A 9@f2\n\n",
}
COMMANDS = (
    *(("check", "--output-format", form) for form in ("concise", "json", "sarif")),
    ("fmt",),
    ("fmt", "--diff"),
    ("fmt", "--write"),
)


class Cost(NamedTuple):
    """What one process took: mebibytes of resident memory at its peak, seconds of processor time."""

    memory: float
    seconds: float


_STARTER = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_maxrss, used.ru_utime + used.ru_stime)
"""
"""What starts a command: a process's peak takes in what its parent has at its start, so the parent has to be small."""


def cost(*command: str) -> Cost:
    """What a command took. Raises `RuntimeError` where it failed."""
    start = [sys.executable, "-I", "-S", "-c", _STARTER, sys.executable, "-m", "couperation_formal", *command]
    code, peak, seconds = subprocess.run(start, capture_output=True, check=True, text=True).stdout.split()
    if code not in ("0", "1"):
        raise RuntimeError(f"{command} ended with {code}")
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Cost(int(peak) / unit, float(seconds))


def measure(
    sizes: tuple[int, int], commands: tuple[tuple[str, ...], ...] = COMMANDS
) -> list[tuple[str, str, Cost, Cost]]:
    """For each command and kind of game what it took at the two sizes."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.cgn"
        for command in commands:
            for kind, game in GAMES.items():
                costs = []
                for size in sizes:
                    path.write_text(game * size, encoding="utf-8")
                    costs.append(cost(*command, str(path)))
                found.append((" ".join(command), kind, costs[0], costs[1]))
    return found


def at_a_million(sizes: tuple[int, int], small: Cost, large: Cost) -> float:
    """Mebibytes for a million games, along the line through both sizes; never below what was measured."""
    growth = (large.memory - small.memory) / (sizes[1] - sizes[0])
    return max(large.memory, large.memory + growth * (MILLION - sizes[1]))


def page(sizes: tuple[int, int]) -> str:
    """The figures as a page."""
    lines = [
        "# Memory of commands on many games",
        "",
        f"Peak of resident memory in MiB, one process each, on files of {sizes[0]:,} and {sizes[1]:,} games of one",
        "turn (legal) or two (broken, one finding each). What a million games would take is the line through both, not",
        "a measurement.",
        f"Made by `python -m bench.memory --write` on {time.strftime('%Y-%m-%d')}, Python {sys.version.split()[0]}.",
        "",
        f"| command | games | {sizes[0]:,} | {sizes[1]:,} | a million | processor time at {sizes[1]:,} |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for name, kind, small, large in measure(sizes):
        million = at_a_million(sizes, small, large)
        row = f"{small.memory:.1f} | {large.memory:.1f} | {million:.0f} | {large.seconds:.0f} s"
        lines.append(f"| `{name}` | {kind} | {row} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--write", action="store_true", help="write bench/memory.md")
    arguments.add_argument("--sizes", nargs=2, type=int, default=SIZES, metavar="N", help="games in the two files")
    given = arguments.parse_args()
    text = page(tuple(given.sizes))
    print(text, end="")
    if given.write:
        (FOLDER / "memory.md").write_text(text, encoding="utf-8")
