"""What rows come to: the numbers of a report against those of their definitions, and what SQL may read."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

from couperation_formal.questions.studies import report
from couperation_formal.questions.studies.results import Results
from couperation_formal.questions.studies.rows import Row
from tests.cli.run import couperation
from tests.conftest import LONG
from tests.kit.started import ROOT
from tests.questions.studies.plans import TINY, made

pytestmark = pytest.mark.slow

ANSWERS = {  # of the rulebook and of the one beside it, seed by seed
    "result": ("win win win win loss loss undetermined", "loss loss win win win loss win"),
    "tower": ("deadlocked " * 7, "completable " * 7),
}
DEAD = (3, 5, 5, 9, 11, 20, None)


def rows(template: Row) -> list[Row]:
    """Rows of seven seeds under two rules, with known answers."""
    listed = []
    for question, both in ANSWERS.items():
        for rules, answers in zip(("en-2", "en-2 spread=adjacent"), both, strict=True):
            for seed, answer in enumerate(answers.split()):
                number = DEAD[seed] if answer == "deadlocked" else None
                own = {"id": f"{question} {rules} {seed}", "question": question, "seed": seed, "number": number}
                listed.append(msgspec.structs.replace(template, **own, rules=rules, under=rules, answer=answer))
    decides = (("anchor between", 2), ("anchor", 1), ("none", 0), ("undetermined", None))
    for seed, (answer, number) in enumerate(decides):
        own = {"id": f"decides {seed}", "question": "decides", "seed": seed, "answer": answer, "number": number}
        listed.append(msgspec.structs.replace(template, **own, rules="en-2", under=""))
    return listed


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    found = made(
        tmp_path_factory.mktemp("report"), TINY.replace('["en-2"]', '["en-2"]\nchanges = ["", "spread=adjacent"]'), 1
    )
    listed = rows(found.rows(0)[0])
    found.put(0, listed[::2])
    found.put(1, listed[1::2])
    return found


def test_shares_have_their_intervals_and_what_is_open_is_a_gap(results: Results) -> None:
    """Against the values that textbooks give: Wilson (4 of 7, 5 of 7), Clopper and Pearson (0 and 7 of 7)."""
    shares, _, _ = report.tables([results])
    told = {tuple(row[:2]): row[-4:] for row in shares.rows}
    assert told["result", "en-2"] == ["7", "1", "57.1% – 71.4%", "25.0% – 91.8%"]
    assert told["result", "en-2 spread=adjacent"] == ["7", "0", "57.1%", "25.0% – 84.2%"]
    assert told["tower", "en-2"] == ["7", "0", "0.0%", "0.0% – 41.0%"]
    assert told["tower", "en-2 spread=adjacent"] == ["7", "0", "100.0%", "59.0% – 100.0%"]
    assert told["decides anchor", "en-2"][:3] == ["4", "1", "50.0% – 75.0%"]
    assert told["decides between", "en-2"][:3] == ["4", "1", "25.0% – 50.0%"]
    assert len(told) == 6


def test_a_median_is_of_the_numbers_with_its_interval(results: Results) -> None:
    _, medians, _ = report.tables([results])
    assert [(row[0], row[1], *row[-3:-1]) for row in medians.rows] == [("tower", "en-2", "6", "7")]
    least, most = map(float, medians.rows[0][-1].split(" – "))
    assert 3 <= least < 7 < most <= 20
    assert [*report.tables([results])][1] == medians  # whenever it is drawn


def test_rules_are_compared_on_the_same_games(results: Results) -> None:
    """Of seeds 0 to 5, which both answer, two are won under the first rules only and one under the others."""
    *_, pairs = report.tables([results])
    told = {row[0]: row[1:3] + row[-5:] for row in pairs.rows}
    assert told["result"] == ["en-2 spread=adjacent", "en-2", "6", "1", "2", "-16.7%", "1"]
    assert told["tower"] == ["en-2 spread=adjacent", "en-2", "7", "7", "0", "+100.0%", "0.0156"]


class Tags(HTMLParser):
    """What a page holds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.sources = list[str](), list[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]


