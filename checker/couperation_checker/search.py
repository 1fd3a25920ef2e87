"""The claim `table-deadlocked`, by the exhaustive search of spec/search.md, whose words the names are."""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import combinations
from math import comb
from typing import Any

from couperation_checker.counting import NEVER, apex_again, counts, least, lost
from couperation_checker.position import NOTHING, Rulings, Table, read
from couperation_checker.replay import marked, shown
from couperation_checker.strict import Card, Turn, Work, need
from couperation_checker.tower import Fault, below
from couperation_checker.turns import acting, actions, draw_limit, drawing, payments

_IDS = ["cards|exchanges|reserve|shut|turns"]
SHAPE = {"kind": "search", "reductions": _IDS, "positions": range(10**9), "digest": "[0-9a-f]{16}"}
# MOST_GONE: more cards than any turn destroys and drops; IDLE stands for an idle card: a number that nothing makes
MOST_DRAW, MOST_GONE, MOST_LEFT, IDLE = 5, 99, (8, 10), 1000  # so much is left without `shut`, and with it


def search_faults(text: str, rulings: Rulings, evidence: dict[str, Any], work: Work) -> Iterator[Fault]:
    """What is wrong with a search; Refused, as unsupported, where it is too long or something is not seen."""
    position, used = read(text, rulings, mover=True, work=work), set(evidence["reductions"])
    need("", shown(position), "a search with cards that are not seen")
    need("", not position.deck or len(position.marks) == 50, "a search with marks that are not given")
    if len(used) < len(evidence["reductions"]):
        yield "SEARCH", "a reduction is named twice"
    digests = search(marked(position), used)
    if digests is None:
        yield "ALIVE", "some continuation wins"
    elif (evidence["positions"], evidence["digest"]) != (len(digests), f"{sum(digests.values()) % (1 << 64):016x}"):
        yield "SEARCH", f"the search expands {len(digests)} positions, or others"


def search(start: Table, used: set[str]) -> dict[bytes, int] | None:
    """The expanded positions by SHA-256, each with its part of the digest; None when some turn wins."""
    expanded, games, waiting, work = dict[bytes, int](), dict[Any, bool](), [iter([start])], start.work

    def stand(table: Table, untrimmed: bool = False) -> int:
        """How many cards the next turn may destroy and drop at most, below 0 where the table is left out; untrimmed
        where it is left out whatever is trimmed, which makes no price less. Idle cards lose their numbers.
        """
        work.spend(2)
        (empty, cards), down = counts(table), sum(not up for _, up in table.tower.values())
        price = _price(table, cards - empty) if used & {"exchanges", "reserve", "turns"} else 0
        most = cards - empty - price if "exchanges" in used else MOST_GONE
        owe = cards - empty if untrimmed and cards >= empty else price

        def loses(price: int, gone: int, owe: int) -> bool:
            """Whether the counting game is lost (`turns`) with so many cards fewer for the player to move."""
            own = tuple(len(hand) - gone * (seat == table.first) for seat, hand in enumerate(table.hands))
            if "turns" not in used or empty + down + owe > MOST_LEFT["shut" in used]:
                return False
            start = table.first, own, len(table.deck), empty, down, price, abs(_draw(table)), bool(apex_again(table))
            # The more are shut the sooner it is lost.
            if lost((*start, 0), table, games) or "shut" not in used or not lost((*start, down), table, games):
                return games.get((*start, 0), False)
            return lost((*start, _shut(table, cards - empty)), table, games)

        if ("cards" in used and cards < empty) or most < 0 or loses(price, 0, owe):
            return -1
        if "reserve" in used and (price == cards - empty or (price < NEVER and loses(price + 1, 0, price + 1))):
            idle = [card for card in table.reserve if card != "F" and _price(table, price, card) > price]
            table.reserve = [IDLE if card in idle else card for card in table.reserve]
        return next((gone for gone in range(most, -1, -1) if not loses(price, gone, owe)), -1)

    def children(table: Table, most: int) -> Iterator[Table]:
        """The tables after every turn, one by one, so that few wait."""
        for after, trims in turns(table, most):
            if after.result == "win" or not trims:
                yield after
            elif not after.result and stand(after, untrimmed=True) >= 0:
                for reserve in _kept(after.reserve, trims, after.rulings["finish_reserve_count"] == "yes", work):
                    yield replace(after, reserve=reserve)

    while waiting:
        table = next(waiting[-1], None)
        if table is None:
            waiting.pop()
        elif table.result == "win":
            return None
        elif not table.result and (most := stand(table)) >= 0:
            key = sha256(canonical(table).encode()).digest()
            if key not in expanded:
                expanded[key] = int.from_bytes(key[:8], "big")
                waiting.append(children(table, most))
    return expanded


def _draw(table: Table) -> int:
    """The limit of the next draw as a position has it: -1 in turn 1, and negative where it is none or all."""
    units = len(table.deck) - ("F" in table.deck[:-1])
    clause, limit = draw_limit(table, table.hands[table.first]) if units else ("", 0)
    whole = clause == "DRW04" and table.rulings["refill_amount"] == "all_or_none"
    return -1 if clause == "DRW01" else min(units, limit) * (-1 if whole and min(units, limit) > 1 else 1)


