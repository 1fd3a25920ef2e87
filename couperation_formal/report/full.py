"""The full report for people: what is broken, where, why, and on which ruling it hangs.

A report is a list of pieces, each a text with a style, so that plain output needs no rich.
"""

from __future__ import annotations

from couperation_formal.analysis.verify import Report
from couperation_formal.model.board import Cell
from couperation_formal.model.cards import Down, Laid, Up
from couperation_formal.model.diagnostic import Diagnostic, Severity
from couperation_formal.model.record import Exchange, Game, LayDown, LayUp, Open
from couperation_formal.model.rulings import Rules, registry
from couperation_formal.report.clauses import title_of
from couperation_formal.report.frame import frame
from couperation_formal.report.place import Line, line_at, source_of
from couperation_formal.report.text import Piece, safe
from couperation_formal.report.tower import draw_tower

STYLES: dict[Severity, str] = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}

_DRAWN = ("TOW", "ACT01", "ACT04", "ACT07", "END05")
"""The codes, or their beginnings, that a look at the tower explains."""


def full(report: Report) -> list[Piece]:
    """The full report on one game: a block for each diagnostic, and a line for the verdict unless it is broken."""
    source = source_of(report.item)
    pieces: list[Piece] = []
    drawn = False
    for found in report.diagnostics:
        line = line_at(source, found.span)
        gutter = " " * len(str(line.number))
        pieces += _diagnostic(found, report, line, gutter)
        if not drawn and found.severity == "error" and found.code.startswith(_DRAWN):
            pieces += _tower(report, gutter)
            drawn = True
        pieces += [*_hangs_on(found, report.rules, gutter), ("\n", "")]
    return [*pieces, *_correct(report), *_verdict(report)]


def _correct(report: Report) -> list[Piece]:
    """The lines to correct, where they were asked for."""
    found = report.correct
    if found is None:
        return []
    if not found.complete:
        text = "the budget is spent: which lines a correction needs is open"
    elif found.lines is None:
        text = "no other numbers and marks on a few lines make this game legal; letters, cells, counts and F stay"
    else:
        lines = ", ".join(f"turn {line}" if isinstance(line, int) else safe(line) for line in found.lines)
        text = f"other numbers or marks on {lines} would make this game legal; fewer lines do not"
    return [("help", "bold cyan"), (f": {text}\n\n", "")]


def _diagnostic(found: Diagnostic, report: Report, line: Line, gutter: str) -> list[Piece]:
    where = f"{safe(report.item.file)}:{line.number}:{line.start + 1}  game {report.item.index}"
    if found.turn is not None:
        where += ", set-up" if found.turn == 0 else f", turn {found.turn}"
    title = _title(found, report)
    return [
        (f"{found.severity}[{found.code}]", STYLES[found.severity]),
        (f": {title}\n", "bold"),
        (f"{gutter}--> ", "blue"),
        (f"{where}\n", ""),
        *_frame(found, line, gutter),
        *([] if title == safe(found.message) else _remark(gutter, safe(found.message))),
    ]


def _title(found: Diagnostic, report: Report) -> str:
    if found.severity == "note" and report.verdict == "undetermined":
        return "the record does not show enough to tell"
    return title_of(found.code) or safe(found.message)


def _frame(found: Diagnostic, line: Line, gutter: str) -> list[Piece]:
    shown, indent, width = frame(line)
    return [
        (f"{gutter} |\n{line.number} | ", "blue"),
        (f"{shown}\n", ""),
        (f"{gutter} | ", "blue"),
        (" " * indent, ""),
        ("^" * width + "\n", STYLES[found.severity]),
    ]


def _remark(gutter: str, text: str) -> list[Piece]:
    return [(f"{gutter} = ", "blue"), (f"{text}\n", "")]


def _hangs_on(found: Diagnostic, rules: Rules | None, gutter: str) -> list[Piece]:
    """The options that the finding hangs on, and what would mend it where that is one thing only."""
    if not found.rulings or rules is None:
        return []
    options = ", ".join(f"{name}={rules.rulings.option(name)}" for name in found.rulings)
    other = "other options of these"
    kept = "this would not be said" if found.severity == "warning" else "this turn would keep the clause"
    if len(found.rulings) == 1:
        (name,) = found.rulings
        others = [option for option in registry().rulings[name].option_names() if option != rules.rulings.option(name)]
        other = others[0] if len(others) == 1 else "another option"
    text = f"hangs on: {options} (under {other} {kept})"
    return _remark(gutter, text)


def _tower(report: Report, gutter: str) -> list[Piece]:
    """The tower before the illegal turn, with the card that the turn lays or opens in brackets."""
    game, rules, turn = report.item, report.rules, report.turn
    if not isinstance(game, Game) or rules is None or not turn or turn > len(report.states) + 1:
        return []
    state = report.states[min(turn, len(report.states)) - 1]
    marked, attempt = _attempt(game, turn)
    lines = draw_tower(state.tower, rules.rulings, marked, attempt, state.board)
    caption = f"the tower before turn {turn}" + ("" if marked is None else ", with this turn's card in brackets")
    return [*_remark(gutter, caption), *((f"{gutter}     {line}\n", "") for line in lines)]


def _attempt(game: Game, turn: int) -> tuple[Cell | None, Laid | None]:
    """The cell that a turn acts on, and how the card that it lays there would lie."""
    action = game.record.turns[turn - 1].action
    match action:
        case LayUp(card, cell):
            return cell, Up(card)
        case LayDown(card, cell):
            return cell, Down(card)
        case Exchange():
            return action.cell, Up(action.taken) if action.face_up else Down(action.taken)
        case Open(cell, card):
            return cell, Up(card)
        case _:
            return None, None


def _verdict(report: Report) -> list[Piece]:
    if report.verdict not in ("legal", "undetermined") or not isinstance(report.item, Game):
        return []
    game = report.item
    turns = len(game.record.turns)
    facts = [f"{turns} turn{'' if turns == 1 else 's'}", *([report.result] if report.result else []), str(report.rules)]
    style = "bold green" if report.verdict == "legal" else STYLES["note"]
    return [
        (report.verdict, style),
        (f": {safe(game.file)}  game {game.index}: {', '.join(safe(fact) for fact in facts)}\n", ""),
    ]


def summary(verdicts: dict[str, int]) -> str:
    """``48 games: 17 legal, 31 illegal`` from the number of games with each verdict."""
    games = sum(verdicts.values())
    order = ("legal", "illegal", "undetermined", "malformed")
    counts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in order if verdicts.get(verdict))
    return f"{games} game{'' if games == 1 else 's'}: {counts or 'none'}"
