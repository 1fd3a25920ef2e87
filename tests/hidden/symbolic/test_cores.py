"""Why a record is impossible: cores that are needed in every part, confirmed, the same on every run, and refuted by
another solver as scripts.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import pytest

from couperation_formal.formulas.circuit import FALSE, Formula
from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Record
from couperation_formal.game.seen import seen_record as hide
from couperation_formal.game.tower import FinishCard
from couperation_formal.hidden.smt.exact import Impossible, Outcome, Solver
from couperation_formal.hidden.symbolic.cards import Rule
from couperation_formal.notation.read import read_text
from couperation_formal.words.say import ENGLISH, say
from tests.conftest import LONG, some
from tests.hidden.readings.records import spoiled as spoils
from tests.hidden.symbolic.asked import decide
from tests.hidden.symbolic.cvc import answers, rule_names, without_rule
from tests.hidden.symbolic.public import CONTRADICTIONS, fingerprint, refuted, script
from tests.hidden.symbolic.records import sampled

pytestmark = pytest.mark.slow


@lru_cache(maxsize=1)
def impossible() -> tuple[Impossible, ...]:
    """Impossible records whose cores are not a single false rule: the written ones, and spoiled public games."""
    found: list[Outcome] = [refuted(name) for name in CONTRADICTIONS]
    for seed in range(20 if LONG else 1):
        for kind, each in spoils(sampled(seed), seed):
            if LONG or kind in ("nothand", "sendother", "takeother"):
                less = hide(each)
                found.append(decide(less, less.rules.rulings))
    cores = [each for each in found if isinstance(each, Impossible)]
    return tuple(each for each in cores if all(rule.formula != FALSE for rule in each.core))


def test_there_are_cores_over_several_turns() -> None:
    assert len(impossible()) >= 6
    assert any(len({rule.turn for rule in found.core}) > 1 for found in impossible())
    assert all(found.least for found in impossible())


def test_every_part_of_a_core_is_needed() -> None:
    for found in impossible():
        facts = list(found.run.table.facts.values())
        assert not holds(found, facts, found.core)
        for rule in found.core:
            others = [other for other in found.core if other is not rule]
            assert holds(found, facts, others), rule.name
        assert set(found.broken) & set(found.core)
        assert max(rule.turn for rule in found.core) == found.turn


def holds(found: Impossible, facts: list[Formula], rules: Sequence[Rule]) -> bool:
    found.run.table.circuit.budget = Steps(10**9)
    solver = Solver(found.run.table.circuit)
    for formula in [*facts, *(rule.formula for rule in rules)]:
        solver.add(formula)
    return solver.can_hold([])


def test_another_solver_refutes_the_script_and_nothing_less() -> None:
    for found in impossible():
        text = script(found)
        assert answers(text) == ["unsat"]
        names = rule_names(text)
        assert len(names) == len(found.core)
        for name in names if LONG else names[:2]:
            assert answers(without_rule(text, name)) == ["sat"], name


def commented(text: str) -> Iterator[tuple[str, str]]:
    """Each assertion of a script with the line before it."""
    lines = text.splitlines()
    for before, line in pairwise(lines):
        if line.startswith("(assert"):
            yield before, line


def test_each_assertion_has_its_comment() -> None:
    for found in impossible():
        pairs = list(commented(script(found)))
        assert len(pairs) == len(found.core) + len(found.facts)
        facts = [before for before, line in pairs if ":named fact." in line]
        assert sorted(facts) == sorted(f"; fact: {name}" for name in found.facts)
        rules = [before for before, line in pairs if ":named turn" in line]
        assert rules == [
            f"; line {rule.turn + 10}, turn {rule.turn}, {rule.clause}: {say(rule.subject, ENGLISH)}"
            for rule in found.core
        ]


def test_names_of_rules_and_facts_are_unique_and_stay_on_their_line() -> None:
    for found in impossible():
        names = [rule.name for rule in found.run.table.rules]
        assert len(set(names)) == len(names)
        facts = list(found.run.table.facts)
        assert len(set(facts)) == len(facts)
        variables = list(found.run.table.circuit.names.values())
        assert len(set(variables)) == len(variables)
        assert not any("\n" in name for name in (*names, *facts, *variables))


def test_a_name_of_a_player_with_odd_characters_keeps_the_script_readable() -> None:
    text = '[CGN "1"]\n[Players "A|b) ;B"]\n'.replace(" ;", " ") + "1. A|b) A 20@f1\n2. B A 20@h1\n"
    (game,) = read_text(text)
    record: Record = game.record  # type: ignore[union-attr]
    found = decide(record, record.rules.rulings)
    assert isinstance(found, Impossible)
    assert answers(script(found)) == ["unsat"]


def test_cores_are_the_same_in_every_process() -> None:
    command = [sys.executable, "-c", "from tests.hidden.symbolic.public import fingerprint; print(fingerprint())"]
    told = set()
    for seed in some(("1", "2")):
        environment = {"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"}
        run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        told.add(run.stdout.strip())
    assert told == {fingerprint()}


def test_a_core_in_words() -> None:
    """A card that Aki laid up cannot show where Ben laid his unseen."""
    found = refuted("a card shown twice far apart")
    parts = {(rule.turn, rule.clause) for rule in found.core}
    assert (4, "ACT04") in parts
    assert parts <= {(0, "SET06"), (1, "ACT02"), (2, "ACT03"), (4, "ACT04")}
    assert not any(isinstance(card, FinishCard) for card in found.run.table.every)
    assert "; line 14, turn 4, ACT04: a = C(x, c): W(x) = Down(c)\n" in script(found)


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_what_a_written_contradiction_rests_on_is_short(name: str) -> None:
    found = refuted(name)
    assert found.turn == CONTRADICTIONS[name][1]
    assert found.least
    assert len(found.core) <= 14
