"""The command `couperation`: its subcommands, loaded when used, and what happens when something fails."""

import gc
import io
import os
import re
import sys
from importlib import import_module
from typing import Any

import click

from couperation_formal import __version__
from couperation_formal.cli import output
from couperation_formal.cli.output import Exit, beside, complain, drop_output, fitted, make_streams_safe, note
from couperation_formal.words.say import shown

GROUPS = {
    "Play and record": ("serve.board", "records.new", "records.sample", "records.fmt", "records.fix"),
    "Check and settle": (
        *("check.check", "disputes.dispute", "disputes.infer"),
        *("look.explain", "look.ask", "look.rules"),
    ),
    "Look": ("look.show", "report.report", "look.position"),
    "Ask": ("tables.moves", "tables.windows", "tables.complete", "tables.deadlock", "tables.deadlocks", "study.study"),
    "For programs": ("serve.lsp", "serve.completion"),
}
"""The subcommands in the order of the help, by what they are for, each with its module in `cli.commands`."""

COMMANDS = {name: module for each in GROUPS.values() for module, name in (one.split(".") for one in each)}
"""The module of each of them."""


def get_command(name: str) -> click.Command:
    """The subcommand of this name, its module imported."""
    module = import_module(f"couperation_formal.cli.commands.{COMMANDS[name]}")
    command: click.Command = getattr(module, f"{name}_command")
    return command


class LazyGroup(click.Group):
    """A group that imports a subcommand's module when it is asked for."""

    context_class = output.Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; help and a wrong word are told in the configured language."""
        isolated, first = "--isolated" in args, next((each for each in args if each != "--isolated"), "")

        def configured() -> str:
            from couperation_formal.cli.run import Run

            run = Run()
            run.isolated = isolated
            return run.language

        if first not in (*COMMANDS, "--version"):
            ctx.meta[output.CONFIGURED] = configured
        return super().parse_args(ctx, args)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The subcommands' names, in their stated order."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of this name, or None."""
        return get_command(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, click.Command | None, list[str]]:
        """The subcommand that is asked for; a wrong word is answered with the near one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            from couperation_formal.game.fact import fact

            ctx.fail(output.spoken(fact("no_command", word=args[0], meant=near[0] if near else None)))
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The subcommands by what they are for, each with the whole of what it does."""
        width = max(map(len, COMMANDS))
        for head, listed in GROUPS.items():
            names = [each.partition(".")[2] for each in listed]
            rows = [(name.ljust(width), get_command(name).get_short_help_str(1000)) for name in names]
            with formatter.section(head):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand and end with its exit code; a reader that went away ends it quietly."""
        try:
            return ctx.exit(super().invoke(ctx) or Exit.KEPT)
        except click.ClickException as error:
            _show(error)
            return ctx.exit(Exit.UNUSABLE)
        except BrokenPipeError:
            drop_output()
            return ctx.exit(Exit.BROKEN_PIPE)
        except KeyboardInterrupt:
            with beside():  # else what is counted stays on the terminal
                raise


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="couperation %(version)s", help="Show the version.")
@click.option("--isolated", is_flag=True, help="Ignore couperation.toml and pyproject.toml.")
def cli(isolated: bool) -> None:
    """Check recorded games of Couperation, look into them, and tell which towers can still be completed.

    FILE is a CGN record, a folder of them, or - for standard input.

    Exit codes: 0 all kept, 1 a rule is broken or a table or tower dead,
    2 unusable input or arguments, 3 undetermined, 70 a failure of this program.
    """


_COLLECTED = 50_000, 20
"""After so many new objects reference cycles are looked for, and after so many times among older ones too: a command
makes few, and keeps most of what it makes.
"""


def run() -> None:
    """Run the command line and end the process with its exit code."""
    gc.set_threshold(*_COLLECTED)
    code = main(sys.argv[1:])
    gc.freeze()  # what the process leaves goes with it: no cycles are looked for any more
    sys.exit(code)


def main(arguments: list[str]) -> int:
    """The exit code of the command with these arguments. No exception passes."""
    make_streams_safe()
    try:
        code: int = cli.main(arguments, prog_name="couperation", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.Abort:
        note(output.translated("interrupted"))
        return Exit.INTERRUPTED
    except click.ClickException as error:
        _show(error)
        return Exit.UNUSABLE
    except OSError as error:
        return _output_failed(error)
    except Exception as error:  # noqa: BLE001 - the outermost border: no traceback reaches a user
        return _failed(error)
    return code


def _show(error: click.ClickException) -> None:
    """Tell a wrong argument, whatever characters it has."""
    told = io.StringIO()
    error.show(told)
    text = told.getvalue().replace(error.message, output.translated(error.message))
    text = re.sub(r"(?<=[：。]) (.*')\.?$", r"\1", text, flags=re.MULTILINE)  # click's own blank and stop
    if isinstance(error, click.BadParameter) and error.param is not None:
        hint = error.param.get_error_hint(error.ctx)
        text = text.replace(hint, re.sub("[A-Z][A-Z.]+", lambda word: output.translated(word[0]), hint), 1)
        if isinstance(error.param.type, click.types.IntParamType | click.types.FloatParamType):
            before, name, after = text.rpartition(error.param.type.name)  # what was typed stands before it
            text = before + output.translated(name) + after
    first = output.translated("Error: {message}").partition("{")[0]
    for line in shown(text).splitlines():
        click.echo(fitted(line) if line.startswith(first) else line, err=True)


def _output_failed(error: OSError) -> int:
    """Commands tell of files that they cannot use themselves: what is left is that the output cannot be written."""
    drop_output()
    if isinstance(error, BrokenPipeError):
        return Exit.BROKEN_PIPE
    from couperation_formal.game.fact import fact

    complain(fact("cannot_write_output", why=error.strerror or str(error)))
    return Exit.OURS


def _failed(error: Exception) -> int:
    """Tell of a failure of our own."""
    if os.environ.get("COUPERATION_DEBUG") == "1":
        import traceback

        click.echo(shown("".join(traceback.format_exception(error))), nl=False, err=True)
    from couperation_formal.game.fact import fact

    note(fact("internal_error", kind_of=type(error).__name__, error=str(error)))
    return Exit.OURS
