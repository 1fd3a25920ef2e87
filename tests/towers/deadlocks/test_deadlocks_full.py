"""The printed board: every deadlock found is one, none of its parts is, and counts that stay as they are."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import STANDARD, Cell, Variant
from couperation_formal.towers.completion.answer import Completable, Deadlocked, complete
from couperation_formal.towers.completion.deadlocks import (
    Cells,
    Deadlock,
    Hulls,
    Sought,
    deadlocks,
    position_of,
    removable,
    shapes,
)
from tests.conftest import some

pytestmark = pytest.mark.slow

COUNTS: dict[tuple[str, Variant, int], tuple[int, ...]] = {
    ("ja-2.2", "first", 0): (0, 2, 139, 548, 998),
    ("en-2", "first", 0): (0, 40, 306, 258, 364, 189),
    ("bgg", "first", 0): (0, 2, 141, 919),
    ("en-2", "first", 1): (0, 80, 1126, 684),
}


@cache
def found(rules: str, variant: Variant, gone: int, cards: int) -> list[tuple[Cells, Deadlock]]:
    question = Sought(rules=parse_rules(rules), variant=variant, gone=gone)
    return [(cells, each) for cells in shapes(question, cards) for each in deadlocks(question, cells)]


@pytest.mark.parametrize(("rules", "variant", "gone"), some(COUNTS, 2))
def test_counts(rules: str, variant: Variant, gone: int) -> None:
    counts = COUNTS[rules, variant, gone]
    assert tuple(len(found(rules, variant, gone, cards)) for cards in range(len(counts))) == counts


@pytest.mark.parametrize(
    ("rules", "variant", "gone", "most"),
    [
        ("ja-2.2", "first", 0, 3),
        ("en-2", "first", 0, 4),
        ("bgg", "finish", 0, 3),
        ("en-2 finish_value=none facedown=ignored", "finish", 0, 3),
        ("ja-2.2 between=inclusive", "finish", 1, 2),
        ("ja-2.2 facedown=deck", "first", 2, 1),
        ("ja-2.2 spread=anywhere", "first", 0, 2),
    ],
)
def test_each_is_a_deadlock_and_its_parts_are_not(rules: str, variant: Variant, gone: int, most: int) -> None:
    question = Sought(rules=parse_rules(rules), variant=variant, gone=gone)
    seen = 0
    for cards in range(most + 1):
        for cells, each in some(found(rules, variant, gone, cards), 3):
            seen += 1
            assert completed(question, cells, each) is Deadlocked
            for part in parts(question, cells, each):
                assert completed(question, *part) is Completable
    assert seen > 0


@cache
def completed(question: Sought, cells: Cells, each: Deadlock) -> type[Completable | Deadlocked]:
    """Which answer there is: a part of several deadlocks is asked once."""
    return type(complete(position_of(question, cells, each)))


def parts(question: Sought, cells: Cells, each: Deadlock) -> list[tuple[Cells, Deadlock]]:
    """The largest proper parts: a card less, an up card down, a destroyed card less."""
    found = [(cells, each._replace(gone=each.gone[:at] + each.gone[at + 1 :])) for at in range(len(each.gone))]
    for at, cell in enumerate(cells):
        less = Deadlock(each.cards[:at] + each.cards[at + 1 :], each.gone)
        if cell in removable(question, cells):
            found.append((cells[:at] + cells[at + 1 :], less))
        if each.cards[at]:
            found.append((cells, each._replace(cards=(*each.cards[:at], 0, *each.cards[at + 1 :]))))
    return found


@pytest.mark.parametrize("rules", ["ja-2.2", "en-2"])
def test_no_tower_of_two_cards_on_level_one_is_missed(rules: str) -> None:
    """Every value on every two cells of level 1 beside the 25, one by one."""
    question = Sought(rules=parse_rules(rules))
    ones = {each.cards[0] for each in deadlocks(question, (Cell(5, 1),))}
    others = {each.cards[0] for each in deadlocks(question, (Cell(7, 1),))}
    cells = (Cell(5, 1), Cell(7, 1))
    expected = [
        (low, high)
        for low, high in product(set(range(1, 25)) - ones, set(range(26, 51)) - others)
        if isinstance(complete(position_of(question, cells, Deadlock((low, high), ()))), Deadlocked)
    ]
    assert [each.cards for each in deadlocks(question, cells)] == expected
    assert expected


def test_a_row_that_leaves_no_place_is_a_deadlock_by_down_cards_alone() -> None:
    six = tuple(Cell(column, 1) for column in range(6))
    assert Deadlock((0,) * 6, ()) in deadlocks(Sought(rules=parse_rules("ja-2.2")), six)
    assert Deadlock((0,) * 6, ()) not in deadlocks(Sought(rules=parse_rules("ja-2.2 spread=anywhere")), six)
    assert deadlocks(Sought(rules=parse_rules("ja-2.2 spread=anywhere")), six[:1]) == [Deadlock((0,), ())]


def test_the_finish_card_below_the_apex_on_down_cards() -> None:
    waived = parse_rules("ja-2.2 finish_value=none")
    cells = (Cell(5, 1), Cell(5, 2))
    question = Sought(rules=waived, variant="finish", gone=1)
    assert Deadlock((0, 51), ()) in deadlocks(question, cells)
    assert deadlocks(question, ()) == [Deadlock((), (51,))]
    valued = Sought(rules=parse_rules("ja-2.2"), variant="finish")
    assert all(51 not in each.cards for each in deadlocks(valued, cells))


def test_a_hull_holds_the_cells_between() -> None:
    """Elements: the ends of the deck and the anchor (0 to 2), f1, i1, and a destroyed card."""
    place = Hulls(STANDARD, 3, [Cell(5, 1), Cell(8, 1)], 1, "glass")
    assert place[0b010010] == 6, "g1 to i1, and what rests on these three columns alone"
    assert place[0b011000] == 10, "f1 to i1"
    assert place[0b101000] == 2, "a destroyed card has no cell and lies between nothing"
    assert place[0b001001] == 7, "f1, the five cells below it, and the end of the deck"


@pytest.mark.parametrize("variant", ["first", "finish"])
def test_an_up_card_on_down_cards_whose_orders_are_waived_misses_none(variant: Variant) -> None:
    """Two cards that disagree need not be out of order here, as the orders through down cards are waived [facedown]."""
    question = Sought(rules=parse_rules("ja-2.2 anchor=floating facedown=ignored"), variant=variant)
    cells = (Cell(5, 1), Cell(7, 1), Cell(5, 2), Cell(6, 2), Cell(5, 3))
    one = [each.cards[-1] for each in deadlocks(question, cells) if not any(each.cards[:-1])]
    expected = [
        value
        for value in set(range(1, 51)) - {25}
        if isinstance(complete(position_of(question, cells, Deadlock((0, 0, 0, 0, value), ()))), Deadlocked)
    ]
    assert [value for value in one if value <= 50] == sorted(expected)
    assert {1, 2, 50} <= set(one)
