"""What is broken, in the words and frames of the terminal's report, as data for the templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from couperation_formal.analysis.verify import Report
from couperation_formal.answers.place import line_at, source_of
from couperation_formal.model.diagnostic import Diagnostic
from couperation_formal.model.fact import fact
from couperation_formal.model.rulings import Rules, registry
from couperation_formal.report.clauses import clauses, title_of
from couperation_formal.report.frame import frame
from couperation_formal.report.why import failing
from couperation_formal.words.say import phrase
from couperation_formal.words.text import safe

MAX_SHOWN = 100
"""So many findings of one game are shown at most."""


class Finding(NamedTuple):
    """One diagnostic: where it is, the line with its carets, and what it hangs on. `title` is the clause's, `rule` what
    the clause says, both empty where it is about the notation. `why` is the instance of its formula that fails.
    """

    code: str
    severity: str
    turn: int | None
    where: str
    title: str
    rule: str
    message: str
    number: int
    line: str
    carets: str
    hangs: str
    formula: str
    why: tuple[str, ...]


def findings(report: Report) -> list[Finding]:
    """The diagnostics of a report in their order, `MAX_SHOWN` at most."""
    return [_finding(found, report) for found in report.diagnostics[:MAX_SHOWN]]


def _finding(found: Diagnostic, report: Report) -> Finding:
    line = line_at(source_of(report.item), found.span)
    shown, indent, width = frame(line)
    clause = clauses().get(found.code)
    return Finding(
        code=found.code,
        severity=found.severity,
        turn=found.turn,
        where=f"{safe(report.item.file)}:{line.number}:{line.start + 1}",
        title=title_of(found.code) or "",
        rule="" if clause is None or found.severity == "note" else clause.rule.replace("`", ""),
        message=safe(found.message),
        number=line.number,
        line=shown,
        carets=" " * indent + "^" * width,
        hangs=_hangs(found, report.rules),
        formula="" if clause is None else clause.formula,
        why=() if report.game is None else tuple(map(safe, failing(report.game, found, report.rules))),
    )


def _hangs(found: Diagnostic, rules: Rules | None) -> str:
    """The rulings that a finding hangs on, and their other options."""
    if rules is None or not found.rulings:
        return ""
    parts = []
    for name in found.rulings:
        mine = rules.rulings.option(name)
        others = tuple(option for option in registry().rulings[name].option_names() if option != mine)
        parts.append(fact("ruling_else", name=name, mine=mine, others=others))
    return phrase("this_hangs_on", rulings=tuple(parts))


class BookRow(NamedTuple):
    """What one rulebook says; a clause with its title."""

    name: str
    verdict: str
    turn: int | None
    code: str
    clause: str


class DisputeView(NamedTuple):
    """What every rulebook says, and what the answer hangs on, as sentences."""

    books: tuple[BookRow, ...]
    decisive: tuple[tuple[str, str], ...]
    conditions: tuple[tuple[str, str], ...]


def dispute_view(data: Mapping[str, Any]) -> DisputeView:
    """The JSON form of a dispute for the templates: `rulebooks`, `decisive` and the three conditions are read."""
    books = tuple(
        BookRow(name, said["verdict"], said.get("turn"), said.get("code") or "", title_of(said.get("code") or "") or "")
        for name, said in data["rulebooks"].items()
    )
    decisive = tuple((name, registry().rulings[name].question) for name in data["decisive"])
    wanted = (("legal", "legal_when"), ("illegal", "illegal_when"), ("undetermined", "undetermined_when"))
    conditions = tuple((verdict, condition_words(data[key])) for verdict, key in wanted if data.get(key))
    return DisputeView(books, decisive, conditions)


def condition_words(terms: list[Mapping[str, Any]]) -> str:
    """A condition in words: terms joined by *or*, each with the options that it allows."""
    if any(not term for term in terms):
        return phrase("every_reading")
    parts = [
        [fact("ruling_is_one", name=name, options=tuple(options)) for name, options in term.items()] for term in terms
    ]
    return phrase("when", terms=tuple(fact("term", parts=tuple(each)) for each in parts))
