"""The readings under which a record is legal: two ways, and every consulted combination by enumeration."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from couperation_formal.game.record import Record
from couperation_formal.game.seen import seen_record as hide
from couperation_formal.game.tower import STANDARD, Board
from couperation_formal.hidden.readings.sets import Readings, Verdicts
from couperation_formal.hidden.readings.standing import cut, plain_verdicts
from couperation_formal.notation.write import record_text
from tests.conftest import LONG
from tests.formulas.judge.steps import step_states
from tests.hidden.readings.readings import count
from tests.hidden.readings.records import SMALL, combinations_of, consulted_by, spoiled as spoils, told
from tests.hidden.symbolic.asked import symbolic_verdicts
from tests.hidden.symbolic.brute import TooMany, enumerate_worlds
from tests.hidden.symbolic.records import TINY, hidden, sampled, spoiled

pytestmark = pytest.mark.slow


def partition(found: Verdicts) -> None:
    legal, illegal, undetermined = found
    assert legal | illegal | undetermined == Readings.every()
    assert count(legal) + count(illegal) + count(undetermined) == count(Readings.every())


def same(record: Record, board: Board = STANDARD) -> str:
    """Whether the set of legal readings is all, none or some; the two ways agree on it."""
    plain, symbolic = plain_verdicts(record, board), symbolic_verdicts(record, board)
    assert not symbolic.undetermined
    assert not plain.undetermined
    assert plain == symbolic, record_text(record)
    return "all" if not plain.illegal else "some" if plain.legal else "none"


@pytest.mark.parametrize("seed", range(15 if LONG else 1))
def test_both_ways_give_the_same_set_for_seen_records(seed: int) -> None:
    record = sampled(seed)
    kinds = [each for _, each in spoils(record, seed)]
    chosen = Random(seed).sample(kinds, 8 if LONG else 3)
    seen = Counter(same(each) for each in (record, *chosen))
    assert seen["some"] or seen["all"]


@pytest.mark.parametrize("seed", range(50) if LONG else [1])
def test_both_ways_on_other_boards(seed: int) -> None:
    board = SMALL[seed % 2]
    record = sampled(seed, board)
    same(record, board)
    each = spoiled(record, Random(seed), board, 1)
    if not plain_verdicts(each, board).undetermined:
        same(each, board)


@pytest.mark.parametrize("seed", range(10 if LONG else 1))
def test_what_the_replay_is_sure_of_in_public_records_holds(seed: int) -> None:
    record = hide(sampled(seed))
    plain, symbolic = plain_verdicts(record), symbolic_verdicts(record)
    partition(symbolic)
    assert not symbolic.undetermined
    assert not plain.legal - symbolic.legal
    assert not plain.illegal - symbolic.illegal
    assert record.rules.rulings in symbolic.legal


@pytest.mark.parametrize("seed", range(20 if LONG else 3))
def test_every_consulted_combination_by_enumeration(seed: int) -> None:
    """On small boards: all combinations of the rulings that some step can ask for, or some of very many."""
    rng = Random(f"readings {seed}")
    board = TINY[seed % len(TINY)]
    record = hidden(spoiled(sampled(seed, board), rng, board, rng.choice((0, 1))), rng)
    found = symbolic_verdicts(record, board)
    partition(found)
    names = {name for step in step_states(record, board) for name in consulted_by(step)}
    for rulings in combinations_of(names, record.rules.rulings, 60 if LONG else 10, rng):
        try:
            want = enumerate_worlds(record, rulings, board, 3000)
        except TooMany:
            continue
        assert told(found, rulings) == ("legal" if want.turn is None else "illegal"), record_text(record)


def test_a_budget_too_small_leaves_the_rest_open_and_is_never_wrong() -> None:
    record = hide(sampled(5, SMALL[1]))
    full = symbolic_verdicts(record, SMALL[1])
    open_at_last = []
    for budget in (1, 100_000, 1_000_000):
        found = symbolic_verdicts(record, SMALL[1], budget=budget)
        partition(found)
        assert not found.legal - full.legal
        assert not found.illegal - full.illegal
        open_at_last.append(count(found.undetermined))
    assert open_at_last[0] == count(Readings.every())


def test_readings_within_a_set_only() -> None:
    record = hide(sampled(6, SMALL[1]))
    full = symbolic_verdicts(record, SMALL[1])
    within = Readings.option("between", "strict") & Readings.option("facedown", "deck")
    found = symbolic_verdicts(record, SMALL[1], within=within)
    assert found == Verdicts(full.legal & within, full.illegal & within, Readings.none())


def test_up_to_each_turn_the_legal_readings_become_fewer() -> None:
    record = hide(sampled(2, SMALL[0]))
    before = Readings.every()
    for turn in range(len(record.turns) + 1):
        legal = symbolic_verdicts(cut(record, turn), SMALL[0]).legal
        assert not legal - before
        before = legal
    assert not symbolic_verdicts(record, SMALL[0]).legal - before
