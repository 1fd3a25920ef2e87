"""Small tables, played out in every way by the rules: which of them can still be won.

The rules are those that `tests/agree` holds to the formulas; the formulas themselves are too slow for so many tables.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from couperation_formal.game.rules.arrangement import holds
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import (
    FINISH,
    UNSEEN,
    Board,
    Card,
    Cell,
    Down,
    Laid,
    Mark,
    Tower,
    UnseenCard,
    Up,
    Value,
)
from tests.agree.small_boards import canonical, successors
from tests.towers.continuation import brute


def random_rulings(seed: int) -> Rulings:
    """Any of the options of each ruling."""
    return brute.random_rulings(random.Random(seed))


def small_deal(seed: int, players: int, finish: bool, deck: int = 3) -> State:
    """A table of three levels, dealt at random; `deck` cards are left in the deck, the others are gone."""
    rng = random.Random(seed)
    cards = 10 + seed % 3
    hand = 2 if players == 2 else rng.choice((1, 2))
    board = Board(
        levels=3,
        cards=cards,
        anchor=rng.choice((4, 5, 6)),
        deal=hand,
        hand_limit=rng.choice((2, 3)),
        refill=rng.choice((1, 2)),
        reserve_sizes=((2, 3), (3, 3)),
    )
    pack: list[Card] = [Value(number) for number in range(2, cards) if number != board.anchor]
    rng.shuffle(pack)
    hands = [pile(pack.pop() for _ in range(hand)) for _ in range(players)]
    reserve = pile([Value(1), Value(cards), pack.pop()])
    kept = pack[:deck]
    if finish:
        kept.insert(rng.randint(0, len(kept)), FINISH)
    marks: dict[Value, Mark] = {Value(number): rng.choice(("1", "2", "H")) for number in range(1, cards + 1)}
    return State(
        board=board, variant="finish" if finish else "first", players=("Ada", "Bo", "Cy")[:players], marks=marks,
        tower=Tower.start(board), hands=tuple(hands), reserve=reserve, gone=pile(pack[deck:]), deck=tuple(kept),
    )  # fmt: skip


def pile(cards: Iterable[Card]) -> Pile:
    """A pile of seen cards."""
    return Pile(frozenset(cards))


def wander(state: State, rulings: Rulings, rng: random.Random, turns: int) -> State:
    """The table after so many random turns, or as far as the game goes."""
    for _ in range(turns):
        after = [state for state in successors(state, rulings) if state.result is None]
        if not after:
            break
        state = rng.choice(after)
    return state


def explore(first: State, rulings: Rulings, most: int) -> dict[tuple[Any, ...], tuple[State, bool]] | None:
    """Every table that legal turns reach from `first` and whether it can still be won; None for more than `most`."""
    states = {form(first): first}
    before: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    won = []
    edge = [first]
    while edge:
        state = edge.pop()
        here = form(state)
        for after in successors(state, rulings) if state.result is None else ():
            there = form(after)
            before.setdefault(there, []).append(here)
            if there not in states:
                states[there] = after
                edge.append(after)
                if after.result == "win":
                    won.append(there)
        if len(states) > most:
            return None
    winning = set(won)
    while won:
        for here in before.get(won.pop(), ()):
            if here not in winning:
                winning.add(here)
                won.append(here)
    return {here: (state, here in winning) for here, state in states.items()}


def form(state: State) -> tuple[Any, ...]:
    """The canonical form without the number of turns; turn 1 stays apart by its last cell."""
    whole = canonical(state)
    return (*whole[:10], whole[11])


def near_end(seed: int, players: int, finish: bool, rulings: Rulings) -> State:
    """A table near the end: a full tower in order, less its apex and some cells, some cards down or exchanged, what is
    missing in hands, deck and Reserve among others.
    """
    rng = random.Random(f"near {seed} {players} {finish}")
    start = small_deal(seed, players, finish)
    board = start.board
    left = board.middle if rulings.anchor == "middle" else rng.randrange(board.levels)
    cells = sorted(board.pyramid(left), key=lambda cell: (2 * cell.column + cell.level, cell.level))
    numbers = sorted(rng.sample(range(1, board.cards + 1), len(cells)))
    tower: dict[Cell, Laid] = {}
    missing: list[Card] = []
    for cell, number in zip(cells, map(Value, numbers), strict=True):
        apex = cell.level == board.levels
        if apex or (cell.level == board.levels - 1 and rng.random() < 0.4):
            missing.append(FINISH if apex and finish else number)
        else:
            tower[cell] = (Up if rng.random() < 0.8 else Down)(number)
    others: list[Card] = [Value(number) for number in range(1, board.cards + 1) if number not in numbers]
    rng.shuffle(others)
    where = rng.choice(sorted(tower))
    if rng.random() < 0.3:
        changed = {**tower, where: type(tower[where])(others[0])}
        if holds(board, Tower.of(board, changed), rulings):
            given = tower[where].card
            assert not isinstance(given, UnseenCard)
            others[0], tower = given, changed
    loose = [*missing, *others[: rng.randint(0, 4)]]
    rng.shuffle(loose)
    hands: list[list[Card]] = [[] for _ in range(players)]
    deck: list[Card] = []
    reserve = others[4:][: rng.randint(0, 3)]
    front = None
    for each in loose:
        spot = rng.randrange(players + 2)
        if spot < players and each is FINISH:
            front = spot
        elif spot < players and len(hands[spot]) < board.hand_limit:
            hands[spot].append(each)
        elif spot > players and len(reserve) < 3:
            reserve.append(each)
        else:
            deck.append(each)
    about = {*reserve, *deck, *(each for hand in hands for each in hand), *(laid.card for laid in tower.values())}
    return replace(
        start,
        tower=Tower.of(board, tower),
        hands=tuple(map(pile, hands)),
        reserve=pile(reserve),
        deck=tuple(deck),
        gone=pile(Value(number) for number in range(1, board.cards + 1) if number not in about),
        front=front,
        to_move=rng.randrange(players),
        laid=where,
        touched=where,
        turns=5,
        anchor_moved=tower[board.anchor_cell].card != board.anchor,
    )


def tables(seed: int, players: int, finish: bool, most: int = 4000) -> Iterator[tuple[State, Rulings, bool]]:
    """Small tables, each with whether it can be won: those that follow from a table near the end, and from a deal after
    some random turns, more of them until at most `most` tables follow.
    """
    rulings = random_rulings(seed * 7 + players)
    yield from _following(near_end(seed, players, finish, rulings), rulings, 0, 0, most)
    yield from _following(small_deal(seed, players, finish), rulings, seed, 12, most)


def _following(
    start: State, rulings: Rulings, seed: int, turns: int, most: int
) -> Iterator[tuple[State, Rulings, bool]]:
    rng = random.Random(seed)
    for wandered in range(min(1, turns), turns + 1):
        found = explore(wander(start, rulings, rng, wandered), rulings, most)
        if found is not None:
            for state, wins in found.values():
                if state.result is None:
                    yield state, rulings, wins
            return


def disordered(rng: random.Random, state: State, rulings: Rulings) -> State | None:
    """The state with a few of its laid cards exchanged, changed or turned down, so that the tower is out of order."""
    cells: dict[Any, Laid] = dict(state.tower.cells)
    gone = set(state.gone.known)
    for _ in range(20):
        one, other = (rng.choice(sorted(cells)) for _ in range(2))
        others = sorted(card for card in gone if isinstance(card, int))
        way = rng.randrange(3)
        if way == 0:
            cells[one], cells[other] = cells[other], cells[one]
        elif way == 1 and others and isinstance(old := cells[one].card, int):
            card = rng.choice(others)
            cells[one] = type(cells[one])(card)
            gone = gone - {card} | {old}
        elif way == 2 and isinstance(cells[one].card, int) and one.level < state.board.levels:
            cells[one] = rng.choice((Up, Down))(cells[one].card)
        top = [laid for cell, laid in cells.items() if cell.level == state.board.levels]
        wrong = any(type(laid) is Down or (state.variant == "finish" and laid.card is not FINISH) for laid in top)
        tower = Tower.of(state.board, cells)
        if not wrong and Down(FINISH) not in cells.values() and not holds(state.board, tower, rulings):
            moved = state.anchor_moved or cells[state.board.anchor_cell] != Up(Value(state.board.anchor))
            more = rng.sample(others, min(len(others), rng.choice((0, 2, 2, 3))))
            more = [card for card in more if card in gone]
            hand, seat = state.hands[state.to_move], state.to_move
            hands = (*state.hands[:seat], Pile(hand.known.union(more)), *state.hands[seat + 1 :])
            pile = Pile(frozenset(gone.difference(more)))
            return replace(state, tower=tower, hands=hands, gone=pile, anchor_moved=moved, given=True)
    return None


def hide(table: State, rng: random.Random) -> State:
    """The table with some hand, deck and down cards unseen and some marks not given."""

    def veil(pile: Pile) -> Pile:
        kept = frozenset(card for card in pile.known if rng.random() < 0.6 or not isinstance(card, int))
        return Pile(kept, pile.unseen + len(pile.known) - len(kept))

    cells = {
        cell: Down(UNSEEN) if isinstance(laid, Down) and rng.random() < 0.5 else laid
        for cell, laid in table.tower.cells.items()
    }
    return replace(
        table,
        tower=Tower.of(table.board, cells),
        hands=tuple(veil(hand) for hand in table.hands),
        reserve=veil(table.reserve) if rng.random() < 0.3 else table.reserve,
        deck=tuple(UNSEEN if rng.random() < 0.3 else card for card in table.deck),
        marks={value: mark for value, mark in table.marks.items() if rng.random() < 0.7},
    )
