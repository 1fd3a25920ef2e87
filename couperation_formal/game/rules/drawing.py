"""Drawing, before the action and to fill the hand after it (DRW01 to DRW06)."""

from __future__ import annotations

from itertools import product, zip_longest
from typing import Literal, NamedTuple

from couperation_formal.game.fact import Datum, Fact, fact
from couperation_formal.game.rules.ending import ending
from couperation_formal.game.rules.step import Finding, Step, fails, unsure
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import IN_DECK, State
from couperation_formal.game.tower import FINISH, UNSEEN, Cell, Down, FinishCard, Mark, Shown, UnseenCard, Up

LimitClause = Literal["DRW01", "DRW02", "DRW03", "DRW04"]

_MARKS: tuple[Mark, ...] = ("1", "2", "H")
_DIAMONDS: dict[Mark, int] = {"1": 1, "2": 2, "H": 0}


class Limit(NamedTuple):
    """The draw limit of a turn: the clause that sets it, and every amount that the record leaves possible, rising."""

    clause: LimitClause
    amounts: tuple[int, ...]


def draw_source(state: State, rulings: Rulings) -> Cell | None:
    """The cell whose card sets the next draw (DRW02); None before turn 1, where the last action leaves no draw
    (`idle`), and in play from a position that names no card laid last, under `last_placed`, until one is laid (D21).
    """
    if rulings.draw_source == "opened":
        return state.touched
    return None if idle(state, rulings) else state.laid


def idle(state: State, rulings: Rulings) -> bool:
    """Whether a card was opened last and that lets nobody draw [draw_source]."""
    return state.turned and rulings.draw_source == "nothing"


def limit_clause(state: State, rulings: Rulings) -> LimitClause:
    """The clause that sets the limit of the next draw. Where the mark of a card is not given, it may be DRW03 too."""
    cell = draw_source(state, rulings)
    if cell is None:
        return "DRW02" if idle(state, rulings) else "DRW01"
    laid = state.tower.cells[cell]
    card = laid.card
    if type(laid) is Down or card is FINISH:
        return "DRW04"
    return "DRW03" if isinstance(card, int) and state.marks.get(card) == "H" else "DRW02"


def draw_limit(state: State, player: int, rulings: Rulings) -> Limit:
    """The limit of the next draw of `player`. Cost: constant."""
    clause = limit_clause(state, rulings)
    return Limit(clause, _amounts(clause, state, player, rulings))


def _amounts(clause: LimitClause, state: State, player: int, rulings: Rulings) -> tuple[int, ...]:
    """Every limit that the record leaves possible under the clause that sets it."""
    cell = draw_source(state, rulings)
    if cell is None:
        return (1,) if clause == "DRW01" else (0,)
    card = state.tower.cells[cell].card
    if clause == "DRW04":
        return (_refill(state, player) if card is not FINISH else _after_finish(state, player, rulings),)
    if not isinstance(card, int):
        refill = {_after_finish(state, player, rulings)} if state.variant == "finish" else set()
        return tuple(sorted({1, 2, *_heart_amounts(state, cell, rulings), *refill}))
    mark = state.marks.get(card)
    if clause == "DRW02" and mark is not None:
        return (_DIAMONDS[mark],)
    hearts = _heart_amounts(state, cell, rulings)
    return hearts if clause == "DRW03" else tuple(sorted({1, 2, *hearts}))


def _refill(state: State, player: int) -> int:
    """The cards that a hand lacks."""
    return max(0, state.board.refill - state.hands[player].size)


def _after_finish(state: State, player: int, rulings: Rulings) -> int:
    """The draw that follows the Finish card [finish_refill]."""
    return _refill(state, player) if rulings.finish_refill == "next" else 0


def _why(state: State, rulings: Rulings) -> Fact:
    """The reason for a draw limit."""
    cell = draw_source(state, rulings)
    if cell is None:
        if idle(state, rulings):
            return fact("why_opened")
        return fact("why_first") if state.touched is None else fact("why_nothing")
    laid = state.tower.cells[cell]
    card = laid.card
    if type(laid) is Down:
        return fact("why_down", cell=cell)
    if isinstance(card, FinishCard):
        return fact("why_finish" if rulings.finish_refill == "next" else "why_filled")
    if isinstance(card, UnseenCard):
        return fact("why_unseen", cell=cell)
    mark = state.marks.get(card)
    if mark != "H":
        return fact("why_mark", card=card, cell=cell, mark=mark) if mark else fact("why_no_mark", card=card, cell=cell)
    if cell.level == 1:
        return fact("why_heart_low", card=card, cell=cell)
    if rulings.heart_over_back == "zero":
        back = next((support for support in cell.supports if _is_back(state, support)), None)
        if back is not None:
            return fact("why_heart_back", card=card, cell=cell, back=back)
    left, right = (_borne(state, support) for support in cell.supports)
    return fact("why_heart", card=card, cell=cell, left=left, right=right)


