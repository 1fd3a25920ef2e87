"""What is wrong where the parser stopped, in the player's words, and hints at what a single word should be."""

from __future__ import annotations

import re
from difflib import get_close_matches

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from couperation_formal.game.diagnostic import Edit
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Span
from couperation_formal.game.tower import STANDARD, column_name
from couperation_formal.notation.fault import Fault, Place, before_blanks, fault, shorten
from couperation_formal.notation.parse import Parsed, comments_of, parser, reads, without
from couperation_formal.notation.slips import slip, tag_edit
from couperation_formal.notation.words import CARDS, CELLS

# What is wrong with a single word, by the parts that it should have. Each function gives the first fault, or None.
#
# `start` is always the place of the word in the text, so that the fault names the very letters that are amiss.

_LAST_COLUMN = column_name(STANDARD.columns - 1)
_GLYPH_SIGNS = frozenset("!?~")
_GAP = r"(?:[^\S\n]|\{[^}]*\})*+"
_TAG_OPEN = re.compile(rf"\[{_GAP}")
_TAG_NAME = re.compile(rf'[^\s";{{}}\[\]]+{_GAP}')
_TAG_VALUE = re.compile(rf'"[^"\r\n]*"{_GAP}')
_LINE = re.compile(r"[^\r\n]*")
_PLACED = re.compile(r"(~?(?:50|[1-4][0-9]|[1-9]|F|\?))[:=-]?([a-m][1-7])")
_SPLIT = re.compile(r"[-+^_|]")

LETTERS = ("A", "B", "C", "D")
"""The letter of each action."""


def card_fault(word: str, start: int) -> Fault | None:
    """A card: 1 to 50, F or ?."""
    if word in CARDS:
        return None
    if not word:
        return fault(start, "", fact("card_missing", cards=STANDARD.cards))
    if word == "f":
        return fault(start, word, fact("card_small"), "F")
    if word.startswith("0") and word.lstrip("0") in CARDS:
        return fault(start, word, fact("card_zero", card=word.lstrip("0")), word.lstrip("0"))
    return fault(start, word, fact("no_card", word=shorten(word), cards=STANDARD.cards))


def cell_fault(word: str, start: int) -> Fault | None:
    """A cell: a column and a level."""
    if word in CELLS:
        return None
    if not word:
        return fault(start, "", fact("cell_missing"))
    if word.endswith(",") and word[:-1] in CELLS:
        return fault(start + len(word) - 1, ",", fact("line_commas"), "")
    column, level = word[0], word[1:]
    if word.lower() in CELLS:
        return fault(start, column, fact("column_capital", cell=word.lower()), column.lower())
    if word[::-1].lower() in CELLS:
        return fault(start, word, fact("column_second", cell=word[::-1].lower()), word[::-1].lower())
    if not ("a" <= column <= _LAST_COLUMN):
        kind = "no_column" if column.isalpha() else "no_cell"
        return fault(start, column, fact(kind, column=column, word=shorten(word), last=_LAST_COLUMN))
    if not level:
        return fault(start + 1, "", fact("level_missing", column=column, levels=STANDARD.levels))
    return fault(start + 1, level, fact("no_level", level=shorten(level), levels=STANDARD.levels))


def list_fault(word: str, start: int) -> Fault | None:
    """Cards joined by commas."""
    at = start
    for card in word.split(","):
        if not card and "," in word:
            return fault(min(at, start + len(word) - 1), ",", fact("comma"))
        found = card_fault(card, at)
        if found:
            return found
        at += len(card) + 1
    return None


def draw_fault(word: str, start: int) -> Fault | None:
    """A draw: ``+`` and cards joined by commas."""
    if word in ("+0", "+*"):
        return None
    if word[1:2] == "*":
        return fault(start, word, fact("draw_alone"))
    if word == "+":
        return fault(start, word, fact("draw_empty"))
    return list_fault(word[1:], start + 1)


def placed_fault(word: str, start: int) -> Fault | None:
    """A card of a position's tower."""
    card, at, cell = word.partition("@")
    down = card.startswith("~")
    found = card_fault(card[down:], start + down) if at or card[down:] in CARDS else None
    if found:
        return found
    if not at:
        parts = _PLACED.fullmatch(word)
        return fault(start, word, fact("no_placed", word=shorten(word)), parts and "@".join(parts.groups()))
    return cell_fault(cell, start + len(card) + 1)


