"""The lines and words of a game: the grammar in `cgn.lark`, what its rules read, comments, and a fault of a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple, cast

from lark import Lark, UnexpectedInput

from couperation_formal.game.diagnostic import Edit
from couperation_formal.game.fact import Fact
from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, NoAction, Open, Span
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Cell, Down, Laid, Shown, Up, Value

PARTS = ("begin", "tags", "setup", "turns", "result", "position")
"""The parts of a game, by what stands above a line in them; at the beginning nothing does."""

_RULE = re.compile(r"^(tags|setup|turn|result|position|pline): (.*(?:\n +\|.*)*)", re.MULTILINE)
_SYMBOL = re.compile(r"\s*([|()]|_?[A-Z]+)\s*")
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


@lru_cache(maxsize=1)
def _grammar() -> str:
    return files(__package__).joinpath("cgn.lark").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The parser of lines, built at the first call (about 40 ms). It keeps no state between texts."""
    starts = [f"after_{part}" for part in PARTS]
    return Lark(_grammar(), parser="lalr", lexer="contextual", start=starts, maybe_placeholders=False)


@lru_cache(maxsize=1)
def patterns() -> dict[str, re.Pattern[str]]:
    """What a line of each kind is, with all blanks after it.

    A rule of terminals alone is a regular expression of them. Each takes what it can and gives nothing back, as a lexer
    does, so that time is linear. A terminal that stands once in its rule is a group.
    """
    terminals = {terminal.name: terminal.pattern.to_regexp() for terminal in parser().terminals}

    def pattern(rule: str) -> re.Pattern[str]:
        def symbol(m: re.Match[str]) -> str:
            name = m[1]
            if name not in terminals:
                return name
            word = f"(?>{terminals[name]})"
            return rf"(?:[^\S\n]*+{word if name == '_NL' or rule.count(name) > 1 else f'(?P<{name}>{word})'})"

        return re.compile(_SYMBOL.sub(symbol, re.sub("[?*+]", r"\g<0>+", rule)))

    return {kind: pattern(rule) for kind, rule in _RULE.findall(_grammar())}


def parse(text: str) -> Parsed:
    """The lines of one game without its comments, as far as they are CGN. Cost: linear, some 3 microseconds a turn."""
    text = text if text.endswith("\n") else f"{text}\n"
    kinds = patterns()
    end = len(text) - len(text.lstrip())

    def one(kind: str) -> re.Match[str] | None:
        nonlocal end
        m = kinds[kind].match(text, end)
        end = m.end() if m else end
        return m

    def run(kind: str) -> list[re.Match[str]]:
        matches = []
        while m := one(kind):
            matches.append(m)
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
    return kind is not None and patterns()[kind].fullmatch(f"{line.strip()}\n") is not None


def refused(part: str, line: str) -> UnexpectedInput | None:
    """Where the grammar gives up at a line in this part of a game; None where the line can be read. Cost: linear."""
    if reads(part, line) or (part != "begin" and not line.strip()):
        return None
    try:
        parser().parse(f"{line}\n", start=f"after_{part}")
    except UnexpectedInput as error:
        return error
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


def fault(start: int, word: str, what: Fact, meant: str | None = None) -> Fault:
    """A fault of a word that begins at `start`; of the one place there where the word is empty. Where `meant` is given
    it mends the fault in place of the word.
    """
    edit = None if meant is None else Edit(Span(start, start + len(word)), meant)
    return Fault(Span(start, start + max(1, len(word))), what, edit)


# Single words into the values of the model. The grammar has checked every word that comes here.

CARDS: dict[str, Shown] = {
    **{str(value): Value(value) for value in range(1, STANDARD.cards + 1)},
    "F": FINISH,
    "?": UNSEEN,
}
"""Every card by the way it is written."""

CELLS: dict[str, Cell] = {
    str(cell): cell
    for cell in (Cell(column, level) for column in range(STANDARD.columns) for level in range(1, STANDARD.levels + 1))
}
"""Every cell that can be written, those outside all pyramids too."""

_NO_ACTION = NoAction()
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


def cards(words: list[str]) -> tuple[Shown, ...]:
    """The cards of a set-up line."""
    return tuple([CARDS[word] for word in words])


def listed(words: str | None) -> tuple[Shown, ...]:
    """The cards that a draw, a fill, a drop or a trim lists: ``+14,9``, ``drop 3``; none for ``+0`` and ``fill *``."""
    word = words.split()[-1].lstrip("+") if words else "0"
    return () if word in ("0", "*") else tuple([CARDS[card] for card in word.split(",")])


def action(text: str) -> Action:
    """An action from its letter and its word: ``A 17@f1``."""
    if text == "-":
        return _NO_ACTION
    letter, word = text.split()
    if letter == "C":
        cell, _, shown = word.partition("=")
        return Open(CELLS[cell], CARDS[shown])
    if letter == "D":
        return _exchange(word)
    shown, _, cell = word.partition("@")
    return (LayUp if letter == "A" else LayDown)(CARDS[shown], CELLS[cell])


def placed(word: str) -> tuple[Cell, Laid]:
    """A card in the tower of a position: ``25@g1``, ``~?@f2``."""
    card, _, cell = word.partition("@")
    return CELLS[cell], laid(card)


def laid(word: str) -> Laid:
    """A card as it lies in the tower: ``26``, ``~26``."""
    return Down(CARDS[word[1:]]) if word[0] == "~" else Up(CARDS[word])


def _exchange(word: str) -> Exchange:
    left, _, right = word.partition("=")
    first, sign, second, *rest = _OPERATORS.split(left)
    adjust = tuple((cast("Literal['^', '_', '|']", rest[i]), CARDS[rest[i + 1]]) for i in range(0, len(rest), 2))
    taken, _, place = right.partition("@")
    replaced: Laid | None = None
    if len(place) > 2:
        replaced = Down(UNSEEN) if place[3:] == "?" else laid(place[3:])
    return Exchange(
        CARDS[first],
        cast("Literal['+', '-']", sign),
        CARDS[second],
        adjust,
        CARDS[taken.removeprefix("~")],
        not taken.startswith("~"),
        CELLS[place[:2]],
        replaced,
    )
