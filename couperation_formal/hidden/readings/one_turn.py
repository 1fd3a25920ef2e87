"""Under which readings a question has which answer, asked as seldom as possible.

A question is asked of a reading with no option chosen. Where it asks for one, it is asked again for each option of that
ruling: so it is asked about just the rulings that it reads, and what it does not read cannot change its answer. One
that can only turn from no to yes as rulings grow laxer is asked of the strictest and the laxest reading before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial, reduce
from itertools import product
from operator import or_
from typing import Any, NamedTuple, NoReturn, TypeVar, cast

from couperation_formal.game.record import Open
from couperation_formal.game.rules import ending as limits
from couperation_formal.game.rules.arrangement import within
from couperation_formal.game.rules.clauses import ASKED, ORDER_RULINGS, Clause
from couperation_formal.game.rules.ending import Ending
from couperation_formal.game.rules.moves import may_allow, some_action
from couperation_formal.game.rules.step import Step
from couperation_formal.game.rulings import RULING_NAMES, Rulings
from couperation_formal.game.tower import FINISH
from couperation_formal.hidden.readings.sets import Readings, reading_at, space

T = TypeVar("T")

CHAINS: dict[str, tuple[str, ...]] = {
    "anchor": ("middle", "floating"),
    "spread": ("adjacent", "anywhere"),
    "row_order": ("strict", "weak"),
    "between": ("strict", "inclusive"),
    "facedown": ("deck", "integers", "ignored"),
    "replace_target": ("facedown_only", "not_anchor", "any"),
    "take_sent": ("forbidden", "allowed"),
    "reserve_face": ("up", "either"),
    "finish_value": ("25", "apex_free", "none"),
    "opened_against": ("loses", "stands"),
    "replacements": ("once", "each"),
}
"""Options from the strictest to the laxest: what one allows the next allows too."""


class _Open(Exception):
    """An option was asked for that is not chosen."""


class _Partly:
    """A reading some of whose options are chosen. To ask for another one raises `_Open` with the ruling's name."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self.__dict__.update(chosen)

    def __getattr__(self, name: str) -> NoReturn:
        if name in RULING_NAMES:
            raise _Open(name)
        raise AttributeError(name)

    def option(self, name: str) -> Any:
        """The option of a ruling."""
        return getattr(self, name)


def answers(ask: Callable[[Rulings], T], fixed: Mapping[str, str] | None = None) -> Iterator[tuple[T, dict[str, str]]]:
    """Every answer with the options that lead to it, of rulings beside the `fixed` ones; all others are free. Together
    they are all readings. Cost: a question for each, and one for each ruling asked for on the way.
    """
    fixed = fixed or {}
    waiting: list[dict[str, str]] = [{}]
    while waiting:
        chosen = waiting.pop()
        try:
            found = ask(cast("Rulings", _Partly({**fixed, **chosen})))
        except _Open as asked:
            name = str(asked)
            waiting += [{**chosen, name: option} for option in reversed(space().options[name])]
        else:
            yield found, chosen


def box(chosen: Mapping[str, str]) -> Readings:
    """The readings that choose these options."""
    return Readings.of([{name: (option,) for name, option in chosen.items()}])


@lru_cache(maxsize=2)
def corner(end: int) -> Rulings:
    """The reading with the strictest (0) or the laxest (-1) option of every chain, and the first of other rulings."""
    return reading_at(0).with_changes({name: options[end] for name, options in CHAINS.items()})


def where(holds: Callable[[Rulings], bool], fixed: Mapping[str, str] | None = None) -> Readings:
    """The readings under which `holds`, which stays true when options move up their chains and reads no ruling without
    one, but those `fixed`. Cost: one question where the strictest reading answers yes, two where the laxest says no.
    """
    fixed = fixed or {}
    if holds(corner(0).with_changes(dict(fixed))):
        return Readings.every()
    if not holds(corner(-1).with_changes(dict(fixed))):
        return Readings.none()
    return reduce(or_, (box(chosen) for found, chosen in answers(holds, fixed) if found))


# One turn under all readings at once: which of them it breaks, which it leaves in doubt, and how it ends the game.
#
# Carrying out a turn does not depend on the rulings, so there is one step for all readings, and every clause is asked
# what it reads there.

_ORDERS = frozenset({"TOW01", "TOW02", "TOW07"})
_LIMITS = frozenset({"LIM01", "LIM02"})


class TurnReadings(NamedTuple):
    """The readings that a turn breaks, and those for which the record does not show enough of it."""

    broken: Readings
    doubted: Readings


class Ended(NamedTuple):
    """A way in which a turn ends the game, the readings under which it does, and one of them."""

    end: Ending
    readings: Readings
    rulings: Rulings


