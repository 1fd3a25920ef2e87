"""`couperation fmt`: games and positions in canonical form."""

from __future__ import annotations

from typing import BinaryIO

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.files import STDIN, Files, Unreadable, find, reason_of, rewrite, room, status_of, store
from couperation_formal.cli.options import FILES
from couperation_formal.cli.output import Differences, Exit, Refused, note, put_kept, show_report
from couperation_formal.cli.run import Run
from couperation_formal.notation.read import Malformed
from couperation_formal.questions.records.fmt import formed
from couperation_formal.words.say import phrase


@click.command(cls=Command, examples=("couperation fmt --diff examples/legal",), configured=False)
@FILES
@click.option("--check", is_flag=True, help="Name the files that would change; exit 1 when there is one.")
@click.option("--diff", is_flag=True, help="Show what would change.")
@click.option("--write", is_flag=True, help="Replace the files; links are followed.")
def command(run: Run, files: tuple[str, ...], check: bool, diff: bool, write: bool) -> Exit:
    """Print games and positions in canonical form.

    A file in which a game is no CGN is never written, and neither is one that changes meanwhile.
    """
    if write and (check or diff):
        raise click.UsageError("--write goes with neither --check nor --diff")
    if write and STDIN in files:
        raise click.UsageError("standard input cannot be written back")
    failed = changed = False
    for found in find(files):
        try:
            if isinstance(found, Unreadable):
                raise found
            changes = _format(run.files, found.file, check, diff, write)
        except Refused as error:
            error.show()
            changes = None
        failed = failed or changes is None
        changed = changed or bool(changes)
    if failed:
        return Exit.UNUSABLE
    return Exit.BROKEN if check and changed else Exit.KEPT


def _format(files: Files, file: str, check: bool, diff: bool, write: bool) -> bool | None:
    """Print, compare or write one file. Whether its form differs, None where it has none. Raises `Refused`."""
    with room() as kept:
        try:
            with files.opened(file) as stream:
                status = status_of(stream)
                changed = _keep(kept, stream, file, check, diff)
        except OSError as error:
            raise Unreadable(file, reason_of(error)) from None
        kept.seek(0)
        if changed is None:
            return None
        if check and changed:
            note(phrase("would_change", file=file))
        if not write:
            put_kept(kept)
        elif changed and status is not None:
            rewrite(file, kept, status)
            note(phrase("changed", file=file))
        return changed


def _keep(kept: BinaryIO, stream: BinaryIO, file: str, check: bool, diff: bool) -> bool | None:
    """Keep what is to be printed or written. Whether anything changes, None where a game is no CGN: that is told."""
    failed = changed = False
    differences = Differences(file, phrase("form_canonical"))
    for item in formed(stream, file):
        if isinstance(item, Malformed):
            from couperation_formal.questions.records.check import check as judge

            show_report(judge(item))
            failed = True
        elif not failed:
            if diff:
                store(kept, differences.add(item.before, item.after))
            elif not check:
                store(kept, item.after)
            changed = changed or item.before != item.after
    return None if failed else changed
