"""Questions whose answer can only turn from no to yes as rulings grow laxer, asked as seldom as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from couperation_formal.dispute.readings import Readings, reading_at, space
from couperation_formal.model.rulings import Rulings

CHAINS: dict[str, tuple[str, ...]] = {
    "anchor": ("middle", "floating"),
    "spread": ("adjacent", "anywhere"),
    "row_order": ("strict", "weak"),
    "between": ("strict", "inclusive"),
    "facedown": ("deck", "integers", "ignored"),
    "replace_target": ("facedown_only", "not_anchor", "any"),
    "take_sent": ("forbidden", "allowed"),
    "reserve_face": ("up", "either"),
    "finish_value": ("25", "none"),
}
"""Options from the strictest to the laxest: what one allows the next allows too."""


class Choice(NamedTuple):
    """One way to choose options for a few rulings: a reading that chooses so, and all that do."""

    rulings: Rulings
    readings: Readings


@lru_cache(maxsize=512)
def choices(names: tuple[str, ...]) -> tuple[Choice, ...]:
    """Every way to choose options for these rulings. The other rulings of each reading are the strictest."""
    found = []
    for options in product(*(space().options[name] for name in names)):
        chosen = dict(zip(names, options, strict=True))
        readings = Readings.of([{name: (option,) for name, option in chosen.items()}])
        found.append(Choice(strictest().with_changes(chosen), readings))
    return tuple(found)


@lru_cache(maxsize=1)
def strictest() -> Rulings:
    """The reading with the strictest option of every chain, and the first option of the other rulings."""
    return reading_at(0).with_changes({name: options[0] for name, options in CHAINS.items()})


def where(holds: Callable[[Rulings], bool], names: Sequence[str], fixed: Rulings | None = None) -> Readings:
    """The readings under which `holds`, which depends on the rulings `names` alone and, once true, stays true when
    options move up their chains.

    The strictest and the laxest corner of a box are asked; where they differ, the box is halved along its first ruling.
    The rulings outside `names` are those of `fixed`. Cost: one question where the strictest corner answers yes, two for
    a plain no, at most one for each combination.
    """
    base = fixed or strictest()
    answers: dict[tuple[int, ...], bool] = {}

    def asked(corner: tuple[int, ...]) -> bool:
        if corner not in answers:
            changes = {name: CHAINS[name][place] for name, place in zip(names, corner, strict=True)}
            answers[corner] = holds(base.with_changes(changes) if changes else base)
        return answers[corner]

    bottom = (0,) * len(names)
    if asked(bottom):
        return Readings.every()
    found = Readings.none()
    boxes = [(bottom, tuple(len(CHAINS[name]) - 1 for name in names))]
    while boxes:
        low, high = boxes.pop()
        if asked(low):
            found |= _box(names, low, high)
        elif asked(high):
            at = next(i for i in range(len(names)) if low[i] < high[i])
            boxes.append((low, (*high[:at], low[at], *high[at + 1 :])))
            boxes.append(((*low[:at], low[at] + 1, *low[at + 1 :]), high))
    return found


def _box(names: Sequence[str], low: tuple[int, ...], high: tuple[int, ...]) -> Readings:
    bounds = zip(names, low, high, strict=True)
    return Readings.of([{name: CHAINS[name][first : last + 1] for name, first, last in bounds}])
