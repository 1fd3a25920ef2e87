"""A document that is being typed: its games and their reports, its lines and columns as the protocol counts them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types
from msgspec import structs

from couperation_formal.game.record import Diagnostic, Game, Snapshot, Span
from couperation_formal.game.rulings import Rules
from couperation_formal.notation.parse import OwnMarks, read_marks
from couperation_formal.notation.read import Item, read_text
from couperation_formal.output.clauses import complaint
from couperation_formal.output.configuration import configured, find_configuration
from couperation_formal.output.report import Report, source_of
from couperation_formal.questions.records import check, verdict

# A document's text as the protocol counts it: lines, and columns in code units of the agreed encoding.

_LINE_END = re.compile(r"\r\n|\n|\r")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WIDTHS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
_CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


class Text:
    """A text and the places in it. Offsets count characters; a position's column counts code units of `encoding`
    (``utf-8``, ``utf-16`` or ``utf-32``).

    Half a surrogate pair, which no encoding can write, is replaced by U+FFFD, so that offsets stay what they are.
    """

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = _SURROGATE.sub("\ufffd", text)
        self._codec, self._width = _CODECS[encoding], _WIDTHS[encoding]
        ends = list(_LINE_END.finditer(self.text))
        self._starts = [0, *(end.end() for end in ends)]
        self._ends = [*(end.start() for end in ends), len(self.text)]

    def position(self, offset: int) -> types.Position:
        """The position of an offset; one beyond the text is its end. Cost: linear in the line."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[line] : min(offset, self._ends[line])]
        return types.Position(line, len(before.encode(self._codec)) // self._width)

    def offset(self, position: types.Position) -> int:
        """The offset of a position; a column beyond its line is the line's end, a line beyond the text the text's end.
        A column within a character is that character's beginning.
        """
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[position.line]
        line = self.text[start : self._ends[position.line]].encode(self._codec)
        return start + len(line[: position.character * self._width].decode(self._codec, "ignore"))

    def range(self, span: Span) -> types.Range:
        """The range of a stretch of the text."""
        return types.Range(self.position(span.start), self.position(span.end))

    @property
    def whole(self) -> types.Range:
        """The range of the whole text."""
        return self.range(Span(0, len(self.text)))


# A document as its games: what stands where, and the verdicts, kept for the games that did not change.

_BOM = "\ufeff"


class Part(NamedTuple):
    """One game of a document, and the offset in the document at which its text begins."""

    start: int
    item: Item

    @property
    def text(self) -> str:
        """The game's own text."""
        return source_of(self.item).text

    def within(self, span: Span) -> Span:
        """A stretch of the game's text as one of the document's."""
        return Span(self.start + span.start, self.start + span.end)


class Finding(NamedTuple):
    """A diagnostic and its stretch of the document."""

    span: Span
    found: Diagnostic


class Chosen(NamedTuple):
    """What the configuration of a document's folder says: its file, the rulebook and the marks."""

    file: Path | None = None
    rules: Rules | None = None
    marks: OwnMarks | None = None

    def taken(self, item: Item) -> Item:
        """The item, judged by what it does not say itself."""
        judged: Item = check.marked(configured(item, self.rules), self.marks)[0]
        return judged


UNCHOSEN = Chosen()


def chosen_for(path: Path, roots: Iterable[Path]) -> Chosen:
    """The configuration of a document in a workspace, whose folders it does not leave; none for what lies outside.
    Raises `TomlError` and `OSError`.
    """
    for root in roots:
        if path.resolve().is_relative_to(root.resolve()):
            configuration = find_configuration(path.resolve().parent, root)
            if configuration is not None:
                return Chosen(
                    configuration.file,
                    configuration.rules,
                    None if configuration.marks is None else read_marks(configuration.marks),
                )
    return UNCHOSEN


Exact = Mapping[str, tuple[Diagnostic, ...]]
"""The diagnostics of the games that the exact engine has decided, by the game's text."""


class Document:
    """A text read as CGN. Reports are made when they are asked for; those of `before`, an earlier reading of the same
    document, are kept for the games whose text is the same. `chosen` is the configuration of the document's folder.

    Cost of reading: linear in the text; of a report, see `questions.records.check.check` with the plain engine.
    """

    def __init__(self, text: str, before: Document | None = None, chosen: Chosen = UNCHOSEN) -> None:
        self.text, self.chosen = text, chosen
        self.parts = tuple(part._replace(item=self.chosen.taken(part.item)) for part in _parts(text))
        self._kept = before.reports if before is not None and before.chosen == self.chosen else {}
        self.reports: dict[str, Report] = {}
        """The reports made so far, by the game's text."""

    def part_at(self, offset: int) -> Part | None:
        """The game that holds this offset."""
        return next((part for part in reversed(self.parts) if part.start <= offset), None)

    def report(self, part: Part) -> Report | None:
        """The plain verdict on one of the parts; None for a position."""
        if isinstance(part.item, Snapshot):
            return None
        text = part.text
        if text not in self.reports:
            kept = self._kept.get(text)
            self.reports[text] = kept if kept is not None else check.check(part.item, engine="plain")
        return self.reports[text]

    def findings(self, part: Part, exact: Exact) -> list[Finding]:
        """The diagnostics on one of the parts, as people read them: the exact engine's where it has decided, else the
        plain ones.
        """
        report, game = self.report(part), None
        diagnostics: Sequence[Diagnostic] = verdict.tag_warnings(part.item) if isinstance(part.item, Snapshot) else ()
        if report is not None:
            diagnostics, game = exact.get(part.text, report.diagnostics), report.game
        told = [structs.replace(each, message=complaint(each, game)) for each in diagnostics]
        return [Finding(part.within(each.span), each) for each in told]

    def doubtful(self) -> list[str]:
        """The texts of the games that the plain engine leaves undetermined or that it refuses with a doubt before."""
        return [part.text for part in self.parts if isinstance(part.item, Game) and self._doubts(part)]

    def _doubts(self, part: Part) -> bool:
        report = self.report(part)
        if report is None or report.verdict != "illegal":
            return report is not None and report.verdict == "undetermined"
        return "?" in part.text  # something is left open, so that an earlier turn may be the illegal one


def _parts(text: str) -> Iterator[Part]:
    """The games of a text with the offsets at which they begin. The reader counts lines by their LF and leaves a byte
    order mark out.
    """
    line, start = 1, len(_BOM) if text.startswith(_BOM) else 0
    for item in read_text(text):
        wanted = source_of(item).line
        while line < wanted:
            start = text.find("\n", start) + 1
            line += 1
        yield Part(start, item)
