"""What click reads: a command with what all of them have, which is read into its `Run`, and the options that several
share.
"""

import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from couperation_formal.cli import output
from couperation_formal.cli.output import Exit, Refused, note, say
from couperation_formal.cli.run import OutFile, Proofs, Run, named_file
from couperation_formal.game.fact import DEEP, DEFAULT, Told, Unfit, fact, why_of
from couperation_formal.game.rulings import Rules, load_rules, options_in_order, registry, rulebook_file
from couperation_formal.notation.parse import OwnMarks, name_written, read_marks
from couperation_formal.words.say import LANGUAGES, language_of

_NAMING = ("json", "sarif", "csv", "junit")
"""The forms that have a place for the configuration."""


class Word(click.Choice[str]):
    """One of several words; a wrong one is answered with the near one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            from difflib import get_close_matches

            near = get_close_matches(str(value)[:40], self.choices, 1)
            meant = output.spoken(fact("meant_these", names=tuple(near))) if near else ""
            self.fail(error.message if not meant else error.message.rstrip(".。") + meant, param, ctx)


class Command(click.Command):
    """A command whose function takes the `Run` and the options that are its own, and returns an exit code.

    It has examples, each a command line that can be tried in a checkout. `configured` is false where no setting of a
    configuration plays a part, `makes` where its output cannot go to a file. `renamed` are old spellings of options,
    which work with a note.
    """

    def __init__(
        self,
        *arguments: Any,
        examples: Sequence[str],
        configured: bool = True,
        makes: bool = True,
        renamed: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*arguments, **settings)
        self.examples, self.configured, self.renamed = examples, configured, renamed or {}
        self.params += [*_common(self.params, configured, makes)]

    context_class = output.Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, old spellings among them; the language first, in which wrong ones are told."""
        before = args[: args.index("--")] if "--" in args else args
        words = [part for each in before for part in (each.split("=", 1) if each.startswith("--") else [each])]
        last = dict(pairwise(words))
        run = ctx.obj = Run()
        run.isolated = (ctx.parent is not None and bool(ctx.parent.params.get("isolated"))) or "--isolated" in words
        run.named = last.get("--config")
        ctx.meta[output.ASKED] = language_of([last.get("--lang", "")]) or ""
        ctx.meta[output.CONFIGURED] = lambda: run.language
        return super().parse_args(ctx, [*self._spelt(args)])

    def _spelt(self, args: list[str]) -> Iterator[str]:
        options = True
        for argument in args:
            options = options and argument != "--"
            name, equals, value = argument.partition("=")
            if options and name in self.renamed:
                note(fact("old_spelling", old=name, new=self.renamed[name]))
                name = self.renamed[name]
            yield name + equals + value

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, as they are typed."""
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"  {output.translated(example)}\n")

    def invoke(self, ctx: click.Context) -> Any:
        """The exit code of the command. A file for its output appears at the end, unless the command fails or has
        nothing to say.
        """
        run: Run = ctx.obj
        run.used = self._used(ctx, run)
        written, run.files.force = ctx.params.pop("output_file", None), ctx.params.pop("force", False)
        for name in ("rules", "marks", "number", "budget", "form_name", "out", "no_verify", "jobs"):
            if name in ctx.params:
                setattr(run, name, ctx.params.pop(name))
        run.proofs = Proofs(run.out, not run.no_verify, run.files)
        if written is None:
            return self._invoke(ctx, run)
        return self._into(run.files.make(written), ctx, run)

    def _into(self, file: OutFile, ctx: click.Context, run: Run) -> Any:
        with file.stream() as stream:
            text = io.TextIOWrapper(stream, "utf-8", "replace", newline="\n", write_through=True)
            with redirect_stdout(text):
                code = self._invoke(ctx, run) or Exit.KEPT
            if code is Exit.OURS or (code is not Exit.KEPT and not stream.tell()):
                raise click.exceptions.Exit(code)
        return code

    def _invoke(self, ctx: click.Context, run: Run) -> Any:
        """A configuration that is used is named first: in a text, or beside CGN and what is drawn. The forms for
        scripts have a place of their own for it.
        """
        has_form = any(param.name == "form_name" for param in self.params)
        if run.used is not None and not (has_form and run.form_name in _NAMING):
            told = fact("configured_by", file=run.used)
            if run.form_name == "github":
                say(f"::notice::{output.spoken(told, script=True)}")
            else:
                (say if has_form and not ctx.params.get("world") else note)(told)
        try:
            return ctx.invoke(self.callback, run, **ctx.params) if self.callback is not None else None
        except Told as error:
            raise Refused(error.what) from None

    def _used(self, ctx: click.Context, run: Run) -> str | None:
        """The name of the configuration from which the command takes something, as seen from the working folder."""
        chosen = run.configuration if self.configured else None
        if chosen is None:
            return None

        def takes(name: str, value: object) -> bool:
            return value is not None and ctx.get_parameter_source(name) is ParameterSource.DEFAULT

        form = takes("form_name", chosen.form) and ctx.params["form_name"] == chosen.form
        taken = form or takes("rules", chosen.rules) or takes("marks", chosen.marks)
        return os.path.relpath(chosen.file) if taken else None


def command(*examples: str, **settings: Any) -> Callable[[Callable[..., Any]], Command]:
    """A command with these examples; the `settings` are those of `Command` and of click."""
    return click.command(cls=Command, examples=examples, **settings)


def _common(own: Sequence[click.Parameter], configured: bool, makes: bool) -> Iterator[click.Option]:
    """The options that all commands have, those of what is `configured`, and those of what `makes` files; one that has
    its `own` for its output keeps it.
    """

    def option(*names: str, take: Callable[[click.Context, Any, Any], None], **settings: Any) -> click.Option:
        return click.Option(names, callback=take, expose_value=False, is_eager=True, **settings)

    def colour(ctx: click.Context, _param: Any, value: str) -> None:
        ctx.color = {"always": True, "never": False}.get(value)

    def nothing(_ctx: click.Context, _param: Any, _value: str | None) -> None:
        """It is read before all others."""

    said = "The language. Left out: the configured one, else that of LC_ALL or LANG, and English in forms for programs."
    yield option("--lang", take=nothing, type=Word(LANGUAGES), metavar="|".join(LANGUAGES), help=said)
    words = Word(["auto", "always", "never"])
    said = "Colours; auto: on a terminal."
    yield option("--color", take=colour, type=words, default="auto", show_default=True, help=said)
    file: dict[str, Any] = {"type": click.Path(dir_okay=False), "metavar": "FILE"}
    if configured:
        said = "A configuration. Left out: the nearest couperation.toml or [tool.couperation] from here up."
        yield option("--config", take=nothing, help=said, **file)
        said = "Ignore couperation.toml and pyproject.toml."
        yield option("--isolated", take=nothing, is_flag=True, help=said)
    if makes:
        if not any("--output" in param.opts for param in own):
            said = "Write the output to FILE; to standard output if left out."
            yield click.Option(["-o", "--output", "output_file"], help=said, **file)
        yield click.Option(["--force"], is_flag=True, help="Replace files that exist.")


# The options that several commands share.

F = TypeVar("F", bound=Callable[..., Any])


def these(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Several of them, in this order."""

    def added(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return added


def flag(*names: str, help: str) -> Callable[[F], F]:
    """An option without a value."""
    return click.option(*names, is_flag=True, help=help)


def number(*names: str, least: int, most: int | None = None, **settings: Any) -> Callable[[F], F]:
    """An option for a number within bounds."""
    return click.option(*names, **{"type": click.IntRange(least, most), "metavar": "N", **settings})


def word(name: str, words: str, *parameter: str, **settings: Any) -> Callable[[F], F]:
    """An option for one of these words, the first one if left out; its `parameter` may have a name of its own."""
    first, *_ = listed = words.split()
    return click.option(name, *parameter, type=Word(listed), default=first, show_default=True, **settings)


VARIANT = word("--variant", "first finish")
"""The option for the variant of the game."""


PATH = click.Path(readable=False, allow_dash=True)

FILES = click.argument("files", nargs=-1, required=True, type=PATH)
"""The argument of commands that take any number of files and folders; `-` is standard input."""

FILE = click.argument("file", type=PATH)
"""The argument of commands that look at one file."""


_game = partial(number, "--game", "number", least=1, metavar="K")
GAME = _game(default=1, show_default=True, help="Game K of the file, from 1.")
"""The option that picks one of several games in a file."""

ONE = _game(help="Only game K of a file, from 1; all of them if left out.")
"""The option that picks one of the games in each file; all of them if left out."""

AT = number("--at", "turn", least=0, help="The Nth turn; 0 is the set-up; the last if left out.")
"""The option that picks a turn."""


def view(words: str) -> Callable[[F], F]:
    """The option for whose knowledge is shown."""
    return click.option("--as", "viewer", metavar="NAME|public", help=words)


AS = view("Only what this player could know then, or everybody at the table; all that is recorded if left out.")
"""The option that picks a view."""

LEVEL = click.option(
    "--level",
    type=Word(["table", "tower"]),
    help="table: does any legal continuation win? tower: can the cards that are left fill the tower, the up cards"
    " staying where they are? Left out: table where somebody is to move, else tower.",
)
"""The option for the level of the question."""


def out(name: str, words: str, **settings: Any) -> Callable[[F], F]:
    """The option for what a command makes in place of text."""
    settings = {"type": click.Path(dir_okay=False), "metavar": "OUT", "help": words, **settings}
    return click.option("-o", "--output", name, **settings)


def load(run: Run, value: str) -> Rules:
    """The `Rules` that the text names. Fails as a wrong argument where it names something unknown; in a rulebook file
    the line is shown, with carets under what is wrong.
    """
    with named_file():
        if (book := rulebook_file(value)) is not None:
            run.files.reads(book[0])
        return load_rules(value)


def _own_marks(ctx: click.Context, _param: click.Parameter, value: str | None) -> OwnMarks | None:
    """The marks of a file, which is then an input; those of the configuration where none is named."""
    run: Run = ctx.obj
    if value is None and (chosen := run.configuration) is not None and chosen.marks is not None:
        value = str(chosen.marks)
    if value is None:
        return None
    with named_file():
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


def players(**settings: Any) -> Callable[[F], F]:
    """The option for the players of a game that is made."""
    words = 'Two to four names, the first player first: "Aki Ben", "Anna Maria, Ben"; or a number: they are named here.'
    return click.option("--players", callback=_players, metavar="NAMES", help=words, **settings)


def _players(_ctx: click.Context, _param: click.Parameter, value: str) -> tuple[str, ...]:
    from couperation_formal.questions.records.sample import PLAYER_NAMES
    from couperation_formal.questions.records.states import reserve_of

    names = [name_written(each) for each in (value.split(",") if "," in value else value.split()) if each.strip()]
    try:
        if len(names) == 1 and names[0].isdecimal() and len(names[0]) < 4:
            count = int(names[0])
            if not 2 <= count <= len(PLAYER_NAMES):
                raise Unfit("players", least=2, most=len(PLAYER_NAMES), players=count)
            return PLAYER_NAMES[:count]
        reserve_of(names)
    except ValueError as error:
        raise click.BadParameter(output.spoken(why_of(error))) from None
    return tuple(names)


class Budget(click.IntRange):
    """A number of steps, or the word for many."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The steps."""
        return DEEP if value == "deep" else super().convert(value, param, ctx)


def budget(question: str) -> Callable[[F], F]:
    """The option for the budget of each `question`."""
    return click.option(
        "--budget",
        type=Budget(0),
        metavar="N|deep",
        help=f"Steps that may be taken for {question}, the same on every machine; {DEFAULT:,} if left out, some ten"
        f" microseconds each; deep: {DEEP:,}. What is open then is undetermined.",
    )


JOBS = number(
    "-j",
    "--jobs",
    least=1,
    most=1024,
    help="So many processes at once; the output is the same. Left out: one, and from the 500th game on one a core.",
)
"""The option for how many processes share the games."""


EVIDENCE = these(
    click.option(
        "--certificate",
        "out",
        type=click.Path(dir_okay=False),
        metavar="OUT",
        help="Write certificates to OUT; none if left out.",
    ),
    flag("--no-verify", help="Do not run the independent checker on the answers."),
)
"""The options for certificates and for the check of the answers."""


NARROW = ("full", "json")
"""The forms that have a place for everything."""


def form(*names: str, narrow: Sequence[str] = ()) -> Callable[[F], F]:
    """The option for the output's form; the first one is the default, if the configuration names none of them.
    With a flag of `narrow` only the forms full and json can be configured: the others have no place for what it asks.
    """

    def chosen(ctx: click.Context, _param: click.Parameter, value: str) -> str:
        given = ctx.get_parameter_source("form_name") is not ParameterSource.DEFAULT
        configuration = None if given else ctx.obj.configuration
        fitting = NARROW if any(ctx.params.get(flag) for flag in narrow) else names
        return configuration.form if configuration is not None and configuration.form in fitting else value

    return word("--output-format", " ".join(names), "form_name", callback=chosen, help="The output's form.")


FORM = form("full", "json")
"""The option for it where an answer has these two."""
