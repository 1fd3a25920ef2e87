"""For every two options of every ruling a stored record tells them apart, and the oracle says the same under both."""

from __future__ import annotations

import re

import pytest

from couperation_formal.analysis.verify import Report, check
from couperation_formal.model.rulings import Rules
from couperation_formal.notation.read import read_file
from tests.oracle.replayer import judge
from tests.rulings.find_pairs import pairs, path


def under(rules: Rules, name: str, option: str) -> Rules:
    return Rules(rules.rulebook, (*rules.changes, (name, option)), rules.rulings.with_changes({name: option}))


def answer(report: Report) -> tuple[object, ...]:
    warnings = [(found.code, found.turn) for found in report.diagnostics if found.severity == "warning"]
    return report.verdict, report.turn, report.result, warnings


@pytest.mark.parametrize(("name", "first", "second"), pairs())
def test_a_record_tells_the_options_apart(name: str, first: str, second: str) -> None:
    (game,) = read_file(path(name, first, second))
    rules = check(game).rules
    assert rules is not None
    one, two = (check(game, under(rules, name, option)) for option in (first, second))
    assert answer(one) != answer(two)
    if name == "finish_half":
        assert one.verdict == two.verdict == "legal"
        assert {found.code for report in (one, two) for found in report.diagnostics} == {"SET05"}


@pytest.mark.parametrize(("name", "first", "second"), pairs())
def test_the_oracle_says_the_same_under_both(name: str, first: str, second: str) -> None:
    text = path(name, first, second).read_text(encoding="utf-8")
    rules = re.search(r'\[Rules "([^"]*)"\]', text)
    assert rules is not None
    words = [word for word in rules.group(1).split() if not word.startswith(f"{name}=")]
    for option in (first, second):
        changed = text.replace(rules.group(0), f'[Rules "{" ".join([*words, f"{name}={option}"])}"]')
        theirs = judge(changed)
        (game,) = read_file(path(name, first, second))
        ours = check(game, under(check(game).rules, name, option))  # type: ignore[arg-type]
        assert (ours.verdict, ours.turn, ours.result) == (theirs.verdict, theirs.turn, theirs.result)
