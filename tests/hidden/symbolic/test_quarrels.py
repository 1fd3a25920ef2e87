"""A turn by itself in records that do not show everything: Z3 against every world, enumerated on small boards."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from couperation_formal.game.record import Game
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.hidden.readings.standing import cut, quarrel_verdicts, standing
from couperation_formal.hidden.smt.exact import Impossible, Possible
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from tests.conftest import LONG
from tests.hidden.readings.records import random_reading, sampled as full, spoiled as full_spoiled, told
from tests.hidden.symbolic.asked import decide, symbolic_verdicts, unplayable
from tests.hidden.symbolic.brute import TooMany
from tests.hidden.symbolic.quarrel_brute import quarrelled
from tests.hidden.symbolic.records import TINY, hidden, sampled, spoiled

pytestmark = pytest.mark.slow

EACH = 60 if LONG else 4


@pytest.mark.parametrize("chunk", range(5 if LONG else 2))
def test_the_answer_is_that_of_all_worlds(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(chunk * EACH, (chunk + 1) * EACH):
        rng, board = Random(f"q {seed}"), TINY[seed % len(TINY)]
        record = hidden(spoiled(sampled(seed, board), rng, board, rng.choice((0, 1, 2, 3))), rng)
        count = len(record.players)
        if len(set(record.players)) < count or board.reserve_size(count) is None or not record.turns:
            continue
        at = rng.randint(1, len(record.turns))
        exact = symbolic_verdicts(cut(record, at), board, since=at)
        plain = quarrel_verdicts(record, at, board)
        for rulings in (record.rules.rulings, rng.choice(list(registry().rulebooks.values())), random_reading(rng)):
            try:
                want = quarrelled(record, at, rulings, board, 2000 if LONG else 300)
            except TooMany:
                continue
            assert told(exact, rulings) == want, record_text(cut(record, at))
            if want != "undetermined":
                assert told(plain, rulings) in (want, "undetermined"), record_text(cut(record, at))
            else:
                assert unplayable(record, at, board) is not None
            seen[want] += 1
    assert seen["legal"]
    assert seen["illegal"]


@pytest.mark.parametrize("seed", range(8 if LONG else 2))
def test_what_the_record_shows_needs_no_solver(seed: int) -> None:
    """Of a fully seen record the circuit says what the sets say, where its cards were where they were taken from."""
    rng = Random(seed)
    kinds = [full(seed), *(each for _, each in full_spoiled(full(seed), seed))]
    for record in rng.sample(kinds, 5):
        at = rng.randint(1, len(record.turns)) if record.turns else 0
        if not at or len(set(record.players)) < len(record.players):
            continue
        exact, shown = symbolic_verdicts(cut(record, at), since=at), quarrel_verdicts(record, at)
        if unplayable(record, at - 1) is None:
            assert exact == shown
        else:
            assert exact.undetermined
            assert standing(record, at, tuple(registry().rulebooks.values())).slips[0]


WRONG = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 30 26 44\ndeal Ben 9 28 40\nreserve 1 50 12 33 2 7\n1. Aki A 30@f1\n'
"""The 30 lies left of the 25."""

OWN = (
    *(f"2. Ben A {card}@{cell}" for card in (9, 28, 40) for cell in ("e1", "h1", "f2")),
    *("2. Ben A 28@e2", "2. Ben A 28@a1", "2. Ben D 2+7=9@h1", "2. Ben B 9@e1", "2. Ben B 9@e2"),
    *(f"2. Ben B 9@{down}1\n3. Aki A {card}@{cell}1"
      for down, card, cell in (("h", 26, "i"), ("h", 44, "i"), ("e", 26, "d"), ("e", 44, "d"))),
    *(f"2. Ben A 40@h1\n3. Aki B 26@i1\n4. Ben {last}" for last in ("A 28@j1", "A 9@e1")),
    "2. Ben B 40@h1\n3. Aki A 44@i1\n4. Ben C h1=40", "2. Ben B 9@h1\n3. Aki A 44@i1\n4. Ben C h1=9",
)  # fmt: skip
"""What may follow: a card in order or not, with a place or without, through a card that lies down, opened."""


@pytest.mark.parametrize("rules", ["ja-2.2", "bgg facedown=deck row_order=weak"])
@pytest.mark.parametrize("turns", OWN)
def test_of_a_tower_that_was_wrong_a_turn_answers_for_its_own_card(turns: str, rules: str) -> None:
    (game,) = read_text(WRONG + turns + "\n*\n")
    assert isinstance(game, Game)
    record, rulings = game.record, parse_rules(rules).rulings
    at = len(record.turns)
    outcome, plain = decide(record, rulings, since=at), replay(record, rulings, since=at)
    assert plain.illegal in (None, at)
    assert isinstance(outcome, Possible if plain.illegal is None else Impossible)
    if isinstance(outcome, Impossible):
        clause = plain.broken[0].clause  # of the orders of its own card the circuit asks together
        assert {"TOW02": "TOW01"}.get(clause, clause) in {rule.clause for rule in outcome.broken}


MARKS = f'[Marks "{" ".join(f"{card}:1" for card in range(1, 51))}"]\n'
MARKED = WRONG.partition("1. Aki")[0].replace("deal Aki", f"{MARKS}deal Aki").replace("9 28 40", "9 24 28")
ROW = "1. Aki B 30@h1\n2. Ben B 9@f1\n3. Aki A 26@i1\n"
"""Nothing fits between the 25 and the 26 but where numbers of a row may be equal, or down cards are not asked."""

UPPER = "1. Aki A 26@h1\n2. Ben B 9@f1\n3. Aki B 30@g2\n"
"""Nothing fits between the supports but where an upper card may be equal to one."""

LATER = ("A 28@j1", "A 28@h2", "A 24@e1", "A 24@j1", "B 24@e1", "C h1=30", "C f1=9", "-")
SOME = [(ROW, f"+45 {turn}") for turn in LATER]
SOME += [(UPPER, f"+0 {turn}") for turn in ("A 24@e1", "A 28@i1", "C g2=30")]


@pytest.mark.parametrize("before, turn", SOME)
def test_a_tower_that_some_readings_call_wrong(before: str, turn: str) -> None:
    (game,) = read_text(f"{MARKED}{before}4. Ben {turn}\n*\n")
    assert isinstance(game, Game)
    exact, shown = symbolic_verdicts(cut(game.record, 4), since=4), quarrel_verdicts(game.record, 4)
    assert exact == shown
    assert not exact.undetermined
