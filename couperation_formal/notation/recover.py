"""A text with faults: every broken line is told, the others count, and what was surely meant is read as meant.

A text comes here only when the grammar has refused it or when a look-alike stands in it; see `spec/notation.md`. It
loses its comments, then each line is read by itself, by the grammar, as a line of that part of a game in which it
stands. A fault with an edit is mended and its line read again, so that the next fault on the line is told too.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple, cast

import msgspec

from couperation_formal.game.fact import fact
from couperation_formal.game.record import Edit, Record, Span
from couperation_formal.notation import names, parse
from couperation_formal.notation.parse import Built, Fault, fault, name_of, reads, without
from couperation_formal.notation.slips import CONTINUES, LIST_GOES_ON, line_fault, stand_in

# A line of a text while it is mended: its words as they are meant, and where each character stood in the text.


class Strip:
    """Stretches of a text put together. Offsets into `whole` stay true to the text as it was read: `origin` tells where
    a stretch of it comes from. A line has its end, which counts as nothing wide, and `text` is the line without it.
    """

    def __init__(self, whole: str, starts: array[int], ends: array[int]) -> None:
        self.whole, self.starts, self.ends = whole, starts, ends

    def become(self, parts: Iterable[Strip]) -> Strip:
        """Be these parts, one after the other."""
        parts = list(parts)
        self.whole = "".join(part.whole for part in parts)
        self.starts, self.ends = array("q"), array("q")
        for part in parts:
            self.starts += part.starts
            self.ends += part.ends
        return self

    @property
    def text(self) -> str:
        """The line."""
        return self.whole[:-1]

    @property
    def start(self) -> int:
        """Where it began in the text as it was read."""
        return self.starts[0]

    @property
    def end(self) -> int:
        """Where its line end stood."""
        return self.starts[-1]

    def origin(self, span: Span) -> Span:
        """Where a stretch comes from. Cost: constant."""
        first = last = self.starts[min(span.start, len(self.whole) - 1)]
        if span.end > span.start:
            last = max(first, self.ends[min(span.end, len(self.whole)) - 1])
        return Span(first, last)

    def told(self, wrong: Fault) -> Fault:
        """A fault whose offsets count here, counted in the text as it was read. An edit within what another one has
        written takes in all of that. Cost: linear in the line.
        """
        span = self.origin(wrong.span)
        if wrong.edit is None:
            return Fault(span, wrong.what)
        (first, last), meant = wrong.edit.span, wrong.edit.replacement
        start, end = first, last
        while self._one(start):
            start -= 1
        while self._one(end):
            end += 1
        replacement = self.whole[start:first] + meant + self.whole[last:end]
        return Fault(span, wrong.what, Edit(self.origin(Span(start, end)), replacement))

    def _one(self, at: int) -> bool:
        """Whether the characters before and at this place were written by one edit."""
        if not 0 < at < len(self.whole) - 1:
            return False
        return self.starts[at - 1] == self.starts[at] and self.ends[at - 1] == self.ends[at]

    def cut(self, start: int, end: int | None = None) -> Strip:
        """A part of it."""
        return Strip(self.whole[start:end], self.starts[start:end], self.ends[start:end])

    def mend(self, edits: Iterable[Edit]) -> None:
        """Make edits, which stand apart and whose offsets count here. Cost: linear."""
        parts, at = list[Strip](), 0
        for edit in sorted(edits, key=lambda each: each.span):
            parts += [self.cut(at, edit.span.start), _written(edit.replacement, self.origin(edit.span))]
            at = edit.span.end
        self.become([*parts, self.cut(at)])

    def followed(self, other: Strip) -> tuple[Strip, Edit]:
        """This line and one further down as one, without what stands between them but for a blank; and the edit that
        makes it so."""
        size, first = len(self.text.rstrip()), len(other.text) - len(other.text.lstrip())
        gap = Span(self.starts[size], other.starts[first])
        return _written("", gap).become([self.cut(0, size), _written(" ", gap), other.cut(first)]), Edit(gap, " ")

    def restore(self, at: int, text: str) -> None:
        """What stood at `at` and after it, to the end, was this."""
        self.become([self.cut(0, at), line_at(text, self.starts[at])])

    def lines(self) -> list[Strip]:
        """The lines of it, which is no longer one after an edit with a line end."""
        ends = [m.end() for m in re.finditer("\n", self.whole)]
        return [self.cut(start, end) for start, end in zip([0, *ends], ends, strict=False)]


def line_at(text: str, start: int) -> Strip:
    """A line as it was read, without its end, which began at `start`."""
    end = start + len(text)
    starts = array("q", range(start, end + 1))
    return Strip(f"{text}\n", starts, starts[1:] + starts[-1:])


def _written(text: str, place: Span) -> Strip:
    """What an edit writes in place of a stretch."""
    ends = array("q", [place.start if character == "\n" else place.end for character in text])
    return Strip(text, array("q", [place.start]) * len(text), ends)


# A text without its comments, every other character in its place.

MAX_FAULTS = 50
"""So many faults of one game are told; of the lines after them it is counted how many cannot be read."""

_MARKS = re.compile('["“”;{}；｛｝]|(?<![^\\s])(?:#(?![0-9])|//)')
_TAG = re.compile(r"[^\S\n]*[\[［【]")
_CLOSE = re.compile("[}｝]")
_LONG_NAME = 100
"""A name that holds a mark is known by so many characters before it."""

_NAME = re.compile(r'[^\s";{}\[\]]+')


class Bare(NamedTuple):
    """`text` has blanks where comments stood, their line ends included. `faults` are those of the comments, `open` the
    places where one begins that is never closed, or ends that was never opened.
    """

    text: str
    faults: list[Fault]
    open: list[int]


def bare_text(text: str) -> Bare:
    """A text without its comments. A comment that is never closed ends with its line; ``#`` and ``//`` at the beginning
    of a word begin one too, and so do look-alikes, but for a player's name. Cost: linear.
    """
    faults: list[Fault] = []
    opened: list[int] = []
    parts: list[str] = []
    players: tuple[str, ...] | None = None
    kept = at = 0
    closes = True

    def told(fault: Fault) -> None:
        if len(faults) < MAX_FAULTS:
            faults.append(fault)

    while mark := _MARKS.search(text, at):
        start, kind = mark.start(), mark[0]
        first = text.rfind("\n", 0, start) + 1
        line_end = text.find("\n", start)
        line_end = len(text) if line_end < 0 else line_end
        at = mark.end()
        if kind in '"“”':
            if _TAG.match(text, first):
                at = _value_end(text, at, line_end, kind)
            continue
        if kind not in ";{}":
            players = names.players_of(text) if players is None else players
            word = _NAME.match(text, _word_start(text, max(first, start - _LONG_NAME), start))
            if word is not None and name_of(word[0]) in players:
                continue
        if kind in ("#", "//"):
            told(fault(start, kind, "comment_sign", ";", word=kind))
        elif not kind.isascii():
            told(names.look_alike(kind, start))
        if kind in "{｛":
            end = _closed(text, at, faults) if closes else -1
            if end < 0:
                closes = False
                opened.append(start)
                told(fault(start, kind, "open_comment"))
                end = line_end
        elif kind in "}｝":
            opened.append(start)
            told(fault(start, kind, "closed_comment"))
            end = at
        else:
            end = line_end
        parts += [text[kept:start], " " * (end - start)]
        kept = at = end
    return Bare("".join([*parts, text[kept:]]), faults, opened)


def suspicious(text: str, players: tuple[str, ...]) -> bool:
    """Whether a text that the grammar accepts, without its comments, holds look-alikes beside the players' own names.
    Cost: linear, and little where no character looks like another.
    """
    if not names.ALIKE.search(text):
        return False
    rest = text
    for player in players:
        rest = rest.replace(f" {player} ", " ")
    lines = zip(text.split("\n"), rest.split("\n"), strict=True)
    return any(names.look_alikes(line, players) for line, other in lines if "[" in line or not other.isascii())


def _word_start(text: str, first: int, at: int) -> int:
    """Where the word begins that stands at a place."""
    while at > first and _NAME.match(text, at - 1):
        at -= 1
    return at


def _value_end(text: str, at: int, line_end: int, kind: str) -> int:
    """Where a tag's value ends that begins before `at`; there, where it does not end on its line."""
    ends = [text.find(each, at, line_end) for each in ('"' if kind == '"' else '”“"')]
    known = [end for end in ends if end >= 0]
    return min(known) + 1 if known else at


