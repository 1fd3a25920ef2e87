"""Reasons are never given for a table that can still be won: small boards exhaustively, won games of the printed board;
and what they rest on, compared with trying everything.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest
from couperation_checker.counting import table_faults
from couperation_checker.strict import Work
from hypothesis import given, settings, strategies as st

from couperation_formal.game.position import position_of
from couperation_formal.game.record import Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import Rules, Rulings, parse_rules, registry
from couperation_formal.game.state import State
from couperation_formal.game.tower import Variant
from couperation_formal.questions.records.sample import Policy, sample_game
from couperation_formal.questions.tables.why import reason_data, table_sentence
from couperation_formal.towers.completion.fill import before, shape
from couperation_formal.towers.continuation.final_tower import NEVER, NumberCost, cheapest, ideals
from couperation_formal.towers.continuation.theorems import reason
from tests.conftest import LONG
from tests.towers.continuation.brute import every_option
from tests.towers.continuation.reasons_brute import hide, tables
from tests.towers.continuation.reasons_tables import certificate_of

pytestmark = pytest.mark.slow

SEEDS = range(10) if LONG else range(6)
MOST = 2000 if LONG else 400
WON = (1, 2, 4, 7)
REASONED = (1, 2, 11, 30, 36)
"""Seeds of sampled games: that are won, of both variants; in which there are reasons, of five kinds together."""


@pytest.mark.parametrize("seed", SEEDS)
def test_no_table_that_can_be_won_has_a_reason(seed: int) -> None:
    """Every table that follows from some small deals; some are asked again with cards and marks hidden."""
    rng = random.Random(seed)
    asked = Counter[str]()
    for players in (2, 3):
        for finish in (False, True):
            for table, rulings, wins in tables(seed, players, finish, MOST):
                asked["dead" if not wins else "alive"] += 1
                found = reason(table, rulings)
                assert found is None or not wins, (found, table, rulings)
                if found is not None:
                    asked["found"] += 1
                    assert table_sentence(reason_data(found))
                if wins:
                    veiled = hide(table, rng)
                    assert reason(veiled, rulings) is None, (veiled, rulings)
    if LONG:
        print(f"seed {seed}: {dict(asked)}")
    assert asked["found"] <= asked["dead"]


def test_most_dead_small_tables_have_a_reason() -> None:
    """The reasons are worth something: eight of nine dead tables are found; won ones are among those asked."""
    count = Counter[str]()
    for seed in range(6 if LONG else 3):
        for table, rulings, wins in tables(seed, 2, bool(seed % 2), 700):
            count["alive" if wins else "found" if reason(table, rulings) else "missed"] += 1
    assert count["alive"] > 20
    assert count["found"] > 8 * count["missed"] > 0


def random_rules(seed: int) -> Rules:
    """A rulebook with some rulings changed."""
    rng = random.Random(seed)
    told = every_option()
    changes = [f"{name}={rng.choice(told[name])}" for name in rng.sample(list(told), 6)]
    return parse_rules(" ".join([rng.choice(sorted(registry().rulebooks)), *changes]))


def game(seed: int, policy: Policy) -> tuple[Record, Rulings, list[State]]:
    """A sampled game and its states before the end."""
    rules = random_rules(seed)
    variant: Variant = "finish" if seed % 2 else "first"
    record = sample_game(2 + seed % 3, variant, rules, seed, policy)
    return record, rules.rulings, [state for state in replay(record, rules.rulings).states if state.result is None]


def test_no_position_of_a_won_game_has_a_reason() -> None:
    won = positions = 0
    for seed in range(80) if LONG else WON:
        record, rulings, states = game(seed, "careful")
        if record.result == "win":
            won += 1
            for state in states:
                positions += 1
                assert reason(state, rulings) is None, (seed, state.turns)
    print(f"{won} won games, {positions} positions")
    assert won >= (8 if LONG else len(WON))


def test_the_checker_accepts_every_reason_of_sampled_games() -> None:
    kinds = Counter[str]()
    for seed in range(70) if LONG else REASONED:
        record, rulings, states = game(seed, "random" if seed % 3 else "careful")
        for state in states:
            found = reason(state, rulings)
            if found is None:
                continue
            kinds[found.kind] += 1
            tags = tuple((name, text) for name, text in record.tags if name in ("CGN", "Variant", "Players", "Marks"))
            certificate = certificate_of(position_of(state, record.rules, tags), found)
            faults = table_faults(certificate["position"], certificate["rulings"], certificate["evidence"], Work())
            assert list(faults) == [], (seed, state.turns, found)
    print(dict(kinds))
    assert len(kinds) >= (6 if LONG else 5)


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=300 if LONG else 60)
def test_the_cheapest_tower_is_that_of_all_towers(seed: int, without_apex: bool) -> None:
    """Random prices on a pyramid of two or three levels; the way over the ideals against every order of cells."""
    rng = random.Random(seed)
    levels = rng.choice((2, 3))
    grid = shape(levels)
    rows = []
    homes = rng.sample(range(grid.size), rng.randint(0, grid.size - 1))
    for _ in range(rng.randint(grid.size, 9)):
        prices = [rng.choice((0, 1, 1, 2, NEVER)) for _ in range(grid.size)]
        home = homes.pop() if homes and rng.random() < 0.5 and not (without_apex and homes[-1] == grid.apex) else None
        if home is not None:
            prices = [max(price, 0) for price in prices]
            prices[home] = 0
        rows.append((prices, home))
    laid = {home for _, home in rows if home is not None}
    priced = [
        NumberCost(
            [max(1, price) if i in laid and i != home else price for i, price in enumerate(prices)],
            0 if home is None else 1 << home,
        )
        for prices, home in rows
    ]
    limit = rng.randint(0, 8)
    least = cheapest_of_all(levels, priced, without_apex)
    assert cheapest(ideals(levels, without_apex), priced, limit) == (least if least <= limit else None)


def cheapest_of_all(levels: int, rows: Sequence[NumberCost], without_apex: bool) -> int:
    """The least price of a final tower, by trying every number on every cell that may come next."""
    grid = shape(levels)
    cells = frozenset(i for i in range(grid.size) if not (without_apex and i == grid.apex))

    @cache
    def rest(at: int, filled: frozenset[int]) -> int:
        if filled == cells:
            return 0
        if at == len(rows):
            return NEVER
        ways = [rest(at + 1, filled)]
        for i in cells - filled:
            if all(j in filled for j in cells if before(grid, j, i)):
                ways.append(rows[at].costs[i] + rest(at + 1, filled | {i}))
        return min(ways)

    return rest(0, frozenset())


@pytest.mark.parametrize("levels", range(1, 8))
def test_a_pyramid_has_two_to_the_levels_ideals(levels: int) -> None:
    assert len(ideals(levels, without_apex=False).cells) == 2**levels
