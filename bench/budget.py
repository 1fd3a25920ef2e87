"""What the dearest questions cost, with a budget of ten steps and with the default one.

``python -m bench.budget --write`` writes `bench/budget.json` and `bench/budget.md`. Games are sampled under random
rulings by 2 to 4 players; numbers of theirs become ``?``, others are miswritten, marks are left out. Positions have
towers in order, hands and Reserves far above what play leaves, and unseen cards everywhere. Every input is a text of at
most 4 KB. Each command is a process of its own; processor time and memory are those of that process, start and
independent check included. ``--inputs N`` tries so many inputs of each sort with ten steps, ``--defaults N`` so many
with the default, ``--first N`` begins elsewhere, ``--command NAME`` asks one command only.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bench.check import processor
from couperation_formal.game.rulings import options_in_order, parse_rules
from couperation_formal.game.tower import Variant
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import Policy, sample_game

FOLDER = Path(__file__).resolve().parent
LARGEST = 4096
GENEROUS = {"adjust": "up_to", "reserve_face": "either", "draw_amount": "up_to", "replace_target": "any"}
"""Options under which there are most actions."""

RECORDS: dict[str, tuple[str, ...]] = {
    "check": ("check",),
    "check --why": ("check", "--why"),
    "check --engine z3": ("check", "--engine", "z3"),
    "check --world": ("check", "--world"),
    "check --engine spec": ("check", "--engine", "spec"),
    "explain": ("explain", "ACT01"),
    "check --certificate": ("check", "--certificate", "OUT", "--force"),
    "dispute": ("dispute",),
    "infer": ("infer",),
    "deadlock": ("deadlock", "--level", "table"),
    "deadlock, tower": ("deadlock", "--level", "tower"),
    "moves": ("moves", "--at", "LAST"),
    "moves --alive": ("moves", "--alive", "--at", "LAST"),
    "complete, after a game's turn": ("complete", "--level", "table", "--at", "MIDDLE"),
}
POSITIONS: dict[str, tuple[str, ...]] = {
    "complete": ("complete", "--level", "table"),
    "complete, tower": ("complete", "--level", "tower"),
    "windows": ("windows",),
}


class Cost(NamedTuple):
    """Processor seconds, mebibytes at most, and the exit code of one process."""

    seconds: float
    memory: float
    code: int


def rules_text(rng: Random) -> str:
    """Random rulings, often those under which there are most actions."""
    generous = rng.random() < 0.5
    chosen = {name: rng.choice(options) for name, options in options_in_order()}
    if generous:
        chosen |= GENEROUS
    return "ja-2.2 " + " ".join(f"{name}={option}" for name, option in chosen.items())


def record(rng: Random) -> str:
    """A sampled game of which numbers are unseen or miswritten, and marks left out."""
    rules = rules_text(rng)
    variants: tuple[Variant, ...] = ("first", "finish")
    policies: tuple[Policy, ...] = ("random", "careful")
    game = sample_game(
        rng.choice((2, 3, 4)), rng.choice(variants), parse_rules(rules), rng.randrange(10**6), rng.choice(policies)
    )
    head, _, turns = record_text(game).partition("\n1. ")
    unseen, slips = rng.choice((0, 0.3, 0.6, 0.9, 1.0)), rng.choice((0, 0, 0.01))

    def spoiled(match: re.Match[str]) -> str:
        if rng.random() < unseen:
            return "?"
        return str(rng.randint(1, 50)) if rng.random() < slips else match.group()

    lines = head.splitlines()
    if rng.random() < 0.7:
        lines = [line for line in lines if not line.startswith("[Marks")]
    if unseen:
        lines = [line for line in lines if not line.startswith("deck ")]
        dealt = "deal", "reserve"
        lines = [re.sub(r"(?<= )\d+", spoiled, line) if line.startswith(dealt) else line for line in lines]
    played = [re.sub(r"(?<![\w.])\d+(?![\w.])", spoiled, line) for line in ("1. " + turns).splitlines()]
    if rng.random() < 0.3:
        played = played[: rng.randint(1, len(played))]
    return "\n".join([*lines, *played]) + "\n"


def position(rng: Random) -> str:
    """A position with an ordered tower, large piles, and unseen cards."""
    players = "ABCD"[: rng.choice((2, 3, 4))]
    cells = list(_pyramid(rng))
    rising = sorted(cells, key=lambda cell: 2 * ord(cell[0]) + int(cell[1]))
    middle = rising.index("g1")
    low = sorted(rng.sample(range(1, 25), min(middle, 24)))
    high = sorted(rng.sample(range(26, 51), min(len(rising) - middle - 1, 25)))
    unseen, down = rng.choice((0, 0, 0.2, 0.5)), rng.choice((0, 0.3, 0.6))
    tower, left = [], set(range(1, 51)) - {25}
    for cell, number in zip(rising, [*low, 25, *high], strict=False):
        hidden = cell != "g1" and rng.random() < unseen
        if not hidden:
            left.discard(number)
        lies = "~" if cell != "g1" and rng.random() < down else ""
        tower.append(f"{lies}{'?' if hidden else number}@{cell}")
    deck = rng.sample(sorted(left), len(left))
    kept = sum("?" in card for card in tower)

    def taken(count: int, unseen: float) -> str:
        cards = [deck.pop() for _ in range(min(count, max(0, len(deck) - kept)))]
        return "".join(" ?" if rng.random() < unseen else f" {card}" for card in cards)

    most, hidden_part = rng.choice((3, 5, 8, 14, 25)), rng.choice((0, 0, 0.2, 1))
    lines = [f"hand {name}{taken(rng.randint(0, most), hidden_part)}" for name in players]
    lines.append(f"reserve{taken(rng.choice((6, 8, 12, 16, 24)), rng.choice((0, 0, 0.3)))}")
    if rng.random() < 0.5:
        lines.append(f"gone{taken(rng.randint(0, 10), hidden_part)}")
    if rng.random() < 0.7:
        lines.append(f"deck{''.join(f' {card}' for card in deck[kept:])}")
    marks = " ".join(f"{number}:{rng.choice('12H')}" for number in range(1, 51)) if rng.random() < 0.5 else ""
    tags = ['[CGN "1"]', f'[Rules "{rules_text(rng)}"]', f'[Players "{" ".join(players)}"]']
    tags += [f'[Variant "{rng.choice(("first", "finish"))}"]', *([f'[Marks "{marks}"]'] if marks else [])]
    end = [f"turn {rng.choice(players)}", f"last {rng.choice(rising[: len(tower)])}"]
    return "\n".join([*tags, "position", f"tower {' '.join(tower)}", *lines, *end]) + "\n"


def _pyramid(rng: Random) -> Iterator[str]:
    """Cells of a tower, each with its supports."""
    width = rng.randint(1, 7)
    first = ord("d") + rng.randint(max(0, 4 - width), min(3, 7 - width))
    row = [chr(first + at) for at in range(width)]
    level = 1
    while row and level < 7:
        yield from (f"{column}{level}" for column in row)
        row = row[:-1][: rng.randint(0, 6) + 1] if rng.random() < 0.8 else []
        level += 1


def cost(arguments: tuple[str, ...], file: Path, turns: int, budget: int | None) -> Cost:
    """One command on one file, as a process."""
    names = {"LAST": str(max(1, turns)), "MIDDLE": str(turns // 2), "OUT": str(file.with_suffix(".proof.json"))}
    command = [sys.executable, "-P", "-m", "couperation_formal", *(names.get(word, word) for word in arguments)]
    command += [str(file), *(["--budget", str(budget)] if budget is not None else [])]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode)


def texts(sort: str, first: int) -> Iterator[tuple[int, str]]:
    """Inputs of one sort by their seed."""
    seed = first
    while True:
        text = (record if sort == "record" else position)(Random(seed))
        if len(text.encode()) <= LARGEST:
            yield seed, text
        seed += 1


def measure(first: int, inputs: int, defaults: int, only: str | None) -> list[dict[str, Any]]:
    """For each command the dearest input with ten steps and with the default: the ones that were dear with many
    steps, but few enough to try many inputs, are asked with the default.
    """
    rows = []
    sorts = [("record", name, words) for name, words in RECORDS.items()]
    sorts += [("position", name, words) for name, words in POSITIONS.items()]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "input.cgn"
        for sort, name, words in sorts:
            if only not in (None, name):
                continue
            small: list[tuple[Cost, int]] = []
            tried: list[tuple[Cost, int]] = []
            given = texts(sort, first)
            for _ in range(inputs):
                seed, text = next(given)
                file.write_text(text, encoding="utf-8")
                turns = len(re.findall(r"^\d+\. ", text, re.MULTILINE))
                small.append((cost(words, file, turns, 10), seed))
                tried.append((cost(words, file, turns, 60_000) if defaults < inputs else small[-1][0], seed))
            large = []
            for _, seed in sorted(tried, key=lambda pair: -pair[0].seconds)[:defaults]:
                text = next(texts(sort, seed))[1]
                file.write_text(text, encoding="utf-8")
                large.append((cost(words, file, len(re.findall(r"^\d+\. ", text, re.MULTILINE)), None), seed))
            rows.append({"command": name, "sort": sort, "ten": _dearest(small), "default": _dearest(large)})
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    return rows


def _dearest(costs: list[tuple[Cost, int]]) -> dict[str, Any]:
    most, seed = max(costs, key=lambda pair: pair[0].seconds)
    return {
        "inputs": len(costs),
        "seed": seed,
        "seconds": round(most.seconds, 2),
        "exit": most.code,
        "memory": round(max(each.memory for each, _ in costs)),
        "failures": sum(each.code not in (0, 1, 2, 3) for each, _ in costs),
    }


def page(data: dict[str, Any]) -> str:
    """The figures as a page."""
    lines = [
        "# What the dearest questions cost",
        "",
        f"`{data['command']}`, {data['date']}, Python {data['python']}, {data['processor']}. For each command the "
        "dearest of random inputs of at most 4 KB, by its seed: processor seconds and the greatest memory of a "
        "process, start and independent check included.",
        "",
        "| command | 10 steps: inputs | seed | s | MB | default: inputs | seed | s | MB | exit |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in data["rows"]:
        ten, full = row["ten"], row["default"]
        lines.append(
            f"| {row['command']} | {ten['inputs']} | {ten['seed']} | {ten['seconds']} | {ten['memory']} | "
            f"{full['inputs']} | {full['seed']} | {full['seconds']} | {full['memory']} | {full['exit']} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--inputs", type=int, default=40, help="inputs of each sort with ten steps")
    parser.add_argument("--defaults", type=int, default=4, help="of these, inputs with the default budget")
    parser.add_argument("--command", help="this command only; of the others what was measured before is kept")
    parser.add_argument("--write", action="store_true", help="write bench/budget.json and bench/budget.md")
    chosen = parser.parse_args()
    rows = measure(chosen.first, chosen.inputs, chosen.defaults, chosen.command)
    if chosen.command and (FOLDER / "budget.json").exists():
        kept = json.loads((FOLDER / "budget.json").read_text(encoding="utf-8"))["rows"]
        rows = [row for row in kept if row["command"] != chosen.command] + rows
    figures = {
        "command": f"python -m bench.budget --inputs {chosen.inputs} --defaults {chosen.defaults} --write",
        "date": date.today().isoformat(),
        "processor": processor(),
        "python": platform.python_version(),
        "rows": rows,
    }
    text = page(figures)
    print(text, end="")
    if chosen.write:
        (FOLDER / "budget.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
        (FOLDER / "budget.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
