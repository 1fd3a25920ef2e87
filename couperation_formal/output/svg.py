"""Pictures: towers, marks and tables as SVG."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Literal, NamedTuple

import msgspec

from couperation_formal.game.fact import Text, Told, fact
from couperation_formal.game.record import Position
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import STANDARD, Board, Cell, Down, Laid, Mark, Tower, Value, card_list, column_name
from couperation_formal.output.blocks import COLON, EMPTY, Row, cut, draw_cells, folded, position_rows, said
from couperation_formal.words.say import ENGLISH, safe, say

# What a drawn tower is made of: the shapes of its glasses, and their colours in light and in dark.
#
# A shape has its origin in the middle of a glass's rim; one glass is `STEP` wide and `RISE` high, and the foot of a
# glass stands on the rims of the two below it. Meaning is in shapes and letters; colour only repeats it.

Theme = Literal["auto", "light", "dark"]

STEP = 80
"""The distance of two glasses of one level."""

RISE = 76
"""The distance of two levels."""

_COLOURS = {
    "ground": ("#fbf8f1", "#16140f"),
    "ink": ("#2a241c", "#f6efe0"),
    "soft": ("#6f6557", "#a99e8b"),
    "line": ("#4b4236", "#cdc1ab"),
    "faint": ("#b9ae9c", "#5d5546"),
    "glass": ("#fffdf8", "#231f18"),
    "wine": ("#f3dfa4", "#5d481a"),
    "deep": ("#e2bd62", "#8f6c20"),
    "hatch": ("#d8cdb9", "#4a4335"),
    "gold": ("#96690c", "#e9bd5b"),
    "wrong": ("#a3271c", "#ff9184"),
    "heart": ("#a3163a", "#ff9db0"),
    "one": ("#17577f", "#8accf5"),
    "two": ("#3b6116", "#add885"),
}
"""The colours by what they are for, in light and in dark."""

LIGHT, DARK = ({name: pair[at] for name, pair in _COLOURS.items()} for at in (0, 1))

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
    title: Text
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
    for cell in _empty_cells(tower, rulings, glasses, flags):
        kind: Kind = "open" if _reachable(cell, tower, rulings) else "place"
        glasses.setdefault(cell, Glass(cell, kind, "", None, flags.get(cell)))
    ordered = tuple(sorted(glasses.values(), key=lambda glass: (glass.cell.level, glass.cell.column)))
    told = [fact("picture_laid", laid=len(tower.cells), size=STANDARD.size)]
    if tower.down:
        told.append(fact("picture_down", down=len(tower.down)))
    if refused is not None:
        told.append(fact("picture_refused", card=refused[1], cell=refused[0]))
    elif laid is not None and laid in tower.cells:
        told.append(fact("picture_just_laid", card=tower.cells[laid], cell=laid))
    if conflict:
        told.append(fact("picture_conflict", cells=tuple(sorted(conflict))))
    if later:
        told.append(fact("picture_filling"))
    return Picture(ordered, fact("picture", parts=tuple(told)), plain_text(ordered))


def card_glass(cell: Cell, laid: Laid, marks: Mapping[Value, Mark], flag: Flag | None = None) -> Glass:
    """A laid card. The mark of a down card is not shown: nobody sees it."""
    card = laid.card
    mark = marks.get(card) if isinstance(card, int) else None
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


def _empty_cells(tower: Tower, rulings: Rulings, glasses: Mapping[Cell, Glass], flags: Iterable[Cell]) -> list[Cell]:
    """The empty cells that are shown: all of the pyramid where it is known or where a filling shows one."""
    cells = list(flags)
    if any(glass.kind == "fill" for glass in glasses.values()):
        return cells
    first, last = (STANDARD.middle, STANDARD.middle) if rulings.anchor == "middle" else (tower.first, tower.last)
    if first == last:
        return [*cells, *STANDARD.pyramid(first)]
    for left in range(first, last + 1):
        cells += [cell for cell in STANDARD.pyramid(left) if _reachable(cell, tower, rulings)]
    return cells


def _reachable(cell: Cell, tower: Tower, rulings: Rulings) -> bool:
    """Whether a card on `cell` would have its supports or, on level 1, a neighbour where the rules want one."""
    if cell.level > 1:
        return all(support in tower.cells for support in cell.supports)
    if rulings.spread == "anywhere":
        return True
    return any(Cell(column, 1) in tower.cells for column in (cell.column - 1, cell.column + 1))


# A position as a drawing of its own, with what lies beside the tower below it, as SVG and as PNG.


# What lies beside a tower, drawn below it: hands, Reserve and the like as rows of cards, and lines of text.

WIDTH = 620
"""A picture with rows is so wide at least."""

_LABEL, _CARD, _MARKED, _GAP = 110, 40, 58, 6
_HIGH, _LINE = 40, 24
_LETTER = 8.3
"""The width of a letter, about."""


class Note(NamedTuple):
    """A line of text; `wrong` where it tells what is refused."""

    text: Text
    wrong: bool = False


def _below(
    rows: Sequence[Row | Note], marks: Mapping[Value, Mark], left: int, top: int, width: int, language: str
) -> tuple[str, int]:
    """These rows from a left and upper edge on within some width, and how high they are."""
    parts, y = [], top
    for at, row in enumerate(rows):
        y += 8 if at and isinstance(rows[at - 1], Note) and not isinstance(row, Note) else 0
        if isinstance(row, Note):
            part, high = _note(said(row.text, language), row.wrong, left, y, width)
        else:
            part, high = _row(row, left, y, width, marks, language)
        parts.append(part)
        y += high
    return f'<g class="cf-table">{"".join(parts)}</g>', y - top


def _plain(row: Row | Note, language: str) -> str:
    if isinstance(row, Note):
        return say(row.text, language)
    name, colon, more = (say(each, language) for each in (row.name, COLON, row.said))
    return f"{name}{colon}{card_list(row.cards or ())}{more}"


def _note(text: str, wrong: bool, left: int, top: int, width: int) -> tuple[str, int]:
    """A text in as many lines as it takes."""
    lines = "".join(part for part, _ in folded([(text, "")], int(width / _LETTER), 2)).split("\n")
    kind = "cf-told cf-wrong" if wrong else "cf-told"
    drawn = [_label(line.strip(), left, top + _LINE * at + 17, kind) for at, line in enumerate(lines)]
    return "".join(drawn), _LINE * len(lines)


def _row(row: Row, left: int, top: int, width: int, marks: Mapping[Value, Mark], language: str) -> tuple[str, int]:
    """A name and cards, in as many lines as they take, then what else there is to say."""
    parts = [_label(cut(said(row.name, language), 12), left, top + 24, "cf-label")]
    x, y = left + _LABEL, top
    for card in row.cards or ():
        mark = marks.get(card) if isinstance(card, int) else None
        wide = _CARD if mark is None else _MARKED
        if x + wide > left + width:
            x, y = left + _LABEL, y + _HIGH
        parts.append(_card(str(card), mark, x, y, wide))
        x += wide + _GAP
    more = said(row.said, language).strip()
    if more or not row.cards:
        told, high = _note(more or "–", False, x, y + 7, left + width - x)
        return "".join([*parts, told]), max(y + _HIGH, y + 7 + high) - top
    return "".join(parts), y + _HIGH - top


def _card(text: str, mark: Mark | None, x: int, y: int, wide: int) -> str:
    kind = "cf-bowl cf-unseen" if text == "?" else "cf-bowl"
    sign = "" if mark is None else f'<use href="#cf-mark-{mark}" transform="translate({x + 45} {y - 15}) scale(.62)"/>'
    return (
        f'<rect class="{kind}" x="{x}" y="{y}" width="{wide}" height="32" rx="6"/>'
        f'<text class="cf-text cf-small" x="{x + 20}" y="{y + 23}">{escape(text)}</text>{sign}'
    )


def _label(text: str, x: int, y: int, kind: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(text)}</text>'


# A tower as SVG: a champagne tower of coupe glasses, level 1 at the bottom.
#
# A glass upside down is a card that lies down; an outline is an empty cell, dashed where a card could stand; a number
# in parentheses is not there yet. Diamonds and hearts stand on the stems, a star on that of the Finish card. Bubbles
# rise from the card just laid, `!` marks a conflict and `×` a card that is refused.

_MARGIN = 46
_TOP = 34
_SIDE = 28


class Extent(NamedTuple):
    """The part of the plane that is shown, in the units of the shapes."""

    x: int
    y: int
    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.x} {self.y} {self.width} {self.height}"


def tower_svg(
    picture: Picture,
    theme: Theme = "auto",
    *,
    names: bool = False,
    width: int | None = None,
    under: Sequence[Row | Note] = (),
    marks: Mapping[Value, Mark] | None = None,
    language: str = ENGLISH,
) -> str:
    """The picture as an SVG document of its own, with its plain drawing as description.

    `names` writes each cell's name; `width` in pixels, else as wide as there is room; the rows `under` stand below
    it, where cards bear `marks`. Cost: linear in the glasses.
    """
    frame = frame_of(glass.cell for glass in picture.glasses)
    rows, text = "", picture.text
    if under:
        spare = max(0, WIDTH - frame.width)
        frame = frame._replace(x=frame.x - spare // 2, width=frame.width + spare)
        left, top, inner = frame.x + _SIDE, frame.y + frame.height + 8, frame.width - 2 * _SIDE
        rows, high = _below(under, marks or {}, left, top, inner, language)
        frame = frame._replace(height=frame.height + high + 20)
        text = "\n".join([text, "", *(_plain(row, language) for row in under)])
    size = f' width="{width}" height="{round(width * frame.height / frame.width)}"' if width else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{frame}"{size} role="img">'
        f"<title>{_text(say(picture.title, language))}</title><desc>{_text(text)}</desc>"
        f"<style>{style(theme)}</style><defs>{SHAPES}</defs>"
        f'<rect class="cf-ground" x="{frame.x}" y="{frame.y}" width="{frame.width}" height="{frame.height}" rx="14"/>'
        f"{axes(glass.cell for glass in picture.glasses)}"
        f"{slots(picture.glasses, names)}{rows}</svg>\n"
    )


def table_svg(
    position: Position,
    rulings: Rulings,
    theme: Theme = "auto",
    *,
    laid: Cell | None = None,
    names: bool = False,
    language: str = ENGLISH,
) -> str:
    """A position of the printed game as SVG: the tower, and below it the hands, the Reserve and what else it gives;
    `laid` is the card laid or opened last.
    """
    tower = Tower.of(STANDARD, dict(position.tower))
    picture = tower_picture(tower, rulings, position.marks, laid=laid or position.last)
    rows = list(position_rows(position))
    return tower_svg(picture, theme, names=names, width=720, under=rows, marks=position.marks, language=language)


def frame_of(cells: Iterable[Cell]) -> Extent:
    """What has to be shown so that these cells are seen, column letters and level numbers included."""
    places = [middle(cell) for cell in cells]
    left = min(x for x, _ in places) - STEP // 2 - _MARGIN
    right = max(x for x, _ in places) + STEP // 2 + _MARGIN
    top = min(y for _, y in places) - _TOP
    return Extent(left, top, right - left, STANDARD.levels * RISE + 34 - top)


def middle(cell: Cell) -> tuple[int, int]:
    """Where the middle of the rim of the glass on `cell` is."""
    return (2 * cell.column + cell.level) * STEP // 2, (STANDARD.levels - cell.level) * RISE


def axes(cells: Iterable[Cell]) -> str:
    """The letters of the columns below level 1, and the levels' numbers left of each row."""
    shown = list(cells)
    first = min(cell.column for cell in shown)
    last = max(cell.column + cell.level - 1 for cell in shown)
    parts = []
    for column in range(first, last + 1):
        x, y = middle(Cell(column, 1))
        parts.append(f'<text class="cf-name" x="{x}" y="{y + RISE + 20}">{column_name(column)}</text>')
    for level in sorted({cell.level for cell in shown}):
        x, y = middle(min(cell for cell in shown if cell.level == level))
        parts.append(f'<text class="cf-name" x="{x - STEP // 2 - 14}" y="{y + 24}">{level}</text>')
    return f'<g class="cf-axes" aria-hidden="true">{"".join(parts)}</g>'


