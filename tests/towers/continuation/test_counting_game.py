"""The counting game by itself: what its limits allow, and that the checker plays the same."""

from __future__ import annotations

from collections import Counter
from random import Random

import msgspec
from couperation_checker import counting
from couperation_checker.position import Table

from couperation_formal.game.rulings import Rulings, parse_rules
from couperation_formal.game.tower import STANDARD
from couperation_formal.towers.continuation.theorems import CountingGame, Counts, terms_of
from tests.towers.continuation.brute import random_rulings

JA = parse_rules("ja-2.2").rulings


def lost(counts: Counts, rulings: Rulings = JA, variant: str = "first", again: bool = False) -> bool:
    """Whether the game is lost, by the program and by the checker."""
    ours = CountingGame(terms_of(STANDARD, variant, rulings, again)).lost(counts)  # type: ignore[arg-type]
    options = msgspec.structs.asdict(rulings)
    there = Table((), variant == "finish", {}, options, {}, [], [], [])
    *numbers, shut = counts
    theirs = counting.lost((*numbers, again, shut), there, {})  # type: ignore[arg-type]
    assert ours == theirs, (counts, rulings, variant, again)
    return ours


def test_a_draw_of_four_can_be_needed() -> None:
    """Player 1 opens the last down card, player 2 draws all four (DRW03), sends two, destroys two and fills the last
    cell: the D pays 3. With three cards it pays 2, and player 1 is left without an action.
    """
    need = Counts(mover=0, own=(0, 0), deck=4, empty=1, down=1, owe=3, draw=0)
    assert not lost(need)
    assert not lost(need._replace(owe=2))
    assert lost(need._replace(owe=4))
    assert lost(need._replace(deck=3))
    assert lost(need._replace(deck=3, own=(1, 0), owe=3, draw=0, down=0))


def test_a_d_pays_more_than_is_owed() -> None:
    """Owed falls by min(j, owed), so with nothing owed there still is a D: here the one that can win."""
    assert not lost(Counts(mover=0, own=(2, 0), deck=0, empty=0, down=0, owe=0, draw=0))
    assert not lost(Counts(mover=0, own=(2, 0), deck=0, empty=0, down=1, owe=0, draw=0))
    assert lost(Counts(mover=0, own=(1, 0), deck=0, empty=0, down=1, owe=0, draw=0))


def test_the_checker_plays_the_same_game() -> None:
    rng = Random("counting")
    seen: Counter[bool] = Counter()
    for _ in range(400):
        players = rng.choice((2, 2, 3))
        own = tuple(rng.randint(0, 2) for _ in range(players))
        deck, empty, down = rng.randint(0, 3), rng.randint(0, 3), rng.randint(0, 1)
        owe = max(0, sum(own) + deck - empty - rng.randint(-1, 2))
        limit, shut = rng.choice((-1, 0, 1, 2, 4)), rng.randint(0, down)
        counts = Counts(rng.randrange(players), own, deck, empty, down, owe, limit, shut)
        again = rng.random() < 0.3
        seen[lost(counts, random_rulings(rng), rng.choice(("first", "finish")), again)] += 1
    assert min(seen.values()) >= 30
