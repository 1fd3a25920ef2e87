"""Provisos on small boards are the legal worlds enumerated: exact ones say just which they are, by terms of which none,
no literal of one and no smaller set of values would do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

import pytest

from couperation_formal.model.board import Board
from couperation_formal.model.budget import Steps
from couperation_formal.model.cards import Value
from couperation_formal.model.proviso import Literal, Proviso
from couperation_formal.model.record import Record
from couperation_formal.model.rulings import registry
from couperation_formal.notation.write import record_text
from couperation_formal.readings.replayed import cut
from couperation_formal.smt.provisos import MOST, Provisos, proviso
from couperation_formal.symbolic.record import symbolic
from tests.symbolic.brute import TooMany
from tests.symbolic.provisos_brute import World, holds, some_hidden, value_of, worlds
from tests.symbolic.records import LONG, TINY, sampled, spoiled

EACH = 60 if LONG else 12


class Case(NamedTuple):
    """A record, the turn to judge by itself (None: the whole record), and the cards whose marks were lost."""

    record: Record
    at: int | None
    board: Board
    lost: set[Value]


def case(seed: int) -> Case:
    """A small game, maybe spoiled, with some cards and marks lost."""
    rng, board = Random(f"provisos {seed}"), TINY[seed % len(TINY)]
    full = sampled(seed, board)
    if rng.random() < 0.5:
        full = spoiled(full, rng, board, 1)
    full = cut(full, rng.randint(1, len(full.turns))) if full.turns and rng.random() < 0.7 else full
    record = some_hidden(full, rng, rng.choice((0, 1, 2, 3)), rng.choice((0, 2, 4)))
    at = len(record.turns) if record.turns and rng.random() < 0.4 else None
    record = record if at is None else cut(record, at)
    return Case(record, at, board, set(full.marks) - set(record.marks))


def all_hold(term: Iterable[Literal], world: World) -> bool:
    return all(holds(literal, world.record) for literal in term)


def prime(found: Proviso, every: list[World], text: str) -> None:
    """No literal is needless, none names what cannot be, and none leaves out a value that would do."""
    for term in found.terms:
        for literal in term:
            beside = [world for world in every if all_hold((each for each in term if each is not literal), world)]
            values = {value_of(literal, world.record) for world in beside}
            assert set(literal.values) <= values, (literal, text)
            assert values - set(literal.values), (literal, text)
            for value in values - set(literal.values):
                assert not all(w.legal for w in beside if value_of(literal, w.record) == value), (value, literal, text)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(10 if LONG else 3))
def test_the_terms_are_the_legal_worlds(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(chunk * EACH, (chunk + 1) * EACH):
        record, at, board, lost = case(seed)
        text = f"{seed} {at} {record_text(record)}"
        if any(turn.player not in record.players for turn in record.turns):
            continue
        for rulings in (record.rules.rulings, registry().rulebooks["ja-2.2"]):
            try:
                every = worlds(record, at, rulings, board, lost, 3000 if LONG else 400)
            except TooMany:
                continue
            found = proviso(record, rulings, board, since=at or 0)
            if found is None:
                assert not any(world.legal for world in every), text
                seen["illegal"] += 1
                continue
            assert any(world.legal for world in every), text
            for world in every:
                told = any(all_hold(term, world) for term in found.terms)
                assert told == world.legal or (world.legal and not found.exact), (found, text)
            assert len(found.terms) <= MOST
            prime(found, every, text)
            search = Provisos(symbolic(record, None, board, since=at or 0, places=True), at or 0, Steps())
            for other in (found, None):
                again = search.under(rulings, other)
                assert again is not None
                assert again.exact == found.exact
                assert all(any(all_hold(term, w) for term in again.terms) == w.legal for w in every) or not again.exact
            short = proviso(record, rulings, board, Random(seed).randint(500, 20_000), since=at or 0)
            assert short is not None
            for term in short.terms:
                assert all(world.legal for world in every if all_hold(term, world)), (short, text)
            for term in found.terms if found.exact else ():
                others = [other for other in found.terms if other is not term]
                assert any(w.legal and not any(all_hold(other, w) for other in others) for w in every), text
            seen["always" if found.always else "exact" if found.exact else "example"] += 1
    assert seen["always"]
    assert seen["exact"]
    assert seen["illegal"]
