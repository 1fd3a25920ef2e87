"""Draws that were not noted (``+*``, ``fill *``): a record is legal when it is with some size of each."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.analysis.verify import check, world_text
from couperation_formal.model.board import STANDARD
from couperation_formal.model.record import Game, Layout, Record
from couperation_formal.model.rulings import Rules
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.readings.replayed import plain_verdicts
from couperation_formal.replay.replay import replay, sizes
from couperation_formal.smt.exact import Unknown, decide
from tests.cli.run import couperation
from tests.readings.records import LONG, sampled, spoiled

LAYOUT = Layout(text="", line=1, tags={}, lines={}, turns=(), result=None, comments=())


def report(record: Record, rules: Rules | None = None):  # type: ignore[no-untyped-def]
    return check(Game(file="", index=1, record=record, layout=LAYOUT), rules)


def opened(record: Record, rng: Random, count: int) -> Record:
    """The record with the draws of some turns not noted, F never among them."""
    places = [at for at, turn in enumerate(record.turns) if "F" not in map(str, turn.draw)]
    chosen = set(rng.sample(places, min(count, len(places))))
    turns = tuple(
        replace(turn, draw=(), draw_open=True) if at in chosen else turn for at, turn in enumerate(record.turns)
    )
    return replace(record, turns=turns)


def noted(record: Record) -> list[Record]:
    """Every record that notes all draws."""
    ways = [list(sizes(turn, STANDARD)) if turn.draw_open else [turn] for turn in record.turns]
    return [replace(record, turns=turns) for turns in product(*ways)]


@pytest.mark.parametrize("seed", range(60 if LONG else 5))
def test_what_is_said_is_what_trying_all_sizes_says(seed: int) -> None:
    rng, told = Random(seed), set()
    game = sampled(seed)
    cut = replace(game, turns=game.turns[:6], result=None)
    for record in [cut, *(each for _, each in spoiled(cut, seed))][:: 1 if LONG else 12]:
        open_ = opened(record, rng, 2)
        answers = [report(each) for each in noted(open_)]
        found = report(open_)
        told.add(found.verdict)
        legal = [answer for answer in answers if answer.verdict == "legal"]
        if legal:
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


def test_one_size_is_left() -> None:
    """After a down card a hand of three draws nothing, and the plain replay goes on with that."""
    (game,) = read_text(START + "1. Ada +0 B 17@f1\n2. Bo +* A 38@h1\n3. Ada +0 A 44@i1\n")
    assert isinstance(game, Game)
    outcome = replay(game.record, game.record.rules.rulings)
    assert (outcome.illegal, outcome.doubts, len(outcome.states)) == (None, (), 4)


def test_several_are_left_and_every_engine_that_knows_no_size_says_so() -> None:
    (game,) = read_text(START + "1. Ada +0 A 17@f1\n2. Bo +* A 38@h1\n3. Ada +0 A 44@i1\n")
    assert isinstance(game, Game)
    rulings = game.record.rules.rulings
    outcome = replay(game.record, rulings)
    assert [(doubt.turn, doubt.what.kind) for doubt in outcome.doubts] == [(2, "whether_size")]
    assert isinstance(decide(game.record, rulings), Unknown)
    assert not plain_verdicts(game.record).legal
    assert not plain_verdicts(game.record).illegal


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
