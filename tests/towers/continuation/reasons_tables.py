"""Tables of the printed board, one card from a full tower, written as CGN."""

from __future__ import annotations

from typing import Any

from couperation_formal.game.position import state_of
from couperation_formal.game.record import Position
from couperation_formal.game.state import State
from couperation_formal.notation.read import read_text
from couperation_formal.questions.tables.ask import table_certificates
from couperation_formal.towers.continuation.answer import Dead
from couperation_formal.towers.continuation.theorems import Reason

ROWS = [
    [13, 15, 19, 25, 32, 37, 40],
    [14, 17, 22, 29, 35, 39],
    [16, 20, 26, 33, 38],
    [18, 23, 30, 36],
    [21, 27, 34],
    [24, 31],
    [28],
]
FULL = {
    f"{'defghij'[at]}{level}": str(value) for level, row in enumerate(ROWS, start=1) for at, value in enumerate(row)
}


def certificate_of(position: Position, reason: Reason) -> dict[str, Any]:
    """The certificate that counting proves a table dead."""
    return next(table_certificates(position, Dead(reason, True)))


def without(*cells: str, **changed: str) -> dict[str, str]:
    """The full tower without some cells, others changed."""
    return {cell: card for cell, card in {**FULL, **changed}.items() if cell not in cells}


def position(
    tower: dict[str, str],
    aki: str = "",
    ben: str = "",
    reserve: str = "",
    deck: str = "",
    turn: str = "Aki",
    front: str = "",
    gone: str | None = None,
    last: str = "d1",
    rules: str = "ja-2.2",
    finish: bool = False,
    hearts: str = "",
) -> Position:
    """A table for two whose other cards are gone, unless `gone` tells them; cards but `hearts` bear one diamond."""
    laid = [card.lstrip("~") for card in tower.values()]
    placed = {*aki.split(), *ben.split(), *reserve.split(), *deck.split(), *laid}
    marks = [f"{card}:{'H' if str(card) in hearts.split() else 1}" for card in range(1, 51)]
    rest = [str(card) for card in range(1, 51) if str(card) not in placed]
    if finish and "F" not in placed and not front:
        rest.append("F")
    lines = [
        '[CGN "1"]',
        f'[Rules "{rules}"]',
        f'[Variant "{"finish" if finish else "first"}"]',
        '[Players "Aki Ben"]',
        f'[Marks "{" ".join(marks)}"]',
        "position",
        "tower " + " ".join(f"{card}@{cell}" for cell, card in tower.items()),
        f"hand Aki {aki}",
        f"hand Ben {ben}",
        *([f"front {front}"] if front else []),
        f"reserve {reserve}",
        f"gone {' '.join(rest) if gone is None else gone}",
        f"deck {deck}",
        f"turn {turn}",
        f"last {last}",
    ]
    (item,) = read_text("\n".join(lines) + "\n")
    return item.position  # type: ignore[union-attr]


def state(asked: Position) -> State:
    """The state of a position."""
    return state_of(asked)
