"""What each capability allows: a token that writes, one that watches, one that watches as a player."""

from __future__ import annotations

import http.client
import io
import re
import socket
import time
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from bench.board_client import Board
from couperation_formal.board.app import Board as App
from couperation_formal.board.gate import BURST, SHARED, Gate, May, Tokens
from couperation_formal.board.keeper import Shelf
from couperation_formal.board.serve import listening
from couperation_formal.board.share import code, drawn
from tests.board.awaited import awaited, no_body
from tests.board.local import Local, Own


def test_tokens_allow_what_they_were_issued_for() -> None:
    tokens = Tokens()
    write, watch = tokens.issue(May("write")), tokens.issue(May("watch", "Ben"))
    assert tokens.may(write) == May("write")
    assert tokens.may(watch) == May("watch", "Ben")
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
    with Own(file) as board:
        cookies = {"write": board.cookie, "watch": board.shared(), "watch-as": board.shared("Ben")}
        revision = board.revision()
        yield Shared(board, cookies)
        assert board.get("/api/game").data["revision"] == revision
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


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["write", "watch", "watch-as"])
@pytest.mark.parametrize("method, path", routes())
def test_each_capability_at_each_route(shared: Shared, kind: str, method: str, path: str) -> None:
    board, cookie = shared.board, shared.cookies[kind]
    queries = {"/api/share.svg": "?share=1"}
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
            answer = board.post("/api/edit", {**edit, "revision": board.revision()}, Cookie=shared.cookies[kind])
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
    assert re.fullmatch(f"{own}-[0-9a-f]{{8}}", names["write"])
    assert names == {"write": names["write"], "watch": f"{own}-watch", "watch-as": f"{own}-watch"}
    answer = board.ask("GET", f"/?token={shared.cookies['watch'].partition('=')[2]}", cookie=False)
    flags = {each.lower() for each in answer.headers["set-cookie"].split("; ")[1:]}
    assert flags == {"httponly", "path=/", "samesite=strict"}
    both = f"{shared.cookies['watch']}; {shared.cookies['write']}"
    assert "undo" in board.ask("GET", "/api/game", headers={"Cookie": both}).data
    stale = f"{names['write']}=x; {shared.cookies['watch']}"
    assert "undo" not in board.ask("GET", "/api/game", headers={"Cookie": stale}).data
    with Local(tmp_path / "y.cgn") as other:
        for cookie in shared.cookies.values():
            token = cookie.partition("=")[2]
            for name in (*names.values(), other.cookie.partition("=")[0], f"couperation-{other.port}-watch"):
                assert other.ask("GET", "/api/game", headers={"Cookie": f"{name}={token}"}).status == 403


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("host, own", [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("127.0.0.1", "127.0.0.1")])
def test_others_are_let_in_with_host(tmp_path: Path, host: str, own: str) -> None:
    try:
        listening(host, 0).close()
    except OSError:
        pytest.skip("no such address here")
    with Own(tmp_path / "x.cgn", "--host", host) as board:
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
        wanted: list[str] = []
        for led, token in (
            ("To record with a telephone, for whoever may write", board.query.removeprefix("token=")),
            ("To watch", tokens[0]),
        ):
            url = f"http://{addresses[0]}/?token={token}"
            wanted += [f"{led}: {url}", *drawn(url, colours=False).splitlines()]
        assert lines[:-1] == wanted
