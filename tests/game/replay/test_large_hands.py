"""Hands of twenty cards, as turns that are skipped or draws that nobody may make can leave them: what pays for action D
is found without trying every choice of destroyed cards, or within a budget.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from couperation_checker.strict import Work
from couperation_checker.turns import payments

from couperation_formal.game.fact import DEFAULT, Steps
from couperation_formal.game.record import Exchange, Game
from couperation_formal.game.rules.moves import legal_actions, some_action
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.state import State
from couperation_formal.hidden.readings.standing import standing
from couperation_formal.notation.read import read_text
from tests.cli.run import process
from tests.kit.counted import calls

RULES = "ja-2.2 anchor=middle spread=anywhere replace_target=facedown_only no_action=skipped"
DRAWN = "2,3,4,5,6,8,9,10,11,13,14,15,16,17,18,19,20,21,29,30"
TEXT = f"""[CGN "1"]
[Rules "{RULES}"]
[Players "Ada Bo"]

deal Ada 22 24 27
deal Bo 23 26 28
reserve 1 50 12 33 40 7

1. Ada +{DRAWN} A 22@d1
2. Bo A 23@e1
3. Ada A 24@f1
4. Bo A 26@h1
5. Ada A 27@i1
6. Bo A 28@j1
7. Ada -
*
"""
"""Seven cards without a number between them: nothing can be laid, whatever pays for it."""


def table() -> State:
    (game,) = read_text(TEXT)
    assert isinstance(game, Game)
    state = standing(game.record, 7).state
    assert state is not None
    assert state.hands[0].size == 20
    return state


def test_no_action_is_told_at_once() -> None:
    state = table()
    assert some_action(state, 0, parse_rules(RULES).rulings) is None
    found = some_action(state, 0, parse_rules("ja-2.2").rulings)
    assert isinstance(found, Exchange)
    assert calls(lambda: some_action(state, 0, parse_rules(RULES).rulings)) < 100_000


@pytest.mark.slow
@pytest.mark.parametrize("rules", [RULES, "ja-2.2 no_action=skipped adjust=up_to"])
def test_all_actions_are_listed_within_the_budget(rules: str) -> None:
    """What the budget leaves out is told."""
    steps = Steps(DEFAULT // 20)
    found = legal_actions(table(), 0, parse_rules(rules).rulings, steps)
    assert (found.told, steps.left) == (False, 0)
    assert len(found.actions) <= steps.limit


def test_the_checker_asks_whether_some_payment_there_is() -> None:
    """Its work for twenty cards that pay for none is a few times their pairs."""
    rulings: dict[str, Any] = {"take_sent": "forbidden", "adjust": "each", "finish_value": "25"}
    own: list[Any] = list(range(2, 40, 2))
    work = Work(10_000)
    reserve: list[Any] = [1, 50, 200]
    about: Any = SimpleNamespace(rulings=rulings, reserve=reserve, work=work)
    assert [card for card in reserve if any(payments(about, own, card))] == [1, 50]
    assert not any(payments(about, own, 199))


@pytest.mark.slow
def test_as_a_person_does_it(tmp_path: Path) -> None:
    path = tmp_path / "large.cgn"
    path.write_text(TEXT)
    found = process("check", path, "--from", "7")
    assert (found.returncode, b"Traceback" in found.stderr) == (0, False)
    stuck = tmp_path / "stuck.cgn"
    stuck.write_text(TEXT.replace("replace_target=facedown_only ", ""))
    found = process("check", stuck, "--from", "7")
    assert (found.returncode, b"ACT01" in found.stdout) == (1, True)
