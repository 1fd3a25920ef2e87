"""Who gets in: a board in a process of its own, asked as a browser would and as somebody else might."""

from __future__ import annotations

import asyncio
import http.client
import io
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from bench.board_client import Board
from couperation_formal.board.address import listening
from couperation_formal.board.app import Board as App
from couperation_formal.board.gate import BURST, RATE, SHARED, Gate, May, Tokens
from couperation_formal.board.share import code, drawn
from couperation_formal.board.shelf import Shelf
from couperation_formal.model.fact import fact
from tests.board.awaited import awaited

SECRET = "Hanako"
GAME = f'[CGN "1"]\n[Event "{SECRET}"]\n[Players "{SECRET} Ben"]\n1. {SECRET} A 17@f1\n'


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    file = tmp_path_factory.mktemp("gate") / "game.cgn"
    file.write_text(GAME)
    with Board(file) as running:
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
PATHS += ["/api/answer?ask=check", "/nothing"]


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
    assert name.startswith(f"couperation-{board.port}=")
    assert {each.lower() for each in attributes} == {"httponly", "path=/", "samesite=strict"}
    assert board.get("/").status == 200
    assert board.ask("GET", "/?token=x").status == 403
    assert board.ask("GET", f"//evil.example/?{board.query}", cookie=False).headers["location"] == "/"


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
        lines = board.get(path).body.decode().splitlines()
        assert not [each for each in lines if "//" in each and not each.lstrip().startswith("// ")]


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
    body = json.dumps({"op": "back", "revision": 0}).encode()
    answer = board.ask("POST", "/api/edit", body, headers)
    assert answer.status == 403
    assert nothing(answer.body)
    assert len(board.get("/api/game").data["turns"]) == 1


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_post_is_json(board: Board, kind: str) -> None:
    body = json.dumps({"op": "back", "revision": 0}).encode()
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
{"op": "start", "revision": 0, "players": ["a b"]}
{"op": "start", "revision": 0, "players": ["a\n[CGN "]}
{"op": "start", "revision": 0, "players": ["a", "b"], "event": "\"x"}
{"op": "start", "revision": 0, "players": ["a"], "rules": "none"}
{"op": "undo", "revision": 0}
"""


@pytest.mark.parametrize("body", [b"", b"\xff", b"[" * 9000, *BODIES.strip().encode().splitlines()])
def test_what_cannot_be_is_refused_with_a_sentence(board: Board, body: bytes) -> None:
    headers = {"Content-Type": "application/json", "Origin": f"http://{board.host}"}
    for path in ("/api/edit", "/api/draft"):
        answer = board.ask("POST", path, body, headers)
        if path == "/api/edit":
            assert answer.status == 422, answer
        else:
            assert answer.status in (200, 422)
        assert b"Traceback" not in answer.body
        if answer.status == 422:
            assert answer.data["said"]
    assert board.get("/api/game").data["revision"] == 0


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
    with Board(tmp_path / "game.cgn") as running:
        streams = [running.listen() for _ in range(33)]
        assert [each.status for each in streams] == [200] * 32 + [429]
        assert running.get("/api/game").status == 200


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


async def no_body() -> MutableMapping[str, Any]:
    return {"type": "http.request", "body": b""}


def test_a_browser_is_led_in_by_a_page_of_its_own(tmp_path: Path) -> None:
    """The command that opens the browser sees a file that only its owner can read, and no token."""
    opener = tmp_path / "opener"
    called = tmp_path / "called"
    show = f'(echo "$1"; ls -l "${{1#file://}}"; cat "${{1#file://}}") > {called}'
    opener.write_text(f"#!/bin/sh\n{show}\nmv {called} {tmp_path}/done\n")
    opener.chmod(0o755)
    command = [sys.executable, "-m", "couperation_formal", "board", str(tmp_path / "game.cgn")]
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


def test_tokens_allow_what_they_were_issued_for() -> None:
    tokens = Tokens()
    write, watch = tokens.issue(May("write")), tokens.issue(May("watch-as", "Ben"))
    assert tokens.may(write) == May("write")
    assert tokens.may(watch) == May("watch-as", "Ben")
    assert tokens.may(None) is tokens.may("") is tokens.may(write + "x") is tokens.may("ä") is None


class Shared(NamedTuple):
    """A board of a game with hidden cards, and a cookie of each capability."""

    board: Board
    cookies: dict[str, str]


HIDDEN = '[CGN "1"]\n[Event "Hanako"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\ndeal Ben 9 12 31\n'
HIDDEN += "1. Aki A 17@f1 ; Hanako\n"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    file = tmp_path_factory.mktemp("shared") / "Hanako.cgn"
    file.write_text(HIDDEN)
    with Board(file) as board:
        cookies = {"write": board.cookie, "watch": board.shared(), "watch-as": board.shared("Ben")}
        yield Shared(board, cookies)
        assert board.get("/api/game").data["revision"] == 0
    assert (board.out, board.err) == ("", "")
    assert file.read_text() == HIDDEN
    assert [each.name for each in file.parent.iterdir()] == ["Hanako.cgn"]


def routes() -> list[tuple[str, str]]:
    """All that the board answers: method and path."""
    app = App(Shelf(Path("x.cgn"), date(2026, 1, 2)), Tokens(), ("x",)).app()
    found = [route for route in app.routes if isinstance(route, Route)]
    return [(method, route.path) for route in found for method in sorted((route.methods or set()) - {"HEAD"})]


OPEN = {("GET", path) for path in ("/", "/static/{name}", "/api/game", "/api/table", "/api/events")}
"""What who watches is answered."""


@pytest.mark.parametrize("kind", ["write", "watch", "watch-as"])
@pytest.mark.parametrize("method, path", routes())
def test_each_capability_at_each_route(shared: Shared, kind: str, method: str, path: str) -> None:
    board, cookie = shared.board, shared.cookies[kind]
    queries = {"/api/answer": "?ask=check", "/api/share.svg": "?share=1"}
    place = path.replace("{name}", "watch.js") + queries.get(path, "")
    headers = {"Cookie": cookie, "Origin": f"http://{board.host}", "Content-Type": "application/json"}
    body = b'{"file": "no.cgn"}' if method == "POST" else None
    if path == "/api/events":
        assert board.listen(cookie).status == 200
        method = "HEAD"  # of which an end can be awaited
    answer = board.ask(method, place, body, headers)
    if kind == "write":
        assert answer.status in (200, 404, 422)
        return
    assert answer.status == (200 if (method.replace("HEAD", "GET"), path) in OPEN else 403)
    assert b"Hanako" not in answer.body + repr(answer.headers).encode()
    if kind == "watch" and path.startswith("/api/"):
        assert not re.search(rb'"hands":{"Aki":\[[^]]*[0-9]', answer.body)
    for other in ("HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"):
        expected = (200,) if other == "HEAD" and ("GET", path) in OPEN else (403,)
        assert board.ask(other, place, headers=headers).status in expected


def test_every_edit_of_who_watches_is_refused(shared: Shared) -> None:
    board = shared.board
    edits: list[dict[str, Any]] = [{"op": "back"}, {"op": "undo"}, {"op": "turn", "line": "A 9@h1"}]
    edits.append({"op": "comment", "place": 1, "text": "x"})
    for kind in ("watch", "watch-as"):
        for edit in edits:
            answer = board.post("/api/edit", {**edit, "revision": 0}, Cookie=shared.cookies[kind])
            assert (answer.status, answer.body) == (403, b"this token lets you watch, not write\n")
        for body in ({"op": "open"}, {"op": "open", "player": "Aki"}, {"op": "close", "share": 1}):
            assert board.post("/api/share", body, Cookie=shared.cookies[kind]).status == 403
    assert len(board.get("/api/share").data["shares"]) == 2


@pytest.mark.parametrize(
    "body, said",
    [
        ({"op": "open", "player": "Zoe"}, "Zoe"),
        ({"op": "open", "game": 2}, "game 2"),
        ({"op": "open", "file": "other.cgn"}, "other.cgn"),
        ({"op": "open", "token": "x" * 43}, "token"),
        ({"op": "close"}, "share"),
        ({"op": "x"}, "op"),
    ],
)
def test_what_cannot_be_shared_is_told(shared: Shared, body: dict[str, Any], said: str) -> None:
    answer = shared.board.post("/api/share", body)
    assert answer.status == 422
    assert said in answer.data["said"]


def test_a_share_is_one_address_and_a_code(shared: Shared) -> None:
    told = shared.board.post("/api/share", {"op": "open", "player": "Ben"}).data
    assert told == shared.board.post("/api/share", {"op": "open", "player": "Ben", "file": "Hanako.cgn"}).data
    assert (told["addresses"], told["local"], len(told["shares"])) == ([shared.board.host], True, 2)
    one = next(each for each in told["shares"] if each["player"] == "Ben")
    answer = shared.board.get(f"/api/share.svg?share={one['number']}&at=0")
    made = io.BytesIO()
    code(f"http://{shared.board.host}{one['path']}").save(made, kind="svg", scale=4, border=4, light="#fff")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.body == made.getvalue()
    assert b"style" not in answer.body
    assert shared.board.get("/api/share.svg?share=99").status == 404
    assert shared.board.get("/api/share.svg?share=1&at=7").status == 404


def test_cookies_of_boards_and_of_capabilities_do_not_mix(shared: Shared, tmp_path: Path) -> None:
    board = shared.board
    names = {kind: cookie.partition("=")[0] for kind, cookie in shared.cookies.items()}
    own = f"couperation-{board.port}"
    assert names == {"write": own, "watch": f"{own}-watch", "watch-as": f"{own}-watch"}
    answer = board.ask("GET", f"/?token={shared.cookies['watch'].partition('=')[2]}", cookie=False)
    flags = {each.lower() for each in answer.headers["set-cookie"].split("; ")[1:]}
    assert flags == {"httponly", "path=/", "samesite=strict"}
    both = f"{shared.cookies['watch']}; {shared.cookies['write']}"
    assert "undo" in board.ask("GET", "/api/game", headers={"Cookie": both}).data
    stale = f"{own}=x; {shared.cookies['watch']}"
    assert "undo" not in board.ask("GET", "/api/game", headers={"Cookie": stale}).data
    with Board(tmp_path / "y.cgn") as other:
        for cookie in shared.cookies.values():
            token = cookie.partition("=")[2]
            for name in (*names.values(), f"couperation-{other.port}", f"couperation-{other.port}-watch"):
                assert other.ask("GET", "/api/game", headers={"Cookie": f"{name}={token}"}).status == 403


def test_who_has_no_token_cannot_keep_others_from_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    tokens, statuses = Tokens(), list[int]()
    token = tokens.issue(May("watch"))

    async def sent(message: MutableMapping[str, Any]) -> None:
        statuses.extend([message["status"]] if "status" in message else [])

    gate = Gate(PlainTextResponse("in"), PlainTextResponse("in"), tokens, ["x"], 1)
    path = {"path": "/api/game", "raw_path": b"/api/game", "query_string": b""}
    for cookie in (b"", f"couperation-1-watch={token}".encode()):
        headers = [(b"host", b"x"), (b"cookie", cookie)]
        for _ in range(int(BURST) + 1):
            awaited(gate({"type": "http", "method": "GET", "headers": headers, **path}, no_body, sent))
    assert statuses == [403] * int(BURST) + [429] + [200] * (int(BURST) + 1)
    while statuses[-1] == 200:
        awaited(gate({"type": "http", "method": "GET", "headers": headers, **path}, no_body, sent))
    assert statuses.count(200) == SHARED * int(BURST)


@pytest.mark.parametrize("host, own", [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("127.0.0.1", "127.0.0.1")])
def test_others_are_let_in_with_host(tmp_path: Path, host: str, own: str) -> None:
    try:
        listening(host, 0).close()
    except OSError:
        pytest.skip("no such address here")
    with Board(tmp_path / "x.cgn", "--host", host) as board:
        assert board.address.startswith(f"http://127.0.0.1:{board.port}/?token=")
        board.edit("start", players=["Aki", "Ben"])
        cookie = board.shared("Ben")
        told = board.get("/api/share").data
        shares = told["shares"]
        addresses = told["addresses"] if not told["local"] else []
        name = socket.gethostname().lower()
        outside = host != "127.0.0.1"
        for known in (f"{own}:{board.port}", f"127.0.0.1:{board.port}", *addresses):
            if known.startswith("[::1]"):
                connection = http.client.HTTPConnection("::1", board.port, timeout=30)
                connection.request("GET", "/api/game", headers={"Host": known, "Cookie": cookie})
                assert connection.getresponse().status == 200
            else:
                assert board.ask("GET", "/api/game", headers={"Host": known, "Cookie": cookie}).status == 200
        for called in (name, f"{name.partition('.')[0]}.local", "localhost"):
            answer = board.ask("GET", "/api/game", headers={"Host": f"{called}:{board.port}"})
            assert answer.status == (200 if outside else 403)
            assert board.ask("GET", "/api/game", headers={"Host": called}).status == 403
        for strange in ("evil.example", "8.8.8.8", "0.0.0.0", "127.0.0.2", "[::]"):
            assert board.ask("GET", "/api/game", headers={"Host": f"{strange}:{board.port}"}).status == 403
        tokens = [each["path"].partition("token=")[2] for each in shares]
        places = [*tmp_path.iterdir(), *Path("/proc").glob("[0-9]*/cmdline")]
        assert [each.name for each in tmp_path.iterdir() if each.suffix == ".journal"]
        for place in places:
            with suppress(OSError):
                assert not [token for token in tokens if token.encode() in place.read_bytes()]
    lines = board.out.splitlines()
    assert board.err == ""
    assert (lines != []) == outside
    if outside:
        assert lines[-1] == "This is plain HTTP: whoever is in this network can read along."
    if addresses:
        assert lines[-2] == f"To watch: http://{addresses[0]}/?token={tokens[0]}"
        assert "\n".join(lines[:-2]) == drawn(f"http://{addresses[0]}/?token={tokens[0]}", colours=False)
        assert board.query.removeprefix("token=") not in board.out


def test_a_query_of_too_many_parts_is_refused_as_any_other(board: Board) -> None:
    for cookie in (False, True):
        answer = board.ask("GET", f"/?{'&'.join('a' * 30)}", cookie=cookie)
        assert answer.status == 414
        assert answer.headers["cache-control"] == "no-store"


def test_a_file_that_could_not_be_written_is_told_until_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = App(Shelf(tmp_path / "game.cgn", date(2026, 1, 2)), Tokens(), ("x",))
    keeper = board.shelf.keeper(None)
    keeper.told.append(fact("board_aside", file="x"))
    with monkeypatch.context() as full:
        full.setattr(keeper, "fold", lambda: (_ for _ in ()).throw(OSError("full")))
        for _ in range(2):
            asyncio.run(board._fold(keeper))
            assert [each.kind for each in keeper.told] == ["board_aside", "board_not_folded"]
    asyncio.run(board._fold(keeper))
    assert [each.kind for each in keeper.told] == ["board_aside"]
