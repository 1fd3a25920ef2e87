"""Random boards, rulings, towers and tables for the agreement tests. Everything follows from the generator's seed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from couperation_formal.game.rules import arrangement as plain
from couperation_formal.game.rulings import Rulings, registry
from couperation_formal.game.state import Pile, State, all_cards
from couperation_formal.game.tower import (
    FINISH,
    STANDARD,
    UNSEEN,
    Board,
    Card,
    Cell,
    Down,
    FinishCard,
    Laid,
    Tower,
    Up,
    Value,
    Variant,
    card_key,
)
from tests.kit.rulings import drawn

"""Whether the long runs are asked for."""

SMALL = (
    Board(levels=2, cards=9, anchor=5, deal=2, reserve_sizes=((2, 3), (3, 3))),
    Board(levels=3, cards=14, anchor=7, deal=3, reserve_sizes=((2, 4), (3, 3))),
    Board(levels=4, cards=24, anchor=12, reserve_sizes=((2, 5), (4, 4))),
)
BOARDS = (*SMALL, STANDARD)

ORDER_RULINGS = ("row_order", "between", "facedown", "finish_value")
COMBINATIONS = tuple(product(*(registry().rulings[name].option_names() for name in ORDER_RULINGS)))


def rulings_with(rng: Random, combination: tuple[str, ...] | None = None) -> Rulings:
    """Random rulings, those of the orders as given."""
    chosen = drawn(rng)
    if combination is not None:
        chosen.update(zip(ORDER_RULINGS, combination, strict=True))
    return Rulings(**chosen)


def cells_of(board: Board) -> Iterator[Cell]:
    """Every cell of the board, its columns all around the anchor included."""
    for level in range(1, board.levels + 1):
        for column in range(board.columns - level + 1):
            yield Cell(column, level)


def random_tower(rng: Random, board: Board, variant: Variant, spread: int | None = None) -> Tower:
    """Any laid cards, in order or not, supported or not: partial or full, with down, unseen and Finish cards.

    Numbers rise evenly, more or less tightly, each out of place by at most `spread` (a random one where left out).
    """
    cells = list(board.pyramid(rng.randrange(board.levels))) if rng.random() < 0.7 else list(cells_of(board))
    filled = rng.choice((0.3, 0.6, 0.9, 1.0))
    down = rng.choice((0.1, 0.3, 0.6, 0.9))
    spread = rng.choice((0, 1, 2, 4, board.cards)) if spread is None else spread
    pace, shift = rng.choice(((0.4, 0), (0.4, 0.3), (0.4, 0.6), (0.6, 0), (0.6, 0.4), (1, 0), (1, 0.05)))
    laid: dict[Cell, Laid] = {}
    for cell in cells:
        if rng.random() > filled:
            continue
        even = (pace * (2 * cell.column + cell.level) / (2 * board.columns) + shift) * board.cards
        value = Value(min(max(round(even) + rng.randint(-spread, spread), 1), board.cards))
        if rng.random() < down:
            laid[cell] = Down(value if rng.random() < 0.5 else UNSEEN)
        else:
            laid[cell] = Up(UNSEEN if rng.random() < 0.04 else value)
    if variant == "finish" and laid and rng.random() < 0.6:
        laid[rng.choice(list(laid))] = Up(FINISH)
    return Tower.of(board, laid)


def holds(board: Board, tower: Tower, rulings: Rulings) -> bool:
    """Whether every order of the tower can hold, as the plain evaluator sees it."""
    return not plain.broken_orders(board, tower, rulings) and plain.failing_chain(board, tower, rulings) is None


def grown_tower(rng: Random, board: Board, variant: Variant, rulings: Rulings) -> Tower:
    """A tower laid card by card on supported cells around the anchor, each known, all orders kept."""
    tower = Tower.start(board)
    left = board.middle if rulings.anchor == "middle" else rng.randrange(board.levels)
    pyramid = board.pyramid(left)
    rest = set(all_cards(board, variant)) - {Value(board.anchor)}
    down = rng.choice((0.0, 0.3, 0.6, 0.9))
    for _ in range(rng.choice((board.size // 2, 2 * board.size, 6 * board.size))):
        free = [
            cell
            for cell in pyramid
            if cell not in tower.cells and (cell.level == 1 or all(below in tower.cells for below in cell.supports))
        ]
        if not free or not rest:
            break
        cell = rng.choice(free)
        card = _card_for(rng, board, cell, left, rest)
        face_up = isinstance(card, FinishCard) or cell.level == board.levels or rng.random() >= down
        laid = Up(card) if face_up else Down(card)
        grown = tower.lay(cell, laid)
        if holds(board, grown, rulings):
            tower = grown
            rest.remove(card)
    return tower


def _card_for(rng: Random, board: Board, cell: Cell, left: int, rest: set[Card]) -> Card:
    """Mostly a card near the number that an evenly filled pyramid would have on `cell`, sometimes any."""
    cards = sorted(rest, key=card_key)
    if rng.random() < 0.15:
        return rng.choice(cards)
    even = (2 * (cell.column - left) + cell.level) * board.cards / (2 * board.levels)
    return min(cards, key=lambda card: abs(card - even) + 2 * rng.random() if isinstance(card, int) else board.cards)


def random_state(rng: Random, board: Board, rulings: Rulings) -> State:
    """A fully seen table after the draw, with a grown tower; its hands, Reserve and deck are any of the other cards."""
    variant: Variant = rng.choice(("first", "finish"))
    players, reserve_size = rng.choice(board.reserve_sizes)
    tower = grown_tower(rng, board, variant, rulings)
    laid = {card.card for card in tower.cells.values()}
    rest = sorted(all_cards(board, variant) - laid, key=card_key)
    rng.shuffle(rest)
    front = None
    if FINISH in rest and rng.random() < 0.5:
        rest.remove(FINISH)
        front = rng.choice((0, 0, rng.randrange(players)))

    def take(count: int, glass: bool = False) -> frozenset[Card]:
        taken = [card for card in rest if not (glass and card is FINISH)][:count]
        for card in taken:
            rest.remove(card)
        return frozenset(taken)

    reserve = Pile(take(rng.randint(1, reserve_size)))
    hands = tuple(Pile(take(rng.randint(0, board.hand_limit + 1), glass=True)) for _ in range(players))
    gone = Pile(take(rng.randint(0, 2)))
    return State(
        board=board,
        variant=variant,
        players=("Aki", "Ben", "Chie", "Dai")[:players],
        marks={},
        tower=tower,
        hands=hands,
        front=front,
        reserve=reserve,
        gone=gone,
        deck=tuple(rest),
        turns=5,
        laid=board.anchor_cell,
        touched=board.anchor_cell,
        anchor_moved=rng.random() < 0.3,
    )
