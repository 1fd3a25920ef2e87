"""A turn by itself where draws were not noted: against the same record with each number of cards written down."""

from __future__ import annotations

import pytest

from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Game
from couperation_formal.game.rulings import registry
from couperation_formal.hidden.readings.sets import Readings
from couperation_formal.notation.read import read_text
from couperation_formal.output.blocks import plain
from couperation_formal.questions.disputes.dispute import Dispute, dispute
from couperation_formal.questions.disputes.judging import readings_at, table_before, ways_at
from couperation_formal.words.say import ENGLISH

HEAD = '[CGN "1"]\n[Players "Aki Ben"]\n[Marks "17:2 40:1"]\n'
HEAD += "deal Aki 17 30 28\ndeal Ben 5 40 45\nreserve 1 50 12 33 44 7\n"
BOOKS = registry().rulebooks
DECK = 37


def game(turns: str) -> Game:
    (found,) = read_text(HEAD + turns)
    assert isinstance(found, Game)
    return found


def noted(turns: str, at: int) -> tuple[Readings, Readings]:
    """The readings under which turn `at` of a record is legal, and illegal, with every draw written down."""
    record = game(turns).record
    assert ways_at(record, at, Steps()) is None
    verdicts, _, _ = readings_at(record, at, table_before(record, at), Steps())
    assert not verdicts.undetermined
    return verdicts.legal, verdicts.illegal


def size(cards: int) -> str:
    return "+" + (",".join("?" * cards) or "0")


def test_before_the_turn_a_draw_may_have_been_any() -> None:
    """As few as none and as many as leave the next draw its card: the Cartesian product is asked one by one."""
    turns = "1. Aki {} A 17@f1\n2. Ben +? A 40@h1 ~~\n"
    found = dispute(game(turns.format("+*")), at=2, budget=100_000)
    each = [noted(turns.format(size(cards)), 2) for cards in range(DECK)]
    legal, illegal = Readings.none(), Readings.every()
    for one, other in each:
        legal, illegal = legal | one, illegal & other
    assert (found.verdicts.legal, found.verdicts.illegal) == (legal, illegal)
    assert told(found) == {"bgg": "36"}
    assert BOOKS["bgg"] in each[36][0]
    assert BOOKS["bgg"] not in each[35][0]


def test_in_the_turn_no_limit_allows_more_than_four() -> None:
    turns = "1. Aki A 17@f1\n2. Ben {} A 40@h1 ~~ drop ?\n"
    found = dispute(game(turns.format("+*")), at=2, budget=100_000)
    legal = Readings.none()
    for cards in range(DECK + 1):
        legal |= noted(turns.format(size(cards)), 2)[0]
    assert found.verdicts.legal == legal
    assert not found.verdicts.undetermined
    assert set(told(found).values()) == {"2"}


def test_what_is_legal_with_some_size_hangs_on_it() -> None:
    found = dispute(game("1. Aki B 17@f1\n2. Ben +* A 40@h1\n"), at=2)
    assert {book.verdict for book in found.rulebooks.values()} == {"legal"}
    assert set(told(found)) == set(BOOKS)


def test_a_turn_that_is_wrong_whatever_was_drawn_is_told_by_its_clause() -> None:
    found = dispute(game("1. Aki +* A 17@f1 ~~ drop ?\n"), at=1, budget=100_000)
    assert {book.code for book in found.rulebooks.values()} == {"LIM01"}
    assert (found.nowhere, found.untold) == (None, ())


@pytest.mark.slow
@pytest.mark.parametrize(("laid", "verdict"), [("40@h1", "legal"), ("40@f2", "illegal")])
def test_a_size_that_leaves_a_hand_too_few_cards_is_no_way(laid: str, verdict: str) -> None:
    """Three cards cannot go from a hand of two."""
    found = dispute(game(f"1. Aki +* A 17@f1 drop ?,?,?\n2. Ben +? A {laid} ~~\n"), at=2, budget=250_000)
    assert found.rulebooks["ja-2.2"].verdict == verdict
    assert told(found).get("ja-2.2", "1") == "1"


def test_many_draws_that_were_not_noted_are_legal_where_small_ones_are() -> None:
    turns = "1. Aki +* A 17@f1\n2. Ben +* A 40@h1\n3. Aki +* A 28@g2\n4. Ben +* A 45@i1 ~~\n"
    found = dispute(game(turns), at=4, budget=200_000)
    assert {book.verdict for book in found.rulebooks.values()} == {"legal"}


@pytest.mark.slow
@pytest.mark.parametrize(("dropped", "sizes"), [("", ("0", "0")), (" drop ?", ("0", "2"))])
def test_a_whole_record_tells_sizes_with_which_it_is_legal(dropped: str, sizes: tuple[str, ...]) -> None:
    record = game(f"1. Aki +* A 17@f1\n2. Ben +* A 40@h1{dropped}\n")
    found = dispute(record, whole=True)
    legal = {name for name, book in found.rulebooks.items() if book.verdict == "legal"}
    assert {"en-1", "en-2", "ja-2.2"} <= legal == set(found.provided)
    told = {tuple(literal.values[0] for literal in each.terms[0]) for each in found.provided.values()}
    assert (told, {each.exact for each in found.provided.values()}) == ({sizes}, {False})


def told(found: Dispute) -> dict[str, str]:
    """How many cards the first draw was, by the rulebooks whose verdict hangs on it."""
    return {name: str(each.terms[0][0].values[0]) for name, each in found.provided.items() if each.terms}


@pytest.mark.slow
def test_a_fill_that_was_not_noted_is_told_apart_from_the_draw() -> None:
    (found,) = read_text(
        HEAD.replace("[Marks", '[Variant "finish"]\n[Marks')
        + "1. Aki +F,10 A F@h1 fill * drop ?\n2. Ben +* A 40@i1 ~~\n"
    )
    assert isinstance(found, Game)
    text = plain(dispute(found, at=2, budget=150_000).blocks(), ENGLISH)
    assert "no card was drawn after the action in turn 1, and no card was drawn in turn 2" in text
