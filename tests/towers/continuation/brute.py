"""The table question by trying everything: every legal turn, every world that unseen things allow.

The turns are those of the rules, which `tests/agree` holds to the formulas; in a long run those of the formulas, which
take ten times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations, product
from random import Random
from typing import Any

import msgspec

from couperation_formal.game.rulings import Rulings, options_in_order, parse_rules
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Card, Down, Mark, Tower, Value, Variant
from tests.agree.small_boards import successors
from tests.conftest import LONG
from tests.formulas.judge import turns as by_formulas
from tests.kit.rulings import BESIDE, LATE, beside

NAMES = ("Ada", "Bo", "Cy", "Di")
BOARDS = (
    Board(levels=2, cards=6, anchor=3, deal=1, hand_limit=2, refill=1, reserve_sizes=((2, 3), (3, 3))),
    Board(levels=2, cards=8, anchor=4, deal=2, hand_limit=2, refill=2, reserve_sizes=((2, 2), (3, 2))),
    Board(levels=3, cards=9, anchor=5, deal=1, hand_limit=2, refill=1, reserve_sizes=((2, 3), (3, 3))),
)


FURTHER = (
    ("draw_source", "nothing"), ("finish_value", "apex_free"), ("no_action", "skipped"), ("finish_refill", "at_once"),
    ("refill_amount", "all_or_none"), ("heart_over_back", "zero"), ("opened_against", "stands"),
    ("replacements", "once"), ("facedown", "repeats"),
)  # fmt: skip
"""The options of the later rulings, which change turns, positions and what reasons rest on."""


def every_option(further: bool = True) -> dict[str, tuple[str, ...]]:
    """The rulings with several options, and these; unless `further`, as they were before the later ones."""
    every = {
        name: tuple(each for each in named if (name, each) not in LATE and (further or (name, each) not in FURTHER))
        for name, named in options_in_order()
    }
    return {name: named for name, named in every.items() if len(named) > 1 and name not in BESIDE}


def random_rulings(rng: Random, further: bool = True) -> Rulings:
    chosen = {name: rng.choice(named) for name, named in every_option(further).items()}
    return parse_rules("").rulings.with_changes(beside(chosen) if further else chosen)


def dealt(rng: Random, board: Board, players: int, variant: Variant, kept: int) -> State:
    """A table with random marks, of whose deck all but the first `kept` cards are gone."""
    cards: list[Card] = [Value(v) for v in range(2, board.cards) if v != board.anchor]
    rng.shuffle(cards)
    hands = []
    for _ in range(players):
        size = min(board.deal, len(cards))
        hands.append(Pile(frozenset(cards.pop() for _ in range(size))))
    reserve: frozenset[Card] = frozenset({Value(1), Value(board.cards)})
    for _ in range((board.reserve_size(players) or 2) - 2):
        if cards:
            reserve |= {cards.pop()}
    kept = min(kept, len(cards))
    deck, gone = cards[:kept], cards[kept:]
    if variant == "finish":
        deck.insert(rng.randint(0, len(deck)), FINISH)
    marks: dict[Value, Mark] = {Value(v): rng.choice(("1", "2", "H")) for v in range(1, board.cards + 1)}
    return State(
        board=board, variant=variant, players=NAMES[:players], marks=marks, tower=Tower.start(board),
        hands=tuple(hands), reserve=Pile(reserve), gone=Pile(frozenset(gone)), deck=tuple(deck),
    )  # fmt: skip


class TooMany(Exception):
    """More positions than the test wants to try."""


class Truth:
    """Which positions have a winning continuation, by trying every legal turn."""

    def __init__(self, rulings: Rulings, most: int) -> None:
        self.rulings, self.most = rulings, most
        self.alive: dict[Any, bool] = {}
        self.states: dict[Any, State] = {}

    def wins(self, state: State) -> bool:
        """Whether some continuation of a fully seen state wins; every position that it leads to is answered too.
        Raises `TooMany`.
        """
        if state.result is not None:
            return state.result == "win"
        form = by_formulas.key(by_formulas.table(state, self.rulings))
        if form not in self.alive:
            if len(self.alive) >= self.most:
                raise TooMany
            self.states[form], self.alive[form] = state, False
            found = [self.wins(after) for after in following(state, self.rulings)]
            self.alive[form] = any(found)
        return self.alive[form]


def following(state: State, rulings: Rulings) -> Iterable[State]:
    """The tables that the legal turns of a fully seen one lead to."""
    if not LONG:
        return successors(state, rulings)
    ahead = by_formulas.successors(by_formulas.table(state, rulings))
    return [by_formulas.state_of(values, state) for values in ahead]


def hide(rng: Random, state: State) -> State:
    """The state with some of its cards and marks unseen."""
    share = rng.choice((0.2, 0.5))

    def pile(cards: Pile, chance: float) -> Pile:
        kept = frozenset(card for card in cards.known if card is FINISH or rng.random() > chance)
        return Pile(kept, len(cards.known) - len(kept))

    cells = {
        cell: Down(UNSEEN) if isinstance(laid, Down) and rng.random() < share else laid
        for cell, laid in state.tower.cells.items()
    }
    return msgspec.structs.replace(
        state,
        tower=Tower.of(state.board, cells),
        hands=tuple(pile(hand, share) for hand in state.hands),
        reserve=pile(state.reserve, share / 2),
        gone=pile(state.gone, share),
        deck=tuple(UNSEEN if rng.random() < share else card for card in state.deck),
        marks={value: mark for value, mark in state.marks.items() if rng.random() > share / 3},
    )


def worlds(state: State, most: int) -> Iterator[State]:
    """Every fully seen state that this one may be. Raises `TooMany`."""
    everything: set[Card] = {Value(value) for value in range(1, state.board.cards + 1)}
    if state.variant == "finish":
        everything.add(FINISH)
    lost = sorted((card for card in everything if whereabouts(state, card) is None), key=str)
    open_marks = [Value(value) for value in range(1, state.board.cards + 1) if value not in state.marks]
    seen = 0
    for cards in permutations(lost):
        world = filled(state, list(cards))
        if world is None:
            continue
        for chosen in product(("1", "2", "H"), repeat=len(open_marks)):
            seen += 1
            if seen > most:
                raise TooMany
            marks = {**state.marks, **dict(zip(open_marks, chosen, strict=True))}
            yield msgspec.structs.replace(world, marks=marks)


def whereabouts(state: State, card: Card) -> object:
    return 0 if card is FINISH and state.front is not None else state.whereabouts(card)


def filled(state: State, cards: list[Card]) -> State | None:
    """The state with these cards in its unseen places, None where the Finish card would lie in a hand or down."""

    def take(number: int) -> frozenset[Card]:
        return frozenset(cards.pop() for _ in range(number))

    hands = [take(hand.unseen) for hand in state.hands]
    cells = {cell: Down(cards.pop()) if laid == Down(UNSEEN) else laid for cell, laid in state.tower.cells.items()}
    if any(FINISH in hand for hand in hands) or Down(FINISH) in cells.values():
        return None
    return msgspec.structs.replace(
        state,
        hands=tuple(Pile(hand.known | new) for hand, new in zip(state.hands, hands, strict=True)),
        tower=Tower.of(state.board, cells),
        reserve=Pile(state.reserve.known | take(state.reserve.unseen)),
        gone=Pile(state.gone.known | take(state.gone.unseen)),
        deck=tuple(cards.pop() if card is UNSEEN else card for card in state.deck),
    )
