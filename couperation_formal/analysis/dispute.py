"""Job three: two people disagree whether a record is legal. Under which readings is it, and which rulings decide?"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

import msgspec

from couperation_formal.analysis.books import BookVerdict, asked_again, books_at, books_on, verdict_of, verdicts_on
from couperation_formal.analysis.named import game_named
from couperation_formal.analysis.open_draws import Ways, decided, provisos, ways_at
from couperation_formal.analysis.provided import provisos_of
from couperation_formal.analysis.quarrel import (
    Nowhere,
    Stood,
    disputed,
    nowhere_at,
    readings_at,
    stood_before,
    table_before,
)
from couperation_formal.game.budget import Spent, Steps, steps_of
from couperation_formal.game.diagnostic import Proviso
from couperation_formal.game.record import Game, Record, short
from couperation_formal.game.rulings import Rulings, TextStand, registry
from couperation_formal.hidden.readings.condition import Condition, Settled, Tree, condition, decision_tree
from couperation_formal.hidden.readings.sets import Readings, Verdicts, depends_on, nearest
from couperation_formal.hidden.readings.standing import cut
from couperation_formal.words.say import phrase

_VERDICTS: Final = 0.6
"""The part of the budget that the verdicts may spend."""

T = TypeVar("T")


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
    limit: int
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
            verdicts, shown = verdicts_on(game.record, turn, steps)
        else:
            verdicts, shown, ways = readings_at(game.record, at, before, steps)
    decisive = depends_on(*verdicts)
    books = registry().rulebooks
    nowhere: Nowhere | None = None
    stood: tuple[Stood, ...] = ()
    untold: list[str] = []
    if at is None or before is None:
        rulebooks = books_on(game, turn, verdicts, steps)
    else:
        least = None if ways is None else ways.ways[0]
        rulebooks = books_at(game.record, at, before, least, verdicts, steps)
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
            ways = _ways(cut(game.record, turn), steps, verdicts)
    if ways is None:
        provided = provisos_of(game.record, turn if at is None else at, verdicts, shown, steps, since=at or 0)
    else:
        provided = provisos(ways, verdicts, steps, at)
    if at is None:
        rulebooks = asked_again(game, turn, verdicts, rulebooks, steps)
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
        limit=steps.limit,
        at=at,
        standing=stood,
        nowhere=nowhere,
        quarrels=quarrels,
        provided=provided,
    )


def _ways(record: Record, steps: Steps, verdicts: Verdicts) -> Ways | None:
    """The ways of a record that the rulebooks of `verdicts` accept, to tell on what they hang."""
    ways, books = ways_at(record, None, steps), Readings.none()
    for rulings in registry().rulebooks.values():
        books |= Readings.one(rulings) if rulings in verdicts.legal else Readings.none()
    return None if ways is None else decided(ways, steps, None, within=books)


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


def least_changes(
    rulings: Rulings, verdicts: Verdicts, decisive: tuple[str, ...], budget: Steps | None = None
) -> tuple[Change, ...]:
    """Every set of changes of least size that turns the verdict under `rulings`. Raises `Spent` where `budget` does not
    suffice. Cost: one look a set of changes.
    """
    before = verdict_of(rulings, verdicts)
    wanted = (verdicts.legal | verdicts.illegal) - getattr(verdicts, before)
    found = nearest(rulings, wanted, decisive, budget)
    return tuple(Change(changes, verdict_of(rulings.with_changes(changes), verdicts)) for changes in found)


def _views(ruling: str) -> dict[str, View]:
    books, texts = registry().rulebooks, registry().rulings[ruling].texts
    return {name: View(books[name].option(ruling), stand) for name, stand in texts.items()}


def settled(found: Dispute) -> bool:
    """Whether every reading has a verdict, and all was told."""
    return not found.untold and found.verdicts.undetermined == Readings.none() and all(map(settled, found.quarrels))
