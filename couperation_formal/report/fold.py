"""Long lines folded between words, for a terminal that is so wide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from rich.cells import cell_len

from couperation_formal.words.say import Piece

_LEAST = 24
"""So many cells are left for what hangs; where it would hang deeper it does not hang so deep."""


def folded(pieces: Iterable[Piece], width: int | None, hang: int) -> Iterator[Piece]:
    """Lines, none wider than `width` cells as far as words allow; what is folded begins after `hang` spaces. Without a
    width they stay as they are.
    """
    if width is None:
        yield from pieces
        return
    line: list[Piece] = []
    hang = max(2, min(hang, width - _LEAST))
    for text, style in pieces:
        *ended, rest = text.split("\n")
        for part in ended:
            yield from _merged(_line([*line, (part, style)], width, hang))
            yield ("\n", style)
            line = []
        line += [(rest, style)] if rest else []
    yield from _merged(_line(line, width, hang))


def padded(text: str, width: int) -> str:
    """The text with blanks after it, as many as it takes to be `width` terminal cells wide."""
    return text + " " * (width - cell_len(text))


def cut(text: str, width: int) -> str:
    """The beginning of a text that fits into `width` terminal cells; where it is cut, an ellipsis says so."""
    if cell_len(text) <= width:
        return text
    wide = 1
    for at, character in enumerate(text):
        wide += cell_len(character)
        if wide > width:
            return f"{text[:at]}…"
    return text


def _merged(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The same text, each run of one style as one piece."""
    for style, run in groupby(pieces, key=lambda piece: piece[1]):
        yield "".join(text for text, _ in run), style


def _line(pieces: list[Piece], width: int, hang: int) -> Iterator[Piece]:
    """One line without its end. A word may have more than one style, and is kept together."""
    words: list[tuple[Piece, list[Piece]]] = [(("", ""), [])]
    for text, style in pieces:
        for token in re.findall(" +|[^ ]+", text):
            if token.startswith(" "):
                words.append(((token, style), []))
            else:
                words[-1][1].append((token, style))
    at, filled = 0, False
    for gap, word in words:
        wide = sum(cell_len(text) for text, _ in word)
        if filled and word and at + cell_len(gap[0]) + wide > width:
            yield ("\n" + " " * hang, "")
            at = hang
        else:
            yield gap
            at += cell_len(gap[0])
        yield from word
        at, filled = at + wide, filled or bool(word)
