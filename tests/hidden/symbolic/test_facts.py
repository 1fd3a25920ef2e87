"""The facts of a record can all hold together, whatever the record says (`spec/symbolic.md`): each says how many of
its own variables hold, and no variable is in two of them. What refuses is a rule.
"""

from __future__ import annotations

import re
from random import Random

import pytest

from couperation_formal.formulas.circuit import Formula
from couperation_formal.game.record import Game, Record
from couperation_formal.game.tower import STANDARD
from couperation_formal.hidden.smt.exact import Impossible
from couperation_formal.hidden.symbolic.record import Symbolic, symbolic
from couperation_formal.notation.read import read_text
from tests.hidden.symbolic.asked import decide
from tests.hidden.symbolic.evaluate import evaluated
from tests.hidden.symbolic.records import TINY, hidden, sampled, spoiled

HEAD = '[CGN "1"]\n[Rules "en-2"]\n[Players "Ada Bo"]\n'
DOUBLE = {
    "twice in one line": (0, "deal Ada 17 17 44\n"),
    "in two lines": (0, "deal Ada 17 30 44\ndeal Bo ? 17 ?\n"),
    "dealt and in the deck": (0, "deal Ada 17 30 44\ndeck ? 17\n"),
    "in the Reserve and in the deck": (0, "reserve 1 50 12 33 40 7\ndeck 12\n"),
    "the 25 in the deck": (0, "deck 25\n"),
    "laid from where it is not": (2, "deal Ada 17 30 44\n1. Ada +0 A 17@f1\n2. Bo +0 A 44@h1\n"),
    "laid twice": (2, "1. Ada +0 A 17@f1\n2. Bo +0 A 17@e1\n"),
    "drawn, and dealt to another": (1, "deal Bo 9 21 38\n1. Ada +21 A ?@f1\n"),
}
"""Records whose own cards contradict each other, and the turn that does."""


def record_of(text: str) -> Record:
    (game,) = read_text(text)
    assert isinstance(game, Game), game
    return game.record


def witness(run: Symbolic, rng: Random) -> dict[Formula, bool]:
    """Values that satisfy all facts, chosen fact by fact; fails where two facts share a variable."""
    circuit = run.table.circuit
    values: dict[Formula, bool] = {}
    for name, formula in run.table.facts.items():
        own = sorted(circuit.variables([formula]))
        count = int(found.group(1)) if (found := re.search(r": (\d+) unseen$", name)) else 1
        assert len(own) >= count
        chosen = set(rng.sample(own, count))
        for variable in own:
            assert Formula(variable) not in values, name
            values[Formula(variable)] = variable in chosen
    return values


def hold(run: Symbolic, rng: Random) -> None:
    facts = list(run.table.facts.values())
    values = witness(run, rng)
    assert all(evaluated(run.table.circuit, facts, values))
    assert set(values) == {Formula(gate) for gate in run.table.circuit.names}


@pytest.mark.parametrize("seed", range(24))
def test_the_facts_of_a_record_hold_together(seed: int) -> None:
    rng = Random(f"facts {seed}")
    board = (*TINY, STANDARD)[seed % (len(TINY) + 1)]
    record = hidden(spoiled(sampled(seed, board), rng, board, rng.choice((0, 1, 2))), rng)
    for rulings, doubting in ((record.rules.rulings, False), (None, False), (record.rules.rulings, True)):
        hold(symbolic(record, rulings, board, doubting), rng)


@pytest.mark.slow
@pytest.mark.parametrize("what", DOUBLE)
def test_cards_that_contradict_each_other_fail_a_rule_and_no_fact(what: str) -> None:
    turn, text = DOUBLE[what]
    record = record_of(HEAD + text + "*\n")
    hold(symbolic(record, record.rules.rulings), Random(what))
    answer = decide(record, record.rules.rulings)
    assert isinstance(answer, Impossible)
    assert answer.turn == turn
    assert {"SET04", "SET06"} & {rule.clause for rule in answer.core}
