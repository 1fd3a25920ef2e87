"""The windows of a tower's cells against laying every number on every cell and asking whether the orders hold."""

from __future__ import annotations

from random import Random

import pytest

from couperation_formal.game.fact import Steps
from couperation_formal.game.rules import arrangement as plain
from couperation_formal.game.rules.arrangement import Windows
from couperation_formal.game.rules.step import Arrangement
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import UNSEEN, Board, Cell, Down, Laid, Tower, Up, Value
from couperation_formal.hidden.smt.tower import Model
from tests.agree.worlds import BOARDS, COMBINATIONS, cells_of, grown_tower, holds, random_tower, rulings_with
from tests.conftest import LONG, some

pytestmark = pytest.mark.slow

TOWERS = 80 if LONG else 8
"""For each combination."""


def tower_that_holds(rng: Random, rulings: Rulings) -> tuple[Board, Tower]:
    board = rng.choices(BOARDS, (1, 3, 3, 1))[0]
    for _ in range(12):
        tower = random_tower(rng, board, rng.choice(("first", "finish")))
        tower = Tower.of(board, {cell: laid for cell, laid in tower.cells.items() if cell not in tower.hidden})
        if tower.down and holds(board, tower, rulings):
            return board, tower
    return board, grown_tower(rng, board, "finish", rulings)


exact = Model(Steps())


def fits(engine: Arrangement, board: Board, tower: Tower, rulings: Rulings, cell: Cell, laid: Laid) -> bool:
    after = tower.lay(cell, laid)
    return not engine.broken_orders(board, after, rulings, cell) and (
        engine.failing_chain(board, after, rulings) is None
    )


@pytest.mark.parametrize("combination", some(COMBINATIONS, 7), ids="-".join)
def test_windows_agree_with_laying_every_number(combination: tuple[str, ...]) -> None:
    rng = Random("windows " + " ".join(combination))
    rulings = rulings_with(rng, combination)
    inside = outside = 0
    for _ in range(TOWERS):
        board, tower = tower_that_holds(rng, rulings)
        windows = Windows(board, tower, rulings)
        for cell in cells_of(board):
            if cell in tower.cells:
                continue
            window = windows.window(cell)
            for value in range(board.cards + 2):
                inside += window.holds(value)
                outside += not window.holds(value)
                assert window.holds(value) == fits(plain, board, tower, rulings, cell, Up(Value(value)))
            assert windows.fits_down(cell) == fits(plain, board, tower, rulings, cell, Down(UNSEEN))
    assert inside > 100
    assert outside > 100


@pytest.mark.parametrize("combination", some(COMBINATIONS, 7), ids="-".join)
def test_windows_end_where_z3_says(combination: tuple[str, ...]) -> None:
    rng = Random("borders " + " ".join(combination))
    rulings = rulings_with(rng, combination)
    ends = 0
    for _ in range(TOWERS // 2):
        board, tower = tower_that_holds(rng, rulings)
        windows = Windows(board, tower, rulings)
        free = [cell for cell in cells_of(board) if cell not in tower.cells]
        for cell in rng.sample(free, min(2, len(free))):
            window = windows.window(cell)
            ends += window != (None, None)
            near = {end + step for end in window if end is not None for step in (-1, 0, 1)} | {board.anchor}
            for value in sorted(near):
                assert window.holds(value) == fits(exact, board, tower, rulings, cell, Up(Value(value)))
            assert windows.fits_down(cell) == fits(exact, board, tower, rulings, cell, Down(UNSEEN))
    assert ends


def test_a_replaced_card_leaves_its_window() -> None:
    """The window of a cell whose card is taken away, as action D's replacement asks."""
    rng = Random("replaced")
    for _ in range(60):
        board, rulings = rng.choice(BOARDS), rulings_with(rng)
        tower = grown_tower(rng, board, "first", rulings)
        cell = rng.choice(sorted(tower.cells))
        window = Windows(board, tower.without(cell), rulings).window(cell)
        for value in range(board.cards + 2):
            assert window.holds(value) == fits(plain, board, tower, rulings, cell, Up(Value(value)))
