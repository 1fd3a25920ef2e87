"""What a refused turn would be legal with: each promise of the board is what `check --rules` says of the game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count as count_from
from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.board.judge import Judgement, judge
from couperation_formal.game.record import Game, LayUp, Record, Turn
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import options_in_order, parse_rules, registry
from couperation_formal.game.seen import seen_record
from couperation_formal.game.state import State
from couperation_formal.game.tower import UNSEEN, Cell, Value
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text, turn_text
from couperation_formal.questions.records.check import check
from couperation_formal.questions.records.sample import sample_game
from tests.conftest import LONG


def spoiled(random: Random, record: Record, place: int, state: State) -> Turn:
    """A turn that somebody might have made in its stead."""
    turn = record.turns[place - 1]
    own = sorted({card for card in (*state.hands[state.to_move].known, *turn.draw) if isinstance(card, int)})
    beside = random.choice(sorted(state.tower.cells))
    laid = LayUp(random.choice(own or [Value(random.randint(1, 50))]), Cell(beside.column + 1, beside.level))
    return random.choice(
        [
            replace(turn, draw=(*turn.draw, UNSEEN)),
            replace(turn, draw=turn.draw[:-1]),
            replace(turn, drop=(), trim=()),
            replace(turn, action=random.choice(record.turns).action),
            replace(turn, action=laid),
        ]
    )


def refused(count: int) -> Iterator[tuple[Record, Judgement]]:
    """So many games up to a turn that is refused: one that other rulings allow, or that was made at random; some as
    everybody saw them, some with a wrong turn before.
    """
    random, books, options = Random(37), list(registry().rulebooks), dict(options_in_order())
    for seed in count_from(0):
        book = books[seed % len(books)]
        changed = (f"{name}={random.choice(options[name])}" for name in random.sample(sorted(options), 9))
        record = sample_game(
            2 + seed % 3, ("first", "finish")[seed % 2], parse_rules(" ".join(changed)), seed, "random"
        )
        tags = tuple(("Rules", book) if name == "Rules" else (name, value) for name, value in record.tags)
        record = seen_record(record) if seed % 4 == 0 else record
        record = replace(record, result=None, tags=tags, rules=parse_rules(book))
        outcome = replay(record, record.rules.rulings)
        places = [outcome.illegal] if outcome.illegal else []
        places += [random.randint(1, len(outcome.states) - 1) for _ in range(2) if len(outcome.states) > 1]
        for place in places:
            turns = list(record.turns[:place])
            if place != outcome.illegal:
                turns[-1] = spoiled(random, record, place, outcome.states[place - 1])
            if place > 1 and random.random() < 0.1:
                at = random.randint(1, place - 1)
                turns[at - 1] = spoiled(random, record, at, outcome.states[at - 1])
            made = replace(record, turns=tuple(turns))
            told = judge(made, turns[-1], place)
            if told.verdict == "illegal":
                yield made, told
                count -= 1
            if not count:
                return


@pytest.mark.slow
def test_every_promise_is_kept_by_check() -> None:
    promises = 0
    for record, told in refused(300 if LONG else 24):
        game = next(iter(read_text(record_text(record))))
        assert isinstance(game, Game), turn_text(record.turns[-1])
        for rules in (*told.books, *(f"{record.rules} {change}" for change in told.changes)):
            report = check(game, rules)
            assert report.verdict == "legal", (rules, record_text(record), report.words)
            promises += 1
        if record.deck is not None:
            singles = {
                f"{name}={option}"
                for name, options in options_in_order()
                for option in options
                if replay(record, record.rules.rulings.with_changes({name: option})).illegal is None
            }
            assert singles == {change for change in told.changes if " " not in change}
    assert promises > (150 if LONG else 12)
