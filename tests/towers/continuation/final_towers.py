"""Every final tower of a small position, by trying each number on each cell."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from couperation_formal.towers.continuation.line import Packed
from couperation_formal.towers.continuation.position import DOWN, Node
from tests.towers.continuation.brute import BOARDS, dealt, random_rulings

Filled = dict[tuple[int, int], int]
"""Numbers by column, from the left end of the place, and level; the apex of the finish variant left out."""


def wandered(rng: Random) -> tuple[Packed, Node]:
    """A small table with random rulings after some random turns of the search."""
    while True:
        board = rng.choice(BOARDS)
        rulings = random_rulings(rng)
        packed = Packed(dealt(rng, board, rng.choice((2, 3)), rng.choice(("first", "finish")), 3), rulings)
        node = next(packed.roots())
        for _ in range(rng.randint(0, 5)):
            after = [child for child, _ in packed.turns.turns(node) if child is not None]
            if not after:
                break
            node = rng.choice(after)
        return packed, node


def final_towers(packed: Packed, node: Node, left: int) -> Iterator[Filled]:
    """Every tower in order at one place of the columns, of the cards that are not gone."""
    frame = packed.frame
    levels = frame.board.levels
    cells = [(column, level) for level in range(1, levels + 1) for column in range(levels + 1 - level)]
    if frame.variant == "finish":
        cells.remove((0, levels))
    cards = held(packed, node)

    def fill(filled: Filled) -> Iterator[Filled]:
        if len(filled) == len(cells):
            yield dict(filled)
            return
        cell = column, level = cells[len(filled)]
        for card in cards - set(filled.values()):
            filled[cell] = card
            below = [filled[column, level - 1], filled[column + 1, level - 1]] if level > 1 else [0, card + 1]
            if below[0] < card < below[1] and (column == 0 or filled[column - 1, level] < card):
                yield from fill(filled)
            del filled[cell]

    for filled in fill({}):
        if frame.variant == "first" or not frame.finish_on_apex:
            yield filled
            continue
        low, high = filled[0, levels - 1], filled[1, levels - 1]
        lax = frame.rulings.between == "inclusive"
        if low - lax < frame.finish_on_apex < high + lax:
            yield filled


def held(packed: Packed, node: Node) -> set[int]:
    """The numbers of the Glass cards that are not gone."""
    frame = packed.frame
    tower, hands, reserve, top = node.tower, node.hands, node.reserve, node.top
    found = {card for mask in (*hands, reserve) for card in range(1, frame.board.cards + 1) if mask >> card & 1}
    found |= {code % DOWN for code in tower if code} | set(frame.deck[top:])
    return found - {frame.finish}


def places(packed: Packed, node: Node) -> list[int]:
    """The places of the columns that hold every laid card."""
    frame = packed.frame
    levels = frame.board.levels
    every = range(levels) if frame.rulings.anchor == "floating" else [frame.board.middle]
    laid = [frame.cells[at] for at, code in enumerate(node.tower) if code]
    return [left for left in every if all(left <= cell.column <= left + levels - cell.level for cell in laid)]


def lying(packed: Packed, node: Node, left: int) -> dict[tuple[int, int], int]:
    """The codes of the laid cards, cells as in `final_towers`."""
    cells = packed.frame.cells
    return {(cells[at].column - left, cells[at].level): code for at, code in enumerate(node.tower) if code}