def _heart_amounts(state: State, cell: Cell, rulings: Rulings) -> tuple[int, ...]:
    """What a heart on `cell` may allow: the diamonds of its two supports (DRW03), one amount where all marks are
    given.
    """
    if cell.level == 1:
        return (0,)
    if rulings.heart_over_back == "zero" and any(_is_back(state, support) for support in cell.supports):
        return (0,)
    choices: list[tuple[Mark | None, ...]] = []
    for support in cell.supports:
        laid = state.tower.cells.get(support)
        if laid is None or type(laid) is Down or laid.card is FINISH:
            choices.append((None,))
        elif isinstance(laid.card, int) and laid.card in state.marks:
            choices.append((state.marks[laid.card],))
        else:
            choices.append(_MARKS if isinstance(laid.card, int) else (*_MARKS, None))
    amounts = set()
    for pair in product(*choices):
        if rulings.hearts_below == "zero_all" and "H" in pair:
            amounts.add(0)
        else:
            amounts.add(sum(_DIAMONDS[mark] for mark in pair if mark is not None))
    return tuple(sorted(amounts))


def _is_back(state: State, cell: Cell) -> bool:
    laid = state.tower.cells.get(cell)
    return laid is not None and type(laid) is Down


def _borne(state: State, cell: Cell) -> Fact:
    """What shows on a support."""
    laid = state.tower.cells.get(cell)
    if not isinstance(laid, Up):
        return fact("borne_down")
    if isinstance(laid.card, int):
        return fact("borne", mark=state.marks.get(laid.card, "?"))
    return fact("borne_finish" if laid.card is FINISH else "borne_unseen")


def within_limit(step: Step, rulings: Rulings, asked: LimitClause | None = None) -> Finding | None:
    """What is wrong with the number of cards drawn, whichever clause sets its limit; nothing where another one than the
    one asked for does.
    """
    clause = limit_clause(step.before, rulings)
    if asked is not None and asked != clause:
        return None
    exact = rulings.draw_amount == "exact" and clause != "DRW01"
    drawn = step.units
    if not (drawn or exact):
        return None
    amounts = _amounts(clause, step.before, step.player, rulings)
    most = amounts[-1]
    if drawn == most == amounts[0]:
        return None
    part = "draw" if step.turn.draw else "player"
    numbers: dict[str, Datum] = {"drawn": drawn, "limit": most, "left": len(step.deck)}
    if drawn > most:
        return fails("drawn_more", part, numbers, why=_why(step.before, rulings))
    if exact and step.deck:
        if drawn not in amounts:
            return fails("drawn_other", part, numbers, wanted=amounts, why=_why(step.before, rulings))
        if len(amounts) > 1:
            return unsure("whether_exact", part, drawn=drawn, why=_why(step.before, rulings))
    elif drawn > amounts[0]:
        return unsure("whether_many", part, drawn=drawn, why=_why(step.before, rulings))
    elif clause == "DRW04" and _in_part(drawn, most, step.deck, rulings):
        return fails("drawn_part", part, numbers, why=_why(step.before, rulings))
    return None


def _in_part(drawn: int, limit: int, left: tuple[Shown, ...], rulings: Rulings) -> bool:
    """Whether a hand is filled in part where it may not be [refill_amount]; the whole deck always may be drawn."""
    return 0 < drawn < limit and bool(left) and rulings.refill_amount == "all_or_none"


def drw01(step: Step, rulings: Rulings) -> Finding | None:
    """In turn 1, and until a source is there, up to one card may be drawn."""
    return within_limit(step, rulings, "DRW01")


def drw02(step: Step, rulings: Rulings) -> Finding | None:
    """A Glass card laid or opened in the turn before: one diamond allows one card, two diamonds two."""
    return within_limit(step, rulings, "DRW02")


