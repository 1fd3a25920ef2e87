"""What a final tower costs at least, and the counting game: spec/table.md, whose words the names are."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from couperation_checker.tower import below, pyramid

NEVER, MOST_OWN, MOST_DECK, MOST_POSITIONS = 99, 12, 8, 1 << 16
Rulings = dict[str, str]


class Table(NamedTuple):
    """A table before a draw. Cards are as CGN writes them, unseen ones `?`; players count from 0."""

    names: list[str]
    finish: bool
    tower: dict[str, str]  # by cell, `~` before a down card
    hands: list[list[str]]
    front: int | None
    reserve: list[str]
    gone: list[str]
    deck: list[str]  # all of it
    mover: int
    last: str | None
    marks: dict[str, str]

    @property
    def counts(self) -> tuple[int, int]:
        """The empty cells, and the cards in hands, in front and in the deck."""
        return 28 - len(self.tower), sum(map(len, self.hands)) + (self.front is not None) + len(self.deck)

    def apex(self, rulings: Rulings) -> set[str]:
        """The cell of the apex, where it lies and has to be laid again."""
        return {cell for cell in self.tower if cell[1] == "7" and rulings["early_apex"] != "win_on_completion"}


def places(table: Table, rulings: Rulings) -> list[str]:
    """The places of the tower, from left to right."""
    return [
        each for each in ("d" if rulings["anchor"] == "middle" else "abcdefg") if table.tower.keys() <= pyramid(each)
    ]


def taken(table: Table, rulings: Rulings, spare: int) -> tuple[list[int], list[int]]:
    """What each number costs when a D takes it, out of the Reserve and from elsewhere ("What a card taken costs")."""
    owned = [(card, player) for player, hand in enumerate(table.hands) for card in hand]
    owned += [(card, -1) for card in table.deck]
    if spare < 1:
        return [NEVER] * 51, [NEVER] * 51
    if (
        spare > 2
        or len(owned) + (table.front is not None) > MOST_OWN
        or ("?", -1) in owned
        or any("?" in hand for hand in table.hands)
    ):
        return [1] * 51, [1] * 51
    own = [(int(card), player) for card, player in owned if card != "F"]
    costs = [NEVER] * 51

    def make(numbers: tuple[int, int], changes: Sequence[int], cost: int) -> None:
        for number in {sum(numbers) + each for each in changes} | {
            abs(numbers[0] - numbers[1]) + each for each in changes
        }:
            if 0 < number < 51:
                costs[number] = cost

    def one_player(cards: Sequence[tuple[int, int]]) -> bool:
        return len({player for _, player in cards} - {-1}) < 2

    pairs = [pair for pair in combinations(own, 2) if one_player(pair)]
    laid = [card.lstrip("~") for card in table.tower.values() if card != "F"]
    if spare == 1:
        for a, b in pairs:
            make((a[0], b[0]), (0,), 1)
        itself = {
            min(a[0], b[0]) for a, b in pairs if rulings["take_sent"] == "allowed" and 2 in (a[0] / b[0], b[0] / a[0])
        }
        about = {number for number, _ in own} | {int(card) for card in laid if card != "?"}
        about -= itself - {int(card) for card in laid if card != "?"}
        rest = [NEVER if n in about else 1 if n in itself else cost for n, cost in enumerate(costs)]
        return costs, rest
    if "?" in laid:
        return [1] * 51, [1] * 51
    numbers, lying = [number for number, _ in own], list(map(int, laid))
    if (table.front is not None or "F" in table.deck) and rulings["finish_value"] == "25":
        for number in numbers + lying:
            make((25, number), (0,), 2)
    for triple in combinations(own, 3):
        for a, b in combinations(triple, 2) if one_player(triple) else ():
            make((a[0], b[0]), (-1, 0, 1) if rulings["adjust"] == "up_to" else (-1, 1), 2)
    for pair in [*combinations(numbers, 2), *((a, b) for a in numbers for b in lying)]:
        make(pair, (0,), 1)
    return costs, costs


def least(table: Table, rulings: Rulings, limit: int) -> int | None:
    """What a final tower costs at least beside a card for each empty cell; None for more than `limit`."""
    prices = taken(table, rulings, limit)
    first = 0
    if "F" in table.reserve:
        first = NEVER if rulings["finish_value"] == "none" else prices[0][25]
    return cheapest(table, rulings, prices, first, limit)


def cheapest(
    table: Table, rulings: Rulings, prices: tuple[list[int], list[int]], first: int, limit: int, new: bool = True
) -> int | None:
    """The least price of a final tower over all places; unless `new`, the Reserve is free on empty cells."""
    found = [_cheapest(table, rulings, place, prices, limit - first, new) for place in places(table, rulings)]
    return min((cost + first for cost in found if cost is not None), default=None)


def _cheapest(
    table: Table, rulings: Rulings, place: str, costs: tuple[list[int], list[int]], limit: int, new: bool
) -> int | None:
    cells = frozenset(pyramid(place) - ({f"{place}7"} if table.finish else set()))
    ends = (26, 24) if rulings["between"] == "inclusive" else (25, 25)
    best = {frozenset[str](): 0}
    piles = [*table.hands, table.reserve, table.deck, [card.lstrip("~") for card in table.tower.values()]]
    known = {card for pile in piles for card in pile}
    for number in range(1, 51):
        card = str(number)
        if card in table.gone:
            continue
        dear = costs[card not in table.reserve][number]
        prices = {}
        for cell in cells:
            lies = table.tower.get(cell)
            again = cell in table.apex(rulings)
            if table.finish and rulings["finish_value"] == "25" and not _beside(cell, place, number, ends):
                continue
            if lies is None:
                prices[cell] = dear if new and card in table.reserve else 0
            elif not again and (lies.lstrip("~") == card or (lies == "~?" and card not in known)):
                prices[cell] = 0
            elif lies[0] == "~" or _replaceable(cell, lies, rulings):
                prices[cell] = dear
        after = dict(best)
        for ideal, paid in best.items():
            for cell in _addable(ideal, cells):
                total = paid + prices.get(cell, NEVER)
                larger = ideal | {cell}
                if total <= limit and total < after.get(larger, NEVER):
                    after[larger] = total
        best = after
    return best.get(cells)


def _beside(cell: str, place: str, number: int, ends: tuple[int, int]) -> bool:
    """Whether a number keeps the bounds that the Finish card's apex sets."""
    apex = f"{place}7"
    return not (below(cell, apex) and number >= ends[0]) and not (below(apex, cell) and number <= ends[1])


