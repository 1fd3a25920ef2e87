"""A sentence of the catalog with its places filled.

A place ``{name}`` is the value as a record writes it, or the sentence of a fact. A place ``{name:word}`` is put into
words: the entry ``word VALUE`` where the catalog has one, else ``word``, whose own place is the value. Of a list,
``word`` is what stands between its members. ``name`` is a player's name, spoken.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Protocol, runtime_checkable

from couperation_formal.words.text import spoken


def catalog(language: str) -> dict[str, str]:
    """The catalog of a language, ``en``: the sentences of its file by their names; what is about one thing stands
    together there. Cost: two milliseconds.
    """
    groups = json.loads(Path(__file__).with_name(f"{language}.json").read_text(encoding="utf-8"))
    return {kind: sentence for group in groups.values() for kind, sentence in group.items()}


ENGLISH = catalog("en")
SENTENCES = ENGLISH
"""The catalog in use."""


@runtime_checkable
class Sayable(Protocol):
    """A fact (`model.fact`), as far as its sentence goes."""

    @property
    def kind(self) -> str:
        """Its sentence in the catalog."""

    @property
    def numbers(self) -> tuple[tuple[str, Any], ...]:
        """Values by the name of their places."""

    @property
    def beside(self) -> tuple[tuple[str, Any], ...]:
        """Further ones."""


def say(what: Sayable) -> str:
    """The sentence of a fact."""
    return phrase(what.kind, **dict((*what.numbers, *what.beside)))


def phrase(kind: str, /, **values: object) -> str:
    """The sentence of this kind with these values."""
    return _PLACES.vformat(SENTENCES[kind], (), values)


def interval(least: int, most: int) -> int | str:
    """A number of which the least and the greatest value are known."""
    return least if least == most else phrase("first_last", first=least, last=most)


def entries(*prefixes: str) -> dict[str, str]:
    """The entries of the catalog whose names begin so, for a script, which fills their places itself."""
    return {kind: sentence for kind, sentence in SENTENCES.items() if kind.startswith(prefixes)}


class _Places(Formatter):
    def parse(self, format_string: Any) -> Any:
        """The parts of a sentence, taken apart once."""
        return _parts(format_string)

    def format_field(self, value: Any, format_spec: str) -> Any:
        """The words for one place."""
        kind = type(value)
        if kind is tuple:
            return SENTENCES[format_spec].join(self.format_field(each, "") for each in value)
        # Most places are numbers and words, and to ask whether something is sayable takes long.
        if kind is not int and kind is not str and isinstance(value, Sayable):
            return say(value)
        if not format_spec:
            return str(value)
        if format_spec == "name":
            return spoken(value)
        entry = f"{format_spec} {value}"
        return SENTENCES[entry if entry in SENTENCES else format_spec].format(value)


@cache
def _parts(sentence: str) -> tuple[Any, ...]:
    return tuple(Formatter().parse(sentence))


_PLACES = _Places()
