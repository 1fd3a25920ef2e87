"""The clauses of the tower for one laid card: spec/clauses/tower.md; numbers as in spec/certificate.md, "Numbers"."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from couperation_checker.position import supports
from couperation_checker.record import Card

Broken = tuple[str, dict[str, Any]]  # a clause and its numbers
Tower = dict[str, tuple[Card, bool]]  # by cell: the card, and whether it lies up
Rulings = dict[str, str]


def broken(fails: object, clause: str, **numbers: Any) -> list[Broken]:
    """The clause with its numbers, where it fails."""
    return [(clause, numbers)] if fails else []


def number(card: Card, rulings: Rulings) -> int | None:
    """The number of a card in orders and sums, or None for a Finish card without one [finish_value]."""
    return card if isinstance(card, int) else 25 if rulings["finish_value"] == "25" else None


def laying(
    tower: Tower, rulings: Rulings, finish: bool, cell: str, card: Card, up: bool, new: bool
) -> Iterator[Broken]:
    """What laying a card breaks; `new` unless it replaces one (TOW01 to TOW08). The tower is the one before."""
    beside = {f"{chr(ord(cell[0]) + step)}1" for step in (-1, 1)}
    apart = cell[1] == "1" and rulings["spread"] == "adjacent" and not beside & tower.keys()
    yield from broken(new and cell in tower, "TOW06", cell=cell)
    yield from broken(new and apart and cell not in tower, "TOW05", cell=cell)
    for below in supports(cell) if new and cell[1] > "1" else ():
        yield from broken(below not in tower, "TOW03", cell=cell, support=below)
    lies = (cell in tower) != new
    after = {**tower, cell: (card, up)} if lies else tower
    if cell[1] == "7":
        yield from broken(not up, "TOW08", cell=cell, face="down")
        yield from broken(finish and card != "F", "TOW08", cell=cell, card=card)
        down = [at for at, (_, shown) in after.items() if at != cell and not shown]
        for at in down if rulings["early_apex"] == "forbidden" else ():
            yield "TOW08", {"cell": cell, "down": at}
    if lies:
        first, last = chr(max(ord(at[0]) + int(at[1]) for at in after) - 7), min(after)[0]
        inside = first <= "d" <= last if rulings["anchor"] == "middle" else first <= last
        yield from broken(not inside, "TOW04", cell=cell, first=first, last=last)
        yield from orders(after, rulings, cell)


def orders(tower: Tower, rulings: Rulings, cell: str) -> Iterator[Broken]:
    """The orders of an up card on a cell that fail; where there are none, those that fail through down cards."""
    numbers = {at: number(card, rulings) for at, (card, up) in tower.items() if up}
    known = {at: value for at, value in numbers.items() if value is not None}
    row, between = int(rulings["row_order"] == "strict"), int(rulings["between"] == "strict")
    pairs = [
        ("TOW01", low, high, row) if low[1] == high[1] else ("TOW02", low, high, between)
        for low, high in permutations(tower, 2)
        if (low[1] == high[1] and low < high) or low == supports(high)[0] or high == supports(low)[1]
    ]
    sound = True
    for clause, low, high, needed in pairs:
        if cell in (low, high) and low in known and high in known and known[high] - known[low] < needed:
            sound = False
            yield clause, {"lower": low, "upper": high, "low": known[low], "high": known[high], "needed": needed}
    down = {at for at, (_, up) in tower.items() if not up}
    if sound and down and rulings["facedown"] != "ignored":
        through = [pair[1:] for pair in pairs if down & {*pair}]
        yield from _chains(down, rulings["facedown"] == "deck", known, through)


def _chains(cells: set[str], deck: bool, known: dict[str, int], pairs: list[tuple[str, str, int]]) -> Iterator[Broken]:
    """TOW07: two numbers, an up card's or an end of the deck, that the orders through down cards force too far apart.

    The differences add up along the longest path. Cells in the order of 2 * column + level rise along every order.
    """
    down = sorted(cells, key=lambda at: 2 * ord(at[0]) + int(at[1]))
    for start, low in [*known.items(), *[(None, 1)] * deck]:
        far: dict[str, int] = {cell: 0 for cell in down if start is None}  # how far above `low` at least
        for cell in down:
            ways = [far.get(under, 0) + step for under, over, step in pairs if over == cell and under in {start, *far}]
            far |= {cell: max(ways)} if ways else {}
        for end, high in [*known.items(), *[(None, 50)] * deck]:
            ways = [far[under] + step for under, over, step in pairs if over == end and under in far]
            longest = max([*ways, *(far.values() if end is None else ())], default=high - low)
            yield from broken(high - low < longest, "TOW07", lower=start, upper=end, low=low, high=high)
