"""The server of a board: where it listens and by which addresses others reach it, its connections, what is printed, and
an orderly end.
"""

import asyncio
import errno
import os
import signal
import socket
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from html import escape
from ipaddress import ip_address
from pathlib import Path
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from couperation_formal.board.app import Board
from couperation_formal.board.gate import Address, Gate, Tokens, joined, near, plain
from couperation_formal.board.keeper import Shelf
from couperation_formal.board.share import drawn
from couperation_formal.board.user import Doors
from couperation_formal.game.fact import fact
from couperation_formal.words.say import ENGLISH, say

LOCAL = "127.0.0.1"
PORT, NEXT = 8417, 20
"""Where it listens unless another port is asked for, and how many more are tried where that one is taken."""
_ELSEWHERE = ("192.0.2.1", "10.255.255.255", "172.31.255.255", "192.168.255.255", "2001:db8::1", "fd00::ffff")
"""Addresses of which the system is asked by which of its own it would reach them; nothing is sent there."""
_GONE = 30_000
"""The milliseconds after which a peer that takes nothing is gone."""


def listening(host: str | None, port: int | None = None) -> socket.socket:
    """A socket that listens at a port of the address `host`, of this machine alone if left out; port 0 is any free one,
    and none is `PORT` or the next free one. `::` takes IPv4 too where the system can. Raises `OSError`.
    """
    for each in range(PORT, PORT + NEXT + 1) if port is None else ():
        try:
            return listening(host, each)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    port = port or 0
    flags = socket.AI_PASSIVE
    family, kind, protocol, _, where = socket.getaddrinfo(host or LOCAL, port, type=socket.SOCK_STREAM, flags=flags)[0]
    made = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            with suppress(OSError, AttributeError):
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            with suppress(OSError):
                made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GONE)
        made.bind(where)
        made.listen(100)
    except BaseException:
        made.close()
        raise
    return made


def own(listener: socket.socket) -> Address:
    """The address that is listened on, which may stand for all of this machine."""
    return plain(listener.getsockname()[0])


def leaves(listener: socket.socket) -> bool:
    """Whether another machine could reach it."""
    return not own(listener).is_loopback


def main(listener: socket.socket) -> str:
    """Address and port by which this machine reaches it."""
    address = own(listener)
    if address.is_unspecified:
        address = ip_address(LOCAL if _takes_four(listener) else "::1")
    return at(address, listener)


def reached(listener: socket.socket) -> tuple[str, ...]:
    """Addresses with the port by which others reach it, the likeliest first: none where only this machine does."""
    address = own(listener)
    if not address.is_unspecified:
        return (at(address, listener),) if leaves(listener) else ()
    takes = {4: _takes_four(listener), 6: listener.family == socket.AF_INET6}
    return tuple(dict.fromkeys(at(each, listener) for each in _addresses() if takes[each.version]))


def hosts(listener: socket.socket, host: str | None) -> Iterator[str]:
    """What a request may name as its host: the address, and what this machine is called where others may ask."""
    named = [main(listener), *reached(listener)]
    if leaves(listener):
        name, port = socket.gethostname().lower(), listener.getsockname()[1]
        words = (name, f"{name.partition('.')[0]}.local", "localhost", (host or name).lower())
        named += [f"{word}:{port}" for word in words if called(word)]
    for each in named:
        yield from {each, each.removesuffix(":80")}  # this port goes without saying


def at(address: Address, listener: socket.socket) -> str:
    """An address with the port, as it stands in a URL."""
    return joined(address, listener.getsockname()[1])


def called(word: str) -> bool:
    """Whether a word is a name, and no address."""
    try:
        ip_address(word)
    except ValueError:
        return all(part and part.replace("-", "").isalnum() and part.isascii() for part in word.split("."))
    return False


def _takes_four(listener: socket.socket) -> bool:
    if listener.family == socket.AF_INET:
        return True
    try:
        return not listener.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)
    except (OSError, AttributeError):
        return False


