"""Every world of a record in which each card lies where the record takes it from, by enumeration, judged by the
formulas: what provisos are held against.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, permutations, product
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from couperation_formal.formulas import judge as forms
from couperation_formal.formulas.judge import after, failing, judge, tables
from couperation_formal.formulas.writer import Values
from couperation_formal.game.record import Assumption, Exchange, LayDown, Record, Turn, cards_of, with_cards
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import all_cards
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Card, Mark, Shown, Value
from couperation_formal.hidden.symbolic.cards import MARKS
from tests.formulas.judge.turns import having
from tests.hidden.readings.quarrels import judged
from tests.hidden.symbolic.brute import TooMany

PLACES = ("SET06", "DRW05")
Cards = tuple[Shown, ...]


class World(NamedTuple):
    """A record with everything shown, and whether what was asked for is legal in it."""

    record: Record
    legal: bool


def some_hidden(record: Record, rng: Random, cards: int, marks: int) -> Record:
    """The record with so many of its cards unseen, at random places, and so many marks left out."""
    parts = [*_setup(record), *(part for turn in record.turns for part in _parts(turn))]
    slots = [(at, i) for at, part in enumerate(parts) for i, card in enumerate(part) if card is not FINISH]
    chosen = set(rng.sample(slots, min(cards, len(slots))))
    hidden = iter(
        [tuple(UNSEEN if (at, i) in chosen else card for i, card in enumerate(part)) for at, part in enumerate(parts)]
    )
    lost = set(rng.sample(sorted(record.marks), min(marks, len(record.marks))))
    kept: dict[Value, Mark] = {card: mark for card, mark in record.marks.items() if card not in lost}
    record = _with_setup(record, [next(hidden) for _ in _setup(record)])
    turns = tuple(_with_parts(turn, [next(hidden) for _ in _parts(turn)]) for turn in record.turns)
    tags = tuple(tag for tag in record.tags if tag[0] != "Marks")
    return replace(record, turns=turns, marks=kept, tags=tags)


def worlds(record: Record, at: int | None, rulings: Rulings, board: Board, asked: set[Value], most: int) -> list[World]:
    """Every world; `asked` are the cards whose marks are tried where they are not given. Raises `TooMany`."""
    found = []
    for placed in _placed(record, rulings, board):
        unmarked = sorted(asked - record.marks.keys())
        for marks in product(MARKS, repeat=len(unmarked)):
            world = replace(placed, marks={**record.marks, **dict(zip(unmarked, marks, strict=True))})
            if at is None:
                legal = judge(world, rulings, board).turn is None
            else:
                legal = [*judged(world, rulings, board)][at - 1] == ()
            found.append(World(world, legal))
            if len(found) > most:
                raise TooMany
    return found


def holds(literal: Assumption, world: Record) -> bool:
    """Whether a literal is true of a world."""
    return value_of(literal, world) in literal.values


def value_of(literal: Assumption, world: Record) -> Any:
    """The value that the unknown of a literal has in a world."""
    if literal.kind == "mark":
        return world.marks[Value(int(str(literal.of)))]
    if literal.kind == "place":
        lines = {**{f"deal {name}": cards for name, cards in world.deals.items()}, "reserve": world.reserve or ()}
        return next((line for line, cards in lines.items() if literal.of in cards), "deck")
    words = str(literal.of).split()
    if words[0] == "deck":
        return (world.deck or ())[int(words[1]) - 1]
    turn = world.turns[int(words[1]) - 1]
    return {"action": cards_of(turn.action), "drop": turn.drop, "trim": turn.trim}[words[2]][int(words[3]) - 1]


def _placed(record: Record, rulings: Rulings, board: Board) -> Iterator[Record]:
    """The record with its cards filled in, each where it is taken from."""
    every = sorted(all_cards(board, record.variant), key=str)
    lines = _setup(record)
    missing = [card for card in every if card != board.anchor and card not in {each for line in lines for each in line}]
    met = set()
    for chosen in permutations(missing, sum(line.count(UNSEEN) for line in lines)):
        cards = iter(chosen)
        filled = [tuple(next(cards) if card is UNSEEN else card for card in line) for line in lines]
        key = (*(frozenset(line) for line in filled[:-1]), filled[-1])
        world = _with_setup(record, filled)
        first = next(tables(world, rulings, board))
        if key in met or failing(first, first.value("asked_at_setup")):
            continue
        met.add(key)
        for turns in _played(first, record.turns, every, 1):
            yield replace(world, turns=turns)


def _played(values: Values, turns: Sequence[Turn], every: list[Card], place: int) -> Iterator[tuple[Turn, ...]]:
    if not turns:
        yield ()
        return
    parts = _parts(turns[0])
    for chosen in product(every, repeat=sum(part.count(UNSEEN) for part in parts)):
        cards = iter(chosen)
        filled = [tuple(next(cards) if card is UNSEEN else card for card in part) for part in parts]
        seen = 2 if isinstance(turns[0].action, LayDown) else 1
        cards_seen = zip(chain(*filled[:seen]), chain(*parts[:seen]), strict=True)
        if any(new is FINISH and old is UNSEEN for new, old in cards_seen):
            continue  # a Finish card that is drawn lies in front for all to see, and is not laid down unseen
        turn = _with_parts(turns[0], filled)
        here = having(values, **forms.turn_of(turn, place, values.value("W")))
        if not failing(here, PLACES):
            for rest in _played(after(here), turns[1:], every, place + 1):
                yield (turn, *rest)


def _setup(record: Record) -> list[Cards]:
    """The lines of the set-up, the deck last."""
    return [*record.deals.values(), record.reserve or (), record.deck or ()]


def _with_setup(record: Record, lines: Sequence[Cards]) -> Record:
    return replace(record, deals=dict(zip(record.deals, lines, strict=False)), reserve=lines[-2], deck=lines[-1])


def _parts(turn: Turn) -> list[Cards]:
    """The draw, the action, the fill, drop and trim; not what action D picks up."""
    cards = cards_of(turn.action)
    if isinstance(turn.action, Exchange) and turn.action.replaced is not None:
        cards = cards[:-1]
    return [turn.draw, cards, turn.fill, turn.drop, turn.trim]


def _with_parts(turn: Turn, parts: Sequence[Cards]) -> Turn:
    draw, cards, fill, drop, trim = parts
    old = cards_of(turn.action)
    action = with_cards(turn.action, (*cards, *old[len(cards) :]))
    return replace(turn, draw=draw, action=action, fill=fill, drop=drop, trim=trim)
