"""The game that is looked at: as somebody saw it, and with other turns from one on. Nothing of it is written.

A branch is kept as a comment behind the turn from which it goes, in words that can be read back (`spec/board.md`).
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from couperation_formal.board.record import Refused, Splice, line_end, only_game
from couperation_formal.game.fact import Unfit, fact
from couperation_formal.game.record import Comment, Game, Record
from couperation_formal.game.seen import seen_record
from couperation_formal.notation.read import Malformed, read_text
from couperation_formal.notation.write import record_text, turn_text

Line = Annotated[str, msgspec.Meta(max_length=2000)]
EVERYBODY = "table"
_KEPT = "what if: "
_BETWEEN = " / "


class Branch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What if: behind turn `after` of a game, 0 being the set-up, it went on with these turns."""

    after: int = msgspec.field(name="from")
    turns: Annotated[tuple[Line, ...], msgspec.Meta(max_length=100)] = ()


class Looked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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
    return msgspec.structs.replace(game, record=record, layout=msgspec.structs.replace(game.layout, comments=()))


def viewer(game: Game, seen: str) -> str | None:
    """Who looks: a player's name, or (None) everybody. Raises `Unfit`."""
    players = game.record.players
    if seen == EVERYBODY:
        return None
    if not (seen.isascii() and seen.isdigit() and len(seen) < 3 and int(seen) < len(players)):
        raise Unfit(fact("board_bad", why="seen"))
    return players[int(seen)]


def branched(game: Game, branch: Branch) -> Game:
    """The game with the turns of a branch behind turn `after`, in place of its own. Raises `Refused` with the reader's
    words, and `Unfit` where there is no such turn. Cost: that of reading the game.
    """
    record = game.record
    if not 0 <= branch.after <= len(record.turns):
        raise Unfit(fact("no_turn", turn=branch.after, turns=len(record.turns)))
    kept = msgspec.structs.replace(record, turns=record.turns[: branch.after], result=None)
    if any(len(line.splitlines()) != 1 for line in branch.turns):
        raise Refused(fact("one_turn"))
    items = list(read_text(record_text(kept).removesuffix("*\n") + "".join(f"{line}\n" for line in branch.turns)))
    if isinstance(items[0], Malformed):
        raise Refused(fact("board_reader", said=items[0].diagnostics[0].message))
    turns = items[0].record.turns if isinstance(items[0], Game) else ()
    if len(items) != 1 or len(turns) != branch.after + len(branch.turns):
        raise Refused(fact("one_turn"))
    own = tuple(
        msgspec.structs.replace(turn, number=branch.after + place)
        for place, turn in enumerate(turns[branch.after :], 1)
    )
    return _other(game, msgspec.structs.replace(kept, turns=(*kept.turns, *own)))


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
    stop = line_end(text, end)
    blank = start
    while blank > begin and text[blank - 1] in " \t":
        blank -= 1
    whole = [(begin, stop)] if not (text[begin:start] + text[end:stop]).strip() else []
    return [Splice(at, text[at:to], "") for at, to in (*whole, (blank, end), (start, end))]


def _leaves(text: str, game: Game, wanted: list[Comment]) -> bool:
    new = only_game(text, game.file)
    return new is not None and new.record == game.record and list(new.layout.comments) == wanted
