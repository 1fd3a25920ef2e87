"""Reading on after a fault: every broken line is told, the others count, and what was surely meant is read as meant.

A text comes here only when the grammar has refused it or when a look-alike stands in it; see `spec/notation.md`. It
loses its comments (`bare`), then each line is read by itself, by the grammar, as a line of that part of a game in which
it stands. A fault with an edit is mended and its line read again, so that the next fault on the line is told too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from lark.exceptions import UnexpectedInput

from couperation_formal.model.diagnostic import Edit
from couperation_formal.model.fact import fact
from couperation_formal.model.record import Span, TurnLayout
from couperation_formal.notation.bare import MAX_FAULTS, bare_text
from couperation_formal.notation.errors import explain
from couperation_formal.notation.fault import Fault, shorten
from couperation_formal.notation.names import look_alikes, players_of
from couperation_formal.notation.parse import parser
from couperation_formal.notation.patterns import CONTINUES, LIST_GOES_ON
from couperation_formal.notation.slips import stand_in
from couperation_formal.notation.strip import Strip
from couperation_formal.notation.words import meant_name, name_of

_MOST_OF_LINE = 12
"""So many faults of one line are told."""

_PREFIXES = {
    "begin": "",
    "tags": '[CGN "1"]\n',
    "setup": '[CGN "1"]\nreserve\n',
    "turns": '[CGN "1"]\n1. a -\n',
    "result": '[CGN "1"]\n*\n',
    "position": '[CGN "1"]\nposition\n',
}
"""A text after which each part of a game goes on."""

_NEXT = {
    "[": {"begin": "tags", "tags": "tags"},
    "position": {"tags": "position"},
    **{key: {"tags": "setup", "setup": "setup"} for key in ("deal", "reserve", "deck")},
    "1.": dict.fromkeys(("tags", "setup", "turns"), "turns"),
    **dict.fromkeys(("win", "loss", "stuck", "*"), dict.fromkeys(("tags", "setup", "turns"), "result")),
}
"""Into which part the first word of a line leads from which; a line with another one stays in its part."""

_NUMBER = re.compile(r"[0-9]+\.?")
_NAMED = re.compile(r"\s*[0-9]+\.\s*(\S+)")
_GOES_ON = re.compile(r"\s*(?:[+＋]|[A-DＡ-Ｄa-d](?=[\s0-9])|-(?:\s|$)|draw)")
_BEGINNINGS = frozenset("[dr0123456789")
_COMMENT = re.compile("[{｛][^}｝]*[}｝]")
_WORD = re.compile(r"[^\s;{]*")
_CARDS_ONLY = re.compile(r"[\s,]*(?:[0-9]{1,2}|[F?])(?:[\s,]+(?:[0-9]{1,2}|[F?]))*[\s.]*$")
_LISTED = re.compile(r"\s*(?:deal\s+\S|reserve|deck|tower|hand\s+\S|gone)")
_STRAY = re.compile(r"\s*(?:(?:deal|hand)\s+\S+|reserve|deck|gone)\s*$")
_FIRST = re.compile(r"\[|[0-9]+\.|\S+")


class Lines:
    """What was read of a text with faults.

    `faults` are in the order in which they were found. `whole` tells whether every line before the first turn was read.
    `text` holds the lines as they were meant, without comments, empty where a line cannot be read; `broken` is the
    offset in it of the first such line, None where there is none. Beyond `MAX_FAULTS` faults lines are only counted:
    `more` tells how many cannot be read.
    """

    def __init__(self, text: str, accepted: bool = False) -> None:
        self._source = text
        self._bare = bare_text(text, accepted)
        self.faults: list[Fault] = list(self._bare.faults)
        self.part = "begin"
        self.whole = True
        self.more: Fault | None = None
        self._kept: list[Strip] = []
        self._broken: int | None = None
        self._players = players_of(self._bare.text)
        self._turns = 0
        self._over = self._headless = False
        self._read()

    @property
    def text(self) -> str:
        """The lines as they were meant."""
        return "\n".join(strip.text for strip in self._kept)

    @property
    def broken(self) -> int | None:
        """Where in `text` the first line stands that cannot be read."""
        if self._broken is None:
            return None
        return sum(len(strip.text) + 1 for strip in self._kept[: self._broken])

    def origin(self) -> Origin:
        """Where the characters of `text` stood in the text as it was read."""
        return Origin(self._kept)

    def _read(self) -> None:
        waiting: list[Strip] = []
        start = 0
        for line in self._bare.text.split("\n"):
            waiting.append(Strip(line.rstrip("\r"), start))
            start += len(line) + 1
        waiting.reverse()
        more, rest = 0, Span(0, 0)
        comments = iter(sorted(self._bare.open))
        comment = next(comments, None)
        while waiting and not self._headless:
            strip = waiting.pop()
            within = False
            while comment is not None and comment <= strip.origin(len(strip.text), len(strip.text)).end:
                within, comment = True, next(comments, None)
            if not strip.text.strip():
                self._kept.append(strip)
            elif len(self.faults) >= MAX_FAULTS:
                if not _at_sight(strip.text):
                    rest = rest if more else strip.origin(0, len(strip.text))
                    more += 1
                    self._broken = len(self._kept) if self._broken is None else self._broken
            elif within:
                self._within(strip, waiting)
            elif not self._joined(strip, waiting):
                waiting += reversed(self._line(strip))
        self.more = Fault(rest, fact("more_lines", lines=more)) if more else None

    def _within(self, strip: Strip, waiting: list[Strip]) -> None:
        """Read a line in which a comment is never closed, or one ends that was never opened. The comment ends with the
        line where both this line and the next one can be read."""
        if line_fault(self.part, strip.text) is not None:
            self._lose(strip)
            return
        self._take(strip)
        after = next((other.text for other in reversed(waiting) if other.text.strip()), None)
        end = strip.origin(len(strip.text), len(strip.text)).start
        told = self.faults and max(self.faults, key=lambda each: (each.what.kind == "open_comment", each.span))
        if told and told.what.kind == "open_comment" and told.span.start < end and (after is None or _at_sight(after)):
            last = len(self._source[:end].rstrip(" \t"))
            if "\n" not in self._source[told.span.start : end]:
                at = self.faults.index(told)
                self.faults[at] = told._replace(edit=Edit(Span(last, last), " }"))

    def _line(self, strip: Strip) -> list[Strip]:
        """Read one line. What comes back are the lines that one became by an edit, still to be read."""
        self._look(strip)
        lost, least = False, -1
        found: Fault | None = None
        known: set[tuple[Span, str]] = set()
        for _ in range(_MOST_OF_LINE):
            found = self._fault(strip)
            if found is None or found.span.start < least or not self._tell(found, strip, known):
                break
            edit = found.edit or stand_in(strip.text, found)
            lost = lost or found.edit is None
            if edit is None:
                break
            strip.mend(edit)
            least = edit.span.start if found.edit is None else least
            if found.what.kind == "semicolon":
                self._look(strip)
            if "\n" in edit.replacement and not lost:
                return strip.lines()
        if lost or found is not None:
            self._headless = self.part == "begin" and not strip.text.lstrip().startswith("[")
            self._lose(strip)
        else:
            self._take(strip)
        return []

    def _fault(self, strip: Strip) -> Fault | None:
        """What is wrong with a line, by the grammar and by what stands around it."""
        found = line_fault(self.part, strip.text)
        if found is None:
            if _STRAY.match(strip.text):
                return self._after_name(strip, _CARDS_ONLY)
            return self._name_like(strip.text) if _NUMBER.match(strip.text.lstrip()) else None
        if found.what.kind == "letter_for_name" and self._players:
            start = (
                found.span.start - len(strip.text[: found.span.start]) + strip.text.rindex(".", 0, found.span.start) + 1
            )
            due = self._players[self._turns % len(self._players)]
            return found._replace(edit=Edit(Span(start, start), f" {due}"))
        after = self._after_name(strip, _GOES_ON) if found.span.start >= len(strip.text.rstrip()) else None
        return after or self._without_number(strip.text) or self._named(strip.text, found) or found

    def _after_name(self, strip: Strip, rest_is: re.Pattern[str]) -> Fault | None:
        """A ``;`` right after a name, where what it makes a comment is the rest of the line."""
        end = len(strip.text.rstrip())
        at = strip.origin(end, end).start
        if not end or not self._source.startswith(";", at):
            return None
        line_end = self._source.find("\n", at)
        bare = bare_text(self._source[at + 1 : len(self._source) if line_end < 0 else line_end])
        rest = bare.text.rstrip()
        if not rest_is.match(rest):
            return None
        self.faults += [each.moved(at + 1) for each in bare.faults]
        strip.restore(end, f";{rest}")
        blank = "" if rest[0].isspace() else " "
        return Fault(Span(end, end + 1), fact("semicolon"), Edit(Span(end, end + 1), blank))

    def _named(self, line: str, found: Fault) -> Fault | None:
        """A player's name in place of something else: before the cards of a deal, or of a turn on another's line."""
        word = _WORD.match(line, found.span.start)
        name = word.group() if word else ""
        if name_of(name.rstrip(":.,")) not in self._players or found.edit is not None:
            return None
        player, rest = name.rstrip(":.,"), line[found.span.start + len(name) :]
        span, before = Span(found.span.start, found.span.start + len(name)), line[: found.span.start]
        if (
            not before.strip()
            and self.part in ("tags", "setup")
            and line_fault("setup", f"deal {player}{rest}") is None
        ):
            meant = f"deal {player}"
            return Fault(span, fact("deal_missing", meant=shorten(meant)), Edit(span, meant))
        if _NUMBER.match(before.lstrip()) and line_fault("turns", f"{self._turns + 2}. {player}{rest}") is None:
            meant = f"{self._turns + 2}. {player}"
            start = len(before.rstrip())
            return Fault(span, fact("line_alone", word=shorten(meant)), Edit(Span(start, span.end), f"\n{meant}"))
        return None

    def _name_like(self, line: str) -> Fault | None:
        """A turn's name that is a player's but for capitals and marks at its end."""
        m = _NAMED.match(line)
        name = m.group(1) if m else ""
        if m is None or name_of(name) in self._players:
            return None
        like = meant_name(name, self._players)
        if like is None:
            return None
        what = fact("name_like", name=shorten(name), meant=like)
        return Fault(Span(*m.span(1)), what, Edit(Span(*m.span(1)), like))

    def _without_number(self, line: str) -> Fault | None:
        """A turn that begins with a player's name."""
        word = line.split(maxsplit=1)[0]
        name = word.rstrip(":.,")
        if self.part not in ("tags", "setup", "turns") or name_of(name) not in self._players:
            return None
        numbered = f"{self._turns + 1}. {name}"
        if line_fault("turns", line.replace(word, numbered, 1)) is not None:
            return None
        start = line.index(word)
        span = Span(start, start + len(word))
        return Fault(span, fact("begin_missing", number=self._turns + 1, name=shorten(name)), Edit(span, numbered))

    def _joined(self, strip: Strip, waiting: list[Strip]) -> bool:
        """Whether the next line goes on with the turn of this one: they are put together, to be read as one."""
        if not waiting:
            return False
        head, tail = strip.text.rstrip(), waiting[-1].text.strip()
        if not _goes_on(head, tail):
            return False
        found = line_fault("turns" if _NUMBER.match(head.lstrip()) else self.part, f"{head} {tail}")
        if found is not None and found.span.start <= len(head) + 1:
            return False
        end, place = strip.origin(len(head), len(head)).start, waiting[-1].origin(0, len(waiting[-1].text.rstrip()))
        first = place.end - len(tail)
        self.faults.append(Fault(Span(first, place.end), fact("turn_split"), None))
        joined = Strip(self._bare.text[end - len(head) : place.end], end - len(head))
        edit = Edit(Span(len(head), len(head) + first - end), " ")
        real = joined.mend(edit)
        if not self._source[end:first].strip():
            self.faults[-1] = self.faults[-1]._replace(edit=real)
        waiting[-1] = joined
        return True

    def _look(self, strip: Strip) -> None:
        """Tell the look-alikes of a line and read them as they were meant."""
        alike = look_alikes(strip.text, self._players)
        for each in alike:
            self._tell(each, strip, set())
        for each in reversed(alike):
            if each.edit is not None:
                strip.mend(each.edit)

    def _tell(self, found: Fault, strip: Strip, known: set[tuple[Span, str]]) -> bool:
        """Tell a fault of a line, unless it is `known`; of what follows the result one is told."""
        edit = found.edit and self._with_comments(strip.counted(found.edit))
        span = strip.origin(*found.span)
        span = span if span.end > span.start else Span(span.start, span.start + 1)
        if (span, found.what.kind) in known:
            return False
        known.add((span, found.what.kind))
        if edit is not None and not edit.replacement:  # a look-alike that is left out is not told too
            start, end = edit.span
            self.faults = [
                each for each in self.faults if each.edit is None or not start <= each.span.start < each.span.end <= end
            ]
        over = found.what.kind in ("after_result", "after_end")
        what = found.what
        if (
            what.kind == "line_ends"
            and not self._bare.text[strip.origin(len(strip.text), len(strip.text)).end :].strip()
        ):
            what = fact("text_ends", **dict(what.beside))
        if not (over and self._over):
            self.faults.append(Fault(span, what, edit))
        self._over = self._over or over
        return True

    def _with_comments(self, edit: Edit) -> Edit:
        """An edit that keeps the comments of its stretch: they come after the word, or before the line, that it
        writes."""
        start, end = edit.span
        comments = [m for m in _COMMENT.finditer(self._source, start, end) if self._bare.text[m.start()] == " "]
        if not comments:
            return edit
        kept = "".join(f" {m.group()}" for m in comments)
        if "\n" in edit.replacement:
            return Edit(edit.span, kept + edit.replacement)
        word = _WORD.match(self._source, end)
        rest = word.group() if word else ""
        return Edit(Span(start, end + len(rest)), edit.replacement + rest + kept)

    def _take(self, strip: Strip) -> None:
        self._kept.append(strip)
        self._go_on(strip.text)

    def _lose(self, strip: Strip) -> None:
        if self._broken is None:
            self._broken = len(self._kept)
        self._kept.append(Strip("", strip.origin(0, 0).start))
        self._go_on(strip.text)
        self.whole = self.whole and self.part in ("turns", "result")

    def _go_on(self, line: str) -> None:
        first = _FIRST.search(line)
        word = first.group() if first else ""
        word = "1." if _NUMBER.fullmatch(word) else word
        self._turns += word == "1."
        if self.part == "begin":
            self.part = "tags"
        self.part = _NEXT.get(word, {}).get(self.part, self.part)


