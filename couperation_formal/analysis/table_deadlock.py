"""When a recorded game was dead: its first dead position, the turn that killed it, and what would not have.

Deadness never reverts: what wins after a turn wins before it too, by that turn. So the first dead position is searched
by halves. That holds as long as nothing known is forgotten: a record whose unseen cards leave doubts is asked about
turn by turn instead, as its later positions may show less. A record that wins is taken at its word: whether it is
legal is another question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from couperation_formal.analysis.inspect import Illegal, kept_tags, legal_part, position_of
from couperation_formal.analysis.named import game_named
from couperation_formal.analysis.table_answer import ask, line_from, table_certificates
from couperation_formal.analysis.table_moves import OPEN, Chance, Judged, judged_certificates
from couperation_formal.game.budget import Steps, steps_of
from couperation_formal.game.fact import Fact, taken
from couperation_formal.game.record import Game, Outcome, Position, short
from couperation_formal.game.rulings import Rules
from couperation_formal.game.state import State
from couperation_formal.notation.write import action_text
from couperation_formal.towers.continuation.answer import Answer, Dead, Won
from couperation_formal.words.say import phrase

SHARE: Final = 6
"""A position may spend this part of what is left: about so many are asked about."""


class TableScan(msgspec.Struct, frozen=True, kw_only=True):
    """Where a game's table died.

    `positions` stand after turns 0 to the last one; `answers` holds those that were asked about, by turn. `result` is
    how the game ended, None where it goes on. `dead` is the first turn after which the table is known to be dead, 0 for
    the set-up, None where it never is; a game that was lost is dead after its last turn. `alive` is the last turn after
    which it is known to be alive, None where that is not known of the deal. Between the two nothing is known.
    `alternatives` are the legal actions of turn `dead` after its draw, judged, where the turn before it was alive;
    `complete` is False where unseen cards may allow more, and where the budget ended before all were found (`told`
    False). Where a turn is `illegal`, `game` ends before it. `forgets` tells that a later position may show less.
    Positions before `first` are not asked about. `taken` tells what was spent of the budget.
    """

    game: Game
    positions: tuple[Position, ...]
    answers: dict[int, Answer]
    result: Outcome | None
    dead: int | None
    alive: int | None
    alternatives: tuple[Judged, ...] = ()
    complete: bool = True
    told: bool = True
    illegal: Illegal | None = None
    forgets: bool = False
    first: int = 0
    taken: Fact

    def alive_after(self, turn: int) -> bool | None:
        """Whether the table was alive after turn `turn`, None where that is not known."""
        if self.dead is not None and turn >= self.dead:
            return False
        if isinstance(self.answers.get(turn), Won):
            return True
        return True if self.alive is not None and turn <= self.alive and not self.forgets else None

    @property
    def open(self) -> tuple[int, int] | None:
        """The first and last turn after which it is not known whether the table was dead, None where all is known."""
        first = self.first if self.alive is None else self.alive + 1
        last = len(self.positions) - 1 if self.dead is None else self.dead - 1
        return (first, last) if first <= last else None

    def __repr__(self) -> str:
        return short(self, game=self.game, dead=self.dead, alive=self.alive, open=self.open)

    def __str__(self) -> str:
        """Since when the table was dead, and the actions that would have kept it alive."""
        if self.open is not None:
            said = phrase("open_between", first=self.open[0], last=self.open[1], taken=self.taken)
        else:
            said = phrase("never_dead") if self.dead is None else phrase("dead_since", turn=self.dead)
        told = phrase("told_of", what=game_named(self.game.file, self.game.index), said=said)
        return "\n".join([told, *(action_text(each.action) for each in self.alternatives if each.verdict == "alive")])


def scan_table(game: Game, rules: Rules | None = None, budget: Steps | int | None = None) -> TableScan:
    """The first dead position of a game, under its own rules or `rules`, and what the turn before it could have done.

    `budget` pays for everything: a position may spend a sixth of what is left, the actions of the killing turn the
    rest. Of an illegal game the turns before the first illegal one are looked at. Raises
    `NoSuchTurn` where its set-up is illegal or it cannot be told to its end, and `NoTower` as
    `analysis.table_answer.ask` does. Cost: one replay and about log2(turns) questions; one for each turn where the
    record leaves doubts.
    """
    steps = steps_of(budget)
    rules = rules or game.record.rules
    legal, outcome, illegal = legal_part(game, rules)
    search = _Search(_positions(legal, outcome.states, rules), outcome.states[-1].result, steps)
    forgets = bool(outcome.doubts) and outcome.states[-1].result != "win"
    found = search.scan(legal, search.by_turns() if forgets else search.by_halves(), forgets, illegal)
    return _judged(found, outcome.states, rules, steps)


def scan_end(
    game: Game,
    states: Sequence[State],
    first: int = 0,
    forgets: bool = False,
    budget: Steps | int | None = None,
    alive: int | None = None,
    judged: bool = False,
) -> TableScan:
    """The same for whoever looks at the last table, of which the turns before are asked about where it is dead.

    `states` are the tables from the set-up on, those from `first` on by legal turns; the tables before it are not
    asked about. With `forgets` no answer is taken to say anything of other tables. `alive` is a turn after which the
    table is known to be alive. Only with `judged` the actions of the killing turn are asked about. Raises `NoTower`.
    """
    steps, rules = steps_of(budget), game.record.rules
    search = _Search(_positions(game, states, rules), states[-1].result, steps)
    dead, last = search.from_end(max(first - 1, -1 if alive is None or forgets else alive))
    found = search.scan(game, (dead, None if last is None or last < first else last), forgets or first > 0, None)
    found = msgspec.structs.replace(found, first=first)
    return _judged(found, states, rules, steps) if judged else found


def _positions(game: Game, states: Sequence[State], rules: Rules) -> tuple[Position, ...]:
    tags = kept_tags(game)
    return tuple(position_of(state, rules, tags) for state in states)


def _judged(found: TableScan, states: Sequence[State], rules: Rules, budget: Steps) -> TableScan:
    """A scan with the other actions of the turn that killed the table, where the one before was alive."""
    dead, game = found.dead, found.game
    if not dead or found.alive != dead - 1:
        return found
    chance = Chance(states[dead - 1], game.record.turns[dead - 1], rules, kept_tags(game), budget)
    moves = chance.moves
    line, own = line_from(found.answers.get(dead - 1, OPEN), dead - 1), game.record.turns[dead - 1]
    known = line[0].action if line and line[0].draw == own.draw else None
    judged = (each.kept(line) if each.action == known else each for each in chance.judged())
    alternatives = tuple(sorted(judged, key=lambda each: moves.actions.index(each.action)))
    return msgspec.structs.replace(
        found, alternatives=alternatives, complete=moves.complete, told=moves.told, taken=taken(budget)
    )


class _Search:
    """The positions of a game, the last one of which may be after its end, and their answers as far as asked for."""

    def __init__(self, positions: tuple[Position, ...], result: Outcome | None, budget: Steps) -> None:
        self.answers: dict[int, Answer] = {}
        self._positions, self._result = positions, result
        self._budget = budget
        self._last = len(positions) - 1
        self._asked = self._last if result is None else self._last - 1

    def _ask(self, turn: int) -> Answer:
        if turn not in self.answers:
            with self._budget.at_most(-(-self._budget.left // SHARE)):
                self.answers[turn] = ask(self._positions[turn], self._budget)
        return self.answers[turn]

    def _dead(self, turn: int) -> bool:
        if turn > self._asked:
            return self._result != "win"
        return isinstance(self._ask(turn), Dead)

    def _alive(self, turn: int) -> bool:
        if turn > self._asked:
            return self._result == "win"
        return isinstance(self._ask(turn), Won)

    def scan(
        self, game: Game, found: tuple[int | None, int | None], forgets: bool, illegal: Illegal | None
    ) -> TableScan:
        """What a search found: the first position known to be dead and the last one before it known to be alive."""
        return TableScan(
            game=game,
            positions=self._positions,
            answers=dict(sorted(self.answers.items())),
            result=self._result,
            dead=found[0],
            alive=found[1],
            illegal=illegal,
            forgets=forgets,
            taken=taken(self._budget),
        )

    def from_end(self, low: int) -> tuple[int | None, int | None]:
        """The search where the last position is dead; else whether that one is known to be alive."""
        if self._result != "win" and self._dead(self._last):
            return self.by_halves(low)
        return None, self._last if self._alive(self._last) else low if low >= 0 else None

    def by_halves(self, low: int = -1) -> tuple[int | None, int | None]:
        """The search where nothing known is forgotten; after turn `low` the table is known to be alive. An open answer
        counts as alive in the first search and as dead in the second, which begins at the last one that is known to be
        alive.
        """
        if self._result == "win":
            self._ask(self._asked)
            return None, self._last
        dead = self._last + 1
        if self._dead(self._last):
            dead = _first(self._dead, self._last, low)
        if dead > self._last and self._alive(self._last):
            return None, self._last
        known = max((turn for turn, answer in self.answers.items() if isinstance(answer, Won)), default=low)
        alive = _first(lambda turn: not self._alive(turn), min(dead, self._last), known) - 1
        return (dead if dead <= self._last else None), (alive if alive >= 0 else None)

    def by_turns(self) -> tuple[int | None, int | None]:
        """The search turn by turn up to the first dead one."""
        alive: int | None = None
        for turn in range(self._last + 1):
            if self._dead(turn):
                return turn, alive
            if self._alive(turn):
                alive = turn
        return None, alive


def _first(holds: Callable[[int], bool], last: int, low: int = -1) -> int:
    """The first turn after `low` that `holds`: `last` does, and what holds once holds from there on. Cost: log2(last)
    calls.
    """
    high = last
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def table_scan_certificates(found: TableScan) -> Iterator[dict[str, Any]]:
    """The certificates of the first dead position and of the last alive one, as far as somebody is to move there, and
    of the positions after the actions that keep the table alive.
    """
    for turn in (found.dead, found.alive if found.result != "win" else len(found.positions) - 2):
        if turn is not None and turn in found.answers:
            yield from table_certificates(found.positions[turn], found.answers[turn])
    for each in found.alternatives:
        if each.verdict == "alive":
            yield from judged_certificates(each)
