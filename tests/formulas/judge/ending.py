"""Short endings as a circuit: can this table be won with its k-th turn from now? Bounded model checking (Biere,
Cimatti, Clarke, Zhu 1999), for tables that show every card.

For each time from 0 to k a set of formulas says where each card lies; for each turn others say what is drawn, which
action is taken with which cards, what is dropped and trimmed. A win keeps every order at every time, so a number for
each down card is one more variable, and no turn needs to be shown impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from couperation_formal.formulas.circuit import FALSE, TRUE, Circuit, Formula, no
from couperation_formal.game.rules.arrangement import CLAUSES, gap, orders
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State, all_cards
from couperation_formal.game.tower import FINISH, UNSEEN, Card, Cell, Down, FinishCard, Mark
from couperation_formal.hidden.symbolic.cards import MARKS, Hidden

Pile = dict[Card, Formula]


class Moment(NamedTuple):
    """The table at one time: for each cell the cards that may lie on it and whether it is down, the hands, who has the
    Finish card in front, the Reserve, which of the deck's cards are drawn, the cell whose card sets the next draw, the
    one laid last, and whether the card of set-up was replaced.
    """

    on: Mapping[Cell, Hidden]
    down: Mapping[Cell, Formula]
    hands: tuple[Pile, ...]
    front: tuple[Formula, ...]
    reserve: Pile
    drawn: tuple[Formula, ...]
    touched: Mapping[Cell, Formula]
    laid: Mapping[Cell, Formula]
    moved: Formula


class Ending:
    """The model of one table at one place of the columns.

    `rules` must all hold. `board` and `rulings` are those of the table; `cells` those of the pyramid that begins in
    column `left`.
    """

    def __init__(self, state: State, rulings: Rulings, left: int) -> None:
        if UNSEEN in state.deck or any(pile.unseen for pile in (*state.hands, state.reserve)):
            raise ValueError("short endings are modelled for tables that show every card")
        self.circuit = Circuit()
        self.state, self.rulings, self.board = state, rulings, state.board
        self.cells = state.board.pyramid(left)
        self.apex = self.cells[-1]
        self.deck: tuple[Card, ...] = tuple(card for card in state.deck if card is not UNSEEN)  # type: ignore[misc]
        self.every: tuple[Card, ...] = tuple(sorted(all_cards(state.board, state.variant), key=_number))
        self.rules: list[Formula] = []
        self._marks: dict[Card, dict[Mark, Formula]] = {}
        self.start = self._start()

    def require(self, formula: Formula) -> None:
        """Hold a formula."""
        if formula != TRUE:
            self.rules.append(formula)

    def choose(self, name: str, options: Iterable[Card], when: Formula = TRUE) -> Pile:
        """A variable for each card of which, when `when` holds, exactly one is chosen, and else none."""
        chosen = {card: self.circuit.variable(f"{name} {card}") for card in options}
        self.require(self.circuit.implies(when, self.circuit.exactly(1, chosen.values())))
        for here in chosen.values():
            self.require(self.circuit.implies(here, when))
        return chosen

    def some(self, name: str, options: Iterable[Card]) -> Pile:
        """A variable for each card, any of which may be chosen."""
        return {card: self.circuit.variable(f"{name} {card}") for card in options}

    def mark(self, card: Card, mark: Mark) -> Formula:
        """Whether a card bears a mark; one that is not given is as favourable as can be."""
        if isinstance(card, FinishCard):
            return FALSE
        if card in self.state.marks:
            return TRUE if self.state.marks[card] == mark else FALSE
        if card not in self._marks:
            self._marks[card] = {mark: self.circuit.variable(f"mark {card} {mark}") for mark in MARKS}
            self.require(self.circuit.exactly(1, self._marks[card].values()))
        return self._marks[card][mark]

    def _start(self) -> Moment:
        state = self.state
        tower = state.tower.cells
        for cell, laid in tower.items():
            if cell not in self.cells or laid.card is UNSEEN:
                raise ValueError("a laid card lies outside this place, or is not seen")
        never = dict.fromkeys(self.cells, FALSE)
        on = {cell: {tower[cell].card: TRUE} if cell in tower else {} for cell in self.cells}
        return Moment(
            on=on,  # type: ignore[arg-type]
            down={cell: TRUE if isinstance(tower.get(cell), Down) else FALSE for cell in self.cells},
            hands=tuple(dict.fromkeys(hand.known, TRUE) for hand in state.hands),
            front=tuple(TRUE if state.front == seat else FALSE for seat in range(len(state.players))),
            reserve=dict.fromkeys(state.reserve.known, TRUE),
            drawn=(FALSE,) * len(self.deck),
            touched=never if state.touched is None else {**never, state.touched: TRUE},
            laid=never if state.laid is None else {**never, state.laid: TRUE},
            moved=TRUE if state.anchor_moved else FALSE,
        )

    def taken(self, moment: Moment, cell: Cell) -> Formula:
        """Whether a card lies on the cell."""
        return self.circuit.any_of(moment.on[cell].values())

    def all_up(self, moment: Moment) -> Formula:
        """Whether the tower is full and no card of it is down."""
        full = [self.taken(moment, cell) for cell in self.cells]
        return self.circuit.all_of([*full, *(no(moment.down[cell]) for cell in self.cells)])

    def arranged(self, moment: Moment, time: int) -> None:
        """Require every order of the tower (TOW01, TOW02, TOW07) [row_order] [between] [facedown] [finish_value]."""
        cells = set(self.cells)
        low = {cell: self._at_most(moment, cell, time) for cell in self.cells}
        waived = self.rulings.facedown == "ignored"
        lax = waived or self.rulings.facedown == "repeats"
        for order in orders(self.board).every:
            if order.lower not in cells or order.upper not in cells:
                continue
            lower, upper = low[order.lower], low[order.upper]
            if not moment.on[order.lower] or not moment.on[order.upper]:
                continue
            idle = [no(self._shows(moment, cell)) for cell in (order.lower, order.upper)]
            down = [moment.down[order.lower], moment.down[order.upper]]
            self._apart(lower, gap(order.clause, self.rulings), upper, [*idle, *(down if lax else [])])
            if lax and not waived:
                self._apart(lower, 0, upper, idle)

    def _apart(
        self, lower: Mapping[int, Formula], step: int, upper: Mapping[int, Formula], idle: list[Formula]
    ) -> None:
        """Require that the numbers keep so far apart, or that one of `idle` holds."""
        at = range(*self._range())
        kept = [self.circuit.implies(_at(upper, value), _at(lower, value - step)) for value in at]
        self.require(self.circuit.any_of([*idle, self.circuit.all_of(kept)]))

    def _range(self) -> tuple[int, int]:
        """Numbers that down cards may need: each strict order takes one step, and no path is longer than the board."""
        reach = len(CLAUSES) * self.board.columns
        if self.rulings.facedown in ("deck", "repeats"):
            return 0, self.board.cards + 1
        return -reach, self.board.cards + reach + 1

    def _shows(self, moment: Moment, cell: Cell) -> Formula:
        """Whether the card on a cell has a number: a card is there, and it is not a Finish card without one."""
        here = self.taken(moment, cell)
        if self.rulings.finish_value == "25":
            return here
        return self.circuit.both(here, no(moment.on[cell].get(FINISH, FALSE)))

    def _at_most(self, moment: Moment, cell: Cell, time: int) -> dict[int, Formula]:
        """For each number whether that of the cell's card is at most this: the card's own where it is up."""
        circuit = self.circuit
        first, last = self._range()
        down = moment.down[cell]
        stands: Formula = TRUE
        found: dict[int, Formula] = {}
        own = sorted((_number(card, self.board.anchor), here) for card, here in moment.on[cell].items())
        for value in range(last - 1, first - 1, -1):
            if down != FALSE and value < last - 1:
                bound = circuit.variable(f"time {time} {cell} <= {value}")
                self.require(circuit.implies(bound, stands))
                stands = FALSE if value == first else bound
                if value == first:
                    self.require(no(bound))
            up = circuit.any_of([here for number, here in own if number <= value])
            found[value] = circuit.either(circuit.both(no(down), up), circuit.both(down, stands))
        return found


def _at(at_most: Mapping[int, Formula], value: int) -> Formula:
    return at_most.get(value, FALSE if value < min(at_most) else TRUE)


def _number(card: Card, finish: int = 1000) -> int:
    return finish if isinstance(card, FinishCard) else card
