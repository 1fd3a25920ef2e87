"""Do the tests notice? Mutants of the code, each run against the tests that execute the changed block.

``python -m bench.mutants --map`` finds out once which tests run which block, and what each costs (`mutants_tests`).
``python -m bench.mutants`` tries the mutants of the sample that were not tried before (`mutants_places`), and
``--again`` those that survived; ``--write`` writes `bench/mutants.json` and `bench/mutants.md`. The code on disk is
never changed: each mutant is loaded in a forked process that has the libraries already. The fastest tests come first,
and the first that fails ends it. A mutant that takes many times the processor time of its tests is an endless loop.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings

from bench.mutants_page import FOLDER, Key, Tried, equivalents, report
from bench.mutants_places import ROOMS, Place, modules, sample
from bench.mutants_tests import ROOT, block_of, load_changed

WORK = ROOT / ".mutants"
"""The map, and what was tried so far: a line each."""

SEED = 14
TRIED = 650
OUTSIDE = ("board", "page", "docs", "editor", "packaging", "bench", "fuzz")
"""Folders of tests that start browsers, builds and servers, or try inputs at random: they need not notice."""

CLOCKED = "/test_bench.py::"
"""Tests of benchmarks: under the timer that ends endless loops the processor's clock is too coarse for them."""

FIRST_SECONDS, MOST_SECONDS = 4.0, 15.0
"""Processor time of the tests, as measured without a mutant, in the first round and in all."""

PATIENCE, GRACE = 8, 5
"""A test may take so many times its processor time, and so many seconds more: then it is in an endless loop."""

MEMORY = 6 << 30
LIBRARIES = ("click", "click.testing", "jinja2", "lark", "numpy", "rich.console", "z3")
"""Loaded once, before any fork."""


class Mutant(NamedTuple):
    """A place and the module's source changed there."""

    place: Place
    source: str
    key: Key


class Tests(NamedTuple):
    """Which tests run a block, and their seconds of processor time."""

    seconds: dict[str, float]
    running: dict[tuple[str, int], set[str]]

    def of(self, place: Place) -> list[str]:
        """The tests that run the place, the fastest first, as many as the limit allows.

        What runs while the module is imported, every test of the module may notice; of a module without a function,
        every test of those that import it.
        """
        line, called = block_of(ast.parse((ROOT / place.module).read_text()), place.line)
        if called:
            found = self.running.get((place.module, line), set())
        else:
            told = {place.module, *_importers(place.module)}
            found = {test for (module, _), tests in self.running.items() if module in told for test in tests}
        chosen: list[str] = []
        left = MOST_SECONDS
        for test in sorted(found, key=lambda test: (self.seconds[test], test)):
            left -= self.seconds[test]
            if left < 0 and chosen:
                break
            chosen.append(test)
        return chosen


def _importers(module: str) -> Iterator[str]:
    """The modules that import this one, where it holds no function."""
    text = (ROOT / module).read_text()
    name = module.removeprefix("checker/").removesuffix(".py").replace("/", ".")
    if "def " not in text:
        for _, path in modules():
            if f"from {name} import" in path.read_text():
                yield str(path.relative_to(ROOT))


def make_map() -> None:
    """Run the suite once with marks in the code, on all processors."""
    WORK.mkdir(exist_ok=True)
    for old in WORK.glob("map-*.json"):
        old.unlink()
    folders = [str(path) for path in sorted((ROOT / "tests").iterdir()) if path.is_dir() and path.name not in OUTSIDE]
    command = [sys.executable, "-m", "pytest", "-p", "bench.mutants_tests", "-n", "auto", *folders]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "COUPERATION_MAP": str(WORK)}, check=False)


def read_map(folder: Path) -> Tests:
    """The maps of all processes as one."""
    seconds: dict[str, float] = {}
    running: dict[tuple[str, int], set[str]] = defaultdict(set)
    for path in folder.glob("map-*.json"):
        told = json.loads(path.read_text())
        for test, (spent, blocks) in told["tests"].items():
            if CLOCKED in test or test.split("/")[1] in OUTSIDE:
                continue
            seconds[test] = spent
            for number in blocks:
                module, line = told["places"][number]
                running[module, line].add(test)
    return Tests(seconds, running)


def attempt(mutant: Mutant, tests: list[tuple[str, float]]) -> Tried:
    """Run the tests on the mutant, in rounds."""
    outcome, by, spent = ("survived" if tests else "unreached"), "", 0.0
    for part in _rounds(tests):
        outcome, by, seconds = _round(mutant.place.module, mutant.source, part)
        spent += seconds
        if outcome != "survived":
            break
    return Tried(*mutant.key, outcome, by, len(tests), round(spent, 1))


def _rounds(tests: list[tuple[str, float]]) -> Iterator[list[tuple[str, float]]]:
    first = sum(total <= FIRST_SECONDS for total in accumulate(seconds for _, seconds in tests))
    yield from (part for part in (tests[:first], tests[first:]) if part)


