"""The certificate "table deadlocked, by counting"; its format is the specification's, `table.md`."""

from __future__ import annotations

from typing import Any

import msgspec

from couperation_formal.continuation.reasons import Reason
from couperation_formal.model.record import Position
from couperation_formal.notation.write import position_text

Json = dict[str, Any]
"""A JSON object."""


def reason_certificate(position: Position, reason: Reason) -> Json:
    """The certificate that no continuation of `position`, in which somebody is to move, wins, for `reason`."""
    return {
        "format": 1,
        "claim": "table-deadlocked",
        "position": position_text(position),
        "rulings": msgspec.structs.asdict(position.rules.rulings),
        "evidence": reason_data(reason),
    }


def reason_data(reason: Reason) -> Json:
    """A reason as an object with its `kind`, cells by name."""
    return {
        "kind": reason.kind,
        "numbers": dict(reason.numbers),
        "cells": [str(cell) for cell in reason.cells],
        "cards": list(reason.cards),
    }
