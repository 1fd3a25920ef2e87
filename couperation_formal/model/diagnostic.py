"""Diagnostics and verdicts as data; every output form is made from these."""

from __future__ import annotations

from typing import Literal

import msgspec

from couperation_formal.model.record import Span

Severity = Literal["error", "warning", "note"]
Verdict = Literal["legal", "illegal", "undetermined", "malformed"]
Reached = Literal["win", "loss", "stuck", "unfinished"]

Change = tuple[tuple[str, str], ...]
"""Rulings with another option each."""

NOTATION = "CGN"
"""The code of every diagnostic that is about the notation and not about a clause."""


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True):
    """One finding: a clause that is broken (error), a doubt (warning) or a remark (note).

    `code` is a clause id or `NOTATION`. `turn` counts by place, 0 is the set-up, None for the notation. `span` is the
    place in the game's own text. `rulings` names those that the finding hangs on: under another option of theirs it
    would not stand. `mends` are such changes, where they are known: each of them by itself does.
    """

    code: str
    severity: Severity
    turn: int | None
    span: Span
    message: str
    rulings: tuple[str, ...] = ()
    mends: tuple[Change, ...] = ()