def _addresses() -> list[Address]:
    """The addresses of this machine by which it goes elsewhere, and those of its name."""
    addresses: list[Address] = []
    for target in _ELSEWHERE:
        family = socket.AF_INET6 if ":" in target else socket.AF_INET
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((target, 9))
            addresses.append(plain(asked.getsockname()[0]))
    with suppress(OSError):
        addresses += [plain(str(each[4][0])) for each in socket.getaddrinfo(socket.gethostname(), None)]
    return [
        each for each in dict.fromkeys(addresses) if not (each.is_loopback or each.is_link_local or each.is_unspecified)
    ]


# Connections: one that asks nothing is let go, and those from elsewhere leave room for those of this machine.

MOST, FROM_ELSEWHERE = 200, 150
"""So many connections there are at most, and so many of them from other machines."""
SILENT = 15.0
"""So many seconds a connection may last without a whole request."""


class Connection(H11Protocol):
    """A connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take it, or let it go at once where there are too many from elsewhere."""
        super().connection_made(transport)
        others = sum(isinstance(each, Connection) and not each.near for each in self.connections)
        if not self.near and others > FROM_ELSEWHERE:
            transport.abort()
        else:
            self.loop.call_later(SILENT, self._silent, None)

    def on_response_complete(self) -> None:
        """An answer is complete: the next request has as long as the first one."""
        answered = self.cycle
        super().on_response_complete()
        self.loop.call_later(SILENT, self._silent, answered)

    @property
    def near(self) -> bool:
        """Whether it comes from this machine."""
        return near(self.client, self.server)

    def _silent(self, answered: RequestResponseCycle | None) -> None:
        if self.cycle is answered:  # no other request was read
            self.transport.close()


Says = Callable[[str], None]


def serve(
    shelf: Shelf,
    listener: socket.socket,
    host: str | None,
    told: Says,
    invited: Says,
    *,
    browser: bool,
    colours: bool,
    language: str = ENGLISH,
) -> bool:
    """Serve until a signal asks to end: whether all that was written is in its files then.

    `told` gets the address with the token that may write, before anything else happens. Where other machines can reach
    it, by `host`, `invited` gets an address that lets record and one that lets watch, each with its QR code, drawn in
    `colours` or not, and that nothing is ciphered. `language` is that of what is printed, and of who asks for none that
    there is.
    """
    server = Server(shelf, listener, host, language)
    with server.capture_signals():  # from here on, as whoever has the address may ask to end
        told(server.address)
        if said := server.board.user.remembered[1]:
            invited(say(said, language))
        if leaves(listener):
            invited("\n".join(_invited(server.board, reached(listener), colours, language)))
        elif host not in (None, "localhost") and called(str(host)):
            invited(say(fact("board_unreached"), language))
        with _led(server.address) if browser else nullcontext():
            server.run(sockets=[listener])
    return server.board.whole


def _invited(board: Board, others: tuple[str, ...], colours: bool, language: str) -> Iterator[str]:
    """What is printed for those who would record or watch from elsewhere."""
    sharing = board.sharing
    for kind, token in (
        (("board_record_at", sharing.writes), ("board_watch_at", sharing.first().token)) if others else ()
    ):
        url = sharing.url(token)
        yield from (say(fact(kind, url=url), language), drawn(url, colours))
    if not others:
        yield say(fact("board_unreached"), language)
    yield say(fact("board_plain_http"), language)


class Server(uvicorn.Server):
    """The server of a board at a listener: it ends its streams when it is asked to end, and then returns. `address` has
    the token that may write.
    """

    def __init__(self, shelf: Shelf, listener: socket.socket, host: str | None, language: str = ENGLISH) -> None:
        others, tokens = reached(listener), Tokens(Doors(shelf.of))
        self.board = Board(shelf, tokens, others or (main(listener),), local=not others)
        self.address = f"http://{main(listener)}/?token={self.board.sharing.writes}"
        watching, anywhere = self.board.watching(), own(listener).is_unspecified
        port = listener.getsockname()[1]
        gate = Gate(self.board.app(), watching, tokens, hosts(listener, host), port, anywhere, language)
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
                h11_max_incomplete_event_size=1 << 14,
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
