"""What is found, as values, of which `words` makes a sentence and a certificate takes numbers; and what it may cost to
find it: the budget of a question.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import NoneType
from typing import Any, Final, TypeVar

import msgspec

from couperation_formal.game.tower import Cell, Laid, Shown
from couperation_formal.words.say import ENGLISH, runs, say, spoken


class Fact(msgspec.Struct, frozen=True):
    """Something that is so, or is not known: a `kind`, for which `words` has one sentence, and its values by name.

    `numbers` are those by which a clause fails (`spec/certificate.md`), `beside` what else the sentence names.
    """

    kind: str
    numbers: tuple[tuple[str, Datum], ...] = ()
    beside: tuple[tuple[str, Datum], ...] = ()

    def __format__(self, _form: str) -> str:
        """A fact within a text would have no language: it is said first."""
        raise TypeError(self.kind)


Datum = int | str | Cell | Shown | Laid | Fact | tuple[Any, ...] | None
"""A value in a fact: a number, a name or a fixed word, a place, a card, a part of the sentence, or a list of these."""


Numbers = Mapping[str, Datum]
"""The values of a fact by name."""


Text = Fact | str
"""What people read: a fact, which is said in their language where it is shown, or a text that is the same in each."""


def fact(kind: str, numbers: Numbers | None = None, /, **beside: Datum) -> Fact:
    """A fact from its values."""
    return Fact(kind, tuple(numbers.items()) if numbers else (), tuple(beside.items()))


def translated(text: str) -> Text:
    """An English text of the specification or of the command line, as it is shown."""
    return fact("in_english", text=text) if text else ""


def interval(least: int, most: int) -> int | Fact:
    """A number of which the least and the greatest value are known."""
    return least if least == most else fact("first_last", first=least, last=most)


def ranges(values: Sequence[int]) -> Text:
    """Rising numbers with runs of three or more drawn together: ``26, 28–31``."""
    drawn = [first if first == last else fact("run", first=first, last=last) for first, last in runs(values)]
    return fact("listed", texts=tuple(drawn)) if values else ""


def taken(of: Any) -> Fact:
    """How many steps were `spent` of what `limit`, as it is told; of whatever has both."""
    return fact("taken", spent=of.spent, limit=of.limit)


# A sentence about a text in which something cannot be seen.

UNSEEN_MARK = re.compile(  # what Unicode calls default ignorable, and others without a shape
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f]")
_SHAPELESS = re.compile(f"{UNSEEN_MARK.pattern}|{CONTROL.pattern}|[^\\S\\x00-\\x7f]")
"""A character that a message shows by its name."""


def called(character: str, within: bool = False) -> Fact:
    """A character by its name, in brackets for one within a word."""
    name, code = unicodedata.name(character, ""), f"U+{ord(character):04X}"
    if within:
        return fact("look_within", name=name, code=code) if name else fact("look_control_within", code=code)
    return fact("look_named", name=name, code=code) if name else fact("look_control", code=code)


def told(what: Text, language: str) -> str:
    """A sentence about a text, in which what cannot be seen stands by its name: in brackets within a word or quotes."""
    if isinstance(what, str):
        return what
    said = say(what, language)
    if said.isascii() and said.isprintable():
        return said

    def name(each: re.Match[str]) -> str:
        before, after = said[: each.start()], said[each.end() :]
        within = before.count('"') % 2 or before[-1:] not in " (" or after[:1] not in " ,;.:)"
        return say(called(each[0], bool(within)), language)

    return _SHAPELESS.sub(name, said)


def worded(value: Any, language: str, how: Callable[[Text, str], str] = told) -> Any:
    """Data in which each fact is its sentence in a language, said as `how` says it; what holds none stays itself."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, Fact):
        return how(value, language)
    if isinstance(value, msgspec.Struct):
        fields = {name: getattr(value, name) for name in kind.__struct_fields__}
        return msgspec.structs.replace(value, **changed) if (changed := _worded(fields, language, how)) else value
    if isinstance(value, dict):
        return {**value, **changed} if (changed := _worded(value, language, how)) else value
    if isinstance(value, list | tuple):
        if not (changed := _worded(dict(enumerate(value)), language, how)):
            return value
        made = [changed.get(at, each) for at, each in enumerate(value)]
        return kind(*made) if hasattr(value, "_fields") else kind(made)
    return value


