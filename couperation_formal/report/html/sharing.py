"""Equal parts of a page's data, written once: what several views and turns have in common costs a page nothing."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from msgspec.json import encode

_WORTH = 12
"""A part whose text is shorter stays where it is: a reference costs nearly as much."""


def compact(value: Any) -> str:
    """JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def shared(data: Any) -> dict[str, Any]:
    """Plain data as ``{"parts": [...], "data": ...}``: ``{"$": k}`` stands for part k. A part refers to earlier ones
    only. No mapping in the data has a key ``$``. Cost: a few writings of the data.
    """
    counts: Counter[bytes] = Counter()
    _count(data, counts)
    parts: list[Any] = []
    return {"parts": parts, "data": _written(data, counts, parts, {})}


def _count(value: Any, counts: Counter[bytes]) -> None:
    """How often each part occurs, those within an equal part once."""
    text = encode(value)
    counts[text] += 1
    if counts[text] == 1 and len(text) > _WORTH:
        for part in _within(value):
            _count(part, counts)


def _within(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def _written(value: Any, counts: Counter[bytes], parts: list[Any], known: dict[bytes, int]) -> Any:
    text = encode(value)
    if len(text) <= _WORTH:
        return value
    if text in known:
        return {"$": known[text]}
    made = value
    if isinstance(value, dict):
        made = {name: _written(each, counts, parts, known) for name, each in value.items()}
    elif isinstance(value, list):
        made = [_written(each, counts, parts, known) for each in value]
    if counts[text] == 1:
        return made
    known[text] = len(parts)
    parts.append(made)
    return {"$": known[text]}
