"""What a dispute costs beside what it cost at an earlier commit, on the same records in the same run.

``python -m bench.before 9138449~1`` answers sampled records, as they are and as a recorder sees them without marks, by
the tree at that commit and by this one in turn, and prints how the times compare record by record. That commit is the
last one before `no_action` and the five rulings that came with it; any that knows the library's names will do.
Times are processor time of a process for each tree and round.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.dispute import public, sampled
from couperation_formal.notation.write import record_text

ROOT = Path(__file__).resolve().parent.parent
ANSWER = """
import json, sys, time
from couperation_formal import dispute, read_text
from couperation_formal.game.record import Game
times = []
for text in json.load(open(sys.argv[1])):
    (game,) = read_text(text)
    start = time.process_time()
    dispute(game)
    times.append(time.process_time() - start)
print(json.dumps(times))
"""


def answered(tree: Path, texts: Path) -> list[float]:
    """The seconds that a tree takes for each record, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    command = [sys.executable, "-c", ANSWER, str(texts)]
    told = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd=tree)
    found: list[float] = json.loads(told.stdout)
    return found


def compared(before: Path, texts: list[str], rounds: int) -> str:
    """How the times of both trees compare, medians over some rounds a record."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(texts, file)
        file.flush()
        times = [(answered(before, Path(file.name)), answered(ROOT, Path(file.name))) for _ in range(rounds)]
    old, new = (list(map(statistics.median, zip(*(each[way] for each in times), strict=True))) for way in (0, 1))
    ratios = sorted(now / then for then, now in zip(old, new, strict=True))
    middle, most = statistics.median(ratios), ratios[-1]
    return (
        f"{len(texts)} records: {statistics.median(old) * 1e3:,.1f} ms before, {statistics.median(new) * 1e3:,.1f} ms"
        f" now (medians); {middle:.2f} times at the median, {sum(new) / sum(old):.2f} times in all, {most:.2f} at most"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--public", type=int, default=20, help="so many of them as a recorder sees them too")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    games = sampled(chosen.games)
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder, "before")
        subprocess.run(["git", "worktree", "add", "--detach", "-q", before, chosen.commit], check=True, cwd=ROOT)
        try:
            shown = [record_text(game.record) for game in games]
            hidden = [record_text(public(game).record) for game in games[: chosen.public]]
            print("fully seen:", compared(before, shown, chosen.rounds))
            print("as a recorder sees them:", compared(before, hidden, min(chosen.rounds, 3)))
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", before], check=True, cwd=ROOT)


if __name__ == "__main__":
    main()
