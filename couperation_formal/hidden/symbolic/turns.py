"""The turns of a record over what it does not show: every clause is the formula of the specification, evaluated over
open values (`formulas.lifting`).

Three things are said here and not by the formulas, each with its proof in spec/symbolic.md: what a turn's cards can be,
the state after a *legal* turn (the rule that breaks is asked beside it), and whether some action is legal (`stuck`).
"""

from collections.abc import Collection, Iterator, Mapping, Set
from functools import lru_cache
from itertools import product
from operator import add, sub
from typing import Any, NamedTuple

from couperation_formal.formulas.circuit import FALSE, TRUE, Cases, Formula, Many, OpenMap, OpenSequence, OpenValues, no
from couperation_formal.formulas.judge import MARK_FORMS, SIGNS, book, card as formed, card_of
from couperation_formal.formulas.lifting import OpenNames, Program
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Action, Exchange, LayUp, NoAction, Open as Opens, Turn
from couperation_formal.game.rules.arrangement import CLAUSES, OrderClause, extension_key, orders
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Cell, Down, FinishCard, Shown, UnseenCard, Value
from couperation_formal.hidden.symbolic.cards import Deck, Drawing, Mention, SymbolicTable

# What a turn is asked on a table that stands as it was played: of a tower that was wrong before it answers for its own
# card only (spec/dispute.md, *A turn by itself*).

_ORDERS = ("TOW01", "TOW02", "TOW07")
_SHAPE = ("TOW03", "TOW04", "TOW05")


class Before(NamedTuple):
    """Whether the tower was in order before the turn (TOW01, TOW02, TOW07, this but where an opened card may leave no
    numbers), and inside one pyramid (TOW04).
    """

    board: Board
    ordered: Formula
    inside: Formula


def before_of(names: OpenNames, board: Board) -> Before | None:
    """What the tower was before the turn that `names`, without an action yet, stand for; None where nothing was wrong
    with it.
    """
    lift = names.lift
    left = lift.both(names.value("turned"), lift.equal(names.value("opened_against"), "stands"))
    numbered = lift.either(names.value("numbered"), left)
    ordered = lift.both(names.call("in_order", (names.value("num2"),)), numbered)
    some = next(iter(lift.entries(names.value("W"))), None)
    inside = names.given({"settled": some}).value("TOW04")
    return None if ordered == inside == TRUE else Before(board, ordered, inside)


def own_orders(names: OpenNames) -> Formula:
    """Whether the orders between the card that the turn lays or opens and each other up card hold."""
    lift, cell = names.lift, names.value("settled")
    cell = names.value("opened") if cell is None else cell
    numbers = lift.entries(names.value("num2"))
    if cell is None or cell not in numbers:
        return TRUE
    pairs = [OpenMap({cell: numbers[cell], other: number}) for other, number in numbers.items() if other != cell]
    return lift.all_of(names.call("in_order", (pair,)) for pair in pairs)


def own_chains(names: OpenNames, board: Board) -> Formula:
    """Whether the chains of orders through down cards hold that the card laid or opened last is part of: from an up
    card, or the deck's least number, to it or through it to the next one, or the deck's greatest (TOW07).
    """
    lift, cell = names.lift, names.value("touched2")
    down = {Cell(*at) for at, here in lift.members(names.value("down2")).members.items() if here != FALSE}
    numbers = {Cell(*at): number for at, number in lift.entries(names.value("num2")).items()}
    if cell is None or not down:
        return TRUE
    own, cards, kept = Cell(*cell), names.value("cards"), []
    asked = no(lift.equal(names.value("facedown"), "ignored"))
    deck = lift.equal(names.value("facedown"), "deck")
    strict = [lift.equal(names.value(ruling), "strict") for ruling in ("row_order", "between")]
    strict = [lift.both(when, no(lift.equal(names.value("facedown"), "repeats"))) for when in strict]
    for row, between in product((True, False), repeat=2):
        steps: dict[OrderClause, int] = {"TOW01": int(row), "TOW02": int(between)}
        below, above = (_distances(board, steps, own, down, numbers, rising) for rising in (False, True))
        if own in down:
            pairs = [(low, some + more, high) for low, some in below.items() for high, more in above.items()]
        else:
            pairs = [(low, some, own) for low, some in below.items()]
            pairs += [(own, more, high) for high, more in above.items()]
        options = [when if wanted else no(when) for when, wanted in zip(strict, (row, between), strict=True)]
        for low, length, high in pairs:
            one, other = 1 if low is None else numbers.get(low), cards if high is None else numbers.get(high)
            shown = [asked, *options, lift.here(one), lift.here(other), deck if None in (low, high) else TRUE]
            kept.append(lift.circuit.implies(lift.all_of(shown), lift.at_most(one, length, other)))
    return lift.all_of(kept)


