"""Values of the formula language as text, by their types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from couperation_formal.formula.differences import Unknown
from couperation_formal.formula.types import Type, Types

UNDEFINED = "undefined"

MOST = 24
"""A collection is shown with so many members at most, and the number of all."""


class Shower:
    """Makes texts of values. `own` makes those of the types that it names; all others are shown as they are written."""

    def __init__(self, types: Types, own: Mapping[str, Callable[[Any], str]] | None = None) -> None:
        self._types, self._own = types, own or {}

    def show(self, type_: Type, value: Any) -> str:
        """The text of a value of this type; None is what is not defined."""
        if value is None:
            return UNDEFINED
        if type_.kind == "Bool":
            return str(value).lower()
        if type_.kind == "named":
            return self._named(type_.name, value)
        if type_.kind in ("set", "seq"):
            brackets = "{}" if type_.kind == "set" else "[]"
            return self._listed(brackets, (self.show(type_.args[0], one) for one in members(type_, value)), len(value))
        if type_.kind == "map":
            key, held = type_.args
            pairs = ((one, value[one]) for one in in_order(value))
            return self._listed("{}", (f"{self.show(key, k)} -> {self.show(held, v)}" for k, v in pairs), len(value))
        return str(value)

    def _listed(self, brackets: str, texts: Iterable[str], count: int) -> str:
        shown = [text for text, _ in zip(texts, range(MOST), strict=False)]
        more = f", … {count} in all" if count > MOST else ""
        return brackets[0] + ", ".join(shown) + more + brackets[1]

    def _named(self, name: str, value: Any) -> str:
        if name in self._own:
            return self._own[name](value)
        if name in self._types.records:
            fields = [type_ for _, type_ in self._types.records[name]]
            return f"{name}({', '.join(map(self.show, fields, value))})"
        head, *parts = value
        _, types = self._types.constructors[head]
        return f"{head}({', '.join(map(self.show, types, parts))})" if parts else str(head)


def members(type_: Type, value: Any) -> Iterable[Any]:
    """The members of a set or sequence in the order in which they are shown and tried."""
    return value if type_.kind == "seq" else in_order(value)


def in_order(value: Iterable[Any]) -> list[Any]:
    """The members of a set, the least first."""
    try:
        return sorted(value)
    except TypeError:
        return sorted(value, key=repr)


def known(value: Any) -> bool:
    """Whether a value holds no number that is sought for."""
    if isinstance(value, Unknown):
        return False
    return not isinstance(value, dict) or all(map(known, value.values()))
