"""What a drawing of a tower shows, cell by cell, before it becomes SVG."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

import msgspec

from couperation_formal.game.fact import fact
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import STANDARD, Board, Cell, Down, FinishCard, Laid, Mark, Tower, UnseenCard, Value
from couperation_formal.report.tower import EMPTY, draw_cells
from couperation_formal.words.say import phrase

Kind = Literal["up", "down", "fill", "open", "place"]
"""A card up or down; one that is not there yet; an empty cell with its supports; another empty cell of the pyramid."""

Flag = Literal["laid", "conflict", "refused"]
"""The card just laid or opened; a cell of a conflict; a card that a turn lays against the rules."""


class Glass(msgspec.Struct, frozen=True):
    """One cell: what stands in the glass, its mark, and what is to be noted of it."""

    cell: Cell
    kind: Kind
    text: str = ""
    mark: Mark | None = None
    flag: Flag | None = None


class Picture(msgspec.Struct, frozen=True):
    """A tower to draw: its glasses by level and column, a title, and the same as a drawing in plain text."""

    glasses: tuple[Glass, ...]
    title: str
    text: str


def tower_picture(
    tower: Tower,
    rulings: Rulings,
    marks: Mapping[Value, Mark] | None = None,
    *,
    laid: Cell | None = None,
    conflict: Collection[Cell] = (),
    refused: tuple[Cell, Laid] | None = None,
    filling: Mapping[Cell, str] | None = None,
    board: Board = STANDARD,
) -> Picture:
    """The picture of a tower.

    `laid` is the card just laid, `conflict` the cells of a conflict, `refused` a card that a turn lays against the
    rules, drawn in place of what lies there, and `filling` what would complete the tower. Where the pyramid is known
    all its cells are shown; else the empty ones that have their supports. Cost: linear in the cells.
    """
    cards = dict(tower.cells)
    flags: dict[Cell, Flag] = dict.fromkeys(conflict, "conflict")
    if laid is not None:
        flags.setdefault(laid, "laid")
    if refused is not None:
        cards[refused[0]] = refused[1]
        flags[refused[0]] = "refused"
    glasses = {cell: card_glass(cell, card, marks or {}, flags.get(cell)) for cell, card in cards.items()}
    later = {cell: text for cell, text in (filling or {}).items() if cell not in tower.numbers}
    glasses |= {cell: Glass(cell, "fill", text, None, flags.get(cell)) for cell, text in later.items()}
    for cell in _empty_cells(tower, rulings, board, glasses, flags):
        kind: Kind = "open" if _reachable(cell, tower, rulings) else "place"
        glasses.setdefault(cell, Glass(cell, kind, "", None, flags.get(cell)))
    ordered = tuple(sorted(glasses.values(), key=lambda glass: (glass.cell.level, glass.cell.column)))
    return Picture(ordered, _title(tower, board, laid, conflict, refused, later), plain_text(ordered))


def card_glass(cell: Cell, laid: Laid, marks: Mapping[Value, Mark], flag: Flag | None = None) -> Glass:
    """A laid card. The mark of a down card is not shown: nobody sees it."""
    card = laid.card
    mark = None if isinstance(card, FinishCard | UnseenCard) else marks.get(card)
    if type(laid) is Down:
        return Glass(cell, "down", str(laid), None, flag)
    return Glass(cell, "up", str(card), mark, flag)


def plain_text(glasses: Iterable[Glass]) -> str:
    """The drawing in plain text: `[25]` is a card to be noted, `(25)` one that is not there yet, `·` an empty cell with
    its supports.
    """
    cells: dict[Cell, str] = {}
    for glass in glasses:
        text = {"fill": f"({glass.text})", "open": EMPTY, "place": ""}.get(glass.kind, glass.text)
        if glass.flag is not None:
            text = f"[{glass.text or EMPTY}]"
        if text:
            cells[glass.cell] = text
    columns = range(min(cell.column for cell in cells), max(cell.column + cell.level - 1 for cell in cells) + 1)
    return "\n".join(draw_cells(cells, columns))


def home_column(tower: Tower, rulings: Rulings, board: Board = STANDARD) -> int:
    """The leftmost column of one pyramid that the tower still allows, the one nearest to the middle."""
    if rulings.anchor == "middle" or tower.first > tower.last:
        return board.middle
    return max(tower.first, min(board.middle, tower.last))


def _empty_cells(
    tower: Tower, rulings: Rulings, board: Board, glasses: Mapping[Cell, Glass], flags: Iterable[Cell]
) -> list[Cell]:
    """The empty cells that are shown: all of the pyramid where it is known or where a filling shows one."""
    found = list(flags)
    if any(glass.kind == "fill" for glass in glasses.values()):
        return found
    first, last = (board.middle, board.middle) if rulings.anchor == "middle" else (tower.first, tower.last)
    if first == last:
        return [*found, *board.pyramid(first)]
    for left in range(first, last + 1):
        found += [cell for cell in board.pyramid(left) if _reachable(cell, tower, rulings)]
    return found


def _reachable(cell: Cell, tower: Tower, rulings: Rulings) -> bool:
    """Whether a card on `cell` would have its supports or, on level 1, a neighbour where the rules want one."""
    if cell.level > 1:
        return all(support in tower.cells for support in cell.supports)
    if rulings.spread == "anywhere":
        return True
    return any(Cell(column, 1) in tower.cells for column in (cell.column - 1, cell.column + 1))


def _title(
    tower: Tower,
    board: Board,
    laid: Cell | None,
    conflict: Collection[Cell],
    refused: tuple[Cell, Laid] | None,
    later: Mapping[Cell, str],
) -> str:
    parts = [fact("picture_laid", laid=len(tower.cells), size=board.size)]
    if tower.down:
        parts.append(fact("picture_down", down=len(tower.down)))
    if refused is not None:
        parts.append(fact("picture_refused", card=refused[1], cell=refused[0]))
    elif laid is not None and laid in tower.cells:
        parts.append(fact("picture_just_laid", card=tower.cells[laid], cell=laid))
    if conflict:
        parts.append(fact("picture_conflict", cells=tuple(sorted(conflict))))
    if later:
        parts.append(fact("picture_filling"))
    return phrase("picture", parts=tuple(parts))
