"""A table whose cards may be unseen: for each pile and card a formula that says whether the card is there.

What lies where, which way up, and how many cards a pile holds follows from the letters, cells and counts of a record
alone, but for the Finish card, which an unseen card may be: then a hand is one larger than it looks.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from couperation_formal.formula.circuit import FALSE, TRUE, Circuit, Formula
from couperation_formal.model.cards import Card, FinishCard, Shown, UnseenCard
from couperation_formal.model.fact import Fact
from couperation_formal.rules.run import Part
from couperation_formal.symbolic.cards import Cards, Hidden, known
from couperation_formal.symbolic.choices import Choices
from couperation_formal.words.say import say

Pile = dict[Card, Formula]
"""For each card whether it is in the pile; a card left out is not."""

Line = int | Literal["Marks", "reserve", "deck"] | str
"""A line of a record that shows cards: a turn's place, a set-up line (``"deal Aki"``), the marks."""


class Rule(NamedTuple):
    """What a clause asks at one place of a record. `turn` counts by place, 0 is the set-up; `subject` tells the part of
    the clause, a line of its formula or a fact, unique within the turn and clause. `part` is where it points, as
    `replay.Broken` has it.
    """

    turn: int
    clause: str
    subject: str | Fact
    part: str
    formula: Formula

    @property
    def name(self) -> str:
        """Turn, clause and subject in one text; no two rules of a record share it."""
        return f"turn {self.turn} {self.clause} {self.subject}"

    @property
    def asks(self) -> str:
        """The subject in words."""
        return say(self.subject) if isinstance(self.subject, Fact) else self.subject


class Mention(NamedTuple):
    """A card that a turn writes: the turn, the part of it, and the place in that part, from 0."""

    turn: int
    part: Part
    place: int


class Table:
    """The table during a symbolic run, and what the run has asked so far.

    `facts` hold by the meaning of the variables; `rules` are what the clauses ask; `pins`, in a run that may doubt what
    is written, tie the cards of a line to what it shows. `mentions` keeps every card that a turn writes. `places`,
    where they are asked for, are what turns ask of where their cards lay, whether they are judged or not.
    """

    def __init__(self, circuit: Circuit, choices: Choices, cards: Cards, doubting: bool, prefix: str = "") -> None:
        self.circuit, self.choices, self.cards = circuit, choices, cards
        self.doubting, self.prefix = doubting, prefix
        self.rules: list[Rule] = []
        self.facts: list[tuple[str, Formula]] = []
        self.pins: dict[Line, list[Formula]] = {}
        self.mentions: dict[Mention, Hidden] = {}
        self.places: list[Formula] | None = None

    def ask(self, turn: int, clause: str, subject: str | Fact, part: str, formula: Formula) -> None:
        """Note what a clause asks, unless it is plainly so."""
        if formula != TRUE:
            self.rules.append(Rule(turn, clause, subject, part, formula))

    def fact(self, name: str, formula: Formula) -> None:
        """Note what holds by the meaning of the variables."""
        if formula != TRUE:
            self.facts.append((name, formula))

    def unseen(self, name: str, possible: list[Card]) -> Hidden:
        """A new unseen card."""
        hidden, fact = self.cards.fresh(f"{self.prefix}{name}", possible)
        self.fact(f"{name} is one card", fact)
        return hidden

    def pin(self, line: Line, formula: Formula) -> None:
        """Tie what a line shows to its card, in a run that may doubt it."""
        self.pins.setdefault(line, []).append(formula)

    def mention(self, at: Mention, shown: Shown, possible: list[Card]) -> Hidden:
        """The card that a turn writes: itself, or an unseen one among the possible cards."""
        if isinstance(shown, UnseenCard):
            hidden = self.unseen(f"turn {at.turn} {at.part} {at.place + 1}", possible)
        elif self.doubting and not isinstance(shown, FinishCard):
            hidden = self.unseen(f"turn {at.turn} {at.part} {at.place + 1}", possible)
            self.pin(at.turn, hidden.get(shown, FALSE))
        else:
            hidden = known(shown)
        self.mentions[at] = hidden
        return hidden
