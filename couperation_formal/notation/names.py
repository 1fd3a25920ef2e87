"""Names and look-alikes: which words of a line are names, and which characters were not what they look like."""

from __future__ import annotations

import re

from couperation_formal.model.diagnostic import Edit
from couperation_formal.model.record import Span
from couperation_formal.notation.fault import Fault
from couperation_formal.notation.lookalikes import found, look_alike, meant, mixed, plain, skeleton
from couperation_formal.notation.words import name_of, names_meant

_PLAYERS = re.compile(r'^[^\S\n]*[\[［【]\s*Players\s*["“”„＂]([^"“”„＂\n]*)', re.MULTILINE)
_TAG = re.compile("[\\s\u00ad\u200b-\u200f\u2060\ufeff]*[\\[［【]")
_GOOD_TAG = re.compile(r'[^\S\n]*\[[ \t]*(?P<name>[\x21-\x7e]+)[ \t]*"(?P<value>[^"\n]*)"[ \t]*\][ \t\r]*$')
_QUOTES = re.compile('[“”„‟″«»〝〞〟＂「」『』"]')
_NAMED = re.compile(
    r"(?P<before>[^\S\n]*(?:[0-9０-９]+[.．。]|deal|hand|turn|front)\s*)(?P<name>[^\s\";{}\[\]]+)", re.IGNORECASE
)
_STRICT = ("CGN", "Rules", "Variant", "Marks")


def players_of(text: str) -> tuple[str, ...]:
    """The players of a text that may have faults, as far as they can be told."""
    tag = _PLAYERS.search(text)
    if tag is None:
        return ()
    value = "".join(" " if meant(c) == " " else c for c in tag.group(1))
    words = value.split()
    as_listed = all(text.count(word) == 1 for word in words if word.endswith(",") and word != ",")
    return tuple(name_of(_name(word)) for word in (names_meant(value) if as_listed else words))


def _name(word: str) -> str:
    return skeleton(word) if mixed(word) else word


def look_alikes(line: str, players: tuple[str, ...]) -> list[Fault]:
    """The look-alikes of a line without comments, each with its edit, first place first. Names and free texts are
    theirs who wrote them, but for a name that only looks like a player's.
    """
    if plain(line):
        return []
    if _TAG.match(line):
        return _in_tag(line)
    named = _NAMED.match(line)
    if named is None:
        return list(found(line, 0, len(line)))
    start, end = named.span("name")
    return [*found(line, 0, start), *_in_name(line, start, end, players), *found(line, end, len(line))]


def _in_name(line: str, start: int, end: int, players: tuple[str, ...]) -> list[Fault]:
    name = name_of(line[start:end])
    if name in players:
        return []
    like = [player for player in players if skeleton(player) == skeleton(name)]
    if len(like) == 1:
        at = next((i for i in range(start, end) if not plain(line[i])), start)
        return [look_alike(line[at], at)._replace(edit=Edit(Span(start, end), like[0]))]
    return []


def _in_tag(line: str) -> list[Fault]:
    tag = _GOOD_TAG.match(line)
    if tag is None:
        return _around(line)
    start, end = tag.span("value")
    if tag["name"] in _STRICT:
        return list(found(line, start, end))
    if tag["name"] != "Players":
        return []
    faults = [each for each in found(line, start, end) if each.edit and each.edit.replacement == " "]
    for m in re.finditer(r"[^\s]+", line[start:end]):
        odd = mixed(m.group())
        if odd is not None:
            faults.append(look_alike(odd, start + m.start() + m.group().index(odd)))
    return faults


def _around(line: str) -> list[Fault]:
    """The look-alikes of a tag that has not its form yet: in its brackets, its name and the two quotes around its
    value."""
    quotes = [m.start() for m in _QUOTES.finditer(line)]
    first, last = (quotes[0], quotes[-1]) if len(quotes) > 1 else (len(line), len(line))
    faults = list(found(line, 0, min(first + 1, len(line))))
    if last > first:
        faults += found(line, last, len(line))
    return faults
