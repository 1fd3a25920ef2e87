"""A study on a real cluster of several processes: the same rows on one as on two, and whichever of them is killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from couperation_formal.questions.studies.results import Results
from tests.conftest import LONG
from tests.kit.started import ROOT, Started, run
from tests.questions.studies.plans import made, written

pytestmark = pytest.mark.slow

PRELOAD = """
import os
def dask_setup(worker):
    from couperation_formal.questions.studies import rows
    plain = rows.answer
    def answer(asked, item):
        if asked.seed == 3:
            {act}
        return plain(asked, item)
    rows.answer = answer
"""
"""What each worker reads when it starts: something happens where seed 3 is asked about."""

HELD = """try:
                os.mkdir({once!r})
            except FileExistsError:
                return plain(asked, item)
            with open({begun!r}, "w") as told:
                told.write(str(os.getpid()))
            open({further!r}).close()"""
"""The first time its process tells its number, and waits until it is killed."""


class Stopped:
    """A cluster's worker that can be met where it asks about seed 3."""

    def __init__(self, folder: Path) -> None:
        once, self.begun, further = folder / "once", folder / "begun", folder / "further"
        os.mkfifo(self.begun)
        os.mkfifo(further)
        act = HELD.format(once=str(once), begun=str(self.begun), further=str(further))
        self.environment = preloading(folder, act)

    def met(self) -> int:
        """The number of the process that has come there."""
        return int(self.begun.read_text("utf-8"))


def preloading(folder: Path, act: str) -> dict[str, str]:
    """The environment of a cluster whose workers do this."""
    path = folder / "preload.py"
    path.write_text(PRELOAD.format(act=act), "utf-8")
    return {**os.environ, "DASK_DISTRIBUTED__WORKER__PRELOAD": str(path)}


def digest(folder: Path) -> str:
    """What the results of the tiny plan come to, all parts of which are there."""
    results = Results(folder)
    assert results.there() == [0, 1, 2]
    return results.whole()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of what is made without a cluster."""
    return made(tmp_path_factory.mktemp("alone")).whole()


@pytest.mark.parametrize("workers", [1, 2] if LONG else [2])
def test_the_rows_are_the_same_on_one_worker_and_on_two(workers: int, alone: str, tmp_path: Path) -> None:
    words: list[str | Path] = ["study", written(tmp_path), "-o", tmp_path / "r", "--workers", str(workers)]
    done = run(words)
    assert done.returncode == 0
    assert done.stdout == b"18 rows in 3 parts, 0 undetermined, 0 games failed\n"
    begun, dashboard, estimate = done.stderr.decode().splitlines()
    assert begun == "3 of 3 parts are to be made"
    assert dashboard.startswith("dashboard: http://127.0.0.1:")
    assert re.fullmatch(r"as the first parts went, this will take about \d+\.\d minutes", estimate)
    assert digest(tmp_path / "r") == alone
    if workers == 1:  # all is there, and no cluster is started
        again = run(words)
        assert (again.returncode, again.stdout, again.stderr) == (0, done.stdout, b"")


def test_a_killed_worker_costs_nothing_and_all_listens_here_only(alone: str, tmp_path: Path) -> None:
    """The sockets are read while the cluster works: of the command, its workers and whatever they started."""
    stopped = Stopped(tmp_path)
    out = (tmp_path / "out").open("w")
    words: list[str | Path] = ["study", written(tmp_path), "-o", tmp_path / "r", "--workers", "2"]
    running = Started(words, (out.fileno(),) * 3, environment=stopped.environment)
    worker = stopped.met()
    family = [psutil.Process(running.pid), *psutil.Process(running.pid).children(recursive=True)]
    assert worker in {each.pid for each in family}
    sockets = [each for process in family for each in process.net_connections("inet") if each.status == "LISTEN"]
    assert len(sockets) >= 5  # the scheduler and its dashboard, two workers and their keepers
    assert all(ip_address(each.laddr.ip).is_loopback for each in sockets), sockets
    os.kill(worker, signal.SIGKILL)
    assert running.ended()[0] == 0
    assert digest(tmp_path / "r") == alone


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT] if LONG else [signal.SIGINT])
def test_a_command_that_is_ended_leaves_nobody_behind_and_is_gone_on_with(
    number: int, alone: str, tmp_path: Path
) -> None:
    """Killed, or interrupted at a terminal, where the signal goes to all its processes: they say nothing of it."""
    stopped = Stopped(tmp_path)
    words: list[str | Path] = ["study", written(tmp_path), "-o", tmp_path / "r", "--workers", "2"]
    out, end = os.pipe()
    running = Started(words, (end,) * 3, environment=stopped.environment)
    os.close(end)
    stopped.met()
    for process in psutil.Process(running.pid).children(recursive=True) if number == signal.SIGINT else ():
        process.send_signal(number)
    running.signal(number)
    assert running.ended()[0] == (130 if number == signal.SIGINT else -number)
    with os.fdopen(out) as said:  # to its end: nobody holds the other end any more
        assert number == signal.SIGKILL or said.read().splitlines()[2:] == ["", "interrupted"]
        said.read()
    assert 1 not in Results(tmp_path / "r").there()
    if number == signal.SIGKILL:
        assert run([*words[:-1], "1"]).returncode == 0
        assert digest(tmp_path / "r") == alone


@contextmanager
def standing(environment: dict[str, str]) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A cluster that stands by itself: a scheduler and a worker, each a process."""

    def started(name: str, *words: str) -> subprocess.Popen[str]:
        words = (*words, "--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")
        command = [sys.executable, "-m", f"distributed.cli.dask_{name}", *words]
        return subprocess.Popen(command, text=True, stderr=subprocess.PIPE, env=environment)

    scheduler = started("scheduler", "--port", "0")
    assert scheduler.stderr is not None
    address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at:" in line)
    worker = started("worker", address, "--nthreads", "1", "--no-nanny")
    try:
        for each in (scheduler, worker):  # what they say is read, so that they can go on
            threading.Thread(target=each.stderr.read, daemon=True).start()  # type: ignore[union-attr]
        yield address, scheduler
    finally:
        for each in (scheduler, worker):
            each.kill()
            each.wait()


