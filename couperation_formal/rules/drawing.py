"""Drawing, before the action (DRW01 to DRW06)."""

from __future__ import annotations

from itertools import product
from typing import Literal, NamedTuple

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import FINISH, UNSEEN, Down, FinishCard, Mark, UnseenCard, Up
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.rules.finding import Finding
from couperation_formal.rules.step import Step

LimitClause = Literal["DRW01", "DRW02", "DRW03", "DRW04"]

_MARKS: tuple[Mark, ...] = ("1", "2", "H")
_DIAMONDS: dict[Mark, int] = {"1": 1, "2": 2, "H": 0}


class Limit(NamedTuple):
    """The draw limit of a turn: the clause that sets it, and every amount that the record leaves possible, rising."""

    clause: LimitClause
    amounts: tuple[int, ...]


def draw_source(state: State, rulings: Rulings) -> Cell | None:
    """The cell whose card sets the next draw (DRW02); None before turn 1, and in play from a position that names no
    card laid last, under `last_placed`, until one is laid (D21).
    """
    return state.touched if rulings.draw_source == "opened" else state.laid


def limit_clause(state: State, rulings: Rulings) -> LimitClause:
    """The clause that sets the limit of the next draw. Where the mark of a card is not given, it may be DRW03 too."""
    cell = state.touched if rulings.draw_source == "opened" else state.laid
    if cell is None:
        return "DRW01"
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
    if clause == "DRW01" or cell is None:
        return (1,)
    if clause == "DRW04":
        return (max(0, state.board.refill - state.hands[player].size),)
    card = state.tower.cells[cell].card
    if not isinstance(card, int):
        refill = {max(0, state.board.refill - state.hands[player].size)} if state.variant == "finish" else set()
        return tuple(sorted({1, 2, *_heart_amounts(state, cell, rulings), *refill}))
    mark = state.marks.get(card)
    if clause == "DRW02" and mark is not None:
        return (_DIAMONDS[mark],)
    hearts = _heart_amounts(state, cell, rulings)
    return hearts if clause == "DRW03" else tuple(sorted({1, 2, *hearts}))


def _why(state: State, rulings: Rulings) -> str:
    """The reason for a draw limit, in words."""
    cell = draw_source(state, rulings)
    if cell is None:
        return "in turn 1 up to one card may be drawn" if state.touched is None else "no card was laid before"
    laid = state.tower.cells[cell]
    card = laid.card
    if type(laid) is Down:
        return f"the card on {cell} lies down"
    if isinstance(card, FinishCard):
        return "the Finish card was laid last"
    if isinstance(card, UnseenCard):
        return f"the card on {cell} is unseen"
    mark = state.marks.get(card)
    if mark is None:
        return f"the mark of {card} on {cell} is not given"
    bears = {"1": "one diamond", "2": "two diamonds", "H": "a heart" + _supports(state, cell)}[mark]
    return f"{card} on {cell} bears {bears}"


def _heart_amounts(state: State, cell: Cell, rulings: Rulings) -> tuple[int, ...]:
    """What a heart on `cell` may allow: the diamonds of its two supports (DRW03), one amount where all marks are
    given.
    """
    if cell.level == 1:
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


def _supports(state: State, cell: Cell) -> str:
    if cell.level == 1:
        return " on level 1"
    words = []
    for support in cell.supports:
        laid = state.tower.cells.get(support)
        if isinstance(laid, Up) and isinstance(laid.card, int):
            words.append(
                {"1": "one diamond", "2": "two diamonds", "H": "a heart"}.get(
                    state.marks.get(laid.card, "?"), "an unknown mark"
                )
            )
        else:
            words.append("no mark")
    return f" over {words[0]} and {words[1]}"


