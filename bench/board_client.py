"""A board in a process of its own, and what a browser would ask it; `tests/board` uses it too."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import quote, urlsplit

from couperation_formal.game.record import Record


class Answer(NamedTuple):
    """An answer: status, headers in lower case, body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Board:
    """A board, entered with its token. As a context it is ended at the end, and then has to end well."""

    program = "couperation_formal"

    def __init__(self, path: Path, *arguments: str, cwd: Path | None = None) -> None:
        self.process = self.begin(["board", "--no-browser", "--port", "0", *arguments, str(path)], cwd)
        assert self.process.stdout is not None
        self.enter(self.process.stdout.readline().strip())

    def begin(self, arguments: list[str], cwd: Path | None) -> Any:
        """Start the program, as `subprocess.Popen` does."""
        command, pipe = [sys.executable, "-m", self.program, *arguments], subprocess.PIPE
        return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=cwd)

    def enter(self, address: str) -> None:
        """Enter by the address with its token, if it has told one."""
        self.address = address
        self.revisions: dict[str | None, int] = {}
        self.cookie = ""
        if not address:
            return
        parts = urlsplit(address)
        self.port, self.query = parts.port or 0, parts.query
        self.host = f"127.0.0.1:{self.port}"
        self.cookie = self.entered(f"/?{self.query}")

    def entered(self, path: str) -> str:
        """The cookie that an address with a token is swapped for."""
        return self.ask("GET", path, cookie=False).headers["set-cookie"].split(";")[0]

    def shared(self, player: str | None = None, **places: Any) -> str:
        """The cookie of somebody with whom the game is shared, to watch as a player or as everybody."""
        told = self.post("/api/share", {"op": "open", "player": player, **places}).data
        return self.entered(next(each["path"] for each in told["shares"] if each["number"] == told["opened"]))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()

    def stop(self) -> int:
        """Ask it to end, as Ctrl-C does: its exit code."""
        self.process.terminate()
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        code: int = self.process.wait(timeout=30)
        self.out, self.err = self.process.stdout.read(), self.process.stderr.read()
        return code

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.kill()
        self.process.communicate()

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        cookie: bool = True,
    ) -> Answer:
        """One request, with what a browser sends unless `headers` says otherwise."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        told = {"Host": self.host, **({"Cookie": self.cookie} if cookie and self.cookie else {}), **(headers or {})}
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in {"Content-Length": str(len(body or b"")), **told}.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, path: str) -> Answer:
        """A question."""
        return self.ask("GET", path)

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        """A post from the board's own page; the revision that an accepted edit makes is noted."""
        own = {"Content-Type": "application/json", "Origin": f"http://{self.host}", **headers}
        answer = self.ask("POST", path, json.dumps(body).encode(), own)
        if answer.status == 200 and path == "/api/edit":
            self.revisions[body.get("file")] = answer.data["revision"]
        return answer

    def know(self, **asked: Any) -> Answer:
        """What is known of a table."""
        return self.post("/api/know", asked)

    def open_post(self, path: str, body: Any) -> http.client.HTTPResponse:
        """A post whose answer is read as it comes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        own = {"Content-Type": "application/json", "Origin": f"http://{self.host}"}
        connection.request("POST", path, json.dumps(body), {"Host": self.host, "Cookie": self.cookie, **own})
        return connection.getresponse()

    def revision(self, file: str | None = None) -> int:
        """The revision of a file that was seen last."""
        if file not in self.revisions:
            query = "" if file is None else f"?file={quote(file)}"
            self.revisions[file] = self.get(f"/api/game{query}").data["revision"]
        return self.revisions[file]

    def edit(self, op: str, **told: Any) -> Answer:
        """An edit of the revision that was seen last."""
        return self.post("/api/edit", {"op": op, "revision": self.revision(told.get("file")), **told})

    def listen(self, cookie: str | None = None) -> http.client.HTTPResponse:
        """A stream of events, for the holder of another cookie too; reading blocks until there is one."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", "/api/events", headers={"Host": self.host, "Cookie": cookie or self.cookie})
        return connection.getresponse()

    def start(self, record: Record) -> Answer:
        """Begin a game with the set-up of a record."""
        return self.edit(
            "start",
            players=record.players,
            rules=str(record.rules),
            variant=record.variant,
            event=record.tag("Event"),
            marks={str(card): mark for card, mark in record.marks.items()},
            deals={name: list(map(str, cards)) for name, cards in record.deals.items()},
            reserve=None if record.reserve is None else list(map(str, record.reserve)),
            deck=None if record.deck is None else list(map(str, record.deck)),
        )
