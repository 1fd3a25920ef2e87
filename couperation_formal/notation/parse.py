"""From the text of a game to its values: lines and words by the grammar in `cgn.lark`, the tags, turns, a record or a
position; and what a fault of a text is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args

import msgspec

from couperation_formal.game import record as recorded, tower
from couperation_formal.game.fact import Datum, Fact, fact
from couperation_formal.game.record import Action, Edit, Game, Head, Position, Record, Snapshot, Span, Turn, TurnLayout
from couperation_formal.game.rulings import Rules, RulesError, Stretch, TomlError, TomlFile, parse_rules
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Cell, Down, Laid, Mark, Shown, Up, Value, Variant

if TYPE_CHECKING:
    from lark import Lark

# Lines of a game: the grammar, and what its rules read.

PARTS = ("begin", "tags", "setup", "turns", "result", "position")
"""The parts of a game, by what stands above a line in them; at the beginning nothing does."""

_RULE = re.compile(r"^(tags|setup|turn|result|position|pline): (.*(?:\n +\|.*)*)", re.MULTILINE)
_SYMBOL = re.compile(r"\s*([|()]|_?[A-Z]+)\s*")
_TERMINAL = re.compile(r"^(_?[A-Z]+): (.+)", re.MULTILINE)
_PIECE = re.compile(r'"([^"]*)"|/((?:[^/\\]|\\.)*)/|(_?[A-Z]+)|[(\s]')
_COMMENT = re.compile(r'"[^"\r\n]*"?|;[^\n]*|\{[^}]*\}?')
"""Comments and quoted text. What nothing closes is taken whole too, so that time is linear; it is no comment."""


class Parsed(NamedTuple):
    """What was read of a game, as matches of its lines. `position` holds the lines of a position, its keyword first;
    None for a game. `part` and `end` tell where reading ended: at the end of `text`, or before a line that is no CGN.
    """

    text: str
    tags: re.Match[str] | None
    setup: list[re.Match[str]]
    turns: list[re.Match[str]]
    result: re.Match[str] | None
    position: list[re.Match[str]] | None
    part: str
    end: int

    @property
    def whole(self) -> bool:
        """Whether all of the text was read."""
        return self.end == len(self.text)


def _grammar() -> str:
    return Path(__file__).with_name("cgn.lark").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The parser of lines, built at the first call (some 80 ms). It keeps no state between texts."""
    from lark import Lark

    starts = [f"after_{part}" for part in PARTS]
    return Lark(_grammar(), parser="lalr", lexer="contextual", start=starts, maybe_placeholders=False)


@cache
def _bodies() -> dict[str, str]:
    """The terminals and the rules of terminals alone, as the grammar has them."""
    return dict(_TERMINAL.findall(_grammar()) + _RULE.findall(_grammar()))


@cache
def terminal(name: str) -> str:
    """The regular expression of a terminal of the grammar; expressions in it stand as they are, as Lark has them."""

    def piece(m: re.Match[str]) -> str:
        word, expression, named = m.groups()
        if m.lastindex is None:
            return "(?:" if m[0] == "(" else ""
        return expression or f"(?:{terminal(named) if named else re.escape(word)})"

    return _PIECE.sub(piece, _bodies()[name])


@cache
def pattern(kind: str) -> re.Pattern[str]:
    """What a line of this kind is, with all blanks after it.

    A rule of terminals alone is a regular expression of them. Each takes what it can and gives nothing back, as a lexer
    does, so that time is linear. A terminal that stands once in its rule is a group. The parser is not asked for this:
    lines that are right need none.
    """
    rule = _bodies()[kind]

    def symbol(m: re.Match[str]) -> str:
        name = m[1]
        if name in "|()":
            return name
        word = f"(?>{terminal(name)})"
        return rf"(?:[^\S\n]*+{word if name == '_NL' or rule.count(name) > 1 else f'(?P<{name}>{word})'})"

    return re.compile(_SYMBOL.sub(symbol, re.sub("[?*+]", r"\g<0>+", rule)))


