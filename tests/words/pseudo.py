"""A language in which every word stands in brackets, and what is left of a message outside of them."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from string import Formatter

from couperation_formal.game.rulings import registry
from couperation_formal.words import say as room
from couperation_formal.words.say import ENGLISH, catalog

SENTENCES = catalog(ENGLISH)


def part(name: str) -> set[str]:
    """The entries in the groups of the catalog that begin so."""
    groups = json.loads(Path(room.__file__).with_name("en.json").read_text(encoding="utf-8"))
    return {kind for group, kinds in groups.items() if group.startswith(name) for kind in kinds}


_NAMES = {
    *["deal", "reserve", "deck", "position", "tower", "hand", "gone", "turn", "last", "front", "skipped", "replaced"],
    *["win", "loss", "stuck", "drop", "trim", "fill"],
    *["CGN", "Players", "Rules", "Variant", "Marks", "Event"],
    *registry().rulebooks,
    *registry().rulings,
    *(option for ruling in registry().rulings.values() for option in ruling.option_names()),
}
"""The words of the notation, and of the specification's rulings: they are the same in every language."""

_SIGNS = re.compile(r"(|\W+|~?\d+|F|[A-D]|[a-m]|[a-z]\d|0x[0-9A-F]{2}|[A-Z]{3}\d\d)")
"""Cards, cells, columns, the letters of actions, a byte, clauses, and what has no letter."""


_CARD = r"(?:\d+|F|\?)"
_WRITTEN = re.compile(
    rf"""(?:[AB]\ )?~?{_CARD}@[a-m]\d
    |(?:C\ )?[a-m]\d={_CARD}
    |(?:D\ )?(?:{_CARD}[-+]{_CARD}(?:[_^|]{_CARD})*)?=~?{_CARD}@[a-m]\d(?:x~?{_CARD})?
    |x~?{_CARD}
    |(?:(?:drop|trim|fill)\ |\+)?{_CARD}(?:,{_CARD})*
    |\d+\.""",
    re.VERBOSE,
)
"""A word of the notation that was put together: an action with its letter or without, a list of cards, a number."""

_ENCODINGS = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "ISO-2022-JP", "SHIFT_JIS", "EUC-JP", "WINDOWS-1252"}
"""The names of encodings, the same in every language."""


@cache
def _characters(text: str) -> set[str]:
    """The names and code points of characters that are not ASCII or not printable: every language has them."""
    strange = {character for character in text if not character.isascii() or not character.isprintable()}
    return {unicodedata.name(each, "?") for each in strange} | {f"U+{ord(each):04X}" for each in strange}


def foreign(sentence: str) -> str:
    """The sentence in a language in which every word stands in brackets, and nothing else does."""
    parts = []
    for text, name, word, how in Formatter().parse(sentence):
        parts.append(f"⟦{text.replace('{', '{{').replace('}', '}}')}⟧" if text else "")
        place = f"{name}{'!' if how else ''}{how or ''}{':' if word else ''}{word}"
        parts.append("" if name is None else f"{{{place}}}")
    return "".join(parts)


class Catalog(dict[str, str]):
    """A catalog that notes which sentences are said."""

    def __init__(self) -> None:
        super().__init__({kind: foreign(sentence) for kind, sentence in SENTENCES.items()})
        self.said: set[str] = set()

    def __getitem__(self, kind: str) -> str:
        self.said.add(kind)
        return super().__getitem__(kind)


def left_over(message: str, *own: str) -> list[str]:
    """What stands outside of the brackets and is neither of the notation nor a stretch of one of these texts, nor a
    word of the notation before such a stretch; a stretch may be quoted, and may be cut short with an ellipsis.
    """
    known = [*own, *map(repr, own)]
    names = _NAMES | _ENCODINGS | {name for text in own for name in _characters(text)}

    def at_home(part: str) -> bool:
        bare = part.strip("'\"").removesuffix("…")
        first, _, rest = bare.partition(" ")
        if (
            _SIGNS.fullmatch(part)
            or _WRITTEN.fullmatch(bare)
            or bare in names
            or any(bare in text or part in text for text in known)
        ):
            return True
        return first in _NAMES and at_home(rest)

    return [part for part in re.split(r"⟦[^⟦⟧]*⟧", message) if not at_home(part)]
