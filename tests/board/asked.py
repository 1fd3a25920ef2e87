"""A board that is asked in this process, without a server: by whom and from where is told."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from couperation_formal.board.app import Board
from couperation_formal.board.gate import Gate, May, Tokens
from couperation_formal.board.keeper import Shelf
from tests.board.awaited import awaited


class Asked:
    """A board in this process, asked as by a browser that has a token."""

    client: Any = ("1", 1)
    server: Any = ("1", 1)

    def __init__(self, path: Path, local: bool = True) -> None:
        self.shelf, self.tokens = Shelf(path, date(2026, 1, 2)), Tokens()
        self.board = Board(self.shelf, self.tokens, ("x",), local)
        self.gate = Gate(self.board.app(), self.board.watching(), self.tokens, ["x"], 1)

    def token(self, name: str | None, file: str | None = None) -> str:
        may = May("watch", name)
        return self.board.sharing.open(may, self.shelf.keeper(file), None).token

    def ask(
        self, token: str, target: str, method: str = "GET", body: bytes = b"", wanted: str = "", cookie: str = ""
    ) -> tuple[int, bytes]:
        """The status, and all bytes of the answer with its headers, in the language that is `wanted` of the browser."""
        path, _, query = target.partition("?")
        kind = "couperation-1" if self.tokens.may(token) == May("write") else "couperation-1-watch"
        headers = [(b"host", b"x"), (b"cookie", f"{kind}={token}; {cookie}".encode()), (b"origin", b"http://x")]
        scope: dict[str, Any] = {"type": "http", "method": method, "path": path, "raw_path": path.encode()}
        scope |= {"query_string": query.encode(), "headers": [*headers, (b"content-type", b"application/json")]}
        scope["headers"] += [(b"accept-language", wanted.encode())] if wanted else []
        scope |= {
            "http_version": "1.1",
            "scheme": "http",
            "root_path": "",
            "client": self.client,
            "server": self.server,
        }
        told: list[Any] = []

        async def sent(message: Any) -> None:
            told.append(message)

        async def received() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        awaited(self.gate(scope, received, sent))
        whole = b"\n".join(b": ".join(each) for each in told[0]["headers"])
        return told[0]["status"], whole + b"\n\n" + b"".join(each.get("body", b"") for each in told[1:])
