"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from couperation_formal.model.budget import DEFAULT

if TYPE_CHECKING:
    from couperation_formal.model.rulings import Rules
    from couperation_formal.notation.marks import OwnMarks

F = TypeVar("F", bound=Callable[..., Any])


def load(value: str) -> Rules:
    """The `Rules` that the text names. Fails as a wrong argument where it names something unknown; in a rulebook file
    the line is shown, with carets under what is wrong.
    """
    from couperation_formal import RulesError, load_rules, rulebook_file
    from couperation_formal.cli.inputs import inode_of, inputs
    from couperation_formal.words.text import safe

    try:
        if (book := rulebook_file(value)) is not None:
            inputs().add(inode_of(book[0]))
        return load_rules(value)
    except RulesError as error:
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
    """The marks of a file, which is then an input."""
    if value is None:
        return None
    from couperation_formal.cli.inputs import inode_of, inputs
    from couperation_formal.notation.marks import MarksError, read_marks
    from couperation_formal.words.text import safe

    try:
        inputs().add(inode_of(Path(value)))
        return read_marks(value)
    except MarksError as error:
        raise click.BadParameter(_framed(str(error), error.line)) from None
    except OSError as error:
        raise click.BadParameter(safe(f"cannot read {error.filename}: {error.strerror}")) from None


MARKS = click.option(
    "--marks",
    callback=_own_marks,
    metavar="FILE",
    help="The marks of the cards that were played with, as in the Marks tag; a record's own tag stands.",
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


RULES = click.option(
    "--rules",
    callback=lambda _ctx, _param, value: None if value is None else load(value),
    shell_complete=_complete,
    metavar="RULES",
    help='The rulebook, in place of the record\'s own: "en-2 spread=adjacent", or a TOML file with changes after it.',
)
"""The option that overrides the `Rules` tag."""


def budget_option(question: str) -> Callable[[F], F]:
    """The option for the budget of each `question`."""
    return click.option(
        "--budget",
        type=click.IntRange(min=0),
        metavar="N",
        help=f"Steps that may be taken for {question}, the same on every machine; {DEFAULT:,} if left out, some ten"
        " microseconds each. What is open then is undetermined.",
    )


def format_option(*names: str) -> Callable[[F], F]:
    """The option for the output's form; the first one is the default."""
    forms = click.Choice(names)
    return click.option(
        "--output-format", "form", type=forms, default=names[0], show_default=True, help="The output's form."
    )
