"""The numbers by which a clause fails (`spec/certificate.md`), recomputed from the set-up or from the step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from couperation_formal.model.board import Cell, column_name
from couperation_formal.model.cards import FINISH, UNSEEN, Down, FinishCard, Laid, Shown, UnseenCard
from couperation_formal.model.record import Exchange, LayDown, LayUp, Open
from couperation_formal.model.rulings import Rulings
from couperation_formal.rules.arrangement import broken_orders, failing_chain
from couperation_formal.rules.drawing import draw_limit
from couperation_formal.rules.ending import ending, reserve_count
from couperation_formal.rules.moves import some_action
from couperation_formal.rules.orders import OrderClause, finish_number, gap, up_numbers
from couperation_formal.rules.run import Part, Source
from couperation_formal.rules.setup import Setup
from couperation_formal.rules.step import Step

Json = dict[str, Any]


def card_data(card: Shown) -> int | str:
    """A card as certificates write it: a number, ``F`` or ``?``."""
    return card if isinstance(card, int) else str(card)


def laid_data(laid: Laid) -> int | str:
    """A laid card as certificates write it: a down one with its ``~``."""
    return str(laid) if isinstance(laid, Down) else card_data(laid.card)


def setup_numbers(setup: Setup, clause: str) -> Json:
    """The numbers of a clause that the set-up breaks (SET01 to SET04, SET06)."""
    return next(_setup_numbers(setup, clause))


def _setup_numbers(setup: Setup, clause: str) -> Iterator[Json]:
    record, board, reserve = setup.record, setup.board, setup.reserve
    deck = record.deck or ()
    shown = Counter(card for cards in (*setup.deals.values(), reserve, deck) for card in cards if card is not UNSEEN)
    if clause == "SET01":
        yield {"players": len(record.players), "names": len(set(record.players))}
    elif clause == "SET02":
        for name, cards in setup.deals.items():
            if len(cards) != board.deal:
                yield {"player": name, "cards": len(cards)}
            yield from (
                {"player": name, "card": card_data(card)}
                for card in cards
                if card in (1, board.anchor, board.cards, FINISH)
            )
    elif clause == "SET03":
        size = board.reserve_size(len(record.players))
        missing, unseen = len({1, board.cards}.difference(reserve)), reserve.count(UNSEEN)
        if size is not None and len(reserve) != size:
            yield {"cards": len(reserve), "size": size}
        if missing > unseen:
            yield {"missing": missing, "unseen": unseen}
        yield from ({"card": card_data(card)} for card in reserve if card in (board.anchor, FINISH))
    elif clause == "SET04":
        yield {"count": sum(card == board.anchor for card in shown.elements())}
    else:
        yield from _misplaced(setup, shown)


def _misplaced(setup: Setup, shown: Counter[Shown]) -> Iterator[Json]:
    """The numbers of SET06 at the set-up: cards shown too often, a deck too long, a full deck without F."""
    deck, finish = setup.record.deck or (), setup.record.variant == "finish"
    for card, times in shown.items():
        count = times + (card == setup.board.anchor)
        if count > 1 or (card is FINISH and not finish):
            yield {"card": card_data(card), "count": count}
    if len(deck) > setup.deck_size:
        yield {"cards": len(deck), "room": setup.deck_size}
    yield {"card": "F", "count": 0}


def turn_numbers(step: Step, clause: str, rulings: Rulings) -> Json:
    """The numbers of a clause that a turn breaks, END04 to END06 aside."""
    if clause == "SET06":
        return next(_strays(step))
    if clause == "ACT01":
        return _possible_action(step, rulings)
    for prefix, find in (("DRW", _draw), ("TOW", _tower), ("ACT", _action)):
        if clause.startswith(prefix):
            return next(find(step, clause, rulings))
    return next(_limit(step, clause, rulings))


def _strays(step: Step) -> Iterator[Json]:
    """SET06: the cards that are not where the turn takes them from; in a draw only those that are not in the deck."""
    known = {*step.before.deck}
    for stray in step.strays:
        there = stray.card is not FINISH or step.before.variant == "finish"
        inside = stray.where == "in the deck" or (there and stray.where is None and bool({stray.card, UNSEEN} & known))
        if stray.card is not UNSEEN and not (stray.source == "deck" and inside):
            yield {"card": card_data(stray.card), "source": "hand" if stray.source == "front" else stray.source}


def _stray_cards(step: Step, part: Part, *sources: Source) -> Iterator[Json]:
    for stray in step.strays:
        if stray.part == part and stray.source in sources:
            yield {"card": card_data(stray.card)}


def _draw(step: Step, clause: str, rulings: Rulings) -> Iterator[Json]:
    deck, draw = step.before.deck, step.turn.draw
    if clause == "DRW05":
        for index, card in enumerate(draw):
            if index >= len(deck) or (deck[index] != card and deck[index] is not UNSEEN):
                top = card_data(deck[index]) if index < len(deck) else None
                yield {"card": card_data(card), "place": index + 1, "top": top}
        stray = next(stray.card for stray in step.strays if stray.source == "deck")
        places = [index for index, card in enumerate(draw) if card == stray and deck[index] is UNSEEN]
        yield {"card": card_data(stray), "place": places[-1] + 1, "top": "?"}
    elif clause == "DRW06":
        last = draw[-1] is FINISH
        yield {"place": len(draw) if last else 0, "left": len(step.deck) if last else 0}
    else:
        limit = draw_limit(step.before, step.player, rulings).amounts[-1]
        yield {"drawn": step.units, "limit": limit, "left": len(step.deck)}


def _tower(step: Step, clause: str, rulings: Rulings) -> Iterator[Json]:
    cell, tower = step.target, step.acted.tower
    if cell is None:
        raise AssertionError("only a turn that lays a card breaks a clause of the tower")
    named: Json = {"cell": str(cell)}
    if clause == "TOW01":
        yield _broken_order(step, "TOW01", rulings)
    elif clause == "TOW02":
        yield _broken_order(step, "TOW02", rulings)
    elif clause == "TOW03":
        yield from ({**named, "support": str(below)} for below in cell.supports if below not in tower.cells)
    elif clause == "TOW04":
        yield {**named, "first": column_name(tower.first), "last": column_name(tower.last)}
    elif clause == "TOW07":
        yield _chain(step, rulings)
    elif clause == "TOW08":
        yield from ({**named, **why} for why in _apex(step, cell))
    else:
        yield named


def _apex(step: Step, cell: Cell) -> Iterator[Json]:
    action = step.turn.action
    if isinstance(action, LayDown) or (isinstance(action, Exchange) and not action.face_up):
        yield {"face": "down"}
    card = action.taken if isinstance(action, Exchange) else action.card if isinstance(action, LayUp) else FINISH
    if step.before.variant == "finish" and card is not FINISH:
        yield {"card": card_data(card)}
    yield from ({"down": str(below)} for below in sorted(step.acted.tower.down - {cell}))


def _broken_order(step: Step, clause: OrderClause, rulings: Rulings) -> Json:
    found = broken_orders(step.before.board, step.acted.tower, rulings, step.cell, clause)[0]
    ends = {"lower": str(found.order.lower), "upper": str(found.order.upper)}
    return {**ends, "low": found.low, "high": found.high, "needed": gap(clause, rulings)}


def _chain(step: Step, rulings: Rulings) -> Json:
    """TOW07: the two ends of a chain; an end that is None is an end of the deck."""
    board, tower = step.before.board, step.acted.tower
    chain = failing_chain(board, tower, rulings)
    if chain is None:
        raise AssertionError("numbers fit the down cards of a tower that breaks TOW07")
    numbers = up_numbers(board, tower, rulings)
    first, last = (cell if cell in numbers else None for cell in (chain.cells[0], chain.cells[-1]))
    low = 1 if first is None else numbers[first]
    return {"lower": first and str(first), "upper": last and str(last), "low": low, "high": chain.limit}


def _action(step: Step, clause: str, rulings: Rulings) -> Iterator[Json]:
    action, board = step.turn.action, step.before.board
    if clause in ("ACT02", "ACT03"):
        yield from _stray_cards(step, "action", "hand", "front")
        yield {"card": "F"}
    elif isinstance(action, Open):
        yield {"cell": str(action.cell), "shown": card_data(action.card), "lies": _lies(step, action.cell)}
    elif isinstance(action, LayDown):
        yield {"card": "F"}
    elif not isinstance(action, Exchange):
        raise AssertionError(f"{clause} is not about this action")
    elif clause == "ACT05":
        yield from _stray_cards(step, "action", "hand", "front")
        yield from _sum(action, finish_number(board, rulings), rulings)
    elif clause == "ACT06":
        yield from _stray_cards(step, "action", "Reserve")
        yield {"card": card_data(action.taken)}
    elif clause == "ACT07":
        yield {
            "cell": str(action.cell),
            "named": action.replaced and laid_data(action.replaced),
            "lies": _lies(step, action.cell),
        }
    else:
        yield {"card": card_data(action.taken)}


def _lies(step: Step, cell: Cell) -> int | str | None:
    """What lies on a cell before the turn, a down card with its ``~``; None where nothing does."""
    laid = step.before.tower.cells.get(cell)
    return None if laid is None else laid_data(laid)


def _sum(action: Exchange, finish: int | None, rulings: Rulings) -> Iterator[Json]:
    signs = [sign for sign, _ in action.adjust]
    plus, minus, idle = (signs.count(sign) for sign in ("^", "_", "|"))
    if (idle and rulings.adjust != "up_to") or (plus and minus and rulings.adjust == "uniform"):
        yield {"plus": plus, "minus": minus, "idle": idle}
    numbers = []
    for card in (action.first, action.second, action.taken):
        value = finish if isinstance(card, FinishCard) else card
        if value is None or isinstance(value, UnseenCard):
            yield {"card": card_data(card)}
            return
        numbers.append(int(value))
    first, second, taken = numbers
    base = first + second if action.sign == "+" else abs(first - second)
    yield {"base": base, "change": plus - minus, "taken": taken}


def _possible_action(step: Step, rulings: Rulings) -> Json:
    """ACT01: an action that is possible after the draw."""
    action = some_action(step.drawn, step.player, rulings)
    if action is None:
        raise AssertionError("no action is possible, and ACT01 holds")
    letter = {LayUp: "A", LayDown: "B", Open: "C", Exchange: "D"}[type(action)]
    card = action.taken if isinstance(action, Exchange) else action.card
    down = isinstance(action, LayDown) or (isinstance(action, Exchange) and not action.face_up)
    face = "down" if down else "up"
    return {"action": letter, "cell": str(action.cell), "card": card_data(card), "face": face}


def _limit(step: Step, clause: str, rulings: Rulings) -> Iterator[Json]:
    """LIM01 and LIM02: the number destroyed, or a card that cannot be."""
    hand = clause == "LIM01"
    destroyed = step.turn.drop if hand else step.turn.trim
    cards = step.acted.hands[step.player].size if hand else reserve_count(step, rulings)
    limit = step.before.board.hand_limit if hand else step.before.reserve_size or 0
    extra = max(0, cards - limit) if ending(step, rulings) is None else 0
    if len(destroyed) != extra:
        yield {"cards": cards, "extra": extra, "destroyed": len(destroyed)}
    if FINISH in destroyed and (hand or rulings.finish_reserve_count == "no"):
        yield {"card": "F"}
    yield from _stray_cards(step, "drop" if hand else "trim", "hand", "front", "Reserve")
