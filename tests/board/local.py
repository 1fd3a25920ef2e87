"""A board whose server runs in a thread of this process: real requests at a real port, no start of a process."""

from __future__ import annotations

import asyncio
import signal
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from threading import Event, Thread

from bench.board_client import Board
from couperation_formal.board.address import listening
from couperation_formal.board.serve import Server
from couperation_formal.board.shelf import Shelf


class Local(Board):
    """As `Board`, but that it cannot be killed, prints nothing and has no process of its own."""

    def __init__(self, path: Path) -> None:
        listener = listening(None, 0)
        self._server = Server(Shelf(path, date.today()), listener, None)
        self._server.capture_signals = nullcontext  # type: ignore[method-assign,assignment]  # those of pytest's
        self._ready, self._thread = Event(), Thread(target=lambda: asyncio.run(self._serve(listener)))
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
