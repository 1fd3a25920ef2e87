"""What people write instead of the notation: patterns by the place where the grammar gives up, and what is meant.

A pattern is tried at the very place. What its `meant` makes of the match is what is written instead; where more than
one thing can have been meant there is none, and the message names them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

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
