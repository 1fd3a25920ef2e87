"""What who watches is answered. Requests of theirs come here and nowhere else: each answer is made of `seen_as`, and
what is not listed here is refused.

| request | answer |
|---|---|
| `GET /` | the page that watches |
| `GET /static/NAME` | its parts |
| `GET /api/game` | the game that the token shows (`views.whole`), `{"game": null}` where there is none |
| `GET /api/table?turn=K` | the table after turn K |
| `GET /api/events` | server-sent events: `changed` with `{"revision"}` |

No answer names a file, an event, a comment or a glyph: these are free words of who writes (`spec/board.md`).
"""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from couperation_formal.board.gate import May
from couperation_formal.board.journal import digest
from couperation_formal.board.judge import stood_before, turn_at
from couperation_formal.board.record import own_text
from couperation_formal.board.scene import scene
from couperation_formal.board.seen_as import seen_as, viewer
from couperation_formal.board.share import Sharing
from couperation_formal.board.streams import Streams
from couperation_formal.board.views import table, whole
from couperation_formal.board.wire import Answer, answering, as_json, number
from couperation_formal.game.record import Game
from couperation_formal.words.say import phrase

_KEPT, _GAMES = 200, 20
"""So many answers, and so many games as they are seen, are kept for those who ask the same."""


class Watching:
    """The requests of those who watch."""

    def __init__(self, sharing: Sharing, streams: Streams, static: Answer) -> None:
        self._sharing, self._streams, self._static = sharing, streams, static
        self._seen: dict[tuple[str, str | None], Game] = {}
        self._told: dict[tuple[str, str | None, str, int | None], bytes] = {}

    def app(self) -> Starlette:
        """The application of those who watch."""
        get = {
            "/": self.page,
            "/static/{name}": self._static,
            "/api/game": self.game,
            "/api/table": self.table,
            "/api/events": self.events,
            "/{path:path}": self.refused,
        }
        return Starlette(routes=[Route(path, answering(each), methods=["GET"]) for path, each in get.items()])

    async def refused(self, _request: Request) -> Response:
        """What only who writes may ask."""
        return as_json({"said": phrase("board_watches")}, 403)

    async def page(self, request: Request) -> Response:
        """The page that watches."""
        from couperation_formal.board.page import watching

        return Response(watching(_may(request).name), media_type="text/html")

    async def game(self, request: Request) -> Response:
        """The game with its table."""
        return self._answer(request, "game", None)

    async def table(self, request: Request) -> Response:
        """A table of it."""
        return self._answer(request, "table", number(request, "turn"))

    async def events(self, request: Request) -> Response:
        """Word of every new revision of what is shown."""
        return self._streams.listen(request)

    def _answer(self, request: Request, kind: str, turn: int | None) -> Response:
        """The answer to a question, made once for all who see the same."""
        shown = self._sharing.shown(request.scope["token"])
        item = None if shown is None else shown[0].games[shown[1] - 1].item
        if not isinstance(item, Game):
            return as_json({"game": None}) if kind == "game" else as_json({"said": phrase("board_nothing")}, 404)
        may = _may(request)
        seer = viewer(item, may)
        text = digest(own_text(item))
        key = (text, seer, kind, turn)
        if key not in self._told:
            _room(self._told, _KEPT)
            self._told[key] = _told(self._game(text, item, may), seer, kind, turn)
        return Response(self._told[key], media_type="application/json")

    def _game(self, text: str, item: Game, may: May) -> Game:
        key = (text, viewer(item, may))
        if key not in self._seen:
            _room(self._seen, _GAMES)
            self._seen[key] = seen_as(item, may)
        return self._seen[key]


def _told(game: Game, seer: str | None, kind: str, turn: int | None) -> bytes:
    if kind == "game":
        return msgspec.json.encode({"game": 1, "seer": seer, **whole(game)})
    state = stood_before(game.record, turn_at(game.record, turn) + 1)
    return msgspec.json.encode(table(state) | {"scene": scene(state, game.record.rules.rulings)})


def _may(request: Request) -> May:
    may = request.scope["may"]
    if not isinstance(may, May):
        raise LookupError(may)
    return may


def _room(kept: dict[Any, Any], most: int) -> None:
    if len(kept) >= most:
        kept.clear()
