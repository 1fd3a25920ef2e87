"""What the tests of search turns share with others."""

from __future__ import annotations

from typing import Any

from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.towers.continuation.line import Packed
from couperation_formal.towers.continuation.position import Frame, Node
from tests.agree.small_boards import successors


def form(node: Node, frame: Frame) -> Any:
    """A position whose deck is counted from its end, so that positions of two frames can be compared."""
    return node._replace(top=len(frame.deck) - node.top)


def packed(state: State, rulings: Rulings) -> tuple[Packed, Node]:
    found = Packed(state, rulings)
    (root,) = found.roots()
    return found, root


def compare(state: State, rulings: Rulings) -> list[State]:
    """The states that follow, after both sets of them were compared; lost ones left out by both."""
    search, root = packed(state, rulings)
    ours = {None if child is None else form(child, search.frame) for child, _ in search.turns.turns(root)}
    ahead = list(successors(state, rulings))
    theirs: set[Any] = set()
    for after in ahead:
        if after.result == "win":
            theirs.add(None)
        elif after.result is None:
            other, node = packed(after, rulings)
            theirs.add(form(node, other.frame))
    assert ours == theirs, (state, rulings)
    return [after for after in ahead if after.result is None]
