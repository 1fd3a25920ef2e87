"""Small tables, played out in every way by the oracle: which of them can still be won."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from couperation_formal.model.board import Board, Cell
from couperation_formal.model.cards import FINISH, Card, Down, Laid, Mark, Up, Value
from couperation_formal.model.rulings import RULING_NAMES, Rulings, registry
from couperation_formal.model.state import Pile, State
from couperation_formal.model.tower import Tower
from tests.oracle import game as oracle
from tests.oracle.tower import order_faults

Deal = tuple[Board, oracle.Game, oracle.State]


def random_rulings(seed: int) -> Rulings:
    """Any of the options of each ruling."""
    rng = random.Random(seed)
    known = registry().rulings
    return Rulings(**{name: rng.choice(known[name].option_names()) for name in RULING_NAMES})


def small_deal(seed: int, players: int, finish: bool, rulings: Rulings, deck: int = 3) -> Deal:
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
    pack: list[Any] = [value for value in range(2, cards) if value != board.anchor]
    rng.shuffle(pack)
    hands = [[pack.pop() for _ in range(hand)] for _ in range(players)]
    reserve = [1, cards, pack.pop()]
    kept = pack[:deck]
    if finish:
        kept.insert(rng.randint(0, len(kept)), "F")
    game = oracle.Game(
        rulings=msgspec.structs.asdict(rulings),
        marks={value: rng.choice("12H") for value in range(1, cards + 1)},
        players=players,
        finish=finish,
        levels=board.levels,
        cards=board.cards,
        anchor=board.anchor,
        deal=board.deal,
        hand_limit=board.hand_limit,
        refill=board.refill,
        reserve_sizes=dict(board.reserve_sizes),
    )
    return board, game, oracle.start(game, hands, reserve, kept)._replace(gone=tuple(pack[deck:]))


def wander(game: oracle.Game, state: oracle.State, rng: random.Random, turns: int) -> oracle.State:
    """The table after so many random turns, or as far as the game goes."""
    for _ in range(turns):
        after = [state for state in oracle.successors(game, state) if not state.result]
        if not after:
            break
        state = rng.choice(sorted(after, key=repr))
    return state


def explore(
    game: oracle.Game, first: oracle.State, most: int
) -> dict[tuple[Any, ...], tuple[oracle.State, bool]] | None:
    """Every table that legal turns reach from `first` and whether it can still be won; None for more than `most`."""
    states = {form(first): first}
    before: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    won = []
    edge = [first]
    while edge:
        state = edge.pop()
        here = form(state)
        for after in oracle.successors(game, state):
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


def form(state: oracle.State) -> tuple[Any, ...]:
    """The canonical form without the number of turns; turn 1 stays apart by its last cell."""
    whole = oracle.canonical(state)
    return (*whole[:10], whole[11])


def card(shown: Any) -> Card:
    """A card of the oracle as the model has it."""
    return FINISH if shown == "F" else Value(shown)


def pile(cards: Any) -> Pile:
    """A pile of seen cards."""
    return Pile(frozenset(card(each) for each in cards))


def state_of(board: Board, game: oracle.Game, state: oracle.State) -> State:
    """A table of the oracle as a state of the model."""
    cells: dict[Cell, Laid] = {
        Cell(*cell): Up(card(shown)) if up else Down(card(shown)) for cell, (shown, up) in state.tower.items()
    }
    marks: dict[Value, Mark] = {Value(value): mark for value, mark in game.marks.items()}  # type: ignore[misc]
    return State(
        board=board,
        variant="finish" if game.finish else "first",
        players=("Ada", "Bo", "Cy")[: game.players],
        marks=marks,
        tower=Tower.of(board, cells),
        hands=tuple(pile(hand) for hand in state.hands),
        front=state.front,
        reserve=pile(state.reserve),
        gone=pile(state.gone),
        deck=tuple(card(each) for each in state.deck),
        turns=state.turns,
        to_move=state.to_move,
        laid=None if state.laid is None else Cell(*state.laid),
        touched=None if state.touched is None else Cell(*state.touched),
        anchor_moved=state.anchor_moved,
        result=state.result,  # type: ignore[arg-type]
    )


def near_end(seed: int, players: int, finish: bool, rulings: Rulings) -> Deal:
    """A table near the end: a full tower in order, less its apex and some cells, some cards down or exchanged, what is
    missing in hands, deck and Reserve among others.
    """
    rng = random.Random(f"near {seed} {players} {finish}")
    board, game, start = small_deal(seed, players, finish, rulings)
    left = board.middle if rulings.anchor == "middle" else rng.randrange(board.levels)
    cells = sorted(board.pyramid(left), key=lambda cell: (2 * cell.column + cell.level, cell.level))
    numbers = sorted(rng.sample(range(1, board.cards + 1), len(cells)))
    tower: dict[tuple[int, int], tuple[Any, bool]] = {}
    missing: list[Any] = []
    for cell, value in zip(cells, numbers, strict=True):
        apex = cell.level == board.levels
        if apex or (cell.level == board.levels - 1 and rng.random() < 0.4):
            missing.append("F" if apex and finish else value)
        else:
            tower[cell] = value, rng.random() < 0.8
    others = [value for value in range(1, board.cards + 1) if value not in numbers]
    rng.shuffle(others)
    where = rng.choice(sorted(tower))
    if rng.random() < 0.3:
        changed = {**tower, where: (others[0], tower[where][1])}
        if not order_faults(game, changed):
            tower, others = changed, [tower[where][0], *others[1:]]
    loose = [*missing, *others[: rng.randint(0, 4)]]
    rng.shuffle(loose)
    hands: list[list[Any]] = [[] for _ in range(players)]
    deck: list[Any] = []
    reserve = others[4:][: rng.randint(0, 3)]
    front = None
    for each in loose:
        spot = rng.randrange(players + 2)
        if spot < players and each == "F":
            front = spot
        elif spot < players and len(hands[spot]) < board.hand_limit:
            hands[spot].append(each)
        elif spot > players and len(reserve) < 3:
            reserve.append(each)
        else:
            deck.append(each)
    about = {*reserve, *deck, *(each for hand in hands for each in hand), *(each for each, _ in tower.values())}
    state = start._replace(
        tower=tower,
        hands=tuple(map(tuple, hands)),
        reserve=tuple(reserve),
        deck=tuple(deck),
        gone=tuple(value for value in range(1, board.cards + 1) if value not in about),
        front=front,
        to_move=rng.randrange(players),
        laid=where,
        touched=where,
        turns=5,
        anchor_moved=tower.get(game.anchor_cell, (None, True))[0] != board.anchor,
    )
    return board, game, state


def tables(seed: int, players: int, finish: bool, most: int = 4000) -> Iterator[tuple[State, Rulings, bool]]:
    """Small tables, each with whether it can be won: those that follow from a table near the end, and from a deal after
    some random turns, more of them until at most `most` tables follow.
    """
    rulings = random_rulings(seed * 7 + players)
    yield from _following(near_end(seed, players, finish, rulings), rulings, 0, 0, most)
    yield from _following(small_deal(seed, players, finish, rulings), rulings, seed, 12, most)


def _following(deal: Deal, rulings: Rulings, seed: int, turns: int, most: int) -> Iterator[tuple[State, Rulings, bool]]:
    board, game, start = deal
    rng = random.Random(seed)
    for wandered in range(min(1, turns), turns + 1):
        found = explore(game, wander(game, start, rng, wandered), most)
        if found is not None:
            for state, wins in found.values():
                if not state.result:
                    yield state_of(board, game, state), rulings, wins
            return
