"""Streams of those who watch: they tell a number, end with their token, and hold nobody up."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.requests import Request
from uvicorn import Config
from uvicorn.server import ServerState

from bench.board_client import Board
from couperation_formal.board import serve as connections
from couperation_formal.board.gate import May
from couperation_formal.board.serve import FROM_ELSEWHERE, Connection
from couperation_formal.board.share import MOST_STREAMS, MOST_WATCHING, Streams
from tests.board.awaited import awaited
from tests.board.local import Local

GAME = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\ndeal Ben 9 12 31\n'
READY = b"retry: 1000\n\n"


def word(stream: Any) -> tuple[bytes, Any]:
    """The next event of a stream that says more than that it is still there."""
    while True:
        lines = [stream.readline() for _ in range(3)]
        if lines == [b"event: still\n", b"data: 1\n", b"\n"]:
            continue
        assert lines[2] == b"\n"
        return lines[0], json.loads(lines[1].removeprefix(b"data: "))


def test_who_watches_hears_a_number_and_nothing_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "Sesame.cgn").write_text(GAME, "utf-8")
    (tmp_path / "other.cgn").write_text(GAME, "utf-8")
    with Local(tmp_path) as board:
        one, other = (board.shared("Aki", file=name) for name in ("Sesame.cgn", "other.cgn"))
        heard = [board.listen(cookie) for cookie in (one, other, board.cookie)]
        assert [stream.readline() + stream.readline() for stream in heard] == [READY] * 3
        first, else_first = board.revision("Sesame.cgn"), board.revision("other.cgn")
        for line in ("A 17@f1", "A 31@h1"):
            assert board.edit("turn", file="Sesame.cgn", line=line).status == 200
        assert board.edit("turn", file="other.cgn", line="B ?@h1").status == 200
        for revision in (first + 1, first + 2):
            assert word(heard[0]) == (b"event: changed\n", {"revision": revision})
        assert word(heard[1]) == (b"event: changed\n", {"revision": else_first + 1})
        assert [word(heard[2])[1]["file"] for _ in range(3)] == ["Sesame.cgn", "Sesame.cgn", "other.cgn"]
        assert word_free(board, heard[0])


def word_free(board: Board, stream: Any) -> bool:
    """Whether nothing more was told: what ends the stream comes next."""
    board.stop()
    return stream.read() in (b"", b"event: still\ndata: 1\n\n")


def test_a_token_that_is_withdrawn_ends_its_streams_and_opens_nothing(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(GAME, "utf-8")
    with Local(file) as board:
        gone, stays = board.shared("Aki"), board.shared()
        streams = [board.listen(cookie) for cookie in (gone, gone, stays)]
        number = next(each["number"] for each in board.get("/api/share").data["shares"] if each["player"] == "Aki")
        told = board.post("/api/share", {"op": "close", "share": number}).data
        assert [each["player"] for each in told["shares"]] == [None]
        assert [stream.read() for stream in streams[:2]] == [READY] * 2
        for path in ("/", "/api/game", "/api/table", "/api/events", "/static/watch.js"):
            assert board.ask("GET", path, headers={"Cookie": gone}).status == 403
        assert board.ask("GET", "/api/game", headers={"Cookie": stays}).status == 200
        assert board.post("/api/share", {"op": "close", "share": number}).status == 404
        assert board.ask("GET", f"/?token={gone.partition('=')[2]}", cookie=False).status == 403


def test_who_writes_finds_a_place_among_those_who_watch(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(GAME, "utf-8")
    with Local(file) as board:
        watcher = board.shared()
        watching = [board.listen(watcher) for _ in range(MOST_WATCHING + 1)]
        assert [each.status for each in watching] == [200] * MOST_WATCHING + [429]
        writing = [board.listen() for _ in range(3)]
        assert [each.status for each in writing] == [200] * (MOST_STREAMS - MOST_WATCHING) + [429]
        assert board.edit("turn", line="A 17@f1").status == 200
        assert word_after(watching[1]) == word_after(watching[-2]) == {"revision": board.revision()}


def test_who_leaves_makes_room_at_once(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(GAME, "utf-8")
    with Local(file) as board:
        watcher = board.shared()
        asked = f"GET /api/events HTTP/1.1\r\nHost: {board.host}\r\nCookie: {watcher}\r\n\r\n".encode()
        there = [socket.create_connection(("127.0.0.1", board.port)) for _ in range(MOST_WATCHING)]
        for each in there:
            each.sendall(asked)
            assert b" 200 " in each.recv(100)
        assert board.listen(watcher).status == 429
        for each in there:
            each.close()
        statuses = list[int]()
        while (statuses or [429])[-1] == 429 and len(statuses) < 100:
            statuses.append(board.listen(watcher).status)
        assert statuses[-1] == 200


def word_after(stream: Any) -> Any:
    stream.readline(), stream.readline()
    return word(stream)[1]


def run(streams: Streams, send: Callable[[Any], Any], during: Callable[[], None]) -> str:
    """Listen with this way to send: how it ended."""

    async def never() -> Any:
        await asyncio.Event().wait()

    async def listened() -> str:
        scope = {"type": "http", "method": "GET", "may": May("watch"), "token": "t"}
        task = asyncio.create_task((await streams.listen(Request(scope)))(scope, never, send))
        while not streams._open:
            await asyncio.sleep(0)
        during()
        return type((await asyncio.wait([task]))[0].pop().exception()).__name__

    return awaited(listened())


def test_who_does_not_take_what_he_is_told_is_let_go() -> None:
    mine = Streams()

    async def stuck(message: Any) -> None:
        if message["type"] != "http.response.start":
            await asyncio.Event().wait()

    assert run(mine, stuck, lambda: None) != "NoneType"
    assert not mine._open


def test_who_is_too_far_behind_is_let_go() -> None:
    mine, sent = Streams(), list[bytes]()

    async def taken(message: Any) -> None:
        sent.append(message.get("body", b""))

    def much() -> None:
        for revision in range(1000):
            mine.changed("x.cgn", revision, lambda token: token == "t")

    assert run(mine, taken, much) == "NoneType"
    assert len(sent) < 10
    assert not mine._open


class Line(asyncio.Transport):
    """A connection between two addresses that carries nothing."""

    def __init__(self, client: str, server: str) -> None:
        super().__init__({"peername": (client, 1), "sockname": (server, 2)})
        self.ended = False
        self.written = b""

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.ended

    def abort(self) -> None:
        self.ended = True

    close = abort


def connected(state: ServerState, client: str, server: str) -> Line:
    config = Config(no_app, log_config=None, interface="asgi3")
    config.load()
    line = Line(client, server)
    Connection(config, state, {}, asyncio.get_running_loop()).connection_made(line)
    return line


async def no_app(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("nothing is asked")


def test_connections_from_elsewhere_leave_room_for_this_machine() -> None:
    async def tried() -> None:
        state = ServerState()
        for _ in range(FROM_ELSEWHERE):
            assert not connected(state, "198.51.100.7", "192.0.2.1").ended
        assert connected(state, "2001:db8::7", "2001:db8::1").ended
        for client, server in (("127.0.0.1", "127.0.0.1"), ("192.0.2.1", "192.0.2.1"), ("::ffff:127.0.0.1", "::1")):
            assert not connected(state, client, server).ended

    awaited(tried())


def test_a_connection_that_asks_nothing_is_let_go() -> None:
    async def tried() -> None:
        line = connected(ServerState(), "127.0.0.1", "127.0.0.1")
        await asyncio.sleep(connections.SILENT - 1)
        assert not line.ended
        await asyncio.sleep(1)
        assert line.ended

    awaited(tried())


def test_a_connection_that_begins_another_request_is_let_go() -> None:
    async def refuses(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 403, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    async def tried() -> None:
        config = Config(refuses, log_config=None, interface="asgi3")
        config.load()
        line = Line("127.0.0.1", "127.0.0.1")
        connection = Connection(config, ServerState(), {}, asyncio.get_running_loop())
        connection.connection_made(line)
        connection.data_received(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        while b"403" not in line.written:
            await asyncio.sleep(0)
        connection.data_received(b"G")
        await asyncio.sleep(connections.SILENT - 1)
        assert not line.ended
        await asyncio.sleep(1)
        assert line.ended

    awaited(tried())
