"""What is wrong with a line, in the player's words, and what people write instead of the notation.

Where the grammar gives up at a line, its words are looked at part by part, and patterns of slips are tried at the very
place. What `meant` makes of the match is what should have been written; where more than one thing can have been meant
there is none, and the message names them.
"""

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import NamedTuple, cast

from couperation_formal.game.fact import Datum, fact
from couperation_formal.game.record import Edit, Span
from couperation_formal.game.tower import STANDARD, column_name
from couperation_formal.notation.parse import CARDS, CELLS, Fault, before_blanks, fault, refused, shorten, without

# What is wrong with a single word, by the parts that it should have. Each function gives the faults in their order; the
# first one is told, and what comes after it is not looked at.
#
# `start` is always the place of the word in the text, so that the fault names the very letters that are amiss.

_LAST_COLUMN = column_name(STANDARD.columns - 1)
_GLYPH_SIGNS = frozenset("!?~")
_TAG_PARTS = re.compile(r'\[[^\S\n]*+(?:(?P<name>[^\s";{}\[\]]++)[^\S\n]*+(?:(?P<value>"[^"\r\n]*+")[^\S\n]*+)?+)?+')
_UNJOINED = re.compile(r"(~?(?:50|[1-4][0-9]|[1-9]|F|\?))[:=-]?([a-m][1-7])")
_SPLIT = re.compile(r"[-+^_|]")

LETTERS = ("A", "B", "C", "D")
"""The letter of each action."""


def _card_faults(word: str, start: int) -> Iterator[Fault]:
    """A card: 1 to 50, F or ?."""
    if word in CARDS:
        return
    if not word:
        yield fault(start, "", "card_missing", cards=STANDARD.cards)
    elif word == "f":
        yield fault(start, word, "card_small", "F")
    elif word.startswith("0") and word.lstrip("0") in CARDS:
        yield fault(start, word, "card_zero", word.lstrip("0"), card=word.lstrip("0"))
    else:
        yield fault(start, word, "no_card", word=shorten(word), cards=STANDARD.cards)


def _cell_faults(word: str, start: int) -> Iterator[Fault]:
    """A cell: a column and a level."""
    if word in CELLS:
        return
    column, level = word[:1], word[1:]
    if not word:
        yield fault(start, "", "cell_missing")
    elif word.endswith(",") and word[:-1] in CELLS:
        yield fault(start + len(word) - 1, ",", "line_commas", "")
    elif word.lower() in CELLS:
        yield fault(start, column, "column_capital", column.lower(), cell=word.lower())
    elif (turned := word[::-1].lower()) in CELLS:
        yield fault(start, word, "column_second", turned, cell=turned)
    elif not ("a" <= column <= _LAST_COLUMN):
        kind = "no_column" if column.isalpha() else "no_cell"
        yield fault(start, column, kind, column=column, word=shorten(word), last=_LAST_COLUMN)
    elif not level:
        yield fault(start + 1, "", "level_missing", column=column, levels=STANDARD.levels)
    else:
        yield fault(start + 1, level, "no_level", level=shorten(level), levels=STANDARD.levels)


def _list_faults(word: str, start: int) -> Iterator[Fault]:
    """Cards joined by commas."""
    at = start
    for card in word.split(","):
        if not card and "," in word:
            yield fault(min(at, start + len(word) - 1), ",", "comma")
        yield from _card_faults(card, at)
        at += len(card) + 1


def _draw_faults(word: str, start: int) -> Iterator[Fault]:
    """A draw: ``+`` and cards joined by commas."""
    if word in ("+0", "+*"):
        return
    if word == "+" or word[1:2] == "*":
        yield fault(start, word, "draw_empty" if word == "+" else "draw_alone")
    yield from _list_faults(word[1:], start + 1)


def _placed_faults(word: str, start: int) -> Iterator[Fault]:
    """A card of a position's tower."""
    card, at, cell = word.partition("@")
    down = card.startswith("~")
    if at or card[down:] in CARDS:
        yield from _card_faults(card[down:], start + down)
    if not at:
        parts = _UNJOINED.fullmatch(word)
        yield fault(start, word, "no_placed", parts and "@".join(parts.groups()), word=shorten(word))
    yield from _cell_faults(cell, start + len(card) + 1)


