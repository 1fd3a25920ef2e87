"""Can the tower still be completed, can the table still be won: what the commands and the report page say, for the
board. The tower is asked about at once, the table in a process of its own (`beside`), which `answer` is.
"""

import pickle
import sys
from collections.abc import Iterable
from itertools import chain
from typing import Any, Final, Literal

import msgspec
from couperation_checker import check_object
from couperation_checker.strict import Work

from couperation_formal.board.judge import stood_after
from couperation_formal.game.fact import DEFAULT, Steps, Text, fact, worded
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game, Turn
from couperation_formal.notation.read import read_text
from couperation_formal.output.blocks import Block, Paragraph, Sentence, said
from couperation_formal.output.svg import home_column
from couperation_formal.page.sights import chances_of, line_told, saving_lines
from couperation_formal.questions.records.states import NoSuchTurn, kept_tags
from couperation_formal.questions.tables.ask import NoTower, Situation, ask, line_from
from couperation_formal.questions.tables.complete import TableAnswer
from couperation_formal.questions.tables.deadlock import SHARE, TableScan, scan_end, scan_table
from couperation_formal.questions.tables.fits import outlook
from couperation_formal.questions.tables.why import reasons_of, written

Detail = Literal["end", "line", "since", "saving"]
"""What of a table is asked: whether it can be won, a line that wins, since when it cannot, what would have saved it."""

Standing = Literal["alive", "lost", "won", "unknown", "none"]

_WORK: Final = 5_000
"""The independent checker may take so many steps of its own, or one for every two that the question left."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a table after a turn.

    `standing` is `unknown` where the budget ended first, `none` where it cannot be asked. `since` is the first turn
    after which the table is known to be lost, `alive` the last one after which it is known not to be; both None where
    that was not asked. `said` tells it and why, `cells` are those that the reason is about, `line` turns that win after
    turn `alive`, `saving` what would have saved the table at turn `since`, `chances` each of that, with a line that
    wins. `double` tells how
    often the budget was doubled; `forgets` that the record leaves doubts, so that being alive says nothing of others;
    from table `first` on the game was played by the rules.
    """

    turn: int
    standing: Standing
    detail: Detail = "end"
    double: int = 0
    since: int | None = None
    alive: int | None = None
    said: tuple[Block, ...] = ()
    cells: tuple[str, ...] = ()
    line: tuple[str, ...] = ()
    saving: tuple[Block, ...] | None = None
    chances: tuple[tuple[Turn, ...], ...] = ()
    forgets: bool = False
    first: int = 0

    def data(self, language: str) -> dict[str, Any]:
        """It as data, its sentences in a language."""
        saving = None if self.saving is None else [line_told(each, language) for each in self.saving]
        told = {"said": [line_told(each, language) for each in self.said], "saving": saving}
        return msgspec.structs.asdict(self) | told | {"chances": worded(chances_of(self.chances), language, said)}


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """A question about the table after the last turn of a game. From table `first` on it was played by the rules; what
    stands before is taken as it was played. `alive` is a turn after which the table was alive.
    """

    text: str
    detail: Detail
    double: int = 0
    first: int = 0
    alive: int | None = None
    forgets: bool = False


def tower_known(game: Game, turn: int) -> dict[str, Any]:
    """Whether the tower after a turn can be completed, as the report page tells it. Cost: a replay, a millisecond."""
    state, rules = stood_after(game.record, turn), game.record.rules
    home = home_column(state.tower, rules.rulings, state.board)
    tower = outlook(position_of(state, rules, kept_tags(game)), home)
    said = tower.lines(before=False)
    return {"turn": turn, "standing": tower.answer, "said": said, "cells": tower.conflict}


def not_asked(turn: int, why: Text) -> Known:
    """That a question cannot be asked."""
    return Known(turn=turn, standing="none", said=(Sentence(fact("board_know_not_asked", why=why)),))


def answer() -> None:
    """Answer the question that stands in standard input, as a value."""
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=Asking)
    sys.stdout.buffer.write(pickle.dumps(table_known(asked)))
    sys.stdout.flush()


def table_known(asked: Asking) -> Known:
    """The answer on a table. Cost: up to the budget; seconds."""
    game = next(read_text(asked.text))
    if not isinstance(game, Game):
        raise ValueError(game)
    budget = Steps(DEFAULT << asked.double)
    try:
        known = _at_end(game, budget) if asked.detail in ("end", "line") else _through(game, asked, budget)
    except (NoSuchTurn, NoTower) as error:
        return not_asked(len(game.record.turns), error.what)
    told = {name: getattr(asked, name) for name in ("detail", "double", "first", "forgets")}
    return msgspec.structs.replace(known, **told)


def _at_end(game: Game, budget: Steps) -> Known:
    """The last table, which has the part of the budget that a scan of the game would give it."""
    turn, rules = len(game.record.turns), game.record.rules
    position = position_of(stood_after(game.record, turn), rules, kept_tags(game))
    at = Situation(file=game.file, index=game.index, turn=turn, turns=turn, position=position)
    with budget.at_most(-(-budget.left // SHARE)):
        answer = TableAnswer(at=at, answer=ask(position, budget))
    said = _checked(answer.certificates(), budget)
    if answer.winnable:
        line = written(line_from(answer.answer, turn))
        return Known(turn=turn, standing="alive", alive=turn, said=(Sentence(fact("stands_alive")), *said), line=line)
    said = (*_blocks(answer.no_line_blocks()), *said)
    if answer.winnable is None:
        return Known(turn=turn, standing="unknown", said=said)
    cells = (cell for reason in reasons_of(answer.answer) for cell in reason.cells)
    return Known(turn=turn, standing="lost", said=said, cells=tuple(dict.fromkeys(cells)))


def _through(game: Game, asked: Asking, budget: Steps) -> Known:
    """Since when the table is lost; with `saving` also what would have saved it, as `deadlock` answers it."""
    saving = asked.detail == "saving"
    if saving and asked.first == 0 and not asked.forgets:
        scan = scan_table(game, None, budget)
    else:
        states = [stood_after(game.record, place) for place in range(len(game.record.turns) + 1)]
        scan = scan_end(game, states, asked.first, asked.forgets, budget, asked.alive, saving)
    said = _checked(scan.certificates(), budget)
    cells = (cell for reason in scan.data().reasons for cell in reason.cells)
    return Known(
        turn=len(game.record.turns),
        standing=_standing(scan),
        since=scan.dead,
        alive=scan.alive,
        said=(*_blocks(scan.standing_blocks()), *said),
        cells=tuple(dict.fromkeys(cells)),
        saving=_blocks(scan.saving_blocks()) if saving else None,
        chances=saving_lines(scan) if saving else (),
    )


def _blocks(paragraphs: Iterable[Paragraph]) -> tuple[Block, ...]:
    return tuple(chain.from_iterable(paragraphs))


def _standing(scan: TableScan) -> Standing:
    if scan.dead is not None:
        return "lost"
    alive = scan.alive == len(scan.positions) - 1
    return "unknown" if not alive else "won" if scan.result == "win" else "alive"


def _checked(certificates: Iterable[dict[str, Any]], budget: Steps) -> tuple[Block, ...]:
    """What is to be said of the independent check of an answer. Raises `RuntimeError` where the checker rejects it."""
    work: Work = Work(max(_WORK, budget.left // 2))
    for certificate in certificates:
        verdict = check_object(certificate, work)
        if verdict.status == "rejected":
            raise RuntimeError(verdict.message)
        if verdict.status == "unsupported":
            return (Sentence(fact("unchecked")),)
    return ()
