"""Whole turns of the search against those of the rules: draws, actions, drops and trims together."""

from __future__ import annotations

from random import Random
from typing import Literal

import msgspec
import pytest

from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.questions.records.sample import sample_game
from tests.agree.small_boards import compare as rules_and_formulas_agree, successors, table
from tests.conftest import LONG
from tests.towers.continuation.brute import every_option, random_rulings
from tests.towers.continuation.search_turns import compare


@pytest.mark.parametrize("seed", range(150 if LONG else 40))
def test_small_tables_to_their_end(seed: int) -> None:
    rng = Random(seed)
    rulings = random_rulings(rng)
    state = table(seed, 2 + seed % 2, ("first", "finish")[seed // 2 % 2])
    for _ in range(30):
        ahead = compare(state, rulings)
        if not ahead:
            break
        state = rng.choice(ahead)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "option", "other"),
    [("draw_source", "as_laid", "opened"), ("finish_in_hand", "yes", "no"), ("facedown", "repeats", "ignored")],
)
def test_small_tables_under_an_option_that_is_drawn_seldom(name: str, option: str, other: str) -> None:
    """To their end; some of the turns are others than under another option of the ruling."""
    differ = 0
    for seed in range(150 if LONG else 30):
        rng = Random(seed)
        rulings = random_rulings(rng).with_changes({name: option, "draw_amount": "exact"})
        state = table(seed, 2 + seed % 2, "finish")
        for _ in range(12):
            ahead = compare(state, rulings)
            differ += {*map(str, ahead)} != {
                str(each) for each in successors(state, rulings.with_changes({name: other})) if each.result is None
            }
            if not ahead:
                break
            state = rng.choice(ahead)
    assert differ


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60 if LONG else 12))
def test_tables_of_sampled_games(seed: int) -> None:
    rng = Random(f"sampled {seed}")
    words = [rng.choice(list(registry().rulebooks))]
    for name, options in every_option().items():
        if rng.random() < 0.4:
            words.append(f"{name}={rng.choice(options)}")
    rules = parse_rules(" ".join(words))
    record = sample_game(rng.choice((2, 3, 4)), rng.choice(("first", "finish")), rules, seed, "random")
    states = [state for state in replay(record, rules.rulings).states if state.result is None]
    for state in rng.sample(states[1:], min(3, len(states) - 1)):
        compare(state, rules.rulings)


@pytest.mark.parametrize("source", ["last_placed", "as_laid"])
def test_until_a_card_is_laid_there_is_no_source(source: Literal["last_placed", "as_laid"]) -> None:
    """A table with a down card that names no card laid last (D21): DRW01 holds on after action C, in the search, in the
    rules and in the formulas.
    """
    opened = 0
    for seed in range(30):
        rng = Random(seed)
        rulings = msgspec.structs.replace(random_rulings(rng), draw_source=source)
        state = table(seed, 2, ("first", "finish")[seed % 2])
        for _ in range(3):
            state = rng.choice([after for after in successors(state, rulings) if after.result is None] or [state])
        if not state.tower.down or not state.deck:
            continue
        state = msgspec.structs.replace(state, laid=None, touched=None, laid_down=False)
        for after in compare(state, rulings):
            if after.laid is None and opened < 12:
                opened += 1
                compare(after, rulings)
                rules_and_formulas_agree(after, rulings, 1)
    assert opened == 12
