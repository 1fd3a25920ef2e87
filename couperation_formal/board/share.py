"""Who may watch, and who hears of new revisions: each share is a token of its own for one file, and the addresses at
which it lets somebody in.

| request | answer |
|---|---|
| `GET /api/share` | `{"addresses", "local", "record", "of", "shares"}`: what is shared now; `of` stands for file or |
| | folder, `record` tells whether the next code is for who asks |
| `GET /api/share.svg?at=K` | the QR code of address K with the token that may write, for this machine only |
| `GET /api/share.svg?share=N&at=K` | the QR code of share N at address K |
| `POST /api/share` | `{"op": "open", "file"?, "game"?, "player"?}`: everybody's view, or a player's; all shares then |
| `POST /api/share` | `{"op": "close", "share": N}`: withdrawn, and who watches with it is let go |
| `POST /api/share` | `{"op": "all"}`: all that lets in is withdrawn, of boards before too; a new cookie for who asks; |
| | `said` tells why a later board may let somebody in still |
| `POST /api/share` | `{"op": "again", "of", "shares"}`: what a board of the same file shared before it was stopped |
"""

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Annotated, Any, NamedTuple

import segno
from msgspec import Meta, Struct
from msgspec.json import encode
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Send

from couperation_formal.board.gate import Answer, May, Tokens, as_json, number, posted, refusal, routes, viewer
from couperation_formal.board.keeper import Keeper, Shelf, digest
from couperation_formal.board.record import game_at
from couperation_formal.board.views import laid_out, watching, whole
from couperation_formal.game.fact import Fact, Told, Unfit, worded
from couperation_formal.game.record import Game
from couperation_formal.game.rulings import unknown
from couperation_formal.questions.records.states import game_seen

# Who listens for new revisions. A stream tells that there is one, and nothing of the game.

MOST_STREAMS, MOST_WATCHING = 32, 30
"""So many streams there are at most, and so many of them of those who watch: who writes always finds a place."""
BEAT = 5.0
"""So many seconds pass at most without a word; a page that hears less is cut off."""
SLOW = 20.0
"""Who does not take a word in so many seconds is let go, and so is who has so much to hear as `_BEHIND`."""
_BEHIND = 64


class _Stream(StreamingResponse):
    """One who listens, as long as he does."""

    def __init__(self, streams: "set[_Stream]", may: May, token: str) -> None:
        super().__init__(self._told(), media_type="text/event-stream")
        self.may, self.token = may, token
        self._streams = streams
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue(_BEHIND)

    async def stream_response(self, send: Send) -> None:
        """Send what is told; a place among the streams is held so long."""

        async def soon(message: Message) -> None:
            await asyncio.wait_for(send(message), SLOW)

        self._streams.add(self)
        try:
            await super().stream_response(soon)
        finally:
            self._streams.discard(self)

    async def _told(self) -> AsyncIterator[bytes]:
        yield b"retry: 1000\n\n"
        while True:
            try:
                told = await asyncio.wait_for(self._queue.get(), BEAT)
            except TimeoutError:
                told = b"event: still\ndata: 1\n\n"
            if told is None:
                return
            yield told

    def tell(self, told: bytes) -> None:
        """One word more; who is too far behind is let go, and asks anew."""
        if self._queue.full():
            self.end()
        else:
            self._queue.put_nowait(told)

    def end(self) -> None:
        """Let go; what was not sent yet is not sent."""
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)


class Streams:
    """All who listen."""

    def __init__(self) -> None:
        self._open: set[_Stream] = set()

    async def listen(self, request: Request) -> Response:
        """A stream for who asks, or that there are too many."""
        may, token = request.scope["may"], request.scope["token"]
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        watching = sum(each.may.kind != "write" for each in self._open)
        if len(self._open) >= MOST_STREAMS or (may.kind != "write" and watching >= MOST_WATCHING):
            return refusal(request, 429, "board_streams")
        return _Stream(self._open, may, token)

    def changed(self, file: str, revision: int | None, sees: Callable[[str], bool]) -> None:
        """Tell of a new revision, or with None that somebody else changed the file: who writes with the file, who
        watches only where the token shows it, by number.
        """
        for stream in tuple(self._open):
            if stream.may.kind == "write":
                stream.tell(_event({"file": file, "revision": revision}))
            elif sees(stream.token):
                stream.tell(_event({"revision": revision}))

    def drop(self, token: str | None = None) -> None:
        """Let go of those who listen with this token; without one of all, so that the server can end."""
        for stream in tuple(self._open):
            if token in (None, stream.token):
                stream.end()


def _event(told: object) -> bytes:
    return b"event: changed\ndata: " + encode(told) + b"\n\n"


# What is shared with whom.

MOST = 40
"""So many shares there are at most."""


class Share(NamedTuple):
    """What a token shows: a game of a file, its last one with None; with no file the one that was written last."""

    number: int
    token: str
    may: May
    keeper: Keeper | None
    game: int | None


class _Asked(Struct, frozen=True, tag_field="op", forbid_unknown_fields=True):
    """What can be asked to be done about shares."""


