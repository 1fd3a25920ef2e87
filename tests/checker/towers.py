"""Positions and rulings for the checker's tests, and a filler by bipartite matching: nothing of the package is used."""

import random
from functools import cache
from itertools import combinations
from typing import NamedTuple

RULINGS = {
    "anchor": ("middle", "floating"),
    "spread": ("adjacent", "anywhere"),
    "row_order": ("strict", "weak"),
    "between": ("strict", "inclusive"),
    "facedown": ("integers", "deck", "ignored", "repeats"),
    "replace_target": ("any", "not_anchor", "facedown_only"),
    "take_sent": ("allowed", "forbidden"),
    "adjust": ("each", "uniform", "up_to"),
    "reserve_face": ("up", "either"),
    "early_apex": ("forbidden", "no_win", "win_on_completion", "loses"),
    "hearts_below": ("zero_each", "zero_all"),
    "draw_amount": ("up_to", "exact"),
    "draw_source": ("opened", "last_placed", "nothing"),
    "finish_value": ("25", "none", "apex_free"),
    "finish_half": ("top", "bottom"),
    "finish_reserve_count": ("yes", "no"),
    "no_action": ("loses", "skipped"),
    "finish_refill": ("next", "at_once"),
    "refill_amount": ("up_to", "all_or_none"),
    "heart_over_back": ("nothing", "zero"),
    "opened_against": ("loses", "stands"),
    "replacements": ("each", "once"),
    "finish_in_hand": ("no",),  # says nothing of towers
}
"""What the checker knows."""
FIRST = {name: options[0] for name, options in RULINGS.items()}


def rules(**changed: str) -> dict[str, str]:
    """All rulings, the first option of each but for the changed ones."""
    return {**FIRST, **changed}


def position(*lines: str, variant: str = "first") -> str:
    return "\n".join(['[CGN "1"]', f'[Variant "{variant}"]', '[Players "Aki Ben"]', "position", *lines, ""])


def step(cell: str, columns: int, levels: int) -> str:
    return chr(ord(cell[0]) + columns) + str(int(cell[1]) + levels)


@cache
def cells(place: str) -> tuple[str, ...]:
    """The pyramid's cells, built upwards from its bottom row: a cell exists where both of its supports do."""
    row = [step(f"{place}1", right, 0) for right in range(7)]
    found = []
    while row:
        found += row
        row = [step(left, 0, 1) for left in row[:-1]]
    return tuple(found)


@cache
def above(place: str) -> dict[str, frozenset[str]]:
    """By cell, those that the orders force above it: from a left support to its card, from that to the right one."""
    edges: dict[str, list[str]] = {cell: [] for cell in cells(place)}
    for cell in cells(place):
        if cell[1] != "1":
            edges[step(cell, 0, -1)].append(cell)
            edges[cell].append(step(cell, 1, -1))
    reach = {}
    for start in edges:
        found, queue = set(), [start]
        while queue:
            for nxt in edges[queue.pop()]:
                if nxt not in found:
                    found.add(nxt)
                    queue.append(nxt)
        reach[start] = frozenset(found)
    return reach


class Table(NamedTuple):
    """A position as the tests see it, with the rulings."""

    finish: bool
    laid: dict[str, str]  # by cell: "17", "~17", "~?", "F"
    elsewhere: frozenset[str]  # seen in a hand, the Reserve, the deck
    gone: tuple[str, ...]
    rulings: dict[str, str]

    def places(self) -> list[str]:
        columns = "d" if self.rulings["anchor"] == "middle" else "abcdefg"
        return [place for place in columns if all(cell in cells(place) for cell in self.laid)]

    def up(self) -> dict[str, str]:
        return {cell: card for cell, card in self.laid.items() if "~" not in card}

    def stray(self) -> str | None:
        return next((cell for cell, card in self.laid.items() if card == "F" and cell[1] != "7"), None)

    def may_go(self) -> list[str]:
        """The cells of the up cards that may be given up, sorted."""
        if self.rulings["replace_target"] == "facedown_only":
            return []
        anchored = self.rulings["replace_target"] == "not_anchor"
        return sorted(
            cell
            for cell, card in self.up().items()
            if not (card == "F" and cell[1] == "7") and not (anchored and (cell, card) == ("g1", "25"))
        )


