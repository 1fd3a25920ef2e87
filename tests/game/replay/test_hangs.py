"""On which rulings an error hangs: one change, two, and three where a draw needs them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.game.record import Game, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import Rules, Rulings, options_in_order, parse_rules
from couperation_formal.hidden.readings.standing import CHAINS
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.output.report import hanging
from couperation_formal.questions.records.check import check, hangs_on
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.words.say import ENGLISH, say
from tests.conftest import LONG
from tests.game.replay.judges import broken, reported
from tests.game.replay.slips import HEAD
from tests.hidden.readings.records import spoiled
from tests.questions.records.spoil import told as retold


def hangs(text: str) -> list[tuple[str, tuple[str, ...]]]:
    broken(text)
    return [(found.code, found.rulings) for found in reported(text).diagnostics if found.severity != "warning"]


DRAW = HEAD.replace("ja-2.2", "ja-2.2 draw_amount=exact hearts_below=zero_all").replace(
    "deal Ada 17 30 44\ndeal Bo 18 21 38", "deal Ada 44 38 30\ndeal Bo 17 21 18"
)
LINES = """
1. Ada +0 A 44@h1
2. Bo +0 B 17@f1
3. Ada +0 A 38@g2
4. Bo +0 C f1=17
5. Ada +{} A 9@e1
*
"""


def test_a_draw_that_takes_three_changes() -> None:
    """One card after a heart on level 1; 38, a heart over two diamonds and a heart, was laid before it. Only the card
    laid last, its other support counted and not all drawn allow one.
    """
    assert hangs(DRAW + LINES.format("9")) == [("DRW03", ("hearts_below", "draw_source", "draw_amount"))]
    assert hangs(DRAW + LINES.format("9,10")) == [("DRW03", ("hearts_below", "draw_source"))]


LIMIT = HEAD.replace("ja-2.2", "ja-2.2 finish_reserve_count=no").replace("deal Bo 18", "deal Bo 26")


def test_a_limit_that_takes_two_changes() -> None:
    """An opened card ends the game, and F in the Reserve does not count: both have to change for one card to go."""
    text = LIMIT.replace('[Players "Ada Bo"]', '[Variant "finish"]\n[Players "Ada Bo"]')
    text += """
1. Ada +F,9 B 30@h1
2. Bo +0 B 26@i1
3. Ada +0 D F+9_17=33@j1
4. Bo +0 C i1=26 trim 12
*
"""
    assert hangs(text) == [("LIM02", ("finish_reserve_count", "row_order", "facedown", "opened_against"))]
    assert hangs(text.replace(" trim 12", "").replace("*", "win")) == [("END05", ())]


def refused(seed: int) -> Iterator[Game]:
    """Illegal records that show everything: games of lax rules, some with a spoiled turn, under strict ones, or most of
    them; of those with a single finding a part.
    """
    rng = Random(f"hangs {seed}")
    lax = {**dict(options_in_order()), **CHAINS}
    last = {name: options[-1] for name, options in lax.items()}
    rules = parse_rules(" ".join(map("=".join, last.items())))
    record = sample_game(rng.choice((2, 3, 4)), rng.choice(("first", "finish")), rules, seed, "random")
    for each in (record, *(each for _, each in spoiled(record, seed) if seed % 8 == 0)):
        strict = {name: rng.choice(lax[name][:-1]) for name in lax if rng.random() < 0.8}
        changed = parse_rules(" ".join(map("=".join, {**last, **strict}.items())))
        (game,) = read_text(record_text(retold(each, rules=changed)))
        assert isinstance(game, Game)
        found = [each for each in replay(game.record, changed.rulings, hanging=False).broken if not each.warning]
        if len(found) > 1 or (found and rng.random() < 0.2):
            yield game


def keeping(record: Record, turn: int, rulings: Rulings) -> set[frozenset[tuple[str, str]]]:
    """The smallest changes, of two at most, under which no turn up to this one is refused; each tried by a replay."""
    cut = record if turn == len(record.turns) else replace(record, turns=record.turns[:turn], result=None)
    single = [(name, each) for name, options in options_in_order() for each in options if each != rulings.option(name)]
    for size in (1, 2):
        tried = (dict(each) for each in combinations(single, size))
        found = {
            frozenset(each.items())
            for each in tried
            if len(each) == size and replay(cut, rulings.with_changes(each), hanging=False).illegal is None
        }
        if found:
            return found
    return set()


def changed_rules(rules: Rules, change: dict[str, str]) -> Rules:
    own = {name: rules.rulings.option(name) for name, _ in options_in_order()}
    return parse_rules(" ".join(map("=".join, (own | change).items())))


@pytest.mark.slow
def test_what_is_told_to_make_a_turn_legal_does_and_is_all_that_does() -> None:
    """A turn with several findings: each may hang on a ruling of its own, and a change may break another clause."""
    seen = Counter[str]()
    for game in (each for seed in (range(16) if LONG else (1, 8, 9)) for each in refused(seed)):
        report = check(game, engine="plain")
        assert report.turn is not None
        assert report.rules is not None
        own = [each for each in report.diagnostics if each.turn == report.turn and each.severity != "warning"]
        told = {frozenset(change) for change in own[0].legal_with}
        if all(each.mends for each in own):
            found = keeping(game.record, report.turn, report.rules.rulings)
            assert found == {each for each in told if len(each) < 3}
        else:  # what no change mends
            assert not told
        for change in told:
            again = check(game, changed_rules(report.rules, dict(change)))
            assert again.turn is None or again.turn > report.turn, change
        for each in (each for each in own if each.mends):
            text = next(say(text, ENGLISH) for text, _ in hangs_on(each, report.rules))
            legal = {frozenset(change) for change in each.mends} <= told
            assert ("this turn would be legal" in text, "clause hangs" in text) == (legal, not legal), text
            if say(hanging(each), ENGLISH).startswith(" [hangs on"):
                assert set(each.rulings) <= {name for change in told for name, _ in change}
            seen["turn" if legal else "clause"] += 1
        seen["several, mended" if told else "several"] += len(own) > 1
    assert min(seen[each] for each in ("clause", "turn", "several", "several, mended")) > 1, seen
    print(seen)
