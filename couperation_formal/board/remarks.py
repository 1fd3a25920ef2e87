"""The comments of a game by the turn at which they stand, and how one of them is taken out."""

from __future__ import annotations

import io

from couperation_formal.board.record import Refused, Splice, encoded
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Comment, Game
from couperation_formal.notation.read import read_stream


def remarks(game: Game) -> list[list[Comment]]:
    """The comments at each place: before the first turn, at each turn. One that stands on lines of its own belongs to
    the turn that follows, behind the last turn to this one.
    """
    turns = len(game.record.turns)
    first = len(game.layout.tags) + len(game.layout.lines)
    found: list[list[Comment]] = [[] for _ in range(turns + 1)]
    for comment in game.layout.comments:
        place = 0 if comment.item == first and comment.slot < 0 else comment.item - first + 1
        found[min(max(place, 0), turns)].append(comment)
    return found


def said(comment: Comment) -> str:
    """What a comment says, without its delimiters."""
    text = comment.text
    return " ".join((text[1:] if text.startswith(";") else text[1:-1]).split())


def uncommented(game: Game, place: int, index: int) -> Splice:
    """The edit that takes a comment out: the one with this number, from 0, of those at a place; with its line, where
    that holds nothing else. Raises `Refused` where there is none.
    """
    there = remarks(game)
    if not (0 <= place < len(there) and 0 <= index < len(there[place])):
        raise Refused(fact("board_no_comment"))
    gone, text = there[place][index], game.layout.text
    wanted = [each for each in game.layout.comments if each is not gone]
    texts = dict.fromkeys((gone.text, gone.text.replace("\n", "\r\n")))
    for written in texts:
        at = text.find(written)
        while at >= 0:
            for splice in _cuts(text, at, at + len(written)):
                if _leaves(splice.on(text), game, wanted):
                    return splice
            at = text.find(written, at + 1)
    raise Refused(fact("board_no_comment"))


def _cuts(text: str, start: int, end: int) -> list[Splice]:
    """The ways to take a part out: with its whole line if nothing else stands there, with the blanks before it, and by
    itself.
    """
    begin = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end) + 1 or len(text)
    blank = start
    while blank > begin and text[blank - 1] in " \t":
        blank -= 1
    whole = [(begin, stop)] if not (text[begin:start] + text[end:stop]).strip() else []
    return [Splice(at, text[at:to], "") for at, to in (*whole, (blank, end), (start, end))]


def _leaves(text: str, game: Game, wanted: list[Comment]) -> bool:
    items = list(read_stream(io.BytesIO(encoded(text)), game.file))
    if len(items) != 1 or not isinstance(items[0], Game):
        return False
    return items[0].record == game.record and list(items[0].layout.comments) == wanted
