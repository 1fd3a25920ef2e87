"""LIM02 where unseen cards hide whether the Finish card lies in the Reserve, in which it does not count."""

from __future__ import annotations

import pytest

from couperation_formal.game.record import Game
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import parse_rules
from couperation_formal.hidden.readings.sets import Readings
from couperation_formal.hidden.readings.standing import plain_verdicts
from couperation_formal.notation.read import read_text
from couperation_formal.questions.records.check import check

COUNTED = parse_rules("en-2 draw_amount=up_to")
UNCOUNTED = parse_rules("en-2 draw_amount=up_to finish_reserve_count=no")


def game(trim: str, others: str = "? ? ? ?", taken: str = "?") -> Game:
    """Aki sends the Finish card and takes a card that is not shown."""
    (found,) = read_text(
        '[CGN "1"]\n[Variant "finish"]\n[Players "Aki Ben"]\n[Marks "22:1"]\n'
        f"deal Aki 17 30 44\ndeal Ben 22 9 3\nreserve 1 50 {others}\n"
        "1. Aki +0 B 17@h1\n2. Ben +0 A 22@f1\n3. Aki +F,14 B 44@i1\n4. Ben +0 B 9@e1\n"
        f"5. Aki +0 D 30-F={taken}@e1x? {trim}\n"
    )
    assert isinstance(found, Game)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trim", "sure", "verdict"),
    [("", [], "legal"), ("trim ?", [], "illegal"), ("trim ?,?", ["LIM02"], "illegal")],
)
def test_the_plain_replay_refuses_only_what_no_place_of_it_keeps(trim: str, sure: list[str], verdict: str) -> None:
    """With 30 - F = 5 the 5 was taken, so that F lies there and no card is to be trimmed: Z3 tells, the replay does
    not.
    """
    hidden = game(trim)
    found = replay(hidden.record, UNCOUNTED.rulings)
    assert [broken.clause for broken in found.broken if not broken.warning] == sure
    assert ("whether_counted" in {doubt.what.kind for doubt in found.doubts}) == (not trim)
    assert check(hidden, UNCOUNTED).verdict == verdict
    uncounted = Readings.option("finish_reserve_count", "no") & Readings.option("draw_amount", "up_to")
    assert bool(plain_verdicts(hidden.record).undetermined & uncounted) == (not sure)


def test_a_world_of_it_is_legal_and_where_the_finish_card_counts_so_do_seven_cards() -> None:
    assert replay(game("", "5 33 40 7", "5").record, UNCOUNTED.rulings).illegal is None
    for trim, illegal in (("", 5), ("trim ?", None)):
        assert replay(game(trim).record, COUNTED.rulings).illegal == illegal
