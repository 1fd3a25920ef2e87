"""What the tests of deadlocks brute share with others."""

from __future__ import annotations

from collections import Counter

from couperation_formal.game.rulings import Rules, Rulings, parse_rules
from couperation_formal.game.tower import Board
from couperation_formal.towers.completion.deadlocks import Sought, deadlocks, shapes
from tests.towers.deadlocks.brute import DOWN, F, Game, Label, Pair, minimal

FOUR = Board(levels=4, cards=11, anchor=5)


BEARING = ("anchor", "spread", "facedown", "row_order", "between")


def rulings_with(options: tuple[str, ...], finish_value: str, early_apex: str) -> Rulings:
    changes = dict(zip(BEARING, options, strict=True))
    return parse_rules("").rulings.with_changes({**changes, "finish_value": finish_value, "early_apex": early_apex})


def found_by_us(game: Game, cards: int, gone: int) -> Counter[Pair]:
    """Every deadlock that is found, as often as it is found."""
    question = Sought(rules=Rules("own", (), game.rulings), board=game.board, variant=game.variant, gone=gone)

    def label(number: int) -> Label:
        return F if number == question.finish else number or DOWN

    return Counter(
        (
            frozenset((cell, label(number)) for cell, number in zip(cells, found.cards, strict=True)),
            frozenset(map(label, found.gone)),
        )
        for size in range(cards + 1)
        for cells in shapes(question, size)
        for found in deadlocks(question, cells)
    )


def agree(game: Game, cards: int, gone: int) -> int:
    """How many deadlocks there are, after both ways were found to agree on each."""
    expected = minimal(game, cards, gone)
    assert found_by_us(game, cards, gone) == Counter(dict.fromkeys(expected, 1))
    return len(expected)
