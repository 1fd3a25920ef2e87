"""Short endings by bounded model checking, against the search for lines, both ways."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import get_args

import pytest

from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import Rules, Rulings, parse_rules
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import UNSEEN, Cell, Down, Tower, Up, Value, Variant
from couperation_formal.questions.records.sample import RandomPlayer, Usual as Policy, sample_game, take_turn
from couperation_formal.towers.continuation.answer import Dead, Won, answer
from tests.agree.worlds import SMALL
from tests.conftest import LONG, some
from tests.formulas.judge.ending_z3 import turns_to_win
from tests.towers.continuation.brute import BOARDS, dealt, random_rulings

pytestmark = pytest.mark.slow

MOST = 3 if LONG else 2
SEEDS = 12 if LONG else 3


def agreement(state: State, rules: Rulings, most: int = MOST) -> str:
    """What the model says, after it was held against the search."""
    found = answer(state, rules, 60_000)
    turns = turns_to_win(state, rules, most)
    assert turns != "unknown"
    if isinstance(found, Dead):
        assert turns is None
    if isinstance(found, Won) and len(found.line) <= most:
        assert turns is not None
        assert turns <= len(found.line)
    if turns is not None:
        assert isinstance(found, Won)
    return f"{type(found).__name__} {turns}"


def near_the_end(seed: int) -> list[tuple[State, Rulings]]:
    """Tables of a sampled game on a small board, up to four turns before its end, and those one turn off its line."""
    rng = Random(f"ending {seed}")
    board = SMALL[1]
    rulings = random_rulings(rng, further=False)  # the model has but these
    rules = Rules("ja-2.2", (), rulings)
    players, variant = rng.choice([2, 3]), rng.choice(get_args(Variant))
    game = sample_game(players, variant, rules, seed, rng.choice(get_args(Policy)), board=board)
    found = []
    for state in replay(game, rulings, board).states[-5:-1]:
        found.append((state, rulings))
        _, other = take_turn(state, RandomPlayer(rng.randrange(1000)), rulings)
        if other.result is None:
            found.append((other, rulings))
    return found


@pytest.mark.parametrize("part", range(8 if LONG else 1))
def test_small_boards(part: int) -> None:
    said = Counter(
        agreement(*table) for seed in some(range(part * SEEDS, (part + 1) * SEEDS), 2) for table in near_the_end(seed)
    )
    assert sum(said.values()) >= 3 * SEEDS
    assert said["Dead None"] >= 2
    assert sum(count for what, count in said.items() if what.startswith("Won") and what != "Won None") >= 2


@pytest.mark.parametrize("seed", range(15 if LONG else 2))
def test_the_last_turns_of_sampled_games(seed: int) -> None:
    book = ("ja-2.2", "en-2", "bgg", "ja-2.2 reserve_face=either hearts_below=zero_all")[seed % 4]
    rules = parse_rules(book)
    game = sample_game(2 + seed % 3, "finish" if seed % 3 == 0 else "first", rules, seed, "careful")
    states = replay(game, rules.rulings).states
    left = 2 if LONG else 1
    agreement(states[-1 - left], rules.rulings, left)


@pytest.mark.parametrize(
    ("option", "turns"), [("forbidden", None), ("loses", None), ("no_win", 3), ("win_on_completion", 2)]
)
def test_an_apex_over_a_down_card(option: str, turns: int | None) -> None:
    """Bo can only open the down card. The apex that Ada lays before wins on completion, or when she replaces it after;
    where it may not lie there, Bo is without an action once she has opened the card herself.
    """
    board = BOARDS[1]
    beside = Cell(board.anchor_cell.column + 1, 1)
    state = State(
        board=board, variant="first", players=("Ada", "Bo"), marks=dict.fromkeys(map(Value, range(1, 9)), "1"),
        tower=Tower.of(board, {board.anchor_cell: Up(Value(4)), beside: Down(Value(8))}),
        hands=(Pile(frozenset(map(Value, (1, 5, 6)))), Pile(frozenset({Value(2)}))),
        reserve=Pile(frozenset({Value(7)})), gone=Pile(frozenset({Value(3)})), deck=(),
        laid=beside, touched=beside, turns=2,
    )  # fmt: skip
    rulings = parse_rules(f"ja-2.2 early_apex={option}").rulings
    assert agreement(state, rulings, 3).endswith(f" {turns}")


def test_tables_that_hide_cards_are_refused() -> None:
    rng = Random(1)
    state = dealt(rng, BOARDS[0], 2, "first", 3)
    hidden = State(
        **{
            **{name: getattr(state, name) for name in state.__struct_fields__},
            "deck": (UNSEEN,) * max(1, len(state.deck)),
        }
    )
    with pytest.raises(ValueError, match="every card"):
        turns_to_win(hidden, random_rulings(rng), 1)
