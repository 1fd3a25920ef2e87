"""The board on the net: questions and edits as JSON, a page, and word of every new revision.

| request | answer |
|---|---|
| `GET /?token=T` | 303 to `/` with the cookie; any page takes it so |
| `GET /` | the page |
| `GET /static/NAME` | its parts |
| `GET /api/files` | `{"folder": bool, "files": [name]}` |
| `GET /api/game?file=&game=` | the game (`views.game_view`); the last game of the file if left out |
| `GET /api/table?file=&game=&turn=K&seen=` | the table after turn K (`views.table`), 0 the set-up |
| `GET /api/tower.svg?file=&game=&turn=K&seen=` | its picture |
| `GET /api/strip?file=&game=` | what each rulebook says of the game so far (`views.strip`) |
| `GET /api/answer?file=&game=&ask=check` | the exact verdict; `ask=dispute&at=K`: the whole answer to a quarrel |
| `GET /api/events` | server-sent events: `changed` with `{"file", "revision"}` |
| `GET /api/share`, `POST /api/share` | who may watch (`share`); what who watches is answered says `watch` |
| `POST /api/draft` | `{"file"?, "game"?, "place"?, "draft"}`: `judge.Drafted` without `turn` |
| `POST /api/draft` | the same with `"line"` for `"draft"`: place, player, text and judged, or `said`; `completed` |
| `POST /api/edit` | an edit (`edits.Posted`) with `"file"?`: the game as it is then |
| `POST /api/new` | `{"file"}`: a file of the folder that is not there yet |
| `POST /api/know` | `know.Asked`: what is known of the `table` (`known.Known`), or the `tower` (`known.tower_known`) |
| `POST /api/theirs` | `{"file"?}`: go on with a file that somebody else changed; `{"mine": name or null, ...game}` |

Of `looking` are `POST /api/branch`, `/api/export`, `/api/folder`; `seen` is as in `branch.looked`; a draft may have it
and a `branch` beside.
`form=full` (text) or `json` may be added. An answer takes up to some seconds; a newer question or an edit drops it.
Words of cards, cells and glyphs are those of CGN. Refusals: 403 no token, or not allowed to write; 404 no such thing;
409 an edit that names another revision, `{"said", "yours", "game"}` with both; 408, 413, 414, 415, 429; 422 what cannot
be, `{"said"}` and, of a turn, `draft` with all that the rules say of it; 423 another board writes the file; 507 it
could not be kept.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from couperation_formal.board.beside import COMMAND, Beside
from couperation_formal.board.branch import Looked, looked
from couperation_formal.board.draft import Draft
from couperation_formal.board.edits import NotAllowed, Posted, carried_out
from couperation_formal.board.gate import Tokens
from couperation_formal.board.judge import stood_before, turn_at
from couperation_formal.board.keeper import Keeper, Shelf, Stale
from couperation_formal.board.know import Asked, Know
from couperation_formal.board.looking import Looking
from couperation_formal.board.record import Refused, encoded, game_at, own_text
from couperation_formal.board.share import Sharing, Watching
from couperation_formal.board.streams import Streams, answering, as_json, number, one_of, posted
from couperation_formal.board.views import completed, drafted_view, game_view, scene, strip, table, typed_view
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game
from couperation_formal.game.state import State
from couperation_formal.questions.records.states import kept_tags
from couperation_formal.words.say import phrase

_BUDGET = "500000"
_TIMEOUT = 60.0
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_PICTURE = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}


class _Drafting(Looked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    place: int | None = None
    draft: Draft | None = None
    line: str | None = None


class _Named(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    file: str | None = None


class Board:
    """What the requests share: the files, who listens, and the question that is being answered."""

    def __init__(self, shelf: Shelf, tokens: Tokens, addresses: tuple[str, ...], local: bool = True) -> None:
        self.shelf = shelf
        self._quarrel = Beside()
        self._know = Know()
        self._streams = Streams()
        self.sharing = Sharing(shelf, tokens, self._streams, addresses, local)
        self._looking = Looking(shelf)
        self.whole = True

    def app(self) -> Starlette:
        """The application, which writes its files when it ends."""
        get = {
            "/": self.page,
            "/static/{name}": self.static,
            "/api/files": self.list_files,
            "/api/game": self.game,
            "/api/table": self.table,
            "/api/tower.svg": self.picture,
            "/api/strip": self.strip,
            "/api/answer": self.answer,
            "/api/events": self.events,
            "/api/share": self.sharing.listed,
            "/api/share.svg": self.sharing.code,
        }
        post = {
            "/api/draft": self.draft,
            "/api/edit": self.edit,
            "/api/know": self.know,
            "/api/new": self.new,
            "/api/theirs": self.theirs,
            "/api/share": self.sharing.post,
            **self._looking.posts,
        }
        routes = [Route(path, answering(each), methods=["GET"]) for path, each in get.items()]
        routes += [Route(path, answering(each), methods=["POST"]) for path, each in post.items()]
        return Starlette(routes=routes, lifespan=self._life)

    def watching(self) -> Starlette:
        """The application of those who watch."""
        return Watching(self.sharing, self._streams, self.static).app()

    @asynccontextmanager
    async def _life(self, _app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            self.stop()
            self.whole = self.shelf.close()

    def stop(self) -> None:
        """Let go of those who listen and who wait for an answer, so that the server can end."""
        self._streams.stop()
        self._quarrel.close()
        self._know.close()
        self._looking.close()

    async def page(self, request: Request) -> Response:
        """The page."""
        from couperation_formal.board.views import page

        return Response(
            page(self._keeper(request).path.name if self.shelf.folder is None else ""), media_type="text/html"
        )

    async def static(self, request: Request) -> Response:
        """A part of the page."""
        from couperation_formal.board.views import shared

        name = request.path_params["name"]
        if (made := shared(name)) is not None:
            return Response(made, media_type=_TYPES[f".{name.rpartition('.')[2]}"])
        found = {each.name: each for each in files("couperation_formal.board").joinpath("static").iterdir()}
        if name not in found or not name.endswith(tuple(_TYPES)):
            raise LookupError(name)
        return Response(found[name].read_bytes(), media_type=_TYPES[f".{name.rpartition('.')[2]}"])

    async def list_files(self, _request: Request) -> Response:
        """The files that can be opened."""
        return as_json({"folder": self.shelf.folder is not None, "files": self.shelf.names})

    async def game(self, request: Request) -> Response:
        """One game with its table."""
        return as_json(game_view(self._keeper(request), number(request, "game")))

    async def table(self, request: Request) -> Response:
        """A table of a game."""
        game, state = self._state(request)
        return as_json(table(state) | {"scene": scene(state, game.record.rules.rulings)})

    async def picture(self, request: Request) -> Response:
        """The tower of a table."""
        from couperation_formal.output.svg import tower_svg
        from couperation_formal.output.svg_picture import tower_picture

        game, state = self._state(request)
        position = position_of(state, game.record.rules, kept_tags(game))
        picture = tower_picture(state.tower, game.record.rules.rulings, position.marks, laid=state.touched)
        return Response(tower_svg(picture, names=True), media_type="image/svg+xml", headers=_PICTURE)

    async def strip(self, request: Request) -> Response:
        """What each rulebook says."""
        return as_json(strip(self._game(self._keeper(request), number(request, "game"))))

    async def answer(self, request: Request) -> Response:
        """An answer that takes longer."""
        question = one_of(request.query_params.get("ask"), ("check", "dispute"))
        form = one_of(request.query_params.get("form", "full"), ("full", "json"))
        game, at = self._game(self._keeper(request), number(request, "game")), number(request, "at")
        more = ["--at", str(at)] if question == "dispute" and at is not None else []
        options = ["--isolated", "--budget", _BUDGET, "--output-format", form, "--color", "never", *more, "-"]
        text = encoded(own_text(game))
        found = await self._quarrel.answer(COMMAND, question, *options, question=text, most=_TIMEOUT)
        if found is None:
            return as_json({"said": phrase("board_asked_away")}, 409)
        return Response(found, media_type="text/plain" if form == "full" else "application/json")

    async def know(self, request: Request) -> Response:
        """What is known of a table."""
        asked = posted(await request.body(), Asked)
        keeper = self.shelf.keeper(asked.file)
        if asked.revision not in (None, keeper.revision):
            return as_json({"said": phrase("board_stale")}, 409)
        return await self._know.answer(asked, looked(self._game(keeper, asked.game), asked.seen, asked.branch), request)

    async def events(self, request: Request) -> Response:
        """Word of every new revision."""
        return self._streams.listen(request)

    async def draft(self, request: Request) -> Response:
        """What the rules say of a turn that is being made."""
        asked = posted(await request.body(), _Drafting)
        game = looked(self._game(self.shelf.keeper(asked.file), asked.game), asked.seen, asked.branch)
        if asked.line is None:
            return as_json(drafted_view(game, asked.draft or Draft(), asked.place))
        told: dict[str, Any] = {"completed": _completed(game, asked.line)}
        try:
            told |= typed_view(game, asked.line, asked.place)
        except Refused as error:
            told["said"] = str(error)
        return as_json(told)

    async def edit(self, request: Request) -> Response:
        """Carry an edit out."""
        body = posted(await request.body(), dict[str, msgspec.Raw])
        named = posted(bytes(body.pop("file")), str | None) if "file" in body else None
        keeper = self.shelf.keeper(named)
        edit: Posted = posted(msgspec.json.encode(body), Posted)
        try:
            index = carried_out(keeper, edit)
        except Stale:
            there = game_view(keeper, edit.game)
            return as_json({"said": phrase("board_stale"), "yours": msgspec.to_builtins(edit), "game": there}, 409)
        except NotAllowed as error:
            return as_json({"said": str(error), "draft": error.told}, 422)
        self._changed(keeper)
        return as_json(game_view(keeper, index or None))

    async def new(self, request: Request) -> Response:
        """Open a file that is not there yet."""
        return as_json(game_view(self.shelf.new(posted(await request.body(), _Named).file or ""), None))

    async def theirs(self, request: Request) -> Response:
        """Go on with what somebody else made of a file."""
        keeper = self.shelf.keeper(posted(await request.body(), _Named).file)
        mine = keeper.take_theirs()
        self._changed(keeper)
        name = None if mine is None else mine.name
        return as_json({"mine": name, "said": name and phrase("board_mine", file=name), **game_view(keeper, None)})

    def _changed(self, keeper: Keeper) -> None:
        """Tell whoever listens."""
        self._drop()
        self.sharing.written(keeper)

    def _drop(self) -> None:
        """End what is being answered."""
        self._know.drop()
        self._quarrel.drop()

    def _keeper(self, request: Request) -> Keeper:
        return self.shelf.keeper(request.query_params.get("file"))

    def _game(self, keeper: Keeper, index: int | None) -> Game:
        return game_at(keeper.games, index)[1]

    def _state(self, request: Request) -> tuple[Game, State]:
        game = looked(self._game(self._keeper(request), number(request, "game")), request.query_params.get("seen"))
        return game, stood_before(game.record, turn_at(game.record, number(request, "turn")) + 1)


def _completed(game: Game, line: str) -> list[str]:
    try:
        return completed(game, line.lstrip())
    except Refused:
        return []