def parse(text: str) -> Parsed:
    """The lines of one game without its comments, as far as they are CGN. Cost: linear, some 3 microseconds a turn."""
    text = text if text.endswith("\n") else f"{text}\n"
    end = len(text) - len(text.lstrip())

    def one(kind: str) -> re.Match[str] | None:
        nonlocal end
        m = pattern(kind).match(text, end)
        end = m.end() if m else end
        return m

    def run(kind: str) -> list[re.Match[str]]:
        nonlocal end
        matches, match = [], pattern(kind).match
        while m := match(text, end):
            matches.append(m)
            end = m.end()
        return matches

    tags = one("tags")
    if tags and (keyword := one("position")):
        return Parsed(text, tags, [], [], None, [keyword, *run("pline")], "position", end)
    setup = run("setup") if tags else []
    turns = run("turn") if tags else []
    result = one("result") if tags else None
    part = "result" if result else "turns" if turns else "setup" if setup else "tags" if tags else "begin"
    return Parsed(text, tags, setup, turns, result, None, part, end)


def reads(part: str, line: str) -> bool:
    """Whether a line is one of those that a part of a game mostly has: a tag, a line of the set-up, a turn."""
    kind = {"begin": "tags", "tags": "tags", "setup": "setup", "turns": "turn"}.get(part)
    return kind is not None and pattern(kind).fullmatch(f"{line.strip()}\n") is not None


def refused(part: str, line: str) -> tuple[int, frozenset[str]] | None:
    """Where the grammar gives up at a line in this part of a game, and the tokens that could stand there; None where
    the line can be read. Cost: linear.
    """
    if reads(part, line) or (part != "begin" and not line.strip()):
        return None
    from lark import UnexpectedCharacters, UnexpectedToken

    try:
        parser().parse(f"{line}\n", start=f"after_{part}")
    except UnexpectedToken as error:
        return len(line) if error.token.type == "$END" else error.token.start_pos or 0, frozenset(error.expected)
    except UnexpectedCharacters as error:
        return error.pos_in_stream or 0, frozenset(error.allowed or ())
    return None


# Comments: where they stand, and a text without them.


def comments_of(text: str) -> list[re.Match[str]]:
    """The comments of a text, in their order; none begins within quotes. Cost: linear."""
    if ";" not in text and "{" not in text:
        return []
    return [m for m in _COMMENT.finditer(text) if m[0][0] == ";" or m[0][-1] == "}"]


def without(text: str, comments: Iterable[re.Match[str]] | None = None) -> str:
    """A text with blanks where its comments stand, their line ends included; `comments` are these where they are known
    already."""
    parts, at = list[str](), 0
    for m in comments_of(text) if comments is None else comments:
        parts += [text[at : m.start()], " " * len(m[0])]
        at = m.end()
    return "".join([*parts, text[at:]])


# What is no CGN.


class Fault(NamedTuple):
    """Something that is no CGN: its place in the game's text, what is wrong there, and what mends it where only one
    thing can have been meant."""

    span: Span
    what: Fact
    edit: Edit | None = None

    def moved(self, by: int) -> Fault:
        """The same in a text in which it stands so many characters later."""

        def span(at: Span) -> Span:
            return Span(at.start + by, at.end + by)

        return Fault(span(self.span), self.what, self.edit and Edit(span(self.edit.span), self.edit.replacement))


def shorten(text: str, limit: int = 40) -> str:
    """`text`, or its beginning and an ellipsis where it is longer than `limit`."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def before_blanks(text: str, at: int) -> int:
    """The place before the blanks that end at `at`, on the same line."""
    while at and text[at - 1].isspace() and text[at - 1] != "\n":
        at -= 1
    return at


def fault(start: int, word: str, kind: str, meant: str | None = None, /, **values: Datum) -> Fault:
    """A fault of a word that begins at `start`; of the one place there where the word is empty: a fact of this `kind`.
    Where `meant` is given it mends the fault in place of the word.
    """
    edit = None if meant is None else Edit(Span(start, start + len(word)), meant)
    return Fault(Span(start, start + max(1, len(word))), fact(kind, **values), edit)


# Single words into the values of the model. The grammar has checked every word that comes here.

CARDS: dict[str, Shown] = {str(value): Value(value) for value in range(1, STANDARD.cards + 1)}
CARDS |= {"F": FINISH, "?": UNSEEN}
"""Every card by the way it is written."""

CELLS: dict[str, Cell] = {
    str(cell): cell
    for cell in (Cell(column, level) for column in range(STANDARD.columns) for level in range(1, STANDARD.levels + 1))
}
"""Every cell that can be written, those outside all pyramids too."""

_NO_ACTION = recorded.NoAction()
_OPERATORS = re.compile(r"([-+^_|])")
_QUOTED = re.compile(r"(?<!\S)['‘’“”]+([^'‘’“”]+)['‘’“”]+(?![^\s,])")
_BETWEEN = re.compile(r",|(?<!\S)(?:and|und|[/&])(?!\S)")
_AROUND = ":.,!()<>*-"


def name_of(word: str) -> str:
    """A player's name as names are compared: composed (NFC)."""
    return word if word.isascii() else unicodedata.normalize("NFC", word)


