"""The claim `table-deadlocked`, by counting: spec/table.md, whose words the names are."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from couperation_checker.counting import apex_again, cheapest, counts, least, lost
from couperation_checker.orders import mended, orders
from couperation_checker.position import Rulings, Table, read
from couperation_checker.strict import Work
from couperation_checker.tower import Fault, World, reason_faults, standing
from couperation_checker.turns import draw_limit

SHAPE = {
    "kind": "finish|apex|stuck|order|cards|interval|replacements|exchanges|turns",
    "numbers": {"*": ("[a-z]+( [1-4])?", range(-1, 100))},
    "cells": ["[a-m][1-7]"],
    "cards": [range(1, 51)],
}


def table_faults(text: str, rulings: Rulings, evidence: dict[str, Any], work: Work | None = None) -> Iterator[Fault]:
    """What is wrong with a count; Refused where the position is no table."""
    table, kind, numbers = read(text, rulings, mover=True, work=work), evidence["kind"], evidence["numbers"]
    if kind == "interval":
        edges = {name: numbers.get(name, 0) for name in ("above", "below")}
        yield from _interval_faults(table, {**evidence, **edges, "left": evidence["cards"]})
        empty, cards = counts(table)
        firm = cards == empty or (cards > empty and rulings["replace_target"] == "facedown_only")
        right = numbers == {"empty": empty, "cards": cards} | edges and firm and not apex_again(table)
    else:
        wanted, named, holds = _theorem(table, kind, evidence["cells"])
        right = numbers == wanted and set(evidence["cells"]) == named and not evidence["cards"] and holds
    if not right:
        yield "COUNT", "the numbers are not those of the table, or prove nothing"


def _theorem(table: Table, kind: str, cells: list[str]) -> tuple[dict[str, int], set[str], bool]:
    """The numbers and the cells that belong to a kind, and whether the condition of its theorem holds.

    For a tower out of order the cells are those that the reason names.
    """
    rulings, apex, first = table.rulings, apex_again(table), first_draw(table)
    empty, cards = counts(table)
    basis, spare = {"empty": empty, "cards": cards}, cards - empty
    down, deck = sum(not up for _, up in table.tower.values()), len(table.deck)
    firm = rulings["replace_target"] == "facedown_only"
    if kind == "finish":
        low = {cell for cell, (card, _) in table.tower.items() if card == "F" and cell[1] != "7" and firm}
        known = {"F"} & table.seen | {None} & {*table.deck, *(card for card, up in table.tower.values() if up)}
        bound = ("F" in table.reserve or (table.finish and not known)) and rulings["finish_value"] == "none"
        way = "gone" if table.finish_gone else "reserve" if bound else "laid"
        return {way: 1}, low if way == "laid" else set(), way != "laid" or bool(low)
    if kind == "apex":
        return {"down": down}, apex, bool(apex) and (table.finish or firm)
    if kind == "stuck":
        idle = not table.hands[table.first] and not (first and deck) and not down
        return {"player": table.first + 1, "deck": deck, "draw": first}, set(), idle
    if kind == "order":
        some = {cell: table.tower[cell] for cell in sorted({*cells} & table.tower.keys())}
        wrong = [clause for clause, _ in orders(some, rulings)]
        below = [cell for cell, (_, up) in some.items() if not up]
        stays = not any(mended(some, rulings, cell) for cell in some if table.may_replace(cell))
        pairs = len(wrong) - wrong.count("TOW07")
        return {"pairs": pairs, "down": len(below)}, {*some}, bool(wrong) and stays and cells == [*some]
    if kind == "cards":
        return basis, set(), spare < 0
    if kind in ("exchanges", "replacements"):
        plain = kind == "exchanges" or cheapest(table, ([1] * 51, [1] * 51), 0, spare, new=False) is None
        return {**basis, "spent": spare + 1}, set(), spare >= 0 and plain and least(table, spare) is None
    owned = tuple(map(len, table.hands))
    owe = least(table, spare) if spare >= 0 else None
    start = (table.first, owned, deck, empty, down, max(owe or 0, bool(apex)), first)
    wanted = dict(zip(("deck", "empty", "down", "owe", "draw"), start[2:], strict=True))
    wanted |= {f"player {player}": own for player, own in enumerate(owned, 1)}
    return wanted, set(), owe is not None and lost(start, table.finish, rulings, bool(apex), {}, table.work)


def first_draw(table: Table) -> int:
    """The most that the player to move may draw, unknown marks chosen as favourably as can be (DRW01 to DRW04)."""
    card, _ = table.tower[table.source or "g1"]
    worlds = [dict.fromkeys(range(1, 51), "2") | {card: mark} | table.marks for mark in "2H"]
    return max(draw_limit(replace(table, marks=marks), table.hands[table.first])[1] for marks in worlds)


def _interval_faults(table: Table, interval: dict[str, Any]) -> Iterator[Fault]:
    """An interval in which every up card stays, and without a card to spare every card that lies or waits as well."""
    empty, cards = counts(table)
    if len(table.places) != 1:
        yield "PLACE", "the tower has more than one place"
        return
    lying = {cell: card for cell, (card, _) in table.tower.items() if isinstance(card, int)}
    stay = table.up if empty < cards else lying
    apex, bounds, free = standing(table, table.places[0], stay)
    values = set(range(1, 51)).difference(table.gone, stay.values(), table.reserve if empty == cards else ())
    yield from reason_faults(World(table, apex, None, bounds, free, values, set()), interval)
