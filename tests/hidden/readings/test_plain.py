"""The replay over sets of readings, against one replay a reading."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import Mock

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Game, NoAction, Record, Turn
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.clauses import ASKED, act01
from couperation_formal.game.rules.moves import some_action
from couperation_formal.game.rules.step import Step, carry_out
from couperation_formal.game.rules.turn import ending
from couperation_formal.game.rulings import RULING_NAMES, Rulings, options_in_order, registry
from couperation_formal.game.tower import STANDARD, Board, Cell, Laid, Tower, Up
from couperation_formal.hidden.readings import condition as condition_module, sets as readings_module
from couperation_formal.hidden.readings.condition import condition
from couperation_formal.hidden.readings.sets import Readings, Verdicts, depends_on, nodes_of, space
from couperation_formal.hidden.readings.standing import (
    CHAINS,
    _no_action as no_action,
    _ordered as ordered,
    answers,
    corner,
    cut,
    endings,
    judge,
    plain_verdicts,
    where,
)
from couperation_formal.notation.read import read
from tests.agree.worlds import BOARDS, random_state
from tests.conftest import LONG, some
from tests.formulas.judge.steps import step_states
from tests.game.rulings.find_pairs import pairs, path
from tests.hidden.readings.readings import count
from tests.hidden.readings.records import (
    SMALL,
    combinations_of,
    consulted_by,
    random_reading,
    sampled,
    spoiled,
    told,
    verdict,
)
from tests.output.games import GAMES

pytestmark = pytest.mark.slow

BOOKS = registry().rulebooks
_MOST = 400 if LONG else 25


def is_partition(found: Verdicts) -> bool:
    legal, illegal, undetermined = found
    apart = not legal & illegal and not legal & undetermined and not illegal & undetermined
    return apart and legal | illegal | undetermined == Readings.every()


def compared(record: Record, rng: Random, board: Board = STANDARD) -> tuple[Verdicts, int]:
    """The sets, compared with a replay for every combination of the consulted rulings where these are few, else for a
    sample of them; for the rulebooks; for a member of each set; for neighbours of it. And how many were compared.
    """
    found = plain_verdicts(record, board)
    assert is_partition(found)
    names = {name for step in step_states(record, board) for name in consulted_by(step)}
    readings = combinations_of(names, random_reading(rng), _MOST, rng)
    readings += [*BOOKS.values(), record.rules.rulings, random_reading(rng)]
    for part in found:
        if part:
            member = part.member()
            readings.append(member)
            for name in rng.sample(RULING_NAMES, len(RULING_NAMES) if LONG else 8):
                readings.append(member.with_changes({name: rng.choice(space()[name])}))
    for rulings in readings:
        assert told(found, rulings) == verdict(record, rulings, board), rulings
    return found, len(readings)


@pytest.mark.parametrize("seed", range(40 if LONG else 5))
def test_sampled_and_spoiled_games(seed: int) -> None:
    record, rng = sampled(seed), Random(seed)
    kinds = [("sampled", record), *spoiled(record, seed)]
    seen: Counter[str] = Counter()
    for _, each in kinds if LONG else rng.sample(kinds, 8):
        found, _ = compared(each, rng)
        assert not found.undetermined
        seen["legal"] += bool(found.legal)
        seen["illegal"] += found.legal != Readings.every()
    assert seen["illegal"]


@settings(max_examples=400 if LONG else 3)
@given(st.integers(0, 10**6), st.sampled_from(SMALL))
def test_small_boards(seed: int, board: Board) -> None:
    record, rng = sampled(seed, board), Random(seed)
    found, _ = compared(record, rng, board)
    assert record.rules.rulings in found.legal
    at = rng.randrange(len(record.turns))
    turns = (*record.turns[:at], *record.turns[at + 1 :])
    compared(msgspec.structs.replace(record, turns=turns, result=None), rng, board)
    shuffled = msgspec.structs.replace(record.turns[at], draw=(), drop=(), trim=())
    compared(msgspec.structs.replace(record, turns=(*record.turns[:at], shuffled)), rng, board)


@pytest.mark.parametrize("file", some(GAMES, 2), ids=lambda file: file.stem)
def test_the_records_of_the_project(file: Path) -> None:
    (game,) = read(file)
    assert isinstance(game, Game)
    record, rng = game.record, Random(file.stem)
    found = plain_verdicts(record)
    for rulings in [*BOOKS.values(), record.rules.rulings, *(random_reading(rng) for _ in range(5))]:
        said, want = told(found, rulings), verdict(record, rulings)
        assert said == want or (said, want) == ("undetermined", "legal")


@pytest.mark.parametrize("seed", range(60 if LONG else 6))
def test_records_as_a_recorder_sees_them(seed: int) -> None:
    """What the sets refuse one replay refuses, and what they do not leave in doubt it does not either."""
    record, rng = sampled(seed, public=True), Random(seed)
    found = plain_verdicts(record)
    assert is_partition(found)
    for rulings in [*BOOKS.values(), record.rules.rulings, *(random_reading(rng) for _ in range(20))]:
        assert told(found, rulings) == verdict(record, rulings)
    assert record.rules.rulings not in found.illegal


@pytest.mark.parametrize("seed", range(3))
def test_up_to_every_turn(seed: int) -> None:
    record, rng = sampled(seed), Random(seed)
    before = Readings.every()
    for turn in range(len(record.turns) + 1):
        found = plain_verdicts(record, turn=turn)
        assert found == plain_verdicts(cut(record, turn))
        assert not found.legal - before
        before = found.legal
        rulings = random_reading(rng)
        assert told(found, rulings) == verdict(cut(record, turn), rulings)
    assert not plain_verdicts(record).legal - before


def test_a_turn_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no turn 99"):
        plain_verdicts(sampled(1), turn=99)


@pytest.mark.parametrize(("name", "first", "second"), pairs())
def test_every_ruling_but_one_is_decisive_for_a_record(name: str, first: str, second: str) -> None:
    (game,) = read(path(name, first, second))
    assert isinstance(game, Game)
    record, rulings = game.record, game.record.rules.rulings
    readings = [rulings.with_changes({name: option}) for option in (first, second)]
    ends = [replay(record, reading).reached for reading in readings]
    stated = [end for end in ends if end in ("win", "loss", "stuck")]
    records = [record, *(msgspec.structs.replace(record, result=end) for end in stated)]
    decided = 0
    for each in records:
        found = plain_verdicts(each)
        one, two = (told(found, reading) for reading in readings)
        assert [one, two] == [verdict(each, reading) for reading in readings]
        assert one == two or name in depends_on(*found)
        decided += one != two
    assert bool(decided) == (name != "finish_half")


def steps_of(seed: int) -> list[tuple[Step, Board]]:
    rng = Random(seed)
    board = rng.choice((*SMALL, STANDARD, STANDARD))
    record = sampled(seed, board, public=rng.random() < 0.3)
    records = [record]
    if board is STANDARD and not any(card is None for card in record.deck or (None,)) and rng.random() < 0.7:
        kinds = list(spoiled(record, seed)) if record.deck else []
        records += [each for _, each in rng.sample(kinds, min(4, len(kinds)))]
    return [(step, board) for each in records for step in step_states(each, board)]


@pytest.mark.parametrize("seed", range(200 if LONG else 25))
def test_the_answers_of_a_clause_are_those_under_every_reading(seed: int) -> None:
    """Each reading belongs to one answer, and gets it."""
    rng = Random(seed)
    steps = steps_of(seed)
    several = 0
    for step, _ in rng.sample(steps, min(len(steps), 40)):
        checks = [clause.check for clause in ASKED[type(step.turn.action)] if clause.id != "ACT01"]
        for check in (*checks, ending):
            found = list(answers(partial(check, step)))
            several += len(found) > 1
            for rulings in [random_reading(rng) for _ in range(3)]:
                (told_,) = [
                    answer
                    for answer, chosen in found
                    if all(rulings.option(name) == option for name, option in chosen.items())
                ]
                assert told_ == check(step, rulings)
    assert several


@pytest.mark.parametrize("seed", range(200 if LONG else 25))
def test_orders_are_asked_of_few_readings_and_hold_under_all_that_are_told(seed: int) -> None:
    rng = Random(seed)
    for step, _ in rng.sample(steps := steps_of(seed), min(len(steps), 40)):
        if step.cell is not None and not isinstance(step.turn.action, NoAction):
            kept = where(partial(ordered, step))
            readings = [random_reading(rng) for _ in range(5)]
            readings += [part.member() for part in (kept, ~kept) if part]
            for rulings in readings:
                assert (rulings in kept) == ordered(step, rulings)


def test_the_chains_hold_every_option() -> None:
    for name, chain in CHAINS.items():
        assert sorted(chain) == sorted(space()[name])


def passed(rng: Random) -> tuple[Step, Board]:
    """A table without down cards where somebody passes."""
    while True:
        board = rng.choice((*BOARDS[:3], STANDARD)) if rng.random() < 0.9 else STANDARD
        rulings = random_reading(rng)
        state = random_state(rng, board, rulings)
        cells: dict[Cell, Laid] = {cell: laid for cell, laid in state.tower.cells.items() if type(laid) is Up}
        if rng.random() < 0.5:
            cells = dict(state.tower.cells)
        state = msgspec.structs.replace(state, tower=Tower.of(board, cells))
        if not state.tower.down:
            player = rng.randrange(len(state.players))
            turn = Turn(state.turns + 1, state.players[player], (), NoAction())
            return carry_out(state, turn, player), board


@pytest.mark.parametrize("seed", range(60 if LONG else 3))
def test_whether_an_action_exists_under_every_reading(seed: int) -> None:
    """ACT01 without down cards, against looking for an action under single readings."""
    rng = Random(seed)
    split = 0
    for _ in range(25 if LONG else 12):
        step, _ = passed(rng)
        found = judge(step, endings(step))
        if not step.drawn.tower.down and step.drawn.owned(step.player):
            broken = no_action(step).broken
            readings = [random_reading(rng) for _ in range(20 if LONG else 8)]
            readings += [part.member() for part in (broken, ~broken) if part]
            for rulings in readings:
                assert (act01(step, rulings) is not None) == (rulings in broken)
            assert not broken - found.broken
            split += bool(broken) and broken != Readings.every()
    assert split or seed > 3


def test_few_actions_are_looked_for_where_nobody_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player passes beside 25 alone with cards in hand: an action exists under every reading, found at once."""
    from couperation_formal.hidden.readings import standing

    calls = Mock(wraps=some_action)
    monkeypatch.setattr(standing, "some_action", calls)
    most = 0
    for seed in some(range(8)):
        record = sampled(seed)
        for kind, each in spoiled(record, seed):
            if kind == "pass":
                calls.reset_mock()
                plain_verdicts(each)
                most = max(most, calls.call_count)
    assert 0 < most <= 200


