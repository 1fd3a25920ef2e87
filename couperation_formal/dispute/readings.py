"""Sets of readings: which of all combinations of options.

A *reading* is one option for each ruling, 442,368 of them on the present registry. A set of readings is a whole number
whose bit i stands for the reading with index i in mixed radix, the first ruling counting most: 55 kilobytes, and some
microseconds for a union, an intersection or a complement.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from couperation_formal.model.rulings import Rulings, options_in_order

Term = Mapping[str, Sequence[str]]
"""Rulings with the options that are allowed, joined by *and*; a ruling left out is free."""


class Space(NamedTuple):
    """The combinations of all options: the rulings with their options, how far apart in the index two neighbouring
    options of each lie, and how many combinations there are.
    """

    options: dict[str, tuple[str, ...]]
    strides: dict[str, int]
    size: int


@lru_cache(maxsize=1)
def space() -> Space:
    """The space of all readings, in the registry's order."""
    options = dict(options_in_order())
    strides: dict[str, int] = {}
    size = 1
    for ruling in reversed(options):
        strides[ruling] = size
        size *= len(options[ruling])
    return Space(options, {ruling: strides[ruling] for ruling in options}, size)


class Readings(msgspec.Struct, frozen=True):
    """A set of readings; bit i of `bits` stands for the reading with index i."""

    bits: int

    @classmethod
    def none(cls) -> Readings:
        """The empty set."""
        return cls(0)

    @classmethod
    def every(cls) -> Readings:
        """The set of all readings."""
        return _every()

    @classmethod
    def option(cls, ruling: str, option: str) -> Readings:
        """The readings that choose `option` for `ruling`. Raises `KeyError` for a name that is unknown."""
        return _option(ruling, option)

    @classmethod
    def one(cls, rulings: Rulings) -> Readings:
        """The set of this reading alone."""
        return cls(1 << index_of(rulings))

    @classmethod
    def of(cls, terms: Iterable[Term]) -> Readings:
        """The readings that some of the terms allow. Raises `KeyError` for a name that is unknown."""
        found = 0
        for term in terms:
            box = _every().bits
            for ruling, allowed in term.items():
                literal = 0
                for option in allowed:
                    literal |= _option(ruling, option).bits
                box &= literal
            found |= box
        return cls(found)

    def __and__(self, other: Readings) -> Readings:
        return Readings(self.bits & other.bits)

    def __or__(self, other: Readings) -> Readings:
        return Readings(self.bits | other.bits)

    def __sub__(self, other: Readings) -> Readings:
        return Readings(self.bits ^ (self.bits & other.bits))

    def __invert__(self) -> Readings:
        return Readings(_every().bits ^ self.bits)

    def __bool__(self) -> bool:
        return self.bits != 0

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __contains__(self, rulings: Rulings) -> bool:
        return bool(self.bits >> index_of(rulings) & 1)

    def __le__(self, other: Readings) -> bool:
        return self.bits & other.bits == self.bits

    def count(self) -> int:
        """How many readings the set has."""
        return self.bits.bit_count()

    def member(self) -> Rulings:
        """The reading of the set with the least index. Raises `ValueError` where the set is empty."""
        if not self.bits:
            raise ValueError("an empty set of readings has no member")
        return reading_at((self.bits & -self.bits).bit_length() - 1)


class Verdicts(NamedTuple):
    """The readings by the verdict that a record has under them: three sets that share nothing. From
    `dispute.plain.plain_verdicts` they are all readings together.
    """

    legal: Readings
    illegal: Readings
    undetermined: Readings


def index_of(rulings: Rulings) -> int:
    """The index of a reading."""
    whole = space()
    return sum(
        options.index(rulings.option(ruling)) * whole.strides[ruling] for ruling, options in whole.options.items()
    )


def reading_at(index: int) -> Rulings:
    """The reading with this index, which is at least 0 and below the size of the space."""
    whole = space()
    return Rulings(
        **{ruling: options[index // whole.strides[ruling] % len(options)] for ruling, options in whole.options.items()}
    )


@lru_cache(maxsize=1)
def _every() -> Readings:
    return Readings((1 << space().size) - 1)


@lru_cache(maxsize=256)
def _option(ruling: str, option: str) -> Readings:
    """The literal: a run of ones as long as the ruling's stride, again in every period."""
    whole = space()
    options, stride = whole.options[ruling], whole.strides[ruling]
    if option not in options:
        raise KeyError(option)
    pattern, length = ((1 << stride) - 1) << (options.index(option) * stride), stride * len(options)
    copies = whole.size // length
    bits, done = 0, 0
    while copies:
        if copies & 1:
            bits |= pattern << done
            done += length
        copies >>= 1
        pattern |= pattern << length
        length *= 2
    return Readings(bits)
