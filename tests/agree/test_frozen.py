"""The rules and the formulas against frozen verdicts, found once by an implementation that is no more
(`tests/data/frozen/README.md`): so a fault that both share is caught.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from couperation_formal.formulas.judge import judge, legal_moves
from couperation_formal.game.record import Exchange, LayUp, Open
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.moves import Move, legal_actions
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.tower import card_list
from tests.agree.frozen import frozen
from tests.checker.records import read
from tests.conftest import LONG

pytestmark = pytest.mark.slow

CHUNKS = 8


@cache
def records() -> list[dict[str, Any]]:
    """All of them, or every thirtieth and the first two with the same answer."""
    count: Counter[object] = Counter()
    found = []
    for place, told in enumerate(frozen("records.jsonl.xz")):
        answer = (*told["codes"], told["result"], *told["warned"])
        count[answer] += 1
        if LONG or place % 30 == 0 or count[answer] <= 2:
            found.append(told)
    return found


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_records(chunk: int) -> None:
    """Verdict, turn, the whole list of broken clauses, how a legal game stands, and the warnings of a set-up that is
    legal.
    """
    for told in records()[chunk::CHUNKS]:
        record = read(told["text"])
        rulings = record.rules.rulings
        ours, theirs = replay(record, rulings), judge(record, rulings)
        assert theirs.open_ is None
        clauses = {found.clause for found in ours.broken if not found.warning}
        warned = {found.clause for found in ours.broken if found.warning}
        answer = told["turn"], set(told["codes"]), told["result"]
        assert (ours.illegal, clauses, ours.reached) == answer, told["text"]
        assert (theirs.turn, {*theirs.broken}, theirs.reached) == answer, told["text"]
        if told["turn"] != 0:
            assert warned == {clause for _, clause in theirs.warned} == {*told["warned"]}, told["text"]


def written(move: Move) -> str:
    """An action as the frozen lists write it: of D what is sent, destroyed and laid, and whether it replaces a card."""
    if isinstance(move, Open):
        return f"C {move.cell}"
    if not isinstance(move, Exchange):
        return f"{'A' if isinstance(move, LayUp) else 'B'} {move.card}@{move.cell}"
    paid = card_list((move.first, move.second), ",")
    if move.adjust:
        paid += "/" + card_list((card for _, card in move.adjust), ",")
    return f"D {paid}={'' if move.face_up else '~'}{move.taken}@{move.cell}{'x' if move.replaced else ''}"


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_legal_actions(chunk: int) -> None:
    """Whole sets, at some turns of games; by the formulas at one turn of some games."""
    for place, told in list(enumerate(frozen("actions.jsonl.xz")))[chunk::CHUNKS]:
        record = read(told["text"])
        rulings = record.rules.rulings
        states = replay(record, rulings).states
        for turn, wanted in told["actions"].items():
            before = states[int(turn) - 1]
            drawn = carry_out(before, record.turns[int(turn) - 1], before.to_move).drawn
            assert sorted(map(written, legal_actions(drawn, drawn.to_move, rulings).actions)) == sorted(wanted)
        if LONG or place < CHUNKS:
            assert sorted(map(written, legal_moves(drawn, rulings))) == sorted(wanted)
