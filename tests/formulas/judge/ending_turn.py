"""One turn of a short ending: what is drawn, taken, laid, dropped and trimmed, and the table after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise
from typing import NamedTuple

from couperation_formal.formulas.circuit import FALSE, TRUE, Formula, no
from couperation_formal.game.rules.arrangement import finish_number
from couperation_formal.game.tower import FINISH, Cell, FinishCard
from couperation_formal.hidden.symbolic.cards import MARKS, Hidden
from tests.formulas.judge.ending import Ending, Moment, Pile

_DIAMONDS = {"1": 1, "2": 2, "H": 0, "": 0}


class Played(NamedTuple):
    """The choices of a turn, and the table after it. `letters` are the actions A to D; `target` is the cell acted on,
    `put` the card that A, B or D lays; `wins` tells whether the turn wins.
    """

    player: int
    letters: dict[str, Formula]
    target: dict[Cell, Formula]
    put: Pile
    sent: Pile
    destroyed: Pile
    face_down: Formula
    drop: Pile
    trim: Pile
    after: Moment
    wins: Formula


def play(model: Ending, before: Moment, time: int, player: int) -> Played:
    """A legal turn of `player` at `time`, from 1, that keeps every order, as formulas and rules."""
    circuit = model.circuit
    drawn = _draw(model, before, time, player)
    letters = {letter: circuit.variable(f"time {time} {letter}") for letter in "ABCD"}
    model.require(circuit.exactly(1, letters.values()))
    target = {cell: circuit.variable(f"time {time} at {cell}") for cell in model.cells}
    model.require(circuit.exactly(1, target.values()))
    laying = no(letters["C"])
    own = _own(model, drawn, player)
    mine = [card for card in model.every if own.get(card, FALSE) != FALSE]
    near = [card for card in model.every if card in mine or drawn.reserve.get(card, FALSE) != FALSE]
    put = model.choose(f"time {time} puts", near, laying)
    sent, destroyed = (model.some(f"time {time} {word}", mine) for word in ("sends", "destroys"))
    hand = circuit.either(letters["A"], letters["B"])
    for card in near:
        model.require(circuit.implies(circuit.both(put[card], hand), own.get(card, FALSE)))
    for card in mine:
        for chosen in (sent, destroyed):
            model.require(circuit.implies(chosen[card], circuit.both(letters["D"], own[card])))
        model.require(no(circuit.both(sent[card], destroyed[card])))
    _exchange(model, drawn, letters["D"], put, sent, destroyed)
    either = model.rulings.reserve_face == "either"
    lies = circuit.variable(f"time {time} down") if either else FALSE
    face_down = circuit.either(letters["B"], circuit.both(letters["D"], lies))
    model.require(no(circuit.both(face_down, put.get(FINISH, FALSE))))
    for cell in model.cells:
        _cell(model, drawn, cell, target[cell], letters, put, face_down)
    after = _after(model, drawn, player, letters, target, put, sent, destroyed, face_down)
    model.arranged(after, time)
    wins = _wins(model, after, letters, target)
    drop, trim, after = _limits(model, after, time, player, wins)
    return Played(player, letters, target, put, sent, destroyed, face_down, drop, trim, after, wins)


def _own(model: Ending, moment: Moment, player: int) -> Pile:
    own = dict(moment.hands[player])
    if FINISH in model.every:
        own[FINISH] = moment.front[player]
    return own


def _draw(model: Ending, before: Moment, time: int, player: int) -> Moment:
    """The table after the draw (DRW01 to DRW06)."""
    circuit, deck = model.circuit, model.deck
    drawn = tuple(
        here if here == TRUE else circuit.either(here, circuit.variable(f"time {time} draws {card}"))
        for here, card in zip(before.drawn, deck, strict=True)
    )
    for first, second in pairwise(drawn):
        model.require(circuit.implies(second, first))
    new = [circuit.both(now, no(then)) for now, then in zip(drawn, before.drawn, strict=True)]
    units = list(new)
    for place, card in enumerate(deck[:-1]):
        if isinstance(card, FinishCard):
            model.require(circuit.implies(new[place], new[place + 1]))
            units[place] = FALSE
    empty = drawn[-1] if drawn else TRUE
    counts = circuit.counts(units, max(4, model.board.refill))
    for amount, case in _limit(model, before, player).items():
        model.require(circuit.implies(case, no(counts[amount + 1])))
        if model.rulings.draw_amount == "exact":
            asked = circuit.all_of((case, no(empty), no(_sourceless(model, before))))
            model.require(circuit.implies(asked, counts[amount]))
    hand = dict(before.hands[player])
    front = list(before.front)
    for card, here in zip(deck, new, strict=True):
        if isinstance(card, FinishCard):
            front = [circuit.either(was, here) if seat == player else was for seat, was in enumerate(front)]
        else:
            hand[card] = circuit.either(hand.get(card, FALSE), here)
    hands = tuple(hand if seat == player else old for seat, old in enumerate(before.hands))
    return before._replace(drawn=drawn, hands=hands, front=tuple(front))


def _sourceless(model: Ending, before: Moment) -> Formula:
    """Whether there is no source yet: DRW01 sets the limit (D21)."""
    return no(model.circuit.any_of(_source(model, before).values()))


def _source(model: Ending, before: Moment) -> Mapping[Cell, Formula]:
    return before.touched if model.rulings.draw_source == "opened" else before.laid


def _limit(model: Ending, before: Moment, player: int) -> dict[int, Formula]:
    """The limits that the draw can have, each with its case."""
    circuit = model.circuit
    source = _source(model, before)
    found: dict[int, Formula] = {}

    def add(amount: int, case: Formula) -> None:
        found[amount] = circuit.either(found.get(amount, FALSE), case)

    add(1, _sourceless(model, before))
    full = model.board.refill
    held = circuit.counts(before.hands[player].values(), full)
    refill = {full - size: circuit.both(held[size], no(held[size + 1])) for size in range(full)}
    refill[0] = held[full]
    for cell, here in source.items():
        if here == FALSE:
            continue
        on = before.on[cell]
        bare = circuit.either(before.down[cell], on.get(FINISH, FALSE))
        for amount, case in refill.items():
            add(amount, circuit.all_of((here, bare, case)))
        for mark, amount in (("1", 1), ("2", 2)):
            add(amount, circuit.all_of((here, no(bare), _bears(model, on, mark))))
        heart = circuit.all_of((here, no(bare), _bears(model, on, "H")))
        for amount, case in _heart(model, before, cell):
            add(amount, circuit.both(heart, case))
    return {amount: case for amount, case in found.items() if case != FALSE}


def _bears(model: Ending, on: Hidden, mark: str) -> Formula:
    return model.circuit.any_of(
        [model.circuit.both(here, model.mark(card, mark)) for card, here in on.items()]  # type: ignore[arg-type]
    )


def _heart(model: Ending, moment: Moment, cell: Cell) -> Iterator[tuple[int, Formula]]:
    if cell.level == 1:
        yield 0, TRUE
        return
    sides: list[dict[str, Formula]] = []
    for support in cell.supports:
        on, down = moment.on[support], moment.down[support]
        shown: dict[str, Formula] = {mark: model.circuit.both(no(down), _bears(model, on, mark)) for mark in MARKS}
        sides.append({**shown, "": model.circuit.either(down, on.get(FINISH, FALSE))})
    for first, here in sides[0].items():
        for second, there in sides[1].items():
            nothing = model.rulings.hearts_below == "zero_all" and "H" in (first, second)
            yield 0 if nothing else _DIAMONDS[first] + _DIAMONDS[second], model.circuit.both(here, there)


def _exchange(model: Ending, moment: Moment, acts: Formula, put: Pile, sent: Pile, destroyed: Pile) -> None:
    """Action D's cards agree (ACT05, ACT06) [adjust] [take_sent] [finish_value]."""
    circuit, rulings = model.circuit, model.rulings
    model.require(circuit.implies(acts, circuit.exactly(2, sent.values())))
    finish = finish_number(model.board, rulings)
    if finish is None:
        model.require(no(sent.get(FINISH, FALSE)))
        model.require(no(circuit.both(acts, put.get(FINISH, FALSE))))
    for card, here in put.items():
        there = moment.reserve.get(card, FALSE)
        if rulings.take_sent == "allowed":
            there = circuit.either(there, sent.get(card, FALSE))
        model.require(circuit.implies(circuit.both(acts, here), there))
        if rulings.take_sent == "forbidden":
            model.require(no(circuit.all_of((acts, here, sent.get(card, FALSE)))))
    most = model.board.hand_limit + 5
    spent = circuit.counts(destroyed.values(), most)
    value = {card: finish if isinstance(card, FinishCard) else card for card in model.every}
    numbered: dict[int, list[Formula]] = {}
    for card, here in put.items():
        number = value[card]
        if number is not None:
            numbered.setdefault(number, []).append(here)
    takes = {number: circuit.any_of(cards) for number, cards in numbered.items()}
    for first, second in combinations(sent, 2):
        low, high = value[first], value[second]
        if low is None or high is None:
            continue
        pair = circuit.all_of((acts, sent[first], sent[second]))
        for count in range(most + 1):
            exact = circuit.both(spent[count], no(spent[count + 1]))
            goals = {
                base + change for base in (low + high, abs(low - high)) for change in _changes(rulings.adjust, count)
            }
            model.require(
                circuit.implies(circuit.both(pair, exact), circuit.any_of([takes.get(g, FALSE) for g in goals]))
            )
    model.require(no(spent[most + 1]))


