"""What people write instead of the notation: patterns by the place where the grammar gives up, and what is meant.

A pattern is tried at the very place. What its `meant` makes of the match is what is written instead; where more than
one thing can have been meant there is none, and the message names them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from couperation_formal.game.diagnostic import Edit
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Span
from couperation_formal.notation.fault import Fault, Place, before_blanks, shorten

_CARD = r"(?:50|[1-4][0-9]|0?[1-9]|[Ff?])"
_CELL = r"(?:[a-mA-M][1-7]|[1-7][a-mA-M])"
_LIST = rf"{_CARD}(?![0-9])(?:[ \t]*(?:(?:[,;+/&]|and\b)[ \t]*)?\+?{_CARD}(?![0-9@]))*"
_STOP = r"(?:[.,:](?=\s|$))?(?=[ \t]*(?:[\s;{!~]|$)|\?(?:[\s?!]|$))"
_ACTS = r"[ \t]*[.,:]?(?=[ \t]+(?:[A-Da-d][ \t0-9?F]|-(?:[ \t]|$)|[A-D]$))"
_WORDS = r"[^\W\d]{2,}(?:[ \t]+(?!(?i:drop|trim|fill)\b)[^\s;{}@=\d]+)+(?=[ \t]*(?:\n|$))"
_FIRST = "deal|reserve|deck|tower|hand|gone|turn|last|front|skipped|replaced|position|win|won|loss|lost"
_END = r"[)\]]?(?:[.:]|,(?=[ \t]+[^\s;{]))?(?=[ \t]*(?:[\s;{]|$))"
_DESTROYED = r"(?i:(?:destroy|discard)(?:s|ed|ing)?|removes?|gone)"
_CARDS = re.compile(_CARD)

RESULTS = {
    **dict.fromkeys(("won", "wins", "win.", "win!", "won!", "victory", "1-0", "勝ち", "勝利", "勝", "成功"), "win"),
    **dict.fromkeys(("lost", "lose", "loses", "loss.", "defeat", "0-1", "負け", "敗北", "敗", "失敗"), "loss"),
    **dict.fromkeys(("stuck.", "手詰まり", "詰み", "行き詰まり"), "stuck"),
    **dict.fromkeys(("unfinished", "**", "***", "未完", "中断", "途中"), "*"),
}
"""Words that people write for a result, in small letters."""

_RESULT = "|".join(map(re.escape, sorted({*RESULTS, "win", "loss", "stuck"}, key=len, reverse=True)))


class Slip(NamedTuple):
    """A pattern, the sentence for it, and what is meant: a template or a function of the match. None: several things
    can have been meant. `said` makes the word that the sentence names, where that is not all of the match."""

    pattern: re.Pattern[str]
    kind: str
    meant: str | Callable[[re.Match[str]], str] | None = None
    said: Callable[[re.Match[str]], str] | None = None


def _cell(cell: str) -> str:
    """A cell as it is written, however its column and level stood."""
    cell = cell.lower()
    return cell if cell[0].isalpha() else cell[::-1]


def _card(card: str) -> str:
    return card.upper().lstrip("0")


def _cards(text: str) -> str:
    return ",".join(map(_card, _CARDS.findall(text)))


def _listed(word: str, m: re.Match[str]) -> str:
    return " ".join((word, _cards(m["cards"])))


def _lay(m: re.Match[str]) -> str:
    return f"{m['letter'].upper()} {_laid(m)}"


def _opened(m: re.Match[str]) -> str:
    return " ".join(("C", f"{_cell(m['cell'])}={_card(m['card'])}"))


def _exchanged(m: re.Match[str]) -> str:
    sent = re.sub(r"[ \t]", "", m["sent"]).upper()
    replaced = "" if m["x"] is None else "x" + _card(re.sub(r"[ \t]", "", m["x"][1:].strip().lstrip("*xX")))
    return " ".join(("D", f"{sent}={m['down'] or ''}{_card(m['card'])}@{_cell(m['cell'])}{replaced}"))


def _named(m: re.Match[str]) -> str:
    return _cards(m["cards"])


def _laid(m: re.Match[str]) -> str:
    return f"{_card(m['card'])}@{_cell(m['cell'])}"


def _spaced(m: re.Match[str]) -> str:
    return " ".join(map(_card, _CARDS.findall(m.group())))


def _slip(
    pattern: str,
    kind: str,
    meant: str | Callable[[re.Match[str]], str] | None = None,
    said: Callable[[re.Match[str]], str] | None = None,
) -> Slip:
    return Slip(re.compile(pattern), kind, meant, said)


_AT = r"(?:[ \t]*(?:@|->|=>|[-:/,=.])[ \t]*|[ \t]+(?:at|on|to|in|auf)[ \t]+|[ \t]+|(?=[a-mA-M]))"
COMMENTS = (
    _slip(r"(?P<sign>#|//|--(?=[ \t]+[^\W\d]))", "comment_sign", ";"),
    _slip(r"\((?!(?i:drop|trim|fill)\b)(?P<words>(?=[^)]*[^\W\d]{2})[^(){}\n;]*)\)", "comment_round", r"{\g<words>}"),
)
ACTION = (
    _slip(rf"[Dd][ \t]+{_CARD}[ \t]*[,&/][ \t]*{_CARD}(?=[ \t]*[=^_|])", "sent_joined"),
    _slip(rf"(?P<letter>[ABab])[.:)]?[ \t]*(?P<card>{_CARD}){_AT}(?P<cell>{_CELL}){_STOP}", "action_write", _lay),
    _slip(rf"(?P<letter>[ABab])[ \t]+(?P<cell>{_CELL})[ \t]*[@:]?[ \t]*(?P<card>{_CARD}){_STOP}", "action_write", _lay),
    _slip(
        rf"[Cc][.:)]?[ \t]*(?P<cell>{_CELL})(?:[ \t]*(?:=|:|->|=>)[ \t]*|[ \t]+(?:shows|is)[ \t]+|[ \t]+)"
        rf"(?P<card>{_CARD}){_STOP}",
        "action_write",
        _opened,
    ),
    _slip(rf"[Cc][.:)]?[ \t]*(?P<card>{_CARD})[ \t]*@[ \t]*(?P<cell>{_CELL}){_STOP}", "open_cell", _opened),
    _slip(
        rf"[Dd][.:)]?[ \t]*\(?(?P<sent>{_CARD}[ \t]*[-+][ \t]*{_CARD}(?:[ \t]*[\^_|][ \t]*{_CARD})*)\)?"
        rf"(?:[ \t]*(?:=>|->|=)[ \t]*|[ \t]+)(?P<down>~)?[ \t]*(?P<card>{_CARD}){_AT}(?P<cell>{_CELL})"
        rf"(?P<x>[ \t]*[xX*][ \t]*~?{_CARD})?{_STOP}",
        "action_write",
        _exchanged,
    ),
    _slip(
        r"(?i:opens?|opened|turns?(?:[ \t]+(?:up|over))?|flips?|reveals?|uncovers?)[ \t]+"
        rf"(?P<cell>{_CELL})[ \t]*[=:]?[ \t]*(?P<card>{_CARD}){_STOP}",
        "action_write",
        _opened,
    ),
    _slip(rf"(?P<cell>[a-m][1-7])=(?P<card>{_CARD}){_STOP}", "action_letter_write", _opened),
    _slip(rf"~(?P<card>{_CARD})@(?P<cell>{_CELL}){_STOP}", "action_letter_write", lambda m: " ".join(("B", _laid(m)))),
    _slip(rf"(?P<card>F)@(?P<cell>{_CELL}){_STOP}", "action_letter_write", lambda m: " ".join(("A", _laid(m)))),
    _slip(rf"(?P<card>{_CARD}){_AT}(?P<cell>{_CELL}){_STOP}", "action_letter_lay", None, _laid),
    _slip(r"(?P<word>(?i:plays?|played|lays?|laid|puts?|places?|placed|builds?|sets?))(?![^\s;{])", "action_word"),
    _slip(rf"(?={_CARD}[-+]{_CARD}\S*=~?{_CARD}@{_CELL})(?P<word>\S+)", "action_letter_write", r"D \g<word>"),
    _slip(rf"[Bb][.:)]?[ \t]+(?P<cell>{_CELL}){_STOP}", "action_write", lambda m: f"B ?@{_cell(m['cell'])}"),
    _slip(
        rf"[Dd][.:)]?[ \t]+{_CARD}[ \t]*[-+][ \t]*{_CARD}[ \t,]+{_DESTROYED}[ \t:=]*(?P<cards>{_CARD})(?:[ \t]*=\S*)?",
        "exchange_which",
        None,
        _named,
    ),
    _slip(r"(?P<word>(?i:pass|passes|passed|none|skip)|--)(?![^\s;{])", "action_none", "-"),
)
DRAW = (
    _slip(rf"\+[ \t]*(?P<cards>{_LIST}){_ACTS}", "draw_write", lambda m: f"+{_cards(m['cards'])}"),
    _slip(
        r"(?i:(?:draws?|drew)[ \t]+(?:nothing|none|no[ \t]+cards?|0)|no[ \t]+draw|\+(?:none|no|nothing|-)|-0)" + _ACTS,
        "draw_write",
        "+0",
    ),
    _slip(r"(?i:draws?|drew|drawn)[ \t:=+]*(?:(?:[1-4]|one|two|a)[ \t]+cards?|[1-4])" + _ACTS, "draw_word"),
    _slip(
        rf"(?i:draws?|drew|drawn)[ \t:=+]*(?P<cards>{_LIST}){_ACTS}", "draw_write", lambda m: f"+{_cards(m['cards'])}"
    ),
    _slip(rf"(?P<cards>{_LIST}){_ACTS}", "draw_write", lambda m: f"+{_cards(m['cards'])}"),
)
DRAWN = (_slip(r"(?i:cards?)" + _ACTS, "draw_count"),)
_WHICH = rf"(?:{_DESTROYED}[ \t:=]*|[-*xX][ \t]*)(?P<cards>{_LIST}){_END}"
EXCHANGED = (_slip(_WHICH, "exchange_which", None, lambda m: _cards(m["cards"]).split(",")[0]),)
"""What is destroyed in the turn of an action D: for the sum, more likely than for the hand."""

MORE = re.compile(rf"(?:(?:[,;+/&]|and\b)[ \t]*)?(?P<cards>{_LIST}){_END}")
"""Further cards of a list."""

AFTER = (
    _slip(
        rf"[(\[]?(?P<word>fill|drop|trim)[ \t]*[:=]?[ \t]*[(\[]?(?P<cards>{_LIST}){_END}",
        "list_write",
        lambda m: _listed(m["word"], m),
    ),
    _slip(
        rf"(?i:dropped|drops|hand)[ \t:=-]*(?P<cards>{_LIST}){_END}",
        "list_write",
        lambda m: _listed("drop", m),
    ),
    _slip(
        rf"(?i:reserve|trims|trimmed)[ \t:=-]*(?P<cards>{_LIST}){_END}",
        "list_write",
        lambda m: _listed("trim", m),
    ),
    _slip(
        _WHICH,
        "list_which",
        None,
        _named,
    ),
    _slip(rf"(?i:draws?|drew|drawn)[ \t:=+]*(?P<cards>{_LIST}){_END}", "draw_late"),
    _slip(r"[.,:](?=[ \t]*(?:\n|$))", "stop_sign", ""),
    _slip(rf"(?!(?i:drop|trim|fill)\b){_WORDS}", "remark", r"; \g<0>"),
)
REPLACED = (
    _slip(
        rf"(?:[xX*]|replac(?:es|ed|ing)|over\b)[ \t]*(?P<card>~?{_CARD})(?=[ \t]*(?:[\s;{{]|$))",
        "replaced_joined",
        r"x\g<card>",
    ),
)
TAKEN = re.compile(r"=~?[0-9F?]+@[a-m][1-7]$")
NAME = (_slip(r"[\"'](?P<name>[^\s\"';{}\[\]]+)[\"']", "name_quotes", r"\g<name>"),)
SIGN = (
    _slip(r"(?P<word>[:=,])[ \t]*", "list_sign", ""),
    _slip(r"(?P<word>\.{3}|…|(?<=\S)[ \t]*[.,])(?=[ \t]*(?:\n|$))", "list_sign", ""),
    _slip(r"(?<=deck )-(?=[ \t]*(?:\n|$))", "list_sign", ""),
    _slip(rf"[(\[](?P<cards>{_LIST})[)\]]", "line_signs", _spaced),
    _slip(rf"{_CARD}(?:[ \t]*[-/;+&,.][ \t]*{_CARD}(?![0-9@]))+[.,]?(?![^\s;{{])", "line_signs", _spaced),
    _slip(rf"{_CARD}[.,](?=[ \t]*(?:\n|$))", "line_signs", _spaced),
)
LINE = (
    _slip(r"(?i:position)[ \t]*[:.]", "line_sign", "position"),
    _slip(r"(?P<word>[-|>+])[ \t]*(?=[0-9]{1,6}[.)])", "list_sign", ""),
    _slip(
        r"(?P<number>[0-9]{1,6})[ \t]*(?:[):,]|[ \t]*-(?=[ \t])|\.(?=\)))\)?[ \t]*(?=[^\s0-9])",
        "begin_number",
        r"\g<number>. ",
    ),
    _slip(r"(?P<number>[0-9]{1,6})[ \t]+\.[ \t]*", "begin_number", r"\g<number>. "),
    _slip(
        r"(?i:turn|t|move|#|no\.?)[ \t#]*(?P<number>[0-9]{1,6})[.:)]*[ \t]+(?:[-:|][ \t]+)?",
        "begin_number",
        r"\g<number>. ",
    ),
    _slip(
        r"(?P<word>(?i:deal|reserve|deck|tower|hand|gone|turn|last|front))[ \t]*[:=][ \t]*",
        "line_sign",
        lambda m: f"{m['word'].lower()} ",
    ),
    _slip(
        r"(?i:result)[ \t:=]*(?P<word>" + _RESULT + r")[.!]?(?=[ \t]*(?:\n|$))",
        "result_write",
        lambda m: result(m["word"]),
    ),
    _slip(r"(?P<word>" + _RESULT + r")[.!]?(?=[ \t]*(?:\n|$))", "result_write", lambda m: result(m["word"])),
    _slip(
        r"(?P<word>(?i:draw[ \t-]?pile|stock|talon|pile))[ \t:=]+(?=[0-9F?])",
        "line_deck",
        "deck ",
        lambda m: m["word"],
    ),
    _slip(
        rf"(?!(?i:deal|reserve|deck|tower|hand|gone|turn|last|front|win|won|loss|lost|we\b)){_WORDS}",
        "remark_line",
        r"; \g<0>",
    ),
)
_PLACED = rf"~?{_CARD}(?:@{_CELL})?"
LIST_GOES_ON = re.compile(rf"[ \t]*{_PLACED}(?:[ \t,]+{_PLACED})*[ \t]*$")
"""How a line looks that goes on with a list of cards above it."""

CONTINUES = re.compile(r"[ \t]*(?:\+[0-9?F*]|[A-D][ \t]+\S|-[ \t]*$|(?:drop|trim|fill)[ \t]|[!?~]{1,2}(?:[ \t]|$))")
"""How a line begins that goes on with the turn above it."""

TAG = re.compile(
    r"(?P<open>[\[({]?)[ \t]*(?P<name>[^\s\"':=;{}\[\]()]+)[ \t]*[:=]?[ \t]*(?P<value>\"[^\"\n]*\"|'[^'\n]*'|"
    r"[\"']?[^\"'\n\]]*[\"']?)[ \t]*(?P<close>[\])}]?)[ \t\r]*$",
    re.MULTILINE,
)
KNOWN_TAGS = ("CGN", "Event", "Rules", "Variant", "Players", "Marks")


def more(m: re.Match[str]) -> str:
    """Further cards of a list as they are written."""
    return f",{_named(m)}"


def result(word: str) -> str:
    """The result that a word stands for."""
    return RESULTS.get(word.lower(), word.lower())


# Slips that people make, each with what should have been written: the tables of `patterns`, tried at a place.


def slip(place: Place) -> Fault | None:
    """The slip at the place where the grammar gave up, if it is a known one."""
    word, expected = place.word(0), place.expected
    if not word:
        return None
    tables: list[tuple[Slip, ...]] = []
    if expected & {"NUMBER", "TOWER", "TAG"} and not place.before:
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
    if "ACTION" in expected:
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