def name_written(text: str) -> str:
    """A player's name as CGN writes it: a blank is ``_``."""
    return "_".join(name_of(text).split())


def names_meant(value: str) -> tuple[str, ...]:
    """The names of a list as people write one: parted by commas, by signs or ``and``, or with blanks within quotes."""
    value = _QUOTED.sub(lambda m: name_written(m[1]), value)
    parts = _BETWEEN.split(value) if _BETWEEN.search(value) else value.split()
    return tuple(filter(None, map(name_written, parts if len(parts) > 1 else re.split("[/&]", value))))


def meant_name(name: str, players: Sequence[str]) -> str | None:
    """The one player whose name this is but for capitals and marks at its end, if there is one."""
    bare = name_of(name).strip(_AROUND).casefold()
    like = [each for each in players if each.strip(_AROUND).casefold() == bare]
    return like[0] if len(like) == 1 and bare else None


@lru_cache(maxsize=1 << 13)
def listed(words: str | None) -> tuple[Shown, ...]:
    """The cards that a draw, a fill, a drop or a trim lists: ``+14,9``, ``drop 3``; none for ``+0`` and ``fill *``."""
    word = words.split()[-1].lstrip("+") if words else "0"
    return () if word in ("0", "*") else tuple([CARDS[card] for card in word.split(",")])


def action(text: str) -> Action:
    """An action from its letter and its word: ``A 17@f1``."""
    return _exchange(text.split()[1]) if text[0] == "D" else _one_card(text)


@lru_cache(maxsize=1 << 13)
def _one_card(text: str) -> Action:
    """An action that names one card, or none: there are some thousands."""
    if text == "-":
        return _NO_ACTION
    letter, word = text.split()
    if letter == "C":
        cell, _, shown = word.partition("=")
        return recorded.Open(CELLS[cell], CARDS[shown])
    shown, _, cell = word.partition("@")
    return (recorded.LayUp if letter == "A" else recorded.LayDown)(CARDS[shown], CELLS[cell])


def placed(word: str) -> tuple[Cell, Laid]:
    """A card in the tower of a position: ``25@g1``, ``~?@f2``."""
    card, _, cell = word.partition("@")
    return CELLS[cell], laid(card)


def laid(word: str) -> Laid:
    """A card as it lies in the tower: ``26``, ``~26``."""
    return Down(CARDS[word[1:]]) if word[0] == "~" else Up(CARDS[word])


def _exchange(word: str) -> recorded.Exchange:
    left, _, right = word.partition("=")
    first, sign, second, *rest = _OPERATORS.split(left)
    adjust = tuple((cast("Literal['^', '_', '|']", rest[i]), CARDS[rest[i + 1]]) for i in range(0, len(rest), 2))
    taken, _, place = right.partition("@")
    replaced: Laid | None = None
    if len(place) > 2:
        replaced = Down(UNSEEN) if place[3:] == "?" else laid(place[3:])
    return recorded.Exchange(
        CARDS[first],
        cast("Literal['+', '-']", sign),
        CARDS[second],
        adjust,
        CARDS[taken.removeprefix("~")],
        not taken.startswith("~"),
        CELLS[place[:2]],
        replaced,
    )


# The tags of a game: the required ones, the rules, the variant, the marks.

_WORD_LISTS = ("Rules", "Players", "Marks")
_TAG = re.compile(r'\[\s*([^\s"]++)\s*"([^"]*)"\s*\]')
_WORD = re.compile(r"\S+")
MARKS: dict[str, tuple[Value, Mark]] = {
    f"{value}:{mark}": (Value(value), mark) for value in range(1, STANDARD.cards + 1) for mark in get_args(Mark)
}
"""Every mark by the way it is written."""


class Header(NamedTuple):
    """What the tags say. `spans` gives each tag's place, its brackets included, `named` is the tag Players."""

    head: Head
    spans: dict[str, Span]
    named: _Tag


