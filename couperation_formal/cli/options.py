"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from couperation_formal.cli.command import configuration
from couperation_formal.model.budget import DEFAULT

if TYPE_CHECKING:
    from couperation_formal.model.rulings import Rules
    from couperation_formal.notation.marks import OwnMarks

F = TypeVar("F", bound=Callable[..., Any])


def load(value: str) -> Rules:
    """The `Rules` that the text names. Fails as a wrong argument where it names something unknown; in a rulebook file
    the line is shown, with carets under what is wrong.
    """
    from couperation_formal.cli.inputs import inode_of, inputs
    from couperation_formal.model.rulebook import load_rules, rulebook_file

    with reading():
        if (book := rulebook_file(value)) is not None:
            inputs().add(inode_of(book[0]))
        return load_rules(value)


@contextmanager
def reading() -> Iterator[None]:
    """What is wrong with a file that an option or a configuration names is a wrong argument, with its line shown."""
    from couperation_formal.model.toml_file import TomlError
    from couperation_formal.words.text import safe

    try:
        yield
    except TomlError as error:
        raise click.BadParameter(_framed(str(error), error.line)) from None
    except OSError as error:
        raise click.BadParameter(safe(f"cannot read {error.filename}: {error.strerror}")) from None


def _framed(message: str, at: tuple[int, str, int, int] | None) -> str:
    """What is wrong with a file, and its line with carets under it."""
    from couperation_formal.answers.place import Line
    from couperation_formal.report.frame import frame
    from couperation_formal.words.text import safe

    lines = [safe(message)]
    if at is not None:
        line = Line(*at)
        shown, indent, width = frame(line)
        gutter = " " * len(str(line.number))
        lines += [f"{gutter} |", f"{line.number} | {shown}", f"{gutter} | {' ' * indent}{'^' * width}"]
    return "\n".join(lines)


def _own_marks(_ctx: click.Context, _param: click.Parameter, value: str | None) -> OwnMarks | None:
    """The marks of a file, which is then an input; those of the configuration where none is named."""
    from couperation_formal.cli.inputs import inode_of, inputs
    from couperation_formal.notation.marks import read_marks

    if value is None and (chosen := configuration()) is not None and chosen.marks is not None:
        value = str(chosen.marks)
    if value is None:
        return None
    with reading():
        inputs().add(inode_of(Path(value)))
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
    from couperation_formal.model.rulings import options_in_order, registry

    before, space, last = incomplete.rpartition(" ")
    words = [f"{name}={option}" for name, options in options_in_order() for option in options]
    if not space:
        words = [*registry().rulebooks, *words]
    return [before + space + word for word in words if word.startswith(last)]


def _rules_option(default: str, callback: Callable[..., Rules | None]) -> Callable[[F], F]:
    words = f'The rulebook: "en-2 spread=adjacent", or a TOML file with changes after it. Left out: {default}.'
    return click.option("--rules", callback=callback, shell_complete=_complete, metavar="RULES", help=words)


RULES = _rules_option(
    "the record's own, else the configured one, else ja-2.2", lambda _ctx, _param, value: value and load(value)
)
"""The option that overrides the `Rules` tag."""


def _made_rules(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Rules | None:
    if value is not None:
        return load(value)
    chosen = configuration()
    return None if chosen is None else chosen.rules


MADE_RULES = _rules_option("the configured one, else ja-2.2", _made_rules)
"""The option where there is no record yet."""


def players_option(**settings: Any) -> Callable[[F], F]:
    """The option for the players of a game that is made."""
    words = 'Two to four names, the first player first: "Aki Ben", "Anna Maria, Ben"; or a number: they are named here.'
    return click.option("--players", callback=_players, metavar="NAMES", help=words, **settings)


def _players(_ctx: click.Context, _param: click.Parameter, value: str) -> tuple[str, ...]:
    from couperation_formal.notation.words import name_written
    from couperation_formal.play.sample import PLAYER_NAMES
    from couperation_formal.report.skeleton import reserve_for
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


NARROW = ("full", "json")
"""The forms that have a place for everything."""


def format_option(*names: str, narrow: Sequence[str] = ()) -> Callable[[F], F]:
    """The option for the output's form; the first one is the default, if the configuration names none of them.
    With a flag of `narrow` only the forms full and json can be configured: the others have no place for what it asks.
    """

    def chosen(ctx: click.Context, _param: click.Parameter, value: str) -> str:
        given = ctx.get_parameter_source("form") is not ParameterSource.DEFAULT
        found = None if given else configuration()
        fitting = NARROW if any(ctx.params.get(flag) for flag in narrow) else names
        return found.form if found is not None and found.form in fitting else value

    return click.option(
        "--output-format",
        "form",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        callback=chosen,
        help="The output's form.",
    )
