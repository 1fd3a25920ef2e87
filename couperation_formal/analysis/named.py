"""What a game is called in the text of an answer."""

from __future__ import annotations

from couperation_formal.words.say import phrase


def game_named(file: str, game: int) -> str:
    """The file and the number of a game; the number alone of one that comes from no file."""
    return phrase("unnamed_game", game=game) if file == "-" else phrase("the_game", file=file, game=game)
