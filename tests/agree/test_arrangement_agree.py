"""The plain evaluator and the Z3 model give one answer on random towers, under every ruling that decides orders."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from random import Random

import pytest
import z3

from couperation_formal.game.fact import Steps
from couperation_formal.game.rules import arrangement as plain
from couperation_formal.game.rules.arrangement import Chain, finish_number, gap, number, orders
from couperation_formal.game.rules.step import Arrangement
from couperation_formal.game.rulings import Rulings, registry
from couperation_formal.game.tower import STANDARD, Board, Cell, Down, Tower, Up, Value, Variant
from couperation_formal.hidden.smt import tower as module
from tests.agree.arrangement_agree import some_numbers_fit
from tests.agree.worlds import BOARDS, COMBINATIONS, SMALL, cells_of, random_tower, rulings_with
from tests.conftest import LONG, some
from tests.formulas.judge.script import smt_lib

pytestmark = pytest.mark.slow

TOWERS = 500 if LONG else 24
"""For each combination."""

exact = module.Model(Steps())

ENGINES: tuple[Arrangement, Arrangement] = (plain, exact)


def tower_of(seed: int) -> tuple[Board, Tower, Rulings]:
    rng = Random(f"tower {seed}")
    board = rng.choices(BOARDS, (1, 3, 4, 2))[0]
    variant: Variant = rng.choice(("first", "finish"))
    rulings = rulings_with(rng, COMBINATIONS[seed % len(COMBINATIONS)])
    return board, random_tower(rng, board, variant), rulings


def assert_fails(chain: Chain, board: Board, tower: Tower, rulings: Rulings) -> None:
    """By arithmetic: the run starts at a number, each order asks for its gap, and the end has not that much room."""
    finish = finish_number(board, rulings)
    clauses = {(order.lower, order.upper): order.clause for order in orders(board).every}
    first, last = chain.cells[0], chain.cells[-1]
    laid = [tower.cells[cell] for cell in chain.cells]
    value = number(laid[0], finish)
    if first in tower.down:
        assert rulings.facedown == "deck"
        value = 1
    assert value is not None
    for step in pairwise(chain.cells):
        value += gap(clauses[step], rulings)
    limit = number(laid[-1], finish)
    if last in tower.down:
        assert rulings.facedown == "deck"
        limit = board.cards
    assert (chain.least, chain.limit) == (value, limit)
    assert chain.least > chain.limit
    inner = chain.cells[first not in tower.down : len(chain.cells) - (last not in tower.down)]
    assert inner
    assert tower.down.issuperset(inner)


@pytest.mark.parametrize("combination", some(range(len(COMBINATIONS)), 13), ids=lambda at: "-".join(COMBINATIONS[at]))
def test_plain_and_z3_agree(combination: int) -> None:
    failing = broken = holding = 0
    for seed in range(combination, len(COMBINATIONS) * TOWERS, len(COMBINATIONS)):
        board, tower, rulings = tower_of(seed)
        found = plain.broken_orders(board, tower, rulings)
        assert exact.broken_orders(board, tower, rulings) == found, seed
        chain, core = (engine.failing_chain(board, tower, rulings) for engine in ENGINES)
        assert (chain is None) == (core is None), seed
        for run in (chain, core):
            if run is not None:
                assert_fails(run, board, tower, rulings)
        broken += bool(found)
        failing += chain is not None
        holding += chain is None and not found and bool(tower.down)
    assert broken > TOWERS // 20
    assert holding > TOWERS // 20
    assert (failing > TOWERS // 20) == (COMBINATIONS[combination][2] != "ignored")


@pytest.mark.parametrize("seed", range(30 if LONG else 12))
def test_broken_orders_of_one_cell_and_clause(seed: int) -> None:
    board, tower, rulings = tower_of(seed)
    for cell in some(cells_of(board), 3):
        for clause in (None, "TOW01", "TOW02"):
            found = plain.broken_orders(board, tower, rulings, cell, clause)
            assert exact.broken_orders(board, tower, rulings, cell, clause) == found
            every = plain.broken_orders(board, tower, rulings)
            assert {
                broken for broken in every if cell in broken.order[:2] and clause in (None, broken.order.clause)
            } == (set(found))


@pytest.mark.parametrize("combination", some(COMBINATIONS, 5), ids="-".join)
def test_both_agree_with_trying_all_numbers(combination: tuple[str, ...]) -> None:
    """On two and three levels, few of the cards down: every choice of numbers, far beyond the deck's where allowed."""
    answers = set()
    rng = Random("-".join(combination))
    for _ in range(200 if LONG else 60):
        board = SMALL[rng.randrange(2)]
        tower, rulings = random_tower(rng, board, "finish", board.cards // 2), rulings_with(rng, combination)
        if 0 < len(tower.down) <= 3:
            fits = some_numbers_fit(board, tower, rulings)
            answers.add(fits)
            for engine in ENGINES:
                assert (engine.failing_chain(board, tower, rulings) is None) == fits
    assert answers == ({True} if rulings.facedown == "ignored" else {True, False})


def row(board: Board, text: str) -> Tower:
    """A tower whose first level holds these cards from the anchor's cell on; ``~`` for a down card."""
    column = board.anchor_cell.column
    cards = [Down(Value(1)) if word == "~" else Up(Value(int(word))) for word in text.split()]
    return Tower.of(board, {Cell(column + place, 1): card for place, card in enumerate(cards)})


def test_a_chain_of_each_kind() -> None:
    rulings = registry().rulebooks["en-1"]
    g, h, i, j = (Cell(column, 1) for column in range(6, 10))
    for text, expected in (
        ("17 ~ ~ 19", Chain((g, h, i, j), 20, 19)),
        ("49 ~ ~", Chain((g, h, i), 51, 50)),
        ("~ ~ 2", Chain((g, h, i), 3, 2)),
    ):
        for engine in ENGINES:
            assert engine.failing_chain(STANDARD, row(STANDARD, text), rulings) == expected
    for engine in ENGINES:
        assert engine.failing_chain(STANDARD, row(STANDARD, "17 ~ ~ 20"), rulings) is None


def test_no_answer_is_neither_yes_nor_no(monkeypatch: pytest.MonkeyPatch) -> None:
    rulings = registry().rulebooks["en-1"]
    monkeypatch.setattr(module, "ORDERS_BUDGET", 1)
    for text in ("17 ~ ~ 19", "17 ~ ~ 20"):
        with pytest.raises(module.SolverUnknown, match="resource units"):
            exact.failing_chain(STANDARD, row(STANDARD, text), rulings)


def test_a_reason_that_is_none_is_our_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    first = iter((True,))
    monkeypatch.setattr(exact, "_core", lambda asked, _: list(asked) if next(first, False) else None)
    with pytest.raises(RuntimeError, match="has a solution"):
        exact.failing_chain(STANDARD, row(STANDARD, "17 ~ ~ 20"), registry().rulebooks["en-1"])


@pytest.mark.parametrize("seed", range(200 if LONG else 60))
def test_the_script_says_the_same(seed: int) -> None:
    board, tower, rulings = tower_of(seed)
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(smt_lib(board, tower, rulings))
    broken = exact.broken_orders(board, tower, rulings)
    fits = not broken and exact.failing_chain(board, tower, rulings) is None
    assert solver.check() == (z3.sat if fits else z3.unsat)
    if not fits:
        names = {str(name).split()[0] for name in solver.unsat_core()}
        assert names
        assert names <= {"TOW01", "TOW02", "TOW07"}


def test_the_script_as_written() -> None:
    script = smt_lib(STANDARD, row(STANDARD, "17 ~"), registry().rulebooks["en-1"])
    assert script.splitlines() == [
        "; TOW01, TOW02, TOW07 under row_order=strict between=strict facedown=deck finish_value=25",
        "(set-option :produce-unsat-cores true)",
        "(set-logic QF_LIA)",
        "(define-fun g1 () Int 17)",
        "(declare-const h1 Int) ; down",
        "(assert (! (<= (+ g1 1) h1) :named |TOW01 g1 h1|))",
        "(assert (! (<= 1 h1) :named |TOW07 floor h1|))",
        "(assert (! (<= h1 50) :named |TOW07 ceiling h1|))",
        "(check-sat)",
    ]


def cores(seeds: list[int]) -> str:
    """The Z3 model's reasons for these towers, as text."""
    return "\n".join(str(exact.failing_chain(*tower_of(seed))) for seed in seeds)


def test_the_core_is_the_same_from_run_to_run() -> None:
    """In this process after other towers, and in a new one with another hash seed."""
    seeds = [seed for seed in range(120) if plain.failing_chain(*tower_of(seed)) is not None]
    here = cores(seeds)
    assert here.count("Chain") == len(seeds) > 4
    assert "\n".join(reversed([cores([seed]) for seed in reversed(seeds)])) == here
    for hash_seed in some(("1", "2"), 2):
        code = f"from tests.agree.test_arrangement_agree import cores; print(cores({seeds!r}))"
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        assert run.stdout == here + "\n"
