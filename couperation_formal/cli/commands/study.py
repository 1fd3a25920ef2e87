"""`couperation study`: many games by a plan, on all cores or a cluster, and their rows."""

import json
import re
import time
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from couperation_formal import __version__
from couperation_formal.cli import options, output
from couperation_formal.cli.output import Exit, Refused, complain, note, put_text, say
from couperation_formal.cli.run import Run, find, named_file, reason_of
from couperation_formal.cli.workers import cores
from couperation_formal.game.fact import Steps, fact
from couperation_formal.notation.read import split
from couperation_formal.output.blocks import Columns, Heading, Sentence
from couperation_formal.questions.studies import rows
from couperation_formal.words.say import encodable

if TYPE_CHECKING:
    from couperation_formal.questions.studies.results import Results

ACTIONS = {"row": (1, 2), "digest": (1, 1), "check": (1, 1), "merge": (1, 1000), "report": (1, 1000)}
"""What is done with results, and with how many words more; any other first word names a plan, which is run."""

_EXAMPLE = "deals,seed=3,rules=en-2,variant=first,players=2,question=winnable,under=en-2,turn=0,budget=100000"


@options.command(
    "couperation study examples/studies/smoke.toml -o results",
    f"couperation study row {_EXAMPLE}",
    configured=False,
)
@click.argument("words", metavar="PLAN|WORD…", nargs=-1, required=True)
@options.out(
    "folder",
    "The folder of the results, or their address (s3://…), and a run goes on with what is there; of report a page, or"
    " the answer to --sql. Left out: a report is printed, and nothing is made.",
    type=str,
)
@click.option(
    "--scheduler", metavar="ADDRESS", help="A Dask scheduler, tcp://…, which is trusted. Left out: a cluster here."
)
@options.number("--workers", least=1, most=1024, help="Processes of the cluster here; one for each core if left out.")
@click.option(
    "--parts", "share", metavar="K/N", help="Only each Nth part, from the Kth on: to be merged. Left out: all parts."
)
@click.option(
    "--share",
    "checked",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.05,
    show_default=True,
    help="Of check: about this share of the rows.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of check: another seed checks other rows.")
@click.option("--sql", metavar="QUESTION", help="Of report: this is asked of the table rows. Left out: what is usual.")
@options.word("--format", "md csv parquet", "form", help="Of --sql: the answer's form.")
def study_command(
    run: Run,
    words: tuple[str, ...],
    folder: str | None,
    scheduler: str | None,
    workers: int | None,
    share: str | None,
    checked: float,
    seed: int,
    sql: str | None,
    form: str,
) -> Exit:
    """Ask much of many games by a plan, and keep the answers as a table.

    PLAN is a TOML file: its rows go to RESULTS, in parts, on all cores of this machine or on a cluster; run again, it
    makes the parts that are not there yet. In place of a plan: row ID [RESULTS] makes a row again from its id, with the
    game and the certificate, and compares it; digest RESULTS prints one digest of all rows; check RESULTS makes some
    rows again and puts their certificates to the independent checker; merge RESULTS… puts the parts of several folders
    into that of -o; report RESULTS… tells what they come to. Needs the extra study.
    """
    action, *given = words
    if action != "row" and None in map(find_spec, ("distributed", "duckdb", "matplotlib", "pyarrow", "scipy")):
        raise Refused(fact("needs_study"))
    least, most = ACTIONS.get(action, (0, 0))
    if not least <= len(given) <= most:
        raise click.UsageError(output.spoken(fact("study_words")))
    if action != "report" and (folder is None) == (action == "merge" or action not in ACTIONS):
        raise click.UsageError(output.spoken(fact("study_output")))
    try:
        if action == "row":
            return _row(given[0], *given[1:])
        if action == "digest":
            return _digest(_results(given[0]))
        if action == "check":
            return _check(run, _results(given[0]), checked, seed)
        if action == "report":
            return _report(run, [*map(_results, given)], folder, sql, form)
        assert folder is not None
        if action == "merge":
            return _merge([*map(_results, given)], folder)
        return _run(Path(action), folder, scheduler, workers or cores(), share)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Refused(fact("cannot_use", file=str(error.filename or folder), why=reason_of(error))) from None


