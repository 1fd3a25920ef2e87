"""What an editor shows over a place: the tower after a turn, the clause behind a diagnostic, a ruling, a rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from couperation_formal.editor.document import Document, Exact, Part
from couperation_formal.formulas.book import Book, BookError
from couperation_formal.formulas.judge import PAGES
from couperation_formal.formulas.syntax import Term
from couperation_formal.game.diagnostic import Diagnostic
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Game, NoAction, Snapshot, Span
from couperation_formal.game.rulings import RULING_NAMES, Rules, Rulings, options_in_order, registry
from couperation_formal.game.tower import STANDARD, Cell, Tower
from couperation_formal.output.blocks import draw_tower, plain
from couperation_formal.output.clauses import ClauseText, marked, told_of
from couperation_formal.questions.records.explain import explain, explanation, failing
from couperation_formal.words.say import safe, say

_RULES = re.compile(r'\[[^\S\n]*Rules[^\S\n]*"([^"\n]*)"')
_WORD = re.compile(r"[^\s=]+")


def hover(document: Document, offset: int, exact: Exact) -> tuple[Span, str] | None:
    """What is to be shown at this offset, as Markdown, and the stretch it is about; None for nothing. Cost: at most a
    check of the game there.
    """
    part = document.part_at(offset)
    if part is None:
        return None
    named = _named(document.text, offset)
    if named is not None:
        return named
    met = [each for each in document.findings(part, exact) if each.span.start <= offset <= each.span.end]
    tower = _tower(document, part, offset)
    report = document.report(part)
    rules = report.rules if report is not None else None
    sections = [_clause(each.found, rules) + _instance(each.found, part, rules) for each in met]
    word = _word(part, offset, rules)
    sections += [say(word[1])] if word is not None else []
    if not sections and tower is None:
        return None
    span = met[0].span if met else word[0] if word is not None else tower[0] if tower else Span(offset, offset)
    return span, "\n\n---\n\n".join([*sections, *([tower[1]] if tower is not None else [])])


def _clause(diagnostic: Diagnostic, rules: Rules | None) -> str:
    """The clause of a diagnostic: title, rule, and the rulings that the diagnostic hangs on."""
    clause = explain(diagnostic.code)
    kind = "" if diagnostic.severity == "error" else say(fact(f"found_{diagnostic.severity}"))
    lines = [f"**{diagnostic.code}**{kind}"]
    if isinstance(clause, ClauseText):
        told = told_of(diagnostic.code, "" if rules is None else rules.rulebook)
        lines = [f"**{diagnostic.code}**{kind} · {told or clause.title}", clause.rule]
    if diagnostic.rulings and rules is not None:
        hangs = say(fact("hover_clause_hangs" if diagnostic.of_clause else "hover_hangs"))
        lines += [hangs, "\n".join(_option(name, rules.rulings) for name in diagnostic.rulings)]
    return "\n\n".join(lines)


def _instance(diagnostic: Diagnostic, part: Part, rules: Rules | None) -> str:
    """The instance of the clause's formula that fails; nothing where none is told."""
    lines = failing(part.item, diagnostic, rules) if isinstance(part.item, Game) else ()
    return f"\n\n{say(fact('hover_why'))}\n\n{fenced(chr(10).join(lines))}" if lines else ""


def _option(name: str, rulings: Rulings) -> str:
    ruling = registry().rulings[name]
    chosen = rulings.option(name)
    names = [(each.name, marked(name, each.name)) for each in ruling.options]
    options = ", ".join(f"**{shown}**" if option == chosen else shown for option, shown in names)
    return f"- `{name}`: {ruling.question} {options}"


def _word(part: Part, offset: int, rules: Rules | None) -> tuple[Span, Fact] | None:
    """What a word of the notation under the offset says: a part of a turn that is no card, a line of a position."""
    for span, what in _words(part, rules):
        if span is not None and part.within(span).start <= offset <= part.within(span).end:
            return part.within(span), what
    return None


def _words(part: Part, rules: Rules | None) -> Iterator[tuple[Span | None, Fact]]:
    item = part.item
    if isinstance(item, Snapshot):
        lines, idle = item.layout.lines, item.position.idle
        yield lines.get("last"), fact("notes_last_nothing" if idle else "notes_last")
        yield from ((lines.get(name), fact(f"notes_{name}")) for name in ("skipped", "replaced"))
    elif isinstance(item, Game):
        skipped = rules is not None and rules.rulings.no_action == "skipped"
        for turn, layout in zip(item.record.turns, item.layout.turns, strict=True):
            if turn.draw_open:
                yield layout.draw, fact("notes_draw_open")
            if isinstance(turn.action, NoAction):
                yield layout.action, fact("notes_pass_skipped" if skipped else "notes_pass_loses")
            yield layout.fill, fact("notes_fill_open" if turn.fill_open else "notes_part_fill")
            yield from ((layout.drop, fact("notes_part_drop")), (layout.trim, fact("notes_part_trim")))