def action_fault(letter: str, word: str, start: int) -> Fault | None:
    """The word of an action after its letter."""
    if not word:
        return fault(start, "", fact("word_missing", letter=letter))
    if letter == "C":
        return _open_fault(word, start)
    if letter == "D":
        return _exchange_fault(word, start)
    if word.startswith("~"):
        return fault(start, "~", fact("lays_up", word=shorten(word[1:])), "" if letter == "B" else None)
    card, at, cell = word.partition("@")
    if "=" in card:
        other = "C" if card.partition("=")[0] in CELLS else "D"
        return fault(start, word, fact("word_other", word=shorten(word), other=other, letter=letter))
    found = card_fault(card, start) if at or card not in CARDS else None
    if found:
        return found
    if not at:
        return fault(start + len(card), "", fact("lay_cell", letter=letter, card=card))
    return _end_fault(letter, cell, start + len(card) + 1)


def _open_fault(word: str, start: int) -> Fault | None:
    cell, equals, card = word.partition("=")
    if "@" in word:
        return fault(start, word, fact("open_cell"), _turned(word))
    found = cell_fault(cell, start)
    if found:
        return found
    if not equals:
        return fault(start + len(cell), "", fact("open_card", cell=cell))
    at = start + len(cell) + 1
    known = re.match(r"[0-9]+|F|\?", card)
    if known and known.group() in CARDS and known.end() < len(card):
        return _junk_fault("C", card[known.end() :], at + known.end())
    return card_fault(card, at)


def _turned(word: str) -> str | None:
    """The word of action C for one that names the card first."""
    card, _, cell = word.partition("@")
    return f"{cell}={card}" if card in CARDS and cell in CELLS else None


def _exchange_fault(word: str, start: int) -> Fault | None:
    sent, equals, right = word.partition("=")
    found = _sent_fault(sent, start)
    if found:
        return found
    at = start + len(sent) + 1
    if not equals:
        return fault(at - 1, "", fact("taken_card", letter="D"))
    card, sign, place = right.partition("@")
    down = card.startswith("~")
    found = card_fault(card[down:], at + down)
    if found:
        return found
    if not sign:
        return fault(at + len(card), "", fact("taken_cell", card=shorten(card)))
    at += len(card) + 1
    cell, x, replaced = place.partition("x")
    if x and cell in CELLS:
        down = replaced.startswith("~")
        known = re.match(r"[0-9]+|F|\?", replaced[down:])
        if known and known.group() in CARDS and known.end() < len(replaced) - down:
            end = known.end() + down
            return _junk_fault("D", replaced[end:], at + len(cell) + 1 + end)
        return card_fault(replaced[down:], at + len(cell) + 1 + down)
    return _end_fault("D", place, at)


def _sent_fault(sent: str, start: int) -> Fault | None:
    """The cards that action D sends and destroys: ``44-30^5_?``."""
    signs = [m.group() for m in _SPLIT.finditer(sent)]
    at = start
    for index, card in enumerate(_SPLIT.split(sent)):
        found = card_fault(card, at)
        if found:
            return found
        at += len(card)
        if index == 0 and not signs:
            return fault(at, "", fact("sent_two", letter="D"))
        if index == 0 and signs[0] not in "+-":
            return fault(at, signs[0], fact("sent_joined"))
        if 0 < index < len(signs) and signs[index] in "+-":
            return fault(at, signs[index], fact("sent_more"))
        at += 1
    return None


def _end_fault(letter: str, cell: str, start: int) -> Fault | None:
    """The cell that ends an action, and what follows it without belonging there."""
    if cell[:2] in CELLS and len(cell) > 2 and not cell[2].isdigit():
        return _junk_fault(letter, cell[2:], start + 2)
    return cell_fault(cell, start)


def _junk_fault(letter: str, rest: str, start: int) -> Fault:
    if set(rest) <= _GLYPH_SIGNS:
        return fault(start, rest, fact("glyph_joined", glyph=shorten(rest)), f" {rest}")
    if rest[0] == "x" and letter != "D":
        return fault(start, rest, fact("replaces_only"))
    if rest[0] in ",":
        return fault(start, rest, fact("word_comma"), "" if rest == "," else None)
    return fault(start, rest, fact("word_junk", rest=shorten(rest), letter=letter), "" if rest in ".:" else None)


