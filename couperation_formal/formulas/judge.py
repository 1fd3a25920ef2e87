"""The specification as a judge: records and tables as values of its formulas, what they say and why, and every legal
action.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, get_args

import msgspec

from couperation_formal.formulas import syntax
from couperation_formal.formulas.book import Book
from couperation_formal.formulas.trace import Trace, Tracer, texts
from couperation_formal.formulas.writer import Values
from couperation_formal.game import tower
from couperation_formal.game.fact import Fact, Spent, Steps, Told, fact
from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, NoAction, Open, Reached, Record, Turn
from couperation_formal.game.rules.moves import Move
from couperation_formal.game.rulings import Rulings, options_in_order, spec_text
from couperation_formal.game.state import State, all_cards
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board, Cell, Down, Laid, Shown, Up, card_key

# Cards, actions and records as values of the formula language, and back (the types are declared in spec/step.md).

Formed = Any
"""A value of the formula language (`formulas.writer`)."""

SIGNS: dict[str, Formed] = {"+": ("Plus",), "^": ("Plus",), "-": ("Minus",), "_": ("Minus",), "|": ("Idle",)}
SHIFTS = {"Plus": "^", "Minus": "_", "Idle": "|"}
MARK_FORMS: dict[tower.Mark, Formed] = {"1": ("Diamonds", 1), "2": ("Diamonds", 2), "H": ("Heart",)}
MARKS = tuple(MARK_FORMS.values())
RESULTS: dict[str | None, Formed] = {
    "unfinished": ("Going",), "win": ("Won",), "loss": ("Lost",), "stuck": ("Stuck",), None: ("Unstated",),
}  # fmt: skip


class NotShown(Exception):
    """A formula asks for something that the record does not show: that of `clause`, or the one that this part of the
    record belongs to. `number` is the card whose mark it asks for.
    """

    def __init__(self, number: int | None = None, clause: str = "SET06") -> None:
        super().__init__(number)
        self.number, self.clause = number, clause


class GivenMarks(dict[int, Formed]):
    """The marks by number. Asking for one that is not given raises `NotShown`."""

    def get(self, number: int, _default: Formed = None) -> Formed:
        """The mark of the Glass card with this number."""
        if number not in self:
            raise NotShown(number)
        return self[number]


def card(shown: Shown, clause: str = "SET06") -> Formed:
    """A card. Raises `NotShown` for an unseen one."""
    if shown is UNSEEN:
        raise NotShown(clause=clause)
    return ("F",) if shown is FINISH else ("Glass", shown)


def cards(shown: tuple[Shown, ...], clause: str = "SET06") -> Formed:
    """A sequence of cards."""
    return tuple(card(one, clause) for one in shown)


def lying(laid: Laid) -> Formed:
    """A card of the tower as it lies."""
    return "Up" if type(laid) is Up else "Down", card(laid.card)


def action(taken: Action, laid: dict[Formed, Formed]) -> Formed:
    """An action on what is laid, which tells which card is opened where the record does not."""
    if isinstance(taken, NoAction):
        return ("Pass",)
    cell = taken.cell
    if isinstance(taken, LayUp | LayDown):
        up = isinstance(taken, LayUp)
        return "A" if up else "B", card(taken.card, "ACT02" if up else "ACT03"), cell
    if isinstance(taken, Open):
        return "C", cell, laid[cell][1] if taken.card is UNSEEN and cell in laid else card(taken.card, "ACT04")
    comes = "Up" if taken.face_up else "Down", card(taken.taken, "ACT06")
    shifts = tuple((SIGNS[sign], card(spent, "ACT05")) for sign, spent in taken.adjust)
    old: Formed = ("Nothing",)
    if taken.replaced is not None:
        old = ("Unshown",) if taken.replaced == Down(UNSEEN) else ("Was", lying(taken.replaced))
    return "D", *(card(taken.first, "ACT05"), SIGNS[taken.sign], card(taken.second, "ACT05")), shifts, comes, cell, old


def constants(board: Board) -> dict[str, Formed]:
    """What is given for a whole game by its board."""
    return {
        "levels": board.levels,
        "cards": board.cards,
        "anchor_card": board.anchor,
        "deal": board.deal,
        "hand_limit": board.hand_limit,
        "refill": board.refill,
        "size": dict(board.reserve_sizes),
    }


def setup(record: Record, board: Board) -> dict[str, Formed]:
    """What a record gives for a whole game. Raises `NotShown` where it leaves a part of the set-up open."""
    names = tuple(dict.fromkeys(record.players))
    if record.reserve is None or any(name not in record.deals for name in names):
        raise NotShown(clause="SET03" if record.reserve is None else "SET02")
    deals = tuple(cards(record.deals[name], "SET02") for name in names)
    reserve, deck = cards(record.reserve, "SET03"), cards(record.deck or (), "DRW05")
    return {
        "players": record.players,
        "mark": GivenMarks({number: MARK_FORMS[mark] for number, mark in record.marks.items()}),
        "finish": record.variant == "finish",
        "deals": deals,
        "reserve": reserve,
        "deck": deck,
        "order": _order(record, board, [shown for cards_ in (*deals, reserve) for shown in cards_], deck),
        "stated": RESULTS[record.result],
    }


def _order(record: Record, board: Board, elsewhere: list[Formed], written: Formed) -> Formed:
    """The whole deck, top first: as written, then as drawn, then the other cards, those that turns name before the rest
    (D2, D6, D12).
    """
    every = [card(one) for one in sorted(all_cards(board, record.variant), key=card_key)]
    size = max(0, len(every) - 1 - len(elsewhere))
    order: list[Formed] = list(written[:size])
    free = set(every) - {*elsewhere, *order, ("Glass", board.anchor)}
    drawn = [card(shown) for turn in record.turns for shown in turn.draw + turn.fill if shown is not UNSEEN]
    for shown in drawn[len(order) : size]:
        order.append(shown if shown in free else None)
        free.discard(shown)
    named = [card(shown) for turn in record.turns for shown in _named(turn.action) if shown is not UNSEEN]
    rest = iter([one for one in dict.fromkeys([*named, *every]) if one in free])
    order = [next(rest, None) if one is None else one for one in order]
    return tuple(one for one in (*order, *rest) if one is not None)


def _named(taken: Action) -> tuple[Shown, ...]:
    if isinstance(taken, Exchange):
        return taken.first, taken.second, *(spent for _, spent in taken.adjust), taken.taken
    return () if isinstance(taken, NoAction) else (taken.card,)


def turn_of(turn: Turn, place: int, laid: dict[Formed, Formed]) -> dict[str, Formed]:
    """What a turn gives. Raises `NotShown` where it leaves a card open, or how many were drawn."""
    if turn.draw_open or turn.fill_open:
        raise NotShown(clause="DRW05")
    return {
        "t": place,
        "number": turn.number,
        "name": turn.player,
        "d": cards(turn.draw, "DRW05"),
        "a": action(turn.action, laid),
        "fill": cards(turn.fill, "DRW05"),
        "drop": cards(turn.drop, "LIM01"),
        "trim": cards(turn.trim, "LIM02"),
    }


def table(state: State) -> dict[str, Formed]:
    """What a table gives; a deck that is not seen is left out, as after the draw it decides nothing. Raises `NotShown`
    where another card is not seen.
    """
    if any(pile.unseen for pile in (*state.hands, state.reserve, state.gone)):
        raise NotShown
    return {
        "players": state.players,
        "finish": state.variant == "finish",
        "mark": GivenMarks({number: MARK_FORMS[mark] for number, mark in state.marks.items()}),
        "W": {cell: lying(laid) for cell, laid in state.tower.cells.items()},
        "H": {place: frozenset(map(card, hand.known)) for place, hand in enumerate(state.hands, start=1)},
        "f": None if state.front is None else state.front + 1,
        "R": frozenset(map(card, state.reserve.known)),
        "G": frozenset(map(card, state.gone.known)),
        "K": () if UNSEEN in state.deck else cards(state.deck),
        "laid": state.laid,
        "touched": state.touched,
        "moved": state.anchor_moved,
        "turned": state.turned,
        "laid_down": state.laid_down,
        "replaced": state.replaced,
        "skipped": state.skipped,
        "due": state.to_move + 1,
        "result": RESULTS[state.result or "unfinished"],
    }


def card_of(formed: Formed) -> tower.Card:
    """A card of the model."""
    return FINISH if formed[0] == "F" else tower.Value(formed[1])


def laid_of(formed: Formed) -> Laid:
    """A card as it lies, of the model."""
    return (Up if formed[0] == "Up" else Down)(card_of(formed[1]))


def move_of(formed: Formed) -> Move:
    """An action of the model, what action D pays in the order of the cards; not for ``-``."""
    if formed[0] in ("A", "B"):
        return (LayUp if formed[0] == "A" else LayDown)(card_of(formed[1]), Cell(*formed[2]))
    if formed[0] == "C":
        return Open(Cell(*formed[1]), card_of(formed[2]))
    _, first, sign, second, shifts, (face, taken), cell, old = formed
    first, second = sorted(map(card_of, (first, second)), key=card_key)
    spent: Any = [(SHIFTS[each[0]], card_of(paid)) for each, paid in shifts]
    adjust = tuple(sorted(spent, key=lambda pair: card_key(pair[1])))
    at, was = Cell(*cell), None if old[0] == "Nothing" else laid_of(old[1])
    return Exchange(first, "+" if sign[0] == "Plus" else "-", second, adjust, card_of(taken), face == "Up", at, was)


# A record judged by the formulas of the specification and by nothing else.

PAGES = (
    "step.md",
    "after-a-broken-rule.md",
    *(f"clauses/{name}.md" for name in ("setup", "drawing", "tower", "actions", "limits", "end")),
)
"""The pages of the specification that hold formulas."""

REACHED: dict[str, Reached] = {RESULTS[name][0]: name for name in get_args(Reached)}


class Judgement(NamedTuple):
    """What the formulas say of a record.

    `turn` is the first illegal one, 0 for the set-up, None where all is legal; `broken` the clauses that it breaks, in
    their order; `warned` pairs a turn with a clause that warns there. `open_` is the turn at which the record does not
    show what is asked or the budget ended, None where neither is so; nothing after it was judged. `asking` is the
    clause that asks for it. `tables` are the values before the first turn and after each legal one.
    """

    turn: int | None
    broken: tuple[str, ...]
    warned: tuple[tuple[int, str], ...]
    open_: int | None
    reached: Reached | None
    tables: tuple[Values, ...]
    asking: str = "SET06"


@lru_cache(maxsize=1)
def book() -> Book:
    """The formulas of the specification, read and compiled once: some 0.4 s, a tenth where they were kept."""
    pages = {page: spec_text(page) for page in PAGES}
    options = dict(options_in_order())
    kept = syntax.kept(pages, options)
    made = Book(pages, options, kept)
    if kept is None:
        syntax.keep(pages, options, syntax.Kept(made.items, made.givens, made.definitions))
    return made


@lru_cache(maxsize=1)
def _state_names() -> tuple[str, ...]:
    """The names of the state before a turn: those whose value after it is defined."""
    return tuple(name for name in book().givens if name + "'" in book().definitions)


def judge(record: Record, rulings: Rulings, board: Board = STANDARD, budget: Steps | None = None) -> Judgement:
    """Judge a record under these rulings, as far as `budget` allows. Cost: some 0.2 ms a turn; a turn `-` tries every
    action.
    """
    warned: list[tuple[int, str]] = []
    tables: list[Values] = []
    place = 0
    try:
        values = _first(record, rulings, board, budget)
        broken = failing(values, values.value("asked_at_setup"))
        warned += [(0, clause) for clause in failing(values, values.value("warned_at_setup"))]
        tables += [] if broken else [values]
        for place, turn in enumerate(() if broken else record.turns, start=1):
            values = values.given(turn_of(turn, place, values.value("W")))
            broken = failing(values, values.value("asked"))
            if broken:
                break
            warned += [(place, clause) for clause in failing(values, values.value("warned"))]
            values = after(values)
            tables.append(values)
    except (NotShown, Spent) as stop:
        asking = stop.clause if isinstance(stop, NotShown) else "SET06"
        return Judgement(None, (), tuple(warned), place, None, tuple(tables), asking)
    broken = broken or failing(values, values.value("asked_at_end"))
    turn_, reached = (place, None) if broken else (None, REACHED[values.value("result")[0]])
    return Judgement(turn_, broken, tuple(warned), None, reached, tuple(tables))


def tables(record: Record, rulings: Rulings, board: Board = STANDARD, budget: Steps | None = None) -> Iterator[Values]:
    """The values at the set-up and in each turn, whether the turns before it are legal or not: a step is total.

    Raises `NotShown` where the record leaves a part open, `Spent` where the budget ends.
    """
    values = _first(record, rulings, board, budget)
    yield values
    for place, turn in enumerate(record.turns, start=1):
        values = values.given(turn_of(turn, place, values.value("W")))
        yield values
        values = after(values)


def _first(record: Record, rulings: Rulings, board: Board, budget: Steps | None) -> Values:
    """The values at the set-up."""
    values = _values(rulings, board, budget, {**setup(record, board), "t": 0})
    first = {name: values.value(name + "0") for name in _state_names() if name + "0" in book().definitions}
    return values.given(first)


def _values(rulings: Rulings, board: Board, budget: Steps | None, given: dict[str, Formed]) -> Values:
    return book().values({**msgspec.structs.asdict(rulings), **constants(board), **given}, budget)


def after(values: Values) -> Values:
    """The values before the next turn: every component of the state as the step defines it."""
    return values.given({name: values.value(name + "'") for name in _state_names()})


def failing(values: Values, clauses: tuple[str, ...]) -> tuple[str, ...]:
    """The clauses among these that do not hold, in their order.

    A mark that is not given may be any: raises `NotShown` where the answer hangs on it.
    """
    try:
        return tuple(clause for clause in clauses if not values.value(clause))
    except NotShown as missing:
        if missing.number is None:
            raise
        tried = {failing(each, clauses) for each in marked(values, missing.number).values()}
        if len(tried) > 1:
            missing.clause = next(clause for clause in clauses if len({clause in each for each in tried}) > 1)
            raise
        return tried.pop()


def marked(values: Values, number: int) -> dict[Formed, Values]:
    """The values with each mark on the card with this number."""
    marks = values.value("mark")
    return {mark: values.given({"mark": GivenMarks({**marks, number: mark})}) for mark in MARKS}


# The legal actions of a table by the formulas: every action that can be written is tried.


def legal_moves(state: State, rulings: Rulings, budget: Steps | None = None) -> tuple[Move, ...]:
    """Every legal action of the player to move on a fully seen table after the draw, in the order of
    `game.rules.moves`.

    Of actions D that differ only in how the same sum is written one is named (spec/notation.md). Raises `NotShown`
    where a hand or the Reserve is not seen, `Spent` where the budget ends. Cost: tenths of a second, most of it for D.
    """
    given = {
        **table(state),
        "t": state.turns + 1,
        "name": state.players[state.to_move],
        **dict.fromkeys(("d", "fill", "drop", "trim"), ()),
    }
    values = _values(rulings, state.board, budget, given)
    written: dict[Any, Move] = {}
    for move in map(move_of, values.value("legal")):
        key = _place(move)
        written[key] = min(move, written.get(key, move), key=_writing)
    return tuple(written[key] for key in sorted(written))


def _writing(move: Move) -> tuple[object, ...]:
    """A difference before a sum, as few signs ^ and _ as will do, the signs ^, _ and | in this order."""
    if not isinstance(move, Exchange):
        return ()
    signs = ["^_|".index(sign) for sign, _ in move.adjust]
    return move.sign == "+", -signs.count(2), signs


def _place(move: Move) -> tuple[object, ...]:
    """A, B, C, D; A by card, B and C by cell, D by what it pays; cells from left to right and upwards."""
    if isinstance(move, Open):
        return 2, move.cell
    if isinstance(move, Exchange):
        spent = tuple(card_key(card) for _, card in move.adjust)
        paid = card_key(move.first), card_key(move.second), len(spent), spent, card_key(move.taken)
        target = (0, move.cell[::-1]) if move.replaced is None else (1, tuple(move.cell))
        return 3, paid, target, not move.face_up
    card, cell = card_key(move.card), move.cell[::-1]
    return (0, card, cell) if isinstance(move, LayUp) else (1, cell, card)


# Why a clause holds in a turn of a record, or fails: the trace of its formula (`formulas.trace`).

OWN: dict[str, Callable[[Any], str]] = {
    "Card": lambda card: "F" if card[0] == "F" else str(card[1]),
    "Cell": lambda cell: str(Cell(*cell)),
    "Laid": lambda laid: ("~" if laid[0] == "Down" else "") + OWN["Card"](laid[1]),
    "Shift": lambda shift: SHIFTS[shift[0][0]] + OWN["Card"](shift[1]),
    "Mark": lambda mark: "H" if mark[0] == "Heart" else str(mark[1]),
}
"""Cards, marks and cells as CGN writes them."""


class NotAsked(Told, LookupError):
    """A clause is not asked there; the text says where it is."""


class Why(NamedTuple):
    """What a clause's formula comes to at a place, 0 being the set-up, and the first illegal turn where that is an
    earlier one: what follows it goes on from the state that its step leaves, though it is illegal. A clause that
    `defines` an end asks nothing. `whatever` tells that it is so whatever the record does not show.
    """

    clause: str
    at: int
    illegal: int | None
    trace: Trace
    defines: bool = False
    whatever: bool = False


@lru_cache(maxsize=1)
def tracer() -> Tracer:
    """What explains the specification's formulas."""
    return Tracer(book(), OWN)


