"""Exit codes; the two streams, and what is written to them: how far long work is, answers, errors, differences."""

from __future__ import annotations

import io
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, TextIO, TypeVar

import click

from couperation_formal.words import say as words
from couperation_formal.words.say import ENGLISH, encodable, safe, shown

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live
    from rich.progress import Progress

    from couperation_formal.game.fact import Steps, Text
    from couperation_formal.notation.read import Item
    from couperation_formal.output.blocks import Paragraph


class Exit(IntEnum):
    """What the exit code of every command means."""

    KEPT = 0
    BROKEN = 1
    UNUSABLE = 2
    UNDETERMINED = 3
    OURS = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141


CODES: dict[str, Exit] = {
    "legal": Exit.KEPT,
    "illegal": Exit.BROKEN,
    "undetermined": Exit.UNDETERMINED,
    "malformed": Exit.UNUSABLE,
    "completable": Exit.KEPT,
    "deadlocked": Exit.BROKEN,
}
"""The exit code of each verdict on a game, a tower or a table."""

_FIRST = (Exit.OURS, Exit.UNUSABLE, Exit.BROKEN, Exit.UNDETERMINED)


def worst(codes: Iterable[Exit]) -> Exit:
    """The exit code for several answers, each with its own."""
    given = set(codes)
    return next((code for code in _FIRST if code in given), Exit.KEPT)


# How far long work is: lines of rich's on standard error, where a terminal shows them.
#
# They come once nothing was written for two seconds, go away before anything else is written and at the end, and tell
# of whatever is counted just then, files, actions, the steps of a budget, with the time that it may still take. rich
# looks at the counts in a thread of its own, so that what is counted need not know of it.

_PATIENCE, _EVERY = 2.0, 0.5
"""Seconds before the lines are shown, and between two of their states."""

_MEASURED = 3600.0
"""Of so many seconds the speed is measured, from which the time that is left is told."""

T = TypeVar("T")


