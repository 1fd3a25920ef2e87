"""A record replayed, clause by clause: spec/clauses/; numbers as in spec/certificate.md, "Numbers"."""

from collections.abc import Iterable, Iterator
from itertools import combinations, product

from couperation_checker.orders import CELLS, Broken, Room, broken, fits, mended, orders, placing, room, topping
from couperation_checker.position import NOTHING, Table, number, supports
from couperation_checker.strict import Card, Cards, Turn, need

SIZES = {2: 6, 3: 5, 4: 4}


def turn_broken(table: Table, turn: Turn, place: int) -> Iterator[Broken]:
    """What the turn at a place breaks, while it is carried out on the table; Refused (UNSEEN) for an unknown mark."""
    players, name, number = table.names, turn.name, turn.number
    table.work.spend(5 + sum(len(cards or ()) for cards in turn[8:]) // 8)
    yield from broken(table.result, "END04", turn=place - 1, result=table.result)
    if not table.result:
        due = players[(table.first + place - 1) % len(players)]
        yield from broken((number, name) != (place, due), "END06", number=number, place=place, player=name, due=due)
    if not table.result and name in players:
        hand = table.hands[players.index(name)]
        yield from drawing(table, turn.draw or (), hand)
        yield from acting(table, turn, hand)


def acting(table: Table, turn: Turn, hand: list[Card]) -> Iterator[Broken]:
    """What the action and the limits of a turn break, while they are carried out after its draw."""
    act = {"A": _lay, "B": _lay, "C": _open, "D": _exchange, "-": _stuck}[turn.letter]
    held, reserve = _told(table, turn, hand)
    table.turned, table.skipped = (table.turned, table.skipped + 1) if turn.letter == "-" else (turn.letter == "C", 0)
    yield from act(table, turn, hand)
    yield from _filling(table, turn, hand, held)
    yield from _limits(table, turn, hand, (held + _number(turn.fill or ()), reserve))


def _told(table: Table, turn: Turn, hand: list[Card]) -> tuple[int, int]:
    """The hand cards, and the cards that count in the Reserve, after the action as the turn tells it (D3): what it
    names leaves one pile, never below none, and comes to another, whether it was there or not.
    """
    counts = table.rulings["finish_reserve_count"] == "yes"
    spent = () if turn.letter in "C-" else turn.sent + turn.destroyed if turn.sent else turn.card
    held = max(0, _number(hand) - _number(spent)) + _number(_back(table, turn))
    reserve = _number(table.reserve, counts) + _number(turn.sent, counts)
    return held, reserve - (_number(turn.card, counts) if turn.sent else 0)


def _number(cards: Cards | list[Card], finish: bool = False) -> int:
    """How many cards there are, `F` counted or not."""
    return len(cards) - (0 if finish else cards.count("F"))


def _back(table: Table, turn: Turn) -> Cards:
    """The card that D replaces: as it is written, or the one that lies there."""
    return tuple(table.tower.get(turn.cell, NOTHING)[0] if card is None else card for card in turn.replaced)


def drawing(table: Table, draw: Cards, hand: list[Card]) -> Iterator[Broken]:
    """What a draw breaks, while it is carried out (DRW01 to DRW06)."""
    before, size = {*table.deck} | table.hidden, len(table.deck)
    left, units = max(0, size - len(draw)), len(draw) - draw[:-1].count("F")
    exact = table.rulings["draw_amount"] == "exact" and left > 0
    clause, limit = draw_limit(table, hand) if units or exact else ("", 0)
    yield from _amount(table, clause, units, limit, left)
    yield from _drawn(table, draw, hand, 0)
    yield from broken(table.finish and left and draw[-1:] == ("F",), "DRW06", place=len(draw), left=left)
    yield from broken("F" in before and "F" not in draw and len(draw) >= size, "DRW06", place=0, left=0)


def _amount(table: Table, clause: str, drawn: int, limit: int, left: int) -> list[Broken]:
    """The clause, where so many cards are too many or, with so many left in the deck, too few."""
    full = table.rulings["draw_amount"] == "exact" and clause not in ("", "DRW01")
    full = full or (clause == "DRW04" and drawn > 0 and table.rulings["refill_amount"] == "all_or_none")
    return broken(drawn > limit or (full and left and drawn < limit), clause, drawn=drawn, limit=limit, left=left)


def _filling(table: Table, turn: Turn, hand: list[Card], held: int) -> Iterator[Broken]:
    """Draw the cards that come after the action, to fill a hand of so many once the Finish card was laid up."""
    fill = turn.fill or ()
    laid = turn.letter in ("A", "D") and turn.up and turn.card == ("F",) and table.rulings["finish_refill"] == "at_once"
    limit, left = max(0, 2 - held) if laid and not table.result else 0, max(0, len(table.deck) - len(fill))
    yield from _amount(table, "DRW04", len(fill), limit, left)
    yield from _drawn(table, fill, hand, len(turn.draw or ()))


def _drawn(table: Table, draw: Cards, hand: list[Card], first: int) -> Iterator[Broken]:
    """Take cards off the deck, so many of this turn before them."""
    before = {*table.deck} | table.hidden
    for place, card in enumerate(draw, first):
        top = table.deck.pop(0) if table.deck else ""
        if not (card in table.hidden if top is None else card == top):
            yield "DRW05", {"card": card, "place": place + 1, "top": _text(top)}
        yield from broken(card not in before, "SET06", card=card, source="deck")
        table.hidden, before = table.hidden - {card}, before - {card}
        hand.append(card)


def draw_limit(table: Table, hand: list[Card]) -> tuple[str, int]:
    """The clause that gives the limit of a draw to this hand, and the limit; Refused (UNSEEN) for an unknown mark."""
    cell, opened = table.source, table.turned and table.rulings["draw_source"] == "nothing"
    if cell is None:
        return ("DRW02", 0) if opened else ("DRW01", 1)
    card, up = table.tower[cell]
    if not up or card == "F" or table.laid_down:
        filled = up and not table.laid_down and table.rulings["finish_refill"] == "at_once"
        held = len(hand) - (hand.count("F") if table.rulings["finish_in_hand"] == "no" else 0)
        return "DRW04", 0 if filled else max(0, 2 - held)
    (mark,) = _marks(table, [cell])
    if mark != "H":
        return "DRW02", int(mark)
    under = supports(cell) if cell[1] > "1" else ()
    backed = table.rulings["heart_over_back"] == "zero" and not all(table.tower[at][1] for at in under)
    below = [] if backed else _marks(table, under)
    none = table.rulings["hearts_below"] == "zero_all" and "H" in below
    return "DRW03", 0 if none else sum(int(mark) for mark in below if mark != "H")


def _marks(table: Table, cells: Iterable[str]) -> list[str]:
    """The marks of the Glass cards up on these cells."""
    cards = [card for card, up in map(table.tower.__getitem__, cells) if up and isinstance(card, int)]
    need("UNSEEN", table.marks.keys() >= {*cards}, "a draw asks for a mark that is not given")
    return [table.marks[card] for card in cards]


def _text(card: Card, up: bool = True) -> str | int | None:
    """How numbers show a card: None where there is none, a down one with its `~`."""
    shown = "?" if card is None else card
    return None if card == "" else shown if up else f"~{shown}"


def _remove(pile: list[Card], cards: Cards, clause: str, source: str) -> Iterator[Broken]:
    """Take cards out of a pile; those that are not there break the clause, and SET06."""
    for card in cards:
        if card in pile:
            pile.remove(card)
        else:
            yield from [(clause, {"card": card}), ("SET06", {"card": card, "source": source})]


def _lay(table: Table, turn: Turn, hand: list[Card]) -> Iterator[Broken]:
    yield from _remove(hand, turn.card, "ACT02" if turn.up else "ACT03", "hand")
    if turn.card == ("F",) and not turn.up:
        yield from [("ACT03", {"card": "F"}), ("ACT08", {"card": "F"})]
    yield from _put(table, turn)


def _put(table: Table, turn: Turn) -> Iterator[Broken]:
    """Lay the card of A, B or D, and end the game where that does; no order is asked of one without a place (D7)."""
    (card,), cell, new, tower = turn.card, turn.cell, not turn.replaced, table.tower
    yield from (misplaced := list(placing(tower, table.rulings, cell, new)))
    yield from topping(table, cell, card, turn.up)
    if (cell in tower) != new:
        tower[cell], table.laid, table.touched = (card, turn.up), cell, cell
        table.laid_down = not turn.up and table.rulings["draw_source"] == "as_laid"
        failing = list(orders(tower, table.rulings, None if table.astray else cell))
        yield from () if misplaced else failing
        table.astray = False
        table.result = _result(table, cell[1] == "7" and turn.letter != "B", not failing)


def _result(table: Table, apex: bool, kept: bool) -> str:
    """How the game ends with the apex or another card laid or opened, its orders kept or not (END01, END02)."""
    early, up = table.rulings["early_apex"], all(up for _, up in table.tower.values())
    won = (kept if early == "win_on_completion" else apex) and up and len(table.tower) == 28
    return "win" if won else "loss" if apex and early == "loses" and not up else ""


def _open(table: Table, turn: Turn, _hand: list[Card]) -> Iterator[Broken]:
    (named,), cell = turn.card, turn.cell
    card, up = table.tower.get(cell, NOTHING)
    other = named not in (card, None)
    yield from broken(up or other, "ACT04", cell=cell, shown=_text(named), lies=_text(card, up))
    yield from broken(other, "SET06", card=named, source="tower")
    if not up:
        table.tower[cell], table.touched = (named or card, True), cell
        failing = {clause for clause, _ in orders(table.tower, table.rulings, None if table.astray else cell)}
        table.astray = bool(failing)
        lost = failing - {"TOW07"} if table.rulings["opened_against"] == "stands" else failing
        table.result = "loss" if lost else _result(table, False, True)


def _exchange(table: Table, turn: Turn, hand: list[Card]) -> Iterator[Broken]:
    (taken,), cell, rulings = turn.card, turn.cell, table.rulings
    yield from _remove(hand, turn.sent + turn.destroyed, "ACT05", "hand")
    plus, minus, idle = (turn.adjust.count(sign) for sign in "^_|")
    wrong = (idle and rulings["adjust"] != "up_to") or (plus and minus and rulings["adjust"] == "uniform")
    yield from broken(wrong, "ACT05", plus=plus, minus=minus, idle=idle)
    first, second, wanted = (number(card, rulings) for card in (*turn.sent, taken))
    if first is None or second is None or wanted is None:
        yield "ACT05", {"card": "F"}
    else:
        base = first + second if turn.sign == "+" else abs(first - second)
        yield from broken(base + plus - minus != wanted, "ACT05", base=base, change=plus - minus, taken=wanted)
    yield from broken(rulings["take_sent"] == "forbidden" and taken in turn.sent, "ACT06", card=taken)
    table.reserve += turn.sent
    yield from _remove(table.reserve, turn.card, "ACT06", "Reserve")
    yield from broken(not turn.up and (taken == "F" or rulings["reserve_face"] == "up"), "ACT08", card=taken)
    back, (card, up) = _back(table, turn), table.tower.get(cell, NOTHING)
    for named in turn.replaced:
        other, face = named not in (card, None), turn.lies == "up"
        wrong = other or up != face or table.replaced or not table.may_replace(cell)
        yield from broken(wrong, "ACT07", cell=cell, named=_text(named, face), lies=_text(card, up))
        yield from broken(other, "SET06", card=named, source="tower")
    table.replaced |= rulings["replacements"] == "once" and bool(turn.replaced and card != "")
    yield from _put(table, turn)
    hand += back
    table.moved = table.moved or (cell == "g1" and turn.replaced != ())


def _limits(table: Table, turn: Turn, hand: list[Card], sizes: tuple[int, int]) -> Iterator[Broken]:
    counts = table.rulings["finish_reserve_count"] == "yes"
    for clause, destroyed, pile, source, limit, finish, cards in (
        ("LIM01", turn.drop, hand, "hand", 3, False, sizes[0]),
        ("LIM02", turn.trim, table.reserve, "Reserve", SIZES[len(table.hands)], counts, sizes[1]),
    ):
        count, extra = len(destroyed), 0 if table.result or turn.letter == "-" else max(0, cards - limit)
        yield from broken(count != extra, clause, cards=cards, extra=extra, destroyed=count)
        yield from broken("F" in destroyed and not finish, clause, card="F")
        yield from _remove(pile, destroyed, clause, source)


def _stuck(table: Table, _turn: Turn, own: list[Card]) -> Iterator[Broken]:
    table.result = "stuck" if table.rulings["no_action"] == "loses" or table.skipped >= len(table.hands) else ""
    for letter, cell, card, up in actions(table, own):
        yield "ACT01", {"action": letter, "cell": cell, "card": card, "face": "up" if up else "down"}


def actions(table: Table, own: list[Card]) -> Iterator[tuple[str, str, Card, bool]]:
    """Every legal action after the draw, D whatever pays for it: letter, cell, card, whether that then lies up."""
    faces = (True, False) if table.rulings["reserve_face"] == "either" else (True,)
    empty = _rooms(table, True)
    yield from (("C", cell, card, True) for cell, (card, shown) in table.tower.items() if not shown)
    taken = [card for card in (*table.reserve, *own) if any(payments(table, own, card))]
    laid = _rooms(table, False) if taken and not table.replaced else []
    every = [*empty, *(each for each in laid if table.may_replace(each[0]))] if taken else []
    plays = [("A" if up else "B", card, up, empty) for card, up in product(own, (True, False))]
    plays += [("D", card, up, every) for card, up in product(taken, faces)]
    table.work.spend(2 + sum(len(rooms) for *_, rooms in plays) // 16)
    for letter, card, up, rooms in plays:
        for cell, space in rooms if up or card != "F" else ():
            if fits(space, table.rulings, card, up, cell) and not any(topping(table, cell, card, up)):
                yield letter, cell, card, up


def _rooms(table: Table, new: bool) -> list[tuple[str, Room]]:
    """The cells on which some card may be laid, each with its room; the empty ones, or the others unless `new`."""
    tower, rulings = table.tower, table.rulings

    def find() -> list[tuple[str, Room]]:
        table.work.spend(15 if new else 250 if table.astray else 4)
        cells = [cell for cell in (CELLS if new else tower) if not any(placing(tower, rulings, cell, new))]
        cells = [cell for cell in cells if not table.astray or (not new and mended(tower, rulings, cell))]
        table.work.spend(len(cells) * (1 + sum(not up for _, up in tower.values()) // 4))
        return [(cell, room(tower, rulings, cell)) for cell in cells]

    rooms: list[tuple[str, Room]] = table.keep((new, *tower.items()), find)
    return rooms


def payments(table: Table, own: list[Card], taken: Card, most: int = 99) -> Iterator[tuple[Cards, str, str, Cards]]:
    """Each choice that pays for a card: cards sent, sum or difference, signs, cards destroyed (ACT05, ACT06)."""
    for index, sent in enumerate(combinations(own, 2)):
        table.work.spend(1 + len(own) // 5 if index % 4 == 0 else 0)
        itself = sent if table.rulings["take_sent"] == "allowed" else ()
        first, second, wanted = (number(card, table.rulings) for card in (*sent, taken))
        if first is None or second is None or wanted is None or taken not in (*table.reserve, *itself):
            continue
        rest = [card for card in own if card not in sent]
        for count in range(min(len(rest), most) + 1):
            for sign, shift in (("-", wanted - abs(first - second)), ("+", wanted - first - second)):
                signs = _adjusted(shift, count, table.rulings["adjust"])
                if signs is not None:
                    yield from ((sent, sign, signs, destroyed) for destroyed in combinations(rest, count))
                    break


def _adjusted(shift: int, count: int, adjust: str) -> str | None:
    """The signs with which so many destroyed cards can count for a shift [adjust]."""
    plus = max(shift, 0) if adjust == "up_to" else (count + shift) // 2
    minus, idle = plus - shift, count - 2 * plus + shift
    fits = adjust == "up_to" or (idle == 0 and not (adjust == "uniform" and plus and minus))
    return None if not fits or min(plus, minus, idle) < 0 else "^" * plus + "_" * minus + "|" * idle
