"""The games of many files, one line of JSON each, as fast as the rules are asked: the work of a process of its own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from couperation_formal.board.record import outline
from couperation_formal.game.record import Game
from couperation_formal.notation.read import Item, Malformed, read
from couperation_formal.output.clauses import complaint
from couperation_formal.questions.records.check import check
from couperation_formal.words.say import phrase

MOST = 200
"""So many games of a file are told."""


def run() -> None:
    """Read names and paths from the input, as JSON, and tell the games of each; whoever reads them may leave."""
    try:
        for name, path in json.load(sys.stdin):
            for row in rows(Path(path)):
                print(json.dumps({"file": name, **row}), flush=True)
    except BrokenPipeError:
        os._exit(1)  # nobody is there to whom the rest could be told


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """A row for each game of a file, none where it is not there yet; then one with `more` where it has more than are
    told, or `said` why none is.
    """
    try:
        for item in read(path):
            if item.index > MOST:
                yield {"more": MOST}
                return
            yield row(item)
    except FileNotFoundError:
        return
    except OSError as error:
        yield {"said": phrase("cannot_read", file=path.name, why=error.strerror or str(error))}


def row(item: Item) -> dict[str, Any]:
    """What is told of one game: the verdict as far as the cards are known, with the result or the first error."""
    if isinstance(item, Malformed):
        return outline(item) | {"verdict": "malformed", "said": item.diagnostics[0].message}
    if not isinstance(item, Game):
        return outline(item) | {"verdict": "position", "said": ""}
    report = check(item, None, "plain")
    why = "" if report.error is None else f" {complaint(report.error, item)}"
    return outline(item) | {"verdict": report.verdict, "said": report.words + why}
