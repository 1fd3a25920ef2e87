"""Looking at a game: what if, what is taken along, and the games of the folder. No file of the board is written.

| request | answer |
|---|---|
| `POST /api/branch` | `{"file"?, "game"?, "seen"?, "branch"}`: `views.whole` with `branch` as it is written |
| `POST /api/branch` | the same with `"draft"` or `"line"`, `"disputed"?`: with this turn more; 422 as an edit |
| `POST /api/export` | `{"file"?, "game"?, "turn"?, "seen"?, "branch"?, "form", "theme"?}`: a text (`Form`) |
| `POST /api/folder` | `{}`: lines of JSON as they are found: `{"files": n}`, then `listing.rows` with `"file"` |
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from couperation_formal.board.beside import COMMAND, Beside
from couperation_formal.board.branch import Branch, Line, Looked, branch_of, looked, viewer
from couperation_formal.board.draft import Draft
from couperation_formal.board.edits import NotAllowed, PutTurn, accepted
from couperation_formal.board.judge import stood_before
from couperation_formal.board.keeper import Shelf
from couperation_formal.board.record import encoded, game_at
from couperation_formal.board.streams import Answer, as_json, posted
from couperation_formal.board.views import whole
from couperation_formal.game.fact import Unfit, fact
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game
from couperation_formal.notation.write import position_text, record_text, turn_text
from couperation_formal.output.svg_picture import Theme
from couperation_formal.questions.records.states import kept_tags
from couperation_formal.words.say import phrase

Form = Literal["position", "cgn", "svg", "report"]
_TIMEOUT = 120.0
_LIST = "from couperation_formal.board.listing import run; run()"


class _WhatIf(Looked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    branch: Branch
    draft: Draft | None = None
    line: Line | None = None
    disputed: bool = False


class _Export(Looked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    form: Form
    turn: int | None = None
    theme: Theme = "auto"


class _Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question that says no more."""


class Looking:
    """What the requests share: the files, and the processes that are at work."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._paging = Beside()
        self._listing = Beside()

    @property
    def posts(self) -> dict[str, Answer]:
        """The requests by their paths."""
        return {"/api/branch": self.branch, "/api/export": self.export, "/api/folder": self.folder}

    def close(self) -> None:
        """End what is at work, and begin nothing from now on."""
        self._paging.close()
        self._listing.close()

    async def branch(self, request: Request) -> Response:
        """A branch, with one turn more where one is told."""
        asked = posted(await request.body(), _WhatIf)
        game = looked(self._game(asked), asked.seen, asked.branch)
        after = asked.branch.after
        if asked.draft is not None or asked.line is not None:
            edit = PutTurn(revision=0, draft=asked.draft, line=asked.line, disputed=asked.disputed)
            try:
                turn = accepted(game, edit)
            except NotAllowed as error:
                return as_json({"said": str(error), "draft": error.told}, 422)
            turns = (*branch_of(game, after).turns, turn_text(turn))
            game = looked(self._game(asked), asked.seen, Branch(after=after, turns=turns))
        return as_json({**whole(game), "branch": branch_of(game, after)})

    async def export(self, request: Request) -> Response:
        """The table that is looked at as a text that can be taken along."""
        asked = posted(await request.body(), _Export)
        game = looked(self._game(asked), asked.seen, asked.branch)
        if asked.form == "report":
            return await self._report(asked, game)
        turns = len(game.record.turns)
        turn = turns if asked.turn is None else asked.turn
        if not 0 <= turn <= turns:
            raise Unfit(fact("no_turn", turn=turn, turns=turns))
        if asked.form == "cgn":
            return _text(record_text(game.record))
        state, rules = stood_before(game.record, turn + 1), game.record.rules
        position = position_of(state, rules, kept_tags(game))
        if asked.form == "position":
            return _text(position_text(position))
        from couperation_formal.output.svg import table_svg

        return _text(table_svg(position, rules.rulings, asked.theme, laid=state.touched))

    async def _report(self, asked: _Export, game: Game) -> Response:
        """The page that `couperation report` makes of the game: with its comments, where all of it is shown."""
        every = asked.seen in (None, "", "all")
        text = game.layout.text if every and asked.branch is None else record_text(game.record)
        name = None if every else viewer(game, asked.seen or "")
        more = [] if every else ["--as", "public" if name is None else f'"{name}"']
        with tempfile.TemporaryDirectory(prefix="couperation-", ignore_cleanup_errors=True) as folder:
            source, page = Path(folder) / "game.cgn", Path(folder) / "game.html"
            source.write_bytes(encoded(text))
            arguments = ["report", "--isolated", "--color", "never", *more, "-o", str(page), "--", str(source)]
            done = await self._paging.answer(COMMAND, *arguments, question=b"", most=_TIMEOUT)
            if done is None or not page.is_file():
                return as_json({"said": phrase("board_no_page")}, 409)
            return _text(page.read_text("utf-8"))

    async def folder(self, request: Request) -> Response:
        """The games of the files, told as they are read."""
        posted(await request.body(), _Nothing)
        names, folder = self._shelf.names, self._shelf.folder
        paths = [self._shelf.keeper(None).path] if folder is None else [folder / name for name in names]
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

    def _game(self, asked: Looked) -> Game:
        return game_at(self._shelf.keeper(asked.file).games, asked.game)[1]


def _text(text: str) -> Response:
    """A text that a page takes, and that nothing shows by itself."""
    return Response(text, media_type="text/plain")
