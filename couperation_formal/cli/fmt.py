"""`couperation fmt`: games and positions in canonical form."""

from __future__ import annotations

from difflib import unified_diff

import click
import msgspec

from couperation_formal.cli.exits import Exit
from couperation_formal.cli.inputs import FILES, STDIN, Unusable, find, opened, reason_of
from couperation_formal.cli.output import complain, note, put_text, show_report
from couperation_formal.cli.replace import replace_file
from couperation_formal.notation.read import Malformed
from couperation_formal.report.canonical import canonical


class Formatted(msgspec.Struct, frozen=True):
    """What a file holds and what it would hold in canonical form."""

    file: str
    before: bytes
    after: bytes

    @property
    def changed(self) -> bool:
        """Whether the canonical form differs."""
        return self.before != self.after


@click.command
@FILES
@click.option("--check", is_flag=True, help="Name the files that would change; exit 1 when there is one.")
@click.option("--diff", is_flag=True, help="Show what would change.")
@click.option("--write", is_flag=True, help="Replace the files.")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], check: bool, diff: bool, write: bool) -> None:
    """Print games and positions in canonical form.

    A file in which a game is no CGN is never written.
    """
    if write and (check or diff):
        raise click.UsageError("--write goes with neither --check nor --diff")
    if write and STDIN in files:
        raise click.UsageError("standard input cannot be written back")
    failed = changed = False
    for found in find(files):
        result = found if isinstance(found, Unusable) else _format(found.file)
        if not isinstance(result, Formatted):
            failed = True
            _explain_failure(result)
            continue
        changed = changed or result.changed
        failed = not _put(result, check, diff, write) or failed
    if failed:
        ctx.exit(Exit.UNUSABLE)
    ctx.exit(Exit.BROKEN if check and changed else Exit.KEPT)


def _format(file: str) -> Formatted | Unusable | tuple[Malformed, ...]:
    """A file in canonical form, or why it has none."""
    try:
        with opened(file) as stream:
            before = stream.read()
    except OSError as error:
        return Unusable(file, reason_of(error))
    after = canonical(before, file)
    return Formatted(file, before, after) if isinstance(after, bytes) else after


def _explain_failure(found: Unusable | tuple[Malformed, ...]) -> None:
    if isinstance(found, Unusable):
        complain(f"cannot read {found.file}: {found.reason}")
        return
    from couperation_formal.analysis.verify import check

    for item in found:
        show_report(check(item))


def _put(result: Formatted, check: bool, diff: bool, write: bool) -> bool:
    """Print, compare or write one result; whether that worked."""
    if diff and result.changed:
        put_text(_difference(result))
    if check and result.changed:
        note(f"would change: {result.file}")
    if not write:
        if not (check or diff):
            put_text(result.after.decode())
        return True
    if result.changed:
        try:
            replace_file(result.file, result.after)
        except OSError as error:
            complain(f"cannot write {result.file}: {reason_of(error)}")
            return False
        note(f"changed: {result.file}")
    return True


def _difference(result: Formatted) -> str:
    before = result.before.decode("utf-8", "replace").splitlines(keepends=True)
    after = result.after.decode().splitlines(keepends=True)
    lines = unified_diff(before, after, result.file, f"{result.file} (canonical)")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
