"""Lines of CSV, for spreadsheets and scripts."""

from __future__ import annotations

import csv
import io

from couperation_formal.analysis.verify import Report
from couperation_formal.answers.place import place_of, source_of
from couperation_formal.model.diagnostic import NOTATION, Diagnostic
from couperation_formal.words.text import safe

COLUMNS = (
    "file",
    "game",
    "verdict",
    "turn",
    "result",
    "rules",
    "clause",
    "line",
    "column",
    "hangs on",
    "message",
    "notes",
)


def csv_line(*fields: object) -> str:
    """A line of CSV; None is empty, a truth value as in JSON."""
    out = io.StringIO()
    words = ["" if field is None else str(field).lower() if isinstance(field, bool) else field for field in fields]
    csv.writer(out, lineterminator="\n").writerow(words)
    return out.getvalue()


def plain_field(text: str) -> str:
    """A text of the record's as a field: control characters escaped, and behind a quote where a spreadsheet would take
    it for a formula.
    """
    return safe(f"'{text}" if text.startswith(("=", "+", "-", "@")) else text)


def file_field(file: str) -> str:
    """A file's name as a field, behind ``./`` where a spreadsheet would take it for a formula."""
    return safe(f"./{file}" if file != "-" and file.startswith(("=", "+", "-", "@")) else file)


def _besides(each: Diagnostic, first: Diagnostic | None) -> bool:
    """Whether an error is of a clause and stands behind one of the notation."""
    return each.severity == "error" and each is not first and each.code != NOTATION


def csv_fields(report: Report) -> tuple[object, ...]:
    """The fields of one game: its verdict; of what it breaks first clause, place and message; the notes' clauses."""
    found = next((each for each in report.diagnostics if each.severity == "error"), None)
    place = None if found is None else place_of(source_of(report.item), found.span)
    return (
        file_field(report.item.file),
        report.item.index,
        report.verdict,
        report.turn,
        report.result,
        None if report.rules is None else plain_field(str(report.rules)),
        None if found is None else found.code,
        None if place is None else place.line,
        None if place is None else place.column,
        None if found is None else " ".join(found.rulings),
        None if found is None else plain_field(found.message),
        " ".join(each.code for each in report.diagnostics if each.severity == "note" or _besides(each, found)),
    )
