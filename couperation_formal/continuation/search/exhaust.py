"""The exhaustive search: every continuation, or the proof that none wins.

A depth-first search over whole turns that meets no position twice. The reductions that it uses are few, each named by
an id and proved in the specification (`search.md`), so that another program can repeat the search, count the same
positions and get the same digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Final, NamedTuple

from couperation_formal.continuation.position.frame import DOWN, Frame, bits
from couperation_formal.continuation.position.node import Node, Step
from couperation_formal.continuation.search.reductions import Bounds
from couperation_formal.continuation.turns.legal import Turned, Turns
from couperation_formal.model.budget import Spent

_LOOKED: Final = 2
"""The steps that a position looked at takes."""


class Search(NamedTuple):
    """What an exhaustive search came to. `won` ends in the winning turn; `ended` tells whether everything was
    searched; `looked` counts the positions looked at, `positions` those expanded, whose digest is `digest`.
    """

    won: Step | None
    ended: bool
    looked: int
    positions: int
    digest: str


class Exhaustion:
    """An exhaustive search from these positions, which can be left and gone on with. The frame's budget pays for it.
    Raises `Spent` where it does not suffice for the first positions.
    """

    def __init__(self, turns: Turns, roots: list[Node], bounds: Bounds) -> None:
        self._turns, self._bounds = turns, bounds
        self._stack = [Step(None, root, None) for root in map(bounds.reduced, roots) if not bounds.hopeless(root)]
        self._seen = {step.node for step in self._stack}
        self._step: Step | None = None
        self._left: Iterator[Turned] = iter(())
        self.looked = 0

    def search(self, most: int) -> Search:
        """Go on until all is searched, some turn wins, or so many steps were taken."""
        try:
            with self._turns.frame.budget.at_most(most):
                return self._search()
        except Spent:
            if self._step is not None:  # expanded once more, as its turns cannot be gone on with
                self._stack.append(self._step)
                self._step, self._left = None, iter(())
            return Search(None, False, self.looked, len(self._seen), "")

    def _search(self) -> Search:
        stack, seen, bounds, budget = self._stack, self._seen, self._bounds, self._turns.frame.budget
        while True:
            step = self._step
            for child, move in self._left:
                self.looked += 1
                budget.spend(_LOOKED)
                if child is None and step is not None:
                    return Search(Step(step, step.node, move), True, self.looked, len(seen), "")
                if child is not None:
                    child = bounds.reduced(child)
                    if child not in seen and not bounds.hopeless(child):
                        seen.add(child)
                        stack.append(Step(step, child, move))
            if not stack:
                ended = not self._turns.passing.unsure
                return Search(None, ended, self.looked, len(seen), digest(self._turns.frame, seen) if ended else "")
            self._step = stack.pop()
            self._left = self._turns.turns(self._step.node, bounds.most_gone(self._step.node), self._untrimmed)

    def _untrimmed(self, node: Node) -> Node | None:
        self.looked += 1
        self._turns.frame.budget.spend(_LOOKED)
        return self._bounds.untrimmed(node)


def exhaust(turns: Turns, roots: list[Node], bounds: Bounds, most: int) -> Search:
    """Search everything that follows from `roots`, as far as so many steps allow."""
    return Exhaustion(turns, roots, bounds).search(most)


def digest(frame: Frame, nodes: set[Node]) -> str:
    """The sum, modulo 2^64, of the first eight bytes of the SHA-256 of each position's canonical text; 16 hexadecimal
    digits.
    """
    total = sum(int.from_bytes(sha256(canonical(frame, node).encode()).digest()[:8], "big") for node in nodes)
    return f"{total % (1 << 64):016x}"


def canonical(frame: Frame, node: Node) -> str:
    """The canonical text of a position, as the specification (`search.md`) defines it."""
    tower, hands, front, reserve, top, seat, limit, laid, moved, hidden, replaced, skipped = node

    def cards(mask: int) -> str:
        return " ".join("F" if card == frame.finish else str(card) for card in bits(mask))

    def code(card: int) -> str:
        if card >= DOWN:
            return f"~{card - DOWN or '?'}"
        return "F" if card == frame.finish else str(card)

    lines = [
        "tower " + " ".join(f"{code(card)}@{frame.cells[cell]}" for cell, card in enumerate(tower) if card),
        *(f"hand {cards(hand)}" for hand in hands),
        f"front {front}",
        "reserve " + " ".join([*cards(reserve & frame.cards).split(), *"-" * (reserve & ~frame.cards).bit_count()]),
        f"deck {len(frame.deck) - top}",
        f"turn {seat}",
        f"draw {limit}",
        f"laid {frame.cells[laid] if laid >= 0 else '-'}",
        f"moved {int(moved)}",
        *([f"replaced {int(replaced)}"] if frame.rulings.replacements == "once" else []),
        *([f"skipped {skipped}"] if frame.rulings.no_action == "skipped" else []),
    ]
    if hidden is not None:
        marks = ";".join(cards(mask) for mask in (hidden.ones, hidden.twos, hidden.hearts))
        unseen = " ".join(map(str, hidden.hands))
        lines.append(f"unseen {cards(hidden.values)};{unseen};{hidden.reserve};{int(hidden.finish)};{marks}")
    return "\n".join(lines)
