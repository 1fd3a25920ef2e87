"""The server of a board: a socket on this machine, and an orderly end."""

from __future__ import annotations

import os
import signal
import socket
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from html import escape
from pathlib import Path
from types import FrameType

import uvicorn

from couperation_formal.board.app import Board
from couperation_formal.board.gate import Gate, May, Tokens
from couperation_formal.board.shelf import Shelf

HOST = "127.0.0.1"
_HEADERS = 1 << 14
_CONNECTIONS = 200


def listening(port: int) -> socket.socket:
    """A socket of this machine that listens at a port, 0 for any free one. Raises `OSError`."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((HOST, port))
        found.listen(100)
    except BaseException:
        found.close()
        raise
    return found


def serve(shelf: Shelf, listener: socket.socket, told: Callable[[str], None], browser: bool) -> bool:
    """Serve until a signal asks to end: whether all that was written is in its files then. `told` gets the address with
    the token that may write, before anything else happens.
    """
    port = listener.getsockname()[1]
    board, tokens = Board(shelf), Tokens()
    address = f"http://{HOST}:{port}/?token={tokens.issue(May('write'))}"
    server = _Server(
        uvicorn.Config(
            Gate(board.app(), tokens, [f"{HOST}:{port}"], port),
            http="h11",
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            h11_max_incomplete_event_size=_HEADERS,
            limit_concurrency=_CONNECTIONS,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=2,
        ),
        board,
    )
    with server.capture_signals():  # from here on, as whoever has the address may ask to end
        told(address)
        with _led(address) if browser else nullcontext():
            server.run(sockets=[listener])
    return board.whole


class _Server(uvicorn.Server):
    """A server that ends its streams when it is asked to end, and then returns."""

    def __init__(self, config: uvicorn.Config, board: Board) -> None:
        super().__init__(config)
        self._board = board

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End at these signals, and let nobody hear of them later."""
        before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end."""
        self._board.stop()
        super().handle_exit(sig, frame)


@contextmanager
def _led(address: str) -> Iterator[None]:
    """Open the browser by a page of its own that leads to the address, so that the token stands in no command line that
    others see.
    """
    with tempfile.TemporaryDirectory(prefix="couperation-", ignore_cleanup_errors=True) as folder:
        page = Path(folder) / "board.html"
        page.touch(0o600)
        page.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(address)}">', "utf-8")
        with suppress(webbrowser.Error, OSError):
            webbrowser.open(page.as_uri())
        yield
