"""The clauses of the tower for one laid card: spec/clauses/tower.md; numbers as in spec/certificate.md, "Numbers"."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations
from typing import Any

from couperation_checker.position import Rulings, Table, Tower, number, supports
from couperation_checker.strict import Card

Broken = tuple[str, dict[str, Any]]  # a clause and its numbers
CELLS = [f"{column}{level}" for level in range(1, 8) for column in "abcdefghijklm"]
_PAIRS = [
    ("TOW01" if low[1] == high[1] else "TOW02", low, high)
    for low, high in permutations(CELLS, 2)
    if (low[1] == high[1] and low < high) or low == supports(high)[0] or high == supports(low)[1]
]
_UNDER = {cell: [(clause, low) for clause, low, high in _PAIRS if high == cell] for cell in CELLS}
_OVER = {cell: [(clause, high) for clause, low, high in _PAIRS if low == cell] for cell in CELLS}
Room = tuple[int, int, bool] | None  # for an up card from, to; whether there is a number for a down one
_Known = dict[str | None, int]  # by cell, or None for an end of the deck


def broken(fails: object, clause: str, **numbers: Any) -> list[Broken]:
    """The clause with its numbers, where it fails."""
    return [(clause, numbers)] if fails else []


def mended(tower: Tower, rulings: Rulings, cell: str) -> bool:
    """Whether some Glass card in place of that on a cell, up or as [reserve_face] says down, puts a tower in order."""
    rest = {at: laid for at, laid in tower.items() if at != cell}
    space = None if any(orders(rest, rulings)) else room(tower, rulings, cell)
    faces = (True, False) if rulings["reserve_face"] == "either" else (True,)
    return any(fits(space, rulings, card, up) for card in range(1, 51) for up in faces)


def placing(tower: Tower, rulings: Rulings, cell: str, new: bool) -> Iterator[Broken]:
    """What laying any card on a cell breaks, `new` unless it replaces one (TOW03 to TOW06)."""
    yield from broken(new and cell in tower, "TOW06", cell=cell)
    for under in supports(cell) if new and cell[1] > "1" else ():
        yield from broken(under not in tower, "TOW03", cell=cell, support=under)
    if new and cell not in tower and cell[1] == "1" and rulings["spread"] == "adjacent":
        yield from broken(not {f"{chr(ord(cell[0]) + step)}1" for step in (-1, 1)} & tower.keys(), "TOW05", cell=cell)
    if (cell in tower) != new:
        first, last = chr(max(ord(at[0]) + int(at[1]) for at in (*tower, cell)) - 7), min(*tower, cell)[0]
        inside = first <= "d" <= last if rulings["anchor"] == "middle" else first <= last
        yield from broken(not inside, "TOW04", cell=cell, first=first, last=last)


def topping(table: Table, cell: str, card: Card, up: bool) -> Iterator[Broken]:
    """What laying a card on the apex breaks (TOW08)."""
    if cell[1] == "7":
        yield from broken(not up, "TOW08", cell=cell, face="down")
        yield from broken(table.finish and card != "F", "TOW08", cell=cell, card=card)
        down = [at for at, (_, shown) in table.tower.items() if at != cell and not shown]
        yield from (("TOW08", {"cell": cell, "down": at}) for at in down if table.rulings["early_apex"] == "forbidden")


def orders(tower: Tower, rulings: Rulings, cell: str | None = None) -> Iterator[Broken]:
    """The orders of up cards that fail; where there are none, those that fail through down cards.

    With the cell of a turn all are taken to hold where those of its card do: they did before the turn. Outside of the
    board none is asked.
    """
    beyond = cell and ord(cell[0]) + int(cell[1]) > ord("n")
    if beyond or (cell and fits(room(tower, rulings, cell), rulings, *tower[cell], cell)):
        return
    known, down, steps = _split(tower, rulings)
    wrong = [pair for pair in _PAIRS if known.get(pair[2], 99) - known.get(pair[1], -99) < steps[pair[0]]]
    for clause, low, high in wrong:
        yield clause, {"lower": low, "upper": high, "low": known[low], "high": known[high], "needed": steps[clause]}
    ends = [None] if rulings["facedown"] == "deck" else []
    for start in () if wrong else [*known, *ends]:
        least = known.get(start, 1)
        forced = _forced({start: least}, down, _UNDER, steps, [1] * (start is None))
        for at in down:
            over = [
                (top, known[top], min(steps[clause], steps.get(at, 1))) for clause, top in _OVER[at] if top in known
            ]
            for end, most, step in [*over, *((each, 50, 0) for each in ends)] if at in forced else ():
                yield from broken(most < forced[at] + step, "TOW07", lower=start, upper=end, low=least, high=most)


def _split(tower: Tower, rulings: Rulings) -> tuple[_Known, list[str], dict[str, int]]:
    """The numbers of the up cards, the cells of the down cards that count, rising along every order, and the steps of
    each clause, and of a card whose orders ask for none.
    """
    numbers = [(at, number(card, rulings, at)) for at, (card, up) in tower.items() if up]
    down = [at for at, (_, up) in tower.items() if not up and rulings["facedown"] != "ignored"]
    steps = {"TOW01": int(rulings["row_order"] == "strict"), "TOW02": int(rulings["between"] == "strict")}
    steps |= dict.fromkeys(down if rulings["facedown"] == "repeats" else (), 0)
    down.sort(key=lambda at: 2 * ord(at[0]) + int(at[1]))
    return {at: value for at, value in numbers if value is not None}, down, steps


def _forced(starts: _Known, cells: list[str], links: dict[str, Any], steps: dict[str, int], base: list[int]) -> _Known:
    """What the orders force numbers to at least, along the longest ways from these starts, and `base` everywhere."""
    least = dict(starts)
    for at in cells:
        near = [(other, min(steps[clause], steps.get(at, 1), steps.get(other, 1))) for clause, other in links[at]]
        ways = [least[other] + step for other, step in near if other in least] + base
        least |= {at: max(ways)} if ways else {}
    return least


def room(tower: Tower, rulings: Rulings, cell: str) -> Room:
    """The least and the greatest number that the other cards allow on a cell; None where down cards have none."""
    others = {at: laid for at, laid in tower.items() if at != cell}
    return _room(frozenset(others.items()), cell, tuple(rulings.items()))


@lru_cache(maxsize=1 << 12)
def _room(others: frozenset[tuple[str, Any]], cell: str, rulings: tuple[tuple[str, str], ...]) -> Room:
    known, down, steps = _split(dict(others), dict(rulings))
    first, last = (1, 50) if ("facedown", "deck") in rulings else (-99, 199)  # or beyond all that orders can force
    negative, ends = {at: -value for at, value in known.items()}, list[tuple[int, int]]()
    for asked in (steps, {**steps, cell: 0})[: 1 + (("facedown", "repeats") in rulings)]:
        least = _forced(known, [*down, cell], _UNDER, asked, [first])
        most = _forced(negative, [*reversed(down), cell], _OVER, asked, [-last])
        ends.append((least[cell], -most[cell]))
    return None if any(least[at] > -most[at] for at in down) else (*ends[0], ends[-1][0] <= ends[-1][1])


def fits(room: Room, rulings: Rulings, card: Card, up: bool, cell: str = "") -> bool:
    """Whether the orders allow a card in the room of a cell."""
    value = number(card, rulings, cell)
    if room is None or (up and value is None) or (not up and rulings["facedown"] == "ignored"):
        return room is not None
    return room[2] if not up or value is None else room[0] <= value <= room[1]