class _Open(_Asked, frozen=True, tag="open"):
    file: str | None = None
    game: int | None = None
    player: str | None = None


class _Close(_Asked, frozen=True, tag="close"):
    share: int


class _All(_Asked, frozen=True, tag="all"):
    """Withdraw all that lets in; who asks goes on with a new token."""


class _Before(Struct, frozen=True):
    path: Annotated[str, Meta(pattern=r"^/\?token=[\w-]{43}$")]
    player: Annotated[str, Meta(max_length=200)] | None
    file: str | None
    game: int | None


class _Again(_Asked, frozen=True, tag="again"):
    of: str
    shares: Annotated[list[_Before], Meta(max_length=MOST)]


class Sharing:
    """The shares of a board. `addresses` are those by which others reach it; only this machine does where `local`."""

    def __init__(self, shelf: Shelf, tokens: Tokens, streams: Streams, addresses: tuple[str, ...], local: bool) -> None:
        self._shelf, self._tokens, self._streams = shelf, tokens, streams
        self.addresses, self.local = addresses, local
        self.writes = tokens.issue(May("write"))
        self._shares: dict[str, Share] = {}
        self._made = 0
        self._place: tuple[tuple[Keeper, int, int] | None, int | None] = None, None
        self._written: Keeper | None = shelf.keeper(None) if shelf.folder is None else None

    def open(self, may: May, keeper: Keeper | None, game: int | None) -> Share:
        """A share, the same one where there is such a one. Raises `Unfit` where there are too many."""
        for share in self._shares.values():
            if share[2:] == (may, keeper, game):
                return share
        if len(self._shares) >= MOST:
            raise Unfit("board_shares", most=MOST)
        return self._add(self._tokens.issue(may), may, keeper, game)

    def _add(self, token: str, may: May, keeper: Keeper | None, game: int | None) -> Share:
        self._made += 1
        share = self._shares[token] = Share(self._made, token, may, keeper, game)
        return share

    def _again(self, asked: _Again) -> None:
        """Take up the tokens of a board of this file or folder that was stopped, as far as they fit."""
        for each in asked.shares if asked.of == self._shelf.of else ():
            token, may = each.path.partition("=")[2], May("watch", each.player)
            if len(self._shares) < MOST and token not in self._shares:
                with suppress(Told, OSError):
                    keeper = None if each.file is None else self._shelf.keeper(each.file)
                    if self._tokens.take(token, may):
                        self._add(token, may, keeper, each.game)

    def first(self) -> Share:
        """The share of who comes in by what the terminal shows: everybody's view of the file, of a folder of the one
        that is written.
        """
        return self.open(May("watch"), self._shelf.keeper(None) if self._shelf.folder is None else None, None)

    def url(self, token: str, at: int = 0) -> str:
        """The address that lets in with a token. Raises `LookupError`."""
        return f"http://{self.addresses[at]}/?token={token}"

    def shown(self, token: str) -> tuple[Game | None, int | None]:
        """The game that a token shows, None where there is no such game now, or where it cannot be read; and the turn
        after which who writes looks at it, None at the present table.
        """
        share = self._shares.get(token)
        keeper = None if share is None else share.keeper or self._written
        if share is None or keeper is None:
            return None, None
        at = (keeper, keeper.revision, share.game or len(keeper.games))
        with suppress(Unfit):
            return game_at(keeper.games, share.game)[1], self._place[1] if self._place[0] == at else None
        return None, None

    def placed(self, keeper: Keeper, game: int, turn: int | None) -> None:
        """Who writes looks at another table: who watches is told."""
        self._place = (keeper, keeper.revision, game), turn
        self._tell(keeper)

    def written(self, keeper: Keeper) -> None:
        """A file has a new revision: who watches it is told."""
        self._written = keeper
        self._tell(keeper)

    def _tell(self, keeper: Keeper) -> None:
        def sees(token: str) -> bool:
            share = self._shares.get(token)
            return share is not None and share.keeper in (None, keeper)

        self._streams.changed(keeper.path.name, keeper.revision, sees)

    async def listed(self, request: Request) -> Response:
        """What is shared."""
        return self._listed(request)

    async def post(self, request: Request) -> Response:
        """Share a game, or withdraw a share."""
        asked: _Open | _Close | _Again | _All = await posted(request, _Open | _Close | _Again | _All)
        if isinstance(asked, _All):
            return self._all(request)
        if isinstance(asked, _Again):
            self._again(asked)
            return self._listed(request)
        if isinstance(asked, _Open):
            keeper = self._shelf.keeper(asked.file)
            index = len(keeper.games) if asked.game is None else asked.game
            _, game = game_at(keeper.games, index)
            if asked.player is not None and asked.player not in game.record.players:
                raise Unfit(unknown("no_player_named", asked.player, game.record.players))
            opened = self.open(May("watch", asked.player), keeper, None if index == len(keeper.games) else index)
            return self._listed(request, opened.number)
        token = self._share(asked.share).token
        del self._shares[token]
        try:
            self._tokens.withdraw(token)
        finally:
            self._streams.drop(token)
        return self._listed(request)

    def _all(self, request: Request) -> Response:
        if not request.scope["near"]:
            return refusal(request, 403, "board_near")
        self._shares.clear()
        said = None
        try:
            self._tokens.withdraw()
        except Unfit as error:  # a later board may let them in
            said = error.what
        self.writes = self._tokens.issue(May("write"))
        answer = self._listed(request, said=said)
        request.scope["let"](answer, "write", self.writes)
        self._streams.drop()
        return answer

    async def code(self, request: Request) -> Response:
        """The QR code of a share, or for this machine of the address that lets write."""
        share = number(request, "share")
        if share is None and not self._records(request):
            raise LookupError
        token = self.writes if share is None else self._share(share).token
        made = io.BytesIO()
        code(self.url(token, number(request, "at") or 0)).save(made, kind="svg", scale=4, border=4, light="#fff")
        return Response(made.getvalue(), media_type="image/svg+xml")

    def _records(self, request: Request) -> bool:
        """Whether who asks may hand on the right to write: at this machine, to one that can reach it."""
        return bool(request.scope["near"]) and not self.local

    def _share(self, number: int) -> Share:
        for share in self._shares.values():
            if share.number == number:
                return share
        raise LookupError(number)

    def _listed(self, request: Request, opened: int | None = None, said: Fact | None = None) -> Response:
        shares: list[dict[str, Any]] = [
            {
                "number": each.number,
                "player": each.may.name,
                "file": None if each.keeper is None else each.keeper.path.name,
                "game": each.game,
                "path": f"/?token={each.token}",
            }
            for each in self._shares.values()
        ]
        told = {
            "addresses": self.addresses,
            "local": self.local,
            "record": self._records(request),
            "of": self._shelf.of,
            "said": said,
        }
        return as_json(request, {**told, "opened": opened, "shares": shares})


