"""What a turn is asked on a table that stands as it was played: of a tower that was wrong before it answers for its own
card only (spec/dispute.md, *A turn by itself*).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from itertools import product
from typing import Any, NamedTuple

from couperation_formal.formula.cases import Part
from couperation_formal.formula.circuit import FALSE, TRUE, Formula, no
from couperation_formal.formula.names import Names
from couperation_formal.model.board import Board, Cell
from couperation_formal.rules.arrangement import extension_key
from couperation_formal.rules.orders import OrderClause, orders

_ORDERS = ("TOW01", "TOW02", "TOW07")
_PLACES = ("TOW03", "TOW04", "TOW05")


class Before(NamedTuple):
    """Whether the tower was in order before the turn (TOW01, TOW02, TOW07, this but where an opened card may leave no
    numbers), and inside one pyramid (TOW04).
    """

    board: Board
    ordered: Formula
    inside: Formula


def before_of(names: Names, board: Board) -> Before | None:
    """What the tower was before the turn that `names`, without an action yet, stand for; None where nothing was wrong
    with it.
    """
    lift = names.lift
    left = lift.both(names.value("turned"), lift.equal(names.value("opened_against"), "stands"))
    numbered = lift.either(names.value("numbered"), left)
    ordered = lift.both(names.call("in_order", (names.value("num2"),)), numbered)
    some = next(iter(lift.entries(names.value("W"))), None)
    inside = names.given({"settled": some}).value("TOW04")
    return None if ordered == inside == TRUE else Before(board, ordered, inside)


def own_orders(names: Names) -> Formula:
    """Whether the orders between the card that the turn lays or opens and each other up card hold."""
    lift, cell = names.lift, names.value("settled")
    cell = names.value("opened") if cell is None else cell
    numbers = lift.entries(names.value("num2"))
    if cell is None or cell not in numbers:
        return TRUE
    pairs = [Part({cell: numbers[cell], other: number}) for other, number in numbers.items() if other != cell]
    return lift.all_of(names.call("in_order", (pair,)) for pair in pairs)


def own_chains(names: Names, board: Board) -> Formula:
    """Whether the chains of orders through down cards hold that the card laid or opened last is part of: from an up
    card, or the deck's least number, to it or through it to the next one, or the deck's greatest (TOW07).
    """
    lift, cell = names.lift, names.value("touched2")
    down = {Cell(*at) for at, here in lift.members(names.value("down2")).members.items() if here != FALSE}
    numbers = {Cell(*at): number for at, number in lift.entries(names.value("num2")).items()}
    if cell is None or not down:
        return TRUE
    own, cards, kept = Cell(*cell), names.value("cards"), []
    asked = no(lift.equal(names.value("facedown"), "ignored"))
    deck = lift.equal(names.value("facedown"), "deck")
    strict = [lift.equal(names.value(ruling), "strict") for ruling in ("row_order", "between")]
    for row, between in product((True, False), repeat=2):
        steps: dict[OrderClause, int] = {"TOW01": int(row), "TOW02": int(between)}
        below = _distances(board, steps, own, down, numbers, False)
        above = _distances(board, steps, own, down, numbers, True)
        if own in down:
            pairs = [(low, some + more, high) for low, some in below.items() for high, more in above.items()]
        else:
            pairs = [(low, some, own) for low, some in below.items()]
            pairs += [(own, more, high) for high, more in above.items()]
        options = [when if wanted else no(when) for when, wanted in zip(strict, (row, between), strict=True)]
        for low, length, high in pairs:
            one, other = 1 if low is None else numbers.get(low), cards if high is None else numbers.get(high)
            shown = [asked, *options, lift.here(one), lift.here(other), deck if None in (low, high) else TRUE]
            kept.append(lift.circuit.implies(lift.all_of(shown), lift.at_most(one, length, other)))
    return lift.all_of(kept)


def _distances(
    board: Board, steps: Mapping[OrderClause, int], own: Cell, down: Set[Cell], up: Collection[Cell], rising: bool
) -> dict[Cell | None, int]:
    """How far a cell is from each up card that a chain through down cards leads to, upwards or downwards; by None how
    far from the last down card. The neighbours of an up card are left out.
    """
    near = orders(board).above if rising else orders(board).below
    longest, found = {own: 0}, dict[Cell | None, int]()
    for cell in (own, *sorted(down - {own}, key=extension_key, reverse=not rising)):
        if cell not in longest:
            continue
        if cell in down:
            found[None] = max(longest[cell], found.get(None, 0))
        for clause, step in steps.items():
            for other in near[clause][cell]:
                if other in down:
                    longest[other] = max(longest[cell] + step, longest.get(other, 0))
                elif other in up and cell in down:
                    found[other] = max(longest[cell] + step, found.get(other, 0))
    return found


def loosened(names: Names, before: Before, clause: str) -> Iterator[Formula]:
    """The lines of a clause, those of the tower asked as far as the turn answers for it; those of TOW01 and TOW07
    hold the orders of its own card, where it has a place.
    """
    lift, cell = names.lift, names.value("settled")
    if clause == "TOW04":
        own = TRUE if cell is None else names.given({"W2": {cell: ("Up", ("F",))}}).value("TOW04")
        yield lift.all_of(lift.circuit.implies(before.inside, line) for line in names.lines(clause))
        yield lift.either(before.inside, own)
    elif clause not in _ORDERS:
        yield from names.lines(clause)
    elif cell is not None:
        placed = lift.all_of(line for each in _PLACES for line in loosened(names, before, each))
        for line in names.given({"ordered": cell}).lines(clause):
            yield lift.circuit.implies(lift.both(before.ordered, placed), line)
        if clause == "TOW01":
            yield lift.circuit.implies(placed, own_orders(names))
        if clause == "TOW07":
            kept = lift.either(no(own_orders(names)), own_chains(names, before.board))
            yield lift.circuit.implies(placed, lift.either(before.ordered, kept))


def ends(names: Names, before: Before) -> dict[str, Any]:
    """How the turn ends the game: on a tower that was out of order its own card decides whether the orders hold."""
    lift, own = names.lift, own_orders(names)
    astray, opened = no(before.ordered), names.value("opened") is not None
    stands = lift.equal(names.value("opened_against"), "stands")
    kept = lift.both(own, lift.either(stands, own_chains(names, before.board))) if opened else own
    lost, won = names.value("lost"), names.value("won")
    completes = names.value("settled") is not None or opened
    completed = lift.both(names.value("full"), own) if completes else FALSE
    on_completion = lift.equal(names.value("early_apex"), "win_on_completion")
    return {
        "lost": lift.either(lift.both(before.ordered, lost), lift.both(astray, no(kept) if opened else lost)),
        "won": lift.either(
            lift.both(before.ordered, won),
            lift.both(astray, lift.either(lift.both(on_completion, completed), lift.both(no(on_completion), won))),
        ),
    }
