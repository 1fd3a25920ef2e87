"""Answers as they were reviewed: steps, kind and line of many tables, which are promised to be the same in every run.

`pytest --update-goldens` writes them anew, to be reviewed as a diff. What the search prefers shows here only: lines are
replayed and deadlocks repeated elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from couperation_formal.game.fact import Steps
from couperation_formal.game.position import state_of
from couperation_formal.game.record import Snapshot
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import Shown, card_key
from couperation_formal.notation.read import read
from couperation_formal.notation.write import turn_text
from couperation_formal.towers.continuation.answer import Exhausted, Unknown, Won, answer
from couperation_formal.towers.continuation.exhaust import Reductions
from couperation_formal.towers.continuation.guesses import BEAMS, ENDS
from couperation_formal.towers.continuation.hunt import Hunts
from couperation_formal.towers.continuation.line import Packed
from tests.conftest import LONG
from tests.towers.continuation.same_everywhere import small

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parent / "golden"
PARTS, TABLES, EVERY = 9, 10, 22
BUDGETS = 400, 2000, 20_000
SEEDS = [
    *range(240), 245, 371, 416, 449, 490, 491, 584, 677, 731, 763, 836, 1001, 1313, 1741, 1748, 1919, 2041, 2675, 2737,
    2960,
]  # fmt: skip


def told(name: str, state: State, rulings: Rulings, budget: int) -> str:
    """One answer in a few lines."""
    steps = Steps(budget)
    found = answer(state, rulings, steps)
    head = f"{name}, {budget}: {steps.spent} steps, "
    if isinstance(found, Unknown):
        return f"{head}unknown, {found.bound}\n"
    if isinstance(found, Won):
        world = found.world
        piles = [world.deck, *(sorted(pile.known, key=card_key) for pile in (*world.hands, world.reserve, world.gone))]
        cells = [f"{cell}{laid}" for cell, laid in sorted(world.tower.cells.items())]
        lines = [f"won{''.join(f' {card}:{mark}' for card, mark in sorted(found.assumed_marks.items()))}"]
        lines += [turn_text(turn) for turn in found.line]
        return f"{head}{chr(10).join(lines)}\n{short(*map(words, piles), *cells)}\n"
    if isinstance(found.reason, Exhausted):
        return f"{head}dead, {found.reason.positions} positions, {found.reason.digest[:8]}\n"
    reason = found.reason
    parts = {"kind": reason.kind, "theorem": reason.theorem, **msgspec.to_builtins(reason)}
    return f"{head}dead, {short(repr(parts))} {reason.kind}\n"


def words(cards: Sequence[Shown]) -> str:
    return " ".join(map(str, cards))


def short(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]


def as_reviewed(name: str, text: str, request: pytest.FixtureRequest) -> None:
    golden = GOLDEN / name
    if request.config.getoption("--update-goldens"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("part", range(PARTS))
def test_small_tables(part: int, request: pytest.FixtureRequest) -> None:
    text = "".join(told(f"seed {seed}", *small(seed), BUDGETS[seed % 3]) for seed in SEEDS[part::PARTS])
    as_reviewed(f"small-{part}.txt", text, request)


def test_small_tables_under_the_later_rulings(request: pytest.FixtureRequest) -> None:
    text = "".join(told(f"seed {seed}", *small(seed, True), BUDGETS[seed % 3]) for seed in range(60))
    as_reviewed("further.txt", text, request)


@pytest.mark.parametrize("number", range(TABLES))
def test_tables_of_the_printed_board(number: int, request: pytest.FixtureRequest) -> None:
    item = list(read(GOLDEN / "tables.cgn"))[number]
    assert isinstance(item, Snapshot)
    state, rulings = state_of(item.position), item.position.rules.rulings
    as_reviewed(f"table-{number}.txt", told(f"table {number}", state, rulings, 30_000), request)


def test_no_table_is_left_out() -> None:
    assert len(list(read(GOLDEN / "tables.cgn"))) == TABLES


@pytest.mark.parametrize("at", range(EVERY) if LONG else (0, 4, 5, 8, 15))
def test_every_beam_by_itself(at: int, request: pytest.FixtureRequest) -> None:
    """It goes on until it finds a line or none of its positions is left. The suite takes one that is narrow, and those
    of several ways, of every turn, of other weights and sparing.
    """
    beam = list(dict.fromkeys((*ENDS, *BEAMS)))[at]
    lines = [f"{beam.width} {beam.ways} {beam.every}{' sparing' * beam.sparing}\n"]
    for seed in (35, 202, 206, 389):
        state, rulings = small(seed)
        packed = Packed(state, rulings, Steps(400_000))
        hunts = Hunts(packed, list(packed.roots()), Reductions(packed.frame))
        found = hunts.lines(hunts.places()[0], beam, packed.frame.budget.left)
        lines.append(f"seed {seed}: {packed.frame.budget.spent} steps, {'a line' if found else 'nothing'}\n")
    as_reviewed(f"beam-{at}.txt", "".join(lines), request)


def test_no_beam_is_left_out() -> None:
    assert len({*ENDS, *BEAMS}) == EVERY