def _changes(adjust: str, count: int) -> tuple[int, ...]:
    if adjust == "uniform":
        return (-count, count)
    return tuple(range(-count, count + 1, 1 if adjust == "up_to" else 2))


def _cell(
    model: Ending, moment: Moment, cell: Cell, here: Formula, letters: dict[str, Formula], put: Pile, face_down: Formula
) -> None:
    """What acting on this cell asks (TOW03, TOW05, TOW06, TOW08, ACT04, ACT07)."""
    circuit, rulings, board = model.circuit, model.rulings, model.board
    taken, down = model.taken(moment, cell), moment.down[cell]
    model.require(circuit.implies(circuit.both(here, letters["C"]), down))
    for letter in "AB":
        model.require(circuit.implies(circuit.both(here, letters[letter]), no(taken)))
    replaced = circuit.all_of((here, letters["D"], taken))
    if rulings.replace_target == "facedown_only":
        model.require(circuit.implies(replaced, down))
    if rulings.replace_target == "not_anchor" and cell == board.anchor_cell:
        model.require(circuit.implies(replaced, moment.moved))
    new = circuit.all_of((here, no(letters["C"]), no(taken)))
    if cell.level > 1:
        for support in cell.supports:
            model.require(circuit.implies(new, model.taken(moment, support)))
    elif rulings.spread == "adjacent":
        sides = [Cell(cell.column + step, 1) for step in (-1, 1)]
        beside = [model.taken(moment, side) for side in sides if side in moment.on]
        model.require(circuit.implies(new, circuit.any_of(beside)))
    if cell == model.apex:
        lays = circuit.both(here, no(letters["C"]))
        model.require(no(circuit.both(lays, face_down)))
        if model.state.variant == "finish":
            model.require(circuit.implies(lays, put.get(FINISH, FALSE)))
        if rulings.early_apex in ("forbidden", "loses"):
            for below in model.cells[:-1]:
                model.require(circuit.implies(lays, no(moment.down[below])))