class _Counts:
    """What is counted, from the outermost to the innermost; `part` tells how much of a file was read, nothing is shown
    while somebody is `typing` or a line of the output is not `whole`, and never where they are `off`.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.part: Callable[[], float] | None = None
        self.typing, self.whole, self.off = False, True, False
        self._counted = 0
        self._timer: threading.Timer | None = None
        self._live: Live | None = None

    @cached_property
    def progress(self) -> Progress:
        """The counts as rich keeps them."""
        from rich.console import Console
        from rich.progress import Progress, TextColumn, TimeRemainingColumn
        from rich.table import Column

        said = TextColumn("{task.description}", table_column=Column())  # which is folded where a terminal is narrow
        columns = ("{task.percentage:3.0f} %", said, TimeRemainingColumn(), "{task.fields[left]}")
        console = Console(stderr=True, no_color=not takes_colour(sys.stderr))
        return Progress(*columns, console=console, speed_estimate_period=_MEASURED)

    @contextmanager
    def count(self, kind: str, total: int, done: Callable[[], float], most: bool = False) -> Iterator[None]:
        """Tell of something that is counted up to `total` while this lasts; `most`: it may end before that."""
        if self.off or not total or not is_terminal(sys.stderr):
            yield
            return
        from couperation_formal.game.fact import fact

        left = spoken(fact("left_at_most" if most else "left"))
        said = spoken(fact(f"progress_{kind}", total=f"{total:,}"))
        task = self.progress.add_task(said, total=total, done=done, left=left)
        self._counted += 1
        if self._counted == 1:
            self.wait()
        try:
            yield
        finally:
            with self.lock:
                self._counted -= 1
                if not self._counted:
                    self.clear()
                self.progress.remove_task(task)

    def wait(self) -> None:
        """Show the counts, if there are any, in a moment."""
        if self._counted:
            self._timer = threading.Timer(_PATIENCE, self.show)
            self._timer.daemon = True
            self._timer.start()

    def show(self) -> None:
        """Show the counts from now on."""
        with self.lock, suppress(OSError, ValueError):  # the terminal may be gone
            self.clear()
            if self._counted and self.whole and not self.typing:
                from rich.live import Live

                self._live = Live(
                    get_renderable=self.seen,
                    console=self.progress.console,
                    refresh_per_second=1 / _EVERY,
                    transient=True,
                    redirect_stdout=False,
                    redirect_stderr=False,
                )
                self._live.start(refresh=True)

    def seen(self) -> RenderableType:
        """The counts as they are just now."""
        for task in self.progress.tasks:
            with suppress(KeyError):  # it has just ended
                self.progress.update(task.id, completed=task.fields["done"]())
        return self.progress.get_renderable()

    def clear(self) -> None:
        """Make room for what is to be written."""
        with self.lock, suppress(OSError, ValueError):
            timer, live = self._timer, self._live
            self._timer = self._live = None
            if timer is not None:
                timer.cancel()
            if live is not None:
                live.stop()


_COUNTS = _Counts()
counting = _COUNTS.count


def uncounted() -> None:
    """From now on this process counts nothing: it works for another one, which does."""
    _COUNTS.off = True


def progress(items: Iterable[T], kind: str = "files") -> Iterator[T]:
    """`items` one by one, and how many there were so far."""
    if not is_terminal(sys.stderr):
        yield from items
        return
    listed, at = list(items), 0

    def done() -> float:
        part = _COUNTS.part
        return at if part is None else at + part()

    with counting("part" if kind == "files" and len(listed) == 1 else kind, len(listed), done):
        for item in listed:
            yield item
            at += 1


@contextmanager
def asking(budget: Steps) -> Iterator[Steps]:
    """A question, which may take the steps that are left of its budget."""
    begun = budget.spent
    with counting("steps", budget.left, lambda: budget.spent - begun, most=True):
        yield budget


@contextmanager
def reading(stream: BinaryIO) -> Iterator[None]:
    """A file of those that are counted is read: how much of it was. While somebody types nothing is shown."""
    before, size = (_COUNTS.part, _COUNTS.typing), 0
    with suppress(OSError, ValueError):
        size = os.fstat(stream.fileno()).st_size
        _COUNTS.typing = stream.isatty()
    if _COUNTS.typing:
        _COUNTS.clear()

    most = 0.0

    def part() -> float:
        nonlocal most  # beside a read, `tell` may be ahead by a buffer for a moment
        with suppress(OSError, ValueError):
            most = max(most, min(1.0, stream.tell() / size))
        return most

    _COUNTS.part = part if size else None
    try:
        yield
    finally:
        typed, (_COUNTS.part, _COUNTS.typing) = _COUNTS.typing, before
        if typed:
            _COUNTS.wait()


@contextmanager
def beside(whole: bool = True) -> Iterator[None]:
    """Something else is written: the counts go away. `whole` False: what is written stops within a line, and until that
    ends nothing is shown.
    """
    with _COUNTS.lock:
        _COUNTS.clear()
        yield
        _COUNTS.whole = whole or not is_terminal(sys.stdout)
        _COUNTS.wait()


# Output: data and reports to standard output, all else to standard error, and nothing that a stream cannot take.
#
# What is written may be kept, and written later: by another process, in the order of what was asked.


class Said(NamedTuple):
    """What goes to a stream; `whole` where its last line is; `between`: only where an answer stood before."""

    data: str | bytes
    err: bool = False
    whole: bool = True
    between: bool = False


_KEPT: list[list[Said]] = []


@contextmanager
def kept() -> Iterator[list[Said]]:
    """Within it nothing is written; the list gets what would be."""
    _KEPT.append([])
    try:
        yield _KEPT[-1]
    finally:
        _KEPT.pop()


def keeping() -> bool:
    """Whether what is written is kept just now."""
    return bool(_KEPT)


def write(said: Said) -> None:
    """Write this, or keep it. Colours are left as they are: who made them looked at the stream."""
    if _KEPT:
        _KEPT[-1].append(said)
        return
    with beside(said.whole):
        click.echo(said.data, nl=False, err=said.err, color=True)


_WIDEST = 94
_NARROWEST = 40
"""A terminal that is narrower folds lines by itself."""
_AT_ONCE = 1 << 16
"""So many characters of a long text are printed at once."""
_CELLS = 2
"""A character takes so many of a terminal's cells at most."""


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody sits at the other end of a stream; one that was closed by the caller is None."""
    return stream is not None and stream.isatty()


def make_streams_safe() -> None:
    """Let both streams replace what their encoding cannot express, in place of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


