"""What is wrong with a single word, by the parts that it should have. Each function gives the first fault, or None.

`start` is always the place of the word in the text, so that the fault names the very letters that are amiss.
"""

from __future__ import annotations

import re

from couperation_formal.model.board import STANDARD, column_name
from couperation_formal.model.fact import Fact, fact
from couperation_formal.notation.fault import Fault, before_blanks, fault, shorten
from couperation_formal.notation.slips import tag_edit
from couperation_formal.notation.words import CARDS, CELLS

_LAST_COLUMN = column_name(STANDARD.columns - 1)
_GLYPHS = frozenset("!?~")
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
    if set(rest) <= _GLYPHS:
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
