"""Records made and rewritten: `new`, `sample`, `fmt`, `fix`."""

from hashlib import sha256
from typing import BinaryIO, cast, get_args

import click
import msgspec

from couperation_formal.cli import options, output
from couperation_formal.cli.output import Differences, Exit, note, put_blocks, put_kept, put_text, put_unread
from couperation_formal.cli.run import STDIN, Run, Source, rewrite, room, status_of, store
from couperation_formal.game.fact import fact
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import Variant
from couperation_formal.notation.read import Malformed, mend, read_stream
from couperation_formal.notation.write import record_text
from couperation_formal.output.blocks import Paragraph
from couperation_formal.output.formats import Case, ready
from couperation_formal.questions.records import check as checked, fmt, sample
from couperation_formal.words.say import encodable


@options.command('couperation new --players "Anna Maria, Ben" -o friday.cgn')
@options.players(required=True)
@options.VARIANT
@options.MADE_RULES
@click.option("--event", metavar="TEXT", help="What the Event tag says; no such tag if left out.")
def new_command(run: Run, players: tuple[str, ...], variant: Variant, event: str | None) -> None:
    """Print a record to fill in at the table."""
    put_text(fmt.new_record(players, variant, run.rules, event, output.language()))


@options.command("couperation sample --games 2", 'couperation sample --players "Mia, Jo, Ada Lea"')
@options.players(default="2", show_default=True)
@options.VARIANT
@options.MADE_RULES
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same game.")
@options.number("--games", least=1, metavar=None, default=1, show_default=True, help="So many, each of the next seed.")
@options.word("--policy", " ".join(get_args(sample.Policy)), help="How the players decide.")
@options.flag("--public", help="Hide what a recorder at the table cannot see.")
def sample_command(
    run: Run, players: tuple[str, ...], variant: Variant, seed: int, games: int, policy: sample.Policy, public: bool
) -> None:
    """Print a complete legal game, or several."""
    rules = run.rules or parse_rules("")
    for each in range(games):
        text = record_text(sample.sample_game(players, variant, rules, seed + each, policy, public))
        put_text(f"\n{text}" if each else text)


@options.command("couperation fmt --diff examples/legal", configured=False)
@options.FILES
@options.flag("--check", help="Name the files that would change; exit 1 when there is one.")
@options.flag("--diff", help="Show what would change.")
@options.flag("--write", help="Replace the files; links are followed.")
def fmt_command(run: Run, files: tuple[str, ...], check: bool, diff: bool, write: bool) -> Exit:
    """Print games and positions in canonical form.

    A file in which a game is no CGN is never written, and neither is one that changes meanwhile.
    """
    if write and (check or diff):
        raise click.UsageError("--write goes with neither --check nor --diff")
    if write and STDIN in files:
        raise click.UsageError("standard input cannot be written back")
    return run.over(files, lambda source: _format(run, source, check, diff, write))


def _format(run: Run, source: Source, check: bool, diff: bool, write: bool) -> Exit:
    """Print, compare or write one file. Raises `Refused` where it cannot be read or written. One in which a game is no
    CGN, which is told, is left as it is.
    """
    file, failed, changed = source.file, False, False
    differences = Differences(file, output.spoken(fact("form_canonical")))
    with room() as kept:
        with run.files.opened(source) as stream:
            status = status_of(stream)
            for item in fmt.formed(stream, file):
                if isinstance(item, Malformed):
                    put_unread(item)
                    failed = True
                elif not failed:
                    if diff:
                        store(kept, differences.add(item.before, item.after))
                    elif not check:
                        store(kept, item.after)
                    changed = changed or item.before != item.after
        if failed:
            return Exit.UNUSABLE
        kept.seek(0)
        if check and changed:
            note(fact("would_change", file=file))
        if not write:
            put_kept(kept)
        elif changed and status is not None:
            rewrite(file, kept, status)
            note(fact("changed", file=file))
        return Exit.BROKEN if check and changed else Exit.KEPT


