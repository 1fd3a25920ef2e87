"""What `explain` tells of a record that hides cards is so of the game behind it."""

from __future__ import annotations

from itertools import product
from random import Random

import msgspec
import pytest

from couperation_formal.formulas.judge import why
from couperation_formal.game.record import Game, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.seen import seen_record as hide
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.output.report import clauses
from couperation_formal.questions.records.explain import NotAsked, Untold, explain_turn
from tests.cli.run import couperation
from tests.conftest import LONG
from tests.hidden.symbolic.records import sampled
from tests.questions.records.spoil import spoil_turn
from tests.questions.records.spoil_turn import TURNS

pytestmark = pytest.mark.slow


def game_of(record: Record) -> Game:
    (game,) = read_text(record_text(record))
    assert isinstance(game, Game)
    return game


def shown_in_part(record: Record, rng: Random) -> Record:
    """The record as somebody saw it at the table, with some marks not noted."""
    public = hide(record)
    marks = {card: mark for card, mark in record.marks.items() if rng.random() < 0.8}
    tags = tuple((name, value) for name, value in public.tags if name != "Marks")
    return msgspec.structs.replace(public, marks=marks, tags=tags)


def spoiled(record: Record, rng: Random) -> Record | None:
    tables = replay(record, record.rules.rulings).states
    cut = rng.randint(1, 9)
    short = msgspec.structs.replace(record, turns=record.turns[:cut], result=None)
    return spoil_turn(rng, short, tables, rng.choice(list(TURNS)))


OVER = """[CGN "1"]
[Rules "ja-2.2"]
[Players "Ada Bo"]

deal Ada ? ? ?
deal Bo ? ? ?
reserve 1 50 12 33 40 7

1. Ada +0 B ?@f1
2. Bo +0 C f1=42
3. Ada +0 A 30@h1
win
"""


@pytest.mark.parametrize(
    ("clause", "at", "text", "code"),
    [
        ("END04", 2, "turn 2, Bo: it holds", 0),
        ("END04", 3, "the game was over after turn 2", 1),
        ("END05", 3, "the record states win, but the game ends in a loss", 1),
    ],
)
def test_what_follows_a_seen_end_breaks_it(clause: str, at: int, text: str, code: int) -> None:
    """Nobody's hand is shown, but everybody saw that the card did not fit."""
    found = couperation("explain", clause, "-", "--at", str(at), stdin=OVER)
    assert (found.exit_code, text in found.output) == (code, True), found.output
    assert "is illegal" not in found.output


@pytest.mark.parametrize("seed", range(24 if LONG else 4))
def test_the_end_of_a_hidden_record_is_the_end_of_the_game(seed: int) -> None:
    """END04 at every turn and END05, of games that go on after their end, some with another result."""
    whole = sampled(seed)
    again = msgspec.structs.replace(whole.turns[1], number=len(whole.turns) + 1, player=whole.players[0])
    told = set()
    for turns, result in product((whole.turns, (*whole.turns, again)), ("win", "loss", "stuck")):
        record = msgspec.structs.replace(whole, turns=turns, result=result)
        hidden = game_of(shown_in_part(record, Random(seed)))
        for clause, at in [*(("END04", at) for at in range(1, len(turns) + 1)), ("END05", len(turns))]:
            found = explain_turn(hidden, clause, at, record.rules, exact=False)
            if not isinstance(found, Untold):
                told.add((clause, found.trace.holds))
                assert found.trace.holds == why(record, record.rules.rulings, clause, at).trace.holds, (clause, at)
    assert told == {("END04", True), ("END04", False), ("END05", True), ("END05", False)}


@pytest.mark.parametrize("seed", range(120 if LONG else 8))
def test_what_is_told_of_a_hidden_record_is_so_of_the_game(seed: int) -> None:
    """At the last turn of a game that may be spoiled there; what cannot be played is another matter (SET06)."""
    rng = Random(seed)
    record = spoiled(sampled(seed % 6), rng) if seed % 3 else sampled(seed % 6)
    if record is None:
        pytest.skip("nothing to spoil")
    rulings, at = record.rules.rulings, len(record.turns)
    hidden = game_of(shown_in_part(record, rng))
    told = 0
    for clause in clauses():
        try:
            truth = why(record, rulings, clause, at)
            found = explain_turn(hidden, clause, at, record.rules, exact=clause in ("ACT02", "ACT06"))
        except NotAsked:
            continue
        if isinstance(found, Untold) or not why(record, rulings, "SET06", at).trace.holds:
            continue
        told += 1
        assert found.trace.holds == truth.trace.holds, (clause, record_text(record), found, truth)
        assert found.defines is truth.defines
    assert told > 5 or not why(record, rulings, "SET06", at).trace.holds
