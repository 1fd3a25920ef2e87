"""One turn under all readings at once: which of them it breaks, which it leaves in doubt, and how it ends the game.

Carrying out a turn does not depend on the rulings, so there is one step for all readings. A clause is asked once for
each way to choose the rulings that it consults at this step (`rules.consulted`), and less often where its answer is
monotone (`dispute.lattice`).
"""

from __future__ import annotations

from typing import NamedTuple

from couperation_formal.dispute.lattice import choices, strictest, where
from couperation_formal.dispute.readings import Readings
from couperation_formal.model.cards import FINISH, UNSEEN, Up
from couperation_formal.model.record import Open
from couperation_formal.model.rulings import Rulings
from couperation_formal.rules import ending as limits
from couperation_formal.rules.clauses import ASKED, Clause
from couperation_formal.rules.consulted import consulted, ending_consults, order_consults
from couperation_formal.rules.ending import Ending
from couperation_formal.rules.moves import some_action
from couperation_formal.rules.step import Step
from couperation_formal.rules.towers import tow01, tow02, tow07

_ORDERS = frozenset({"TOW01", "TOW02", "TOW07"})
_LIMITS = frozenset({"LIM01", "LIM02"})


class Judged(NamedTuple):
    """The readings that a turn breaks, and those for which the record does not show enough of it."""

    broken: Readings
    doubted: Readings


class Ended(NamedTuple):
    """A way in which a turn ends the game, the readings under which it does, and one of them."""

    end: Ending
    readings: Readings
    rulings: Rulings


def judge(step: Step, ends: list[Ended]) -> Judged:
    """The turn's clauses under all readings; `ends` is `endings(step)`."""
    broken = doubted = Readings.none()
    orders_asked = False
    for clause in ASKED[type(step.turn.action)]:
        if clause.id in _ORDERS:
            if not orders_asked:
                orders_asked = True
                kept = _orders_kept(step)
                if kept is not Readings.every():
                    broken |= ~kept
            continue
        found = _judged(clause, step, ends)
        if found is not None:
            broken |= found.broken
            doubted |= found.doubted
    return Judged(broken, doubted)


def _judged(clause: Clause, step: Step, ends: list[Ended]) -> Judged | None:
    """What one clause says; None where it holds under all readings."""
    names = consulted(clause.id, step)
    if not names:
        finding = clause.check(step, strictest())
        if finding is None:
            return None
        every, none = Readings.every(), Readings.none()
        return Judged(every, none) if finding.sure else Judged(none, every)
    if clause.id == "ACT01":
        return _no_action(step)
    if clause.id in _LIMITS:
        return _limit(clause, step, ends, "finish_reserve_count" in names)
    broken = doubted = Readings.none()
    for rulings, readings in choices(names):
        finding = clause.check(step, rulings)
        if finding is not None and finding.sure:
            broken |= readings
        elif finding is not None:
            doubted |= readings
    return Judged(broken, doubted)


def _orders_kept(step: Step) -> Readings:
    """Where TOW01, TOW02 and TOW07 hold together. Together they are monotone, TOW07 alone is not: it keeps silent
    where an order between up cards fails.
    """
    if step.cell is None:
        return Readings.every()

    def hold(rulings: Rulings) -> bool:
        return all(check(step, rulings) is None for check in (tow01, tow02, tow07))

    return where(hold, order_consults(step))


def _limit(clause: Clause, step: Step, ends: list[Ended], counts: bool) -> Judged:
    """LIM01 or LIM02, whose answer depends on how the turn ends the game, and maybe on [finish_reserve_count]."""
    broken = doubted = Readings.none()
    for _, readings, rulings in ends:
        for chosen, part in choices(("finish_reserve_count",) if counts else ()):
            changed = rulings.with_changes({"finish_reserve_count": chosen.finish_reserve_count})
            finding = clause.check(step, changed)
            if finding is not None and finding.sure:
                broken |= readings & part
            elif finding is not None:
                doubted |= readings & part
    return Judged(broken, doubted)


def _no_action(step: Step) -> Judged:
    """ACT01 for ``-``, where no card is down and the player owns some.

    Whether an action exists is monotone in all rulings that it consults but `finish_value`: a Finish card without a
    number fits more cells, and can no longer be sent or taken (`spec/dispute.md`). An unseen card may allow an action
    that the known ones do not; an unseen up card in the tower may bar one.
    """
    state, player = step.drawn, step.player

    def possible(rulings: Rulings) -> bool:
        return some_action(state, player, rulings) is not None

    names = tuple(name for name in consulted("ACT01", step) if name != "finish_value")
    about = state.front == player or FINISH in state.reserve.known or state.tower.finish is not None
    found = Readings.none()
    for rulings, readings in choices(("finish_value",) if about else ()):
        found |= where(possible, names, rulings) & readings
    none = Readings.none()
    if any(type(laid) is Up and laid.card is UNSEEN for laid in state.tower.cells.values()):
        return Judged(none, Readings.every())
    hidden = state.hands[player].unseen or (state.reserve.unseen and state.owned(player) > 1)
    return Judged(found, ~found if hidden else none)


def endings(step: Step) -> list[Ended]:
    """How the turn ends the game, each way with its readings; together they are all readings."""
    names = ending_consults(step)
    if not names:
        return [Ended(limits.ending(step, strictest()), Readings.every(), strictest())]
    parts = [Ended(None, Readings.every(), strictest())]
    if isinstance(step.turn.action, Open) and step.cell is not None:
        kept = where(lambda rulings: not limits.end02_opened(step, rulings), order_consults(step))
        parts = [Ended(None, part, part.member()) for part in (kept, ~kept) if part]
    found: dict[Ending, Ended] = {}
    for _, readings, rulings in parts:
        for chosen, part in choices(("early_apex",) if "early_apex" in names else ()):
            changed = rulings.with_changes({"early_apex": chosen.early_apex})
            end = limits.ending(step, changed)
            before = found.get(end)
            own = readings & part
            found[end] = Ended(end, own if before is None else before.readings | own, changed)
    return list(found.values())
