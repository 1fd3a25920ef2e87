"""What the tests of small boards share with others."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec

from couperation_formal.game.record import NoAction, Turn
from couperation_formal.game.rules.clauses import ASKED
from couperation_formal.game.rules.moves import legal_actions
from couperation_formal.game.rules.step import Step, carry_out
from couperation_formal.game.rules.turn import Ending, counted, ending
from couperation_formal.game.rulings import RULING_NAMES, Rulings, options_in_order, registry
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, Board, Card, Mark, Shown, Tower, Up, Value, Variant, card_key
from couperation_formal.questions.records.sample import draw_amounts, fill_amounts, top_cards
from tests.formulas.judge import turns as by_formulas

LATER = (
    "no_action",
    "finish_refill",
    "refill_amount",
    "heart_over_back",
    "opened_against",
    "replacements",
    "finish_in_hand",
)
"""The rulings of which no frozen answer knows."""

BOARDS = {
    2: Board(levels=3, cards=9, anchor=5, deal=1, hand_limit=2, refill=1, reserve_sizes=((2, 3),)),
    3: Board(levels=3, cards=10, anchor=5, deal=1, hand_limit=2, refill=1, reserve_sizes=((2, 3), (3, 3))),
}


def canonical(state: State) -> tuple[Any, ...]:
    """A hashable form, equal for equal tables."""

    def shown(card: Shown) -> Any:
        return "F" if card is FINISH else int(card)  # type: ignore[arg-type]

    def pile(cards: Pile) -> tuple[Any, ...]:
        return tuple(shown(card) for card in sorted(cards.known, key=card_key))

    cells = state.tower.cells.items()
    return (
        tuple(sorted((cell.column, cell.level, shown(laid.card), type(laid) is Up) for cell, laid in cells)),
        tuple(pile(hand) for hand in state.hands),
        state.front,
        pile(state.reserve),
        pile(state.gone),
        tuple(shown(card) for card in state.deck),
        state.to_move,
        None if state.laid is None else tuple(state.laid),
        None if state.touched is None else tuple(state.touched),
        state.anchor_moved,
        state.turns,
        state.result,
    )


def choices(pile: Pile, extra: int, spared: tuple[Card, ...] = ()) -> Iterator[tuple[Card, ...]]:
    yield from combinations(sorted(pile.known - set(spared), key=card_key), max(0, extra))


def successors(state: State, rulings: Rulings) -> Iterator[State]:
    """Every state after one legal turn; each turn is also put to the clauses, which must find nothing."""
    seat = state.to_move
    for amount in draw_amounts(state, rulings):
        turn = Turn(state.turns + 1, state.players[seat], top_cards(state.deck, amount), NoAction())
        drawn = carry_out(state, turn, seat)
        actions = legal_actions(drawn.drawn, seat, rulings).actions
        for action in actions or (NoAction(),):
            acted = carry_out(state, msgspec.structs.replace(turn, action=action), seat)
            end = ending(acted, rulings)
            for played in finished(acted, end, rulings):
                step = carry_out(state, played, seat)
                found = [clause.id for clause in ASKED[type(action)] if clause.check(step, rulings)]
                assert not found, (found, played)
                yield msgspec.structs.replace(step.after, result=end)


def finished(acted: Step, end: Ending, rulings: Rulings) -> list[Turn]:
    """A turn with each way to end it after its action: cards drawn, dropped and trimmed."""
    if end or isinstance(acted.turn.action, NoAction):
        return [acted.turn]
    found: list[Turn] = []
    for amount in fill_amounts(acted, rulings):
        turn = msgspec.structs.replace(acted.turn, fill=acted.deck[:amount])
        state = carry_out(acted.before, turn, acted.player).filled
        found += limited(turn, state, acted.player, rulings)
    return found


def limited(turn: Turn, state: State, seat: int, rulings: Rulings) -> Iterator[Turn]:
    hand, reserve = state.hands[seat], state.reserve
    size = state.reserve_size
    assert size is not None
    spared = (FINISH,) if rulings.finish_reserve_count == "no" else ()
    for drop in choices(hand, hand.size - state.board.hand_limit):
        for trim in choices(reserve, counted(reserve, rulings) - size, spared):
            yield msgspec.structs.replace(turn, drop=drop, trim=trim)


def table(seed: int, players: int, variant: Variant) -> State:
    """A small table, dealt at random, with random marks."""
    rng = random.Random(seed)
    board = BOARDS[players]
    cards: list[Card] = [Value(v) for v in range(2, board.cards) if v != board.anchor]
    rng.shuffle(cards)
    hands = tuple(Pile(frozenset({cards.pop()})) for _ in range(players))
    reserve = Pile(frozenset({Value(1), Value(board.cards), cards.pop()}))
    if variant == "finish":
        cards.insert(rng.randint(0, len(cards)), FINISH)
    marks: dict[Value, Mark] = {Value(v): rng.choice(("1", "2", "H")) for v in range(1, board.cards + 1)}
    names = ("Ada", "Bo", "Cy")[:players]
    return State(
        board=board, variant=variant, players=names, marks=marks, tower=Tower.start(board), hands=hands,
        reserve=reserve, deck=tuple(cards),
    )  # fmt: skip


def random_rulings(seed: int) -> Rulings:
    rng = random.Random(seed)
    known = registry().rulings
    return Rulings(**{name: rng.choice(known[name].option_names()) for name in RULING_NAMES})


def frozen_rulings(seed: int) -> Rulings:
    """The same out of the options of the time when answers were frozen; others take their first one."""
    rng, chosen = random.Random(seed), dict[str, str]()
    for name, options in options_in_order():
        known = [option for option in options if option not in ("nothing", "apex_free", "repeats", "as_laid")]
        chosen[name] = options[0] if name in LATER else rng.choice(known)
    return Rulings(**chosen)


def compare(first: State, rulings: Rulings, turns: int) -> int:
    """Compare the turns that rules and formulas allow, of every state that is reached from one table within so many
    turns; how many states there are.
    """
    found: set[Any] = set()
    edge = {by_formulas.key(by_formulas.table(first, rulings)): first}
    for _ in range(turns):
        found |= edge.keys()
        ahead: dict[Any, State] = {}
        for state in edge.values():
            ours = {by_formulas.key(by_formulas.table(each, rulings)): each for each in successors(state, rulings)}
            theirs = by_formulas.successors(by_formulas.table(state, rulings))
            assert ours.keys() == set(map(by_formulas.key, theirs)), state
            ahead |= ours
        edge = {key: state for key, state in ahead.items() if key not in found and state.result is None}
        found |= ahead.keys()
    return len(found)
