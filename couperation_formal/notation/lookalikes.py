"""Characters that look like those of the notation, or like nothing at all: what was meant by each.

A keyboard, a word processor or a messenger puts them in place of what was typed. Names and free text may hold any of
them, but a name that looks like a player's is that player's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby

from couperation_formal.model.diagnostic import Edit
from couperation_formal.model.fact import Fact, fact
from couperation_formal.model.record import Span
from couperation_formal.notation.fault import Fault

_MEANT: dict[str, str] = {
    **dict.fromkeys("−‐‑‒–—―─━ー﹣－⁻", "-"),
    **dict.fromkeys("“”„‟″«»〝〞〟＂「」『』", '"'),
    **dict.fromkeys("‘’‚‛′＇", "'"),
    **dict.fromkeys("×✕✖╳⨯хΧχ", "x"),
    **dict.fromkeys("〜～∼˜∽", "~"),
    **dict.fromkeys("【〔⟦", "["),
    **dict.fromkeys("】〕⟧", "]"),
    **dict.fromkeys("、，‚‛٫،", ","),
    **dict.fromkeys("。．", "."),
    **dict.fromkeys("＠﹫", "@"),
    **dict.fromkeys("＋﹢✚➕", "+"),
    **dict.fromkeys("＝゠﹦", "="),
    **dict.fromkeys("ˆ＾", "^"),
    **dict.fromkeys("｜│∣ǀ¦", "|"),
    **dict.fromkeys("♥♡❤", "H"),
    **dict(zip("АВЕКМНОРСТХаеорсухіѕјԁһԛԝІЅЈ", "ABEKMHOPCTXaeopcyxisjdhqwISJ", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοα", "ABEZHIKMNOPTYXoa", strict=True)),
    **dict(zip("ⅠⅡ①②③④⑤⑥⑦⑧⑨", ["1", "2", *"123456789"], strict=True)),
}
"""What a character is taken for. Full-width forms are not listed: their compatible form is what was meant."""

_BLANK = re.compile(r"[^\S\x00-\x7f]")
_UNSEEN = re.compile(  # those that Unicode calls default ignorable, and others without a shape
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f]")
SHAPELESS = re.compile(f"{_UNSEEN.pattern}|{_CONTROL.pattern}|[^\\S\\x00-\\x7f]")
"""A character that a message shows by its name."""

_SUSPECT = re.compile(rf"(?:[^\x00-\x7f]|{_CONTROL.pattern})+")
ALIKE = re.compile(
    f"[{''.join(_MEANT)}\uff01-\uff5e\ufe50-\ufe6b\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
    f"{_UNSEEN.pattern[1:-1]}]"
)
"""Whatever may be a look-alike: `meant` knows of no other one."""

_NAMED = 3
"""So many look-alikes side by side are named."""


def meant(character: str) -> str | None:
    """What a character was meant to be that is not ASCII, or cannot be printed: another one, a blank, nothing (empty);
    None where it looks like none of the notation's."""
    if character in _MEANT:
        return _MEANT[character]
    if _BLANK.match(character):
        return " "
    if _UNSEEN.match(character) or _CONTROL.match(character):
        return ""
    if not unicodedata.decomposition(character).startswith(("<wide>", "<narrow>", "<small>")):
        return None
    wide = unicodedata.normalize("NFKC", character)
    return wide if wide.isascii() and len(wide) == 1 and wide.isprintable() else None


def look_alike(text: str, at: int, taken: str | None = None) -> Fault:
    """The fault of look-alikes that stand at offset `at`, with their names, code points and edit. `taken` is what was
    meant, where it is not what each stands for.
    """
    meant_by = "".join(meant(each) or "" for each in text) if taken is None else taken
    names = [called(character) for character in dict.fromkeys(text)]
    more = (fact("look_more"),) if len(names) > _NAMED else ()
    kind = "look_nothing" if not meant_by else "look_blank" if not meant_by.strip() else "look_alike"
    what = fact("look_mark") if text == "\ufeff" else fact(kind, what=(*names[:_NAMED], *more), meant=meant_by)
    return Fault(Span(at, at + len(text)), what, Edit(Span(at, at + len(text)), meant_by))


def called(character: str, within: bool = False) -> Fact:
    """A character by its name, in brackets for one within a word."""
    name, code = unicodedata.name(character, ""), f"U+{ord(character):04X}"
    if within:
        return fact("look_within", name=name, code=code) if name else fact("look_control_within", code=code)
    return fact("look_named", name=name, code=code) if name else fact("look_control", code=code)


def skeleton(name: str) -> str:
    """A name with each look-alike as it was meant, composed (NFC): names with one skeleton look the same."""
    taken = name if plain(name) else "".join(c if (m := meant(c)) is None else m for c in name)
    return unicodedata.normalize("NFC", taken)


def mixed(name: str) -> str | None:
    """The first character of a name that looks like a Latin letter beside Latin letters, or that cannot be seen; None
    where there is none. A name all of whose letters are of another script is as it should be."""
    if name.isascii() or not skeleton(name).isascii() or not any(c.isascii() and c.isalpha() for c in name):
        return None
    letters = (c for c in name if not c.isascii() and ((c.isalpha() and (meant(c) or "").isalpha()) or meant(c) == ""))
    return next(letters, None)


def plain(line: str) -> bool:
    """Whether a line holds no character that could be a look-alike."""
    return _SUSPECT.search(line) is None


def found(text: str, start: int, end: int) -> Iterator[Fault]:
    """The look-alikes in a stretch of a text, first place first; those side by side are one fault."""
    for m in _SUSPECT.finditer(text, start, end):
        at = m.start()
        for known, run in groupby(m.group(), lambda character: meant(character) is not None):
            side_by_side = "".join(run)
            if known:
                yield look_alike(side_by_side, at)
            at += len(side_by_side)