def judge(step: Step, ends: list[Ended]) -> TurnReadings:
    """The turn's clauses under all readings; `ends` is `endings(step)`."""
    broken = doubted = Readings.none()
    asked = ASKED[type(step.turn.action)]
    if step.cell is not None and any(clause.id in _ORDERS for clause in asked):
        broken |= ~_where(partial(_ordered, step), step)
    for clause in asked:
        if clause.id in _ORDERS:
            continue
        if clause.id == "ACT01" and not step.drawn.tower.down and step.drawn.owned(step.player):
            found = _no_action(step)
        elif clause.id in _LIMITS:
            found = _limit(clause, step, ends)
        else:
            found = _judged(clause, step)
        broken |= found.broken
        doubted |= found.doubted
    return TurnReadings(broken, doubted)


def _judged(
    clause: Clause, step: Step, own: Readings | None = None, fixed: dict[str, str] | None = None
) -> TurnReadings:
    """What one clause says under the readings of `own`, all where left out."""
    broken = doubted = Readings.none()
    for finding, chosen in answers(partial(clause.check, step), fixed):
        if finding is not None:
            readings = box(chosen) if own is None else box(chosen) & own
            broken |= readings if finding.sure else Readings.none()
            doubted |= Readings.none() if finding.sure else readings
    return TurnReadings(broken, doubted)


def _ordered(step: Step, rulings: Rulings) -> bool:
    """The orders of TOW01, TOW02 and TOW07 together, wherever the card lies. Together they are monotone; TOW07 alone
    keeps silent where an order between up cards fails, all three where the card has no place, which breaks a clause of
    its own.
    """
    return limits.in_order(step, rulings) and step.failing_chain(rulings) is None


def _where(holds: Callable[[Rulings], bool], step: Step) -> Readings:
    """The readings under which the orders hold, which is monotone on a tower that was in order under all of them."""
    if not step.was_astray(corner(0)):
        return where(holds)
    return reduce(or_, (box(chosen) for found, chosen in answers(holds) if found), Readings.none())


def _limit(clause: Clause, step: Step, ends: list[Ended]) -> TurnReadings:
    """LIM01 or LIM02, whose answer depends on how the turn ends the game, and maybe on [finish_reserve_count]."""
    broken = doubted = Readings.none()
    for _, readings, rulings in ends:
        found = _judged(clause, step, readings, _all_but(("finish_reserve_count",), rulings))
        broken |= found.broken
        doubted |= found.doubted
    return TurnReadings(broken, doubted)


def _all_but(names: tuple[str, ...], rulings: Rulings) -> dict[str, str]:
    return {each: rulings.option(each) for each in RULING_NAMES if each not in names}


def _no_action(step: Step) -> TurnReadings:
    """ACT01 for ``-``, where no card is down and the player owns some.

    Whether an action exists is monotone in all rulings that it reads but `finish_value`: a Finish card without a number
    fits more cells, and can no longer be sent or taken (`spec/dispute.md`). An unseen card may allow an action that the
    known ones do not; an unseen up card in the tower may bar one.
    """
    state, player = step.drawn, step.player

    def possible(rulings: Rulings) -> bool:
        return some_action(state, player, rulings) is not None

    if state.tower.hidden:
        return TurnReadings(Readings.none(), Readings.every())
    about = state.front == player or FINISH in state.reserve.known or state.tower.finish is not None
    found = Readings.none()
    for fixed in _fixed(step, about):
        found |= where(possible, {"finish_value": "25", **fixed}) & box(fixed)
    return TurnReadings(found, ~found if may_allow(state, player) else Readings.none())


def _fixed(step: Step, about: bool) -> list[dict[str, str]]:
    """The options that `_no_action` has to fix so that the rest is monotone: those of the orders and of the pyramids
    too, where the tower was wrong before under some reading.
    """
    before, strict = step.before, corner(0)
    names: tuple[str, ...] = ("finish_value",) if about else ()
    if step.was_astray(strict):
        names = ORDER_RULINGS
    if before.stands and not within(before.tower, before.board, strict):
        names = (*names, "anchor")
    return [dict(zip(names, each, strict=True)) for each in product(*(space().options[name] for name in names))]


def endings(step: Step) -> list[Ended]:
    """How the turn ends the game, each way with its readings; together they are all readings."""
    parts = [(Readings.every(), corner(0))]
    opens = isinstance(step.turn.action, Open)
    if step.cell is not None and (opens or step.acted.tower.all_up):
        kept = _where(
            lambda rulings: not limits.end02_opened(step, rulings) if opens else limits.in_order(step, rulings), step
        )
        parts = [(part, part.member()) for part in (kept, ~kept) if part]
    found: dict[Ending, Ended] = {}
    for readings, rulings in parts:
        for end, chosen in answers(partial(limits.ending, step), _all_but(("early_apex", "no_action"), rulings)):
            before = found.get(end)
            own = readings & box(chosen)
            own = own if before is None else before.readings | own
            found[end] = Ended(end, own, rulings.with_changes(chosen))
    return list(found.values())