def _action_faults(letter: str, word: str, start: int) -> Iterator[Fault]:
    """The word of an action after its letter."""
    if not word:
        yield fault(start, "", "word_missing", letter=letter)
    if letter in "CD":
        yield from (_open_faults if letter == "C" else _exchange_faults)(word, start)
        return
    if word.startswith("~"):
        yield fault(start, "~", "lays_up", "" if letter == "B" else None, word=shorten(word[1:]))
    card, at, cell = word.partition("@")
    if "=" in card:
        other = "C" if card.partition("=")[0] in CELLS else "D"
        yield fault(start, word, "word_other", word=shorten(word), other=other, letter=letter)
    if at or card not in CARDS:
        yield from _card_faults(card, start)
    if not at:
        yield fault(start + len(card), "", "lay_cell", letter=letter, card=card)
    yield from _end_faults(letter, cell, start + len(card) + 1)


def _open_faults(word: str, start: int) -> Iterator[Fault]:
    cell, equals, card = word.partition("=")
    if "@" in word:
        laid, _, place = word.partition("@")
        yield fault(start, word, "open_cell", f"{place}={laid}" if laid in CARDS and place in CELLS else None)
    yield from _cell_faults(cell, start)
    if not equals:
        yield fault(start + len(cell), "", "open_card", cell=cell)
    yield from _last_card_faults("C", card, start + len(cell) + 1)


def _exchange_faults(word: str, start: int) -> Iterator[Fault]:
    sent, equals, right = word.partition("=")
    yield from _sent_faults(sent, start)
    at = start + len(sent) + 1
    if not equals:
        yield fault(at - 1, "", "taken_card", letter="D")
    card, sign, place = right.partition("@")
    down = card.startswith("~")
    yield from _card_faults(card[down:], at + down)
    if not sign:
        yield fault(at + len(card), "", "taken_cell", card=shorten(card))
    at += len(card) + 1
    cell, x, replaced = place.partition("x")
    if x and cell in CELLS:
        down = replaced.startswith("~")
        yield from _last_card_faults("D", replaced[down:], at + len(cell) + 1 + down)
    else:
        yield from _end_faults("D", place, at)


def _sent_faults(sent: str, start: int) -> Iterator[Fault]:
    """The cards that action D sends and destroys: ``44-30^5_?``."""
    signs = [m[0] for m in _SPLIT.finditer(sent)]
    at = start
    for index, card in enumerate(_SPLIT.split(sent)):
        yield from _card_faults(card, at)
        at += len(card)
        if index == 0 and not signs:
            yield fault(at, "", "sent_two", letter="D")
        elif index < len(signs) and (signs[index] in "+-") == (index > 0):
            yield fault(at, signs[index], "sent_more" if index else "sent_joined")
        at += 1


def _last_card_faults(letter: str, card: str, start: int) -> Iterator[Fault]:
    """The card that ends an action, and what follows it without belonging there."""
    known = re.match(r"[0-9]+|F|\?", card)
    if known and known[0] in CARDS and known.end() < len(card):
        yield _junk_fault(letter, card[known.end() :], start + known.end())
    yield from _card_faults(card, start)


def _end_faults(letter: str, cell: str, start: int) -> Iterator[Fault]:
    """The cell that ends an action, and what follows it without belonging there."""
    if cell[:2] in CELLS and len(cell) > 2 and not cell[2].isdigit():
        yield _junk_fault(letter, cell[2:], start + 2)
    yield from _cell_faults(cell, start)


def _junk_fault(letter: str, rest: str, start: int) -> Fault:
    if set(rest) <= _GLYPH_SIGNS:
        return fault(start, rest, "glyph_joined", f" {rest}", glyph=shorten(rest))
    if rest[0] == "x" and letter != "D":
        return fault(start, rest, "replaces_only")
    if rest[0] == ",":
        return fault(start, rest, "word_comma", "" if rest == "," else None)
    return fault(start, rest, "word_junk", "" if rest in ".:" else None, rest=shorten(rest), letter=letter)


def _tag_fault(text: str, start: int) -> Fault | None:
    """A tag that begins at `start`."""
    m = cast("re.Match[str]", _TAG_PARTS.match(text, start))
    at, rest = m.end(), re.split("[\r\n]", text[m.end() :], maxsplit=1)[0]
    if m["value"] and rest.startswith("]"):
        return None
    if m["value"] and '"' in rest:
        wrong = fault(at, rest, "tag_values")
    elif m["name"] and rest.startswith('"'):
        wrong = fault(at, rest, "tag_quote")
    else:
        part = "tag_open" if m["value"] else "tag_value" if m["name"] else "tag_name"
        kind = "open_comment" if rest.startswith("{") else part  # a look-alike was meant so
        wrong = fault(at if rest.strip() else before_blanks(text, at), "", kind)
    written = TAG.match(text, start)
    return wrong._replace(edit=_tag_edit(written) if written and _tag_value(written) else None)


