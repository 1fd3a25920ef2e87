"""Fully seen records: under fixed rulings everything folds, and what is left agrees with the plain replay."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from couperation_formal.formulas.circuit import FALSE
from couperation_formal.game.record import Record
from couperation_formal.game.replay import replay
from couperation_formal.game.tower import STANDARD, UNSEEN, Board
from couperation_formal.hidden.smt.exact import Impossible, Possible
from couperation_formal.hidden.symbolic.record import symbolic
from couperation_formal.notation.write import record_text
from tests.conftest import LONG
from tests.hidden.readings.records import SMALL, spoiled as spoils
from tests.hidden.symbolic.asked import decide
from tests.hidden.symbolic.records import TINY, sampled, spoiled


def told(record: Record, board: Board = STANDARD) -> tuple[int | None, set[str]]:
    """The first illegal turn and the clauses that break there; without Z3 where the record folds to constants."""
    run = symbolic(record, record.rules.rulings, board)
    rules = run.table.rules
    if all(rule.formula == FALSE for rule in rules):
        first = min((rule.turn for rule in rules), default=None)
        return first, {rule.clause for rule in rules if rule.turn == first}
    outcome = decide(record, record.rules.rulings, board)
    if isinstance(outcome, Possible):
        return None, set()
    assert isinstance(outcome, Impossible)
    return outcome.turn, {rule.clause for rule in outcome.broken}


def agrees(record: Record, board: Board = STANDARD) -> str:
    """The verdict of both: the same turn, clauses that meet."""
    plain = replay(record, record.rules.rulings, board)
    # only beside a refusal: a hand that holds a drawn card twice may hold another one (D2)
    assert all(doubt.turn == plain.illegal for doubt in plain.doubts)
    turn, clauses = told(record, board)
    assert turn == plain.illegal, record_text(record)
    if turn is None:
        return "legal"
    broken = {found.clause for found in plain.broken if found.turn == turn and not found.warning}
    assert clauses & same_place(broken), (clauses, broken, record_text(record))
    return "illegal"


def same_place(clauses: set[str]) -> set[str]:
    """The clauses under which the symbolic run may name the same: that an own card is one is SET06 there, and what the
    counts of the set-up allow is named before what it shows.
    """
    found = set(clauses)
    if found & {"ACT02", "ACT03", "ACT05", "ACT06", "ACT07", "LIM01", "LIM02", "DRW05", "SET04"}:
        found.add("SET06")
    if "SET04" in found:
        found |= {"SET02", "SET03"}
    return found


@pytest.mark.parametrize("seed", range(50 if LONG else 2))
def test_sampled_games_and_their_mutations(seed: int) -> None:
    record = sampled(seed)
    assert agrees(record) == "legal"
    kinds = list(spoils(record, seed))
    seen = Counter(agrees(each) for _, each in (kinds if LONG else Random(seed).sample(kinds, 12)))
    assert seen["illegal"]


@pytest.mark.parametrize("seed", range(600 if LONG else 20))
def test_other_boards(seed: int) -> None:
    boards = (*TINY, *SMALL)
    board = boards[seed % len(boards)]
    record = sampled(seed, board)
    assert agrees(record, board) == "legal"
    rng = Random(seed)
    for _ in range(3):
        each = spoiled(record, rng, board, rng.choice((1, 2)))
        if shown_in_full(each):
            agrees(each, board)


def shown_in_full(record: Record) -> bool:
    """Whether the spoiled record still shows every card (a replaced down card that is not named can stay unseen)."""
    return "?" not in record_text(record).replace("x?", "") and UNSEEN not in (record.deck or ())


@pytest.mark.parametrize("seed", range(15 if LONG else 2))
def test_a_seen_record_folds_to_constants(seed: int) -> None:
    """Nothing is left to a solver: no variable, no gate, no fact; a legal record asks for nothing at all."""
    record = sampled(seed)
    run = symbolic(record, record.rules.rulings)
    assert run.table.rules == []
    assert run.table.facts == {}
    assert run.table.circuit.names == {}
