"""The orders of towers with unseen cards: each choice of the up cards, by the plain evaluator."""

from __future__ import annotations

from itertools import product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from couperation_formal.model.board import Board, Cell
from couperation_formal.model.cards import FINISH, Card, Down, FinishCard, Laid, Up, Value
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.tower import Tower
from couperation_formal.rules import arrangement as plain
from couperation_formal.rules.orders import CLAUSES
from couperation_formal.symbolic.cards import Cards, Hidden, known
from couperation_formal.symbolic.choices import Choices
from couperation_formal.symbolic.circuit import FALSE, TRUE, Circuit, Formula
from couperation_formal.symbolic.orders import Laying, Placed, fillable, ordered
from tests.agree.worlds import BOARDS, random_tower, rulings_with
from tests.symbolic.evaluate import value
from tests.symbolic.records import LONG

EXAMPLES = 1500 if LONG else 40


class Scene:
    """A random tower with some up cards unseen, each among a few cards, as formulas and as all its choices."""

    def __init__(self, seed: int, board: Board, rulings: Rulings | None) -> None:
        rng = Random(seed)
        tower = random_tower(rng, board, "finish")
        self.board = board
        self.circuit = Circuit()
        self.cards = Cards(self.circuit, Choices(self.circuit, rulings), board, "finish")
        self.choices: dict[Cell, Hidden] = {}
        self.laying: dict[Cell, Placed] = {}
        self.laid: dict[Cell, Laid] = {}
        for cell, laid in tower.cells.items():
            self.laid[cell] = laid
            if isinstance(laid, Down):
                self.laying[cell] = Placed({}, True)
            elif (rng.random() < 0.3 and len(self.choices) < 3) or not isinstance(laid.card, int | FinishCard):
                near = laid.card if isinstance(laid.card, int) else board.anchor
                some: set[Card] = {Value(min(max(near + rng.randint(-3, 3), 1), board.cards)) for _ in range(3)}
                if (
                    rng.random() < 0.2
                    and tower.finish is None
                    and not any(FINISH in other for other in self.choices.values())
                ):
                    some.add(FINISH)
                hidden = {card: self.circuit.variable(f"{cell}={card}") for card in some}
                self.choices[cell] = hidden
                self.laying[cell] = Placed(hidden, False)
            else:
                self.laying[cell] = Placed(known(laid.card), False)

    def each(self) -> list[tuple[dict[Formula, bool], Tower]]:
        """Every choice of the unseen up cards: the values of the variables, and the tower."""
        found = []
        for chosen in product(*self.choices.values()):
            values = {
                formula: card is pick or card == pick
                for pick, hidden in zip(chosen, self.choices.values(), strict=True)
                for card, formula in hidden.items()
            }
            laid = {**self.laid, **{cell: Up(card) for cell, card in zip(self.choices, chosen, strict=True)}}
            found.append((values, Tower.of(self.board, laid)))
        return found


def through_down(board: Board, tower: Tower, rulings: Rulings) -> bool:
    """Whether numbers for the down cards exist, the orders between up cards aside."""
    return plain.failing_chain(board, tower, rulings) is None


SEEDS = st.integers(0, 10**6)


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS, st.sampled_from(BOARDS))
def test_numbers_for_down_cards(seed: int, board: Board) -> None:
    rulings = rulings_with(Random(seed))
    scene = Scene(seed, board, rulings)
    formula = fillable(scene.cards, scene.laying)
    if not scene.choices:
        assert formula in (TRUE, FALSE)
    for values, tower in scene.each():
        if not plain.broken_orders(board, tower, rulings):
            assert value(scene.circuit, formula, values) == through_down(board, tower, rulings)


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS, st.sampled_from(BOARDS))
def test_orders_between_up_cards(seed: int, board: Board) -> None:
    rulings = rulings_with(Random(seed))
    scene = Scene(seed, board, rulings)
    up = [cell for cell, placed in scene.laying.items() if not placed.down]
    for cell in up[:4]:
        for clause in CLAUSES:
            formula = ordered(scene.cards, scene.laying, cell, clause)
            for values, tower in scene.each():
                broken = plain.broken_orders(board, tower, rulings, cell, clause)
                assert value(scene.circuit, formula, values) == (not broken)


@settings(max_examples=EXAMPLES // 3, deadline=None)
@given(SEEDS, st.sampled_from(BOARDS[:3]))
def test_orders_with_the_rulings_as_variables(seed: int, board: Board) -> None:
    scene = Scene(seed, board, None)
    formula = fillable(scene.cards, scene.laying)
    rng = Random(seed)
    for rulings in [rulings_with(rng) for _ in range(6)]:
        chosen = {each: rulings.option(name) == option for (name, option), each in scene.cards.choices.chosen.items()}
        for values, tower in scene.each():
            if not plain.broken_orders(board, tower, rulings):
                told = value(scene.circuit, formula, {**values, **chosen})
                assert told == through_down(board, tower, rulings)


def test_the_deck_bounds_a_chain_of_down_cards() -> None:
    """Seven down cards in a row need seven numbers: a deck of six has too few, one of seven enough."""
    for count, fits in ((6, False), (7, True)):
        board = Board(levels=7, cards=count, anchor=1)
        row: Laying = {Cell(6 + i, 1): Placed({}, True) for i in range(7)}
        for facedown, want in (("deck", fits), ("integers", True), ("ignored", True)):
            circuit = Circuit()
            rulings = rulings_with(Random(0), ("strict", "strict", facedown, "25"))
            formula = fillable(Cards(circuit, Choices(circuit, rulings), board, "first"), row)
            assert formula == (TRUE if want else FALSE)


def test_the_scenes_are_of_all_sorts() -> None:
    """With unseen up cards and without, with down cards, in order and out of order."""
    kinds = set()
    for seed in range(60):
        rulings = rulings_with(Random(seed))
        scene = Scene(seed, BOARDS[1], rulings)
        for _, tower in scene.each():
            broken = bool(plain.broken_orders(scene.board, tower, rulings))
            kinds.add((bool(scene.choices), broken, through_down(scene.board, tower, rulings)))
    assert len(kinds) >= 6
