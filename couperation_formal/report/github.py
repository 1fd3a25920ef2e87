"""Workflow commands that GitHub turns into annotations of the changed lines."""

from __future__ import annotations

from couperation_formal.analysis.verify import Report
from couperation_formal.answers.place import place_of, source_of
from couperation_formal.report.clauses import cited, complaint, hanging
from couperation_formal.words.text import encodable, safe

_KIND = {"error": "error", "warning": "warning", "note": "notice"}


def github(report: Report) -> list[str]:
    """One workflow command for each diagnostic. Columns are left out where a stretch covers several lines."""
    source = source_of(report.item)
    lines = []
    for found in report.diagnostics:
        place = place_of(source, found.span)
        file, one = encodable(report.item.file), place.line == place.end_line
        start, end = ({"col": place.column}, {"endColumn": place.end_column}) if one else ({}, {})
        properties = {"file": file, "line": place.line, **start, "endLine": place.end_line, **end, "title": found.code}
        listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
        message = safe(complaint(found, report.game)) + cited(found.code, report.rules) + hanging(found)
        lines.append(f"::{_KIND[found.severity]} {listed}::{_data(message)}")
    return lines


def _data(text: str) -> str:
    """The text of a command; `safe` has left no line end in it."""
    return text.replace("%", "%25")


def _property(text: str) -> str:
    """A property of a command: what it cannot hold as GitHub's own escapes, control characters as ours."""
    escaped = _data(text).replace("\r", "%0D").replace("\n", "%0A").replace(":", "%3A").replace(",", "%2C")
    return safe(escaped)