class _Tag(NamedTuple):
    value: str
    m: re.Match[str]

    def span(self, group: int = 0) -> Span:
        """Where the tag stands, its name (1), its value (2)."""
        return Span(*self.m.span(group))

    def words(self) -> Iterator[tuple[str, Span]]:
        """The words of the value, each with its place."""
        for m in _WORD.finditer(self.value):
            yield m[0], Span(self.m.start(2) + m.start(), self.m.start(2) + m.end())

    @property
    def listed(self) -> str:
        return name_of(" ".join(self.value.split()))


def read_header(lines: re.Match[str], faults: list[Fault]) -> Header | None:
    """The header that the tags make, or None where something in them is amiss; what it is goes into `faults`, which are
    empty before.
    """
    tags = _tags(lines, faults)
    if not _known_version(tags, faults):
        return None
    players = _players(tags, faults)
    rules = _rules(tags["Rules"], faults) if "Rules" in tags else parse_rules("")
    variant = _variant(tags["Variant"], faults) if "Variant" in tags else "first"
    marks = _marks(tags["Marks"], faults) if "Marks" in tags else {}
    if faults or rules is None:
        return None
    values = tuple((name, tag.listed if name in _WORD_LISTS else tag.value) for name, tag in tags.items())
    spans = {name: tag.span() for name, tag in tags.items()}
    head = Head(tags=values, players=players, rules=rules, variant=variant, marks=marks)
    return Header(head, spans, tags["Players"])


def _tags(lines: re.Match[str], faults: list[Fault]) -> dict[str, _Tag]:
    tags: dict[str, _Tag] = {}
    for m in _TAG.finditer(lines.string, lines.start(), lines.end()):
        name = m[1]
        if name in tags:
            faults.append(Fault(Span(*m.span()), fact("tag_twice", name=shorten(name))))
        else:
            tags[name] = _Tag(m[2], m)
    return tags


def _known_version(tags: dict[str, _Tag], faults: list[Fault]) -> bool:
    name, tag = next(iter(tags.items()))
    if name.lower() == "cgn" and name != "CGN" and "CGN" not in tags:
        faults.append(Fault(tag.span(1), fact("begins"), Edit(tag.span(1), "CGN")))
    elif name != "CGN":
        faults.append(Fault(tag.span(), fact("begins"), Edit(Span(tag.span().start, tag.span().start), '[CGN "1"]\n')))
    elif tag.value != "1":
        faults.append(Fault(tag.span(2), fact("version", version=shorten(tag.value))))
    return name == "CGN" and tag.value == "1"


def _players(tags: dict[str, _Tag], faults: list[Fault]) -> tuple[str, ...]:
    tag = tags.get("Players")
    if tag is None:
        like = next((name for name in tags if name.lower().startswith("player")), None)
        what = fact("players_missing", like=None if like is None else shorten(like))
        edit = None if like is None else Edit(tags[like].span(1), "Players")
        faults.append(Fault(next(iter(tags.values())).span(), what, edit))
        return ()
    players = []
    for name, span in tag.words():
        players.append(name_of(name))
        bad = next((character for character in name if character in ";{}[]"), None)
        if bad is not None:
            faults.append(Fault(span, fact("name_letter_in", letter=bad, name=shorten(name))))
    if not players:
        faults.append(Fault(tag.span(), fact("players_none")))
    return tuple(players)


def _rules(tag: _Tag, faults: list[Fault]) -> Rules | None:
    try:
        return parse_rules(" ".join(tag.value.split()))
    except RulesError as error:
        place = dict(tag.words()).get(error.word, tag.span(2))
        faults.append(Fault(place, _shortened(error.what, error.word), _small(tag)))
        return None


def _small(tag: _Tag) -> Edit | None:
    """The rules in small letters, where they are known so."""
    meant = tag.value.lower()
    try:
        parse_rules(" ".join(meant.split()))
    except RulesError:
        return None
    return Edit(tag.span(2), meant)


def _shortened(what: Fact, word: str) -> Fact:
    """The same with a word in it shortened."""

    def cut(value: Datum) -> Datum:
        if isinstance(value, Fact):
            return _shortened(value, word)
        return shorten(word) if value == word else value

    return Fact(what.kind, what.numbers, tuple((name, cut(value)) for name, value in what.beside))


