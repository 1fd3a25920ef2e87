"""The lines of a game: the grammar in `cgn.lark`, what its rules read, and the comments beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from lark import Lark

PARTS = ("begin", "tags", "setup", "turns", "result", "position")
"""The parts of a game, by what stands above a line in them; at the beginning nothing does."""

_RULE = re.compile(r"^(tags|setup|turn|result|position|pline): (.*(?:\n +\|.*)*)", re.MULTILINE)
_SYMBOL = re.compile(r"\s*([|()]|_?[A-Z]+)\s*")
_COMMENT = re.compile(r'"[^"\r\n]*"?|;[^\n]*|\{[^}]*\}')


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


# Comments: where they stand, and a text without them.


def comments_of(text: str) -> list[re.Match[str]]:
    """The comments of a text, in their order; none begins within quotes. Cost: linear."""
    if ";" not in text and "{" not in text:
        return []
    return [m for m in _COMMENT.finditer(text) if m[0][0] != '"']


def without(text: str, comments: Iterable[re.Match[str]]) -> str:
    """A text with blanks where its comments stand, their line ends included."""
    parts, at = list[str](), 0
    for m in comments:
        parts += [text[at : m.start()], " " * len(m[0])]
        at = m.end()
    return "".join([*parts, text[at:]])
