"""The claims that are replayed, of records and of a line that wins: spec/certificate.md, "Claims"."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import repeat
from operator import attrgetter
from typing import Any

from couperation_checker.orders import Broken, broken, orders
from couperation_checker.position import Rulings, Table, Tower, read
from couperation_checker.strict import Card, Cards, Record, Turn, Work, need, read_record, read_turn, same
from couperation_checker.tower import Fault
from couperation_checker.turns import SIZES, turn_broken


def record_faults(text: str, rulings: Rulings, evidence: dict[str, Any], work: Work) -> Iterator[Fault]:
    """What is wrong with a claim about a record; Refused where a text cannot be read or does not show enough."""
    record = read_record(text, work)
    if "world" in evidence:
        world = read_record(evidence["world"], work)
        need("WORLD", _refines(world, record), "the world is no completion of the record")
        need("UNSEEN", _shown(world, len(world.turns)), "the world has a card that is not shown")
        place, wrong = first_broken(world, rulings, len(world.turns), work)
        if wrong:
            yield "BROKEN", f"turn {place} of the world breaks {wrong[0][0]}"
        return
    wanted, clause = evidence["turn"], evidence["clause"]
    need("UNSEEN", not wanted or _shown(record, wanted), "the record has a card up to this turn that is not shown")
    place, wrong = first_broken(record, rulings, wanted, work)
    if place != wanted:
        yield "TURN", f"turn {place} is illegal already" if wrong else f"there is no turn {wanted}"
    elif clause not in dict(wrong):
        yield "CLAUSE", f"turn {wanted} does not break {clause}"
    elif (clause, evidence["numbers"]) not in wrong:
        yield "NUMBERS", f"turn {wanted} does not break {clause} with these numbers"


def begin(record: Record, rulings: Rulings, work: Work) -> Table:
    """The table after a legal set-up of which everything but the deck is shown."""
    hands = [list(record.deals.get(name, ())) for name in record.players]
    reserve, deck = list(record.reserve or ()), list(record.deck or ())
    anchor: Tower = {"g1": (25, True)}
    table = Table(record.players, record.finish, record.marks, rulings, anchor, hands, reserve, deck, work=work)
    table.hidden = {*range(1, 51), *["F"] * record.finish} - table.seen
    table.deck += [None] * (len(table.hidden) - deck.count(None))
    return table


def setup(record: Record) -> Iterator[Broken]:
    """What the set-up breaks, whatever its unseen cards are."""
    names, size, deck = record.players, SIZES.get(len(record.players)), record.deck or ()
    deals: dict[str, Cards] = {name: record.deals.get(name, (None,) * 3) for name in names}
    reserve = (1, 50, *[None] * ((size or 2) - 2)) if record.reserve is None else record.reserve
    yield from broken(size is None or len(deals) < len(names), "SET01", players=len(names), names=len(deals))
    for name, cards in deals.items():
        yield from broken(len(cards) != 3, "SET02", player=name, cards=len(cards))
        yield from (("SET02", {"player": name, "card": card}) for card in cards if card in (1, 25, 50, "F"))
    yield from broken(size not in (None, len(reserve)), "SET03", cards=len(reserve), size=size)
    missing, unseen = len({1, 50} - {*reserve}), reserve.count(None)
    yield from broken(missing > unseen, "SET03", missing=missing, unseen=unseen)
    yield from (("SET03", {"card": card}) for card in reserve if card in (25, "F"))
    room = max(0, 49 + record.finish - sum(map(len, deals.values())) - len(reserve))
    shown = Counter(card for cards in (*deals.values(), reserve, deck) for card in cards if card is not None)
    yield from broken(shown[25], "SET04", count=shown[25])
    shown[25] += 1
    for card, times in shown.items():
        yield from broken(times > 1 or (card == "F" and not record.finish), "SET06", card=card, count=times)
    yield from broken(len(deck) > room, "SET06", cards=len(deck), room=room)
    full = len(deck) == room and None not in deck
    yield from broken(full and record.finish and not shown["F"], "SET06", card="F", count=0)


def first_broken(record: Record, rulings: Rulings, most: int, work: Work) -> tuple[int, list[Broken]]:
    """The first illegal turn up to `most`, 0 for the set-up, and all that it breaks; else the last one, and nothing."""
    table, wrong = begin(record, rulings, work), list(setup(record))
    place, wrong = (0, wrong) if wrong else _played(table, record.turns[:most])
    reached = table.result or "unfinished"
    if not wrong and place == len(record.turns) and record.result not in ("*", reached):
        wrong = [("END05", {"stated": record.result, "reached": reached})]
    return place, wrong


def _played(table: Table, turns: Iterable[Turn]) -> tuple[int, list[Broken]]:
    """The first illegal turn on a table, or else the last one, and all that it breaks."""
    place, wrong = 0, list[Broken]()
    for place, turn in enumerate(turns, 1):
        wrong = list(turn_broken(table, turn, place))
        if wrong:
            break
    return place, wrong


def _refines(world: Record, record: Record) -> bool:
    """Whether a record shows all that another one shows, and differs in nothing else."""
    deck = None if world.deck is None else world.deck[: len(record.deck or ())]
    lists = [(world.reserve, record.reserve), (deck, record.deck)]
    lists += [(world.deals.get(name), cards) for name, cards in record.deals.items()]
    for new, old in zip(world.turns, record.turns, strict=False):
        drawn = [(new.draw, old.draw or repeat(None)), (new.fill, old.fill or repeat(None))]
        if new[:8] != old[:8] or any(("F", None) in zip(cards or (), known, strict=False) for cards, known in drawn):
            return False
        lists += zip(new[8:], old[8:], strict=True)
    fixed = [(each.players, each.finish, each.result, len(each.turns)) for each in (world, record)]
    return fixed[0] == fixed[1] and record.marks.items() <= world.marks.items() and all(same(*pair) for pair in lists)


def _shown(record: Record, turns: int) -> bool:
    """Whether the set-up and so many turns show every card that is not known from before."""
    shown = [record.deals.get(name) for name in record.players] + [record.reserve]
    for turn in record.turns[:turns]:
        card = () if turn.letter == "C" else turn.card
        shown += [turn.draw, turn.fill, card, turn.sent, turn.destroyed, turn.drop, turn.trim]
    return not any(cards is None or None in cards for cards in shown)


def line_faults(text: str, rulings: Rulings, evidence: dict[str, Any], work: Work) -> Iterator[Fault]:
    """What is wrong with a line; Refused where a text cannot be read or the world does not show enough."""
    position, world = (read(each, rulings, mover=True, work=work) for each in (text, evidence["world"]))
    need("WORLD", _completes(world, position), "the world is no completion of the position")
    need("UNSEEN", shown(world), "the world has a card that is not shown")
    table = marked(world)
    place, wrong = _played(table, map(read_turn, evidence["line"]))
    if wrong:
        yield "BROKEN", f"turn {place} of the line breaks {wrong[0][0]}"
    elif table.result != "win":
        yield "WIN", "the line does not end in a win"


def shown(position: Table) -> bool:
    """Whether a position shows every card."""
    return None not in position.seen.union(position.gone)


def _completes(world: Table, position: Table) -> bool:
    """Whether a position shows all that another one shows, and differs in nothing else."""
    fixed = attrgetter("names", "finish", "first", "touched", "turned", "laid_down", "skipped", "replaced")
    fronts = [["F" in hand for hand in each.hands] for each in (world, position)]
    ways = [{(cell, up) for cell, (_, up) in each.tower.items()} for each in (world, position)]
    piles = zip(*([*each.hands, each.reserve, each.gone] for each in (world, position)), strict=False)
    return (
        (fixed(world), fronts[0], ways[0]) == (fixed(position), fronts[1], ways[1])
        and position.marks.items() <= world.marks.items()
        and same(world.deck, position.deck)
        and all(card in (None, world.tower[cell][0]) for cell, (card, _) in position.tower.items())
        and all(len(new) == len(old) and {*old} - {None} <= {*new} for new, old in piles)
    )


def marked(position: Table) -> Table:
    """The table of a position; marks not given count as two diamonds."""
    marks: dict[Card, str] = {**dict.fromkeys(range(1, 51), "2"), **position.marks}
    return replace(position, marks=marks, astray=any(orders(position.tower, position.rulings)))
