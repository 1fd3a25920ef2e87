"""A board whose server runs in a thread of this process: real requests at a real port, no start of a process. And one
that tells of the processes that it begins: what this module is when it is run.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
from contextlib import nullcontext, suppress
from datetime import date
from pathlib import Path
from threading import Event, Thread
from typing import Any

from bench.board_client import Board
from couperation_formal.board.keeper import Shelf
from couperation_formal.board.serve import Server, listening
from couperation_formal.cli.main import run
from tests.kit.started import Forked, Piped, begun


async def forked(code: str, *arguments: str) -> Forked:
    """As `couperation_formal.board.beside.begun`."""
    begin = "from couperation_formal.board.worker import begin; begin()"
    return await begun(arguments, f"{begin}; {code}")


class Local(Board):
    """As `Board`, but that it cannot be killed, prints nothing and has no process of its own; those beside it are
    forked. Unless it is to tell what is `known` of a table it begins none for that.
    """

    def __init__(self, path: Path, known: bool = True) -> None:
        listener = listening(None, 0)
        self._server = Server(Shelf(path, date.today()), listener, None)
        if not known:
            self._server.board._know.close()
        self._server.capture_signals = nullcontext  # type: ignore[method-assign,assignment]  # those of pytest's
        self._ready, self._thread = Event(), Thread(target=lambda: asyncio.run(self._serve(listener)), daemon=True)
        self._thread.start()
        self._ready.wait()
        self.enter(self._server.address)

    async def _serve(self, listener: object) -> None:
        self._loop = asyncio.get_running_loop()
        self._ready.set()
        await self._server.serve(sockets=[listener])  # type: ignore[list-item]

    def __exit__(self, *_: object) -> None:
        if self._thread.is_alive():
            self.stop()

    def stop(self) -> int:
        """Ask it to end, as Ctrl-C does: the exit code that the command would have."""
        self._loop.call_soon_threadsafe(self._server.handle_exit, signal.SIGTERM, None)
        self._thread.join()
        return int(not self._server.board.whole)


class Own(Board):
    """A board in a process of its own, which has imported the program before."""

    def begin(self, arguments: list[str], cwd: Path | None) -> Piped:
        """Start the program."""
        return Piped(arguments, cwd)


class Telling(Board):
    """A board that tells of each process that it begins."""

    program = "tests.board.local"

    def begun(self) -> int:
        """Wait for the next process that it begins."""
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())


def ended(pid: int) -> None:
    """Wait until a process has ended."""
    with suppress(ProcessLookupError):
        there = os.pidfd_open(pid)
        poll = select.poll()
        poll.register(there, select.POLLIN)
        poll.poll()
        os.close(there)


def main() -> None:
    """The command line, which prints the number of each process that it begins."""
    begin: Any = asyncio.create_subprocess_exec

    async def told(*words: str, **settings: Any) -> asyncio.subprocess.Process:
        process: asyncio.subprocess.Process = await begin(*words, **settings)
        print(process.pid, flush=True)
        return process

    asyncio.create_subprocess_exec = told  # type: ignore[assignment]
    run()


if __name__ == "__main__":
    main()
