"""What all commands have: examples in the help, `--color`, and the configuration of the folder unless `--isolated`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from couperation_formal.words.say import phrase
from couperation_formal.words.text import safe

if TYPE_CHECKING:
    from couperation_formal.analysis.configuration import Configuration

_ISOLATED = "couperation.isolated"
_CHOSEN = "couperation.chosen"
_FOUND = "couperation.configuration"
_COLOUR = "couperation.colour"

_NAMING = ("json", "sarif", "csv", "junit")
"""The forms in which the configuration is named by what writes them."""


class Word(click.Choice[str]):
    """One of several words; a wrong one is answered with the near one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            near = get_close_matches(str(value)[:40], self.choices, 1)
            meant = phrase("meant_these", names=tuple(near)) if near else ""
            self.fail(error.message.rstrip(".") + (meant or "."), param, ctx)


class Command(click.Command):
    """A command with examples, each a command line that can be tried in a checkout. `configured` is false where no
    setting of a configuration plays a part. `renamed` are old spellings of options, which work with a note.
    """

    def __init__(
        self,
        *arguments: Any,
        examples: Sequence[str],
        configured: bool = True,
        renamed: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*arguments, **settings)
        self.examples, self.configured, self.renamed = examples, configured, renamed or {}
        for param in self.params:
            if type(param.type) is click.Choice:
                param.type = Word(param.type.choices)
        self.params.append(
            click.Option(
                ["--color"],
                type=Word(["auto", "always", "never"]),
                default="auto",
                show_default=True,
                expose_value=False,
                callback=_colour,
                is_eager=True,
                help="Colours; auto: on a terminal.",
            )
        )
        if configured:
            self.params += [
                click.Option(
                    ["--config"],
                    type=click.Path(dir_okay=False),
                    metavar="FILE",
                    expose_value=False,
                    callback=_named,
                    is_eager=True,
                    help="A configuration. Left out: the nearest couperation.toml or [tool.couperation] from here up.",
                ),
                isolated(),
            ]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, old spellings among them."""
        return super().parse_args(ctx, [*self._spelt(args)])

    def _spelt(self, args: list[str]) -> Iterator[str]:
        from couperation_formal.cli.output import note

        options = True
        for argument in args:
            options = options and argument != "--"
            name, equals, value = argument.partition("=")
            if options and name in self.renamed:
                note(phrase("old_spelling", old=name, new=self.renamed[name]))
                name = self.renamed[name]
            yield name + equals + value

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, as they are typed."""
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"  {example}\n")

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a configuration that it uses is named first: in a text, or beside CGN and what is drawn. The
        forms for scripts have a place of their own for it.
        """
        form = ctx.params.get("form")
        if form not in _NAMING and (used := used_configuration()) is not None:
            from couperation_formal.cli.output import note, say

            told = phrase("configured_by", file=used)
            if form == "github":
                say(f"::notice::{told}")
            else:
                (note if form is None or ctx.params.get("world") else say)(told)
        return super().invoke(ctx)


def isolated() -> click.Option:
    """The option that leaves configurations alone."""
    words = "Ignore couperation.toml and pyproject.toml."
    return click.Option(["--isolated"], is_flag=True, expose_value=False, callback=_isolated, is_eager=True, help=words)


def _isolated(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    ctx.meta[_ISOLATED] = ctx.meta.get(_ISOLATED, False) or value


def _named(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    ctx.meta[_CHOSEN] = value


def _colour(ctx: click.Context, _param: click.Parameter, value: str) -> None:
    ctx.meta[_COLOUR] = value


def wanted_colour() -> bool | None:
    """Whether colours are wanted; None where the stream decides."""
    ctx = click.get_current_context(silent=True)
    return None if ctx is None else {"always": True, "never": False}.get(ctx.meta.get(_COLOUR, "auto"))


def configuration() -> Configuration | None:
    """The configuration of the working folder, or the one that is named in its place; None where there is none, or
    where it is to be ignored. Fails as a wrong argument where it holds what it may not, or is named and holds none.
    """
    ctx = click.get_current_context()
    if ctx.meta.get(_ISOLATED):
        return None
    if _FOUND not in ctx.meta:
        from pathlib import Path

        from couperation_formal.analysis.configuration import find_configuration, read_configuration
        from couperation_formal.cli.options import reading

        named = ctx.meta.get(_CHOSEN)
        try:
            with reading():
                ctx.meta[_FOUND] = find_configuration(Path()) if named is None else read_configuration(Path(named))
        except click.BadParameter as error:
            raise click.UsageError(error.message) from None
        if named is not None and ctx.meta[_FOUND] is None:
            raise click.UsageError(phrase("configuration_none", file=safe(named)))
    found: Configuration | None = ctx.meta[_FOUND]
    return found


def used_configuration() -> str | None:
    """The name of the configuration from which this command takes something, as seen from the working folder."""
    import os

    ctx = click.get_current_context(silent=True)
    if ctx is None or not isinstance(ctx.command, Command) or not ctx.command.configured:
        return None
    found = configuration()
    if found is None:
        return None
    names = {param.name for param in ctx.command.params}
    given = {name for name in names if name and ctx.get_parameter_source(name) is not ParameterSource.DEFAULT}
    takes_rules = found.rules is not None and "rules" in names - given
    takes_marks = found.marks is not None and "marks" in names - given
    takes_form = found.form is not None and "form" in names - given and ctx.params["form"] == found.form
    return os.path.relpath(found.file) if takes_rules or takes_marks or takes_form else None
