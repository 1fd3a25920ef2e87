"""One game that a record may be: it is one for all that it shows, and none is found where there is none."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.game.dealing import one_of
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.seen import seen_record
from couperation_formal.game.tower import STANDARD
from couperation_formal.hidden.readings.standing import cut
from couperation_formal.hidden.smt.exact import Possible
from couperation_formal.notation.read import read, read_text
from couperation_formal.questions.records.sample import sample_game
from tests.hidden.symbolic.asked import decide
from tests.hidden.symbolic.public import CONTRADICTIONS
from tests.hidden.symbolic.records import sampled, spoiled, without_marks
from tests.kit.started import ROOT

JA = parse_rules("ja-2.2")
WIDE = """[CGN "1"]
[Players "Aki Ben"]
deal Aki ? ? ?
deal Ben ? ? ?
reserve 1 50 12 33 40 7
1. Aki +? A 17@f1
2. Ben +{} A 22@f2
*
"""


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_none_is_found_where_a_record_contradicts_itself(name: str) -> None:
    (game,) = read_text(CONTRADICTIONS[name][0] + "*\n")
    assert one_of(game.record, game.record.rules.rulings) is None  # type: ignore[union-attr]


def test_none_is_found_where_a_replaced_card_lies_elsewhere_later() -> None:
    """Turn 15 brings the 10 to Aki out of the tower, and turn 24 lays it out of the hand of Ben."""
    (game,) = read(ROOT / "tests" / "data" / "dealing" / "replaced.cgn")
    record = game.record  # type: ignore[union-attr]
    assert one_of(record, record.rules.rulings) is None
    named = replace(record, turns=record.turns[:23])
    assert one_of(named, record.rules.rulings) is not None


def test_none_is_found_where_more_is_drawn_than_the_deck_has() -> None:
    (game,) = read_text(WIDE.format(",".join("?" * 40)))
    assert one_of(game.record, JA.rulings) is None  # type: ignore[union-attr]


def test_a_finish_card_is_not_drawn_unseen() -> None:
    (game,) = read_text(ROOT.joinpath("tests", "data", "dealing", "drawn.cgn").read_text("utf-8"))
    assert one_of(game.record, JA.rulings) is None  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", range(12))
def test_one_is_found_for_what_a_table_wrote_down(seed: int) -> None:
    record = cut(seen_record(sample_game(2 + seed % 3, "first", JA, seed)), 8)
    played = one_of(without_marks(record), JA.rulings)
    assert played is not None
    assert (played.reached, len(played.states)) == ("unfinished", 9)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_found_is_legal_for_z3(seed: int) -> None:
    rng = Random(seed)
    whole = sampled(seed)
    record = seen_record(cut(whole, min(len(whole.turns), rng.randrange(4, 20))))
    record = spoiled(without_marks(record) if seed % 2 else record, rng, STANDARD, seed % 3)
    for rulings in (record.rules.rulings, JA.rulings):
        if one_of(record, rulings) is not None:
            assert isinstance(decide(record, rulings), Possible)
