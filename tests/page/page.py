"""What the tests of page share with others."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

EVIL = "<script>alert(1)</script>"


class Elements(HTMLParser):
    """The elements of a page with their attributes, and what script and style elements hold."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, dict[str, str | None], str]] = []
        self._open: tuple[str, dict[str, str | None]] | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._open = (tag, dict(attrs)) if tag in ("script", "style") else None

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self.inside.append((*self._open, data))
            self._open = None


def data_of(html: str, number: int = 1, view: str | None = None) -> dict[str, Any]:
    """The data of a game, with what one view has seen of it: the first one's where none is named."""
    element = next(text for tag, attrs, text in Elements(html).inside if attrs.get("id") == f"game-data-{number}")
    given = json.loads(element)
    parts: list[Any] = []
    for part in given["parts"]:
        parts.append(_whole(part, parts))
    found: dict[str, Any] = _whole(given["data"], parts)
    return {**found, **found["seen"][view or found["view"]]}


def _whole(value: Any, parts: list[Any]) -> Any:
    if isinstance(value, dict):
        return parts[value["$"]] if "$" in value else {name: _whole(each, parts) for name, each in value.items()}
    return [_whole(each, parts) for each in value] if isinstance(value, list) else value
