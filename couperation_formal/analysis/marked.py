"""Games and positions whose cards bear the marks that their owner wrote down once."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from couperation_formal.analysis.verdict import Report
from couperation_formal.game.diagnostic import NOTATION, Diagnostic
from couperation_formal.game.record import Game, Snapshot
from couperation_formal.notation.header import Clash, OwnMarks, with_marks
from couperation_formal.notation.read import Item
from couperation_formal.words.say import say

T = TypeVar("T", bound=Item)


def marked(item: T, own: OwnMarks | None) -> tuple[T | Game | Snapshot, tuple[Diagnostic, ...]]:
    """The item with these marks, and a warning for each card that its own tag gives another one, which stands."""
    if own is None or not isinstance(item, Game | Snapshot):
        return item, ()
    found, clashes = with_marks(item, own)
    return found, tuple(map(_warning, clashes))


def warned(report: Report, warnings: tuple[Diagnostic, ...]) -> Report:
    """The report with further warnings."""
    if not warnings:
        return report
    return msgspec.structs.replace(report, diagnostics=(*report.diagnostics, *warnings))


def _warning(clash: Clash) -> Diagnostic:
    return Diagnostic(code=NOTATION, severity="warning", turn=None, span=clash.span, message=say(clash.what))
