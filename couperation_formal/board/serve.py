"""The server of a board: what is printed, and an orderly end."""

from __future__ import annotations

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

from couperation_formal.board.address import MOST, Connection, called, hosts, leaves, main, own, reached
from couperation_formal.board.app import Board
from couperation_formal.board.gate import Gate, May, Tokens
from couperation_formal.board.keeper import Shelf
from couperation_formal.board.share import drawn
from couperation_formal.words.say import phrase

_HEADERS = 1 << 14


def serve(
    shelf: Shelf,
    listener: socket.socket,
    host: str | None,
    told: Callable[[str], None],
    invited: Callable[[str], None],
    *,
    browser: bool,
    colours: bool,
) -> bool:
    """Serve until a signal asks to end: whether all that was written is in its files then.

    `told` gets the address with the token that may write, before anything else happens. Where other machines can reach
    it, by `host`, `invited` gets the QR code of an address that lets watch, drawn in `colours` or not, that address,
    and that nothing is ciphered.
    """
    server = Server(shelf, listener, host)
    with server.capture_signals():  # from here on, as whoever has the address may ask to end
        told(server.address)
        if leaves(listener):
            invited("\n".join(_invited(server.board, reached(listener), colours)))
        elif host not in (None, "localhost") and called(str(host)):
            invited(phrase("board_unreached"))
        with _led(server.address) if browser else nullcontext():
            server.run(sockets=[listener])
    return server.board.whole


def _invited(board: Board, others: tuple[str, ...], colours: bool) -> Iterator[str]:
    """What is printed for those who would watch from elsewhere."""
    if others:
        url = board.sharing.url(board.sharing.first())
        yield drawn(url, colours)
        yield phrase("board_watch_at", url=url)
    else:
        yield phrase("board_unreached")
    yield phrase("board_plain_http")


class Server(uvicorn.Server):
    """The server of a board at a listener: it ends its streams when it is asked to end, and then returns. `address` has
    the token that may write.
    """

    def __init__(self, shelf: Shelf, listener: socket.socket, host: str | None) -> None:
        port, others, tokens = listener.getsockname()[1], reached(listener), Tokens()
        self.board = Board(shelf, tokens, others or (main(listener),), local=not others)
        self.address = f"http://{main(listener)}/?token={tokens.issue(May('write'))}"
        watching, anywhere = self.board.watching(), own(listener).is_unspecified
        gate = Gate(self.board.app(), watching, tokens, hosts(listener, host), port, anywhere)
        super().__init__(
            uvicorn.Config(
                gate,
                http=Connection,
                ws="none",
                lifespan="on",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                h11_max_incomplete_event_size=_HEADERS,
                limit_concurrency=MOST,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=2,
            )
        )

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
        self.board.stop()
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
