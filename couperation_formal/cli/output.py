"""Output: data and reports to standard output, all else to standard error, and nothing that a stream cannot take."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

import click

from couperation_formal.cli.progress import beside
from couperation_formal.words.say import Piece, phrase, safe, shown

if TYPE_CHECKING:
    from couperation_formal.analysis.verify import Report
    from couperation_formal.report.blocks import Paragraph

_WIDEST = 94
_NARROWEST = 40
"""A terminal that is narrower folds lines by itself."""
_AT_ONCE = 1 << 16
"""So many characters of a long text are printed at once."""
_CELLS = 2
"""A character takes so many of a terminal's cells at most."""


def make_streams_safe() -> None:
    """Let both streams replace what their encoding cannot express, in place of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


class Refused(click.ClickException):
    """Ends the command with exit code 2 and one line on standard error."""

    exit_code = 2

    def show(self, _file: Any = None) -> None:
        """Tell it."""
        complain(self.message)


def say(text: str) -> None:
    """Lines of text to standard output. Other control characters are escaped."""
    with beside():
        click.echo(shown(text))


def note(text: str) -> None:
    """A line to standard error that goes beside the output. Control characters are escaped."""
    with beside():
        click.echo(fitted(safe(text), sys.stderr), err=True)


def complain(text: str) -> None:
    """An error of the user's, on standard error. Control characters are escaped."""
    with beside():
        click.echo(fitted(f"{phrase('error')}: {safe(text)}", sys.stderr), err=True)


def put_text(text: str) -> None:
    """CGN to standard output, as it is, in UTF-8 whatever the stream's encoding. A terminal gets control characters
    escaped.
    """
    text = shown(text) if sys.stdout is not None and sys.stdout.isatty() else text
    with beside(text.endswith("\n")):
        click.echo(text.encode("utf-8", "surrogateescape"), nl=False)


def put_kept(kept: BinaryIO) -> None:
    """CGN that was kept in a stream to standard output."""
    text = io.TextIOWrapper(kept, "utf-8", newline="\n")
    while part := text.read(_AT_ONCE):
        put_text(part)


def put_pieces(pieces: Iterable[Piece], err: bool = False) -> None:
    """Styled text to a stream, in colour where it takes it. rich is loaded only then. Control characters but line ends
    and tabs are escaped.
    """
    stream = sys.stderr if err else sys.stdout
    pieces = [(shown(text), style) for text, style in pieces]
    with beside():
        if not takes_colour(stream):
            click.echo("".join(text for text, _ in pieces), nl=False, err=err)
            return
        from rich.console import Console
        from rich.text import Text

        Console(file=stream, force_terminal=True).print(Text.assemble(*pieces), end="", soft_wrap=True, highlight=False)


def put_blocks(paragraphs: Iterable[Paragraph], err: bool = False) -> None:
    """An answer for people to a stream; to a terminal no wider than that is."""
    from couperation_formal.report.blocks import terminal

    put_pieces(terminal(paragraphs, terminal_width(sys.stderr if err else sys.stdout)), err)


def terminal_width(stream: TextIO | None) -> int | None:
    """How many columns a stream has that is a terminal; None for any other, whose lines are left whole for what reads
    them next.
    """
    if stream is None or not stream.isatty():
        return None
    return max(_NARROWEST, shutil.get_terminal_size((_WIDEST, 0)).columns)


def fitted(text: str, stream: TextIO | None) -> str:
    """Lines as wide as a terminal at most."""
    width = terminal_width(stream)
    if width is None or len(text) * _CELLS <= width:
        return text
    from couperation_formal.report.fold import folded

    return "".join(part for part, _ in folded([(text, "")], width, 2))


def line_width() -> int:
    """So many characters has a line of prose: the terminal's width, but no more than are read with ease."""
    wide = sys.stdout is not None and sys.stdout.isatty()
    return min(_WIDEST, shutil.get_terminal_size((_WIDEST, 0)).columns) if wide else _WIDEST


def takes_colour(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal, or is to be treated like one."""
    if stream is None:
        return False
    ctx = click.get_current_context(silent=True)
    if ctx is not None and ctx.color is not None:
        return ctx.color
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def show_report(report: Report) -> None:
    """A report in full to standard error."""
    from couperation_formal.report.full import report_blocks

    put_blocks([report_blocks(report)], err=True)


def drop_output() -> None:
    """Send what is still to be written nowhere: the reader is gone."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
