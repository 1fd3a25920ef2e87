"""Much of the same at once: items are worked on by several processes, and what comes of them comes in their order.

A worker is a copy of this process. It is sent some items at a time through a pipe, sends back what it made of them, and
notes in memory that both see at which item it is: when it ends, that is the one that is lost.
"""

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import connection, get_all_start_methods, get_context
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")
R = TypeVar("R")

_AHEAD, _HELD = 2_000, 1 << 25
"""So many items at most are in memory, from the one on whose turn it is, and no more once they weigh so much."""
_BATCH = 0.05
_REPLY = 0.02
"""Seconds of work that are sent at once, and after which what was made is sent back; no result hangs on them."""


def cores() -> int:
    """How many workers can run at once; 1 where a process cannot be copied."""
    if "fork" not in get_all_start_methods():
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shared(
    work: Callable[[T], R], items: Iterator[T], jobs: int, lost: Callable[[T], R], weight: Callable[[T], int]
) -> Iterator[R]:
    """What `work` makes of each item in so many workers, in the order of the items; what `lost` makes of one at which
    its worker ended. Items and what is made of them are pickled; `work` raises nothing. A `weight` is in bytes.
    """
    numbered, made, weights, due, held = enumerate(items), dict[int, R](), dict[int, int](), 0, 0
    again, workers = deque[tuple[int, T]](), list[_Worker[T, R]]()

    def following(size: int) -> Iterator[tuple[int, T]]:
        """So many items, or as many as there are and may be in memory."""
        nonlocal held
        for _ in range(size):
            if again:
                yield again.popleft()
            elif len(weights) < _AHEAD and held < _HELD and (each := next(numbered, None)) is not None:
                weights[each[0]] = weight(each[1])
                held += weights[each[0]]
                yield each

    try:
        while True:
            while len(workers) < jobs or not all(worker.batch for worker in workers):
                worker = next((each for each in workers if not each.batch), None)
                batch = [*following(1 if worker is None else worker.size)]
                if not batch:
                    break
                if worker is None:
                    worker = _Worker(work, workers)
                    workers.append(worker)
                worker.begin(batch)
            busy = {worker.end: worker for worker in workers if worker.batch}
            if not busy:
                return
            for end in cast("list[Any]", connection.wait(list(busy))):
                worker = busy[end]
                try:
                    made.update(worker.made())
                except (EOFError, OSError):
                    workers.remove(worker)
                    place = worker.place()
                    made[place] = lost(worker.batch.pop(place))
                    again.extendleft(reversed(worker.batch.items()))
            while due in made:
                held -= weights.pop(due)
                yield made.pop(due)
                due += 1
    finally:
        for worker in workers:
            worker.process.kill()
        for worker in workers:
            worker.process.join()


class _Worker(Generic[T, R]):
    """A worker, and the items that it has, by number. `size` is how many it is to be sent at once."""

    def __init__(self, work: Callable[[T], R], others: Sequence["_Worker[T, R]"]) -> None:
        context = get_context("fork")
        self.end, there = context.Pipe()
        self.batch, self.size = dict[int, T](), 1
        self._at, self._begun = context.RawValue("q", -1), 0.0
        ends = [self.end, *(each.end for each in others)]
        self.process = context.Process(target=_serve, args=(work, there, ends, self._at), daemon=True)
        self.process.start()
        there.close()

    def begin(self, batch: list[tuple[int, T]]) -> None:
        """Send it items to work on; it has none."""
        self.batch, self._begun = dict(batch), time.monotonic()
        with suppress(OSError):  # it has ended, which is met when its answer is read
            self.end.send(batch)

    def made(self) -> list[tuple[int, R]]:
        """What it has made since it was asked last, with the numbers of the items. Raises `OSError` or `EOFError` where
        it has ended.
        """
        made: list[tuple[int, R]] = self.end.recv()
        for place, _ in made:
            del self.batch[place]
        if not self.batch:
            quick = time.monotonic() - self._begun < _BATCH
            self.size = self.size * 2 if quick else max(1, self.size // 2)
        return made

    def place(self) -> int:
        """The number of the item at which it ended."""
        at = self._at.value
        return at if at in self.batch else next(iter(self.batch))


def _serve(work: Callable[[T], R], there: Any, ends: Sequence[Any], at: Any) -> None:
    """The life of a worker: until nobody sends it anything more, an interruption being the sender's affair."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for end in ends:  # else it would hold open what tells the others that the sender has gone
            end.close()
        while True:
            made, since = list[tuple[int, R]](), time.monotonic()
            for number, item in there.recv():
                at.value = number
                made.append((number, work(item)))
                if time.monotonic() - since > _REPLY:
                    there.send(made)
                    made, since = [], time.monotonic()
            if made:
                there.send(made)
    except (EOFError, OSError):
        pass
    finally:
        os._exit(0)  # what is still buffered for the streams is the sender's