def _distances(
    board: Board, steps: Mapping[OrderClause, int], own: Cell, down: Set[Cell], up: Collection[Cell], rising: bool
) -> dict[Cell | None, int]:
    """How far a cell is from each up card that a chain through down cards leads to, upwards or downwards; by None how
    far from the last down card. The neighbours of an up card are left out.
    """
    near = orders(board).above if rising else orders(board).below
    longest, farthest = {own: 0}, dict[Cell | None, int]()
    for cell in (own, *sorted(down - {own}, key=extension_key, reverse=not rising)):
        if cell not in longest:
            continue
        if cell in down:
            farthest[None] = max(longest[cell], farthest.get(None, 0))
        for clause, step in steps.items():
            for other in near[clause][cell]:
                if other in down:
                    longest[other] = max(longest[cell] + step, longest.get(other, 0))
                elif other in up and cell in down:
                    farthest[other] = max(longest[cell] + step, farthest.get(other, 0))
    return farthest


def loosened(names: OpenNames, before: Before, clause: str) -> Iterator[Formula]:
    """The lines of a clause, those of the tower asked as far as the turn answers for it; those of TOW01 and TOW07
    hold the orders of its own card, where it has a place.
    """
    lift, cell = names.lift, names.value("settled")
    if clause == "TOW04":
        own = TRUE if cell is None else names.given({"W2": {cell: ("Up", ("F",))}}).value("TOW04")
        yield lift.all_of(lift.circuit.implies(before.inside, line) for line in names.lines(clause))
        yield lift.either(before.inside, own)
    elif clause not in _ORDERS:
        yield from names.lines(clause)
    elif cell is not None:
        placed = lift.all_of(line for each in _SHAPE for line in loosened(names, before, each))
        for line in names.given({"ordered": cell}).lines(clause):
            yield lift.circuit.implies(lift.both(before.ordered, placed), line)
        if clause == "TOW01":
            yield lift.circuit.implies(placed, own_orders(names))
        if clause == "TOW07":
            kept = lift.either(no(own_orders(names)), own_chains(names, before.board))
            yield lift.circuit.implies(placed, lift.either(before.ordered, kept))


def ends(names: OpenNames, before: Before) -> dict[str, Any]:
    """How the turn ends the game: on a tower that was out of order its own card decides whether the orders hold."""
    lift, own = names.lift, own_orders(names)
    astray, opened = no(before.ordered), names.value("opened") is not None
    stands = lift.equal(names.value("opened_against"), "stands")
    kept = lift.both(own, lift.either(stands, own_chains(names, before.board))) if opened else own
    lost, won = names.value("lost"), names.value("won")
    completes = names.value("settled") is not None or opened
    completed = lift.both(names.value("full"), own) if completes else FALSE
    on_completion = lift.equal(names.value("early_apex"), "win_on_completion")
    return {
        "lost": lift.chosen(before.ordered, lost, no(kept) if opened else lost),
        "won": lift.either(
            lift.both(before.ordered, won),
            lift.both(astray, lift.either(lift.both(on_completion, completed), lift.both(no(on_completion), won))),
        ),
    }


# Whether a player has some legal action (`legal`), as a formula over unseen cards (ACT01, END03).
#
# Every action is asked for at once, not tried: a card of one's own on a free cell, up or down, and a card that some two
# own cards pay for (ACT05) on a free or a taken one. [adjust] plays no part: with k further own cards every change from
# -k to k can be had, by cards that all add or all subtract. What a cell, a pair of numbers or a replaced card allows is
# asked of the formulas (spec/symbolic.md, *Stuck*).

