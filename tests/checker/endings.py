"""Tables of the printed board near the end, in order and out of order, and whether they can be won, by trying all."""

from __future__ import annotations

from itertools import combinations
from random import Random

import msgspec

from couperation_formal.game.rulings import Rules, Rulings, parse_rules
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, STANDARD, Card, Cell, Down, Laid, Mark, Tower, Up, Value, Variant
from tests.checker.tables import Late
from tests.kit.rulings import beside
from tests.towers.continuation.brute import NAMES, every_option
from tests.towers.continuation.reasons_brute import explore

Tower_ = dict[Cell, Laid]


def rules(rng: Random) -> Rules:
    """Any option of each ruling, most of them the first ones."""
    options = every_option()
    rulings = {name: rng.choice(some) if rng.random() < 0.6 else some[0] for name, some in options.items()}
    if rng.random() < 0.5:
        rulings["draw_amount"] = "up_to"
    rulings = beside(rulings)
    return parse_rules("ja-2.2 " + " ".join(f"{name}={option}" for name, option in rulings.items()))


def ending(seed: object) -> Late:
    """A table whose tower lacks a few cells, mostly with an up card or a down one out of order."""
    rng = Random(f"ending {seed}")
    chosen = rules(rng)
    variant: Variant = rng.choice(("first", "finish"))
    left = STANDARD.middle if chosen.rulings.anchor == "middle" else rng.randrange(STANDARD.levels)
    cells = sorted(STANDARD.pyramid(left), key=lambda cell: (2 * cell.column + cell.level, cell.level))
    numbers = _numbers(rng, cells, variant, chosen.rulings)
    laid, loose = _laid(rng, cells, numbers, variant)
    spare = [number for number in range(1, 51) if number not in numbers]
    rng.shuffle(spare)
    paying = _disorder(rng, laid, spare, loose)
    loose += [Value(number) for number in spare[: rng.choice((0, 0, 1, 1, 2, 3))]]
    shown = {*loose, *paying, *(lying.card for lying in laid.values())}
    others: list[Card] = [Value(number) for number in range(1, 51) if number not in shown]
    rng.shuffle(others)
    state = _table(rng, variant, laid, loose, others, paying)
    marks = " ".join(f"{value}:{mark}" for value, mark in state.marks.items())
    tags = {"CGN": "1", "Variant": variant, "Players": " ".join(state.players), "Marks": marks}
    return Late(state, chosen, tuple(tags.items()))


def _numbers(rng: Random, cells: list[Cell], variant: Variant, rulings: Rulings) -> list[int]:
    """Rising numbers for the cells, which is a final tower; the Finish card's cell has 0."""
    apex = cells.index(max(cells, key=lambda cell: cell.level))
    if variant == "first" or rulings.finish_value == "none":
        numbers = sorted(rng.sample(range(1, 51), len(cells)))
    else:
        numbers = [
            *sorted(rng.sample(range(1, 25), apex)),
            0,
            *sorted(rng.sample(range(26, 51), len(cells) - apex - 1)),
        ]
    if variant == "finish":
        numbers[apex] = 0
    return numbers


def _laid(rng: Random, cells: list[Cell], numbers: list[int], variant: Variant) -> tuple[Tower_, list[Card]]:
    """The laid cards, and those of the cells that are left empty."""
    laid: Tower_ = {}
    loose: list[Card] = []
    lacking = rng.choice((0, 1, 1, 1, 2, 2))
    tops = [cell for cell in cells if cell.level == STANDARD.levels - 1]
    empty = {cell for cell in cells if cell.level == STANDARD.levels} if rng.random() < 0.9 else set()
    empty |= set(rng.sample(tops, min(lacking, 2))) if empty else set()
    for cell, number in zip(cells, numbers, strict=True):
        card: Card = Value(number) if number else FINISH
        if cell in empty:
            loose.append(card)
        elif card is FINISH or cell.level == STANDARD.levels or rng.random() < 0.93:
            laid[cell] = Up(card)
        else:
            laid[cell] = Down(card)
    return laid, loose


def _disorder(rng: Random, laid: Tower_, spare: list[int], loose: list[Card]) -> list[Card]:
    """Two cards of the tower exchanged, one turned down, or one changed for another. Then sometimes a card for the
    Reserve that mends it, and two for the player to move that pay for it.
    """
    paying: list[Card] = []
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2))):
        one, other = rng.sample([cell for cell in sorted(laid) if cell.level < STANDARD.levels], 2)
        way = rng.random()
        if way < 0.3:
            laid[one], laid[other] = laid[other], laid[one]
        elif way < 0.9 and isinstance(card := laid[one].card, int):
            laid[one] = type(laid[one])(Value(spare.pop()))
            pairs = [pair for pair in combinations(spare, 2) if card in (sum(pair), abs(pair[0] - pair[1]))]
            if not paying and pairs:
                pair = rng.choice(pairs)
                paying = [card, *map(Value, pair)]
                spare[:] = [number for number in spare if number not in pair]
            else:
                loose.append(card)
        elif laid[one].card is not FINISH:
            laid[one] = Down(laid[one].card)
    return paying


def _table(
    rng: Random, variant: Variant, laid: Tower_, loose: list[Card], others: list[Card], paying: list[Card]
) -> State:
    players = rng.choice((2, 2, 3))
    mover = rng.randrange(players)
    hands: list[set[Card]] = [set() for _ in range(players)]
    deck: list[Card] = []
    reserve = {others.pop() for _ in range(rng.choice((0, 1, 2, 4, 5)))}
    reserve.update(paying[:1])
    hands[mover].update(paying[1:])
    gone: set[Card] = set()
    front: int | None = None
    rng.shuffle(loose)
    for card in loose:
        spot = rng.choice((0, 0, 0, 1, 1, 1, 2, 3, 4 if rng.random() < 0.3 else 0))
        if spot < 2 and card is FINISH:
            front = rng.randrange(players)
        elif spot < 2 and len(hands[spot]) < 3:
            hands[spot].add(card)
        elif spot == 3 and len(reserve) < 6:
            reserve.add(card)
        elif spot == 4:
            gone.add(card)
        else:
            deck.append(card)
    if variant == "finish" and FINISH not in [*loose, *(lying.card for lying in laid.values())]:
        gone.add(FINISH)
    where = rng.choice(sorted(laid))
    marks: dict[Value, Mark] = {Value(number): rng.choice(("1", "2", "H")) for number in range(1, 51)}
    return State(
        board=STANDARD, variant=variant, players=NAMES[:players], marks=marks, tower=Tower.of(STANDARD, laid),
        hands=tuple(Pile(frozenset(hand)) for hand in hands), front=front, reserve=Pile(frozenset(reserve)),
        gone=Pile(frozenset(gone.union(others))), deck=tuple(deck), to_move=mover, laid=where,
        touched=where, anchor_moved=str(laid[STANDARD.anchor_cell]) != "25", given=True,
    )  # fmt: skip


def wins(late: Late, most: int) -> bool | None:
    """Whether some continuation wins, by trying every turn that the rules allow, which the checker does not know; None
    for more than `most` tables.
    """
    found = explore(msgspec.structs.replace(late.state, turns=5), late.rules.rulings, most)
    return None if found is None else any(alive for _, alive in list(found.values())[:1])
