"""Short endings by bounded model checking on tables that were made for one rule each."""

from __future__ import annotations

import pytest

from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import Board, Cell, Down, Laid, Mark, Tower, Up, Value
from tests.formulas.judge.ending_z3 import turns_to_win

pytestmark = pytest.mark.slow

LOW = Board(levels=2, cards=9, anchor=4, deal=2, hand_limit=2, refill=2, reserve_sizes=((2, 3), (3, 2)))
HIGH = Board(levels=3, cards=14, anchor=6, deal=2, hand_limit=2, refill=2, reserve_sizes=((2, 3), (3, 2)))


def table(
    board: Board, tower: str, ada: str, bo: str, reserve: str = "", deck: str = "", touched: str = "", hearts: str = ""
) -> State:
    """A table for two; columns count from `a`, the cards that are not named are gone."""
    cells: dict[Cell, Laid] = {}
    for word in tower.split():
        card, _, place = word.partition("@")
        kind = Down if card.startswith("~") else Up
        cells[Cell("abcdefg".index(place[0]), int(place[1]))] = kind(Value(int(card.lstrip("~"))))
    piles = [[Value(int(card)) for card in words.split()] for words in (ada, bo, reserve, deck)]
    known = {*(laid.card for laid in cells.values()), *(card for pile in piles for card in pile)}
    marks: dict[Value, Mark] = dict.fromkeys(map(Value, range(1, board.cards + 1)), "1")
    marks |= dict.fromkeys(map(Value, map(int, hearts.split())), "H")
    last = Cell("abcdefg".index(touched[0]), int(touched[1])) if touched else None
    return State(
        board=board, variant="first", players=("Ada", "Bo"), marks=marks, tower=Tower.of(board, cells),
        hands=(Pile(frozenset(piles[0])), Pile(frozenset(piles[1]))), reserve=Pile(frozenset(piles[2])),
        gone=Pile(frozenset(Value(card) for card in range(1, board.cards + 1) if card not in known)),
        deck=tuple(piles[3]), laid=last, touched=last, turns=4,
    )  # fmt: skip


def least(state: State, words: str, most: int) -> int | str | None:
    return turns_to_win(state, parse_rules(f"ja-2.2 {words}").rulings, most)


@pytest.mark.parametrize("anchor", ["middle", "floating"])
def test_one_card_is_missing(anchor: str) -> None:
    state = table(LOW, "2@a1 4@b1", "3", "1", touched="b1")
    assert least(state, f"anchor={anchor}", 1) == 1
    assert least(table(LOW, "2@a1 4@b1", "8", "1", touched="b1"), f"anchor={anchor}", 2) is None


@pytest.mark.parametrize("facedown", ["integers", "deck", "ignored", "repeats"])
def test_a_down_card_between_two_up_cards_is_opened(facedown: str) -> None:
    """Ada opens 8 between 6 and 12, and Bo lays the apex."""
    tower = "2@b1 6@c1 12@d1 4@b2 ~8@c2"
    assert least(table(HIGH, tower, "", "7", touched="c2"), f"facedown={facedown}", 2) == 2
    assert least(table(HIGH, tower, "", "9", touched="c2"), f"facedown={facedown}", 2) is None
    two = table(HIGH, "2@b1 6@c1 12@d1 ~4@b2 ~8@c2 5@b3", "", "", touched="c2")
    assert least(two, f"facedown={facedown} early_apex=win_on_completion", 2) == 2


def test_the_greatest_numbers_are_in_order_too() -> None:
    """Under `deck` numbers end at that of the greatest card: 9 cannot rest on 8, with or without them."""
    for facedown in ("integers", "deck", "ignored", "repeats"):
        assert least(table(LOW, "4@b1 8@c1", "9", "", touched="c1"), f"facedown={facedown}", 1) is None
        assert least(table(LOW, "4@b1 9@c1", "8", "", touched="c1"), f"facedown={facedown}", 1) == 1


def test_the_mark_of_the_card_laid_last_says_what_is_drawn() -> None:
    """The apex lies on top of the deck, under 7 or one card deeper; 7 bears one diamond or a heart."""
    assert least(table(LOW, "4@b1 7@c1", "", "", deck="5 1", touched="c1"), "", 1) == 1
    assert least(table(LOW, "4@b1 7@c1", "", "", deck="1 5", touched="c1"), "", 1) is None
    assert least(table(LOW, "4@b1 7@c1", "", "", deck="5 1", touched="c1", hearts="7"), "", 1) is None
    assert least(table(LOW, "4@b1 7@c1", "", "", deck="5 1", touched="c1", hearts="4"), "", 1) == 1


def test_a_card_rests_on_both_its_supports() -> None:
    """Ada has only the apex and Bo only its support: the apex cannot lie first."""
    for spread in ("adjacent", "anywhere"):
        words = f"early_apex=win_on_completion spread={spread}"
        assert least(table(LOW, "4@b1", "5", "7", touched="b1"), words, 2) is None
        assert least(table(LOW, "4@b1", "7", "5", touched="b1"), words, 2) == 2


@pytest.mark.parametrize(("limit", "turns"), [(1, None), (2, 3)])
def test_cards_beyond_the_limit_of_a_hand_are_gone(limit: int, turns: int | None) -> None:
    """Ada lays 2 down and keeps 9 and 14 as far as she may, Bo opens 2, and 14 - 9 makes the apex."""
    board = Board(levels=2, cards=14, anchor=7, deal=2, hand_limit=limit, refill=2, reserve_sizes=((2, 3), (3, 2)))
    state = table(board, "7@b1", "2 9 14", "", reserve="5", touched="b1")
    assert least(state, "anchor=middle", 3) == turns


@pytest.mark.parametrize(("facedown", "turns"), [("ignored", 3), ("repeats", 3), ("integers", None), ("deck", None)])
def test_a_down_card_that_no_number_fits_waits_for_its_neighbours(facedown: str, turns: int | None) -> None:
    """Nothing lies between 6 and 7, where 9 is down. Ada opens 2, Bo puts 11 in the place of 7, and Ada opens 9."""
    tower = "~2@b1 6@c1 7@d1 4@b2 ~9@c2 5@b3"
    state = table(HIGH, tower, "", "3 8", reserve="11", touched="b3")
    assert least(state, f"facedown={facedown} early_apex=win_on_completion", 3) == turns
    assert least(state, f"facedown={facedown} early_apex=win_on_completion", 2) is None
