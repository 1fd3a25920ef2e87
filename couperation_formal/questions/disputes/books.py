"""What each rulebook says of a record, or of one turn by itself: the verdict, the turn, and the clause."""

from __future__ import annotations

from typing import Final

import msgspec

from couperation_formal.game.budget import Steps, steps_of
from couperation_formal.game.record import Game, Record
from couperation_formal.game.replay import Replay, replay
from couperation_formal.game.rulings import Rules, Rulings, registry
from couperation_formal.game.tower import STANDARD, Board
from couperation_formal.hidden.readings.condition import Settled
from couperation_formal.hidden.readings.sets import Readings, Verdicts
from couperation_formal.hidden.readings.standing import Standing, cut, plain_verdicts
from couperation_formal.questions.records.check import check
from couperation_formal.questions.records.provided import Way
from couperation_formal.questions.records.quarrel import codes_at

_BOOKS: Final = 0.5
"""The part of what is left of the budget that the turns at which rulebooks refuse may spend."""


class BookVerdict(msgspec.Struct, frozen=True):
    """What one rulebook says. `turn` is the first illegal turn, counted by place, 0 for the set-up; `code` the first
    clause that it breaks. Both are None unless illegal; `code` also where only all turns together cannot hold. `told`
    is False where the budget ended before they were found.
    """

    verdict: Settled
    turn: int | None = None
    code: str | None = None
    told: bool = True


def books_on(game: Game, turn: int | None, verdicts: Verdicts, steps: Steps) -> dict[str, BookVerdict]:
    """What each rulebook says. Those under which the record does not show enough to tell where it is illegal are asked
    together; what this leaves open, and the budget, is not told.
    """
    books, record = registry().rulebooks, cut(game.record, turn)
    told = {name: BookVerdict(verdict_of(rulings, verdicts), told=False) for name, rulings in books.items()}
    plain: dict[str, Replay] = {}
    for name, rulings in books.items():
        if told[name].verdict == "illegal":
            plain[name] = replay(record, rulings)
        if name not in plain or not plain[name].doubts:
            told[name] = _book(game, turn, Rules(name, (), rulings), verdicts, steps)
    open_ = {name: books[name] for name, book in told.items() if not book.told}
    if open_ and steps.left:
        from couperation_formal.hidden.smt.exact import first_illegal

        with steps.at_most(int(steps.left * _BOOKS)):
            for name, (at, code) in first_illegal(record, open_, budget=steps).items():
                # A turn that is surely illegal by itself is told of as `check` tells of it.
                code = plain[name].broken[0].clause if plain[name].illegal == at else code
                told[name] = BookVerdict("illegal", at, code)
    return told


def asked_again(
    game: Game, turn: int | None, verdicts: Verdicts, told: dict[str, BookVerdict], steps: Steps
) -> dict[str, BookVerdict]:
    """Those rulebooks asked again whose turn was not found, each with an equal part of what is left at last."""
    open_ = [name for name, book in told.items() if not book.told]
    for place, name in enumerate(open_):
        with steps.at_most(steps.left // (len(open_) - place)):
            rules = Rules(name, (), registry().rulebooks[name])
            told = {**told, name: _book(game, turn, rules, verdicts, steps)}
    return told


def books_at(
    record: Record, at: int, before: Standing, least: Way | None, verdicts: Verdicts, steps: Steps
) -> dict[str, BookVerdict]:
    """What each rulebook says of turn `at` by itself, and by which clause; with `least`, that of the smallest draws."""
    record, before = (record, before) if least is None else (least.record, least.before or before)
    books = registry().rulebooks
    told = {name: verdict_of(rulings, verdicts) for name, rulings in books.items()}
    illegal = {name: books[name] for name, verdict in told.items() if verdict == "illegal"}
    with steps.at_most(int(steps.left * _BOOKS)):
        codes = codes_at(record, at, before, illegal, steps)
        ended = not steps.left
    return {
        name: BookVerdict(verdict, at, code := codes[name], told=code is not None or not ended)
        if name in codes
        else BookVerdict(verdict)
        for name, verdict in told.items()
    }


def readings_of(
    record: Record, turn: int | None = None, budget: Steps | int | None = None, board: Board = STANDARD
) -> Verdicts:
    """The readings under which a record is legal, illegal, or undetermined within the budget; see `dispute`."""
    return verdicts_on(record, turn, steps_of(budget), board)[0]


def verdicts_on(record: Record, turn: int | None, steps: Steps, board: Board = STANDARD) -> tuple[Verdicts, Readings]:
    """The verdicts, and the readings under which the record is legal whatever it does not show."""
    plain = plain_verdicts(record, board, turn, steps)
    if plain.undetermined and steps.left:
        return _decided(plain, record, turn, steps, board), plain.legal
    return plain, plain.legal


def _decided(plain: Verdicts, record: Record, turn: int | None, budget: Steps, board: Board) -> Verdicts:
    """The verdicts once Z3 has looked at the readings that are undetermined."""
    from couperation_formal.hidden.smt.exact import symbolic_verdicts

    more = symbolic_verdicts(cut(record, turn), board, plain.undetermined, budget)
    return Verdicts(plain.legal | more.legal, plain.illegal | more.illegal, more.undetermined)


def verdict_of(rulings: Rulings, verdicts: Verdicts) -> Settled:
    """The verdict under one reading."""
    if rulings in verdicts.legal:
        return "legal"
    return "illegal" if rulings in verdicts.illegal else "undetermined"


def _book(game: Game, turn: int | None, rules: Rules, verdicts: Verdicts, budget: Steps) -> BookVerdict:
    verdict = verdict_of(rules.rulings, verdicts)
    if verdict != "illegal":
        return BookVerdict(verdict)
    report = check(msgspec.structs.replace(game, record=cut(game.record, turn)), rules, budget=budget)
    if report.verdict == "illegal":
        errors = [each.code for each in report.diagnostics if each.severity == "error"]
        return BookVerdict(verdict, report.turn, errors[0] if errors else None, told=bool(errors or budget.left))
    return BookVerdict(verdict, _first_illegal(game.record, turn, rules.rulings, budget), told=False)


def _first_illegal(record: Record, turn: int | None, rulings: Rulings, budget: Steps) -> int | None:
    """The first turn up to which the record is illegal under one reading, None where the budget hides it. What is
    illegal up to a turn stays so: bisection finds the first.
    """
    low, high = 0, len(record.turns) if turn is None else turn
    while low < high:
        middle = (low + high) // 2
        verdict = verdict_of(rulings, readings_of(record, middle, budget))
        if verdict == "undetermined":
            return None
        low, high = (low, middle) if verdict == "illegal" else (middle + 1, high)
    return low
