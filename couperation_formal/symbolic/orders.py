"""The orders of a tower whose cards may be unseen (TOW01, TOW02, TOW07), as formulas.

Orders through down cards are difference constraints over an acyclic graph. Numbers for the down cards exist exactly
when no path from one up card through down cards to another asks for more than the two leave between them, nor, under
`facedown=deck`, a path from the least number or to the greatest one (`spec/symbolic.md`). So no number of a down card
appears here: each longest path is one comparison of two up cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import Value
from couperation_formal.rules.arrangement import extension_key
from couperation_formal.rules.orders import CLAUSES, OrderClause, orders
from couperation_formal.symbolic.cards import Cards, Hidden, known
from couperation_formal.symbolic.circuit import FALSE, Formula


class Placed(NamedTuple):
    """A laid card: what it can be, and whether it lies down."""

    card: Hidden
    down: bool


Laying = Mapping[Cell, Placed]
"""The laid cards of a tower by cell."""

_RULING: dict[OrderClause, str] = {"TOW01": "row_order", "TOW02": "between"}


def ordered(cards: Cards, tower: Laying, cell: Cell, clause: OrderClause) -> Formula:
    """Every order of this clause between the up card on `cell` and other up cards. Cost: the orders of the cell."""
    index = orders(cards.board)
    here = tower[cell].card
    strict = cards.choices.chooses(_RULING[clause], "strict")
    pairs = [(tower[other].card, here) for other in index.below[clause][cell] if _up(tower, other)]
    pairs += [(here, tower[other].card) for other in index.above[clause][cell] if _up(tower, other)]
    rules = []
    for lower, upper in pairs:
        rules.append(cards.differ(lower, upper, 0))
        rules.append(cards.circuit.implies(strict, cards.differ(lower, upper, 1)))
    return cards.circuit.all_of(rules)


def _up(tower: Laying, cell: Cell) -> bool:
    return cell in tower and not tower[cell].down


def fillable(cards: Cards, tower: Laying) -> Formula:
    """Whether numbers for all down cards keep every order that involves one (TOW07).

    Cost: up cards beside down ones, times the orders of the down cards, for each strictness of the two orders.
    """
    circuit, choices = cards.circuit, cards.choices
    down = sorted((cell for cell, placed in tower.items() if placed.down), key=extension_key)
    if not down:
        return circuit.all_of(())
    waived, deck = choices.chooses("facedown", "ignored"), choices.chooses("facedown", "deck")
    rules = []
    for row in (0, 1):
        for between in (0, 1):
            premise = circuit.both(
                choices.chooses("row_order", "strict" if row else "weak"),
                choices.chooses("between", "strict" if between else "inclusive"),
            )
            if premise == FALSE:
                continue
            gaps: dict[OrderClause, int] = {"TOW01": row, "TOW02": between}
            any_size = circuit.all_of(cards.differ(*path) for path in _paths(cards, tower, down, gaps))
            in_deck = circuit.all_of(cards.differ(*path) for path in _deck_paths(cards, tower, down, gaps))
            rules.append(circuit.implies(premise, circuit.both(any_size, circuit.implies(deck, in_deck))))
    return circuit.either(waived, circuit.all_of(rules))


def _paths(
    cards: Cards, tower: Laying, down: list[Cell], gaps: Mapping[OrderClause, int]
) -> Iterator[tuple[Hidden, Hidden, int]]:
    """The longest path between each two up cards through down cards: its ends and the difference that it asks for."""
    index = orders(cards.board)
    for start in sorted({other for cell in down for clause in CLAUSES for other in index.below[clause][cell]}):
        if _up(tower, start):
            reached: dict[Cell, int] = {}
            ends: dict[Cell, int] = {}
            for cell in (start, *down):
                length = 0 if cell == start else reached.get(cell)
                if length is not None:
                    _lengthen(cards, tower, cell, length, gaps, reached, None if cell == start else ends)
            for end, length in ends.items():
                yield tower[start].card, tower[end].card, length


def _lengthen(
    cards: Cards,
    tower: Laying,
    cell: Cell,
    length: int,
    gaps: Mapping[OrderClause, int],
    reached: dict[Cell, int],
    ends: dict[Cell, int] | None,
) -> None:
    """Carry a path of this length on `cell` one order further, into down cards (`reached`) and up ones (`ends`)."""
    index = orders(cards.board)
    for clause in CLAUSES:
        for other in index.above[clause][cell]:
            if other in tower:
                found = reached if tower[other].down else ends
                if found is not None:
                    found[other] = max(found.get(other, 0), length + gaps[clause])


def _deck_paths(
    cards: Cards, tower: Laying, down: list[Cell], gaps: Mapping[OrderClause, int]
) -> Iterator[tuple[Hidden, Hidden, int]]:
    """The same for paths that begin at the least number of the deck or end at its greatest, with those as up cards."""
    floor, ceiling = known(Value(1)), known(Value(cards.board.cards))
    reached = dict.fromkeys(down, 0)
    ends: dict[Cell, int] = {}
    for cell in down:
        _lengthen(cards, tower, cell, reached[cell], gaps, reached, ends)
    for end, length in ends.items():
        yield floor, tower[end].card, length
    yield floor, ceiling, max(reached.values())
    onward: dict[Cell, int] = {}
    index = orders(cards.board)
    for cell in reversed(down):
        onward[cell] = 0
        for clause in CLAUSES:
            for other in index.above[clause][cell]:
                if other in onward:
                    onward[cell] = max(onward[cell], onward[other] + gaps[clause])
    starts: dict[Cell, int] = {}
    for cell in down:
        for clause in CLAUSES:
            for other in index.below[clause][cell]:
                if _up(tower, other):
                    starts[other] = max(starts.get(other, 0), gaps[clause] + onward[cell])
    for start, length in starts.items():
        yield tower[start].card, ceiling, length
