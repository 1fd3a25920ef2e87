"""Slips that people make, each with what should have been written: the tables of `patterns`, tried at a place."""

from __future__ import annotations

import re

from couperation_formal.model.diagnostic import Edit
from couperation_formal.model.fact import fact
from couperation_formal.model.record import Span
from couperation_formal.notation.fault import Fault, Place, before_blanks, shorten
from couperation_formal.notation.patterns import (
    ACTION,
    AFTER,
    COMMENTS,
    DRAW,
    DRAWN,
    EXCHANGED,
    KNOWN_TAGS,
    LINE,
    MORE,
    NAME,
    REPLACED,
    SIGN,
    TAG,
    TAKEN,
    Slip,
    more,
    result,
)


def slip(place: Place) -> Fault | None:
    """The slip at the place where the grammar gave up, if it is a known one."""
    word, expected = place.word(0), place.expected
    if not word:
        return None
    tables: list[tuple[Slip, ...]] = []
    if expected & {"NUMBER", "TOWER", "TAGS"} and not place.before:
        tag = _tag_slip(place)
        if tag is not None:
            return tag
        tables.append(LINE)
    if "DRAW" in expected:
        tables.append(DRAW)
    if "NAME" in expected:
        tables.append(NAME)
    elif expected & {"CARDS", "PLACED"}:
        tables.append(SIGN)
    if "LAY_UP" in expected:
        tables += [*([DRAWN] if place.previous().startswith("+") else []), ACTION]
    elif place.before and re.match(r"[0-9]+\.", place.before[0]) and "NAME" not in expected:
        tables += [
            *([REPLACED] if TAKEN.search(place.previous()) else []),
            *([EXCHANGED] if "D" in place.before else []),
        ]
        tables.append(AFTER)
        new = _new_line(place) or _more(place)
        if new is not None:
            return new
    for each in (*tables, COMMENTS):
        for slip_ in each:
            m = slip_.pattern.match(place.text, place.start)
            if m is not None and (found := _found(slip_, m)) is not None:
                return found
    return None


def _found(slip_: Slip, m: re.Match[str]) -> Fault | None:
    span = Span(*m.span())
    meant = slip_.meant(m) if callable(slip_.meant) else slip_.meant and m.expand(slip_.meant)
    last = m.string[m.end() :].lstrip(" \t")[:1] in ("", "\n")
    apart = slip_.kind == "replaced_joined" or (meant == "" and last)
    start = before_blanks(m.string, m.start()) if apart else m.start()
    if meant == m.string[start : m.end()]:
        return None
    said = slip_.said(m) if slip_.said else m.group()
    words = {"word": said.strip(), "meant": (meant or "").strip(), "first": (m.group().split() or [""])[0]}
    what = fact(slip_.kind, **{name: shorten(word) for name, word in words.items()})
    if meant is None:
        return Fault(span, what)
    return Fault(span, what, Edit(Span(start, m.end()), meant))


def _new_line(place: Place) -> Fault | None:
    """A result, or another turn, on the line of a turn."""
    word = place.word(0)
    if re.fullmatch(r"[0-9]{1,6}\.", word) or (len(place) == 1 and result(word) in ("win", "loss", "stuck", "*")):
        start = place.text.rfind(place.previous(), 0, place.start) + len(place.previous())
        span = Span(place.start, place.start + len(word))
        meant = result(word) if len(place) == 1 else word
        return Fault(span, fact("line_alone", word=shorten(meant)), Edit(Span(start, span.end), f"\n{meant}"))
    return None


def _more(place: Place) -> Fault | None:
    """Further cards of a list, with a blank or another sign than a comma before them."""
    m = MORE.match(place.text, place.start) if place.previous(2) in ("fill", "drop", "trim") else None
    if m is None:
        return None
    what = fact("destroyed_commas", word=place.previous(2))
    return Fault(Span(*m.span()), what, Edit(Span(before_blanks(place.text, place.start), m.end()), more(m)))


def _tag_slip(place: Place) -> Fault | None:
    """A known tag without its brackets."""
    m = TAG.match(place.text, place.start)
    if m is None or m["open"] == "[" or m["name"] not in KNOWN_TAGS or not m["value"]:
        return None
    span = Span(m.start(), m.start() + len(m.group().rstrip()))
    value = m["value"].strip("\"' ")
    meant = f'[{m["name"]} "{value}"]'
    return Fault(span, fact("tag_bracket", name=m["name"], value=shorten(value)), Edit(span, meant))


def stand_in(line: str, found: Fault) -> Edit | None:
    """What stands for a part of a line that cannot be read, so that what follows it is read on its own: a card or a
    cell in its place. None where the line has no part of its own around the fault.
    """
    word = next((m for m in _WORD.finditer(line) if m.start() <= found.span.start < m.end()), None)
    if found.what.kind in _WHOLE:
        exchange = found.what.kind == "exchange_which" and re.match(r"[Dd]\W", line[found.span.start :])
        return Edit(found.span, "-" if exchange else _WHOLE[found.what.kind])
    if word is None or found.what.kind not in _LEXICAL:
        return None
    before = line[: word.start()].split()
    if found.what.kind in _PARTS:
        empty = found.what.kind.endswith("missing")
        start = found.span.start
        return Edit(Span(start, start if empty else found.span.end), _PARTS[found.what.kind])
    if before and before[-1] in ("A", "B", "C", "D") and len(before) > 2:
        return Edit(Span(line.rindex(before[-1], 0, word.start()), word.end()), "-")
    if before and before[-1] in ("drop", "trim", "fill"):
        return Edit(Span(*word.span()), "?")
    if word.group()[0] == "+":
        return Edit(Span(*word.span()), "+0")
    if "@" in word.group() and before[:1] == ["tower"]:
        return Edit(Span(*word.span()), "?@g1")
    return (
        Edit(Span(*word.span()), "?") if before and before[0] in ("deal", "reserve", "deck", "hand", "gone") else None
    )


_WORD = re.compile(r"\S+")
_WHOLE = {
    **dict.fromkeys(("list_which", "exchange_which", "draw_late", "draw_count", "lays_up"), ""),
    "draw_word": "+0",
    "action_letter_lay": "-",
}
"""What stands for several words that cannot be read."""

_PARTS = {"no_card": "?", "card_missing": "?", "no_column": "a", "no_level": "1", "level_missing": "1"}
"""What stands for a part of a word that cannot be read."""

_LEXICAL = {
    *("no_card", "card_missing", "no_cell", "cell_missing", "no_column", "no_level", "level_missing", "comma"),
    *("word_other", "lay_cell", "open_card", "taken_card", "taken_cell", "sent_two", "sent_joined", "sent_more"),
    *("word_junk", "word_comma", "replaces_only", "line_commas", "draw_alone"),
}
"""Faults of one word: the words around it can be read without it."""


def tag_edit(text: str, start: int) -> Edit | None:
    """The edit that makes a tag that begins at `start` one of the right form, where its name and value are plain."""
    m = TAG.match(text, start)
    if m is None or not m["value"].strip("\"' "):
        return None
    value = m["value"].strip("\"' ")
    return Edit(Span(m.start(), m.start() + len(m.group().rstrip())), f'[{m["name"]} "{value}"]')
