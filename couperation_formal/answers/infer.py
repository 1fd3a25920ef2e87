"""The JSON form of `infer`: the marks that records force."""

from __future__ import annotations

from typing import Any, Literal

from couperation_formal.analysis.infer import Marks
from couperation_formal.answers.data import Data, Natural, Positive
from couperation_formal.game.tower import Mark
from couperation_formal.hidden.smt.infer import MOST, Clash, Known, Place
from couperation_formal.words.say import encodable

__all__ = ["MOST", "ClaimData", "ClashData", "GameData", "InferData", "KnownData", "PlaceData", "infer_data"]


class GameData(Data, frozen=True, kw_only=True):
    """A game of a file."""

    file: str
    game: Positive


class PlaceData(GameData, frozen=True, kw_only=True):
    """A clause at a turn of a game, by place. The code `Marks`, at turn 0, stands for a mark given for the game, in its
    tag or in a file of marks.
    """

    turn: Natural
    code: str


class KnownData(Data, frozen=True, kw_only=True):
    """What is left for the mark of a card. `sources` together rule the other marks out; each of them is needed."""

    card: Positive
    marks: tuple[Mark, ...]
    certain: bool
    sources: tuple[PlaceData, ...]


class ClaimData(Data, frozen=True, kw_only=True):
    """What one game forces: at least one card of `bears` bears one of the marks that stand with it. `sources` together
    rule all else out; each of them is needed.
    """

    bears: dict[int, tuple[Mark, ...]]
    sources: tuple[PlaceData, ...]


class ClashData(Data, frozen=True, kw_only=True):
    """Games that cannot all be right, each of them needed, and what they claim: for each card on which they clash by
    itself one claim of each game; where there is none, claims about several cards that cannot all hold, each of them
    needed. `claims` is empty where the budget ended before.
    """

    games: tuple[GameData, ...]
    claims: tuple[ClaimData, ...]


class InferData(Data, frozen=True, kw_only=True):
    """The answer for all games together. `illegal` are games that are illegal by themselves, at this turn, by this
    clause first: they take no part. `below` are games under `draw_amount=up_to`, whose draws bound a mark from below
    only.

    `clashes` are the least sets of games that cannot all be right, the smallest first, 40 at most; `odd` are the games
    that restore agreement when one of them is left out. Where `complete` is false, there may be more of either. `marks`
    is null where the games do not agree, and where the budget ended first (`complete` false): `spent` steps of `limit`.
    """

    games: Natural
    illegal: tuple[PlaceData, ...]
    below: tuple[GameData, ...]
    clashes: tuple[ClashData, ...]
    odd: tuple[GameData, ...]
    marks: tuple[KnownData, ...] | None
    complete: bool
    spent: Natural
    limit: Natural
    format: Literal[1]


def infer_data(found: Marks) -> InferData:
    """The answer as `infer --output-format json` writes it."""
    answer = found.answer
    return InferData(
        games=len(found.games),
        illegal=tuple(PlaceData(**_game(found, i), turn=turn, code=code) for i, turn, code in answer.illegal),
        below=_games(found, answer.below),
        clashes=tuple(_clash(found, clash) for clash in answer.clashes),
        odd=_games(found, answer.odd),
        marks=None if answer.marks is None else tuple(_known(found, known) for known in answer.marks),
        complete=answer.complete,
        spent=found.spent,
        limit=found.limit,
        format=1,
    )


def _game(found: Marks, record: int) -> dict[str, Any]:
    """What names a game."""
    game = found.games[record]
    return {"file": encodable(game.file), "game": game.index}


def _games(found: Marks, records: tuple[int, ...]) -> tuple[GameData, ...]:
    return tuple(GameData(**_game(found, i)) for i in records)


def _clash(found: Marks, clash: Clash) -> ClashData:
    claims = (ClaimData(bears=dict(each.bears), sources=_sources(found, each.sources)) for each in clash.claims)
    return ClashData(games=_games(found, clash.records), claims=tuple(claims))


def _known(found: Marks, known: Known) -> KnownData:
    sources = _sources(found, known.sources)
    return KnownData(card=known.card, marks=known.marks, certain=known.certain, sources=sources)


def _sources(found: Marks, places: tuple[Place, ...]) -> tuple[PlaceData, ...]:
    return tuple(PlaceData(**_game(found, each.record), turn=each.turn, code=each.clause) for each in places)
