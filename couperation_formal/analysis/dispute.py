"""Job three: two people disagree whether a record is legal. Under which readings is it, and which rulings decide?"""

from __future__ import annotations

from itertools import combinations, product

import msgspec

from couperation_formal.analysis.verify import check
from couperation_formal.dispute.condition import Condition, condition
from couperation_formal.dispute.plain import cut, plain_verdicts
from couperation_formal.dispute.readings import Readings, Verdicts, space
from couperation_formal.dispute.table import depends_on
from couperation_formal.dispute.tree import Settled, Tree, decision_tree
from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.record import Game, Record
from couperation_formal.model.rulings import Rules, Rulings, TextStand, registry


class BookVerdict(msgspec.Struct, frozen=True):
    """What one rulebook says. `turn` is the first illegal turn, counted by place, 0 for the set-up; `code` the first
    clause that it breaks. Both are None unless illegal; `code` also where only all turns together cannot hold.
    """

    verdict: Settled
    turn: int | None = None
    code: str | None = None


class Change(msgspec.Struct, frozen=True):
    """Rulings changed in a rulebook, and the verdict that follows."""

    options: dict[str, str]
    verdict: Settled


class View(msgspec.Struct, frozen=True):
    """A text's option of a ruling, and how it stands to it."""

    option: str
    stand: TextStand


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a record's legality hangs on.

    `turn` is the turn up to which it was asked for, None for the whole record with its result. The three conditions are
    those of `verdicts`. `decisive` names the rulings that they depend on, in the registry's order. `changes` has, for
    each rulebook, every set of changes of least size that turns its verdict: legal into illegal, illegal into legal,
    undetermined into either; none where no changes do. `texts` tells, for each decisive ruling, each text's view.
    `tree` is None where too many rulings decide.
    """

    game: Game
    turn: int | None
    rulebooks: dict[str, BookVerdict]
    verdicts: Verdicts
    legal_when: Condition
    illegal_when: Condition
    undetermined_when: Condition
    decisive: tuple[str, ...]
    changes: dict[str, tuple[Change, ...]]
    texts: dict[str, dict[str, View]]
    tree: Tree | None


def dispute(game: Game, turn: int | None = None, budget: int | None = None) -> Dispute:
    """The verdicts on a game under all readings, whatever rules it names itself; up to `turn` where given.

    A fully seen record is decided without Z3. For others Z3 decides the readings that the plain replay leaves open,
    within `budget`, its resource count (None: the usual one). Raises `ValueError` where there is no such turn. Cost:
    some milliseconds for a fully seen record.
    """
    verdicts = readings_of(game.record, turn, budget)
    decisive = depends_on(*verdicts)
    books = registry().rulebooks
    rulebooks = {name: _book(game, turn, Rules(name, (), rulings), verdicts, budget) for name, rulings in books.items()}
    return Dispute(
        game=game,
        turn=turn,
        rulebooks=rulebooks,
        verdicts=verdicts,
        legal_when=condition(verdicts.legal),
        illegal_when=condition(verdicts.illegal),
        undetermined_when=condition(verdicts.undetermined),
        decisive=decisive,
        changes={name: least_changes(rulings, verdicts, decisive) for name, rulings in books.items()},
        texts={ruling: _views(ruling) for ruling in decisive},
        tree=decision_tree(verdicts),
    )


def readings_of(
    record: Record, turn: int | None = None, budget: int | None = None, board: Board = STANDARD
) -> Verdicts:
    """The readings under which a record is legal, illegal, or undetermined within the budget; see `dispute`."""
    found = plain_verdicts(record, board, turn)
    return _decided(found, record, turn, budget, board) if found.undetermined else found


def _decided(found: Verdicts, record: Record, turn: int | None, budget: int | None, board: Board) -> Verdicts:
    """The verdicts once Z3 has looked at the readings that are undetermined."""
    from couperation_formal.smt.readings import symbolic_verdicts

    more = symbolic_verdicts(record, board, turn, found.undetermined, budget)
    return Verdicts(found.legal | more.legal, found.illegal | more.illegal, more.undetermined)


def verdict_of(rulings: Rulings, verdicts: Verdicts) -> Settled:
    """The verdict under one reading."""
    if rulings in verdicts.legal:
        return "legal"
    return "illegal" if rulings in verdicts.illegal else "undetermined"


def _book(game: Game, turn: int | None, rules: Rules, verdicts: Verdicts, budget: int | None) -> BookVerdict:
    verdict = verdict_of(rules.rulings, verdicts)
    if verdict != "illegal":
        return BookVerdict(verdict)
    report = check(msgspec.structs.replace(game, record=cut(game.record, turn)), rules, budget=budget)
    if report.verdict == "illegal":
        errors = [found.code for found in report.diagnostics if found.severity == "error"]
        return BookVerdict(verdict, report.turn, errors[0] if errors else None)
    return BookVerdict(verdict, _first_illegal(game.record, turn, rules.rulings, budget))


def _first_illegal(record: Record, turn: int | None, rulings: Rulings, budget: int | None) -> int | None:
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


def least_changes(rulings: Rulings, verdicts: Verdicts, decisive: tuple[str, ...]) -> tuple[Change, ...]:
    """Every set of changes of least size that turns the verdict under `rulings`. Cost: one look a set of changes."""
    before = verdict_of(rulings, verdicts)
    wanted: set[Settled] = {"legal", "illegal"}
    wanted.discard(before)
    if not any(getattr(verdicts, verdict) for verdict in wanted):
        return ()
    for count in range(1, len(decisive) + 1):
        found: list[Change] = []
        for names in combinations(decisive, count):
            others = [[each for each in space().options[name] if each != rulings.option(name)] for name in names]
            for options in product(*others):
                changes = dict(zip(names, options, strict=True))
                after = verdict_of(rulings.with_changes(changes), verdicts)
                if after in wanted:
                    found.append(Change(changes, after))
        if found:
            return tuple(found)
    return ()


def _views(ruling: str) -> dict[str, View]:
    books, texts = registry().rulebooks, registry().rulings[ruling].texts
    return {name: View(books[name].option(ruling), stand) for name, stand in texts.items()}


def settled(found: Dispute) -> bool:
    """Whether every reading has a verdict."""
    return found.verdicts.undetermined == Readings.none()
