"""A card that may be unseen, as a formula for each card that it can be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from couperation_formal.model.board import Board
from couperation_formal.model.cards import FINISH, Card, FinishCard, Mark, Value, Variant
from couperation_formal.symbolic.choices import Choices
from couperation_formal.symbolic.circuit import FALSE, TRUE, Circuit, Formula, no

Hidden = Mapping[Card, Formula]
"""A card as formulas: the one for 17 says that it is 17. A card left out is one that it cannot be."""

MARKS: tuple[Mark, ...] = ("1", "2", "H")


def known(card: Card) -> Hidden:
    """The card that a record shows."""
    return {card: TRUE}


class Cards:
    """The cards of a game: their numbers under the rulings, their marks, and comparisons between hidden ones.

    `mark_rules` holds, for each card whose mark is a variable, that it has exactly one; `marks` may be shared by the
    records of one deck of cards.
    """

    def __init__(
        self,
        circuit: Circuit,
        choices: Choices,
        board: Board,
        variant: Variant,
        marks: dict[Card, dict[Mark, Formula]] | None = None,
    ) -> None:
        self.circuit, self.choices, self.board = circuit, choices, board
        self.glass: tuple[Value, ...] = tuple(Value(value) for value in range(1, board.cards + 1))
        self.every: tuple[Card, ...] = (*self.glass, FINISH) if variant == "finish" else self.glass
        self.marks: dict[Card, dict[Mark, Formula]] = {} if marks is None else marks
        self.mark_rules: dict[Card, Formula] = {}
        self.given: Mapping[Value, Mark] = {}
        self._numbered: dict[int, tuple[Hidden, list[tuple[Formula, int]]]] = {}
        self._at_most: dict[tuple[int, int], Formula] = {}

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

    def bears(self, hidden: Hidden, mark: Mark) -> Formula:
        """Whether a hidden card bears this mark."""
        both = self.circuit.both
        return self.circuit.any_of([both(here, self.mark(card, mark)) for card, here in hidden.items()])

    def numbers(self, hidden: Hidden) -> list[tuple[Formula, int]]:
        """What numbers a card can show to the orders, each with its formula; none of them holds for a Finish card
        without a number [finish_value].
        """
        seen = self._numbered.get(id(hidden))
        if seen is not None and seen[0] is hidden:
            return seen[1]
        found: list[tuple[Formula, int]] = []
        for card, here in hidden.items():
            if isinstance(card, FinishCard):
                here = self.circuit.both(here, self.choices.chooses("finish_value", "25"))
            if here != FALSE:
                found.append((here, self.board.anchor if isinstance(card, FinishCard) else card))
        self._numbered[id(hidden)] = hidden, found
        return found

    def at_most(self, hidden: Hidden, limit: int) -> Formula:
        """Whether a card shows a number, and one of at most `limit`."""
        key = id(hidden), limit
        numbers = self.numbers(hidden)
        found = self._at_most.get(key)
        if found is None:
            found = self._at_most[key] = self.circuit.any_of([here for here, number in numbers if number <= limit])
        return found

    def differ(self, lower: Hidden, upper: Hidden, least: int) -> Formula:
        """Whether the number of `upper` is at least `least` more than that of `lower`, or one of them has none."""
        both = self.circuit.both
        failing = [both(here, self.at_most(upper, number + least - 1)) for here, number in self.numbers(lower)]
        return no(self.circuit.any_of(failing))
