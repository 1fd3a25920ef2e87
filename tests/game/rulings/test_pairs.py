"""For every two options of every ruling a stored record tells them apart, and the formulas say the same under both."""

from __future__ import annotations

import pytest

from couperation_formal.formulas.judge import judge
from couperation_formal.game.rulings import Rules
from couperation_formal.notation.read import read
from couperation_formal.output.report import Report
from couperation_formal.questions.records.check import check
from tests.game.rulings.find_pairs import pairs, path


def under(rules: Rules, name: str, option: str) -> Rules:
    return Rules(rules.rulebook, (*rules.changes, (name, option)), rules.rulings.with_changes({name: option}))


def answer(report: Report) -> tuple[object, ...]:
    warnings = [(found.code, found.turn) for found in report.diagnostics if found.severity == "warning"]
    return report.verdict, report.turn, report.result, warnings


@pytest.mark.parametrize(("name", "first", "second"), pairs())
def test_a_record_tells_the_options_apart(name: str, first: str, second: str) -> None:
    (game,) = read(path(name, first, second))
    rules = check(game).rules
    assert rules is not None
    one, two = (check(game, under(rules, name, option)) for option in (first, second))
    assert answer(one) != answer(two)
    if name == "finish_half":
        assert one.verdict == two.verdict == "legal"
        assert {found.code for report in (one, two) for found in report.diagnostics} - {"CGN"} == {"SET05"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "first", "second"), pairs())
def test_the_formulas_say_the_same_under_both(name: str, first: str, second: str) -> None:
    (game,) = read(path(name, first, second))
    for option in (first, second):
        rules = under(game.record.rules, name, option)  # type: ignore[union-attr]
        ours, theirs = check(game, rules), judge(game.record, rules.rulings)  # type: ignore[union-attr]
        warned = tuple(
            (found.turn, found.code)
            for found in ours.diagnostics
            if found.severity == "warning" and found.turn is not None
        )
        verdict = "legal" if theirs.turn is None else "illegal"
        assert theirs.open_ is None
        assert (ours.verdict, ours.turn, ours.result, warned) == (verdict, theirs.turn, theirs.reached, theirs.warned)
