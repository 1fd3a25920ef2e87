"""One turn of a record under one reading, by the formulas of the specification and by nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from couperation_formal.formulas.judge import failing, tables
from couperation_formal.formulas.writer import Values
from couperation_formal.game.record import Record
from couperation_formal.game.rules.arrangement import orders
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import STANDARD, Board, Cell
from tests.formulas.judge.turns import GOING, having

_OF_THE_TOWER = ("TOW01", "TOW02", "TOW04", "TOW07")


def judged(record: Record, rulings: Rulings, board: Board = STANDARD) -> Iterator[tuple[str, ...]]:
    """What each turn breaks, everything before carried out as it was played, whether legal or not."""
    values = iter(tables(record, rulings, board))
    next(values)
    for each in values:
        yield broken_at(having(each, result=GOING), board)


def broken_at(values: Values, board: Board) -> tuple[str, ...]:
    """The clauses that one turn breaks on its table, while the game goes on. Of a tower that was wrong before, the
    turn answers for its own card only.
    """
    before = having(values, a=("Pass",))
    to_mend = before.value("turned") and before.value("opened_against") == "stands"
    ordered = _in_order(before) and (before.value("numbered") or to_mend)
    inside = _inside(before, before.value("W"), board)
    if ordered and inside:
        return failing(values, values.value("asked"))
    if values.value("a") == ("Pass",):
        found = list(failing(values, tuple(clause for clause in values.value("asked") if clause != "ACT01")))
        return (
            (*found, "ACT01")
            if any(_possible(having(values, a=action), board) for action in _actions(values))
            else tuple(found)
        )
    cell = values.value("target") or values.value("opened")
    own = cell is None or _own_orders(values, cell, board)
    chains = cell is None or _own_chains(values, Cell(*cell))
    found = [clause for clause in failing(values, values.value("asked")) if clause not in _OF_THE_TOWER]
    kept = own and (chains or values.value("opened_against") == "stands")
    if not ordered and kept and (values.value("opened") is not None or _completes(values)):
        found = [clause for clause in found if clause not in ("LIM01", "LIM02")] + _limits_broken(values)
    settled = values.value("settled")
    if settled is not None and not _inside(values, values.value("W2") if inside else {settled: None}, board):
        found.append("TOW04")
    elif settled is not None and not {"TOW03", "TOW05"} & {*found}:
        if not (_in_order(values) if ordered else own):
            found.append("TOW01")
        elif not (values.value("numbered") if ordered else chains):
            found.append("TOW07")
    return tuple(found)


def _possible(values: Values, board: Board) -> bool:
    return not any(clause[:3] in ("ACT", "TOW") for clause in broken_at(values, board))


def _actions(values: Values) -> Iterator[Any]:
    """Every action that can be written."""
    cells, tower = values.value("cells"), values.value("W")
    for card, cell in product(values.value("own1"), cells):
        yield "A", card, cell
        yield "B", card, cell
    yield from (("C", cell, laid[1]) for cell, laid in tower.items())
    for (one, way, other, shifts, pick), cell in product(values.value("payments"), cells):
        old = ("Was", tower[cell]) if cell in tower else ("Nothing",)
        yield from (("D", one, way, other, shifts, (face, pick), cell, old) for face in ("Up", "Down"))


def _completes(values: Values) -> bool:
    """Whether a card that is in order itself wins by completing the tower."""
    return bool(values.value("full")) and values.value("early_apex") == "win_on_completion"


def _limits_broken(values: Values) -> list[str]:
    """The limits that a card breaks which is in order itself and is opened, or wins."""
    if _completes(values):
        return ["LIM01"] if values.value("drop") or values.value("trim") else []
    opened = values.value("opened")
    return list(failing(having(values, W={opened: values.value("W")[opened]}), ("LIM01", "LIM02")))


def _in_order(values: Values, given: Any = None) -> bool:
    """Whether up cards are in order, those with these numbers or all of them, by the list of orders."""
    numbers = {Cell(*cell): number for cell, number in (given or values.value("num2")).items()}
    gaps = {"TOW01": values.value("row_order") == "strict", "TOW02": values.value("between") == "strict"}
    return all(
        numbers[order.lower] + gaps[order.clause] <= numbers[order.upper]
        for order in orders(_board(values)).every
        if order.lower in numbers and order.upper in numbers
    )


def _own_orders(values: Values, cell: Any, board: Board) -> bool:
    """Whether the orders between the card on this cell and other up cards hold."""
    numbers = values.value("num2")
    return all(
        _in_order(values, {cell: numbers[cell], other: number})
        for other, number in numbers.items()
        if cell in numbers and other != cell
    )


def _own_chains(values: Values, own: Cell) -> bool:
    """Whether every chain of orders through down cards that the card on this cell is part of has room, walked one by
    one.
    """
    if values.value("facedown") == "ignored":
        return True
    numbers = {Cell(*cell): number for cell, number in values.value("num2").items()}
    down = {Cell(*cell) for cell in values.value("down2")}
    strict = values.value("facedown") != "repeats"
    gaps = {
        "TOW01": int(strict and values.value("row_order") == "strict"),
        "TOW02": int(strict and values.value("between") == "strict"),
    }
    deck = values.value("facedown") == "deck"
    every = orders(_board(values)).every

    def walks(cell: Cell, rising: bool, through: bool) -> Iterator[tuple[int, int]]:
        if cell in down and deck:
            yield (values.value("cards") if rising else 1), 0
        for order in every:
            one, other = (order.lower, order.upper) if rising else (order.upper, order.lower)
            if one == cell and other in numbers and through:
                yield numbers[other], gaps[order.clause]
            elif one == cell and other in down:
                yield from ((end, length + gaps[order.clause]) for end, length in walks(other, rising, True))

    if own not in down and own not in numbers:
        return True
    below, above = list(walks(own, False, own in down)), list(walks(own, True, own in down))
    if own in numbers:
        below, above = [*below, (numbers[own], 0)], [*above, (numbers[own], 0)]
    return all(low + some + more <= high for low, some in below for high, more in above)


def _inside(values: Values, laid: Any, board: Board) -> bool:
    lefts = [board.middle] if values.value("anchor") == "middle" else range(board.levels)
    return any(
        all(level <= board.levels and left <= column <= left + board.levels - level for column, level in laid)
        for left in lefts
    )


def _board(values: Values) -> Board:
    return Board(levels=values.value("levels"), cards=values.value("cards"), anchor=values.value("anchor_card"))
