"""A shortest record that one rulebook accepts and another refuses: how many turns it needs at least, the turns that it
may have, the search among them, and the deal that makes a fully seen record of what is found.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice, product
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from couperation_formal.game import tower
from couperation_formal.game.dealing import deal
from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, NoAction, Open, Record, Turn
from couperation_formal.game.rules.arrangement import CLAUSES, extension_key, orders
from couperation_formal.game.rules.moves import Adjust, Sign
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rules.step import Step, carry_out
from couperation_formal.game.rules.turn import counted, ending
from couperation_formal.game.rulings import RULING_NAMES, Rules, Rulings, taggable
from couperation_formal.game.state import State
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Cell, Down, Shown, Up, Value, Variant
from couperation_formal.hidden.readings.standing import broken, plain_verdicts
from couperation_formal.notation.write import header_tags

# How many turns a record needs at least before a ruling can make a difference. The proofs are in `spec/dispute.md`.

_LATE = {"no_win", "win_on_completion"}


def can_differ(ruling: str, first: Rulings, second: Rulings) -> bool:
    """Whether a record can be legal under one of the rulebooks and illegal under the other because of this ruling.

    Not for `finish_half`, which decides a warning; nor for `finish_reserve_count` where the Finish card has no number
    in both, so that it never comes to the Reserve; nor for `row_order` and `between` where, besides, in both they ask
    nothing of down cards, so that no two numbers that are compared are equal; nor for `facedown` where no order of
    either is strict and neither option is `ignored`: numbers for the down cards stay right when those below the deck's
    least become this, and those above its greatest that; nor for `refill_amount` where both draw exactly what they may;
    nor for `opened_against` where both waive the orders of down cards.
    """
    if ruling == "finish_half":
        return False
    if ruling == "refill_amount":
        return {first.draw_amount, second.draw_amount} != {"exact"}
    if ruling == "opened_against":
        return {first.facedown, second.facedown} != {"ignored"}
    numbered = {first.finish_value, second.finish_value} != {"none"}
    if ruling in ("row_order", "between"):
        return numbered or not {first.facedown, second.facedown} <= {"ignored", "repeats"}
    if ruling == "facedown" and "ignored" not in (first.facedown, second.facedown):
        return any(each.row_order == "strict" or each.between == "strict" for each in (first, second))
    return ruling != "finish_reserve_count" or numbered


def turns_needed(ruling: str, state: State, first: Rulings, second: Rulings) -> int:
    """A lower bound on the further turns up to one at which the ruling can make a difference, that turn included.

    `state` stands before a turn of a game that goes on; the two rulebooks differ in the ruling. For a table on which
    nobody can be without an action (`-` breaks ACT01 under every ruling), which holds for the first turns.
    """
    return _NEEDED[ruling](state, (first, second)) if ruling in _NEEDED else 1


def _sourced(state: State, books: tuple[Rulings, Rulings]) -> int:
    """Turns until the draw after action C where a text lets nothing be drawn then, or takes the card as it was laid;
    else until that of a turn whose last laid and last opened cards are two.
    """
    down, chosen = state.tower.down, _chosen(books, "draw_source")
    if chosen == {"nothing", "as_laid"} and not state.turns and _chosen(books, "reserve_face") == {"up"}:
        return 4  # who plays turn 3 has two cards, and nothing to fill up
    if {"nothing", "as_laid"} & chosen:
        return 1 if state.turned else 2 if down else 3
    if state.laid != state.touched:
        return 1
    return 2 if down - {state.laid} else 3 if down else 4


def _hearts(state: State) -> int:
    """Turns until the draw after a heart that rests on a heart."""
    if any(_may_be_heart(state, support) for cell in _hearts_on(state) for support in cell.supports):
        return 1
    return 2 if _pair(state) else 3


def _hearts_on(state: State) -> list[Cell]:
    """The cells laid or touched last where a heart may rest on other cards."""
    cells = {state.laid, state.touched}
    return [cell for cell in cells if cell is not None and cell.level > 1 and _may_be_heart(state, cell)]


def _backs(state: State) -> int:
    """Turns until the draw after a heart that rests on a down card."""
    down = state.tower.down
    if any(down & {*cell.supports} for cell in _hearts_on(state)):
        return 1
    return 2 if down else 3


def _emptied(state: State) -> int:
    """Turns until the draw of a player without cards after a down card."""
    if not state.hands[state.to_move].size:
        return 1
    return 3 if state.hands[(state.to_move + 1) % len(state.hands)].size else 2


def _may_be_heart(state: State, cell: Cell) -> bool:
    laid = state.tower.cells.get(cell)
    if not isinstance(laid, Up) or laid.card is FINISH:
        return False
    return not isinstance(laid.card, int) or state.marks.get(laid.card, "H") == "H"


def _pair(state: State) -> bool:
    """Whether two cards of level 1 lie side by side, so that a card can rest on them."""
    cells = state.tower.cells
    return any(level == 1 and Cell(column + 1, 1) in cells for column, level in cells)


def _outside(state: State, books: tuple[Rulings, Rulings]) -> int:
    """Turns until a card can lie outside the pyramid with the anchor in its middle, under the rulebook that lets the
    columns float.
    """
    floating = next(book for book in books if book.anchor == "floating")
    if floating.spread == "anywhere":
        return 1
    board = state.board
    columns = [column for column, level in state.tower.cells if level == 1]
    left, right = min(columns), max(columns)
    return max(1, min(left - board.middle + 1, board.middle + board.levels - right))


def _chosen(books: tuple[Rulings, Rulings], ruling: str) -> set[str]:
    return {book.option(ruling) for book in books}


def _missing(state: State) -> int:
    """Turns until the tower is whole."""
    return max(1, state.board.size - len(state.tower.cells))


_NEEDED: dict[str, Callable[[State, tuple[Rulings, Rulings]], int]] = {
    "early_apex": lambda state, books: (
        state.board.size - len(state.tower.cells) + 1 if _chosen(books, "early_apex") == _LATE else _missing(state)
    ),
    "draw_source": _sourced,
    "hearts_below": lambda state, _: _hearts(state),
    "anchor": _outside,
    "between": lambda state, _: 1 if _pair(state) else 2,
    "draw_amount": lambda state, books: 1 if state.turns or "at_once" in _chosen(books, "finish_refill") else 2,
    "row_order": lambda state, books: (
        1 if state.turns or (state.variant == "finish" and _chosen(books, "finish_value") != {"none"}) else 2
    ),
    "replace_target": lambda state, books: 1 if state.turns or "any" in _chosen(books, "replace_target") else 2,
    "facedown": lambda state, books: max(1, 2 + (_chosen(books, "facedown") == {"ignored", "repeats"}) - state.turns),
    "heart_over_back": lambda state, _: _backs(state),
    "opened_against": lambda state, _: max(1, 3 - len(state.tower.down)),
    "replacements": lambda state, _: 1 if state.replaced else 2,
    "no_action": lambda state, _: max(1, 3 - state.turns),
    "finish_in_hand": lambda state, _: max(1, 3 - state.turns),
    "refill_amount": lambda state, books: 1 if "at_once" in _chosen(books, "finish_refill") else _emptied(state),
    "finish_value": lambda state, books: (
        _missing(state) if _chosen(books, "finish_value") == {"25", "apex_free"} else 1
    ),
}
"""The bound for each ruling that takes more than one turn."""


# Turns worth trying when a record is looked for that tells two options of a ruling apart.
#
# The deal is open, so that any card that lies nowhere yet can be in a hand. What is tried is a choice out of all turns:
# few numbers a cell, and action D only where the ruling has to do with it. Leaving turns out can make the search miss a
# record; it cannot make a found one wrong.

_EXCHANGING = frozenset({
    "replace_target", "take_sent", "adjust", "reserve_face", "finish_value", "finish_reserve_count", "facedown",
    "replacements", "finish_refill", "refill_amount", "no_action", "finish_in_hand",
})  # fmt: skip

_EMPTYING = frozenset({"refill_amount", "no_action", "finish_in_hand"})
"""Action D is tried with all cards of the hand, so that none is left."""

_TOWERS = frozenset({"early_apex", "apex_free"})
"""A whole tower is built up, cell by cell, each turn by a card that fits everything to come."""

_NEAR = 4
"""So many cells of a kind, and numbers a cell, are tried where the choice is narrow."""

_WITH_FINISH = frozenset({
    "row_order", "between", "finish_value", "finish_reserve_count", "finish_refill", "apex_free", "finish_in_hand",
})  # fmt: skip

_VARIANTS: dict[str, tuple[Variant, ...]] = {
    "finish_value": ("finish",),
    "finish_reserve_count": ("finish",),
    "finish_refill": ("finish",),
    "finish_in_hand": ("finish",),
    "row_order": ("finish", "first"),
    "between": ("first", "finish"),
}
"""The variants of the game in which a record is looked for, the likelier one first; else the first game alone."""

_FILLS = 2
"""As many cards are tried to fill a hand."""


def draws(state: State, ruling: str) -> Iterator[tuple[Shown, ...]]:
    """What may be drawn: few cards first, the Finish card where the ruling needs it."""
    if state.variant == "finish" and ruling in _WITH_FINISH and state.whereabouts(FINISH) is None:
        yield (FINISH, UNSEEN)
    amounts = (1, 0, 2, 3, 4) if ruling in _TOWERS else (0, 1, 2, 3, 4)
    yield from ((UNSEEN,) * amount for amount in amounts if amount <= len(state.deck))


def fills(action: Action, ruling: str) -> Iterator[tuple[Shown, ...]]:
    """What may be drawn after the action: something only where it lays the Finish card, and the ruling asks for it."""
    lays = action.card if isinstance(action, LayUp) else action.taken if isinstance(action, Exchange) else None
    for amount in range(_FILLS + 1 if lays is FINISH and ruling in ("finish_refill", "refill_amount") else 1):
        yield (UNSEEN,) * amount


def actions(state: State, ruling: str, narrow: bool) -> Iterator[Action]:
    """The actions to try in `state`, which stands after the draw; fewer of them where `narrow`, for long records."""
    cells = _cells(state, ruling)
    if narrow:
        low = [cell for cell in cells if cell.level == 1]
        cells = [*low[:_NEAR], *[cell for cell in cells if cell.level > 1][:_NEAR]]
    most = 1 if ruling in _TOWERS else _NEAR if narrow else None
    if ruling == "no_action":
        yield NoAction()
    if state.front == state.to_move and ruling in _WITH_FINISH:
        top = state.board.levels if ruling == "apex_free" else 1
        yield from (LayUp(FINISH, cell) for cell in cells if cell.level >= top)
    if ruling in _EMPTYING:
        yield from _exchanges(state, ruling, cells)
    for cell in sorted(state.tower.down):
        yield from (Open(cell, value) for value in _values(state, cell))
    for cell in cells:
        yield from (LayUp(value, cell) for value in _values(state, cell, ruling)[:most])
    yield from (LayDown(UNSEEN, cell) for cell in cells if cell.level < state.board.levels)
    if ruling in _EXCHANGING and ruling not in _EMPTYING:
        yield from _exchanges(state, ruling, cells)


def _cells(state: State, ruling: str) -> list[Cell]:
    """Empty cells to lay a card on: beside the laid ones, on two of them, and apart from them on level 1."""
    board, laid = state.board, state.tower.cells
    free = orders(board).cells.keys() - laid.keys()
    cells = [cell for cell in free if cell.level == 1 or laid.keys() >= {*cell.supports}]
    cells.sort(key=lambda cell: (cell.level, abs(cell.column - board.anchor_cell.column), cell))
    return [cell for cell in cells if cell in _even(board, ruling)][:1] if ruling in _TOWERS else cells


@lru_cache(maxsize=16)
def _even(board: Board, ruling: str) -> dict[Cell, int]:
    """A number for each cell of the middle pyramid that keeps every order: its place in a linear extension, counted
    from the card of the set-up. For `apex_free` this card comes as early as it can, so that it is below both supports
    of the apex.
    """
    anchor, cells = board.anchor_cell, board.pyramid(board.middle)
    first = _forced_below(board, anchor) if ruling == "apex_free" else frozenset(cells)
    order = sorted(cells, key=lambda cell: (cell not in first and cell != anchor, extension_key(cell), cell.level))
    start = order.index(anchor)
    return {cell: board.anchor + place - start for place, cell in enumerate(order)}


def _forced_below(board: Board, cell: Cell) -> frozenset[Cell]:
    """The cells whose numbers are less than that of `cell` in every tower."""
    below, waiting = set[Cell](), [cell]
    while waiting:
        one = waiting.pop()
        more = {other for clause in CLAUSES for other in orders(board).below[clause][one]} - below
        below |= more
        waiting += more
    return frozenset(below)


def _values(state: State, cell: Cell, ruling: str = "") -> list[Value]:
    """Numbers for a card on the cell that the up cards around it allow and that lie nowhere yet: the even one first,
    then those next to the bounds.
    """
    board = state.board
    low, high = bounds(state, cell)
    tries = [_even(board, ruling).get(cell, (low + high) // 2), low + 1, high - 1, low + 2, high - 2, low + 3, high - 3]
    tries += [(low + high) // 2]
    seen = used(state)
    return [Value(value) for value in dict.fromkeys(tries) if low < value < high and Value(value) not in seen]


def bounds(state: State, cell: Cell) -> tuple[int, int]:
    """The greatest number of an up card forced below the cell, and the least of one forced above it."""
    index, numbers = orders(state.board), state.tower.numbers
    below, above = (
        [numbers[other] for clause in CLAUSES for other in near[clause][cell] if other in numbers]
        for near in (index.below, index.above)
    )
    return max(below, default=0), min(above, default=state.board.cards + 1)


def used(state: State) -> set[Shown]:
    """The cards whose place is known, and the two that begin in the Reserve."""
    laid = {laid.card for laid in state.tower.cells.values()}
    held = (pile.known for pile in (*state.hands, state.gone, state.reserve))
    return laid.union({Value(1), Value(state.board.cards)}, *held)


def _free(state: State) -> list[Value]:
    """The cards that lie nowhere yet."""
    seen = used(state)
    return [Value(value) for value in range(2, state.board.cards) if value not in seen]


def _exchanges(state: State, ruling: str, cells: list[Cell]) -> Iterator[Exchange]:
    """Actions D for the ruling: the way it is written varies where the ruling asks for it."""
    if ruling == "finish_refill" and state.front == state.to_move:
        yield from _fetched(state, cells)
    for cell, replaced in _targets(state, ruling, cells):
        for taken in _takeable(state, cell, replaced):
            for sum_ in _sums(state, ruling, taken):
                for face_up in (True, False) if ruling == "reserve_face" else (True,):
                    yield Exchange(*sum_, taken, face_up, cell, replaced)


def _targets(state: State, ruling: str, cells: list[Cell]) -> Iterator[tuple[Cell, Up | Down | None]]:
    if ruling not in ("replace_target", "replacements"):
        yield from ((cell, None) for cell in cells[:4])
    if ruling in ("replace_target", "facedown", "replacements"):
        yield from sorted(state.tower.cells.items())


def _takeable(state: State, cell: Cell, replaced: Up | Down | None) -> list[Value]:
    """Numbers to take out of the Reserve for the cell: the two that begin there, and two others that fit."""
    low, high = bounds(state, cell)
    ends = [value for value in (1, state.board.cards) if value in state.reserve.known and low < value < high]
    fitting = _values(state, cell)[:2] if replaced is None else _values(state, cell)[1:3]
    return [*fitting, *(Value(value) for value in ends)]


def _fetched(state: State, cells: list[Cell]) -> Iterator[Exchange]:
    """Actions D that send the Finish card and take it again: k and the Finish card, less k cards destroyed."""
    free = _free(state)
    for count in range(2, state.hands[state.to_move].size):
        spent: list[tuple[Adjust, Shown]] = [("_", value) for value in free if value != count]
        if Value(count) in free:
            for cell, replaced in [*sorted(state.tower.cells.items()), *((cell, None) for cell in cells[:_NEAR])]:
                yield Exchange(FINISH, "+", Value(count), tuple(spent[:count]), FINISH, True, cell, replaced)


_Sum = tuple[Shown, Sign, Shown, tuple[tuple[Adjust, Shown], ...]]
"""Two cards sent, sum or difference, and the cards destroyed with what they add."""

_ADJUSTS: tuple[tuple[Adjust, ...], ...] = (
    ("|",), ("^",), ("_",), ("^", "_"), ("|", "|"), ("|", "^"), ("|", "_"), ("^", "^"), ("_", "_"),
)  # fmt: skip


def _sums(state: State, ruling: str, taken: Value) -> Iterator[_Sum]:
    """Ways to make `taken` out of cards that lie nowhere yet."""
    free = [value for value in _free(state) if value != taken]
    if ruling == "take_sent":
        yield from ((double, "-", taken, ()) for double in free if double == 2 * taken)
        return
    if ruling == "adjust" or ruling in _EMPTYING:
        added: list[Adjust] = ["^"] * (state.hands[state.to_move].size - 2)
        yield from _adjusted(free, taken, _ADJUSTS if ruling == "adjust" else [tuple(added)])
        return
    if state.front == state.to_move and ruling in ("finish_value", "finish_reserve_count"):
        anchor = state.board.anchor
        for other in (taken - anchor, anchor - taken, taken + anchor):
            if Value(other) in free:
                yield FINISH, "+" if other == taken - anchor else "-", Value(other), ()
    yield from islice(((a, "-", b, ()) for b in free for a in free if a - b == taken), 1)
    yield from islice(((a, "+", b, ()) for a in free for b in free if a < b and a + b == taken), 1)


def _adjusted(free: list[Value], taken: Value, ways: Iterable[tuple[Adjust, ...]]) -> Iterator[_Sum]:
    """Sums with destroyed cards, counted in these ways."""
    for signs in ways:
        change = signs.count("^") - signs.count("_")
        for a in reversed(free):
            b = Value(a - taken + change)
            rest = [value for value in free if value not in (a, b)]
            if b in free and a != b and len(rest) >= len(signs):
                yield a, "-", b, tuple(zip(signs, rest, strict=False))
                break


def deal_for(record: Record) -> Record:
    """A fully seen record with the turns of `record`, whose deals, Reserve and deck are not written and whose cards are
    all where the turns take them from. Cost: linear in the turns.
    """
    dealt = deal(starting_state(setup_of(record, tower.STANDARD)), record.turns)
    deals = dict(zip(record.players, dealt.hands, strict=True))
    return replace(record, deals=deals, reserve=dealt.reserve, deck=dealt.deck, turns=dealt.turns)


# A shortest record that one rulebook accepts and another refuses, for each ruling on which they differ.
#
# Depth-first search with a rising number of turns (iterative deepening, Korf 1985). A line is given up when the turns
# left are fewer than the ruling needs at least. The deal stays open during the search: a card is in
# a hand from the moment a turn takes it out of it. Every record found is judged again, fully seen, by
# the plain replay over sets of readings.

PLAYERS = ("Aki", "Ben")

_DRAWING = frozenset({
    "draw_amount", "draw_source", "hearts_below", "heart_over_back", "refill_amount", "finish_in_hand",
})  # fmt: skip

_HEARTS = frozenset({"draw_source", "hearts_below", "heart_over_back", "no_action"})

_WIDE = 2
"""Of longer records fewer turns are tried in each place, where the ruling does not prune enough by itself."""

MOST_STEPS = 40_000
"""So many turns are tried for one ruling where the caller names no other number."""

Side = Literal[0, 1]


class Difference(Struct, frozen=True, kw_only=True):
    """A ruling on which two rulebooks differ, with their options, and a record that one of them accepts and the other
    refuses because of it.

    `record` is None where none was found. `accepts` is the index of the rulebook that accepts it: with this ruling
    alone changed to the other's option it refuses it too. `both` tells whether, besides, the other rulebook with this
    ruling alone changed accepts it. `least` is a proven lower bound on the turns of such a record, None where there
    can be none. `tried` counts the turns tried, `exhausted` tells that the search was given up at its bound on these.
    """

    ruling: str
    options: tuple[str, str]
    record: Record | None = None
    accepts: Side | None = None
    both: bool = False
    least: int | None = None
    tried: int = 0
    exhausted: bool = False

    @property
    def shortest(self) -> bool:
        """Whether the record is known to have the fewest turns."""
        return self.record is not None and len(self.record.turns) == self.least


def differences(first: Rules, second: Rules, most_turns: int, most_steps: int = MOST_STEPS) -> Iterator[Difference]:
    """A record for every ruling on which the rulebooks differ, in the registry's order, as they are found.

    No record has more than `most_turns` turns, and for no ruling more than `most_steps` turns are tried. Cost: some ten
    microseconds a turn tried; well below a second for most rulings of the known rulebooks.
    """
    for ruling in RULING_NAMES:
        if first.rulings.option(ruling) != second.rulings.option(ruling):
            yield _difference(ruling, (first, second), most_turns, most_steps)


def _difference(ruling: str, books: tuple[Rules, Rules], most_turns: int, most_steps: int) -> Difference:
    one, other = (each.rulings for each in books)
    none = Difference(ruling=ruling, options=(one.option(ruling), other.option(ruling)))
    if not can_differ(ruling, one, other):
        return none
    searches = [_Search(none, books, variant) for variant in _VARIANTS.get(ruling, ("first",))]
    least, tried = min(search.least for search in searches), 0
    for depth, search in product(range(least, most_turns + 1), searches):
        if search.least <= depth:
            difference = search.find(depth, most_steps - tried)
            tried += search.steps
            if difference is not None or tried >= most_steps:
                exhausted = difference is None
                return replace(difference or none, least=least, tried=tried, exhausted=exhausted)
    return replace(none, least=least, tried=tried)


def _marks(ruling: str) -> dict[Value, tower.Mark]:
    """One diamond on every card, or all three marks in turn where the ruling is about what they allow."""
    cycle: tuple[tower.Mark, ...] = ("H", "1", "2") if ruling in _HEARTS else ("1",)
    return {Value(value): cycle[value % len(cycle)] for value in range(1, tower.STANDARD.cards + 1)}


class _Search:
    """The search for one ruling in one variant of the game."""

    def __init__(self, sought: Difference, books: tuple[Rules, Rules], variant: Variant) -> None:
        self._sought, self._ruling, self._books = sought, sought.ruling, books
        self._rulings = books[0].rulings, books[1].rulings
        # What the turns are to bring about: the name of the ruling, or of the option where it takes a whole tower.
        self._aim = "apex_free" if {*sought.options} == {"25", "apex_free"} else sought.ruling
        marks = _marks(sought.ruling)
        self._start = Record(tags=(), players=PLAYERS, rules=books[0], variant=variant, marks=marks, deals={}, turns=())
        self._state = starting_state(setup_of(self._start, tower.STANDARD))
        self._weak: Difference | None = None
        self.least = turns_needed(self._ruling, self._state, *self._rulings)

    def find(self, depth: int, most_steps: int) -> Difference | None:
        """A record with exactly `depth` turns, after at most so many turns tried; one that tells the option apart in
        both rulebooks goes before others.
        """
        self.steps, self._left, self._weak = 0, most_steps, None
        self._narrow = depth > _WIDE and self._ruling not in _DRAWING and self._ruling != "anchor"
        return self._extended(self._state, (), depth) or self._weak

    def _extended(self, state: State, turns: tuple[Turn, ...], depth: int) -> Difference | None:
        for step in self._steps(state, last=depth == 1):
            if self.steps >= self._left:
                return None
            self.steps += 1
            record, played = None, (*turns, step.turn)
            if depth == 1:
                record = self._final(step, played)
            elif self._goes_on(step, depth - 1):
                record = self._extended(step.after, played, depth - 1)
            if record is not None:
                return record
        return None

    def _goes_on(self, step: Step, left: int) -> bool:
        """Whether both rulebooks accept the turn, the game goes on, and the turns left may do."""
        goes_on = all(_kept(step, each) and ending(step, each) is None for each in self._rulings)
        return goes_on and turns_needed(self._ruling, step.after, *self._rulings) <= left

    def _steps(self, state: State, last: bool) -> Iterator[Step]:
        """The turns to try, carried out; only those whose cards are where they are taken from."""
        free_draw = last and self._ruling in _DRAWING
        for draw in draws(state, self._aim):
            turn = Turn(state.turns + 1, PLAYERS[state.to_move], draw, NoAction())
            drawn = carry_out(state, turn, state.to_move)
            if not free_draw and not all(_kept(drawn, each, "DRW") for each in self._rulings):
                continue
            every = actions(drawn.drawn, self._aim, self._narrow)
            downward = (action for action in every if isinstance(action, LayDown))
            for action in islice(downward, 3) if free_draw else every:  # where the draw decides any action does
                for fill in fills(action, self._aim):
                    played = replace(turn, action=action, fill=fill)
                    yield from self._with_limits(state, played, last)
            if self._narrow and FINISH not in draw:
                break

    def _with_limits(self, state: State, turn: Turn, last: bool) -> Iterator[Step]:
        """The turn with the drops and trims that some rulebook asks for, on the last turn also without any."""
        player = state.to_move
        step = carry_out(state, turn, player)
        if step.strays or step.lost:
            return
        extra = max(0, step.acted.hands[player].size - state.board.hand_limit)
        size = state.reserve_size or 0
        trims = {max(0, counted(step.acted.reserve, each) - size) for each in self._rulings}
        limits = {(extra, trim) for trim in trims} | ({(0, 0)} if last else set())
        for drops, trim in sorted(limits):
            if not drops and not trim:
                yield step
                continue
            trimmed = _trimmed(step.acted, trim)
            if len(trimmed) == trim:
                full = replace(turn, drop=(UNSEEN,) * drops, trim=trimmed)
                yield carry_out(state, full, player)

    def _final(self, step: Step, turns: tuple[Turn, ...]) -> Difference | None:
        """The record that ends with this turn, with a result or without, where the rulebooks differ on it."""
        kept = [_kept(step, each) for each in self._rulings]
        if not any(kept):
            return None
        ends = [ending(step, each) for each in self._rulings]
        results = dict.fromkeys((*(end for end in ends if end in ("win", "loss", "stuck")), None))
        for result in results:
            says = [ok and result in (None, end) for ok, end in zip(kept, ends, strict=True)]
            if says[0] == says[1]:
                continue
            record = deal_for(replace(self._start, turns=turns, result=result))
            difference = self._judged(record, 0 if says[0] else 1)
            if difference is not None and difference.both:
                return difference
            self._weak = self._weak or difference
        return None

    def _judged(self, record: Record, accepts: Side) -> Difference | None:
        """The fully seen record, where it is what is looked for."""
        mine, theirs = self._rulings[accepts], self._rulings[1 - accepts]
        rules, ruling = taggable(self._books[accepts]), self._ruling
        event = f"{ruling}: {' or '.join(self._sought.options)}"
        tags = header_tags(PLAYERS, rules, record.variant, record.marks, event)
        record = replace(record, tags=tags, rules=rules)
        verdicts = plain_verdicts(record)
        changed = mine.with_changes({ruling: theirs.option(ruling)})
        if mine not in verdicts.legal or theirs not in verdicts.illegal or changed not in verdicts.illegal:
            return None
        both = theirs.with_changes({ruling: mine.option(ruling)}) in verdicts.legal
        return replace(self._sought, record=record, accepts=accepts, both=both)


def _kept(step: Step, rulings: Rulings, family: str = "") -> bool:
    """Whether the turn breaks nothing for certain, of the clauses of a family where one is named."""
    return next(broken(step, rulings, family), None) is None


def _trimmed(state: State, count: int) -> tuple[Shown, ...]:
    """So many Glass cards of the Reserve, known ones where there are enough."""
    known = sorted(state.reserve.known - {FINISH}, key=tower.card_key)
    if FINISH in state.reserve.known:
        return tuple(known[:count])
    return tuple([*known, *(UNSEEN,) * state.reserve.unseen][:count])
