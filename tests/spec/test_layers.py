"""The two layers of a step: what a legal turn does, and what is amended for one that breaks a rule
(`spec/after-a-broken-rule.md`).
"""

from __future__ import annotations

import pytest

from bench.mutants_formulas_places import terms
from couperation_formal.formulas.judge import book, judge, tables
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.tower import Variant
from couperation_formal.questions.records.sample import sample_game
from tests.conftest import LONG

PAGE = "after-a-broken-rule.md"
OTHERS = {"won", "lost"}
"""How the action ends the game: END01 and END02 define it."""


def needed(clause: str) -> set[str]:
    """The definitions that a clause rests on; what another clause or the page of broken rules defines is one each."""
    definitions = book().definitions
    found, waiting = set[str](), [clause]
    while waiting:
        used = {str(term.value) for term in terms(definitions[waiting.pop()].body)} & definitions.keys()
        waiting += [name for name in used - found if name not in OTHERS and book().page_of(name) != PAGE]
        found |= used
    return found


@pytest.mark.parametrize("clause", ["LIM01", "LIM02", "DRW04", "SET06"])
def test_a_clause_needs_few_definitions(clause: str) -> None:
    assert 2 < len(needed(clause)) <= 25


@pytest.mark.parametrize("seed", range(80 if LONG else 16))
def test_after_a_legal_turn_nothing_is_amended(seed: int) -> None:
    variant: Variant = ("first", "finish")[seed % 2]
    changes = "" if seed % 3 else " finish_refill=at_once no_action=skipped reserve_face=either"
    rules = parse_rules(list(registry().rulebooks)[seed % 4] + changes)
    record = sample_game(2 + seed % 3, variant, rules, seed, "random" if seed % 5 else "careful")
    assert judge(record, rules.rulings).turn is None
    _, *turns = tables(record, rules.rulings)
    for values in turns:
        name = values.value
        hand, drop, trim, player = name("H3")[name("p")], {*name("drop")}, {*name("trim")}, name("p")
        assert not any(map(name, ("unnamed", "unfilled", "spare")))
        assert (name("carried"), name("held"), name("may_drop")) == (len(name("H2")[player]), len(hand), hand)
        counted = [card for card in name("R2") if card != ("F",) or rules.rulings.finish_reserve_count == "yes"]
        assert name("row") == len(counted)
        assert name("H'") == {**name("H3"), player: hand - drop}
        assert (name("f'"), name("W'"), name("R'")) == (name("f3"), name("W2"), name("R2") - trim)
        assert name("G'") == name("G2") | drop | trim
        assert name("K'") == name("K")[len(name("d")) + len(name("fill")) :]
