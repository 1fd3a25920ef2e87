"""What a picture of a tower is told, so that a page needs to know no rule: whether it can still be completed, by how
much, how, and why not; and what one more card would do to it, in numbers to compare it with.
"""

from collections.abc import Mapping
from operator import itemgetter

import msgspec

from couperation_formal.game.fact import Fact, Text, fact, ranges
from couperation_formal.game.record import LayUp, Position, Turn
from couperation_formal.game.rules.arrangement import CLAUSES, Windows, finish_number, gap, holds, orders, shown_on
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rules.turn import tow03, tow04, tow05, tow08
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Card, Cell, Up, Value
from couperation_formal.questions.tables.why import columns_of, reason_cells, sentences, verdict_of
from couperation_formal.towers.completion.answer import Completable, complete, filling_data, windows
from couperation_formal.towers.completion.fill import problems, tower_slack
from couperation_formal.words.say import stretches

# Whether the tower can still be completed, by how much, how, and why not.


class Outlook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer on one tower, in words.

    `answer` is `completable`, `deadlocked`, or `unknown` where an up card is not shown or no pyramid holds the tower.
    `slack` is the least number of values to spare over the intervals, `tight` says over which. `filling` completes the
    tower; `reasons` say why nothing does, `conflict` holds the cells of the first.
    """

    answer: str
    slack: int | None = None
    tight: Text = ""
    filling: Mapping[str, int | str] = {}
    reasons: tuple[Text, ...] = ()
    conflict: tuple[str, ...] = ()

    def lines(self, before: bool) -> tuple[Fact, ...]:
        """The answer in paragraphs; `before` where it is about the tower before the turn shown."""
        if self.answer == "unknown":
            return (fact("tower_untold"),)
        full = self.answer == "completable" and not self.filling
        lines = [fact(f"tower_{'before' if before else 'now'}_{'full' if full else self.answer}")]
        lines += (fact("as_sentence", text=why) for why in self.reasons)
        if self.answer == "completable" and self.slack is not None:
            lines.append(fact("slack_over", slack=self.slack, tight=self.tight))
        return tuple(lines)


def outlook(position: Position, home: int) -> Outlook:
    """The answer on the tower of a position; of several pyramids the one from column `home` is shown where it can be.

    Cost: a few questions, some hundred microseconds.
    """
    if Up(UNSEEN) in dict(position.tower).values() or not problems(position):
        return Outlook(answer="unknown")
    answer, slack = complete(position, home=home), tower_slack(position)
    told = sentences(answer, position)
    tight: Text = ""
    interval = None if slack is None else slack.interval
    if interval is not None:
        whole = interval.below > STANDARD.cards
        around = ("all" if whole else "below") if interval.above == 0 else "above" if whole else "between"
        left, count = ranges(interval.left) or fact("none"), len(interval.cells)
        tight = fact(f"tight_{around}", count=count, above=interval.above, below=interval.below, left=left)
    elif slack is not None:
        tight = fact("tight_hidden")
    return Outlook(
        answer=verdict_of(answer),
        slack=None if slack is None else slack.least,
        tight=tight,
        filling=filling_data(position, answer.problem, answer.filling) if isinstance(answer, Completable) else {},
        reasons=tuple(
            fact("reason_at", columns=columns, why=why) if len(told) > 1 else why for why, columns in told.items()
        ),
        conflict=next(map(reason_cells, columns_of(answer)), ()),
    )


# What each empty cell can take.

_PLACING = {"TOW03": tow03, "TOW04": tow04, "TOW05": tow05, "TOW08": tow08}
BARS = tuple(_PLACING)
"""The clauses that can refuse a cell whatever the card."""

Bound = tuple[int, str, str]
"""A number that a card has to reach or not to pass, the clause that asks for it, and the cell of the card it is for."""


class Fit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an empty cell can take up.

    `bar` is the clause that refuses the cell for a Glass card, `finish_bar` for the Finish card, of which the orders
    ask nothing on a cell that is `finish_free`. The orders take numbers from `low` to `high`. Of a cell that is not
    barred `kept` are the numbers, in rising pairs from-to, with which the tower can still be completed, and
    `finish_kept` tells it of the Finish card; None where it cannot be told.
    """

    bar: str | None = None
    finish_bar: str | None = None
    finish_free: bool = False
    low: Bound | None = None
    high: Bound | None = None
    kept: tuple[tuple[int, int], ...] | None = None
    finish_kept: bool | None = None


