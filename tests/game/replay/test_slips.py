"""A card that is not where a turn takes it from breaks no limit in its wake (decision D3), before all three judges."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace

from couperation_formal.game.record import Exchange, LayDown, LayUp, NoAction, Record, Turn
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.clauses import set06
from couperation_formal.game.rules.step import Finding, carry_out
from couperation_formal.game.rules.turn import lim01
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import FINISH as F, Board, Card, Shown, Up, Value
from couperation_formal.hidden.smt.exact import Impossible
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.words.say import ENGLISH, say
from tests.checker.records import illegal_ones, read
from tests.conftest import LONG
from tests.game.replay.judges import broken, reported
from tests.game.replay.slips import HEAD, turns
from tests.hidden.symbolic.asked import decide
from tests.questions.records.spoil import sampled

FINISH = HEAD.replace('[Players "Ada Bo"]', '[Variant "finish"]\n[Players "Ada Bo"]')


def numbers(found: Finding | None) -> dict[str, object]:
    assert found is not None
    return dict(found.what.numbers)


def test_a_card_taken_that_is_not_in_the_reserve() -> None:
    assert broken(turns("Ada +0 D 44-17=27@h1 trim 12")) == (1, ["ACT06", "SET06"])
    assert broken(turns("Ada +0 D 44-17=27@h1 trim 44")) == (1, ["ACT06", "SET06"])
    assert broken(turns("Ada +0 D 44-17=27@h1")) == (1, ["ACT06", "LIM02", "SET06"])
    assert broken(turns("Ada +0 D 44-17=27@h1 trim 12,7")) == (1, ["ACT06", "LIM02", "SET06"])


@pytest.mark.parametrize(("letter", "clause"), [("A", "ACT02"), ("B", "ACT03")])
def test_a_card_laid_that_is_not_held(letter: str, clause: str) -> None:
    assert broken(turns(f"Ada +9 {letter} 28@h1")) == (1, [clause, "SET06"])
    assert broken(turns(f"Ada +9 {letter} 28@h1 drop 9")) == (1, [clause, "LIM01", "SET06"])


def test_cards_sent_and_destroyed_that_are_not_held() -> None:
    assert broken(turns("Ada +9 D 44-18=26@h1 trim 12")) == (1, ["ACT05", "ACT06", "SET06"])
    assert broken(turns("Ada +9 D 29+11=40@h1 trim 29")) == (1, ["ACT05", "SET06"])
    assert broken(turns("Ada +9 D 29+10^8=40@h1 trim 29")) == (1, ["ACT05", "SET06"])


def test_a_second_card_that_lies_nowhere_is_told_too() -> None:
    deck = HEAD + "deck 48 32 9 8\n"
    assert broken(turns("Ada +48 D 30-17=9@f1 trim 44", head=deck)) == (1, ["ACT05", "ACT06", "LIM02", "SET06"])
    assert broken(turns("Ada +48,32 A 45@h1 drop 43", head=deck)) == (1, ["DRW01", "ACT02", "LIM01", "SET06"])


def test_a_draw_that_names_a_card_twice() -> None:
    """The second one is not there, though it is what lies on top once the first was taken in place of another card."""
    deck = HEAD + "deck 48 15 9 8\n"
    assert broken(turns("Ada +15,15 A 17@f1 drop 30", head=deck)) == (1, ["DRW01", "DRW05", "SET06"])


def test_outside_of_the_board_no_order_is_asked() -> None:
    text = turns("Ada +0 A 44@h1", "Bo +0 A 38@g2", "Ada +0 A 17@m2")
    assert broken(text) == (3, ["TOW03", "TOW04"])


def test_a_card_sent_that_lies_in_the_reserve_already_is_one_more_there() -> None:
    """44 is sent, and so is 33 out of the wrong pile: eight cards, of which 11 is taken."""
    assert broken(turns("Ada +0 D 44-33=12@f1 trim 50")) == (1, ["ACT05", "SET06"])
    assert broken(turns("Ada +0 D 44-33=12@f1")) == (1, ["ACT05", "LIM02", "SET06"])


def test_no_pile_is_counted_below_none_and_what_comes_then_is_counted() -> None:
    """Ada holds two cards, and three leave; the replaced card is then the only one in the hand."""
    text = turns("Ada +0 A 17@f1", "Bo +0 A 38@h1", "Ada +0 D 9+2^8=12@f1x17 drop 17 trim 9")
    assert broken(text) == (3, ["ACT05", "LIM01", "SET06"])
    (game,) = read_text(text)
    record = game.record  # type: ignore[union-attr]
    outcome = replay(record, record.rules.rulings)
    step = carry_out(outcome.states[-1], record.turns[2], 0)
    assert numbers(lim01(step, record.rules.rulings)) == {"cards": 1, "extra": 0, "destroyed": 1}


def test_a_card_replaced_under_a_wrong_name_comes_to_the_hand() -> None:
    lines = ("Ada +0 A 17@f1", "Bo +0 A 38@h1")
    assert broken(turns(*lines, "Ada +0 D 44-30=12@f1x16 trim 50")) == (3, ["ACT05", "ACT07", "SET06"])
    assert broken(turns(*lines, "Ada +0 D 44-30=12@f1x16 drop 16 trim 50")) == (
        3,
        ["ACT05", "ACT07", "LIM01", "SET06"],
    )


def test_the_finish_card_counts_in_no_hand_and_in_the_reserve_as_ruled() -> None:
    assert broken(turns("Ada +9 A F@h1", head=FINISH)) == (1, ["ACT02", "TOW01", "LIM01", "SET06"])
    assert broken(turns("Ada +9 A F@h1 drop 9", head=FINISH)) == (1, ["ACT02", "TOW01", "SET06"])
    taken = "Ada +0 D 44-17_30=F@h1 trim 50"
    assert broken(turns(taken, head=FINISH)) == (1, ["ACT05", "ACT06", "TOW01", "SET06"])
    uncounted = FINISH.replace("ja-2.2", "ja-2.2 finish_reserve_count=no")
    assert broken(turns(taken, head=uncounted)) == (1, ["ACT05", "ACT06", "TOW01", "LIM02", "SET06"])
    assert broken(turns(taken + ",1", head=uncounted)) == (1, ["ACT05", "ACT06", "TOW01", "SET06"])


def spoiled(record: Record, at: int, turn: Turn) -> str:
    """The record up to a turn, with another one in its place."""
    return record_text(replace(record, turns=(*record.turns[:at], turn), result=None))


@pytest.mark.slow
def test_a_card_drawn_from_an_empty_deck_comes_to_the_hand() -> None:
    """Three turns before the end the deck is empty; what is drawn all the same is laid without a second reproach."""
    rng = random.Random(0)
    for seed in range(6, 40):
        record = read(sampled(seed))
        drawn = 0
        for at, (turn, later) in enumerate(pairwise(record.turns), start=1):
            drawn += len(turn.draw)
            if drawn == len(record.deck or ()) and isinstance(turn.action, LayUp | LayDown):
                gone = [card for each in record.turns[:at] for card in (*each.drop, *each.trim) if card is not F]
                if later.draw or not isinstance(later.action, LayUp) or not gone:
                    continue
                _, codes = broken(spoiled(record, at, replace(later, draw=(rng.choice(gone),))))
                assert "DRW05" in codes
                assert not {"ACT02", "ACT03"} & {*codes}
                return
    raise AssertionError("no game with an empty deck")


def slips(rng: random.Random, turn: Turn) -> Iterator[tuple[str, Turn]]:
    """A turn with one card of its action under a wrong name."""
    named: set[Shown] = {*turn.draw, *turn.drop, *turn.trim}
    cards: list[Card] = [Value(number) for number in range(2, 50) if number not in named]
    action = turn.action
    if isinstance(action, LayUp | LayDown) and action.card is not F:
        yield "laid", replace(turn, action=type(action)(rng.choice(cards), action.cell))
    if not isinstance(action, Exchange):
        return
    changes: dict[str, dict[str, object]] = {}
    if action.taken is not F:
        changes["taken"] = {"taken": rng.choice(cards)}
    if not {action.first, action.second} & {F, *named}:
        changes["sent"] = {"second": rng.choice(cards)}
    if action.adjust and action.adjust[0][1] is not F:
        changes["destroyed"] = {"adjust": ((action.adjust[0][0], rng.choice(cards)), *action.adjust[1:])}
    if isinstance(action.replaced, Up) and action.replaced.card not in {F, *named}:
        changes["replaced"] = {"replaced": Up(rng.choice(cards))}
    for kind, parts in changes.items():
        yield kind, replace(turn, action=replace(action, **parts))


@pytest.mark.slow
def test_one_slip_never_breaks_a_limit() -> None:
    """Legal games with one card of an action under a wrong name: the error is of the action or the tower, never the
    limits, which the turn keeps as it tells it.
    """
    seen: Counter[str] = Counter()
    for seed in range(7) if LONG else (1, 4):
        rng = random.Random(seed)
        record = read(sampled(seed))
        for at, turn in enumerate(record.turns):
            if rng.random() < 0.5:
                continue
            for kind, slip in slips(rng, turn):
                text = spoiled(record, at, slip)
                _, codes = broken(text)
                if "SET06" in codes and not _ends(record, at):
                    assert not {"LIM01", "LIM02"} & {*codes}, text
                    assert codes[0][:3] in ("ACT", "TOW")
                    seen[kind] += 1
    assert seen.keys() == {"laid", "taken", "sent", "destroyed", "replaced"}, seen


def _ends(record: Record, at: int) -> bool:
    """Whether the game ends near this turn: then a slip may end it, and nothing is dropped or trimmed."""
    return at + 2 >= len(record.turns)


def test_numbers_of_a_limit_are_those_of_the_board() -> None:
    board = Board(levels=3, cards=14, anchor=7, deal=3, hand_limit=2, reserve_sizes=((2, 4),))
    text = """[CGN "1"]
