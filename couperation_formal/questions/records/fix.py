"""What `fix` mended and left, as data."""

from __future__ import annotations

from typing import Literal

from couperation_formal.game.record import Edit
from couperation_formal.notation.read import Item, Malformed, Mended
from couperation_formal.output.blocks import Source, place_of, source_of
from couperation_formal.output.formats import Data, Positive
from couperation_formal.questions.records.check import DiagnosticData, diagnostic_data
from couperation_formal.words.say import encodable

# The JSON form of `fix`.


class MendData(Data, frozen=True, kw_only=True):
    """A slip that is mended: `replacement` in place of a stretch of the file. Where a slip shows only when others are
    mended, the place is that in the text then.
    """

    line: Positive
    column: Positive
    end_line: Positive
    end_column: Positive
    replacement: str
    message: str


class FixData(Data, frozen=True, kw_only=True):
    """What is mended in a file, the difference that it makes, and whether it was written. `diagnostics` are the faults
    that are left, with their places in the mended text.
    """

    file: str
    mended: tuple[MendData, ...]
    difference: str
    written: bool
    diagnostics: tuple[DiagnosticData, ...]
    format: Literal[1]


def mend_data(item: Item, mended: Mended) -> list[MendData]:
    """What is mended in one game or position."""
    source = source_of(item)
    return [_mend(fault.message, fault.edit, source) for fault in mended.faults if fault.edit is not None]


def _mend(message: str, edit: Edit, source: Source) -> MendData:
    line, column, end_line, end_column = place_of(source, edit.span)
    text = encodable(edit.replacement)
    return MendData(
        line=line, column=column, end_line=end_line, end_column=end_column, replacement=text, message=message
    )


def left_data(item: Malformed) -> list[DiagnosticData]:
    """The faults that are left in one game or position."""
    return [diagnostic_data(fault, source_of(item)) for fault in item.diagnostics]
