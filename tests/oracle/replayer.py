"""Judge a fully seen record: the set-up, then turn by turn, up to the first that breaks a clause."""

from __future__ import annotations

from typing import NamedTuple

from .claims import draw_faults, turn_faults
from .game import Action, actions, start
from .reader import UNSEEN, Record, read_record
from .table import State
from .tower import F, Game


class Judgement(NamedTuple):
    """The answer on a record.

    `verdict` is "legal", "illegal", or "unseen" where a card or a mark is not shown, which this replayer does not
    judge. `turn` and `codes` tell the first illegal turn and all it breaks (None and empty for others), `result` how a
    legal game stands ("win", "loss", "stuck", "unfinished"; None for others), `warnings` holds "SET05" where the Finish
    card lies in the other half, as far as the turns are legal (not looked at when the set-up is illegal).
    """

    verdict: str
    turn: int | None = None
    codes: frozenset[str] = frozenset()
    result: str | None = None
    warnings: frozenset[str] = frozenset()


def game_of(record: Record) -> Game:
    """The standard board under the record's rulings."""
    return Game(record.rulings, record.marks, len(record.players), record.finish)


def fully_seen(record: Record) -> bool:
    """Whether the record shows every card played, and all marks; the deck and a replaced card may stay unseen."""
    if len(record.marks) < 50 or record.reserve is None or set(record.deals) != set(record.players):
        return False
    cards = [*record.reserve, *(record.deck or ())]
    for hand in record.deals.values():
        cards += hand
    for turn in record.turns:
        cards += [*turn.draw, *turn.drop, *turn.trim]
        if turn.action[0] == "D":
            d = turn.action[1]
            cards += [*d.sent, *(card for _, card in d.adjust), d.taken]
        else:
            cards += turn.action[1:]
    return UNSEEN not in cards


def setup_faults(game: Game, record: Record) -> set[str]:
    """SET01 to SET04, SET06. SET05 only warns."""
    codes = set()
    if not 2 <= len(record.players) <= 4 or len(set(record.players)) < len(record.players):
        codes.add("SET01")
    hands = list(record.deals.values())
    dealt = [card for hand in hands for card in hand]
    aside = {1, game.anchor, game.cards, F}
    if aside & set(dealt) or any(len(hand) != game.deal for hand in hands):
        codes.add("SET02")
    reserve = list(record.reserve or ())
    size = game.reserve_sizes.get(game.players, len(reserve))
    if not {1, game.cards} <= set(reserve) or {game.anchor, F} & set(reserve) or len(reserve) != size:
        codes.add("SET03")
    deck = list(record.deck or ())
    shown = [game.anchor, *dealt, *reserve, *deck]
    if game.anchor in shown[1:]:
        codes.add("SET04")
    if len(set(shown)) < len(shown) or len(shown) > game.cards + game.finish or (F in shown and not game.finish):
        codes.add("SET06")
    return codes


def first_state(game: Game, record: Record) -> State:
    """The table after the set-up; the unknown part of the deck holds "?"."""
    hands = [record.deals[name] for name in record.players]
    deck = record.deck or ()
    known = 1 + sum(map(len, hands)) + len(record.reserve) + len(deck)
    return start(game, hands, record.reserve, [*deck, *[UNSEEN] * (game.cards + game.finish - known)])


def finish_warning(record: Record, size: int, kept: int) -> frozenset[str]:
    """SET05 by the deck's line and the draws of the first `kept` turns, of a deck of `size` cards: whether "F" lies in
    the other half wherever it may lie. Where neither shows it, that is any place below those that they show.
    """
    drawn = [card for turn in record.turns[:kept] for card in turn.draw]
    shown = list(record.deck or ()) + drawn[len(record.deck or ()) :]
    places = [shown.index(F) + 1] if F in shown else range(len(shown) + 1, size + 1)
    half, above = -(-(size - 1) // 2), (size - 1) // 2
    top = record.rulings["finish_half"] == "top"
    wrong = all(place > half + 1 if top else place <= above for place in places)
    return frozenset({"SET05"}) if record.finish and wrong else frozenset()


def judge(text: str) -> Judgement:
    """The answer on one game. Raises ValueError or AttributeError where the text is not well formed."""
    record = read_record(text)
    game = game_of(record)
    if not fully_seen(record):
        return Judgement("unseen")
    codes = setup_faults(game, record)
    if codes:
        return Judgement("illegal", 0, frozenset(codes))
    state = first_state(game, record)
    size = len(state.deck)
    for place, turn in enumerate(record.turns, 1):
        codes, state = turn_faults(game, record.players, state, turn)
        if codes:
            return Judgement("illegal", place, frozenset(codes), None, finish_warning(record, size, place - 1))
    warnings = finish_warning(record, size, len(record.turns))
    if record.result and record.result != state.result:
        return Judgement("illegal", len(record.turns), frozenset({"END05"}), None, warnings)
    return Judgement("legal", None, frozenset(), state.result or "unfinished", warnings)


def states(text: str) -> list[State]:
    """The tables after the set-up and after each turn, up to the first illegal turn (which adds none)."""
    record = read_record(text)
    game = game_of(record)
    if not fully_seen(record) or setup_faults(game, record):
        return []
    found = [first_state(game, record)]
    for turn in record.turns:
        codes, state = turn_faults(game, record.players, found[-1], turn)
        if codes:
            break
        found.append(state)
    return found


def oracle_moves(text: str, at: int) -> set[Action]:
    """Every legal action in turn `at` after its recorded draw, in the form of `game.actions`.

    Raises IndexError where a turn before `at` is illegal or not seen.
    """
    record = read_record(text)
    game, turn, before = game_of(record), record.turns[at - 1], states(text)[at - 1]
    player = record.players.index(turn.name)
    _, drawn = draw_faults(game, before, player, turn)
    return actions(game, drawn, player)
