"""Text from records and file names, made safe to show and to write."""

from __future__ import annotations

import unicodedata

Piece = tuple[str, str]
"""A text and its style by one of rich's names. Colour only repeats what the words say."""

_ESCAPED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""The categories of characters that could steer a terminal, turn its text around, or break a line."""


def safe(text: str) -> str:
    """`text` with every control or unassigned character written as an escape, so that a terminal shows it and does
    not obey it.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(character) for character in text)


def _escape(character: str) -> str:
    if unicodedata.category(character) not in _ESCAPED:
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def encodable(text: str) -> str:
    """`text` with the undecodable bytes of a file's name replaced, so that it can be written as UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
