"""From answers at the table level to their JSON forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from couperation_formal.analysis.table_answer import TableAnswer, line_from, world_position
from couperation_formal.analysis.table_deadlock import TableScan
from couperation_formal.analysis.table_moves import Judged, Prospect
from couperation_formal.answers.table_forms import (
    BudgetData,
    JudgedData,
    SavingData,
    SizesData,
    SummaryData,
    TableCompleteData,
    TableDeadlockData,
    TableMovesData,
    TableReasonData,
)
from couperation_formal.answers.towers import Answered
from couperation_formal.game.record import Position, Turn
from couperation_formal.game.tower import Mark
from couperation_formal.notation.write import action_text, position_text, turn_text
from couperation_formal.towers.continuation.answer import Answer, Dead, Exhausted, Unknown, Won
from couperation_formal.towers.continuation.theorems import Reason
from couperation_formal.words.say import encodable


def table_complete_data(found: TableAnswer) -> TableCompleteData:
    """The answer as `complete --level table --output-format json` writes it."""
    at, answer = found.at, found.answer
    won = isinstance(answer, Won)
    return TableCompleteData(
        file=encodable(at.file),
        game=at.index,
        turn=at.turn,
        verdict=verdict_of(answer),
        level="table",
        line=lines(line_from(answer, at.turn)) if won else None,
        assumed_marks=marks_of(answer),
        world=encodable(position_text(world_position(at.position, answer))) if isinstance(answer, Won) else None,
        checked=checked(answer),
        budget=budget_of(answer),
        reasons=reasons_of(answer),
        format=1,
    )


def table_deadlock_data(found: TableScan) -> TableDeadlockData:
    """The answer as `deadlock --level table --output-format json` writes it."""
    dead, alive = found.dead, found.alive
    end = len(found.positions) - (2 if found.result == "win" else 1)
    last = found.answers.get(end if dead is None else dead)
    shown = None if alive is None else found.answers.get(alive)
    record, judged = found.game.record, found.alternatives
    saving = tuple(
        SavingData(action=action_text(each.action), line=lines(each.line or ()))
        for each in judged
        if each.verdict == "alive"
    )
    exact = bool(dead) and alive == (dead or 0) - 1
    return TableDeadlockData(
        file=encodable(found.game.file),
        game=found.game.index,
        verdict=scan_verdict(found),
        level="table",
        result=found.result,
        turn=dead,
        alive=alive,
        laid=encodable(turn_text(record.turns[dead - 1])) if dead else None,
        reasons=scan_reasons(found),
        line=lines(line_from(shown, alive)) if isinstance(shown, Won) else None,
        assumed_marks={} if shown is None else marks_of(shown),
        saving=saving if exact else None,
        undecided=tuple(action_text(each.action) for each in judged if each.verdict == "undetermined"),
        complete=found.complete,
        illegal=None if found.illegal is None else found.illegal.turn,
        checked=None if last is None else checked(last),
        budget=None if last is None else budget_of(last),
        format=1,
    )


def scan_verdict(found: TableScan) -> Answered:
    """The answer on the record's end."""
    if found.dead is not None:
        return "deadlocked"
    return "completable" if found.alive == len(found.positions) - 1 else "undetermined"


def scan_reasons(found: TableScan) -> tuple[TableReasonData, ...]:
    """Why the first dead position is dead; the game's end where the game was lost."""
    if found.dead is None:
        return ()
    answer = found.answers.get(found.dead)
    if answer is not None:
        return reasons_of(answer)
    return (_plain("stuck", "END03") if found.result == "stuck" else _plain("loss", "END02"),)


def table_moves_data(found: Prospect, judged: Sequence[Judged]) -> TableMovesData:
    """The judged actions as `moves --alive --output-format json` writes them, in the order of the turn's actions."""
    place = found.chance.moves.actions.index
    return TableMovesData(
        file=encodable(found.game.file),
        game=found.game.index,
        turn=found.turn,
        player=encodable(found.player),
        level="table",
        complete=found.chance.moves.complete,
        actions=tuple(map(judged_data, sorted(judged, key=lambda each: place(each.action)))),
        format=1,
    )


def judged_data(found: Judged) -> JudgedData:
    """One action with what it makes of the table."""
    answers = [end.answer for end in found.ends]
    won = next((answer for answer in answers if isinstance(answer, Won)), None)
    unknown = [answer for answer in answers if isinstance(answer, Unknown)]
    bound = max((each.bound for each in unknown), default=0)
    spent = BudgetData(spent=found.spent, limit=found.limit, bound=bound, sizes=())
    dead = found.verdict == "dead"
    return JudgedData(
        text=action_text(found.action),
        verdict=found.verdict,
        line=None if found.line is None else lines(found.line),
        assumed_marks={} if won is None else marks_of(won),
        checked=None if found.verdict == "undetermined" else all(checked(answer) is not False for answer in answers),
        budget=spent if found.verdict == "undetermined" else None,
        reasons=(_each_kind(answers) or (_plain("loss", "END02"),)) if dead else (),
    )


