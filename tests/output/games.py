"""Games that the report tests are about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from couperation_formal.game.rulings import Rules
from couperation_formal.notation.read import Item, read, read_text
from couperation_formal.output.report import Report
from couperation_formal.questions.records.check import check

DATA = Path(__file__).parent.parent / "data"
GAMES = sorted((DATA / "games").glob("*.cgn"))
POSITIONS = sorted((DATA / "positions").glob("*.cgn"))
EXPECTED: dict[str, Any] = json.loads((DATA / "games" / "expected.json").read_text())

HEAD = """\
[CGN "1"]
[Players "Aki Ben"]
deal Aki 17 30 44
deal Ben 22 9 3
reserve 1 50 12 33 40 7
"""


def item(text: str, file: str = "game.cgn") -> Item:
    (found,) = read_text(text, file)
    return found


def report(text: str, file: str = "game.cgn", rules: Rules | None = None) -> Report:
    return check(item(text, file), rules)


def report_of(path: Path) -> Report:
    (found,) = read(path)
    return check(found)
