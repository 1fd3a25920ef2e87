"""The list of moves: every turn as recorded and as everybody saw it, with its verdict."""

from __future__ import annotations

from typing import Any

import msgspec

from couperation_formal.analysis.verify import Report
from couperation_formal.model.record import Game
from couperation_formal.notation.write import turn_text
from couperation_formal.report.html.words import public_turn, turn_words
from couperation_formal.words.text import safe


class Row(msgspec.Struct, frozen=True):
    """One line of the list of moves. `sign` and `verdict` say the same, once as a glyph."""

    turn: int
    player: str
    text: str
    sign: str
    verdict: str
    judged: bool


def turns_of(game: Game) -> list[dict[str, Any]]:
    """Every turn of the record: its text and words, as recorded and as everybody saw it, and the recorder's remark."""
    remarks = _remarks(game)
    players = game.record.players
    found = []
    for at, turn in enumerate(game.record.turns, 1):
        seen = public_turn(turn)
        entry: dict[str, Any] = {
            "player": players.index(turn.player) if turn.player in players else -1,
            "name": safe(turn.player),
            "text": _text(turn_text(turn)),
            "words": turn_words(turn),
        }
        if seen != turn:
            entry |= {"public_text": _text(turn_text(seen)), "public_words": turn_words(seen)}
        if at in remarks:
            entry["remark"] = remarks[at]
        found.append(entry)
    return found


def rows_of(report: Report, game: Game) -> list[Row]:
    """The set-up and every turn with its verdict."""
    marked: dict[int, str] = {}
    for found in report.diagnostics:
        if found.turn is not None:
            known = marked.get(found.turn)
            marked[found.turn] = "error" if "error" in (known, found.severity) else found.severity
    errors = [found for found in report.diagnostics if found.severity == "error"]
    codes = {found.turn: found.code for found in reversed(errors)}
    rows = []
    entries = [("", "Set-up"), *((safe(turn.player), _text(turn_text(turn))) for turn in game.record.turns)]
    for turn, (player, text) in enumerate(entries):
        judged = turn < len(report.states) and (report.turn is None or turn < report.turn)
        sign, verdict = ("✓", "Keeps the rules.") if judged else ("", "Not judged.")
        if marked.get(turn) == "error":
            sign, verdict = "✗", f"Breaks {codes[turn]}."
        elif marked.get(turn) == "warning":
            sign, verdict = "!", "Keeps the rules, with a warning."
        elif marked.get(turn) == "note" and report.verdict == "undetermined":
            sign, verdict = "?", "The record does not show enough to tell."
        elif marked.get(turn) == "note":
            sign, verdict = "·", "Has a part in what cannot all hold."
        rows.append(Row(turn, player, text, sign, verdict, judged or report.turn == turn))
    return rows


def _remarks(game: Game) -> dict[int, str]:
    """The recorder's comments by the turn on whose line they stand."""
    layout = game.layout
    first = len(layout.tags) + len(layout.lines)
    found: dict[int, list[str]] = {}
    for comment in layout.comments:
        turn = comment.item - first + 1
        if comment.slot >= 0 and 1 <= turn <= len(game.record.turns):
            found.setdefault(turn, []).append(safe(" ".join(comment.text.strip(";{} \n").split())))
    return {turn: " · ".join(texts) for turn, texts in found.items()}


def _text(turn: str) -> str:
    """A turn as CGN without its number and player."""
    return safe(turn.split(" ", 2)[2])
