"""The claims `record-legal` and `record-illegal`: spec/certificate.md, "Claims"."""

from collections.abc import Iterator
from typing import Any

from couperation_checker.notation import same
from couperation_checker.orders import Broken
from couperation_checker.position import Rulings
from couperation_checker.record import Record, read_record
from couperation_checker.strict import Work, need
from couperation_checker.tower import Fault
from couperation_checker.turns import begin, setup, turn_broken


def record_faults(text: str, rulings: Rulings, evidence: dict[str, Any], work: Work) -> Iterator[Fault]:
    """What is wrong with a claim about a record; Refused where a text cannot be read or does not show enough."""
    record = read_record(text, work)
    if "world" in evidence:
        world = read_record(evidence["world"], work)
        need("WORLD", _refines(world, record), "the world is no completion of the record")
        need("UNSEEN", _shown(world, len(world.turns)), "the world has a card that is not shown")
        place, broken = first_broken(world, rulings, len(world.turns), work)
        if broken:
            yield "BROKEN", f"turn {place} of the world breaks {broken[0][0]}"
        return
    wanted, clause = evidence["turn"], evidence["clause"]
    need("UNSEEN", not wanted or _shown(record, wanted), "the record has a card up to this turn that is not shown")
    place, broken = first_broken(record, rulings, wanted, work)
    if place != wanted:
        yield "TURN", f"turn {place} is illegal already" if broken else f"there is no turn {wanted}"
    elif clause not in dict(broken):
        yield "CLAUSE", f"turn {wanted} does not break {clause}"
    elif (clause, evidence["numbers"]) not in broken:
        yield "NUMBERS", f"turn {wanted} does not break {clause} with these numbers"


def first_broken(record: Record, rulings: Rulings, most: int, work: Work | None = None) -> tuple[int, list[Broken]]:
    """The first illegal turn up to `most`, 0 for the set-up, and all that it breaks; else the last one, and nothing."""
    broken, table, place = list(setup(record)), begin(record, rulings, work), 0
    for place, turn in enumerate(() if broken else record.turns[:most], 1):
        broken = list(turn_broken(table, turn, place))
        if broken:
            break
    reached = table.result or "unfinished"
    if not broken and place == len(record.turns) and record.result not in ("*", reached):
        broken = [("END05", {"stated": record.result, "reached": reached})]
    return place, broken


def _refines(world: Record, record: Record) -> bool:
    """Whether a record shows all that another one shows, and differs in nothing else."""
    deck = None if world.deck is None else world.deck[: len(record.deck or ())]
    lists = [(world.reserve, record.reserve), (deck, record.deck)]
    lists += [(world.deals.get(name), cards) for name, cards in record.deals.items()]
    for new, old in zip(world.turns, record.turns, strict=False):
        if new[:8] != old[:8] or ("F", None) in zip(new.draw, old.draw, strict=False):
            return False
        lists += zip(new[8:], old[8:], strict=True)
    fixed = [(each.players, each.finish, each.result, len(each.turns)) for each in (world, record)]
    return fixed[0] == fixed[1] and record.marks.items() <= world.marks.items() and all(same(*pair) for pair in lists)


def _shown(record: Record, turns: int) -> bool:
    """Whether the set-up and so many turns show every card that is not known from before."""
    shown = [record.deals.get(name) for name in record.players] + [record.reserve]
    for turn in record.turns[:turns]:
        shown += [turn.draw, turn.sent, turn.destroyed, turn.drop, turn.trim, () if turn.letter == "C" else turn.card]
    return not any(cards is None or None in cards for cards in shown)
