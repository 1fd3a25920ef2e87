"""What the tests of formulas agree share with others."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from couperation_formal.game.record import Game, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rulings, parse_rules
from couperation_formal.game.state import State
from couperation_formal.notation.read import read_text
from couperation_formal.questions.records.sample import sample_game
from tests.kit.rulings import drawn
from tests.questions.records.spoil_turn import TURNS, Scene


def games(text: str) -> list[Game]:
    return [item for item in read_text(text) if isinstance(item, Game)]


def slips(seed: int, many: int) -> Iterator[Record]:
    """Records of one game whose last turn is spoiled in one to three ways at once; each ruling has any of its
    options.
    """
    rng = Random(f"slips {seed}")
    rules = parse_rules("ja-2.2 " + " ".join(f"{name}={option}" for name, option in drawn(rng).items()))
    variant, policy = rng.choice(("first", "finish")), rng.choice(("careful", "random"))
    record = sample_game(rng.choice([2, 3, 4]), variant, rules, seed, policy)  # type: ignore[arg-type]
    states = replay(record, rules.rulings).states
    while many:
        at = rng.choice([rng.randrange(len(record.turns)), len(record.turns) - 1])
        turn = record.turns[at]
        for name in rng.choices(list(TURNS), k=rng.choice([1, 2, 2, 3])):
            turn = TURNS[name](Scene(rng, record, carry_out(states[at], turn, states[at].to_move))) or turn
        if turn != record.turns[at]:
            many -= 1
            yield replace(record, turns=(*record.turns[:at], turn), result=None)


OPENING = """[CGN "1"]
[Rules "{rules}"]
[Variant "{variant}"]
[Players "Ada Bo"]

deal Ada 17 30 44
deal Bo 9 24 38
reserve 1 50 12 33 27 7
deck {deck} 6 8

"""


TABLES = [
    OPENING.format(rules=rules, variant=variant, deck="14" if variant == "first" else "F 14") + turns
    for rules in ("en-2", "ja-2.2", "ja-2.2 anchor=middle", "ja-2.2 spread=anywhere")
    for variant, turns in [
        ("first", ""),
        ("finish", "1. Ada +F,14 A 30@h1\n2. Bo A 9@f1\n3. Ada D 44-17=27@g1x25 trim 7\n4. Bo A 38@i1\n"),
    ]
]


def opened(text: str) -> tuple[State, Rulings]:
    """The table after a record's last turn."""
    (game,) = games(text)
    found = replay(game.record, game.record.rules.rulings)
    assert found.illegal is None
    return found.states[-1], game.record.rules.rulings