_FINISH = ("F",)
_GLASS = ("Glass", 1)
"""Any Glass card: what is asked with it does not hang on its number."""

_TRIED = 100
"""The steps that an action takes when formulas are asked of it."""

_RELATION = {"TOW01": "<row", "TOW02": "<btw"}


class _Place(NamedTuple):
    """A cell on which a card may come to lie: where it may, and the numbers of the tower that it joins."""

    cell: Cell
    free: Formula
    numbers: Mapping[Any, Any]
    down: Formula


def some_action(names: OpenNames, board: Board, before: Before | None) -> Formula:
    """Whether the player, after the draw, has a legal action. Cost: cards times cells times the orders of a cell."""
    lift = names.lift
    tower = lift.entries(names.value("W"))
    if any(lift.parts(laid, "Down")[0] != FALSE for laid in tower.values()):
        return TRUE
    own = lift.members(names.value("own1"))
    if not own.members:
        return FALSE
    empty = list(_empty(names, board, before))
    hand = lift.join(add, lift.size(lift.at(names.value("H"), names.value("p"))), names.value("glass_drawn"))
    # the number of cards in a hand is known though the cards are not: said like this, no solver has to count them
    glass = lift.at_most(1, 0, hand)
    actions = []
    for place in empty:
        for card, here in own.members.items():
            actions.append(lift.all_of((place.free, here, _fits(names, board, place, card))))
        actions.append(lift.all_of((place.free, glass, place.down)))
    front = lift.choose(lift.equal(names.value("f1"), names.value("p")), 1, 0)
    takeable = _takeable(names, own, lift.join(add, hand, front))
    either = lift.equal(names.value("reserve_face"), "either")
    for place in (*empty, *_taken(names, before)):
        for card, here in takeable.items():
            fits = _fits(names, board, place, card)
            if card != _FINISH:
                fits = lift.either(fits, lift.both(either, place.down))
            actions.append(lift.all_of((place.free, here, fits)))
    return lift.any_of(actions)


def _tried(names: OpenNames, action: Any) -> OpenNames:
    """What the names stand for with this action."""
    names.lift.circuit.budget.spend(_TRIED)
    return names.given({"a": action})


def _empty(names: OpenNames, board: Board, before: Before | None) -> Iterator[_Place]:
    """The empty cells on which the shape allows a card, each with the readings that allow it (TOW03 to TOW06)."""
    lift = names.lift
    tower = lift.entries(names.value("W"))
    for cell in sorted(orders(board).cells):
        at = tuple(cell)
        if at in tower or any(tuple(support) not in tower for support in (cell.supports if cell.level > 1 else ())):
            continue
        tried = _tried(names, ("A", _GLASS, at))
        shape = (tried.value(clause) for clause in ("TOW03", "TOW05", "TOW06"))
        free = lift.all_of((*shape, _inside(tried, before)))
        if free != FALSE:
            numbers = {x: number for x, number in lift.entries(tried.value("num2")).items() if x != at}
            yield _Place(cell, free, numbers, _down(names, ("B", _GLASS, at), before))


def _inside(tried: OpenNames, before: Before | None) -> Formula:
    return tried.value("TOW04") if before is None else tried.lift.all_of(loosened(tried, before, "TOW04"))


def _taken(names: OpenNames, before: Before | None) -> Iterator[_Place]:
    """The cells whose up card D may replace (ACT07), with the tower that is left."""
    lift = names.lift
    for at, laid in sorted(lift.entries(names.value("W")).items(), key=lambda pair: pair[0]):
        was, pays = lift.built_of("Was", (laid,)), (_GLASS, ("Plus",), _GLASS, ())
        tried = _tried(names, lift.built_of("D", (*pays, ("Up", _GLASS), at, was)))
        down = lift.built_of("D", (*pays, ("Down", _GLASS), at, was))
        numbers = {x: number for x, number in lift.entries(tried.value("num2")).items() if x != at}
        free = lift.both(tried.value("ACT07"), _inside(tried, before))
        yield _Place(Cell(*at), free, numbers, _down(names, down, before))


