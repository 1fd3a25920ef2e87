"""Records of small games, blurred and spoiled, for the tests of the symbolic model. All follow from a seed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

from msgspec.structs import replace

from couperation_formal.game.record import (
    Action,
    Exchange,
    LayDown,
    LayUp,
    NoAction,
    Open,
    Record,
    Turn,
    cards_of,
    with_cards,
)
from couperation_formal.game.replay import sizes
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.seen import seen_record as hide
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board, Cell, Down, Shown, Up, Value, Variant
from couperation_formal.questions.records.sample import Policy, sample_game
from tests.kit.rulings import drawn

TINY = (
    Board(levels=2, cards=8, anchor=4, deal=1, hand_limit=2, refill=2, reserve_sizes=((2, 3), (3, 3))),
    Board(levels=2, cards=9, anchor=5, deal=2, reserve_sizes=((2, 3), (3, 2))),
    Board(levels=3, cards=9, anchor=5, deal=1, hand_limit=2, refill=1, reserve_sizes=((2, 3), (3, 3))),
    Board(levels=3, cards=10, anchor=5, deal=1, hand_limit=2, refill=2, reserve_sizes=((2, 4), (3, 3))),
    Board(levels=3, cards=11, anchor=6, deal=2, hand_limit=3, refill=2, reserve_sizes=((2, 4), (3, 3))),
)


def sampled(seed: int, board: Board = STANDARD) -> Record:
    """A complete game, fully seen, under random rulings, either variant, either policy."""
    rng = Random(f"sampled {seed}")
    words = [rng.choice(list(registry().rulebooks))]
    words += [f"{name}={option}" for name, option in drawn(rng, 0.5).items()]
    players = rng.choice([count for count, _ in board.reserve_sizes])
    policy: Policy = rng.choice(("careful", "random", "random"))
    variant: Variant = rng.choice(("first", "finish"))
    return sample_game(players, variant, parse_rules(" ".join(words)), seed, policy, board=board)


def without_marks(record: Record, kept: float = 0.0, rng: Random | None = None) -> Record:
    """The record with each mark given only with the chance `kept`."""
    marks = {} if rng is None else {card: mark for card, mark in record.marks.items() if rng.random() < kept}
    tags = tuple(tag for tag in record.tags if tag[0] != "Marks")
    if marks:
        tags = (*tags, ("Marks", " ".join(f"{card}:{mark}" for card, mark in marks.items())))
    return replace(record, marks=marks, tags=tags)


def blurred(record: Record, rng: Random, chance: float) -> Record:
    """The record with each card a ``?`` with this chance, wherever the notation allows one; the Finish card stays
    where a draw shows it.
    """

    def some(cards: tuple[Shown, ...], finish: bool = True) -> tuple[Shown, ...]:
        return tuple(UNSEEN if rng.random() < chance and (finish or card is not FINISH) else card for card in cards)

    def turned(turn: Turn) -> Turn:
        action = with_cards(turn.action, some(cards_of(turn.action)))
        if isinstance(action, Exchange) and isinstance(action.replaced, Up) and action.replaced.card is UNSEEN:
            action = replace(action, replaced=turn.action.replaced)  # type: ignore[union-attr]
        return replace(turn, draw=some(turn.draw, False), action=action, drop=some(turn.drop), trim=some(turn.trim))

    return replace(
        record,
        deals={name: some(cards) for name, cards in record.deals.items() if rng.random() > chance / 4},
        reserve=None if record.reserve is None or rng.random() < chance / 4 else some(record.reserve),
        deck=None if record.deck is None or rng.random() < chance else some(record.deck),
        turns=tuple(turned(turn) for turn in record.turns),
    )


def opened(record: Record, rng: Random, count: int) -> Record:
    """The record with the draws of some turns not noted, F never among them, and what fills hands there."""
    places = [at for at, turn in enumerate(record.turns) if FINISH not in turn.draw]
    chosen = set(rng.sample(places, min(count, len(places))))
    turns = tuple(
        replace(turn, draw=(), draw_open=True, fill=(), fill_open=bool(turn.fill)) if at in chosen else turn
        for at, turn in enumerate(record.turns)
    )
    return replace(record, turns=turns)


def hidden(record: Record, rng: Random) -> Record:
    """The record as a recorder saw it, in one of several ways: the public view, with marks or without, with more or
    fewer cards lost besides.
    """
    kept = rng.choice((0.0, 0.5, 0.8, 1.0))
    if kept < 1:
        record = without_marks(record, kept, rng)
    way = rng.random()
    if way < 0.4:
        return hide(record)
    if way < 0.6:
        return blurred(hide(record), rng, rng.choice((0.1, 0.3)))
    return blurred(record, rng, rng.choice((0.2, 0.5, 0.8)))


Spoil = Callable[[Random, Record, Board], "Record | None"]


def _card(rng: Random, record: Record, board: Board) -> Any:
    cards: list[Any] = [Value(value) for value in range(1, board.cards + 1)]
    return FINISH if record.variant == "finish" and rng.random() < 0.15 else rng.choice(cards)


def _with_turn(record: Record, at: int, turn: Turn) -> Record:
    return replace(record, turns=(*record.turns[:at], turn, *record.turns[at + 1 :]))


def _other_card(rng: Random, record: Record, board: Board) -> Record | None:
    """Another number on one card of a turn."""
    at = rng.randrange(len(record.turns))
    turn = record.turns[at]
    part = rng.choice(("draw", "action", "action", "drop", "trim"))
    cards = list(cards_of(turn.action) if part == "action" else getattr(turn, part))
    if not cards:
        return None
    cards[rng.randrange(len(cards))] = _card(rng, record, board)
    if part == "action":
        return _with_turn(record, at, replace(turn, action=with_cards(turn.action, tuple(cards))))
    return _with_turn(record, at, replace(turn, **{part: tuple(cards)}))


def _other_cell(rng: Random, record: Record, board: Board) -> Record | None:
    at = rng.randrange(len(record.turns))
    turn = record.turns[at]
    if isinstance(turn.action, NoAction):
        return None
    level = rng.randint(1, board.levels)
    cell = Cell(rng.randrange(board.columns - level + 1), level)
    return _with_turn(record, at, replace(turn, action=replace(turn.action, cell=cell)))


def _more_or_less(rng: Random, record: Record, board: Board) -> Record | None:
    """A card more or less in a draw, a drop or a trim."""
    at = rng.randrange(len(record.turns))
    turn = record.turns[at]
    part = rng.choice(("draw", "draw", "drop", "trim"))
    cards = getattr(turn, part)
    if cards and rng.random() < 0.6:
        spot = rng.randrange(len(cards))
        cards = (*cards[:spot], *cards[spot + 1 :])
    else:
        cards = (*cards, _card(rng, record, board))
    return _with_turn(record, at, replace(turn, **{part: cards}))


def _left_out(rng: Random, record: Record, board: Board) -> Record | None:
    """A turn left out, the others numbered anew."""
    at = rng.randrange(len(record.turns))
    turns = record.turns[:at] + record.turns[at + 1 :]
    named = tuple(
        replace(turn, number=i + 1, player=record.players[i % len(record.players)]) for i, turn in enumerate(turns)
    )
    return replace(record, turns=named, result=None)


def _other_letter(rng: Random, record: Record, board: Board) -> Record | None:
    """Up for down, down for up, laid for opened, the taken card the other way up."""
    at = rng.randrange(len(record.turns))
    turn = record.turns[at]
    action = turn.action
    other: Action
    if isinstance(action, LayUp):
        other = LayDown(action.card, action.cell)
    elif isinstance(action, LayDown):
        other = LayUp(action.card, action.cell)
    elif isinstance(action, Exchange):
        other = replace(action, face_up=not action.face_up)
    elif isinstance(action, Open):
        other = LayUp(action.card, action.cell)
    else:
        return None
    return _with_turn(record, at, replace(turn, action=other))


def _sum_changed(rng: Random, record: Record, board: Board) -> Record | None:
    """Another sign, another adjustment, another thing replaced."""
    places = [at for at, turn in enumerate(record.turns) if isinstance(turn.action, Exchange)]
    if not places:
        return None
    at = rng.choice(places)
    turn = record.turns[at]
    action = turn.action
    assert isinstance(action, Exchange)
    way = rng.randrange(4)
    if way == 0:
        action = replace(action, sign="-" if action.sign == "+" else "+")
    elif way == 1:
        action = replace(action, adjust=(*action.adjust, (rng.choice(("^", "_", "|")), _card(rng, record, board))))
    elif way == 2:
        action = replace(action, adjust=tuple((rng.choice(("^", "_", "|")), card) for _, card in action.adjust))
    else:
        action = replace(action, replaced=rng.choice((None, Up(_card(rng, record, board)), Down(UNSEEN))))
    return _with_turn(record, at, replace(turn, action=action))


def _passes(rng: Random, record: Record, board: Board) -> Record | None:
    """The record ends with a player who sees no action."""
    at = rng.randrange(len(record.turns))
    turn = replace(record.turns[at], action=NoAction(), drop=(), trim=())
    result = rng.choice(("stuck", "stuck", None, "win"))
    return replace(record, turns=(*record.turns[:at], turn), result=result)


def _ends(rng: Random, record: Record, board: Board) -> Record | None:
    """Another result, or a turn after the last one."""
    if rng.random() < 0.5:
        return replace(record, result=rng.choice(("win", "loss", "stuck")))
    count = len(record.turns)
    turn = replace(rng.choice(record.turns), number=count + 1, player=record.players[count % len(record.players)])
    return replace(record, turns=(*record.turns, turn), result=None)


def _other_deal(rng: Random, record: Record, board: Board) -> Record | None:
    name = rng.choice((*record.players, "reserve"))
    cards = list((record.reserve or ()) if name == "reserve" else record.deals[name])
    if not cards:
        return None
    if rng.random() < 0.8:
        cards[rng.randrange(len(cards))] = _card(rng, record, board)
    else:
        cards.pop()
    if name == "reserve":
        return replace(record, reserve=tuple(cards))
    return replace(record, deals={**record.deals, name: tuple(cards)})


def _other_deck(rng: Random, record: Record, board: Board) -> Record | None:
    deck = list(record.deck or ())
    if not deck:
        return None
    deck[rng.randrange(len(deck))] = _card(rng, record, board)
    return replace(record, deck=tuple(deck))


SPOILS: dict[str, Spoil] = {
    "card": _other_card,
    "cell": _other_cell,
    "count": _more_or_less,
    "left out": _left_out,
    "letter": _other_letter,
    "sum": _sum_changed,
    "pass": _passes,
    "end": _ends,
    "deal": _other_deal,
    "deck": _other_deck,
}
_WEIGHTS = (5, 3, 3, 1, 2, 3, 3, 2, 1, 1)


def spoiled(record: Record, rng: Random, board: Board, times: int) -> Record:
    """The record with some faults, each of a kind that is drawn; some happen to be none."""
    for _ in range(times):
        if record.turns:
            (kind,) = rng.choices(list(SPOILS), _WEIGHTS)
            record = SPOILS[kind](rng, record, board) or record
    return record


FILLS = [
    ("ja-2.2 finish_refill=at_once finish_value=none", 575, 3),
    ("en-2 finish_refill=at_once refill_amount=all_or_none", 651, 19),
    ("bgg finish_refill=at_once finish_half=top finish_value=apex_free", 59, 12),
]
"""Rules and seed of a game, and the turn in which somebody fills the hand with an unseen card."""


def hand_filled(rules: str, seed: int, turn: int) -> Record:
    """The beginning of the game up to that turn, and its next one, as a recorder sees it."""
    game = hide(sample_game(2, "finish", parse_rules(rules), seed, "random"))
    return replace(game, turns=game.turns[: turn + 1], result=None)


def noted(record: Record, board: Board = STANDARD) -> list[Record]:
    """Every record that notes all draws."""
    ways = [list(sizes(turn, board)) if turn.draw_open or turn.fill_open else [turn] for turn in record.turns]
    return [replace(record, turns=turns) for turns in product(*ways)]
