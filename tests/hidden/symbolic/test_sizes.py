"""Draws that were not noted (``+*``, ``fill *``): a record is legal when it is with some size of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import TypeVar

import pytest
from msgspec.structs import replace

from couperation_formal.game.fact import DEFAULT
from couperation_formal.game.record import Game, Layout, Record
from couperation_formal.game.replay import replay, sizes
from couperation_formal.game.rules.setup import setup_of
from couperation_formal.game.rulings import Rules, parse_rules
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board
from couperation_formal.hidden.readings.sets import Readings
from couperation_formal.hidden.readings.standing import plain_verdicts
from couperation_formal.hidden.smt.exact import Impossible, Possible
from couperation_formal.hidden.symbolic.record import core_script
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.check import check, world_text
from couperation_formal.questions.records.sample import sample_game
from tests.cli.run import couperation
from tests.conftest import LONG
from tests.hidden.readings.records import sampled, spoiled
from tests.hidden.symbolic.asked import decide, symbolic_verdicts
from tests.hidden.symbolic.brute import TooMany, enumerate_worlds
from tests.hidden.symbolic.cvc import answers
from tests.hidden.symbolic.records import (
    FILLS,
    TINY,
    hand_filled,
    hidden as blurring,
    noted,
    opened,
    sampled as small_game,
    spoiled as breaking,
    without_marks,
)

T = TypeVar("T")
LAYOUT = Layout(text="", line=1, tags={}, lines={}, turns=(), result=None, comments=())


def report(record: Record, rules: Rules | None = None):  # type: ignore[no-untyped-def]
    return check(Game(file="", index=1, record=record, layout=LAYOUT), rules)


def up_to(answers: Iterable[T], wanted: Callable[[T], bool]) -> list[T]:
    """The answers up to the first that is wanted; all where none is."""
    found = []
    for answer in answers:
        found.append(answer)
        if wanted(answer):
            break
    return found


def small(seed: int, count: int) -> tuple[Record, Board]:
    """A small game with cards and marks lost, mostly spoiled, of which some draws are not noted."""
    rng = Random(f"sizes {seed}")
    board = TINY[seed % len(TINY)]
    record = blurring(breaking(small_game(seed, board), rng, board, rng.choice((0, 1, 1))), rng)
    return opened(record, rng, count), board


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20 if LONG else 5))
def test_what_is_said_is_what_trying_all_sizes_says(seed: int) -> None:
    rng, told = Random(seed), set()
    game = sampled(seed)
    cut = replace(game, turns=game.turns[:6], result=None)
    for record in [cut, *(each for _, each in spoiled(cut, seed))][:: 1 if LONG else 24]:
        open_ = opened(record, rng, 2)
        answers = up_to(map(report, noted(open_)), lambda answer: answer.verdict == "legal")
        found = report(open_)
        told.add(found.verdict)
        if answers[-1].verdict == "legal":
            assert found.verdict == "legal"
            (world,) = read_text(world_text(found))
            assert check(world).verdict == "legal"
        elif all(answer.verdict == "illegal" for answer in answers):
            assert (found.verdict, found.turn) == ("illegal", max(answer.turn for answer in answers))
    assert "legal" in told


START = """[CGN "1"]
[Players "Ada Bo"]
[Marks "17:2"]

deal Ada 17 30 44
deal Bo 9 21 38
reserve 1 50 12 33 40 7

