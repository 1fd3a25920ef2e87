"""Records that contradict themselves in what they hide, and what is found about them."""

from __future__ import annotations

import hashlib
from functools import cache

from couperation_formal.game.record import Game, Record
from couperation_formal.hidden.smt.exact import Impossible
from couperation_formal.hidden.symbolic.record import core_script
from couperation_formal.notation.read import read_text
from tests.hidden.symbolic.asked import decide

HEAD = '[CGN "1"]\n[Players "Aki Ben"]\n[Rules "ja-2.2 spread=anywhere hearts_below=zero_each"]\n'


SETUP = "deal Aki ? ? ?\ndeal Ben ? ? ?\nreserve 1 50 12 33 40 7\n"


CONTRADICTIONS = {
    "a card shown twice far apart": (
        HEAD + SETUP + "1. Aki A 20@f1\n2. Ben B ?@h1\n3. Aki B ?@i1\n4. Ben C h1=20\n", 4, {"SET06", "ACT04"},
    ),
    "an opened card that another was dealt": (
        HEAD + "deal Aki 26 30 44\ndeal Ben ? ? ?\nreserve 1 50 12 33 40 7\n"
        "1. Aki A 30@i1\n2. Ben B ?@h1\n3. Aki B ?@e1\n4. Ben C h1=26\n", 4, {"ACT04"},
    ),
    "a destroyed card that comes back": (
        HEAD + "deal Aki 8 22 43\ndeal Ben ? ? ?\nreserve 1 50 12 33 40 7\n"
        "1. Aki D 8+43_22=50@h1 trim 12\n2. Ben A 12@f1\n", 2, {"ACT02"},
    ),
    "a card in two hands": (
        HEAD + "deal Aki 17 30 44\ndeal Ben 44 ? ?\nreserve 1 50 12 33 40 7\n1. Aki A 17@f1\n", 0, {"SET06"},
    ),
    "an opened card that lies in the Reserve meanwhile": (
        HEAD + SETUP + "1. Aki A 20@f1\n2. Ben B ?@h1\n3. Aki D 26-19=7@e1 trim 12\n4. Ben C h1=26\n", 4, {"ACT04"},
    ),
    "more of one hand than it ever held": (
        HEAD + SETUP + "1. Aki +0 A 20@f1\n2. Ben +0 A 30@h1\n3. Aki +0 A 10@e1\n4. Ben +0 A 35@i1\n"
        "5. Aki +0 A 9@d1\n6. Ben +0 A 45@j1\n7. Aki +0 A 15@e2\n", 7, {"ACT02", "SET06"},
    ),
    "a card laid unseen by one who gave it away before": (
        HEAD + SETUP + "1. Aki D 3+4=7@f1 trim 3\n2. Ben B ?@h1\n3. Aki B ?@e1\n4. Ben C h1=3\n", 4, {"ACT04"},
    ),
}  # fmt: skip
"""Each with the turn that makes it impossible and the clauses of which one is named."""


def contradiction(name: str) -> Record:
    (game,) = read_text(CONTRADICTIONS[name][0])
    assert isinstance(game, Game)
    return game.record


@cache
def refuted(name: str) -> Impossible:
    """Why it is impossible, asked once in a process."""
    record = contradiction(name)
    found = decide(record, record.rules.rulings)
    assert isinstance(found, Impossible)
    return found


def script(found: Impossible) -> str:
    lines = core_script(found.run, found.core, found.facts, lambda rule: rule.turn + 10)
    return "".join(f"{line}\n" for line in lines)


def fingerprint() -> str:
    """All that is found about some impossible records, in one word."""
    told = [
        (found.turn, [rule.name for rule in (*found.broken, *found.core)], list(found.facts), script(found))
        for found in map(refuted, list(CONTRADICTIONS)[:2])
    ]
    return hashlib.sha256(repr(told).encode()).hexdigest()
