"""Random positions for the tests of completion, a third of them and more within one value of the limit.

Everything follows from the generator's seed. A tower is any set of cells of one place of the columns, supported or not;
its up cards mostly follow a hidden order, so that many agree and some do not. In
most the cards that a full tower behind it has are the last to be gone: tight ones that can be completed come of that.
"""

from __future__ import annotations

from random import Random

from couperation_formal.game.record import Position
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import (
    FINISH,
    STANDARD,
    UNSEEN,
    Board,
    Card,
    Cell,
    Down,
    Laid,
    Shown,
    Up,
    Value,
    Variant,
)

SMALL = (
    Board(levels=2, cards=7, anchor=4),
    Board(levels=3, cards=10, anchor=5),
    Board(levels=3, cards=14, anchor=7),
    Board(levels=4, cards=15, anchor=8),
)

RULINGS = {
    "anchor": ("middle", "floating"),
    "between": ("strict", "inclusive"),
    "row_order": ("strict", "weak"),
    "facedown": ("integers", "deck", "ignored", "repeats"),
    "replace_target": ("any", "any", "not_anchor", "not_anchor", "facedown_only"),
    "finish_value": ("25", "none", "apex_free"),
}


def random_position(rng: Random, board: Board = STANDARD, hidden: bool = True) -> tuple[Position, bool]:
    """A position, and whether it is tight: as many available values as cells to fill, or one more or less.

    With `hidden` some have unseen gone cards.
    """
    rules = parse_rules("ja-2.2 " + " ".join(f"{name}={rng.choice(options)}" for name, options in RULINGS.items()))
    variant: Variant = rng.choice(("first", "first", "finish"))
    left = board.middle if rules.rulings.anchor == "middle" else rng.randrange(board.levels)
    tower, behind = _tower(rng, board, left, variant)
    laid = {each.card for each in tower.values()}
    up = {each.card for each in tower.values() if type(each) is Up}
    rest: list[Card] = [Value(value) for value in range(1, board.cards + 1) if value not in laid]
    rng.shuffle(rest)
    if rng.random() < 0.6:
        rest.sort(key=lambda card: card in behind)
    cells = board.size - len(up) - (variant == "finish" and FINISH not in up)
    live = board.cards - sum(card is not FINISH for card in up)
    unseen = rng.randint(1, 4) if hidden and rng.random() < 0.4 else 0
    tight = rng.random() < 0.5
    spare = rng.choice((-1, 0, 0, 1, 1)) if tight else rng.randint(2, max(2, live - cells))
    gone: list[Shown] = list(rest[: max(0, live - cells - spare - unseen)])
    rest = rest[len(gone) :]
    tight = abs(live - len(gone) - unseen - cells) <= 1
    gone += [UNSEEN] * unseen
    if variant == "finish" and FINISH not in laid and rng.random() < 0.04:
        gone.append(FINISH)
    shown = rest[: rng.choice((0, len(rest) // 3, len(rest) * 2 // 3, max(0, len(rest) - unseen)))]
    cuts = sorted(rng.randint(0, len(shown)) for _ in range(2))
    position = Position(
        tags=(),
        players=("Aki", "Ben"),
        rules=rules,
        variant=variant,
        marks={},
        tower=tuple(sorted(tower.items(), key=lambda item: (item[0].level, item[0].column))),
        hands={"Aki": tuple(shown[: cuts[0]]), "Ben": (UNSEEN,)},
        reserve=tuple(shown[cuts[0] : cuts[1]]),
        gone=tuple(gone),
        deck=(*shown[cuts[1] :], UNSEEN),
    )
    return position, tight


def corners(low: int, high: int, board: Board = STANDARD) -> Position:
    """The bottom corners alone."""
    left = board.middle
    tower = ((Cell(left, 1), Up(Value(low))), (Cell(left + board.levels - 1, 1), Up(Value(high))))
    return Position(tags=(), players=("A", "B"), rules=parse_rules("en-2"), marks={}, tower=tower, hands={})


def _tower(rng: Random, board: Board, left: int, variant: Variant) -> tuple[dict[Cell, Laid], frozenset[Card]]:
    """Laid cards in the pyramid from column `left`, the anchor on its cell as a rule, and the cards of the full tower
    behind it.
    """
    cells = _some_order(rng, board.pyramid(left))
    anchor, apex = board.anchor_cell, Cell(left, board.levels)
    values = _rising(rng, board, cells.index(anchor))
    noise = rng.choice((0, 0, 0, 1, 2, board.cards))
    noisy = rng.choice((0.05, 0.2, 1.0)) if noise else 0.0
    filled, down = rng.choice((0.2, 0.4, 0.6, 0.9)), rng.choice((0.0, 0.1, 0.3))
    tower: dict[Cell, Laid] = {}
    used: set[int] = set()
    for at, cell in enumerate(cells):
        value = values[at]
        if rng.random() < noisy:
            value = values[min(max(at + rng.randint(-noise, noise), 0), board.size - 1)]
        if cell == anchor and rng.random() < 0.8:
            value = board.anchor
        elif rng.random() > filled or (variant == "finish" and cell == apex):
            continue
        if value in used:
            continue
        if cell not in (anchor, apex) and rng.random() < down:
            if rng.random() < 0.4:
                tower[cell] = Down(UNSEEN)
                continue
            tower[cell] = Down(Value(value))
        else:
            tower[cell] = Up(Value(value))
        used.add(value)
    if variant == "finish" and rng.random() < 0.4:
        tower[apex if rng.random() < 0.8 else rng.choice(cells)] = Up(FINISH)
    return tower, frozenset(Value(value) for value in values)


def _some_order(rng: Random, pyramid: tuple[Cell, ...]) -> list[Cell]:
    """The cells so that the two just below each in a full tower come before it."""
    cells: list[Cell] = []
    rest = set(pyramid)
    under = [(cell, {Cell(cell[0], cell[1] - 1), Cell(cell[0] - 1, cell[1] + 1)}) for cell in sorted(pyramid)]
    while rest:
        cells.append(rng.choice([cell for cell, below in under if cell in rest and rest.isdisjoint(below)]))
        rest.remove(cells[-1])
    return cells


def _rising(rng: Random, board: Board, at: int) -> list[int]:
    """Distinct values for a full tower, rising, mostly with the anchor at index `at`; some without gaps."""
    top, anchor, size = board.cards, board.anchor, board.size
    if rng.random() < 0.2 or at > anchor - 1 or size - at - 1 > top - anchor:
        start = rng.randint(0, top - size)
        return list(range(start + 1, start + size + 1))
    if rng.random() < 0.3:
        return [anchor + step - at for step in range(size)]
    low = rng.sample(range(1, anchor), at)
    return [*sorted(low), anchor, *sorted(rng.sample(range(anchor + 1, top + 1), size - at - 1))]
