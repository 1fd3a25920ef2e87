"""When a recorded game's tower was deadlocked, which turn made it so, and which actions of that turn would not have.

At the tower level deadness can revert: a replacement may end it. So the answer is about the last stretch of deadlocked
turns, where that reaches the record's end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations, product
from typing import Any, Final

import msgspec

from couperation_formal.analysis.complete import require_shown
from couperation_formal.analysis.inspect import Illegal, kept_tags, legal_part, position_of
from couperation_formal.analysis.named import game_named
from couperation_formal.game.budget import Spent, Steps, steps_of
from couperation_formal.game.record import Game, Open, Position, Turn, short
from couperation_formal.game.rules.ending import counted, ending
from couperation_formal.game.rules.moves import Move, legal_actions
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rules, Rulings
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, UNSEEN, Card, Shown, UnseenCard, card_key
from couperation_formal.notation.write import action_text
from couperation_formal.towers.completion.answer import (
    Completable,
    Deadlocked,
    TowerAnswer,
    completable_certificate,
    complete,
    deadlocked_certificate,
)
from couperation_formal.words.say import phrase

_ASKED: Final = 200
"""The steps that a question about a tower takes."""


class Saving(msgspec.Struct, frozen=True):
    """A legal action after which the tower is completable, the position at that turn's end and its filling.

    Where cards have to be destroyed for the limits, these are such that the tower stays completable.
    """

    action: Move
    position: Position
    answer: Completable


class Scan(msgspec.Struct, frozen=True, kw_only=True):
    """The tower's answers through a game.

    `positions[k]` and `answers[k]` stand after turn k; 0 is the set-up. `intervals` are the stretches of turns after
    which the tower was deadlocked, first and last turn included. `turn` is the first turn of the last stretch, where
    that reaches the record's end; else None. `saving` are the legal actions of that turn with known cards that keep the
    tower completable, None without a turn or for the set-up; `complete` is False where unseen cards may allow more, or
    the budget ended first. Where `illegal` is a turn, `game` ends before it.
    """

    game: Game
    positions: tuple[Position, ...]
    answers: tuple[TowerAnswer, ...]
    intervals: tuple[tuple[int, int], ...]
    turn: int | None
    saving: tuple[Saving, ...] | None
    complete: bool
    illegal: Illegal | None = None

    def __repr__(self) -> str:
        return short(self, game=self.game, turn=self.turn)

    def __str__(self) -> str:
        """Since when the tower cannot be completed, and what would have kept it so."""
        said = phrase("never_dead") if self.turn is None else phrase("dead_since", turn=self.turn)
        told = phrase("told_of", what=game_named(self.game.file, self.game.index), said=said)
        return "\n".join([told, *(action_text(each.action) for each in self.saving or ())])


def scan(game: Game, rules: Rules | None = None, budget: Steps | int | None = None) -> Scan:
    """When the tower of a game was deadlocked, under the game's own rules or `rules`.

    The actions of the turn in question are asked as far as `budget` allows. Of an illegal game the turns before the
    first illegal one are looked at. Raises `NoSuchTurn` where its set-up is illegal or it cannot be told to its end,
    and `NoTower` where an up card is not shown. Cost: one replay, one question for each turn, and one for each legal
    action of the turn in question (times the choices of cards to destroy at worst).
    """
    rules = rules or game.record.rules
    game, outcome, illegal = legal_part(game, rules)
    states = outcome.states
    tags = kept_tags(game)
    positions = tuple(position_of(state, rules, tags) for state in states)
    for position in positions:
        require_shown(position)
    answers = tuple(complete(position) for position in positions)
    intervals = _intervals([isinstance(answer, Deadlocked) for answer in answers])
    turn = intervals[-1][0] if intervals and intervals[-1][1] == len(states) - 1 else None
    saving: tuple[Saving, ...] | None = None
    whole = not turn
    if turn:
        chance = _Chance(states[turn - 1], game.record.turns[turn - 1], rules, tags, steps_of(budget))
        found = list[Saving]()
        with suppress(Spent):
            found.extend(chance.saving())
            whole = chance.complete
        saving = tuple(found)
    return Scan(
        game=game,
        positions=positions,
        answers=answers,
        intervals=intervals,
        turn=turn,
        saving=saving,
        complete=whole,
        illegal=illegal,
    )


def _intervals(dead: list[bool]) -> tuple[tuple[int, int], ...]:
    starts = [k for k, now in enumerate(dead) if now and (k == 0 or not dead[k - 1])]
    ends = [k for k, now in enumerate(dead) if now and (k + 1 == len(dead) or not dead[k + 1])]
    return tuple(zip(starts, ends, strict=True))


class _Chance:
    """What a turn could have done otherwise, after its recorded draw."""

    def __init__(
        self, before: State, turn: Turn, rules: Rules, tags: tuple[tuple[str, str], ...], budget: Steps
    ) -> None:
        self._rules, self._tags, self._turn, self._budget = rules, tags, turn, budget
        self._player = before.to_move
        self._drawn = carry_out(before, turn, self._player).drawn
        self._moves = legal_actions(self._drawn, self._player, rules.rulings, budget)

    @property
    def complete(self) -> bool:
        """Whether no unseen card may allow more."""
        return self._moves.complete and not any(map(opens_unseen, self._moves.actions))

    def saving(self) -> Iterator[Saving]:
        """The legal actions with known cards that keep the tower completable, in the order of `legal_actions`."""
        for move in self._moves.actions:
            found = None if opens_unseen(move) else self._saved(move)
            if found is not None:
                yield found

    def _saved(self, move: Move) -> Saving | None:
        """`move` with an end of the turn that keeps the tower completable, None where there is none or it loses."""
        turn = Turn(self._turn.number, self._turn.player, (), move)
        step = carry_out(self._drawn, turn, self._player)
        end = ending(step, self._rules.rulings)
        if end == "loss":
            return None
        acted = self._asked(move, step.acted)
        if acted is None or end == "win":
            return acted
        needed = frozenset(acted.answer.filling.values())
        for _, _, state in limited(step.acted, self._player, self._rules.rulings, needed):
            found = self._asked(move, state)
            if found is not None:
                return found
        return None

    def _asked(self, move: Move, state: State) -> Saving | None:
        self._budget.spend(_ASKED)
        position = position_of(state, self._rules, self._tags)
        answer = complete(position)
        return Saving(move, position, answer) if isinstance(answer, Completable) else None


def limited(
    state: State, player: int, rulings: Rulings, needed: frozenset[int]
) -> Iterator[tuple[tuple[Shown, ...], tuple[Shown, ...], State]]:
    """Each choice of cards that `player` may destroy after an action (LIM01, LIM02), those that are not `needed`
    first: the drop, the trim, the state after them.
    """
    hand, reserve = state.hands[player], state.reserve
    drops = max(0, hand.size - state.board.hand_limit)
    size = counted(reserve, rulings)
    trims = 0 if state.reserve_size is None else max(0, size - state.reserve_size)
    stays = size < reserve.size
    trimming = list(_choices(reserve, trims, needed, stays))
    for dropped, trimmed in product(_choices(hand, drops, needed, False), trimming):
        gone = state.gone
        for card in (*dropped, *trimmed):
            gone = gone.add(card)
        hands = list(state.hands)
        hands[player] = _without(hand, dropped)
        after = msgspec.structs.replace(state, hands=tuple(hands), reserve=_without(reserve, trimmed), gone=gone)
        yield dropped, trimmed, after


def opens_unseen(move: Move) -> bool:
    """Whether the action opens a card that nobody knows."""
    return isinstance(move, Open) and isinstance(move.card, UnseenCard)


def _choices(pile: Pile, count: int, needed: frozenset[int], finish_stays: bool) -> Iterator[tuple[Shown, ...]]:
    """Every choice of so many cards out of a pile, unseen ones alike; those not `needed` first."""

    def rank(card: Card) -> tuple[bool, bool, tuple[int, int]]:
        return card is FINISH, card in needed, card_key(card)

    known = sorted((card for card in pile.known if not (finish_stays and card is FINISH)), key=rank)
    for unseen in range(min(count, pile.unseen) + 1):
        for chosen in combinations(known, count - unseen):
            yield (*chosen, *(UNSEEN,) * unseen)


def _without(pile: Pile, cards: tuple[Shown, ...]) -> Pile:
    """The pile without these cards, the unseen ones among them being unseen ones of the pile."""
    known = pile.known.difference(cards)
    return Pile(known, pile.size - len(cards) - len(known))


def scan_certificates(found: Scan) -> Iterator[dict[str, Any]]:
    """A tower certificate for each turn, 0 first, and one for the position after each saving action."""
    for position, answer in zip(found.positions, found.answers, strict=True):
        if isinstance(answer, Completable):
            yield completable_certificate(position, answer)
        else:
            yield deadlocked_certificate(position, answer)
    for each in found.saving or ():
        yield completable_certificate(each.position, each.answer)
