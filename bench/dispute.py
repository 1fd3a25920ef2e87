"""What it costs to tell all readings under which a record is legal, beside one replay and beside one replay a reading.

``python -m bench.dispute --write`` writes `bench/dispute.json` and `bench/dispute.md`. Games are sampled and written
before any clock starts; each is answered by all ways one after the other, and their answers are compared. Times are
processor time of this process.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from itertools import count, cycle, product
from math import prod
from pathlib import Path
from typing import Any, get_args

import msgspec

from bench.check import processor
from couperation_formal.game.fact import DEFAULT, Steps
from couperation_formal.game.record import Game, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.clauses import ASKED
from couperation_formal.game.rules.turn import ending
from couperation_formal.game.rulings import Rulings, parse_rules, registry
from couperation_formal.game.seen import seen_record
from couperation_formal.game.tower import Variant
from couperation_formal.hidden.readings.sets import Readings, space
from couperation_formal.hidden.readings.standing import answers, plain_verdicts
from couperation_formal.hidden.smt.exact import symbolic_verdicts
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.disputes.dispute import dispute
from couperation_formal.questions.records.check import check
from couperation_formal.questions.records.sample import Usual as Policy, sample_game
from tests.formulas.judge.steps import step_states

FOLDER = Path(__file__).resolve().parent
TURNS = range(28, 33)
REPEATS = 5
"""How often the quick ways answer each record; the median counts."""

MOST_REPLAYS = 2_000
"""Of a record that consults more combinations than this only so many are replayed; the time of all is extrapolated."""


def sampled(games: int) -> list[Game]:
    """So many complete games of about 30 turns, over both variants and policies, two to four players, all rulebooks."""
    kinds = cycle(product(get_args(Policy), get_args(Variant), (2, 3, 4), registry().rulebooks))
    found: list[Game] = []
    for seed in count():
        policy, variant, players, rulebook = next(kinds)
        record = sample_game(players, variant, parse_rules(rulebook), seed, policy)
        if len(record.turns) in TURNS:
            found += [item for item in read_text(record_text(record)) if isinstance(item, Game)]
        if len(found) >= games:
            break
    return found


def consulted_rulings(record: Record) -> list[str]:
    """The rulings that some clause, but for ACT01, reads at some turn of the record."""
    names: set[str] = set()
    for step in step_states(record):
        asked = [clause.check for clause in ASKED[type(step.turn.action)] if clause.id != "ACT01"]
        names.update(
            name for check in (*asked, ending) for _, chosen in answers(partial(check, step)) for name in chosen
        )
    return [name for name in space() if name in names]


def readings_over(names: list[str], base: Rulings) -> Iterator[Rulings]:
    """Every combination of options of these rulings, the others as in `base`."""
    for options in product(*(space()[name] for name in names)):
        yield base.with_changes(dict(zip(names, options, strict=True)))


def timed(work: Callable[[], object]) -> float:
    """The median of the seconds that some runs of `work` take."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def one_by_one(record: Record, names: list[str], legal: Readings) -> tuple[int, float]:
    """How many combinations the consulted rulings have, and the seconds that replaying all of them takes; beyond
    `MOST_REPLAYS` that of the first ones, extrapolated. Stops the benchmark where an answer is not that of the sets.
    """
    combinations = 1
    for name in names:
        combinations *= len(space()[name])
    replayed = 0
    start = time.process_time()
    for rulings in readings_over(names, record.rules.rulings):
        if (replay(record, rulings).illegal is None) != (rulings in legal):
            raise SystemExit(f"the sets and the replay differ under {rulings}")
        replayed += 1
        if replayed >= MOST_REPLAYS:
            break
    return combinations, (time.process_time() - start) * combinations / replayed


