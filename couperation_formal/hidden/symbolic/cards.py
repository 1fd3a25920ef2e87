"""What a record does not show: rulings, cards and marks as choices among values, each a variable of the circuit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from couperation_formal.formulas.circuits.circuit import FALSE, TRUE, Cases, Circuit, Formula
from couperation_formal.game.fact import Fact
from couperation_formal.game.rulings import Rulings, options_in_order
from couperation_formal.game.state import Part
from couperation_formal.game.tower import FINISH, Board, Card, FinishCard, Mark, Shown, UnseenCard, Value, Variant
from couperation_formal.words.say import say

# The rulings of a symbolic record: fixed, or each a variable of its own.


class Choices:
    """For each option of each ruling a formula that says whether it is chosen.

    With `rulings` every formula is a constant; without, each option is a variable and `rules` holds, for each ruling,
    that exactly one of its options is chosen.
    """

    def __init__(self, circuit: Circuit, rulings: Rulings | None) -> None:
        self.free = rulings is None
        self.chosen: dict[tuple[str, str], Formula] = {}
        self.rules: dict[str, Formula] = {}
        for ruling, options in options_in_order():
            if rulings is not None:
                chosen = [TRUE if rulings.option(ruling) == option else FALSE for option in options]
            else:
                chosen = [circuit.variable(f"{ruling}={option}") for option in options]
                self.rules[ruling] = circuit.exactly(1, chosen)
            for option, formula in zip(options, chosen, strict=True):
                self.chosen[ruling, option] = formula

    def chooses(self, ruling: str, option: str) -> Formula:
        """Whether this option of the ruling is chosen."""
        return self.chosen[ruling, option]

    def value(self, ruling: str) -> str | Cases:
        """The option that is chosen."""
        options = {option: here for (name, option), here in self.chosen.items() if name == ruling and here != FALSE}
        return Cases(options, TRUE) if self.free else next(iter(options))


# A card that may be unseen, as a formula for each card that it can be.

Hidden = Mapping[Card, Formula]
"""A card as formulas: the one for 17 says that it is 17. A card left out is one that it cannot be."""

MARKS: tuple[Mark, ...] = ("1", "2", "H")


def known(card: Card) -> Hidden:
    """The card that a record shows."""
    return {card: TRUE}


class Cards:
    """The cards of a game and their marks.

    `mark_rules` holds, for each card whose mark is a variable, that it has exactly one; `marks` may be shared by the
    records of one deck of cards.
    """

    def __init__(
        self,
        circuit: Circuit,
        choices: Choices,
        board: Board,
        variant: Variant,
        marks: dict[Value, dict[Mark, Formula]] | None = None,
    ) -> None:
        self.circuit, self.choices, self.board = circuit, choices, board
        self.glass: tuple[Value, ...] = tuple(Value(value) for value in range(1, board.cards + 1))
        self.every: tuple[Card, ...] = (*self.glass, FINISH) if variant == "finish" else self.glass
        self.marks: dict[Value, dict[Mark, Formula]] = {} if marks is None else marks
        self.mark_rules: dict[Value, Formula] = {}
        self.given: Mapping[Value, Mark] = {}

    def fresh(self, name: str, possible: Iterable[Card]) -> tuple[Hidden, Formula]:
        """A new unseen card among the possible ones, and the rule that it is exactly one of them."""
        variables = {card: self.circuit.variable(f"{name}={card}") for card in possible}
        return variables, self.circuit.exactly(1, variables.values())

    def mark(self, card: Card, mark: Mark) -> Formula:
        """Whether a Glass card bears this mark: a constant where the record gives it, else a variable."""
        if isinstance(card, FinishCard):
            return FALSE
        if card in self.given:
            return TRUE if self.given[card] == mark else FALSE
        if card not in self.marks:
            self.marks[card] = {mark: self.circuit.variable(f"mark of {card}={mark}") for mark in MARKS}
            self.mark_rules[card] = self.circuit.exactly(1, self.marks[card].values())
        return self.marks[card][mark]


# A table whose cards may be unseen: for each pile and card a formula that says whether the card is there.
#
# What lies where, which way up, and how many cards a pile holds follows from the letters, cells and counts of a record
# alone, but for the Finish card, which an unseen card may be: then a hand is one larger than it looks.

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


class SymbolicTable:
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
