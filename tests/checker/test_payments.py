"""What pays for a card, and what a card taken costs, as the clauses say it: nothing that pays is left out."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest
from couperation_checker import counting, turns
from couperation_checker.position import Table, read
from couperation_checker.replay import marked
from couperation_checker.strict import Card

from tests.checker.table_corruptions import LAID, table
from tests.checker.towers import rules

SHIFTS = {"each": (-1, 1), "uniform": (-1, 1), "up_to": (-1, 0, 1)}


def stands(ada: str, bo: str = "", reserve: str = "1 50 28 31 12 7", variant: str = "first", **rulings: str) -> Table:
    """The table of a certificate, as the checker reads it."""
    text = table(LAID[:-1], ada, bo, "d6", reserve=reserve, variant=variant)
    return marked(read(text, rules(**rulings), mover=True))


def by_definition(own: list[Card], taken: Card, there: Table) -> set[tuple[frozenset[Card], frozenset[Card]]]:
    """The cards sent and those destroyed of every D that pays for the card (ACT05, ACT06)."""
    rulings, found = there.rulings, set()
    value = {card: card if isinstance(card, int) else 25 if rulings["finish_value"] == "25" else None for card in own}
    wanted = taken if isinstance(taken, int) else 25 if rulings["finish_value"] == "25" else None
    for first, second in combinations(own, 2):
        a, b = value[first], value[second]
        lies = taken in there.reserve or (rulings["take_sent"] == "allowed" and taken in (first, second))
        if a is None or b is None or wanted is None or not lies:
            continue
        rest = [card for card in own if card not in (first, second)]
        for count in range(len(rest) + 1):
            for signs in product(SHIFTS[rulings["adjust"]], repeat=count):
                uniform = rulings["adjust"] != "uniform" or len(set(signs)) < 2
                if uniform and wanted in (a + b + sum(signs), abs(a - b) + sum(signs)):
                    found |= {(frozenset((first, second)), frozenset(lost)) for lost in combinations(rest, count)}
    return found


@pytest.mark.parametrize("adjust", SHIFTS)
@pytest.mark.parametrize(("take_sent", "finish_value"), [*product(("allowed", "forbidden"), ("25", "none"))])
def test_every_payment_is_found(adjust: str, take_sent: str, finish_value: str) -> None:
    rng = Random(f"payments {adjust} {take_sent} {finish_value}")
    there = stands("5 6", adjust=adjust, take_sent=take_sent, finish_value=finish_value)
    paid = 0
    for _ in range(25):
        cards: list[Card] = [*rng.sample(range(1, 17), rng.randint(1, 6)), "F"]
        own = rng.sample(cards, len(cards) - rng.randint(0, 1))
        there.reserve = [1, 50, *rng.sample([card for card in range(17, 28) if card != 25], 3)]
        if "F" not in own:
            there.reserve.append("F")
        for taken in (*there.reserve, *own):
            found = [(frozenset(sent), frozenset(lost)) for sent, _, _, lost in turns.payments(there, own, taken)]
            assert len(found) == len(set(found))
            assert set(found) == by_definition(own, taken, there), (own, taken, there.reserve)
            paid += bool(found)
    assert paid > 20


def test_a_card_that_is_sent_can_be_taken_and_one_that_lies_cannot() -> None:
    """The first list is for cards in the Reserve, the second for all others."""
    waiting, others = counting.taken(stands("5 10"), 1)
    assert (waiting[5], others[5]) == (1, 1), "10 - 5 sends the 5 itself"
    assert (waiting[15], others[15]) == (1, counting.NEVER), "the 15 lies in the tower"
    assert (waiting[10], others[10]) == (counting.NEVER, counting.NEVER)
    _, kept = counting.taken(stands("5 10", take_sent="forbidden"), 1)
    assert kept[5] == counting.NEVER
    waiting, others = counting.taken(stands("5 11 6"), 1)
    assert (waiting[5], others[5]) == (1, counting.NEVER), "11 - 6 does not send the 5"
    assert counting.taken(stands("5", "10"), 1)[0][15] == counting.NEVER, "two players cannot send together"


@pytest.mark.parametrize("adjust", ["each", "up_to"])
def test_with_two_cards_to_spare_numbers_differ_in_what_they_cost(adjust: str) -> None:
    own = (1, 3, 49)
    there = stands("1 3 49", reserve="50 28 31 12 6 7", adjust=adjust)
    costs, same = counting.taken(there, 2)
    assert costs == same
    laid = [int(word.split("@")[0]) for word in LAID[:-1]]
    once = {n for a, b in [*combinations(own, 2), *product(own, laid)] for n in (a + b, abs(a - b))}
    shifts = (-1, 1) if adjust == "each" else (-1, 0, 1)
    twice = {n + shift for a, b in combinations(own, 2) for n in (a + b, abs(a - b)) for shift in shifts}
    wanted = {n: 1 if n in once else 2 if n in twice else counting.NEVER for n in range(1, 51)}
    assert dict(enumerate(costs[1:], 1)) == wanted
    assert set(wanted.values()) == {1, 2, counting.NEVER}
