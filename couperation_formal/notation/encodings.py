"""Which encoding bytes are in that are not UTF-8, by its name."""

from __future__ import annotations

import re

_KANA = re.compile("[\u3041-\u30ff]")


def utf16(data: bytes | bytearray) -> str | None:
    """The name of the UTF-16 that a file begins in, with a byte order mark or without; None where it does not."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    if data.count(0, 0, 8) <= 2:
        return None
    return "UTF-16BE" if data[0] == 0 else "UTF-16LE"


def encoding_of(data: bytes) -> str:
    """The name of the encoding that bytes look most like: one for Japanese where that gives kana, else
    that of western Windows.
    """
    for name, codec in (("SHIFT_JIS", "cp932"), ("EUC-JP", "euc_jp")):
        try:
            if _KANA.search(data.decode(codec)):
                return name
        except UnicodeDecodeError:
            continue
    return "WINDOWS-1252"