def drw03(step: Step, rulings: Rulings) -> Finding | None:
    """After a heart: the sum of the diamonds on its two supports; on level 1 nothing."""
    return within_limit(step, rulings, "DRW03")


def drw04(step: Step, rulings: Rulings) -> Finding | None:
    """After a card laid down, or the Finish card: up to a hand of two; by whoever laid the Finish card where
    [finish_refill] says so.
    """
    return within_limit(step, rulings, "DRW04") or _filled(step, rulings)


def fill_limit(step: Step, rulings: Rulings) -> int:
    """How many cards may be drawn after the action of a fully seen turn; the deck may hold fewer."""
    fills = rulings.finish_refill == "at_once" and step.laid_up is FINISH and ending(step, rulings) is None
    return _refill(step.acted, step.player) if fills else 0


def _filled(step: Step, rulings: Rulings) -> Finding | None:
    """What is wrong with the cards that are drawn after the action."""
    card, fill = step.laid_up, step.turn.fill
    maybe = card is FINISH or (card is UNSEEN and step.before.variant == "finish")
    if not (maybe or fill):
        return None
    part = "fill" if fill else "action"
    barred = None if maybe else fact("why_not_laid")
    if barred is None and rulings.finish_refill == "next":
        barred = fact("why_fill_next")
    if barred is None and ending(step, rulings) is not None:
        barred = fact("why_over")
    if barred is not None:
        numbers: dict[str, Datum] = {"drawn": len(fill), "limit": 0, "left": len(step.filled.deck)}
        return fails("fill_barred", part, numbers, why=barred) if fill else None
    if card is UNSEEN:
        return unsure("whether_filled", part) if fill or rulings.draw_amount == "exact" else None
    limit, drawn, left = _refill(step.acted, step.player), len(fill), step.filled.deck
    numbers = {"drawn": drawn, "limit": limit, "left": len(left)}
    if drawn > limit:
        return fails("fill_more", part, numbers)
    if drawn < limit and left and rulings.draw_amount == "exact":
        return fails("fill_less", part, numbers)
    return fails("fill_part", part, numbers) if _in_part(drawn, limit, left, rulings) else None


def drw05(step: Step, _rulings: Rulings) -> Finding | None:
    """Cards come from the top of the deck in its order, and not more than it holds."""
    first, deck = len(step.turn.draw), step.before.deck
    draw = step.turn.draw + step.turn.fill
    if not draw or (not step.strays and deck[: len(draw)] == draw):
        return None
    for place, (card, top) in enumerate(zip_longest(draw, deck[: len(draw)]), start=1):
        if top is None or (card is not UNSEEN and top not in (card, UNSEEN)):
            part = "draw" if place <= first else "fill"
            numbers: dict[str, Datum] = {"card": card, "place": place, "top": top}
            if len(draw) > len(deck):
                return fails("drawn_beyond", part, numbers, drawn=len(draw), held=len(deck))
            return fails("drawn_not_top", part, numbers)
    for stray in step.strays:
        if stray.source == "deck":
            unshown = [at for at, card in enumerate(draw) if card == stray.card and deck[at] is UNSEEN]
            place = unshown[-1] + 1 if unshown else 0
            where = stray.where or fact("no_such_card")
            return fails("drawn_astray", stray.part, {"card": stray.card, "place": place, "top": UNSEEN}, where=where)
    return None


def drw06(step: Step, _rulings: Rulings) -> Finding | None:
    """A drawn Finish card is laid up in front at once and replaced by the next card, while the deck holds one."""
    draw = step.turn.draw
    if not draw or step.before.variant == "first":
        return None
    deck = step.before.deck
    if UNSEEN in draw and any(card is UNSEEN and top is FINISH for card, top in zip(draw, deck, strict=False)):
        return fails("finish_hidden", "draw", {"place": 0, "left": 0})
    if draw[-1] is FINISH and step.deck:
        return fails("finish_alone", "draw", {"place": len(draw), "left": len(step.deck)})
    if FINISH not in draw and len(draw) >= len(deck) and _finish_undrawn(step.before):
        return fails("finish_undrawn", "draw", {"place": 0, "left": 0})
    return None


def _finish_undrawn(state: State) -> bool:
    """Whether the Finish card is still in the deck: only a draw brings it out, and from then on it is seen."""
    return state.whereabouts(FINISH) in (None, IN_DECK)
