"""The parser: the text of one game, or one line of it, into lists of tokens, by the grammar in `cgn.lark`."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple, cast

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from couperation_formal.game.diagnostic import Edit
from couperation_formal.game.record import Span
from couperation_formal.notation.errors import explain
from couperation_formal.notation.fault import Fault

# The parser: the text of one game into lists of tokens, by the grammar in `cgn.lark`.

Lines = list[Token | list[Token]]
"""Lines as parsed: a run of plain lines as one token, any other line as the list of its tokens, without its end and
comments."""


class Parsed(NamedTuple):
    """One game, parsed. `position` holds the lines of a position, its keyword `position` first; None for a game."""

    tags: list[Token]
    setup: Lines
    turns: Lines
    result: Token | None
    position: list[list[Token]] | None


class _Lists(Transformer[Token, Any]):
    """The parser's callbacks: each rule gives the list of its parts, so that no tree is built."""

    @staticmethod
    def _keep(children: list[Any]) -> list[Any]:
        return children

    tags = setups = setup = turns = turn = pline = _keep

    @staticmethod
    def game(children: list[Any]) -> tuple[Lines, Lines, Token | None, None]:
        return children[0], children[1], children[2] if len(children) > 2 else None, None

    @staticmethod
    def position(children: list[Any]) -> tuple[Lines, Lines, None, list[list[Token]]]:
        return [], [], None, [[children[0]], *children[1:]]

    @staticmethod
    def start(children: list[Any]) -> Parsed:
        return Parsed(children[0], *children[1])


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The parser of one game, built at the first call (about 40 ms). It keeps no state between texts."""
    grammar = files(__package__).joinpath("cgn.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        propagate_positions=False,
        maybe_placeholders=False,
        transformer=_Lists(),
    )


def parse(text: str) -> Parsed | Fault:
    """The tokens of one game, with their places in `text`, or the first syntax error.

    Cost: linear; some 35 microseconds a game and one a turn, 20 where a turn bears a comment.
    """
    try:
        return cast("Parsed", parser().parse(text if text.endswith("\n") else text + "\n"))
    except UnexpectedInput as error:
        from couperation_formal.notation.errors import explain

        return explain(text, error)


# A line by itself: what is wrong with it, by the grammar, as a line of the part of a game in which it stands.

_PREFIXES = {
    "begin": "",
    "tags": '[CGN "1"]\n',
    "setup": '[CGN "1"]\nreserve\n',
    "turns": '[CGN "1"]\n1. a -\n',
    "result": '[CGN "1"]\n*\n',
    "position": '[CGN "1"]\nposition\n',
}
"""A text after which each part of a game goes on."""

_BEGINNINGS = frozenset("[dr0123456789")


@lru_cache(maxsize=1)
def _plain() -> dict[str, re.Pattern[str]]:
    """What lines are in each part in which the grammar takes whole lines as one token."""
    by_name = {terminal.name: terminal.pattern.to_regexp() for terminal in parser().terminals}
    tags, setup, turns = (re.compile(by_name[name]) for name in ("TAGS", "PLAIN_SETUP", "PLAIN_TURNS"))
    return {"begin": tags, "tags": tags, "setup": setup, "turns": turns}


def _reads(pattern: re.Pattern[str], line: str) -> bool:
    m = pattern.match(f"{line.lstrip()}\n")
    return m is not None and not line.lstrip()[m.end() :].strip()


def at_sight(line: str) -> bool:
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
