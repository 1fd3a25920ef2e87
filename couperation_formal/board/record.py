"""The games of a text, as they are looked at and as they are edited.

An edit is a splice of characters, so that all that was written elsewhere stays. It is tried before it counts: what it
makes is read, and must say what was meant and keep every comment.

A game is looked at as somebody saw it, and with other turns from one on (a branch). Nothing of that is written, until
the branch is kept as a comment behind the turn from which it goes, in words that can be read back (`spec/board.md`).
"""

import io
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from couperation_formal.game.fact import Text, Told, Unfit, fact, told
from couperation_formal.game.record import Comment, Game, Record, Span, Turn, TurnLayout
from couperation_formal.game.replay import replay
from couperation_formal.game.seen import seen_record
from couperation_formal.notation.read import Item, Malformed, read, read_stream
from couperation_formal.notation.write import record_text, turn_text
from couperation_formal.output.blocks import Part
from couperation_formal.output.formats import event_of
from couperation_formal.output.report import complaint
from couperation_formal.questions.records.check import as_known

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
    def back(self) -> "Splice":
        """The change that undoes this one."""
        return Splice(self.at, self.put, self.cut)


def decoded(data: bytes) -> str:
    """A file's bytes as a text; `encoded` gives the same bytes back, whatever they are."""
    return data.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    """The bytes of a text."""
    return text.encode("utf-8", "surrogateescape")


def items_of(text: str, file: str) -> list[Item]:
    """The games of a text. Cost: that of reading them."""
    return list(read_stream(io.BytesIO(encoded(text)), file))


def part_at(games: Sequence[Part], index: int) -> Part:
    """The part of this number, from 1. Raises `Unfit` where there is none."""
    if not 1 <= index <= len(games):
        raise Unfit("board_no_game", index=index, games=len(games))
    return games[index - 1]


def game_at(games: Sequence[Part], index: int | None) -> tuple[int, Game]:
    """The game of this number, from 1, the last one for None, with its offset. Raises `Unfit` where there is none that
    can be edited.
    """
    index = len(games) if index is None else index
    start, item = part_at(games, index)
    if not isinstance(item, Game):
        raise Unfit("board_not_a_game", index=index)
    return start, item


class Refused(Told, ValueError):
    """An edit that makes a text which does not say what was meant, or cannot be read."""


def _unread(item: Malformed) -> Refused:
    """A refusal in the reader's words."""
    return Refused("board_reader", said=item.diagnostics[0].what)


def placed_at(record: Record, place: int, first: int = 1, last: int = 0) -> None:
    """Raises `Unfit` where this is no place from `first` to `last` behind the record's last turn."""
    if not first <= place <= len(record.turns) + last:
        raise Unfit("no_turn", turn=place, turns=len(record.turns))


def started(text: str, record: Record) -> Splice:
    """The edit that adds a game at the end of a text."""
    end = _ends(text)
    gap = "" if not text.strip(_BOM) else ("" if text.endswith("\n") else end) + end
    return Splice(len(text), "", gap + record_text(record).replace("\n", end))


def appended(game: Game, turn: Turn) -> Splice:
    """The edit of a game's own text that adds a turn, and states the result that it reaches. Raises `Refused`."""
    text, layout, record = game.text, game.layout, game.record
    wanted = replace(record, turns=(*record.turns, turn))
    result = None if record.result is not None else reached(wanted)
    written = replace(wanted, result=record.result or result)
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
    raise Refused("board_unreadable", line=line)


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
    text, span = game.text, _turn(game, place).line
    within = re.findall(r"\{[^}]*\}", text[span.start : span.end])
    turns = game.record.turns
    wanted = replace(game.record, turns=(*turns[: place - 1], turn, *turns[place:]))
    new = " ".join([turn_text(turn), *within])
    changed = text[: span.start] + new + text[span.end :]
    if not _says(changed, wanted, game):
        raise Refused("board_unreadable", line=new)
    return Splice(span.start, text[span.start : span.end], new)


def taken_back(game: Game) -> Splice:
    """The edit that takes the last turn out, with the comments on its line; the game is then not over. Raises
    `Refused` where there is no turn.
    """
    text, record = game.text, game.record
    if not record.turns:
        raise Refused("board_no_turn")
    span, stated = game.layout.turns[len(record.turns) - 1].line, game.layout.result
    wanted = replace(record, turns=record.turns[:-1], result=None)
    start, end = text.rfind("\n", 0, span.start) + 1, line_end(text, span.end)
    for cut in (Span(start, end), span):
        rest = text[cut.end :]
        if stated is not None:
            rest = text[cut.end : stated.start] + "*" + text[stated.end :]
        new = text[: cut.start] + rest
        told = _read_as(new, wanted, game)
        if told is not None and len(told) <= len(game.layout.comments):
            return _between(text, new)
    raise Refused("board_unreadable", line=text[span.start : span.end])


