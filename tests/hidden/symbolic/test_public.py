"""Games as a recorder at the table sees them: legal ones are possible, spoiled ones are found at the right turn."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.game.record import Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.seen import seen_record as hide
from couperation_formal.game.tower import FINISH, UNSEEN, Variant
from couperation_formal.hidden.smt.exact import Possible
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import Policy, sample_game
from tests.conftest import LONG
from tests.hidden.readings.records import spoiled as spoils
from tests.hidden.symbolic.asked import decide
from tests.hidden.symbolic.brute_shared import refines
from tests.hidden.symbolic.public import CONTRADICTIONS, SETUP, contradiction, refuted
from tests.hidden.symbolic.records import hidden, sampled, without_marks

pytestmark = pytest.mark.slow

BOOKS = tuple(registry().rulebooks)


def possible(record: Record) -> None:
    """Some world makes the record legal; the plain replay accepts it, and it keeps all that the record shows."""
    outcome = decide(record, record.rules.rulings)
    assert isinstance(outcome, Possible), record_text(record)
    assert refines(outcome.world, record)
    plain = replay(outcome.world, record.rules.rulings)
    assert (plain.illegal, plain.doubts) == (None, ())
    assert not any(found.turn == 0 and found.warning for found in plain.broken) or FINISH in sum(
        (turn.draw for turn in record.turns), ()
    )


CASES = [
    (book, variant, players, seed)
    for seed in range(2)
    for at, book in enumerate(BOOKS)
    for way, variant in enumerate(("first", "finish"))
    for players in (2, 3, 4)
    if LONG or (seed, at % 2, players) == (0, way, 2 + at % 3)
]


@pytest.mark.parametrize(("book", "variant", "players", "seed"), CASES)
def test_public_games_of_every_rulebook_are_possible(book: str, variant: Variant, players: int, seed: int) -> None:
    policy: Policy = "careful" if (players + seed) % 3 == 0 else "random"
    record = sample_game(players, variant, parse_rules(book), seed, policy, public=True)
    possible(without_marks(record) if (seed + players) % 2 else record)


@pytest.mark.parametrize("seed", range(40 if LONG else 2))
def test_public_games_under_any_rulings_are_possible(seed: int) -> None:
    record = sampled(seed)
    possible(hidden(record, Random(seed)))
    if LONG:
        possible(hide(record))
        possible(without_marks(hide(record)))


def shown(record: Record) -> list[tuple[int | None, set[str], Record, int | None]]:
    """For each mutation of a game: where and why the full record is illegal, and the same record hidden, with the turn
    at which the plain replay is sure to refuse that.
    """
    found = []
    for _, each in spoils(record, 7):
        full = replay(each, each.rules.rulings)
        less = hide(each)
        plain = replay(less, each.rules.rulings)
        found.append((full.illegal, {broken.clause for broken in full.broken}, less, plain.illegal))
    return found


BEYOND_BUDGET = {11: 1}  # seed: how many of its mutations take more than the budget of steps


@pytest.mark.parametrize("seed", range(20 if LONG else 1))
def test_a_broken_rule_is_found_not_too_early_and_not_too_late(seed: int) -> None:
    """Never before the turn at which the full record is illegal; never after the one that the plain replay refuses."""
    cases = shown(sampled(seed))
    visible, unknown = 0, 0
    for full, codes, less, plain in cases if LONG else Random(seed).sample(cases, 5):
        outcome = decide(less, less.rules.rulings)
        if isinstance(outcome, Possible):
            assert plain is None, record_text(less)
            continue
        if outcome is None:
            unknown += 1
            continue
        assert full is not None, record_text(less)
        assert outcome.turn >= full
        assert plain is None or outcome.turn <= plain
        if plain == full:
            visible += 1
            assert outcome.turn == full
            assert {rule.clause for rule in outcome.broken} & (codes | {"SET06"}), (codes, outcome.broken)
    assert visible
    assert unknown <= BEYOND_BUDGET.get(seed, 0)


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_in_the_hidden_part_is_found(name: str) -> None:
    record, (_, turn, codes) = contradiction(name), CONTRADICTIONS[name]
    assert refuted(name).turn == turn
    assert {rule.clause for rule in refuted(name).broken} & codes
    if turn:
        possible(replace(record, turns=record.turns[: turn - 1], result=None))


def test_an_unseen_finish_card_changes_the_count_of_a_hand() -> None:
    """A ``?`` that can only be the Finish card leaves the hand as it is: what is dropped tells it apart."""
    text = (
        '[CGN "1"]\n[Players "Aki Ben"]\n[Variant "finish"]\n[Rules "en-2 finish_half=top finish_value=none"]\n' + SETUP
        + "1. Aki +F,? A ?@h1\n"
    )  # fmt: skip
    (game,) = read_text(text)
    record = game.record  # type: ignore[union-attr]
    outcome = decide(record, record.rules.rulings)
    assert isinstance(outcome, Possible)
    assert outcome.world.turns[0].action.card is FINISH or not outcome.world.turns[0].drop  # type: ignore[union-attr]
    (game,) = read_text(text.replace("A ?@h1", "A ?@h1 drop ?"))
    record = game.record  # type: ignore[union-attr]
    outcome = decide(record, record.rules.rulings)
    assert isinstance(outcome, Possible)
    assert outcome.world.turns[0].action.card is FINISH  # type: ignore[union-attr]
    assert UNSEEN not in outcome.world.turns[0].drop
