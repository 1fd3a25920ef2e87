"""The JSON forms of `check` and `moves`, and what they are made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from couperation_formal.analysis.verify import Report
from couperation_formal.answers.base import CardData as CardData, Data as Data, Natural as Natural, Positive as Positive
from couperation_formal.answers.place import Source, place_of, source_of
from couperation_formal.answers.provisos import ProvidedData, provided_data
from couperation_formal.game.diagnostic import Diagnostic, Reached, Result, Severity, Verdict
from couperation_formal.game.record import Exchange, Game, LayDown, LayUp, Open
from couperation_formal.game.rules.moves import Move, Moves
from couperation_formal.game.tower import FinishCard, Shown, UnseenCard
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.notation.write import action_text, record_text
from couperation_formal.words.say import encodable


class DiagnosticData(Data, frozen=True, kw_only=True):
    """One finding. Lines and columns count from 1, columns in characters; the end is excluded. The clause hangs on
    `rulings`; `legal_with` are the smallest changes that make the whole turn legal, as far as that is sure.
    """

    code: str
    severity: Severity
    turn: Natural | None
    line: Positive
    column: Positive
    end_line: Positive
    end_column: Positive
    message: str
    rulings: tuple[str, ...]
    legal_with: tuple[dict[str, str], ...]


class PartData(Data, frozen=True, kw_only=True):
    """A part of a conflict: what a clause asks at a turn."""

    turn: Natural
    code: str
    asks: str


class ConflictData(Data, frozen=True, kw_only=True):
    """What cannot all hold in an illegal record with unseen cards; `least`: each part is needed."""

    parts: tuple[PartData, ...]
    least: bool


class CorrectData(Data, frozen=True, kw_only=True):
    """The fewest lines to correct: turns by place, other lines by their first words; null where none will do. Where
    `complete` is false the budget ended first.
    """

    lines: tuple[Natural | str, ...] | None
    complete: bool


class StatisticsData(Data, frozen=True, kw_only=True):
    """How many games have each verdict, and in how many each clause is broken first, the most frequent first."""

    games: Natural
    verdicts: dict[Verdict, Positive]
    clauses: dict[str, Positive]


def statistics_data(verdicts: Mapping[Verdict, int], clauses: Mapping[str, int]) -> StatisticsData:
    """The counts of one run. Clauses with the same count stand in the order of their ids."""
    ordered = sorted(clauses.items(), key=lambda each: (-each[1], each[0]))
    return StatisticsData(games=sum(verdicts.values()), verdicts=dict(verdicts), clauses=dict(ordered))


class CheckData(Data, frozen=True, kw_only=True):
    """The verdict on one game. `codes` are the clauses that the illegal turn breaks, the error's first, then those of
    its notes; empty unless the game is illegal. `results` are those that a legal game may have, in all that it does not
    show; of several `result` is undetermined. A note END02 or END03 tells by what a legal game was lost. `world` is a
    game that shows everything and makes this one legal, `conflict` what makes it illegal, both null where the record
    itself shows it; `correct` and `provided` are null unless they were asked for, `provided` also where what the record
    shows suffices.
    """

    file: str
    game: Positive
    event: str | None
    rules: str | None
    variant: Literal["first", "finish"] | None
    verdict: Verdict
    result: Result | None
    results: tuple[Reached, ...]
    turn: Natural | None
    codes: tuple[str, ...]
    diagnostics: tuple[DiagnosticData, ...]
    world: str | None
    conflict: ConflictData | None
    correct: CorrectData | None
    provided: ProvidedData | None
    format: Literal[1]


class LayUpData(Data, frozen=True, kw_only=True, tag_field="action", tag="A"):
    """Action A: `card` is laid up on `cell`."""

    text: str
    cell: str
    card: CardData


class LayDownData(Data, frozen=True, kw_only=True, tag_field="action", tag="B"):
    """Action B: `card` is laid down on `cell`."""

    text: str
    cell: str
    card: CardData


class OpenData(Data, frozen=True, kw_only=True, tag_field="action", tag="C"):
    """Action C: the down card on `cell` is turned up."""

    text: str
    cell: str


class ExchangeData(Data, frozen=True, kw_only=True, tag_field="action", tag="D"):
    """Action D: `taken` is laid on `cell`, in place of a laid card where `replacing`."""

    text: str
    cell: str
    taken: CardData
    sent: tuple[CardData, CardData]
    destroyed: tuple[CardData, ...]
    face_up: bool
    replacing: bool


ActionData = LayUpData | LayDownData | OpenData | ExchangeData


class MovesData(Data, frozen=True, kw_only=True):
    """The legal actions of one turn; `complete` is false where unseen cards may allow more, and `could` is then where
    one of the hand could be laid: a card that the table shows nowhere fits there. The formulas
    (`--engine spec`) list neither.
    """

    file: str
    game: Positive
    turn: Positive
    player: str
    complete: bool
    actions: tuple[ActionData, ...]
    could: tuple[ActionData, ...]
    format: Literal[1]


def tag_of(item: Item, name: str) -> str | None:
    """The value of a tag of a game or a position; of a malformed game only the Event is known."""
    if isinstance(item, Malformed):
        return item.event if name == "Event" else None
    return item.record.tag(name) if isinstance(item, Game) else item.position.tag(name)


def report_data(report: Report) -> CheckData:
    """The report as `check --output-format json` writes it. Cost: for each diagnostic linear in the text before it."""
    item = report.item
    source = source_of(item)
    return CheckData(
        file=encodable(item.file),
        game=item.index,
        event=tag_of(item, "Event"),
        rules=None if report.rules is None else encodable(str(report.rules)),
        variant=None if report.game is None else report.game.record.variant,
        verdict=report.verdict,
        result=report.result,
        results=report.results,
        turn=report.turn,
        codes=_codes(report),
        diagnostics=tuple(diagnostic_data(found, source) for found in report.diagnostics),
        world=None if report.world is None else encodable(record_text(report.world)),
        conflict=_conflict(report),
        correct=None if report.correct is None else CorrectData(lines=_lines(report), complete=report.correct.complete),
        provided=provided_data(report.provided),
        format=1,
    )


def _codes(report: Report) -> tuple[str, ...]:
    broken = (found for found in report.diagnostics if found.severity != "warning" and found.turn == report.turn)
    return tuple(dict.fromkeys(found.code for found in broken)) if report.verdict == "illegal" else ()


def _lines(report: Report) -> tuple[int | str, ...] | None:
    if report.correct is None or report.correct.lines is None:
        return None
    return tuple(line if isinstance(line, int) else encodable(line) for line in report.correct.lines)


def _conflict(report: Report) -> ConflictData | None:
    if report.conflict is None:
        return None
    parts = [PartData(turn=turn, code=code, asks=encodable(asks)) for turn, code, asks in report.conflict.parts]
    return ConflictData(parts=tuple(parts), least=report.conflict.least)


def diagnostic_data(found: Diagnostic, source: Source) -> DiagnosticData:
    """One finding, with its place in the file."""
    place = place_of(source, found.span)
    return DiagnosticData(
        code=found.code,
        severity=found.severity,
        turn=found.turn,
        line=place.line,
        column=place.column,
        end_line=place.end_line,
        end_column=place.end_column,
        message=found.message,
        rulings=found.rulings,
        legal_with=tuple(map(dict, found.legal_with)),
    )


def moves_data(game: Game, turn: int, moves: Moves) -> MovesData:
    """The legal actions in turn `turn` of a game as `moves --output-format json` writes them."""
    players = game.record.players
    return MovesData(
        file=encodable(game.file),
        game=game.index,
        turn=turn,
        player=players[(turn - 1) % len(players)],
        complete=moves.complete,
        actions=tuple(_action(move) for move in moves.actions),
        could=tuple(_action(move) for move in moves.could),
        format=1,
    )


def _action(move: Move) -> ActionData:
    text, cell = action_text(move), str(move.cell)
    if isinstance(move, LayUp):
        return LayUpData(text=text, cell=cell, card=_card(move.card))
    if isinstance(move, LayDown):
        return LayDownData(text=text, cell=cell, card=_card(move.card))
    if isinstance(move, Open):
        return OpenData(text=text, cell=cell)
    return _exchange(move, text)


def _exchange(move: Exchange, text: str) -> ExchangeData:
    return ExchangeData(
        text=text,
        cell=str(move.cell),
        taken=_card(move.taken),
        sent=(_card(move.first), _card(move.second)),
        destroyed=tuple(_card(card) for _, card in move.adjust),
        face_up=move.face_up,
        replacing=move.replaced is not None,
    )


def _card(card: Shown) -> CardData:
    if isinstance(card, FinishCard):
        return "F"
    return "?" if isinstance(card, UnseenCard) else card


def schema(form: type[Data]) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of a form; the files in `schema/` hold these."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **configurable(msgspec.json.schema(form), form)}


def configurable(found: dict[str, Any], *forms: type[Data]) -> dict[str, Any]:
    """A schema in which objects of these forms may name the configuration that was used. Its descriptions are without
    the source's indentation, which Python keeps up to 3.12 only.
    """
    from inspect import cleandoc

    for part in found["$defs"].values():
        if "description" in part:
            part["description"] = cleandoc(part["description"])
    for form in forms:
        found["$defs"][form.__name__]["properties"]["configuration"] = {"type": "string"}
    return found
