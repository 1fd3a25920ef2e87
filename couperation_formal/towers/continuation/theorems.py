"""The counting tests that come before any search: which theorem of `spec/table.md` shows a table dead."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from couperation_formal.game.fact import Steps
from couperation_formal.game.rules.arrangement import Windows, broken_orders, finish_number, holds
from couperation_formal.game.rules.turn import draw_limit
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State, with_hand
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Cell, Down, Laid, Tower, Up, Variant
from couperation_formal.towers.completion.fill import Problem, bounds, edges, places, shape, smallest_interval
from couperation_formal.towers.continuation.final_tower import laid_again, least_spent, may_replace

# The counting game: a table of which only the numbers of cards are left, played as favourably as possible.
#
# Cards have no numbers here: every card can be laid anywhere, and every two cards pay for any action D. What stays is
# who moves, how many cards each player owns, the deck, the empty cells, the down cards, and how many cards actions D
# have to cost. Whatever is lost here is lost at the table; the theorem is in the specification, `table.md`.

MOST_DECK = 8
MOST_CARDS = 20
"""With a deck of more cards, or more own cards and cards of the deck, the counting game is not asked."""

_ANY = 4
"""The most that any card lets the next player draw: two supports with two diamonds each under a heart (DRW03)."""


class Counts(NamedTuple):
    """A position of the counting game. `owe` is what actions D still cost at least; `draw` the limit of the next draw,
    or -1 after a card was laid down: up to `refill` (DRW04); `shut` how many of the down cards are never opened where
    they lie.
    """

    mover: int
    own: tuple[int, ...]
    deck: int
    empty: int
    down: int
    owe: int
    draw: int
    shut: int = 0


class Terms(NamedTuple):
    """What stays the same in a counting game.

    The refill of DRW04; the most that a player keeps; how many cards a draw can bring beyond its limit (the Finish
    card); whether a card that is opened can win; whether the apex can be laid a second time; whether action D may lay
    a card down; whether the game is asked at all.
    """

    refill: int
    keep: int
    extra: int
    opening_wins: bool
    again: bool
    face_down: bool
    asked: bool


def terms_of(board: Board, variant: Variant, rulings: Rulings, laid_again: bool) -> Terms:
    """The terms of a table; `laid_again` tells whether the apex lies and has to be laid again."""
    finish = variant == "finish"
    return Terms(
        refill=board.refill,
        keep=board.hand_limit + finish,
        extra=int(finish),
        opening_wins=rulings.early_apex == "win_on_completion",
        again=not finish and (rulings.early_apex == "no_win" or laid_again),
        face_down=rulings.reserve_face == "either",
        # Not where a player may have no turn, or draws twice in one.
        asked=rulings.no_action == "loses" and not (finish and rulings.finish_refill == "at_once"),
    )


def counts_of(state: State, rulings: Rulings, owe: int) -> Counts:
    """The counting game of a table whose actions D cost `owe` cards at least."""
    return Counts(
        mover=state.to_move,
        own=tuple(state.owned(player) for player in range(len(state.players))),
        deck=len(state.deck),
        empty=state.board.size - len(state.tower.cells),
        down=len(state.tower.down),
        owe=max(owe, int(laid_again(state, rulings))),
        draw=draw_limit(state, state.to_move, rulings).amounts[-1],
    )


def without(counts: Counts, cards: int) -> Counts:
    """The same with so many cards fewer for the player to move, who may owe them to the draw."""
    return counts._replace(own=with_hand(counts.own, counts.mover, counts.own[counts.mover] - cards))


class CountingGame:
    """The counting game under these terms. What it finds is kept; `budget` pays for it."""

    def __init__(self, terms: Terms, budget: Steps | None = None) -> None:
        self.terms, self._budget = terms, budget or Steps()
        self._lost: dict[Counts, bool] = {}

    def lost(self, counts: Counts) -> bool:
        """Whether the counting game is lost from here. False also where it is not asked.

        Raises `Spent`. Cost: mostly one line of play; at worst some tens of thousands of positions, a second.
        """
        if not self.terms.asked or counts.deck > MOST_DECK or counts.deck + sum(counts.own) > MOST_CARDS:
            return False
        lost = self._lost.get(counts)
        if lost is None:
            lost = self._lost[counts] = not self._wins(counts)
        return lost

    def _wins(self, counts: Counts) -> bool:
        self._budget.spend(1 + max(0, counts.own[counts.mover]))
        for after, won in _turns(counts, self.terms):
            if won or (after.empty + after.owe <= sum(after.own) + after.deck and not self.lost(after)):
                return True
        return False


def _turns(counts: Counts, terms: Terms) -> Iterator[tuple[Counts, bool]]:
    """Every turn of the counting game that leaves something to win, and whether it wins; those that lay a card and draw
    most come last.
    """
    mover = counts.mover
    turns = ((own, deck, *act) for own, deck in _draws(counts, terms) for act in _actions(counts, terms, own))
    for own, deck, filled, down, paid in turns:
        empty, still_down, owe = counts.empty - filled, counts.down + down, max(0, counts.owe - paid)
        wins = terms.opening_wins or down >= 0 or paid > 0  # else it is C
        won = wins and not empty and not still_down and not owe
        if not empty and not won and not terms.opening_wins:
            # The tower is full, and only an apex that is laid a second time wins.
            if not terms.again:
                continue
            owe = max(owe, 1)
        owned = with_hand(counts.own, mover, min(own - filled - paid, terms.keep))
        draw = -1 if down > 0 else _ANY
        # A D that replaces a down card replaces one that is shut, if any: it is of no other use.
        shut = max(0, counts.shut - (down < 0 < paid))
        yield Counts((mover + 1) % len(owned), owned, deck, empty, still_down, owe, draw, shut), won


def _actions(counts: Counts, terms: Terms, own: int) -> Iterator[tuple[int, int, int]]:
    """Every action: cells filled, how the number of down cards changes, own cards that D costs beside one a cell."""
    if counts.down > counts.shut:
        yield 0, -1, 0
    for paid in range(own - 1, 0, -1):
        if counts.down:
            yield 0, -1, paid
        yield 0, 0, paid
        if terms.face_down:
            yield 0, 1, paid
        if counts.empty > 1 and terms.face_down:
            yield 1, 1, paid
        if counts.empty:
            yield 1, 0, paid
    if own and counts.empty > 1:
        yield 1, 1, 0
    if own and counts.empty:
        yield 1, 0, 0


def _draws(counts: Counts, terms: Terms) -> Iterator[tuple[int, int]]:
    """What the player to move may own after the draw, and the deck that is left."""
    own = counts.own[counts.mover]
    limit = max(0, terms.refill - max(0, own - terms.extra)) if counts.draw < 0 else counts.draw
    for drawn in range(max(0, -own), min(limit + (terms.extra if limit else 0), counts.deck) + 1):
        yield own + drawn, counts.deck - drawn


# Reasons why no continuation of a table wins, found by counting: the cheap tests that come before any search.
#
# Each kind has a theorem with its proof in the specification, `table.md`. A reason is sound: what the position does not
# show is chosen as favourably as can be. None says nothing.

THEOREMS = {
    "finish": "the-finish-card-is-out-of-reach",
    "apex": "the-apex-cannot-be-laid-again",
    "stuck": "a-player-who-can-do-nothing",
    "order": "a-tower-out-of-order",
    "cards": "cards-against-empty-cells",
    "interval": "cells-against-numbers",
    "replacements": "cards-against-replacements",
    "exchanges": "cards-against-actions-d",
    "turns": "the-counting-game",
}
"""Each kind of reason, cheap to dear, and the heading of its theorem."""


class Reason(msgspec.Struct, frozen=True):
    """Why no continuation wins.

    `cells` and `cards` are what `numbers` count where single ones can be named: cells by column, then level, cards
    rising.
    """

    kind: str
    numbers: dict[str, int]
    cells: tuple[Cell, ...] = ()
    cards: tuple[int, ...] = ()

    @property
    def theorem(self) -> str:
        """The anchor of a heading of `table.md`."""
        return THEOREMS[self.kind]


def reason(state: State, rulings: Rulings, budget: Steps | None = None) -> Reason | None:
    """A reason why no legal continuation of this table wins, or None, which says nothing.

    `state` stands before the draw of `to_move`, its game not over. `budget` pays for the counting game; raises `Spent`.
    Cost: microseconds while there are clearly too few cards; about a millisecond for the cheapest final tower; some
    tens of them at worst for the counting game.
    """
    why = _finish(state, rulings) or _apex(state, rulings) or _stuck(state, rulings) or beyond_mending(state, rulings)
    if why is not None:
        return why
    cards = cards_left(state)
    empty = state.board.size - len(state.tower.cells)
    if empty > cards:
        return Reason("cards", {"empty": empty, "cards": cards})
    least = least_spent(state, rulings, cards - empty)
    if least is None:
        return _too_dear(state, rulings, empty, cards)
    counts = counts_of(state, rulings, least)
    terms = terms_of(state.board, state.variant, rulings, laid_again(state, rulings))
    if CountingGame(terms, budget).lost(counts):
        numbers = {"empty": empty, "down": counts.down, "owe": counts.owe, "deck": counts.deck, "draw": counts.draw}
        return Reason("turns", {**numbers, **{f"player {i + 1}": own for i, own in enumerate(counts.own)}})
    return None


def cards_left(state: State) -> int:
    """The cards in hands, in front and in the deck."""
    return sum(hand.size for hand in state.hands) + (state.front is not None) + len(state.deck)


def _finish(state: State, rulings: Rulings) -> Reason | None:
    if state.variant == "first":
        return None
    # A drawn one lies in front, so no hand holds it, and it is never down.
    unseen = Up(UNSEEN) in state.tower.cells.values() or UNSEEN in state.deck
    about = unseen or state.front is not None or state.whereabouts(FINISH) is not None
    if FINISH in state.gone.known or not (about or state.reserve.unseen):
        return Reason("finish", {"gone": 1})
    kept = FINISH in state.reserve.known or not about
    if kept and finish_number(state.board, rulings) is None:  # in the Reserve, or an unseen card there or gone
        return Reason("finish", {"reserve": 1})
    low = state.tower.finish
    if low is not None and low.level < state.board.levels and rulings.replace_target == "facedown_only":
        return Reason("finish", {"laid": 1}, (low,))
    return None


def _apex(state: State, rulings: Rulings) -> Reason | None:
    if not laid_again(state, rulings):
        return None
    if state.variant == "finish" or rulings.replace_target == "facedown_only":
        apex = next(cell for cell in state.tower.cells if cell.level == state.board.levels)
        return Reason("apex", {"down": len(state.tower.down)}, (apex,))
    return None


def _stuck(state: State, rulings: Rulings) -> Reason | None:
    if state.owned(state.to_move) or state.tower.down or rulings.no_action == "skipped":
        return None
    limit = draw_limit(state, state.to_move, rulings).amounts[-1]
    if limit and state.deck:
        return None
    return Reason("stuck", {"player": state.to_move + 1, "deck": len(state.deck), "draw": limit})


def _too_dear(state: State, rulings: Rulings, empty: int, cards: int) -> Reason:
    """The plainest of the reasons why no final tower can be paid for."""
    if why := _interval(state, rulings, empty, cards):
        return why
    spare = cards - empty
    replaced = least_spent(state, rulings, spare, replaced=True) is None
    return Reason("replacements" if replaced else "exchanges", {"empty": empty, "cards": cards, "spent": spare + 1})


# A tower out of order that no single action D can put in order: cells that show it.
#
# Only a position can have such a tower. Its theorem is in the specification, `table.md`, "A tower out of order".


def beyond_mending(state: State, rulings: Rulings) -> Reason | None:
    """Laid cards that are out of order among themselves and stay so whatever takes the place of one of them: no action
    of the next turn leaves the tower in order. None where one may, so far as the orders go.

    `pairs` of up cards among them break TOW01 or TOW02; `down` of them lie down. None can be left out. The cards of
    pairs that do not agree where these are enough. Cost: that of the orders of a tower in order; some tens of
    milliseconds at worst.
    """
    if not state.given:
        return None
    laid = {cell: card for cell, card in state.tower.cells.items() if card != Up(UNSEEN)}
    if not _out_of_order(state, laid, rulings):
        return None
    clashing = {cell for each in broken_orders(state.board, state.tower, rulings) for cell in each.order[:2]}
    pairs = {cell: laid[cell] for cell in clashing}
    cells = pairs if _out_of_order(state, pairs, rulings) else laid
    for cell in sorted(cells):
        fewer = {other: card for other, card in cells.items() if other != cell}
        if _out_of_order(state, fewer, rulings):
            cells = fewer
    tower = Tower.of(state.board, cells)
    numbers = {"pairs": len(broken_orders(state.board, tower, rulings)), "down": len(tower.down)}
    return Reason("order", numbers, tuple(sorted(cells)))


def _out_of_order(state: State, laid: dict[Cell, Laid], rulings: Rulings) -> bool:
    """Whether these cards alone are out of order, and no card in place of one that D may replace mends that."""
    tower = Tower.of(state.board, laid)
    if holds(state.board, tower, rulings):
        return False
    return not any(_mends(state, tower, cell, rulings) for cell in laid if may_replace(state, cell, rulings))


def _mends(state: State, tower: Tower, cell: Cell, rulings: Rulings) -> bool:
    """Whether some card in place of that on `cell`, up or as [reserve_face] says down, puts these cards in order."""
    rest = tower.without(cell)
    if not holds(state.board, rest, rulings):
        return False
    windows = Windows(state.board, rest, rulings)
    room = windows.window(cell)
    if max(room.low or 1, 1) <= min(state.board.cards if room.high is None else room.high, state.board.cards):
        return True
    return rulings.reserve_face == "either" and windows.fits_down(cell)


# One interval that shows why no final tower can be paid for, where it is that simple: laid cards have to stay.


def _interval(state: State, rulings: Rulings, empty: int, cards: int) -> Reason | None:
    """The smallest violated interval of a tower with one place of the columns, or None: cells that must all hold a
    number strictly between two, and the fewer numbers that can come.

    Without a card to spare no action D can be: every laid card stays and is opened where it lies, and no card leaves
    the Reserve. With some the up cards stay where [replace_target] forbids to replace them. Cost: that of a filling.
    """
    left, spare = places(state.board, rulings, state.tower.cells), cards - empty
    fixed_up = spare == 0 or rulings.replace_target == "facedown_only"
    if len(left) != 1 or not fixed_up or laid_again(state, rulings):
        return None
    grid = shape(state.board.levels)
    fixed = [0] * grid.size
    for (column, level), lying in state.tower.cells.items():
        if isinstance(lying.card, int) and (spare == 0 or type(lying) is not Down):
            fixed[grid.number[column - left[0], level]] = lying.card
    out = state.gone.known | set(fixed) | (state.reserve.known if spare == 0 else frozenset())
    values = tuple(value for value in range(1, state.board.cards + 1) if value not in out)
    problem = Problem(
        board=state.board,
        shape=grid,
        left=left[0],
        fixed=tuple(fixed),
        finish=state.variant == "finish",
        ends=edges(state.board, state.variant, rulings),
        values=values,
    )
    windows = bounds(problem)
    interval = None if windows.clash else smallest_interval(problem, windows)
    if interval is None:
        return None
    numbers = {"empty": empty, "cards": cards, "above": interval.above, "below": interval.below}
    return Reason("interval", numbers, tuple(sorted(map(problem.cell, interval.cells))), interval.left)
