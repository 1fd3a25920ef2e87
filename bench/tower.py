"""What the tower question costs: with its filling, with its reason, beside Z3 and CP-SAT, and on up to 40 levels.

``python -m bench.tower --write`` writes `bench/tower.json`, `bench/tower.md` and `bench/tower.svg`. Towers are made
before any clock starts: those of random turns of sampled games, and tight ones. All programs answer the same towers,
one after the other within each, and their answers are compared. Times are processor time of this process.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import random
import statistics
import time
from collections.abc import Callable, Iterable
from datetime import date
from itertools import cycle, product
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
import z3

from bench.check import processor
from bench.plot import svg
from bench.solvers import Answer, by_cp_sat, by_z3
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Position
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.tower import Board, Variant
from couperation_formal.questions.records.sample import Usual as Policy, sample_game
from couperation_formal.towers.completion.answer import complete
from couperation_formal.towers.completion.fill import Problem, Shape, fill, problems, reason_of, shape

FOLDER = Path(__file__).resolve().parent
LEVELS = range(3, 41)
REPEATS = 9
"""How often each tower is answered by our own program; the median counts. The solvers answer each once."""


class Tower(NamedTuple):
    """A position, and the question at one place of its columns, perhaps with more cards gone."""

    position: Position
    problem: Problem


def sampled(towers: int, rng: random.Random) -> list[Tower]:
    """So many towers, each of a random turn of a game of its own, at a random place that it allows."""
    kinds = cycle(product(get_args(Policy), get_args(Variant), (2, 3, 4), registry().rulebooks))
    found: list[Tower] = []
    seed = 0
    while len(found) < towers:
        policy, variant, players, rulebook = next(kinds)
        seed += 1
        record = sample_game(players, variant, parse_rules(rulebook), seed, policy)
        states = replay(record, record.rules.rulings).states
        for state in rng.sample(states, min(3, len(states))):
            position = position_of(state, record.rules, record.tags)
            found.append(Tower(position, rng.choice(problems(position))))
    return found[:towers]


def tightened(towers: Iterable[Tower], rng: random.Random) -> list[Tower]:
    """The same towers with cards gone until no other can go without the filling; from every second one more goes.

    Towers that have no filling to begin with are left out.
    """
    found: list[Tower] = []
    for position, problem in towers:
        if fill(problem) is None or not problem.free:
            continue
        values = list(problem.values)
        for value in rng.sample(values, len(values)):
            fewer = [other for other in values if other != value]
            if fill(_with(problem, fewer)) is not None:
                values = fewer
        if len(found) % 2:
            values.remove(rng.choice(values))
        found.append(Tower(position, _with(problem, values)))
    return found


def _with(problem: Problem, values: list[int]) -> Problem:
    return msgspec.structs.replace(problem, values=tuple(values), located=problem.located & frozenset(values))


def ours(problem: Problem) -> Answer:
    return fill(problem)


def with_reason(problem: Problem) -> Answer:
    """The filling, or None with the reason made and dropped."""
    filling = fill(problem)
    if filling is None:
        reason_of(problem)
    return filling


def seconds(work: Callable[[Any], object], given: object, repeats: int) -> float:
    """The median of so many runs."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work(given)
        times.append(time.process_time() - start)
    return statistics.median(times)


