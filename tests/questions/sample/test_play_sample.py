"""Sample games: legal under every ruling, the same for the same arguments, hidden no more and no less than they should
be.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO

import pytest
from hypothesis import given, settings, strategies as st

from couperation_formal.formulas.judge import judge
from couperation_formal.game.record import Exchange, Game, LayDown, LayUp, Open, Record
from couperation_formal.game.replay import Replay, replay
from couperation_formal.game.rulings import Rules, parse_rules
from couperation_formal.game.seen import seen_record as hide
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board, Cell, Down, Shown, Up, Variant
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import PLAYER_NAMES, Policy, sample_game
from tests.conftest import LONG, some
from tests.questions.sample.games import SINGLE_CHANGES, VARIANTS, rules, seats, seeds, variants

pytestmark = pytest.mark.slow

policies: st.SearchStrategy[Policy] = st.sampled_from(("random", "careful"))
few = settings(max_examples=300 if LONG else 8)
SMALL = Board(levels=3, cards=14, anchor=7, deal=2, hand_limit=2, refill=1, reserve_sizes=((2, 4), (3, 3)))


def assert_legal(record: Record, board: Board = STANDARD) -> Replay:
    outcome = replay(record, record.rules.rulings, board)
    assert outcome.broken == ()
    assert outcome.doubts == ()
    assert outcome.reached == record.result
    assert len(outcome.states) == len(record.turns) + 1
    return outcome


@few
@given(seats, variants, rules, seeds, policies)
def test_every_sample_is_a_legal_game(players: int, variant: Variant, rules: Rules, seed: int, policy: Policy) -> None:
    record = sample_game(players, variant, rules, seed, policy)
    assert record.result in ("win", "loss", "stuck")
    assert [turn.number for turn in record.turns] == list(range(1, len(record.turns) + 1))
    assert record.players == PLAYER_NAMES[:players]
    assert_legal(record)


@pytest.mark.parametrize("change", some(SINGLE_CHANGES, 3))
@pytest.mark.parametrize("variant", VARIANTS)
def test_samples_are_legal_under_each_option_and_judged_so_twice(change: str, variant: Variant) -> None:
    rules = parse_rules(change)
    for seed in range(3) if LONG else [len(change) % 3]:
        record = sample_game(2 + seed, variant, rules, seed, "random")
        assert_legal(record)
    told = judge(record, rules.rulings)
    assert (told.turn, told.open_, told.reached, told.warned) == (None, None, record.result, ()), told


def test_careful_games_are_judged_legal_twice() -> None:
    for seed, book in enumerate(("ja-2.2", "en-1", "en-2", "bgg")):
        record = sample_game(3, "finish", parse_rules(book), seed, "careful")
        told = judge(record, record.rules.rulings)
        assert (told.turn, told.open_, told.reached) == (None, None, record.result), told


@few
@given(seats, variants, rules, seeds, policies)
def test_public_samples_are_never_refused(
    players: int, variant: Variant, rules: Rules, seed: int, policy: Policy
) -> None:
    full = sample_game(players, variant, rules, seed, policy)
    public = sample_game(players, variant, rules, seed, policy, public=True)
    assert public == hide(full) == hide(public)
    outcome = replay(public, rules.rulings)
    assert outcome.illegal is None
    assert [broken for broken in outcome.broken if not broken.warning] == []
    assert outcome.doubts


@few
@given(seats, variants, rules, seeds, policies)
def test_public_samples_show_what_lies_open_and_nothing_else(
    players: int, variant: Variant, rules: Rules, seed: int, policy: Policy
) -> None:
    full = sample_game(players, variant, rules, seed, policy)
    public = hide(full)
    assert public.deck is None
    assert public.deals == dict.fromkeys(full.players, (UNSEEN,) * 3)
    assert (public.reserve, public.marks, public.result) == (full.reserve, full.marks, full.result)
    assert public.tags == tuple(tag for tag in full.tags if tag[0] != "Event")
    backs: dict[Cell, Shown] = {}  # what lies down where everybody saw it go there from the Reserve
    for seen, turn in zip(public.turns, full.turns, strict=True):
        assert (seen.number, seen.player, seen.trim) == (turn.number, turn.player, turn.trim)
        assert seen.draw == tuple(FINISH if card is FINISH else UNSEEN for card in turn.draw)
        assert seen.drop == (UNSEEN,) * len(turn.drop)
        action, real = seen.action, turn.action
        if isinstance(real, LayDown):
            assert action == LayDown(UNSEEN, real.cell)
        elif isinstance(real, Exchange):
            assert isinstance(action, Exchange)
            assert (action.first, action.second, action.sign, action.taken, action.face_up, action.cell) == (
                real.first,
                real.second,
                real.sign,
                real.taken,
                real.face_up,
                real.cell,
            )
            assert action.adjust == tuple((sign, card if card is FINISH else UNSEEN) for sign, card in real.adjust)
            known = Down(backs.get(real.cell, UNSEEN))
            assert action.replaced == (known if isinstance(real.replaced, Down) else real.replaced)
            backs.pop(real.cell, None)
            if not real.face_up:
                backs[real.cell] = real.taken
        else:
            assert action == real


@few
@given(seats, variants, rules, seeds, policies, st.booleans())
def test_writing_and_reading_gives_the_same_record(
    players: int, variant: Variant, rules: Rules, seed: int, policy: Policy, public: bool
) -> None:
    record = sample_game(players, variant, rules, seed, policy, public)
    (game,) = read_text(record_text(record))
    assert isinstance(game, Game)
    assert game.record == record


_PRINT = """
from couperation_formal.game.rulings import parse_rules
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import sample_game
for policy in ("random", "careful"):
    for seed in range(3):
        print(record_text(sample_game(2 + seed % 3, "finish", parse_rules("en-1"), seed, policy)))
