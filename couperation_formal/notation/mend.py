"""Mending: the edits that the faults of a text carry, made; nothing else in the text changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from couperation_formal.model.diagnostic import Diagnostic
from couperation_formal.model.record import Span
from couperation_formal.notation.read import Item, Malformed, read_text

_MOST_READ = 1 << 24
"""So many characters are read for one game, which is read again after its edits: others may show then."""

_MOST_ROUNDS = 1000


class Mended(NamedTuple):
    """A text before and after its edits, the faults that they mended, and what the text holds then: one game or
    position, or several where an edit made a head. `faults` and `items` have their places in the text in which they
    were found, the first faults so in `before`, the items in `after`.
    """

    before: str
    after: str
    faults: tuple[Diagnostic, ...]
    items: tuple[Item, ...]


def mend(item: Item) -> Mended | None:
    """A game or position with the edits made that its faults carry; None where there is none, or nothing else.

    It is read again after its edits, until a reading finds none or as much was read as is read at most: what is left
    then is among the faults of `items`. Cost: a reading for each fifty edits or so.
    """
    if not _mendable(item):
        return None
    text, faults, seen = _text(item), list[Diagnostic](), set[str]()
    found: tuple[Item, ...] = (item,)
    for _ in range(min(_MOST_ROUNDS, _MOST_READ // (len(text) + 1) + 1)):
        parts = [(_text(part), _mendable(part)) for part in found]
        here = [each for _, some in parts for each in some]
        if not here or text in seen or "".join(own for own, _ in parts) != text:
            break
        seen.add(text)
        faults += here
        text = "".join(edited(own, some) for own, some in parts)
        found = tuple(read_text(text, item.file))
    if not text.strip():
        return None
    return Mended(_text(item), text, tuple(faults), tuple(_moved(found, item)))


def edited(text: str, faults: Iterable[Diagnostic]) -> str:
    """The text with the edits of these faults made, which stand apart and in their order. Cost: linear."""
    parts, at = list[str](), 0
    for edit in (found.edit for found in faults if found.edit is not None):
        parts += [text[at : edit.span.start], edit.replacement]
        at = edit.span.end
    return "".join([*parts, text[at:]])


def _text(item: Item) -> str:
    return item.text if isinstance(item, Malformed) else item.layout.text


def _mendable(item: Item) -> list[Diagnostic]:
    """The faults with an edit, in the order of these; of edits that overlap the first only."""
    if not isinstance(item, Malformed):
        return []
    kept: list[Diagnostic] = []
    last = Span(-1, -1)
    edits = [(found.edit, found) for found in item.diagnostics if found.edit is not None]
    for edit, found in sorted(edits, key=lambda each: each[0].span):
        if edit.span.start >= last.end and edit.span != last and item.text[slice(*edit.span)] != edit.replacement:
            kept.append(found)
            last = edit.span
    return kept


def _moved(found: tuple[Item, ...], item: Item) -> Iterable[Item]:
    """The items of a mended text as they stand in the file of the one that it was."""
    before = (item.line if isinstance(item, Malformed) else item.layout.line) - 1
    for part in found:
        index = item.index + part.index - 1
        if isinstance(part, Malformed):
            yield msgspec.structs.replace(part, index=index, line=before + part.line)
        else:
            layout = msgspec.structs.replace(part.layout, line=before + part.layout.line)
            yield msgspec.structs.replace(part, index=index, layout=layout)
