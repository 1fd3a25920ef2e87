"""The games of many files, one line of JSON each, as fast as the rules are asked: the work of a process of its own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
        lost: dict[str, Any] = {"event": item.event, "players": [], "said": item.diagnostics[0].message}
        return {"index": item.index, "verdict": "malformed", "turns": 0, **lost}
    if not isinstance(item, Game):
        position = item.position
        told = {"event": position.tag("Event"), "players": position.players, "said": ""}
        return {"index": item.index, "verdict": "position", "turns": 0, **told}
    report = check(item, None, "plain")
    error = next((each for each in report.diagnostics if each.severity == "error"), None)
    if error is not None:
        said = phrase("illegal_turn" if report.turn else "illegal_setup", turn=report.turn, clause=error.code)
        said = f"{said} {complaint(error, item)}"
    elif report.verdict == "undetermined":
        said = phrase("not_enough")
    else:
        said = phrase(f"legal_{report.result or 'unfinished'}")
    return {
        "index": item.index,
        "event": item.record.tag("Event"),
        "players": item.record.players,
        "turns": len(item.record.turns),
        "verdict": report.verdict,
        "said": said,
    }
