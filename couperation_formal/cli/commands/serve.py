"""What serves another program: `board` a browser, `lsp` an editor, `completion` a shell."""

import datetime
import logging
import os
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from couperation_formal.cli import options, output
from couperation_formal.cli.output import Exit, Refused, complain, drop_output, is_terminal, note
from couperation_formal.cli.run import Run, reason_of
from couperation_formal.game.fact import Told, fact


@options.command(
    "couperation board friday.cgn",
    "couperation board --no-browser --port 8000 friday.cgn",
    "couperation board --host 0.0.0.0 friday.cgn",
    configured=False,
    makes=False,
)
@click.argument("path", metavar="[FILE|FOLDER]", required=False, type=click.Path(path_type=Path))
@options.number("--port", least=0, most=65535, help="The port, 0 for any free one; left out, 8417 or the next.")
@options.flag("--no-browser", help="Only print the address.")
@click.option(
    "--host",
    metavar="ADDRESS",
    help="Where to listen, so that others can record and watch: an address of this machine, 0.0.0.0 or :: for all of "
    "them. Left out, only this machine can reach it.",
)
def board_command(_run: Run, path: Path | None, port: int | None, no_browser: bool, host: str | None) -> Exit:
    """Record a game at the table, judged as it is played.

    FILE is a CGN file, made with the first entry where it is not there; left out, a new one here; of a FOLDER its .cgn
    files. The first line printed is the address with a token that lets whoever has it write; others are let in to watch
    by Share on the page. With --host two QR codes follow: to record with a telephone, and to watch. Ctrl-C ends it.
    Needs the extra couperation-formal[board].
    """
    if None in map(find_spec, ("uvicorn", "starlette", "segno")):
        raise Refused(fact("needs_board"))
    from couperation_formal.board.keeper import Shelf
    from couperation_formal.board.serve import PORT, listening, serve
    from couperation_formal.notation.read import read_text
    from couperation_formal.output.formats import language_of

    own = ""
    try:
        shelf = Shelf(path, datetime.date.today())
        if shelf.folder is None:
            own = next(map(language_of, read_text(shelf.keeper(None).text)), "")
    except Told:  # some are an `OSError` too
        raise
    except OSError as error:
        raise Refused(fact("cannot_read", file=str(error.filename or path), why=reason_of(error))) from None
    try:
        listener = listening(host, port)
    except (OSError, UnicodeError) as error:
        why = reason_of(error) if isinstance(error, OSError) else str(error)
        asked = PORT if port is None else port
        raise Refused(fact("board_port", address=host or "127.0.0.1", port=asked, why=why)) from None
    if port is None and (other := listener.getsockname()[1]) != PORT:
        note(fact("board_taken", port=PORT, other=other))
    colours, language = is_terminal(sys.stdout), output.language(own)
    told = partial(print, flush=True)
    whole = serve(shelf, listener, host, told, _invited, browser=not no_browser, colours=colours, language=language)
    for keeper in shelf.opened():
        if keeper.left is not None:
            complain(keeper.left)
    return Exit.KEPT if whole else Exit.BROKEN


def _invited(text: str) -> None:
    """Print what follows the address; who read no more than that leaves the board running."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        drop_output()


@options.command("couperation lsp", configured=False, makes=False)
def lsp_command(_run: Run) -> None:
    """Serve an editor: the Language Server Protocol over standard input and output.

    Needs the extra lsp.
    """
    if find_spec("pygls") is None or find_spec("lsprotocol") is None:
        raise Refused(fact("needs_pygls"))
    if os.environ.get("COUPERATION_DEBUG") != "1":
        logging.getLogger("pygls").addHandler(logging.NullHandler())
        logging.getLogger("pygls").propagate = False
    from couperation_formal.editor.server import make_server

    if sys.stdin is None or sys.stdout is None:  # closed by the caller; the types do not tell
        raise Refused(fact("stream_closed"))
    # The protocol gets descriptors of its own, which the server closes; what else is printed must not mix with it.
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else sys.stderr.fileno(), 1)
    if not make_server(output.language).start(stdin, stdout):
        raise Refused(fact("editor_endless"))


@options.command("couperation completion bash", configured=False)
@click.argument("shell", type=options.Word(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(ctx: click.Context, _run: Run, shell: str) -> None:
    """Print the completion script of a shell.

    For bash: eval "$(couperation completion bash)" in ~/.bashrc.
    """
    completer = get_completion_class(shell)
    assert completer is not None
    output.say(completer(ctx.find_root().command, {}, "couperation", "_COUPERATION_COMPLETE").source())