def _variant(tag: _Tag, faults: list[Fault]) -> Variant:
    meant = tag.value.strip().lower()
    if meant != tag.value or meant not in get_args(Variant):
        edit = Edit(tag.span(2), meant) if meant in get_args(Variant) else None
        faults.append(Fault(tag.span(2), fact("no_variant", name=shorten(tag.value)), edit))
    return cast("Variant", meant)


def _marks(tag: _Tag, faults: list[Fault]) -> dict[Value, Mark]:
    words = tag.value.split()
    marks = dict([MARKS[word] for word in words if word in MARKS])
    if len(marks) < len(words):
        seen = set[str]()
        for word, span in tag.words():
            value = word.partition(":")[0]
            if word not in MARKS:
                parts = re.split("[,;]", word.strip(",;").upper().replace("=", ":"))
                edit = Edit(span, " ".join(parts)) if all(part in MARKS for part in parts) else None
                faults.append(Fault(span, mark_fault(word), edit))
            elif value in seen:
                faults.append(Fault(span, fact("mark_twice", card=value)))
            seen.add(value)
    return marks


def mark_fault(word: str) -> Fact:
    """Why a word is no mark."""
    _, colon, mark = word.partition(":")
    kind = "mark_form" if not colon else "mark_mark" if mark not in ("1", "2", "H") else "mark_card"
    return fact(kind, word=shorten(word), cards=STANDARD.cards)


# The marks that an owner wrote down once for the fifty cards of a copy: a file beside the records.

_WORD_OR_COMMENT = re.compile(r"[^\s;]+|;[^\n]*")


class MarksError(TomlError):
    """A file that holds no marks."""


class OwnMarks(msgspec.Struct, frozen=True):
    """The marks of a copy, and for each card the line and column, from 1, where its mark stands in `file`."""

    file: str
    marks: Mapping[Value, Mark]
    places: Mapping[Value, tuple[int, int]]


def read_marks(path: str | Path) -> OwnMarks:
    """Read a file of marks: words ``value:mark`` as in the Marks tag, over as many lines as one likes; ``;`` begins a
    comment. Raises `MarksError`, with the place, for whatever else stands there, for a card that stands there twice,
    and for a file without marks or of more than `rulings.MAX_BYTES`; an unreadable file raises `OSError`.
    """
    file = TomlFile(Path(path), "marks", MarksError)
    marks: dict[Value, Mark] = {}
    places: dict[Value, tuple[int, int]] = {}
    for match in _WORD_OR_COMMENT.finditer(file.text):
        word, start = match[0], match.start()
        if word.startswith(";"):
            continue
        if word not in MARKS:
            raise file.refused(Stretch(*match.span()), mark_fault(word))
        value, mark = MARKS[word]
        if value in marks:
            raise file.refused(Stretch(*match.span()), fact("mark_twice", card=value))
        marks[value] = mark
        places[value] = (file.text.count("\n", 0, start) + 1, start - file.text.rfind("\n", 0, start))
    if not marks:
        raise MarksError("", fact("marks_none", path=str(path)))
    return OwnMarks(str(path), marks, places)


def with_marks(item: Game | Snapshot, own: OwnMarks) -> tuple[Game | Snapshot, tuple[Fault, ...]]:
    """A game or position whose cards bear these marks too, and where its own tag says otherwise, which stands. The text
    it was read from stays as it was.
    """
    told = item.record if isinstance(item, Game) else item.position
    clashes = list[Fault]()
    for value, mark in sorted(told.marks.items()):
        if own.marks.get(value, mark) != mark:
            tag, (line, column) = item.layout.tags["Marks"], own.places[value]
            word = re.search(rf"(?<!\d){value}:[12H]", item.layout.text[tag.start : tag.end])
            span = tag if word is None else Span(tag.start + word.start(), tag.start + word.end())
            beside = {"card": value, "mark": mark, "other": own.marks[value]}
            clashes.append(Fault(span, fact("marks_clash", file=own.file, line=line, column=column, **beside)))
    field = "record" if isinstance(item, Game) else "position"
    marked = told.bearing({**own.marks, **told.marks})
    return msgspec.structs.replace(item, **{field: marked}), tuple(clashes)


# Turns: from their lines to values, and where their parts stand, found when asked for.


