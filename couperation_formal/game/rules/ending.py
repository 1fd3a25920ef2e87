"""Limits after the action and the end of the game (LIM01, LIM02, END01 to END03)."""

from __future__ import annotations

from typing import Literal

from couperation_formal.game.fact import Datum, Fact, fact
from couperation_formal.game.record import Exchange, LayUp, NoAction, Open
from couperation_formal.game.rules.step import Finding, Step, fails, unsure
from couperation_formal.game.rules.towers import out_of_order, unseen_orders
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Part, Pile
from couperation_formal.game.tower import FINISH, Shown

_LAYING_UP = (LayUp, Exchange)

Ending = Literal["win", "loss", "stuck", "unknown"] | None
"""How a turn ends the game; "unknown" where unseen cards decide it."""


def end01(step: Step, rulings: Rulings) -> bool:
    """Whether a card that was laid wins: A or D on the apex of an all-up tower; under `win_on_completion` any A or D
    that completes it in order.
    """
    action = step.turn.action
    if step.cell is None or not isinstance(action, _LAYING_UP):
        return False
    if rulings.early_apex == "win_on_completion":
        return step.acted.tower.all_up and in_order(step, rulings)
    return step.cell.level == step.before.board.levels and step.acted.tower.all_up


def in_order(step: Step, rulings: Rulings) -> bool:
    """Whether the orders between up cards hold after the action."""
    return not step.arrangement.broken_orders(step.before.board, step.acted.tower, rulings, step.asked)


def end01_opened(step: Step, rulings: Rulings) -> bool:
    """Whether an opened card wins: under `win_on_completion`, when all cards are then up and the orders hold."""
    return rulings.early_apex == "win_on_completion" and step.acted.tower.all_up


def end02_opened(step: Step, rulings: Rulings) -> bool:
    """Whether an opened card loses: with it up, the orders cannot hold (ACT04)."""
    return not kept_open(step, rulings)


def kept_open(step: Step, rulings: Rulings) -> bool:
    """Whether the orders can hold with the opened card up, where one was opened; under `opened_against=stands` those
    between up cards.
    """
    if step.cell is None:
        return True
    if not in_order(step, rulings):
        return False
    return rulings.opened_against == "stands" or step.failing_chain(rulings) is None


def end02_apex(step: Step, rulings: Rulings) -> bool:
    """Whether the apex was laid over a down card under `loses`."""
    if rulings.early_apex != "loses" or step.cell is None or not isinstance(step.turn.action, _LAYING_UP):
        return False
    return step.cell.level == step.before.board.levels and bool(step.acted.tower.down)


def ending(step: Step, rulings: Rulings) -> Ending:
    """How the turn ends the game, None when it goes on. The turn is taken to be legal."""
    action = step.turn.action
    if isinstance(action, NoAction):
        ends = step.after.skipped >= len(step.before.players) or rulings.no_action == "loses"
        return "stuck" if ends else None
    if isinstance(action, Open):
        if end02_opened(step, rulings):
            return "loss"
        if unseen_orders(step):
            return "unknown"
        return "win" if end01_opened(step, rulings) else None
    if end02_apex(step, rulings):
        return "loss"
    return "win" if end01(step, rulings) else None


def ended_by(step: Step, end: str, rulings: Rulings) -> Fact:
    """By which turn the game ended so; where an opened card lost it, by which order."""
    turn = step.after.turns
    if end == "stuck":
        return fact("was_skipped" if rulings.no_action == "skipped" else "was_stuck", turn=turn)
    if end == "win":
        return fact("was_won", turn=turn)
    return fact("was_lost", turn=turn, why=lost_by(step, rulings))


def lost_by(step: Step, rulings: Rulings) -> Fact:
    """What loses where a turn does (END02): the first order that an opened card breaks, or the down cards below an
    apex.
    """
    finding = None if end02_apex(step, rulings) else out_of_order(step, rulings)
    return fact("lost_over", all=tuple(sorted(step.acted.tower.down))) if finding is None else finding.what


