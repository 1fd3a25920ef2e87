"""The minimal deadlocks by definition: every tower laid card by card, every filling of every pyramid, every part.

Nothing of `completion` is used here; the orders and what fits beside laid cards are the rules' own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from couperation_formal.game.rules.arrangement import Windows, gap, orders
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Cell, Down, Tower, Up, Value, Variant

DOWN, F = "~?", "F"
Label = int | str
Laying = frozenset[tuple[Cell, Label]]
"""The cards besides the one of the set-up: a number, down, or the Finish card."""
Pair = tuple[Laying, frozenset[Label]]
"""A tower and the destroyed cards."""


class Game(NamedTuple):
    """What the deadlocks are asked of."""

    board: Board
    rulings: Rulings
    variant: Variant = "first"


def minimal(game: Game, cards: int, gone: int = 0) -> set[Pair]:
    """Every minimal deadlock of at most `cards` cards besides the anchor's and `gone` destroyed ones."""
    fillings = Fillings(game)
    glass: list[Label] = [value for value in range(1, game.board.cards + 1) if value != game.board.anchor]
    destroyable = glass + ([F] if game.variant == "finish" else [])
    dead: set[Pair] = set()
    layer: set[Laying] = {frozenset()}
    for _ in range(cards + 1):
        following: set[Laying] = set()
        for laying in layer:
            used = {label for _, label in laying}
            for count in range(gone + 1):
                for lost in combinations([card for card in destroyable if card not in used], count):
                    enough = len(laying) + 1 + sum(card != F for card in lost) <= game.board.cards
                    if enough and not fillings.completable(laying, lost):
                        dead.add((laying, frozenset(lost)))
            if (laying, frozenset()) not in dead:
                following.update(laid_on(game, laying))
        layer = following
    return {pair for pair in dead if not any(part in dead for part in parts(pair))}


def parts(pair: Pair) -> Iterator[Pair]:
    """The proper parts of a pair: cards left out or, Glass cards, turned down; fewer destroyed cards. Not only those
    that the rules can reach: what they cannot reach is never among the deadlocks.
    """
    laying, gone = pair
    ways: list[Laying] = [frozenset()]
    for cell, label in laying:
        choices = [frozenset[tuple[Cell, Label]](), frozenset({(cell, label)})]
        if label != DOWN:
            choices.append(frozenset({(cell, DOWN)}))
        ways = [way | choice for way in ways for choice in choices]
    for way in ways:
        for count in range(len(gone) + 1):
            for lost in combinations(sorted(gone, key=str), count):
                if (way, frozenset(lost)) != pair:
                    yield way, frozenset(lost)


def tower_of(game: Game, laying: Laying) -> Tower:
    """The tower of a laying."""
    tower = Tower.start(game.board)
    for cell, label in sorted(laying, key=lambda card: (card[0].level, card[0].column)):
        tower = tower.lay(cell, card(label))
    return tower


def card(label: Label) -> Up | Down:
    """The card of a label."""
    if label == DOWN:
        return Down(UNSEEN)
    return Up(FINISH) if label == F else Up(Value(int(label)))


def laid_on(game: Game, laying: Laying) -> Iterator[Laying]:
    """The layings with one card more."""
    board, rulings, variant = game
    tower = tower_of(game, laying)
    if len(tower.cells) >= board.cards:
        return
    windows = Windows(board, tower, rulings)
    used = {label for _, label in laying}
    for cell in free_cells(game, tower):
        window = windows.window(cell)
        apex = cell.level == board.levels
        number = finish_at(game, apex)
        if not apex and windows.fits_down(cell):
            yield laying | {(cell, DOWN)}
        if apex and rulings.early_apex == "forbidden" and tower.down:
            continue
        if variant == "finish" and F not in used and (number is None or window.holds(number)):
            yield laying | {(cell, F)}
        if variant == "first" or not apex:
            for value in range(1, board.cards + 1):
                if value != board.anchor and value not in used and window.holds(value):
                    yield laying | {(cell, value)}


def finish_at(game: Game, apex: bool) -> int | None:
    """The number of the Finish card on the apex or below it; None where no order is asked of it."""
    without = ("none", "apex_free") if apex else ("none",)
    return None if game.rulings.finish_value in without else game.board.anchor


def free_cells(game: Game, tower: Tower) -> Iterator[Cell]:
    """Where the shape of the tower allows one more card."""
    board, rulings, _ = game
    lefts = [board.middle] if rulings.anchor == "middle" else list(range(board.levels))
    for cell in {cell for left in lefts for cell in board.pyramid(left)} - set(tower.cells):
        column, level = cell
        if level == 1:
            beside = {Cell(column - 1, 1), Cell(column + 1, 1)} & set(tower.cells)
            grounded = rulings.spread == "anywhere" or bool(beside)
        else:
            grounded = all(support in tower.cells for support in cell.supports)
        if grounded and any({cell, *tower.cells} <= set(board.pyramid(left)) for left in lefts):
            yield cell


class Fillings:
    """Every full tower at every place of the columns, and which of them show a card on a cell or use it at all."""

    def __init__(self, game: Game) -> None:
        self._game = game
        board, rulings, _ = game
        lefts = [board.middle] if rulings.anchor == "middle" else list(range(board.levels))
        self._under: dict[Cell, list[tuple[Cell, int]]] = defaultdict(list)
        self._over: dict[Cell, list[tuple[Cell, int]]] = defaultdict(list)
        for lower, upper, clause in orders(board).every:
            self._under[upper].append((lower, gap(clause, rulings)))
            self._over[lower].append((upper, gap(clause, rulings)))
        self._places = []
        for left in lefts:
            full = list(self._full(list(board.pyramid(left)), {}))
            shows: dict[tuple[Cell, int], int] = {}
            uses: dict[int, int] = {}
            for at, filling in enumerate(full):
                for cell, value in filling.items():
                    shows[cell, value] = shows.get((cell, value), 0) | 1 << at
                    uses[value] = uses.get(value, 0) | 1 << at
            self._places.append((set(board.pyramid(left)), (1 << len(full)) - 1, shows, uses))

    def _full(self, rest: list[Cell], filled: dict[Cell, int]) -> Iterator[dict[Cell, int]]:
        """Every way to fill the cells `rest`, each in order with what is filled."""
        game = self._game
        if not rest:
            yield dict(filled)
            return
        cell, *others = rest
        least = max([1, *(filled[lower] + more for lower, more in self._under[cell] if lower in filled)])
        most = min([game.board.cards, *(filled[upper] - more for upper, more in self._over[cell] if upper in filled)])
        if cell.level == game.board.levels and game.variant == "finish":
            number = finish_at(game, True)
            if number is None or least <= number <= most:
                yield dict(filled)
            return
        for value in set(range(least, most + 1)).difference(filled.values()):
            yield from self._full(others, {**filled, cell: value})

    def completable(self, laying: Laying, gone: tuple[Label, ...]) -> bool:
        """Whether some full tower shows every up card and no destroyed one."""
        board = self._game.board
        if F in gone or any(label == F and cell.level < board.levels for cell, label in laying):
            return False
        up = [(board.anchor_cell, board.anchor)]
        up += [(cell, label) for cell, label in laying if isinstance(label, int)]
        cells = {board.anchor_cell, *(cell for cell, _ in laying)}
        for pyramid, left, shows, uses in self._places:
            if not cells <= pyramid:
                continue
            for place in up:
                left &= shows.get(place, 0)
            for value in gone:
                left &= ~uses.get(int(value), 0)
            if left:
                return True
        return False
