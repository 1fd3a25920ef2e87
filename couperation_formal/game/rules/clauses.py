"""The clauses of a turn: which function asks each, and those of the four actions (ACT01 to ACT08) and SET06."""

from functools import cache
from typing import Literal

import msgspec

from couperation_formal.game.fact import Fact, Numbers, fact
from couperation_formal.game.record import Exchange, LayDown, LayUp, NoAction, Open
from couperation_formal.game.rules import turn
from couperation_formal.game.rules.arrangement import finish_number
from couperation_formal.game.rules.moves import Move, may_allow, some_action
from couperation_formal.game.rules.step import Check, Finding, Step, fails, lying, unsure
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import IN_DECK, Source, Stray
from couperation_formal.game.tower import FINISH, UNSEEN, Down, FinishCard, UnseenCard, Value

# The four actions (ACT01 to ACT08) and the whereabouts of cards (SET06).


def set06(step: Step, _rulings: Rulings) -> Finding | None:
    """Every card is in exactly one place: none is shown where it cannot be."""
    for stray in step.strays:
        if stray.card is UNSEEN or (stray.source == "deck" and _in_deck(step, stray)):
            continue
        source = "hand" if stray.source == "front" else stray.source
        return Finding(_astray(step, stray, {"card": stray.card, "source": source}), stray.part)
    return None


def _in_deck(step: Step, stray: Stray) -> bool:
    """Whether a card that is not the deck's next one may lie deeper in it: then only DRW05 is broken."""
    if stray.card is FINISH and step.before.variant == "first":
        return False
    deck = step.before.deck
    return stray.where == IN_DECK or (stray.where is None and (stray.card in deck or UNSEEN in deck))


def _astray(step: Step, stray: Stray, numbers: Numbers, offer: Fact | None = None) -> Fact:
    action = step.turn.action
    if stray.source == "hand" and isinstance(action, Exchange):
        paid = [action.first, action.second, *(card for _, card in action.adjust)]
        if paid.count(stray.card) > sum(each[:3] == stray[:3] for each in step.strays):  # it was there once
            return fact("used_before", numbers, place=stray.source)
    if stray.where is None:
        return fact("astray", numbers, place=stray.source, offer=offer)
    return fact("elsewhere", numbers, place=stray.source, where=stray.where, offer=offer)


def _stray(step: Step, rulings: Rulings, *sources: Source) -> Finding | None:
    """The first card that the action takes from one of these piles and that is not there."""
    for stray in step.strays:
        if stray.part == "action" and stray.source in sources:
            numbers: Numbers = {"card": stray.card}
            offer = None if stray.source == "Reserve" else _undrawn(step, rulings)
            if stray.card is UNSEEN:
                return fails("none_left", numbers, pile=stray.source, offer=offer)
            return Finding(_astray(step, stray, numbers, offer), "action")
    return None


def _undrawn(step: Step, rulings: Rulings) -> Fact | None:
    """The draw that would have brought every own card that the action lacks, where none is noted and it was allowed."""
    lacking = [stray for stray in step.strays if stray.part == "action" and stray.source in ("hand", "front")]
    tops = step.before.deck[: len(lacking)]
    fits = all(
        stray.where in (None, IN_DECK) and (top is UNSEEN or stray.card in (top, UNSEEN))
        for stray, top in zip(lacking, tops, strict=False)
    )
    known = step.before.variant == "finish" or all(stray.card is not FINISH for stray in lacking)
    limit = turn.draw_limit(step.before, step.player, rulings)
    most = min(limit.amounts[-1], len(step.before.deck))
    if step.turn.draw or not (fits and known and len(lacking) <= most):
        return None
    all_of_them = rulings.draw_amount == "exact" or (limit.clause, rulings.refill_amount) == ("DRW04", "all_or_none")
    cards = ["F,?" if stray.card is FINISH else str(stray.card) for stray in lacking]
    more = ["?"] * (most - len(lacking)) if all_of_them else []
    return fact("undrawn", draw="+" + ",".join([*cards, *more]))