@options.command("couperation fix docs/games/slip.cgn")
@options.FILES
@options.flag("--write", help="Replace the files; links are followed. Standard input is printed, mended.")
@options.FORM
def fix_command(run: Run, files: tuple[str, ...], write: bool) -> Exit:
    """Mend slips of writing in games and positions.

    Only where one thing alone can have been meant: look-alike characters, a missing dot. What would change is shown;
    nothing is written without --write. Slips that are left are told as `check` tells them, and the exit code is 2.
    """
    if write and STDIN in files and run.form_name == "json":
        raise click.UsageError("standard input cannot be written back beside JSON")
    return run.over(files, lambda source: _fix(run, source, write))


def _fix(run: Run, source: Source, write: bool) -> Exit:
    """Mend one file. Raises `Refused` where it cannot be read or written."""
    form = run.form_name
    with room() as kept:
        fixed = _Fixed(source.file, kept, form)
        with run.files.opened(source) as stream:
            status = status_of(stream)
            fixed.read(stream)
        kept.seek(0)
        if source.file == STDIN and write:
            if fixed.whole:
                put_kept(kept)
            put_blocks(fixed.told, err=True)
            return fixed.exit
        if form == "full":
            put_text(fixed.difference)
            put_blocks(fixed.told, err=True)
        if write and fixed.slips and status is not None:
            rewrite(source.file, kept, status)
        if fixed.slips:
            note(fact("mended" if write else "would_mend", file=source.file, slips=fixed.slips))
        if form == "json":
            run.put(Case(ready(fixed.data(write and fixed.slips > 0))))
        return fixed.exit


class _Fixed:
    """One file while it is mended, game by game; `kept` takes its text.

    `slips` counts those that are mended, `difference` shows them, `told` are those that are left. `whole` tells whether
    the texts of the games are all that the file holds, `exit` is the exit code.
    """

    def __init__(self, file: str, kept: BinaryIO, form: str) -> None:
        self.exit, self.whole, self.slips, self.difference = Exit.KEPT, True, 0, ""
        self.told: list[Paragraph] = []
        self._file, self._kept, self._form = file, kept, form
        self._mends: list[fmt.MendData] = []
        self._left: list[checked.DiagnosticData] = []

    def read(self, stream: BinaryIO) -> None:
        """Mend what the stream holds: nothing, unless the texts of its games are all that it holds."""
        watched, own = fmt.Marked(stream), sha256()
        form = output.spoken(fact("form_mended"), script=self._form == "json")
        differences, shown = Differences(self._file, form), list[str]()
        lines = 0
        for item in read_stream(cast("BinaryIO", watched), self._file):
            before = fmt.BOM * (watched.mark and item.index == 1) + item.text
            own.update(before.encode("utf-8", "surrogatepass"))
            mended = mend(item)
            after = before if mended is None else before[: len(before) - len(mended.before)] + mended.after
            store(self._kept, after)
            shown.append(differences.add(before, after))
            if mended is not None:
                self._mends += fmt.mend_data(item, mended, output.language(script=True))
            for left in (item,) if mended is None else mended.items:
                if isinstance(left, Malformed):
                    self._tell(msgspec.structs.replace(left, line=left.line + lines, judged=None))
            lines += after.count("\n") - before.count("\n")
        self.slips, self.difference = len(self._mends), "".join(shown)
        self.whole = own.digest() == watched.read.digest()
        if not self.whole:
            note(fact("not_mended", file=self._file))
            self.slips, self.difference, self._mends, self.exit = 0, "", [], Exit.UNUSABLE

    def _tell(self, item: Malformed) -> None:
        """Tell what is left in a game, with its lines as they are then."""
        self.exit = Exit.UNUSABLE
        if self._form == "json":
            language = output.language(script=True)
            self._left += [checked.diagnostic_data(fault, item, language) for fault in item.diagnostics]
        else:
            self.told.append(checked.report_blocks(checked.check(item)))

    def data(self, written: bool) -> fmt.FixData:
        """The file's JSON form."""
        return fmt.FixData(
            file=encodable(self._file),
            mended=tuple(self._mends),
            difference=encodable(self.difference),
            written=written,
            diagnostics=tuple(self._left),
            format=1,
        )
