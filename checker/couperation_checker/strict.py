"""Strict reading: JSON, the form of its values, what all CGN texts have in common, and records: spec/notation.md;
spec/certificate.md, "What a checker answers", codes JSON and FORM, and "What a record says".
"""

import json
import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, takewhile
from typing import Any, NamedTuple

MAX_BYTES, MAX_DEPTH, MAX_DIGITS = 1 << 20, 64, 9
STEPS = 1_000_000
_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
Card = int | str | None  # a number, "F", or None for a card that is not shown
Cards = tuple[Card, ...]
NAME = r'[^\s";{}\[\]]+'
CARD = r"[1-9]|[1-4][0-9]|50|F|\?"
_TAG = rf'\[\s*({NAME})\s*"([^"]*)"\s*\]\s*'
_COMMENT = re.compile(r'("[^"\n]*")|(;[^\n]*|\{[^}]*\})|\{[^}]*')  # or a quotation, or a comment that nothing closes
_MARK = re.compile(r"([1-9]|[1-4][0-9]|50):([12H])")


class Refused(Exception):
    """Why a certificate cannot be read on, as its `args`: a code, empty where it is unsupported, and words."""


def need(code: str, condition: bool, message: str) -> None:
    """Refused with this code unless the condition holds."""
    if not condition:
        raise Refused(code, message)


class Work:
    """The steps that are left for a file. One is some twenty microseconds of work; what a claim takes is its own."""

    def __init__(self, left: int = STEPS) -> None:
        self.left = left

    def spend(self, count: int = 1) -> None:
        """Take so many steps; Refused, as unsupported, where fewer are left, which then stay."""
        need("", count <= self.left, "more work than is left of the steps for a file")
        self.left -= count


def load(text: str) -> object:
    """The JSON value of a text; Refused (JSON) beyond a bound, for a repeated field and for anything but JSON."""
    try:
        need("JSON", len(text.encode()) <= MAX_BYTES, "longer than 1 MiB")
        steps = ((token[0] in "[{") - (token[0] in "]}") for token in _BRACKETS.finditer(text))
        need("JSON", max(accumulate(steps), default=0) <= MAX_DEPTH, f"nested deeper than {MAX_DEPTH} levels")
        return json.loads(text, object_pairs_hook=_object, parse_int=_whole, parse_constant=_whole)
    except (ValueError, RecursionError) as error:
        raise Refused("JSON", ascii("no UTF-8" if isinstance(error, UnicodeError) else str(error))[1:-1][:90]) from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    need("JSON", len(dict(pairs)) == len(pairs), "a field is repeated")
    return dict(pairs)


def _whole(digits: str) -> int:
    plain = len(digits) <= MAX_DIGITS and digits.strip("-").isdigit()
    need("JSON", plain, f"not a number, or one of more than {MAX_DIGITS} digits")
    return int(digits)


def misfit(value: Any, shape: Any, at: str) -> str | None:
    """Where a JSON value is not of a shape: a path that begins with `at`, or None where it fits.

    A shape is None (null), a pattern for strings, a range of whole numbers, a tuple of shapes of which one must fit,
    [shape] for arrays, [shape, shape] for arrays of two, {name: shape} for objects of exactly these fields, and
    {"*": (names, shape)} for objects with any fields so named. The shapes of claims.py bound the recursion.
    """
    inner: Iterable[tuple[Any, Any, str]] = ()
    if isinstance(shape, tuple):
        wrong = [misfit(value, option, at) for option in shape]
        return None if None in wrong else max(filter(None, wrong), key=len)
    if isinstance(shape, str):
        fits = type(value) is str and re.fullmatch(shape, value, re.DOTALL) is not None
    elif isinstance(shape, range):
        fits = type(value) is int and value in shape
    elif isinstance(shape, list):
        fits = type(value) is list and len(shape) in (1, len(value))
        inner = ((item, shape[0], f"{at}[{index}]") for index, item in enumerate(value)) if fits else ()
    elif isinstance(shape, dict):
        names, each = shape.get("*", (None, None))
        right = names and type(value) is dict and not any(misfit(name, names, at) for name in value)
        fits = right if names else type(value) is dict and value.keys() == shape.keys()
        inner = ((value[name], each or shape[name], f"{at}.{name}") for name in value) if fits else ()
    else:
        fits = value is None
    return next(filter(None, (misfit(*part) for part in inner)), None) if fits else at


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


