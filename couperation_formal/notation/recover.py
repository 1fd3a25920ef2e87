"""Reading on after a fault: every broken line is told, the others count, and what was surely meant is read as meant.

A text comes here only when the grammar has refused it or when a look-alike stands in it; see `spec/notation.md`. It
loses its comments (`bare`), then each line is read by itself, by the grammar, as a line of that part of a game in which
it stands. A fault with an edit is mended and its line read again, so that the next fault on the line is told too.
"""

from __future__ import annotations

import re
from typing import cast

import msgspec

from couperation_formal.game.diagnostic import Edit
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Game, Layout, Record, Span
from couperation_formal.notation.bare import MAX_FAULTS, Bare, Origin, Strip, bare_text, wrapping
from couperation_formal.notation.header import read_header
from couperation_formal.notation.names import (
    Known,
    look_alikes,
    misplaced,
    name_like,
    name_missing,
    name_parted,
    players_of,
    without_number,
)
from couperation_formal.notation.parse import Fault, comments_of, parse, reads, without
from couperation_formal.notation.record import Built, TurnPlaces, build
from couperation_formal.notation.slips import CONTINUES, LIST_GOES_ON, line_fault, stand_in
from couperation_formal.notation.split import Piece

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
    `text` holds the lines as they were meant, without comments, empty where a line cannot be read; `broken` is the
    offset in it of the first such line, None where there is none. Beyond `MAX_FAULTS` faults lines are only counted:
    `more` tells how many cannot be read.
    """

    def __init__(self, text: str, accepted: bool = False) -> None:
        self._source = text
        self._accepted = accepted
        self._bare = Bare(without(text, comments_of(text)), [], []) if accepted else bare_text(text)
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
        text = "".join(f"{strip.text}\n" for strip in self._kept)
        return without(text, comments_of(text))

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
        """Read a line in which a comment is never closed, or one ends that was never opened. The comment goes on over
        lines of words alone; it ends there where both this line and the next one can be read."""
        whole = line_fault(self.part, strip.text) is None
        first, last = strip.origin(0, 0).start, strip
        opened = [
            at for at, told in enumerate(self.faults) if told.what.kind == "open_comment" and told.span >= (first, 0)
        ]
        opened = [
            at for at in opened if self.faults[at].span.start < strip.origin(len(strip.text), len(strip.text)).start
        ]
        self._take(strip) if whole else self._lose(strip)
        while opened and waiting and _WORDS.match(waiting[-1].text):
            last = waiting.pop()
            self._kept.append(Strip("", last.origin(0, 0).start))
        after = next((other.text for other in reversed(waiting) if other.text.strip()), None)
        if whole and (after is None or _at_sight(after)):
            end = last.origin(len(last.text), len(last.text)).start
            end = len(self._source[:end].rstrip(" \t\r"))
            for at in opened:
                self.faults[at] = self.faults[at]._replace(edit=Edit(Span(end, end), " }"))

    def _line(self, strip: Strip) -> list[Strip]:
        """Read one line. What comes back are the lines that one became by an edit, still to be read."""
        self._look(strip)
        if not strip.text.strip():  # it held nothing but what cannot be seen
            self._kept.append(strip)
            return []
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
        named = not self._accepted and _NUMBER.match(strip.text.lstrip())
        name = name_like(strip.text, self._players) if named else None
        if name is not None and (found is None or found.span.start >= name.span.end):
            return name
        if found is None:
            return self._after_name(strip, _CARDS_ONLY) if _STRAY.match(strip.text) else None
        known = Known(self._players, self.part, self._turns)
        if found.what.kind == "letter_for_name" and self._players:
            return name_missing(strip.text, found, known)
        parted = name_parted(strip.text, found, self._players)
        if parted is not None:
            return parted
        if found.edit and found.edit.replacement in _RESULTS and _LATER.search(self._source, strip.origin(0, 0).start):
            return found._replace(edit=None)
        after = self._after_name(strip, _GOES_ON) if found.span.start >= len(strip.text.rstrip()) else None
        return after or without_number(strip.text, known) or misplaced(strip.text, found, known) or found

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
        joined, edit = strip.followed(waiting[-1])
        place = waiting[-1].origin(len(waiting[-1].text.rstrip()), len(waiting[-1].text))
        blank = not self._source[slice(*edit.span)].strip()
        whole = Span(edit.span.end, place.start)
        self.faults.append(Fault(whole, fact("turn_split"), edit if blank else None))
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
        edit = found.edit and self.as_written(strip.counted(found.edit))
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

    def kept(self, found: Fault) -> Fault:
        """A fault of the text as it was read, its edit one that keeps comments."""
        return found if found.edit is None else found._replace(edit=self.as_written(found.edit))

    def as_written(self, edit: Edit) -> Edit:
        """An edit with the text's own line ends, which keeps the comments of its stretch: they come after the word, or
        before the line, that it writes."""
        start, end = edit.span
        comments = [m for m in _COMMENT.finditer(self._source, start, end) if self._bare.text[m.start()] == " "]
        kept = "".join(f" {m.group()}" for m in comments)
        if "\n" in edit.replacement:
            edit = Edit(edit.span, kept + edit.replacement)
        elif comments:
            word = _WORD.match(self._source, end)
            rest = word.group() if word else ""
            edit = Edit(Span(start, end + len(rest)), edit.replacement + rest + kept)
        if "\n" not in edit.replacement or "\r\n" not in self._source:
            return edit
        return Edit(edit.span, re.sub("(?<!\r)\n", "\r\n", edit.replacement))

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


def resume(piece: Piece, file: str, index: int, accepted: bool) -> tuple[list[Fault], Game | None]:
    """All the faults of a game's text, and the game up to its first line that cannot be read, where the lines before
    its turns can. What only follows from another fault is left out. A text that the grammar has `accepted` can have
    look-alikes only. Cost: linear.
    """
    found = None if accepted else wrapping(piece.text)
    if found is not None:
        return [found], None
    lines = Lines(piece.text, accepted)
    faults, judged = _resumed(lines, piece, file, index)
    faults = sorted(faults, key=lambda each: each.span)[:MAX_FAULTS]
    return ([*faults, lines.more] if lines.more else faults), judged


def _resumed(lines: Lines, piece: Piece, file: str, index: int) -> tuple[list[Fault], Game | None]:
    faults = list(lines.faults)
    for _ in range(_ROUNDS):
        origin = lines.origin()
        built = _build(lines)
        if not isinstance(built, list):
            if not lines.whole or not isinstance(built.value, Record):
                return faults, None
            return faults, _judged(built, built.value, lines, origin, piece, file, index)
        built = [each for each in built if lines.whole or each.what.kind not in _FOLLOWS]
        faults += [lines.kept(origin.fault(each)) for each in built]
        if any(each.what.kind == "version" for each in built):
            return faults[-1:], None
        if not built or any(each.edit is None for each in built):
            break
        origin.mend([each.edit for each in built if each.edit is not None])
    return faults, None


def _build(lines: Lines) -> Built | list[Fault]:
    """What the lines say that can be read; of a position with others only its tags are asked."""
    parsed = parse(lines.text)
    if not parsed.whole:
        return []
    if parsed.position is None or lines.broken is None:
        return build(parsed)
    faults: list[Fault] = []
    read_header(cast("re.Match[str]", parsed.tags), faults)
    return faults


def _judged(built: Built, record: Record, lines: Lines, origin: Origin, piece: Piece, file: str, index: int) -> Game:
    _, tags, setup, starts, result = built
    broken = lines.broken
    kept = [start for start in starts if broken is None or start < broken]
    record = msgspec.structs.replace(record, turns=record.turns[: len(kept)])
    if broken is not None and (result is None or result.start > broken):
        record, result = msgspec.structs.replace(record, result=None), None
    layout = Layout(
        text=piece.text,
        line=piece.line,
        tags={name: origin(span) for name, span in tags.items()},
        lines={name: origin(span) for name, span in setup.items()},
        turns=TurnPlaces(lines.text, kept, origin),
        result=None if result is None else origin(result),
        comments=(),
    )
    return Game(file=file, index=index, record=record, layout=layout)
