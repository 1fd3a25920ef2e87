"""Searches of tables made by hand that sampled games seldom reach: the checker repeats the program's, card by card."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from couperation_checker import check_object, counting
from couperation_checker.position import Table, read
from couperation_checker.replay import marked

from couperation_formal.game.position import state_of
from couperation_formal.game.record import Position
from couperation_formal.notation.read import read_text
from couperation_formal.towers.continuation.exhaust import REDUCTIONS
from couperation_formal.towers.continuation.final_tower import taking
from tests.checker.table_corruptions import LAID, code, made, table
from tests.checker.tables import KEPT, Late, searched
from tests.checker.towers import rules


def position_of(text: str, rulings: dict[str, str]) -> Position:
    told = " ".join(f"{name}={option}" for name, option in rulings.items())
    tagged = text.replace("\n", f'\n[Rules "ja-2.2 {told}"]\n', 1)
    (item,) = read_text(tagged)
    return item.position  # type: ignore[union-attr]


def late(text: str, **rulings: str) -> Late:
    position = position_of(text, rules(**rulings))
    return Late(state_of(position), position.rules, tuple(tag for tag in position.tags if tag[0] in KEPT))


def repeated(text: str, used: tuple[str, ...], **rulings: str) -> int:
    """The positions of a search that the checker accepts."""
    found = searched(late(text, **rulings), used, 5_000)
    assert found is not None
    certificate, won = found
    assert not won
    verdict = check_object(certificate)
    assert verdict.status == "accepted", verdict
    positions: int = certificate["evidence"]["positions"]
    return positions


@pytest.mark.parametrize("used", [(), REDUCTIONS])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_finish_card_in_a_full_reserve_is_trimmed_where_it_counts(size: int, used: tuple[str, ...]) -> None:
    cards = ["F", "50", "12", "7", "10", "9", "8"][:size]
    text = table(LAID[:-2], "3 4", "", "f5", reserve=" ".join(cards), variant="finish")
    sizes = {repeated(text, used, finish_reserve_count=counts) for counts in ("yes", "no")}
    assert used or size < 6 or len(sizes) == 2


@pytest.mark.parametrize("down", ["~2@d6", "~24@d6", "~2@d6 ~18@d4"])
def test_a_card_that_would_be_out_of_order_is_not_opened(down: str) -> None:
    """C with the 2 loses: nothing is expanded behind it. With the 24 it goes on."""
    away = {word.partition("@")[2] for word in down.split()}
    laid = [word for word in LAID if word.partition("@")[2] not in away] + down.split()
    assert repeated(table(laid, "3 4", "5", "f5", reserve="50 12"), ()) == (1 if down == "~2@d6" else 2)


@pytest.mark.parametrize(("early_apex", "expected"), [("forbidden", "BROKEN"), ("win_on_completion", "accepted")])
def test_a_line_lays_no_apex_over_a_down_card(early_apex: str, expected: str) -> None:
    text = table([*LAID[:-2], "~24@d6", LAID[-1]], "28", "45", "f5")
    assert code(made("table-completable", text, {"world": text, "line": ["1. Ada +0 C d6=24"]})) == "WIN"
    line = ["1. Ada +0 A 28@d7", "2. Bo +0 C d6=24"]
    assert code(made("table-completable", text, {"world": text, "line": line}, early_apex=early_apex)) == expected


def test_the_program_and_the_checker_agree_on_what_cards_cost() -> None:
    """Up to and beyond the number of own cards from which every number counts as one that D can make."""
    rng = Random(7)
    capped = dear = 0
    for own in range(2, 16):
        for spare in (0, 1, 2, 3):
            cards = rng.sample([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 41, 42, 43, 44, 45, 46, 47, 48, 49], own)
            half, rest = sorted((rng.randint(0, own), rng.randint(0, own)))
            ada, bo, deck = (" ".join(map(str, part)) for part in (cards[:half], cards[half:rest], cards[rest:]))
            text = table(LAID[:-1], ada, f"{bo} {deck}", "d6", reserve="28 31")
            text = text.replace(f"hand Bo {bo} {deck}", f"hand Bo {bo}").replace("turn Ada", f"deck {deck}\nturn Ada")
            here: Table = marked(read(text, rules(), mover=True))
            position = position_of(text, rules())
            costs: Any = taking(state_of(position), position.rules.rulings, spare).taken
            waiting, others = counting.taken(here, spare)
            assert list(costs[1:]) == [(waiting if n in (28, 31) else others)[n] for n in range(1, 51)], (text, spare)
            capped += own > 12 and spare == 1 and set(costs[1:]) == {1}
            dear += own == 12 and spare == 1 and set(costs[1:]) != {1}
    assert capped == 3
    assert dear == 1


@pytest.mark.parametrize(
    ("hand", "options", "expected"),
    [
        ("5 6", {}, "accepted"),
        ("5 6", {"replace_target": "facedown_only"}, "accepted"),
        ("5 6 8", {}, "COUNT"),
        ("5 6 8", {"replace_target": "facedown_only"}, "accepted"),
        ("5", {"replace_target": "facedown_only"}, "COUNT"),
        ("5", {}, "COUNT"),
    ],
)
def test_an_interval_holds_only_while_what_bounds_it_stays(hand: str, options: dict[str, str], expected: str) -> None:
    """e6 lies between the 27 and the 34, and of the numbers between them none is left."""
    text = table(LAID[:-1], hand, "", "d6", reserve="50 12 7 41 42 43")
    numbers = {"empty": 2, "cards": len(hand.split()), "above": 27, "below": 34}
    evidence = {"kind": "interval", "numbers": numbers, "cells": ["e6"], "cards": []}
    assert code(made("table-deadlocked", text, evidence, **options)) == expected


@pytest.mark.parametrize("facedown", ["integers", "deck"])
def test_down_cards_that_can_have_no_number_leave_no_room(facedown: str) -> None:
    """e6 lies between a 27 and a 28 that D put there: nothing is laid beside it, and the search is repeated."""
    laid = [word.replace("34@f5", "28@f5") for word in LAID[:-1]] + ["~41@e6"]
    assert repeated(table(laid, "3 4", "5 34", "d6", reserve="50 12"), (), facedown=facedown) >= 1