def _each_kind(answers: Iterable[Answer]) -> tuple[TableReasonData, ...]:
    kinds: dict[str, TableReasonData] = {}
    for answer in answers:
        for reason in reasons_of(answer):
            kinds.setdefault(reason.kind, reason)
    return tuple(kinds.values())


def summary_data(games: Sequence[TableDeadlockData]) -> SummaryData:
    """The summary of the games of one run. Turns rise, reasons fall by number, then rise by name."""
    verdicts = Counter(game.verdict for game in games)
    dead = [game for game in games if game.turn is not None]
    turns = Counter(game.turn or 0 for game in dead)
    reasons = Counter(reason.kind for game in dead for reason in game.reasons[:1])
    return SummaryData(
        summary="deadlock",
        level="table",
        games=len(games),
        alive=verdicts["completable"],
        dead=verdicts["deadlocked"],
        undetermined=verdicts["undetermined"],
        turns={str(turn): count for turn, count in sorted(turns.items())},
        reasons=dict(sorted(reasons.items(), key=lambda each: (-each[1], each[0]))),
        unchecked=sum(game.checked is False for game in dead),
        inexact=sum(bool(game.turn) and game.alive != (game.turn or 0) - 1 for game in dead),
        format=1,
    )


def verdict_of(answer: Answer) -> Answered:
    """The answer in the words of the tower level."""
    if isinstance(answer, Won):
        return "completable"
    return "deadlocked" if isinstance(answer, Dead) else "undetermined"


def checked(answer: Answer) -> bool | None:
    """Whether the independent checker can repeat the proof; None without one."""
    if isinstance(answer, Unknown):
        return None
    return answer.checked if isinstance(answer, Dead) else True


def budget_of(answer: Answer) -> BudgetData | None:
    """The budget that ran out, None where it did not."""
    if not isinstance(answer, Unknown):
        return None
    sizes = tuple(
        SizesData(hands={name: len(hand) for name, hand in position.hands.items()}, verdict=verdict_of(own))
        for position, own in answer.each
    )
    return BudgetData(spent=answer.spent, limit=answer.limit, bound=answer.bound, sizes=sizes)


def marks_of(answer: Answer) -> dict[str, Mark]:
    """The marks that a line assumes, values rising."""
    return {str(value): mark for value, mark in sorted(answer.assumed_marks.items())} if isinstance(answer, Won) else {}


def lines(turns: Iterable[Turn]) -> tuple[str, ...]:
    """Turns as CGN."""
    return tuple(encodable(turn_text(turn)) for turn in turns)


def reasons_of(answer: Answer) -> tuple[TableReasonData, ...]:
    """Why no continuation wins; empty for other answers."""
    if not isinstance(answer, Dead):
        return ()
    reason = answer.reason
    if isinstance(reason, Exhausted):
        found = _plain("search", "spec/search.md")
        numbers = {"positions": reason.positions}
        return (msgspec.structs.replace(found, numbers=numbers, reductions=reason.reductions, digest=reason.digest),)
    return (reason_data(reason),)


def reason_data(reason: Reason) -> TableReasonData:
    """A reason with the page that proves it."""
    return TableReasonData(
        kind=reason.kind,
        theorem=f"spec/table.md#{reason.theorem}",
        numbers=dict(reason.numbers),
        cells=tuple(map(str, reason.cells)),
        cards=reason.cards,
        reductions=(),
        digest=None,
    )


def _plain(kind: str, theorem: str) -> TableReasonData:
    return TableReasonData(kind=kind, theorem=theorem, numbers={}, cells=(), cards=(), reductions=(), digest=None)


def assumed_cards(position: Position, answer: Answer) -> list[tuple[str, str, str]]:
    """What a line takes the unseen cards of a position to be: the pile, its owner, the cards there."""
    return _differences(position, world_position(position, answer)) if isinstance(answer, Won) else []


def _differences(before: Position, after: Position) -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = []
    laid = dict(before.tower)
    tower = [f"{card}@{cell}" for cell, card in after.tower if laid[cell] != card]
    rows += [("tower", "", " ".join(tower))] if tower else []
    piles = [("hand", name, before.hands.get(name, ()), hand) for name, hand in after.hands.items()]
    piles += [("reserve", "", before.reserve or (), after.reserve or ()), ("gone", "", before.gone, after.gone)]
    for pile, name, old, new in piles:
        cards = [str(card) for card in new if card not in old]
        rows += [(pile, name, " ".join(cards))] if cards else []
    deck = after.deck or ()
    if deck != (before.deck or ()):
        rows.append(("deck", "", " ".join(map(str, deck))))
    return rows