def _closed(text: str, at: int, faults: list[Fault]) -> int:
    """Where a comment ends that begins before `at`; -1 where nothing closes it."""
    close = _CLOSE.search(text, at)
    if close is None:
        return -1
    if close[0] != "}":
        faults.append(names.look_alike("｝", close.start()))
    return close.end()


# What a game came in: a block of Markdown, a quoted mail, the last line of another game.


_WRAPPINGS = (
    (fact("fences"), "", r"^[ \t]*+(?:```|~~~)[^\n\0]*+\n?", ""),
    (fact("quoted_mail"), r"^[ \t]*+>[ \t>]*+(?:\[CGN |[0-9]+\.)", r"^[ \t]*+>(?:[ \t]?>)*+[ \t]?", ""),
    (fact("game_joined"), "", r"(?<=[^\s\ufeff])[ \t]*+(?=\[CGN[ \t]+\")", "\n"),
)
"""The fault, what tells it, all that is replaced, and by what."""


def wrapping(text: str) -> Fault | None:
    """What a text that cannot be read came in, and the edit that takes it out. Cost: linear."""

    shown = zip(text, bare_text(text).text, strict=True)
    bare = "".join(left if left == each else "\0" for each, left in shown)  # comments count as text of one's own
    for what, sign, wrapped, meant in _WRAPPINGS:
        begins = re.search(sign, bare, re.MULTILINE)
        if begins is None:
            continue
        unquoted = re.finditer(r"^[ \t]*+(?!>)[^\n]*+\n", bare[: begins.start()], re.MULTILINE)
        start = max((m.end() for m in unquoted), default=0)
        whole = text if sign else bare  # a mail is quoted with its comments
        marks = list(re.compile(wrapped, re.MULTILINE).finditer(whole, start))
        if marks:
            meant = meant if "\r\n" not in text else meant.replace("\n", "\r\n")
            span = Span(marks[0].start(), marks[-1].end())
            kept = [text[m.end() : after.start()] for m, after in pairwise(marks)]
            edit = Edit(span, meant.join(["", *kept, ""]))
            return Fault(Span(span.start, max(span.start + 1, marks[0].end())), what, edit)
    return None