def _replaceable(cell: str, lies: str, rulings: Rulings) -> bool:
    target = rulings["replace_target"]
    return target == "any" or (target == "not_anchor" and (cell, lies) != ("g1", "25"))


@lru_cache(maxsize=4096)
def _addable(ideal: frozenset[str], cells: frozenset[str]) -> tuple[str, ...]:
    """The cells all of whose lower cells are in the ideal."""
    return tuple(cell for cell in cells - ideal if all(other in ideal for other in cells if below(other, cell)))


Counts = tuple[int, tuple[int, ...], int, int, int, int, int]  # mover, own, deck, empty, down, owe, draw


def lost(start: Counts, finish: bool, rulings: Rulings, apex: bool) -> bool:
    """Whether the counting game is lost ("The counting game"); False also for more than MOST_POSITIONS."""
    seen, waiting = {start}, [start]
    while waiting and len(seen) <= MOST_POSITIONS:
        for after, won in _turns(waiting.pop(), finish, rulings, apex):
            if won:
                return False
            if after not in seen and after[3] + after[5] <= sum(after[1]) + after[2]:
                seen.add(after)
                waiting.append(after)
    return not waiting


def _turns(counts: Counts, finish: bool, rulings: Rulings, apex: bool) -> Iterator[tuple[Counts, bool]]:
    mover, owned, deck, empty, down, owe, draw = counts
    completes = rulings["early_apex"] == "win_on_completion"
    again = not finish and (rulings["early_apex"] == "no_win" or apex)
    limit = max(0, 2 - max(0, owned[mover] - finish)) if draw < 0 else draw
    for drawn in range(min(deck, limit + (finish and limit > 0)) + 1):
        own = owned[mover] + drawn
        for filled, turned, spent, paid in _actions(own, empty, down, rulings["reserve_face"] == "either"):
            left = max(0, owe - paid)
            full = empty == filled
            won = full and down + turned == 0 and left == 0 and (completes or spent > 0)
            if full and not won and not completes:
                if not again:
                    continue
                left = max(left, 1)
            kept = (*owned[:mover], min(own - spent, 3 + finish), *owned[mover + 1 :])
            then = (mover + 1) % len(owned)
            yield (then, kept, deck - drawn, empty - filled, down + turned, left, -1 if turned > 0 else 4), won


def _actions(own: int, empty: int, down: int, hidden: bool) -> Iterator[tuple[int, int, int, int]]:
    """Cells filled, the change in down cards, own cards spent, and what of that the actions D owe."""
    if own and empty:
        yield 1, 0, 1, 0
    if own and empty > 1:
        yield 1, 1, 1, 0
    if down:
        yield 0, -1, 0, 0
    for paid in range(1, own):
        yield from (
            (0, turned, paid, paid) for turned in (-1, 0, 1) if (turned < 1 or hidden) and (turned > -1 or down)
        )
        yield from ((1, turned, paid + 1, paid) for turned in (0, 1) if empty > turned and (turned < 1 or hidden))