def _within_limit(step: Step, rulings: Rulings, clause: LimitClause) -> Finding | None:
    """What is wrong with the number of cards drawn under this clause, which sets the limit of the turn."""
    exact = rulings.draw_amount == "exact" and clause != "DRW01"
    drawn = step.units
    if not (drawn or exact):
        return None
    amounts = _amounts(clause, step.before, step.player, rulings)
    most = amounts[-1]
    part: Literal["draw", "player"] = "draw" if step.turn.draw else "player"
    if drawn > most:
        allowed = "none" if most == 0 else f"at most {most}"
        return Finding(f"{_count(drawn)} drawn, {allowed} may be: {_why(step.before, rulings)}", part)
    if exact and step.deck:
        if drawn not in amounts:
            wanted = " or ".join(str(amount) for amount in amounts)
            return Finding(f"{_count(drawn)} drawn, exactly {wanted} must be: {_why(step.before, rulings)}", part)
        if len(amounts) > 1:
            return Finding(f"whether {_count(drawn)} had to be drawn: {_why(step.before, rulings)}", part, sure=False)
    elif drawn > amounts[0]:
        return Finding(f"whether {_count(drawn)} could be drawn: {_why(step.before, rulings)}", part, sure=False)
    return None


def _count(cards: int) -> str:
    return {0: "no card was", 1: "one card was"}.get(cards, f"{cards} cards were")


def drw01(step: Step, rulings: Rulings) -> Finding | None:
    """In turn 1, and until a source is there, up to one card may be drawn."""
    return _within_limit(step, rulings, "DRW01") if limit_clause(step.before, rulings) == "DRW01" else None


def drw02(step: Step, rulings: Rulings) -> Finding | None:
    """A Glass card laid or opened in the turn before: one diamond allows one card, two diamonds two."""
    return _within_limit(step, rulings, "DRW02") if limit_clause(step.before, rulings) == "DRW02" else None


def drw03(step: Step, rulings: Rulings) -> Finding | None:
    """After a heart: the sum of the diamonds on its two supports; on level 1 nothing."""
    return _within_limit(step, rulings, "DRW03") if limit_clause(step.before, rulings) == "DRW03" else None


def drw04(step: Step, rulings: Rulings) -> Finding | None:
    """After a card laid down, or the Finish card: up to a hand of two."""
    return _within_limit(step, rulings, "DRW04") if limit_clause(step.before, rulings) == "DRW04" else None


def drw05(step: Step, _rulings: Rulings) -> Finding | None:
    """Cards come from the top of the deck in its order, and not more than it holds."""
    draw = step.turn.draw
    if not draw:
        return None
    held = len(step.before.deck)
    if not step.strays and step.before.deck[: len(draw)] == draw:
        return None
    if len(draw) > held:
        return Finding(f"{len(draw)} cards come off a deck of {held}", "draw")
    for card, top in zip(draw, step.before.deck, strict=False):
        if card is not UNSEEN and top not in (card, UNSEEN):
            return Finding(f"{card} cannot be drawn: the deck's next card is {top}", "draw")
    for stray in step.strays:
        if stray.source == "deck":
            return Finding(f"{stray.card} cannot be drawn: it is {stray.where or 'not in the game'}", "draw")
    return None


def drw06(step: Step, _rulings: Rulings) -> Finding | None:
    """A drawn Finish card is laid up in front at once and replaced by the next card, while the deck holds one."""
    draw = step.turn.draw
    if not draw or step.before.variant == "first":
        return None
    deck = step.before.deck
    if UNSEEN in draw and any(card is UNSEEN and top is FINISH for card, top in zip(draw, deck, strict=False)):
        return Finding("the Finish card was drawn here and must be shown as F", "draw")
    if draw[-1] is FINISH and step.deck:
        return Finding("the Finish card was drawn without its replacement", "draw")
    if FINISH not in draw and len(draw) >= len(deck) and _finish_undrawn(step.before):
        return Finding("the deck's last cards cannot all be Glass cards: the Finish card is still among them", "draw")
    return None


def _finish_undrawn(state: State) -> bool:
    """Whether the Finish card is still in the deck: only a draw brings it out, and from then on it is seen."""
    return state.whereabouts(FINISH) in (None, "in the deck")
