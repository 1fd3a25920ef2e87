"""From the tokens of a game to its record and layout."""

from __future__ import annotations

from typing import NamedTuple, cast

from lark import Token

from couperation_formal.model.cards import Shown
from couperation_formal.model.record import Outcome, Record, Span, Turn, TurnLayout
from couperation_formal.notation.fault import Fault, shorten
from couperation_formal.notation.header import Header, read_header
from couperation_formal.notation.parse import Parsed
from couperation_formal.notation.words import action, cards, drawn, listed, span

MAX_TURNS = 2000
"""No game of fifty cards comes near so many turns."""


class Recorded(NamedTuple):
    """A record, and where the parts of it stand."""

    record: Record
    tags: dict[str, Span]
    lines: dict[str, Span]
    turns: tuple[TurnLayout, ...]
    result: Span | None


class _Setup(NamedTuple):
    deals: dict[str, tuple[Shown, ...]]
    reserve: tuple[Shown, ...] | None
    deck: tuple[Shown, ...] | None
    lines: dict[str, Span]


def build_record(parsed: Parsed) -> Recorded | list[Fault]:
    """The record that the tokens of a game make, or everything in them that is no CGN.

    Cost: linear, some 3 microseconds a turn and 55 for the tags and the set-up.
    """
    faults: list[Fault] = []
    header = read_header(parsed.tags, faults)
    if len(parsed.turns) > MAX_TURNS:
        place = span(parsed.turns[MAX_TURNS][0])
        return [*faults, Fault(place, f"a game has at most {MAX_TURNS} turns")]
    if header is None:
        return faults
    setup = _setup(parsed.setup, header, faults)
    if faults:
        return faults
    turns, places = _turns(parsed.turns)
    record = Record(
        tags=header.tags,
        players=header.players,
        rules=header.rules,
        variant=header.variant,
        marks=header.marks,
        deals=setup.deals,
        reserve=setup.reserve,
        deck=setup.deck,
        turns=turns,
        result=None if parsed.result in (None, "*") else cast("Outcome", str(parsed.result)),
    )
    result = None if parsed.result is None else span(parsed.result)
    return Recorded(record, header.spans, setup.lines, places, result)


def line_key(tokens: list[Token]) -> str:
    """The key of a set-up or position line in `Layout.lines`: its keyword, and the player of a deal or hand."""
    return f"{tokens[0]} {tokens[1]}" if tokens[0].type in ("DEAL", "HAND") else str(tokens[0])


def line_places(lines: list[list[Token]], players: tuple[str, ...], faults: list[Fault]) -> dict[str, Span]:
    """Where each line stands, by its key. Lines that stand twice and players that do not play go into `faults`."""
    known = frozenset(players)
    places: dict[str, Span] = {}
    for tokens in lines:
        keyword, key = tokens[0], line_key(tokens)
        place = Span(span(keyword).start, span(tokens[-1]).end)
        if key in places:
            faults.append(Fault(place, f"the line {shorten(key)} stands here a second time"))
        places.setdefault(key, place)
        if keyword.type in ("DEAL", "HAND", "TURN", "FRONT") and tokens[1] not in known:
            names = shorten(" ".join(players), 200)
            faults.append(Fault(span(tokens[1]), f"{shorten(tokens[1])} is not in the tag Players: {names}"))
    return places


def _setup(lines: list[list[Token]], header: Header, faults: list[Fault]) -> _Setup:
    deals: dict[str, tuple[Shown, ...]] = {}
    others: dict[str, tuple[Shown, ...]] = {}
    for tokens in lines:
        if tokens[0].type == "DEAL":
            deals[str(tokens[1])] = cards(tokens[2:])
        else:
            others[tokens[0].type] = cards(tokens[1:])
    return _Setup(deals, others.get("RESERVE"), others.get("DECK"), line_places(lines, header.players, faults))


def _turns(lines: list[list[Token]]) -> tuple[tuple[Turn, ...], tuple[TurnLayout, ...]]:
    turns, places = [], []
    for tokens in lines:
        turn, place = _turn(tokens)
        turns.append(turn)
        places.append(place)
    return tuple(turns), tuple(places)


def _turn(tokens: list[Token]) -> tuple[Turn, TurnLayout]:
    number, player, word = tokens[:3]
    at = 3
    draw: tuple[Shown, ...] = ()
    draw_place = None
    if word.type == "DRAW":
        draw, draw_place = drawn(word), span(word)
        word = tokens[3]
        at = 4
    glyphs: list[str] = []
    drop: tuple[Shown, ...] = ()
    trim: tuple[Shown, ...] = ()
    drop_place = trim_place = None
    for token in tokens[at:]:
        if token.type == "DROP":
            drop, drop_place = listed(token), span(token)
        elif token.type == "TRIM":
            trim, trim_place = listed(token), span(token)
        else:
            glyphs.append(str(token))
    turn = Turn(int(number[:-1]), str(player), draw, action(word), tuple(glyphs), drop, trim)
    return turn, TurnLayout(span(number), span(player), draw_place, span(word), drop_place, trim_place)
