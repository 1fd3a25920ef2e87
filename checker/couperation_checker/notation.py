"""What all CGN texts have in common: cards, comments, tags; spec/notation.md."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from couperation_checker.strict import MAX_BYTES, Work, need

Card = int | str | None  # a number, "F", or None for a card that is not shown
Cards = tuple[Card, ...]
NAME = r'[^\s";{}\[\]]+'
CARD = r"[1-9]|[1-4][0-9]|50|F|\?"
_TAG = rf'\[\s*({NAME})\s*"([^"]*)"\s*\]\s*'
_COMMENT = re.compile(r'("[^"\n]*")|(;[^\n]*|\{[^}]*\})|\{[^}]*')  # or a quotation, or a comment that nothing closes
_MARK = re.compile(r"([1-9]|[1-4][0-9]|50):([12H])")


def read_text(text: str, code: str, work: Work) -> tuple[tuple[str, ...], bool, dict[Card, str], list[list[str]]]:
    """The players, whether the variant is `finish`, the marks that are given, the words of each line after the tags.

    Comments are left out. Refused (code) where the tags cannot be read.
    """
    work.spend(1 + len(text) // 64)
    tags, lines = _split(text.removeprefix("\ufeff"), code)
    names, marks = tuple(tags.get("Players", "").split()), tags.get("Marks", "").split()
    need(code, bool(names) and all(re.fullmatch(NAME, name) for name in names), "the tag Players names nobody")
    need(code, tags.get("Variant", "first") in ("first", "finish"), "there is no such variant")
    known: dict[Card, str] = {int(match[1]): match[2] for match in map(_MARK.fullmatch, marks) if match}
    need(code, len(known) == len(marks), "the tag Marks cannot be read")
    return names, tags.get("Variant") == "finish", known, lines


def _split(text: str, code: str) -> tuple[dict[str, str], list[list[str]]]:
    """The tags, and the words of each line after them."""
    need(code, len(text) <= MAX_BYTES and max(map(len, text.split("\n"))) < 1 << 16, "the text or a line is too long")
    need(code, len(re.findall(r"^\[CGN ", text, re.MULTILINE)) <= 1, "the text holds more than one record")
    bare = _COMMENT.sub(lambda match: match[1] or (" " if match[2] else "{"), text)
    lines = [line.strip() for line in bare.split("\n") if line.strip()]
    head = list(takewhile(lambda line: line.startswith("["), lines))
    tags: dict[str, str] = {}
    for line in head:
        need(code, re.fullmatch(f"(?:{_TAG})+", line) is not None, "a line of tags cannot be read")
        for name, value in re.findall(_TAG, line):
            need(code, name not in tags, f"the tag {name!a:.20} stands a second time")
            need(code, bool(tags) or (name, value) == ("CGN", "1"), 'the first tag is not [CGN "1"]')
            tags[name] = value
    return tags, [line.split() for line in lines[len(head) :]]


def read_cards(words: Iterable[str], code: str) -> Cards:
    """The cards that words name; Refused (code) where one names none."""
    words = list(words)
    need(code, all(re.fullmatch(CARD, word) for word in words), "a word is no card")
    return tuple(None if word == "?" else word if word == "F" else int(word) for word in words)


def same(new: Sequence[Card] | None, old: Sequence[Card] | None) -> bool:
    """Whether `new` is as long as `old`, which may show less; None, a list that is not written, shows nothing."""
    if new is None or old is None:
        return old is None
    return len(new) == len(old) and all(was in (None, card) for card, was in zip(new, old, strict=True))