def slots(glasses: Iterable[Glass], names: bool = False) -> str:
    """The glasses at their places, those that are to be noted over the others."""
    ordered = sorted(glasses, key=lambda glass: glass.flag is not None)
    return "".join(slot(glass.cell, glass, names) for glass in ordered)


def slot(cell: Cell, glass: Glass | None = None, names: bool = False) -> str:
    """A glass at its place; nothing in it yet without one."""
    drawn, (x, y) = "" if glass is None else "".join(_parts(glass)), middle(cell)
    if glass is not None and names:
        drawn += f'<text class="cf-name" x="-21" y="{27 if glass.kind == "down" else 58}">{cell}</text>'
    return f'<g class="cf-slot" data-cell="{cell}" transform="translate({x} {y})">{drawn}</g>'


def _parts(glass: Glass) -> Iterable[str]:
    yield f'<use href="#cf-{glass.kind}"/>'
    if glass.flag == "laid":
        yield f'<use href="#cf-laid{"-down" if glass.kind == "down" else ""}"/>'
    if glass.mark is not None:
        yield f'<use href="#cf-mark-{glass.mark}"/>'
    elif glass.kind == "up" and glass.text == "F":
        yield '<use href="#cf-star"/>'
    if glass.kind == "down":
        yield f'<text class="cf-text cf-small cf-halo" y="66">{_text(glass.text)}</text>'
        yield f'<text class="cf-text cf-small" y="66">{_text(glass.text)}</text>'
    elif glass.kind == "fill":
        yield f'<text class="cf-text cf-guess" y="23">({_text(glass.text)})</text>'
    elif glass.text:
        yield f'<text class="cf-text" y="26">{_text(glass.text)}</text>'
    if glass.flag in ("conflict", "refused"):
        yield f'<use href="#cf-{glass.flag}"/>'


def _text(text: str) -> str:
    return escape("\n".join(safe(line) for line in text.split("\n")))


# A drawing as PNG, with the optional library resvg-py.


def png(svg: str) -> bytes:
    """The SVG as a PNG with two pixels for each of its units. Raises `Told` where the library is not installed, or
    where it finds no font for the numbers.
    """
    try:
        import resvg_py
    except ImportError:
        raise Told("needs_resvg") from None
    if not _has_font():
        raise Told("needs_font")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=2.0))


@lru_cache(maxsize=1)
def _has_font() -> bool:
    """Whether a number is seen at all: without a font the library leaves texts out and says nothing."""
    import resvg_py

    def drawn(text: str) -> bytes:
        body = f'<text x="2" y="30" font-size="24" font-family="{NUMBER_FONTS}">{text}</text>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">{body}</svg>'
        return bytes(resvg_py.svg_to_bytes(svg_string=svg))

    return drawn("25") != drawn("")