def why(
    record: Record,
    rulings: Rulings,
    clause: str,
    at: int | None = None,
    budget: Steps | None = None,
) -> Why:
    """Why `clause` holds or fails at a place of the record: a turn from 1, or 0, the set-up. Where no place is given,
    at the first illegal one, or else at the last one at which it is asked.

    Raises `NotAsked` where it is not asked or there is no such turn, `NotShown` where the record leaves open what it
    asks for, `Spent` where the budget ends. Cost: that of `judge`, and some milliseconds.
    """
    checked_place(record, clause, at)
    illegal = judge(record, rulings, budget=budget).turn
    if at is None:
        at = default_place(record, clause, illegal)
    values = next(islice(tables(record, rulings, budget=budget), at, None))
    earlier = illegal if illegal is not None and illegal < at else None
    return Why(clause, at, earlier, _traced(clause, values), defines(clause))


def checked_place(record: Record, clause: str, at: int | None) -> None:
    """Raise `NotAsked` where the clause is not asked at this place, or there is no such turn."""
    places = _places(clause, len(record.turns))
    if at is not None and at not in places:
        raise NotAsked(_nowhere(clause, places, at, len(record.turns)))


def default_place(record: Record, clause: str, illegal: int | None) -> int:
    """The first illegal place, or else the last one at which the clause is asked."""
    places = _places(clause, len(record.turns))
    return illegal if illegal is not None and illegal in places else places[-1]


