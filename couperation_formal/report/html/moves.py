"""The list of moves: every turn with its verdict."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from couperation_formal.analysis.verify import Report
from couperation_formal.game.record import Game
from couperation_formal.notation.write import turn_text
from couperation_formal.report.clauses import complaint
from couperation_formal.report.html.words import draw_words, turn_words
from couperation_formal.words.say import phrase, safe, say, spoken


class Row(msgspec.Struct, frozen=True):
    """One line of the list of moves. `sign` and `verdict` say the same, once as a glyph; `shown` tells whether the page
    has a step of it.
    """

    turn: int
    player: str
    text: str
    sign: str
    verdict: str
    shown: bool


class RefusedDraw(NamedTuple):
    """A draw that is refused: the turn by its place, and whether it is that after the action (`fill`)."""

    turn: int
    fill: bool


def refused_draw(report: Report, game: Game) -> RefusedDraw | None:
    """The draw for which a game is refused; None where it is not refused for a draw."""
    error = next((found for found in report.diagnostics if found.severity == "error"), None)
    if error is None or not report.turn or not error.code.startswith("DRW"):
        return None
    return RefusedDraw(report.turn, error.span.start >= game.layout.turns[report.turn - 1].action.start)


def turns_of(game: Game, refused: RefusedDraw | None = None) -> list[dict[str, Any]]:
    """Every turn of the record: its text, its words, the recorder's remark, and the cards of the draw that is refused
    with the words that tell of it.
    """
    remarks, players = _remarks(game), game.record.players
    found = []
    for at, turn in enumerate(game.record.turns, 1):
        entry: dict[str, Any] = {
            "player": players.index(turn.player) if turn.player in players else -1,
            "text": _text(turn_text(turn)),
            "words": say(turn_words(turn, safe(turn.player))),
        }
        if refused is not None and refused.turn == at:
            cards = turn.fill if refused.fill else turn.draw
            entry["refused"] = {"cards": tuple(map(str, cards)), "words": say(draw_words(cards, refused.fill))}
        if at in remarks:
            entry["remark"] = remarks[at]
        found.append(entry)
    return found


def rows_of(report: Report, game: Game, lost: int | None = None) -> list[Row]:
    """The set-up and every turn with its verdict; turn `lost` lost the game."""
    marked = {found.turn: found.severity for found in report.diagnostics}
    errors = {found.turn: found.code for found in reversed(report.diagnostics) if found.severity == "error"}
    ends = {found.turn: complaint(found, game) for found in report.diagnostics if found.code in ("END02", "END03")}
    signs = {"warning": ("!", phrase("keeps_warned")), "note": ("·", phrase("has_part"))}
    if report.verdict == "undetermined":
        signs["note"] = "?", phrase("untold")
    rows = []
    entries = [
        ("", phrase("set_up")),
        *((spoken(safe(turn.player)), _text(turn_text(turn))) for turn in game.record.turns),
    ]
    for turn, (player, text) in enumerate(entries):
        judged = turn < len(report.states) and (report.turn is None or turn < report.turn)
        possible = report.verdict == "legal" or (report.verdict == "illegal" and turn < (report.turn or 0))
        plain = (
            ("✓", phrase("keeps")) if judged else ("✓", phrase("can_keep")) if possible else ("", phrase("not_judged"))
        )
        sign, verdict = signs.get(marked.get(turn, ""), plain)
        here = turn == lost
        said = ends.get(turn, "") if report.verdict == "legal" else ""
        if here or said:
            told = safe(said[:1].upper() + said[1:]) or phrase("fate_lost_short")
            sign, verdict = "†" if here else plain[0], phrase("keeps_told", said=told)
        if turn in errors:
            sign, verdict = "✗", phrase("breaks", clause=errors[turn])
        rows.append(Row(turn, player, text, sign, verdict, judged or report.turn == turn == len(report.states)))
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
