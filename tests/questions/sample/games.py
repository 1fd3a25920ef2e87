"""What the tests of play draw from: every rulebook, every single change of a ruling, any start of a game."""

from __future__ import annotations

from hypothesis import strategies as st

from couperation_formal.game.rulings import options_in_order, parse_rules, registry
from couperation_formal.game.tower import Variant

BOOKS = tuple(registry().rulebooks)
SINGLE_CHANGES = tuple(f"{name}={option}" for name, options in options_in_order() for option in options)
VARIANTS: tuple[Variant, ...] = ("first", "finish")

variants = st.sampled_from(VARIANTS)
seats = st.integers(2, 4)
seeds = st.integers(0, 10**6)
rules = st.builds(
    lambda book, change: parse_rules(f"{book} {change}".strip()),
    st.sampled_from(BOOKS),
    st.sampled_from(("", *SINGLE_CHANGES)),
)
