"""What a text with faults says all the same: its faults, and the game up to the first line that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import msgspec

from couperation_formal.model.record import Game, Layout, TurnLayout
from couperation_formal.notation.bare import MAX_FAULTS
from couperation_formal.notation.fault import Fault
from couperation_formal.notation.header import read_header
from couperation_formal.notation.parse import parse
from couperation_formal.notation.position import Positioned, build_position
from couperation_formal.notation.record import Recorded, build_record
from couperation_formal.notation.recover import Lines
from couperation_formal.notation.split import Piece
from couperation_formal.notation.strip import Origin
from couperation_formal.notation.swallowed import wrapping
from couperation_formal.notation.turns import TurnPlaces

_ROUNDS = 3
"""So often the lines are read again after edits: of the tags, of the set-up, and to see that nothing is left."""

_FOLLOWS = ("players_missing", "begins", "no_tower")
"""What is told of a text only where every line before the turns was read: else it may follow from one that was not."""


def resume(piece: Piece, file: str, index: int, accepted: bool) -> tuple[list[Fault], Game | None]:
    """All the faults of a game's text, and the game up to its first line that cannot be read, where the lines before
    its turns can. What only follows from another fault is left out. A text that the grammar has `accepted` can have
    look-alikes only. Cost: linear.
    """
    found = None if accepted else wrapping(piece.text)
    if found is not None:
        return [found], None
    lines = Lines(piece.text, accepted)
    faults, judged = _resumed(lines, piece, file, index)
    faults = sorted(faults, key=lambda each: each.span)[:MAX_FAULTS]
    return ([*faults, lines.more] if lines.more else faults), judged


def _resumed(lines: Lines, piece: Piece, file: str, index: int) -> tuple[list[Fault], Game | None]:
    faults = list(lines.faults)
    for _ in range(_ROUNDS):
        origin = lines.origin()
        built = _build(lines)
        if isinstance(built, Recorded):
            return faults, _judged(built, lines, origin, piece, file, index) if lines.whole else None
        if not isinstance(built, list):
            break
        built = [each for each in built if lines.whole or each.what.kind not in _FOLLOWS]
        faults += [lines.kept(origin.fault(each)) for each in built]
        if any(each.what.kind == "version" for each in built):
            return faults[-1:], None
        if not built or any(each.edit is None for each in built):
            break
        origin.mend([each.edit for each in built if each.edit is not None])
    return faults, None


def _build(lines: Lines) -> Recorded | Positioned | list[Fault]:
    """What the lines say that can be read; of a position with others only its tags are asked."""
    parsed = parse(lines.text)
    if isinstance(parsed, Fault):
        return []
    if parsed.position is None:
        return build_record(parsed)
    if lines.broken is None:
        return build_position(parsed.tags, parsed.position)
    faults: list[Fault] = []
    read_header(parsed.tags, faults)
    return faults


def _judged(built: Recorded, lines: Lines, origin: Origin, piece: Piece, file: str, index: int) -> Game:
    record, tags, setup, starts, result = built
    broken = lines.broken
    kept = [start for start in starts if broken is None or start < broken]
    record = msgspec.structs.replace(record, turns=record.turns[: len(kept)])
    if broken is not None and (result is None or result.start > broken):
        record, result = msgspec.structs.replace(record, result=None), None
    layout = Layout(
        text=piece.text,
        line=piece.line,
        tags={name: origin(span) for name, span in tags.items()},
        lines={name: origin(span) for name, span in setup.items()},
        turns=_Places(TurnPlaces(lines.text, kept), origin),
        result=None if result is None else origin(result),
        comments=(),
    )
    return Game(file=file, index=index, record=record, layout=layout)


class _Places(Sequence[TurnLayout]):
    """Where the parts of turns stood in the text as it was read."""

    def __init__(self, turns: TurnPlaces, origin: Origin) -> None:
        self._turns, self._origin = turns, origin

    def __len__(self) -> int:
        return len(self._turns)

    def __iter__(self) -> Iterator[TurnLayout]:
        return (self._origin.turn(turn) for turn in self._turns)

    @overload
    def __getitem__(self, index: int) -> TurnLayout: ...

    @overload
    def __getitem__(self, index: slice) -> _Places: ...

    def __getitem__(self, index: int | slice) -> TurnLayout | _Places:
        if isinstance(index, slice):
            return _Places(self._turns[index], self._origin)
        return self._origin.turn(self._turns[index])
