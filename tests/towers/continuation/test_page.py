"""The reasons and prices of `table.md` and `search.md`, as their pages say them, against the program on late tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest

from couperation_formal.game.position import state_of
from couperation_formal.game.record import Snapshot
from couperation_formal.game.rules.arrangement import holds
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, UNSEEN, Cell, Down, Tower, Up
from couperation_formal.notation.read import read_text
from couperation_formal.towers.continuation.answer import Won, answer
from couperation_formal.towers.continuation.exhaust import Reductions
from couperation_formal.towers.continuation.final_tower import Prices, least_spent
from couperation_formal.towers.continuation.line import Packed
from couperation_formal.towers.continuation.theorems import reason
from tests.kit.table_page import NONE, SearchPage, TablePage
from tests.towers.continuation.brute import random_rulings
from tests.towers.continuation.reasons_brute import disordered, hide, near_end

TABLES = 500


def late(part: int, number: int) -> tuple[State, Rulings]:
    """A table of three levels near its end, under any rulings; of eight one out of order, two with things unseen; of
    some the apex lies."""
    rng = Random(f"page {part} {number}")
    rulings = random_rulings(rng)
    state = near_end(rng.randrange(10**6), rng.choice((2, 3)), bool(number % 2), rulings)
    state = msgspec.structs.replace(state, given=True)
    if rng.random() < 0.5:
        state = topped(rng, state, rulings)
    way = rng.randrange(8)
    state = (disordered(rng, state, rulings) or state) if way == 0 else hide(state, rng) if way < 3 else state
    return state, rulings


def topped(rng: Random, state: State, rulings: Rulings) -> State:
    """The table of the variant `first` with a gone card as its apex, where one fits over both its supports."""
    board, tower = state.board, state.tower
    apex = Cell(tower.first, board.levels)
    if state.variant == "finish" or tower.first != tower.last or not tower.cells.keys() >= set(apex.supports):
        return state
    for card in sorted(card for card in state.gone.known if isinstance(card, int)):
        higher = tower.lay(apex, Up(card))
        if holds(board, higher, rulings) and rng.random() < 0.5:
            return msgspec.structs.replace(state, tower=higher, gone=Pile(state.gone.known - {card}))
    return state


@pytest.mark.parametrize("part", range(4))
def test_the_reasons_are_those_of_the_page(part: int) -> None:
    kinds: Counter[str | None] = Counter()
    for number in range(TABLES):
        state, rulings = late(part, number)
        page, found = TablePage(state, rulings), reason(state, rulings)
        kind = found.kind if found is not None else None
        kinds[kind] += 1
        assert kind == page.kind(), (number, state, rulings)
    assert set(kinds) >= {
        None,
        "finish",
        "stuck",
        "order",
        "apex",
        "cards",
        "interval",
        "replacements",
        "exchanges",
        "turns",
    }


@pytest.mark.parametrize("part", range(4))
def test_prices_and_positions_left_out_are_those_of_the_page(part: int) -> None:
    met: Counter[bool] = Counter()
    for number in range(TABLES):
        state, rulings = late(part, number)
        page, packed = SearchPage(state, rulings), Packed(state, rulings)
        roots = list(packed.roots())
        placed = state.variant == "first" or state.front is not None or FINISH in page.shown | state.gone.known
        if len(roots) != 1 or not placed:
            continue
        if page.spare >= 0:
            price = page.price()
            least = Prices(packed.frame).least(roots[0], page.spare)
            assert least == (price if price <= page.spare else None), (number, state, rulings)
        met[page.left_out()] += 1
        assert Reductions(packed.frame).hopeless(roots[0]) == page.left_out(), (number, state, rulings)
    assert min(met[True], met[False]) > TABLES // 8


def test_no_unseen_card_is_the_one_that_lies_on_an_apex_to_be_laid_again() -> None:
    """The number of that apex is seen, so it costs a D on a cell with an unseen card, as the page says."""
    dearer = 0
    for number in range(600):
        rng = Random(f"apex {number}")
        rulings = random_rulings(rng).with_changes({"early_apex": "no_win"})
        state = topped(rng, near_end(rng.randrange(10**6), 2, False, rulings), rulings)
        laid = {cell: Down(UNSEEN) if type(card) is Down else card for cell, card in state.tower.cells.items()}
        state = msgspec.structs.replace(state, tower=Tower.of(state.board, laid))
        page, unlike = TablePage(state, rulings), TablePage(state, rulings)
        if page.again and page.spare >= 0:
            price = page.price()
            assert least_spent(state, rulings, page.spare) == (price if price <= page.spare else None)
            unlike.shown -= {card.card for cell, card in laid.items() if cell.level == state.board.levels}
            dearer += unlike.price() < price
    assert dearer


def test_the_finish_card_is_taken_by_what_makes_its_number() -> None:
    """One card to spare: the 25 lies in the tower, and F with its number is taken by a D all the same."""
    (item,) = read_text(Path("tests/data/table/finish_in_reserve.cgn").read_text())
    assert isinstance(item, Snapshot)
    state, rulings = state_of(item.position), item.position.rules.rulings
    assert reason(state, rulings) is None
    page = TablePage(state, rulings)
    assert (page.spare, page.price(), page.taken()[25], page.kind()) == (1, 1, NONE, None)
    assert isinstance(answer(state, rulings), Won)
