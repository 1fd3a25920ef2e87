"""One line for each diagnostic, for people in a hurry and for editors."""

from __future__ import annotations

from couperation_formal.analysis.verify import Report
from couperation_formal.answers.place import place_of, source_of
from couperation_formal.report.clauses import cited, complaint, hanging
from couperation_formal.words.say import phrase
from couperation_formal.words.text import safe


def concise(report: Report) -> list[str]:
    """``file:line:column: CODE message (places) [hangs on between]`` for each diagnostic; a warning or note says so."""
    source = source_of(report.item)
    lines = []
    for found in report.diagnostics:
        place = place_of(source, found.span)
        kind = "" if found.severity == "error" else f"{phrase(found.severity)}: "
        where = f"{safe(report.item.file)}:{place.line}:{place.column}"
        told = f"{safe(complaint(found, report.game))}{cited(found.code, report.rules)}{hanging(found)}"
        lines.append(f"{where}: {found.code} {kind}{told}")
    return lines
