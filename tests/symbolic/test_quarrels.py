"""A turn by itself in records that do not show everything: Z3 against every world, enumerated on small boards."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from couperation_formal.model.rulings import registry
from couperation_formal.notation.write import record_text
from couperation_formal.readings.replayed import cut
from couperation_formal.readings.standing import quarrel_verdicts, standing
from couperation_formal.smt.readings import symbolic_verdicts, unplayable
from tests.conftest import LONG
from tests.readings.records import random_reading, told
from tests.readings.records import sampled as full
from tests.readings.records import spoiled as full_spoiled
from tests.symbolic.brute import TooMany
from tests.symbolic.quarrel_brute import quarrelled
from tests.symbolic.records import TINY, hidden, sampled, spoiled

pytestmark = pytest.mark.slow

EACH = 60 if LONG else 6


@pytest.mark.parametrize("chunk", range(5 if LONG else 2))
def test_the_answer_is_that_of_all_worlds(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(chunk * EACH, (chunk + 1) * EACH):
        rng, board = Random(f"q {seed}"), TINY[seed % len(TINY)]
        record = hidden(spoiled(sampled(seed, board), rng, board, rng.choice((0, 1, 2, 3))), rng)
        count = len(record.players)
        if len(set(record.players)) < count or board.reserve_size(count) is None or not record.turns:
            continue
        at = rng.randint(1, len(record.turns))
        exact = symbolic_verdicts(cut(record, at), board, since=at)
        plain = quarrel_verdicts(record, at, board)
        for rulings in (record.rules.rulings, rng.choice(list(registry().rulebooks.values())), random_reading(rng)):
            try:
                want = quarrelled(record, at, rulings, board, 2000 if LONG else 300)
            except TooMany:
                continue
            assert told(exact, rulings) == want, record_text(cut(record, at))
            if want != "undetermined":
                assert told(plain, rulings) in (want, "undetermined"), record_text(cut(record, at))
            else:
                assert unplayable(record, at, board) is not None
            seen[want] += 1
    assert seen["legal"]
    assert seen["illegal"]


@pytest.mark.parametrize("seed", range(8 if LONG else 2))
def test_what_the_record_shows_needs_no_solver(seed: int) -> None:
    """Of a fully seen record the circuit says what the sets say, where its cards were where they were taken from."""
    rng = Random(seed)
    kinds = [full(seed), *(each for _, each in full_spoiled(full(seed), seed))]
    for record in rng.sample(kinds, 5):
        at = rng.randint(1, len(record.turns)) if record.turns else 0
        if not at or len(set(record.players)) < len(record.players):
            continue
        exact, shown = symbolic_verdicts(cut(record, at), since=at), quarrel_verdicts(record, at)
        if unplayable(record, at - 1) is None:
            assert exact == shown
        else:
            assert exact.undetermined
            assert standing(record, at, tuple(registry().rulebooks.values())).slips[0]
