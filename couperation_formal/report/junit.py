"""JUnit's XML, which build servers show: a suite, and in it a test case for each game."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from couperation_formal.analysis.verify import Report
from couperation_formal.report.clauses import complaint, hanging
from couperation_formal.words.say import encodable, safe

_KIND = {"illegal": "failure", "malformed": "error", "undetermined": "error"}


def junit_head(configuration: str | None = None) -> str:
    """The document up to its first test case; cases and the ends of its elements follow."""
    named = ""
    if configuration is not None:
        named = f'<properties><property name="configuration" value={_quoted(configuration)}/></properties>\n'
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites><testsuite name="couperation">\n{named}'


def junit_case(report: Report, lines: Iterable[str]) -> str:
    """One game: a failure where a rule is broken, an error where it cannot be read or is undetermined. The `lines`
    that tell of it, warnings and notes too, stand inside.
    """
    item = report.item
    head = f"<testcase classname={_quoted(item.file)} name={_quoted(f'game {item.index}')}>"
    text = _clean("\n".join(lines))
    kind = _KIND.get(report.verdict)
    if kind is None:
        inner = f"<system-out>{text}</system-out>" if text else ""
    else:
        first = next((found for found in report.diagnostics if found.severity == "error"), None)
        message = report.verdict if first is None else complaint(first, report.game) + hanging(first)
        code = report.verdict if first is None else first.code
        inner = f"<{kind} type={_quoted(code)} message={_quoted(message)}>{text}</{kind}>"
    return f"{head}{inner}</testcase>\n"


def _quoted(text: str) -> str:
    return quoteattr(safe(encodable(text)))


def _clean(text: str) -> str:
    return escape(encodable(text))
