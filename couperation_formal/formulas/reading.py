"""From the text of formulas to their tree: line ends, indentation, the grammar of `formula.lark`, syntax errors."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import cast

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.indenter import DedentError, Indenter
from lark.tree import Meta

from couperation_formal.formulas.syntax import FormulaError, Node
from couperation_formal.game.record import Span


class Lines(Indenter):
    """Line ends and indentation. A line goes on inside brackets and after `,`, `and`, `or`, `+` or `-` at its end."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]  # noqa: RUF012
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens with indentation, without the line ends inside a long line."""
        return cast("Iterator[Token]", super().process(self._joined(stream)))  # type: ignore[no-untyped-call]

    @staticmethod
    def _joined(stream: Iterator[Token]) -> Iterator[Token]:
        last = ""
        for token in stream:
            if token.type != "_NL" or last not in ("COMMA", "AND", "OR", "PLUS", "MINUS"):
                yield token
            last = token.type


class _Build(Transformer[Token, Node]):
    """Tree to nodes: every rule gives a node of its own name, every kept token a word."""

    def __default__(self, data: str, children: list[Node | Token], meta: Meta) -> Node:
        args = tuple(self._word(child) if isinstance(child, Token) else child for child in children)
        start, end = (meta.start_pos, meta.end_pos) if not meta.empty else (0, 0)
        return Node(str(data), args, Span(start, end), args[0].value if args and args[0].op == "word" else "")

    @staticmethod
    def _word(token: Token) -> Node:
        start = token.start_pos or 0
        return Node("word", (), Span(start, start + len(token)), str(token))


_READING = Lock()
"""The parser's indentation is of one text at a time."""


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return Lark(
        Path(__file__).with_name("formula.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        postlex=Lines(),
        propagate_positions=True,
        maybe_placeholders=False,
    )


def parse(text: str) -> tuple[Node, ...]:
    """The items of a block of formulas, in their order. Raises `FormulaError`. Cost: linear, after 60 ms once."""
    try:
        with _READING:
            tree = _parser().parse(text + "\n")
    except (UnexpectedCharacters, UnexpectedToken) as error:
        raise _syntax_error(text, error) from None
    except DedentError:
        raise FormulaError(Span(0, 0), "a line is indented less than its block, and more than what is around") from None
    return _Build().transform(tree).args


_SAID = {
    "_INDENT": "indented lines",
    "THEN": "'then'",
    "ELSE": "'else'",
    "_FOR": "'for'",
    "_IN": "'in'",
    "WITH": "'with'",
    "COLON": "':'",
    "RPAR": "')'",
    "RSQB": "']'",
    "RBRACE": "'}'",
    "VBAR": "'|'",
    "EQUAL": "'='",
    "COMMA": "','",
    "_NL": "the end of the line",
    "NAME": "a name",
    "$END": "the end",
}
"""What may be wanted, the likeliest first."""

_ENDS = {
    "_NL": "the line ends here",
    "$END": "the text ends here",
    "_INDENT": "this line is indented",
    "_DEDENT": "the block ends here",
}


def _syntax_error(text: str, error: UnexpectedCharacters | UnexpectedToken) -> FormulaError:
    start = error.pos_in_stream or 0
    if isinstance(error, UnexpectedCharacters):
        return FormulaError(Span(start, start + 1), f"{text[start]!r} is no part of a formula here")
    token, expected = error.token, set(error.accepts or error.expected)
    wanted = "a term is" if "LBRACE" in expected else _wanted(expected)
    wrong = _ENDS.get(token.type, f"{str(token)!r} is not expected here")
    end = start + (1 if token.type.startswith("_") or not str(token) else len(token))
    return FormulaError(Span(start, end), f"{wrong}; {wanted}")


def _wanted(expected: set[str]) -> str:
    named = [said for kind, said in _SAID.items() if kind in expected] or ["something else"]
    return " or ".join(named[:4]) + (" are" if named == [_SAID["_INDENT"]] else " is")
