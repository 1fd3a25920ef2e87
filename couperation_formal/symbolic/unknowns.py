"""What a record leaves open, as unknowns that have one of several values each: marks, cards that are not shown, places
of cards in the set-up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from couperation_formal.formula.circuit import TRUE, Formula, no
from couperation_formal.model.proviso import Answer, Kind
from couperation_formal.symbolic.record import Symbolic

DECK = "deck"
"""The place of a card that no line of the set-up holds."""


class Unknown(NamedTuple):
    """Something that a record leaves open: the mark of a card, which card it is that stands at a place of the record
    (``turn 4 action 1``, ``deck 3``), the line in which a card began (``deal Aki``, ``reserve``; else ``deck``).

    `ways` says for each value by which formula it has this one; in a world it has exactly one.
    """

    kind: Kind
    of: Answer
    ways: Mapping[Answer, Formula]


def unknowns(run: Symbolic) -> tuple[Unknown, ...]:
    """What the variables of a run are, but for its rulings: those that a person can look up first: marks, cards that
    turns write, the deck, the deal. Cost: linear in the variables.
    """
    return (*_marks(run), *_cards(run), *_places(run))


def _marks(run: Symbolic) -> Iterator[Unknown]:
    for card, marks in sorted(run.table.cards.marks.items()):
        yield Unknown("mark", card, _ways(marks))


def _cards(run: Symbolic) -> Iterator[Unknown]:
    """The cards with variables of their own: what lies in the tower or comes off the deck is another one's."""
    circuit, met = run.table.circuit, set[Formula]()
    known = () if run.deck is None or run.deck.open else run.deck.lying
    deck = [(f"deck {place}", lying.card) for place, lying in enumerate(known, start=1)]
    for _, hidden in deck:
        met.update(hidden.values())
    for mention, hidden in run.table.mentions.items():
        if all(circuit.inputs[abs(here)] is None and here not in met for here in hidden.values()):
            met.update(hidden.values())
            yield Unknown("card", f"turn {mention.turn} {mention.part} {mention.place + 1}", _ways(hidden))
    for at, hidden in deck:
        if TRUE not in hidden.values():
            yield Unknown("card", at, _ways(hidden))


def _ways(formulas: Mapping[Any, Formula]) -> dict[Answer, Formula]:
    return dict(formulas)


def _places(run: Symbolic) -> Iterator[Unknown]:
    lines = {**{f"deal {name}": pile for name, pile in run.dealt.items()}, "reserve": run.reserve}
    for card in run.table.cards.every:
        ways: dict[Answer, Formula] = {}
        for line, pile in lines.items():
            if pile.get(card, TRUE) != TRUE:
                ways[line] = pile[card]
        if ways and all(pile.get(card) != TRUE for pile in lines.values()):
            yield Unknown("place", card, {**ways, DECK: no(run.table.circuit.any_of(ways.values()))})
