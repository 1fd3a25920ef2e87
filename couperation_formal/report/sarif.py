"""SARIF 2.1.0, the exchange form of static analysis results."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from couperation_formal.analysis.verify import Report
from couperation_formal.answers.place import place_of, source_of
from couperation_formal.model.diagnostic import NOTATION, Diagnostic
from couperation_formal.report.clauses import clauses
from couperation_formal.words.say import phrase

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_results(report: Report) -> list[dict[str, Any]]:
    """A result for each diagnostic of one game; a legal game without a warning leaves none. A note is a result of its
    own level that is related to the error above it.
    """
    codes = _codes()
    error = next((found for found in report.diagnostics if found.severity == "error"), None)
    return [_result(found, error, report, codes.index(found.code)) for found in report.diagnostics]


def sarif_head(version: str) -> str:
    """The log of one run up to its first result; results with commas between them follow, and ``]}]}``. Every clause is
    a rule of it. `version` is the tool's own.
    """
    driver = {"name": "couperation", "version": version, "rules": [_rule(code) for code in _codes()]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": []}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, separators=(",", ":")).removesuffix("]}]}")


def _codes() -> list[str]:
    return [NOTATION, *clauses()]


def _rule(code: str) -> dict[str, Any]:
    if code == NOTATION:
        title, text = phrase("cgn_title"), phrase("cgn_in_short")
    else:
        title, text = clauses()[code].title, clauses()[code].rule
    return {
        "id": code,
        "shortDescription": {"text": title},
        "fullDescription": {"text": text},
        "help": {"text": phrase("more_of_clause", text=text, code=code)},
        "defaultConfiguration": {"level": "warning" if code == "SET05" else "error"},
    }


def _location(found: Diagnostic, report: Report) -> dict[str, Any]:
    place = place_of(source_of(report.item), found.span)
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(report.item.file)}, "region": region}}


def _result(found: Diagnostic, error: Diagnostic | None, report: Report, index: int) -> dict[str, Any]:
    related = []
    if found.severity == "note" and error is not None:
        text = phrase("of_error", code=error.code, message=error.message)
        related = [{**_location(error, report), "message": {"text": text}}]
    return {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": found.severity,
        "message": {"text": found.message},
        "locations": [_location(found, report)],
        **({"relatedLocations": related} if related else {}),
        "properties": {"game": report.item.index, "turn": found.turn, "rulings": list(found.rulings)},
    }


def _uri(file: str) -> str:
    """A file's name as a URI reference: relative names stay relative, standard input is ``-``."""
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
