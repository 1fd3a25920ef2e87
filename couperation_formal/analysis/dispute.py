"""Job three: two people disagree whether a record is legal. Under which readings is it, and which rulings decide?"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations, product
from math import prod
from typing import Final, TypeVar

import msgspec

from couperation_formal.analysis.named import game_named
from couperation_formal.analysis.open_draws import Way, Ways, decided, provisos, ways_at
from couperation_formal.analysis.provided import provisos_of
from couperation_formal.analysis.quarrel import (
    Nowhere,
    Stood,
    codes_at,
    disputed,
    nowhere_at,
    readings_at,
    stood_before,
    table_before,
)
from couperation_formal.analysis.verify import check
from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.budget import Spent, Steps, steps_of
from couperation_formal.model.proviso import Proviso
from couperation_formal.model.record import Game, Record, short
from couperation_formal.model.rulings import Rules, Rulings, TextStand, registry
from couperation_formal.readings.condition import Condition, condition
from couperation_formal.readings.replayed import cut, plain_verdicts
from couperation_formal.readings.sets import Readings, Verdicts, depends_on, space
from couperation_formal.readings.standing import Standing
from couperation_formal.readings.tree import Settled, Tree, decision_tree
from couperation_formal.replay.replay import Replay, replay
from couperation_formal.words.say import phrase

_VERDICTS: Final = 0.6
_BOOKS: Final = 0.5
"""The part of the budget that the verdicts may spend, and the part of the rest for the turns at which rulebooks refuse.
"""
_TRIED: Final = 2
"""The steps that a set of changes takes."""

T = TypeVar("T")


class BookVerdict(msgspec.Struct, frozen=True):
    """What one rulebook says. `turn` is the first illegal turn, counted by place, 0 for the set-up; `code` the first
    clause that it breaks. Both are None unless illegal; `code` also where only all turns together cannot hold. `told`
    is False where the budget ended before they were found.
    """

    verdict: Settled
    turn: int | None = None
    code: str | None = None
    told: bool = True


class Change(msgspec.Struct, frozen=True):
    """Rulings changed in a rulebook, and the verdict that follows."""

    options: dict[str, str]
    verdict: Settled


class View(msgspec.Struct, frozen=True):
    """A text's option of a ruling, and how it stands to it."""

    option: str
    stand: TextStand


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a record's legality hangs on, or that of one turn.

    `turn` is the turn up to which it was asked for, None for the whole record with its result. `at` is the turn that
    was asked for by itself, everything before taken as it was played; then `standing` tells what was wrong before, and
    `nowhere` what cannot be carried out. `quarrels` are the answers on the turns that the record marks as
    disputed. `provided` tells, for each rulebook under which it is legal, on which marks, cards and places that hangs;
    a rulebook under which what is shown suffices is left out.

    The three conditions are those of `verdicts`. `decisive` names the rulings that they depend on, in the registry's
    order. `changes` has, for each rulebook, every set of changes of least size that turns its verdict: legal into
    illegal, illegal into legal, undetermined into either; none where no changes do. `texts` tells, for each decisive
    ruling, each text's view. `tree` is None where too many rulings decide. A condition, the changes of a rulebook and
    the tree are None too where the budget ended before they were found. `untold` names every part of which that is so:
    a condition by its field, ``tree``, ``nowhere``, ``rulebooks.en-1`` for a turn and clause, ``changes.en-1``.
    """

    game: Game
    turn: int | None
    rulebooks: dict[str, BookVerdict]
    verdicts: Verdicts
    legal_when: Condition | None
    illegal_when: Condition | None
    undetermined_when: Condition | None
    decisive: tuple[str, ...]
    changes: dict[str, tuple[Change, ...] | None]
    texts: dict[str, dict[str, View]]
    tree: Tree | None
    untold: tuple[str, ...]
    spent: int
    at: int | None = None
    standing: tuple[Stood, ...] = ()
    nowhere: Nowhere | None = None
    quarrels: tuple[Dispute, ...] = ()
    provided: dict[str, Proviso] = {}

    def __repr__(self) -> str:
        books = {name: book.verdict for name, book in self.rulebooks.items()}
        return short(self, game=self.game, at=self.at, **books, decisive=self.decisive)

    def __str__(self) -> str:
        """The verdict under each rulebook, and the rulings that decide."""
        lines = [game_named(self.game.file, self.game.index)]
        for name, book in self.rulebooks.items():
            said = phrase("legal" if book.verdict == "legal" else "undetermined")
            if book.verdict == "illegal":
                said = phrase("illegal") if book.turn is None else phrase("illegal_in", turn=book.turn)
            lines.append(phrase("told_of", what=name, said=said))
        return "\n".join([*lines, *([phrase("hangs_shown", names=self.decisive)] if self.decisive else [])])


def dispute(
    game: Game,
    turn: int | None = None,
    budget: Steps | int | None = None,
    *,
    at: int | None = None,
    whole: bool = False,
) -> Dispute:
    """The verdicts on a game under all readings, whatever rules it names itself; up to `turn` where given. With `at`
    those on this turn by itself: is it legal, if everything before stands as it was played? Without both, and unless
    the `whole` game alone is asked for, each turn marked ``~~`` is asked for too, with a budget of its own.

    A fully seen record is decided without Z3. For others Z3 decides the readings that the plain replay leaves open,
    within `budget`, which pays for all that is told. Raises `ValueError` where there is no such turn. Cost: some
    milliseconds for a fully seen record.
    """
    steps = steps_of(budget)
    marked = disputed(game.record) if at is None and turn is None and not whole else ()
    quarrels = tuple(dispute(game, None, Steps(steps.left), at=each) for each in marked)
    before = None if at is None else table_before(game.record, at)
    ways: Ways | None = None
    with steps.at_most(int(steps.left * _VERDICTS)):
        if at is None or before is None:
            verdicts, shown = _readings(game.record, turn, steps)
        else:
            ways = _ways(game.record, at, steps)
            verdicts, shown = readings_at(game.record, at, before, steps, ways=ways)
    decisive = depends_on(*verdicts)
    books = registry().rulebooks
    nowhere: Nowhere | None = None
    stood: tuple[Stood, ...] = ()
    untold: list[str] = []
    if at is None or before is None:
        rulebooks = _books(game, turn, verdicts, steps)
    else:
        least = None if ways is None else ways.ways[0]
        rulebooks = _books_at(game.record, at, before, least, verdicts, steps)
        if ways is None:
            find = partial(nowhere_at, game.record, at, before, verdicts, steps)
            nowhere = within(steps, find, "nowhere", untold)
        stood = stood_before(at, before, nowhere)
    conditions = [
        within(steps, partial(condition, each, steps), f"{name}_when", untold)
        for name, each in zip(verdicts._fields, verdicts, strict=True)
    ]
    changes = {
        name: within(steps, partial(least_changes, rulings, verdicts, decisive, steps), f"changes.{name}", untold)
        for name, rulings in books.items()
    }
    tree = within(steps, partial(decision_tree, verdicts, steps), "tree", untold)
    if at is None and verdicts.legal:
        with steps.at_most(steps.left // 2):
            ways = _ways(cut(game.record, turn), None, steps, verdicts)
    if ways is None:
        provided = provisos_of(game.record, turn if at is None else at, verdicts, shown, steps, since=at or 0)
    else:
        provided = provisos(ways, verdicts, steps, at)
    if at is None:
        rulebooks = _again(game, turn, verdicts, rulebooks, steps)
    untold += [f"rulebooks.{name}" for name, book in rulebooks.items() if not book.told]
    return Dispute(
        game=game,
        turn=turn,
        rulebooks=rulebooks,
        verdicts=verdicts,
        legal_when=conditions[0],
        illegal_when=conditions[1],
        undetermined_when=conditions[2],
        decisive=decisive,
        changes=changes,
        texts={ruling: _views(ruling) for ruling in decisive},
        tree=tree,
        untold=tuple(untold),
        spent=steps.spent,
        at=at,
        standing=stood,
        nowhere=nowhere,
        quarrels=quarrels,
        provided=provided,
    )


def _books(game: Game, turn: int | None, verdicts: Verdicts, steps: Steps) -> dict[str, BookVerdict]:
    """What each rulebook says. Those under which the record does not show enough to tell where it is illegal are asked
    together; what this leaves open, and the budget, is not told.
    """
    books, record = registry().rulebooks, cut(game.record, turn)
    found = {name: BookVerdict(verdict_of(rulings, verdicts), told=False) for name, rulings in books.items()}
    plain: dict[str, Replay] = {}
    for name, rulings in books.items():
        if found[name].verdict == "illegal":
            plain[name] = replay(record, rulings)
        if name not in plain or not plain[name].doubts:
            found[name] = _book(game, turn, Rules(name, (), rulings), verdicts, steps)
    open_ = {name: books[name] for name, book in found.items() if not book.told}
    if open_ and steps.left:
        from couperation_formal.smt.readings import first_illegal

        with steps.at_most(int(steps.left * _BOOKS)):
            for name, (at, code) in first_illegal(record, open_, budget=steps).items():
                # A turn that is surely illegal by itself is told of as `check` tells of it.
                code = plain[name].broken[0].clause if plain[name].illegal == at else code
                found[name] = BookVerdict("illegal", at, code)
    return found


def _again(
    game: Game, turn: int | None, verdicts: Verdicts, found: dict[str, BookVerdict], steps: Steps
) -> dict[str, BookVerdict]:
    """Those rulebooks asked again whose turn was not found, each with an equal part of what is left at last."""
    open_ = [name for name, book in found.items() if not book.told]
    for place, name in enumerate(open_):
        with steps.at_most(steps.left // (len(open_) - place)):
            rules = Rules(name, (), registry().rulebooks[name])
            found = {**found, name: _book(game, turn, rules, verdicts, steps)}
    return found


def _ways(record: Record, at: int | None, steps: Steps, verdicts: Verdicts | None = None) -> Ways | None:
    """The ways of a turn; or, to tell on what they hang, those of a record that the rulebooks of `verdicts` accept."""
    ways = ways_at(record, at, steps)
    books = Readings.none()
    for rulings in registry().rulebooks.values():
        books |= Readings.one(rulings) if verdicts is not None and rulings in verdicts.legal else Readings.none()
    return None if ways is None else decided(ways, steps, at, within=None if verdicts is None else books)


def _books_at(
    record: Record, at: int, before: Standing, least: Way | None, verdicts: Verdicts, steps: Steps
) -> dict[str, BookVerdict]:
    """With `least`, the clause is that of the smallest draws."""
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


def within(steps: Steps, make: Callable[[], T], part: str, untold: list[str]) -> T | None:
    """What `make` returns; None where it takes more than half of the steps that are left, and then `part` joins those
    that are not told.
    """
    try:
        with steps.at_most(steps.left // 2):
            return make()
    except Spent:
        untold.append(part)
        return None


def readings_of(
    record: Record, turn: int | None = None, budget: Steps | int | None = None, board: Board = STANDARD
) -> Verdicts:
    """The readings under which a record is legal, illegal, or undetermined within the budget; see `dispute`."""
    return _readings(record, turn, steps_of(budget), board)[0]


def _readings(record: Record, turn: int | None, steps: Steps, board: Board = STANDARD) -> tuple[Verdicts, Readings]:
    """The verdicts, and the readings under which the record is legal whatever it does not show."""
    found = plain_verdicts(record, board, turn, steps)
    if found.undetermined and steps.left:
        return _decided(found, record, turn, steps, board), found.legal
    return found, found.legal


def _decided(found: Verdicts, record: Record, turn: int | None, budget: Steps, board: Board) -> Verdicts:
    """The verdicts once Z3 has looked at the readings that are undetermined."""
    from couperation_formal.smt.readings import symbolic_verdicts

    more = symbolic_verdicts(record, board, turn, found.undetermined, budget)
    return Verdicts(found.legal | more.legal, found.illegal | more.illegal, more.undetermined)


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
        errors = [found.code for found in report.diagnostics if found.severity == "error"]
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


def least_changes(
    rulings: Rulings, verdicts: Verdicts, decisive: tuple[str, ...], budget: Steps | None = None
) -> tuple[Change, ...]:
    """Every set of changes of least size that turns the verdict under `rulings`. Raises `Spent` where `budget` does not
    suffice. Cost: one look a set of changes.
    """
    steps = budget or Steps()
    before = verdict_of(rulings, verdicts)
    wanted: set[Settled] = {"legal", "illegal"}
    wanted.discard(before)
    if not any(getattr(verdicts, verdict) for verdict in wanted):
        return ()
    for count in range(1, len(decisive) + 1):
        found: list[Change] = []
        for names in combinations(decisive, count):
            others = [[each for each in space().options[name] if each != rulings.option(name)] for name in names]
            steps.spend(_TRIED * prod(map(len, others)))
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
    """Whether every reading has a verdict, and all was told."""
    return not found.untold and found.verdicts.undetermined == Readings.none() and all(map(settled, found.quarrels))
