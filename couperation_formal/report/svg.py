"""A tower as SVG: a champagne tower of coupe glasses, level 1 at the bottom.

A glass upside down is a card that lies down; an outline is an empty cell, dashed where a card could stand; a number in
parentheses is not there yet. Diamonds and hearts stand on the stems, a star on that of the Finish card. Bubbles rise
from the card just laid, `!` marks a conflict and `×` a card that is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from couperation_formal.game.record import Position
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import STANDARD, Cell, Tower, column_name
from couperation_formal.report.svg_picture import Glass, Picture, tower_picture
from couperation_formal.report.svg_style import RISE, SHAPES, STEP, Theme, style
from couperation_formal.report.svg_table import WIDTH, Under, below
from couperation_formal.report.tables import position_rows
from couperation_formal.words.say import safe

_MARGIN = 46
_TOP = 34
_SIDE = 28


class Frame(NamedTuple):
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


def frame_of(cells: Iterable[Cell]) -> Frame:
    """What has to be shown so that these cells are seen, column letters and level numbers included."""
    places = [middle(cell) for cell in cells]
    left = min(x for x, _ in places) - STEP // 2 - _MARGIN
    right = max(x for x, _ in places) + STEP // 2 + _MARGIN
    top = min(y for _, y in places) - _TOP
    return Frame(left, top, right - left, STANDARD.levels * RISE + 34 - top)


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
    x, y = middle(glass.cell)
    height = 27 if glass.kind == "down" else 58
    name = f'<text class="cf-name" x="-21" y="{height}">{glass.cell}</text>' if names else ""
    return (
        f'<g class="cf-slot" data-cell="{glass.cell}" transform="translate({x} {y})">{"".join(_parts(glass))}{name}</g>'
    )


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
