"""The JSON form of `dispute`."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from couperation_formal.analysis.dispute import Dispute
from couperation_formal.analysis.provided import common
from couperation_formal.answers.data import Data, Natural, Positive
from couperation_formal.answers.provisos import ProvidedData, provided_data
from couperation_formal.game.rulings import Stand
from couperation_formal.hidden.readings.condition import Leaf, Settled, Tree, tree_size
from couperation_formal.words.say import encodable

TermData = dict[str, tuple[str, ...]]
"""Rulings with the options that are allowed, joined by *and*; a ruling left out is free."""


class BookData(Data, frozen=True, kw_only=True):
    """One rulebook's verdict; the turn counts by place, 0 for the set-up, null unless illegal. The code is null too
    where only several turns together cannot hold. What the budget left open is null, and `untold` names the rulebook.
    """

    verdict: Settled
    turn: Natural | None
    code: str | None


class ChangeData(Data, frozen=True, kw_only=True):
    """Rulings changed in a rulebook, and the verdict that follows."""

    options: dict[str, str]
    verdict: Settled


class ViewData(Data, frozen=True, kw_only=True):
    """What a text says on a ruling, and where."""

    option: str
    stand: Stand
    place: str
    note: str


class HangsData(Data, frozen=True, kw_only=True):
    """What legality hangs on. The three conditions are terms joined by *or*; together they cover every
    reading, and no two of them share one. `untold` names each part that the budget did not suffice for, as
    ``legal_when``, ``rulebooks.en-1`` (its turn and clause), ``changes.en-1``, ``tree``, ``nowhere`` (whether the turn
    can be carried out); conditions and changes are null then. `spent` of `limit` steps were taken. `provisos` tells
    what each rulebook that finds it legal takes for granted, but for those to which what the record shows suffices, and
    `provided` what all do: where it is not the same for all, a term that suffices under each, not exact; null where
    `provisos` is empty.
    """

    file: str
    game: Positive
    turn: Natural | None
    rulebooks: dict[str, BookData]
    decisive: tuple[str, ...]
    legal_when: tuple[TermData, ...] | None
    illegal_when: tuple[TermData, ...] | None
    undetermined_when: tuple[TermData, ...] | None
    changes: dict[str, tuple[ChangeData, ...] | None]
    texts: dict[str, dict[str, ViewData]]
    provisos: dict[str, ProvidedData]
    untold: tuple[str, ...]
    spent: Natural
    limit: Natural
    format: Literal[1]


class StoodData(Data, frozen=True, kw_only=True):
    """An earlier turn, 0 for the set-up, that was wrong already under a rulebook, by these clauses; or that ended the
    game under it (END01, END02 or END03).
    """

    rulebook: str
    turn: Natural
    clauses: tuple[str, ...]


class QuarrelData(HangsData, frozen=True, kw_only=True):
    """What the legality of turn `at` hangs on, if everything before stands as it was played. `standing` tells what was
    wrong before, rulebook by rulebook.
    """

    asked: Literal["turn"]
    at: Positive
    standing: tuple[StoodData, ...]
    provided: ProvidedData | None


class DisputeData(HangsData, frozen=True, kw_only=True):
    """What a record's legality hangs on, and that of each turn that it marks as disputed."""

    asked: Literal["record"]
    provided: ProvidedData | None
    quarrels: tuple[QuarrelData, ...]


def dispute_data(found: Dispute) -> DisputeData | QuarrelData:
    """The answer as `dispute --output-format json` writes it."""
    return record_data(found) if found.at is None else quarrel_data(found, found.at)


def record_data(found: Dispute) -> DisputeData:
    """The answer on a record."""
    quarrels = tuple(quarrel_data(each, each.at) for each in found.quarrels if each.at is not None)
    return DisputeData(**_hangs(found), asked="record", provided=_provided(found), quarrels=quarrels)


def quarrel_data(found: Dispute, at: int) -> QuarrelData:
    """The answer on turn `at` by itself."""
    standing = tuple(StoodData(rulebook=each.rulebook, turn=each.turn, clauses=each.clauses) for each in found.standing)
    return QuarrelData(**_hangs(found), asked="turn", at=at, standing=standing, provided=_provided(found))


def _provided(found: Dispute) -> ProvidedData | None:
    legal = tuple(name for name, book in found.rulebooks.items() if book.verdict == "legal")
    return provided_data(common(found.provided, legal))


def _hangs(found: Dispute) -> dict[str, Any]:
    return {
        "file": encodable(found.game.file),
        "game": found.game.index,
        "turn": found.turn,
        "rulebooks": {
            name: BookData(verdict=book.verdict, turn=book.turn, code=book.code)
            for name, book in found.rulebooks.items()
        },
        "decisive": found.decisive,
        "legal_when": found.legal_when,
        "illegal_when": found.illegal_when,
        "undetermined_when": found.undetermined_when,
        "changes": {
            name: None
            if changes is None
            else tuple(ChangeData(options=change.options, verdict=change.verdict) for change in changes)
            for name, changes in found.changes.items()
        },
        "texts": {
            ruling: {
                name: ViewData(option=view.option, stand=view.stand.stand, place=view.stand.place, note=view.stand.note)
                for name, view in views.items()
            }
            for ruling, views in found.texts.items()
        },
        "provisos": {name: told for name, each in found.provided.items() if (told := provided_data(each)) is not None},
        "untold": found.untold,
        "spent": found.spent,
        "limit": found.limit,
        "format": 1,
    }


class TreeData(NamedTuple):
    """A decision tree: a ruling with what follows from its options, or a verdict without branches."""

    name: str
    branches: tuple[tuple[tuple[str, ...], TreeData], ...] = ()


def tree_data(found: Dispute, most: int) -> TreeData | None:
    """The decision tree of a dispute; None where it has none, or more than `most` questions and leaves."""
    return None if found.tree is None or tree_size(found.tree) > most else _tree(found.tree)


def _tree(tree: Tree) -> TreeData:
    if isinstance(tree, Leaf):
        return TreeData(tree.verdict)
    return TreeData(tree.ruling, tuple((options, _tree(branch)) for options, branch in tree.branches))
