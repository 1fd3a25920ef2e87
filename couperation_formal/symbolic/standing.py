"""What a turn is asked on a table that stands as it was played: of a tower that was wrong before it answers for its own
card only (spec/dispute.md, *A turn by itself*).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from couperation_formal.formula.cases import Part
from couperation_formal.formula.circuit import FALSE, TRUE, Formula, no
from couperation_formal.formula.lifted import Table

_ORDERS = ("TOW01", "TOW02", "TOW07")


class Before(NamedTuple):
    """Whether the tower was in order before the turn (TOW01, TOW02, TOW07, this but where an opened card may leave no
    numbers), and inside one pyramid (TOW04).
    """

    ordered: Formula
    inside: Formula


def before_of(names: Table) -> Before | None:
    """What the tower was before the turn that `names`, without an action yet, stand for; None where nothing was wrong
    with it.
    """
    lift = names.lift
    left = lift.both(names.value("turned"), lift.equal(names.value("opened_against"), "stands"))
    numbered = lift.either(names.value("numbered"), left)
    ordered = lift.both(names.call("in_order", (names.value("num2"),)), numbered)
    some = next(iter(lift.entries(names.value("W"))), None)
    inside = names.given({"settled": some}).value("TOW04")
    return None if ordered == inside == TRUE else Before(ordered, inside)


def own_orders(names: Table) -> Formula:
    """Whether the orders between the card that the turn lays or opens and each other up card hold."""
    lift, cell = names.lift, names.value("ordered")
    cell = names.value("opened") if cell is None else cell
    numbers = lift.entries(names.value("num2"))
    if cell is None or cell not in numbers:
        return TRUE
    pairs = [Part({cell: numbers[cell], other: number}) for other, number in numbers.items() if other != cell]
    return lift.all_of(names.call("in_order", (pair,)) for pair in pairs)


def loosened(names: Table, before: Before, clause: str) -> Iterator[Formula]:
    """The lines of a clause, those of the tower asked as far as the turn answers for it; those of TOW01 hold the orders
    of its own card.
    """
    lift, lines = names.lift, names.lines(clause)
    if clause == "TOW04":
        cell = names.value("settled")
        own = TRUE if cell is None else names.given({"W2": {cell: ("Up", ("F",))}}).value("TOW04")
        yield lift.all_of(lift.circuit.implies(before.inside, line) for line in lines)
        yield lift.either(before.inside, own)
        return
    for line in lines:
        yield lift.circuit.implies(before.ordered, line) if clause in _ORDERS else line
    if clause == "TOW01" and names.value("ordered") is not None:
        yield own_orders(names)


def ends(names: Table, before: Before) -> dict[str, Any]:
    """How the turn ends the game: on a tower that was out of order its own card decides whether the orders hold."""
    lift, own = names.lift, own_orders(names)
    astray, opened = no(before.ordered), names.value("opened") is not None
    lost, won = names.value("lost"), names.value("won")
    completes = names.value("settled") is not None or opened
    completed = lift.both(names.value("full"), own) if completes else FALSE
    on_completion = lift.equal(names.value("early_apex"), "win_on_completion")
    return {
        "lost": lift.either(lift.both(before.ordered, lost), lift.both(astray, no(own) if opened else lost)),
        "won": lift.either(
            lift.both(before.ordered, won),
            lift.both(astray, lift.either(lift.both(on_completion, completed), lift.both(no(on_completion), won))),
        ),
    }