def _named(text: str, offset: int) -> tuple[Span, str] | None:
    """The ruling, option or rulebook under the offset, inside a Rules tag."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : len(text) if end < 0 else end]
    tag = _RULES.search(line)
    if tag is None or not tag.start(1) <= offset - start <= tag.end(1):
        return None
    for word in _WORD.finditer(line, tag.start(1), tag.end(1)):
        if word.start() <= offset - start <= word.end():
            return _explained(word.group(), line[: word.start()], Span(start + word.start(), start + word.end()))
    return None


def _explained(word: str, before: str, span: Span) -> tuple[Span, str] | None:
    if before.endswith("="):
        word = _WORD.findall(before)[-1].rpartition('"')[2]
    if word not in RULING_NAMES and word not in registry().rulebooks:
        return None
    return span, fenced(plain(explanation(explain(word))))


def _tower(document: Document, part: Part, offset: int) -> tuple[Span, str] | None:
    """The tower after the turn at this offset, or before it where the turn has none after it; a position's own tower
    over its line `tower`.
    """
    item = part.item
    if isinstance(item, Snapshot):
        span = part.within(item.layout.lines["tower"])
        if not span.start <= offset <= span.end:
            return None
        tower = Tower.of(STANDARD, dict(item.position.tower))
        return span, _drawn(fact("the_tower"), tower, item.position.rules.rulings, item.position.last)
    report = document.report(part)
    if not isinstance(item, Game) or report is None or report.rules is None:
        return None
    for number, layout in enumerate(item.layout.turns, 1):
        span = part.within(layout.line)
        if span.start <= offset <= span.end and report.states:
            last = min(number, len(report.states) - 1)
            state = report.states[last]
            caption = fact("hover_turn", turn=last) if last else fact("hover_setup")
            if last < number:
                caption = fact("hover_none", tower=caption, turn=number)
            return span, _drawn(caption, state.tower, report.rules.rulings, state.touched)
    return None


def _drawn(caption: Fact, tower: Tower, rulings: Rulings, marked: Cell | None) -> str:
    return f"{say(caption)}\n\n{fenced(chr(10).join(draw_tower(tower, rulings, marked)))}"


def fenced(text: str) -> str:
    """A text as a block that Markdown leaves as it is. Control characters are escaped."""
    lines = [safe(line) for line in text.rstrip("\n").split("\n")]
    return "\n".join(["```text", *lines, "```"])


# Formulas in Markdown as an editor shows them: the first error of their book, types and meanings under the cursor.
#
# A page of a specification (a folder with `step.md` and `clauses`) is read with its other pages as they lie on disk,
# any other page for itself.

MOST = 512 * 1024
"""A page with more characters is not read."""

_NAME = re.compile(r"<?[^\W\d]\w*'?")
_FENCE = re.compile(r"^```formula *$", re.MULTILINE)


class Page:
    """A page with formulas: its book, or what is wrong with it. Cost: that of `Book`, some 0.3 s for all pages."""

    def __init__(self, path: Path | None, text: str) -> None:
        self.text = text.replace("\r\n", " \n")
        self.book: Book | None = None
        self.fault: tuple[Span, str] | None = None
        self._name = "page.md" if path is None else path.name
        if len(text) > MOST or not _FENCE.search(self.text):
            return
        pages = {self._name: self.text}
        if path is not None and (root := _root(path)) is not None:
            self._name = path.relative_to(root).as_posix()
            pages = {page: (root / page).read_text("utf-8", "replace") for page in PAGES if (root / page).is_file()}
            pages[self._name] = self.text
        try:
            self.book = Book(pages, dict(options_in_order()))
        except BookError as error:
            here = error.page == self._name
            start = self.text.index("```formula")
            self.fault = (error.span, error.message) if here else (Span(start, start + 10), str(error))

    def hover(self, offset: int) -> tuple[Span, str] | None:
        """The type of what stands at this offset, and what it means, as Markdown; None outside of formulas."""
        if self.book is None:
            return None
        word = next((match for match in _NAME.finditer(self.text) if match.start() <= offset < match.end()), None)
        if word is None or not self.book.written(self._name, offset):
            return None
        span = Span(*word.span())
        typed = min(
            (term for term in self._terms() if term.span.start <= offset < term.span.end),
            key=lambda term: term.span.end - term.span.start,
            default=None,
        )
        name, lines = word[0], []
        if typed is not None and typed.span == span:
            lines.append(f"{name}: {typed.type}")
        elif name in self.book.givens or name in self.book.definitions:
            lines.append(f"{name}: {self.book.type_of(name)}")
        if meaning := self.book.source(name):
            lines += ["", meaning] if lines else [meaning]
        return (span, fenced("\n".join(lines))) if lines else None

    def _terms(self) -> Iterator[Term]:
        """Every part of a definition on this page, and every variable and pattern."""
        book = self.book
        definitions = book.definitions if book is not None else {}
        waiting = [
            each.body for name, each in definitions.items() if book is not None and book.page_of(name) == self._name
        ]
        while waiting:
            term = waiting.pop()
            yield term
            waiting += [*term.args, *term.steps]


def _root(path: Path) -> Path | None:
    """The folder of the specification that a page belongs to."""
    places = list(path.parents)[:2]
    return next((each for each in places if (each / "step.md").is_file() and (each / "clauses").is_dir()), None)
