"""What is broken, in the words and frames of the terminal's report, as data for the templates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from couperation_formal.game.diagnostic import Diagnostic
from couperation_formal.game.fact import fact
from couperation_formal.game.rulings import registry
from couperation_formal.output.clauses import clauses, complaint, marked, source_lines, told_of
from couperation_formal.output.report import Report, frame, line_at, source_of
from couperation_formal.page.steps import file_name
from couperation_formal.questions.disputes.dispute import (
    BookData,
    Dispute,
    HangsData,
    TermData,
    standing_words,
    untold_words,
)
from couperation_formal.questions.records.check import hangs_on
from couperation_formal.questions.records.explain import failing
from couperation_formal.questions.records.provided import kind_of, provided_words, together
from couperation_formal.words.say import phrase, safe

MAX_SHOWN = 100
"""So many findings of one game are shown at most."""


class Finding(NamedTuple):
    """One diagnostic: where it is, the line with its carets, and what it hangs on. `title` is the clause's with its
    places in the texts, `rule` what the clause says, both empty where it is about the notation. `why` is the instance
    of its formula that fails.
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
        where=f"{safe(file_name(report.item.file))}:{line.number}:{line.start + 1}",
        title=told_of(found.code, "" if report.rules is None else report.rules.rulebook) or "",
        rule="" if clause is None or found.severity == "note" else clause.rule.replace("`", ""),
        message=safe(complaint(found, report.game)),
        number=line.number,
        line=shown,
        carets=" " * indent + "^" * width,
        hangs=next((phrase("this_hangs", said=text) for text, _ in hangs_on(found, report.rules)), ""),
        formula="" if clause is None else clause.formula,
        why=() if report.game is None else tuple(map(safe, failing(report.game, found, report.rules))),
    )


class BookRow(NamedTuple):
    """What one rulebook says; a clause with its title. `turn` and `clause` may say that they were not found."""

    name: str
    verdict: str
    turn: str
    code: str
    clause: str


class DisputeView(NamedTuple):
    """What every rulebook says, and what the answer hangs on, as sentences: of a record, with those on the turns that
    it marks as disputed, or of such a turn `at`. `remarks` stand before the rulebooks, `sources` tell of the clauses
    where no reading is legal, `untold` what the budget did not suffice for. `open` tells that some reading may yet be
    legal or not.
    """

    books: tuple[BookRow, ...]
    provided: tuple[tuple[str, ...], ...]
    decisive: tuple[tuple[str, str], ...]
    conditions: tuple[tuple[str, str], ...]
    at: int | None
    remarks: tuple[str, ...]
    sources: tuple[str, ...]
    untold: tuple[str, ...]
    open: bool
    quarrels: tuple[DisputeView, ...]


def dispute_view(found: Dispute) -> DisputeView:
    """A dispute for the templates."""
    data, nowhere = found.data(), found.nowhere_words()
    legal = [name for name, said in data.rulebooks.items() if said.verdict == "legal"]
    provided = (
        tuple(map(safe, provided_words(each, found.game.record, whose)))
        for each, whose in together(data.provisos, legal)
    )
    books = tuple(_book(name, said, f"rulebooks.{name}" in data.untold) for name, said in data.rulebooks.items())
    silent = data.legal_when == () and not nowhere
    codes = dict.fromkeys(book.code for book in books if book.code) if silent else ()
    hangs = any(kind_of(each) != "always" for each in data.provisos.values())
    return DisputeView(
        books=books,
        provided=tuple(provided),
        decisive=tuple((name, registry().rulings[name].question) for name in data.decisive),
        conditions=() if nowhere else tuple(_conditions(data, hangs)),
        at=found.at,
        remarks=(*standing_words(found.standing), *([safe(nowhere)] if nowhere else [])),
        sources=tuple(line for code in codes for line in source_lines(code)),
        untold=tuple(untold_words(data)),
        open=data.undetermined_when != (),
        quarrels=tuple(map(dispute_view, found.quarrels)),
    )


def _conditions(data: HangsData, hangs: bool) -> Iterator[tuple[str, str]]:
    """Each verdict that some reading has, and when; the legal one may hang on what nobody noted."""
    for verdict, terms in (
        ("legal", data.legal_when),
        ("illegal", data.illegal_when),
        ("undetermined", data.undetermined_when),
    ):
        if terms != ():
            words = phrase("some_readings") if terms is None else condition_words(terms)
            yield verdict, phrase("with_proviso", when=words) if hangs and verdict == "legal" else words


def _book(name: str, said: BookData, missing: bool) -> BookRow:
    """The row of one rulebook; of which the turn and the clause may be `missing`."""
    none = phrase("not_found") if missing else ""
    return BookRow(
        name=name,
        verdict=said.verdict,
        turn=none if said.turn is None else str(said.turn),
        code=said.code or "",
        clause=told_of(said.code, name) or "" if said.code else none,
    )


def condition_words(terms: Sequence[TermData]) -> str:
    """A condition in words: terms joined by *or*, each with the options that it allows."""
    if any(not term for term in terms):
        return phrase("every_reading")
    parts = [
        [
            fact("ruling_is_one", name=name, options=tuple(marked(name, each) for each in options))
            for name, options in term.items()
        ]
        for term in terms
    ]
    return phrase("when", terms=tuple(fact("term", parts=tuple(each)) for each in parts))
