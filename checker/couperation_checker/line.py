"""The claim `table-completable`: a world of the position, and a line that wins from there."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from couperation_checker.notation import Card, same
from couperation_checker.orders import orders
from couperation_checker.position import Rulings, Table, read
from couperation_checker.record import read_turn
from couperation_checker.strict import Work, need
from couperation_checker.tower import Fault
from couperation_checker.turns import turn_broken

SHAPE = {"world": ".*", "line": [".*"]}


def line_faults(text: str, rulings: Rulings, evidence: dict[str, Any], work: Work) -> Iterator[Fault]:
    """What is wrong with a line; Refused where a text cannot be read or the world does not show enough."""
    position, world = (read(each, rulings, mover=True, work=work) for each in (text, evidence["world"]))
    need("WORLD", _refines(world, position), "the world is no completion of the position")
    need("UNSEEN", shown(world), "the world has a card that is not shown")
    table = marked(world)
    for place, line in enumerate(evidence["line"], 1):
        broken = list(turn_broken(table, read_turn(line), place))
        if broken:
            yield "BROKEN", f"turn {place} of the line breaks {broken[0][0]}"
            return
    if table.result != "win":
        yield "WIN", "the line does not end in a win"


def shown(position: Table) -> bool:
    """Whether a position shows every card."""
    return None not in position.seen.union(position.gone)


def _refines(world: Table, position: Table) -> bool:
    """Whether a position shows all that another one shows, and differs in nothing else."""
    fixed = [(each.names, each.finish, each.first, each.touched) for each in (world, position)]
    fronts = [["F" in hand for hand in each.hands] for each in (world, position)]
    towers = [{(cell, up): card for cell, (card, up) in each.tower.items()} for each in (world, position)]
    piles = zip(*([*each.hands, each.reserve, each.gone] for each in (world, position)), strict=False)
    return (
        fixed[0] == fixed[1]
        and fronts[0] == fronts[1]
        and position.marks.items() <= world.marks.items()
        and same(world.deck, position.deck)
        and towers[0].keys() == towers[1].keys()
        and all(old in (None, towers[0][lies]) for lies, old in towers[1].items())
        and all(len(new) == len(old) and {*old} - {None} <= {*new} for new, old in piles)
    )


def marked(position: Table) -> Table:
    """The table of a position; marks not given count as two diamonds."""
    marks: dict[Card, str] = {**dict.fromkeys(range(1, 51), "2"), **position.marks}
    return replace(position, marks=marks, astray=any(orders(position.tower, position.rulings)))
