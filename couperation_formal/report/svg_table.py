"""What lies beside a tower, drawn below it: hands, Reserve and the like as rows of cards, and lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import NamedTuple

from couperation_formal.game.tower import FinishCard, Mark, Shown, UnseenCard, Value, card_list
from couperation_formal.report.fold import cut, folded
from couperation_formal.report.tables import Row
from couperation_formal.words.say import safe

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
    drawn = [_text(line.strip(), left, top + _LINE * at + 17, kind) for at, line in enumerate(lines)]
    return "".join(drawn), _LINE * len(lines)


def _row(row: Row, left: int, top: int, width: int, marks: Mapping[Value, Mark]) -> tuple[str, int]:
    """A name and cards, in as many lines as they take, then what else there is to say."""
    parts = [_text(cut(safe(row.name), 12), left, top + 24, "cf-label")]
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


def _text(text: str, x: int, y: int, kind: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(text)}</text>'