def _after(
    model: Ending,
    moment: Moment,
    player: int,
    letters: dict[str, Formula],
    target: dict[Cell, Formula],
    put: Pile,
    sent: Pile,
    destroyed: Pile,
    face_down: Formula,
) -> Moment:
    """The table after the action, before the limits."""
    circuit, opened = model.circuit, letters["C"]
    both, either = circuit.both, circuit.either
    hand, reserve, front = dict(moment.hands[player]), dict(moment.reserve), list(moment.front)
    by_hand = either(letters["A"], letters["B"])
    for card in model.every:
        here = put.get(card, FALSE)
        leaves = circuit.any_of((sent.get(card, FALSE), destroyed.get(card, FALSE), both(by_hand, here)))
        if isinstance(card, FinishCard):
            front[player] = both(front[player], no(leaves))
        else:
            hand[card] = both(hand.get(card, FALSE), no(leaves))
        there = either(reserve.get(card, FALSE), sent.get(card, FALSE))
        reserve[card] = both(there, no(both(letters["D"], here)))
    on: dict[Cell, Hidden] = {}
    down: dict[Cell, Formula] = {}
    moved = moment.moved
    for cell in model.cells:
        lays = both(target[cell], no(opened))
        old = moment.on[cell]
        for card, here in old.items():
            goes = both(lays, here)
            if isinstance(card, FinishCard):
                front[player] = either(front[player], goes)
            else:
                hand[card] = either(hand.get(card, FALSE), goes)
        laying = {card: both(lays, here) for card, here in put.items()}
        staying = {card: both(here, no(lays)) for card, here in old.items()}
        on[cell] = {card: either(laying.get(card, FALSE), staying.get(card, FALSE)) for card in {**staying, **laying}}
        down[cell] = either(both(moment.down[cell], no(target[cell])), both(lays, face_down))
        if cell == model.board.anchor_cell:
            moved = either(moved, both(lays, model.taken(moment, cell)))
    laid = {cell: either(both(opened, moment.laid[cell]), both(no(opened), target[cell])) for cell in model.cells}
    hands = tuple(hand if seat == player else other for seat, other in enumerate(moment.hands))
    return Moment(on, down, hands, tuple(front), reserve, moment.drawn, dict(target), laid, moved)


