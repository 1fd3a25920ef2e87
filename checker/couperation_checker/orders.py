"""The clauses of the tower for one laid card: spec/clauses/tower.md; numbers as in spec/certificate.md, "Numbers"."""

from collections.abc import Collection, Iterator
from itertools import permutations
from typing import Any

from couperation_checker.notation import Card
from couperation_checker.position import Rulings, Tower, supports

Broken = tuple[str, dict[str, Any]]  # a clause and its numbers
CELLS = [f"{column}{level}" for level in range(1, 8) for column in "abcdefghijklm"]
_PAIRS = [
    ("TOW01" if low[1] == high[1] else "TOW02", low, high)
    for low, high in permutations(CELLS, 2)
    if (low[1] == high[1] and low < high) or low == supports(high)[0] or high == supports(low)[1]
]
ORDERS = {cell: [pair for pair in _PAIRS if cell in pair] for cell in CELLS}  # by cell: clause, lower, upper cell


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
    steps = {"TOW01": int(rulings["row_order"] == "strict"), "TOW02": int(rulings["between"] == "strict")}
    sound = True
    for clause, low, high in ORDERS[cell]:
        if low in known and high in known and known[high] - known[low] < steps[clause]:
            sound, needed = False, steps[clause]
            yield clause, {"lower": low, "upper": high, "low": known[low], "high": known[high], "needed": needed}
    down = {at for at, (_, up) in tower.items() if not up}
    if sound and down and rulings["facedown"] != "ignored":
        through = {
            (low, high, steps[clause]) for at in down for clause, low, high in ORDERS[at] if tower.keys() >= {low, high}
        }
        yield from _chains(down, rulings["facedown"] == "deck", known, through)


def _chains(
    cells: set[str], deck: bool, known: dict[str, int], pairs: Collection[tuple[str, str, int]]
) -> Iterator[Broken]:
    """TOW07: two numbers, an up card's or an end of the deck, that the orders through down cards force too far apart.

    The differences add up along the longest path. Cells in the order of 2 * column + level rise along every order.
    """
    down = sorted(cells, key=lambda at: 2 * ord(at[0]) + int(at[1]))
    into = {cell: [(under, step) for under, over, step in pairs if over == cell] for cell in down}
    least = dict(known)  # from all starts at once, as most towers hold
    for cell in down:
        ways = [least[under] + step for under, step in into[cell] if under in least] + [1] * deck
        least |= {cell: max(ways)} if ways else {}
    most = {**known, **{cell: 50 for cell in down if deck}}
    reached = [(least[cell], most[cell]) for cell in down if cell in least and cell in most]
    reached += [(least[under] + step, most[over]) for under, over, step in pairs if under in least and over in known]
    for start, low in [*known.items(), *[(None, 1)] * deck] if any(low > high for low, high in reached) else ():
        far: dict[str | None, int] = {start: 0}  # how far above `low` at least
        for cell in down:
            ways = [far[under] + step for under, step in into[cell] if under in far] + [0] * (start is None)
            far |= {cell: max(ways)} if ways else {}
        del far[start]
        ends: list[tuple[str | None, int, int]] = [(None, 50, longest) for longest in far.values() if deck]
        ends += [
            (over, known[over], far[under] + step) for under, over, step in pairs if under in far and over in known
        ]
        for end, high, longest in ends:
            if high - low < longest:
                yield "TOW07", {"lower": start, "upper": end, "low": low, "high": high}