class Bare(NamedTuple):
    """A tower at a place in a world: what is fixed (the apex's F as the string), free, available, located."""

    place: str
    fixed: dict[str, int | str]
    free: frozenset[str]
    available: frozenset[int]
    located: frozenset[int]
    unseen_gone: int
    inclusive: bool


def bare(table: Table, place: str, given_up: frozenset[str] | None) -> Bare:
    """The world after `given_up`; None is the position as it stands, in which a stray F's cell is not free."""
    up = {cell: int(card) for cell, card in table.up().items() if card != "F" and cell not in (given_up or ())}
    fixed: dict[str, int | str] = dict(up)
    free = {cell for cell in cells(place) if cell not in up}
    if table.finish:
        free.discard(f"{place}7")
        if table.rulings["finish_value"] == "25":
            fixed[f"{place}7"] = "F"
    if given_up is None:
        free.discard(str(table.stray()))
    available = {v for v in range(1, 51) if str(v) not in table.gone and v not in up.values()}
    shown = {card.strip("~") for cell, card in table.laid.items() if "~" in card or cell in (given_up or ())}
    located = {v for v in available if str(v) in table.elsewhere or str(v) in shown}
    inclusive = table.rulings["between"] == "inclusive"
    return Bare(
        place, fixed, frozenset(free), frozenset(available), frozenset(located), table.gone.count("?"), inclusive
    )


def rises(world: Bare, low: float | str, high: float | str) -> bool:
    """Whether a value below and one above agree; F counts 25, which a support may equal under `between=inclusive`."""
    if "F" in (low, high) and world.inclusive:
        return (25 if low == "F" else low) <= (25 if high == "F" else high)  # type: ignore[operator]
    return (25 if low == "F" else low) < (25 if high == "F" else high)  # type: ignore[operator]


def disagreeing(world: Bare) -> list[tuple[str, str]]:
    reach = above(world.place)
    return [
        (p, q)
        for p in world.fixed
        for q in world.fixed
        if q in reach[p] and not rises(world, world.fixed[p], world.fixed[q])
    ]


@cache
def bounds(inclusive: bool, card: int | str) -> tuple[float, float]:
    """The greatest number on a grid of halves that may lie below a card, and the least that may lie above it."""
    world = Bare("d", {}, frozenset(), frozenset(), frozenset(), 0, inclusive)
    grid = [half / 2 for half in range(1, 102)]
    under, over = [v for v in grid if rises(world, v, card)], [v for v in grid if rises(world, card, v)]
    return max(under), min(over)


def window(world: Bare, cell: str) -> tuple[float, float]:
    """The least and the greatest number on a grid of halves that no fixed card below, or above, keeps from a cell."""
    reach, inclusive = above(world.place), world.inclusive
    low = [bounds(inclusive, card)[1] for fixed, card in world.fixed.items() if cell in reach[fixed]]
    high = [bounds(inclusive, card)[0] for fixed, card in world.fixed.items() if fixed in reach[cell]]
    return max(low, default=0.5), min(high, default=50.5)


def allowed(world: Bare, cell: str) -> list[int]:
    """The available values that no single fixed card keeps from a free cell."""
    low, high = window(world, cell)
    return [v for v in sorted(world.available) if low <= v <= high]


