"""What recorded games force about the marks of the cards that they were played with."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from couperation_formal.model.budget import Steps
from couperation_formal.model.record import Game
from couperation_formal.model.rulings import Rules
from couperation_formal.smt.infer import Inference, infer


class Marks(msgspec.Struct, frozen=True):
    """The answer for some games; its records count as the games do, from 0."""

    games: tuple[Game, ...]
    answer: Inference


def infer_marks(games: Sequence[Game], rules: Rules | None = None, budget: Steps | int | None = None) -> Marks:
    """What these games of one deck of cards force together, under `rules` in place of their own where given.

    Cost: tenths of a second a game that shows what is public, and some for each mark asked for.
    """
    records = [(game.record, (rules or game.record.rules).rulings) for game in games]
    return Marks(tuple(games), infer(records, budget=budget))