def tag_fault(text: str, start: int) -> Fault | None:
    """A tag that begins at `start`."""
    found = _tag_fault(text, start)
    return found and found._replace(edit=tag_edit(text, start))


def _tag_fault(text: str, start: int) -> Fault | None:
    opened = _TAG_OPEN.match(text, start)
    at = opened.end() if opened else start
    name = _TAG_NAME.match(text, at)
    if name is None:
        return _comment_or(text, at, fact("tag_name"))
    value = _TAG_VALUE.match(text, name.end())
    if value is None and text.startswith('"', name.end()):
        line = _LINE.match(text, name.end())
        return fault(name.end(), line.group() if line else "", fact("tag_quote"))
    if value is None:
        return _comment_or(text, name.end(), fact("tag_value"))
    if text.startswith("]", value.end()):
        return None
    rest = _LINE.match(text, value.end())
    if rest and '"' in rest.group():
        return fault(value.end(), rest.group(), fact("tag_values"))
    return _comment_or(text, value.end(), fact("tag_open"))


def _comment_or(text: str, at: int, what: Fact) -> Fault:
    if text.startswith("{", at):
        return fault(at, "{", OPEN_COMMENT)
    missing_at_end = not text[at : at + 1].strip()
    return fault(before_blanks(text, at) if missing_at_end else at, "", what)


OPEN_COMMENT = fact("open_comment")


# Syntax errors in the player's words: what stands where the parser stopped, and what could stand there instead.