def turn_of(line: re.Match[str]) -> Turn:
    """The turn that a line makes."""
    number, player, draw, done, glyphs, fill, drop, trim = line.groups()
    remarks = tuple(glyphs.split()) if glyphs else ()
    given = listed(draw), action(done), remarks, listed(drop), listed(trim), listed(fill)
    return Turn(int(number[:-1]), name_of(player), *given, draw == "+*", fill is not None and fill[-1] == "*")


class TurnPlaces(Sequence[TurnLayout]):
    """Where the parts of the turns of a game stand, each found when it is asked for.

    `starts` tells where in `text` each turn begins, `origin` where a stretch of it comes from.
    """

    def __init__(self, text: str, starts: Sequence[int], origin: Callable[[Span], Span] = Span._make) -> None:
        self._text = text
        self.starts = starts
        self._origin = origin

    def before(self, stands: Callable[[int], bool], origin: Callable[[Span], Span]) -> TurnPlaces:
        """The turns whose beginnings are so, with their places elsewhere."""
        return TurnPlaces(self._text, [start for start in self.starts if stands(start)], origin)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return TurnPlaces(self._text, self.starts[index], self._origin)
        m = cast("re.Match[str]", pattern("turn").match(self._text, self.starts[index]))

        def place(part: str) -> Span:
            return self._origin(Span(*m.span(part)))

        parts = ("DRAW", "GLYPHS", "DROP", "TRIM", "FILL")
        draw, glyphs, drop, trim, fill = (place(part) if m[part] else None for part in parts)
        return TurnLayout(place("NUMBER"), place("NAME"), draw, place("ACTION"), glyphs, drop, trim, fill)


# From the lines of a game to its record and layout.

MAX_TURNS = 2000
"""No game of fifty cards comes near so many turns."""

_Places = list[tuple[str, Span]]


class Built(NamedTuple):
    """What a text says, and where the parts of it stand."""

    value: Record | Position
    tags: dict[str, Span]
    lines: dict[str, Span]
    turns: TurnPlaces
    result: Span | None = None


def build(parsed: Parsed) -> Built | list[Fault]:
    """What the lines of a game or a position say, or everything in them that is no CGN or that no rule allows.

    Cost: linear, some 2 microseconds a turn and 40 for the tags and the set-up.
    """
    faults: list[Fault] = []
    header = None if parsed.tags is None else read_header(parsed.tags, faults)
    if parsed.position is not None:
        return faults if header is None else _built_position(header, parsed.position)
    return _built_record(header, parsed, faults)


def _built_record(header: Header | None, parsed: Parsed, faults: list[Fault]) -> Built | list[Fault]:
    if len(parsed.turns) > MAX_TURNS:
        place = Span(*parsed.turns[MAX_TURNS].span("NUMBER"))
        return [*faults, Fault(place, fact("many_turns", most=MAX_TURNS))]
    if header is None:
        return faults
    turns = tuple([turn_of(line) for line in parsed.turns])
    unknown: list[Fault] = []
    lines = line_places(parsed.setup, header.head.players, unknown)
    cards = {line_key(words): _cards(words) for words in map(words_of, parsed.setup)}
    deals = {key.removeprefix("deal "): dealt for key, dealt in cards.items() if key[:5] == "deal "}
    faults = _commas(header, {turn.player for turn in turns} | deals.keys()) or unknown
    if faults:
        return faults
    result = parsed.result and parsed.result["RESULT"]
    record = Record(
        **msgspec.structs.asdict(header.head),
        deals=deals,
        reserve=cards.get("reserve"),
        deck=cards.get("deck"),
        turns=turns,
        result=None if result in (None, "*") else cast("recorded.Outcome", result),
    )
    places = TurnPlaces(parsed.text, [line.start() for line in parsed.turns])
    return Built(record, header.spans, lines, places, parsed.result and place_of(parsed.result))


def _commas(header: Header, named: set[str]) -> list[Fault]:
    """Commas between the players' names or quotes around them, where a line names a player without: a name may end in
    a comma, or be one.
    """
    players, place = set(header.head.players), header.named.span(2)
    if named <= players and (len(named) < 2 or not players & {"and", "und", "&"}):  # one may be a name
        return []
    names = names_meant(header.named.value)
    if not named <= set(names):
        return []
    return [Fault(place, fact("players_comma", names=tuple(map(shorten, names))), Edit(place, " ".join(names)))]


def line_key(words: list[str]) -> str:
    """The key of a set-up or position line in `Layout.lines`: its keyword, and the player of a deal or hand."""
    return f"{words[0]} {name_of(words[1])}" if words[0] in ("deal", "hand") else words[0]


