"""A language in which every word stands in brackets, and what is left of a message outside of them."""

from __future__ import annotations

import re
import unicodedata
from string import Formatter

from couperation_formal.model.rulings import registry
from couperation_formal.words.english import ENGLISH

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


_WRITTEN = re.compile(r"(?:[A-D] |(?:drop|trim|fill) )?[-+^_|=@x~,.:*F?a-mA-D0-9]*[-0-9@?][-+^_|=@x~,.:*F?a-mA-D0-9]*")
"""A word of the notation that was put together, with the letter or the word before it."""


def _character(name: str) -> bool:
    """Whether this is a character's name, its code point, or the name of an encoding: the same in every language."""
    if re.fullmatch("U\\+[0-9A-F]{4,6}|UTF-16(LE|BE)?|SHIFT_JIS|EUC-JP|WINDOWS-1252", name):
        return True
    try:
        return bool(unicodedata.lookup(name))
    except KeyError:
        return False


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
        super().__init__({kind: foreign(sentence) for kind, sentence in ENGLISH.items()})
        self.said: set[str] = set()

    def __getitem__(self, kind: str) -> str:
        self.said.add(kind)
        return super().__getitem__(kind)


def left_over(message: str, *own: str) -> list[str]:
    """What stands outside of the brackets and is neither of the notation nor a stretch of one of these texts, nor a
    word of the notation before such a stretch; a stretch may be quoted, and may be cut short with an ellipsis.
    """
    known = [*own, *map(repr, own)]

    def at_home(part: str) -> bool:
        bare = part.strip("'\"").removesuffix("…")
        first, _, rest = bare.partition(" ")
        if _WRITTEN.fullmatch(bare) or _character(bare):
            return True
        if _SIGNS.fullmatch(part) or bare in _NAMES or any(bare in text or part in text for text in known):
            return True
        return first in _NAMES and at_home(rest)

    return [part for part in re.split(r"⟦[^⟦⟧]*⟧", message) if not at_home(part)]
