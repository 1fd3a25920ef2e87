"""A card that may be unseen, as a formula for each card that it can be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from couperation_formal.formula.circuit import FALSE, TRUE, Circuit, Formula
from couperation_formal.model.board import Board
from couperation_formal.model.cards import FINISH, Card, FinishCard, Mark, Value, Variant
from couperation_formal.symbolic.choices import Choices

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