EXPECTED = {
    "tag": ("TAG",),
    "setup": ("DEAL",),
    "pile": ("RESERVE", "DECK"),
    "state": ("TOWER", "HAND", "GONE", "TURN", "LAST", "FRONT", "SKIPPED", "REPLACED"),
    "position": ("POSITION",),
    "turn": ("NUMBER",),
    "name": ("NAME",),
    "cards": ("CARDS",),
    "placed": ("PLACED",),
    "cell": ("CELL",),
    "nothing": ("NOTHING",),
    "count": ("COUNT",),
    "whether": ("WHETHER",),
    "draw": ("DRAW",),
    "action": ("ACTION",),
    "glyph": ("GLYPHS",),
    "fill": ("FILL",),
    "drop": ("DROP",),
    "trim": ("TRIM",),
    "result": ("RESULT",),
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


def line_fault(part: str, line: str) -> Fault | None:
    """What is wrong with a line in this part of a game; None where it can be read. Cost: linear."""
    line = without(line, comments_of(line))
    if reads(part, line) or (part != "begin" and not line.strip()):
        return None
    try:
        parser().parse(f"{line}\n", start=f"after_{part}")
    except UnexpectedInput as error:
        return _explain(line, error)
    return None


def unread(parsed: Parsed) -> list[Fault]:
    """What is wrong with the first line of a game that cannot be read."""
    found = line_fault(parsed.part, parsed.text[parsed.end :].partition("\n")[0])
    return [found.moved(parsed.end)] if found else []


def _explain(text: str, error: UnexpectedInput) -> Fault:
    """What is wrong at the place in `text` where the parser gave up. Cost: linear in the rest of the line."""
    start, names = len(text), set[str]()
    if isinstance(error, UnexpectedToken):
        names = error.expected
        start = len(text) if error.token.type == "$END" else error.token.start_pos or 0
    elif isinstance(error, UnexpectedCharacters):
        names = error.allowed or names
        start = error.pos_in_stream or 0
    expected = frozenset("$END" if name == _END_OF_FILE else name for name in names)
    place = Place(text, min(start, len(text)), expected)
    comment = _comment(place)
    hint = None if comment else _hint(place)
    known = None if comment else slip(place)
    if (
        hint is not None
        and hint.edit is not None
        and (known is None or known.what.kind not in ("begin_number", "destroyed_commas"))
    ):
        return hint
    doubtful = ("remark", "remark_line") if hint is None or hint.what.kind != "letter_for_name" else _LAID
    if known is not None and known.what.kind in doubtful:
        known, hint = hint, known
    return comment or known or hint or _generic(place)


def _comment(place: Place) -> Fault | None:
    """A comment that is never closed right here or within a part of a turn, or one that was never opened."""
    within = len(place) == 1 and (place.word(0) in LETTERS or place.word(0) in _LISTS)
    if (not len(place) or within) and place.text.startswith("{", place.end):
        return fault(place.end, "{", OPEN_COMMENT)
    if place.word(0).startswith("}"):
        return fault(place.start, "}", fact("closed_comment"))
    return None


def _hint(place: Place) -> Fault | None:
    """What a person most likely meant, by what was expected."""
    expected = place.expected
    if place.word(0).startswith("["):
        return _tag(place)
    if "TAG" in expected and expected <= {"TAG", "_NL"}:
        return _head(place)
    if expected & {"NUMBER", "TOWER", "$END"}:
        return _line(place)
    if "NAME" in expected:
        return _name(place)
    if "ACTION" in expected:
        return _action(place)
    if place.before and re.match(r"[0-9]+\.", place.before[0]):
        return _after_action(place)
    return _list(place)


def _tag(place: Place) -> Fault | None:
    if "TAG" in place.expected:
        return tag_fault(place.text, place.start)
    if not place.before:
        return place.fault(0, fact("tag_late"))
    return None


def _head(place: Place) -> Fault | None:
    if place.before:
        return place.fault(0, fact("tag_line"))
    return place.fault(0, fact("begins"))


def _line(place: Place) -> Fault | None:
    """The beginning of a line after the tags."""
    word = place.word(0)
    known = _KEYWORDS if "TOWER" in place.expected else [each for each in _KEYWORDS if each not in _STATE]
    like = get_close_matches(word.lower(), known, 1, 0.7) if len(word) > 3 or word.lower() in known else ()
    meant = _RESULTS.get(word.lower()) or next(iter(like), "")
    if place.expected == {"$END"}:
        return place.fault(0, fact("after_end"))
    if "TOWER" in place.expected:
        if _NUMBER.match(word) or word in ("deal", "win", "loss", "stuck", "*"):
            return place.fault(0, fact("position_only"))
    elif "POSITION" not in place.expected and word == "position":
        return place.fault(0, fact("position_late"))
    elif word in _STATE:
        return place.fault(0, fact("position_line", word=word))
    if word in _SETUP and "DEAL" not in place.expected:
        return place.fault(0, fact("setup_late", word=word))
    if meant and meant != word and not (len(place) > 1 and meant in ("win", "loss", "stuck")):
        return place.fault(0, fact("no_line", word=shorten(word), meant=meant), _sure(word, meant))
    if "NUMBER" in place.expected:
        return _number(place)
    return None


def _sure(word: str, meant: str) -> str | None:
    """What was meant by the first word of a line, where it is a word and but a letter or two apart."""
    return meant if word.lower().rstrip(".!") == meant or word.lower() in _RESULTS or word.isalpha() else None


def _number(place: Place) -> Fault | None:
    word = place.word(0)
    number = _NUMBER.match(word)
    if number and len(number.group()) > 6:
        return place.fault(0, fact("long_number"))
    if number:
        return place.fault(0, fact("dot_missing", number=number.group()), _dotted(place, number.group()))
    if word in LETTERS or word.startswith("+"):
        return place.fault(0, fact("head_missing"))
    return None


def _dotted(place: Place, number: str) -> str | None:
    return f"{number}." if place.word(0) == number and place.word(1) and not place.word(1).startswith(".") else None


def _name(place: Place) -> Fault | None:
    after = shorten(place.previous())
    if not len(place):
        return place.fault(0, fact("name_missing", after=after))
    bad = next((character for character in place.word(0) if character in '"{}[];'), None)
    return place.fault(0, fact("name_letter", letter=bad)) if bad else None


def _action(place: Place) -> Fault | None:
    """After the player's name: a draw, or an action."""
    word = place.word(0)
    if word in LETTERS:
        return action_fault(word, place.word(1), place.at(1))
    if word.startswith("+"):
        return draw_fault(word, place.start) if "DRAW" in place.expected else _second_draw(place)
    if place.previous() in LETTERS and len(place.before) == 2:
        return place.fault(0, fact("letter_for_name", word=place.previous()))
    if "DRAW" not in place.expected and word and word.strip(",") in CARDS:
        word = word.strip(",")
        return place.joined(fact("draw_commas", draw=shorten(place.previous()), card=word))
    return _no_action(place, word)


def _second_draw(place: Place) -> Fault:
    found = place.joined(fact("one_draw"))
    if found.edit is None or not place.previous().startswith("+"):
        return found._replace(edit=None)
    return found._replace(edit=Edit(Span(found.edit.span.start, place.start + 1), ","))


def _no_action(place: Place, word: str) -> Fault | None:
    joined = _JOINED.match(word)
    if word.upper() in LETTERS:
        return place.fault(0, fact("action_small", letter=word.upper()), word.upper())
    if joined:
        what = fact("action_joined", letter=word[0], rest=shorten(word[1:]))
        return place.fault(0, what, f"{word[0]} {word[1:]}")
    if "@" in word or "=" in word:
        return place.fault(0, fact("action_letter"))
    if len(word) == 1 and word.isalpha():
        return place.fault(0, fact("no_action", word=word))
    if word in _LISTS or word in _GLYPHS or not word:
        return place.fault(0, fact("action_missing", word=word))
    if word.lower() in ("pass", "none", "--", "–", "—"):
        return place.fault(0, fact("action_none"))
    return None


def _after_action(place: Place) -> Fault | None:
    word, previous = place.word(0), place.previous(2)
    if word in _LISTS:
        return _destroyed(place, word)
    if word.lower() in _LISTS:
        return place.fault(0, fact("small", word=word.lower()), word.lower())
    if word in _GLYPHS:
        return place.fault(0, fact("glyphs_late"))
    if set(word) <= set("!?~"):
        return place.fault(0, fact("no_glyph", word=shorten(word)))
    if word.startswith("+"):
        return place.fault(0, fact("draw_late", word=shorten(word)))
    if previous in _LISTS and (word in CARDS or word.startswith(",")):
        return place.joined(fact("destroyed_commas", word=previous))
    if word in LETTERS or "@" in word:
        return place.fault(0, fact("one_action"))
    if word in ("win", "loss", "stuck", "*") or re.fullmatch(r"[0-9]+\.", word):
        return place.fault(0, fact("line_alone", word=shorten(word)))
    meant = next(iter(get_close_matches(word.lower(), _LISTS, 1, 0.7)), None)
    return place.fault(0, fact("no_part", word=shorten(word), meant=meant)) if meant else None


def _destroyed(place: Place, word: str) -> Fault | None:
    if word.upper() in place.expected:
        if not place.word(1):
            return place.fault(1, fact("destroyed_none", word=word))
        if word == "fill" and place.word(1)[0] == "*":
            return place.fault(1, fact("fill_alone"))
        return list_fault(place.word(1), place.at(1))
    later = place.previous(2)
    if later in _LISTS[_LISTS.index(word) + 1 :] and word not in place.before:
        return place.fault(0, fact("list_late", word=word, later=later))
    return place.fault(0, fact("destroyed_twice", word=word))


def _list(place: Place) -> Fault | None:
    """Within a set-up line or a line of a position."""
    word = place.word(0)
    if place.previous() in ("win", "loss", "stuck", "*") and len(place.before) == 1:
        return place.fault(0, fact("after_result"))
    if "CELL" in place.expected:
        return cell_fault(word, place.at(0))
    if "PLACED" in place.expected:
        return placed_fault(word, place.start)
    if "CARDS" in place.expected and "," in word:
        start, line = place.start, place.text[place.start : place.end].rstrip()
        meant = " ".join(re.split(r"[\s,]+", line)).strip()
        return place.fault(0, fact("line_commas"))._replace(edit=Edit(Span(start, start + len(line)), meant))
    return card_fault(word, place.start) if "CARDS" in place.expected else None


def _generic(place: Place) -> Fault:
    names = [name for name, terminals in EXPECTED.items() if not place.expected.isdisjoint(terminals)]
    if "setup" in names or "state" in names:  # which name the lines reserve and deck too
        names = [name for name in names if name != "pile"]
    *others, last = [fact(f"expected_{name}") for name in names]
    expected = fact("one_of", others=tuple(others), last=last) if others else last
    if len(place):
        return place.fault(0, fact("stands", word=shorten(place.word(0)), expected=expected))
    return place.fault(0, fact("line_ends", expected=expected))