# Records

MAX_TURNS = 2000
_LIST = rf"(?:{CARD})(?:,(?:{CARD}))*"
_TURN = re.compile(
    rf"([0-9]{{1,6}})\. ({NAME}) \+(0|\*|{_LIST}) (?:([A-D]) (\S+)|-)"
    rf"(?: (?:!\??|\?!?|!!|\?\?|~~))*(?: fill (\*|{_LIST}))?(?: drop ({_LIST}))?(?: trim ({_LIST}))?"
)
_ACTION = re.compile(  # of A, B and D; C is read as if it laid its card
    rf"(?:({CARD})([+-])({CARD})((?:[\^_|](?:{CARD}))*)=(~?))?({CARD})@([a-m][1-7])(?:x(~?)({CARD}))?"
)


class Turn(NamedTuple):
    """A turn as it is written: eight fields that no completion changes, then its cards, part by part."""

    number: int
    name: str
    letter: str  # A, B, C, D or -
    cell: str
    up: bool  # how A, B or D lays its card
    sign: str
    adjust: str  # the signs of the destroyed cards
    lies: str  # "up" or "down": how the card lies that D replaces; empty where it replaces none
    draw: Cards | None  # None, as in `fill`, where it was not noted
    card: Cards  # the card laid, opened or taken; none for -
    sent: Cards
    destroyed: Cards
    replaced: Cards
    drop: Cards = ()
    trim: Cards = ()
    fill: Cards | None = ()


class Record(NamedTuple):
    """A record as it is written; what is not written is None."""

    players: tuple[str, ...]
    finish: bool  # the variant
    marks: dict[Card, str]
    deals: dict[str, Cards]
    reserve: Cards | None
    deck: Cards | None
    turns: tuple[Turn, ...]
    result: str  # "*" for none


def read_record(text: str, work: Work) -> Record:
    """The record that a CGN text tells; Refused (RECORD) where it cannot be read."""
    players, finish, marks, lines = read_text(text, "RECORD", work)
    result = lines.pop()[0] if lines and lines[-1] in (["win"], ["loss"], ["stuck"], ["*"]) else "*"
    state: dict[str, Cards] = {}
    keys = {"reserve", "deck", *(f"deal {name}" for name in players)}
    for words in lines:
        key = " ".join(words[: 1 + (words[0] == "deal")])
        if key not in keys:
            break
        need("RECORD", key not in state, "a line of the set-up stands twice")
        state[key] = read_cards(words[len(key.split()) :], "RECORD")
    need("RECORD", len(lines) - len(state) <= MAX_TURNS, "there are too many turns")
    turns = tuple(read_turn(" ".join(words)) for words in lines[len(state) :])
    deals = {name: state[f"deal {name}"] for name in players if f"deal {name}" in state}
    return Record(players, finish, marks, deals, state.get("reserve"), state.get("deck"), turns, result)


def read_turn(line: str) -> Turn:
    """A turn, its words apart by one blank; Refused (RECORD) where it cannot be read."""
    match = _TURN.fullmatch(line)
    number, name, draw, letter, action, fill, drop, trim = match.groups() if match else [""] * 8
    word = "@".join(action.partition("=")[::-2]) if letter == "C" else action
    acted = _ACTION.fullmatch(word or "1@a1")
    first, sign, second, marks, down, card, cell, face, old = acted.groups() if acted else [""] * 9
    fits = sign if letter == "D" else acted and (first, old) == (None, None)
    need("RECORD", bool(match and fits), f"no turn: {line!a:.60}")
    adjust, lies = re.sub(r"[^\^_|]", "", marks or ""), "" if old is None else "down" if face or old == "?" else "up"
    fixed = (int(number), name, letter or "-", cell if letter else "", letter != "B" and not down, sign or "", adjust)
    sent = f"{first} {second}" if sign else ""
    parts = (draw, card if letter else "", sent, marks, old, drop, trim, fill)
    words = (re.findall(r"[1-9][0-9]?|[F?*]", part or "") for part in parts)
    listed: Any = (None if part == ["*"] else read_cards(part, "RECORD") for part in words)
    return Turn(*fixed, lies, *listed)
