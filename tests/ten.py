"""Does the suite ever fail by itself? ``python -m tests.ten`` runs it ten times, five of them beside six busy loops.

Each run is a line of build/ten.jsonl, with the commit that it was of: a run of another commit does not count, and what
was interrupted goes on where it stopped. What a run with failures printed is kept in build/ten-N.txt. Exits 1 where a
test failed, 2 where the tree differs from its commit.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "ten.jsonl"
RUNS, LOOPS = 10, 6
SUITE = ("-n", "auto", "--dist", "worksteal")
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


def git(*words: str) -> str:
    """What git prints."""
    return subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


@contextmanager
def beside(loops: int) -> Iterator[None]:
    """So many loops that keep the machine busy."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


def run(number: int, loops: int) -> list[str]:
    """The tests that failed in a run of the suite; how pytest ended where it told of none."""
    command = [sys.executable, "-m", "pytest", *SUITE, "-q", "-rfE"]
    with beside(loops):
        ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if ended.returncode:
        KEPT.with_name(f"ten-{number}.txt").write_text(ended.stdout, "utf-8")
    return FAILED.findall(ended.stdout) or ([] if ended.returncode == 0 else [f"exit code {ended.returncode}"])


def main() -> int:
    """Run what was not run yet, and tell of all ten."""
    if git("status", "--porcelain", "--untracked-files=no"):
        print("the tree differs from its commit: what is run would be no run of it", file=sys.stderr)
        return 2
    commit = git("rev-parse", "HEAD")
    KEPT.parent.mkdir(exist_ok=True)
    lines = KEPT.read_text("utf-8").splitlines() if KEPT.exists() else []
    runs = [told for told in map(json.loads, lines) if told["commit"] == commit]
    for number in range(len(runs) + 1, RUNS + 1):
        loops = LOOPS * (number > RUNS // 2)
        runs.append({"commit": commit, "number": number, "loops": loops, "failed": run(number, loops)})
        with KEPT.open("a", encoding="utf-8") as kept:
            kept.write(json.dumps(runs[-1]) + "\n")
        print(f"{number} of {RUNS}, beside {loops} loops: {', '.join(runs[-1]['failed']) or 'none failed'}", flush=True)
    bad = sum(bool(told["failed"]) for told in runs)
    print(f"{bad} of {len(runs)} runs of {commit[:9]} failed")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
