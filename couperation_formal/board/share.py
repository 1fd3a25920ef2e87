"""Who may watch: each share is a token of its own for one file, and the addresses at which it lets somebody in.

| request | answer |
|---|---|
| `GET /api/share` | `{"addresses", "local", "shares"}`: what is shared now |
| `GET /api/share.svg?share=N&at=K` | the QR code of share N at address K |
| `POST /api/share` | `{"op": "open", "file"?, "game"?, "player"?}`: everybody's view, or a player's; all shares then |
| `POST /api/share` | `{"op": "close", "share": N}`: withdrawn, and who watches with it is let go |
"""

from __future__ import annotations

import io
from typing import Any, NamedTuple

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import Response

from couperation_formal.board.gate import May, Tokens
from couperation_formal.board.keeper import Keeper
from couperation_formal.board.record import game_at
from couperation_formal.board.shelf import Shelf
from couperation_formal.board.streams import Streams
from couperation_formal.board.wire import as_json, number, posted
from couperation_formal.model.fact import Unfit, fact
from couperation_formal.model.rulings import unknown

MOST = 40
"""So many shares there are at most."""


class Share(NamedTuple):
    """What a token shows: a game of a file, its last one with None; with no file the one that was written last."""

    number: int
    token: str
    may: May
    keeper: Keeper | None
    game: int | None


class _Open(msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag="open", forbid_unknown_fields=True):
    file: str | None = None
    game: int | None = None
    player: str | None = None


class _Close(msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag="close", forbid_unknown_fields=True):
    share: int


class Sharing:
    """The shares of a board. `addresses` are those by which others reach it; only this machine does where `local`."""

    def __init__(self, shelf: Shelf, tokens: Tokens, streams: Streams, addresses: tuple[str, ...], local: bool) -> None:
        self._shelf, self._tokens, self._streams = shelf, tokens, streams
        self.addresses, self.local = addresses, local
        self._shares: dict[str, Share] = {}
        self._made = 0
        self._written: Keeper | None = shelf.keeper(None) if shelf.folder is None else None

    def open(self, may: May, keeper: Keeper | None, game: int | None) -> Share:
        """A share, the same one where there is such a one. Raises `Unfit` where there are too many."""
        for share in self._shares.values():
            if share[2:] == (may, keeper, game):
                return share
        if len(self._shares) >= MOST:
            raise Unfit(fact("board_shares", most=MOST))
        self._made += 1
        share = Share(self._made, self._tokens.issue(may), may, keeper, game)
        self._shares[share.token] = share
        return share

    def first(self) -> Share:
        """The share of who comes in by what the terminal shows: everybody's view of the file, of a folder of the one
        that is written.
        """
        return self.open(May("watch"), self._shelf.keeper(None) if self._shelf.folder is None else None, None)

    def url(self, share: Share, at: int = 0) -> str:
        """The address that lets in with a share. Raises `LookupError`."""
        return f"http://{self.addresses[at]}/?token={share.token}"

    def shown(self, token: str) -> tuple[Keeper, int] | None:
        """The file and the number of the game that a token shows; None where there is no such game now."""
        share = self._shares.get(token)
        keeper = None if share is None else share.keeper or self._written
        if share is None or keeper is None:
            return None
        game = len(keeper.games) if share.game is None else share.game
        return (keeper, game) if 1 <= game <= len(keeper.games) else None

    def written(self, keeper: Keeper) -> None:
        """A file has a new revision: who watches it is told."""
        self._written = keeper

        def sees(token: str) -> bool:
            share = self._shares.get(token)
            return share is not None and share.keeper in (None, keeper)

        self._streams.changed(keeper.path.name, keeper.revision, sees)

    async def listed(self, _request: Request) -> Response:
        """What is shared."""
        return self._listed()

    async def post(self, request: Request) -> Response:
        """Share a game, or withdraw a share."""
        asked: _Open | _Close = posted(await request.body(), _Open | _Close)
        if isinstance(asked, _Open):
            keeper = self._shelf.keeper(asked.file)
            index = len(keeper.games) if asked.game is None else asked.game
            _, game = game_at(keeper.games, index)
            if asked.player is not None and asked.player not in game.record.players:
                raise Unfit(unknown("no_player_named", asked.player, game.record.players))
            may = May("watch") if asked.player is None else May("watch-as", asked.player)
            opened = self.open(may, keeper, None if index == len(keeper.games) else index)
            return self._listed(opened.number)
        token = self._share(asked.share).token
        del self._shares[token]
        self._tokens.withdraw(token)
        self._streams.drop(token)
        return self._listed()

    async def code(self, request: Request) -> Response:
        """The QR code of a share."""
        share = self._share(number(request, "share") or 0)
        made = io.BytesIO()
        code(self.url(share, number(request, "at") or 0)).save(made, kind="svg", scale=4, border=4, light="#fff")
        return Response(made.getvalue(), media_type="image/svg+xml")

    def _share(self, number: int) -> Share:
        return next((each for each in self._shares.values() if each.number == number), None) or _none(number)

    def _listed(self, opened: int | None = None) -> Response:
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
        return as_json({"addresses": self.addresses, "local": self.local, "shares": shares, "opened": opened})


def _none(number: int) -> Share:
    raise LookupError(number)


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