# The lines of a text with faults.

_MOST_OF_LINE = 12
"""So many faults of one line are told."""

_RESULTS = ("\nwin", "\nloss", "\nstuck", "\n*")
_NEXT = {
    "[": {"begin": "tags", "tags": "tags"},
    "position": {"tags": "position"},
    **{key: {"tags": "setup", "setup": "setup"} for key in ("deal", "reserve", "deck")},
    "1.": dict.fromkeys(("tags", "setup", "turns"), "turns"),
    **dict.fromkeys(("win", "loss", "stuck", "*"), dict.fromkeys(("tags", "setup", "turns"), "result")),
}
"""Into which part the first word of a line leads from which; a line with another one stays in its part."""

_LATER = re.compile(r"\n[ \t]*[0-9]+\.")
_NUMBER = re.compile(r"[0-9]+\.?")
_GOES_ON = re.compile(r"\s*(?:[+＋]|[A-DＡ-Ｄa-d](?=[\s0-9])|-(?:\s|$)|draw)")
_COMMENT = re.compile("[{｛][^}｝]*[}｝]")
_WORD = re.compile(r"[^\s;{]*")
_CARDS_ONLY = re.compile(r"[\s,]*(?:[0-9]{1,2}|[F?])(?:[\s,]+(?:[0-9]{1,2}|[F?]))*[\s.]*$")
_WORDS = re.compile(
    r"\s*(?!(?:deal|reserve|deck|tower|hand|gone|turn|last|front|skipped|replaced|position|win|loss|stuck)\b)[^\W\d]{2}"
)
_LISTED = re.compile(r"\s*(?:deal\s+\S|reserve|deck|tower|hand\s+\S|gone)")
_STRAY = re.compile(r"\s*(?:(?:deal|hand)\s+\S+|reserve|deck|gone)\s*$")
_FIRST = re.compile(r"\[|[0-9]+\.|\S+")


