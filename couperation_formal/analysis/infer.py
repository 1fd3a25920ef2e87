"""What recorded games force about the marks of the cards that they were played with."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from couperation_formal.game.budget import Steps, steps_of
from couperation_formal.game.record import Game, short
from couperation_formal.game.rulings import Rules
from couperation_formal.hidden.smt.infer import Inference, infer
from couperation_formal.words.say import phrase


class Marks(msgspec.Struct, frozen=True):
    """The answer for some games; its records count as the games do, from 0. It took `spent` steps of `limit`."""

    games: tuple[Game, ...]
    answer: Inference
    spent: int
    limit: int

    def __repr__(self) -> str:
        known = None if self.answer.marks is None else len(self.answer.marks)
        return short(self, games=len(self.games), known=known, complete=self.answer.complete)

    def __str__(self) -> str:
        """Each card with the marks that it may bear."""
        if self.answer.marks is None:
            return phrase("records_clash" if self.answer.clashes else "undetermined")
        return "\n".join(f"{known.card}:{' '.join(known.marks)}" for known in self.answer.marks) or phrase("none")


def infer_marks(games: Sequence[Game], rules: Rules | None = None, budget: Steps | int | None = None) -> Marks:
    """What these games of one deck of cards force together, under `rules` in place of their own where given.

    Cost: tenths of a second a game that shows what is public, and some for each mark asked for.
    """
    records = [(game.record, (rules or game.record.rules).rulings) for game in games]
    steps = steps_of(budget)
    return Marks(tuple(games), infer(records, budget=steps), steps.spent, steps.limit)
