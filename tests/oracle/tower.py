"""What the tower allows: TOW01 to TOW08, and the ends that hang on it. A tower is a dict: cell -> (card, up)."""

from __future__ import annotations

from typing import Any, NamedTuple

F = "F"
Card = Any  # a number, or "F"
Cell = tuple[int, int]  # column (0 = a), level (1 = bottom)
Tower = dict[Cell, tuple[Card, bool]]
FAR_BELOW = -(10**6)


class Game(NamedTuple):
    """The numbers and the rulings of a game: whatever stays the same while it is played."""

    rulings: dict[str, str]
    marks: dict[int, str]
    players: int = 2
    finish: bool = False
    levels: int = 7
    cards: int = 50
    anchor: int = 25
    deal: int = 3
    hand_limit: int = 3
    refill: int = 2
    reserve_sizes: dict[int, int] = {2: 6, 3: 5, 4: 4}  # noqa: RUF012

    @property
    def anchor_cell(self) -> Cell:
        """Where the set-up lays the anchor card."""
        return (self.levels - 1, 1)

    @property
    def size(self) -> int:
        """How many cards a full tower has."""
        return self.levels * (self.levels + 1) // 2


def all_cells(game: Game) -> list[Cell]:
    """Every cell that can be written, inside a pyramid or not."""
    return [(column, level) for level in range(1, game.levels + 1) for column in range(2 * game.levels - 1)]


def supports(cell: Cell) -> tuple[Cell, Cell]:
    """The left and the right cell below `cell`."""
    column, level = cell
    return (column, level - 1), (column + 1, level - 1)


def number(game: Game, card: Card) -> int | None:
    """The number of a card in orders and sums; None for a Finish card without one."""
    if card != F:
        return card
    return game.anchor if game.rulings["finish_value"] == "25" else None


def inside_pyramid(game: Game, cells: list[Cell]) -> bool:
    """TOW04: whether some allowed pyramid has room for all the cells."""
    middle = game.levels - 1 - game.levels // 2
    lefts = [middle] if game.rulings["anchor"] == "middle" else list(range(game.levels))
    return any(all(left <= column <= left + game.levels - level for column, level in cells) for left in lefts)


def orders(cells: list[Cell]) -> list[tuple[str, Cell, Cell]]:
    """Every order between two laid cells: the clause, the lower cell, the higher cell."""
    found = []
    for low in cells:
        for high in cells:
            if low[1] == high[1] and low[0] < high[0]:
                found.append(("TOW01", low, high))
            if high[1] > 1 and low == supports(high)[0]:
                found.append(("TOW02", low, high))
            if low[1] > 1 and high == supports(low)[1]:
                found.append(("TOW02", low, high))
    return found


def gap(game: Game, clause: str) -> int:
    """By how much the higher number of an order must be larger at least."""
    waived = {"TOW01": ("row_order", "weak"), "TOW02": ("between", "inclusive")}
    ruling, weak = waived[clause]
    return 0 if game.rulings[ruling] == weak else 1


def broken_pairs(game: Game, tower: Tower) -> list[tuple[str, Cell, Cell]]:
    """The orders between two up cards that do not hold."""
    broken = []
    for clause, low, high in orders(list(tower)):
        (low_card, low_up), (high_card, high_up) = tower[low], tower[high]
        a, b = number(game, low_card), number(game, high_card)
        if low_up and high_up and a is not None and b is not None and a + gap(game, clause) > b:
            broken.append((clause, low, high))
    return broken


def least_numbers(game: Game, tower: Tower, source: Cell | None) -> dict[Cell, int]:
    """The least number of each down card when only `source` pushes: one up card, or (None) the lowest number there is.

    Cells are visited by 2 * column + level, which rises along every order.
    """
    floor = 1 if source is None and game.rulings["facedown"] == "deck" else FAR_BELOW
    least = {} if source is None else {source: number(game, tower[source][0])}
    downs = [cell for cell in tower if not tower[cell][1]]
    links = orders(list(tower))
    for cell in sorted(downs, key=lambda cell: 2 * cell[0] + cell[1]):
        pushes = [least[low] + gap(game, clause) for clause, low, high in links if high == cell and low in least]
        least[cell] = max([floor, *pushes])
    return {cell: value for cell, value in least.items() if cell in downs}


def squeezed(game: Game, tower: Tower) -> list[tuple[Cell | None, Cell | None]]:
    """The pairs of up cards (None: the end of the numbers) between which the down cards do not fit."""
    downs = [cell for cell in tower if not tower[cell][1]]
    if not downs or game.rulings["facedown"] == "ignored":
        return []
    numbers = {cell: number(game, card) for cell, (card, up) in tower.items() if up}
    pushing = [cell for cell, value in numbers.items() if value is not None]
    found: list[tuple[Cell | None, Cell | None]] = []
    for source in [None, *pushing]:
        least = least_numbers(game, tower, source)
        if game.rulings["facedown"] == "deck" and any(value > game.cards for value in least.values()):
            found.append((source, None))
        for clause, low, high in orders(list(tower)):
            if low in downs and high in pushing and least[low] + gap(game, clause) > numbers[high]:
                found.append((source, high))
    return found


def order_faults(game: Game, tower: Tower) -> frozenset[str]:
    """TOW01 and TOW02 for pairs of up cards; TOW07, where none of these fails, for the down cards (D1)."""
    codes = {clause for clause, _, _ in broken_pairs(game, tower)}
    if not codes and squeezed(game, tower):
        codes.add("TOW07")
    return frozenset(codes)


def place_faults(game: Game, tower: Tower, cell: Cell) -> frozenset[str]:
    """TOW03 to TOW06 for a new card on `cell`, whatever the card."""
    if cell in tower:
        return frozenset({"TOW06"})
    column, level = cell
    codes = set()
    if level > 1 and not all(support in tower for support in supports(cell)):
        codes.add("TOW03")
    if not inside_pyramid(game, [*tower, cell]):
        codes.add("TOW04")
    beside = (column - 1, 1) in tower or (column + 1, 1) in tower
    if level == 1 and game.rulings["spread"] == "adjacent" and not beside:
        codes.add("TOW05")
    return frozenset(codes)


def apex_faults(game: Game, tower: Tower, cell: Cell) -> frozenset[str]:
    """TOW08, after a card was laid on `cell` of `tower`."""
    if cell[1] < game.levels:
        return frozenset()
    card, up = tower[cell]
    early = any(not other_up for other, (_, other_up) in tower.items() if other != cell)
    wrong = not up or (game.finish and card != F) or (early and game.rulings["early_apex"] == "forbidden")
    return frozenset({"TOW08"}) if wrong else frozenset()


def outcome(game: Game, tower: Tower, letter: str, cell: Cell) -> str | None:
    """END01 and END02: how the game stands after action `letter` on `cell`; None while it goes on."""
    ruling = game.rulings["early_apex"]
    full = len(tower) == game.size and all(up for _, up in tower.values())
    holds = not order_faults(game, tower)
    apex_laid = letter in "AD" and cell[1] == game.levels
    if letter == "C" and not holds:
        return "loss"
    if ruling == "win_on_completion":
        return "win" if full and holds and letter in "ACD" else None
    if apex_laid and full:
        return "win"
    if apex_laid and ruling == "loses" and not all(up for _, up in tower.values()):
        return "loss"
    return None
