"""The parser: the text of one game into lists of tokens, by the grammar in `cgn.lark`."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple, cast

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from couperation_formal.notation.fault import Fault

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
