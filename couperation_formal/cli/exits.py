"""Exit codes, and which one stands for several games."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from couperation_formal.game.diagnostic import Verdict


class Exit(IntEnum):
    """What the exit code of every command means."""

    KEPT = 0
    BROKEN = 1
    UNUSABLE = 2
    UNDETERMINED = 3
    OURS = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141


_OF: dict[Verdict, Exit] = {
    "legal": Exit.KEPT,
    "illegal": Exit.BROKEN,
    "undetermined": Exit.UNDETERMINED,
    "malformed": Exit.UNUSABLE,
}

_FIRST = (Exit.OURS, Exit.UNUSABLE, Exit.BROKEN, Exit.UNDETERMINED)


def exit_of(verdicts: Iterable[Verdict]) -> Exit:
    """The exit code for games with these verdicts."""
    return worst(_OF[verdict] for verdict in verdicts)


def worst(codes: Iterable[Exit]) -> Exit:
    """The exit code for several answers, each with its own."""
    found = set(codes)
    return next((code for code in _FIRST if code in found), Exit.KEPT)
