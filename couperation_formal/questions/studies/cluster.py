"""The cluster that makes the parts of a study: one of this machine, or one that stands already. Dask's, which only the
studies' room imports.

A task is a part: it gets the folder and the part's number, writes the part and returns what it holds. A task that
failed three times, by an error or because its worker was killed, is asked again unit by unit; a unit that fails as
often gets rows that say so. A few tasks for each worker are in flight.
"""

import logging
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar, cast

import dask
from distributed import CancelledError, Client, LocalCluster, as_completed
from distributed.comm import CommClosedError

from couperation_formal.game.fact import Unfit
from couperation_formal.questions.studies.results import Counted, Results
from couperation_formal.questions.studies.rows import Row, failed, rows

_TRIES = 3
"""So often a task is tried."""

_AHEAD = 3
"""So many tasks for each thread of the workers are in flight."""

_HOST = "127.0.0.1"

T = TypeVar("T")


def make_part(folder: str, part: int) -> Counted:
    """Make a part, where it is not there yet."""
    results = Results(Path(folder))
    if results.has(part):
        return results.counted(part)
    return results.put(part, (row for unit in results.units(part) for row in rows(results.plan, unit)))


def make_unit(folder: str, part: int, unit: int) -> list[Row]:
    """The rows of one unit of a part."""
    results = Results(Path(folder))
    return [*rows(results.plan, results.units(part)[unit])]


@contextmanager
def cluster(scheduler: str | None, workers: int) -> Iterator[Client]:
    """A cluster that stands at an address, or one of so many processes that ends with the block. All of the latter
    listens on this machine only. Raises `Unfit` where no scheduler answers. Dask's own log is silent meanwhile.
    """
    logging.disable()
    try:
        with dask.config.set({"distributed.scheduler.allowed-failures": _TRIES - 1}), ExitStack() as stack:
            local = None if scheduler is not None else stack.enter_context(_local(workers))
            try:
                client = Client(local or scheduler, set_as_default=False)
            except (OSError, ValueError):
                raise Unfit("study_no_scheduler", address=scheduler) from None
            yield stack.enter_context(client)
    finally:
        logging.disable(logging.NOTSET)


def _local(workers: int) -> LocalCluster:
    """A cluster of this machine. An interruption is this process's affair: those that it starts ignore it."""
    own = {"host": _HOST, "dashboard_address": f"{_HOST}:0"}
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return LocalCluster(n_workers=workers, threads_per_worker=1, silence_logs=logging.CRITICAL, **own)
    finally:
        signal.signal(signal.SIGINT, before)


def dashboard(client: Client) -> str | None:
    """The address of the cluster's dashboard, None where it has none."""
    return str(client.dashboard_link) if "dashboard" in client.scheduler_info()["services"] else None


def run(client: Client, folder: Path, parts: Sequence[int]) -> Iterator[Counted]:
    """Make these parts; what each of them holds, as they come. Raises `Unfit` where the scheduler went away."""
    results = Results(folder)
    for part, made in _asked(client, lambda part: (make_part, str(folder), part), parts):
        yield made if isinstance(made, Counted) else _by_units(client, results, part)


def _by_units(client: Client, results: Results, part: int) -> Counted:
    """Make a part whose task failed."""
    units, folder = results.units(part), str(results.folder)
    made = dict(_asked(client, lambda unit: (make_unit, folder, part, unit), range(len(units))))
    listed: list[Row] = []
    for number, unit in enumerate(units):
        found = made[number]
        why = f"{type(found).__name__}" if isinstance(found, BaseException) else ""
        listed += failed(results.plan, unit, why) if why else cast("list[Row]", found)
    return results.put(part, listed)


def _asked(
    client: Client, task: Callable[[int], tuple[Any, ...]], numbers: Sequence[int]
) -> Iterator[tuple[int, object]]:
    """What the task of each number returned, or the error that it raised each time, as they come."""
    left, flying, names = iter(numbers), as_completed(loop=client.loop), dict[Any, int]()

    def send() -> None:
        most = _AHEAD * max(1, sum(client.nthreads().values()))
        for number in islice(left, max(0, most - len(names))):
            future = client.submit(*task(number), retries=_TRIES - 1, pure=False)
            names[future] = number
            flying.add(future)

    try:
        send()
        for future in flying:
            if future.status not in ("finished", "error"):
                raise Unfit("study_lost")
            yield names.pop(future), future.exception() if future.status == "error" else future.result()
            send()
    except (CommClosedError, CancelledError):  # the scheduler ended while it was asked
        raise Unfit("study_lost") from None
