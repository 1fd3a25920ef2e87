"""The answers on tables for people: lines that can be played, reasons that can be checked by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from couperation_formal.analysis.table_answer import TableAnswer, world_position
from couperation_formal.analysis.table_deadlock import TableScan
from couperation_formal.analysis.table_moves import Judged, Prospect
from couperation_formal.continuation.answer import Answer, Dead, Unknown, Won
from couperation_formal.model.budget import in_words
from couperation_formal.model.cards import Mark
from couperation_formal.model.record import Position
from couperation_formal.notation.write import action_text
from couperation_formal.report.answers_full import BAD, GOOD, OPEN, header, rows, title, when
from couperation_formal.report.table import table
from couperation_formal.report.table_answers import (
    differences,
    judged_data,
    reasons_of,
    table_complete_data,
    table_deadlock_data,
    told,
)
from couperation_formal.report.table_forms import JudgedData, SavingData, SummaryData, TableDeadlockData
from couperation_formal.report.text import Piece, safe


def table_complete_full(found: TableAnswer) -> list[Piece]:
    """The table, and a line that wins from it, or why none does, or the budget that ran out."""
    position, answer = found.at.position, found.answer
    pieces = [*header(found.at), *table(position), ("\n", "")]
    if isinstance(answer, Won):
        line = table_complete_data(found).line or ()
        pieces += [("completable", GOOD), (f": these {_turns(len(line))} win\n\n", ""), *_played(line)]
        return [*pieces, *_assumed(position, answer)]
    if isinstance(answer, Dead):
        return [*pieces, ("deadlocked", BAD), (": no legal continuation wins\n", ""), *_why(answer)]
    return [*pieces, ("undetermined", OPEN), (f": {_ran_out(answer)}\n", "")]


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"


def _played(line: Sequence[str]) -> Iterator[Piece]:
    yield from ((f"  {safe(turn)}\n", "") for turn in line)


def _assumed(position: Position, answer: Won) -> Iterator[Piece]:
    """What the line takes for granted: marks, and cards that the position does not show."""
    marks = {str(value): mark for value, mark in sorted(answer.assumed_marks.items())}
    unseen = differences(position, world_position(position, answer))
    if marks or unseen:
        yield ("\nwhat the position does not show is assumed to be:\n", "")
    if marks:
        yield (f"  marks: {_marks(marks)}\n", "")
    yield from ((f"  {safe(name)}: {cards}\n", "") for name, cards in unseen)


def _marks(marks: dict[str, Mark]) -> str:
    return " ".join(f"{value}:{mark}" for value, mark in marks.items())


def _why(answer: Dead) -> Iterator[Piece]:
    """The reason, and where it is proved."""
    yield (f"\n{told(answer)}\n", "")
    for reason in reasons_of(answer):
        digest = f", digest {reason.digest}" if reason.digest else ""
        yield (f"({reason.kind}: {reason.theorem}{digest})\n", "dim")
    if not answer.checked:
        yield ("This search is too large for the independent checker to repeat.\n", "")


def _ran_out(answer: Unknown) -> str:
    spare = "1 card" if answer.bound == 1 else f"{answer.bound} cards"
    bound = f"at most {spare} may be spent beyond one for each empty cell"
    if answer.spent < answer.limit:
        return f"the up cards that are not seen can have too many numbers to be searched; {bound}"
    return f"the budget of {in_words(answer.limit)} is spent, and neither a line nor a proof was found; {bound}"


def table_deadlock_full(found: TableScan) -> list[Piece]:
    """The first dead position, the turn that killed it, why, and what could have been played instead."""
    data, position = table_deadlock_data(found), found.positions[-1]
    last = len(found.positions) - 1
    pieces = title(found.game.file, found.game.index, f"{last} turn{'' if last == 1 else 's'}", position)
    if found.dead is None:
        return [*pieces, *_not_dead(found, data, last)]
    pieces += [("deadlocked", BAD), (f": from {when(found.dead)} on no continuation wins\n", "")]
    if found.open is not None:
        pieces += [(f"{_open(found.open)}; {_known_alive(found)}\n", "")]
    if data.laid is not None:
        which = "the turn" if found.open is None else "known dead after"
        pieces += [(f"{which}: ", "bold"), (f"{safe(data.laid)}\n", "")]
    answer = found.answers.get(found.dead)
    if isinstance(answer, Dead):
        pieces += _why(answer)
    else:
        pieces += [(f"\nthe game ended with this turn: {found.result}\n", "")]
    if data.saving is not None:
        pieces += [("\n", ""), *_saving(data.saving, data)]
    return pieces if data.line is None else [*pieces, *_line(found, data)]


def _not_dead(found: TableScan, data: TableDeadlockData, last: int) -> Iterator[Piece]:
    if data.verdict == "undetermined":
        answer = found.answers.get(last)
        yield ("undetermined", OPEN)
        yield (f": {_ran_out(answer) if isinstance(answer, Unknown) else 'the budget ran out'}\n", "")
        if found.open is not None:
            yield (f"{_open(found.open)}; {_known_alive(found)}\n", "")
    else:
        yield ("completable", GOOD)
        yield (": the game is won\n" if data.result == "win" else ": alive to the end\n", "")
    if data.line is not None and data.result is None:
        yield from _line(found, data)


def _open(ends: tuple[int, int]) -> str:
    first, last = ends
    span = f"after {when(first)}" if first == last else f"from {when(first)} to {when(last)}"
    return f"{span} it is not known whether the table was dead: the budget ran out"


def _known_alive(found: TableScan) -> str:
    return "no turn is known to be alive" if found.alive is None else f"it was alive after {when(found.alive)}"


def _line(found: TableScan, data: TableDeadlockData) -> Iterator[Piece]:
    """The line from the last alive position."""
    yield (f"\nafter {when(found.alive or 0)} this would have won:\n" if found.dead is not None else "\n", "")
    yield from _played(data.line or ())
    answer = found.answers[found.alive or 0]
    if isinstance(answer, Won):
        yield from _assumed(found.positions[found.alive or 0], answer)


def _saving(saving: Sequence[SavingData], data: TableDeadlockData) -> Iterator[Piece]:
    more = "" if data.complete else " (unseen cards may allow more)"
    if data.undecided:
        more += f"; of {len(data.undecided)} more it is not known"
    if not saving:
        yield (f"no legal action after the draw of this turn keeps the table alive{more}\n", "")
        return
    some = "1 legal action" if len(saving) == 1 else f"{len(saving)} legal actions"
    yield (f"{some} after the draw of this turn would have kept the table alive{more}:\n", "")
    yield from ((f"  {line}\n", "") for line in rows([each.action for each in saving]))


def table_moves_full(found: Prospect, judged: Sequence[Judged]) -> list[Piece]:
    """The actions that keep the table alive, each with its line; those of which it is not known; those that kill it,
    with why.
    """
    data = {id(each): judged_data(each) for each in judged}
    pieces: list[Piece] = []
    for each in judged:
        shown = data[id(each)]
        style = {"alive": GOOD, "dead": BAD, "undetermined": OPEN}[each.verdict]
        pieces += [(f"{each.verdict:12}", style), (f"  {action_text(each.action)}\n", ""), *_consequence(each, shown)]
    count = {verdict: sum(each.verdict == verdict for each in judged) for verdict in ("alive", "dead", "undetermined")}
    some = "1 legal action" if len(judged) == 1 else f"{len(judged)} legal actions"
    more = "" if found.chance.moves.complete else " with the cards that the record shows; unseen cards may allow more"
    if not found.chance.moves.told:
        more = "; the budget ended before all were found"
    tally = ", ".join(f"{number} {verdict}" for verdict, number in count.items())
    return [*pieces, (f"turn {found.turn}, {safe(found.player)}: {some}{more}: {tally}\n", "bold")]


def _consequence(judged: Judged, data: JudgedData) -> Iterator[Piece]:
    if data.line is not None:
        yield from ((f"    {safe(turn)}\n", "dim") for turn in data.line)
        if data.assumed_marks:
            yield (f"    with the marks {_marks(data.assumed_marks)}\n", "dim")
    elif data.budget is not None:
        yield (f"    {data.budget.spent:,} of {in_words(data.budget.limit)} were taken\n", "dim")
    else:
        seen: set[str] = set()
        for end in judged.ends:
            text = _first_of_kind(end.answer, seen)
            if text is not None:
                yield (f"    {text}\n", "dim")
        if not judged.ends:
            yield ("    the game is lost with this action\n", "dim")


def _first_of_kind(answer: Answer, seen: set[str]) -> str | None:
    kinds = {reason.kind for reason in reasons_of(answer)} - seen
    if not kinds or not isinstance(answer, Dead):
        return None
    seen |= kinds
    return told(answer)


def summary_full(data: SummaryData) -> list[Piece]:
    """The summary of several games as a small table."""
    rows_ = [("games", data.games), ("alive to the end", data.alive), ("dead", data.dead)]
    rows_ += [("undetermined", data.undetermined)]
    rows_ += [("dead, killing turn not certain", data.inexact)] if data.inexact else []
    rows_ += [("dead, proof not checked", data.unchecked)] if data.unchecked else []
    pieces = [("summary\n", "bold"), *_two_columns([(name, str(count)) for name, count in rows_])]
    if data.turns:
        turns = [("the deal" if turn == "0" else f"turn {turn}", "#" * count) for turn, count in data.turns.items()]
        pieces += [("\nfirst dead after\n", "bold"), *_two_columns(_bars(turns))]
    if data.reasons:
        reasons = [(kind, str(count)) for kind, count in data.reasons.items()]
        pieces += [("\nreasons\n", "bold"), *_two_columns(reasons)]
    return pieces


def _bars(turns: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Bars of so many signs, short enough for a line."""
    return [(name, f"{len(bar):4} {bar[:60]}") for name, bar in turns]


def _two_columns(lines: Sequence[tuple[str, str]]) -> Iterator[Piece]:
    width = max(len(name) for name, _ in lines)
    yield from ((f"  {name:{width}}  {text}\n", "") for name, text in lines)