def _down(names: OpenNames, action: Any, before: Before | None) -> Formula:
    """Whether a Glass card may lie down where an action lays it (TOW07, TOW08)."""
    tried = _tried(names, action)
    apex = tried.value("TOW08")
    if apex == FALSE:
        return FALSE
    ordered = tried.call("in_order", (tried.value("num2"),))  # where the tower is not, no turn comes
    lift = names.lift
    kept = lift.circuit.implies(ordered, tried.value("numbered"))
    if before is not None:
        kept = lift.both(
            lift.circuit.implies(before.ordered, kept), lift.either(before.ordered, own_chains(tried, before.board))
        )
    return lift.both(apex, kept)


def _fits(names: OpenNames, board: Board, place: _Place, card: Any) -> Formula:
    """Whether the card may lie up on the cell; no card of the tower is down (TOW01, TOW02, TOW08)."""
    lift, cell = names.lift, place.cell
    apex = _tried(names, ("A", card, tuple(cell))).value("TOW08") if cell.level == board.levels else TRUE
    number = names.call("num", (card,))
    here = lift.both(lift.here(number), no(names.call("waived", (tuple(cell), card))))
    kept = [apex]
    for clause in CLAUSES:
        below, above = orders(board).below[clause][cell], orders(board).above[clause][cell]
        pairs = [(place.numbers.get(tuple(other)), number) for other in below]
        pairs += [(number, place.numbers.get(tuple(other))) for other in above]
        for one, other in pairs:
            shown = lift.all_of((here, lift.here(one), lift.here(other)))
            if shown != FALSE:
                kept.append(lift.circuit.implies(shown, names.call(_RELATION[clause], (one, other))))
    return lift.all_of(kept)


def _takeable(names: OpenNames, own: Many, count: Any) -> Mapping[Any, Formula]:
    """For each card whether D can take it: some two own cards pay for it, with the others to adjust (ACT05, ACT06)."""
    lift = names.lift
    again = lift.equal(names.value("take_sent"), "allowed")
    reserve = lift.members(names.value("R")).members
    numbers = {card: names.call("num", (card,)) for card in {*own.members, *reserve}}
    paid: dict[Any, list[Formula]] = {}
    cards = list(own.members)
    for i, first in enumerate(cards):
        for second in cards[i + 1 :]:
            both = lift.both(own.members[first], own.members[second])
            if both == FALSE:
                continue
            for target in {*reserve, first, second}:
                there = reserve.get(target, FALSE)
                if target in (first, second):
                    there = lift.either(there, again)
                sums = lift.join(lambda one, other: (one + other, abs(one - other)), numbers[first], numbers[second])
                change = lift.join(lambda pair, goal: min(abs(each - goal) for each in pair), sums, numbers[target])
                pays = lift.at_most(change, 2, count)  # with as many others as one has
                if pays != FALSE:
                    paid.setdefault(target, []).append(lift.all_of((both, there, pays)))
    return {card: lift.any_of(ways) for card, ways in paid.items()}


# A turn over what its record does not show, and the state after it.

PLACES = ("SET06", "DRW05")
"""The clauses of places: what is asked of a turn that stands as it was played."""

_NOBODY = ("Glass", 0)
"""What a `?` stands for that is drawn from a deck that holds no more cards: a Glass card that is nowhere."""

_KEPT = ("W", "f", "laid", "touched", "moved", "turned", "laid_down", "replaced", "skipped", "result")
"""What is after the turn as it is after the action."""

_LINE = 4
"""The steps that a line of a formula takes, beside its gates."""


@lru_cache(maxsize=1)
def program() -> Program:
    """The formulas of the specification over open values; made once."""
    return Program(book().givens, book().definitions)


class _Impossible(Exception):
    """A card is written where there can be none; the clause that says so has been asked."""


class OpenMarks(dict[int, Any]):
    """The marks by number; one that is not given is one of three."""

    def __init__(self, table: SymbolicTable) -> None:
        super().__init__({_NOBODY[1]: MARK_FORMS["1"]})  # asked of a card that is nowhere, and of no weight there
        self._table = table

    def get(self, number: int, _default: Any = None) -> Any:
        """The mark of the Glass card with this number."""
        if number not in self:
            ways = {form: self._table.mark(Value(number), mark) for mark, form in MARK_FORMS.items()}
            sure = [form for form, here in ways.items() if here == TRUE]
            self[number] = sure[0] if sure else Cases(ways, TRUE)
        return self[number]


