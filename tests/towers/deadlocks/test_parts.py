"""The lemmas of `spec/deadlocks.md` on parts, on small boards: what is reached, which parts are the largest, and that a
part of a tower with a filling has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from random import Random

import pytest

from couperation_formal.game.rules.arrangement import broken_orders, failing_chain
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.tower import Board
from tests.towers.deadlocks.brute import DOWN, F, Fillings, Game, Laying, laid_on, parts, tower_of

BOARD = Board(levels=3, cards=7, anchor=4)
NAMES = ("anchor", "spread", "facedown", "early_apex")


def games() -> Iterator[Game]:
    """All options of the rulings that say what is reached, both variants."""
    for options in product(*(registry().rulings[name].option_names() for name in NAMES)):
        rulings = parse_rules("ja-2.2").rulings.with_changes(dict(zip(NAMES, options, strict=True)))
        for variant, changes in (
            ("first", {}),
            ("finish", {}),
            ("finish", {"finish_value": "none"}),
            ("finish", {"finish_value": "apex_free"}),
        ):
            yield Game(BOARD, rulings.with_changes(changes), variant)  # type: ignore[arg-type]


def reachable(game: Game) -> Callable[[Laying], bool]:
    """Whether a laying can be laid card by card, by trying every last card."""

    @cache
    def reached(laying: Laying) -> bool:
        return not laying or any(
            reached(laying - {card}) and laying in following(laying - {card}) for card in sorted(laying, key=str)
        )

    @cache
    def following(laying: Laying) -> frozenset[Laying]:
        return frozenset(laid_on(game, laying))

    return reached


def right(game: Game, laying: Laying) -> bool:
    """Lemma 2: supports, row, places, orders and apex of the whole."""
    board, rulings, variant = game
    tower = tower_of(game, laying)
    cells = set(tower.cells)
    row = [cell.column for cell in cells if cell.level == 1]
    lefts = [board.middle] if rulings.anchor == "middle" else range(board.levels)
    return (
        all(cell.level == 1 or cells.issuperset(cell.supports) for cell in cells)
        and (rulings.spread == "anywhere" or max(row) - min(row) < len(row))
        and any(cells <= set(board.pyramid(left)) for left in lefts)
        and not broken_orders(board, tower, rulings)
        and failing_chain(board, tower, rulings) is None
        and all(
            label != DOWN
            and (variant == "first" or label == F)
            and not (rulings.early_apex == "forbidden" and tower.down)
            for cell, label in laying
            if cell.level == board.levels
        )
    )


def largest(game: Game, laying: Laying) -> Iterator[Laying]:
    """Lemma 3: (b), (c) and (d)."""
    cells = {game.board.anchor_cell, *(cell for cell, _ in laying)}
    held = {support for cell in cells if cell.level > 1 for support in cell.supports}
    row = [cell.column for cell in cells if cell.level == 1]
    for cell, label in laying:
        rest = laying - {(cell, label)}
        if cell.level == game.board.levels:
            yield rest
        elif label != DOWN:
            yield rest | {(cell, DOWN)}
        elif cell not in held and (
            game.rulings.spread == "anywhere" or cell.level > 1 or cell.column in (min(row), max(row))
        ):
            yield rest


def is_part(part: Laying, whole: Laying) -> bool:
    """Whether cards were left out or turned down."""
    return all((cell, label) in whole or (label == DOWN and cell in dict(whole)) for cell, label in part)


def towers(game: Game, rng: Random) -> Iterator[Laying]:
    """Towers laid at random, up to full ones."""
    for _ in range(6):
        laying: Laying = frozenset()
        for _ in range(rng.randint(2, 6)):
            ways = sorted(laid_on(game, laying), key=lambda way: sorted(map(str, way)))
            if not ways:
                break
            downs = [way for way in ways if DOWN in dict(way - laying).values()]
            laying = rng.choice(downs if downs and rng.random() < 0.4 else ways)
        yield laying


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(5))
def test_largest_parts_and_what_is_reached(chunk: int) -> None:
    rng = Random(f"parts {chunk}")
    seen: Counter[str] = Counter()
    for game in [game for at, game in enumerate(games()) if at % 5 == chunk]:
        reached, fillings = reachable(game), Fillings(game)
        for laying in towers(game, rng):
            fits = fillings.completable(laying, ())
            below = any(label == F and cell.level < BOARD.levels for cell, label in laying)
            listed = list(largest(game, laying))
            for part, _ in parts((laying, frozenset())):
                assert reached(part) == right(game, part)
                if reached(part):
                    assert not fits or fillings.completable(part, ()), (laying, part)
                    seen["part of a tower with a filling"] += fits
                    if part != laying and not fits and not below:
                        assert any(is_part(part, each) for each in listed), (laying, part)
                        seen["part of a deadlock"] += 1
            if not fits and not below:
                assert all(reached(each) for each in listed)
                smallest = all(fillings.completable(each, ()) for each in listed)
                proper = [part for part, _ in parts((laying, frozenset())) if reached(part)]
                assert smallest == all(fillings.completable(part, ()) for part in proper)
                seen["minimal" if smallest else "not minimal"] += 1
                seen["with an apex"] += any(cell.level == BOARD.levels for cell, _ in laying)
    for kind in ("part of a tower with a filling", "part of a deadlock", "minimal", "not minimal", "with an apex"):
        assert seen[kind], kind
