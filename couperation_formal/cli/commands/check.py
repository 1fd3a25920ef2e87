"""`couperation check`: is each recorded game legal, and if not, where, by which clause, and why."""

from collections import Counter
from functools import partial
from typing import Any, NamedTuple, Self

import click

from couperation_formal.cli import options, output
from couperation_formal.cli.output import CODES, Exit, asking, complain, note, put_text, say
from couperation_formal.cli.run import Run, Unreadable
from couperation_formal.game.fact import fact, told
from couperation_formal.game.record import NOTATION, Diagnostic, Game, Span
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.output.blocks import place_of
from couperation_formal.output.formats import Case, file_field, ready
from couperation_formal.output.report import Report
from couperation_formal.questions.records import check, hanging
from couperation_formal.words.say import safe

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
@options.these(options.MARKS, options.budget("each game"), options.JOBS)
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
    put_text(run.form.head(COLUMNS))
    first = since or 0

    def judge(item: Item) -> Told | None:
        if run.skipped(item):
            return None
        if isinstance(item, Game) and first > (turns := len(item.record.turns)):
            reason = fact("no_turn", turn=since, turns=turns)
            run.refuse(fact("refused_item", file=item.file, game=item.index, reason=reason))
            return None
        with asking(run.steps()) as steps:
            report = check.check(item, run.rules, engine, steps, since=first, marks=run.marks)
            if why:
                from couperation_formal.questions.records.exact import explained

                report = explained(report, steps)
            if provided:
                report = hanging.with_proviso(report, run.budget, first)
            if run.check(partial(check.check_certificates, report, steps), steps) == "rejected":
                return None
            told = Told.of(report)
            if not statistics and (told.warns or not quiet or report.verdict != "legal"):
                _put(run, report, world)
            return told

    def unread(file: Unreadable) -> None:
        # A file that cannot be read: scripts see it too.
        if run.form_name not in ("full", "concise") and not statistics:
            what = fact("file_unread", why=file.reason)
            said = Diagnostic(code=NOTATION, severity="error", turn=None, span=Span(0, 0), what=what)
            nothing = Malformed(file=file.file, index=1, text="", line=1, event=None, diagnostics=(said,))
            _put(run, check.check(nothing), world)

    verdicts, codes = Counter[Any](), Counter[str]()
    try:
        for told in filter(None, run.spread(files, judge, unread)):
            verdicts[told.verdict] += 1
            codes.update(told.errors)
            run.codes |= {CODES[told.verdict], *[Exit.BROKEN] * (strict and told.warns)}
    except check.EngineDisagreement as error:
        put_text(run.form.tail())
        complain(fact("engines_differ", error=str(error)))
        return Exit.OURS
    put_text(run.form.tail())
    games = verdicts.total()
    if statistics:
        data = check.statistics_data(verdicts, codes)
        run.put(Case(ready(data), partial(check.statistics_blocks, data)))
    if (games > 1 or (games and statistics)) and not quiet:
        (say if run.form_name == "full" and not world else note)(check.summary(verdicts))
    if not games and not run.codes:
        run.refuse(fact("no_recorded_game"))
    code = run.end()
    return Exit.KEPT if exit_zero and code is Exit.BROKEN else code


class Told(NamedTuple):
    """What is counted of a report: its verdict, the clauses that it breaks, and whether it warns."""

    verdict: str
    errors: tuple[str, ...]
    warns: bool

    @classmethod
    def of(cls, report: Report) -> Self:
        """That of a report."""
        errors = tuple(each.code for each in report.diagnostics if each.severity == "error")
        return cls(report.verdict, errors, any(each.severity == "warning" for each in report.diagnostics))


def _put(run: Run, report: Report, world: bool) -> None:
    """Write a report, and a legal game's `world` after it."""
    data, blocks = partial(check.report_data, report), lambda: [check.report_blocks(report)]
    run.put(Case(data, blocks, lambda _: csv_fields(report), report), err=world)
    if world and run.form_name == "full" and report.verdict == "legal":
        put_text(check.world_text(report))


def csv_fields(report: Report) -> tuple[object, ...]:
    """The fields of one game: its verdict; of what it breaks first clause, place and message; the notes' clauses."""
    item, error = report.item, report.error
    rules = None if report.rules is None else plain_field(str(report.rules))
    judged = (file_field(item.file), item.index, report.verdict, report.turn, report.result, rules)
    besides = [each for each in report.diagnostics if each is not error and each.severity != "warning"]
    codes = " ".join(each.code for each in besides if each.severity == "note" or each.code != NOTATION)
    if error is None:
        return (*judged, *[None] * 5, codes)
    place, hangs = place_of(item, error.span), " ".join(error.rulings)
    message = plain_field(told(error.what, output.language(script=True)))
    return (*judged, error.code, place.line, place.column, hangs, message, codes)


def plain_field(text: str) -> str:
    """A text of the record's as a field: control characters escaped, and behind a quote where a spreadsheet would take
    it for a formula.
    """
    return safe(f"'{text}" if text.startswith(("=", "+", "-", "@")) else text)