ASKED: Final = "couperation.asked"
CONFIGURED: Final = "couperation.configured"
"""Where click's context keeps the language that was asked for, and the configured one, or what finds that."""


class Refused(click.ClickException):
    """Ends the command with exit code 2 and one line on standard error."""

    exit_code = 2

    def __init__(self, what: Text) -> None:
        self.what = what
        super().__init__(spoken(what))

    def show(self, _file: Any = None) -> None:
        """Tell it."""
        complain(self.what)


def language(*tags: str, script: bool = False) -> str:
    """The language of this run: the one that was asked for, else the configured one, else the first that there is of a
    record's own `tags`, else that of the environment. What a `script` reads follows only the first of these.
    """
    ctx = click.get_current_context(silent=True)
    meta = ctx.meta if ctx is not None else {}
    asked, configured = meta.get(ASKED, ""), meta.get(CONFIGURED, "")
    if script:
        return asked or ENGLISH
    if not asked and callable(configured):
        meta[CONFIGURED] = ""  # for what is said while it is read
        meta[CONFIGURED] = configured = configured()
    own = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return words.language_of([asked, configured, *tags, own]) or ENGLISH


def spoken(text: Text, script: bool = False) -> str:
    """A text in the language of this run, or of what a `script` reads."""
    return words.say(text, language(script=script))


def say(text: Text) -> None:
    """Lines of text to standard output. Other control characters are escaped."""
    write(Said(f"{shown(spoken(text))}\n"))


def note(text: Text) -> None:
    """A line to standard error that goes beside the output. Control characters are escaped."""
    write(Said(f"{fitted(safe(spoken(text)))}\n", err=True))


def complain(text: Text) -> None:
    """An error of the user's, on standard error. Control characters are escaped."""
    from couperation_formal.game.fact import fact

    note(fact("told_of", what=fact("error"), said=text))


def put_text(text: str) -> None:
    """CGN to standard output, as it is, in UTF-8 whatever the stream's encoding. A terminal gets control characters
    escaped.
    """
    text = shown(text) if is_terminal(sys.stdout) else text
    write(Said(text.encode("utf-8", "surrogateescape"), whole=text.endswith("\n")))


def put_kept(kept: BinaryIO) -> None:
    """CGN that was kept in a stream to standard output."""
    text = io.TextIOWrapper(kept, "utf-8", newline="\n")
    while part := text.read(_AT_ONCE):
        put_text(part)


def put_blocks(paragraphs: Iterable[Paragraph], err: bool = False) -> None:
    """An answer for people to a stream; to a terminal no wider than that is, in colour where it takes it. Control
    characters but line ends and tabs are escaped.
    """
    from couperation_formal.output.blocks import terminal

    stream = sys.stderr if err else sys.stdout
    pieces = [(shown(text), style) for text, style in terminal(paragraphs, language(), terminal_width(stream))]
    if not takes_colour(stream):
        write(Said("".join(text for text, _ in pieces), err))
        return
    from rich.console import Console
    from rich.text import Text

    coloured = io.StringIO()
    Console(file=coloured, force_terminal=True).print(Text.assemble(*pieces), end="", soft_wrap=True, highlight=False)
    write(Said(coloured.getvalue(), err))


def terminal_width(stream: TextIO | None) -> int | None:
    """How many columns a stream has that is a terminal; None for any other, whose lines are left whole for what reads
    them next.
    """
    return max(_NARROWEST, _columns()) if is_terminal(stream) else None


def _columns() -> int:
    from shutil import get_terminal_size

    return get_terminal_size((_WIDEST, 0)).columns


def fitted(text: str) -> str:
    """Lines for standard error, as wide as a terminal at most."""
    width = terminal_width(sys.stderr)
    if width is None or len(text) * _CELLS <= width:
        return text
    from couperation_formal.output.blocks import folded

    return "".join(part for part, _ in folded([(text, "")], width, 2))


def line_width() -> int:
    """So many characters has a line of prose: the terminal's width, but no more than are read with ease."""
    return min(_WIDEST, _columns()) if is_terminal(sys.stdout) else _WIDEST


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


def put(written: str | Iterable[Paragraph], err: bool = False) -> None:
    """A text as it is to standard output, or blocks for people."""
    if isinstance(written, str):
        put_text(written)
    else:
        put_blocks(written, err)


