"""A position as a drawing of its own, with what lies beside the tower below it, as SVG and as PNG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from html import escape
from typing import NamedTuple

from couperation_formal.game.record import Position
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import (
    STANDARD,
    Cell,
    FinishCard,
    Mark,
    Shown,
    Tower,
    UnseenCard,
    Value,
    card_list,
    column_name,
)
from couperation_formal.output.frame import cut, folded
from couperation_formal.output.position import Row, position_rows
from couperation_formal.output.svg_picture import (
    NUMBER_FONTS,
    RISE,
    SHAPES,
    STEP,
    Glass,
    Picture,
    Theme,
    style,
    tower_picture,
)
from couperation_formal.words.say import safe

# What lies beside a tower, drawn below it: hands, Reserve and the like as rows of cards, and lines of text.

WIDTH = 620
"""A picture with rows is so wide at least."""

_LABEL, _CARD, _MARKED, _GAP = 110, 40, 58, 6
_HIGH, _LINE = 40, 24
_LETTER = 8.3
"""The width of a letter, about."""


class Note(NamedTuple):
    """A line of text; `wrong` where it tells what is refused."""

    text: str
    wrong: bool = False


class Under(NamedTuple):
    """What stands below a drawing: `text` is the same in words."""

    drawn: Callable[[int, int, int], tuple[str, int]]
    text: str


def below(rows: Iterable[Row | Note], marks: Mapping[Value, Mark]) -> Under:
    """These rows, to be drawn from some left and upper edge within some width; then how high they are is told too."""
    kept = list(rows)

    def drawn(left: int, top: int, width: int) -> tuple[str, int]:
        parts, y = [], top
        for at, row in enumerate(kept):
            y += 8 if at and isinstance(kept[at - 1], Note) and not isinstance(row, Note) else 0
            part, high = _note(row, left, y, width) if isinstance(row, Note) else _row(row, left, y, width, marks)
            parts.append(part)
            y += high
        return f'<g class="cf-table">{"".join(parts)}</g>', y - top

    return Under(drawn, "\n".join(map(_plain, kept)))


def _plain(row: Row | Note) -> str:
    if isinstance(row, Note):
        return row.text
    return f"{row.name}: {card_list(row.cards or ())}{row.said}"


def _note(note: Note, left: int, top: int, width: int) -> tuple[str, int]:
    """A text in as many lines as it takes."""
    lines = "".join(part for part, _ in folded([(safe(note.text), "")], int(width / _LETTER), 2)).split("\n")
    kind = "cf-told cf-wrong" if note.wrong else "cf-told"
    drawn = [_label(line.strip(), left, top + _LINE * at + 17, kind) for at, line in enumerate(lines)]
    return "".join(drawn), _LINE * len(lines)


def _row(row: Row, left: int, top: int, width: int, marks: Mapping[Value, Mark]) -> tuple[str, int]:
    """A name and cards, in as many lines as they take, then what else there is to say."""
    parts = [_label(cut(safe(row.name), 12), left, top + 24, "cf-label")]
    x, y = left + _LABEL, top
    for card in row.cards or ():
        mark = None if isinstance(card, UnseenCard | FinishCard) else marks.get(card)
        wide = _CARD if mark is None else _MARKED
        if x + wide > left + width:
            x, y = left + _LABEL, y + _HIGH
        parts.append(_card(card, mark, x, y, wide))
        x += wide + _GAP
    if row.said.strip() or not row.cards:
        said, high = _note(Note(row.said.strip() or "–"), x, y + 7, left + width - x)
        return "".join([*parts, said]), max(y + _HIGH, y + 7 + high) - top
    return "".join(parts), y + _HIGH - top


def _card(card: Shown, mark: Mark | None, x: int, y: int, wide: int) -> str:
    kind = "cf-bowl cf-unseen" if isinstance(card, UnseenCard) else "cf-bowl"
    sign = "" if mark is None else f'<use href="#cf-mark-{mark}" transform="translate({x + 45} {y - 15}) scale(.62)"/>'
    return (
        f'<rect class="{kind}" x="{x}" y="{y}" width="{wide}" height="32" rx="6"/>'
        f'<text class="cf-text cf-small" x="{x + 20}" y="{y + 23}">{escape(str(card))}</text>{sign}'
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
    under: Under | None = None,
) -> str:
    """The picture as an SVG document of its own, with its plain drawing as description.

    `names` writes each cell's name; `width` in pixels, else as wide as there is room; `under` stands below it. Cost:
    linear in the glasses.
    """
    frame = frame_of(glass.cell for glass in picture.glasses)
    rows, text = "", picture.text
    if under is not None:
        spare = max(0, WIDTH - frame.width)
        frame = frame._replace(x=frame.x - spare // 2, width=frame.width + spare)
        rows, high = under.drawn(frame.x + _SIDE, frame.y + frame.height + 8, frame.width - 2 * _SIDE)
        frame = frame._replace(height=frame.height + high + 20)
        text += f"\n\n{under.text}"
    size = f' width="{width}" height="{round(width * frame.height / frame.width)}"' if width else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{frame}"{size} role="img">'
        f"<title>{_text(picture.title)}</title><desc>{_text(text)}</desc>"
        f"<style>{style(theme)}</style><defs>{SHAPES}</defs>"
        f'<rect class="cf-ground" x="{frame.x}" y="{frame.y}" width="{frame.width}" height="{frame.height}" rx="14"/>'
        f"{axes(glass.cell for glass in picture.glasses)}"
        f"{slots(picture.glasses, names)}{rows}</svg>\n"
    )


def position_svg(position: Position, rulings: Rulings) -> str:
    """The tower of a position of the printed game as SVG."""
    tower = Tower.of(STANDARD, dict(position.tower))
    return tower_svg(tower_picture(tower, rulings, position.marks, laid=position.last), width=720)


def table_svg(
    position: Position, rulings: Rulings, theme: Theme = "auto", *, laid: Cell | None = None, names: bool = False
) -> str:
    """A position of the printed game as SVG: the tower, and below it the hands, the Reserve and what else it gives;
    `laid` is the card laid or opened last.
    """
    tower = Tower.of(STANDARD, dict(position.tower))
    picture = tower_picture(tower, rulings, position.marks, laid=laid or position.last)
    under = below(position_rows(position), position.marks)
    return tower_svg(picture, theme, names=names, width=720, under=under)


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
    return "".join(slot(glass, names) for glass in ordered)


def slot(glass: Glass, names: bool = False) -> str:
    """One glass at its place."""
    height = 27 if glass.kind == "down" else 58
    name = f'<text class="cf-name" x="-21" y="{height}">{glass.cell}</text>' if names else ""
    return _at_place(glass.cell, "".join(_parts(glass)) + name)


def empty_slot(cell: Cell) -> str:
    """The place of a glass with nothing in it yet."""
    return _at_place(cell, "")


def _at_place(cell: Cell, drawn: str) -> str:
    x, y = middle(cell)
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


class NoPng(RuntimeError):
    """No PNG can be made here; the message says what is missing."""


def png(svg: str, zoom: float = 2.0) -> bytes:
    """The SVG as a PNG with `zoom` pixels for each of its units. Raises `NoPng` where the library is not installed, or
    where it finds no font for the numbers.
    """
    try:
        import resvg_py
    except ImportError:
        wanted = "PNG needs the library resvg-py: pip install 'resvg-py>=0.2' beside couperation, or write .svg"
        raise NoPng(wanted) from None
    if not _has_font():
        raise NoPng("PNG needs a font, and this system has none that could be found; write .svg")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom))


@lru_cache(maxsize=1)
def _has_font() -> bool:
    """Whether a number is seen at all: without a font the library leaves texts out and says nothing."""
    import resvg_py

    def drawn(text: str) -> bytes:
        body = f'<text x="2" y="30" font-size="24" font-family="{NUMBER_FONTS}">{text}</text>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">{body}</svg>'
        return bytes(resvg_py.svg_to_bytes(svg_string=svg))

    return drawn("25") != drawn("")
