"""The board on the net: questions and edits as JSON, a page, and word of every new revision.

| request | answer |
|---|---|
| `GET /?token=T` | 303 to `/` with the cookie; any page takes it so |
| `GET /?lang=L` | the page in this language, and by a cookie all that is asked from then on (`gate`) |
| `GET /` | the page |
| `GET /static/NAME` | its parts |
| `GET /api/files` | `{"folder": bool, "files": [name]}` |
| `GET /api/game?file=&game=` | the game (`views.game_view`); the last game of the file if left out |
| `GET /api/table?file=&game=&turn=K&seen=` | the table after turn K (`views.table`), 0 the set-up |
| `GET /api/tower.svg?file=&game=&turn=K&seen=` | its picture |
| `GET /api/strip?file=&game=` | what each rulebook says of the game so far (`views.strip`) |
| `GET /api/answer?file=&game=&at=` | the whole answer to a quarrel about a turn (`views.quarrel_told`) |
| `GET /api/events` | server-sent events: `changed` with `{"file", "revision"}`, null where somebody else changed it |
| `GET /api/share`, `POST /api/share` | who may watch (`share`); what who watches is answered says `watch` |
| `POST /api/draft` | `{"file"?, "game"?, "place"?, "draft"}`: `judge.Drafted` without `turn` |
| `POST /api/draft` | the same with `"line"` for `"draft"`: place, player, text and judged, or `said`; `completed` |
| `POST /api/edit` | an edit (`Posted`) with `"file"?`: the game as it is then |
| `POST /api/new` | `{"file"}`: a file of the folder that is not there yet |
| `POST /api/remember` | what is to be remembered for this user's boards, of `user.Settings`: `{}` |
| `POST /api/place` | `{"file"?, "game", "turn"}`: the table that is looked at, for who follows; null: the present |
| `POST /api/know` | `{"file"?, "game"?, "seen"?, "branch"?, "revision"?, "turn"?, "level"?, "detail"?, "double"?}`: |
| | what is known of the `table` (`know.Known`), or the `tower` (`know.tower_known`); `double` doubles the budget; |
| | null where a newer question or an edit dropped it |
| `GET /api/outside?file=&game=` | how a file that somebody else changed differs: lines, `+` of mine, `-` of theirs |
| `POST /api/theirs` | `{"file"?, "mine"?}`: go on with it, or with what was written here; the other one is then |
| | `beside`: `{"beside": name or null, ...game}` |
| `POST /api/branch` | `{"file"?, "game"?, "seen"?, "branch"}`: `views.whole` with `branch` as it is written |
| `POST /api/branch` | the same with `"draft"` or `"line"`, `"disputed"?`: with this turn more; 422 as an edit |
| `POST /api/export` | `{"file"?, "game"?, "turn"?, "seen"?, "branch"?, "form", "theme"?}`: a text (`_Export`) |
| `POST /api/folder` | `{}`: lines of JSON as they are found: `{"files": n}`, then `record.rows` with `"file"` |

`seen` is as in `record.looked`; a draft may have it and a `branch` beside.
An answer takes up to some seconds; a newer question or an edit drops it.
Words of cards, cells and glyphs are those of CGN. Refusals: 403 no token, or not allowed to write; 404 no such thing;
409 an edit that names another revision, `{"said", "yours", "game"}` with both; 408, 413, 414, 415, 429; 422 what cannot
be, `{"said"}` and, of a turn, `draft` with all that the rules say of it; 423 another board writes the file; 507 it
could not be kept.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, to_builtins
from msgspec.json import encode
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from couperation_formal.board import judge, record, views
from couperation_formal.board.beside import COMMAND, Beside, Know
from couperation_formal.board.gate import Answer, NotAllowed, Tokens, as_json, language, number, posted, refusal, routes
from couperation_formal.board.keeper import Keeper, Shelf, Stale
from couperation_formal.board.know import Detail, tower_known
from couperation_formal.board.share import Sharing, Streams, Watching
from couperation_formal.board.user import User
from couperation_formal.game.fact import Unfit, fact
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game, Record, Turn
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import Mark, Value, Variant
from couperation_formal.notation.parse import name_written
from couperation_formal.notation.write import header_tags, position_text, record_text, turn_text
from couperation_formal.output.svg import Theme, table_svg, tower_picture, tower_svg
from couperation_formal.questions.records.states import kept_tags

# What can be posted to change a file, and how it is carried out.

LOOK = 1.0
"""The seconds between two looks at the files."""

_Name = Annotated[str, Meta(min_length=1, max_length=80)]


class _Edit(Struct, frozen=True, kw_only=True, tag_field="op", forbid_unknown_fields=True):
    """An edit of game `game`, the last one if left out, by somebody who saw this revision."""

    revision: int
    file: str | None = None
    game: int | None = None


class PutTurn(_Edit, frozen=True, kw_only=True, tag="turn"):
    """Play the next turn, or put it in the place of another: as it was tapped, or as a line was typed. One that the
    rules refuse, or that is not all told, is kept only as `disputed`.
    """

    draft: judge.Draft | None = None
    line: record.Line | None = None
    place: int | None = None
    disputed: bool = False


class TakeBack(_Edit, frozen=True, tag="back"):
    """Take the last turn back."""


class Undo(_Edit, frozen=True, tag="undo"):
    """Undo the last edit."""


class Redo(_Edit, frozen=True, tag="redo"):
    """Do again what was undone."""


class Comment(_Edit, frozen=True, kw_only=True, tag="comment"):
    """Say something of a turn; 0 is the set-up."""

    place: int
    text: record.Line


class Uncomment(_Edit, frozen=True, kw_only=True, tag="uncomment"):
    """Take a comment out: the one with this number, from 0, of those that are told at a turn."""

    place: int
    index: int


class Keep(_Edit, frozen=True, kw_only=True, tag="what-if"):
    """Keep a branch, as a comment behind the turn from which it goes."""

    branch: record.Branch


class Glyphs(_Edit, frozen=True, kw_only=True, tag="glyphs"):
    """What is noted behind a turn's action."""

    place: int
    glyphs: Annotated[tuple[judge.Glyph, ...], Meta(max_length=4)]