class Lines:
    """What was read of a text with faults.

    `faults` are in the order in which they were found. `whole` tells whether every line before the first turn was read.
    `meant` holds the lines as they were meant, empty where a line cannot be read; `broken` tells where in the text as
    it was read the first such line begins, None where there is none. Beyond `MAX_FAULTS` faults lines are only counted:
    `more` tells how many cannot be read.
    """

    def __init__(self, text: str, accepted: bool = False) -> None:
        self._source = text
        self._accepted = accepted
        self._bare = Bare(without(text), [], []) if accepted else bare_text(text)
        self.faults: list[Fault] = list(self._bare.faults)
        self.part = "begin"
        self.whole = True
        self.more: Fault | None = None
        self._kept: list[Strip] = []
        self.broken: int | None = None
        self._players = names.players_of(self._bare.text)
        self._turns = 0
        self._over = self._headless = False
        self._read()

    def _read(self) -> None:
        waiting: list[Strip] = []
        start = 0
        for line in self._bare.text.split("\n"):
            waiting.append(line_at(line.rstrip("\r"), start))
            start += len(line) + 1
        waiting.reverse()
        more, rest = 0, Span(0, 0)
        comments = iter(sorted(self._bare.open))
        comment = next(comments, None)
        while waiting and not self._headless:
            strip = waiting.pop()
            within = False
            while comment is not None and comment <= strip.end:
                within, comment = True, next(comments, None)
            if not strip.text.strip():
                self._kept.append(strip)
            elif len(self.faults) >= MAX_FAULTS:
                if not _at_sight(strip.text):
                    rest = rest if more else Span(strip.start, strip.end)
                    more += 1
                    self.broken = strip.start if self.broken is None else self.broken
            elif within:
                self._within(strip, waiting)
            elif not self._joined(strip, waiting):
                waiting += reversed(self._line(strip))
        self.more = Fault(rest, fact("more_lines", lines=more)) if more else None
        self.meant = _written("", Span(0, 0)).become(self._kept)

    def _within(self, strip: Strip, waiting: list[Strip]) -> None:
        """Read a line in which a comment is never closed, or one ends that was never opened. The comment goes on over
        lines of words alone; it ends there where both this line and the next one can be read."""
        whole = line_fault(self.part, strip.text) is None
        last = strip
        faults, here = enumerate(self.faults), range(strip.start, strip.end)
        opened = [at for at, told in faults if told.what.kind == "open_comment" and told.span.start in here]
        self._take(strip) if whole else self._lose(strip)
        while opened and waiting and _WORDS.match(waiting[-1].text):
            last = waiting.pop()
            self._kept.append(line_at("", last.start))
        after = next((other.text for other in reversed(waiting) if other.text.strip()), None)
        if whole and (after is None or _at_sight(after)):
            end = len(self._source[: last.end].rstrip(" \t\r"))
            for at in opened:
                self.faults[at] = self.faults[at]._replace(edit=Edit(Span(end, end), " }"))

    def _line(self, strip: Strip) -> list[Strip]:
        """Read one line. What comes back are the lines that one became by an edit, still to be read."""
        self._look(strip)
        if not strip.text.strip():  # it held nothing but what cannot be seen
            self._kept.append(strip)
            return []
        lost, least = False, -1
        fault: Fault | None = None
        known: set[tuple[Span, str]] = set()
        for _ in range(_MOST_OF_LINE):
            fault = self._fault(strip)
            if fault is None or fault.span.start < least or not self._tell(fault, strip, known):
                break
            edit = fault.edit or stand_in(strip.text, fault)
            lost = lost or fault.edit is None
            if edit is None:
                break
            strip.mend([edit])
            least = edit.span.start if fault.edit is None else least
            if fault.what.kind == "semicolon":
                self._look(strip)
            if "\n" in edit.replacement and not lost:
                return strip.lines()
        if lost or fault is not None:
            self._headless = self.part == "begin" and not strip.text.lstrip().startswith("[")
            self._lose(strip)
        else:
            self._take(strip)
        return []

    def _fault(self, strip: Strip) -> Fault | None:
        """What is wrong with a line, by the grammar and by what stands around it."""
        fault = line_fault(self.part, strip.text)
        named = not self._accepted and _NUMBER.match(strip.text.lstrip())
        name = names.name_like(strip.text, self._players) if named else None
        if name is not None and (fault is None or fault.span.start >= name.span.end):
            return name
        if fault is None:
            return self._after_name(strip, _CARDS_ONLY) if _STRAY.match(strip.text) else None
        known = names.Known(self._players, self.part, self._turns)
        if fault.what.kind == "letter_for_name" and self._players:
            return names.name_missing(strip.text, fault, known)
        parted = names.name_parted(strip.text, fault, self._players)
        if parted is not None:
            return parted
        if fault.edit and fault.edit.replacement in _RESULTS and _LATER.search(self._source, strip.start):
            return fault._replace(edit=None)
        after = self._after_name(strip, _GOES_ON) if fault.span.start >= len(strip.text.rstrip()) else None
        return after or names.without_number(strip.text, known) or names.misplaced(strip.text, fault, known) or fault

    def _after_name(self, strip: Strip, rest_is: re.Pattern[str]) -> Fault | None:
        """A ``;`` right after a name, where what it makes a comment is the rest of the line."""
        end = len(strip.text.rstrip())
        at = strip.starts[end]
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

    def _joined(self, strip: Strip, waiting: list[Strip]) -> bool:
        """Whether the next line goes on with the turn of this one: they are put together, to be read as one."""
        if not waiting:
            return False
        head, tail = strip.text.rstrip(), waiting[-1].text.strip()
        if not _goes_on(head, tail):
            return False
        fault = line_fault("turns" if _NUMBER.match(head.lstrip()) else self.part, f"{head} {tail}")
        if fault is not None and fault.span.start <= len(head) + 1:
            return False
        joined, edit = strip.followed(waiting[-1])
        blank = not self._source[slice(*edit.span)].strip()
        place = Span(edit.span.end, waiting[-1].starts[len(waiting[-1].text.rstrip())])
        self.faults.append(Fault(place, fact("turn_split"), edit if blank else None))
        waiting[-1] = joined
        return True

    def _look(self, strip: Strip) -> None:
        """Tell the look-alikes of a line and read them as they were meant."""
        alike = names.look_alikes(strip.text, self._players)
        for each in alike:
            self._tell(each, strip, set())
        strip.mend([each.edit for each in alike if each.edit is not None])

    def _tell(self, fault: Fault, strip: Strip, known: set[tuple[Span, str]]) -> bool:
        """Tell a fault of a line, unless it is `known`; of what follows the result one is told."""
        span, what, edit = self.kept(strip.told(fault))
        span = span if span.end > span.start else Span(span.start, span.start + 1)
        if (span, fault.what.kind) in known:
            return False
        known.add((span, fault.what.kind))
        if edit is not None and not edit.replacement:  # a look-alike that is left out is not told too
            start, end = edit.span
            self.faults = [
                each for each in self.faults if each.edit is None or not start <= each.span.start < each.span.end <= end
            ]
        over = fault.what.kind in ("after_result", "after_end")
        if what.kind == "line_ends" and not self._bare.text[strip.end :].strip():
            what = fact("text_ends", **dict(what.beside))
        if not (over and self._over):
            self.faults.append(Fault(span, what, edit))
        self._over = self._over or over
        return True

    def kept(self, fault: Fault) -> Fault:
        """A fault of the text as it was read, its edit one that keeps comments."""
        return fault if fault.edit is None else fault._replace(edit=self.as_written(fault.edit))

    def as_written(self, edit: Edit) -> Edit:
        """An edit with the text's own line ends, which keeps the comments of its stretch: they come after the word, or
        before the line, that it writes."""
        start, end = edit.span
        comments = [m for m in _COMMENT.finditer(self._source, start, end) if self._bare.text[m.start()] == " "]
        kept = "".join(f" {m[0]}" for m in comments)
        if "\n" in edit.replacement:
            edit = Edit(edit.span, kept + edit.replacement)
        elif comments:
            word = _WORD.match(self._source, end)
            rest = word[0] if word else ""
            edit = Edit(Span(start, end + len(rest)), edit.replacement + rest + kept)
        if "\n" not in edit.replacement or "\r\n" not in self._source:
            return edit
        return Edit(edit.span, re.sub("(?<!\r)\n", "\r\n", edit.replacement))

    def _take(self, strip: Strip) -> None:
        self._kept.append(strip)
        self._go_on(strip.text)

    def _lose(self, strip: Strip) -> None:
        if self.broken is None:
            self.broken = strip.start
        self._kept.append(line_at("", strip.start))
        self._go_on(strip.text)
        self.whole = self.whole and self.part in ("turns", "result")

    def _go_on(self, line: str) -> None:
        first = _FIRST.search(line)
        word = first[0] if first else ""
        word = "1." if _NUMBER.fullmatch(word) else word
        self._turns += word == "1."
        if self.part == "begin":
            self.part = "tags"
        self.part = _NEXT.get(word, {}).get(self.part, self.part)


