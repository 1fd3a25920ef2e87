"""What the tests of condition share with others."""

from __future__ import annotations

from itertools import product
from random import Random

from couperation_formal.hidden.readings.sets import Readings, space
from tests.hidden.readings.readings import union


def over(names: tuple[str, ...], rng: Random, chance: float = 0.5) -> Readings:
    """A random set that depends on these rulings at most."""
    points = product(*(space()[name] for name in names))
    return union({n: (o,) for n, o in zip(names, point, strict=True)} for point in points if rng.random() < chance)
