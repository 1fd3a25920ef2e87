"""The lemmas of `spec/completability.md` where they are thinnest: windows without a number, towers without a free cell
or without a card, `F` beside its own number, unseen gone cards that leave less than nothing.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.game.record import Position
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board, Cell, Down, Laid, Up, Value
from couperation_formal.towers.completion.answer import Completable, Deadlocked, complete
from couperation_formal.towers.completion.fill import Starved, before, bounds, problems
from tests.conftest import LONG, some
from tests.towers.completion.small_boards import compare
from tests.towers.completion.towers import SMALL, random_position

pytestmark = pytest.mark.slow

PLAYERS = ("Aki", "Ben")


def position(rules: str, tower: dict[Cell, Laid], variant: str = "first", unseen: int = 0) -> Position:
    """A position of a tower and so many unseen gone cards."""
    return Position(
        tags=(),
        players=PLAYERS,
        rules=parse_rules(rules),
        variant=variant,  # type: ignore[arg-type]
        marks={},
        tower=tuple(sorted(tower.items())),
        hands={},
        gone=(UNSEEN,) * unseen,
    )


def test_windows_are_monotone_and_never_reversed_where_the_bounds_agree() -> None:
    """Lemma 1 and Lemma 2."""
    rng = Random("windows")
    seen: Counter[str] = Counter()
    for _ in range(2000 if LONG else 700):
        board = rng.choice((*SMALL, STANDARD))
        at, _ = random_position(rng, board)
        for problem in problems(at, board):
            found = bounds(problem)
            inclusive = problem.finish and problem.ends is not None and problem.ends[0] > problem.ends[1]
            for p, q in product(problem.free, repeat=2):
                if before(problem.shape, p, q):
                    assert found.low[p] <= found.low[q]
                    assert found.high[p] <= found.high[q]
                    seen["inclusive"] += inclusive
            for p in problem.free:
                assert found.clash or found.low[p] < found.high[p]
                seen["reversed"] += found.low[p] >= found.high[p]
                seen["empty"] += found.low[p] + 1 == found.high[p]
            right = all(found.low[p] < found.high[p] for p in problem.free)
            seen["disagree and no window is reversed"] += found.clash and right
    for kind in ("inclusive", "reversed", "empty", "disagree and no window is reversed"):
        assert seen[kind] > 20, kind


@pytest.mark.parametrize("anchor", [1, 2, 5])
@pytest.mark.parametrize("between", ["strict", "inclusive"])
def test_every_tower_of_two_levels(anchor: int, between: str) -> None:
    """Every choice of cards and faces on three cells, in the suite each third, `F` among them, whatever number `F` has;
    trying everything decides.
    """
    board = Board(levels=2, cards=5, anchor=anchor, deal=1)
    cells = board.pyramid(board.middle)
    seen: Counter[str] = Counter()
    for variant, value, unseen in product(("first", "finish"), ("25", "none"), (0, 2)):
        if variant == "first" and value == "none":
            continue
        faces = [None, Down(UNSEEN), *(Up(Value(number)) for number in range(1, 6))]
        for laid in some(product(*([*faces, Up(FINISH)] if variant == "finish" else faces for _ in cells)), 3):
            up = [card.card for card in laid if isinstance(card, Up)]
            apex = laid[cells.index(Cell(board.middle, 2))]
            if len(up) > len(set(up)) or (variant == "finish" and apex not in (None, Up(FINISH))):
                continue
            tower = {cell: card for cell, card in zip(cells, laid, strict=True) if card is not None}
            rules = f"ja-2.2 anchor=middle between={between} finish_value={value} replace_target=any"
            compare(position(rules, tower, variant, unseen), board, seen)
            seen["nothing is free"] += len(up) == len(cells)
            seen["nothing is laid"] += not tower
    for kind in ("completable", "OrderClash", "below_apex", "repaired", "nothing is free", "nothing is laid"):
        assert seen[kind], kind


@pytest.mark.parametrize(("shown", "gone"), [(22, 0), (21, 1), (22, 1), (0, 23)])
def test_no_free_cell_and_unseen_gone_cards(shown: int, gone: int) -> None:
    """A full tower of up cards in order: it stands as long as the unseen gone cards can be numbers that lie nowhere."""
    cells = sorted(STANDARD.pyramid(STANDARD.middle), key=lambda cell: (2 * cell.column + cell.level, cell.level))
    first = STANDARD.anchor - cells.index(STANDARD.anchor_cell)
    tower: dict[Cell, Laid] = {cell: Up(Value(first + at)) for at, cell in enumerate(cells)}
    rest = [value for value in range(1, 51) if not first <= value < first + 28]
    at = replace(
        position("en-2", tower, unseen=gone), hands={"Aki": tuple(Value(value) for value in rest[:shown]), "Ben": ()}
    )
    found = complete(at)
    if shown + gone <= len(rest):
        assert isinstance(found, Completable)
        assert not found.filling
    else:
        assert isinstance(found, Deadlocked)
        assert [refusal.reason for refusal in found.refusals] == [Starved((), shown + gone - len(rest))]