def _at_sight(line: str) -> bool:
    """Whether a line is a plain one of any part."""
    return any(reads(part, line) for part in ("tags", "setup", "turns"))


def _goes_on(head: str, tail: str) -> bool:
    """Whether a line goes on with a turn, or with a list of cards, above it."""
    if _NUMBER.match(head.lstrip()):
        return CONTINUES.match(tail) is not None
    return LIST_GOES_ON.match(tail) is not None and _LISTED.match(head) is not None


# What a text with faults says all the same: its faults, and the game up to the first line that cannot be read.

_ROUNDS = 3
"""So often the lines are read again after edits: of the tags, of the set-up, and to see that nothing is left."""

_FOLLOWS = ("players_missing", "begins", "no_tower")
"""What is told of a text only where every line before the turns was read: else it may follow from one that was not."""


def resume(text: str, accepted: bool) -> tuple[list[Fault], Built | None]:
    """All the faults of a game's text, and the game up to its first line that cannot be read, where the lines before
    its turns can. What only follows from another fault is left out. A text that the grammar has `accepted` can have
    look-alikes only. Cost: linear.
    """
    wrapped = None if accepted else wrapping(text)
    if wrapped is not None:
        return [wrapped], None
    lines = Lines(text, accepted)
    faults, judged = _resumed(lines)
    faults = sorted(faults, key=lambda each: each.span)[:MAX_FAULTS]
    return ([*faults, lines.more] if lines.more else faults), judged