def fill(world: Bare) -> dict[str, int] | None:
    """A filling of the free cells, or None: matching, located values first, then swaps until the orders hold."""
    if disagreeing(world):
        return None
    values = {cell: allowed(world, cell) for cell in world.free}
    holder: dict[int, str] = {}

    def augment(cell: str, pool: frozenset[int], seen: set[int]) -> bool:
        for v in values[cell]:
            if v in pool and v not in seen:
                seen.add(v)
                if v not in holder or augment(holder[v], pool, seen):
                    holder[v] = cell
                    return True
        return False

    for pool in (world.located, world.available):
        for cell in sorted(world.free):
            if cell not in holder.values():
                augment(cell, pool, set())
    unlocated_used = sum(v not in world.located for v in holder)
    if len(holder) < len(world.free):
        return None
    if unlocated_used > len(world.available - world.located) - world.unseen_gone:
        return None
    filling = {cell: v for v, cell in holder.items()}
    swapped = True
    while swapped:
        swapped = False
        for p, q in combinations(sorted(filling), 2):
            low, high = (p, q) if q in above(world.place)[p] else (q, p)
            if high in above(world.place)[low] and filling[low] > filling[high]:
                filling[low], filling[high] = filling[high], filling[low]
                swapped = True
    return filling


def saved(table: Table, place: str, given_up: frozenset[str]) -> dict[str, int | str] | None:
    """The filling after these were given up, the apex's F included, or None."""
    if "F" in table.gone or (table.stray() and table.stray() not in given_up):
        return None
    filling: dict[str, int | str] | None = fill(bare(table, place, given_up))  # type: ignore[assignment]
    if filling is not None and table.finish and f"{place}7" not in table.laid:
        filling[f"{place}7"] = "F"
    return filling


def sample(
    seed: int, rulings: dict[str, str], *, size: int, tight: float, broken: int, unseen: int, finish: str
) -> str:
    """A random position: `size` cards of a right tower, `broken` of them changed, a share of the other cards gone.

    `finish` is empty for the variant `first`; otherwise it tells where F is: "?", "apex", "stray", "reserve", "gone".
    """
    rng = random.Random(seed)
    variant = "finish" if finish else "first"
    place = "d" if rulings["anchor"] == "middle" else rng.choice("abcdefg")
    rising = sorted(cells(place), key=lambda cell: (2 * ord(cell[0]) + int(cell[1]), rng.random()))
    pivot = min(24, max(2, rising.index(f"{place}7" if variant == "finish" else "g1")))  # it gets the 25, if it can
    values = [*sorted(rng.sample(range(1, 25), pivot)), 25, *sorted(rng.sample(range(26, 51), 27 - pivot))]
    right = {cell: value for cell, value in zip(rising, values, strict=True) if variant == "first" or cell[1] != "7"}
    keep = ["g1"]
    while len(keep) < size:
        ready = [cell for cell in right if cell[1] == "1" or {step(cell, 0, -1), step(cell, 1, -1)} <= set(keep)]
        keep.append(rng.choice(sorted(set(ready) - set(keep))))
    laid = {cell: right[cell] for cell in keep}
    spare = rng.sample(sorted(set(range(1, 51)) - set(right.values())), 22)
    for cell in rng.sample(keep, broken):
        laid[cell] = spare.pop()
    down = {cell: rng.choice(["~?", f"~{laid[cell]}"]) for cell in keep[1:] if rng.random() < 0.2}
    tower = {cell: down.get(cell, str(laid[cell])) for cell in keep}
    if finish == "stray":
        tower[rng.choice(keep[1:])] = "F"
    if finish == "apex":
        tower[f"{place}7"] = "F"
    others = [str(v) for v in range(1, 51) if str(v) not in {card.strip("~") for card in tower.values()}]
    rng.shuffle(others)
    free = len(others) - list(tower.values()).count("~?") - unseen
    gone = [*others[: round(tight * free)], *["?"] * unseen]
    shown = others[round(tight * free) : free][: rng.choice([0, 6, 50])]
    lines = ["tower " + " ".join(f"{card}@{cell}" for cell, card in tower.items())]
    gone += ["F"] * (finish == "gone")
    reserve = [*shown[2:5], *["F"] * (finish == "reserve")]
    lines += [f"hand Aki {' '.join(shown[:2])}", f"reserve {' '.join(reserve)}", f"deck {' '.join(shown[5:])}"]
    return position(*lines, f"gone {' '.join(gone)}", variant=variant)