def _shut(table: Table, slack: int) -> int:
    """How many down cards cannot be opened while cards lie that are too dear to replace (`shut`)."""
    lax = {"facedown": "ignored", "opened_against": "stands", "finish_value": "none"}
    asked, count = not lax.items() & table.rulings.items(), 0
    for cell, (card, up) in table.tower.items():
        if asked and not up and isinstance(card, int):
            ups = table.up.items()
            wrong = frozenset(at for at, number in ups if (below(at, cell) if number > card else below(cell, at)))
            count += bool(wrong) and _price(replace(table, leave=wrong), slack) > slack
    return count


def _price(table: Table, limit: int, taken: Card = 0) -> int:
    """The least price of a final tower, with the number taken where one is, NEVER when it is above the limit."""
    own = frozenset(card for pile in (*table.hands, table.deck) for card in pile)
    laid = frozenset((cell, card, table.may_replace(cell)) for cell, (card, _) in table.tower.items())

    def find() -> int:
        table.gone = tuple({*range(1, 51), "F"} - table.seen)
        price = None if table.finish and "F" in table.gone else least(table, limit, ([1] * 51, [1] * 51), taken)
        return NEVER if price is None else price

    return int(table.keep((laid, own, frozenset(table.reserve), taken, table.leave), find))


def turns(table: Table, most: int = MOST_GONE) -> Iterator[tuple[Table, int]]:
    """The tables after every legal turn that destroys and drops so many cards at most, those that win among them, each
    before anything is trimmed and with the number of cards that are.

    With a D the least price falls by 1 at most, without one not at all, while the slack falls by 1 for D and for each
    card destroyed or dropped: after more of them than are to spare, the price is above the slack (lemmas 3 and 4).
    """
    for count in range(min(MOST_DRAW, len(table.deck)) + 1):
        table.work.spend(2)
        drawn = table.copy()
        hand = drawn.hands[table.first]
        legal = not any(drawing(drawn, tuple(table.deck[:count]), hand))
        for letter, cell, card, up in actions(drawn, hand) if legal else ():
            old, face = drawn.tower.get(cell, NOTHING) if letter == "D" else NOTHING
            replaced, lies = ((old,), "up" if face else "down") if old != "" else ((), "")
            paid = payments(drawn, hand, card, most) if letter == "D" else [((), "", "", ())]
            for sent, sign, signs, destroyed in paid:
                turn = Turn(0, "", letter, cell, up, sign, signs, lies, (), (card,), sent, destroyed, replaced)
                for fill in range(3 if card == "F" else 1):
                    yield from _ends(drawn, turn._replace(fill=tuple(drawn.deck[:fill])), most - len(destroyed))
        if legal and table.rulings["no_action"] == "skipped":
            yield from _ends(drawn, Turn(0, "", "-", "", True, "", "", "", (), (), (), (), ()), most)


def _ends(drawn: Table, turn: Turn, most: int) -> Iterator[tuple[Table, int]]:
    """The tables after a turn, for every choice of the cards dropped, so many at most."""
    after = drawn.copy()
    after.work.spend(3)
    hand = after.hands[after.first]
    extra = {clause: numbers.get("extra", 0) for clause, numbers in acting(after, turn, hand)}
    after.first = (after.first + 1) % len(after.hands)
    drops, trims, seat = extra.pop("LIM01", 0), extra.pop("LIM02", 0), drawn.first
    for left in _kept(hand, drops, False, after.work) if not extra and drops <= most else ():
        yield replace(after, hands=[*after.hands[:seat], left, *after.hands[seat + 1 :]]), trims


def _kept(pile: list[Card], destroyed: int, finish: bool, work: Work) -> Iterator[list[Card]]:
    """What can be left of a pile when so many cards are destroyed, idle ones first and the F only if `finish`."""
    free = [card for card in pile if card != IDLE and (finish or card != "F")]
    idle = min(pile.count(IDLE), destroyed)
    rest = [IDLE] * (pile.count(IDLE) - idle) + ["F"] * ("F" in pile and not finish)
    work.spend(comb(len(free), destroyed - idle))
    return ([*rest, *left] for left in combinations(free, len(free) - destroyed + idle))


def canonical(table: Table) -> str:
    """The canonical text of a position ("Number and digest")."""

    def cards(pile: list[Card]) -> str:
        rising = sorted(pile, key=lambda one: one if isinstance(one, int) else 51)
        return " ".join("-" if one == IDLE else str(one) for one in rising)

    cells = sorted(table.tower, key=lambda cell: (cell[1], cell[0]))
    tower = " ".join(f"{'' if table.tower[cell][1] else '~'}{table.tower[cell][0]}@{cell}" for cell in cells)
    front = next((seat for seat, hand in enumerate(table.hands) if "F" in hand), -1)
    kept = table.rulings["draw_source"] in ("last_placed", "as_laid") or table.rulings["no_action"] == "skipped"
    down = " down" if table.laid_down and table.tower[str(table.laid)][1] else ""
    moved = table.moved and table.rulings["replace_target"] == "not_anchor"
    rows = [f"tower {tower}", *(f"hand {cards([card for card in hand if card != 'F'])}" for hand in table.hands)]
    rows += [f"front {front}", f"reserve {cards(table.reserve)}", f"deck {len(table.deck)}", f"turn {table.first}"]
    rows += [f"draw {_draw(table)}", f"laid {(kept and table.source) or '-'}{down}", f"moved {int(moved)}"]
    rows += [f"replaced {int(table.replaced)}"] * (table.rulings["replacements"] == "once")
    return "\n".join([*rows, *[f"skipped {table.skipped}"] * (table.rulings["no_action"] == "skipped")])