def _results(folder: str) -> "Results":
    from couperation_formal.questions.studies.results import Results

    return Results(folder)


def _run(path: Path, folder: str, scheduler: str | None, workers: int, share: str | None) -> Exit:
    """Make the parts that are not there yet."""
    from couperation_formal.questions.studies import results as kept

    with named_file():
        plan = rows.read_plan(path)
    results = kept.Results(folder, plan, _games(path, plan))
    wanted = [*_shared(results.wanted, share)]
    there = {part: results.counted(part) for part in results.there()}
    parts = [part for part in wanted if part not in there]
    if not wanted:
        raise Refused(fact("no_recorded_game"))
    if parts:
        note(fact("study_begins", parts=len(parts), total=len(wanted)))
        done, begun = 0, time.monotonic()
        with kept.cluster(scheduler, workers) as client, output.counting("parts", len(parts), lambda: done):
            if (address := kept.dashboard(client)) is not None:
                note(fact("study_dashboard", address=address))
            busy = sum(client.nthreads().values())
            for _ in kept.run(client, results, parts):
                done += 1
                if done == min(busy, len(parts)):  # each has made one
                    seconds = (time.monotonic() - begun) * len(parts) / done
                    note(fact("study_estimate", minutes=f"{seconds / 60:.1f}"))
    counted = [results.counted(part) for part in wanted]
    if len(wanted) == len(results.wanted):
        results.tidy()
    failed = [name for each in counted for name in each.failed]
    for name in failed:
        complain(fact("study_failed", unit=name))
    total, open_ = sum(each.rows for each in counted), sum(each.undetermined for each in counted)
    say(fact("study_ends", rows=total, parts=len(wanted), undetermined=open_, failed=len(failed)))
    return Exit.OURS if failed else Exit.KEPT


def _shared(parts: range, share: str | None) -> range:
    """Each Nth part, from the Kth on."""
    first, step = map(int, share.split("/")) if re.fullmatch(r"\d{1,9}/\d{1,9}", share := share or "1/1") else (0, 0)
    if not 1 <= first <= step:
        raise click.UsageError(output.spoken(fact("study_share")))
    return parts[first - 1 :: step]


def _games(path: Path, plan: rows.Plan) -> Iterator[rows.Unit]:
    """The games of a collection, as they stand in their files."""
    for source in chain.from_iterable(find([str(path.parent / name)]) for name in plan.files):
        if isinstance(source, Exception):
            raise source
        yield from _units(source.file)


def _units(file: str) -> Iterator[rows.Unit]:
    if Path(file).exists() and not Path(file).is_file():  # a pipe would be waited for, and can be read but once
        raise Refused(fact("cannot_use", file=file, why=fact("no_regular_file")))
    with Path(file).open("rb") as stream:
        for index, piece in enumerate(split(stream), 1):
            text = "" if piece.fault is not None else piece.text  # what is too long was cut off
            yield rows.Unit(None, encodable(file), index, text.encode("utf-8", "surrogatepass"))


def _digest(results: "Results") -> Exit:
    there, wanted = results.there(), results.wanted
    say(results.whole())
    if len(there) == len(wanted):
        return Exit.KEPT
    note(fact("study_part", parts=len(there), total=len(wanted)))
    return Exit.UNDETERMINED


def _merge(others: list["Results"], folder: str) -> Exit:
    """Put the parts of several results of a plan together."""
    results = type(others[0])(folder, others[0].plan, others[0].games())
    for other in others:
        results.take(other)
    return _digest(results)


