"""Provisos on small boards are the legal worlds enumerated: exact ones say just which they are, by terms of which none,
no literal of one and no smaller set of values would do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

import pytest

from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Assumption, Exchange, NoAction, Proviso, Record, Turn
from couperation_formal.game.rulings import registry
from couperation_formal.game.tower import UNSEEN, Board, Shown, Value
from couperation_formal.hidden.readings.standing import cut
from couperation_formal.hidden.smt.infer import MOST_TERMS, Provisos
from couperation_formal.hidden.symbolic.record import symbolic
from couperation_formal.notation.write import record_text
from tests.conftest import LONG
from tests.hidden.symbolic.asked import proviso
from tests.hidden.symbolic.brute import TooMany
from tests.hidden.symbolic.provisos_brute import World, holds, some_hidden, value_of, worlds
from tests.hidden.symbolic.records import TINY, sampled, spoiled

EACH = 60 if LONG else 8
SEVERAL = (157, 247, 282, 313, 387, 518, 569)
"""Cases in which it takes several terms."""


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
    record = some_hidden(full, rng, rng.choice((0, 1, 2, 3, 5)), rng.choice((0, 2, 9, 9)))
    at = len(record.turns) if record.turns and rng.random() < 0.4 else None
    record = record if at is None else cut(record, at)
    lost = set(full.marks) - set(record.marks)
    laid = {_laid(turn) for turn in record.turns} | {Value(board.anchor)}
    return Case(record, at, board, lost if UNSEEN in laid else lost & laid)


def _laid(turn: Turn) -> Shown | None:
    """The card that a turn lays or opens, whose mark may matter."""
    action = turn.action
    return None if isinstance(action, NoAction) else action.taken if isinstance(action, Exchange) else action.card


def all_hold(term: Iterable[Assumption], world: World) -> bool:
    return all(holds(literal, world.record) for literal in term)


def prime(found: Proviso, every: list[World], text: str) -> None:
    """No literal is needless, none names what cannot be, and none leaves out a value that would do."""
    for term in found.terms:
        for literal in term:
            beside = [world for world in every if all_hold((each for each in term if each is not literal), world)]
            values = {value_of(literal, world.record) for world in beside}
            assert set(literal.values) <= {value_of(literal, world.record) for world in every}, (literal, text)
            assert values - set(literal.values), (literal, text)
            for value in values - set(literal.values):
                assert not all(w.legal for w in beside if value_of(literal, w.record) == value), (value, literal, text)


def compared(seed: int, most: int) -> Counter[str]:
    """What came out of a case under its own rulings and under the default ones, held against all worlds."""
    seen: Counter[str] = Counter()
    record, at, board, lost = case(seed)
    if any(turn.player not in record.players for turn in record.turns):
        return seen
    text = f"{seed} {at} {record_text(record)}"
    for rulings in (record.rules.rulings, registry().rulebooks["ja-2.2"]):
        try:
            every = worlds(record, at, rulings, board, lost, most)
        except TooMany:
            continue
        found = proviso(record, rulings, board, since=at or 0)
        if found is None:
            assert not any(world.legal for world in every), text
            seen["illegal"] += 1
            continue
        assert any(world.legal for world in every), text
        same(found, every, text)
        prime(found, every, text)
        search = Provisos(symbolic(record, None, board, since=at or 0, places=True), at or 0, Steps())
        for like in (found, None):
            again = search.under(rulings, like)
            assert again is not None
            same(again, every, text)
        short = proviso(record, rulings, board, Random(seed).randint(500, 20_000), since=at or 0)
        assert short is not None
        for term in short.terms:
            assert all(world.legal for world in every if all_hold(term, world)), (short, text)
        seen["always" if found.always else "several" if len(found.terms) > 1 else "exact"] += 1
    return seen


def same(found: Proviso, every: list[World], text: str) -> None:
    """The terms are the legal worlds, and each is needed."""
    assert found.exact
    assert len(found.terms) <= MOST_TERMS
    for world in every:
        assert any(all_hold(term, world) for term in found.terms) == world.legal, (found, text)
    for term in found.terms:
        others = [other for other in found.terms if other is not term]
        assert any(w.legal and not any(all_hold(other, w) for other in others) for w in every), (found, text)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(10 if LONG else 2))
def test_the_terms_are_the_legal_worlds(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(chunk * EACH, (chunk + 1) * EACH):
        seen += compared(seed, 3000 if LONG else 300)
    assert seen["always"]
    assert seen["illegal"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEVERAL if LONG else SEVERAL[::2])
def test_where_it_takes_several_terms(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them is needed; with room for one only, the simplest is told as an example."""
    assert compared(seed, 400)["several"]
    record, at, board, _ = case(seed)
    full = proviso(record, record.rules.rulings, board, since=at or 0)
    monkeypatch.setattr("couperation_formal.hidden.smt.infer.MOST_TERMS", 1)
    few = proviso(record, record.rules.rulings, board, since=at or 0)
    assert full is not None
    assert few == Proviso(False, few.terms if few else ())
    assert {*few.terms} < {*full.terms}