# Syntax errors in the player's words: what stands where the parser stopped, and what could stand there instead.

_OWN = ("name", "cards", "placed", "cell", "nothing", "count", "whether", "draw", "action", "down")
EXPECTED = {
    "tag": ("TAG",),
    "setup": ("DEAL",),
    "pile": ("RESERVE", "DECK"),
    "state": ("TOWER", "HAND", "GONE", "TURN", "LAST", "FRONT", "SKIPPED", "REPLACED"),
    "position": ("POSITION",),
    "turn": ("NUMBER",),
    **{name: (name.upper(),) for name in _OWN},
    "glyph": ("GLYPHS",),
    **{name: (name.upper(),) for name in ("fill", "drop", "trim", "result")},
    "line_end": ("_NL",),
    "end": ("$END",),
}
"""What the terminals of the grammar are to a player, in the order in which a message names them."""

_SETUP = ("deal", "reserve", "deck")
_STATE = ("tower", "hand", "gone", "turn", "last", "front", "skipped", "replaced")
_LISTS = ("fill", "drop", "trim")
_RESULTS = {"won": "win", "wins": "win", "1-0": "win", "lost": "loss", "lose": "loss", "loses": "loss", "0-1": "loss"}
_KEYWORDS = (*_SETUP, *_STATE, "position", "win", "loss", "stuck")
_GLYPHS = ("!", "?", "!?", "?!", "!!", "??", "~~")
_END_OF_FILE = "<END-OF-FILE>"
"""What the lexer calls the terminal $END."""

_LAID = ("action_letter_lay", "action_letter_write")
_NUMBER = re.compile(r"[0-9]+\.?")
_JOINED = re.compile(r"([A-D])([0-9?F~]+@|[0-9?F]+[-+^_|=]|[a-m][1-7]=)")


# What is wrong with a line: where the parser gave up, in the player's words.


class Place:
    """Where the parser stopped in a line: the words from there on, and the terminals that were `expected`.

    `before` holds the words of the line up to the place.
    """

    def __init__(self, text: str, start: int, expected: frozenset[str]) -> None:
        self.text = text
        self.start = start
        self.expected = expected
        line_end = text.find("\n", start)
        self.end = len(text) if line_end < 0 else line_end
        self._words = [(m[0], m.start()) for m in _WORD.finditer(text, start, self.end)]
        self.before = text[text.rfind("\n", 0, start) + 1 : start].split()

    def __len__(self) -> int:
        return len(self._words)

    def word(self, index: int) -> str:
        """The word with this index, empty beyond the last one."""
        return self._words[index][0] if index < len(self._words) else ""

    def at(self, index: int) -> int:
        """Where the word with this index begins; beyond the last one, where it is missing."""
        return self._words[index][1] if index < len(self._words) else before_blanks(self.text, self.end)

    def previous(self, count: int = 1) -> str:
        """The word before the place on its line, the `count`-th counted backwards, empty where there is none."""
        return self.before[-count] if len(self.before) >= count else ""

    def fault(self, kind: str, meant: str | None = None, /, at: int = 0, **values: Datum) -> Fault:
        """A fault of the word with the index `at`, or of the place where it is missing; `meant` stands for the word."""
        return fault(self.at(at), self.word(at), kind, meant, **values)

    def joined(self, kind: str, **values: Datum) -> Fault:
        """A fault of the word here, which a comma joins to the one before it; no comma is doubled."""
        end = before_blanks(self.text, self.start)
        comma = "" if self.word(0).startswith(",") or self.text[end - 1] == "," else ","
        return fault(self.at(0), self.word(0), kind, **values)._replace(edit=Edit(Span(end, self.start), comma))


def line_fault(part: str, line: str) -> Fault | None:
    """What is wrong with a line in this part of a game; None where it can be read. Cost: linear."""
    line = without(line)
    error = refused(part, line)
    return None if error is None else _explain(line, *error)


def _explain(text: str, start: int, names: frozenset[str]) -> Fault:
    expected = frozenset("$END" if name == _END_OF_FILE else name for name in names)
    place = Place(text, min(start, len(text)), expected)
    hint, known = _hint(place), slip(place)
    if hint and hint.edit and (known is None or known.what.kind not in ("begin_number", "destroyed_commas")):
        return hint
    doubtful = ("remark", "remark_line") if hint is None or hint.what.kind != "letter_for_name" else _LAID
    if known is not None and known.what.kind in doubtful:
        known, hint = hint, known
    return known or hint or _generic(place)


