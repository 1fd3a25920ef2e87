"""Turns by the formulas: what the clauses let pass is what `legal` lists, and orders hold when some numbers fit."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import asdict

from couperation_formal.formulas import judge as forms
from couperation_formal.formulas.judge import book, failing
from couperation_formal.formulas.writer import Values
from couperation_formal.game.rules import arrangement
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import UNSEEN, Board, Down, Tower, Up, Value
from tests.agree.arrangement_agree import some_numbers_fit
from tests.agree.worlds import COMBINATIONS, SMALL, random_state, random_tower, rulings_with
from tests.conftest import LONG
from tests.formulas.judge.turns import effect, having, table

ACTING = (*(f"{family}{at:02}" for family in ("ACT", "TOW") for at in range(1, 9)), "SET06")


def drawn(seed: int) -> Values:
    rng = Random(f"written {seed}")
    rulings = rulings_with(rng)
    state = random_state(rng, rng.choice(SMALL), rulings)
    name = state.players[state.to_move]
    return having(table(state, rulings), t=5, name=name, d=(), a=("Pass",), fill=(), drop=(), trim=())


def some_exchanges(values: Values, rng: Random, count: int) -> list[Any]:
    """Actions D at random, right or wrong, of own cards."""
    own, cells = sorted(values.value("own1")), sorted(values.value("cells"))
    laid = values.value("W")
    found = []
    for _ in range(count if len(own) > 1 else 0):
        first, second, *rest = rng.sample(own, len(own))
        spent = rest[: rng.randint(0, len(rest))]
        shifts = tuple((rng.choice([("Plus",), ("Minus",), ("Idle",)]), card) for card in spent)
        taken = rng.choice([*sorted(values.value("R")), first])
        cell = rng.choice(sorted(laid)) if rng.random() < 0.5 else rng.choice(cells)
        old = ("Was", laid[cell]) if cell in laid else ("Nothing",)
        face = "Up" if rng.random() < 0.7 else "Down"
        found.append(("D", first, rng.choice([("Plus",), ("Minus",)]), second, shifts, (face, taken), cell, old))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(2))
def test_what_the_clauses_let_pass_is_what_is_listed(chunk: int) -> None:
    passing = {"A": 0, "B": 0, "C": 0, "D": 0}
    for seed in range(chunk * 100, chunk * 100 + (100 if LONG else 10)):
        values = drawn(seed)
        listed = set(map(effect, values.value("legal")))
        cells, laid = values.value("cells"), values.value("W")
        written = [(letter, *pair) for letter in "AB" for pair in product(values.value("own1"), cells)]
        written += [("C", cell, laid[cell][1]) for cell in laid]
        for action in [*written, *some_exchanges(values, Random(seed), 300), *values.value("legal")]:
            passes = not failing(having(values, a=action), ACTING)
            passing[action[0]] += passes
            assert passes <= (effect(action) in listed), action
            assert passes or action[0] == "D" or action not in listed, action
        assert not any(failing(having(values, a=action), ACTING) for action in values.value("legal"))
    assert min(passing.values()) > 5


def numbered(board: Board, tower: Tower, rulings: Rulings) -> bool:
    """TOW07 of a tower as it lies."""
    cells = {
        tuple(cell): forms.lying(Down(Value(1)) if laid == Down(UNSEEN) else laid) for cell, laid in tower.cells.items()
    }
    given = {**asdict(rulings), **forms.constants(board), "W": cells, "a": ("Pass",)}
    return bool(book().values(given).value("numbered"))


@pytest.mark.parametrize("facedown", ["integers", "deck", "ignored"])
def test_orders_hold_when_some_numbers_fit(facedown: str) -> None:
    """Every number tried for few down cards, on two and three levels."""
    rng, answers = Random(f"numbered {facedown}"), set()
    for combination in (each for each in COMBINATIONS if facedown in each):
        for _ in range(600 if LONG else 60):
            board = SMALL[rng.randrange(2)]
            tower, rulings = random_tower(rng, board, "finish", board.cards // 2), rulings_with(rng, combination)
            seen = all(laid != Up(UNSEEN) for laid in tower.cells.values())
            if seen and 0 < len(tower.down) <= 3 and not arrangement.broken_orders(board, tower, rulings):
                fits = some_numbers_fit(board, tower, rulings)
                assert numbered(board, tower, rulings) == fits, (tower, rulings)
                answers.add(fits)
    assert answers == ({True} if facedown == "ignored" else {True, False})
