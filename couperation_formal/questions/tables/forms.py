"""The JSON forms of `complete`, `deadlock` and `windows`, and what they are made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from couperation_formal.game.record import Outcome, Position, Turn
from couperation_formal.game.tower import Mark, column_name
from couperation_formal.notation.write import action_text, position_text, turn_text
from couperation_formal.output.data import Data, Natural, Positive
from couperation_formal.questions.tables.complete import Completion, Outlook, TableAnswer, line_from, world_position
from couperation_formal.questions.tables.deadlock import Scan, TableScan
from couperation_formal.questions.tables.moves import Judged, Prospect
from couperation_formal.towers.completion.answer import (
    Completable,
    Deadlocked,
    Mended,
    TowerAnswer,
    cells_data,
    filling_data,
    places_data,
)
from couperation_formal.towers.continuation.answer import Answer, Dead, Exhausted, Unknown, Won
from couperation_formal.towers.continuation.theorems import Reason
from couperation_formal.words.say import encodable

Answered = Literal["completable", "deadlocked", "undetermined"]
Level = Literal["tower"]


class IntervalData(Data, frozen=True, kw_only=True, tag_field="kind", tag="interval"):
    """More cells than values: `cells` must all hold a value strictly between `above` and `below`; `left` is what is
    left there.
    """

    above: Natural
    below: Positive
    cells: tuple[str, ...]
    left: tuple[Positive, ...]


class OrderData(Data, frozen=True, kw_only=True, tag_field="kind", tag="order"):
    """Two up cards that disagree; the first cell must hold less than the second."""

    cells: tuple[str, str]


class GoneData(Data, frozen=True, kw_only=True, tag_field="kind", tag="gone"):
    """Disjoint intervals with more cells than values whose cards are in sight; the others, less the unseen gone ones,
    are `missing` too few.
    """

    intervals: tuple[IntervalData, ...]
    missing: Positive


class FinishData(Data, frozen=True, kw_only=True, tag_field="kind", tag="finish"):
    """The Finish card is gone, or lies up on `cell` below the apex."""

    why: Literal["gone", "below_apex"]
    cell: str | None


PlainReason = IntervalData | OrderData | GoneData | FinishData
"""A reason at one place of the columns."""


class PlaceData(Data, frozen=True, kw_only=True):
    """The reason at one place of the columns; `column` is its leftmost one."""

    column: str
    reason: PlainReason


class PlacesData(Data, frozen=True, kw_only=True, tag_field="kind", tag="places"):
    """A reason for each place of the columns that the tower allows, from left to right."""

    places: tuple[PlaceData, ...]


ReasonData = PlainReason | PlacesData


class RepairData(Data, frozen=True, kw_only=True):
    """The fewest up cards that must be given up, by column, then level."""

    distance: Natural
    give_up: tuple[str, ...]


class CompleteData(Data, frozen=True, kw_only=True):
    """Whether a tower is completable. `turn` is None for a position. `checked` is false where the independent checker
    could not repeat the answer within its part of the budget; so in the forms below.

    `filling` holds the cells that were not up; ``F`` is the apex of the variant finish. `repair` is None when nothing
    helps.
    """

    file: str
    game: Positive
    turn: Natural | None
    verdict: Answered
    level: Level
    filling: dict[str, Positive | Literal["F"]] | None
    reason: ReasonData | None
    repair: RepairData | None
    checked: bool
    format: Literal[1]


class DeadlockData(Data, frozen=True, kw_only=True):
    """When a game's tower was deadlocked. `verdict` is that at the record's end; of a deadlocked one `turn` is the
    first of the last stretch of turns, `laid` that turn as CGN (None for the set-up), `reason` why the tower was
    deadlocked after it, and `saving` its legal actions with known cards that keep the tower completable; `complete` is
    false where unseen cards may allow more. Turn `illegal` is the first that is, and only those before it were looked
    at.
    """

    file: str
    game: Positive
    verdict: Answered
    level: Level
    intervals: tuple[tuple[Natural, Natural], ...]
    turn: Natural | None
    laid: str | None
    reason: ReasonData | None
    saving: tuple[str, ...] | None
    complete: bool
    illegal: Positive | None
    checked: bool
    format: Literal[1]


class WindowsData(Data, frozen=True, kw_only=True):
    """What each free cell can still take. `turn` is None for a position.

    `windows` holds the values that some filling puts there, rising. `down` tells for each down card whether it can be
    opened where it lies; of an unseen one, whether some card that it may be could. `places` are the leftmost columns
    with which the tower is completable.
    """

    file: str
    game: Positive
    turn: Natural | None
    level: Level
    windows: dict[str, tuple[Positive, ...]]
    down: dict[str, bool]
    places: tuple[str, ...]
    checked: bool
    format: Literal[1]


def complete_data(found: Completion) -> CompleteData:
    """The answer as `complete --output-format json` writes it."""
    at, answer, places = found.at, found.answer, places_of(found.answer)
    filling = None
    repair: RepairData | None = RepairData(distance=0, give_up=())
    if isinstance(answer, Completable):
        filling = filling_data(at.position, answer.problem, answer.filling)
    else:
        repair = _repair(found.mended)
    return CompleteData(
        file=encodable(at.file),
        game=at.index,
        turn=at.turn,
        verdict=_verdict(answer),
        level="tower",
        filling=filling,
        reason=reason_of(places) if places else None,
        repair=repair,
        checked=True,
        format=1,
    )


def deadlock_data(found: Scan) -> DeadlockData:
    """The answer as `deadlock --output-format json` writes it."""
    turn = found.turn
    return DeadlockData(
        file=encodable(found.game.file),
        game=found.game.index,
        verdict=_verdict(found.answers[-1]),
        level="tower",
        intervals=found.intervals,
        turn=turn,
        laid=turn_text(found.game.record.turns[turn - 1]) if turn else None,
        reason=None if turn is None else reason_of(places_of(found.answers[turn])),
        saving=None if found.saving is None else tuple(action_text(each.action) for each in found.saving),
        complete=found.complete,
        illegal=None if found.illegal is None else found.illegal.turn,
        checked=True,
        format=1,
    )


def windows_data(found: Outlook) -> WindowsData:
    """The answer as `windows --output-format json` writes it."""
    at, windows = found.at, found.windows
    return WindowsData(
        file=encodable(at.file),
        game=at.index,
        turn=at.turn,
        level="tower",
        windows={str(cell): values for cell, values in windows.values.items()},
        down={str(cell): opens for cell, opens in windows.down.items()},
        places=tuple(column_name(left) for left in windows.lefts),
        checked=True,
        format=1,
    )


def _verdict(answer: TowerAnswer) -> Answered:
    return "completable" if isinstance(answer, Completable) else "deadlocked"


def reason_of(places: tuple[PlaceData, ...]) -> ReasonData:
    """The reasons at some places as one."""
    return places[0].reason if len(places) == 1 else PlacesData(places=places)


def places_of(answer: TowerAnswer) -> tuple[PlaceData, ...]:
    """The reason at each place of the columns that a deadlocked tower allows, from left to right; none of another."""
    return msgspec.convert(places_data(answer), tuple[PlaceData, ...]) if isinstance(answer, Deadlocked) else ()


def mended_filling(found: Completion) -> dict[str, Any]:
    """The filling that follows when the cards of the repair are given up; empty where nothing helps."""
    mended = found.mended
    return {} if mended is None else dict(filling_data(found.at.position, mended.problem, mended.repair.filling))


def _repair(mended: Mended | None) -> RepairData | None:
    if mended is None:
        return None
    cells = cells_data(mended.problem, mended.repair.cells)
    return RepairData(distance=len(cells), give_up=tuple(cells))


# The JSON forms of `complete`, `deadlock` and `moves` at the table level.

MoveVerdict = Literal["alive", "dead", "undetermined"]


class TableReasonData(Data, frozen=True, kw_only=True):
    """Why no continuation wins. `theorem` is where the specification proves it; for a game that was lost, the clause.

    `cells` and `cards` are what `numbers` count where single ones can be named. `reductions` and `digest` are those of
    an exhaustive search, which has no others.
    """

    kind: str
    theorem: str
    numbers: dict[str, int]
    cells: tuple[str, ...]
    cards: tuple[Positive, ...]
    reductions: tuple[str, ...]
    digest: str | None


class SizesData(Data, frozen=True, kw_only=True):
    """The answer where the hands whose draws were not noted are of these sizes."""

    hands: dict[str, Natural]
    verdict: Answered


class BudgetData(Data, frozen=True, kw_only=True):
    """A budget that ran out: the steps taken, their limit, and the cards that may still be spent beyond one for each
    empty cell. Where draws were not noted, `sizes` are two whose answers differ.
    """

    spent: Natural
    limit: Natural
    bound: int
    sizes: tuple[SizesData, ...]


class TableCompleteData(Data, frozen=True, kw_only=True):
    """Whether a table can still be won. `turn` is None for a position.

    `line` are the turns of a continuation that wins, numbered on from `turn`, `assumed_marks` the marks that it needs
    and that are not given, `world` the position with a card for each unseen place, from which it is played. `checked`
    tells whether the independent checker can repeat the proof, None without one; `budget` is None unless it ran out.
    """

    file: str
    game: Positive
    turn: Natural | None
    verdict: Answered
    level: Literal["table"]
    line: tuple[str, ...] | None
    assumed_marks: dict[str, Mark]
    world: str | None
    checked: bool | None
    budget: BudgetData | None
    reasons: tuple[TableReasonData, ...]
    format: Literal[1]


class SavingData(Data, frozen=True, kw_only=True):
    """An action that keeps the table alive, and the turns that then win, its own first."""

    action: str
    line: tuple[str, ...]


class TableDeadlockData(Data, frozen=True, kw_only=True):
    """Where a game's table died. `verdict` is that at the record's end, `result` how the game ended.

    `turn` is the first turn after which the table is known to be dead (0: the deal), `alive` the last one after which
    it is known to be alive; what lies between is not known. `laid` is turn `turn` as CGN and `reasons` why it is dead
    after it. `line` are turns that win after turn `alive`, None where the record itself does. `saving` are the actions
    of turn `turn` after its draw that keep the table alive, `undecided` those of which it is not known; `complete` is
    false where unseen cards may allow more. Turn `illegal` is the first that is, and only those before it were looked
    at. `checked` and `budget` are those of the first dead position, or of the end.
    """

    file: str
    game: Positive
    verdict: Answered
    level: Literal["table"]
    result: Outcome | None
    turn: Natural | None
    alive: Natural | None
    laid: str | None
    reasons: tuple[TableReasonData, ...]
    line: tuple[str, ...] | None
    assumed_marks: dict[str, Mark]
    saving: tuple[SavingData, ...] | None
    undecided: tuple[str, ...]
    complete: bool
    illegal: Positive | None
    checked: bool | None
    budget: BudgetData | None
    format: Literal[1]


class JudgedData(Data, frozen=True, kw_only=True):
    """A legal action and what it makes of the table. `line` are the turns that then win, its own first; `reasons` hold
    one for each kind among the choices of cards to destroy. `budget` is that of all actions.
    """

    text: str
    verdict: MoveVerdict
    line: tuple[str, ...] | None
    assumed_marks: dict[str, Mark]
    checked: bool | None
    budget: BudgetData | None
    reasons: tuple[TableReasonData, ...]


class TableMovesData(Data, frozen=True, kw_only=True):
    """The legal actions of one turn, judged; `complete` is false where unseen cards may allow more."""

    file: str
    game: Positive
    turn: Positive
    player: str
    level: Literal["table"]
    complete: bool
    actions: tuple[JudgedData, ...]
    format: Literal[1]


class SummaryData(Data, frozen=True, kw_only=True):
    """Several games together: how many were alive to the end, dead or undetermined there; of the dead ones how many
    first were so after which turn (0: the deal), and the reasons by frequency. `unchecked` are the dead ones whose
    search is too large for the independent checker, `inexact` those whose killing turn is not certain.
    """

    summary: Literal["deadlock"]
    level: Literal["table"]
    games: Natural
    alive: Natural
    dead: Natural
    undetermined: Natural
    turns: dict[str, Positive]
    reasons: dict[str, Positive]
    unchecked: Natural
    inexact: Natural
    format: Literal[1]


# From answers at the table level to their JSON forms.


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
