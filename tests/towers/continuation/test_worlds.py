"""Guessed worlds: a world is a completion of the table, its plan a tower in order, and what the guesses are for."""

from __future__ import annotations

import random
from itertools import combinations

import msgspec
import pytest

from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import Rulings, parse_rules
from couperation_formal.game.state import Pile, State, all_cards
from couperation_formal.game.tower import FINISH, UNSEEN, Down, Shown, Variant
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.towers.completion.fill import before, places, shape
from couperation_formal.towers.continuation.answer import Won, answer
from couperation_formal.towers.continuation.guesses import worlds
from couperation_formal.towers.continuation.line import Packed
from tests.conftest import LONG

pytestmark = pytest.mark.slow

BOOKS = ("ja-2.2", "en-1", "en-2", "bgg")


def states(seed: int) -> tuple[list[State], Rulings]:
    """The states of a sampled game that is not over."""
    rules = parse_rules(BOOKS[seed % 4])
    variant: Variant = "finish" if seed % 2 else "first"
    game = sample_game(2 + seed % 3, variant, rules, 7000 + seed, "careful" if seed % 3 else "random")
    return [state for state in replay(game, rules.rulings).states if state.result is None], rules.rulings


def hidden(state: State, chance: random.Random) -> State:
    """The state with some of its cards and marks not shown."""

    def pile(shown: Pile) -> Pile:
        known = frozenset(card for card in shown.known if chance.random() < 0.5)
        return Pile(known, shown.size - len(known))

    cells = {
        cell: Down(UNSEEN) if isinstance(laid, Down) and chance.random() < 0.5 else laid
        for cell, laid in state.tower.cells.items()
    }
    return msgspec.structs.replace(
        state,
        tower=type(state.tower).of(state.board, cells),
        hands=tuple(map(pile, state.hands)),
        reserve=pile(state.reserve),
        gone=pile(state.gone),
        deck=tuple(card if chance.random() < 0.3 else UNSEEN for card in state.deck),
        marks={value: mark for value, mark in state.marks.items() if chance.random() < 0.5},
    )


def refines(world: State, state: State) -> bool:
    """Whether a fully seen state shows what another one does."""
    piles = zip((*world.hands, world.reserve, world.gone), (*state.hands, state.reserve, state.gone), strict=True)
    laid = [(world.tower.cells[cell], other) for cell, other in state.tower.cells.items()]
    return (
        all(not new.unseen and new.size == old.size and new.known >= old.known for new, old in piles)
        and all(new == old or (isinstance(old, Down) and old.card is UNSEEN and type(new) is Down) for new, old in laid)
        and all(old in (UNSEEN, new) for new, old in zip(world.deck, state.deck, strict=True))
        and world.marks.items() >= state.marks.items()
    )


@pytest.mark.parametrize("seed", range(12))
def test_a_world_completes_the_table_and_its_plan_is_in_order(seed: int) -> None:
    found, rulings = states(seed)
    chance = random.Random(seed)
    seen = 0
    for state in found[:: max(1, len(found) // 4)]:
        table = hidden(state, chance)
        columns = []
        for world, plan in worlds(table, rulings):
            seen += 1
            columns.append(plan.left)
            assert refines(world, table)
            cards: list[Shown] = [card for pile in (*world.hands, world.reserve, world.gone) for card in pile.known]
            cards += [*world.deck, *(laid.card for laid in world.tower.cells.values())]
            cards += [FINISH] * (world.front is not None)
            assert sorted(map(str, cards)) == sorted(map(str, all_cards(world.board, world.variant)))
            assert len(list(Packed(world, rulings).roots())) == 1
            grid = shape(world.board.levels)
            numbers = {grid.number[cell.column - plan.left, cell.level]: n for cell, n in plan.numbers.items()}
            assert len(numbers) == grid.size - (world.variant == "finish")
            for low, high in combinations(sorted(numbers, key=numbers.__getitem__), 2):
                assert not before(grid, high, low)
        assert sorted(columns) == list(places(table.board, rulings, table.tower.cells))
    assert seen


@pytest.mark.parametrize("seed", range(4) if LONG else (1, 3))
def test_a_deal_of_which_nothing_is_known_is_won(seed: int) -> None:
    found, rulings = states(seed)
    state = found[0]
    blind = msgspec.structs.replace(
        state,
        hands=tuple(Pile(frozenset(), hand.size) for hand in state.hands),
        deck=(UNSEEN,) * len(state.deck),
        marks={},
    )
    result = answer(blind, rulings)
    assert isinstance(result, Won)
    assert refines(msgspec.structs.replace(result.world, marks={}), blind)
    assert result.assumed_marks.items() <= result.world.marks.items()
