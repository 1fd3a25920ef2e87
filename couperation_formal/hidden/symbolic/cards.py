"""What a record does not show: rulings, cards, marks and the deck as choices among values, variables of the circuit."""

from collections.abc import Mapping, Sequence
from operator import sub
from typing import Any, Literal, NamedTuple, TypeGuard

from msgspec.structs import asdict

from couperation_formal.formulas.circuit import FALSE, TRUE, Cases, Circuit, Formula, OpenSequence, OpenValues
from couperation_formal.formulas.judge import card as formed
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Turn
from couperation_formal.game.replay import most_drawn
from couperation_formal.game.rules.setup import Setup
from couperation_formal.game.rulings import Rulings, options_in_order
from couperation_formal.game.state import Part
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Card, FinishCard, Mark, Shown, UnseenCard, Value

# A card that may be unseen, as a formula for each card that it can be.

Hidden = Mapping[Card, Formula]
"""A card as formulas: the one for 17 says that it is 17. A card left out is one that it cannot be."""

MARKS: tuple[Mark, ...] = ("1", "2", "H")


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
        return f"turn {self.turn} {self.clause} {self.subject!s}"


class Mention(NamedTuple):
    """A card that a turn writes: the turn, the part of it, and the place in that part, from 0."""

    turn: int
    part: Part
    place: int


class SymbolicTable:
    """The cards of a game, the table during a symbolic run, and what the run has asked so far.

    `mixed` are the cards that are shuffled and dealt: all but the first, the last and the one that the tower begins
    with. `rulings` has the option of each ruling; where none are given each is open, and `chosen` says of each option
    by which variable it is chosen. `mark_rules` holds, for each card whose mark is a variable, that it has exactly one;
    `marks` may be shared by the records of one deck of cards, `given` are those that the record gives. `facts` hold by
    the meaning of the variables; `rules` are what the clauses ask; `pins`, in a run that may doubt what is written, tie
    the cards of a line to what it shows. `mentions` keeps every card that a turn writes. `places`, where they are asked
    for, are what turns ask of where their cards lay, whether they are judged or not.
    """

    def __init__(
        self, circuit: Circuit, rulings: Rulings | None, board: Board, finish: bool, doubting: bool, prefix: str
    ) -> None:
        self.circuit, self.board, self.doubting, self.prefix = circuit, board, doubting, prefix
        self.glass = tuple(map(Value, range(1, board.cards + 1)))
        self.every: tuple[Card, ...] = (*self.glass, FINISH) if finish else self.glass
        self.mixed = [card for card in self.every if card not in (1, board.anchor, board.cards)]
        self.marks: dict[Value, dict[Mark, Formula]] = {}
        self.mark_rules: dict[Value, Formula] = {}
        self.given: Mapping[Value, Mark] = {}
        self.rules: list[Rule] = []
        self.facts: dict[str, Formula] = {}
        self.pins: dict[Line, list[Formula]] = {}
        self.mentions: dict[Mention, Hidden] = {}
        self.places: list[Formula] | None = None
        self.rulings: dict[str, str | Cases] = {} if rulings is None else asdict(rulings)
        self.chosen: dict[tuple[str, str], Formula] = {}
        for ruling, options in options_in_order() if rulings is None else ():
            ways = {option: circuit.variable(f"{ruling}={option}") for option in options}
            self.fact(f"one option of {ruling}", circuit.exactly(1, ways.values()))
            self.rulings[ruling] = Cases(ways, TRUE)
            self.chosen.update(((ruling, option), here) for option, here in ways.items())

    @property
    def failing(self) -> list[Rule]:
        """What is asked and cannot be, whatever the record does not show."""
        return [rule for rule in self.rules if rule.formula == FALSE]

    def mark(self, card: Value, mark: Mark) -> Formula:
        """Whether a Glass card bears this mark: a constant where the record gives it, else a variable."""
        if card in self.given:
            return TRUE if self.given[card] == mark else FALSE
        if card not in self.marks:
            self.marks[card] = {mark: self.circuit.variable(f"mark of {card}={mark}") for mark in MARKS}
            self.mark_rules[card] = self.circuit.exactly(1, self.marks[card].values())
        return self.marks[card][mark]

    def ask(self, turn: int, clause: str, subject: str | Fact, part: str, formula: Formula) -> None:
        """Note what a clause asks, unless it is plainly so."""
        if formula != TRUE:
            self.rules.append(Rule(turn, clause, subject, part, formula))

    def fact(self, name: str, formula: Formula) -> None:
        """Note what holds by the meaning of the variables."""
        if formula != TRUE:
            assert name not in self.facts
            self.facts[name] = formula

    def unseen(self, name: str, possible: list[Card]) -> Hidden:
        """A new unseen card, one of the possible ones."""
        hidden = {card: self.circuit.variable(f"{self.prefix}{name}={card}") for card in possible}
        self.fact(f"{name} is one card", self.circuit.exactly(1, hidden.values()))
        return hidden

    def pin(self, line: Line, formula: Formula) -> None:
        """Tie what a line shows to its card, in a run that may doubt it."""
        self.pins.setdefault(line, []).append(formula)

    def sure(self, shown: Shown) -> TypeGuard[Card]:
        """Whether a card that a turn writes is itself."""
        return isinstance(shown, FinishCard) or not (self.doubting or isinstance(shown, UnseenCard))


# The deck: its cards as far as a record lists them or draws from it, and those that each turn takes.


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
        written = [self._listed(place, shown) for place, shown in enumerate(setup.record.deck or ())]
        if self.open:
            self._by_draws(turns, since, written)
        else:
            self._by_places(turns, written)
        self._tops = [self.value(each.here, each.card) for each in self.lying]

    def value(self, here: Formula, card: Hidden) -> Any:
        """A card as a value, where it is there."""
        ways = {formed(one): self._lift.both(here, when) for one, when in card.items()}
        return self._lift.made({one: when for one, when in ways.items() if when != FALSE}, here)

    def _listed(self, place: int, shown: Shown) -> Hidden:
        """A card at a place of the deck, as its line shows it."""
        table = self._table
        if isinstance(shown, FinishCard) or (shown in table.mixed and not table.doubting):
            return {shown: TRUE}
        hidden = table.unseen(f"deck {place + 1}", table.mixed)
        if not isinstance(shown, UnseenCard):
            here = hidden.get(shown, FALSE)
            if table.doubting:
                table.pin("deck", here)
            else:
                clause = "SET04" if shown == table.board.anchor else "SET06"
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
            possible = [card for card in self._table.mixed if not open_ or card is not FINISH]
            for card, here in self._table.unseen(name, possible).items():
                ways[card] = lift.either(ways.get(card, FALSE), lift.both(deeper, here))
        return ways

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
        length = self._lift.join(sub, self._setup.deck_size, self._before[place - 1])
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
