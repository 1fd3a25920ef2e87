"""The table question against an exhaustive reference: ``python -m bench.late`` asks 3,000 positions of late tables.

The positions are the last four of sampled games under random rulings of the four rulebooks, fully seen. The reference
tries every legal turn by the plain rules (`tests.towers.continuation.brute`); a table from which it reaches more than
``--most`` positions is left out and counted. `answer` has the default budget. Prints the counts, and each position at
which the two differ.
"""

from __future__ import annotations

import argparse
from collections import Counter

from couperation_formal.game.fact import DEFAULT, Steps
from couperation_formal.towers.continuation.answer import Dead, Won, answer
from tests.checker.tables import late_tables
from tests.towers.continuation.brute import TooMany, Truth

LAST = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=3000, help="so many are asked")
    parser.add_argument("--most", type=int, default=2000, help="the most positions that the reference tries")
    parser.add_argument("--first", type=int, default=1, help="the seed of the first game")
    chosen = parser.parse_args()
    counts, seed = Counter[str](), chosen.first
    while counts["alive"] + counts["dead"] + counts["open"] + counts["wrong"] < chosen.positions:
        for late in late_tables(seed, LAST):
            try:
                alive = Truth(late.rules.rulings, chosen.most).wins(late.state)
            except TooMany:
                counts["left out"] += 1
                continue
            found = answer(late.state, late.rules.rulings, Steps(DEFAULT))
            if not isinstance(found, Won | Dead):
                counts["open"] += 1
            elif isinstance(found, Won) is alive:
                counts["alive" if alive else "dead"] += 1
            else:
                counts["wrong"] += 1
                print(
                    f"seed {seed}, after turn {late.state.turns}: {type(found).__name__}, reference {alive}", flush=True
                )
        seed += 1
    print(dict(sorted(counts.items())), f"{seed - chosen.first} games")


if __name__ == "__main__":
    main()
