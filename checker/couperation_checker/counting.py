"""The claim `table-deadlocked`, by counting: what a final tower costs at least, and the counting game; spec/table.md,
whose words the names are.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from typing import Any

from couperation_checker.orders import mended, orders
from couperation_checker.position import Rulings, Table, pyramid, read
from couperation_checker.strict import Card, Work
from couperation_checker.tower import Fault, World, reason_faults, standing, window
from couperation_checker.turns import draw_limit

NEVER, MOST_OWN, MOST_DECK, MOST_CARDS, LANE = 99, 12, 8, 20, 128  # a lane has the words of 7 bits
SHAPE = {
    "kind": "finish|apex|stuck|order|cards|interval|replacements|exchanges|turns",
    "numbers": {"*": ("[a-z]+( [1-4])?", range(-1, 100))},
    "cells": ["[a-m][1-7]"],
    "cards": [range(1, 51)],
}
Prices = tuple[list[int], list[int]]  # by number: of one in the Reserve, and of one elsewhere


def counts(table: Table) -> tuple[int, int]:
    """The empty cells, and the cards in hands, in front and in the deck."""
    return 28 - len(table.tower), sum(map(len, table.hands)) + len(table.deck)


def apex_again(table: Table) -> set[str]:
    """The cell of the apex, where it lies and has to be laid again."""
    return {cell for cell in table.tower if cell[1] == "7" and table.rulings["early_apex"] != "win_on_completion"}


def taken(table: Table, spare: int) -> Prices:
    """What each number costs when a D takes it ("What a card taken costs")."""
    owned = [(card, player) for player, pile in enumerate([table.deck, *table.hands]) for card in pile]
    lying = {card for card, _ in table.tower.values()}
    unseen = None in dict(owned) or (spare == 2 and None in lying)
    if spare < 1 or spare > 2 or unseen or len(owned) > MOST_OWN:
        alike = [NEVER if spare < 1 else 1] * 51
        return alike, alike
    own = [(card, player) for card, player in owned if isinstance(card, int)]
    numbers, laid = [number for number, _ in own], [card for card in lying if isinstance(card, int)]
    if spare == 1:
        pairs = [(a, b) for (a, one), (b, other) in combinations(own, 2) if len({one, other} - {0}) < 2]
        costs = _costs(_made(pairs), ())
        sent = {a for pair in pairs for a in pair if 2 * a in pair and table.rulings["take_sent"] == "allowed"}
        absent = set(numbers) - sent | set(laid)
        return costs, [NEVER if number in absent else cost for number, cost in enumerate(costs)]
    pairs = [*combinations(numbers, 2), *product(numbers, laid)]
    triples = [triple for triple in combinations(own, 3) if len({player for _, player in triple} - {0}) < 2]
    shifted = _made((a, b) for triple in triples for (a, _), (b, _) in combinations(triple, 2))
    changes = (-1, 0, 1) if table.rulings["adjust"] == "up_to" else (-1, 1)
    dear = {number + change for number in shifted for change in changes}
    if "F" in dict(owned) and table.rulings["finish_value"] != "none":
        dear |= _made(product((25,), numbers + laid))
    costs = _costs(_made(pairs), dear)
    return costs, costs


def _made(pairs: Iterable[tuple[int, int]]) -> set[int]:
    """The sums and differences."""
    return {number for a, b in pairs for number in (a + b, abs(a - b))}


def _costs(once: Container[int], twice: Container[int]) -> list[int]:
    """By number, what one costs that a D makes which spends so much."""
    return [1 if number in once else 2 if number in twice else NEVER for number in range(51)]


def least(table: Table, limit: int, costs: Prices | None = None, one: Card = 0) -> int | None:
    """What a final tower costs at least beside a card for each empty cell; None for more than `limit`.

    `costs` is what a card taken costs, where not what the table says; only towers with this number are asked, if any.
    """
    prices = costs or taken(table, limit)
    finish = NEVER if table.rulings["finish_value"] == "none" else prices[0][25]
    return cheapest(table, prices, finish if "F" in table.reserve else 0, limit, one=one)


def cheapest(table: Table, prices: Prices, first: int, limit: int, new: bool = True, one: Card = 0) -> int | None:
    """The least price of a final tower over all places; unless `new`, the Reserve is free on empty cells."""
    costs = [_cheapest(table, place, prices, limit - first, new, one) for place in table.places]
    return min((cost + first for cost in costs if cost is not None), default=None)


def _cheapest(table: Table, place: str, costs: Prices, limit: int, new: bool, one: Card) -> int | None:
    """The same at one place. `best` has a lane of words for each price: the ideals that the numbers so far can fill."""
    table.work.spend(10 + limit // 8)
    apex, bounds, free = standing(table, place, {})
    growth, known, lanes = _growth(place, *bounds.items()), table.seen, _lanes(limit)
    again = apex_again(table) | table.leave
    laid = free & table.tower.keys()
    mobile = [cell for cell in laid if table.may_replace(cell)]
    unseen = [cell for cell in laid - again if table.tower[cell][0] is None]
    homes = {table.tower[cell][0]: [growth[cell]] for cell in laid - again}
    groups, best = dict[tuple[int, ...], Counter[int]](), 1  # by kind of number: how far it shifts which ideals
    for number in sorted(set(range(1, 51)).difference(table.gone)):
        waits, shown = number in table.reserve, number in known
        dear = costs[not waits][number]
        kind = waits, shown, dear, bool(bounds) and (number > 25) - (number < 25)
        if kind not in groups:
            groups[kind] = Counter()
            priced = (dear if waits and new else 0, free - laid), (dear, mobile), (0, () if shown else unseen)
            for price, cells in priced:
                payable = _lanes(limit - price)
                for low, high, shift, words in map(growth.__getitem__, cells):
                    groups[kind][LANE * price + shift] += words * payable if low < number < high else 0
        grown = 0 if number == one else best
        for shift, words in groups[kind].items():
            grown |= (best & words) << shift
        for low, high, shift, words in homes.get(number, ()):
            grown |= (best & words * lanes) << shift if low < number < high else 0
        for _, _, shift, words in [growth[apex]] if apex else ():  # F takes no number
            grown |= (grown & words * lanes) << shift
        best = grown
    return next((price for price in range(limit + 1) if best >> LANE * price + LANE - 1 & 1), None)


def _lanes(limit: int) -> int:
    """The first bit of each lane up to that of this price."""
    return ((1 << LANE * max(limit + 1, 0)) - 1) // ((1 << LANE) - 1)


@cache
def _growth(place: str, *bounds: tuple[str, tuple[int, int]]) -> dict[str, tuple[int, int, int, int]]:
    """By cell: its window, how much the word of an ideal grows by it, and to which ideals it can be added.

    An ideal holds in each column the cells up to some height, and these heights fall from left to right: it is a set of
    heights. Bit h - 1 of its word stands for a column of height h, and the column's next cell moves this bit on. The
    ideals are a lane, with a bit for each word.
    """
    growth = {}
    for cell in pyramid(place):
        right, level = ord(cell[0]) - ord(place), int(cell[1])
        onto = [word for word in range(LANE) if (2 * word + 1) >> level - 1 & 3 == 1]  # a column ends below the cell
        words = sum(1 << word for word in onto if (word >> level).bit_count() == right)  # and it is the cell's
        growth[cell] = *window(dict(bounds), cell), 1 << max(0, level - 2), words
    return growth


# The mover, own cards, the deck, empty cells, down cards, what is owed, the draw, the apex, how many are shut.
Counts = tuple[int, tuple[int, ...], int, int, int, int, int, bool, int]


def lost(start: Counts, table: Table, known: dict[Counts, bool]) -> bool:
    """Whether the counting game is lost ("The counting game"); False also where it is not asked. `known` is kept, for
    tables of one variant and rulebook.
    """
    cards, rulings = sum(start[1]) + start[2], table.rulings
    asked = rulings["no_action"] == "loses" and not (table.finish and rulings["finish_refill"] == "at_once")
    if asked and start not in known and start[2] <= MOST_DECK and cards <= MOST_CARDS:
        table.work.spend(2)
        ways = (won or not lost(then, table, known) for then, won in _turns(start, table.finish, rulings))
        known[start] = start[3] + start[5] > cards or not any(ways)
    return known.get(start, False)


def _turns(counts: Counts, finish: bool, rulings: Rulings) -> Iterator[tuple[Counts, bool]]:
    mover, owned, deck, empty, down, owe, draw, apex, shut = counts
    completes = rulings["early_apex"] == "win_on_completion"
    again = not finish and (rulings["early_apex"] == "no_win" or apex)
    limit = max(0, 2 - max(0, owned[mover] - finish)) if draw < 0 else draw
    for drawn in range(max(0, -owned[mover]), min(deck, limit + (finish and limit > 0)) + 1):
        own = owned[mover] + drawn
        for filled, turned, spent, paid in _actions(own, empty, down, rulings["reserve_face"] == "either", shut):
            left = max(0, owe - paid)
            full = empty == filled
            won = full and down + turned == 0 and left == 0 and (completes or spent > 0)
            if full and not won and not completes:
                if not again:
                    continue
                left = max(left, 1)
            kept = (*owned[:mover], min(own - spent, 3 + finish), *owned[mover + 1 :])
            then = (mover + 1) % len(owned)
            after = down + turned, left, -1 if turned > 0 else 4, apex, max(0, shut - (paid > 0 > turned))
            yield (then, kept, deck - drawn, empty - filled, *after), won


def _actions(own: int, empty: int, down: int, hidden: bool, shut: int) -> Iterator[tuple[int, int, int, int]]:
    """Cells filled, the change in down cards, own cards spent, and what of that the actions D owe."""
    if down > shut:
        yield 0, -1, 0, 0
    for paid, filled, turned in product(range(own), (0, 1), (-1, 0, 1)):  # nothing is paid by A and B
        faces = turned < 1 or paid == 0 or hidden
        if faces and (empty > turned >= 0 if filled else paid > 0 and (turned > -1 or down > 0)):
            yield filled, turned, paid + filled, paid


def table_faults(text: str, rulings: Rulings, evidence: dict[str, Any], work: Work) -> Iterator[Fault]:
    """What is wrong with a count; Refused where the position is no table."""
    table, kind, numbers = read(text, rulings, mover=True, work=work), evidence["kind"], evidence["numbers"]
    edges = {name: numbers.get(name, 0) for name in ("above", "below")}
    if kind == "interval":
        yield from _interval_faults(table, {**evidence, **edges, "left": evidence["cards"]})
    wanted, named, holds = _theorem(table, kind, evidence["cells"], edges)
    right = numbers == wanted and set(evidence["cells"]) == named and (kind == "interval" or not evidence["cards"])
    if not (right and holds):
        yield "COUNT", "the numbers are not those of the table, or prove nothing"


def _theorem(table: Table, kind: str, cells: list[str], edges: dict[str, int]) -> tuple[dict[str, int], set[str], bool]:
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
        idle = not table.hands[table.first] and not (first and deck) and not down and rulings["no_action"] == "loses"
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
    if kind == "interval":
        return basis | edges, {*cells}, (spare == 0 or (spare > 0 and firm)) and not apex
    if kind in ("exchanges", "replacements"):
        plain = kind == "exchanges" or cheapest(table, ([1] * 51, [1] * 51), 0, spare, new=False) is None
        return {**basis, "spent": spare + 1}, set(), spare >= 0 and plain and least(table, spare) is None
    owned = tuple(map(len, table.hands))
    owe = least(table, spare) if spare >= 0 else None
    start = (table.first, owned, deck, empty, down, max(owe or 0, bool(apex)), first, bool(apex), 0)
    wanted = dict(zip(("deck", "empty", "down", "owe", "draw"), start[2:7], strict=True))
    wanted |= {f"player {player}": own for player, own in enumerate(owned, 1)}
    return wanted, set(), owe is not None and lost(start, table, {})


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
