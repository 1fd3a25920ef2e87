"""One turn of a record that does not show everything, with all before as it was played: every world, by enumeration,
judged by the formulas.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from couperation_formal.formulas import judge as forms
from couperation_formal.formulas.judge import MARKS, GivenMarks, NotShown, after, failing
from couperation_formal.formulas.writer import Values
from couperation_formal.game.record import Exchange, Record, Turn
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import Board
from tests.formulas.judge.turns import GOING, having
from tests.hidden.readings.quarrels import broken_at
from tests.hidden.symbolic.brute import TooMany, World, completed, dealt, drawings, filled_in, played_actions, unique

Told = Literal["legal", "illegal", "undetermined"]


def quarrelled(record: Record, at: int, rulings: Rulings, board: Board, most: int) -> Told:
    """The verdict on turn `at`; undetermined where the turns before it cannot have been played. Raises `TooMany`."""
    worlds = unique(dealt(record, rulings, board, set()), most)
    for place, turn in enumerate(record.turns[: at - 1], start=1):
        worlds = unique((ahead for world in worlds for ahead in _as_played(world, turn, place)), most)
    if not worlds:
        return "undetermined"
    turn = record.turns[at - 1]
    return "legal" if any(_legal(world, turn, at, board) for world in worlds) else "illegal"


def _turns(world: World, turn: Turn, place: int) -> Iterator[tuple[Values, World]]:
    """The turn with each choice of its unseen cards that leaves each card where the turn takes it from."""
    tower = world.table.value("W")
    told = {"t": place, "number": turn.number, "name": turn.player, "a": ("Pass",), "fill": (), "drop": (), "trim": ()}
    if turn.fill:
        raise TooMany  # tests/hidden/symbolic/test_fill.py asks about them
    before = having(world.table, **told, result=GOING)
    if before.value("p") is None or (isinstance(turn.action, Exchange) and _picks_up_nothing(turn.action, tower)):
        return
    for draw, slots, pool in drawings(world, turn.draw, set(), False):
        if len(draw) < len(turn.draw):
            continue
        drawn = having(before, K=forms.cards((*draw, *completed(slots, pool))), d=forms.cards(draw))
        own = [forms.card_of(card) for card in drawn.value("own1")]
        for action in played_actions(drawn, own, turn.action, set()):
            acted = having(drawn, a=forms.action(action, tower))
            if failing(acted, ("SET06", "DRW05")):
                continue
            for drop in filled_in(turn.drop, acted.value("H2")[acted.value("p")], "LIM01", set()):
                for trim in filled_in(turn.trim, acted.value("R2"), "LIM02", set()):
                    played = having(acted, drop=forms.cards(drop), trim=forms.cards(trim))
                    if not failing(played, ("SET06", "DRW05")):
                        yield played, world._replace(slots=slots, pool=pool)


def _picks_up_nothing(action: Exchange, tower: object) -> bool:
    return action.replaced is not None and tuple(action.cell) not in tower  # type: ignore[operator]


def _as_played(world: World, turn: Turn, place: int) -> Iterator[World]:
    for played, rest in _turns(world, turn, place):
        yield rest._replace(table=having(after(played), K=()))


def _legal(world: World, turn: Turn, place: int, board: Board) -> bool:
    """Whether some choice of the turn's unseen cards, and of the marks that are asked for, makes it legal."""
    return any(_kept(played, board) for played, _ in _turns(world, turn, place))


def _kept(values: Values, board: Board) -> bool:
    try:
        return not broken_at(values, board)
    except NotShown as asked:
        number, marks = asked.number, values.value("mark")
        assert number is not None
        return any(_kept(having(values, mark=GivenMarks({**marks, number: mark})), board) for mark in MARKS)