"""


def test_one_size_more_than_any_limit_stands_for_all_that_are_too_large() -> None:
    """A heart over two cards lets draw four."""
    (turn, *_) = sample_game(("Aki", "Ben"), "first", parse_rules(""), 6, "careful").turns
    turn = replace(turn, draw=(), draw_open=True)
    assert {len(each.draw) for each in sizes(turn, STANDARD)} == set(range(6))


def test_one_size_is_left() -> None:
    """After a down card a hand of three draws nothing, and the plain replay goes on with that."""
    (game,) = read_text(START + "1. Ada +0 B 17@f1\n2. Bo +* A 38@h1\n3. Ada +0 A 44@i1\n")
    assert isinstance(game, Game)
    outcome = replay(game.record, game.record.rules.rulings)
    assert (outcome.illegal, outcome.doubts, len(outcome.states)) == (None, (), 4)


def test_several_are_left_and_every_engine_that_knows_no_size_says_so() -> None:
    (game,) = read_text(START + "1. Ada +0 A 17@f1\n2. Bo +* A 38@h1\n3. Ada +0 A 44@i1\n")
    assert isinstance(game, Game)
    outcome = replay(game.record, game.record.rules.rulings)
    assert [(doubt.turn, doubt.what.kind) for doubt in outcome.doubts] == [(2, "whether_size")]
    assert not plain_verdicts(game.record).legal
    assert not plain_verdicts(game.record).illegal
    assert (check(game, engine="plain").verdict, check(game).verdict) == ("undetermined", "legal")


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(16 if LONG else 1))
def test_all_worlds_of_small_games_of_all_sizes(chunk: int) -> None:
    """Each size of each such draw, each world of it, against a circuit in which the sizes are variables."""
    seen: Counter[str] = Counter()
    for seed in range(chunk * 10, chunk * 10 + (10 if LONG else 4)):
        record, board = small(seed, 1 + seed % 2)
        rulings = record.rules.rulings
        try:
            every = (enumerate_worlds(each, rulings, board, 400 if LONG else 120) for each in noted(record, board))
            turns = [each.turn for each in up_to(every, lambda each: each.turn is None)]
        except TooMany:
            continue
        answer = decide(record, rulings, board)
        if None in turns:
            assert isinstance(answer, Possible), record_text(record)
            assert not any(turn.draw_open or turn.fill_open for turn in answer.world.turns)
        else:
            assert isinstance(answer, Impossible), record_text(record)
            assert answer.turn == max(turns), record_text(record)  # type: ignore[type-var]
        seen[type(answer).__name__] += 1
    assert seen["Possible"]
    assert seen["Impossible"] or chunk


@pytest.mark.parametrize("seed", range(20 if LONG else 3))
def test_all_readings_at_once(seed: int) -> None:
    """Legal under the readings under which some size is, illegal where every size is."""
    record, board = small(seed, 1)
    found = symbolic_verdicts(record, board)
    every = [symbolic_verdicts(each, board) for each in noted(record, board)]
    legal, illegal = Readings.none(), Readings.every()
    for each in every:
        legal, illegal = legal | each.legal, illegal & each.illegal
    assert found == (legal, illegal, Readings.none())


@pytest.mark.parametrize("seed", range(20 if LONG else 4))
def test_a_turn_by_itself_after_a_draw_that_was_not_noted(seed: int) -> None:
    """What stands may have drawn any number, be it the whole deck."""
    record, board = small(seed, 1)
    at = 1 + next(at for at, turn in enumerate(record.turns, start=1) if turn.draw_open)
    record = replace(record, turns=record.turns[:at], result=None)
    if len(record.turns) < at:
        return
    found = symbolic_verdicts(record, board, since=at)
    turn = record.turns[at - 2]
    legal, played = Readings.none(), False
    for size in range(setup_of(record, board).deck_size + 1):
        sized = replace(turn, draw=(UNSEEN,) * size, draw_open=False)
        each = symbolic_verdicts(
            replace(record, turns=(*record.turns[: at - 2], sized, record.turns[at - 1])), board, since=at
        )
        legal, played = legal | each.legal, played or not each.undetermined
    assert found.undetermined == (Readings.none() if played else Readings.every())
    assert found.legal == legal


LISTED = [
    ("14 6 28", "1. Ada +* A 6@f1\n", 1),
    ("14 6 28", "1. Ada +0 A 17@f1\n2. Bo +* A 6@e1 drop ?\n", None),
    ("14 6 28", "1. Ada +0 A 17@f1\n2. Bo +* A 28@h1 drop ?,?\n", 2),
    ("14 6 28", "1. Ada +0 A 17@f1\n2. Bo +* A 38@h1\n3. Ada +6 A 6@e1\n", None),
    ("14 6 28", "1. Ada +0 A 17@f1\n2. Bo +* A 14@e1\n3. Ada +14 A 30@h1\n", 3),
    ("14 ? 28", "1. Ada +0 A 17@f1\n2. Bo +* A 6@e1 drop ?\n3. Ada +28 A 28@h1\n", None),
    ("14 ? 28", "1. Ada +* A 17@f1\n2. Bo +* A 6@e1\n3. Ada +28 A 28@h1\n4. Bo +14 A 38@i1\n", 4),
]
"""What the deck's line lists, the turns after START, and the first of them that no sizes make legal."""