def _wins(model: Ending, after: Moment, letters: dict[str, Formula], target: dict[Cell, Formula]) -> Formula:
    """Whether the turn wins (END01) [early_apex]."""
    complete = model.all_up(after)
    circuit = model.circuit
    if model.rulings.early_apex == "win_on_completion":
        return circuit.both(complete, no(letters["B"]))
    return circuit.all_of((complete, circuit.either(letters["A"], letters["D"]), target[model.apex]))


def _limits(model: Ending, after: Moment, time: int, player: int, wins: Formula) -> tuple[Pile, Pile, Moment]:
    """What is dropped and trimmed (LIM01, LIM02) [finish_reserve_count]; nothing in a turn that wins."""
    circuit, board = model.circuit, model.board
    hand, reserve = after.hands[player], after.reserve
    drop = model.some(f"time {time} drops", [card for card, here in hand.items() if here != FALSE])
    _exactly_the_rest(model, hand, drop, board.hand_limit, wins)
    counted = dict(reserve)
    if model.rulings.finish_reserve_count == "no":
        counted.pop(FINISH, None)
    trim = model.some(f"time {time} trims", [card for card, here in counted.items() if here != FALSE])
    _exactly_the_rest(model, counted, trim, board.reserve_size(len(after.hands)) or 0, wins)
    kept = {card: circuit.both(here, no(drop.get(card, FALSE))) for card, here in hand.items()}
    left = {card: circuit.both(here, no(trim.get(card, FALSE))) for card, here in reserve.items()}
    hands = tuple(kept if seat == player else other for seat, other in enumerate(after.hands))
    return drop, trim, after._replace(hands=hands, reserve=left)


def _exactly_the_rest(model: Ending, pile: Pile, chosen: Pile, limit: int, wins: Formula) -> None:
    """The chosen cards are of the pile, and as many as it holds above its limit; none where the game is won."""
    circuit = model.circuit
    most = 12
    held, gone = circuit.counts(pile.values(), limit + most), circuit.counts(chosen.values(), most)
    for card, here in chosen.items():
        model.require(circuit.implies(here, circuit.both(pile[card], no(wins))))
    for extra in range(1, most + 1):
        over = circuit.both(held[limit + extra], no(wins))
        model.require(circuit.implies(over, gone[extra]))
        model.require(circuit.implies(gone[extra], over))
