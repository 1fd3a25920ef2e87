"""Which encoding bytes are in that are not UTF-8, by its name."""

from __future__ import annotations

import re

_LOOKED_AT = 1 << 12
"""So many bytes are looked at for UTF-16 without a byte order mark."""

_KANA = re.compile("[\u3041-\u30ff]")
_KANJI = re.compile("[\u3400-\u9fff々]{2}")
_HALF = re.compile("[\uff61-\uff9f]")
_MARKS = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}


def wide(data: bytes | bytearray) -> str | None:
    """The name of the UTF-16 or UTF-32 that a file is in, with a byte order mark or without; None where it is not.
    Every other byte of many is zero there."""
    mark = next((name for mark, name in _MARKS.items() if data.startswith(mark)), None)
    if mark is not None:
        return mark
    if data.find(0, 0, _LOOKED_AT) < 0:
        return None
    first, second = data[:_LOOKED_AT:2].count(0), data[1:_LOOKED_AT:2].count(0)
    if max(first, second) <= 2 or max(first, second) < 5 * min(first, second):
        return None
    return "UTF-16BE" if first > second else "UTF-16LE"


def escaped(text: str) -> str | None:
    """The name of the encoding of ASCII characters that text is in which is no plain one; None where it is none."""
    return "ISO-2022-JP" if "\x1b$B" in text or "\x1b$@" in text else None


def encoding_of(data: bytes) -> str | None:
    """The name of the encoding that bytes look most like: one for Japanese where that gives kana, or kanji side by
    side, else that of western Windows; None for bytes that are no text.
    """
    if 0 in data:
        return None
    for name, codec in (("SHIFT_JIS", "cp932"), ("EUC-JP", "euc_jp")):
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        if _KANA.search(text) or (_KANJI.search(text) and not _HALF.search(text)):
            return name
    return "WINDOWS-1252"
