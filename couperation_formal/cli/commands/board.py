"""`couperation board`: a game recorded and judged at the table, in a browser on this machine."""

from __future__ import annotations

import datetime
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.files import reason_of
from couperation_formal.cli.output import Exit, Refused, complain, drop_output
from couperation_formal.cli.run import Run
from couperation_formal.game.fact import Told
from couperation_formal.words.say import phrase, say


@click.command(
    cls=Command,
    examples=(
        "couperation board friday.cgn",
        "couperation board --no-browser --port 8000 friday.cgn",
        "couperation board --host 0.0.0.0 friday.cgn",
    ),
    configured=False,
    makes=False,
)
@click.argument("path", metavar="[FILE|FOLDER]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="The port; any free one if left out."
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option(
    "--host",
    metavar="ADDRESS",
    help="Where to listen, so that others can watch: an address of this machine, 0.0.0.0 or :: for all of them. "
    "Left out, only this machine can reach it.",
)
def command(_run: Run, path: Path | None, port: int, no_browser: bool, host: str | None) -> Exit:
    """Record a game at the table, judged as it is played.

    FILE is a CGN file, made with the first entry where it is not there; left out, a new one here; of a FOLDER its .cgn
    files. The first line printed is the address with a token that lets whoever has it write; others are let in to watch
    by Share on the page. With --host a QR code of an address that lets watch follows. Ctrl-C ends it. Needs the extra
    couperation-formal[board].
    """
    if None in map(find_spec, ("uvicorn", "starlette", "segno")):
        raise Refused(phrase("needs_board"))
    from couperation_formal.board.address import listening
    from couperation_formal.board.keeper import Shelf
    from couperation_formal.board.serve import serve

    try:
        shelf = Shelf(path, datetime.date.today())
        if shelf.folder is None:
            shelf.keeper(None)
    except Told as error:
        raise Refused(str(error)) from None
    except OSError as error:
        raise Refused(phrase("cannot_read", file=str(error.filename or path), why=reason_of(error))) from None
    try:
        listener = listening(host, port)
    except (OSError, UnicodeError) as error:
        why = reason_of(error) if isinstance(error, OSError) else str(error)
        raise Refused(phrase("board_port", address=host or "127.0.0.1", port=port, why=why)) from None
    colours = sys.stdout is not None and sys.stdout.isatty()
    told = partial(print, flush=True)
    whole = serve(shelf, listener, host, told, _invited, browser=not no_browser, colours=colours)
    for keeper in shelf.opened():
        if keeper.left is not None:
            complain(say(keeper.left))
    return Exit.KEPT if whole else Exit.BROKEN


def _invited(text: str) -> None:
    """Print what follows the address; who read no more than that leaves the board running."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        drop_output()