class PutText(_Edit, frozen=True, kw_only=True, tag="text"):
    """The game's text as it was typed."""

    text: Annotated[str, Meta(max_length=200_000)]


class Start(_Edit, frozen=True, kw_only=True, tag="start"):
    """A new game at the end of the file. What is not given stays unseen."""

    players: Annotated[tuple[_Name, ...], Meta(min_length=1, max_length=8)]
    rules: Annotated[str, Meta(max_length=400)] = ""
    variant: Variant = "first"
    event: Annotated[str, Meta(max_length=200)] | None = None
    marks: dict[str, Mark] = {}
    deals: dict[str, judge.Words] = {}
    reserve: judge.Words | None = None
    deck: judge.Words | None = None


Posted = PutTurn | TakeBack | Undo | Redo | Comment | Uncomment | Keep | Glyphs | PutText | Start
"""Everything that can be posted."""


def carried_out(keeper: Keeper, edit: Posted) -> int:
    """Carry an edit out: the number of the game that it concerned. Raises `Stale`, `Kept`, `Refused` and `Unfit`, and
    then nothing has changed.
    """
    keeper.at(edit.revision)
    if isinstance(edit, Undo | Redo):
        return (keeper.undo() if isinstance(edit, Undo) else keeper.redo()).game
    if isinstance(edit, Start):
        keeper.edit("start", len(keeper.games) + 1, 0, record.started(keeper.text, _record(edit)))
        return len(keeper.games)
    index = len(keeper.games) if edit.game is None else edit.game
    if isinstance(edit, PutText):
        start, item = record.part_at(keeper.games, index)
        keeper.edit("text", index, start, record.retyped(item, edit.text))
        return index
    start, game = record.game_at(keeper.games, index)
    keeper.edit(str(edit.__struct_config__.tag), index, start, _splice(game, edit))
    return index