def compared(towers: list[Tower], solved: int, whole: bool) -> dict[str, Any]:
    """Figures over these towers, with `whole` over their positions too; the solvers answer the first `solved`."""
    spent: dict[str, list[float]] = {name: [] for name in ("filling", "reason", "position", "z3", "cp_sat")}
    ratios: dict[str, list[float]] = {f"{name} {kind}": [] for name in ("z3", "cp_sat") for kind in ("yes", "no")}
    completable = 0
    for at, (position, problem) in enumerate(towers):
        filling = fill(problem)
        completable += filling is not None
        spent["filling"].append(seconds(ours, problem, REPEATS))
        if filling is None:
            spent["reason"].append(seconds(with_reason, problem, REPEATS))
        if whole:
            spent["position"].append(seconds(complete, position, REPEATS))
        if at < solved:
            for name, solver in (("z3", by_z3), ("cp_sat", by_cp_sat)):
                if (solver(problem) is None) != (filling is None):
                    raise SystemExit(f"{name} gives another answer on tower {at}")
                spent[name].append(seconds(solver, problem, 1))
                ratio = spent[name][-1] / spent["filling"][-1]
                ratios[f"{name} {'no' if filling is None else 'yes'}"].append(ratio)
    return {
        "towers": len(towers),
        "solved": min(solved, len(towers)),
        "completable": completable,
        "microseconds": {name: round(statistics.median(times) * 1e6, 1) for name, times in spent.items() if times},
        "times_ours": {
            name: round(statistics.median(ratios[f"{name} yes"] + ratios[f"{name} no"])) for name in ("z3", "cp_sat")
        }
        | {name: round(statistics.median(each)) for name, each in ratios.items() if each},
    }