class Origin:
    """Where the characters of joined lines stood in the text as it was read."""

    def __init__(self, strips: list[Strip]) -> None:
        self._strips = strips
        self._starts = [0]
        for strip in strips:
            self._starts.append(self._starts[-1] + len(strip.text) + 1)

    def _at(self, offset: int) -> tuple[Strip, int]:
        line = min(bisect_right(self._starts, offset) - 1, len(self._strips) - 1)
        return self._strips[line], offset - self._starts[line]

    def __call__(self, span: Span) -> Span:
        """The stretch that a stretch of the joined lines comes from."""
        strip, start = self._at(span.start)
        last, end = self._at(max(span.start, span.end - 1))
        first = strip.origin(start, start).start
        return Span(first, max(first, last.origin(end, end + (span.end > span.start)).end))

    def mend(self, edits: list[Edit]) -> None:
        """Make edits, each within one line. The offsets of the joined lines are no longer true then."""
        for edit in sorted(edits, key=lambda each: each.span, reverse=True):
            strip, start = self._at(edit.span.start)
            strip.mend(Edit(Span(start, start + edit.span.end - edit.span.start), edit.replacement))

    def fault(self, found: Fault) -> Fault:
        """A fault of the joined lines, in the text as it was read."""
        if found.edit is None:
            return Fault(self(found.span), found.what)
        strip, start = self._at(found.edit.span.start)
        end = start + found.edit.span.end - found.edit.span.start
        return Fault(self(found.span), found.what, strip.counted(Edit(Span(start, end), found.edit.replacement)))

    def turn(self, layout: TurnLayout) -> TurnLayout:
        """Where the parts of a turn stood."""

        def moved(span: Span | None) -> Span | None:
            return None if span is None else self(span)

        return TurnLayout(
            self(layout.number),
            self(layout.player),
            moved(layout.draw),
            self(layout.action),
            moved(layout.glyphs),
            moved(layout.drop),
            moved(layout.trim),
            moved(layout.fill),
        )


