"""The JSON form of `infer`: the marks that records force."""

from __future__ import annotations

from typing import Literal

from couperation_formal.analysis.infer import Marks
from couperation_formal.answers.data import Data, Natural, Positive
from couperation_formal.model.cards import Mark
from couperation_formal.smt.infer import MOST, Known
from couperation_formal.words.text import encodable

__all__ = ["MOST", "GameData", "IllegalData", "InferData", "KnownData", "SourceData", "infer_data"]


class GameData(Data, frozen=True, kw_only=True):
    """A game of a file."""

    file: str
    game: Positive


class IllegalData(Data, frozen=True, kw_only=True):
    """A game that is illegal by itself, at this turn by place, by this clause first; it takes no part."""

    file: str
    game: Positive
    turn: Natural
    code: str


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
    """The answer for all games together. `below` are games under `draw_amount=up_to`, whose draws bound a mark from
    below only.

    `clash` are games that cannot all be right, `odd` those that restore agreement when one of them is left out.
    `clashes` are all pairs that cannot both be right, 40 at most, or `clash` by itself where there are none; where
    `complete` is false, there may be more of them. `marks` is null where the games do not agree, and where the budget
    ended first (`complete` false).
    """

    games: Natural
    illegal: tuple[IllegalData, ...]
    below: tuple[GameData, ...]
    clash: tuple[GameData, ...]
    clashes: tuple[tuple[GameData, ...], ...]
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
            IllegalData(file=_file(found, i), game=found.games[i].index, turn=turn, code=code)
            for i, turn, code in answer.illegal
        ),
        below=tuple(GameData(file=_file(found, i), game=found.games[i].index) for i in answer.below),
        clash=tuple(GameData(file=_file(found, i), game=found.games[i].index) for i in answer.clash),
        clashes=tuple(
            tuple(GameData(file=_file(found, i), game=found.games[i].index) for i in each) for each in answer.clashes
        ),
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