def cards_left(position: Position) -> tuple[str, ...]:
    """The cards that may still be laid: all that are not known to lie in the tower or to be gone."""
    places = problems(position)
    if not places:
        return ()
    finish = (
        places[0].finish and not places[0].finish_gone and all(laid.card is not FINISH for _, laid in position.tower)
    )
    return (*map(str, places[0].values), *(["F"] if finish else []))


def finish_of(state: State, rulings: Rulings) -> int | None:
    """The number that the Finish card has in these comparisons, but on cells that are `finish_free`; None where the
    orders ask nothing of it anywhere.
    """
    return finish_number(state.board, rulings)


def fits(state: State, position: Position, told: bool) -> dict[str, Fit]:
    """What each empty cell can take, of all pyramids that the tower allows; with `told`, whether the tower can still
    be completed then. Nothing where the tower is out of order already. Cost: a step for each empty cell, and fillings
    for those on which a card can be laid.
    """
    rulings = position.rules.rulings
    if not holds(state.board, state.tower, rulings):
        return {}
    bars = _bars(state, rulings, Value(1))
    finish = _bars(state, rulings, FINISH) if state.variant == "finish" else bars
    laid = Windows(state.board, state.tower, rulings)
    by_cell = {}
    for cell, bar in bars.items():
        low, high = _bounds(laid, cell, state, rulings)
        free = shown_on(state.board, cell, rulings) is None
        by_cell[str(cell)] = Fit(bar=bar, finish_bar=finish[cell], finish_free=free, low=low, high=high)
    return _kept(by_cell, state, position) if told else by_cell


def fits_knowing_less(whole: Mapping[str, Fit], state: State, position: Position, told: bool) -> dict[str, Fit]:
    """`fits` of a table of which less is known than of the one of which `whole` tells, with the same tower: what bars a
    cell and the orders are the same, and whatever can be laid there by all that is known can be by less. Cost: fillings
    for the numbers that `whole` leaves out.
    """
    if told:
        return _kept(whole, state, position)
    return {name: msgspec.structs.replace(fit, kept=None, finish_kept=None) for name, fit in whole.items()}


def _kept(whole: Mapping[str, Fit], state: State, position: Position) -> dict[str, Fit]:
    """With what can be laid on cells that are not barred; what `whole` tells of it is sure."""
    cells = {name: Cell(ord(name[0]) - ord("a"), int(name[1:])) for name in whole}
    sure = {
        cells[name]: [value for first, last in fit.kept or () for value in range(first, last + 1)]
        for name, fit in whole.items()
    }
    free = [name for name, fit in whole.items() if None in (fit.bar, fit.finish_bar)]
    kept = windows(position, state.board, [cells[name] for name in free], sure)
    apexes = {Cell(left, state.board.levels) for left in kept.lefts}
    by_cell = dict(whole)
    for name in free:
        finish = cells[name] in apexes if state.variant == "finish" else None
        by_cell[name] = msgspec.structs.replace(
            whole[name], kept=tuple(stretches(kept.values.get(cells[name], ()))), finish_kept=finish
        )
    return by_cell


def _bars(state: State, rulings: Rulings, card: Card) -> dict[Cell, str | None]:
    """For each empty cell the clause that refuses it to this card, None where none does."""
    tower, board = state.tower, state.board
    first, last = (board.middle, board.middle) if rulings.anchor == "middle" else (tower.first, tower.last)
    cells = {cell for left in range(first, last + 1) for cell in board.pyramid(left)} - set(tower.cells)
    bars: dict[Cell, str | None] = {}
    for cell in sorted(cells, key=lambda cell: (cell.level, cell.column)):
        turn = Turn(1, state.players[0], (), LayUp(card, cell))
        step = carry_out(state, turn, state.to_move)
        bars[cell] = next((code for code, clause in _PLACING.items() if clause(step, rulings) is not None), None)
    return bars


def _bounds(laid: Windows, cell: Cell, state: State, rulings: Rulings) -> tuple[Bound | None, Bound | None]:
    """What the orders ask of a number on this cell. A bound through down cards is TOW07's."""
    index, down = orders(state.board), state.tower.down
    lows, highs = [], []
    for clause in CLAUSES:
        for other in index.below[clause][cell]:
            if other in laid.least:
                least = laid.least[other] + gap(clause, rulings, other in down)
                lows.append((least, "TOW07" if other in down else clause, str(other)))
        for other in index.above[clause][cell]:
            if other in laid.greatest:
                most = laid.greatest[other] - gap(clause, rulings, other in down)
                highs.append((most, "TOW07" if other in down else clause, str(other)))
    return max(lows, key=itemgetter(0), default=None), min(highs, key=itemgetter(0), default=None)