def test_rulings_that_no_clause_reads_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight more of them make 65,536 times as many readings, and diagrams of the same size."""
    record = sampled(3)
    before = plain_verdicts(record)
    every_one = count(Readings.every())
    assert before.legal
    assert before.illegal
    sizes = [(count(each), len(nodes_of(each.root)), condition(each, Steps())) for each in before]
    known = list(options_in_order())
    more = [(f"unread_{place}", ("yes", "no", "perhaps", "never")) for place in range(8)]
    every = [*more[:3], *known[:7], *more[3:6], *known[7:], *more[6:]]
    names = tuple(name for name, _ in every)
    monkeypatch.setattr(readings_module, "options_in_order", lambda: every)
    monkeypatch.setattr(readings_module, "_LEVELS", {name: level for level, name in enumerate(names)})
    monkeypatch.setattr(readings_module, "RULING_NAMES", names)
    monkeypatch.setattr(condition_module, "RULING_NAMES", names)
    monkeypatch.setattr(
        readings_module, "Rulings", lambda **chosen: Rulings(**{name: chosen[name] for name in RULING_NAMES})
    )
    caches = (readings_module.space, corner, readings_module._choosing)
    try:
        for cache in caches:
            cache.cache_clear()
        found = plain_verdicts(record)
        assert [(count(each) // 4**8, len(nodes_of(each.root)), condition(each, Steps())) for each in found] == sizes
        assert sum(count(each) for each in found) == 4**8 * every_one
    finally:
        monkeypatch.undo()
        for cache in caches:
            cache.cache_clear()
