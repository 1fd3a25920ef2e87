"""How a search came to a position."""

from __future__ import annotations

from typing import NamedTuple

from couperation_formal.continuation.node import Move, Node


class Step(NamedTuple):
    """A position reached: the step before it, and the turn that led here, None at the root. The step of a winning turn
    holds the position before that turn.
    """

    before: Step | None
    node: Node
    move: Move | None
