"""The tags of a game: the required ones, the rules, the variant, the marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, cast, get_args

from lark import Token

from couperation_formal.model.board import STANDARD
from couperation_formal.model.cards import Mark, Value, Variant
from couperation_formal.model.record import Span
from couperation_formal.model.rulings import Rules, RulesError, parse_rules
from couperation_formal.notation.fault import Fault, shorten
from couperation_formal.notation.words import GAP, start_of

KNOWN = ("CGN", "Event", "Rules", "Variant", "Players", "Marks")
_WORD_LISTS = ("Rules", "Players", "Marks")
_TAG = re.compile(rf'\[{GAP}([^\s";{{}}\[\]]++){GAP}"([^"]*)"{GAP}\]')
_WORD = re.compile(r"\S+")
_MARKS: dict[str, tuple[Value, Mark]] = {
    f"{value}:{mark}": (Value(value), mark) for value in range(1, STANDARD.cards + 1) for mark in get_args(Mark)
}
"""Every mark by the way it is written."""


class Header(NamedTuple):
    """What the tags say. `spans` gives each tag's place, its brackets included."""

    tags: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    rules: Rules
    variant: Variant
    marks: dict[Value, Mark]
    spans: dict[str, Span]


class _Tag(NamedTuple):
    value: str
    start: int
    span: Span

    def words(self) -> Iterator[tuple[str, Span]]:
        """The words of the value, each with its place."""
        for m in _WORD.finditer(self.value):
            yield m.group(), Span(self.start + m.start(), self.start + m.end())

    @property
    def value_span(self) -> Span:
        return Span(self.start, self.start + len(self.value))


def read_header(tokens: list[Token], faults: list[Fault]) -> Header | None:
    """The header that the tags make, or None where something in them is amiss; what it is goes into `faults`."""
    before = len(faults)
    tags = _tags(tokens, faults)
    if not _known_version(tags, faults):
        return None
    players = _players(tags, faults)
    rules = _rules(tags.get("Rules"), faults)
    variant = _variant(tags.get("Variant"), faults)
    marks = _marks(tags["Marks"], faults) if "Marks" in tags else {}
    if len(faults) > before or rules is None:
        return None
    values = tuple(
        (name, " ".join(tag.value.split()) if name in _WORD_LISTS else tag.value) for name, tag in tags.items()
    )
    return Header(values, players, rules, variant, marks, {name: tag.span for name, tag in tags.items()})


def _tags(tokens: list[Token], faults: list[Fault]) -> dict[str, _Tag]:
    tags: dict[str, _Tag] = {}
    for token in tokens:
        start = start_of(token)
        for m in _TAG.finditer(token):
            name = m.group(1)
            span = Span(start + m.start(), start + m.end())
            if name in tags:
                faults.append(Fault(span, f"the tag {shorten(name)} stands here a second time"))
            else:
                tags[name] = _Tag(m.group(2), start + m.start(2), span)
    return tags


def _known_version(tags: dict[str, _Tag], faults: list[Fault]) -> bool:
    name, tag = next(iter(tags.items()))
    if name != "CGN":
        faults.append(Fault(tag.span, 'a game begins with the tag [CGN "1"]'))
    elif tag.value != "1":
        faults.append(Fault(tag.value_span, f'this reader knows CGN "1" only, not "{shorten(tag.value)}"'))
    return name == "CGN" and tag.value == "1"


def _players(tags: dict[str, _Tag], faults: list[Fault]) -> tuple[str, ...]:
    tag = tags.get("Players")
    if tag is None:
        message = 'the tag Players is missing: [Players "Aki Ben"] names the players, the First player first'
        like = next((name for name in tags if name.lower().startswith("player")), None)
        if like is not None:
            message += f" (there is a tag {shorten(like)})"
        faults.append(Fault(next(iter(tags.values())).span, message))
        return ()
    players = []
    for name, span in tag.words():
        players.append(name)
        bad = next((character for character in name if character in ";{}[]"), None)
        if bad is not None:
            faults.append(Fault(span, f"no name can hold the character {bad}: {shorten(name)}"))
    if not players:
        faults.append(Fault(tag.span, "the tag Players names nobody"))
    return tuple(players)


def _rules(tag: _Tag | None, faults: list[Fault]) -> Rules | None:
    try:
        return parse_rules("" if tag is None else " ".join(tag.value.split()))
    except RulesError as error:
        if tag is None:
            raise
        place = tag.value_span
        for word, span in tag.words():
            if word == error.word:
                place = span
        faults.append(Fault(place, str(error).replace(error.word, shorten(error.word) or "nothing")))
        return None


def _variant(tag: _Tag | None, faults: list[Fault]) -> Variant:
    value = "first" if tag is None else tag.value
    if value == "first" or value == "finish":
        return cast("Variant", value)
    if tag is not None:
        faults.append(Fault(tag.value_span, f'there is no variant "{shorten(value)}": it is first or finish'))
    return "first"


def _marks(tag: _Tag, faults: list[Fault]) -> dict[Value, Mark]:
    words = tag.value.split()
    marks = dict([_MARKS[word] for word in words if word in _MARKS])
    if len(marks) < len(words):
        seen: set[str] = set()
        for word, span in tag.words():
            value = word.partition(":")[0]
            if word not in _MARKS:
                faults.append(Fault(span, _mark_message(word)))
            elif value in seen:
                faults.append(Fault(span, f"card {value} has a mark already"))
            seen.add(value)
    return marks


def _mark_message(word: str) -> str:
    _, colon, mark = word.partition(":")
    if not colon:
        return f"{shorten(word)} is no mark: write value:mark, as in 17:2"
    if mark not in ("1", "2", "H"):
        return f"{shorten(word)} is no mark: a mark is 1, 2 or H, as in 17:2"
    return f"{shorten(word)} is no mark: the cards 1 to {STANDARD.cards} bear marks"
