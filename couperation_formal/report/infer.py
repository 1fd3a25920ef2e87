"""What `infer` writes: the marks that records force, as JSON and for people."""

from __future__ import annotations

from typing import Literal

from couperation_formal.analysis.infer import Marks
from couperation_formal.model.cards import Mark
from couperation_formal.report.data import Data, Natural, Positive
from couperation_formal.report.text import Piece, encodable, safe
from couperation_formal.smt.infer import Known, Place

_WORDS: dict[Mark, str] = {"1": "one diamond", "2": "two diamonds", "H": "a heart"}


class GameData(Data, frozen=True, kw_only=True):
    """A game of a file."""

    file: str
    game: Positive


class IllegalData(Data, frozen=True, kw_only=True):
    """A game that is illegal by itself, at this turn by place; it takes no part."""

    file: str
    game: Positive
    turn: Natural


class SourceData(Data, frozen=True, kw_only=True):
    """A clause at a turn of a game that rules a mark out, together with the others named."""

    file: str
    game: Positive
    turn: Natural
    code: str


class KnownData(Data, frozen=True, kw_only=True):
    """What is left for the mark of a card."""

    card: Positive
    marks: tuple[Mark, ...]
    certain: bool
    sources: tuple[SourceData, ...]


class InferData(Data, frozen=True, kw_only=True):
    """The answer for all games together.

    `clash` are games that cannot all be right, `odd` those that restore agreement when one of them is left out; `marks`
    is null where the games do not agree, and where the budget ended first (`complete` false).
    """

    games: Natural
    illegal: tuple[IllegalData, ...]
    clash: tuple[GameData, ...]
    odd: tuple[GameData, ...]
    marks: tuple[KnownData, ...] | None
    complete: bool
    format: Literal[1]


def infer_data(found: Marks) -> InferData:
    """The answer as `infer --output-format json` writes it."""
    answer = found.answer
    return InferData(
        games=len(found.games),
        illegal=tuple(
            IllegalData(file=_file(found, i), game=found.games[i].index, turn=turn) for i, turn in answer.illegal
        ),
        clash=tuple(GameData(file=_file(found, i), game=found.games[i].index) for i in answer.clash),
        odd=tuple(GameData(file=_file(found, i), game=found.games[i].index) for i in answer.odd),
        marks=None if answer.marks is None else tuple(_known(found, known) for known in answer.marks),
        complete=answer.complete,
        format=1,
    )


def _file(found: Marks, record: int) -> str:
    return encodable(found.games[record].file)


def _known(found: Marks, known: Known) -> KnownData:
    sources = tuple(
        SourceData(
            file=_file(found, place.record),
            game=found.games[place.record].index,
            turn=place.turn,
            code=place.clause,
        )
        for place in known.sources
    )
    return KnownData(card=known.card, marks=known.marks, certain=known.certain, sources=sources)


def infer_full(found: Marks) -> list[Piece]:
    """The answer for people: what is certain, what is narrowed down, and the turns behind it."""
    answer = found.answer
    pieces: list[Piece] = []
    for i, turn in answer.illegal:
        pieces += [("illegal", "bold red"), (f": {_name(found, i)} by itself, at turn {turn}; it takes no part\n", "")]
    if answer.clash:
        names = ", ".join(_name(found, i) for i in answer.clash)
        pieces += [("these games cannot all be right", "bold red"), (f": {names}\n", "")]
        odd = [_name(found, i) for i in answer.odd]
        text = f"without {' or without '.join(odd)} the others agree" if odd else "no single game's removal mends it"
        return [*pieces, (f"  {text}\n", "")]
    if answer.marks is None:
        return [*pieces, ("undetermined", "bold yellow"), (": the budget is spent\n", "")]
    for known in answer.marks:
        style = "bold green" if known.certain else "bold cyan"
        words = " or ".join(_WORDS[mark] for mark in known.marks)
        pieces += [(f"{known.card:>3}", style), (f" bears {words}\n", "")]
        pieces += [(f"      {line}\n", "") for line in _sources(found, known.sources)]
    certain = sum(known.certain for known in answer.marks)
    narrowed = len(answer.marks) - certain
    games = len(found.games) - len(answer.illegal)
    text = f"{certain} certain, {narrowed} narrowed down by {games} game{'' if games == 1 else 's'}\n"
    return [*pieces, (text, "")]


def _sources(found: Marks, sources: tuple[Place, ...]) -> list[str]:
    """A line for each game that has a part in it."""
    lines = []
    for record in sorted({place.record for place in sources}):
        turns: dict[int, list[str]] = {}
        for place in sources:
            if place.record == record and place.clause not in turns.setdefault(place.turn, []):
                turns[place.turn].append(place.clause)
        said = ", ".join(
            f"{'set-up' if turn == 0 else f'turn {turn}'} ({' '.join(codes)})" for turn, codes in turns.items()
        )
        lines.append(f"{_name(found, record)}: {said}")
    return lines


def _name(found: Marks, record: int) -> str:
    game = found.games[record]
    return f"{safe(game.file)} game {game.index}"
