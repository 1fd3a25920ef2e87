"""The budget of one question, counted in *steps*: what may be spent before the answer is "not known".

A step stands for some ten microseconds of work on an ordinary core: an action tried, a payment for action D, a part of
a final tower grown, a gate of a circuit. Nothing is timed, so the same question gets the same answer on every machine.
What does not grow with the input, a replay say, is not counted.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

Z3_UNITS: Final = 40
"""So many of Z3's resource units are one step: Z3 spends some four million of them a second."""


class Spent(Exception):
    """A budget, or the part of it that was set apart, is used up. Caught where the question was asked: nobody else sees
    it.
    """


class Steps:
    """The steps that one question may take, and those that it took: `spent` is never more than `limit`."""

    def __init__(self, limit: int = sys.maxsize) -> None:
        self.limit, self.spent = limit, 0

    @property
    def left(self) -> int:
        """What is left of them."""
        return self.limit - self.spent

    def spend(self, count: int = 1) -> None:
        """Take so many steps. Raises `Spent` where there are fewer left; all of them are spent then."""
        self.spent += count
        if self.spent > self.limit:
            self.spent = self.limit
            raise Spent

    @contextmanager
    def at_most(self, count: int) -> Iterator[None]:
        """Within it at most so many steps may be taken, of those that are left."""
        limit = self.limit
        self.limit = min(limit, self.spent + max(0, count))
        try:
            yield
        finally:
            self.limit = limit


DEFAULT: Final = 1_200_000
"""The steps that a question may take unless told: well below twenty seconds on an ordinary core, the independent check
of the answer included.
"""


def steps_of(budget: Steps | int | None) -> Steps:
    """A budget: of so many steps, the default one, or this one, of which something may be spent already. Raises
    `Mistaken` for what is no number.
    """
    if isinstance(budget, Steps):
        return budget
    from couperation_formal.game.fact import of_type  # loads more than `--version` may wait for

    return Steps(DEFAULT if budget is None else of_type("budget", budget, int, "int"))
