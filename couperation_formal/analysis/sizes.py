"""A record with draws that were not noted (``+*``, ``fill *``): it is legal when it is with some size of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from couperation_formal.analysis.verdict import Report, plain_report
from couperation_formal.model.board import STANDARD
from couperation_formal.model.budget import Spent, Steps
from couperation_formal.model.fact import fact
from couperation_formal.model.record import Game, Record
from couperation_formal.model.rulings import Rules
from couperation_formal.replay.replay import Doubt, Replay, replay, sizes

_TURN: Final = 1
"""The steps that a turn of a record takes, which is replayed once for each size."""


def check_sizes(game: Game, rules: Rules, ask: Callable[[Game], Report], budget: Steps, since: int = 0) -> Report:
    """The report on a game by those on the games that note every draw, which `ask` gives.

    Legal if one of them is, with the sizes in its `world`; illegal, if all are, at the last turn at which one of them
    is; else, and where the budget ends, undetermined. Turns before turn `since` stand as they were played, whatever was
    drawn: where the sizes tried for one of them are all refused later, another one may not be. Cost: a replay for each
    size of each such draw that the turns before it allow, and a question for each choice of sizes for all of them.
    """
    furthest: Report | None = None
    open_ = any(turn.draw_open or turn.fill_open for turn in game.record.turns[: max(since - 1, 0)])
    waiting = [game.record]
    while waiting:
        try:
            found = _answer(game, waiting.pop(), rules, ask, waiting, budget, since)
        except Spent:
            return _open(game, rules, budget)
        if found is None:
            continue
        if found.verdict == "legal":
            return msgspec.structs.replace(found, item=game)
        if found.verdict == "undetermined":
            open_ = True
        elif furthest is None or (found.turn or 0) > (furthest.turn or 0):
            furthest = found
    if open_ or furthest is None:
        return _open(game, rules, budget)
    return msgspec.structs.replace(furthest, item=game, conflict=None)


def _answer(
    game: Game,
    record: Record,
    rules: Rules,
    ask: Callable[[Game], Report],
    waiting: list[Record],
    budget: Steps,
    since: int,
) -> Report | None:
    """The report on a record of which every draw is noted; of another one on those sizes of its first open draw that
    are refused with the turns up to it, while the others are to be looked at.
    """
    at = next((at for at, turn in enumerate(record.turns) if turn.draw_open or turn.fill_open), None)
    if at is None:
        found = ask(msgspec.structs.replace(game, record=record))
        return found if found.verdict != "legal" or found.world else msgspec.structs.replace(found, world=record)
    refused: Report | None = None
    further = []
    for turn in sizes(record.turns[at], STANDARD):
        budget.spend(_TURN * (at + 1))
        turns = (*record.turns[:at], turn, *record.turns[at + 1 :])
        ahead = msgspec.structs.replace(record, turns=turns[: at + 1], result=None)
        outcome = replay(ahead, rules.rulings, since=since)
        if outcome.illegal is None:
            further.append(msgspec.structs.replace(record, turns=turns))
            continue
        report = plain_report(game, rules, outcome)
        if refused is None or _badness(report) < _badness(refused):
            refused = report
    waiting += reversed(further)
    return refused


def _badness(report: Report) -> tuple[int, int]:
    return -(report.turn or 0), len(report.diagnostics)


def _open(game: Game, rules: Rules, budget: Steps) -> Report:
    """The report where the sizes that were looked at leave the verdict open."""
    place = next(at for at, turn in enumerate(game.record.turns, start=1) if turn.draw_open or turn.fill_open)
    doubts = (Doubt(place, fact("whether_sizes")),)
    outcome = Replay(states=(), broken=(), doubts=doubts, illegal=None, reached=None)
    return msgspec.structs.replace(plain_report(game, rules, outcome), spent=budget.spent)
