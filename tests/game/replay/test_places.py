"""Of a card that has no place no order is asked (decision D7), before all three judges and under every reading."""

from __future__ import annotations

import pytest

from couperation_formal.game.replay import Broken, replay
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import STANDARD, Cell, Tower, Up, Value
from couperation_formal.hidden.readings.standing import plain_verdicts
from couperation_formal.words.say import ENGLISH, say
from tests.checker.records import code, illegal_ones, read
from tests.game.replay.judges import broken
from tests.game.replay.slips import HEAD, turns

MIDDLE = HEAD.replace("ja-2.2", "en-2")
ROW = ("Ada +0 A 44@h1", "Bo +0 A 18@f1")


def slip(text: str, since: int = 0) -> tuple[Broken, ...]:
    record = read(text)
    return replay(record, record.rules.rulings, since=since).broken


@pytest.mark.parametrize(
    "text, clauses",
    [
        (turns(*ROW, "Ada +0 A 17@g3"), ["TOW03"]),
        (turns(*ROW, "Ada +0 A 30@e2"), ["TOW03"]),
        (turns(*ROW, "Ada +0 B 17@e2"), ["TOW03"]),
        (turns("Ada +0 D 30-17=12@e2 trim 50"), ["ACT05", "TOW03"]),
        (turns("Ada +0 A 44@c1", head=MIDDLE), ["TOW04"]),
        (turns("Ada +0 A 44@e1"), ["TOW05"]),
        (turns("Ada +0 A 44@a1"), ["TOW05"]),
        (turns(*ROW, "Ada +0 A 17@h1"), ["TOW06"]),
    ],
)
def test_a_card_without_a_place_breaks_no_order(text: str, clauses: list[str]) -> None:
    record = read(text)
    assert broken(text) == (len(record.turns), clauses)
    assert not plain_verdicts(record).legal


def test_a_support_alone_is_no_pair() -> None:
    """17 on g3 lies on 30 alone, which is above it: the slip is the missing support, and no certificate says else."""
    text = turns(*ROW, "Ada +0 A 30@g2", "Bo +0 A 21@f2", "Ada +0 A 17@g3")
    assert broken(text) == (5, ["TOW03"])
    (certificate,) = illegal_ones(text)
    wrong = {"lower": "g2", "upper": "g3", "low": 30, "high": 17, "needed": 1}
    evidence = {**certificate["evidence"], "clause": "TOW02", "numbers": wrong}
    assert code({**certificate, "evidence": evidence}) == "CLAUSE"


@pytest.mark.parametrize(
    "rules, turn, clauses",
    [
        ("en-2", "Ada +0 A 44@c1", ["TOW04"]),
        ("en-2 anchor=floating", "Ada +0 A 44@c1", ["TOW01"]),
        ("en-2 anchor=floating", "Ada +0 A 17@c1", []),
        ("ja-2.2", "Ada +0 A 44@e1", ["TOW05"]),
        ("ja-2.2 spread=anywhere", "Ada +0 A 44@e1", ["TOW01"]),
        ("ja-2.2 spread=anywhere", "Ada +0 A 17@e1", []),
    ],
)
def test_where_another_ruling_gives_it_a_place_its_orders_are_asked(rules: str, turn: str, clauses: list[str]) -> None:
    text = turns(turn, head=HEAD.replace("ja-2.2", rules))
    assert broken(text) == (1 if clauses else None, clauses)
    assert (parse_rules(rules).rulings in plain_verdicts(read(text)).legal) == (not clauses)


@pytest.mark.parametrize(
    "head, turn, mends",
    [
        (MIDDLE, "Ada +0 A 17@c1", ((("anchor", "floating"),),)),
        (MIDDLE, "Ada +0 A 44@c1", ()),
        (HEAD, "Ada +0 A 17@e1", ((("spread", "anywhere"),),)),
        (HEAD, "Ada +0 A 44@e1", ()),
    ],
)
def test_a_place_hangs_on_a_ruling_where_the_orders_hold_then(head: str, turn: str, mends: object) -> None:
    (found,) = slip(turns(turn, head=head))
    assert found.mends == mends


def test_a_card_that_was_laid_on_one_support_is_compared_with_that() -> None:
    """It stands as it was played; a later turn answers for the order of its own card with it."""
    text = turns("Ada +0 A 17@f1", "Bo +0 A 18@e2", "Ada +0 A 30@h1", "Bo +0 D 38-21=7@f1x17 trim 7")
    said = {found.clause: say(found.what, ENGLISH) for found in slip(text, since=4)}
    assert said["TOW02"] == "18 on e2 cannot lie left of 7 on f1: 18 is not below 7"


def test_a_replaced_card_keeps_its_place_among_the_cells() -> None:
    laid = {Cell(column, 1): Up(Value(value)) for column, value in ((6, 25), (5, 18), (7, 44))}
    tower = Tower.of(STANDARD, laid)
    assert list(tower.lay(Cell(5, 1), Up(Value(17))).cells) == list(laid)
