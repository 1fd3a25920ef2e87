"""What a clause answers: nothing where it holds, else a finding."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from couperation_formal.model.rulings import Rulings
from couperation_formal.rules.run import Part
from couperation_formal.rules.step import Step


class Finding(msgspec.Struct, frozen=True):
    """A clause that does not hold: why, and the part of the turn that shows it.

    With `sure` False the record does not show enough to tell: the clause may hold or not.
    """

    message: str
    part: Part
    sure: bool = True


Check = Callable[[Step, Rulings], Finding | None]
"""A clause as a pure function: what it finds in a turn under these rulings."""