def act01(step: Step, rulings: Rulings) -> Finding | None:
    """One action each turn: no action only where none is legal."""
    if not isinstance(step.turn.action, NoAction):
        return None
    action = some_action(step.drawn, step.player, rulings)
    if action is not None:
        return _possible(action)
    return unsure("whether_action") if may_allow(step.drawn, step.player) else None


def _possible(move: Move) -> Finding:
    """ACT01 by an action that was possible."""
    up = move.face_up if isinstance(move, Exchange) else not isinstance(move, LayDown)
    numbers: Numbers = {
        "action": {LayUp: "A", LayDown: "B", Open: "C", Exchange: "D"}[type(move)],
        "cell": move.cell,
        "card": move.taken if isinstance(move, Exchange) else move.card,
        "face": "up" if up else "down",
    }
    if isinstance(move, Open):
        return fails("can_open", numbers)
    return fails("can_take" if isinstance(move, Exchange) else "can_lay", numbers)


def act02(step: Step, rulings: Rulings) -> Finding | None:
    """A: a card of one's own hand, or one's own Finish card, is laid up."""
    return _stray(step, rulings, "hand", "front") if type(step.turn.action) is LayUp else None


def act03(step: Step, rulings: Rulings) -> Finding | None:
    """B: a card of one's own hand is laid down; never the Finish card."""
    if type(step.turn.action) is not LayDown:
        return None
    if step.turn.action.card is FINISH:
        return fails("finish_down", {"card": FINISH})
    return _stray(step, rulings, "hand")


def act04(step: Step, _rulings: Rulings) -> Finding | None:
    """C: a down card of the tower is turned up where it lies."""
    action = step.turn.action
    if not isinstance(action, Open):
        return None
    laid = step.before.tower.cells.get(action.cell)
    numbers: Numbers = {"cell": action.cell, "shown": action.card, "lies": laid}
    if laid is None:
        return fails("open_nothing", numbers)
    if type(laid) is not Down:
        return fails("open_up", numbers)
    if any(stray.source == "tower" for stray in step.strays):
        if laid.card is UNSEEN:
            return fails("open_astray", numbers)
        return fails("open_other", numbers, card=laid.card)
    return None


def act05(step: Step, rulings: Rulings) -> Finding | None:
    """D: two own cards are sent; their sum or difference, adjusted by own cards destroyed, is the number of the card
    taken.
    """
    action = step.turn.action
    if not isinstance(action, Exchange):
        return None
    stray = _stray(step, rulings, "hand", "front")
    if stray is not None:
        return stray
    signs = [sign for sign, _ in action.adjust]
    plus, minus, idle = (signs.count(sign) for sign in ("^", "_", "|"))
    if idle and rulings.adjust != "up_to":
        return fails("adjust_idle", {"plus": plus, "minus": minus, "idle": idle})
    if plus and minus and rulings.adjust == "uniform":
        return fails("adjust_mixed", {"plus": plus, "minus": minus, "idle": idle})
    values = []
    for card in (action.first, action.second, action.taken):
        if isinstance(card, UnseenCard):
            return unsure("whether_sum")
        if isinstance(card, FinishCard):
            finish = finish_number(step.before.board, rulings)
            if finish is None:
                return fails("finish_number", {"card": FINISH})
            values.append(Value(finish))
        else:
            values.append(card)
    first, second, taken = values
    base = first + second if action.sign == "+" else abs(first - second)
    change = plus - minus
    if base + change == taken:
        return None
    numbers = {"base": base, "change": change, "taken": taken}
    said: Numbers = {"first": first, "sign": action.sign, "second": second}
    if action.adjust:
        return fails("sum_adjusted", numbers, **said, result=base + change)
    return fails("sum", numbers, **said)


def act06(step: Step, rulings: Rulings) -> Finding | None:
    """D: the card taken lies in the Reserve; [take_sent] says whether it may be one just sent."""
    action = step.turn.action
    if not isinstance(action, Exchange):
        return None
    sent = action.taken is not UNSEEN and action.taken in (action.first, action.second)
    if sent and rulings.take_sent == "forbidden":
        return fails("just_sent", {"card": action.taken})
    return _stray(step, rulings, "Reserve")


