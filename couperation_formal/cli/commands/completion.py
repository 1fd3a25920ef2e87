"""`couperation completion`: the script that lets a shell complete the command line."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from couperation_formal.cli.command import Command
from couperation_formal.cli.output import say
from couperation_formal.cli.run import Run


@click.command(cls=Command, examples=("couperation completion bash",), configured=False)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, _run: Run, shell: str) -> None:
    """Print the completion script of a shell.

    For bash: eval "$(couperation completion bash)" in ~/.bashrc.
    """
    completer = get_completion_class(shell)
    if completer is None:
        raise click.UsageError(f"no completion for {shell}")
    say(completer(ctx.find_root().command, {}, "couperation", "_COUPERATION_COMPLETE").source())