def _hint(place: Place) -> Fault | None:
    """What a person most likely meant, by what was expected."""
    expected = place.expected
    if place.word(0).startswith("["):
        if "TAG" in expected:
            return _tag_fault(place.text, place.start)
        return None if place.before else place.fault("tag_late")
    if "TAG" in expected and expected <= {"TAG", "_NL"}:
        return place.fault("tag_line" if place.before else "begins")
    if expected & {"NUMBER", "TOWER", "$END"}:
        return _line(place)
    if "NAME" in expected:
        return _name(place)
    if "ACTION" in expected:
        return _action(place)
    if place.before and re.match(r"[0-9]+\.", place.before[0]):
        return _after_action(place)
    return _list(place)


def _line(place: Place) -> Fault | None:
    """The beginning of a line after the tags."""
    word = place.word(0)
    known = _KEYWORDS if "TOWER" in place.expected else [each for each in _KEYWORDS if each not in _STATE]
    like = get_close_matches(word.lower(), known, 1, 0.7) if len(word) > 3 or word.lower() in known else ()
    meant = _RESULTS.get(word.lower()) or next(iter(like), "")
    if place.expected == {"$END"}:
        return place.fault("after_end")
    if "TOWER" in place.expected:
        if _NUMBER.match(word) or word in ("deal", "win", "loss", "stuck", "*"):
            return place.fault("position_only")
    elif "POSITION" not in place.expected and word == "position":
        return place.fault("position_late")
    elif word in _STATE:
        return place.fault("position_line", word=word)
    if word in _SETUP and "DEAL" not in place.expected:
        return place.fault("setup_late", word=word)
    if meant and meant != word and not (len(place) > 1 and meant in ("win", "loss", "stuck")):
        sure = word.lower().rstrip(".!") == meant or word.lower() in _RESULTS or word.isalpha()
        return place.fault("no_line", meant if sure else None, word=shorten(word), meant=meant)
    number = _NUMBER.match(word)
    if "NUMBER" not in place.expected:
        return None
    if number and len(number[0]) > 6:
        return place.fault("long_number")
    if number:
        alone = number[0] == word and place.word(1) and place.word(1)[0] != "."
        return place.fault("dot_missing", f"{word}." if alone else None, number=number[0])
    return place.fault("head_missing") if word in LETTERS or word.startswith("+") else None


def _name(place: Place) -> Fault | None:
    after = shorten(place.previous())
    if not len(place):
        return place.fault("name_missing", after=after)
    bad = next((character for character in place.word(0) if character in '"{}[];'), None)
    return place.fault("name_letter", letter=bad) if bad else None


def _action(place: Place) -> Fault | None:
    """After the player's name: a draw, or an action."""
    word = place.word(0)
    if word in LETTERS:
        return next(_action_faults(word, place.word(1), place.at(1)), None)
    if word.startswith("+"):
        if "DRAW" in place.expected:
            return next(_draw_faults(word, place.start), None)
        end = before_blanks(place.text, place.start)
        return place.fault("one_draw")._replace(edit=Edit(Span(end, place.start + 1), ","))
    if place.previous() in LETTERS and len(place.before) == 2:
        return place.fault("letter_for_name", word=place.previous())
    if "DRAW" not in place.expected and word and word.strip(",") in CARDS:
        word = word.strip(",")
        return place.joined("draw_commas", draw=shorten(place.previous()), card=word)
    return _no_action(place, word)


def _no_action(place: Place, word: str) -> Fault | None:
    joined = _JOINED.match(word)
    if word.upper() in LETTERS:
        return place.fault("action_small", word.upper(), letter=word.upper())
    if joined:
        return place.fault("action_joined", f"{word[0]} {word[1:]}", letter=word[0], rest=shorten(word[1:]))
    if "@" in word or "=" in word:
        return place.fault("action_letter")
    if len(word) == 1 and word.isalpha():
        return place.fault("no_action", word=word)
    if word in _LISTS or word in _GLYPHS or not word:
        return place.fault("action_missing", word=word)
    return None


def _after_action(place: Place) -> Fault | None:
    word, previous = place.word(0), place.previous(2)
    if word in _LISTS:
        return _destroyed(place, word)
    if word.lower() in _LISTS:
        return place.fault("small", word.lower(), word=word.lower())
    if word in _GLYPHS:
        return place.fault("glyphs_late")
    if set(word) <= set("!?~"):
        return place.fault("no_glyph", word=shorten(word))
    if word.startswith("+"):
        return place.fault("draw_late", word=shorten(word))
    if previous in _LISTS and (word in CARDS or word.startswith(",")):
        return place.joined("destroyed_commas", word=previous)
    if word in LETTERS or "@" in word:
        return place.fault("one_action")
    if word in ("win", "loss", "stuck", "*") or re.fullmatch(r"[0-9]+\.", word):
        return place.fault("line_alone", word=shorten(word))
    meant = next(iter(get_close_matches(word.lower(), _LISTS, 1, 0.7)), None)
    return place.fault("no_part", word=shorten(word), meant=meant) if meant else None