def defines(clause: str) -> bool:
    """Whether a clause only defines something, and asks nothing."""
    return clause not in book().definitions


def _traced(clause: str, values: Values) -> Trace:
    """The trace of a clause where it is asked, or why it is not; of marks that are not given, one for each mark."""
    if clause in _asked("asked_at_end"):
        return _marked(clause, after(values))
    lists = ("asked", "warned") if values.value("t") else ("asked_at_setup", "warned_at_setup")
    if defines(clause) or any(clause in values.value(name) for name in lists):
        return _marked(_formula(clause), values)
    return tracer().left_out(next(name for name in lists if clause in _asked(name)), clause, values)


def _marked(formula: str, values: Values) -> Trace:
    """The trace of a formula. A mark that is not given may be any: each is bound and told of, where all come to the
    same; raises `NotShown` where they do not.
    """
    try:
        return tracer().trace(formula, values)
    except NotShown as missing:
        if missing.number is None:
            raise
        name = f"mark({missing.number})"
        traces = {mark: _marked(formula, each) for mark, each in marked(values, missing.number).items()}
        if len({each.holds for each in traces.values()}) > 1:
            raise
        asked = any(each.asked for each in traces.values())
        bound = [
            msgspec.structs.replace(one, bindings={name: OWN["Mark"](mark), **one.bindings})
            for mark, each in traces.items()
            for one in each.instances
            if one.asked or not asked
        ]
        return Trace(traces[MARKS[0]].holds, tuple(bound), asked)


def _formula(clause: str) -> str:
    """The name of a clause's formula; of a clause that only defines something, what it defines last."""
    if clause in book().definitions:
        return clause
    defined = book().definitions.items()
    return [name for name, each in defined if book().under(name) == clause and not each.params][-1]


def _asked(name: str) -> set[str]:
    """The clauses that a list of `step.md` names in any of its cases."""
    return texts(book().definitions[name].body)


def _places(clause: str, turns: int) -> range:
    """Where a clause is asked: 0 is the set-up. One that only defines something is asked in every turn."""
    if clause in _asked("asked_at_end"):
        return range(turns, turns + 1)
    setup = clause in _asked("asked_at_setup") | _asked("warned_at_setup")
    turn = clause in _asked("asked") | _asked("warned")
    return range(not setup, turns + 1 if turn or not setup else 1)


def _nowhere(clause: str, places: range, at: int, turns: int) -> Fact:
    if at > turns:
        return fact("clause_no_turn", turn=at, turns=turns)
    if places == range(1):
        return fact("clause_setup", clause=clause)
    return fact("clause_end" if clause in _asked("asked_at_end") else "clause_turns", clause=clause, turns=turns)
