"""`couperation check`: is each recorded game legal, and if not, where, by which clause, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from couperation_formal import __version__
from couperation_formal.analysis.marked import marked, warned
from couperation_formal.analysis.verify import Engine, EngineDisagreement, Report, check, check_certificates, world_text
from couperation_formal.answers.data import statistics_data
from couperation_formal.cli.command import used_configuration
from couperation_formal.cli.exits import Exit, exit_of, worst
from couperation_formal.cli.inputs import FILES, ONE, Input, NoGame, Unusable, find, wanted
from couperation_formal.cli.options import MARKS, NARROW, RULES, budget_option, format_option
from couperation_formal.cli.outfile import Makes
from couperation_formal.cli.output import complain, note, put_answer, put_blocks, put_csv, put_json, put_text, say
from couperation_formal.cli.progress import asking, progress
from couperation_formal.cli.proofs import Proofs, evidence
from couperation_formal.model.budget import Steps, steps_of
from couperation_formal.model.diagnostic import NOTATION, Diagnostic
from couperation_formal.model.record import Game, Snapshot, Span
from couperation_formal.model.rulings import Rules
from couperation_formal.notation.marks import OwnMarks
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.words.say import phrase


@click.command(
    cls=Makes,
    examples=(
        "couperation check examples/legal",
        'couperation check examples/broken/between.cgn --rules "en-2 spread=adjacent"',
    ),
)
@FILES
@ONE
@RULES
@click.option(
    "--engine",
    type=click.Choice(["auto", "plain", "z3", "both", "spec"]),
    default="auto",
    show_default=True,
    help="auto: the plain replay, and Z3 where the record does not show enough for it. plain: never Z3. z3: Z3 decides"
    " the orders of towers too. both: as z3, and fail where the plain replay differs. spec: the specification's"
    " formulas alone.",
)
@MARKS
@budget_option("each game")
@click.option(
    "--from",
    "since",
    type=click.IntRange(min=1),
    metavar="N",
    help="Judge the turns from the Nth on; the table before stands as it was played, and slips are notes."
    " Left out: all are judged.",
)
@click.option("--world", is_flag=True, help="Print the legal games with all that they do not show filled in.")
@click.option(
    "--provided",
    is_flag=True,
    help="Tell on which marks, cards and places that nobody noted a legal verdict hangs; as much again of the budget.",
)
@click.option("--strict", is_flag=True, help="End with exit code 1 where there is a warning too.")
@click.option("--exit-zero", is_flag=True, help="End with exit code 0 where a rule is broken too.")
@click.option("--quiet", "-q", is_flag=True, help="Tell only of games that are not legal, and warnings.")
@click.option("--statistics", is_flag=True, help="Count the verdicts and the broken clauses; tell of no single game.")
@click.option("--why", is_flag=True, help="Name the fewest lines whose correction makes an illegal game legal.")
@evidence
@format_option("full", "concise", "json", "sarif", "github", "csv", "junit", narrow=("statistics", "world"))
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    number: int | None,
    rules: Rules | None,
    engine: Engine,
    marks: OwnMarks | None,
    budget: int | None,
    since: int | None,
    provided: bool,
    world: bool,
    strict: bool,
    exit_zero: bool,
    quiet: bool,
    statistics: bool,
    why: bool,
    out: str | None,
    no_verify: bool,
    form: str,
) -> None:
    """Check recorded games turn by turn.

    A game is legal when some choice of what it does not show, cards and marks, makes every turn legal. Folders are
    searched for .cgn files; positions in them are skipped.
    """
    if since is not None and (engine == "spec" or why or out is not None):
        raise click.UsageError("--from goes without --why, --certificate and the engine spec")
    if provided and engine in ("plain", "spec"):
        raise click.UsageError("--provided asks Z3, and the engines plain and spec do not")
    if statistics and world:
        raise click.UsageError("--statistics goes without --world")
    if (statistics or world) and form not in NARROW:
        raise click.UsageError("--statistics and --world go with the forms full and json")
    proofs = Proofs(out, out is not None and not no_verify)
    output = _Output(form, proofs, world=world, strict=strict, quiet=quiet, counted=statistics)
    first = since or 0

    def judged(item: Item) -> None:
        steps = steps_of(budget)
        item, warnings = marked(item, marks)
        with asking(steps):
            report = warned(check(item, rules, engine, steps, first), warnings)
            if why:
                from couperation_formal.analysis.verify_exact import explained

                report = explained(report, steps)
            if provided:
                from couperation_formal.analysis.provided import with_proviso

                report = with_proviso(report, budget, first)
            output.put(report, steps)

    try:
        for found in progress(find(files)):
            for item in _each(found, number, first, output):
                judged(item)
    except EngineDisagreement as error:
        output.close()
        complain(phrase("engines_differ", error=error))
        ctx.exit(Exit.OURS)
    code = output.end()
    ctx.exit(Exit.KEPT if exit_zero and code is Exit.BROKEN else code)


def _each(found: Input | Unusable, number: int | None, since: int, output: _Output) -> Iterator[Item]:
    """The games of one file, or this one of them, that have as many turns as are asked for; of the others is told."""
    for item in wanted(found, number):
        if isinstance(item, Unusable):
            output.unread(item)
        elif isinstance(item, NoGame):
            output.refuse(item.file, item.number, phrase("there_is_none", count=item.games))
        elif isinstance(item, Snapshot) and isinstance(found, Input) and found.walked:
            note(phrase("position_skipped", file=item.file, game=item.index))
        elif isinstance(item, Game) and since > (turns := len(item.record.turns)):
            output.refuse(item.file, item.index, phrase("no_turn", turn=since, turns=turns))
        else:
            yield item


class _Output:
    """The reports in one form as they come, and what is left to say at the end."""

    def __init__(self, form: str, proofs: Proofs, *, world: bool, strict: bool, quiet: bool, counted: bool) -> None:
        self._form, self._proofs = form, proofs
        self._world, self._strict, self._quiet, self._counted = world, strict, quiet, counted
        self._rejected = self._warned = self._unusable = False
        self._verdicts: Counter[Any] = Counter()
        self._codes: Counter[str] = Counter()
        self._before = ""
        if form == "sarif":
            from couperation_formal.report.sarif import sarif_head

            put_text(sarif_head(__version__, used_configuration()))
        elif form == "csv":
            from couperation_formal.report.csv import COLUMNS

            put_csv(*COLUMNS, head=True)
        elif form == "junit":
            from couperation_formal.report.junit import junit_head

            put_text(junit_head(used_configuration()))

    def refuse(self, file: str, game: int, reason: str) -> None:
        self._unusable = True
        complain(phrase("refused_item", file=file, game=game, reason=reason))

    def unread(self, found: Unusable) -> None:
        self._unusable = True
        complain(str(found))
        if self._form not in ("full", "concise") and not self._counted:
            self._write(_unusable(found))

    def put(self, report: Report, budget: Steps) -> None:
        if self._proofs.add(partial(check_certificates, report, budget), budget) == "rejected":
            self._rejected = True
            return
        warned = any(found.severity == "warning" for found in report.diagnostics)
        self._verdicts[report.verdict] += 1
        self._codes.update(found.code for found in report.diagnostics if found.severity == "error")
        self._warned = self._warned or warned
        if not self._counted and (warned or not self._quiet or report.verdict != "legal"):
            self._write(report)

    def _write(self, report: Report) -> None:
        if self._form == "full":
            from couperation_formal.report.full import report_blocks

            put_blocks([report_blocks(report)], err=self._world)
            if self._world and report.verdict == "legal":
                put_text(world_text(report))
        elif self._form == "json":
            from couperation_formal.answers.data import report_data

            put_json(report_data(report))
        elif self._form == "sarif":
            from couperation_formal.report.sarif import sarif_results

            for result in sarif_results(report):
                put_text(self._before)
                put_json(result, part=True)
                self._before = ","
        elif self._form == "csv":
            from couperation_formal.report.csv import csv_fields

            put_csv(*csv_fields(report))
        elif self._form == "junit":
            from couperation_formal.report.junit import junit_case

            put_text(junit_case(report))
        else:
            from couperation_formal.report.concise import concise
            from couperation_formal.report.github import github

            for line in (concise if self._form == "concise" else github)(report):
                say(line)

    def close(self) -> None:
        """End what is one document."""
        if self._form == "sarif":
            put_text("]}]}\n")
        elif self._form == "junit":
            from couperation_formal.report.junit import TAIL

            put_text(TAIL)

    def end(self) -> Exit:
        """What several games come to, and the exit code."""
        from couperation_formal.report.full import statistics_blocks, summary

        self.close()
        games = sum(self._verdicts.values())
        if self._counted:
            data = statistics_data(self._verdicts, self._codes)
            put_answer(self._form, data, partial(statistics_blocks, data))
        if (games > 1 or (games and self._counted)) and not self._quiet:
            (say if self._form == "full" and not self._world else note)(summary(self._verdicts))
        if self._rejected:
            return Exit.OURS
        self._proofs.write()
        if not games and not self._unusable:
            complain(phrase("no_recorded_game"))
        if self._unusable or not games:
            return Exit.UNUSABLE
        return worst([exit_of(self._verdicts), *([Exit.BROKEN] if self._strict and self._warned else [])])


def _unusable(found: Unusable) -> Report:
    """The report on a file that cannot be read, so that scripts see it too."""
    message = phrase("file_unread", why=found.reason)
    diagnostic = Diagnostic(code=NOTATION, severity="error", turn=None, span=Span(0, 0), message=message)
    return check(Malformed(file=found.file, index=1, text="", line=1, event=None, diagnostics=(diagnostic,)))