"""


def test_samples_are_the_same_in_every_process() -> None:
    """In this one, and in a new one with another hash seed."""
    with redirect_stdout(StringIO()) as here:
        exec(_PRINT, {})
    assert here.getvalue().count("[CGN") == 6
    for seed in some(("1", "2"), 2):
        there = subprocess.run(
            [sys.executable, "-c", _PRINT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert there.stdout == here.getvalue()


def test_each_argument_matters() -> None:
    book = parse_rules("ja-2.2")
    games = [
        sample_game(2, "first", book, 1, "random"),
        sample_game(2, "first", book, 2, "random"),
        sample_game(3, "first", book, 1, "random"),
        sample_game(2, "finish", book, 1, "random"),
        sample_game(2, "first", book, 1, "careful"),
        sample_game(2, "first", book, 1, "random", public=True),
    ]
    assert all(one != other for i, one in enumerate(games) for other in games[:i])
    assert games[0].tags[:5] == (
        ("CGN", "1"),
        ("Event", "sample, seed 1, random"),
        ("Rules", "ja-2.2"),
        ("Variant", "first"),
        ("Players", "Aki Ben"),
    )


@pytest.mark.parametrize(("players", "variant"), some([(2, "first"), (4, "finish")], 2))
def test_care_wins_a_fair_share(players: int, variant: Variant) -> None:
    book = parse_rules("ja-2.2")
    results = [sample_game(players, variant, book, seed, "careful").result for seed in range(30 if LONG else 8)]
    assert results.count("win") >= (8 if LONG else 3)


def test_random_games_hold_every_kind_of_turn() -> None:
    book = parse_rules("en-1")
    turns = [turn for seed in range(40) for turn in sample_game(3, "finish", book, seed, "random").turns]
    actions = [turn.action for turn in turns]
    for kind in (LayUp, LayDown, Open, Exchange):
        assert sum(type(action) is kind for action in actions) > 20
    exchanges = [action for action in actions if isinstance(action, Exchange)]
    assert any(action.adjust for action in exchanges)
    assert any(isinstance(action.replaced, Up) for action in exchanges)
    assert any(isinstance(action.replaced, Down) for action in exchanges)
    assert any(not action.face_up for action in exchanges)
    assert any(FINISH in turn.draw for turn in turns)
    assert any(turn.drop for turn in turns)
    assert any(turn.trim for turn in turns)


@given(st.integers(2, 3), variants, rules, seeds, policies)
def test_small_boards_are_played_to_the_end(
    players: int, variant: Variant, rules: Rules, seed: int, policy: Policy
) -> None:
    assert_legal(sample_game(players, variant, rules, seed, policy, board=SMALL), SMALL)


def test_an_own_rulebook_is_named_by_a_known_one() -> None:
    rulings = parse_rules("en-2 between=inclusive").rulings
    record = sample_game(2, "first", Rules("my/house.toml", (), rulings), 5, "random")
    assert record.rules == parse_rules("en-2 between=inclusive")
    assert record.tag("Rules") == "en-2 between=inclusive"
    assert record == sample_game(2, "first", parse_rules("en-2 between=inclusive"), 5, "random")


@pytest.mark.parametrize("players", [-1, 0, 1, 5])
def test_no_game_for_one_or_five(players: int) -> None:
    with pytest.raises(ValueError, match=f"no game is for {players} players"):
        sample_game(players, "first", parse_rules("ja-2.2"), 1, "random")


_SEEN = """[CGN "1"]
[Rules "en-1"]
[Variant "finish"]
[Players "Aki Ben"]

deal Aki 2 3 4
deal Ben 5 6 7
reserve 1 50 10 11 12 13
deck 20 F 21

1. Aki +20 B 4@f1 ! drop 2
2. Ben +F,21 D 6-5^F_21=~1@f1x~4 ?! drop 3 trim 12
3. Aki D 2+3=5@g1x25
4. Ben C f1=1
5. Aki D F-25=F@h1xF trim F
win
"""


def test_hiding_turn_by_turn() -> None:
    (seen,) = read_text(_SEEN)
    assert isinstance(seen, Game)
    assert record_text(hide(seen.record)).splitlines()[5:] == [
        "deal Aki ? ? ?",
        "deal Ben ? ? ?",
        "reserve 1 50 10 11 12 13",
        "",
        "1. Aki +? B ?@f1 drop ?",
        "2. Ben +F,? D 6-5^F_?=~1@f1x? drop ? trim 12",
        "3. Aki +0 D 2+3=5@g1x25",
        "4. Ben +0 C f1=1",
        "5. Aki +0 D F-25=F@h1xF trim F",
        "win",
    ]
