"""The claim `table-completable`: a world of the position, and a line that wins from there."""

from collections.abc import Iterator
from typing import Any

from couperation_checker import counting
from couperation_checker.record import Record, read_cards, read_turn
from couperation_checker.strict import need
from couperation_checker.table import read_table
from couperation_checker.tower import Fault
from couperation_checker.turns import Table, turn_broken

Rulings = dict[str, str]
SHAPE = {"world": ".*", "line": [".*"]}


def line_faults(text: str, rulings: Rulings, evidence: dict[str, Any]) -> Iterator[Fault]:
    """What is wrong with a line; Refused where a text cannot be read or the world does not show enough."""
    position, world = read_table(text), read_table(evidence["world"])
    need("WORLD", _refines(world, position), "the world is no completion of the position")
    need("UNSEEN", shown(world), "the world has a card that is not shown")
    table = opened(world, rulings)
    for place, line in enumerate(evidence["line"], 1):
        broken = list(turn_broken(table, read_turn(line), place))
        if broken:
            yield "BROKEN", f"turn {place} of the line breaks {broken[0][0]}"
            return
    if table.result != "win":
        yield "WIN", "the line does not end in a win"


def _piles(position: counting.Table) -> list[list[str]]:
    return [*position.hands, position.reserve, position.gone]


def shown(position: counting.Table) -> bool:
    """Whether a position shows every card."""
    return not any("?" in card for pile in (*_piles(position), position.deck, position.tower.values()) for card in pile)


def _refines(world: counting.Table, position: counting.Table) -> bool:
    """Whether a position shows all that another one shows, and differs in nothing else."""
    fixed = [
        (each.names, each.finish, each.front, each.mover, each.last, each.tower.keys(), len(each.deck))
        for each in (world, position)
    ]
    if fixed[0] != fixed[1] or not position.marks.items() <= world.marks.items():
        return False
    places = [(world.tower[cell], card) for cell, card in position.tower.items()]
    places += zip(world.deck, position.deck, strict=True)
    return all(old in (new, "?") or (old, new[0]) == ("~?", "~") for new, old in places) and all(
        len(new) == len(old) and set(old) - {"?"} <= set(new)
        for new, old in zip(_piles(world), _piles(position), strict=True)
    )


def opened(position: counting.Table, rulings: Rulings) -> Table:
    """The table of a position that shows every card, before its draw; marks not given count as two diamonds."""
    hands = [read_cards([*hand, "F"] if seat == position.front else hand) for seat, hand in enumerate(position.hands)]
    reserve, deck = read_cards(position.reserve), read_cards(position.deck)
    marks = dict.fromkeys(range(1, 51), "2") | {int(card): mark for card, mark in position.marks.items()}
    deals = dict(zip(position.names, hands, strict=True))
    record = Record(tuple(position.names), position.finish, marks, deals, reserve, deck, (), "*")
    table = Table(record, rulings)
    cells = zip(position.tower, read_cards(card.lstrip("~") for card in position.tower.values()), strict=True)
    table.tower = {cell: (card, position.tower[cell][0] != "~") for cell, card in cells}
    table.first, table.hidden, table.deck = position.mover, set(), list(deck)
    table.laid = table.touched = position.last
    table.moved = position.tower["g1"] != "25"
    return table
