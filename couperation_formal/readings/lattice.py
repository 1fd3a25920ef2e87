"""Under which readings a question has which answer, asked as seldom as possible.

A question is asked of a reading with no option chosen. Where it asks for one, it is asked again for each option of that
ruling: so it is asked about just the rulings that it reads, and what it does not read cannot change its answer. One
that can only turn from no to yes as rulings grow laxer is asked of the strictest and the laxest reading before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, reduce
from operator import or_
from typing import Any, NoReturn, TypeVar, cast

from couperation_formal.model.rulings import RULING_NAMES, Rulings
from couperation_formal.readings.sets import Readings, reading_at, space

T = TypeVar("T")

CHAINS: dict[str, tuple[str, ...]] = {
    "anchor": ("middle", "floating"),
    "spread": ("adjacent", "anywhere"),
    "row_order": ("strict", "weak"),
    "between": ("strict", "inclusive"),
    "facedown": ("deck", "integers", "ignored"),
    "replace_target": ("facedown_only", "not_anchor", "any"),
    "take_sent": ("forbidden", "allowed"),
    "reserve_face": ("up", "either"),
    "finish_value": ("25", "apex_free", "none"),
    "opened_against": ("loses", "stands"),
    "replacements": ("once", "each"),
}
"""Options from the strictest to the laxest: what one allows the next allows too."""


class _Open(Exception):
    """An option was asked for that is not chosen."""


class _Partly:
    """A reading some of whose options are chosen. To ask for another one raises `_Open` with the ruling's name."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self.__dict__.update(chosen)

    def __getattr__(self, name: str) -> NoReturn:
        if name in RULING_NAMES:
            raise _Open(name)
        raise AttributeError(name)

    def option(self, name: str) -> Any:
        """The option of a ruling."""
        return getattr(self, name)


def answers(ask: Callable[[Rulings], T], fixed: Mapping[str, str] | None = None) -> Iterator[tuple[T, dict[str, str]]]:
    """Every answer with the options that lead to it, of rulings beside the `fixed` ones; all others are free. Together
    they are all readings. Cost: a question for each, and one for each ruling asked for on the way.
    """
    fixed = fixed or {}
    waiting: list[dict[str, str]] = [{}]
    while waiting:
        chosen = waiting.pop()
        try:
            found = ask(cast("Rulings", _Partly({**fixed, **chosen})))
        except _Open as asked:
            name = str(asked)
            waiting += [{**chosen, name: option} for option in reversed(space().options[name])]
        else:
            yield found, chosen


def box(chosen: Mapping[str, str]) -> Readings:
    """The readings that choose these options."""
    return Readings.of([{name: (option,) for name, option in chosen.items()}])


@lru_cache(maxsize=2)
def corner(end: int) -> Rulings:
    """The reading with the strictest (0) or the laxest (-1) option of every chain, and the first of other rulings."""
    return reading_at(0).with_changes({name: options[end] for name, options in CHAINS.items()})


def where(holds: Callable[[Rulings], bool], fixed: Mapping[str, str] | None = None) -> Readings:
    """The readings under which `holds`, which stays true when options move up their chains and reads no ruling without
    one, but those `fixed`. Cost: one question where the strictest reading answers yes, two where the laxest says no.
    """
    fixed = fixed or {}
    if holds(corner(0).with_changes(dict(fixed))):
        return Readings.every()
    if not holds(corner(-1).with_changes(dict(fixed))):
        return Readings.none()
    return reduce(or_, (box(chosen) for found, chosen in answers(holds, fixed) if found))
