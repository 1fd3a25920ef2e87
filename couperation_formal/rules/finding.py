"""What a clause answers: nothing where it holds, else a finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import Down
from couperation_formal.model.fact import Datum, Fact, fact
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.tower import Tower
from couperation_formal.rules.step import Step


class Finding(msgspec.Struct, frozen=True):
    """A clause that does not hold: by what, and the part of the turn, or line of the set-up (``"deal Aki"``), meant.

    With `sure` False the record does not show enough to tell: the clause may hold or not.
    """

    what: Fact
    part: str
    sure: bool = True


Check = Callable[[Step, Rulings], Finding | None]
"""A clause as a pure function: what it finds in a turn under these rulings."""


def fails(kind: str, part: str, numbers: Mapping[str, Datum], /, **beside: Datum) -> Finding:
    """A clause that does not hold; see `Fact`."""
    return Finding(fact(kind, numbers, **beside), part)


def unsure(kind: str, part: str, /, **beside: Datum) -> Finding:
    """A clause of which the record does not show whether it holds."""
    return Finding(fact(kind, **beside), part, sure=False)


def lying(tower: Tower, cell: Cell) -> Fact:
    """What lies on a cell, which is not empty."""
    laid = tower.cells[cell]
    return fact("lying_down", cell=cell) if type(laid) is Down else fact("lying_up", cell=cell, card=laid.card)
