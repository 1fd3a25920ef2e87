"""From the tokens of a game to its record and layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

from lark import Token

from couperation_formal.model.cards import Shown
from couperation_formal.model.diagnostic import Edit
from couperation_formal.model.fact import fact
from couperation_formal.model.record import Outcome, Record, Span, Turn
from couperation_formal.notation.fault import Fault, fault, shorten
from couperation_formal.notation.header import Header, read_header
from couperation_formal.notation.parse import Lines, Parsed
from couperation_formal.notation.turns import turn_lines, turn_of
from couperation_formal.notation.words import cards, meant_name, name_of, names_meant, span, split_words, start_of

MAX_TURNS = 2000
"""No game of fifty cards comes near so many turns."""


class Recorded(NamedTuple):
    """A record, and where the parts of it stand; of its turns where each begins."""

    record: Record
    tags: dict[str, Span]
    lines: dict[str, Span]
    turns: list[int]
    result: Span | None


class Line(NamedTuple):
    """A line of the set-up or of a position: its words, where it stands, and where its second word begins."""

    words: list[str]
    place: Span
    second: int


class _Setup(NamedTuple):
    deals: dict[str, tuple[Shown, ...]]
    reserve: tuple[Shown, ...] | None
    deck: tuple[Shown, ...] | None
    lines: dict[str, Span]


def build_record(parsed: Parsed) -> Recorded | list[Fault]:
    """The record that the tokens of a game make, or everything in them that is no CGN.

    Cost: linear, some 2 microseconds a turn and 40 for the tags and the set-up.
    """
    faults: list[Fault] = []
    header = read_header(parsed.tags, faults)
    starts: list[int] = []
    turns: list[Turn] = []
    ascii_names = header is None or "".join(header.players).isascii()
    for start, words in turn_lines(parsed.turns):
        if len(turns) == MAX_TURNS:
            return [*faults, Fault(Span(start, start + len(words[0])), fact("many_turns", most=MAX_TURNS))]
        starts.append(start)
        if not ascii_names:
            words[1] = name_of(words[1])
        turns.append(turn_of(words))
    if header is None:
        return faults
    unknown: list[Fault] = []
    setup = _setup(parsed.setup, header, unknown)
    commas = _commas(header, {turn.player for turn in turns} | setup.deals.keys())
    faults += commas or unknown
    if faults:
        return faults
    record = Record(
        tags=header.tags,
        players=header.players,
        rules=header.rules,
        variant=header.variant,
        marks=header.marks,
        deals=setup.deals,
        reserve=setup.reserve,
        deck=setup.deck,
        turns=tuple(turns),
        result=None if parsed.result in (None, "*") else cast("Outcome", str(parsed.result)),
    )
    result = None if parsed.result is None else span(parsed.result)
    return Recorded(record, header.spans, setup.lines, starts, result)


def _commas(header: Header, named: set[str]) -> list[Fault]:
    """Commas between the players' names or quotes around them, where a line names a player without: a name may end in
    a comma, or be one.
    """
    players, place = set(header.players), header.named.value_span
    if named <= players and (len(named) < 2 or not players & {"and", "und", "&"}):  # one may be a name
        return []
    names = names_meant(header.named.value)
    if not named <= set(names):
        return []
    return [Fault(place, fact("players_comma", names=tuple(map(shorten, names))), Edit(place, " ".join(names)))]


def line_key(words: list[str]) -> str:
    """The key of a set-up or position line in `Layout.lines`: its keyword, and the player of a deal or hand."""
    return f"{words[0]} {name_of(words[1])}" if words[0] in ("deal", "hand") else words[0]


def line_of(tokens: list[Token]) -> Line:
    """A line from its tokens, which hold no comments."""
    place = Span(start_of(tokens[0]), span(tokens[-1]).end)
    return Line(split_words(tokens), place, start_of(tokens[1]) if len(tokens) > 1 else place.end)


def line_places(lines: Iterable[Line], players: tuple[str, ...], faults: list[Fault]) -> dict[str, Span]:
    """Where each line stands, by its key. Lines that stand twice and players that do not play go into `faults`."""
    places: dict[str, Span] = {}
    for words, place, second in lines:
        key = line_key(words)
        if key in places:
            faults.append(Fault(place, fact("line_twice", line=shorten(key))))
        places.setdefault(key, place)
        if (
            words[0] in ("deal", "hand", "turn", "front")
            and (name := words[1]) not in players
            and name_of(name) not in players
        ):
            names = shorten(" ".join(players), 200)
            what = fact("no_such_player", name=shorten(name), names=names)
            faults.append(fault(second, name, what, meant_name(name, players)))
    return places


def _setup_lines(parsed: Lines) -> Iterator[Line]:
    for part in parsed:
        if isinstance(part, Token):
            start = start_of(part)
            for text in part.split("\n"):
                words = text.split()
                second = text.find(words[1], len(words[0])) if len(words) > 1 else len(text)
                yield Line(words, Span(start, start + len(text.rstrip())), start + second)
                start += len(text) + 1
        else:
            yield line_of(part)


def _setup(parsed: Lines, header: Header, faults: list[Fault]) -> _Setup:
    deals: dict[str, tuple[Shown, ...]] = {}
    others: dict[str, tuple[Shown, ...]] = {}
    lines = list(_setup_lines(parsed))
    for words, _, _ in lines:
        if words[0] == "deal":
            deals[name_of(words[1])] = cards(words[2:])
        else:
            others[words[0]] = cards(words[1:])
    return _Setup(deals, others.get("reserve"), others.get("deck"), line_places(lines, header.players, faults))
