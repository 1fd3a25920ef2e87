"""What the rows of a study come to: shares with intervals, medians, rules compared on the same games; and any question
in SQL. DuckDB reads the rows, scipy and matplotlib do the rest; only the studies' room imports them.
"""

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, cast

import duckdb
import matplotlib as mpl
import numpy as np
import pyarrow as pa
from markupsafe import Markup
from matplotlib.figure import Figure
from pyarrow import csv, dataset, parquet
from scipy.stats import binomtest

from couperation_formal.game.fact import Text, Unfit, fact
from couperation_formal.questions.studies.results import Results
from couperation_formal.words.say import safe, say

_RESAMPLED = 2_000
_LEVEL = 0.95
"""So many samples are drawn for the interval of a median; the share of intervals that hold what they are about."""

_SHUT = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "lock_configuration": "true",
}
"""A question in SQL reads the table `rows` and nothing else, and writes nowhere."""


class Table(NamedTuple):
    """A table for people, and drawings of it, each with its name."""

    title: Text
    told: Text
    head: Sequence[str]
    rows: list[list[str]]
    drawn: list[tuple[str, Markup]]


def opened(results: Sequence[Results]) -> Any:
    """A connection to DuckDB with the table `rows`. The files are read by pyarrow: DuckDB itself may open none."""
    told = dataset.dataset([each.dataset() for each in results])
    connection = duckdb.connect(config=_SHUT)
    connection.register("rows", told)
    return connection


@contextmanager
def _answering() -> Iterator[None]:
    """Raises `Unfit` with what DuckDB or Arrow says of a question."""
    try:
        yield
    except (duckdb.Error, pa.ArrowException, ArithmeticError, ValueError) as error:
        raise Unfit("study_sql", why=str(error).partition("\n")[0]) from None


def asked(results: Sequence[Results], sql: str) -> pa.Table:
    """The answer to one question in SQL. Raises `Unfit`, for two columns of a name too, which no form keeps apart."""
    connection = opened(results)  # which ends with its last name
    with _answering():
        if len(connection.extract_statements(sql)) > 1:
            raise Unfit("study_one_question")
        found = connection.sql(sql)
        table = pa.table({}) if found is None else found.to_arrow_table()
        if len({*table.column_names}) < table.num_columns:
            raise Unfit("study_same_name")
    return table


@_answering()
def written(table: pa.Table, form: str) -> bytes:
    """A table as `csv`, `parquet` or `md`. Raises `Unfit` for what the form cannot hold."""
    if form == "md":
        lines = [[*map(_cell, table.column_names)], ["---"] * table.num_columns]
        lines += [[*map(_cell, row.values())] for row in table.to_pylist()]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines).encode()
    sink = io.BytesIO()
    (csv.write_csv if form == "csv" else parquet.write_table)(table, sink)
    return sink.getvalue()


def _cell(value: object) -> str:
    return "" if value is None else safe(str(value).replace("\n", " ")).replace("|", "\\|")


# The report.


def tables(results: Sequence[Results]) -> Iterator[Table]:
    """The tables of a report. Cost: three questions over all rows, and for each median as many samples as resampled."""
    text = Path(__file__).with_name("report.sql").read_text("utf-8")
    queries = dict(re.findall(r"^-- (\w+)\n(.*?)(?=\n\n-- |\Z)", text, re.MULTILINE | re.DOTALL))
    connection, first = opened(results), next((rules for each in results for rules in each.plan.rulebooks), "")

    def found(name: str) -> list[dict[str, Any]]:
        given = {"first": first} if "$first" in queries[name] else None
        return cast("list[dict[str, Any]]", connection.sql(queries[name], params=given).to_arrow_table().to_pylist())

    yield from filter(lambda table: table.rows, (_shares(found("shares")), _medians(found("numbers"))))
    pairs = _pairs(found("pairs"))
    if pairs.rows:
        yield pairs


def interval(yes: int, games: int) -> tuple[float, float]:
    """The interval of a share: Wilson's, and that of Clopper and Pearson where it is nought or all."""
    told = binomtest(yes, games).proportion_ci(_LEVEL, "exact" if yes in (0, games) else "wilson")
    return float(told.low), float(told.high)


