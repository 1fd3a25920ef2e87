"""The turns of a record over what it does not show: every clause is the formula of the specification, evaluated over
open values (`formulas.lifting`).

Three things are said here and not by the formulas, each with its proof in spec/symbolic.md: what a turn's cards can be,
the state after a *legal* turn (the rule that breaks is asked beside it), and whether some action is legal (`stuck`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from couperation_formal.formulas.circuit import FALSE, TRUE, Cases, Many, OpenMap, OpenSequence, OpenValues, no
from couperation_formal.formulas.judge import MARK_FORMS, SIGNS, book, card as formed, card_of
from couperation_formal.formulas.lifting import OpenNames, Program
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Action, Exchange, LayUp, NoAction, Open as Opens, Turn
from couperation_formal.game.tower import FINISH, UNSEEN, Down, FinishCard, Shown, UnseenCard, Value
from couperation_formal.hidden.symbolic.cards import Deck, Drawing, Mention, SymbolicTable, known
from couperation_formal.hidden.symbolic.standing import Before, before_of, ends, loosened, some_action

_IMPLIED = ("SET06",)
"""A turn that breaks it breaks another clause too (spec/symbolic.md), so that it refuses no record by itself."""


PLACES: Final = ("SET06", "DRW05")
"""The clauses of places: what is asked of a turn that stands as it was played."""

_NOBODY = ("Glass", 0)
"""What a `?` stands for that is drawn from a deck that holds no more cards: a Glass card that is nowhere."""

_KEPT = ("W", "f", "laid", "touched", "moved", "turned", "replaced", "skipped", "result")
"""What is after the turn as it is after the action."""

_LINE: Final = 4
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
        self, table: SymbolicTable, deck: Deck, given: Mapping[str, Any], state: Mapping[str, Any], since: int = 0
    ) -> None:
        self._table, self._deck, self._since = table, deck, since
        self._lift = OpenValues(table.circuit)
        self._top: list[Any] = []
        self._most_held = table.board.hand_limit
        self.names = OpenNames(program(), self._lift, {**given, "mark": OpenMap(OpenMarks(table)), "t": 0})
        self.names = self.names.given(state)

    def turn(self, place: int, turn: Turn) -> bool:
        """Ask what the clauses ask of a turn and carry it out; False where the run ends with it."""
        names = self.names
        written = {"t": place, "number": turn.number, "name": turn.player}
        names = names.given({**written, "d": (), "a": ("Pass",), "fill": (), "drop": (), "trim": ()})
        if place < self._since:
            return self._as_played(names, place, turn)
        before = before_of(names, self._table.board) if self._since > 1 else None
        part = "player" if names.value("p") != names.value("due") else "number"
        for clause in ("END04", "END06"):
            self._ask(names, place, clause, "number" if clause == "END04" else part)
        if self._ended(place):
            return False
        names = names.given({"result": ("Going",)})
        try:
            names = self._drawn(names, place, turn, "draw")
            names = self._acted(names, place, turn.action, before)
            names = names if before is None else names.given(ends(names, before))
            names = self._drawn(names, place, turn, "fill") if turn.fill or turn.fill_open else names
            names = self._limited(names, place, turn)
        except _Impossible:
            return False
        for clause in names.value("asked"):
            if clause not in (*_IMPLIED, "END06"):
                self._ask(names, place, clause, _part(clause, turn), before)
        if self._table.places is not None:
            self._table.places += [line for clause in PLACES for line in names.lines(clause)]
        self.names = self._after(names, turn)
        return not self._ended(place)

    def _as_played(self, names: OpenNames, place: int, turn: Turn) -> bool:
        """Carry out a turn that stands: only that each card was where the turn takes it from is asked."""
        action, tower = turn.action, self._lift.entries(names.value("W"))
        replaces = isinstance(action, Exchange) and action.replaced is not None
        try:
            if names.value("p") is None:
                raise self._nowhere(place, "END06", "player")
            if isinstance(action, Exchange) and replaces and tuple(action.cell) not in tower:
                raise self._nowhere(place, "ACT07", "action")
            names = self._drawn(names, place, turn, "draw")
            if not isinstance(action, NoAction):
                names = self._acted(names, place, action)
            names = self._drawn(names, place, turn, "fill") if turn.fill or turn.fill_open else names
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
        return any(rule.formula == FALSE and rule.turn == place for rule in self._table.rules)

    def _ask(self, names: OpenNames, place: int, clause: str, part: str, before: Before | None = None) -> None:
        lines = names.lines(clause) if before is None else loosened(names, before, clause)
        for number, formula in enumerate(lines):
            self._table.circuit.budget.spend(_LINE)
            self._table.ask(place, clause, _line(clause, number), part, formula)

    # What a turn writes

    def _written(self, at: Mention, shown: Shown, clause: str, possible: Any) -> Any:
        """A card that a turn writes: itself, or an unseen one of a set."""
        open_ = isinstance(shown, UnseenCard) or (self._table.doubting and not isinstance(shown, FinishCard))
        cards = [card_of(member) for member in self._lift.members(possible).members] if open_ else []
        if open_ and not cards:
            self._table.ask(at.turn, clause, _line(clause, 0), at.part, FALSE)
            raise _Impossible
        hidden = self._table.mention(at, shown, cards)
        return self._lift.made({formed(card): here for card, here in hidden.items() if here != FALSE}, TRUE)

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
        table, lift = self._table, self._lift
        noted = turn.draw if part == "draw" else turn.fill
        size = self._deck.sizes.get((place, part))
        top: list[Any] = []
        drawn: list[Any] = []
        for index, (lying, item) in enumerate(self._deck.taken(place, part, len(noted))):
            shown = UNSEEN if size is not None else noted[index]
            at = Mention(place, part, index)
            if not isinstance(shown, UnseenCard) and (not table.doubting or isinstance(shown, FinishCard)):
                table.mentions[at] = known(shown)
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
        if part == "draw":
            self._top, deck = top, self._deck.row(place, top)
        else:
            deck = self._deck.row(place, self._top, top)
        name = "d" if part == "draw" else "fill"
        return names.given(
            {name: OpenSequence(tuple(drawn), size), "K": deck, "unnamed": frozenset(), "spare": frozenset()}
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
        hands = dict(lift.entries(names.value("H3")))
        dropped = lift.gathered((TRUE, card) for card in names.value("drop").items)
        trimmed = lift.gathered((TRUE, card) for card in names.value("trim").items)
        hand = lift.members(lift.without(hands[player], dropped))
        glass = sum(card is not FINISH for card in turn.drop)
        size = lift.join(lambda one, other: one - other, names.value("held"), glass)
        if isinstance(size, Cases) and not self._since and not isinstance(turn.action, NoAction):
            size = lift.made({count: when for count, when in size.ways.items() if count <= self._most_held}, size.here)
        hands[player] = Many(hand.members, None, size)
        for seat, other in hands.items():
            if seat != player:
                before = lift.at(names.value("H"), seat)
                hands[seat] = Many(lift.members(other).members, None, lift.size(before))
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
