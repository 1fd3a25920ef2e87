"""What somebody who watches may know of a game. Nothing else of it may reach an answer to who does not write."""

from __future__ import annotations

from couperation_formal.analysis.seen import game_seen
from couperation_formal.board.gate import May
from couperation_formal.game.record import Game


def viewer(game: Game, may: May) -> str | None:
    """The player as whom a game is watched; None where that is everybody, as it is for who does not play it."""
    return may.name if may.name in game.record.players else None


def seen_as(game: Game, may: May) -> Game:
    """The game as who holds this token may know it: all of it who writes, else what `game.seen` says of the player, or
    of everybody. Cost: that of reading the game once.
    """
    return game if may.kind == "write" else game_seen(game, viewer(game, may))
