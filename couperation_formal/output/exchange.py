"""Forms that other programs read: SARIF 2.1.0 for static analysis, JUnit's XML for build servers."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from couperation_formal.game.diagnostic import NOTATION, Diagnostic
from couperation_formal.game.record import Span
from couperation_formal.output.clauses import clauses, complaint, hanging
from couperation_formal.output.report import Report, place_of, source_of
from couperation_formal.words.say import encodable, phrase, safe

# SARIF 2.1.0, the exchange form of static analysis results.

HOME = "https://github.com/couperation/couperation-formal"
"""Where the project is at home, as `pyproject.toml` says too."""

_ROOT = "%SRCROOT%"

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_results(report: Report) -> list[dict[str, Any]]:
    """A result for each diagnostic of one game; a legal game without a warning leaves none. A note is a result of its
    own level that is related to the error above it.
    """
    codes = _codes()
    error = report.error
    return [_result(each, error, report, codes.index(each.code)) for each in report.diagnostics]


def sarif_head(version: str, configuration: str | None = None) -> str:
    """The log of one run up to its first result; results with commas between them follow, and ``]}]}``. Every clause is
    a rule of it. `version` is the tool's own, `configuration` the file that it was configured by.
    """
    driver = {
        "name": "couperation",
        "informationUri": HOME,
        "version": version,
        "rules": [_rule(code) for code in _codes()],
    }
    run: dict[str, Any] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}
    if configuration is not None:
        run["properties"] = {"configuration": configuration}
    run["results"] = []
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, separators=(",", ":")).removesuffix("]}]}")


def _codes() -> list[str]:
    return [NOTATION, *clauses()]


def _rule(code: str) -> dict[str, Any]:
    if code == NOTATION:
        title, text, page = phrase("cgn_title"), phrase("cgn_in_short"), "notation.md"
    else:
        title, text = clauses()[code].title, clauses()[code].rule
        page = clauses()[code].page
    return {
        "id": code,
        "name": _name(title),
        "helpUri": f"{HOME}/blob/main/spec/{page}",
        "shortDescription": {"text": title},
        "fullDescription": {"text": text},
        "help": {"text": phrase("more_of_clause", text=text, code=code)},
        "defaultConfiguration": {"level": "warning" if code == "SET05" else "error"},
    }


def _location(diagnostic: Diagnostic, report: Report) -> dict[str, Any]:
    place = place_of(source_of(report.item), diagnostic.span)
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    return {"physicalLocation": {"artifactLocation": _place(report.item.file), "region": region}}


def _result(diagnostic: Diagnostic, error: Diagnostic | None, report: Report, index: int) -> dict[str, Any]:
    related = []
    if diagnostic.severity == "note" and error is not None:
        text = phrase("of_error", code=error.code, message=error.message)
        related = [{**_location(error, report), "message": {"text": text}}]
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": diagnostic.severity,
        "message": {"text": diagnostic.message + hanging(diagnostic)},
        "locations": [_location(diagnostic, report)],
        **({"relatedLocations": related} if related else {}),
        "partialFingerprints": {"couperation/v1": _fingerprint(diagnostic, report)},
        "properties": {"game": report.item.index, "turn": diagnostic.turn, "rulings": list(diagnostic.rulings)},
    }


def _name(title: str) -> str:
    """A rule's name as SARIF wants it: the words of its title, each with a capital, without blanks."""
    return "".join(word[:1].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", title))


def _fingerprint(diagnostic: Diagnostic, report: Report) -> str:
    """What a finding is, wherever its line moves to: the file, the event, the clause and the line's own words."""
    source = source_of(report.item)
    line = source.text[slice(*_line(source.text, diagnostic.span))]
    told = (
        _place(report.item.file)["uri"],
        diagnostic.code,
        diagnostic.severity,
        " ".join(line.split()),
        diagnostic.message,
    )
    return hashlib.sha256("\0".join(map(encodable, map(str, told))).encode()).hexdigest()[:32]


def _line(text: str, span: Span) -> tuple[int, int]:
    """The line on which a stretch begins, as offsets."""
    end = text.find("\n", span.start)
    return text.rfind("\n", 0, span.start) + 1, len(text) if end < 0 else end


def _place(file: str) -> dict[str, str]:
    """A file as SARIF names it: what lies in the working folder relative to this, standard input as ``-``."""
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(os.fsencode(path.as_posix())), "uriBaseId": _ROOT}


# JUnit's XML, which build servers show: a suite, and in it a test case for each game.

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
        first = report.error
        message = report.verdict if first is None else complaint(first, report.game) + hanging(first)
        code = report.verdict if first is None else first.code
        inner = f"<{kind} type={_quoted(code)} message={_quoted(message)}>{text}</{kind}>"
    return f"{head}{inner}</testcase>\n"


def _quoted(text: str) -> str:
    return quoteattr(safe(encodable(text)))


def _clean(text: str) -> str:
    return escape(encodable(text))