@pytest.mark.slow
@pytest.mark.parametrize(("deck", "turns", "illegal"), LISTED)
def test_what_is_listed_of_the_deck_is_what_is_drawn(deck: str, turns: str, illegal: int | None) -> None:
    (game,) = read_text(START.rstrip() + f"\ndeck {deck}\n\n" + turns)
    assert isinstance(game, Game)
    found = decide(game.record, game.record.rules.rulings)
    assert (found.turn if isinstance(found, Impossible) else None) == illegal
    if isinstance(found, Possible):
        outcome = replay(found.world, game.record.rules.rulings)
        assert (outcome.illegal, outcome.doubts) == (None, ())


@pytest.mark.slow
@pytest.mark.parametrize("game", range(len(FILLS) if LONG else 1))
def test_a_hand_filled_that_was_not_noted(game: int) -> None:
    """The deck's next cards fill the hand, after those of a draw that may not be noted either."""
    record = hand_filled(*FILLS[game])
    at = FILLS[game][2] - 1
    filled = replace(record.turns[at], fill=(), fill_open=True)
    drawn = filled if FINISH in filled.draw else replace(filled, draw=(), draw_open=True)
    for turn in (filled, drawn) if LONG else (filled,):
        changed = replace(record, turns=(*record.turns[:at], turn, *record.turns[at + 1 :]))
        for rulings in (record.rules.rulings, record.rules.rulings.with_changes({"finish_refill": "next"})):
            seen = set()
            for each in noted(changed):
                seen.add(isinstance(decide(each, rulings), Possible))
                if len(seen) == 2:
                    break
            assert False in seen
            assert isinstance(decide(changed, rulings), Possible) == (True in seen)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12 if LONG else 2))
def test_six_of_them_in_a_public_game_of_25_turns(seed: int) -> None:
    """Well within the budget that a question has unless told."""
    rng = Random(seed)
    game = sample_game(
        2 + seed % 3, "finish" if seed % 2 else "first", parse_rules("ja-2.2"), seed, "careful", public=True
    )
    game = opened(without_marks(replace(game, turns=game.turns[:25], result=None)), rng, 6)
    assert sum(turn.draw_open for turn in game.turns) == 6
    found = report(game)
    assert (found.verdict, found.spent < DEFAULT // 2) == ("legal", True)
    assert replay(found.world, game.rules.rulings).illegal is None


@pytest.mark.slow
def test_another_solver_refutes_it_too() -> None:
    """Of two turns that draw one card in all neither has it for both: the script says so by itself."""
    text = (
        START.replace("17:2", "17:1")
        + "deck 14 6\n\n1. Ada +0 A 17@f1\n2. Bo +* A ?@h1\n3. Ada +14 A 14@e1\n4. Bo +0 A 14@i1\n"
    )
    (game,) = read_text(text.replace("\n\ndeck", "\ndeck"))
    assert isinstance(game, Game)
    found = decide(game.record, game.record.rules.rulings)
    assert isinstance(found, Impossible)
    script = "\n".join(core_script(found.run, found.core, found.facts, lambda rule: rule.turn + 8))
    assert answers(script)[0] == "unsat"


def test_as_a_person_does_it() -> None:
    """The world has the size that a card dropped asks for; where a limit forbids that size the record is refused."""
    text = START + "1. Ada +0 A 17@f1\n2. Bo +0 A 9@e1\n3. Ada +0 A 30@h1\n4. Bo +0 B 38@i1\n5. Ada +* A ?@j1\n"
    text += "6. Bo +0 A 21@f2\n7. Ada +0 A ?@d1\n*\n"
    found = couperation("check", "-", "--world", stdin=text)
    assert found.exit_code == 0, found.output
    assert "\n5. Ada +" in found.stdout
    assert "*" not in found.stdout.splitlines()[-4]
    refused = couperation("check", "-", stdin=text.replace("@j1", "@j1 drop ?"))
    assert (refused.exit_code, "Traceback" in refused.output) == (1, False)
    assert "LIM01" in refused.output


def test_no_size_will_do() -> None:
    (game,) = read_text(START + "1. Ada +* A 45@f1\n")
    found = check(game)
    assert (found.verdict, found.turn, found.diagnostics[0].code) == ("illegal", 1, "TOW01")
    assert record_text(game.record).splitlines()[-2] == "1. Ada +* A 45@f1"  # type: ignore[union-attr]
