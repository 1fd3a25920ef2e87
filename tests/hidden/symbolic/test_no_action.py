"""Whether a player was without an action, where the cards in hand are not all seen, or where every one is needed."""

from __future__ import annotations

import pytest

from couperation_formal.game.record import Game, Record
from couperation_formal.hidden.smt.exact import Impossible, Possible
from couperation_formal.hidden.symbolic.record import symbolic
from couperation_formal.notation.read import read_text
from tests.hidden.symbolic.asked import decide
from tests.hidden.symbolic.brute import enumerate_worlds
from tests.hidden.symbolic.records import TINY

PAID_WITH_ALL = (
    (0, """[CGN "1"]
[Rules "bgg anchor=floating facedown=integers finish_value=none"]
[Players "Aki Ben"]
[Marks "1:H 2:2 3:1 4:1 5:2 6:1 7:2 8:1"]
deal Aki 3
deal Ben 2
reserve 1 8 7
deck 5 6
1. Aki +5 A 5@c1
2. Ben +6 -
"""),
    (1, """[CGN "1"]
[Rules "ja-2.2 spread=anywhere row_order=strict take_sent=allowed adjust=up_to"]
[Players "Aki Ben"]
[Marks "1:1 2:1 3:1 4:2 5:1 6:1 7:1 8:2 9:1"]
deal Aki 3 4
deal Ben 6 7
reserve 1 9 2
deck 8
1. Aki +8 A 3@a1
2. Ben +0 -
"""),
    (1, """[CGN "1"]
[Rules "en-2 spread=anywhere take_sent=forbidden reserve_face=either early_apex=forbidden"]
[Variant "finish"]
[Players "Aki Ben Chie"]
[Marks "1:2 2:1 3:H 4:1 5:1 6:2 7:1 8:1 9:1"]
deal Aki 2 4
deal Ben 7 6
deal Chie 8 3
reserve 1 9
deck F
1. Aki +0 A 4@a1
2. Ben +0 D 6-7=~1@a1x4 trim 6
3. Chie +0 C a1=1
4. Aki +F -
"""),
)  # fmt: skip
"""The last player can only take a card of the Reserve, and needs every card for it."""

PERHAPS_WITHOUT_THE_FINISH_CARD = (
    (1, """[CGN "1"]
[Rules "en-2 adjust=uniform draw_amount=up_to"]
[Variant "finish"]
[Players "Aki Ben Chie"]
[Marks "1:1 2:1 3:2 4:2 5:2 6:1 7:H 8:1 9:2"]
deal Aki 7 4
deal Ben 2 3
deal Chie 6 8
reserve 1 9
deck F
1. Aki +F D ?-?=1@b1x5 trim 9
2. Ben +0 D ?+?=F@b1x1 trim 4
3. Chie +0 D ?-?=2@a1 trim 8
4. Aki +0 -
"""),
    (4, """[CGN "1"]
[Rules "en-1 anchor=floating row_order=weak reserve_face=either early_apex=no_win hearts_below=zero_all"]
[Variant "finish"]
[Players "Aki Ben"]
[Marks "1:2 2:2 3:1 4:1 5:1 6:1 7:2 8:1 9:1 10:H 11:2"]
deal Aki 8 2
deal Ben 5 10
reserve 1 11 4 3
deck 7 9 F
1. Aki +7 A 2@b1
2. Ben +?,F A 5@b2
3. Aki +0 A 8@d1
4. Ben +0 D ?-?=4@b2x5 trim 1
5. Aki +0 A 7@c2
6. Ben +0 -
"""),
)  # fmt: skip
"""The last player has the Finish card or not: with it a card of the Reserve could be paid for, without it none."""


def record_of(text: str) -> Record:
    (game,) = read_text(text)
    assert isinstance(game, Game)
    return game.record


@pytest.mark.parametrize(("board", "text"), PAID_WITH_ALL)
def test_a_card_that_takes_a_whole_hand_is_an_action(board: int, text: str) -> None:
    record = record_of(text)
    found = decide(record, record.rules.rulings, TINY[board])
    assert isinstance(found, Impossible)
    assert (found.turn, [rule.clause for rule in found.broken]) == (len(record.turns), ["ACT01"])


@pytest.mark.parametrize(("board", "text"), PERHAPS_WITHOUT_THE_FINISH_CARD)
def test_a_hand_that_may_be_one_card_short(board: int, text: str) -> None:
    record = record_of(text)
    assert enumerate_worlds(record, record.rules.rulings, TINY[board]).worlds
    assert isinstance(decide(record, record.rules.rulings, TINY[board]), Possible)


def test_a_payment_that_pays_for_nothing_makes_no_gate() -> None:
    """Two of 47 cards pay for one of 48 in 54,000 ways, most of which need more cards than the player has."""
    text = """[CGN "1"]
[Players "Aki Ben"]
deal Aki ? ? ?
1. Aki +? A ?@h1
2. Ben +?,? -
"""
    (game,) = read_text(text)
    assert isinstance(game, Game)
    run = symbolic(game.record, game.record.rules.rulings)
    assert len(run.table.circuit.inputs) < 40_000