class SymbolicTurns:
    """The turns of one record on a table: what is asked of each, and the state after it. Turns before turn `since`
    stand as they were played.
    """

    def __init__(
        self, table: SymbolicTable, deck: Deck, given: Mapping[str, Any], state: Mapping[str, Any], since: int
    ) -> None:
        self._table, self._deck, self._since = table, deck, since
        self._lift = OpenValues(table.circuit)
        self._tops: list[list[Any]] = []
        given = {**given, "mark": OpenMap(OpenMarks(table)), "t": 0}
        self.names = OpenNames(program(), self._lift, given).given(state)

    def turn(self, place: int, turn: Turn) -> bool:
        """Ask what the clauses ask of a turn and carry it out; False where the run ends with it."""
        names = self.names
        written = {"t": place, "number": turn.number, "name": turn.player}
        names = names.given({**written, "d": (), "a": ("Pass",), "fill": (), "drop": (), "trim": ()})
        if place < self._since:
            return self._as_played(names, place, turn)
        before = before_of(names, self._table.board) if self._since > 1 else None
        self._ask(names, place, "END04", "number")
        self._ask(names, place, "END06", "player" if names.value("p") != names.value("due") else "number")
        if self._ended(place):
            return False
        names = names.given({"result": ("Going",)})
        try:
            names = self._drawn(names, place, turn, "draw")
            names = self._acted(names, place, turn.action, before)
            names = names if before is None else names.given(ends(names, before))
            names = self._limited(self._drawn(names, place, turn, "fill"), place, turn)
        except _Impossible:
            return False
        for clause in names.value("asked"):
            # What breaks SET06 breaks another clause too (spec/symbolic.md): it refuses no record by itself.
            if clause not in ("SET06", "END06"):
                self._ask(names, place, clause, _part(clause, turn), before)
        if self._table.places is not None:
            self._table.places += [line for clause in PLACES for line in names.lines(clause)]
        self.names = self._after(names, turn)
        return not self._ended(place)

    def _as_played(self, names: OpenNames, place: int, turn: Turn) -> bool:
        """Carry out a turn that stands: only that each card was where the turn takes it from is asked."""
        action, tower = turn.action, self._lift.entries(names.value("W"))
        try:
            if names.value("p") is None:
                raise self._nowhere(place, "END06", "player")
            if isinstance(action, Exchange) and action.replaced is not None and tuple(action.cell) not in tower:
                raise self._nowhere(place, "ACT07", "action")
            names = self._drawn(names, place, turn, "draw")
            if not isinstance(action, NoAction):
                names = self._acted(names, place, action)
            names = self._drawn(names, place, turn, "fill")
            names = self._limited(names.given({"result2": ("Going",)}), place, turn)
        except _Impossible:
            return False
        for clause in PLACES:
            self._ask(names, place, clause, _part(clause, turn))
        self.names = self._after(names, turn)
        return not self._ended(place)

    def _nowhere(self, place: int, clause: str, part: str) -> _Impossible:
        self._table.ask(place, clause, _line(clause, 0), part, FALSE)
        return _Impossible()

    def result(self, place: int) -> None:
        """Ask whether the stated result is reached."""
        self._ask(self.names, place, "END05", "result")

    def _ended(self, place: int) -> bool:
        return any(rule.turn == place for rule in self._table.failing)

    def _ask(self, names: OpenNames, place: int, clause: str, part: str, before: Before | None = None) -> None:
        lines = names.lines(clause) if before is None else loosened(names, before, clause)
        for number, formula in enumerate(lines):
            self._table.circuit.budget.spend(_LINE)
            self._table.ask(place, clause, _line(clause, number), part, formula)

    # What a turn writes

    def _written(self, at: Mention, shown: Shown, clause: str, possible: Any) -> Any:
        """A card that a turn writes: itself, or an unseen one of a set."""
        table = self._table
        if table.sure(shown):
            table.mentions[at] = {shown: TRUE}
            return formed(shown)
        cards = [card_of(member) for member in self._lift.members(possible).members]
        if not cards:
            raise self._nowhere(at.turn, clause, at.part)
        hidden = table.mentions[at] = table.unseen(f"turn {at.turn} {at.part} {at.place + 1}", cards)
        if not isinstance(shown, UnseenCard):
            table.pin(at.turn, hidden.get(shown, FALSE))
        return self._deck.value(TRUE, hidden)

    def _lies(self, at: Mention, lies: Any, shown: Shown) -> Any:
        """A card of the tower that a turn writes: where it is not shown, or in doubt, the one that lies there."""
        table = self._table
        hidden = {card_of(plain): here for plain, here in self._lift.ways(lies).items()}
        table.mentions[at] = hidden
        if isinstance(shown, UnseenCard):
            return lies
        if table.doubting and not isinstance(shown, FinishCard):
            table.pin(at.turn, hidden.get(shown, FALSE))
            return lies
        return formed(shown)

    def _drawn(self, names: OpenNames, place: int, turn: Turn, part: Drawing) -> OpenNames:
        """A draw: a card that is not shown is the deck's next one, and no F, which lies in front for all to see."""
        if part == "fill" and not (turn.fill or turn.fill_open):
            return names
        table, lift = self._table, self._lift
        noted = turn.draw if part == "draw" else turn.fill
        size = self._deck.sizes.get((place, part))
        top: list[Any] = []
        drawn: list[Any] = []
        for index, (lying, item) in enumerate(self._deck.taken(place, part, len(noted))):
            shown = UNSEEN if size is not None else noted[index]
            at = Mention(place, part, index)
            if table.sure(shown):
                table.mentions[at] = {shown: TRUE}
                drawn.append(formed(shown))
                top.append(item)
                continue
            hidden = dict(lying.card)
            seen = table.circuit.implies(lying.here, no(hidden.pop(FINISH, FALSE)))
            table.ask(place, "DRW06", fact("asks_drawn", place=index + 1, part=part), part, seen)
            if table.places is not None:
                table.places.append(seen)
            if not isinstance(shown, UnseenCard):
                table.pin(place, hidden.get(shown, FALSE))
            table.mentions[at] = hidden
            top.append(self._deck.value(lying.here, hidden))
            drawn.append(top[-1] if size is not None else lift.choose(lying.here, top[-1], _NOBODY))
        drawn += [_NOBODY if isinstance(shown, UnseenCard) else formed(shown) for shown in noted[len(drawn) :]]
        self._tops = [top] if part == "draw" else [*self._tops, top]
        told = {"d" if part == "draw" else "fill": OpenSequence(tuple(drawn), size)}
        return names.given(
            {**told, "K": self._deck.row(place, *self._tops), "unnamed": frozenset(), "spare": frozenset()}
        )

    def _acted(self, names: OpenNames, place: int, action: Action, before: Before | None = None) -> OpenNames:
        if isinstance(action, NoAction):
            some = some_action(names, self._table.board, before)
            return names.given({"a": ("Pass",), "legal": Many({("some action",): some})})
        at, cell = Mention(place, "action", 0), tuple(action.cell)
        lying = self._lift.entries(names.value("W")).get(cell)
        if isinstance(action, Exchange):
            return names.given({"a": self._exchanged(names, at, action, lying)})
        if isinstance(action, Opens):  # where nothing lies no card is right, and ACT04 says so
            here = formed(FINISH) if lying is None else self._lift.field(lying, 1)
            return names.given({"a": self._lift.built_of("C", (cell, self._lies(at, here, action.card)))})
        up, possible = isinstance(action, LayUp), names.value("own1")
        if not up:
            possible = self._lift.without(possible, frozenset({formed(FINISH)}))
        card = self._written(at, action.card, "ACT02" if up else "ACT03", possible)
        return names.given({"a": self._lift.built_of("A" if up else "B", (card, cell))})

    def _exchanged(self, names: OpenNames, at: Mention, action: Exchange, lying: Any) -> Any:
        """Action D; `lying` is what lies on its cell, None where nothing does."""
        lift, own = self._lift, names.value("own1")
        spent = (action.first, action.second, *(card for _, card in action.adjust))
        cards = [self._written(at._replace(place=index), card, "ACT05", own) for index, card in enumerate(spent)]
        pool = lift.union(names.value("R"), lift.gathered((TRUE, card) for card in cards[:2]))
        taken = self._written(at._replace(place=len(spent)), action.taken, "ACT06", pool)
        signs = zip(action.adjust, cards[2:], strict=True)
        shifts = lift.listed(lift.built_of(None, (SIGNS[sign], card)) for (sign, _), card in signs)
        laid = lift.built_of("Up" if action.face_up else "Down", (taken,))
        old: Any = ("Nothing",) if action.replaced is None else ("Unshown",)
        if action.replaced is not None and lying is not None:
            picked = self._lies(at._replace(place=len(spent) + 1), lift.field(lying, 1), action.replaced.card)
            if action.replaced != Down(UNSEEN):
                face = "Down" if isinstance(action.replaced, Down) else "Up"
                old = lift.built_of("Was", (lift.built_of(face, (picked,)),))
        first, second = cards[:2]
        return lift.built_of("D", (first, SIGNS[action.sign], second, shifts, laid, tuple(action.cell), old))

    def _limited(self, names: OpenNames, place: int, turn: Turn) -> OpenNames:
        player = names.value("p")
        hand = self._lift.at(names.value("H3"), player) if turn.drop else None
        drop = [self._written(Mention(place, "drop", at), card, "LIM01", hand) for at, card in enumerate(turn.drop)]
        pool = names.value("R2") if turn.trim else None
        trim = [self._written(Mention(place, "trim", at), card, "LIM02", pool) for at, card in enumerate(turn.trim)]
        return names.given({"drop": OpenSequence(tuple(drop)), "trim": OpenSequence(tuple(trim))})

    def _after(self, names: OpenNames, turn: Turn) -> OpenNames:
        """The state after a turn whose cards were in their places: cards dropped and trimmed are gone, and nothing else
        is to be mended.
        """
        lift, player = self._lift, names.value("p")
        hands = lift.entries(names.value("H3"))
        dropped = lift.gathered((TRUE, card) for card in names.value("drop").items)
        trimmed = lift.gathered((TRUE, card) for card in names.value("trim").items)
        hand = lift.members(lift.without(hands[player], dropped))
        glass = sum(card is not FINISH for card in turn.drop)
        size = lift.join(sub, names.value("held"), glass)
        if isinstance(size, Cases) and not self._since and not isinstance(turn.action, NoAction):
            most = self._table.board.hand_limit
            size = lift.made({count: when for count, when in size.ways.items() if count <= most}, size.here)
        sizes = {seat: lift.size(before) for seat, before in lift.entries(names.value("H")).items()}
        hands = {seat: Many(lift.members(held).members, None, sizes[seat]) for seat, held in hands.items()}
        hands[player] = Many(hand.members, None, size)
        reserve = lift.members(lift.without(names.value("R2"), trimmed))
        grows = 1 if isinstance(turn.action, Exchange) else 0
        state = {name: names.value(name + "2") for name in _KEPT}
        if glass < len(turn.drop):
            state["f"] = None
        state["H"] = OpenMap(hands)
        state["R"] = Many(reserve.members, None, lift.size(names.value("R")) + grows - len(turn.trim))
        state["K"] = self._deck.row(names.value("t") + 1, ())
        return names.given({**state, "due": names.value("due'")})


def _part(clause: str, turn: Turn) -> str:
    """Where in the line of a turn a clause points."""
    if clause.startswith("DRW"):
        return "draw" if turn.draw or turn.draw_open else "fill" if turn.fill or turn.fill_open else "player"
    if clause == "LIM01" and turn.drop:
        return "drop"
    return "trim" if clause == "LIM02" and turn.trim else "action"


@lru_cache(maxsize=1)
def _texts() -> dict[str, tuple[str, ...]]:
    """For each clause the lines of its formula, as they are written."""
    texts = {}
    for name in book().headings.keys() & book().definitions.keys():
        body, page = book().definitions[name].body, book().headings[name].page
        texts[name] = tuple(book().text(page, line.span) for line in (body.args if body.op == "and" else (body,)))
    return texts


def _line(clause: str, number: int) -> str:
    lines = _texts()[clause]
    return lines[number] if number < len(lines) else f"{lines[0]} (settled)"
