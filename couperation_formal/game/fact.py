"""What is found, as values; `words` makes a sentence of it, a certificate takes its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from couperation_formal.game.tower import Cell, Laid, Shown
from couperation_formal.words.say import say


class Fact(msgspec.Struct, frozen=True):
    """Something that is so, or is not known: a `kind`, for which `words` has one sentence, and its values by name.

    `numbers` are those by which a clause fails (`spec/certificate.md`), `beside` what else the sentence names.
    """

    kind: str
    numbers: tuple[tuple[str, Datum], ...] = ()
    beside: tuple[tuple[str, Datum], ...] = ()


Datum = int | str | Cell | Shown | Laid | Fact | tuple[Any, ...] | None
"""A value in a fact: a number, a name or a fixed word, a place, a card, a part of the sentence, or a list of these."""


def fact(kind: str, numbers: Mapping[str, Datum] | None = None, /, **beside: Datum) -> Fact:
    """A fact from its values."""
    return Fact(kind, tuple(numbers.items()) if numbers else (), tuple(beside.items()))


def taken(of: Any) -> Fact:
    """How many steps were `spent` of what `limit`, as it is told; of whatever has both."""
    return fact("taken", spent=of.spent, limit=of.limit)


class Told(Exception):
    """An error about what a person wrote or asked: the fact `what`, whose sentence is its text."""

    def __init__(self, what: Fact) -> None:
        super().__init__(what)
        self.what = what

    def __str__(self) -> str:
        return say(self.what)


class Unfit(Told, ValueError):
    """A value that what is asked has no answer for."""


class Mistaken(Told, TypeError):
    """A value of a type that a function does not take."""


T = TypeVar("T")


def of_type(name: str, value: T, kind: type | tuple[type, ...], wanted: str) -> T:
    """The value of an argument, where it is of this kind or None. Raises `Mistaken`."""
    if value is None or (isinstance(value, kind) and not isinstance(value, bool)):
        return value
    raise Mistaken(fact("takes_value", name=name, wanted=wanted, given=type(value).__name__))


def numbers(**values: int | None) -> None:
    """Raises `Mistaken` for what is no whole number."""
    for name, value in values.items():
        of_type(name, value, int, "int")
