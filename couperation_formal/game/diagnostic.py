"""Diagnostics and verdicts as data, of which every output form is made, and what a legal verdict takes for granted."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from couperation_formal.game.record import Span, short
from couperation_formal.game.tower import Card
from couperation_formal.words.say import phrase

# Diagnostics and verdicts as data; every output form is made from these.

Severity = Literal["error", "warning", "note"]
Verdict = Literal["legal", "illegal", "undetermined", "malformed"]
Reached = Literal["win", "loss", "stuck", "unfinished"]
Result = Reached | Literal["undetermined"]
"""What a legal record reaches; undetermined where that hangs on what it does not show."""

Change = tuple[tuple[str, str], ...]
"""Rulings with another option each."""

NOTATION = "CGN"
"""The code of every diagnostic that is about the notation and not about a clause."""


class Edit(msgspec.Struct, frozen=True):
    """What mends a slip: `replacement` in place of `span`, offsets in the game's own text as it was read. An empty span
    inserts, an empty replacement deletes; the replacement may hold line ends (``\\n``).
    """

    span: Span
    replacement: str


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True):
    """One finding: a clause that is broken (error), a doubt (warning) or a remark (note).

    `code` is a clause id or `NOTATION`. `turn` counts by place, 0 is the set-up, None for the notation. `span` is the
    place in the game's own text. `rulings` names those that the finding hangs on: under another option of theirs it
    would not stand. `mends` are such changes, where they are known: each of them by itself does. `legal_with` are the
    smallest changes that make the whole turn legal, and all before it, as far as that is sure. `edit` mends the text,
    where only one thing can have been meant.
    """

    code: str
    severity: Severity
    turn: int | None
    span: Span
    message: str
    rulings: tuple[str, ...] = ()
    mends: tuple[Change, ...] = ()
    legal_with: tuple[Change, ...] = ()
    edit: Edit | None = None

    @property
    def of_clause(self) -> bool:
        """Whether only the clause surely hangs on `rulings`, and not the verdict on the turn: it breaks others too, or
        would. A warning, and a note that tells how a game was lost, stand for themselves.
        """
        decided = {name for change in self.legal_with for name, _ in change}
        alone = self.severity == "warning" or self.code in ("END02", "END03")
        return not alone and not decided.issuperset(self.rulings)

    def __repr__(self) -> str:
        return short(self, code=self.code, severity=self.severity, turn=self.turn, message=self.message)

    def __str__(self) -> str:
        turn = [] if self.turn is None else [phrase("at_turn", turn=self.turn)]
        kind = [] if self.severity == "error" else [phrase("warning" if self.severity == "warning" else "note")]
        return phrase("told_of", what=", ".join([*turn, self.code, *kind]), said=self.message)


# What a legal verdict takes for granted of marks, cards and places that nobody noted.

Kind = Literal["mark", "card", "place", "size"]
Answer = Card | str
"""A value of an unknown: a mark, a card, a line of the set-up, a number of cards."""


class Assumption(msgspec.Struct, frozen=True):
    """Something that a record leaves open, and the values of which it has one: the mark of a card; which card stands at
    a place of the record (``turn 4 action 1``, ``deck 3``); the line in which a card began (``deal Aki``, ``reserve``,
    else ``deck``); how many cards were drawn (``turn 3 draw``).
    """

    kind: Kind
    of: Answer
    values: tuple[Answer, ...]


Term = tuple[Assumption, ...]
"""Assumptions that hold together; without any it always holds."""


class Proviso(msgspec.Struct, frozen=True):
    """Terms joined by *or*. Where `exact`, what was judged is legal just where they hold, among the worlds in which
    each card lay where it was taken from; else each of them suffices. Without terms, and not `exact`, none was found.
    """

    exact: bool
    terms: tuple[Term, ...] = ()

    @property
    def always(self) -> bool:
        """Whether nothing is taken for granted."""
        return () in self.terms


ALWAYS: Final = Proviso(True, ((),))
"""Nothing is taken for granted."""
