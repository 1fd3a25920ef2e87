"""Whole sets of legal actions, found in two ways: from windows and by trying every action that can be written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product
from random import Random

import pytest

from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, Open, Turn
from couperation_formal.game.rules.clauses import ASKED, TURN_CLAUSES, TurnClauseId
from couperation_formal.game.rules.moves import Adjust, Move, Sign, legal_actions, some_action
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import FINISH, STANDARD, Board, Card, Cell, Down, Laid, Value, card_key
from tests.agree.worlds import SMALL, cells_of, random_state, rulings_with
from tests.conftest import LONG

pytestmark = pytest.mark.slow

SMALL_STATES, STANDARD_STATES = (400, 100) if LONG else (9, 3)
"""For each of the chunks below."""
CHUNKS = range(12 if LONG else 8)


def key(action: Move) -> tuple[object, ...]:
    """What tells two actions apart in effect."""
    if isinstance(action, Exchange):
        sent = frozenset((action.first, action.second))
        destroyed = frozenset(card for _, card in action.adjust)
        return "D", action.taken, action.cell, sent, destroyed, action.face_up, action.replaced
    if isinstance(action, Open):
        return "C", action.card, action.cell
    return "A" if isinstance(action, LayUp) else "B", action.card, action.cell


EVERY = tuple(name for name in TURN_CLAUSES if name[:3] in ("ACT", "TOW", "SET"))
"""All clauses but those of the draw and the limits."""
SIGNS: tuple[Sign, ...] = ("+", "-")
MARKS: tuple[Adjust, ...] = ("^", "_", "|")
SUM: tuple[TurnClauseId, ...] = ("ACT05", "ACT06")


def legal(state: State, action: Action, rulings: Rulings, asked: tuple[TurnClauseId, ...] = EVERY) -> bool:
    """Whether none of the clauses finds anything."""
    turn = Turn(state.turns + 1, state.players[state.to_move], (), action)
    step = carry_out(state, turn, state.to_move)
    for clause in ASKED[type(action)]:
        if clause.id in asked and (finding := clause.check(step, rulings)) is not None:
            assert finding.sure
            return False
    return True


def own_cards(state: State) -> list[Card]:
    own = sorted(state.hands[state.to_move].known, key=card_key)
    return [*own, FINISH] if state.front == state.to_move else own


def one_card_actions(state: State) -> Iterator[Move]:
    """A and B with every card of the player's own, C, on every cell of the board."""
    for cell in cells_of(state.board):
        for card in own_cards(state):
            yield LayUp(card, cell)
            yield LayDown(card, cell)
        laid = state.tower.cells.get(cell)
        yield Open(cell, Value(1) if laid is None else laid.card)


def sums(state: State) -> Iterator[Exchange]:
    """D with every pair, sign, set of destroyed cards, their marks, and card taken, right or wrong; on no real cell."""
    own = own_cards(state)
    for first, second in permutations(own, 2):
        others = [card for card in own if card not in (first, second)]
        takeable = sorted(state.reserve.known | {first, second}, key=card_key)
        for sign, count in product(SIGNS, range(len(others) + 1)):
            for destroyed in combinations(others, count):
                for marks in product(MARKS, repeat=count):
                    for taken in takeable:
                        adjust = tuple(zip(marks, destroyed, strict=True))
                        yield Exchange(first, sign, second, adjust, taken, True, Cell(99, 1), None)


def placed(total: Exchange, state: State) -> Iterator[Exchange]:
    """`total` with the card laid up and down on every cell of the board, as a new card and in place of one there."""
    for cell in cells_of(state.board):
        targets: list[Laid | None] = [None]
        if cell in state.tower.cells:
            targets.append(state.tower.cells[cell])
        for replaced, face_up in product(targets, (True, False)):
            yield Exchange(total.first, total.sign, total.second, total.adjust, total.taken, face_up, cell, replaced)


def tried(state: State, rulings: Rulings, sums_first: bool) -> set[tuple[object, ...]]:
    """The legal actions by trying all. With `sums_first`, wrong sums are not tried on every cell: ACT05 and ACT06 look
    at no cell.
    """
    found = {key(action) for action in one_card_actions(state) if legal(state, action, rulings)}
    for total in sums(state):
        if sums_first and not legal(state, total, rulings, SUM):
            continue
        found |= {key(action) for action in placed(total, state) if legal(state, action, rulings)}
    return found


def table(seed: int, boards: tuple[Board, ...]) -> tuple[State, Rulings]:
    rng = Random(f"state {seed}")
    rulings = rulings_with(rng)
    return random_state(rng, rng.choice(boards), rulings), rulings


def seeds(chunk: int, count: int) -> range:
    return range(chunk * count, (chunk + 1) * count)


def assert_same(state: State, rulings: Rulings, sums_first: bool) -> None:
    moves = legal_actions(state, state.to_move, rulings)
    found = Counter(map(key, moves.actions))
    assert moves.complete
    assert set(found) == tried(state, rulings, sums_first)
    assert max(found.values(), default=1) == 1
    some = some_action(state, state.to_move, rulings)
    assert some == next(iter(moves.actions), None)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_legal_actions_on_small_boards(chunk: int) -> None:
    for seed in seeds(chunk, SMALL_STATES):
        state, rulings = table(seed, SMALL)
        assert_same(state, rulings, sums_first=len(own_cards(state)) > 3)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_legal_actions_on_the_printed_board(chunk: int) -> None:
    for seed in seeds(chunk, STANDARD_STATES):
        state, rulings = table(seed, (STANDARD,))
        assert_same(state, rulings, sums_first=True)


def test_the_tables_are_of_every_kind() -> None:
    """What the other tests compare holds every kind of action, and tables without any."""
    kinds: Counter[str] = Counter()
    for seed in range(len(CHUNKS) * SMALL_STATES):
        state, rulings = table(seed, SMALL)
        actions = legal_actions(state, state.to_move, rulings).actions
        kinds["none"] += not actions
        for action in actions:
            kinds[type(action).__name__] += 1
            if isinstance(action, Exchange):
                kinds["replacing up"] += action.replaced is not None and type(action.replaced) is not Down
                kinds["replacing down"] += type(action.replaced) is Down
                kinds["taken down"] += not action.face_up
                kinds["destroying"] += bool(action.adjust)
                kinds["Finish card sent"] += FINISH in (action.first, action.second)
                kinds["Finish card taken"] += action.taken is FINISH
                kinds["sent card taken"] += action.taken in (action.first, action.second)
            if isinstance(action, LayUp):
                kinds["Finish card laid"] += action.card is FINISH
            kinds["apex"] += action.cell.level == state.board.levels
    assert len(kinds) == 14
    assert min(kinds.values()) > 3, kinds
