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
| `POST /api/know` | `{"file"?, "game"?, "seen"?, "branch"?, "revision"?, "turn"?, "level"?, "detail"?, "double"?}`: |
| | what is known of the `table` (`know.Known`), or the `tower` (`know.tower_known`); `double` doubles the budget |
| `POST /api/theirs` | `{"file"?}`: go on with a file that somebody else changed; `{"mine": name or null, ...game}` |
| `POST /api/branch` | `{"file"?, "game"?, "seen"?, "branch"}`: `views.whole` with `branch` as it is written |
| `POST /api/branch` | the same with `"draft"` or `"line"`, `"disputed"?`: with this turn more; 422 as an edit |
| `POST /api/export` | `{"file"?, "game"?, "turn"?, "seen"?, "branch"?, "form", "theme"?}`: a text (`Form`) |
| `POST /api/folder` | `{}`: lines of JSON as they are found: `{"files": n}`, then `record.rows` with `"file"` |

`seen` is as in `record.looked`; a draft may have it and a `branch` beside.
`form=full` (text) or `json` may be added. An answer takes up to some seconds; a newer question or an edit drops it.
Words of cards, cells and glyphs are those of CGN. Refusals: 403 no token, or not allowed to write; 404 no such thing;
409 an edit that names another revision, `{"said", "yours", "game"}` with both; 408, 413, 414, 415, 429; 422 what cannot
be, `{"said"}` and, of a turn, `draft` with all that the rules say of it; 423 another board writes the file; 507 it
could not be kept.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from couperation_formal.board import record, views
from couperation_formal.board.beside import COMMAND, Beside, Know
from couperation_formal.board.draft import Draft
from couperation_formal.board.edits import NotAllowed, Posted, PutTurn, accepted, carried_out
from couperation_formal.board.gate import Tokens, answering, as_json, number, one_of, posted
from couperation_formal.board.judge import drafted, stood_after, stood_before, turn_at
from couperation_formal.board.keeper import Keeper, Shelf, Stale
from couperation_formal.board.know import Detail, tower_known
from couperation_formal.board.share import Sharing, Streams, Watching
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game
from couperation_formal.game.state import State
from couperation_formal.notation.write import position_text, record_text, turn_text
from couperation_formal.output.svg import Theme, table_svg, tower_picture, tower_svg
from couperation_formal.questions.records.states import kept_tags
from couperation_formal.words.say import phrase

_BUDGET = "500000"
_TIMEOUT, _PAGE_TIMEOUT = 60.0, 120.0
_LIST = "from couperation_formal.board.record import tell; tell()"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_PICTURE = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}

_Count = Annotated[int, msgspec.Meta(ge=0)]
Form = Literal["position", "cgn", "svg", "report"]


