"""`couperation check`: is each recorded game legal, and if not, where, by which clause, and why."""

from collections import Counter
from functools import partial
from typing import Any

import click

from couperation_formal.cli import options
from couperation_formal.cli.output import CODES, Exit, asking, complain, note, put, put_text, say
from couperation_formal.cli.run import Run, Unreadable, find
from couperation_formal.game.fact import Steps
from couperation_formal.game.record import NOTATION, Diagnostic, Game, Span
from couperation_formal.notation.read import Malformed
from couperation_formal.output.blocks import place_of
from couperation_formal.output.formats import Case, file_field, ready
from couperation_formal.output.report import Report
from couperation_formal.questions.records import check, hanging
from couperation_formal.words.say import phrase, safe

COLUMNS = (
    *("file", "game", "verdict", "turn", "result", "rules"),
    *("clause", "line", "column", "hangs on", "message", "notes"),
)


@options.command(
    "couperation check examples/legal", 'couperation check examples/broken/between.cgn --rules "en-2 spread=adjacent"'
)
@options.these(options.FILES, options.ONE, options.RULES)
@options.word(
    "--engine",
    "auto plain z3 both spec",
    help="auto: the plain replay, and Z3 where the record does not show enough for it. plain: never Z3. z3: Z3 decides"
    " the orders of towers too. both: as z3, and fail where the plain replay differs. spec: the specification's"
    " formulas alone, which judge records that show what they ask for.",
)
@options.these(options.MARKS, options.budget("each game"))
@options.number(
    "--from",
    "since",
    least=1,
    help="Judge the turns from the Nth on; the table before stands as it was played, and slips are notes."
    " Left out: all are judged.",
)
@options.flag("--world", help="Print the legal games with all that they do not show filled in.")
@options.flag(
    "--provided",
    help="Tell on which marks, cards and places that nobody noted a legal verdict hangs; as much again of the budget.",
)
@options.flag("--strict", help="End with exit code 1 where there is a warning too.")
@options.flag("--exit-zero", help="End with exit code 0 where a rule is broken too.")
@options.flag("--quiet", "-q", help="Tell only of games that are not legal, and warnings.")
@options.flag("--statistics", help="Count the verdicts and the broken clauses; tell of no single game.")
@options.flag("--why", help="Name the fewest lines whose correction makes an illegal game legal.")
@options.EVIDENCE
@options.form("full", "concise", "json", "sarif", "github", "csv", "junit", narrow=("statistics", "world"))
def check_command(
    run: Run,
    files: tuple[str, ...],
    engine: check.Engine,
    since: int | None,
    provided: bool,
    world: bool,
    strict: bool,
    exit_zero: bool,
    quiet: bool,
    statistics: bool,
    why: bool,
) -> Exit:
    """Check recorded games turn by turn.

    A game is legal when some choice of what it does not show, cards and marks, makes every turn legal. Folders are
    searched for .cgn files; positions in them are skipped.
    """
    if since is not None and (engine == "spec" or why or run.out is not None):
        raise click.UsageError("--from goes without --why, --certificate and the engine spec")
    if provided and engine in ("plain", "spec"):
        raise click.UsageError("--provided asks Z3, and the engines plain and spec do not")
    if statistics and world:
        raise click.UsageError("--statistics goes without --world")
    if (statistics or world) and run.form_name not in options.NARROW:
        raise click.UsageError("--statistics and --world go with the forms full and json")
    run.proofs.verify = run.out is not None and not run.no_verify
    told = _Told(run, world, quiet, statistics)
    first = since or 0
    try:
        for item in run.all(find(files), told.unread):
            if run.skipped(item):
                continue
            if isinstance(item, Game) and first > (turns := len(item.record.turns)):
                reason = phrase("no_turn", turn=since, turns=turns)
                run.refuse(phrase("refused_item", file=item.file, game=item.index, reason=reason))
                continue
            with asking(run.steps()) as steps:
                report = check.check(item, run.rules, engine, steps, since=first, marks=run.marks)
                if why:
                    from couperation_formal.questions.records.exact import explained

                    report = explained(report, steps)
                if provided:
                    report = hanging.with_proviso(report, run.budget, first)
                told.put(report, steps)
    except check.EngineDisagreement as error:
        put_text(run.form.tail())
        complain(phrase("engines_differ", error=error))
        return Exit.OURS
    code = told.end(strict)
    return Exit.KEPT if exit_zero and code is Exit.BROKEN else code