def half_filled(levels: int, rng: random.Random) -> Problem:
    """A tower of so many levels with four cells in ten up, in order, and 50 cards for every 28 cells."""
    grid = shape(levels)
    cards = -(-grid.size * 50 // 28)
    numbers = sorted(rng.sample(range(1, cards + 1), grid.size))
    fixed = [0] * grid.size
    for i, value in zip(_some_order(grid, rng), numbers, strict=True):
        fixed[i] = value if rng.random() < 0.4 else 0
    up = set(fixed)
    return Problem(
        board=Board(levels=levels, cards=cards, anchor=(cards + 1) // 2),
        shape=grid,
        left=0,
        fixed=tuple(fixed),
        finish=False,
        ends=None,
        values=tuple(value for value in range(1, cards + 1) if value not in up),
        located=frozenset(),
        hidden=0,
        kept=frozenset(),
        stray=None,
        finish_gone=False,
    )


def _some_order(grid: Shape, rng: random.Random) -> list[int]:
    """A random linear extension."""
    missing = [sum(low < grid.size for low in lower) for lower in grid.below]
    ready = [i for i, count in enumerate(missing) if not count]
    found = []
    while ready:
        i = ready.pop(rng.randrange(len(ready)))
        found.append(i)
        for upper in grid.above[i]:
            if upper < grid.size:
                missing[upper] -= 1
                if not missing[upper]:
                    ready.append(upper)
    return found


def growth(each: int, rng: random.Random) -> list[tuple[int, float]]:
    """Cells, and the median microseconds for a filling, for each number of levels."""
    found = []
    for levels in LEVELS:
        times = [seconds(ours, half_filled(levels, rng), REPEATS) for _ in range(each)]
        found.append((shape(levels).size, statistics.median(times) * 1e6))
    return found


def fitted(points: list[tuple[int, float]]) -> tuple[float, float]:
    """c of c·n·log2 n, the mean of the ratios, and the exponent of n that fits best by itself (both logarithmic)."""
    c = statistics.fmean(spent / (cells * math.log2(cells)) for cells, spent in points)
    line = statistics.linear_regression([math.log(cells) for cells, _ in points], [math.log(t) for _, t in points])
    return c, line.slope


def measure(towers: int, solved: int, each: int, seed: int = 1) -> dict[str, Any]:
    """All figures."""
    rng = random.Random(seed)
    played = sampled(towers, rng)
    tight = tightened(played, rng)
    points = growth(each, rng)
    c, exponent = fitted(points)
    cells = [(cells, cells * math.log2(cells)) for cells, _ in points]
    return {
        "played": compared(played, solved, whole=True),
        "tight": compared(tight, solved, whole=False),
        "growth": [[cells, round(spent, 1)] for cells, spent in points],
        "growth_each": each,
        "nanoseconds_n_log_n": round(c * 1e3, 1),
        "exponent": round(exponent, 2),
        "exponent_n_log_n": round(fitted(cells)[1], 2),
        "python": platform.python_version(),
        "z3": z3.get_version_string(),
        "processor": processor(),
        "date": date.today().isoformat(),
    }


def table(figures: dict[str, Any]) -> str:
    """The figures as a page of Markdown."""
    kinds = [figures["played"], figures["tight"]]

    def row(title: str, key: str, name: str, unit: str = "") -> str:
        return f"| {title} | " + " | ".join(f"{kind[key].get(name, '–')}{unit}" for kind in kinds) + " |"

    return "\n".join(
        [
            "# What the tower question costs",
            "",
            f"`python -m bench.tower --write`, {figures['date']}, Python {figures['python']}, Z3 {figures['z3']},",
            f"{figures['processor']}. Medians over towers, one place of the columns each, in microseconds of",
            "processor time. Played: random turns of sampled games. Tight: those of them that can be completed, with",
            "cards gone until no other can go; from every second one more has gone. The solvers answer the same ones,",
            "as many as named; the lines on times are medians of the ratio for one tower, building included.",
            "",
            "| | played | tight |",
            "|---|---|---|",
            f"| towers | {kinds[0]['towers']} | {kinds[1]['towers']} |",
            f"| completable | {kinds[0]['completable']} | {kinds[1]['completable']} |",
            row("yes with the filling, or no (target 25)", "microseconds", "filling"),
            row("no with the reason (target 100)", "microseconds", "reason"),
            row("a whole position, every place asked as far as needed", "microseconds", "position"),
            f"| answered by the solvers too | {kinds[0]['solved']} | {kinds[1]['solved']} |",
            row("Z3, order encoding", "microseconds", "z3"),
            row("CP-SAT, one worker", "microseconds", "cp_sat"),
            row("Z3 takes so many times ours (target 500)", "times_ours", "z3"),
            row("– on completable ones", "times_ours", "z3 yes"),
            row("– on deadlocked ones", "times_ours", "z3 no"),
            row("CP-SAT takes so many times ours (target 400)", "times_ours", "cp_sat"),
            row("– on completable ones", "times_ours", "cp_sat yes"),
            row("– on deadlocked ones", "times_ours", "cp_sat no"),
            "",
            "![time against cells](tower.svg)",
            "",
            f"Growth from {LEVELS.start} to {LEVELS.stop - 1} levels, {figures['growth_each']} towers each, four",
            f"cells in ten up. On logarithmic axes the time rises as n to the {figures['exponent']}, n log n over the",
            f"same sizes as n to the {figures['exponent_n_log_n']}: the windows, linear, outweigh sorting. The",
            f"curve in the plot is {figures['nanoseconds_n_log_n']:.0f} ns times n·log2 n.",
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--towers", type=int, default=600, help="how many towers of sampled games")
    parser.add_argument("--solved", type=int, default=200, help="how many of them the solvers answer")
    parser.add_argument("--each", type=int, default=25, help="towers for each number of levels")
    parser.add_argument(
        "--write", action="store_true", help="write bench/tower.json, bench/tower.md and bench/tower.svg"
    )
    chosen = parser.parse_args()
    figures = measure(chosen.towers, chosen.solved, chosen.each)
    page = table(figures)
    print(page)
    if chosen.write:
        (FOLDER / "tower.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
        (FOLDER / "tower.md").write_text(page, encoding="utf-8")
        (FOLDER / "tower.svg").write_text(plot(figures), encoding="utf-8")


def plot(figures: dict[str, Any]) -> str:
    """Time against cells, beside the fitted n log n."""
    c = figures["nanoseconds_n_log_n"] / 1e3
    points = [(float(cells), float(spent)) for cells, spent in figures["growth"]]
    curve = [(n, c * n * math.log2(n)) for n in range(2, int(points[-1][0]) + 1, 6)]
    return svg(points, curve, ("cells of the tower", "microseconds", f"{1e3 * c:.0f} ns · n log2 n"))


if __name__ == "__main__":
    main()