def test_a_page_needs_nothing_else(results: Results, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert couperation("study", "report", results.folder, "-o", page).exit_code == 0
    text = page.read_text("utf-8")
    found = Tags(text)
    assert found.tags.count("table") == 3
    assert found.tags.count("svg") == 4
    assert "script" not in found.tags
    assert all(each.startswith("#") for each in found.sources)
    assert "57.1% – 71.4%" in text
    assert couperation("study", "report", results.folder, "-o", page).exit_code == 2
    assert couperation("study", "report", results.folder, "-o", page, "--force").exit_code == 0
    assert page.read_text("utf-8") == text


def test_a_report_is_printed(results: Results, tmp_path: Path) -> None:
    done = couperation("study", "report", results.folder)
    assert done.exit_code == 0
    assert re.search(r"^result +en-2 +.*57\.1% – 71\.4%  25\.0% – 91\.8%$", done.stdout, re.MULTILINE)
    nothing = couperation("study", "report", made(tmp_path, parts=0).folder)
    assert (nothing.exit_code, nothing.stdout) == (0, "")


def test_anything_can_be_asked_in_sql(results: Results, tmp_path: Path) -> None:
    sql = "SELECT question, count(*) AS n, NULL AS x FROM rows GROUP BY question ORDER BY question"
    told = [["decides", "4"], ["result", "14"], ["tower", "14"]]
    done = couperation("study", "report", results.folder, "--sql", sql)
    assert done.stdout.splitlines()[2:] == [f"| {name} | {n} |  |" for name, n in told]
    done = couperation("study", "report", results.folder, "--sql", sql, "--format", "csv")
    assert [*csv.reader(io.StringIO(done.stdout))][1:] == [[*each, ""] for each in told]
    out = tmp_path / "out.parquet"
    assert couperation("study", "report", results.folder, "--sql", sql, "--format", "parquet", "-o", out).exit_code == 0
    assert pq.read_table(out).column("question").to_pylist() == ["decides", "result", "tower"]
    assert couperation("study", "report", results.folder, "--sql", "").exit_code == 0


@pytest.mark.parametrize(
    ("sql", "form", "said"),
    [
        ("SELECT 1 AS a, 2 AS a", "", "two columns of the answer have the same name"),
        ("SELECT 1 AS a, 2 AS a", "parquet", "two columns of the answer have the same name"),
        ("SELECT 1; SELECT 2", "md", "--sql asks one question"),
        ("CREATE TABLE t AS SELECT 1; SELECT * FROM t", "md", "--sql asks one question"),
        ("SELECT [1, 2] AS a", "csv", "list"),
        ("SELECT MAP {'a': 1} AS a", "csv", "map"),
        ("SELECT 1::BIGNUM AS a", "csv", "error: "),
        ("SELECT INTERVAL 1 DAY AS a", "parquet", "interval"),
        ("SELECT DATE '20000-01-01' AS a", "md", "error: "),
    ],
)
def test_what_cannot_be_answered_is_told(sql: str, form: str, said: str, results: Results) -> None:
    done = couperation("study", "report", results.folder, "--sql", sql, "--format", form or "md")
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_cell_breaks_no_table(results: Results) -> None:
    sql = "SELECT chr(27) || '[31m' || chr(13) || '|' || chr(10) AS \"b|\x1b\r\"; "
    done = couperation("study", "report", results.folder, "--sql", sql)
    assert (done.exit_code, done.stdout) == (0, "| b\\|\\x1b\\x0d |\n| --- |\n| \\x1b[31m\\x0d\\|  |\n")


@pytest.mark.parametrize(
    "sql",
    [
        *("SELECT * FROM read_csv('{secret}')", "SELECT * FROM '{secret}'", "SELECT * FROM read_text('{secret}')"),
        *("SELECT * FROM read_parquet('{part}')", "SELECT * FROM glob('/*')", "COPY rows TO '{made}'"),
        *("COPY rows TO '{part}'", "COPY rows FROM '{secret}'", "EXPORT DATABASE '{made}'", "ATTACH '{made}'"),
        *("INSTALL httpfs", "LOAD httpfs", "SET enable_external_access=true", "SET lock_configuration=false"),
        *("RESET allowed_paths", "SET allowed_directories=['/']", "PRAGMA temp_directory='/tmp'"),
        *("SELECT * FROM results", "SELECT * FROM paths", "SELECT * FROM sqlite_scan('{secret}', 't')", "SELEC"),
        "INSERT INTO rows SELECT * FROM rows",
    ],
)
def test_sql_reads_the_rows_and_nothing_else(sql: str, results: Results, tmp_path: Path) -> None:
    secret, target = tmp_path / "secret.csv", tmp_path / "made"
    secret.write_text("hidden\n1\n", "utf-8")
    part = Path(results.folder) / "parts" / "000000.parquet"
    before = part.read_bytes()
    done = couperation("study", "report", results.folder, "--sql", sql.format(secret=secret, part=part, made=target))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert "hidden" not in done.stderr.replace("hidden by", "")
    assert part.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["secret.csv"]


@pytest.mark.skipif(not LONG, reason="COUPERATION_LONG is not set")
def test_the_notebook_goes_from_a_plan_to_a_figure(tmp_path: Path) -> None:
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    notebook = nbformat.read(ROOT / "examples" / "study.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert outputs[0].text == "160 rows in 2 parts, 0 undetermined, 0 games failed\n\n"
    assert "games,seed=1,rules=en-2,variant=first" in outputs[1].data["text/plain"]
    assert outputs[-1].data["image/svg+xml"].lstrip().startswith("<svg")