def act07(step: Step, rulings: Rulings) -> Finding | None:
    """D may replace a laid card, one that [replace_target] allows, as often as [replacements] says."""
    action = step.turn.action
    if not isinstance(action, Exchange) or action.replaced is None:
        return None
    laid = step.before.tower.cells.get(action.cell)
    numbers: Numbers = {"cell": action.cell, "named": action.replaced, "lies": laid}
    if laid is None:
        return fails("replaces_nothing", numbers)
    if type(laid) is not type(action.replaced):
        return fails("lies_otherwise", numbers, face="down" if type(laid) is Down else "up")
    if any(stray.source == "tower" for stray in step.strays):
        return fails("replaces_other", numbers, card=laid.card, other=action.replaced.card)
    if rulings.replace_target == "facedown_only" and type(laid) is not Down:
        return fails("replaces_up", numbers, target=lying(step.before.tower, action.cell))
    board = step.before.board
    of_set_up = action.cell == board.anchor_cell and not step.before.anchor_moved
    if rulings.replace_target == "not_anchor" and of_set_up:
        return fails("replaces_anchor", numbers, anchor=board.anchor)
    if rulings.replacements == "once" and step.before.replaced:
        return fails("replaces_again", numbers, target=lying(step.before.tower, action.cell))
    return None


def act08(step: Step, rulings: Rulings) -> Finding | None:
    """D: the card taken is laid up, or down where [reserve_face] allows it; the Finish card never down, by B or by
    D.
    """
    action = step.turn.action
    if type(action) is LayDown:
        return fails("finish_down", {"card": FINISH}) if action.card is FINISH else None
    if type(action) is not Exchange or action.face_up:
        return None
    if action.taken is FINISH:
        return fails("finish_down", {"card": FINISH})
    if rulings.reserve_face == "up":
        return fails("taken_down", {"card": action.taken})
    return None


# The registry of clauses: the function of each, the rulings its answer can hang on, and the actions it is asked
# for.

TurnClauseId = Literal[
    "SET06",
    "TOW01", "TOW02", "TOW03", "TOW04", "TOW05", "TOW06", "TOW07", "TOW08",
    "DRW01", "DRW02", "DRW03", "DRW04", "DRW05", "DRW06",
    "ACT01", "ACT02", "ACT03", "ACT04", "ACT05", "ACT06", "ACT07", "ACT08",
    "LIM01", "LIM02",
]  # fmt: skip

ORDER_RULINGS = ("row_order", "between", "facedown", "finish_value")
OVER_RULINGS = ("early_apex", *ORDER_RULINGS, "opened_against")
"""Those that can decide whether a turn with an action ends the game."""
ENDING_RULINGS = (*OVER_RULINGS, "no_action")
HEART_RULINGS = ("hearts_below", "heart_over_back", "draw_source", "draw_amount")
REFILL_RULINGS = ("draw_source", "draw_amount", "finish_refill", "refill_amount", "finish_in_hand")
ACTION_RULINGS = (
    *ORDER_RULINGS, "anchor", "spread", "replace_target", "take_sent", "adjust", "reserve_face", "early_apex",
    "replacements", "no_action",
)  # fmt: skip


class Clause(msgspec.Struct, frozen=True):
    """A clause that a turn can break: its id, its function, the rulings its answer can hang on."""

    id: TurnClauseId
    check: Check
    rulings: tuple[str, ...] = ()


