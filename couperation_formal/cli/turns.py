"""What the commands share that look into one game at one turn."""

from __future__ import annotations

from typing import NoReturn, TypeVar

import click
import msgspec

from couperation_formal.analysis.inspect import doubtful
from couperation_formal.analysis.marked import marked
from couperation_formal.analysis.seen import seen_by, view_of
from couperation_formal.analysis.verify import check
from couperation_formal.answers.place import place_of, source_of
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.inputs import one_item
from couperation_formal.cli.output import complain, note, show_report
from couperation_formal.model.budget import Steps
from couperation_formal.model.fact import taken
from couperation_formal.model.record import Game, Snapshot
from couperation_formal.model.rulings import Rules
from couperation_formal.notation.marks import OwnMarks
from couperation_formal.notation.read import Item
from couperation_formal.readings.replayed import cut
from couperation_formal.words.say import phrase

T = TypeVar("T", bound=Item)

_STEPS = 100_000
"""What a look at the verdict takes at most, beside what is shown: a second."""

AT = click.option(
    "--at",
    "turn",
    type=click.IntRange(min=0),
    metavar="N",
    help="The Nth turn; 0 is the set-up; the last if left out.",
)
"""The option that picks a turn."""


def own_marks(item: T, marks: OwnMarks | None) -> T | Game | Snapshot:
    """The item with the marks of its owner's copy; where its own tag says otherwise, that is noted."""
    found, warnings = marked(item, marks)
    for warning in warnings:
        place = place_of(source_of(item), warning.span)
        note(f"{item.file}:{place.line}:{place.column}: {phrase('warning')}: {warning.message}")
    return found


AS = click.option(
    "--as",
    "viewer",
    metavar="NAME|public",
    help="Only what this player could know then, or everybody at the table; all that is recorded if left out.",
)
"""The option that picks a view."""


def seen_as(item: Game | Snapshot, viewer: str | None) -> Game | Snapshot:
    """The item as the view of this name could have written it down. Ends the command where nobody has this name."""
    if viewer is None:
        return item
    try:
        return seen_by(item, view_of(viewer).player)
    except ValueError as error:
        refuse(error)


def one_game(file: str, number: int, marks: OwnMarks | None = None) -> Game:
    """The game with this number in a file, with these marks. Ends the command where it is none."""
    item = own_marks(one_item(file, number), marks)
    if isinstance(item, Game):
        return item
    show_report(check(item))
    return click.get_current_context().exit(Exit.UNUSABLE)


def note_refused(game: Game, turn: int | None = None, rules: Rules | None = None, budget: int | None = None) -> None:
    """Say beside what is shown of a game after a turn (None: the last) that it is illegal up to there, where that takes
    a look at what the record does not show: otherwise there is no state to be shown. The look takes no more than the
    `budget` of the question itself.
    """
    if not doubtful(game, turn, rules):
        return
    steps = Steps(min(_STEPS, budget or _STEPS))
    report = check(msgspec.structs.replace(game, record=cut(game.record, turn)), rules, budget=steps)
    if report.verdict == "illegal":
        code = next((found.code for found in report.diagnostics if found.severity == "error"), "-")
        note(phrase("shown_though", file=game.file, game=game.index, turn=report.turn, clause=code))
    elif report.verdict == "undetermined":
        note(phrase("shown_open", file=game.file, game=game.index, taken=taken(steps)))


def refuse(reason: object) -> NoReturn:
    """End the command: what is asked for does not exist."""
    complain(str(reason))
    click.get_current_context().exit(Exit.UNUSABLE)
