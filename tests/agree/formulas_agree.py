"""What the tests of formulas agree share with others."""

from __future__ import annotations

from couperation_formal.model.record import Game
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.notation.read import read_text
from couperation_formal.replay.replay import replay


def games(text: str) -> list[Game]:
    return [item for item in read_text(text) if isinstance(item, Game)]


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
