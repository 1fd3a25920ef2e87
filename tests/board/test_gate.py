"""Who gets in: a board in a process of its own, asked as a browser would and as somebody else might."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.responses import PlainTextResponse

from bench.board_client import Board
from couperation_formal.board.gate import BURST, RATE, Gate, May, Tokens
from tests.board.awaited import awaited, no_body
from tests.board.local import Local, Own

SECRET = "Hanako"
GAME = f'[CGN "1"]\n[Event "{SECRET}"]\n[Players "{SECRET} Ben"]\n1. {SECRET} A 17@f1\n'


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    file = tmp_path_factory.mktemp("gate") / "game.cgn"
    file.write_text(GAME)
    with Own(file) as running:
        yield running
    assert running.err == ""
    assert running.out == ""
    assert file.read_text() == GAME
    assert [each.name for each in file.parent.iterdir()] == ["game.cgn"]


def nothing(body: bytes) -> bool:
    return SECRET.encode() not in body and b"f1" not in body and b"game.cgn" not in body


PATHS = [
    "/",
    "/api/game",
    "/api/files",
    "/api/table",
    "/api/tower.svg",
    "/api/strip",
    "/api/events",
    "/static/board.js",
]
PATHS += ["/api/answer", "/nothing"]


@pytest.mark.parametrize("path", PATHS)
def test_without_a_token_there_is_403_and_nothing_of_the_game(board: Board, path: str) -> None:
    for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"):
        answer = board.ask(method, path, cookie=False)
        assert answer.status == 403
        assert nothing(answer.body)
        assert nothing(repr(answer.headers).encode())
    name = board.cookie.split("=")[0]
    for cookie in (f"{name}=", f"{name}=x", f"other={board.cookie.split('=')[1]}", f"{name}={'x' * 43}", "\x7f;=;"):
        assert board.ask("GET", path, headers={"Cookie": cookie}, cookie=False).status == 403


def test_the_token_is_swapped_for_a_cookie_by_a_redirect(board: Board) -> None:
    answer = board.ask("GET", f"/?{board.query}", cookie=False)
    assert (answer.status, answer.headers["location"], answer.body) == (303, "/", b"")
    name, *attributes = answer.headers["set-cookie"].split("; ")
    assert re.match(f"couperation-{board.port}-[0-9a-f]{{8}}=", name)
    assert {each.lower() for each in attributes} == {"httponly", "max-age=2592000", "path=/", "samesite=strict"}
    assert board.get("/").status == 200
    assert board.ask("GET", "/?token=x").status == 403
    for path, led in (
        ("//evil.example/", "/evil.example/"),
        ("/\\evil.example", "/%5Cevil.example"),
        ("/%0d%0aSet-Cookie:%20x=y", "/%0D%0ASet-Cookie%3A%20x%3Dy"),
        ("/%E5%8F%8B", "/%E5%8F%8B"),
    ):
        assert board.ask("GET", f"{path}?{board.query}", cookie=False).headers["location"] == led


@pytest.mark.parametrize("path", ["/", "/api/game", "/static/board.js", "/api/tower.svg", "/nothing", "/?token=x"])
def test_every_answer_says_what_a_browser_may_do_with_it(board: Board, path: str) -> None:
    for answer in (
        board.get(path),
        board.ask("GET", path, cookie=False),
        board.ask("GET", path, headers={"Host": "x"}),
    ):
        headers = answer.headers
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "script-src 'self'" in policy or "script-src" not in policy
        assert "unsafe-eval" not in policy
        assert "unsafe-inline" not in policy or answer.headers["content-type"].startswith("image/svg+xml")


def test_the_page_holds_no_script_of_its_own_and_loads_nothing_from_elsewhere(board: Board) -> None:
    page = board.get("/").body.decode()
    assert "<script>" not in page
    assert not re.search(r"\son\w+=|\sstyle=", page)
    for path in ("/", "/static/board.js", "/static/board.css"):
        text = board.get(path).body.decode().replace('"http://www.w3.org/2000/svg"', "")
        assert re.findall(r"//[^\s$].*", text) == []  # a comment, or the address of the board itself


@pytest.mark.parametrize(
    ("name", "classes"),
    [
        ("board.js", "Board Draft Games Know Link Look Panels Scene Session Share Start Steps Turns"),
        ("watch.js", "Link Steps Watch"),
    ],
)
def test_a_page_asks_for_one_script_which_has_each_part_once(board: Board, name: str, classes: str) -> None:
    text = board.get(f"/static/{name}").body.decode()
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)
    assert [len(re.findall(rf"^class {each}\b", text, re.MULTILINE)) for each in classes.split()] == [1] * len(
        classes.split()
    )


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost:{port}", "127.0.0.1", "127.0.0.1:1", "", "127.0.0.1:{port}.x"]
)
def test_a_host_that_is_not_listened_on_is_refused(board: Board, host: str) -> None:
    answer = board.ask("GET", "/api/game", headers={"Host": host.format(port=board.port)})
    assert answer.status in (400, 403)
    assert nothing(answer.body)


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "http://localhost:{port}", "https://127.0.0.1:{port}"]
)
def test_a_post_from_elsewhere_changes_nothing(board: Board, origin: str | None) -> None:
    headers = {"Content-Type": "application/json"} | (
        {} if origin is None else {"Origin": origin.format(port=board.port)}
    )
    body = json.dumps({"op": "back", "revision": board.revision()}).encode()
    answer = board.ask("POST", "/api/edit", body, headers)
    assert answer.status == 403
    assert nothing(answer.body)
    assert len(board.get("/api/game").data["turns"]) == 1


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_post_is_json(board: Board, kind: str) -> None:
    body = json.dumps({"op": "back", "revision": board.revision()}).encode()
    headers = {"Content-Type": kind, "Origin": f"http://{board.host}"}
    assert board.ask("POST", "/api/edit", body, headers).status == 415
    assert len(board.get("/api/game").data["turns"]) == 1


BODIES = r"""
{
[]
null
{"op": "x"}
{"op": "back"}
{"op": "back", "revision": "0"}
{"op": "back", "revision": 0, "more": 1}
{"op": "turn", "revision": 0}
{"file": 3}
{"file": "../x"}
{"op": "turn", "revision": 0, "draft": {"card": "17171717"}}
{"op": "turn", "revision": 0, "draft": {"card": "9", "cell": "z1"}}
{"op": "turn", "revision": 0, "place": -1, "line": "-"}
{"op": "turn", "revision": 0, "line": "A 9@h1\n3. Ben -"}
{"op": "text", "revision": 0, "text": "\ud800"}
{"op": "text", "revision": 0, "text": "nonsense"}
{"op": "comment", "revision": 0, "place": 99, "text": "x"}
{"op": "glyphs", "revision": 0, "place": 0, "glyphs": []}
{"op": "start", "revision": 0, "players": ["a;b"]}
{"op": "start", "revision": 0, "players": ["a\n[CGN "]}
{"op": "start", "revision": 0, "players": ["a", "b"], "event": "\"x"}
{"op": "start", "revision": 0, "players": ["a"], "rules": "none"}
{"op": "undo", "revision": 0}
"""


@pytest.mark.parametrize("body", [b"", b"\xff", b"[" * 9000, *BODIES.strip().encode().splitlines()])
def test_what_cannot_be_is_refused_with_a_sentence(board: Board, body: bytes) -> None:
    headers = {"Content-Type": "application/json", "Origin": f"http://{board.host}"}
    body = body.replace(b'"revision": 0', b'"revision": %d' % board.revision())
    for path in ("/api/edit", "/api/draft"):
        answer = board.ask("POST", path, body, headers)
        if path == "/api/edit":
            assert answer.status == 422, answer
        else:
            assert answer.status in (200, 422)
        assert b"Traceback" not in answer.body
        if answer.status == 422:
            assert answer.data["said"]
    assert board.get("/api/game").data["revision"] == board.revision()


def test_sizes_are_bounded(board: Board) -> None:
    headers = {"Content-Type": "application/json", "Origin": f"http://{board.host}"}
    assert board.ask("POST", "/api/edit", b" " * (1 << 19), headers).status == 413
    assert board.ask("GET", f"/api/game?file={'x' * 4000}").status == 414
    with suppress(ConnectionError):
        assert board.ask("GET", "/api/game", headers={"X": "x" * (1 << 17)}).status in (400, 431)
    assert board.get("/api/game").status == 200


def test_a_connection_that_says_nothing_holds_nobody_up(board: Board) -> None:
    idle = [socket.create_connection(("127.0.0.1", board.port)) for _ in range(40)]
    assert board.get("/api/game").status == 200
    for each in idle:
        each.close()


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/..%2fapp.py", "/static/", "/static/.hidden", "/api/game?game=x"]
)
def test_nothing_else_can_be_named(board: Board, path: str) -> None:
    answer = board.get(path)
    assert answer.status in (404, 422)
    assert b"import" not in answer.body


@pytest.mark.parametrize(
    "file", ["../game.cgn", "other.cgn", "/etc/passwd", "game.cgn/../game.cgn", "%00", "game.cgn%00"]
)
def test_no_other_file_can_be_named(board: Board, file: str) -> None:
    answer = board.get(f"/api/game?file={file}")
    assert answer.status == 422
    assert "text" not in answer.data


def test_the_token_stands_in_no_command_line_and_no_log(board: Board) -> None:
    token = urlsplit(board.address).query.removeprefix("token=")
    assert len(token) > 30
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            assert token.encode() not in process.read_bytes()
        except OSError:
            continue


def test_only_this_machine_can_reach_it(board: Board) -> None:
    for address in ("127.0.0.2", socket.gethostbyname(socket.gethostname())):
        if address != "127.0.0.1":
            with pytest.raises(OSError):  # noqa: PT011
                socket.create_connection((address, board.port), timeout=2).close()


def test_too_many_screens_are_told_so(tmp_path: Path) -> None:
    with Local(tmp_path / "game.cgn") as running:
        streams = [running.listen() for _ in range(33)]
        assert [each.status for each in streams] == [200] * 32 + [429]
        assert running.get("/api/game").status == 200


@pytest.mark.slow
def test_too_many_requests_are_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    statuses: list[int] = []

    async def sent(message: MutableMapping[str, Any]) -> None:
        statuses.extend([message["status"]] if "status" in message else [])

    gate = Gate(PlainTextResponse("in"), PlainTextResponse("in"), Tokens(), ["x"], 1)
    asked = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "raw_path": b"/",
        "query_string": b"",
        "headers": [(b"host", b"x")],
    }
    for _ in range(1000):
        awaited(gate(asked, no_body, sent))
    assert statuses == [403] * int(BURST) + [429] * (1000 - int(BURST))
    now += 1
    for _ in range(int(RATE) + 1):
        awaited(gate(asked, no_body, sent))
    assert statuses[1000:] == [403] * int(RATE) + [429]


def test_a_post_that_does_not_arrive_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("couperation_formal.board.gate.LATE", 0.01)
    statuses, tokens, parts = list[int](), Tokens(), [b"{"]

    async def sent(message: MutableMapping[str, Any]) -> None:
        statuses.extend([message["status"]] if "status" in message else [])

    async def slow() -> MutableMapping[str, Any]:
        if not parts:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": parts.pop(), "more_body": True}

    cookie = f"couperation-1={tokens.issue(May('write'))}"
    headers = {"host": "x", "cookie": cookie, "origin": "http://x", "content-type": "application/json"}
    asked = {
        "type": "http",
        "method": "POST",
        "path": "/api/edit",
        "raw_path": b"/api/edit",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    gate = Gate(PlainTextResponse("in"), PlainTextResponse("in"), tokens, ["x"], 1)
    awaited(asyncio.wait_for(gate(asked, slow, sent), 20))
    assert statuses == [408]


@pytest.mark.slow
def test_a_browser_is_led_in_by_a_page_of_its_own(tmp_path: Path) -> None:
    """The command that opens the browser sees a file that only its owner can read, and no token."""
    opener = tmp_path / "opener"
    called = tmp_path / "called"
    show = f'(echo "$1"; ls -l "${{1#file://}}"; cat "${{1#file://}}") > {called}'
    opener.write_text(f"#!/bin/sh\n{show}\nmv {called} {tmp_path}/done\n")
    opener.chmod(0o755)
    command = [sys.executable, "-m", "couperation_formal", "board", "--port", "0", str(tmp_path / "game.cgn")]
    environment = {**os.environ, "BROWSER": str(opener)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(address).port or 0, timeout=30)
    connection.request("GET", "/")
    assert connection.getresponse().status == 403
    process.terminate()
    _, err = process.communicate(timeout=30)
    first, listed, *page = (tmp_path / "done").read_text().splitlines()
    assert first.startswith("file://")
    assert listed.startswith("-rw------- ")
    assert address in "\n".join(page).replace("&amp;", "&")
    assert not Path(first.removeprefix("file://")).exists()
    assert (process.returncode, err) == (0, "")


def test_a_query_of_too_many_parts_is_refused_as_any_other(board: Board) -> None:
    for cookie in (False, True):
        answer = board.ask("GET", f"/?{'&'.join('a' * 30)}", cookie=cookie)
        assert answer.status == 414
        assert answer.headers["cache-control"] == "no-store"


def test_a_token_that_was_withdrawn_opens_nothing_where_no_doors_are_kept() -> None:
    tokens = Tokens()
    gone, stays = tokens.issue(May("watch")), tokens.issue(May("watch"))
    tokens.withdraw(gone)
    assert (tokens.may(gone), tokens.may(stays)) == (None, May("watch"))
