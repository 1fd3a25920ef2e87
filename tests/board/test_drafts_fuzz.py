"""Whatever is tapped or typed, there is an answer: a verdict, what is due, or a sentence."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from couperation_formal.board.judge import Draft, drafted
from couperation_formal.board.record import Refused
from couperation_formal.board.views import completed, typed_view
from couperation_formal.game.fact import Unfit, worded
from couperation_formal.game.record import Game
from couperation_formal.game.rulings import options_in_order, parse_rules
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text, turn_text
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.words.say import ENGLISH
from tests.conftest import LONG

CARDS = [*map(str, range(1, 51)), "F", "?", "x"]
CELLS = [f"{column}{level}" for column in "abcdefghijklm" for level in range(1, 8)]


def taps(random: Random) -> dict[str, Any]:
    def some(most: int) -> list[str]:
        return random.choices(CARDS, k=random.randrange(most))

    told: dict[str, Any] = {"draw": some(4), "destroyed": some(3), "drop": some(3), "trim": some(3), "fill": some(2)}
    told |= {"sent": random.choices(CARDS[:-1], k=random.choice([0, 0, 1, 2, 2])), "down": random.random() < 0.2}
    told |= {"card": random.choice([None, *CARDS[:-1]]), "cell": random.choice([None, *CELLS])}
    told |= {"action": random.choice([None, None, *"ABCD-"]), "sign": random.choice([None, "+", "-"])}
    told |= {"replaced": random.choice([None, None, "?", "~7", "9", "~?", "F"]), "draw_open": random.random() < 0.1}
    told |= {"adjust": random.choices("^_|", k=random.randrange(3)), "glyphs": random.choices(["~~", "!"], k=1)}
    return {name: value for name, value in told.items() if random.random() < 0.7}


def games(random: Random, count: int) -> list[Game]:
    found, options = [], dict(options_in_order())
    for seed in range(count):
        names = random.sample(list(options), 3)
        rules = " ".join(f"{name}={random.choice(options[name])}" for name in names)
        record = sample_game(
            2 + seed % 3, ("first", "finish")[seed % 2], parse_rules(f"ja-2.2 {rules}"), seed, "random", seed % 3 == 0
        )
        turns = list(record.turns[: random.randint(0, len(record.turns))])
        if turns and seed % 2:
            turns[random.randrange(len(turns))] = record.turns[-1]
        item = next(iter(read_text(record_text(msgspec.structs.replace(record, turns=tuple(turns), result=None)))))
        assert isinstance(item, Game)
        found.append(item)
    return found


@pytest.mark.slow
def test_any_taps_have_an_answer() -> None:
    random, verdicts = Random(5), set()
    for game in games(random, 12 if LONG else 6):
        for _ in range(12):
            place = random.choice([None, None, random.randint(1, len(game.record.turns) + 1)])
            try:
                told = drafted(game, msgspec.convert(taps(random), Draft), place).told()
            except Unfit:
                continue
            verdicts.add(None if told["judged"] is None else told["judged"].verdict)
            msgspec.json.encode(worded(told, ENGLISH))
    assert verdicts >= {None, "illegal", "undetermined"}


@pytest.mark.slow
def test_any_line_has_an_answer() -> None:
    random, answered = Random(6), 0
    for game in games(random, 6 if LONG else 3):
        lines = [turn_text(turn).split(" ", 2)[2] for turn in game.record.turns] or ["A 9@h1"]
        for _ in range(10):
            line = random.choice(lines)
            at = random.randrange(len(line))
            line = (
                line[:at]
                + random.choice(["", " ", "9", "~", "x", "@", ";", "{", "\n", "日"])
                + line[at + random.randrange(2) :]
            )
            try:
                completed(game, line)
                typed_view(game, line, None)
                answered += 1
            except (Unfit, Refused):
                continue
    assert answered > 3
