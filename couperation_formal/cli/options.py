"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from couperation_formal.cli.run import Run, reading
from couperation_formal.game.budget import DEFAULT

if TYPE_CHECKING:
    from couperation_formal.game.rulings import Rules
    from couperation_formal.notation.header import OwnMarks

F = TypeVar("F", bound=Callable[..., Any])

PATH = click.Path(readable=False, allow_dash=True)

FILES = click.argument("files", nargs=-1, required=True, type=PATH)
"""The argument of commands that take any number of files and folders; `-` is standard input."""

FILE = click.argument("file", type=PATH)
"""The argument of commands that look at one file."""


def _game(words: str, **settings: Any) -> Callable[[F], F]:
    return click.option("--game", "number", type=click.IntRange(min=1), metavar="K", help=words, **settings)


GAME = _game("Game K of the file, from 1.", default=1, show_default=True)
"""The option that picks one of several games in a file."""

ONE = _game("Only game K of a file, from 1; all of them if left out.")
"""The option that picks one of the games in each file; all of them if left out."""

AT = click.option(
    "--at",
    "turn",
    type=click.IntRange(min=0),
    metavar="N",
    help="The Nth turn; 0 is the set-up; the last if left out.",
)
"""The option that picks a turn."""

AS = click.option(
    "--as",
    "viewer",
    metavar="NAME|public",
    help="Only what this player could know then, or everybody at the table; all that is recorded if left out.",
)
"""The option that picks a view."""

LEVEL = click.option(
    "--level",
    type=click.Choice(["table", "tower"]),
    help="table: does any legal continuation win? tower: can the cards that are left fill the tower, the up cards"
    " staying where they are? Left out: table where somebody is to move, else tower.",
)
"""The option for the level of the question."""


def load(run: Run, value: str) -> Rules:
    """The `Rules` that the text names. Fails as a wrong argument where it names something unknown; in a rulebook file
    the line is shown, with carets under what is wrong.
    """
    from couperation_formal.game.rulings import load_rules, rulebook_file

    with reading():
        if (book := rulebook_file(value)) is not None:
            run.files.reads(book[0])
        return load_rules(value)


def _own_marks(ctx: click.Context, _param: click.Parameter, value: str | None) -> OwnMarks | None:
    """The marks of a file, which is then an input; those of the configuration where none is named."""
    from couperation_formal.notation.header import read_marks

    run: Run = ctx.obj
    if value is None and (chosen := run.configuration) is not None and chosen.marks is not None:
        value = str(chosen.marks)
    if value is None:
        return None
    with reading():
        run.files.reads(Path(value))
        return read_marks(value)


MARKS = click.option(
    "--marks",
    callback=_own_marks,
    metavar="FILE",
    help="The marks of the cards that were played with, as in the Marks tag; a record's own tag stands."
    " Left out: those of the configuration, if it names a file.",
)
"""The option for what an owner wrote down once of his or her copy."""


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Rulebooks for the first word, changed rulings for any."""
    from couperation_formal.game.rulings import options_in_order, registry

    before, space, last = incomplete.rpartition(" ")
    words = [f"{name}={option}" for name, options in options_in_order() for option in options]
    if not space:
        words = [*registry().rulebooks, *words]
    return [before + space + word for word in words if word.startswith(last)]


def _rules_option(default: str, made: bool) -> Callable[[F], F]:
    def read(ctx: click.Context, _param: click.Parameter, value: str | None) -> Rules | None:
        if value:
            return load(ctx.obj, value)
        chosen = ctx.obj.configuration if made else None
        return None if chosen is None else chosen.rules

    words = f'The rulebook: "en-2 spread=adjacent", or a TOML file with changes after it. Left out: {default}.'
    return click.option("--rules", callback=read, shell_complete=_complete, metavar="RULES", help=words)


RULES = _rules_option("the record's own, else the configured one, else ja-2.2", made=False)
"""The option that overrides the `Rules` tag."""

MADE_RULES = _rules_option("the configured one, else ja-2.2", made=True)
"""The option where there is no record yet."""


def players_option(**settings: Any) -> Callable[[F], F]:
    """The option for the players of a game that is made."""
    words = 'Two to four names, the first player first: "Aki Ben", "Anna Maria, Ben"; or a number: they are named here.'
    return click.option("--players", callback=_players, metavar="NAMES", help=words, **settings)


def _players(_ctx: click.Context, _param: click.Parameter, value: str) -> tuple[str, ...]:
    from couperation_formal.notation.parse import name_written
    from couperation_formal.questions.records.new import reserve_for
    from couperation_formal.questions.records.sample import PLAYER_NAMES
    from couperation_formal.words.say import phrase

    names = [name_written(each) for each in (value.split(",") if "," in value else value.split()) if each.strip()]
    try:
        if len(names) == 1 and names[0].isdecimal() and len(names[0]) < 4:
            count = int(names[0])
            if not 2 <= count <= len(PLAYER_NAMES):
                raise ValueError(phrase("players", least=2, most=len(PLAYER_NAMES), players=count))
            return PLAYER_NAMES[:count]
        reserve_for(names)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return tuple(names)


def budget_option(question: str) -> Callable[[F], F]:
    """The option for the budget of each `question`."""
    return click.option(
        "--budget",
        type=click.IntRange(min=0),
        metavar="N",
        help=f"Steps that may be taken for {question}, the same on every machine; {DEFAULT:,} if left out, some ten"
        " microseconds each. What is open then is undetermined.",
    )


def evidence(command: F) -> F:
    """The options for certificates and for the check of the answers."""
    words = "Do not run the independent checker on the answers."
    command = click.option("--no-verify", is_flag=True, help=words)(command)
    path, words = click.Path(dir_okay=False), "Write certificates to OUT; none if left out."
    return click.option("--certificate", "out", type=path, metavar="OUT", help=words)(command)


NARROW = ("full", "json")
"""The forms that have a place for everything."""


def format_option(*names: str, narrow: Sequence[str] = ()) -> Callable[[F], F]:
    """The option for the output's form; the first one is the default, if the configuration names none of them.
    With a flag of `narrow` only the forms full and json can be configured: the others have no place for what it asks.
    """

    def chosen(ctx: click.Context, _param: click.Parameter, value: str) -> str:
        given = ctx.get_parameter_source("form_name") is not ParameterSource.DEFAULT
        found = None if given else ctx.obj.configuration
        fitting = NARROW if any(ctx.params.get(flag) for flag in narrow) else names
        return found.form if found is not None and found.form in fitting else value

    return click.option(
        "--output-format",
        "form_name",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        callback=chosen,
        help="The output's form.",
    )