def unread(parsed: parse.Parsed) -> list[Fault]:
    """What is wrong with the first line of a game that cannot be read."""
    told = line_fault(parsed.part, parsed.text[parsed.end :].partition("\n")[0])
    return [told.moved(parsed.end)] if told else []


def _resumed(lines: Lines) -> tuple[list[Fault], Built | None]:
    faults = list(lines.faults)
    for _ in range(_ROUNDS):
        built = _build(lines)
        if not isinstance(built, list):
            return faults, _judged(built, built.value, lines) if isinstance(built.value, Record) else None
        built = [each for each in built if lines.whole or each.what.kind not in _FOLLOWS]
        faults += [lines.kept(lines.meant.told(each)) for each in built]
        if any(each.what.kind == "version" for each in built):
            return faults[-1:], None
        if not built or any(each.edit is None for each in built):
            break
        lines.meant.mend([each.edit for each in built if each.edit is not None])
    return faults, None


def _build(lines: Lines) -> Built | list[Fault]:
    """What the lines say that can be read; of a position with others only its tags are asked."""
    parsed = parse.parse(without(lines.meant.whole))
    if not parsed.whole:
        return []
    if parsed.position is None or lines.broken is None:
        return parse.build(parsed)
    faults: list[Fault] = []
    parse.read_header(cast("re.Match[str]", parsed.tags), faults)
    return faults


def _judged(built: Built, record: Record, lines: Lines) -> Built | None:
    """The game before its first line that cannot be read, and where it stood."""
    if not lines.whole:
        return None
    origin, starts, result = lines.meant.origin, lines.meant.starts, built.result
    broken = starts[-1] + 1 if lines.broken is None else lines.broken
    turns = built.turns.before(lambda start: starts[start] < broken, origin)
    result = None if result is None or starts[result.start] >= broken else origin(result)
    outcome = None if result is None else record.result
    return Built(
        msgspec.structs.replace(record, turns=record.turns[: len(turns)], result=outcome),
        {name: origin(span) for name, span in built.tags.items()},
        {name: origin(span) for name, span in built.lines.items()},
        turns,
        result,
    )