def once(work: Callable[[], object]) -> float:
    """The seconds that one run takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def public(game: Game) -> Game:
    """The game as a recorder at the table sees it, and without marks."""
    record = seen_record(game.record)
    tags = tuple((name, value) for name, value in record.tags if name != "Marks")
    return msgspec.structs.replace(game, record=msgspec.structs.replace(record, marks={}, tags=tags))


def by_z3(games: list[Game]) -> dict[str, Any]:
    """What Z3 takes for all readings of these games, and for the check and the dispute of their public records; medians
    in milliseconds. Stops the benchmark where Z3 answers otherwise than the sets, or a legal game's record is refused.
    """
    rows = []
    for game in games:
        start = time.process_time()
        found = symbolic_verdicts(game.record, Readings.every(), Steps(DEFAULT))
        symbolic = time.process_time() - start
        if found != plain_verdicts(game.record):
            raise SystemExit("the sets and Z3 differ")
        seen = public(game)
        start = time.process_time()
        verdict = check(seen).verdict
        checked = time.process_time() - start
        if verdict != "legal":
            raise SystemExit(f"the public record of a legal game is {verdict}")
        rows.append((symbolic, checked, once(partial(dispute, seen))))
    names = ("symbolic_ms", "public_check_ms", "public_dispute_ms")
    medians = {name: round(statistics.median(row[k] for row in rows) * 1e3, 1) for k, name in enumerate(names)}
    return {"z3_games": len(rows), **medians}


def measure(games: int, solved: int) -> dict[str, Any]:
    """The medians of all ways over so many records, in milliseconds, and how they compare record by record; Z3 answers
    `solved` of them.
    """
    rows = []
    chosen = sampled(games)
    for game in chosen:
        record = game.record
        names = consulted_rulings(record)
        single = timed(partial(replay, record, record.rules.rulings))
        sets = timed(partial(plain_verdicts, record))
        whole = timed(partial(dispute, game))
        combinations, every = one_by_one(record, names, plain_verdicts(record).legal)
        rows.append((single, sets, whole, every, sets / single, every / sets, len(names), combinations))
    medians = [statistics.median(row[k] for row in rows) for k in range(8)]
    return {
        "games": len(rows),
        "turns": [TURNS.start, TURNS.stop - 1],
        "replay_ms": round(medians[0] * 1e3, 3),
        "sets_ms": round(medians[1] * 1e3, 3),
        "dispute_ms": round(medians[2] * 1e3, 2),
        "one_by_one_ms": round(medians[3] * 1e3, 1),
        "sets_to_replay": round(medians[4], 2),
        "sets_to_replay_most": round(max(row[4] for row in rows), 2),
        "one_by_one_to_sets": round(medians[5]),
        "consulted_rulings": medians[6],
        "combinations": medians[7],
        **by_z3(chosen[:solved]),
        "python": platform.python_version(),
        "processor": processor(),
        "date": date.today().isoformat(),
    }


def table(figures: dict[str, Any]) -> str:
    """The figures as a page of Markdown."""
    first, last = figures["turns"]
    lines = [
        "# What all readings of a record cost",
        "",
        f"`python -m bench.dispute --write`, {figures['date']}, Python {figures['python']}, {figures['processor']}:",
        f"{figures['games']} sampled games of {first} to {last} turns, fully seen; medians. The ways agree on every",
        "reading tried.",
        "",
        "| way | milliseconds a record |",
        "|---|---|",
        f"| one replay, one reading | {figures['replay_ms']:.2f} |",
        f"| the replay over sets, all {prod(map(len, space().values())):,} readings | {figures['sets_ms']:.2f} |",
        f"| the whole answer: conditions, changes, tree, rulebooks | {figures['dispute_ms']:.1f} |",
        f"| every combination of the consulted rulings, one by one | {figures['one_by_one_ms']:,.0f} |",
        f"| the formulas as a circuit, with the rulings as variables, and Z3 | {figures['symbolic_ms']:,.0f} |",
        f"| `check` of the public record without marks | {figures['public_check_ms']:,.0f} |",
        f"| the whole answer for the public record without marks | {figures['public_dispute_ms']:,.0f} |",
        "",
        f"The sets take {figures['sets_to_replay']:.1f} times one replay,"
        f" {figures['sets_to_replay_most']:.1f} times at most (the target is 24),",
        f"and one by one {figures['one_by_one_to_sets']:,} times the sets: such a record consults"
        f" {figures['consulted_rulings']:.0f} rulings with",
        f"{figures['combinations']:,.0f} combinations. Of more than {MOST_REPLAYS:,} combinations the first ones were"
        " replayed, and their time scaled.",
        f"The last three rows are medians of {figures['z3_games']} of the games;",
        "the target for the check of a public record was 5,000.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--solved", type=int, default=20, help="so many of them are answered by Z3 too")
    parser.add_argument("--write", action="store_true", help="write bench/dispute.json and bench/dispute.md")
    chosen = parser.parse_args()
    figures = measure(chosen.games, chosen.solved)
    page = table(figures)
    print(page)
    if chosen.write:
        (FOLDER / "dispute.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
        (FOLDER / "dispute.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
