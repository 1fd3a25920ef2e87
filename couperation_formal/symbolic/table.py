"""A table whose cards may be unseen: for each pile and card a formula that says whether the card is there.

What lies where, which way up, and how many cards a pile holds follows from the letters, cells and counts of a record
alone, but for the Finish card, which an unseen card may be: then a hand is one larger than it looks.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import FINISH, Card, FinishCard, Shown, UnseenCard
from couperation_formal.rules.run import Part
from couperation_formal.symbolic.cards import Cards, Hidden, known
from couperation_formal.symbolic.choices import Choices
from couperation_formal.symbolic.circuit import FALSE, TRUE, Circuit, Formula, no
from couperation_formal.symbolic.orders import Placed

Pile = dict[Card, Formula]
"""For each card whether it is in the pile; a card left out is not."""

Line = int | Literal["Marks", "reserve", "deck"] | str
"""A line of a record that shows cards: a turn's place, a set-up line (``"deal Aki"``), the marks."""


class Rule(NamedTuple):
    """What a clause asks at one place of a record. `turn` counts by place, 0 is the set-up; `subject` tells the part of
    the clause in words, unique within the turn and clause. `part` is where it points, as `replay.Broken` has it.
    """

    turn: int
    clause: str
    subject: str
    part: str
    formula: Formula

    @property
    def name(self) -> str:
        """Turn, clause and subject in one text; no two rules of a record share it."""
        return f"turn {self.turn} {self.clause} {self.subject}"


class Mention(NamedTuple):
    """A card that a turn writes: the turn, the part of it, and the place in that part, from 0."""

    turn: int
    part: Part
    place: int


class Table:
    """The table during a symbolic run, and what the run has asked so far.

    `facts` hold by the meaning of the variables; `rules` are what the clauses ask; `pins`, in a run that may doubt what
    is written, tie the cards of a line to what it shows. `mentions` keeps every card that a turn writes.
    """

    def __init__(self, circuit: Circuit, choices: Choices, cards: Cards, players: int, doubting: bool) -> None:
        self.circuit, self.choices, self.cards = circuit, choices, cards
        self.doubting = doubting
        self.prefix = ""
        self.rules: list[Rule] = []
        self.facts: list[tuple[str, Formula]] = []
        self.pins: dict[Line, list[Formula]] = {}
        self.mentions: dict[Mention, Hidden] = {}
        self.hands: list[Pile] = [{} for _ in range(players)]
        self.front: list[Formula] = [FALSE] * players
        self.reserve: Pile = {}
        self.gone: Pile = {}
        self.deck: list[Hidden] = []
        self.deck_size = 0
        self.drawn = 0
        self.tower: dict[Cell, Placed] = {}
        self.hand_sizes: list[int] = []
        self.hand_extras: list[list[tuple[Formula, int]]] = [[] for _ in range(players)]
        self.reserve_size = 0
        self.finish_astray = FALSE
        self.laid: Cell | None = None
        self.touched: Cell | None = None
        self.anchor_moved = False
        self.won = self.lost = self.stuck = FALSE

    def ask(self, turn: int, clause: str, subject: str, part: str, formula: Formula) -> None:
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

    def shows(self, at: Mention, clause: str, where: str, lies: Hidden, shown: Shown) -> None:
        """Ask that a card of the tower is the one that the turn writes for it, unseen or not."""
        self.mentions[at] = lies
        if isinstance(shown, UnseenCard):
            return
        here = lies.get(shown, FALSE)
        if self.doubting and not isinstance(shown, FinishCard):
            self.pin(at.turn, here)
        else:
            self.ask(at.turn, clause, f"{shown} {where}", "action", here)

    def move(self, hidden: Hidden, source: Pile, target: Pile | None) -> Formula:
        """Move a card from one pile to another (None: to where it is kept by itself); whether it was there."""
        both = self.circuit.both
        there = self.circuit.all_of(
            self.circuit.implies(here, source.get(card, FALSE)) for card, here in hidden.items()
        )
        for card, here in hidden.items():
            source[card] = both(source.get(card, FALSE), no(here))
            if target is not None:
                self.put(card, here, target)
        return there

    def put(self, card: Card, here: Formula, target: Pile) -> None:
        """`card` comes to the pile where `here` holds."""
        target[card] = self.circuit.either(target.get(card, FALSE), here)

    def own(self, player: int, hidden: Hidden, target: Pile | None) -> Formula:
        """Move one of a player's own cards, of the hand or the Finish card in front; whether it was the player's."""
        glass = {card: here for card, here in hidden.items() if card is not FINISH}
        finish = hidden.get(FINISH, FALSE)
        there = self.move(glass, self.hands[player], target)
        there = self.circuit.both(there, self.circuit.implies(finish, self.front[player]))
        self.front[player] = self.circuit.both(self.front[player], no(finish))
        if target is not None:
            self.put(FINISH, finish, target)
        self.hand_sizes[player] -= 1
        self._resize(player, finish, 1)
        return there

    def receive(self, player: int, hidden: Hidden) -> None:
        """A card comes to a player: to the hand, the Finish card to the front."""
        for card, here in hidden.items():
            if card is FINISH:
                self.front[player] = self.circuit.either(self.front[player], here)
            else:
                self.put(card, here, self.hands[player])
        self.hand_sizes[player] += 1
        self._resize(player, hidden.get(FINISH, FALSE), -1)

    def _resize(self, player: int, where: Formula, change: int) -> None:
        if where == TRUE:
            self.hand_sizes[player] += change
        elif where != FALSE:
            self.hand_extras[player].append((where, change))

    def hand_cases(self, player: int) -> list[tuple[Formula, int]]:
        """The sizes that a hand can have, each with its formula; exactly one of them holds."""
        cases = {self.hand_sizes[player]: TRUE}
        for where, change in self.hand_extras[player]:
            after: dict[int, Formula] = {}
            for size, here in cases.items():
                for new, formula in ((size, no(where)), (size + change, where)):
                    both = self.circuit.both(here, formula)
                    after[new] = self.circuit.either(after.get(new, FALSE), both)
            cases = after
        return [(here, size) for size, here in sorted(cases.items()) if here != FALSE]

    def owned(self, player: int) -> list[Card]:
        """The cards that may be a player's own."""
        cards = [card for card, here in self.hands[player].items() if here != FALSE]
        return [*cards, FINISH] if self.front[player] != FALSE else cards

    def lay(self, cell: Cell, hidden: Hidden, down: bool) -> None:
        """A card comes to lie on a cell."""
        self.tower[cell] = Placed(hidden, down)
        self.laid = self.touched = cell


def present(pile: Pile) -> list[Card]:
    """The cards that may be in a pile."""
    return [card for card, here in pile.items() if here != FALSE]