def put_unread(item: Item) -> None:
    """What `check` says of this, in full to standard error."""
    from couperation_formal.questions.records.check import check, report_blocks

    put_blocks([report_blocks(check(item))], err=True)


def drop_output() -> None:
    """Send what is still to be written nowhere: the reader is gone."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# Help and what click says, in the language of the run: their English texts stand in the code.


_METAVAR = re.compile("(?<= )[^ -].*$")
"""What stands behind the names of an option."""


class Formatter(click.HelpFormatter):
    """Help in the language of the run: its English texts stand in the code, and lines are folded by terminal cells."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The line of the usage."""
        *options, last, after = ["", *args.split(" ")]  # the last two words may be one name
        both = f"{last} {after}".strip()
        words = [*options, both] if translated(both) != both else [*options, last, after]
        super().write_usage(prog, " ".join(map(translated, filter(None, words))), prefix)

    def write_heading(self, heading: str) -> None:
        """What a section is about."""
        from couperation_formal.output.blocks import COLON

        self.write(f"{'':>{self.current_indent}}{translated(heading)}{spoken(COLON).strip()}\n")

    def write_text(self, text: str) -> None:
        """Paragraphs."""
        paragraphs = (translated(" ".join(each.split())) for each in text.split("\n\n"))
        for number, paragraph in enumerate(paragraphs):
            self.write("\n" * (number > 0))
            self._fold(" " * self.current_indent + paragraph, self.current_indent)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Names, each with what it means beside it, or below where it is long."""
        from couperation_formal.output.blocks import padded, width_of

        said = [(_METAVAR.sub(lambda each: translated(each[0]), name), *told.partition("  [")) for name, told in rows]
        first = min(max(width_of(name) for name, *_ in said), col_max) + col_spacing
        for name, told, *more in said:
            begun, column = " " * self.current_indent + name, self.current_indent + first
            if width_of(name) > first - col_spacing:
                self.write(f"{begun}\n")
                begun = ""
            self._fold(padded(begun, column) + "".join([translated(told), *more]), column)

    def _fold(self, line: str, hang: int) -> None:
        from couperation_formal.output.blocks import folded

        self.write("".join(part for part, _ in folded([(line.rstrip(), "")], self.width, hang)) + "\n")


class Context(click.Context):
    """A context whose help has our formatter."""

    formatter_class = Formatter


def translated(text: str) -> str:
    """An English text of the command line in the language of the run."""
    return words.texts(language()).get(text, text)


def _counted(one: str, many: str, count: int) -> str:
    return translated(one if count == 1 else many)


for _module in (
    click.core,
    click.decorators,
    click.exceptions,
    click.formatting,
    click.parser,
    click.types,
    click.utils,
):
    vars(_module).update(_=translated, ngettext=_counted)  # click has its own words from gettext, by these names


# A unified difference of a file, game by game, so that one game is in memory at a time.

_HUNK = re.compile(r"^@@ -(\d+)(\S*) \+(\d+)(\S*) @@")


class Differences:
    """The difference of a file's games, given in their order; `form` names what they become."""

    def __init__(self, file: str, form: str) -> None:
        self._names = (safe(encodable(file)), f"{safe(encodable(file))} ({form})")
        self._places = (0, 0)
        self._begun = False

    def add(self, before: str, after: str) -> str:
        """The lines of the difference of one game, which stands behind those given before."""
        text = "".join(self._lines(before, after)) if before != after else ""
        self._begun = self._begun or bool(text)
        self._places = (self._places[0] + before.count("\n"), self._places[1] + after.count("\n"))
        return text

    def _lines(self, before: str, after: str) -> Iterator[str]:
        from difflib import unified_diff

        for number, line in enumerate(unified_diff(_split(before), _split(after), *self._names)):
            if number >= 2 or not self._begun:
                yield _HUNK.sub(self._moved, line) if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"

    def _moved(self, at: re.Match[str]) -> str:
        before, after = self._places
        return f"@@ -{before + int(at[1])}{at[2]} +{after + int(at[3])}{at[4]} @@"


def _split(text: str) -> list[str]:
    return list(io.StringIO(text, newline="\n"))
