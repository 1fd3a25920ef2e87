"""From a record with unseen cards, made while its deal was still open, to a fully seen one with the same turns.

Every card that is not named gets a place of its own first and a number last; the deck is laid as it was drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal, cast

import msgspec

from couperation_formal.game import tower
from couperation_formal.game.record import Action, Exchange, LayDown, NoAction, Open, Outcome, Record, Turn, with_cards
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rules.step import Step, carry_out
from couperation_formal.game.rules.turn import counted, ending
from couperation_formal.game.rulings import RULING_NAMES, Rules, Rulings, taggable
from couperation_formal.game.state import State
from couperation_formal.hidden.readings.candidates import actions, aim, can_differ, draws, fills, turns_needed, variants
from couperation_formal.hidden.readings.standing import broken, plain_verdicts
from couperation_formal.notation.write import header_tags


class _Slot(msgspec.Struct, eq=False):
    """A card of the game; its identity may still be open."""

    card: tower.Card | None = None


class _Table(msgspec.Struct):
    """Where the cards of the game lie."""

    hands: list[list[_Slot]]
    reserve: list[_Slot]
    laid: dict[tower.Cell, _Slot]
    finish: _Slot
    drawn: list[_Slot] = []

    def take(self, pile: list[_Slot], card: tower.Shown) -> _Slot:
        """`card` out of a pile; an open card of it becomes this one where none is."""
        if isinstance(card, tower.FinishCard):
            if self.finish in pile:
                pile.remove(self.finish)
            return self.finish
        known = next((slot for slot in pile if slot.card is not None and slot.card == card), None)
        slot = known or next((slot for slot in pile if slot.card is None), pile[-1])
        if known is None and not isinstance(card, tower.UnseenCard):
            slot.card = card
        pile.remove(slot)
        return slot


Placed = dict[str, list[_Slot]]
"""The cards of a turn by its parts, those of its action in the order of `with_cards`."""


def deal_for(record: Record, board: tower.Board = tower.STANDARD) -> Record:
    """A fully seen record with the turns of `record`, whose deals, Reserve and deck are not written and whose cards are
    all where the turns take them from. Cost: linear in the turns.
    """
    players = len(record.players)
    size = board.reserve_size(players) or 2
    hands = [[_Slot() for _ in range(board.deal)] for _ in range(players)]
    reserve = [_Slot(tower.Value(1)), _Slot(tower.Value(board.cards)), *(_Slot() for _ in range(size - 2))]
    dealt, begins = [list(hand) for hand in hands], list(reserve)
    anchor = _Slot(tower.Value(board.anchor))
    table = _Table(hands, reserve, {board.anchor_cell: anchor}, _Slot(tower.FINISH))
    placed = [_play(table, turn, place % players) for place, turn in enumerate(record.turns)]
    cards = board.cards - 1 - players * board.deal - size + (record.variant == "finish")
    deck = [*table.drawn, *(_Slot() for _ in range(cards - len(table.drawn)))]
    if record.variant == "finish" and table.finish not in deck:
        deck[-1] = table.finish
    _name([*(slot for hand in dealt for slot in hand), *begins, *deck], board)
    return msgspec.structs.replace(
        record,
        deals={name: _shown(hand) for name, hand in zip(record.players, dealt, strict=True)},
        reserve=_shown(begins),
        deck=_shown(deck),
        turns=tuple(map(_rewritten, record.turns, placed)),
    )


def _name(slots: list[_Slot], board: tower.Board) -> None:
    """Give every open card a number that no other card has."""
    taken = {board.anchor, *(slot.card for slot in slots)}
    free = (tower.Value(value) for value in range(2, board.cards) if value not in taken)
    for slot in slots:
        if slot.card is None:
            slot.card = next(free)


def _shown(slots: Iterable[_Slot]) -> tuple[tower.Shown, ...]:
    """The cards, each of which has its number by now."""
    return tuple(cast("tower.Card", slot.card) for slot in slots)


def _play(table: _Table, turn: Turn, player: int) -> Placed:
    hand = table.hands[player]
    return {
        "draw": [_draw(table, card, hand) for card in turn.draw],
        "action": list(_act(table, turn, hand)),
        "fill": [_draw(table, card, hand) for card in turn.fill],
        "drop": [table.take(hand, card) for card in turn.drop],
        "trim": [table.take(table.reserve, card) for card in turn.trim],
    }


def _draw(table: _Table, card: tower.Shown, hand: list[_Slot]) -> _Slot:
    slot = table.finish if card is tower.FINISH else _Slot(None if isinstance(card, tower.UnseenCard) else card)
    table.drawn.append(slot)
    hand.append(slot)
    return slot


def _act(table: _Table, turn: Turn, hand: list[_Slot]) -> Iterator[_Slot]:
    """Carry the action out and give its cards as they stand in it: a replaced card last."""
    action = turn.action
    if isinstance(action, Open):
        slot = table.laid[action.cell]
        if slot.card is None and not isinstance(action.card, tower.UnseenCard):
            slot.card = action.card
        yield slot
    elif isinstance(action, Exchange):
        sent = [table.take(hand, action.first), table.take(hand, action.second)]
        yield from sent
        for _, card in action.adjust:
            yield table.take(hand, card)
        table.reserve += sent
        taken = table.take(table.reserve, action.taken)
        yield taken
        if action.replaced is not None:
            old = table.laid[action.cell]
            hand.append(old)
            yield old
        table.laid[action.cell] = taken
    elif not isinstance(action, NoAction):
        slot = table.laid[action.cell] = table.take(hand, action.card)
        yield slot


def _rewritten(turn: Turn, placed: Placed) -> Turn:
    """The turn with every card named; a replaced down card stays as it was written."""
    shown = {part: _shown(slots) for part, slots in placed.items()}
    return msgspec.structs.replace(turn, **{**shown, "action": with_cards(turn.action, shown["action"])})


# A shortest record that one rulebook accepts and another refuses, for each ruling on which they differ.
#
# Depth-first search with a rising number of turns (iterative deepening, Korf 1985). A line is given up when the turns
# left are fewer than the ruling needs at least (`candidates`). The deal stays open during the search: a card is in
# a hand from the moment a turn takes it out of it. Every record found is judged again, fully seen, by
# the plain replay over sets of readings.

PLAYERS = ("Aki", "Ben")

_DRAWING = frozenset({"draw_amount", "draw_source", "hearts_below", "heart_over_back", "refill_amount"})

_HEARTS = frozenset({"draw_source", "hearts_below", "heart_over_back", "no_action"})

_WIDE = 2
"""Of longer records fewer turns are tried in each place, where the ruling does not prune enough by itself."""

MOST_STEPS = 40_000
"""So many turns are tried for one ruling where the caller names no other number."""

Side = Literal[0, 1]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
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


def differences(
    first: Rules, second: Rules, most_turns: int, most_steps: int = MOST_STEPS, board: tower.Board = tower.STANDARD
) -> Iterator[Difference]:
    """A record for every ruling on which the rulebooks differ, in the registry's order, as they are found.

    No record has more than `most_turns` turns, and for no ruling more than `most_steps` turns are tried. Cost: some ten
    microseconds a turn tried; well below a second for most rulings of the known rulebooks.
    """
    for ruling in RULING_NAMES:
        if first.rulings.option(ruling) != second.rulings.option(ruling):
            yield _difference(ruling, (first, second), most_turns, most_steps, board)


def _difference(
    ruling: str, books: tuple[Rules, Rules], most_turns: int, most_steps: int, board: tower.Board
) -> Difference:
    options = books[0].rulings.option(ruling), books[1].rulings.option(ruling)
    if not can_differ(ruling, books[0].rulings, books[1].rulings):
        return Difference(ruling=ruling, options=options)
    searches = [_Search(ruling, books, variant, board) for variant in variants(ruling)]
    least, tried = min(search.least for search in searches), 0
    for depth in range(least, most_turns + 1):
        for search in searches:
            if search.least > depth:
                continue
            difference = search.find(depth, most_steps - tried)
            tried += search.steps
            if difference is not None:
                return msgspec.structs.replace(difference, options=options, least=least, tried=tried)
            if tried >= most_steps:
                return Difference(ruling=ruling, options=options, least=least, tried=tried, exhausted=True)
    return Difference(ruling=ruling, options=options, least=least, tried=tried)


def _marks(ruling: str, board: tower.Board) -> dict[tower.Value, tower.Mark]:
    """One diamond on every card, or all three marks in turn where the ruling is about what they allow."""
    cycle: tuple[tower.Mark, ...] = ("H", "1", "2") if ruling in _HEARTS else ("1",)
    return {tower.Value(value): cycle[value % len(cycle)] for value in range(1, board.cards + 1)}


class _Search:
    """The search for one ruling in one variant of the game."""

    def __init__(self, ruling: str, books: tuple[Rules, Rules], variant: tower.Variant, board: tower.Board) -> None:
        self._ruling, self._books, self._board = ruling, books, board
        self._rulings = books[0].rulings, books[1].rulings
        self._aim = aim(ruling, (books[0].rulings.option(ruling), books[1].rulings.option(ruling)))
        marks = _marks(ruling, board)
        self._start = Record(tags=(), players=PLAYERS, rules=books[0], variant=variant, marks=marks, deals={}, turns=())
        self._state = starting_state(setup_of(self._start, board))
        self._left = 0
        self._narrow = False
        self._weak: Difference | None = None
        self.steps = 0
        self.least = turns_needed(ruling, self._state, *self._rulings)

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
            if depth == 1:
                record = self._final(step, (*turns, step.turn))
            elif self._goes_on(step, depth - 1):
                record = self._extended(step.after, (*turns, step.turn), depth - 1)
            else:
                continue
            if record is not None:
                return record
        return None

    def _goes_on(self, step: Step, left: int) -> bool:
        """Whether both rulebooks accept the turn, the game goes on, and the turns left may do."""
        if not all(_kept(step, each) and ending(step, each) is None for each in self._rulings):
            return False
        return turns_needed(self._ruling, step.after, *self._rulings) <= left

    def _steps(self, state: State, last: bool) -> Iterator[Step]:
        """The turns to try, carried out; only those whose cards are where they are taken from."""
        free_draw = last and self._ruling in _DRAWING
        for draw in draws(state, self._aim):
            turn = Turn(state.turns + 1, PLAYERS[state.to_move], draw, NoAction())
            drawn = carry_out(state, turn, state.to_move)
            if not free_draw and not all(_kept(drawn, each, "DRW") for each in self._rulings):
                continue
            for action in self._actions(drawn.drawn, state.to_move, free_draw):
                for fill in fills(action, self._aim):
                    played = msgspec.structs.replace(turn, action=action, fill=fill)
                    yield from self._with_limits(state, played, last)
            if self._narrow and tower.FINISH not in draw:
                break

    def _actions(self, state: State, player: int, free_draw: bool) -> Iterator[Action]:
        every = actions(state, player, self._aim, self._narrow)
        if not free_draw:
            return every
        # The draw decides: any action does.
        return islice((action for action in every if isinstance(action, LayDown)), 3)

    def _with_limits(self, state: State, turn: Turn, last: bool) -> Iterator[Step]:
        """The turn with the drops and trims that some rulebook asks for, on the last turn also without any."""
        player = state.to_move
        step = carry_out(state, turn, player)
        if step.strays or step.lost:
            return
        extra = max(0, step.acted.hands[player].size - self._board.hand_limit)
        size = state.reserve_size or 0
        trims = {max(0, counted(step.acted.reserve, each) - size) for each in self._rulings}
        limits = {(extra, trim) for trim in trims} | ({(0, 0)} if last else set())
        for drops, trim in sorted(limits):
            if not drops and not trim:
                yield step
                continue
            trimmed = _trimmed(step.acted, trim)
            if len(trimmed) == trim:
                full = msgspec.structs.replace(turn, drop=(tower.UNSEEN,) * drops, trim=trimmed)
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
            difference = self._judged(turns, result, 0 if says[0] else 1)
            if difference is not None and difference.both:
                return difference
            self._weak = self._weak or difference
        return None

    def _judged(self, turns: tuple[Turn, ...], result: Outcome | None, accepts: Side) -> Difference | None:
        """The record with a deal, where it is what is looked for when judged fully seen."""
        mine, theirs = self._rulings[accepts], self._rulings[1 - accepts]
        rules = taggable(self._books[accepts])
        ruling = self._ruling
        event = f"{ruling}: {self._books[0].rulings.option(ruling)} or {self._books[1].rulings.option(ruling)}"
        record = deal_for(msgspec.structs.replace(self._start, turns=turns), self._board)
        tags = header_tags(PLAYERS, rules, record.variant, record.marks, event)
        record = msgspec.structs.replace(record, tags=tags, rules=rules, result=result)
        verdicts = plain_verdicts(record, self._board)
        changed = mine.with_changes({ruling: theirs.option(ruling)})
        if mine not in verdicts.legal or theirs not in verdicts.illegal or changed not in verdicts.illegal:
            return None
        both = theirs.with_changes({ruling: mine.option(ruling)}) in verdicts.legal
        return Difference(ruling=ruling, options=("", ""), record=record, accepts=accepts, both=both)


def _kept(step: Step, rulings: Rulings, family: str = "") -> bool:
    """Whether the turn breaks nothing for certain, of the clauses of a family where one is named."""
    return next(broken(step, rulings, family), None) is None


def _trimmed(state: State, count: int) -> tuple[tower.Shown, ...]:
    """So many Glass cards of the Reserve, known ones where there are enough."""
    known = sorted(state.reserve.known - {tower.FINISH}, key=tower.card_key)
    if tower.FINISH in state.reserve.known:
        return tuple(known[:count])
    return tuple([*known, *(tower.UNSEEN,) * state.reserve.unseen][:count])
