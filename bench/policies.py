"""How strong the policies of sampled games are, and what a game of each costs.

``python -m bench.policies --write`` writes `bench/policies.md`. All play the same deals. Times are processor time of
this process.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections import Counter
from datetime import date
from functools import partial
from pathlib import Path
from typing import get_args

from bench.check import processor
from couperation_formal.questions.records.sample import Policy, sample_game
from couperation_formal.questions.studies.report import interval

FOLDER = Path(__file__).resolve().parent
GAMES, FEW = 400, 40


def played(policy: Policy, games: int) -> str:
    """A row: so many games of a policy, how they ended, and what one costs."""
    begun = time.process_time()
    results = Counter(sample_game(policy=policy, seed=seed).result for seed in range(1, games + 1))
    cost = (time.process_time() - begun) / games
    least, most = interval(results["win"], games)
    share = f"{results['win'] / games:.1%} | {least:.1%} – {most:.1%}"
    return f"| `{policy}` | {games} | {share} | {results['loss']} | {results['stuck']} | {cost:.3g} |"


def page(games: int, few: int) -> str:
    """The table as a page."""
    rows = [played(policy, few if policy == "table" else games) for policy in get_args(Policy)]
    listed = "\n".join(rows)
    return f"""# Policies

`python -m bench.policies --write`, {date.today():%Y-%m-%d}, Python {platform.python_version()}, {processor()}:
games of two players under the rules that hold unless told, from the same deals; the share of them that is won, with
its 95 % interval, how the others ended, and the processor seconds of a game.

| policy | games | won | interval | lost | stuck | seconds a game |
|---|--:|--:|--:|--:|--:|--:|
{listed}

`random` and `careful` look at what their players know; `erring-R` is `careful` but for a share R of its decisions,
which are random. `tower` is `careful`, and asks before each action whether the cards that are left can still complete
the tower; `table` asks as well, within a budget, whether the table can still be won, with all cards open.
"""


def main(arguments: list[str]) -> None:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--few", type=int, default=FEW, help="games of the policy that asks the table")
    options = parser.parse_args(arguments)
    told = page(options.games, options.few)
    (partial((FOLDER / "policies.md").write_text, encoding="utf-8") if options.write else print)(told)


if __name__ == "__main__":
    main(sys.argv[1:])