@lru_cache(maxsize=1)
def _plain() -> dict[str, re.Pattern[str]]:
    """What lines are in each part in which the grammar takes whole lines as one token."""
    by_name = {terminal.name: terminal.pattern.to_regexp() for terminal in parser().terminals}
    tags, setup, turns = (re.compile(by_name[name]) for name in ("TAGS", "PLAIN_SETUP", "PLAIN_TURNS"))
    return {"begin": tags, "tags": tags, "setup": setup, "turns": turns}


def _reads(pattern: re.Pattern[str], line: str) -> bool:
    m = pattern.match(f"{line.lstrip()}\n")
    return m is not None and not line.lstrip()[m.end() :].strip()


def _goes_on(head: str, tail: str) -> bool:
    """Whether a line goes on with a turn, or with a list of cards, above it."""
    if _NUMBER.match(head.lstrip()):
        return CONTINUES.match(tail) is not None
    return LIST_GOES_ON.match(tail) is not None and _LISTED.match(head) is not None


def _at_sight(line: str) -> bool:
    """Whether a line is a plain one of any part."""
    return line.lstrip()[:1] in _BEGINNINGS and any(_reads(pattern, line) for pattern in _plain().values())


def line_fault(part: str, line: str) -> Fault | None:
    """What is wrong with a line, without its comments, in this part of a game; None where it can be read."""
    if part in _plain() and _reads(_plain()[part], line):
        return None
    prefix = _PREFIXES[part]
    try:
        parser().parse(f"{prefix}{line}\n")
    except UnexpectedInput as error:
        found = explain(prefix + line, error)
        start = max(0, found.span.start - len(prefix))
        span = Span(start, max(start, found.span.end - len(prefix)))
        if found.edit is None:
            return Fault(span, found.what)
        edited = Span(found.edit.span.start - len(prefix), found.edit.span.end - len(prefix))
        return Fault(span, found.what, Edit(edited, found.edit.replacement))
    return None
