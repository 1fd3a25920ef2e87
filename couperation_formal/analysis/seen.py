"""Games and positions as one player, or the public, could have written them down."""

from __future__ import annotations

import re
from typing import NamedTuple, cast

from msgspec.structs import replace

from couperation_formal.game.fact import Unfit
from couperation_formal.game.record import Game, Snapshot
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import Rulings, unknown
from couperation_formal.game.seen import seen_position, seen_record
from couperation_formal.game.state import State
from couperation_formal.notation.read import read_text
from couperation_formal.notation.words import name_of, name_written
from couperation_formal.notation.write import position_text, record_text


class View(NamedTuple):
    """Who looks: a player by name, or (None) the public."""

    player: str | None


def view_of(name: str) -> View:
    """The view that a word names: ``public`` is everybody at the table, anything else a player, as is all between
    quotation marks, which no name holds.
    """
    return View(None if name == "public" else name_written(re.sub(r'^"(.*)"$', r"\1", name)))


def seen_by(item: Game | Snapshot, viewer: str | None = None) -> Game | Snapshot:
    """The game or position as the player `viewer`, or (None) the public, could have written it down (`game.seen`).

    Its text is canonical and nothing of the item's own: neither its comments nor where its lines stood. Raises
    `ValueError` where nobody of this name plays. Cost: that of reading the game once.
    """
    players = item.record.players if isinstance(item, Game) else item.position.players
    viewer = None if viewer is None else name_of(viewer)
    if viewer is not None and viewer not in players:
        raise Unfit(unknown("no_player_named", viewer, players))
    if isinstance(item, Game):
        return game_seen(item, viewer)
    position = seen_position(item.position, viewer)
    read = cast("Snapshot", next(read_text(position_text(position), item.file)))
    return replace(read, index=item.index, position=position)


def game_seen(game: Game, viewer: str | None) -> Game:
    """`seen_by` of a game, and nobody's name is asked."""
    record = seen_record(game.record, viewer)
    read = cast("Game", next(read_text(record_text(record), game.file)))
    return replace(read, index=game.index, record=record)


def states_seen(game: Game, rulings: Rulings) -> tuple[State, ...]:
    """The tables of a game that was `seen_by` somebody, as far as it tells them. Cost: one replay."""
    return replay(game.record, rulings).states