def commented(game: Game, place: int, said: str) -> Splice:
    """The edit that adds a comment behind a turn; 0 is the set-up, whose comments stand behind its last line."""
    text, said = game.text, " ".join(said.split())
    spans = [*game.layout.tags.values(), *game.layout.lines.values()]
    at = _turn(game, place).line.end if place else max(span.end for span in spans)
    rest = text[at : line_end(text, at)]
    forms = [f" ; {said}"] * (not rest.strip()) + [f" {{ {said} }}"] * ("}" not in said)
    for form in forms if said else ():
        changed = text[:at] + form + text[at:]
        told = _read_as(changed, game.record, game)
        if told is not None and len(told) == len(game.layout.comments) + 1:
            return Splice(at, "", form)
    raise Refused("board_comment")


def retyped(item: Item, new: str) -> Splice:
    """The edit that puts a game's text as somebody typed it in place of its own, with its line ends. Raises `Refused`
    with the reader's words where that cannot be read as one game.
    """
    new = new.lstrip(_BOM)  # within a file it would hide where the game begins
    new = new if new.endswith("\n") else f"{new}\n"
    if "\r" not in new:  # a browser's field holds none
        new = new.replace("\n", _ends(item.text))
    items = items_of(new, item.file)
    if len(items) != 1:
        raise Refused("board_one_game")
    if isinstance(items[0], Malformed):
        raise _unread(items[0])
    if not isinstance(items[0], Game):
        raise Refused("game_wanted")
    return _between(item.text, new)


def outline(item: Item) -> dict[str, Any]:
    """What tells a game from others: its number, Event, players, and how many turns it has."""
    told = {"index": item.index, "event": event_of(item)}
    if isinstance(item, Game):
        return told | {"players": item.record.players, "turns": len(item.record.turns)}
    return told | {"players": () if isinstance(item, Malformed) else item.position.players, "turns": 0}


def typed(game: Game, text: str, place: int, player: str) -> Turn:
    """The turn that a typed line is, with or without number and name. Raises `Refused` with the reader's words."""
    line = text.strip()
    line = line if re.match(r"[0-9]+\.", line) else f"{place}. {player} {line}"
    turns = _turns(replace(game.record, turns=()), [line], game.file)
    if len(text.splitlines()) != 1:
        raise Refused("one_turn")
    return replace(turns[0], number=place)


def _turns(record: Record, lines: Sequence[str], file: str) -> tuple[Turn, ...]:
    """The turns that these lines are behind those of a record. Raises `Refused`, where the reader refuses one with its
    words.
    """
    head = record_text(replace(record, result=None)).removesuffix("*\n")
    items = items_of(head + "".join(f"{line}\n" for line in lines), file)
    if isinstance(items[0], Malformed):
        raise _unread(items[0])
    turns = items[0].record.turns if isinstance(items[0], Game) else ()
    if len(items) != 1 or len(turns) != len(record.turns) + len(lines):
        raise Refused("one_turn")
    return turns[len(record.turns) :]


def _turn(game: Game, place: int) -> TurnLayout:
    placed_at(game.record, place)
    return game.layout.turns[place - 1]


def reached(record: Record) -> str | None:
    """The result that a game has reached by its last turn, None while it goes on. Disputed turns before stand."""
    outcome = replay(record, record.rules.rulings)
    if outcome.illegal is not None:
        outcome = replay(record, record.rules.rulings, since=len(record.turns), hanging=False)
    return None if outcome.reached in (None, "unfinished") else outcome.reached


def _says(text: str, record: Record, game: Game) -> bool:
    """Whether a text reads as this record and keeps the comments of the game."""
    told = _read_as(text, record, game)
    return told is not None and sorted(each.text for each in told) == sorted(each.text for each in game.layout.comments)


def _read_as(text: str, record: Record, game: Game) -> tuple[Comment, ...] | None:
    """The comments of a text that reads as this record; None where it does not."""
    match items_of(text, game.file):
        case [Game() as new] if new.record == record:
            return new.layout.comments
    return None


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


Line = Annotated[str, Meta(max_length=2000)]
_KEPT = "what if: "
_BETWEEN = " / "


class Branch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What if: behind turn `after` of a game, 0 being the set-up, it went on with these turns."""

    after: int = field(name="from")
    turns: Annotated[tuple[Line, ...], Meta(max_length=100)] = ()


class Looked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which game is looked at, the last one of the file if left out, and how: as `looked` takes it."""

    file: str | None = None
    game: int | None = None
    seen: str | None = None
    branch: Branch | None = None


def looked(game: Game, seen: str | None = None, branch: Branch | None = None) -> Game:
    """The game as `seen` by everybody (`table`) or by the player with this number, from 0, else with all that it shows;
    then with the turns of a branch. It has no comments then; the rest of its layout stays the game's own. Raises
    `Refused` and `Unfit`.
    """
    if seen not in (None, "", "all"):
        game = _other(game, seen_record(game.record, viewer(game, seen or "")))
    return game if branch is None else branched(game, branch)


def _other(game: Game, record: Record) -> Game:
    return replace(game, record=record, layout=replace(game.layout, comments=()))


def viewer(game: Game, seen: str) -> str | None:
    """Who looks: a player's name, or (None) everybody. Raises `Unfit`."""
    players = game.record.players
    if seen == "table":
        return None
    if not (seen.isascii() and seen.isdigit() and len(seen) < 3 and int(seen) < len(players)):
        raise Unfit("board_bad", why="seen")
    return players[int(seen)]