def _shares(found: list[dict[str, Any]]) -> Table:
    """The share of yes in each cell. What is undetermined is a no in the lower share and a yes in the upper one."""
    rows, drawn = list[list[str]](), list[tuple[str, Markup]]()
    for question, group in groupby(found, lambda each: each["question"]):
        bars = []
        for each in group:
            games = each["yes"] + each["no"] + each["open"]
            low, high = each["yes"] / games, (each["yes"] + each["open"]) / games
            least, most = interval(each["yes"], games)[0], interval(each["yes"] + each["open"], games)[1]
            share = f"{low:.1%}" if low == high else f"{low:.1%} – {high:.1%}"
            rows.append([*_named(each), str(games), str(each["open"]), share, f"{least:.1%} – {most:.1%}"])
            bars.append((" ".join(filter(None, _named(each)[1:])), low, high, least, most))
        drawn.append((question, _drawn(bars)))
    head = [*_NAMES, "games", "undetermined", "share", "interval"]
    return Table(fact("study_shares"), fact("study_shares_told"), head, rows, drawn)


_NAMES = ("question", "rules", "under", "variant", "players", "policy", "turn")


def _named(row: dict[str, Any], second: str = "under") -> list[str]:
    """The cell of a row of counts."""
    return [_cell(row[second if name == "under" else name]) for name in _NAMES]


def _medians(found: list[dict[str, Any]]) -> Table:
    """The median of the numbers in each cell, with an interval by the bootstrap."""
    rows, random = list[list[str]](), np.random.default_rng(1)
    for names, group in groupby(found, _named):
        values, counts = np.array([(each["number"], each["games"]) for each in group]).T
        games = int(counts.sum())
        samples = [_median(values, drawn) for drawn in random.multinomial(games, counts / games, _RESAMPLED)]
        least, most = np.quantile(samples, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
        rows.append([*names, str(games), f"{_median(values, counts):g}", f"{least:g} – {most:g}"])
    head = [*_NAMES, "games", "median", "interval"]
    return Table(fact("study_medians"), fact("study_medians_told"), head, rows, [])


def _median(values: Any, counts: Any) -> float:
    """The median of values that occur so often."""
    upto, games = np.cumsum(counts), counts.sum()
    middle = np.searchsorted(upto, [(games - 1) // 2, games // 2], side="right")
    return float(values[middle].mean())


def _pairs(found: list[dict[str, Any]]) -> Table:
    """Rules against the first ones on the same games, with McNemar's exact test."""
    rows = []
    for each in found:
        here, there = each["only_here"], each["only_there"]
        games, chance = here + there + each["both"] + each["neither"], 1.0
        if here + there:
            chance = float(binomtest(here, here + there).pvalue)
        differs = f"{(here - there) / games:+.1%}"
        rows.append([*_named(each, "against"), str(games), str(here), str(there), differs, f"{chance:.3g}"])
    names = ["against" if name == "under" else name for name in _NAMES]
    head = [*names, "games", "only_here", "only_there", "difference", "p"]
    return Table(fact("study_pairs"), fact("study_pairs_told"), head, rows, [])


def _drawn(bars: Sequence[tuple[str, float, float, float, float]]) -> Markup:
    """Shares with their intervals, one below the other, as SVG."""
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "couperation"}):
        figure = Figure(figsize=(9, 0.8 + 0.28 * len(bars)), layout="constrained")
        axes = figure.add_subplot()
        for at, (_, low, high, least, most) in enumerate(bars):
            axes.plot([least, most], [at, at], color="#999", linewidth=1)
            axes.plot([low, high], [at, at], color="#1f5f8b", linewidth=5, solid_capstyle="round")
        axes.set_yticks(range(len(bars)), [name.replace("$", r"\$") for name, *_ in bars])
        axes.set_xlim(-0.02, 1.02)
        axes.invert_yaxis()
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return Markup(out.getvalue()[out.getvalue().index("<svg") :])


def page(title: Text, made: Sequence[Table], language: str) -> str:
    """The report as one HTML page that needs nothing else."""
    from jinja2 import Environment

    source = Path(__file__).with_name("report.j2").read_text("utf-8")
    template = Environment(autoescape=True).from_string(source)
    return template.render(title=title, tables=made, language=language, say=partial(say, language=language))
