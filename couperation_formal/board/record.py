"""The games of a text, and its edits: a splice of characters each, so that all that was written elsewhere stays.

An edit is tried before it counts: what it makes is read, and must say what was meant and keep every comment.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from couperation_formal.game.fact import Told, Unfit, fact
from couperation_formal.game.record import Game, Record, Span, Turn, TurnLayout
from couperation_formal.game.replay import replay
from couperation_formal.notation.read import Item, Malformed, read_stream, split
from couperation_formal.notation.write import record_text, turn_text
from couperation_formal.output.data import tag_of

_COMMENT = re.compile(r"\{[^}]*\}")
_BOM = "\ufeff"


class Splice(NamedTuple):
    """A change of a text: at this offset `cut` is taken out and `put` is put in."""

    at: int
    cut: str
    put: str

    def on(self, text: str) -> str:
        """The text with the change. Raises `ValueError` where `cut` does not stand there."""
        if not text.startswith(self.cut, self.at):
            raise ValueError(self.at)
        return text[: self.at] + self.put + text[self.at + len(self.cut) :]

    @property
    def back(self) -> Splice:
        """The change that undoes this one."""
        return Splice(self.at, self.put, self.cut)


class Part(NamedTuple):
    """One game of a text, and where in the text its own begins."""

    start: int
    item: Item


def decoded(data: bytes) -> str:
    """A file's bytes as a text; `encoded` gives the same bytes back, whatever they are."""
    return data.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    """The bytes of a text."""
    return text.encode("utf-8", "surrogateescape")


def parts(text: str, file: str) -> tuple[Part, ...]:
    """The games of a text. Cost: that of reading them."""
    data = encoded(text)
    items = list(read_stream(io.BytesIO(data), file))
    lines = [piece.line for piece in split(io.BytesIO(data))]
    found, line, start = [], 1, len(_BOM) if text.startswith(_BOM) else 0
    for item, wanted in zip(items, lines, strict=True):
        while line < wanted:
            start = text.find("\n", start) + 1
            line += 1
        found.append(Part(start, item))
    return tuple(found)


def game_at(games: Sequence[Part], index: int | None) -> tuple[int, Game]:
    """The game of this number, from 1, the last one for None, with its offset. Raises `Unfit` where there is none that
    can be edited.
    """
    index = len(games) if index is None else index
    if not 1 <= index <= len(games):
        raise Unfit(fact("board_no_game", index=index, games=len(games)))
    start, item = games[index - 1]
    if not isinstance(item, Game):
        raise Unfit(fact("board_not_a_game", index=index))
    return start, item


class Refused(Told, ValueError):
    """An edit that makes a text which does not say what was meant, or cannot be read."""


def started(text: str, record: Record) -> Splice:
    """The edit that adds a game at the end of a text."""
    end = _ends(text)
    gap = "" if not text.strip(_BOM) else ("" if text.endswith("\n") else end) + end
    return Splice(len(text), "", gap + record_text(record).replace("\n", end))


def appended(game: Game, turn: Turn) -> Splice:
    """The edit of a game's own text that adds a turn, and states the result that it reaches. Raises `Refused`."""
    text, layout, record = game.layout.text, game.layout, game.record
    wanted = msgspec.structs.replace(record, turns=(*record.turns, turn))
    result = None if record.result is not None else _reached(wanted)
    written = msgspec.structs.replace(wanted, result=record.result or result)
    spans = [*layout.tags.values(), *layout.lines.values(), *(each.line for each in layout.turns)]
    last = max((span.end for span in spans), default=0)
    end, line = _ends(text), turn_text(turn)
    at_end = layout.result.start if layout.result else len(text)
    places = (line_end(text, last), at_end) if record.turns else (at_end, line_end(text, last))
    for at in dict.fromkeys(places):
        head = text[:at]
        new = f"{head}{'' if not head or head.endswith(chr(10)) else end}{line}{end}{_stated(text, at, game, result)}"
        if _says(new, written, game):
            return _between(text, new)
    raise Refused(fact("board_unreadable", line=line))


def _stated(text: str, at: int, game: Game, result: str | None) -> str:
    """What follows the new turn: the rest, with the result where one is to be stated."""
    rest, stated = text[at:], game.layout.result
    if result is None:
        return rest
    if stated is not None and stated.start >= at:
        return rest[: stated.start - at] + result + rest[stated.end - at :]
    return f"{result}{_ends(text)}{rest}"


def replaced(game: Game, place: int, turn: Turn) -> Splice:
    """The edit that puts another turn in the place of one; comments within it stand behind it then."""
    text, span = game.layout.text, _turn(game, place).line
    within = _COMMENT.findall(text[span.start : span.end])
    turns = game.record.turns
    wanted = msgspec.structs.replace(game.record, turns=(*turns[: place - 1], turn, *turns[place:]))
    new = " ".join([turn_text(turn), *within])
    changed = text[: span.start] + new + text[span.end :]
    if not _says(changed, wanted, game):
        raise Refused(fact("board_unreadable", line=new))
    return Splice(span.start, text[span.start : span.end], new)


