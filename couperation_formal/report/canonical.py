"""A whole file in canonical form."""

from __future__ import annotations

import io

from couperation_formal.model.record import Game, Position, Record
from couperation_formal.notation.read import Item, Malformed, read_stream
from couperation_formal.notation.write import format_item


def canonical(data: bytes, file: str = "-") -> bytes | tuple[Malformed, ...]:
    """The games and positions of a file in canonical form, or those that are no CGN.

    The result was read back: it holds the same games and positions with the same comments. Raises `RuntimeError` where
    it does not, a failure of ours. Cost: twice that of reading.
    """
    items = list(read_stream(io.BytesIO(data), file))
    malformed = tuple(item for item in items if isinstance(item, Malformed))
    if malformed:
        return malformed
    written = "\n".join(format_item(item) for item in items if not isinstance(item, Malformed)).encode()
    if _kept(list(read_stream(io.BytesIO(written), file))) != _kept(items):
        raise RuntimeError(f"{file}: its canonical form would not read back as the same games")
    return written


def _kept(items: list[Item]) -> list[tuple[Record | Position, list[str]] | Malformed]:
    """What formatting keeps: the games and positions, and the texts of their comments in their order."""
    kept: list[tuple[Record | Position, list[str]] | Malformed] = []
    for item in items:
        if isinstance(item, Malformed):
            kept.append(item)
        else:
            value = item.record if isinstance(item, Game) else item.position
            kept.append((value, [comment.text for comment in item.layout.comments]))
    return kept