TURN_CLAUSES: dict[TurnClauseId, Clause] = {
    clause.id: clause
    for clause in (
        Clause("DRW01", turn.drw01, ("draw_source",)),
        Clause("DRW02", turn.drw02, HEART_RULINGS),
        Clause("DRW03", turn.drw03, HEART_RULINGS),
        Clause("DRW04", turn.drw04, (*REFILL_RULINGS, *OVER_RULINGS)),
        Clause("DRW05", turn.drw05),
        Clause("DRW06", turn.drw06),
        Clause("ACT01", act01, ACTION_RULINGS),
        Clause("ACT02", act02),
        Clause("ACT03", act03),
        Clause("ACT04", act04, ("opened_against",)),
        Clause("ACT05", act05, ("adjust", "finish_value")),
        Clause("ACT06", act06, ("take_sent",)),
        Clause("ACT07", act07, ("replace_target", "replacements")),
        Clause("ACT08", act08, ("reserve_face",)),
        Clause("TOW01", turn.tow01, ("row_order", "finish_value")),
        Clause("TOW02", turn.tow02, ("between", "finish_value")),
        Clause("TOW03", turn.tow03),
        Clause("TOW04", turn.tow04, ("anchor",)),
        Clause("TOW05", turn.tow05, ("spread",)),
        Clause("TOW06", turn.tow06),
        Clause("TOW07", turn.tow07, ORDER_RULINGS),
        Clause("TOW08", turn.tow08, ("early_apex",)),
        Clause("LIM01", turn.lim01, OVER_RULINGS),
        Clause("LIM02", turn.lim02, ("finish_reserve_count", *OVER_RULINGS)),
        Clause("SET06", set06),
    )
}
"""In the order in which they are named: what a slip breaks by itself comes before what breaks in its wake (D20)."""

_NAMED = ("SET01", "SET02", "SET03", "SET04", "END04", "END06", *TURN_CLAUSES, "END05")


def place_in_order(clause: str) -> int:
    """Where a clause stands among those that one turn can break: the first of them is the error, the others are
    notes.
    """
    return _NAMED.index(clause) if clause in _NAMED else len(_NAMED)


_ASKED: dict[type, tuple[str, ...]] = {
    LayUp: ("ACT02", "TOW"),
    LayDown: ("ACT03", "ACT08", "TOW"),
    Open: ("ACT04",),
    Exchange: ("ACT05", "ACT06", "ACT07", "ACT08", "TOW"),
    NoAction: ("ACT01",),
}
"""The clauses, or the letters of a group of them, that are asked besides those of every turn."""

ASKED: dict[type, tuple[Clause, ...]] = {
    action: tuple(clause for clause in TURN_CLAUSES.values() if clause.id.startswith(("DRW", "SET", "LIM", *asked)))
    for action, asked in _ASKED.items()
}
"""The clauses asked for a turn with this kind of action, in the order of the turn."""


DRAWS = ("DRW01", "DRW02", "DRW03", "DRW04")
"""The clauses of the number of cards drawn."""

_HELD = " ".join(DRAWS), "TOW01 TOW02 TOW07", "SET06 ACT02", "DRW05", "DRW06", "TOW06", "TOW03", "TOW05", "TOW08"
"""The clauses that hold where one look shows it, by what is looked at (`left_to_ask`)."""


@cache
def _left(kind: type, *holds: bool) -> tuple[Clause, ...]:
    """The clauses asked for a turn with this kind of action, but for those that hold."""
    held = " ".join(ids for ids, so in zip(_HELD, holds, strict=True) if so)
    return tuple(clause for clause in ASKED[kind] if clause.id not in held)


def left_to_ask(step: Step, rulings: Rulings) -> tuple[Clause, ...]:
    """The clauses asked for a turn, but for those of which one look shows that they hold: by the number of cards drawn
    and by the orders; where each card is in its place; where no Finish card can be drawn; by where a card is laid.
    """
    played, before, new, target = step.turn, step.before, step.new_cell, step.target
    draws, orders, in_place = turn.drawing(step, rulings) is None, turn.orders_hold(step, rulings), not step.strays
    top, unshown = in_place and not played.fill, before.variant == "first" or not played.draw
    low, high = new is None or new.level == 1, new is None or new.level > 1
    below = target is None or target.level < before.board.levels
    return _left(type(played.action), draws, orders, in_place, top, unshown, step.cell is not None, low, high, below)