def branched(game: Game, branch: Branch) -> Game:
    """The game with the turns of a branch behind turn `after`, in place of its own. Raises `Refused` with the reader's
    words, and `Unfit` where there is no such turn. Cost: that of reading the game.
    """
    record, after = game.record, branch.after
    placed_at(record, after, first=0)
    kept = replace(record, turns=record.turns[:after], result=None)
    if any(len(line.splitlines()) != 1 for line in branch.turns):
        raise Refused("one_turn")
    turns = _turns(kept, branch.turns, game.file)
    own = (replace(turn, number=place) for place, turn in enumerate(turns, after + 1))
    return _other(game, replace(kept, turns=(*kept.turns, *own)))


def branch_of(game: Game, after: int) -> Branch:
    """The turns of a game behind turn `after`, as they are written."""
    return Branch(after=after, turns=tuple(map(turn_text, game.record.turns[after:])))


def kept(branch: Branch) -> str:
    """A branch as a comment says it: ``what if: 5. Mira +0 A 8@d1 / 6. Tomas …``. No name holds a blank, so nothing
    else in it can part two turns.
    """
    return _KEPT + _BETWEEN.join(branch.turns)


def told_branch(game: Game, place: int, said: str) -> Branch | None:
    """The branch that a comment behind the turn at this place tells; None where it tells none that can be read."""
    if not said.startswith(_KEPT):
        return None
    turns = tuple(each.strip() for each in said.removeprefix(_KEPT).split(_BETWEEN))
    try:
        return branch_of(branched(game, Branch(after=place, turns=turns)), place)
    except (Refused, Unfit):
        return None


# The comments of a game by the turn at which they stand, and how one of them is taken out.


def remarks(game: Game) -> list[list[Comment]]:
    """The comments at each place: before the first turn, at each turn. One that stands on lines of its own belongs to
    the turn that follows, behind the last turn to this one.
    """
    turns = len(game.record.turns)
    first = len(game.layout.tags) + len(game.layout.lines)
    by_place: list[list[Comment]] = [[] for _ in range(turns + 1)]
    for comment in game.layout.comments:
        place = 0 if comment.item == first and comment.slot < 0 else comment.item - first + 1
        by_place[min(max(place, 0), turns)].append(comment)
    return by_place


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
        raise Refused("board_no_comment")
    gone, text = there[place][index], game.text
    wanted = tuple(each for each in game.layout.comments if each is not gone)
    texts = dict.fromkeys((gone.text, gone.text.replace("\n", "\r\n")))
    for written in texts:
        at = text.find(written)
        while at >= 0:
            for splice in _cuts(text, at, at + len(written)):
                if _read_as(splice.on(text), game.record, game) == wanted:
                    return splice
            at = text.find(written, at + 1)
    raise Refused("board_no_comment")


def _cuts(text: str, start: int, end: int) -> list[Splice]:
    """The ways to take a part out: with its whole line if nothing else stands there, with the blanks before it, and by
    itself.
    """
    begin = text.rfind("\n", 0, start) + 1
    stop = line_end(text, end)
    blank = len(text[:start].rstrip(" \t"))
    whole = [(begin, stop)] if not (text[begin:start] + text[end:stop]).strip() else []
    return [Splice(at, text[at:to], "") for at, to in (*whole, (blank, end), (start, end))]


# The games of many files, one line of JSON each, as fast as the rules are asked: the work of a process of its own.

MOST_TOLD = 200
"""So many games of a file are told."""


def tell() -> None:
    """Read a language, names and paths from the input, as JSON, and tell the games of each; whoever reads them may
    leave.
    """
    language, files = json.load(sys.stdin)
    try:
        for name, path in files:
            for row in rows(Path(path)):
                said = {"said": told(row["said"], language)} if "said" in row else {}
                print(json.dumps({"file": name, **row, **said}), flush=True)
    except BrokenPipeError:
        os._exit(1)  # nobody is there to whom the rest could be told


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """A row for each game of a file, none where it is not there yet; then one with `more` where it has more than are
    told, or `said` why none is.
    """
    try:
        for item in read(path):
            if item.index > MOST_TOLD:
                yield {"more": MOST_TOLD}
                return
            yield row(item)
    except FileNotFoundError:
        return
    except OSError as error:
        yield {"said": fact("cannot_read", file=path.name, why=error.strerror or str(error))}


def row(item: Item) -> dict[str, Any]:
    """What is told of one game: the verdict as far as the cards are known, with the result or the first error."""
    if isinstance(item, Malformed):
        return outline(item) | {"verdict": "malformed", "said": item.diagnostics[0].what}
    if not isinstance(item, Game):
        return outline(item) | {"verdict": "position", "said": ""}
    report = as_known(item)
    said: Text = fact("liveboard_undetermined") if report.verdict == "undetermined" else report.told
    if report.error is not None:
        said = fact("sentences", parts=(said, complaint(report.error, item)))
    return outline(item) | {"verdict": report.verdict, "said": said}