def words_of(line: re.Match[str]) -> list[str]:
    """The words of a line."""
    return line[0].split()


def place_of(line: re.Match[str]) -> Span:
    """Where a line stands, from its first word to its last."""
    return Span(line.start(), line.start() + len(line[0].rstrip()))


def places_of(line: re.Match[str]) -> list[tuple[str, Span]]:
    """The words of a line, each with its place."""
    return [(m[0], Span(*m.span())) for m in _WORD.finditer(line.string, line.start(), line.end())]


def _cards(words: list[str]) -> tuple[Shown, ...]:
    """The cards of a line that begins with these words."""
    return tuple([CARDS[word] for word in words[2 if words[0] in ("deal", "hand") else 1 :]])


def line_places(lines: Iterable[re.Match[str]], players: tuple[str, ...], faults: list[Fault]) -> dict[str, Span]:
    """Where each line stands, by its key. Lines that stand twice and players that do not play go into `faults`."""
    places: dict[str, Span] = {}
    for line in lines:
        words, place = words_of(line), place_of(line)
        key = line_key(words)
        if key in places:
            faults.append(Fault(place, fact("line_twice", line=shorten(key))))
        places.setdefault(key, place)
        if words[0] in ("deal", "hand", "turn", "front") and name_of(words[1]) not in players:
            name, names = words[1], shorten(" ".join(players), 200)
            start, meant = places_of(line)[1][1].start, meant_name(name, players)
            faults.append(fault(start, name, "no_such_player", meant, name=shorten(name), names=names))
    return places


# From the lines of a position to its value: what a line may say, and what no rule allows.


def _built_position(header: Header, parsed: list[re.Match[str]]) -> Built | list[Fault]:
    faults: list[Fault] = []
    spans = line_places(parsed, header.head.players, faults)
    if "tower" not in spans:
        faults.append(Fault(spans["position"], fact("no_tower")))
    if faults:
        return faults
    lines = {line_key(words_of(line)): places_of(line) for line in parsed}
    position = _position(header, lines)
    faults = [*_check_players(position, header.spans["Players"]), *_check_tower(position, lines["tower"][1:])]
    faults += [*_check_cards(position, lines), *_check_lines(position, lines, spans)]
    return faults or Built(position, header.spans, spans, TurnPlaces("", ()))


def _position(header: Header, lines: dict[str, _Places]) -> Position:
    words = {key: [word for word, _ in places] for key, places in lines.items()}
    told = {key: words[key][1] for key in ("front", "turn", "last", "skipped", "replaced") if key in words}
    cards = {key: _cards(line) for key, line in words.items() if line[0] in ("hand", "reserve", "gone", "deck")}
    last = told.get("last")
    return Position(
        **msgspec.structs.asdict(header.head),
        tower=tuple(placed(text) for text in words["tower"][1:]),
        hands={key.removeprefix("hand "): hand for key, hand in cards.items() if key[:5] == "hand "},
        front=name_of(told["front"]) if "front" in told else None,
        reserve=cards.get("reserve"),
        gone=cards.get("gone", ()),
        deck=cards.get("deck"),
        turn=name_of(told["turn"]) if "turn" in told else None,
        last=None if last in (None, "-") else CELLS[last],
        idle=last == "-",
        laid_down=len(words.get("last", ())) > 2,
        skipped=int(told.get("skipped", 0)),
        replaced=told.get("replaced") == "yes",
    )


def _check_players(position: Position, place: Span) -> Iterator[Fault]:
    """SET01."""
    players = position.players
    if STANDARD.reserve_size(len(players)) is None:
        yield Fault(place, fact("table_players", players=len(players)))
    if len(set(players)) < len(players):
        yield Fault(place, fact("table_names"))


def _check_tower(position: Position, tokens: list[tuple[str, Span]]) -> Iterator[Fault]:
    """TOW03 to TOW06 and TOW08, as far as they hold of every tower that was ever laid."""
    taken = {cell for cell, _ in position.tower}
    seen = set[Cell]()
    middle = STANDARD.middle
    first, last = (middle, middle) if position.rules.rulings.anchor == "middle" else (0, STANDARD.levels - 1)
    for (cell, laid), (_, place) in zip(position.tower, tokens, strict=True):
        if cell in seen:
            yield Fault(place, fact("holds_already", cell=cell))
        seen.add(cell)
        lowest, highest = max(first, cell.column - STANDARD.levels + cell.level), min(last, cell.column)
        if lowest > highest:
            yield Fault(place, _outside(cell, first, last))
        else:
            first, last = lowest, highest
        yield from (Fault(place, what) for what in _card_faults(position, cell, laid, taken))


