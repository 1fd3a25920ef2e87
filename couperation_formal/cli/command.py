"""What all commands have: examples in the help, `--color`, the configuration unless `--isolated`, a file for the output
and `--force`; and the `Run` that the shared options are read into.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from difflib import get_close_matches
from typing import Any

import click
from click.core import ParameterSource

from couperation_formal.cli.files import OutFile
from couperation_formal.cli.output import Exit, note, say
from couperation_formal.cli.proofs import Proofs
from couperation_formal.cli.run import Run
from couperation_formal.words.say import phrase

_NAMING = ("json", "sarif", "csv", "junit")
"""The forms that have a place for the configuration."""


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
        for param in self.params:
            if type(param.type) is click.Choice:
                param.type = Word(param.type.choices)
        self.params += _everywhere()
        if configured:
            self.params += _configuring()
        if makes:
            self.params += _making(self.params)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, old spellings among them."""
        ctx.obj = Run()
        ctx.obj.isolated = ctx.parent is not None and bool(ctx.parent.params.get("isolated"))
        return super().parse_args(ctx, [*self._spelt(args)])

    def _spelt(self, args: list[str]) -> Iterator[str]:
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
        """The exit code of the command. A file for its output appears at the end, unless the command fails or has
        nothing to say.
        """
        run: Run = ctx.obj
        run.used = self._used(ctx, run)
        output = ctx.params.pop("output_file", None)
        for name in ("rules", "marks", "number", "budget", "form_name", "out", "no_verify"):
            if name in ctx.params:
                setattr(run, name, ctx.params.pop(name))
        run.proofs = Proofs(run.out, not run.no_verify, run.files)
        if output is None:
            return self._invoke(ctx, run)
        return self._into(run.files.make(output), ctx, run)

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
            told = phrase("configured_by", file=run.used)
            if run.form_name == "github":
                say(f"::notice::{told}")
            else:
                (say if has_form and not ctx.params.get("world") else note)(told)
        return ctx.invoke(self.callback, run, **ctx.params) if self.callback is not None else None

    def _used(self, ctx: click.Context, run: Run) -> str | None:
        """The name of the configuration from which the command takes something, as seen from the working folder."""
        found = run.configuration if self.configured else None
        if found is None:
            return None
        left = {
            param.name
            for param in self.params
            if param.name is not None and ctx.get_parameter_source(param.name) is ParameterSource.DEFAULT
        }
        takes_rules = found.rules is not None and "rules" in left
        takes_marks = found.marks is not None and "marks" in left
        takes_form = found.form is not None and "form_name" in left and ctx.params["form_name"] == found.form
        return os.path.relpath(found.file) if takes_rules or takes_marks or takes_form else None


def _everywhere() -> Iterator[click.Option]:
    def colour(ctx: click.Context, _param: click.Parameter, value: str) -> None:
        ctx.color = {"always": True, "never": False}.get(value)

    kind = Word(["auto", "always", "never"])
    words = "Colours; auto: on a terminal."
    yield click.Option(
        ["--color"], type=kind, default="auto", show_default=True, expose_value=False, callback=colour, is_eager=True,
        help=words,
    )  # fmt: skip


def _configuring() -> Iterator[click.Option]:
    words = "A configuration. Left out: the nearest couperation.toml or [tool.couperation] from here up."
    yield click.Option(
        ["--config", "named"], type=click.Path(dir_okay=False), metavar="FILE", expose_value=False,
        callback=lambda ctx, _param, value: setattr(ctx.obj, "named", value), is_eager=True, help=words,
    )  # fmt: skip

    def kept(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
        ctx.obj.isolated = ctx.obj.isolated or value

    words = "Ignore couperation.toml and pyproject.toml."
    yield click.Option(["--isolated"], is_flag=True, expose_value=False, callback=kept, is_eager=True, help=words)


def _making(own: Sequence[click.Parameter]) -> Iterator[click.Option]:
    """The options of what makes files; one that has its own for its output keeps it."""
    if not any("--output" in param.opts for param in own):
        words = "Write the output to FILE; to standard output if left out."
        path = click.Path(dir_okay=False)
        yield click.Option(["-o", "--output", "output_file"], type=path, metavar="FILE", help=words)

    yield click.Option(
        ["--force"], is_flag=True, expose_value=False, is_eager=True, help="Replace files that exist.",
        callback=lambda ctx, _param, value: setattr(ctx.obj.files, "force", value),
    )  # fmt: skip