def lim01(step: Step, rulings: Rulings) -> Finding | None:
    """More than three hand cards: exactly the extra ones are destroyed, else none; in a turn without action none. Where
    unseen cards hide whether the Finish card left the hand's owner or came back, one card more or less may be counted.
    """
    drop = step.turn.drop
    limit = step.before.board.hand_limit
    hand = step.filled.hands[step.player].size
    if not drop and hand <= limit:
        return None
    counts = (hand, hand + 1, hand - 1) if step.lost else (hand,)
    findings = [_destroyed(step, rulings, "drop", drop, count, limit, FINISH in drop) for count in counts]
    return _any_of(findings, "drop" if drop else "action")


def counted(reserve: Pile, rulings: Rulings) -> int:
    """The Reserve's size as [finish_reserve_count] counts it."""
    uncounted = rulings.finish_reserve_count == "no" and FINISH in reserve.known
    return reserve.size - uncounted


def finish_astray(step: Step) -> bool:
    """Whether action D takes the Finish card from a Reserve that it does not lie in."""
    return any(stray[:3] == (FINISH, "Reserve", "action") for stray in step.strays)


def finish_doubled(step: Step) -> bool:
    """Whether action D sends the Finish card to a Reserve that it lies in."""
    action = step.turn.action
    sent = isinstance(action, Exchange) and FINISH in (action.first, action.second)
    return sent and FINISH in step.before.reserve.known


def reserve_count(step: Step, rulings: Rulings) -> int:
    """How many cards of the Reserve count after the action. A Finish card that is taken or sent from elsewhere changes
    the count only where it would count (D3).
    """
    count = counted(step.acted.reserve, rulings)
    if rulings.finish_reserve_count == "no":
        count += finish_astray(step) - finish_doubled(step)
    return count


def lim02(step: Step, rulings: Rulings) -> Finding | None:
    """A Reserve above its size: exactly the extra cards are destroyed, else none. Where unseen cards hide whether the
    Finish card lies there and it does not count, one card less may be counted.
    """
    trim = step.turn.trim
    limit = step.before.reserve_size
    if limit is None:
        return None
    size = reserve_count(step, rulings)
    if not trim and size <= limit:
        return None
    vain = FINISH in trim and rulings.finish_reserve_count == "no"
    hidden = step.lost and FINISH not in step.acted.reserve.known and rulings.finish_reserve_count == "no"
    counts = (size, size - 1) if hidden else (size,)
    findings = [_destroyed(step, rulings, "trim", trim, count, limit, vain) for count in counts]
    return _any_of(findings, "trim" if trim else "action")


def _offer(part: Part, pile: Pile, extra: int) -> Fact | None:
    """The cards that can be destroyed, and what would say so, where none is named; None where they are not told."""
    if pile.unseen < 0:
        return None
    some = ",".join(map(str, pile.cards[:extra]))
    return fact(f"offer_{part}", cards=pile.cards, extra=extra, part=part, some=some)


def _any_of(findings: list[Finding | None], part: Part) -> Finding | None:
    """The first of what is found with each number that may count; unsure where with another one nothing is wrong."""
    return findings[0] if findings[0] is None or all(findings) else unsure("whether_counted", part)


def _destroyed(
    step: Step, rulings: Rulings, part: Part, cards: tuple[Shown, ...], count: int, limit: int, finish: bool
) -> Finding | None:
    """What is wrong with the cards destroyed of a pile where `count` cards count; `finish`: F is among them in vain."""
    end = ending(step, rulings)
    skipped = end is None and isinstance(step.turn.action, NoAction)
    over = skipped or (end is not None and end != "unknown")
    if over and not cards:
        return None
    extra = 0 if over else max(0, count - limit)
    numbers: dict[str, Datum] = {"cards": count, "extra": extra, "destroyed": len(cards)}
    if over:
        return fails(f"{part}_when_skipped" if skipped else f"{part}_when_over", part, numbers)
    if finish:
        return fails(f"{part}_of_finish", part, numbers if len(cards) != extra else {"card": FINISH})
    if len(cards) != extra:
        if end == "unknown":
            return unsure("whether_went_on", "action")
        pile = step.filled.hands[step.player] if part == "drop" else step.acted.reserve
        offer = None if cards else _offer(part, pile, extra)
        return fails(f"{part}_count", part if cards else "action", numbers, limit=limit, offer=offer)
    for stray in step.strays:
        if stray.part == part:
            return fails(f"{part}_not_there", part, {"card": stray.card})
    return None
