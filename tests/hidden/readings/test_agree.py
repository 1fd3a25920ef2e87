"""Two ways to the same set of readings: the replay over sets, and Z3 with the rulings as variables."""

from __future__ import annotations

from random import Random

import pytest

from couperation_formal.hidden.readings.standing import plain_verdicts
from tests.conftest import LONG
from tests.hidden.readings.records import sampled, spoiled
from tests.hidden.symbolic.asked import symbolic_verdicts


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(85 if LONG else 2))
def test_both_ways_agree_on_fully_seen_records(seed: int) -> None:
    record, rng = sampled(1000 + seed), Random(seed)
    kinds = [("sampled", record), *rng.sample(list(spoiled(record, seed)), 2)]
    for kind, each in kinds:
        assert plain_verdicts(each) == symbolic_verdicts(each), kind