def _destroyed(place: Place, word: str) -> Fault | None:
    if word.upper() in place.expected:
        if not place.word(1):
            return place.fault("destroyed_none", at=1, word=word)
        if word == "fill" and place.word(1)[0] == "*":
            return place.fault("fill_alone", at=1)
        return next(_list_faults(place.word(1), place.at(1)), None)
    later = place.previous(2)
    if later in _LISTS[_LISTS.index(word) + 1 :] and word not in place.before:
        return place.fault("list_late", word=word, later=later)
    return place.fault("destroyed_twice", word=word)


def _list(place: Place) -> Fault | None:
    """Within a set-up line or a line of a position."""
    word = place.word(0)
    if place.previous() in ("win", "loss", "stuck", "*") and len(place.before) == 1:
        return place.fault("after_result")
    if "DOWN" in place.expected and word == "laid":
        return place.fault("laid_only_down", at=1)
    if "CELL" in place.expected:
        return next(_cell_faults(word, place.at(0)), None)
    if "PLACED" in place.expected:
        return next(_placed_faults(word, place.start), None)
    if "CARDS" in place.expected and "," in word:
        start, line = place.start, place.text[place.start : place.end].rstrip()
        meant = " ".join(re.split(r"[\s,]+", line)).strip()
        return place.fault("line_commas")._replace(edit=Edit(Span(start, start + len(line)), meant))
    return next(_card_faults(word, place.start), None) if "CARDS" in place.expected else None


def _generic(place: Place) -> Fault:
    names = [name for name, terminals in EXPECTED.items() if not place.expected.isdisjoint(terminals)]
    if "setup" in names or "state" in names:  # which name the lines reserve and deck too
        names = [name for name in names if name != "pile"]
    *others, last = [fact(f"expected_{name}") for name in names]
    expected = fact("one_of", others=tuple(others), last=last) if others else last
    if len(place):
        return place.fault("stands", word=shorten(place.word(0)), expected=expected)
    return place.fault("line_ends", expected=expected)


# What people write instead of the notation: patterns by the place where the grammar gives up, and what is meant.

_CARD = r"(?:50|[1-4][0-9]|0?[1-9]|[Ff?])"
_CELL = r"(?:[a-mA-M][1-7]|[1-7][a-mA-M])"
_LIST = rf"{_CARD}(?![0-9])(?:[ \t]*(?:(?:[,;+/&]|and\b)[ \t]*)?\+?{_CARD}(?![0-9@]))*"
_STOP = r"(?:[.,:](?=\s|$))?(?=[ \t]*(?:[\s;{!~]|$)|\?(?:[\s?!]|$))"
_ACTS = r"[ \t]*[.,:]?(?=[ \t]+(?:[A-Da-d][ \t0-9?F]|-(?:[ \t]|$)|[A-D]$))"
_LAST = r"(?=[ \t]*(?:\n|$))"
_WORDS = r"[^\W\d]{2,}(?:[ \t]+(?!(?i:drop|trim|fill)\b)[^\s;{}@=\d]+)+" + _LAST
_END = r"[)\]]?(?:[.:]|,(?=[ \t]+[^\s;{]))?(?=[ \t]*(?:[\s;{]|$))"
_GONE = r"(?i:(?:destroy|discard)(?:s|ed|ing)?|removes?|gone)[ \t:=]*"
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
    """A pattern, the sentence for it, and what is meant, as a form in which the groups of the pattern stand as they are
    written (`_written`). None: several things can have been meant. `said` makes the word that the sentence names, where
    that is not all of the match."""

    pattern: str
    kind: str
    meant: str | None = None
    said: str = "{all}"


def _act(pattern: str, meant: str, kind: str = "action_write") -> Slip:
    """An action that is written otherwise, up to its end."""
    return Slip(pattern + _STOP, kind, meant)


def _cell(cell: str) -> str:
    """A cell as it is written, however its column and level stood."""
    cell = cell.lower()
    return cell if cell[0].isalpha() else cell[::-1]


def _card(card: str) -> str:
    return card.upper().lstrip("0")


def _listed(text: str) -> list[str]:
    return [_card(card) for card in _CARDS.findall(text)]


