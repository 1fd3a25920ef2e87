"""Players' names in lines that have a fault: what is like a name, and a name that stands where something is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from couperation_formal.model.diagnostic import Edit
from couperation_formal.model.fact import fact
from couperation_formal.model.record import Span
from couperation_formal.notation.fault import Fault, shorten
from couperation_formal.notation.lines import line_fault
from couperation_formal.notation.words import meant_name, name_of, name_written

_NAMED = re.compile(r"\s*[0-9]+\.\s*(\S+)")
_NAME_AND = re.compile(r"(.+?)[:.,;]([A-D]|\+\S+)")
_BEFORE_NAME = re.compile(r"\s*(?:[0-9]+\.|deal|hand|turn|front)[ \t]*")
_LONGEST = 100
"""So far into a line a name with blanks is looked for."""
_JUNK = re.compile(r"\s*([0-9]+\.)\s*[-:.)|]+\s*")
_WORD = re.compile(r"[^\s;{]*")


class Known(NamedTuple):
    """What is known where a line is read: the players, the part of the game, and how many turns stand above."""

    players: tuple[str, ...]
    part: str
    turns: int


def misplaced(line: str, found: Fault, known: Known) -> Fault | None:
    """A player's name in place of something else: before the cards of a deal, or of a turn on another's line."""
    word = _WORD.match(line, found.span.start)
    name = word.group() if word else ""
    if name_of(name.rstrip(":.,")) not in known.players or found.edit is not None:
        return None
    player, rest = name.rstrip(":.,"), line[found.span.start + len(name) :]
    span, before = Span(found.span.start, found.span.start + len(name)), line[: found.span.start]
    if (
        not before.strip()
        and known.part in ("tags", "setup")
        and line_fault("setup", " ".join(("deal", player + rest))) is None
    ):
        meant = " ".join(("deal", player))
        return Fault(span, fact("deal_missing", meant=shorten(meant)), Edit(span, meant))
    junk = _JUNK.fullmatch(before)
    if junk:
        edit = Edit(Span(junk.end(1), len(before)), " ")
        return Fault(Span(junk.start(1), len(before.rstrip())), fact("begin_number", meant=junk.group(1)), edit)
    if line_fault("turns", before) is None and line_fault("turns", f"{known.turns + 2}. {player}{rest}") is None:
        meant = f"{known.turns + 2}. {player}"
        start = len(before.rstrip())
        return Fault(span, fact("line_alone", word=shorten(meant)), Edit(Span(start, span.end), f"\n{meant}"))
    return None


def name_like(line: str, players: Sequence[str]) -> Fault | None:
    """A turn's name that is a player's but for capitals and marks at its end."""
    m = _NAMED.match(line)
    name = m.group(1) if m else ""
    if m is None or name_of(name) in players:
        return None
    both = _NAME_AND.fullmatch(name)
    known = both and name_of(both.group(1)) in players
    like = " ".join(both.groups()) if both and known else meant_name(name, players)
    if like is None:
        return None
    what = fact("name_like", name=shorten(name), meant=like)
    return Fault(Span(*m.span(1)), what, Edit(Span(*m.span(1)), like))


def name_parted(line: str, found: Fault, players: Sequence[str]) -> Fault | None:
    """A name in which a blank stands for its ``_``, where the line cannot be read for it."""
    m = _BEFORE_NAME.match(line)
    start = m.end() if m else len(line)
    for word in reversed(list(re.finditer(r"\S+", line[start : start + _LONGEST]))):
        name, span = line[start : start + word.end()], Span(start, start + word.end())
        meant = name_written(name.strip("'‘’“”\":.,"))
        if not meant.count("_") or meant == name or meant not in players:
            continue
        acts = any(meant[: m.start()] in players for m in re.finditer("_[A-D](?=_|$)", meant))  # another's action
        if not acts and start <= found.span.start <= span.end + 1:
            return Fault(span, fact("name_like", name=shorten(name), meant=meant), Edit(span, meant))
    return None


def without_number(line: str, known: Known) -> Fault | None:
    """A turn that begins with a player's name."""
    word = line.split(maxsplit=1)[0]
    name = word.rstrip(":.,")
    if known.part not in ("tags", "setup", "turns") or name_of(name) not in known.players:
        return None
    numbered = f"{known.turns + 1}. {name}"
    if line_fault("turns", line.replace(word, numbered, 1)) is not None:
        return None
    start = line.index(word)
    span = Span(start, start + len(word))
    return Fault(span, fact("begin_missing", number=known.turns + 1, name=shorten(name)), Edit(span, numbered))


def name_missing(line: str, found: Fault, known: Known) -> Fault:
    """A turn in which an action's letter stands where the name of the player who is due should."""
    dot = line.rindex(".", 0, found.span.start) + 1
    due = known.players[known.turns % len(known.players)]
    return found._replace(edit=Edit(Span(dot, dot), f" {due}"))