def _round(module: str, source: str, tests: list[tuple[str, float]]) -> tuple[str, str, float]:
    """The outcome, the test that ran last where it is not survived, and the seconds spent."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        code = 99
        try:
            os.close(reader)
            code = _run(module, source, dict(tests), writer)
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as told:
        by = told.read().decode().rstrip("\n").rpartition("\n")[2]
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    if os.WIFSIGNALED(status):
        return ("endless" if os.WTERMSIG(status) == signal.SIGPROF else "killed"), by, seconds
    return ("killed" if os.WEXITSTATUS(status) else "survived"), by * bool(status), seconds


class _Teller:
    """Writes the names of the tests into a pipe as they begin, and ends the process where one does not end."""

    def __init__(self, writer: int, seconds: dict[str, float]) -> None:
        self._writer, self._seconds = writer, seconds

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        os.write(self._writer, f"{item.nodeid}\n".encode())
        signal.setitimer(signal.ITIMER_PROF, GRACE + PATIENCE * self._seconds.get(item.nodeid, 1))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            os.write(self._writer, f"collecting {report.nodeid}\n".encode())


def _run(module: str, source: str, tests: dict[str, float], writer: int) -> int:
    """In the child: import the mutant and run the tests."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.setitimer(signal.ITIMER_PROF, 10 * GRACE)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.chdir(ROOT)
    load_changed(lambda path, text: source if path == module else text)
    settings.register_profile(
        "mutants",
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    options = [
        "--hypothesis-profile=mutants",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--tb=no",
        "--no-header",
    ]
    return int(pytest.main([*options, *tests], plugins=[_Teller(writer, tests)]))


def control(killers: set[str], tests: Tests) -> set[str]:
    """Those of the tests that fail without a mutant: what they killed is not known to be killed."""
    bad: set[str] = set()
    waiting = [(test, tests.seconds[test]) for test in sorted(killers & tests.seconds.keys())]
    while waiting:
        outcome, by, _ = _round("", "", waiting)
        if outcome == "survived":
            break
        bad.add(by)
        left = [each for each in waiting if each[0] != by]
        if len(left) == len(waiting):
            raise RuntimeError(f"the tests do not run without a mutant: {by}")
        waiting = left
    return bad


def campaign(mutants: list[Mutant], tests: Tests, log: Path, jobs: int) -> None:
    """Try the mutants, so many at once; a line for each goes to the log as it ends."""
    chosen = [[(test, tests.seconds[test]) for test in tests.of(mutant.place)] for mutant in mutants]
    killers: dict[str, list[Key]] = defaultdict(list)
    for name in LIBRARIES:
        importlib.import_module(name)
    with ProcessPoolExecutor(jobs) as pool, log.open("ab") as out:
        under_way = {pool.submit(attempt, *each): each[0] for each in zip(mutants, chosen, strict=True)}
        for ended in as_completed(under_way):
            mutant, tried = under_way[ended], ended.result()
            out.write(msgspec.json.encode(tried) + b"\n")
            out.flush()
            if tried.outcome in ("survived", "unreached"):
                where = f"{tried.module}:{mutant.place.line} {tried.function}"
                print(f"{tried.outcome}: {where}\n  - {tried.before}\n  + {tried.after}", flush=True)
        for tried in read_log(log).values():
            killers[tried.by].append(tried.key)
        for test in control(set(killers), tests):
            print(f"{test} fails without a mutant; what it killed counts as not tried: {len(killers[test])}")
            for key in killers[test]:
                out.write(msgspec.json.encode(Tried(*key, "void", test)) + b"\n")


def read_log(log: Path) -> dict[Key, Tried]:
    """What became of each mutant the last time that it was tried."""
    lines = log.read_bytes().splitlines() if log.exists() else []
    last = {tried.key: tried for tried in (msgspec.json.decode(line, type=Tried) for line in lines)}
    return {key: tried for key, tried in last.items() if tried.outcome != "void"}


def mutants_of(places: list[Place]) -> list[Mutant]:
    """The mutants of the places, those left out whose change is no Python."""
    found = [(place, place.mutant()) for place in places]
    return [
        Mutant(place, source, (place.module, place.function, *place.change(source), place.nth))
        for place, source in found
        if source is not None
    ]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--map", action="store_true", help="find out anew which tests run which block")
    parser.add_argument("--tried", type=int, default=TRIED, help=f"so many places of the sample (default {TRIED})")
    parser.add_argument("--rooms", default=",".join(ROOMS), help="of these rooms only, with commas between")
    parser.add_argument("--again", action="store_true", help="try those that survived once more")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at once")
    parser.add_argument("--write", action="store_true", help="write bench/mutants.json and bench/mutants.md")
    chosen = parser.parse_args()
    WORK.mkdir(exist_ok=True)
    if chosen.map or not any(WORK.glob("map-*.json")):
        make_map()
    log = WORK / "tried.jsonl"
    known = read_log(log)
    rooms, same = set(chosen.rooms.split(",")), equivalents()
    mutants = mutants_of([place for place in sample(SEED)[: chosen.tried] if chosen.write or place.room in rooms])
    waiting = [
        mutant
        for mutant in mutants
        if mutant.place.room in rooms
        and (mutant.key not in known or (chosen.again and _alive(known[mutant.key]) and mutant.key[:4] not in same))
    ]
    if waiting:
        campaign(waiting, read_map(WORK), log, chosen.jobs)
    known = read_log(log)
    found = [(mutant.place, known[mutant.key]) for mutant in mutants if mutant.key in known]
    text = report(
        found,
        [mutant.place for mutant in mutants],
        same,
        seed=SEED,
        most=round(MOST_SECONDS),
        patience=PATIENCE,
        grace=GRACE,
    )
    if chosen.write:
        told = msgspec.json.encode([tried for _, tried in found])
        (FOLDER / "mutants.json").write_bytes(msgspec.json.format(told, indent=1) + b"\n")
        (FOLDER / "mutants.md").write_text(text)
    print(text)


def _alive(tried: Tried) -> bool:
    return tried.outcome in ("survived", "unreached")


if __name__ == "__main__":
    main()
