"""The deck: its cards as far as a record lists them or draws from it, and those that each turn takes.

A draw that was not noted (``+*``, ``fill *``) takes a number of cards that is a variable. Each card that it may take
has a place of its own here, which is there where the draw is large enough; what the record lists of the deck is said of
the card that comes to lie so deep (spec/symbolic.md, *Draws that were not noted*).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from couperation_formal.formulas.circuits.circuit import FALSE, TRUE, Cases, Formula, OpenSequence
from couperation_formal.formulas.circuits.collected import OpenValues
from couperation_formal.formulas.judge import card as formed
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Turn
from couperation_formal.game.replay import most_drawn
from couperation_formal.game.rules.setup import Setup
from couperation_formal.game.tower import FINISH, UNSEEN, Card, FinishCard, Shown, UnseenCard
from couperation_formal.hidden.symbolic.cards import Hidden, SymbolicTable, known

Drawing = Literal["draw", "fill"]


class Lying(NamedTuple):
    """A card of the deck: whether it is there at all, and which one it is."""

    here: Formula
    card: Hidden


class _Behind(dict[Any, Formula]):
    """For each card whether it lies in the deck behind those that a turn takes; told when it is asked for."""

    def __init__(self, lift: OpenValues, lying: Sequence[Lying], rest: Mapping[Card, Formula]) -> None:
        super().__init__()
        self._lift, self._lying = lift, lying
        self._rest = {formed(card): (card, here) for card, here in rest.items()}

    def get(self, plain: Any, default: Any = None) -> Any:
        if plain not in self._rest:
            return default
        if plain not in self:
            card, deeper = self._rest[plain]
            ways = (self._lift.both(each.here, each.card.get(card, FALSE)) for each in self._lying)
            self[plain] = self._lift.any_of((deeper, *ways))
        return self[plain]


class Deck:
    """The deck of one record: its first cards are `lying`, in their order; `rest` tells of each card whether it lies
    deeper. `sizes` are the numbers of cards of the draws that were not noted, by turn and part.
    """

    def __init__(self, table: SymbolicTable, setup: Setup, since: int) -> None:
        self._table, self._setup, self._lift = table, setup, OpenValues(table.circuit)
        self.sizes: dict[tuple[int, Drawing], Cases] = {}
        self.rest: Mapping[Card, Formula] = {}
        self.lying: list[Lying] = []
        self._first: dict[tuple[int, Drawing], int] = {}
        self._before: list[Any] = []
        turns = setup.record.turns
        self.open = any(turn.draw_open or turn.fill_open for turn in turns)
        written = self._written()
        if self.open:
            self._by_draws(turns, since, written)
        else:
            self._by_places(turns, written)
        self._tops = [self.value(each.here, each.card) for each in self.lying]

    def value(self, here: Formula, card: Hidden) -> Any:
        """A card of the deck as a value, where it is there."""
        ways = {formed(one): self._lift.both(here, when) for one, when in card.items()}
        return self._lift.made({one: when for one, when in ways.items() if when != FALSE}, here)

    def _written(self) -> list[Hidden]:
        return [self._listed(place, shown) for place, shown in enumerate(self._setup.record.deck or ())]

    def _possible(self) -> list[Card]:
        cards = self._table.cards
        return [card for card in cards.every if card not in (1, cards.board.anchor, cards.board.cards)]

    def _listed(self, place: int, shown: Shown) -> Hidden:
        """A card at a place of the deck, as its line shows it."""
        table, possible = self._table, self._possible()
        if isinstance(shown, FinishCard) or (shown in possible and not table.doubting):
            return known(shown)
        hidden = table.unseen(f"deck {place + 1}", possible)
        if not isinstance(shown, UnseenCard):
            here = hidden.get(shown, FALSE)
            if table.doubting:
                table.pin("deck", here)
            else:
                clause = "SET04" if shown == table.cards.board.anchor else "SET06"
                table.ask(0, clause, fact("asks_in_deck", card=shown), "deck", here)
        return hidden

    def _by_places(self, turns: tuple[Turn, ...], written: list[Hidden]) -> None:
        """Every draw is noted: each card has its place."""
        drawn = 0
        for place, turn in enumerate(turns, start=1):
            self._first[place, "draw"], self._first[place, "fill"] = drawn, drawn + len(turn.draw)
            self._before.append(drawn)
            drawn += len(turn.draw) + len(turn.fill)
        self._before.append(drawn)
        self._first[len(turns) + 1, "draw"] = drawn
        length = min(self._setup.deck_size, max(len(written), drawn))
        cards = [*written, *(self._listed(place, UNSEEN) for place in range(len(written), length))]
        self.lying = [Lying(TRUE, card) for card in cards]

    def _by_draws(self, turns: tuple[Turn, ...], since: int, written: list[Hidden]) -> None:
        """Some draws are not noted: the cards of each draw in turn, then what is listed and not drawn."""
        lift, deck_size = self._lift, self._setup.deck_size
        before: Any = 0
        for place, turn in enumerate(turns, start=1):
            self._before.append(before)
            for part, shown, open_ in _parts(turn):
                self._first[place, part] = len(self.lying)
                most = deck_size if place < since else min(deck_size, most_drawn(self._setup.board))
                size: Any = self._size(place, part, most) if open_ else len(shown)
                for index in range(most if open_ else len(shown)):
                    here = lift.both(lift.at_most(index + 1, 0, size), lift.at_most(before, index + 1, deck_size))
                    name = f"turn {place} {part} {index + 1}"
                    self.lying.append(Lying(here, self._card(name, before, index, written, open_)))
                before = lift.join(lambda one, more: min(one + more, deck_size), before, size)
        self._before.append(before)
        self._first[len(turns) + 1, "draw"] = len(self.lying)
        self.lying += [Lying(lift.at_most(before, 0, place), card) for place, card in enumerate(written)]

    def _size(self, place: int, part: Drawing, most: int) -> Cases:
        table, name = self._table, f"turn {place} {part}"
        ways = {size: table.circuit.variable(f"{table.prefix}{name} size={size}") for size in range(most + 1)}
        table.fact(f"{name} has one size", table.circuit.exactly(1, ways.values()))
        self.sizes[place, part] = Cases(ways, TRUE)
        return self.sizes[place, part]

    def _card(self, name: str, before: Any, index: int, written: list[Hidden], open_: bool) -> Hidden:
        """The card drawn after so many: the one that is listed there, or one that no line shows."""
        lift = self._lift
        ways: dict[Card, Formula] = {}
        unlisted = []
        for count, when in lift.ways(before).items():
            if count + index >= len(written):
                unlisted.append(when)
                continue
            for card, here in written[count + index].items():
                ways[card] = lift.either(ways.get(card, FALSE), lift.both(when, here))
        deeper = lift.any_of(unlisted)
        if deeper != FALSE:
            possible = [card for card in self._possible() if not open_ or card is not FINISH]
            for card, here in self._table.unseen(name, possible).items():
                ways[card] = lift.either(ways.get(card, FALSE), lift.both(deeper, here))
        return ways

    def left(self) -> int:
        """How many cards lie deeper at most."""
        return self._setup.deck_size - sum(each.here == TRUE for each in self.lying)

    def taken(self, place: int, part: Drawing, count: int) -> list[tuple[Lying, Any]]:
        """What a draw takes, each card as it lies and as a value; fewer where the deck ends. `count` cards are noted;
        of a draw that is not noted as many as it takes at most.
        """
        size = self.sizes.get((place, part))
        first = self._first[place, part]
        here = slice(first, first + (count if size is None else max(size.ways)))
        return list(zip(self.lying[here], self._tops[here], strict=True))

    def row(self, place: int, draw: Sequence[Any], fill: Sequence[Any] = ()) -> OpenSequence:
        """The deck before turn `place` (or after the last one), of which these cards are drawn in it."""
        length = self._lift.join(lambda one, less: one - less, self._setup.deck_size, self._before[place - 1])
        after = self._first[place, "draw"] + len(draw) + len(fill)
        if self.open:
            behind = _Behind(self._lift, self.lying[after:], self.rest)
            first = OpenSequence(tuple(draw), self.sizes.get((place, "draw")))
            line = self._lift.then(first, OpenSequence(tuple(fill), self.sizes.get((place, "fill"))))
            return OpenSequence(tuple(self._lift.row(line).items), length, behind)
        rest = {formed(card): here for card, here in self.rest.items()}
        return OpenSequence((*draw, *fill, *self._tops[after:]), length, rest)


def _parts(turn: Turn) -> tuple[tuple[Drawing, tuple[Shown, ...], bool], ...]:
    return ("draw", turn.draw, turn.draw_open), ("fill", turn.fill, turn.fill_open)