def _outside(cell: Cell, first: int, last: int) -> Fact:
    if first == last:
        right = tower.column_name(first + STANDARD.levels - 1)
        return fact("cell_outside", cell=cell, first=tower.column_name(first), last=right)
    return fact("cell_outside_all", cell=cell)


def _card_faults(position: Position, cell: Cell, laid: Laid, taken: set[Cell]) -> Iterator[Fact]:
    finish = laid.card is FINISH
    apex = cell.level == STANDARD.levels
    lacking = tuple(support for support in cell.supports if support not in taken) if cell.level > 1 else ()
    if lacking:
        yield fact("cell_unsupported", cell=cell, missing=lacking)
    if isinstance(laid, Down) and finish:
        yield fact("finish_down")
    if isinstance(laid, Down) and apex:
        yield fact("apex_never_down")
    elif apex and position.variant == "finish" and not finish and laid != Up(UNSEEN):
        yield fact("apex_finish")


def _check_cards(position: Position, lines: dict[str, _Places]) -> Iterator[Fault]:
    """SET06: every card in one place, no more of them than there are, and the Finish card in its variant only."""
    seen = set[Shown]()
    total = left = STANDARD.cards + (position.variant == "finish")
    for card, place in _placed_cards(lines):
        left -= 1
        if left == -1:
            yield Fault(place, fact("many_cards", total=total))
        if card is FINISH and position.variant == "first":
            yield Fault(place, fact("no_finish"))
        if card is UNSEEN:
            continue
        if card in seen:
            yield Fault(place, fact("card_twice", card=card))
        seen.add(card)


def _placed_cards(lines: dict[str, _Places]) -> Iterator[tuple[Shown, Span]]:
    for (keyword, _), *rest in lines.values():
        if keyword == "tower":
            yield from ((CARDS[word.lstrip("~").partition("@")[0]], place) for word, place in rest)
        elif keyword == "front":
            yield FINISH, rest[0][1]
        elif keyword in ("hand", "reserve", "gone", "deck"):
            yield from ((CARDS[word], place) for word, place in rest[keyword == "hand" :])


def _check_lines(position: Position, lines: dict[str, _Places], spans: dict[str, Span]) -> Iterator[Fault]:
    taken = {cell for cell, _ in position.tower}
    level = sorted(cell.column for cell in taken if cell.level == 1)
    if STANDARD.anchor_cell not in taken:
        yield Fault(spans["tower"], fact("anchor_empty", cell=STANDARD.anchor_cell))
    elif position.rules.rulings.spread == "adjacent" and level[-1] - level[0] >= len(level):
        yield Fault(spans["tower"], fact("gap"))
    if position.last is not None and position.last not in taken:
        yield Fault(lines["last"][1][1], fact("last_empty", cell=position.last))
    rulings = position.rules.rulings
    if position.idle and rulings.draw_source != "nothing":
        yield Fault(lines["last"][1][1], fact("idle_ruling"))
    if position.laid_down and rulings.draw_source != "as_laid":
        yield Fault(lines["last"][2][1], fact("laid_down_ruling"))
    elif position.laid_down and position.last in taken:
        lies, still = dict(position.tower)[position.last], fact("laid_down_still", cell=position.last)
        apex = fact("apex_down") if position.last.level == STANDARD.levels else None
        never = still if type(lies) is Down else fact("finish_down") if lies.card is FINISH else apex
        yield from () if never is None else (Fault(lines["last"][2][1], never),)
    if position.skipped and rulings.no_action != "skipped":
        yield Fault(lines["skipped"][1][1], fact("skipped_ruling"))
    elif position.skipped >= len(position.players):
        yield Fault(lines["skipped"][1][1], fact("skipped_all"))
    if position.turn is not None:
        lacking = [f"hand {player}" for player in position.players if player not in position.hands]
        lacking += ["reserve"] if position.reserve is None else []
        if lacking:
            yield Fault(spans["turn"], fact("turn_lacks", missing=tuple(lacking)))