def _splice(game: Game, edit: PutTurn | TakeBack | Comment | Uncomment | Keep | Glyphs) -> record.Splice:
    if isinstance(edit, TakeBack):
        return record.taken_back(game)
    if isinstance(edit, Uncomment):
        return record.uncommented(game, edit.place, edit.index)
    if isinstance(edit, Keep):
        after = edit.branch.after
        return record.commented(game, after, record.kept(record.branch_of(record.branched(game, edit.branch), after)))
    if isinstance(edit, Comment):
        return record.commented(game, edit.place, edit.text)
    if isinstance(edit, Glyphs):
        record.placed_at(game.record, edit.place)
        turn = replace(game.record.turns[edit.place - 1], glyphs=edit.glyphs)
        return record.replaced(game, edit.place, turn)
    turn = accepted(game, edit)
    if edit.place is not None and edit.place <= len(game.record.turns):
        glyphs = turn.glyphs or game.record.turns[edit.place - 1].glyphs
        return record.replaced(game, edit.place, replace(turn, glyphs=glyphs))
    return record.appended(game, turn)


def accepted(game: Game, edit: PutTurn) -> Turn:
    """The turn that an edit puts. Raises `NotAllowed` where it is refused and not to be kept as disputed."""
    if (edit.draft is None) == (edit.line is None):
        raise Unfit("board_bad", why="draft, line")
    if edit.draft is not None:
        made = judge.drafted(game, edit.draft, edit.place, offering=False)
        turn, judged, told = made.turn, made.judged, made.told()
        due = any(each.least for each in made.due)
    else:
        _, turn, judged = judge.judged_line(game, edit.line or "", edit.place)
        told, due = {"judged": judged}, False
    if turn is None or judged is None:
        raise NotAllowed(True, told)
    if not edit.disputed and (due or judged.verdict == "illegal"):
        raise NotAllowed(due and judged.verdict != "illegal", told)
    if edit.disputed and judged.verdict == "illegal" and "~~" not in turn.glyphs:
        return replace(turn, glyphs=(*turn.glyphs, "~~"))
    return turn


def _record(edit: Start) -> Record:
    """The record of a game that begins. Raises `Unfit` and `RulesError` for what no record can hold."""
    players = tuple(map(name_written, edit.players))
    for name in players:
        bad = next((each for each in name if each in '";{}[] ' or not each.isprintable()), None)
        if bad is not None:
            raise Unfit("name_letter_in", letter=bad, name=name)
        if players.count(name) > 1:
            raise Unfit("same_name", name=name)
    rules = parse_rules(" ".join(edit.rules.split()))
    marks: dict[Value, Mark] = {}
    for word, mark in edit.marks.items():
        card = judge.card_of(word)
        if not isinstance(card, int):
            raise Unfit("board_no_card", text=word)
        marks[card] = mark
    deals = {name_written(name): judge.cards(words) for name, words in edit.deals.items()}
    for name in deals:
        if name not in players:
            raise Unfit("board_bad", why=name)
    event = None if edit.event is None else " ".join(edit.event.split())
    return Record(
        tags=header_tags(players, rules, edit.variant, marks, event),
        players=players,
        rules=rules,
        variant=edit.variant,
        marks=marks,
        deals=deals,
        reserve=None if edit.reserve is None else judge.cards(edit.reserve),
        deck=None if edit.deck is None else judge.cards(edit.deck),
    )


# What else is asked.

_LIST = "from couperation_formal.board.record import tell; tell()"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_PICTURE = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}

_Count = Annotated[int, Meta(ge=0)]


class _Drafting(record.Looked, frozen=True, kw_only=True):
    place: int | None = None
    draft: judge.Draft | None = None
    line: str | None = None