class _Drafting(record.Looked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    place: int | None = None
    draft: Draft | None = None
    line: str | None = None


class _Named(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    file: str | None = None


class _WhatIf(record.Looked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    branch: record.Branch
    draft: Draft | None = None
    line: record.Line | None = None
    disputed: bool = False


class _Export(record.Looked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    form: Form
    turn: int | None = None
    theme: Theme = "auto"


class _Asked(record.Looked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    revision: int | None = None
    turn: _Count | None = None
    level: Literal["table", "tower"] = "table"
    detail: Detail = "end"
    double: _Count = 0


class _Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question that says no more."""


class Board:
    """What the requests share: the files, who listens, and the processes that are at work."""

    def __init__(self, shelf: Shelf, tokens: Tokens, addresses: tuple[str, ...], local: bool = True) -> None:
        self.shelf = shelf
        self._quarrel, self._paging, self._listing = Beside(), Beside(), Beside()
        self._know = Know()
        self._streams = Streams()
        self.sharing = Sharing(shelf, tokens, self._streams, addresses, local)
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
            "/api/events": self._streams.listen,
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
            "/api/branch": self.branch,
            "/api/export": self.export,
            "/api/folder": self.folder,
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
        self._streams.drop()
        for each in (self._quarrel, self._know, self._paging, self._listing):
            each.close()

    async def page(self, request: Request) -> Response:
        """The page."""
        name = self._keeper(request).path.name if self.shelf.folder is None else ""
        return Response(views.page(name), media_type="text/html")

    async def static(self, request: Request) -> Response:
        """A part of the page."""
        name = request.path_params["name"]
        if (made := views.shared(name)) is not None:
            return Response(made, media_type=_TYPES[f".{name.rpartition('.')[2]}"])
        parts = {each.name: each for each in files("couperation_formal.board").joinpath("static").iterdir()}
        if name not in parts or not name.endswith(tuple(_TYPES)):
            raise LookupError(name)
        return Response(parts[name].read_bytes(), media_type=_TYPES[f".{name.rpartition('.')[2]}"])

    async def list_files(self, _request: Request) -> Response:
        """The files that can be opened."""
        return as_json({"folder": self.shelf.folder is not None, "files": self.shelf.names})

    async def game(self, request: Request) -> Response:
        """One game with its table."""
        return as_json(views.game_view(self._keeper(request), number(request, "game")))

    async def table(self, request: Request) -> Response:
        """A table of a game."""
        game, state = self._state(request)
        return as_json(views.laid_out(state, game.record.rules.rulings))

    async def picture(self, request: Request) -> Response:
        """The tower of a table."""
        game, state = self._state(request)
        position = position_of(state, game.record.rules, kept_tags(game))
        picture = tower_picture(state.tower, game.record.rules.rulings, position.marks, laid=state.touched)
        return Response(tower_svg(picture, names=True), media_type="image/svg+xml", headers=_PICTURE)

    async def strip(self, request: Request) -> Response:
        """What each rulebook says."""
        return as_json(views.strip(self._game(self._keeper(request), number(request, "game"))))

    async def answer(self, request: Request) -> Response:
        """An answer that takes longer."""
        question = one_of(request.query_params.get("ask"), ("check", "dispute"))
        form = one_of(request.query_params.get("form", "full"), ("full", "json"))
        game, at = self._game(self._keeper(request), number(request, "game")), number(request, "at")
        more = ["--at", str(at)] if question == "dispute" and at is not None else []
        options = ["--isolated", "--budget", _BUDGET, "--output-format", form, "--color", "never", *more, "-"]
        text = record.encoded(record.own_text(game))
        told = await self._quarrel.answer(COMMAND, question, *options, question=text, most=_TIMEOUT)
        if told is None:
            return as_json({"said": phrase("board_asked_away")}, 409)
        return Response(told, media_type="text/plain" if form == "full" else "application/json")

    async def know(self, request: Request) -> Response:
        """What is known of a table."""
        asked = posted(await request.body(), _Asked)
        keeper = self.shelf.keeper(asked.file)
        if asked.revision not in (None, keeper.revision):
            return as_json({"said": phrase("board_stale")}, 409)
        game = self._looked(asked)
        turn = turn_at(game.record, asked.turn)
        if asked.level == "tower":
            return as_json(tower_known(game, turn))
        known = await self._know.table(game, turn, asked.detail, asked.double, request.is_disconnected)
        return as_json({"said": phrase("board_asked_away")}, 409) if known is None else as_json(known)

    async def draft(self, request: Request) -> Response:
        """What the rules say of a turn that is being made."""
        asked = posted(await request.body(), _Drafting)
        game = self._looked(asked)
        if asked.line is None:
            return as_json(drafted(game, asked.draft or Draft(), asked.place).told())
        told: dict[str, Any] = {"completed": views.completed(game, asked.line)}
        try:
            told |= views.typed_view(game, asked.line, asked.place)
        except record.Refused as error:
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
            there = views.game_view(keeper, edit.game)
            return as_json({"said": phrase("board_stale"), "yours": msgspec.to_builtins(edit), "game": there}, 409)
        except NotAllowed as error:
            return as_json({"said": str(error), "draft": error.told}, 422)
        self._changed(keeper)
        return as_json(views.game_view(keeper, index or None))

    async def new(self, request: Request) -> Response:
        """Open a file that is not there yet."""
        return as_json(views.game_view(self.shelf.new(posted(await request.body(), _Named).file or ""), None))

    async def theirs(self, request: Request) -> Response:
        """Go on with what somebody else made of a file."""
        keeper = self.shelf.keeper(posted(await request.body(), _Named).file)
        mine = keeper.take_theirs()
        self._changed(keeper)
        name = mine and mine.name
        told = {"mine": name, "said": name and phrase("board_mine", file=name)}
        return as_json(told | views.game_view(keeper, None))

    async def branch(self, request: Request) -> Response:
        """A branch, with one turn more where one is told."""
        asked = posted(await request.body(), _WhatIf)
        game = self._looked(asked)
        after = asked.branch.after
        if asked.draft is not None or asked.line is not None:
            edit = PutTurn(revision=0, draft=asked.draft, line=asked.line, disputed=asked.disputed)
            try:
                turn = accepted(game, edit)
            except NotAllowed as error:
                return as_json({"said": str(error), "draft": error.told}, 422)
            turns = (*record.branch_of(game, after).turns, turn_text(turn))
            game = self._looked(msgspec.structs.replace(asked, branch=record.Branch(after=after, turns=turns)))
        return as_json({**views.whole(game), "branch": record.branch_of(game, after)})

    async def export(self, request: Request) -> Response:
        """The table that is looked at as a text that can be taken along."""
        asked = posted(await request.body(), _Export)
        game = self._looked(asked)
        if asked.form == "report":
            return await self._report(asked, game)
        turn = len(game.record.turns) if asked.turn is None else asked.turn
        record.placed_at(game.record, turn, first=0)
        if asked.form == "cgn":
            return _text(record_text(game.record))
        state, rules = stood_before(game.record, turn + 1), game.record.rules
        position = position_of(state, rules, kept_tags(game))
        if asked.form == "position":
            return _text(position_text(position))
        return _text(table_svg(position, rules.rulings, asked.theme, laid=state.touched))

    async def _report(self, asked: _Export, game: Game) -> Response:
        """The page that `couperation report` makes of the game: with its comments, where all of it is shown."""
        every = asked.seen in (None, "", "all")
        text = game.layout.text if every and asked.branch is None else record_text(game.record)
        name = None if every else record.viewer(game, asked.seen or "")
        more = [] if every else ["--as", "public" if name is None else f'"{name}"']
        with tempfile.TemporaryDirectory(prefix="couperation-", ignore_cleanup_errors=True) as folder:
            source, page = Path(folder) / "game.cgn", Path(folder) / "game.html"
            source.write_bytes(record.encoded(text))
            arguments = ["report", "--isolated", "--color", "never", *more, "-o", str(page), "--", str(source)]
            done = await self._paging.answer(COMMAND, *arguments, question=b"", most=_PAGE_TIMEOUT)
            if done is None or not page.is_file():
                return as_json({"said": phrase("board_no_page")}, 409)
            return _text(page.read_text("utf-8"))

    async def folder(self, request: Request) -> Response:
        """The games of the files, told as they are read."""
        posted(await request.body(), _Nothing)
        names, folder = self.shelf.names, self.shelf.folder
        paths = [self.shelf.keeper(None).path] if folder is None else [folder / name for name in names]
        asked = msgspec.json.encode([*zip(names, map(str, paths), strict=True)])
        process = await self._listing.start(_LIST, question=asked)
        if process is None:
            return as_json({"said": phrase("board_asked_away")}, 409)
        return StreamingResponse(self._listed(process, len(names)), media_type="application/x-ndjson")

    async def _listed(self, process: asyncio.subprocess.Process, count: int) -> AsyncIterator[bytes]:
        assert process.stdout is not None
        try:
            yield msgspec.json.encode({"files": count}) + b"\n"
            while line := await process.stdout.readline():
                yield line
            await process.wait()
        finally:
            self._listing.drop(process)

    def _changed(self, keeper: Keeper) -> None:
        """End what is being answered, and tell whoever listens."""
        self._know.drop()
        self._quarrel.drop()
        self.sharing.written(keeper)

    def _looked(self, asked: record.Looked) -> Game:
        return record.looked(self._game(self.shelf.keeper(asked.file), asked.game), asked.seen, asked.branch)

    def _keeper(self, request: Request) -> Keeper:
        return self.shelf.keeper(request.query_params.get("file"))

    def _game(self, keeper: Keeper, index: int | None) -> Game:
        return record.game_at(keeper.games, index)[1]

    def _state(self, request: Request) -> tuple[Game, State]:
        game = record.looked(
            self._game(self._keeper(request), number(request, "game")), request.query_params.get("seen")
        )
        return game, stood_after(game.record, number(request, "turn"))


def _text(text: str) -> Response:
    """A text that a page takes, and that nothing shows by itself."""
    return Response(text, media_type="text/plain")