def code(text: str) -> segno.QRCode:
    """A text as a QR code."""
    return segno.make(text, micro=False, error="m", boost_error=False)


def drawn(text: str, colours: bool) -> str:
    """A QR code for a terminal, two rows a line; with `colours` dark on light whatever the terminal's own are."""
    rows = [list(row) for row in code(text).matrix_iter(border=3)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    lines = []
    for top, bottom in zip(rows[::2], rows[1::2], strict=True):
        line = "".join(" ▄▀█"[2 * (not above) + (not below)] for above, below in zip(top, bottom, strict=True))
        lines.append(f"\x1b[97;40m{line}\x1b[0m" if colours else line)
    return "\n".join(lines)


# What who watches is answered. Requests of theirs come here and nowhere else: each answer is made of what `viewer`
# has seen, and what is not listed here is refused.
#
# | request | answer |
# |---|---|
# | `GET /` | the page that watches |
# | `GET /static/NAME` | its parts |
# | `GET /api/game` | the game that the token shows (`views.whole`), `{"game": null}` where there is none; `place` is |
# | | the turn after which who writes looks at it, null at the present table |
# | `GET /api/table?turn=K` | the table after turn K |
# | `GET /api/events` | server-sent events: `changed` with `{"revision"}` |
#
# No answer names a file, an event, a comment or a glyph: these are free words of who writes (`spec/board.md`).

_KEPT = 200
"""So many answers are kept for those who ask the same."""


class Watching:
    """The requests of those who watch."""

    def __init__(self, sharing: Sharing, streams: Streams, static: Answer) -> None:
        self._sharing, self._streams, self._static = sharing, streams, static
        self._told: dict[tuple[str, str, str | None, str, int | None, int | None], bytes] = {}

    def app(self) -> Starlette:
        """The application of those who watch."""
        get = {
            "/": self.page,
            "/static/{name}": self._static,
            "/api/game": self.game,
            "/api/table": self.table,
            "/api/events": self._streams.listen,
            "/{path:path}": self.refused,
        }
        return Starlette(routes=routes("GET", get))

    async def refused(self, request: Request) -> Response:
        """What only who writes may ask."""
        return refusal(request, 403, "board_watches")

    async def page(self, request: Request) -> Response:
        """The page that watches."""
        return Response(watching(request.scope["may"].name, request.scope["language"]), media_type="text/html")

    async def game(self, request: Request) -> Response:
        """The game with its table."""
        return self._answer(request, "game", None)

    async def table(self, request: Request) -> Response:
        """A table of it."""
        return self._answer(request, "table", number(request, "turn"))

    def _answer(self, request: Request, kind: str, turn: int | None) -> Response:
        """The answer to a question, made once for all who see the same in the same language."""
        shown, place = self._sharing.shown(request.scope["token"])
        if shown is None:
            return as_json(request, {"game": None}) if kind == "game" else refusal(request, 404, "board_nothing")
        seer, language = viewer(shown, request.scope["may"]), request.scope["language"]
        key = (language, digest(shown.text), seer, kind, turn, place)
        if key not in self._told:
            game = game_seen(shown, seer)
            told = (
                {"game": 1, "seer": seer, "place": place, **whole(game)}
                if kind == "game"
                else laid_out(game.record, turn)
            )
            if len(self._told) >= _KEPT:
                self._told.clear()
            self._told[key] = encode(worded(told, language))
        return Response(self._told[key], media_type="application/json")
