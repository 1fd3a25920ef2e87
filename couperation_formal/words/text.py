"""Text from records and file names, made safe to show and to write."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable

Piece = tuple[str, str]
"""A text and its style by one of rich's names. Colour only repeats what the words say."""

_ESCAPED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""The categories of characters that could steer a terminal, turn its text around, or break a line."""


def safe(text: str) -> str:
    """`text` with every control or unassigned character written as an escape, so that a terminal shows it and does
    not obey it.
    """
    if text.isprintable():
        return text
    return "".join(_escape(character) if _steers(character) else character for character in text)


def shown(text: str) -> str:
    """`text` as `safe` writes it, its line ends and tabs kept."""
    return re.sub(r"[^\n\t]+", lambda part: safe(part[0]), text)


def spoken(name: str) -> str:
    """A player's name as people read it: what CGN writes as ``_`` is a blank."""
    return name.replace("_", " ").strip() or name


def named(text: str, players: Iterable[str]) -> str:
    """A text for people with the names of these players in it as they are spoken."""
    for name in players:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", spoken(name), text) if "_" in name else text
    return text


def json_safe(text: str) -> str:
    """A JSON text that says the same with JSON's own escapes in place of what `safe` would escape."""
    if text.isprintable():
        return text
    return "".join(json.dumps(character)[1:-1] if _steers(character) else character for character in text)


def _steers(character: str) -> bool:
    return unicodedata.category(character) in _ESCAPED


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def encodable(text: str) -> str:
    """`text` with the undecodable bytes of a file's name replaced, so that it can be written as UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
