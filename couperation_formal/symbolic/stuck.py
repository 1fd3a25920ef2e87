"""Whether a player has some legal action (`legal`), as a formula over unseen cards (ACT01, END03).

Every action is asked for at once, not tried: a card of one's own on a free cell, up or down, and a card that some two
own cards pay for (ACT05) on a free or a taken one. [adjust] plays no part: with k further own cards every change from
-k to k can be had, by cards that all add or all subtract. What a cell, a pair of numbers or a replaced card allows is
asked of the formulas (spec/symbolic.md, *Stuck*).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from couperation_formal.formula.cases import Many
from couperation_formal.formula.circuit import FALSE, TRUE, Formula, no
from couperation_formal.formula.collected import Values
from couperation_formal.formula.names import Names
from couperation_formal.model.board import Board, Cell
from couperation_formal.rules.orders import CLAUSES, orders
from couperation_formal.symbolic.standing import Before, loosened, own_chains

_FINISH = ("F",)
_GLASS = ("Glass", 1)
"""Any Glass card: what is asked with it does not hang on its number."""

_TRIED: Final = 100
"""The steps that an action takes when formulas are asked of it."""

_RELATION = {"TOW01": "<row", "TOW02": "<btw"}


class _Place(NamedTuple):
    """A cell on which a card may come to lie: where it may, and the numbers of the tower that it joins."""

    cell: Cell
    free: Formula
    numbers: Mapping[Any, Any]
    down: Formula


def some_action(names: Names, board: Board, before: Before | None = None) -> Formula:
    """Whether the player, after the draw, has a legal action. Cost: cards times cells times the orders of a cell."""
    lift = names.lift
    tower = lift.entries(names.value("W"))
    if any(lift.parts(laid, "Down")[0] != FALSE for laid in tower.values()):
        return TRUE
    own = lift.members(names.value("own1"))
    if not own.members:
        return FALSE
    empty = list(_empty(names, board, before))
    hand = lift.join(
        lambda one, other: one + other,
        lift.size(lift.at(names.value("H"), names.value("p"))),
        names.value("glass_drawn"),
    )
    # the number of cards in a hand is known though the cards are not: said like this, no solver has to count them
    glass = lift.at_most(1, 0, hand)
    actions = []
    for place in empty:
        for card, here in own.members.items():
            actions.append(lift.all_of((place.free, here, _fits(names, board, place, card))))
        actions.append(lift.all_of((place.free, glass, place.down)))
    takeable = _takeable(names, own, lift.join(lambda size, more: size + more, hand, _front(names)))
    either = lift.equal(names.value("reserve_face"), "either")
    for place in (*empty, *_taken(names, before)):
        for card, here in takeable.items():
            fits = _fits(names, board, place, card)
            if card != _FINISH:
                fits = lift.either(fits, lift.both(either, place.down))
            actions.append(lift.all_of((place.free, here, fits)))
    return lift.any_of(actions)


def _tried(names: Names, action: Any) -> Names:
    """What the names stand for with this action."""
    names.lift.circuit.budget.spend(_TRIED)
    return names.given({"a": action})


def _front(names: Names) -> Any:
    """1 where the player has F in front after the draw, else 0."""
    here = names.lift.equal(names.value("f1"), names.value("p"))
    return names.lift.choose(here, 1, 0)


def _empty(names: Names, board: Board, before: Before | None) -> Iterator[_Place]:
    """The empty cells on which the shape allows a card, each with the readings that allow it (TOW03 to TOW06)."""
    lift = names.lift
    tower = lift.entries(names.value("W"))
    for cell in sorted(orders(board).cells):
        at = tuple(cell)
        if at in tower or any(tuple(support) not in tower for support in (cell.supports if cell.level > 1 else ())):
            continue
        tried = _tried(names, ("A", _GLASS, at))
        shape = (tried.value(clause) for clause in ("TOW03", "TOW05", "TOW06"))
        free = lift.all_of((*shape, _inside(tried, before)))
        if free != FALSE:
            numbers = {x: number for x, number in lift.entries(tried.value("num2")).items() if x != at}
            yield _Place(cell, free, numbers, _down(names, ("B", _GLASS, at), before))


def _inside(tried: Names, before: Before | None) -> Formula:
    return tried.value("TOW04") if before is None else tried.lift.all_of(loosened(tried, before, "TOW04"))


def _taken(names: Names, before: Before | None) -> Iterator[_Place]:
    """The cells whose up card D may replace (ACT07), with the tower that is left."""
    lift = names.lift
    for at, laid in sorted(lift.entries(names.value("W")).items(), key=lambda pair: pair[0]):
        built = lift.built_of("D", (_GLASS, ("Plus",), _GLASS, (), ("Up", _GLASS), at, lift.built_of("Was", (laid,))))
        tried = _tried(names, built)
        down = lift.built_of("D", (_GLASS, ("Plus",), _GLASS, (), ("Down", _GLASS), at, lift.built_of("Was", (laid,))))
        numbers = {x: number for x, number in lift.entries(tried.value("num2")).items() if x != at}
        free = lift.both(tried.value("ACT07"), _inside(tried, before))
        yield _Place(Cell(*at), free, numbers, _down(names, down, before))


def _down(names: Names, action: Any, before: Before | None) -> Formula:
    """Whether a Glass card may lie down where an action lays it (TOW07, TOW08)."""
    tried = _tried(names, action)
    apex = tried.value("TOW08")
    if apex == FALSE:
        return FALSE
    ordered = tried.call("in_order", (tried.value("num2"),))  # where the tower is not, no turn comes
    lift = names.lift
    kept = lift.circuit.implies(ordered, tried.value("numbered"))
    if before is not None:
        kept = lift.both(
            lift.circuit.implies(before.ordered, kept), lift.either(before.ordered, own_chains(tried, before.board))
        )
    return lift.both(apex, kept)


def _fits(names: Names, board: Board, place: _Place, card: Any) -> Formula:
    """Whether the card may lie up on the cell; no card of the tower is down (TOW01, TOW02, TOW08)."""
    lift, cell = names.lift, place.cell
    apex = _tried(names, ("A", card, tuple(cell))).value("TOW08") if cell.level == board.levels else TRUE
    number = names.call("num", (card,))
    here = lift.both(lift.here(number), no(names.call("waived", (tuple(cell), card))))
    kept = [apex]
    for clause in CLAUSES:
        below, above = orders(board).below[clause][cell], orders(board).above[clause][cell]
        pairs = [(place.numbers.get(tuple(other)), number) for other in below]
        pairs += [(number, place.numbers.get(tuple(other))) for other in above]
        for one, other in pairs:
            shown = lift.all_of((here, lift.here(one), lift.here(other)))
            if shown != FALSE:
                kept.append(lift.circuit.implies(shown, names.call(_RELATION[clause], (one, other))))
    return lift.all_of(kept) if here != FALSE else apex


def _takeable(names: Names, own: Many, count: Any) -> Mapping[Any, Formula]:
    """For each card whether D can take it: some two own cards pay for it, with the others to adjust (ACT05, ACT06)."""
    lift = names.lift
    again = lift.equal(names.value("take_sent"), "allowed")
    reserve = lift.members(names.value("R")).members
    numbers = {card: names.call("num", (card,)) for card in {*own.members, *reserve}}
    paid: dict[Any, list[Formula]] = {}
    cards = list(own.members)
    for i, first in enumerate(cards):
        for second in cards[i + 1 :]:
            both = lift.both(own.members[first], own.members[second])
            if both == FALSE:
                continue
            for target in {*reserve, first, second}:
                there = reserve.get(target, FALSE)
                if target in (first, second):
                    there = lift.either(there, again)
                pays = _pays(lift, numbers, first, second, target, count)
                if pays != FALSE:
                    paid.setdefault(target, []).append(lift.all_of((both, there, pays)))
    return {card: lift.any_of(ways) for card, ways in paid.items()}


def _pays(lift: Values, numbers: Mapping[Any, Any], first: Any, second: Any, target: Any, count: Any) -> Formula:
    """Whether two cards pay for a third with as many others as one has."""
    sums = lift.join(lambda one, other: (one + other, abs(one - other)), numbers[first], numbers[second])
    change = lift.join(lambda pair, goal: min(abs(pair[0] - goal), abs(pair[1] - goal)), sums, numbers[target])
    return lift.at_most(change, 2, count)
