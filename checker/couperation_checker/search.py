"""The claim `table-deadlocked`, by the exhaustive search of spec/search.md, whose words the names are."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations, permutations, product
from typing import Any

from couperation_checker.line import marked, shown
from couperation_checker.notation import Card
from couperation_checker.position import Rulings, Table, read
from couperation_checker.record import Turn
from couperation_checker.strict import need
from couperation_checker.tower import Fault, below, disagree, standing, window
from couperation_checker.turns import SIZES, acting, actions, draw_limit, drawing, payments

_IDS = ["cards|own_cards|reserve"]
SHAPE = {"kind": "search", "reductions": _IDS, "positions": range(10**9), "digest": "[0-9a-f]{16}"}
MOST_TURNS, MOST_HAND, MOST_DRAW = 50_000, 8, 5
Windows = dict[frozenset[tuple[str, Card]], list[list[tuple[int, int]]]]  # by laid cards: of each place


def search_faults(text: str, rulings: Rulings, evidence: dict[str, Any]) -> Iterator[Fault]:
    """What is wrong with a search; Refused, as unsupported, where it is too long or something is not seen."""
    position, used = read(text, rulings, mover=True), set(evidence["reductions"])
    need("", shown(position), "a search with cards that are not seen")
    need("", not position.deck or len(position.marks) == 50, "a search with marks that are not given")
    small = all(len(hand) - hand.count("F") <= MOST_HAND for hand in position.hands)
    need("", small, f"a search with more than {MOST_HAND} cards in a hand")
    if len(used) < len(evidence["reductions"]):
        yield "SEARCH", "a reduction is named twice"
    digests = search(marked(position), used)
    if digests is None:
        yield "ALIVE", "some continuation wins"
    elif (evidence["positions"], evidence["digest"]) != (len(digests), f"{sum(digests.values()) % (1 << 64):016x}"):
        yield "SEARCH", f"the search expands {len(digests)} positions, or others"


def search(start: Table, used: set[str]) -> dict[str, int] | None:
    """The expanded positions by canonical text, each with its part of the digest; None when some turn wins."""
    found: dict[str, int] = {}
    windows: Windows = {}
    waiting: list[Table] = []
    looked = 0

    def meet(table: Table) -> None:
        slack = sum(map(len, table.hands)) + len(table.deck) - 28 + len(table.tower)
        if "reserve" in used and slack == 0 and len(table.reserve) <= SIZES[len(table.hands)]:
            table.reserve = []
        text = canonical(table)
        lost = (slack < 0 and "cards" in used) or (slack == 0 and "own_cards" in used)
        if text not in found and not (lost and (slack < 0 or not _fills(table, windows))):
            found[text] = int.from_bytes(sha256(text.encode()).digest()[:8], "big")
            waiting.append(table)

    meet(start)
    while waiting:
        for table in turns(waiting.pop()):
            if table.result == "win":
                return None
            if not table.result:
                looked += 1
                need("", looked <= MOST_TURNS, f"a search over more than {MOST_TURNS} turns")
                meet(table)
    return found


def _fills(table: Table, known: Windows) -> bool:
    """Whether the laid cards can stay and the empty cells be filled from hands and deck (`own_cards`)."""
    own = {card for pile in (*table.hands, table.deck) for card in pile}
    laid = frozenset((cell, card) for cell, (card, _) in table.tower.items())
    if table.finish and "F" not in own.union(card for _, card in laid):
        return False
    if laid not in known:
        known[laid] = list(_windows(table))
    values = [card for card in own if isinstance(card, int)]
    return any(_hall(windows, values) for windows in known[laid])


def _windows(table: Table) -> Iterator[list[tuple[int, int]]]:
    """The windows of the empty cells at each place where the laid cards can stay."""
    values = {cell: card for cell, (card, _) in table.tower.items() if isinstance(card, int)}
    for place in table.places:
        apex, bounds, free = standing(table, place, values)
        stray = table.tower.keys() - values.keys() - {apex}
        if not stray and not any(below(p, q) and disagree(bounds, p, q) for p, q in permutations(bounds, 2)):
            yield [window(bounds, cell) for cell in free]


def _hall(windows: list[tuple[int, int]], values: list[int]) -> bool:
    """Whether distinct values fit the windows: no interval holds more of them than values (the theorem)."""
    return all(
        sum(low <= start and end <= high for start, end in windows) <= sum(low < value < high for value in values)
        for low, high in product({low for low, _ in windows}, {high for _, high in windows})
    )


def turns(table: Table) -> Iterator[Table]:
    """The tables after every legal turn of the player to move, those that end the game among them."""
    for count in range(min(MOST_DRAW, len(table.deck)) + 1):
        drawn = table.copy()
        hand = drawn.hands[table.first]
        if any(drawing(drawn, tuple(table.deck[:count]), hand)):
            continue
        for letter, cell, card, up in actions(drawn, hand):
            exchange = letter == "D"
            old, face = drawn.tower.get(cell, ("", True))
            replaced = (old,) if exchange and old != "" else ()
            lies = ("up" if face else "down") if replaced else ""
            for sent, sign, signs, destroyed in payments(drawn, hand, card) if exchange else [((), "", "", ())]:
                fixed = (0, "", letter, cell, up, sign, signs, lies)
                yield from _ends(drawn, Turn(*fixed, (), (card,), sent, destroyed, replaced, (), ()))


def _ends(drawn: Table, turn: Turn) -> Iterator[Table]:
    """The tables after a turn, for every choice of the cards dropped and trimmed."""
    after = drawn.copy()
    hand = after.hands[after.first]
    extra = {clause: numbers.get("extra", 0) for clause, numbers in acting(after, turn, hand)}
    after.first = (after.first + 1) % len(after.hands)
    if not extra:
        yield after
        return
    for drop in combinations(hand, extra.get("LIM01", 0)):
        for trim in combinations(after.reserve, extra.get("LIM02", 0)):
            child = drawn.copy()
            if not any(acting(child, turn._replace(drop=drop, trim=trim), child.hands[child.first])):
                child.first = after.first
                yield child


def canonical(table: Table) -> str:
    """The canonical text of a position ("Number and digest")."""

    def cards(pile: list[Card]) -> str:
        return " ".join(map(str, sorted(pile, key=lambda card: card if isinstance(card, int) else 51)))

    rulings, hand = table.rulings, table.hands[table.first]
    cells = sorted(table.tower, key=lambda cell: (cell[1], cell[0]))
    tower = " ".join(f"{'' if table.tower[cell][1] else '~'}{table.tower[cell][0]}@{cell}" for cell in cells)
    front = next((seat for seat, hand in enumerate(table.hands) if "F" in hand), -1)
    units = len(table.deck) - ("F" in table.deck[:-1])
    clause, limit = draw_limit(table, hand) if units else ("", 0)
    laid = table.laid if rulings["draw_source"] == "last_placed" else None
    moved = table.moved and rulings["replace_target"] == "not_anchor"
    draw = -1 if clause == "DRW01" else min(units, limit)
    hands = "\n".join(f"hand {cards([card for card in hand if card != 'F'])}" for hand in table.hands)
    reserve, deck = cards(table.reserve), len(table.deck)
    head = f"tower {tower}\n{hands}\nfront {front}\nreserve {reserve}\ndeck {deck}\nturn {table.first}\n"
    return f"{head}draw {draw}\nlaid {laid or '-'}\nmoved {int(moved)}"
