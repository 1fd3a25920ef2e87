"""The claim `table-deadlocked`, by counting: spec/table.md, whose words the names are."""

import re
from collections.abc import Iterator
from typing import Any

from couperation_checker.counting import MOST_DECK, Rulings, Table, cheapest, least, lost, places
from couperation_checker.position import read, split, supports
from couperation_checker.strict import Refused
from couperation_checker.tower import Fault, World, reason_faults, standing

SHAPE = {
    "kind": "finish|apex|stuck|cards|interval|replacements|exchanges|turns",
    "numbers": {"*": ("[a-z]+( [1-4])?", range(-1, 100))},
    "cells": ["[a-m][1-7]"],
    "cards": [range(1, 51)],
}


def read_table(text: str) -> Table:
    """The table that a position tells; Refused (POSITION) where nobody is to move."""
    read(text)
    tags, lines = split(text.removeprefix("\ufeff"), "POSITION")
    names, finish = tags["Players"].split(), tags.get("Variant") == "finish"
    rest = {line[0]: line[1:] for line in lines[1:] if line[0] != "hand"}
    if "turn" not in rest:
        raise Refused("POSITION", "nobody is to move")
    hand = {line[1]: line[2:] for line in lines[1:] if line[0] == "hand"}
    if any("F" in cards for cards in hand.values()):
        raise Refused("POSITION", "the Finish card lies in front of a player, not in a hand")
    tower = {word[-2:]: word[:-3] for word in rest["tower"]}
    front = names.index(rest["front"][0]) if "front" in rest else None
    reserve, gone, deck = (rest.get(name, []) for name in ("reserve", "gone", "deck"))
    placed = len(tower) + sum(map(len, hand.values())) + ("front" in rest) + len(reserve + gone + deck)
    given = tags.get("Marks", "").split()
    if not all(re.fullmatch(r"([1-9]|[1-4][0-9]|50):[12H]", mark) for mark in given):
        raise Refused("POSITION", "the tag Marks cannot be read")
    marks = dict(mark.split(":") for mark in given)
    last, mover = rest.get("last", [None])[0], names.index(rest["turn"][0])
    deck = deck + ["?"] * (50 + finish - placed)
    return Table(names, finish, tower, [hand[name] for name in names], front, reserve, gone, deck, mover, last, marks)


def table_faults(text: str, rulings: Rulings, evidence: dict[str, Any]) -> Iterator[Fault]:
    """What is wrong with a count."""
    table, kind, numbers, cells = read_table(text), evidence["kind"], evidence["numbers"], evidence["cells"]
    apex = table.apex(rulings)
    firm = rulings["replace_target"] == "facedown_only"
    empty, cards = table.counts
    basis, first, named = {"empty": empty, "cards": cards}, first_draw(table, rulings), set(cells)
    if kind == "finish":
        low = {cell for cell, card in table.tower.items() if card == "F" and cell[1] != "7" and firm}
        bound = "F" in table.reserve and rulings["finish_value"] == "none"
        wanted = {"gone": 1} if "F" in table.gone else {"reserve": 1} if bound else {"laid": 1} if low else None
        right = numbers == wanted and named == (low if wanted == {"laid": 1} else set())
    elif kind == "apex":
        right = (table.finish or firm) and bool(apex) and named == apex
        right = right and numbers == {"down": sum(card[0] == "~" for card in table.tower.values())}
    elif kind == "stuck":
        idle = not table.hands[table.mover] and table.front != table.mover and not (first and table.deck)
        right = idle and all(card[0] != "~" for card in table.tower.values()) and not cells
        right = right and numbers == {"player": table.mover + 1, "deck": len(table.deck), "draw": first}
    elif kind == "cards":
        right = numbers == basis and empty > cards and not cells
    elif kind in ("exchanges", "replacements"):
        spare, ones = cards - empty, ([1] * 51, [1] * 51)
        right = numbers == basis | {"spent": spare + 1} and spare >= 0 and not cells
        if right and kind == "replacements":
            right = cheapest(table, rulings, ones, 0, spare, new=False) is None
        right = right and least(table, rulings, spare) is None
    elif kind == "interval":
        yield from _interval_faults(text, table, rulings, evidence)
        edge = {name: numbers.get(name, -1) for name in ("above", "below")}
        right = numbers == basis | edge and (cards == empty or (cards > empty and firm)) and not apex
    else:
        owe = least(table, rulings, cards - empty) if cards >= empty else None
        down = sum(card[0] == "~" for card in table.tower.values())
        owned = tuple(len(hand) + (table.front == player) for player, hand in enumerate(table.hands))
        start = (table.mover, owned, len(table.deck), empty, down, max(owe or 0, bool(apex)), first)
        wanted = dict(zip(("deck", "empty", "down", "owe", "draw"), start[2:], strict=True))
        wanted |= {f"player {player + 1}": own for player, own in enumerate(owned)}
        right = owe is not None and numbers == wanted and not cells and len(table.deck) <= MOST_DECK
        right = right and lost(start, table.finish, rulings, bool(apex))
    if not right or (kind != "interval" and evidence["cards"]):
        yield "COUNT", "the numbers are not those of the table, or prove nothing"


def first_draw(table: Table, rulings: Rulings) -> int:
    """The most that the player to move may draw, unknown marks chosen as favourably as can be (DRW01 to DRW04)."""
    card = table.tower[table.last] if table.last else ""
    if not table.last:
        return 1
    if card[0] in "~F":
        return max(0, 2 - len(table.hands[table.mover]))
    mark, hearts = table.marks.get(card, "?"), 0
    if table.last[1] != "1":
        shown = [table.tower[cell] for cell in supports(table.last)]
        marks = ["" if laid[0] in "~F" else table.marks.get(laid, "?") for laid in shown]
        void = rulings["hearts_below"] == "zero_all" and "H" in marks
        hearts = 0 if void else sum({"1": 1, "2": 2, "?": 2}.get(each, 0) for each in marks)
    return {"1": 1, "2": 2, "H": hearts, "?": max(2, hearts)}[mark]


def _interval_faults(text: str, table: Table, rulings: Rulings, shown: dict[str, Any]) -> Iterator[Fault]:
    """An interval in which every up card stays, and without a card to spare every card that lies or waits as well."""
    empty, cards = table.counts
    stay = {cell: int(card.lstrip("~")) for cell, card in table.tower.items() if card.lstrip("~") not in "?F"}
    if empty < cards:
        stay = {cell: value for cell, value in stay.items() if table.tower[cell][0] != "~"}
    where = places(table, rulings)
    if len(where) != 1:
        yield "PLACE", "the tower has more than one place"
        return
    apex, bounds, free = standing(where[0], table.finish, rulings, stay)
    out = {*table.gone, *(table.reserve if empty == cards else ()), *map(str, stay.values())}
    values = {value for value in range(1, 51) if str(value) not in out}
    world = World(read(text), apex, None, bounds, free, values, set())
    edges = {name: shown["numbers"].get(name, 0) for name in ("above", "below")}
    yield from reason_faults(world, {"kind": "interval", **edges, "cells": shown["cells"], "left": shown["cards"]})
