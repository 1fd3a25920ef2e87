"""The board's page: a plain one, on which a game is typed and seen."""

from __future__ import annotations

from functools import cache

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from couperation_formal.words.say import entries, phrase


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("couperation_formal.board"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    made.globals["say"] = phrase
    return made


def page(file: str) -> str:
    """The page of a board with this file, of a folder's board with none."""
    words = msgspec.json.encode(entries("live_board_")).decode().replace("<", "\\u003c")
    return _templates().get_template("board.html.j2").render(file=file, words=words)
