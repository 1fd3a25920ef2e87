"""`couperation check`: is each recorded game legal, and if not, where, by which clause, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import click

from couperation_formal import __version__
from couperation_formal.analysis.verify import Engine, EngineDisagreement, Report, check
from couperation_formal.cli.exits import Exit, exit_of
from couperation_formal.cli.inputs import FILES, Input, Unusable, find, opened, reason_of
from couperation_formal.cli.options import RULES, format_option
from couperation_formal.cli.output import complain, note, put_json, put_pieces, say
from couperation_formal.cli.progress import progress
from couperation_formal.model.diagnostic import NOTATION, Diagnostic
from couperation_formal.model.record import Span, Table
from couperation_formal.model.rulings import Rules
from couperation_formal.notation.read import Malformed, read_stream


@click.command
@FILES
@RULES
@click.option(
    "--engine",
    type=click.Choice(["plain", "z3", "both"]),
    default="plain",
    show_default=True,
    help="What decides the orders of towers; both fails where the two differ.",
)
@format_option("full", "concise", "json", "sarif", "github")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], rules: Rules | None, engine: Engine, form: str) -> None:
    """Check recorded games turn by turn.

    Folders are searched for .cgn files; positions in them are skipped.
    """
    output = _Output(form)
    try:
        for found in progress(list(find(files)), beside_text=form in ("full", "concise")):
            for report in _reports(found, rules, engine):
                output.put(report)
    except EngineDisagreement as error:
        complain(f"the two engines differ, so one of them is wrong: {error}")
        ctx.exit(Exit.OURS)
    ctx.exit(output.end())


def _reports(found: Input | Unusable, rules: Rules | None, engine: Engine) -> Iterator[Report | Unusable]:
    """The reports on the games of one file, or why it cannot be read."""
    if isinstance(found, Unusable):
        yield found
        return
    try:
        with opened(found.file) as stream:
            for item in read_stream(stream, found.file):
                if isinstance(item, Table) and found.walked:
                    note(f"note: {item.file}: game {item.index} is a position, skipped")
                else:
                    yield check(item, rules, engine)
    except OSError as error:
        yield Unusable(found.file, reason_of(error))


class _Output:
    """The reports in one form as they come, and what is left to say at the end."""

    def __init__(self, form: str) -> None:
        self._form = form
        self._verdicts: Counter[Any] = Counter()
        self._unusable = False
        self._results: list[dict[str, Any]] = []

    def put(self, report: Report | Unusable) -> None:
        if isinstance(report, Unusable):
            self._unusable = True
            complain(f"cannot read {report.file}: {report.reason}")
            if self._form in ("json", "sarif", "github"):
                self._write(_unusable(report))
        else:
            self._verdicts[report.verdict] += 1
            self._write(report)

    def _write(self, report: Report) -> None:
        if self._form == "full":
            from couperation_formal.report.full import full

            put_pieces(full(report))
        elif self._form == "json":
            from couperation_formal.report.data import report_data

            put_json(report_data(report))
        elif self._form == "sarif":
            from couperation_formal.report.sarif import sarif_results

            self._results += sarif_results(report)
        else:
            from couperation_formal.report.concise import concise
            from couperation_formal.report.github import github

            for line in (concise if self._form == "concise" else github)(report):
                say(line)

    def end(self) -> Exit:
        """What several games come to, and the exit code."""
        from couperation_formal.report.full import summary

        if self._form == "sarif":
            from couperation_formal.report.sarif import sarif_log

            put_json(sarif_log(self._results, __version__))
        games = sum(self._verdicts.values())
        if games > 1:
            (say if self._form == "full" else note)(summary(self._verdicts))
        if not games and not self._unusable:
            complain("no recorded game was found")
        return Exit.UNUSABLE if self._unusable or not games else exit_of(self._verdicts)


def _unusable(found: Unusable) -> Report:
    """The report on a file that cannot be read, so that scripts see it too."""
    message = f"this file cannot be read: {found.reason}"
    diagnostic = Diagnostic(code=NOTATION, severity="error", turn=None, span=Span(0, 0), message=message)
    return check(Malformed(file=found.file, index=1, text="", line=1, event=None, diagnostics=(diagnostic,)))
