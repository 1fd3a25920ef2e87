"""Towers out of order, which only a position can have: legal actions, turns and answers in three ways."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

import msgspec

from couperation_formal.continuation.answer import Dead, answer
from couperation_formal.continuation.reasons.theorems import reason
from couperation_formal.model.cards import FINISH, Down, Laid, UnseenCard, Up, Value
from couperation_formal.model.record import LayDown, LayUp, Open
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import Pile, State
from couperation_formal.model.tower import Tower
from couperation_formal.rules.arrangement import holds
from couperation_formal.rules.moves import Move, legal_actions, some_action
from couperation_formal.smt.ending import turns_to_win
from tests.continuation.brute import TooMany, Truth, from_oracle, naive, to_oracle
from tests.continuation.test_search_small import SETS, check, table
from tests.continuation.test_search_turns import compare
from tests.oracle import game as oracle

LONG = os.environ.get("COUPERATION_LONG") == "1"
TABLES = 400 if LONG else 25


def disordered(rng: Random, state: State, rulings: Rulings) -> State | None:
    """The state with a few of its laid cards exchanged, changed or turned down, so that the tower is out of order."""
    cells: dict[Any, Laid] = dict(state.tower.cells)
    gone = set(state.gone.known)
    for _ in range(20):
        one, other = (rng.choice(sorted(cells)) for _ in range(2))
        others = sorted(card for card in gone if card is not FINISH)
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
            return msgspec.structs.replace(state, tower=tower, hands=hands, gone=pile, anchor_moved=moved, given=True)
    return None


def key(action: Move, state: State) -> tuple[Any, ...]:
    """An action as the oracle writes it."""

    def plain(card: Any) -> Any:
        return "F" if card is FINISH else int(card)

    cell = tuple(action.cell)
    if isinstance(action, Open):
        return "C", cell
    if isinstance(action, LayUp | LayDown):
        return "A" if isinstance(action, LayUp) else "B", plain(action.card), cell
    sent = frozenset(map(plain, (action.first, action.second)))
    gone = frozenset(plain(card) for _, card in action.adjust)
    return "D", plain(action.taken), cell, sent, gone, action.face_up, action.cell in state.tower.cells


def test_actions_turns_and_answers_on_small_boards() -> None:
    rng = Random("disorder")
    seen: Counter[str] = Counter()
    tables = 0
    while tables < TABLES:
        start, rulings = table(rng)
        truth = Truth(naive(start, rulings), 400)
        try:
            truth.wins(to_oracle(start))
            for form in rng.sample(sorted(truth.states, key=str), min(6, len(truth.states))):
                state = disordered(rng, from_oracle(start, truth.states[form]), rulings)
                if state is not None and state.result is None:
                    judge(state, rulings, rng, seen)
        except TooMany:
            continue
        tables += 1
    print(dict(seen))
    assert seen["mended"] >= 10
    assert min(seen["alive"], seen["order"], seen["C"], seen["D"], seen["Exhausted"]) >= 3


def judge(state: State, rulings: Rulings, rng: Random, seen: Counter[str]) -> None:
    game = naive(state, rulings)
    ours = {key(action, state) for action in legal_actions(state, state.to_move, rulings).actions}
    assert ours == oracle.actions(game, to_oracle(state), state.to_move), (state, rulings)
    assert (some_action(state, state.to_move, rulings) is not None) == bool(ours)
    assert {action[0] for action in ours} <= {"C", "D"}
    seen.update(action[0] for action in ours)
    ahead = compare(state, rulings)
    seen["mended"] += bool(ahead)
    assert all(holds(after.board, after.tower, rulings) for after in ahead)
    alive = Truth(game, 1500).wins(to_oracle(state))
    check(state, rulings, alive, seen, rng.choice(SETS))
    found = reason(state, rulings)
    seen[found.kind if found else "no reason"] += 1
    if found is not None and found.kind == "order":
        beyond_mending(state, rulings, found.cells, seen)


def beyond_mending(state: State, rulings: Rulings, cells: tuple[Any, ...], seen: Counter[str]) -> None:
    """The cells that a reason names are out of order, none of them can be left out, and no card mends them."""

    def mends(some: set[Any]) -> bool:
        laid = {cell: state.tower.cells[cell] for cell in some}
        tries = [laid]
        for cell in some:
            up = cell not in state.tower.down
            anchored = cell == state.board.anchor_cell and not state.anchor_moved
            kept = up if rulings.replace_target == "facedown_only" else anchored
            if rulings.replace_target == "any" or not kept:
                faces = (Up, Down) if rulings.reserve_face == "either" else (Up,)
                cards = map(Value, range(1, state.board.cards + 1))
                tries += [{**laid, cell: face(card)} for card in cards for face in faces]
        return any(holds(state.board, Tower.of(state.board, each), rulings) for each in tries)

    assert not mends(set(cells))
    assert all(mends(set(cells) - {cell}) for cell in cells)
    seen["least"] += 1


def test_short_endings_by_z3() -> None:
    """Of towers out of order that one action D wins with, and of some that it does not."""
    rng = Random("z3")
    seen: Counter[bool] = Counter()
    while sum(seen.values()) < (60 if LONG else 6):
        start, rulings = table(rng)
        if start.board.levels > 2:
            continue
        truth = Truth(naive(start, rulings), 400)
        try:
            truth.wins(to_oracle(start))
            form = rng.choice(sorted(truth.states, key=str))
            state = disordered(rng, from_oracle(start, truth.states[form]), rulings)
            if state is None or state.result is not None or any(isinstance(c, UnseenCard) for c in state.deck):
                continue
            won = Truth(naive(state, rulings), 400).wins(to_oracle(state))
        except TooMany:
            continue
        if not won and seen[False] > seen[True]:
            continue
        assert (turns_to_win(state, rulings, 6) is not None) <= won
        assert isinstance(answer(state, rulings), Dead) is not won
        seen[won] += 1
