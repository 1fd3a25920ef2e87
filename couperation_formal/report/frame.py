"""A line of a game's text with carets under the part that a diagnostic is about."""

from __future__ import annotations

from rich.cells import cell_len

from couperation_formal.answers.place import Line
from couperation_formal.report.fold import cut
from couperation_formal.words.say import safe

_WIDTH = 100
_BEFORE = 40
_AFTER = 50


def frame(line: Line, most: int | None = None) -> tuple[str, int, int]:
    """The text of `line` as it is shown, the width in terminal cells of what stands before the part, and the width of
    the part itself (at least one).

    Control characters are escaped, tabs become four spaces, and a long line is shortened around the part: to `most`
    cells where a terminal has no more. Cost: linear in what is shown.
    """
    text, start, end = line.text, line.start, line.end
    first, last = 0, len(text)
    if last > _WIDTH:
        end = min(end, start + _WIDTH - _BEFORE)
        first = max(0, min(start - _BEFORE, last - _WIDTH))
        last = min(last, max(end + _AFTER, first + _WIDTH))
    before, part, after = _shown(text[first:start]), _shown(text[start:end]), _shown(text[end:last])
    if first > 0:
        before = "…" + before
    if last < len(text):
        after += "…"
    if most is not None and cell_len(before + part + after) > most:
        part = cut(part, most * 3 // 5)
        left = most - cell_len(part)
        before = cut(before[::-1], max(most // 5, left - cell_len(after)))[::-1]
        after = cut(after, left - cell_len(before))
    return before + part + after, cell_len(before), max(1, cell_len(part))


def _shown(text: str) -> str:
    return safe(text.replace("\t", "    "))