def result(word: str) -> str:
    """The result that a word stands for."""
    return RESULTS.get(word.lower(), word.lower())


_WRITTEN: dict[str, Callable[[str], str]] = {
    "card": _card,
    "cell": _cell,
    "cards": lambda text: ",".join(_listed(text)),
    "apart": lambda text: " ".join(_listed(text)),
    "letter": str.upper,
    "keyword": str.lower,
    "result": result,
    "sent": lambda text: re.sub(r"[ \t]", "", text).upper(),
    "replaced": lambda text: "x" + _card(re.sub(r"[ \t*xX]", "", text)),
}
"""How a group of a pattern is written in CGN, by its name; one with another name as it stands."""


def _written(form: str, m: re.Match[str]) -> str:
    groups = {name: _WRITTEN.get(name, str)(text) if text else "" for name, text in m.groupdict().items()}
    return form.format(all=m[0], **groups)


_THE_CARD, _THE_CELL, _THE_CARDS = rf"(?P<card>{_CARD})", rf"(?P<cell>{_CELL})", rf"(?P<cards>{_LIST})"
_DREW = r"(?i:draws?|drew|drawn)[ \t:=+]*"
_AT = r"(?:[ \t]*(?:@|->|=>|[-:/,=.])[ \t]*|[ \t]+(?:at|on|to|in|auf)[ \t]+|[ \t]+|(?=[a-mA-M]))"
_TWO = rf"{_CARD}[ \t]*[-+][ \t]*{_CARD}"
_SENT = rf"(?P<sent>{_TWO}(?:[ \t]*[\^_|][ \t]*{_CARD})*)"
_OPENS = r"(?i:opens?|opened|turns?(?:[ \t]+(?:up|over))?|flips?|reveals?|uncovers?)[ \t]+"
_SHOWS = r"(?:[ \t]*(?:=|:|->|=>)[ \t]*|[ \t]+(?:shows|is)[ \t]+|[ \t]+)"
_NOTHING = r"(?i:(?:draws?|drew)[ \t]+(?:nothing|none|no[ \t]+cards?|0)|no[ \t]+draw|\+(?:none|no|nothing|-)|-0)"
_SEVERAL = rf"{_CARD}(?:[ \t]*[-/;+&,.][ \t]*{_CARD}(?![0-9@]))+[.,]?(?![^\s;{{]))"

COMMENTS = (
    Slip(r"(?P<sign>#|//|--(?=[ \t]+[^\W\d]))", "comment_sign", ";"),
    Slip(r"\((?!(?i:drop|trim|fill)\b)(?P<words>(?=[^)]*[^\W\d]{2})[^(){}\n;]*)\)", "comment_round", r"{{{words}}}"),
)
ACTION = (
    Slip(rf"[Dd][ \t]+{_CARD}[ \t]*[,&/][ \t]*{_CARD}(?=[ \t]*[=^_|])", "sent_joined"),
    _act(rf"(?P<letter>[ABab])[.:)]?[ \t]*{_THE_CARD}{_AT}{_THE_CELL}", "{letter} {card}@{cell}"),
    _act(rf"(?P<letter>[ABab])[ \t]+{_THE_CELL}[ \t]*[@:]?[ \t]*{_THE_CARD}", "{letter} {card}@{cell}"),
    _act(rf"[Cc][.:)]?[ \t]*{_THE_CELL}{_SHOWS}{_THE_CARD}", "C {cell}={card}"),
    _act(rf"[Cc][.:)]?[ \t]*{_THE_CARD}[ \t]*@[ \t]*{_THE_CELL}", "C {cell}={card}", "open_cell"),
    _act(
        rf"[Dd][.:)]?[ \t]*\(?{_SENT}\)?(?:[ \t]*(?:=>|->|=)[ \t]*|[ \t]+)(?P<down>~)?[ \t]*{_THE_CARD}{_AT}{_THE_CELL}"
        rf"(?P<replaced>[ \t]*[xX*][ \t]*~?{_CARD})?",
        "D {sent}={down}{card}@{cell}{replaced}",
    ),
    _act(rf"{_OPENS}{_THE_CELL}[ \t]*[=:]?[ \t]*{_THE_CARD}", "C {cell}={card}"),
    _act(rf"(?P<cell>[a-m][1-7])={_THE_CARD}", "C {cell}={card}", "action_letter_write"),
    _act(rf"~{_THE_CARD}@{_THE_CELL}", "B {card}@{cell}", "action_letter_write"),
    _act(rf"(?P<card>F)@{_THE_CELL}", "A {card}@{cell}", "action_letter_write"),
    Slip(rf"{_THE_CARD}{_AT}{_THE_CELL}{_STOP}", "action_letter_lay", None, "{card}@{cell}"),
    Slip(r"(?P<word>(?i:plays?|played|lays?|laid|puts?|places?|placed|builds?|sets?))(?![^\s;{])", "action_word"),
    Slip(rf"(?={_CARD}[-+]{_CARD}\S*=~?{_CARD}@{_CELL})(?P<word>\S+)", "action_letter_write", "D {word}"),
    _act(rf"[Bb][.:)]?[ \t]+{_THE_CELL}", "B ?@{cell}"),
    Slip(
        rf"[Dd][.:)]?[ \t]+{_TWO}[ \t,]+{_GONE}(?P<cards>{_CARD})(?:[ \t]*=\S*)?",
        "exchange_which",
        None,
        "{cards}",
    ),
    Slip(r"(?P<word>(?i:pass|passes|passed|none|skip)|--)(?![^\s;{])", "action_none", "-"),
)
DRAW = (
    Slip(_NOTHING + _ACTS, "draw_write", "+0"),
    Slip(rf"{_DREW}(?:(?:[1-4]|one|two|a)[ \t]+cards?|[1-4]){_ACTS}", "draw_word"),
    Slip(rf"(?:\+[ \t]*|{_DREW})?{_THE_CARDS}{_ACTS}", "draw_write", "+{cards}"),
)
DRAWN = (Slip(r"(?i:cards?)" + _ACTS, "draw_count"),)
_WHICH = rf"(?:{_GONE}|[-*xX][ \t]*)(?={_THE_CARD}){_THE_CARDS}{_END}"
EXCHANGED = (Slip(_WHICH, "exchange_which", None, "{card}"),)
"""What is destroyed in the turn of an action D: for the sum, more likely than for the hand."""