class _Told:
    """The reports as they come, and what is left to say at the end."""

    def __init__(self, run: Run, world: bool, quiet: bool, counted: bool) -> None:
        self._run, self._world, self._quiet, self._counted = run, world, quiet, counted
        self._warned = False
        self._verdicts: Counter[Any] = Counter()
        self._codes: Counter[str] = Counter()
        put_text(run.form.head(COLUMNS))

    def unread(self, file: Unreadable) -> None:
        """A file that cannot be read: scripts see it too."""
        if self._run.form_name in ("full", "concise") or self._counted:
            return
        message = phrase("file_unread", why=file.reason)
        said = Diagnostic(code=NOTATION, severity="error", turn=None, span=Span(0, 0), message=message)
        self._write(check.check(Malformed(file=file.file, index=1, text="", line=1, event=None, diagnostics=(said,))))

    def put(self, report: Report, budget: Steps) -> None:
        """A report, unless the independent checker rejects it."""
        if self._run.check(partial(check.check_certificates, report, budget), budget) == "rejected":
            return
        warns = any(each.severity == "warning" for each in report.diagnostics)
        self._verdicts[report.verdict] += 1
        self._codes.update(each.code for each in report.diagnostics if each.severity == "error")
        self._warned = self._warned or warns
        if not self._counted and (warns or not self._quiet or report.verdict != "legal"):
            self._write(report)

    def _write(self, report: Report) -> None:
        data, blocks = partial(check.report_data, report), lambda: [check.report_blocks(report)]
        case = Case(data, blocks, lambda _: csv_fields(report), report)
        put(self._run.form.case(case), err=self._world)
        if self._world and self._run.form_name == "full" and report.verdict == "legal":
            put_text(check.world_text(report))

    def end(self, strict: bool) -> Exit:
        """What several games come to, and the exit code."""
        run = self._run
        put_text(run.form.tail())
        games = self._verdicts.total()
        if self._counted:
            data = check.statistics_data(self._verdicts, self._codes)
            run.put(Case(ready(data), partial(check.statistics_blocks, data)))
        if (games > 1 or (games and self._counted)) and not self._quiet:
            (say if run.form_name == "full" and not self._world else note)(check.summary(self._verdicts))
        if not games and not run.codes:
            run.refuse(phrase("no_recorded_game"))
        run.codes += [*(CODES[each] for each in self._verdicts), *[Exit.BROKEN] * (strict and self._warned)]
        return run.end()


def csv_fields(report: Report) -> tuple[object, ...]:
    """The fields of one game: its verdict; of what it breaks first clause, place and message; the notes' clauses."""
    item, error = report.item, report.error
    rules = None if report.rules is None else plain_field(str(report.rules))
    judged = (file_field(item.file), item.index, report.verdict, report.turn, report.result, rules)
    besides = [each for each in report.diagnostics if each is not error and each.severity != "warning"]
    told = [each.code for each in besides if each.severity == "note" or each.code != NOTATION]
    if error is None:
        return (*judged, *[None] * 5, " ".join(told))
    place, hangs = place_of(item, error.span), " ".join(error.rulings)
    return (*judged, error.code, place.line, place.column, hangs, plain_field(error.message), " ".join(told))


def plain_field(text: str) -> str:
    """A text of the record's as a field: control characters escaped, and behind a quote where a spreadsheet would take
    it for a formula.
    """
    return safe(f"'{text}" if text.startswith(("=", "+", "-", "@")) else text)
