"""The picture of a tower: which glass shows what, and the shapes and colours that it is drawn with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

import msgspec

from couperation_formal.game.fact import fact
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import STANDARD, Board, Cell, Down, FinishCard, Laid, Mark, Tower, UnseenCard, Value
from couperation_formal.output.blocks import EMPTY, draw_cells
from couperation_formal.words.say import phrase

# What a drawn tower is made of: the shapes of its glasses, and their colours in light and in dark.
#
# A shape has its origin in the middle of a glass's rim; one glass is `STEP` wide and `RISE` high, and the foot of a
# glass stands on the rims of the two below it. Meaning is in shapes and letters; colour only repeats it.

Theme = Literal["auto", "light", "dark"]

STEP = 80
"""The distance of two glasses of one level."""

RISE = 76
"""The distance of two levels."""

LIGHT: Mapping[str, str] = {
    "ground": "#fbf8f1",
    "ink": "#2a241c",
    "soft": "#6f6557",
    "line": "#4b4236",
    "faint": "#b9ae9c",
    "glass": "#fffdf8",
    "wine": "#f3dfa4",
    "deep": "#e2bd62",
    "hatch": "#d8cdb9",
    "gold": "#96690c",
    "wrong": "#a3271c",
}

DARK: Mapping[str, str] = {
    "ground": "#16140f",
    "ink": "#f6efe0",
    "soft": "#a99e8b",
    "line": "#cdc1ab",
    "faint": "#5d5546",
    "glass": "#231f18",
    "wine": "#5d481a",
    "deep": "#8f6c20",
    "hatch": "#4a4335",
    "gold": "#e9bd5b",
    "wrong": "#ff9184",
}

NUMBER_FONTS = "Georgia,'Liberation Serif','DejaVu Serif',serif"
"""The fonts of the numbers, the first that is there."""

_RULES: Mapping[str, str] = {
    ".cf-ground": "fill:{ground}",
    ".cf-text": f"fill:{{ink}};font:600 23px {NUMBER_FONTS};text-anchor:middle",
    ".cf-small": "font-size:20px",
    ".cf-name": "fill:{soft};font:12px Verdana,'DejaVu Sans','Liberation Sans',sans-serif;text-anchor:middle",
    ".cf-label": "fill:{ink};font:bold 15px Verdana,'DejaVu Sans','Liberation Sans',sans-serif",
    ".cf-told": "fill:{ink};font:14px Verdana,'DejaVu Sans','Liberation Sans',sans-serif",
    ".cf-wrong": "fill:{wrong}",
    ".cf-badge": "fill:{ground};font:bold 15px Verdana,'DejaVu Sans','Liberation Sans',sans-serif;text-anchor:middle",
    ".cf-halo": "stroke:{glass};stroke-width:6px;stroke-linejoin:round",
    ".cf-bowl": "fill:{glass};stroke:{line};stroke-width:1.6px;stroke-linejoin:round",
    ".cf-unseen": "stroke:{faint}",
    ".cf-rim": "fill:{glass};stroke:{line};stroke-width:1.3px",
    ".cf-stem": "fill:{glass};stroke:{line};stroke-width:1.3px;stroke-linejoin:round",
    ".cf-wine": "fill:{wine}",
    ".cf-surface": "fill:{deep};opacity:.55",
    ".cf-mark": "fill:{ink};stroke:{glass};stroke-width:1.2px",
    ".cf-weave": "stroke:{hatch};stroke-width:2.4px",
    ".cf-place": "fill:none;stroke:{faint};stroke-width:1.2px;stroke-dasharray:1 5;stroke-linecap:round",
    ".cf-open": "fill:none;stroke:{soft};stroke-width:1.4px;stroke-dasharray:5 4",
    ".cf-later": "fill:none;stroke:{soft};stroke-width:1.3px",
    ".cf-guess": "fill:{soft};font-style:italic;font-weight:400;font-size:20px",
    ".cf-fresh": "fill:none;stroke:{gold};stroke-width:3.4px;stroke-linejoin:round",
    ".cf-bubble": "fill:{glass};stroke:{gold};stroke-width:1.8px",
    ".cf-frame": "fill:none;stroke:{wrong};stroke-width:2.4px;stroke-dasharray:7 4",
    ".cf-bar": "fill:none;stroke:{wrong};stroke-width:2.8px",
    ".cf-disc": "fill:{wrong}",
    ".cf-star": "fill:{gold};stroke:{glass};stroke-width:1px",
}

_BOWL = "M-36 0C-35 24-16 36 0 36C16 36 35 24 36 0Z"
_STEM = (
    "M-2.6 35.6C-1.3 44-1.3 58-1.7 65C-3 69.5-12 71-22 72.6"
    "A22 3 0 0 0 22 72.6C12 71 3 69.5 1.7 65C1.3 58 1.3 44 2.6 35.6Z"
)
_WINE = "M-35 6C-32 25-15 34.4 0 34.4C15 34.4 32 25 35 6Z"
_FLIP = f'transform="translate(0 {RISE}) scale(1 -1)"'

SHAPES = (
    '<pattern id="cf-hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path class="cf-weave" d="M0 0V7"/></pattern>'
    f'<g id="cf-up"><path class="cf-stem" d="{_STEM}"/><path class="cf-bowl" d="{_BOWL}"/>'
    f'<path class="cf-wine" d="{_WINE}"/><ellipse class="cf-surface" cy="6" rx="34.4" ry="2.6"/>'
    '<ellipse class="cf-rim" rx="36" ry="2.6"/></g>'
    f'<g id="cf-down"><g {_FLIP}><path class="cf-stem" d="{_STEM}"/><path class="cf-bowl" d="{_BOWL}"/>'
    f'<path d="{_BOWL}" fill="url(#cf-hatch)"/></g></g>'
    f'<g id="cf-fill"><path class="cf-later" d="{_STEM}"/><path class="cf-later" d="{_BOWL}"/></g>'
    f'<g id="cf-open"><path class="cf-open" d="{_BOWL}"/></g>'
    f'<path id="cf-place" class="cf-place" d="{_BOWL}"/>'
    '<path id="cf-mark-1" class="cf-mark" d="M0 43L7 51L0 59L-7 51Z"/>'
    '<path id="cf-mark-2" class="cf-mark" d="M0 38.5L6.3 45.5L0 52.5L-6.3 45.5ZM0 52.5L6.3 59.5L0 66.5L-6.3 59.5Z"/>'
    '<path id="cf-mark-H" class="cf-mark" d="M0 60C-4 55.5-9 52-9 47.6C-9 42.6-2.6 41.6 0 46.2'
    'C2.6 41.6 9 42.6 9 47.6C9 52 4 55.5 0 60Z"/>'
    '<path id="cf-star" class="cf-star" d="M0 42L2.6 48.5L9.5 49L4.2 53.5L6 60.3L0 56.5L-6 60.3'
    'L-4.2 53.5L-9.5 49L-2.6 48.5Z"/>'
    f'<g id="cf-laid"><path class="cf-fresh" d="{_BOWL}"/><circle class="cf-bubble" cx="-9" cy="-9" r="3"/>'
    '<circle class="cf-bubble" cx="2" cy="-17" r="4.2"/><circle class="cf-bubble" cx="12" cy="-8" r="2.4"/></g>'
    f'<g id="cf-laid-down"><path class="cf-fresh" {_FLIP} d="{_BOWL}"/>'
    '<circle class="cf-bubble" cx="-9" cy="-8" r="3"/>'
    '<circle class="cf-bubble" cx="2" cy="-16" r="4.2"/><circle class="cf-bubble" cx="12" cy="-7" r="2.4"/></g>'
    '<g id="cf-conflict"><rect class="cf-frame" x="-38.5" y="-5" width="77" height="79" rx="9"/>'
    '<circle class="cf-disc" cx="29" cy="61" r="10"/><text class="cf-badge" x="29" y="66.3">!</text></g>'
    '<g id="cf-refused"><rect class="cf-bar" x="-38.5" y="-5" width="77" height="79" rx="9"/>'
    '<circle class="cf-disc" cx="29" cy="61" r="10"/><text class="cf-badge" x="29" y="66.3">×</text></g>'
)
"""The shapes by their ids, for the `defs` of a drawing."""


def style(theme: Theme) -> str:
    """The style sheet of a drawing. `auto` follows the reader's own preference and is light where that is not told."""
    if theme != "auto":
        return _sheet(LIGHT if theme == "light" else DARK)
    return f"{_sheet(LIGHT)}\n@media (prefers-color-scheme:dark){{\n{_sheet(DARK)}\n}}"


def variables(palette: Mapping[str, str]) -> str:
    """A palette as custom properties: ``--cf-ink:#2a241c;…``."""
    return "".join(f"--cf-{name}:{colour};" for name, colour in palette.items())


def variable_style() -> str:
    """The style sheet with custom properties in place of colours, for a page that defines them."""
    return _sheet({name: f"var(--cf-{name})" for name in LIGHT})


def _sheet(colours: Mapping[str, str]) -> str:
    return "\n".join(f"{selector}{{{rule.format(**colours)}}}" for selector, rule in _RULES.items())


# What a drawing of a tower shows, cell by cell, before it becomes SVG.

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
