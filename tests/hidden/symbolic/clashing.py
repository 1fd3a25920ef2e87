"""Short games with one copy, whose draws say something about marks, and what each allows: every choice of marks tried,
by the plain replay. They show all their cards, and only the marks are open.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import TypeVar

from msgspec.structs import replace

from couperation_formal.formulas.judge import NotShown, failing, tables
from couperation_formal.game.record import Record
from couperation_formal.game.replay import replay
from couperation_formal.game.tower import Mark, Value
from couperation_formal.hidden.symbolic.cards import MARKS
from couperation_formal.notation.read import read_text

CARDS = tuple(map(Value, (15, 17, 22, 25, 30)))
"""The cards whose marks these games ask for; 22 lies on 17 and 25."""

PLAYS = (("Ann", 17, "f1"), ("Bob", 30, "h1"), ("Ann", 22, "f2"), ("Bob", 15, "e1"), ("Ann", 40, "i1"))
World = tuple[Mark, ...]
Broken = dict[World, set[tuple[int, str]]]
"""The clauses that each choice of marks breaks, with their turns."""

_Of = TypeVar("_Of")


def game(rng: Random) -> Record:
    """A game of two turns with a tag, or one of up to five without, under rules that decide what a draw says."""
    hands = {"Ann": [17, 22, 40], "Bob": [30, 15, 9]}
    deck = iter((2, 3, 4, 5, 6, 8, 10, 11))
    tagged = rng.random() < 0.6
    turns = 2 if tagged else rng.choice((2, 4, 4, 5))
    text = '[CGN "1"]\n[Players "Ann Bob"]\n'
    text += f'[Marks "{rng.choice(CARDS)}:{rng.choice("12HH")}"]\n' if tagged else ""
    text += f'[Rules "ja-2.2 draw_amount={rng.choice(("exact", "up_to", "up_to", "up_to"))}'
    text += f' hearts_below={rng.choice(("zero_each", "zero_all"))}"]\n'
    text += "deal Ann 17 22 40\ndeal Bob 30 15 9\nreserve 1 50 12 33 44 7\n"
    for turn, (name, card, cell) in enumerate(PLAYS[:turns], start=1):
        count = rng.choice((0, 1, 1, 2)) if turn == 4 or rng.random() < 0.2 else 0
        drawn = [next(deck) for _ in range(count if turn > 1 else 0)]
        hands[name] += drawn
        hands[name].remove(card)
        dropped = [hands[name].pop() for _ in range(len(hands[name]) - 3)]
        text += f"{turn}. {name} +{','.join(map(str, drawn)) or 0} A {card}@{cell}"
        text += f" drop {','.join(map(str, dropped))}\n" if dropped else "\n"
    (found,) = read_text(text)
    record: Record = found.record  # type: ignore[union-attr]
    return record


def worlds(record: Record) -> frozenset[World]:
    """The marks of `CARDS` with which the record is legal."""
    return frozenset(
        world
        for world in product(MARKS, repeat=len(CARDS))
        if all(record.marks.get(card, mark) == mark for card, mark in zip(CARDS, world, strict=True))
        and replay(replace(record, marks=dict(zip(CARDS, world, strict=True))), record.rules.rulings).illegal is None
    )


def copy(rng: Random, count: int) -> tuple[list[Record], list[frozenset[World]]]:
    """So many games, each of them legal by itself, and the marks that each allows."""
    records: list[Record] = []
    allowed: list[frozenset[World]] = []
    while len(records) < count:
        record = game(rng)
        if some := worlds(record):
            records.append(record)
            allowed.append(some)
    return records, allowed


def borne(allowed: frozenset[World]) -> dict[Value, set[Mark]]:
    """The marks of each card that some world has."""
    return {card: {world[at] for world in allowed} for at, card in enumerate(CARDS)}


def clashes(allowed: list[frozenset[World]]) -> list[tuple[int, ...]]:
    """The least sets of games that no world is common to, the smallest first."""
    found: list[tuple[int, ...]] = []
    for size in range(2, len(allowed) + 1):
        for some in combinations(range(len(allowed)), size):
            if not any({*each} <= {*some} for each in found) and not common([allowed[i] for i in some]):
                found.append(some)
    return found


def common(sets: list[frozenset[_Of]]) -> frozenset[_Of]:
    """What all these sets have."""
    return sets[0].intersection(*sets)


def broken(record: Record) -> Broken:
    """What each choice of marks breaks, turn by turn, everything before as it was played: by the formulas alone."""
    found: Broken = {}
    looked_at = list(_broken(record, {}))
    for world in product(MARKS, repeat=len(CARDS)):
        borne = {*zip(CARDS, world, strict=True)}
        (wrong,) = [wrong for marks, wrong in looked_at if marks <= borne]
        found[world] = wrong | ({(0, "Marks")} if {*record.marks.items()} - borne else set())
    return found


def _broken(record: Record, marks: dict[Value, Mark]) -> Iterator[tuple[set[tuple[Value, Mark]], set[tuple[int, str]]]]:
    """The same for each choice of the further marks that some formula looks at."""
    try:
        values = enumerate(tables(replace(record, marks=marks), record.rules.rulings))
        yield (
            {*marks.items()},
            {
                (turn, clause)
                for turn, each in values
                for clause in failing(each, each.value("asked" if turn else "asked_at_setup"))
            },
        )
    except NotShown as hidden:
        for mark in MARKS:
            yield from _broken(record, {**marks, Value(hidden.number or 0): mark})