class _Named(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    file: str | None = None


class _Decided(_Named, frozen=True, kw_only=True):
    mine: bool = False


class _WhatIf(record.Looked, frozen=True, kw_only=True):
    branch: record.Branch
    draft: judge.Draft | None = None
    line: record.Line | None = None
    disputed: bool = False


class _Export(record.Looked, frozen=True, kw_only=True):
    form: Literal["position", "cgn", "svg", "report"]
    turn: int | None = None
    theme: Theme = "auto"


class _Asked(record.Looked, frozen=True, kw_only=True):
    revision: int | None = None
    turn: _Count | None = None
    level: Literal["table", "tower"] = "table"
    detail: Detail = "end"
    double: _Count = 0


class _Place(_Named, frozen=True, kw_only=True, forbid_unknown_fields=True):
    game: _Count
    turn: _Count | None


class _Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """A question that says no more."""


class Board:
    """What the requests share: the files, who listens, and the processes that are at work."""

    def __init__(self, shelf: Shelf, tokens: Tokens, addresses: tuple[str, ...], local: bool = True) -> None:
        self.shelf = shelf
        self._quarrel, self._paging, self._listing = Beside(), Beside(), Beside()
        self._know = Know()
        self.user = User()
        self._streams = Streams()
        self.sharing = Sharing(shelf, tokens, self._streams, addresses, local)
        self.whole = True

    def app(self) -> Starlette:
        """The application, which writes its files when it ends."""
        get: dict[str, Answer] = {
            "/": self.page,
            "/static/{name}": self.static,
            "/api/tower.svg": self.picture,
            "/api/events": self._streams.listen,
            "/api/share": self.sharing.listed,
            "/api/share.svg": self.sharing.code,
        }
        asked = (self.files, self.game, self.table, self.strip, self.outside, self.answer)
        told = (self.draft, self.edit, self.know, self.new, self.theirs, self.branch, self.export, self.folder)
        get |= {f"/api/{each.__name__}": each for each in asked}
        post = {f"/api/{each.__name__}": each for each in (*told, self.remember, self.place)} | {
            "/api/share": self.sharing.post
        }
        return Starlette(routes=[*routes("GET", get), *routes("POST", post)], lifespan=self._life)

    def watching(self) -> Starlette:
        """The application of those who watch."""
        return Watching(self.sharing, self._streams, self.static).app()

    @asynccontextmanager
    async def _life(self, _app: Starlette) -> AsyncIterator[None]:
        looking = asyncio.create_task(self._looks())
        try:
            yield
        finally:
            looking.cancel()
            self.stop()
            self.whole = self.shelf.close()

    async def _looks(self) -> None:
        """Tell who writes, once, of each file that somebody else has changed."""
        told: set[Keeper] = set()
        while True:
            await asyncio.sleep(LOOK)
            changed = {each for each in self.shelf.opened() if each.changed_outside()}
            for keeper in changed - told:
                self._streams.changed(keeper.path.name, None, lambda _: False)
            told = changed

    def stop(self) -> None:
        """Let go of those who listen and who wait for an answer, so that the server can end."""
        self._streams.drop()
        for each in (self._quarrel, self._know, self._paging, self._listing):
            each.close()

    async def page(self, request: Request) -> Response:
        """The page."""
        name = self._keeper(request).path.name if self.shelf.folder is None else ""
        return Response(views.page(name, *self.user.remembered, language(request)), media_type="text/html")

    async def static(self, request: Request) -> Response:
        """A part of the page."""
        name = request.path_params["name"]
        form = _TYPES.get(Path(name).suffix)
        part = views.part(name, language(request))
        if form is None or part is None:
            raise LookupError(name)
        return Response(part, media_type=form)

    async def files(self, request: Request) -> Response:
        """The files that can be opened."""
        return as_json(request, {"folder": self.shelf.folder is not None, "files": self.shelf.names})

    async def game(self, request: Request) -> Response:
        """One game with its table."""
        return as_json(request, views.game_view(self._keeper(request), number(request, "game")))

    async def table(self, request: Request) -> Response:
        """A table of a game."""
        return as_json(request, views.laid_out(self._seen(request).record, number(request, "turn")))

    async def picture(self, request: Request) -> Response:
        """The tower of a table."""
        game = self._seen(request)
        state = judge.stood_after(game.record, number(request, "turn"))
        picture = tower_picture(state.tower, game.record.rules.rulings, state.marks, laid=state.touched)
        drawn = tower_svg(picture, names=True, language=language(request))
        return Response(drawn, media_type="image/svg+xml", headers=_PICTURE)

    async def strip(self, request: Request) -> Response:
        """What each rulebook says."""
        return as_json(request, [*views.strip(self._game(request))])

    async def outside(self, request: Request) -> Response:
        """How the file that somebody else changed differs."""
        keeper = self._keeper(request)
        return as_json(request, views.differing(keeper, number(request, "game") or len(keeper.games)))

    async def answer(self, request: Request) -> Response:
        """The whole answer to a quarrel about a turn, the last one if left out."""
        game = self._game(request)
        at = number(request, "at") or len(game.record.turns)
        record.placed_at(game.record, at)
        options = ["--isolated", "--budget", "500000", "--output-format", "json", "--at", str(at), "-"]
        text = record.encoded(game.text)
        asked = ("dispute", "--lang", language(request), *options)
        told = await self._quarrel.answer(COMMAND, *asked, question=text, most=60.0)
        if told is None:
            return refusal(request, 409, "board_asked_away")
        return as_json(request, views.quarrel_told(told, game.record))

    async def know(self, request: Request) -> Response:
        """What is known of a table."""
        asked = await posted(request, _Asked)
        keeper = self.shelf.keeper(asked.file)
        if asked.revision not in (None, keeper.revision):
            return as_json(request, None)
        game = self._looked(asked)
        turn = judge.turn_at(game.record, asked.turn)
        if asked.level == "tower":
            return as_json(request, tower_known(game, turn))
        known = await self._know.table(game, turn, asked.detail, asked.double, request.is_disconnected)
        return as_json(request, known and known.data(language(request)))

    async def draft(self, request: Request) -> Response:
        """What the rules say of a turn that is being made."""
        asked = await posted(request, _Drafting)
        game = self._looked(asked)
        if asked.line is None:
            return as_json(request, judge.drafted(game, asked.draft or judge.Draft(), asked.place).told())
        completed = views.completed(game, asked.line)
        try:
            told = views.typed_view(game, asked.line, asked.place)
        except record.Refused as error:
            told = {"said": error.what}
        return as_json(request, {"completed": completed, **told})

    async def edit(self, request: Request) -> Response:
        """Carry an edit out."""
        edit: Posted = await posted(request, Posted)
        keeper = self.shelf.keeper(edit.file)
        try:
            index = carried_out(keeper, edit)
        except Stale:
            yours = {name: each for name, each in to_builtins(edit).items() if name != "file"}
            there = views.game_view(keeper, edit.game)
            return as_json(request, {"said": fact("board_stale"), "yours": yours, "game": there}, 409)
        self._changed(keeper)
        return as_json(request, views.game_view(keeper, index or None))

    async def new(self, request: Request) -> Response:
        """Open a file that is not there yet."""
        return as_json(request, views.game_view(self.shelf.new((await posted(request, _Named)).file or ""), None))

    async def theirs(self, request: Request) -> Response:
        """Go on with what somebody else made of a file, or with what was written here."""
        asked = await posted(request, _Decided)
        keeper = self.shelf.keeper(asked.file)
        beside = keeper.keep_mine() if asked.mine else keeper.take_theirs()
        self._changed(keeper)
        name = beside and beside.name
        told = {"beside": name, "said": name and fact("board_theirs" if asked.mine else "board_mine", file=name)}
        return as_json(request, told | views.game_view(keeper, None))

    async def remember(self, request: Request) -> Response:
        """Remember how this user's boards are shown, and the marks of the copy."""
        self.user.remember(await posted(request, dict[str, Any]))
        return as_json(request, {})

    async def place(self, request: Request) -> Response:
        """Who writes looks at the table after a turn; None is the present one."""
        asked = await posted(request, _Place)
        keeper = self.shelf.keeper(asked.file)
        turns = len(record.game_at(keeper.games, asked.game)[1].record.turns)
        self.sharing.placed(keeper, asked.game, None if asked.turn is None else min(asked.turn, turns))
        return as_json(request, {})

    async def branch(self, request: Request) -> Response:
        """A branch, with one turn more where one is told."""
        asked = await posted(request, _WhatIf)
        game = self._looked(asked)
        after = asked.branch.after
        if asked.draft is not None or asked.line is not None:
            edit = PutTurn(revision=0, draft=asked.draft, line=asked.line, disputed=asked.disputed)
            turns = (*record.branch_of(game, after).turns, turn_text(accepted(game, edit)))
            game = self._looked(replace(asked, branch=record.Branch(after=after, turns=turns)))
        return as_json(request, {**views.whole(game), "branch": record.branch_of(game, after)})

    async def export(self, request: Request) -> Response:
        """The table that is looked at as a text that can be taken along."""
        asked = await posted(request, _Export)
        game = self._looked(asked)
        if asked.form == "report":
            return await self._report(request, asked, game)
        turn = len(game.record.turns) if asked.turn is None else asked.turn
        record.placed_at(game.record, turn, first=0)
        if asked.form == "cgn":
            return _text(record_text(game.record))
        state, rules = judge.stood_after(game.record, turn), game.record.rules
        position = position_of(state, rules, kept_tags(game))
        if asked.form == "position":
            return _text(position_text(position))
        laid, spoken = state.touched, language(request)
        return _text(table_svg(position, rules.rulings, asked.theme, laid=laid, language=spoken))

    async def _report(self, request: Request, asked: _Export, game: Game) -> Response:
        """The page that `couperation report` makes of the game: with its comments, where all of it is shown."""
        every = asked.seen in (None, "", "all")
        text = game.text if every and asked.branch is None else record_text(game.record)
        name = None if every else record.viewer(game, asked.seen or "")
        more = [] if every else ["--as", "public" if name is None else f'"{name}"']
        with tempfile.TemporaryDirectory(prefix="couperation-", ignore_cleanup_errors=True) as folder:
            source, page = Path(folder) / "game.cgn", Path(folder) / "game.html"
            source.write_bytes(record.encoded(text))
            more += ["-o", str(page), "--", str(source)]
            arguments = ["report", "--lang", language(request), "--isolated", "--color", "never", *more]
            done = await self._paging.answer(COMMAND, *arguments, question=b"", most=120.0)
            if done is None or not page.is_file():
                return refusal(request, 409, "board_no_page")
            return _text(page.read_text("utf-8"))

    async def folder(self, request: Request) -> Response:
        """The games of the files, told as they are read."""
        await posted(request, _Nothing)
        names, folder = self.shelf.names, self.shelf.folder
        paths = [self.shelf.keeper(None).path] if folder is None else [folder / name for name in names]
        asked = encode([language(request), [*zip(names, map(str, paths), strict=True)]])
        process = await self._listing.start(_LIST, question=asked)
        if process is None:
            return refusal(request, 409, "board_asked_away")
        return StreamingResponse(self._listed(process, len(names)), media_type="application/x-ndjson")

    async def _listed(self, process: asyncio.subprocess.Process, count: int) -> AsyncIterator[bytes]:
        assert process.stdout is not None
        try:
            yield encode({"files": count}) + b"\n"
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
        _, game = record.game_at(self.shelf.keeper(asked.file).games, asked.game)
        return record.looked(game, asked.seen, asked.branch)

    def _keeper(self, request: Request) -> Keeper:
        return self.shelf.keeper(request.query_params.get("file"))

    def _game(self, request: Request) -> Game:
        return record.game_at(self._keeper(request).games, number(request, "game"))[1]

    def _seen(self, request: Request) -> Game:
        return record.looked(self._game(request), request.query_params.get("seen"))


def _text(text: str) -> Response:
    """A text that a page takes, and that nothing shows by itself."""
    return Response(text, media_type="text/plain")