MORE = re.compile(rf"(?:(?:[,;+/&]|and\b)[ \t]*)?{_THE_CARDS}{_END}")
"""Further cards of a list."""

AFTER = (
    Slip(rf"[(\[]?(?P<word>fill|drop|trim)[ \t]*[:=]?[ \t]*[(\[]?{_THE_CARDS}{_END}", "list_write", "{word} {cards}"),
    Slip(rf"(?i:dropped|drops|hand)[ \t:=-]*{_THE_CARDS}{_END}", "list_write", "drop {cards}"),
    Slip(rf"(?i:reserve|trims|trimmed)[ \t:=-]*{_THE_CARDS}{_END}", "list_write", "trim {cards}"),
    Slip(_WHICH, "list_which", None, "{cards}"),
    Slip(rf"{_DREW}{_THE_CARDS}{_END}", "draw_late"),
    Slip(rf"[.,:]{_LAST}", "stop_sign", ""),
    Slip(rf"(?!(?i:drop|trim|fill)\b){_WORDS}", "remark", "; {all}"),
)
_OVER = r"(?:[xX*]|replac(?:es|ed|ing)|over\b)"
REPLACED = (Slip(rf"{_OVER}[ \t]*(?P<laid>~?{_CARD})(?=[ \t]*(?:[\s;{{]|$))", "replaced_joined", "x{laid}"),)
TAKEN = re.compile(r"=~?[0-9F?]+@[a-m][1-7]$")
NAME = (Slip(r"[\"'](?P<name>[^\s\"';{}\[\]]+)[\"']", "name_quotes", "{name}"),)
SIGN = (
    Slip(rf"[:=,][ \t]*|(?:\.{{3}}|…|(?<=\S)[ \t]*[.,]|(?<=deck )-){_LAST}", "list_sign", ""),
    Slip(rf"(?P<apart>[(\[]{_LIST}[)\]]|{_CARD}[.,]{_LAST}|{_SEVERAL}", "line_signs", "{apart}"),
)
_ROW = r"(?i:deal|reserve|deck|tower|hand|gone|turn|last|front)"
_NUMBERED = r"(?:(?:[):,]|-(?=[ \t])|\.(?=\)))\)?[ \t]*(?=[^\s0-9])|(?<=[ \t])\.[ \t]*)"
_TURN = r"(?i:turn|t|move|#|no\.?)[ \t#]*(?P<number>[0-9]{1,6})[.:)]*[ \t]+(?:[-:|][ \t]+)?"
LINE = (
    Slip(r"(?i:position)[ \t]*[:.]", "line_sign", "position"),
    Slip(r"(?P<word>[-|>+])[ \t]*(?=[0-9]{1,6}[.)])", "list_sign", ""),
    Slip(rf"(?P<number>[0-9]{{1,6}})[ \t]*{_NUMBERED}", "begin_number", "{number}. "),
    Slip(_TURN, "begin_number", "{number}. "),
    Slip(rf"(?P<keyword>{_ROW})[ \t]*[:=][ \t]*", "line_sign", "{keyword} "),
    Slip(rf"(?:(?i:result)[ \t:=]*)?(?P<result>{_RESULT})[.!]?{_LAST}", "result_write", "{result}"),
    Slip(r"(?P<word>(?i:draw[ \t-]?pile|stock|talon|pile))[ \t:=]+(?=[0-9F?])", "line_deck", "deck ", "{word}"),
    Slip(rf"(?!(?:{_ROW}|(?i:win|won|loss|lost|we))\b){_WORDS}", "remark_line", "; {all}"),
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
        tables += [DRAWN] * place.previous().startswith("+") + [ACTION]
    elif place.before and re.match(r"[0-9]+\.", place.before[0]) and "NAME" not in expected:
        tables += [REPLACED] * bool(TAKEN.search(place.previous())) + [EXCHANGED] * ("D" in place.before) + [AFTER]
        new = _new_line(place) or _more(place)
        if new is not None:
            return new
    for each in (*tables, COMMENTS):
        for slip_ in each:
            m = re.compile(slip_.pattern).match(place.text, place.start)
            if m is not None and (told := _found(slip_, m)) is not None:
                return told
    return None


def _found(slip_: Slip, m: re.Match[str]) -> Fault | None:
    span = Span(*m.span())
    meant = slip_.meant and _written(slip_.meant, m)
    last = m.string[m.end() :].lstrip(" \t")[:1] in ("", "\n")
    apart = slip_.kind == "replaced_joined" or (meant == "" and last)
    start = before_blanks(m.string, m.start()) if apart else m.start()
    if meant == m.string[start : m.end()]:
        return None
    word, first = _written(slip_.said, m).strip(), (m[0].split() or [""])[0]
    what = fact(slip_.kind, word=shorten(word), meant=shorten((meant or "").strip()), first=shorten(first))
    return Fault(span, what, None if meant is None else Edit(Span(start, m.end()), meant))


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
    edit = Edit(Span(before_blanks(place.text, place.start), m.end()), _written(",{cards}", m))
    return Fault(Span(*m.span()), fact("destroyed_commas", word=place.previous(2)), edit)


def _tag_slip(place: Place) -> Fault | None:
    """A known tag without its brackets."""
    m = TAG.match(place.text, place.start)
    if m is None or m["open"] == "[" or m["name"] not in KNOWN_TAGS or not m["value"]:
        return None
    edit = _tag_edit(m)
    return Fault(edit.span, fact("tag_bracket", name=m["name"], value=shorten(_tag_value(m))), edit)


def _tag_value(m: re.Match[str]) -> str:
    return m["value"].strip("\"' ")


def _tag_edit(m: re.Match[str]) -> Edit:
    """The edit that makes a tag one of the right form."""
    return Edit(Span(m.start(), m.start() + len(m[0].rstrip())), f'[{m["name"]} "{_tag_value(m)}"]')


def stand_in(line: str, fault: Fault) -> Edit | None:
    """What stands for a part of a line that cannot be read, so that what follows it is read on its own: a card or a
    cell in its place. None where the line has no part of its own around the fault.
    """
    word = next((m for m in _WORD.finditer(line) if m.start() <= fault.span.start < m.end()), None)
    if fault.what.kind in _WHOLE:
        exchange = fault.what.kind == "exchange_which" and re.match(r"[Dd]\W", line[fault.span.start :])
        return Edit(fault.span, "-" if exchange else _WHOLE[fault.what.kind])
    if word is None or fault.what.kind not in _LEXICAL:
        return None
    if fault.what.kind in _PARTS:
        start = fault.span.start
        end = start if fault.what.kind.endswith("missing") else fault.span.end
        return Edit(Span(start, end), _PARTS[fault.what.kind])
    before = line[: word.start()].split() or [""]
    first, last = before[0], before[-1]
    if last in LETTERS and len(before) > 2:
        return Edit(Span(line.rindex(last, 0, word.start()), word.end()), "-")
    stands = (
        ("?", last in _LISTS),
        ("+0", word[0][0] == "+"),
        ("?@g1", "@" in word[0] and first == "tower"),
        ("?", first in ("deal", "reserve", "deck", "hand", "gone")),
    )
    return next((Edit(Span(*word.span()), meant) for meant, fits in stands if fits), None)


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
