"""What a turn is asked where the tower is not known: whether it is in order, and whether nothing is possible."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from itertools import product
from operator import add
from typing import Any, Final, NamedTuple

from couperation_formal.formulas.circuit import FALSE, TRUE, Formula, Many, OpenMap, OpenValues, no
from couperation_formal.formulas.lifting import OpenNames
from couperation_formal.game.rules.arrangement import CLAUSES, OrderClause, extension_key, orders
from couperation_formal.game.tower import Board, Cell

# What a turn is asked on a table that stands as it was played: of a tower that was wrong before it answers for its own
# card only (spec/dispute.md, *A turn by itself*).

_ORDERS = ("TOW01", "TOW02", "TOW07")
_PLACES = ("TOW03", "TOW04", "TOW05")


class Before(NamedTuple):
    """Whether the tower was in order before the turn (TOW01, TOW02, TOW07, this but where an opened card may leave no
    numbers), and inside one pyramid (TOW04).
    """

    board: Board
    ordered: Formula
    inside: Formula


def before_of(names: OpenNames, board: Board) -> Before | None:
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


def own_orders(names: OpenNames) -> Formula:
    """Whether the orders between the card that the turn lays or opens and each other up card hold."""
    lift, cell = names.lift, names.value("settled")
    cell = names.value("opened") if cell is None else cell
    numbers = lift.entries(names.value("num2"))
    if cell is None or cell not in numbers:
        return TRUE
    pairs = [OpenMap({cell: numbers[cell], other: number}) for other, number in numbers.items() if other != cell]
    return lift.all_of(names.call("in_order", (pair,)) for pair in pairs)


def own_chains(names: OpenNames, board: Board) -> Formula:
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
    longest, farthest = {own: 0}, dict[Cell | None, int]()
    for cell in (own, *sorted(down - {own}, key=extension_key, reverse=not rising)):
        if cell not in longest:
            continue
        if cell in down:
            farthest[None] = max(longest[cell], farthest.get(None, 0))
        for clause, step in steps.items():
            for other in near[clause][cell]:
                if other in down:
                    longest[other] = max(longest[cell] + step, longest.get(other, 0))
                elif other in up and cell in down:
                    farthest[other] = max(longest[cell] + step, farthest.get(other, 0))
    return farthest


def loosened(names: OpenNames, before: Before, clause: str) -> Iterator[Formula]:
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


def ends(names: OpenNames, before: Before) -> dict[str, Any]:
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


# Whether a player has some legal action (`legal`), as a formula over unseen cards (ACT01, END03).
#
# Every action is asked for at once, not tried: a card of one's own on a free cell, up or down, and a card that some two
# own cards pay for (ACT05) on a free or a taken one. [adjust] plays no part: with k further own cards every change from
# -k to k can be had, by cards that all add or all subtract. What a cell, a pair of numbers or a replaced card allows is
# asked of the formulas (spec/symbolic.md, *Stuck*).

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


def some_action(names: OpenNames, board: Board, before: Before | None = None) -> Formula:
    """Whether the player, after the draw, has a legal action. Cost: cards times cells times the orders of a cell."""
    lift = names.lift
    tower = lift.entries(names.value("W"))
    if any(lift.parts(laid, "Down")[0] != FALSE for laid in tower.values()):
        return TRUE
    own = lift.members(names.value("own1"))
    if not own.members:
        return FALSE
    empty = list(_empty(names, board, before))
    hand = lift.join(add, lift.size(lift.at(names.value("H"), names.value("p"))), names.value("glass_drawn"))
    # the number of cards in a hand is known though the cards are not: said like this, no solver has to count them
    glass = lift.at_most(1, 0, hand)
    actions = []
    for place in empty:
        for card, here in own.members.items():
            actions.append(lift.all_of((place.free, here, _fits(names, board, place, card))))
        actions.append(lift.all_of((place.free, glass, place.down)))
    front = lift.choose(lift.equal(names.value("f1"), names.value("p")), 1, 0)
    takeable = _takeable(names, own, lift.join(add, hand, front))
    either = lift.equal(names.value("reserve_face"), "either")
    for place in (*empty, *_taken(names, before)):
        for card, here in takeable.items():
            fits = _fits(names, board, place, card)
            if card != _FINISH:
                fits = lift.either(fits, lift.both(either, place.down))
            actions.append(lift.all_of((place.free, here, fits)))
    return lift.any_of(actions)


def _tried(names: OpenNames, action: Any) -> OpenNames:
    """What the names stand for with this action."""
    names.lift.circuit.budget.spend(_TRIED)
    return names.given({"a": action})


def _empty(names: OpenNames, board: Board, before: Before | None) -> Iterator[_Place]:
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


def _inside(tried: OpenNames, before: Before | None) -> Formula:
    return tried.value("TOW04") if before is None else tried.lift.all_of(loosened(tried, before, "TOW04"))


def _taken(names: OpenNames, before: Before | None) -> Iterator[_Place]:
    """The cells whose up card D may replace (ACT07), with the tower that is left."""
    lift = names.lift
    for at, laid in sorted(lift.entries(names.value("W")).items(), key=lambda pair: pair[0]):
        was, pays = lift.built_of("Was", (laid,)), (_GLASS, ("Plus",), _GLASS, ())
        tried = _tried(names, lift.built_of("D", (*pays, ("Up", _GLASS), at, was)))
        down = lift.built_of("D", (*pays, ("Down", _GLASS), at, was))
        numbers = {x: number for x, number in lift.entries(tried.value("num2")).items() if x != at}
        free = lift.both(tried.value("ACT07"), _inside(tried, before))
        yield _Place(Cell(*at), free, numbers, _down(names, down, before))


def _down(names: OpenNames, action: Any, before: Before | None) -> Formula:
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


def _fits(names: OpenNames, board: Board, place: _Place, card: Any) -> Formula:
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


def _takeable(names: OpenNames, own: Many, count: Any) -> Mapping[Any, Formula]:
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


def _pays(lift: OpenValues, numbers: Mapping[Any, Any], first: Any, second: Any, target: Any, count: Any) -> Formula:
    """Whether two cards pay for a third with as many others as one has."""
    sums = lift.join(lambda one, other: (one + other, abs(one - other)), numbers[first], numbers[second])
    change = lift.join(lambda pair, goal: min(abs(pair[0] - goal), abs(pair[1] - goal)), sums, numbers[target])
    return lift.at_most(change, 2, count)
