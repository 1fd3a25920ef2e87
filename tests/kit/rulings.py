"""Random rulings. Everything follows from the generator's seed."""

from __future__ import annotations

from random import Random

from couperation_formal.game.rulings import options_in_order

BESIDE = frozenset({"finish_in_hand"})
LATE = frozenset({("draw_source", "as_laid")})
"""Rulings and options drawn beside the others, so that what else is drawn is what it was before they came."""


def drawn(rng: Random, share: float = 1) -> dict[str, str]:
    """An option for each ruling, or for a random share of them."""
    known = [
        (name, [option for option in options if (name, option) not in LATE])
        for name, options in options_in_order()
        if name not in BESIDE
    ]
    return beside({name: rng.choice(options) for name, options in known if share == 1 or rng.random() < share}, share)


def beside(chosen: dict[str, str], share: float = 1) -> dict[str, str]:
    """These options, and some for the rulings drawn beside."""
    rng = Random(repr(chosen))
    more = [(name, options) for name, options in options_in_order() if name in BESIDE]
    chosen = chosen | {name: option for name, option in sorted(LATE) if rng.random() < share / 4}
    return chosen | {name: rng.choice(options) for name, options in more if rng.random() < share}
