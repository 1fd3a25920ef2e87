"""A filling that needs exactly the unlocated numbers that may be used is one: without the command around it."""

from __future__ import annotations

import pytest

from couperation_formal.game.record import Snapshot
from couperation_formal.hidden.smt.tower import z3_fill
from couperation_formal.notation.read import read_text
from couperation_formal.towers.completion.fill import fill, problems

TOWER = (
    "3@d1 4@d2 6@e1 10@d3 ~?@e2 ~?@d4 13@f1 14@e3 19@f2 20@e4 25@g1 ~?@f3 ~?@g2 ~?@f4 36@h1 38@g3 43@h2 44@g4 ~?@i1"
    " 47@h3 48@i2 49@j1"
)


@pytest.mark.parametrize(("gone", "filled"), [(20, True), (21, True), (22, False)])
def test_unseen_gone_cards_leave_just_enough(gone: int, filled: bool) -> None:
    text = f'[CGN "1"]\n[Rules "en-2"]\n[Players "Aki Ben"]\nposition\ntower {TOWER}\nhand Aki 28 15 23 1 29 32\n'
    (table,) = read_text(f"{text}hand Ben\nreserve\ngone{' ?' * gone}\n")
    assert isinstance(table, Snapshot)
    found = [fill(problem) is not None for problem in problems(table.position)]
    assert found == [z3_fill(problem) is not None for problem in problems(table.position)] == [filled]