def test_a_killed_scheduler_ends_the_command_which_goes_on_elsewhere(alone: str, tmp_path: Path) -> None:
    stopped = Stopped(tmp_path)
    words: list[str | Path] = ["study", written(tmp_path), "-o", tmp_path / "r"]
    out, end = os.pipe()
    with standing(stopped.environment) as (address, scheduler):
        running = Started([*words, "--scheduler", address], (end,) * 3)
        os.close(end)
        stopped.met()
        scheduler.kill()
        assert running.ended()[0] == 2
    with os.fdopen(out) as said:
        told = "error: the scheduler went away; what is finished is kept, and the same command goes on\n"
        assert said.read().splitlines(keepends=True)[-1] == told
    assert 1 not in Results(tmp_path / "r").there()
    assert run([*words, "--workers", "1"]).returncode == 0
    assert digest(tmp_path / "r") == alone


POISONS = {"error": "raise ArithmeticError('a fault')", "killed": "os._exit(9)"}


@pytest.mark.parametrize("kind", [*POISONS] if LONG else ["error"])
def test_what_fails_three_times_is_set_aside(kind: str, tmp_path: Path) -> None:
    """With rows that say so; the rest of its part and all others are as they were."""
    words: list[str | Path] = ["study", written(tmp_path), "-o", tmp_path / "r", "--workers", "1"]
    done = run(words, environment=preloading(tmp_path, POISONS[kind]))
    assert done.returncode == 70
    assert done.stderr.decode().splitlines()[3:] == ["error: seed=3 failed three times; its rows say so"]
    assert done.stdout == b"18 rows in 3 parts, 0 undetermined, 1 games failed\n"
    results, whole = Results(tmp_path / "r"), made(tmp_path / "whole")
    found, wanted = results.rows(1), whole.rows(1)
    why = {"error": "ArithmeticError", "killed": "KilledWorker"}[kind]
    assert [(row.answer, row.failed) for row in found] == [("failed", why)] * 3 + [
        (row.answer, "") for row in wanted[3:]
    ]
    assert [row.id for row in found] == [row.id for row in wanted]
    assert [results.digest(part) == whole.digest(part) for part in range(3)] == [True, False, True]
    again = run(words)
    assert (again.returncode, again.stderr) == (70, b"error: seed=3 failed three times; its rows say so\n")


def test_no_scheduler_is_told(tmp_path: Path) -> None:
    done = run(["study", str(written(tmp_path)), "-o", str(tmp_path / "r"), "--scheduler", "x://nowhere"])
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[1].startswith("error: no scheduler answers at x://nowhere")


@pytest.mark.skipif(not LONG, reason="COUPERATION_LONG is not set")
def test_the_smoke_plan_ends_well_and_can_be_checked(tmp_path: Path) -> None:
    assert run(["study", str(ROOT / "examples" / "studies" / "smoke.toml"), "-o", str(tmp_path / "r")]).returncode == 0
    assert run(["study", "check", str(tmp_path / "r"), "--share", "0.2"]).returncode == 0
