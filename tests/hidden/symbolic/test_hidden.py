"""Verdict and result of records that do not show everything, against every world of theirs: hidden cards, draws that
were not noted, marks left out. What the plain replay refuses surely is broken in every world, what it accepts without a
doubt in none, and a result is told where all legal worlds reach it.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from couperation_formal.formulas.judge import REACHED, laid_of
from couperation_formal.game.record import Exchange, Game, Open, Record, Turn, cards_of, with_cards
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.moves import legal_actions
from couperation_formal.game.tower import STANDARD, UNSEEN, Board, Up
from couperation_formal.hidden.smt.exact import Impossible, Possible
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.check import check, report_data, world_text
from tests.conftest import LONG
from tests.hidden.symbolic.asked import decide
from tests.hidden.symbolic.brute import TooMany, World, _turn as turn_of, enumerate_worlds
from tests.hidden.symbolic.records import SPOILS, TINY, hidden, noted, opened, sampled, spoiled, without_marks

pytestmark = pytest.mark.slow

CHUNKS, EACH = (24, 40) if LONG else (1, 24)
FULL, BEGINNINGS = (20, 20) if LONG else (1, 4)
MOST = 60
"""So many worlds side by side are looked at."""


class Truth(NamedTuple):
    """What all worlds say: the first turn that none survives, what broke there, the legal ones and their results."""

    turn: int | None
    codes: frozenset[str]
    results: frozenset[str]
    worlds: tuple[World, ...] = ()


def truth(record: Record, board: Board) -> Truth:
    """By enumeration. Raises `TooMany`."""
    found = [enumerate_worlds(each, record.rules.rulings, board, MOST) for each in noted(record, board)]
    worlds = [world for each in found if each.turn is None for world in each.worlds]
    if worlds:
        results = frozenset(REACHED[world.table.value("result")[0]] for world in worlds)
        return Truth(None, frozenset(), results, tuple(worlds))
    turn = max(each.turn or 0 for each in found)
    codes = frozenset[str]().union(*(each.codes for each in found if each.turn == turn))
    return Truth(turn, codes, frozenset())


def veiled(record: Record, rng: Random) -> Record:
    """The record with the cards of some actions not seen, up ones too, and the hands that they are of."""
    turns = list(record.turns)
    for at in rng.sample(range(len(turns)), min(len(turns), rng.randint(1, 3))):
        cards = [UNSEEN if rng.random() < 0.7 else card for card in cards_of(turns[at].action)]
        action = with_cards(turns[at].action, tuple(cards))
        if not (isinstance(action, Exchange) and action.replaced == Up(UNSEEN)):
            turns[at] = replace(turns[at], action=action)
    deals = {
        name: tuple(UNSEEN if rng.random() < 0.4 else card for card in cards) for name, cards in record.deals.items()
    }
    return replace(record, turns=tuple(turns), deals=deals)


def small(seed: int) -> Record:
    """A game on a small board up to some turn, which may be another one or `-`, little of it hidden."""
    rng = Random(f"hidden {seed}")
    board = TINY[seed % len(TINY)]
    record = sampled(seed, board)
    opens = [at for at, turn in enumerate(record.turns, start=1) if isinstance(turn.action, Open)]
    cut = rng.choice(opens) if opens and rng.random() < 0.5 else rng.randint(1, len(record.turns))
    record = replace(record, turns=record.turns[:cut], result=None)
    record = spoiled(record, rng, board, rng.choice((0, 0, 1)))
    if record.turns and rng.random() < 0.4:
        record = SPOILS["pass"](rng, record, board) or record
    if rng.random() < 0.8:
        record = replace(record, result=None)
    record = without_marks(record, rng.choice((0.0, 0.5, 1.0, 1.0)), rng)
    record = veiled(record, rng) if rng.random() < 0.6 else hidden(record, rng)
    return opened(record, rng, rng.choice((0, 0, 0, 1)))


def agree(record: Record, board: Board, want: Truth) -> str:
    """The verdict and result on which plain replay, Z3 and the worlds agree."""
    text, rulings = record_text(record), record.rules.rulings
    plain = replay(record, rulings, board)
    if plain.illegal is not None:
        assert want.turn is not None, text
        assert want.turn <= plain.illegal, text
        if want.turn == plain.illegal and "DRW06" not in want.codes:
            assert plain.broken[0].clause in {*want.codes, "END05"}, text  # of an illegal turn the result is not asked
    elif not plain.doubts and not any(turn.draw_open or turn.fill_open for turn in record.turns):
        assert want.turn is None, text
        assert want.results == {plain.reached}, text
    answer = decide(record, rulings, board)
    if want.turn is not None:
        assert isinstance(answer, Impossible), text
        assert answer.turn == want.turn, text
        return "illegal"
    assert isinstance(answer, Possible), text
    assert {*answer.results} == want.results, text
    assert answer.played.reached in want.results, text
    if plain.last is not None:
        assert want.results == {plain.reached}, text
    return "several" if len(want.results) > 1 else f"{plain.reached} {answer.results[0]}"


def possible_in_all(record: Record, board: Board, want: Truth) -> int:
    """How many of the actions that are legal next, as the plain rules say, were looked at: each is in every world."""
    rulings, place = record.rules.rulings, len(record.turns) + 1
    outcome = replay(record, rulings, board)
    state = outcome.states[-1]
    if outcome.illegal is not None or state.turns < place - 1 or want.results != {"unfinished"}:
        return 0
    found = legal_actions(state, state.to_move, rulings).actions
    for action in (chosen := Random(place).sample(found, min(4, len(found)))):
        codes: set[str] = set()
        for world in want.worlds[:12]:
            shown = action
            if isinstance(action, Exchange) and action.replaced == Up(UNSEEN):
                shown = replace(action, replaced=laid_of(world.table.value("W")[tuple(action.cell)]))
            turn = Turn(place, state.players[state.to_move], (), shown)
            list(turn_of(world, turn, place, codes, deep=True))
        assert not {code for code in codes if code.startswith(("ACT", "TOW", "SET"))}, (record_text(record), action)
    return len(chosen)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_small_boards(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(chunk * EACH, (chunk + 1) * EACH):
        record, board = small(seed), TINY[seed % len(TINY)]
        try:
            want = truth(record, board)
        except TooMany:
            seen["too many"] += 1
            continue
        seen[agree(record, board, want)] += 1
        seen["moves"] += possible_in_all(record, board, want)
    assert seen.keys() >= {"illegal", "unfinished unfinished", "moves"}
    assert seen["too many"] < EACH // 3


def standard(seed: int) -> Record:
    """The beginning of a game on the full board, to an opened card where one is early, little of it hidden."""
    rng = Random(f"hidden full {seed}")
    record = sampled(seed)
    opens = [at for at, turn in enumerate(record.turns[:12], start=1) if isinstance(turn.action, Open)]
    cut = opens[0] if opens and rng.random() < 0.8 else rng.randint(1, min(8, len(record.turns)))
    record = replace(record, turns=record.turns[:cut], result=rng.choice((None, None, None, "loss", "win")))
    record = spoiled(record, rng, STANDARD, rng.choice((0, 0, 0, 1)))
    record = without_marks(record, rng.choice((0.8, 1.0, 1.0)), rng)
    return opened(veiled(record, rng), rng, rng.choice((0, 0, 0, 1)))


@pytest.mark.parametrize("chunk", range(FULL))
def test_the_full_board(chunk: int) -> None:
    """`check` as a whole, and what plain `check` says of the world that it prints."""
    seen: Counter[str] = Counter()
    for seed in range(chunk * BEGINNINGS, (chunk + 1) * BEGINNINGS):
        record = standard(seed)
        try:
            want = truth(record, STANDARD)
        except TooMany:
            seen["too many"] += 1
            continue
        seen[agree(record, STANDARD, want)] += 1
        text = record_text(record)
        (game,) = read_text(text)
        found = check(game)
        assert found.verdict == ("legal" if want.turn is None else "illegal"), text
        assert found.turn == want.turn, text
        assert {*found.results} == want.results, text
        if found.verdict == "legal":
            (world,) = read_text(world_text(found))
            assert check(world, engine="plain").result in found.results, text
        elif found.diagnostics[0].code == "END05":
            assert "END05" in want.codes, text
    assert seen.keys() & {"illegal", "unfinished unfinished"}


def of(name: str) -> Game:
    (game,) = read_text((Path(__file__).parents[2] / "data" / "hidden" / name).read_text(encoding="utf-8"))
    assert isinstance(game, Game)
    return game


@pytest.mark.parametrize(
    ("name", "result"),
    [("up_card", "stuck"), ("sum_loses", "loss"), ("finish_sent", "unfinished"), ("finish_laid", "unfinished")],
)
def test_found_by_hand(name: str, result: str) -> None:
    """An unseen up card that leaves no room; a sum that tells a card; an unseen card that is F."""
    found = check(of(f"{name}.cgn"))
    assert (found.verdict, found.result) == ("legal", result)
    (world,) = read_text(world_text(found))
    assert check(world, engine="plain").result == result


def test_a_result_that_hangs_on_an_unseen_card_is_told_as_what_it_may_be() -> None:
    found = check(of("either.cgn"))
    assert (found.result, found.results) == ("undetermined", ("loss", "unfinished"))
    assert str(found).splitlines()[0].endswith("legal, loss or unfinished (which is not shown)")
    data = report_data(found)
    assert (data.result, data.results) == ("undetermined", ("loss", "unfinished"))