def taken_back(game: Game) -> Splice:
    """The edit that takes the last turn out, with the comments on its line; the game is then not over. Raises
    `Refused` where there is no turn.
    """
    text, record = game.layout.text, game.record
    if not record.turns:
        raise Refused(fact("board_no_turn"))
    span, stated = game.layout.turns[len(record.turns) - 1].line, game.layout.result
    wanted = msgspec.structs.replace(record, turns=record.turns[:-1], result=None)
    start, end = text.rfind("\n", 0, span.start) + 1, line_end(text, span.end)
    for cut in (Span(start, end), span):
        rest = text[cut.end :]
        if stated is not None:
            rest = text[cut.end : stated.start] + "*" + text[stated.end :]
        new = text[: cut.start] + rest
        if _says(new, wanted, game, fewer=True):
            return _between(text, new)
    raise Refused(fact("board_unreadable", line=text[span.start : span.end]))


def commented(game: Game, place: int, said: str) -> Splice:
    """The edit that adds a comment behind a turn; 0 is the set-up, whose comments stand behind its last line."""
    text, said = game.layout.text, " ".join(said.split())
    spans = [*game.layout.tags.values(), *game.layout.lines.values()]
    at = _turn(game, place).line.end if place else max(span.end for span in spans)
    rest = text[at : line_end(text, at)]
    forms = [f" ; {said}"] * (not rest.strip()) + [f" {{ {said} }}"] * ("}" not in said)
    for form in forms if said else ():
        changed = text[:at] + form + text[at:]
        if _says(changed, game.record, game, more=1):
            return Splice(at, "", form)
    raise Refused(fact("board_comment"))


def retyped(item: Item, new: str) -> Splice:
    """The edit that puts a game's text as somebody typed it in place of its own, with its line ends. Raises `Refused`
    with the reader's words where that cannot be read as one game.
    """
    new = new.lstrip(_BOM)  # within a file it would hide where the game begins
    new = new if new.endswith("\n") else f"{new}\n"
    if "\r" not in new:  # a browser's field holds none
        new = new.replace("\n", _ends(own_text(item)))
    items = list(read_stream(io.BytesIO(encoded(new)), item.file))
    if len(items) != 1:
        raise Refused(fact("board_one_game"))
    if isinstance(items[0], Malformed):
        raise Refused(fact("board_reader", said=items[0].diagnostics[0].message))
    if not isinstance(items[0], Game):
        raise Refused(fact("game_wanted"))
    return _between(own_text(item), new)


def outline(item: Item) -> dict[str, Any]:
    """What tells a game from others: its number, Event, players, and how many turns it has."""
    told = {"index": item.index, "event": tag_of(item, "Event"), "players": (), "turns": 0}
    if isinstance(item, Malformed):
        return told
    if isinstance(item, Game):
        return told | {"players": item.record.players, "turns": len(item.record.turns)}
    return told | {"players": item.position.players}


def own_text(item: Item) -> str:
    """The text of one game as it stands in its file."""
    return item.text if isinstance(item, Malformed) else item.layout.text


def typed(game: Game, text: str, place: int, player: str) -> Turn:
    """The turn that a typed line is, with or without number and name. Raises `Refused` with the reader's words."""
    line = text.strip()
    line = line if re.match(r"[0-9]+\.", line) else f"{place}. {player} {line}"
    head = record_text(msgspec.structs.replace(game.record, turns=(), result=None)).removesuffix("*\n")
    item = next(iter(read_stream(io.BytesIO(encoded(f"{head}{line}\n")), game.file)))
    if isinstance(item, Malformed):
        raise Refused(fact("board_reader", said=item.diagnostics[0].message))
    turns = item.record.turns if isinstance(item, Game) else ()
    if len(turns) != 1 or len(text.splitlines()) != 1:
        raise Refused(fact("one_turn"))
    return msgspec.structs.replace(turns[0], number=place)


def _turn(game: Game, place: int) -> TurnLayout:
    if not 1 <= place <= len(game.record.turns):
        raise Unfit(fact("no_turn", turn=place, turns=len(game.record.turns)))
    return game.layout.turns[place - 1]


def _reached(record: Record) -> str | None:
    """The result that a game has reached by its last turn, None while it goes on. Disputed turns before stand."""
    outcome = replay(record, record.rules.rulings)
    if outcome.illegal is not None:
        outcome = replay(record, record.rules.rulings, since=len(record.turns), hanging=False)
    return None if outcome.reached in (None, "unfinished") else outcome.reached


def _says(text: str, record: Record, game: Game, fewer: bool = False, more: int = 0) -> bool:
    """Whether a text reads as this record and keeps the comments of the game, but for some that may be `fewer`."""
    new = only_game(text, game.file)
    if new is None:
        return False
    before = sorted(each.text for each in game.layout.comments)
    after = sorted(each.text for each in new.layout.comments)
    kept = len(after) <= len(before) if fewer else len(after) == len(before) + more
    return new.record == record and kept and (fewer or more > 0 or before == after)


def only_game(text: str, file: str) -> Game | None:
    """The game that this text is; None where it is another thing, or several."""
    items = list(read_stream(io.BytesIO(encoded(text)), file))
    return items[0] if len(items) == 1 and isinstance(items[0], Game) else None


def _between(old: str, new: str) -> Splice:
    """The least splice that makes one text of the other."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    return Splice(head, old[head : len(old) - tail], new[head : len(new) - tail])


def line_end(text: str, at: int) -> int:
    """The offset behind the line end that follows."""
    return text.find("\n", at) + 1 or len(text)


def _ends(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