[Players "Ada Bo"]
deal Ada 2 9 11
deal Bo 3 4 5
reserve 1 14 6 8
1. Ada +12 A 2@b1
*
"""
    (game,) = read_text(text)
    record = game.record  # type: ignore[union-attr]
    rulings = parse_rules("").rulings
    outcome = replay(record, rulings, board)
    assert [(found.turn, found.clause) for found in outcome.broken] == [(1, "LIM01")]
    step = carry_out(outcome.states[-1], record.turns[0], 0)
    assert numbers(lim01(step, rulings)) == {"cards": 3, "extra": 1, "destroyed": 0}


def test_the_place_of_a_card_that_is_drawn_twice() -> None:
    text = turns("Ada +0 A 17@f1", "Bo +9,9 A 18@e1").replace("17:H", "17:2")
    numbers = [each["evidence"]["numbers"] for each in illegal_ones(text) if each["evidence"]["clause"] == "DRW05"]
    assert numbers == [{"card": 9, "place": 2, "top": "?"}]


def test_the_circuit_counts_in_the_same_way() -> None:
    """Of a fully seen record the symbolic run names no clause that the plain replay does not, and the same error or,
    where it ends before, none of the limits.
    """
    finish = FINISH.replace("ja-2.2", "ja-2.2 finish_reserve_count=no")
    cases = [
        ("Ada +0 D 44-17=27@h1 trim 12", HEAD),
        ("Ada +0 D 44-17=27@h1", HEAD),
        ("Ada +9 A 28@h1", HEAD),
        ("Ada +9 B 28@h1 drop 9", HEAD),
        ("Ada +9 D 44-18=26@h1 trim 12", HEAD),
        ("Ada +0 D 44-17_30=F@h1 trim 50,1", finish),
        ("Ada +0 D 44-17_30=F@h1 trim 50", finish),
        ("Ada +0 D 44-17_30=F@h1 trim 50", FINISH),
    ]
    for line, head in cases:
        text = turns(line, head=head)
        _, codes = broken(text)
        (game,) = read_text(text)
        found = decide(game.record, game.record.rules.rulings)  # type: ignore[union-attr]
        assert isinstance(found, Impossible)
        clauses = {rule.clause for rule in found.broken}
        assert clauses <= {*codes}, (line, clauses, codes)
        assert codes[0] in clauses
        assert {"LIM01", "LIM02"} & {*codes} == {"LIM01", "LIM02"} & clauses, line


def test_the_finish_card_drawn_in_a_game_without_it() -> None:
    """It lies in no deck, though the deck is not seen."""
    (game,) = read_text(turns("Ada +F A 17@f1"))
    result = replay(game.record, game.record.rules.rulings)  # type: ignore[union-attr]
    step = carry_out(result.states[-1], game.record.turns[0], 0)  # type: ignore[union-attr]
    assert numbers(set06(step, game.record.rules.rulings)) == {"card": F, "source": "deck"}  # type: ignore[union-attr]


OFFER = re.compile(r"drawn in this turn\? then write (\S+)")


def offered(text: str) -> list[str]:
    """The draws that the first illegal turn of a game is offered, none twice."""
    (game,) = read_text(text)
    record = game.record  # type: ignore[union-attr]
    said = [say(found.what, ENGLISH) for found in replay(record, record.rules.rulings).broken]
    return list(dict.fromkeys(draw for each in said for draw in OFFER.findall(each)))


def test_a_draw_that_nobody_noted_is_offered() -> None:
    assert offered(turns("Ada +0 A 22@f1")) == ["+22"]
    assert offered(turns("Ada A 22@f1")) == ["+22"]
    assert offered(turns("Ada B 22@f1")) == ["+22"]
    assert offered(turns("Ada D 44-22=22@f1")) == ["+22"]
    assert offered(turns("Ada +9 A 22@f1")) == [], "a draw is noted"
    assert offered(turns("Ada D 21-22=22@f1")) == [], "one card may be drawn in turn 1"
    assert offered(turns("Ada A 28@h1", head=HEAD + "deck 9 28\n")) == [], "the deck has another card on top"
    assert offered(turns("Ada A 28@h1", head=HEAD + "deck 28 9\n")) == ["+28"]
    assert offered(turns("Ada A 12@f1")) == [], "it lies in the Reserve"
    assert offered(turns("Ada A F@h1")) == [], "no such card in this variant"
    assert offered(turns("Ada A F@h1", head=FINISH)) == ["+F,?"]
    lines = ("Ada B 17@f1", "Bo B 38@h1", "Ada B 30@e1", "Bo B 21@i1", "Ada B 44@d1", "Bo B 18@j1", "Ada B ?@f2")
    assert offered(turns(*lines)) == ["+?"], "the hand is empty"


@pytest.mark.slow
def test_what_is_offered_mends_the_turn() -> None:
    """Legal games without one of their draws: where it is offered, the turn with it is as it was, or breaks no clause
    of the draw or of its cards."""
    seen = 0
    for seed in range(12) if LONG else (5, 7, 8, 9):
        record = read(sampled(seed))
        for at, turn in enumerate(record.turns):
            if not turn.draw or isinstance(turn.action, NoAction):
                continue
            for draw in offered(spoiled(record, at, replace(turn, draw=()))):
                seen += 1
                assert draw.lstrip("+").split(",")[0] in list(map(str, turn.draw))
                text = spoiled(record, at, replace(turn, draw=()))
                head, line = text.removesuffix("*\n").rstrip("\n").rsplit("\n", 1)
                mended = f"{head}\n{line.replace('+0', draw)}\n"
                if [*map(str, turn.draw)] == draw[1:].split(","):
                    assert broken(mended)[1] == [], mended
                else:
                    codes = {found.code for found in reported(mended).diagnostics if found.severity != "warning"}
                    assert not codes & {"ACT02", "ACT03", "SET06", "DRW02", "DRW03", "DRW04"}, mended
    assert seen > 40, seen
