"""Parts of the exact answers that no verdict shows: scripts, cores cut short, rulings that mend, what is counted."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace

from couperation_formal.formulas.circuit import FALSE, Formula
from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Change, Record
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import Board
from couperation_formal.hidden.smt import exact, infer
from couperation_formal.hidden.smt.exact import Impossible, Solver, holding, mending
from couperation_formal.hidden.smt.tower import z3_fill
from couperation_formal.hidden.symbolic.record import core_script, symbolic
from couperation_formal.notation.read import read_text
from couperation_formal.towers.completion.fill import Problem, fill, shape
from tests.hidden.symbolic.asked import decide
from tests.hidden.symbolic.public import CONTRADICTIONS
from tests.hidden.symbolic.records import TINY

HEAD = '[CGN "1"]\n[Rules "{}"]\n[Players "Aki Ben"]\n\ndeal Aki 17 30 44\ndeal Ben ? ? ?\nreserve 1 50 12 33 40 7\n\n'


def record(turns: str, rules: str = "ja-2.2") -> Record:
    (game,) = read_text(HEAD.format(rules) + turns)
    return game.record  # type: ignore[union-attr]


def test_a_script_of_a_rule_that_is_false_by_itself() -> None:
    found = decide(record("1. Aki A 44@h3\n"), parse_rules("ja-2.2").rulings)
    assert isinstance(found, Impossible)
    text = core_script(found.run, found.core, found.facts, lambda rule: rule.turn)
    asserted = [line for line in text if line.startswith("(assert")]
    assert asserted == ["(assert (! false :named turn1.TOW03.1))"]


def test_facts_and_rules_of_a_script_are_named() -> None:
    (game,) = read_text(CONTRADICTIONS["more of one hand than it ever held"][0])
    given: Record = game.record  # type: ignore[union-attr]
    found = decide(given, given.rules.rulings)
    assert isinstance(found, Impossible)
    text = core_script(found.run, found.core, found.facts, lambda rule: rule.turn)
    names = [line.rpartition(":named ")[2].rstrip(")") for line in text if line.startswith("(assert")]
    facts = len(found.facts)
    assert facts
    assert names[:facts] == [f"fact.{i}" for i in range(1, facts + 1)]
    assert [name.rpartition(".")[0] for name in names[facts:]] == [f"turn{r.turn}.{r.clause}" for r in found.core]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("turns", "rules", "asked", "mends"),
    [
        ("1. Aki A 44@i1\n", "ja-2.2 spread=adjacent", ("anchor", "spread", "row_order"), ((("spread", "anywhere"),),)),
        ("1. Aki A 44@i1\n", "ja-2.2 spread=adjacent", ("anchor", "row_order"), ()),
        ("1. Aki A 17@h1\n", "ja-2.2", ("anchor", "spread", "row_order"), ()),
    ],
)
def test_the_rulings_whose_change_alone_mends(
    turns: str, rules: str, asked: tuple[str, ...], mends: tuple[Change, ...]
) -> None:
    given = record(turns, rules)
    assert isinstance(decide(given, given.rules.rulings), Impossible)
    assert mending(given, given.rules.rulings, 1, asked, Steps(), 0) == mends


def test_the_steps_of_looking_at_gates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen gates looked at are a step."""
    spent = []
    for looked in (exact._LOOKED, 10**9):
        monkeypatch.setattr(exact, "_LOOKED", looked)
        run = symbolic(record("1. Aki A 44@h1\n2. Ben A ?@i1\n"), None)
        before = run.table.circuit.budget.spent
        holding(run, {Formula(gate): False for gate in run.table.circuit.names})
        spent.append(run.table.circuit.budget.spent - before)
    roots = [*(rule.formula for rule in run.table.rules), *run.table.facts.values()]
    assert spent[0] - spent[1] == len(run.table.circuit.cone(roots)) // 16 > 50


def test_half_of_what_is_left_is_kept_to_confirm_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []

    def minimal(solver: Solver, core: list[str]) -> list[str]:
        left.append(solver.budget.left)
        return core

    monkeypatch.setattr(exact, "minimal", minimal)
    budget = Steps(101)
    budget.spend(1)
    given = decide(record("1. Aki A 17@h1\n"), parse_rules("ja-2.2").rulings)
    assert isinstance(given, Impossible)
    solver = Solver(given.run.table.circuit, budget)
    assert exact._least(solver, ["a"], budget) == (["a"], True)
    assert left[-1] == 50


def test_the_steps_of_choosing_lines() -> None:
    """Four choices are a step, and the first least one is taken."""
    cores = [frozenset(pair) for pair in combinations(range(8), 2)][:12]
    budget = Steps()
    assert infer._hitting(cores, budget) == (0, 1)
    assert budget.spent == 0 + 8 // 4 + 28 // 4


def test_a_tower_of_one_level_has_no_neighbours() -> None:
    problem = Problem(
        board=Board(levels=1, cards=3, anchor=2), shape=shape(1), left=0, fixed=(0,), finish=True, ends=None,
        values=(1, 2, 3), located=frozenset(), hidden=0, kept=frozenset(), stray=None, finish_gone=False,
    )  # fmt: skip
    assert z3_fill(problem) == {} == fill(problem)


def test_unseen_cards_drawn_beyond_the_deck_count_as_glass_cards() -> None:
    text = (
        '[CGN "1"]\n[Rules "en-1 draw_source=opened"]\n[Players "Aki Ben Chie"]\n'
        "deal Aki ? ?\ndeal Ben ? ?\ndeal Chie ? ?\nreserve 1 9\n1. Aki +?,? A 4@a1\n"
    )
    (game,) = read_text(text)
    given: Record = game.record  # type: ignore[union-attr]
    found = decide(given, given.rules.rulings, TINY[1])
    assert isinstance(found, Impossible)
    assert {rule.clause for rule in found.broken} >= {"DRW01", "DRW05"}


def test_of_an_illegal_turn_the_result_is_not_asked() -> None:
    found = decide(replace(record("1. Aki A 44@h3\n"), result="win"), parse_rules("ja-2.2").rulings)
    assert isinstance(found, Impossible)
    assert "END05" not in {rule.clause for rule in found.broken}


def test_a_player_with_a_card_is_never_stuck_whatever_lies_unseen() -> None:
    run = symbolic(record("1. Aki +? A ?@h1\n2. Ben +0 -\n"), parse_rules("ja-2.2").rulings)
    assert [rule.formula for rule in run.table.rules if rule.clause == "ACT01"] == [FALSE]