def _row(id_: str, folder: str | None = None) -> Exit:
    """Make a row again, and compare it with that of the results."""
    asked, results = rows.asked_of(id_), None if folder is None else _results(folder)
    before = None if results is None else results.find(asked.id)
    if results is not None and before is None:
        raise Refused(fact("study_no_row", folder=folder))
    text = None
    if asked.source == "collection":
        units = _units(asked.file or "") if results is None else results.games()
        text = next((each.text for each in units if (each.file, each.game) == (asked.file, asked.game)), None)
    item = rows.made(asked, text)
    if item is not None and asked.record not in (None, rows.digest_of(item)):
        raise Refused(fact("study_other_game", file=asked.file, game=asked.game))
    found = rows.answer(asked, item)
    again = rows.row(None if results is None else results.plan, asked, item, found)
    if item is not None:
        put_text(f"{item.text.rstrip()}\n\n")
    for name, value in asdict(again).items():
        if value not in (None, ""):
            say(f"; {name}: {value}")
    for proof in found.certificates():
        say(proof if isinstance(proof, str) else json.dumps(proof, separators=(",", ":")))
    return Exit.KEPT if before is None else _differs(before, again)


def _differs(before: rows.Row, again: rows.Row) -> Exit:
    """Tell in which columns a row is another one now."""
    if rows.told(before) == rows.told(again):
        return Exit.KEPT
    old, new = asdict(before), asdict(again)
    names = tuple(name for name in old if old[name] != new[name] and name not in rows.ELSEWHERE - {"failed"})
    complain(fact("study_row_differs", id=before.id, names=names, old=before.version, new=__version__))
    return Exit.BROKEN


def _check(run: Run, results: "Results", share: float, seed: int) -> Exit:
    """Make some rows again, and have their certificates checked."""
    told: dict[str, int] = dict.fromkeys(("accepted", "unsupported", "rejected", "without"), 0)
    codes, total, most = [Exit.KEPT], 0, int(share * (1 << 64))
    for part in output.progress(results.there(), "parts"):
        texts = {(unit.file, unit.game): unit.text for unit in results.units(part)}
        for row in results.rows(part):
            total += 1
            if not row.failed and int.from_bytes(sha256(f"{seed} {row.id}".encode()).digest()[:8]) < most:
                codes.append(_checked(run, results.plan, row, texts.get((row.file, row.game)), told))
    made = sum(told.values())
    say(fact("study_checked", rows=made, total=total, share=f"{made / max(1, total):.1%}", **told))
    return max(codes, key=[Exit.KEPT, Exit.BROKEN, Exit.OURS].index)


def _checked(run: Run, plan: rows.Plan, row: rows.Row, text: bytes | None, told: dict[str, int]) -> Exit:
    """Make a row again, and count what the checker says of its certificates."""
    asked = rows.asked_of(row.id)
    item = rows.made(asked, text)
    found = rows.answer(asked, item)
    proofs: list[Any] = [*found.certificates()]
    verdict = run.proofs.add(lambda: proofs, Steps(asked.budget)) if proofs else "without"
    told[verdict] += 1
    differs = _differs(row, rows.row(plan, asked, item, found))
    return Exit.OURS if verdict == "rejected" else differs


def _report(run: Run, results: list["Results"], out: str | None, sql: str | None, form: str) -> Exit:
    """Tell what rows come to, or answer a question in SQL."""
    from couperation_formal.questions.studies import report

    file = None if out is None else run.files.make(out)
    if sql is not None:
        data = report.written(report.asked(results, sql), form)
        if file is not None:
            file.put(data)
        else:
            output.write(output.Said(data))
        return Exit.KEPT
    tables = [*report.tables(results)]
    if file is not None:
        title = fact("study_report", names=tuple(dict.fromkeys(each.plan.study for each in results)))
        file.put(report.page(title, tables, output.language()).encode())
        return Exit.KEPT
    for table in tables:
        output.put_blocks([[Heading(table.title), Sentence(table.told), Columns([table.head, *table.rows], head=True)]])
        say("")
    return Exit.KEPT