_PLAIN = {str, int, bool, NoneType}


def _worded(parts: Mapping[Any, Any], language: str, how: Callable[[Text, str], str]) -> dict[Any, Any]:
    """Those parts that become others."""
    made = ((name, each, worded(each, language, how)) for name, each in parts.items())
    return {name: new for name, each, new in made if new is not each}


def named(what: Fact, players: Iterable[str]) -> Fact:
    """A fact for people, with the names of these players in it as they are spoken."""
    names = {name: spoken(name) for name in players if "_" in name}
    return _named(what, names) if names else what


def _named(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, Fact):
        parts = (tuple((key, _named(each, names)) for key, each in of) for of in (value.numbers, value.beside))
        return Fact(value.kind, *parts)
    if type(value) is tuple:  # and no cell, which is one too
        return tuple(_named(each, names) for each in value)
    return names.get(value, value) if isinstance(value, str) else value


class Told(Exception):
    """An error about what a person wrote or asked: the fact `what`, given as it is or by its kind and its values, whose
    sentence is its text.
    """

    def __init__(self, what: Fact | str, **values: Datum) -> None:
        self.what = fact(what, **values) if isinstance(what, str) else what
        super().__init__(self.what)

    def __str__(self) -> str:
        return say(self.what, ENGLISH)

    def __reduce__(self) -> tuple[object, ...]:
        """Without `__init__`, which takes other values in some classes."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


def why_of(error: BaseException) -> Text:
    """What an error says."""
    return error.what if isinstance(error, Told) else str(error)


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


# The budget of one question, counted in *steps*: what may be spent before the answer is "not known".
#
# A step stands for some ten microseconds of work on an ordinary core: an action tried, a payment for action D, a part
# of a final tower grown, a gate of a circuit. Nothing is timed, so the same question gets the same answer on every
# machine. What does not grow with the input, a replay say, is not counted.

Z3_UNITS: Final = 40
"""So many of Z3's resource units are one step: Z3 spends some four million of them a second."""


class Spent(Exception):
    """A budget, or the part of it that was set apart, is used up. Caught where the question was asked: nobody else sees
    it.
    """


class Steps:
    """The steps that one question may take, and those that it took: `spent` is never more than `limit`."""

    def __init__(self, limit: int = sys.maxsize) -> None:
        self.limit, self.spent = limit, 0

    @property
    def left(self) -> int:
        """What is left of them."""
        return self.limit - self.spent

    def spend(self, count: int = 1) -> None:
        """Take so many steps. Raises `Spent` where there are fewer left; all of them are spent then."""
        self.spent += count
        if self.spent > self.limit:
            self.spent = self.limit
            raise Spent

    @contextmanager
    def at_most(self, count: int) -> Iterator[None]:
        """Within it at most so many steps may be taken, of those that are left."""
        limit = self.limit
        self.limit = min(limit, self.spent + max(0, count))
        try:
            yield
        finally:
            self.limit = limit


DEFAULT: Final = 1_200_000
"""The steps that a question may take unless told: well below twenty seconds on an ordinary core, the independent check
of the answer included.
"""


DEEP: Final = 8_000_000
"""The steps of a question that may take a minute or more."""


def steps_of(budget: Steps | int | None) -> Steps:
    """A budget: of so many steps, the default one, or this one, of which something may be spent already. Raises
    `Mistaken` for what is no number.
    """
    if isinstance(budget, Steps):
        return budget
    return Steps(DEFAULT if budget is None else of_type("budget", budget, int, "int"))
