"""What is wrong with a single word, by the parts that it should have. Each function gives the first fault, or None.

`start` is always the place of the word in the text, so that the fault names the very letters that are amiss.
"""

from __future__ import annotations

import re

from couperation_formal.model.board import STANDARD, column_name
from couperation_formal.notation.fault import Fault, before_blanks, fault, shorten
from couperation_formal.notation.words import CARDS, CELLS

_LAST_COLUMN = column_name(STANDARD.columns - 1)
_GLYPHS = frozenset("!?~")
_GAP = r"(?:[^\S\n]|\{[^}]*\})*+"
_TAG_OPEN = re.compile(rf"\[{_GAP}")
_TAG_NAME = re.compile(rf'[^\s";{{}}\[\]]+{_GAP}')
_TAG_VALUE = re.compile(rf'"[^"\r\n]*"{_GAP}')
_LINE = re.compile(r"[^\r\n]*")
_SPLIT = re.compile(r"[-+^_|]")

FORMS = {
    "A": "A 17@f1",
    "B": "B 17@h1",
    "C": "C h1=26",
    "D": "D 44-30=14@h1",
}
"""An example of each action."""


def card_fault(word: str, start: int) -> Fault | None:
    """A card: 1 to 50, F or ?."""
    if word in CARDS:
        return None
    if not word:
        return fault(start, "", f"a card is missing here: 1 to {STANDARD.cards}, F or ?")
    if word == "f":
        return fault(start, word, "the Finish card is written F")
    if word.startswith("0") and word.lstrip("0") in CARDS:
        return fault(start, word, f"a card has no leading zero: {word.lstrip('0')}")
    return fault(start, word, f"{shorten(word)} is no card: cards are 1 to {STANDARD.cards}, F or ?")


def cell_fault(word: str, start: int) -> Fault | None:
    """A cell: a column and a level."""
    if word in CELLS:
        return None
    if not word:
        return fault(start, "", "a cell is missing here, such as h1")
    column, level = word[0], word[1:]
    if word.lower() in CELLS:
        return fault(start, column, f"columns are small letters: {word.lower()}")
    if word[::-1] in CELLS:
        return fault(start, word, f"the column comes first: {word[::-1]}")
    if not ("a" <= column <= _LAST_COLUMN):
        what = f"column {column} does not exist" if column.isalpha() else f"{shorten(word)} is no cell"
        return fault(start, column, f"{what}: columns run from a to {_LAST_COLUMN}")
    if not level:
        return fault(start + 1, "", f"the level is missing after column {column}: 1 to {STANDARD.levels}")
    return fault(start + 1, level, f"level {shorten(level)} does not exist: levels run from 1 to {STANDARD.levels}")


def list_fault(word: str, start: int) -> Fault | None:
    """Cards joined by commas."""
    at = start
    for card in word.split(","):
        if not card and "," in word:
            return fault(
                min(at, start + len(word) - 1),
                ",",
                "a card is missing beside this comma; no blank stands in a list: 5,9",
            )
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
        return fault(start, word, "+* says that the draw was not noted, and stands alone")
    if word == "+":
        return fault(start, word, "the drawn cards are missing after +: +14 or +14,9, +? unseen, +0 none")
    return list_fault(word[1:], start + 1)


def placed_fault(word: str, start: int) -> Fault | None:
    """A card of a position's tower."""
    card, at, cell = word.partition("@")
    down = card.startswith("~")
    found = card_fault(card[down:], start + down) if at or card[down:] in CARDS else None
    if found:
        return found
    if not at:
        return fault(start, word, f"{shorten(word)} is no card on a cell: write 25@g1, and ~26@h1 for a down card")
    return cell_fault(cell, start + len(card) + 1)


def action_fault(letter: str, word: str, start: int) -> Fault | None:
    """The word of an action after its letter."""
    if not word:
        return fault(start, "", f"the word of action {letter} is missing: {FORMS[letter]}")
    if letter == "C":
        return _open_fault(word, start)
    if letter == "D":
        return _exchange_fault(word, start)
    if word.startswith("~"):
        return fault(start, "~", "no ~ here: A lays a card up, B lays it down")
    card, at, cell = word.partition("@")
    if "=" in card:
        other = "C" if card.partition("=")[0] in CELLS else "D"
        return fault(start, word, f"{shorten(word)} has the form of action {other}; action {letter} is {FORMS[letter]}")
    found = card_fault(card, start) if at or card not in CARDS else None
    if found:
        return found
    if not at:
        return fault(start + len(card), "", f"the cell is missing: {letter} {card}@f1")
    return _end_fault(letter, cell, start + len(card) + 1)


def _open_fault(word: str, start: int) -> Fault | None:
    cell, equals, card = word.partition("=")
    if "@" in word:
        return fault(start, word, f"action C names the cell first, then the card that it shows: {FORMS['C']}")
    found = cell_fault(cell, start)
    if found:
        return found
    if not equals:
        return fault(start + len(cell), "", f"the card that {cell} shows is missing: C {cell}=26 (or ? or F)")
    at = start + len(cell) + 1
    known = re.match(r"[0-9]+|F|\?", card)
    if known and known.group() in CARDS and known.end() < len(card):
        return _junk_fault("C", card[known.end() :], at + known.end())
    return card_fault(card, at)


def _exchange_fault(word: str, start: int) -> Fault | None:
    sent, equals, right = word.partition("=")
    found = _sent_fault(sent, start)
    if found:
        return found
    at = start + len(sent) + 1
    if not equals:
        return fault(at - 1, "", f"the card taken from the Reserve is missing: {FORMS['D']}")
    card, sign, place = right.partition("@")
    down = card.startswith("~")
    found = card_fault(card[down:], at + down)
    if found:
        return found
    if not sign:
        return fault(at + len(card), "", f"the cell is missing: ={shorten(card)}@h1")
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
            return fault(at, "", f"action D sends two cards, joined by + or -: {FORMS['D']}")
        if index == 0 and signs[0] not in "+-":
            return fault(at, signs[0], "the first two cards of action D are joined by + or -")
        if 0 < index < len(signs) and signs[index] in "+-":
            return fault(
                at,
                signs[index],
                "after two cards each further one is destroyed: ^ adds one, _ subtracts one, | nothing",
            )
        at += 1
    return None


def _end_fault(letter: str, cell: str, start: int) -> Fault | None:
    """The cell that ends an action, and what follows it without belonging there."""
    if cell[:2] in CELLS and len(cell) > 2 and not cell[2].isdigit():
        return _junk_fault(letter, cell[2:], start + 2)
    return cell_fault(cell, start)


def _junk_fault(letter: str, rest: str, start: int) -> Fault:
    if set(rest) <= _GLYPHS:
        return fault(start, rest, f"a blank stands before the glyph {shorten(rest)}")
    if rest[0] == "x" and letter != "D":
        return fault(start, rest, "only action D replaces a card")
    if rest[0] in ",":
        return fault(start, rest, "an action is one word without a comma")
    return fault(start, rest, f"{shorten(rest)} is no part of action {letter}: {FORMS[letter]}")


def tag_fault(text: str, start: int) -> Fault | None:
    """A tag that begins at `start`."""
    opened = _TAG_OPEN.match(text, start)
    at = opened.end() if opened else start
    name = _TAG_NAME.match(text, at)
    if name is None:
        return _comment_or(text, at, f"the name of the tag is missing: {_TAG_FORM}")
    value = _TAG_VALUE.match(text, name.end())
    if value is None and text.startswith('"', name.end()):
        line = _LINE.match(text, name.end())
        return fault(name.end(), line.group() if line else "", "this quote is not closed on its line")
    if value is None:
        return _comment_or(text, name.end(), f"the value of a tag stands in double quotes: {_TAG_FORM}")
    if text.startswith("]", value.end()):
        return None
    rest = _LINE.match(text, value.end())
    if rest and '"' in rest.group():
        return fault(value.end(), rest.group(), "a tag has one value, and no double quote within it")
    return _comment_or(text, value.end(), "the closing bracket ] of the tag is missing")


_TAG_FORM = '[Event "Thursday"]'


def _comment_or(text: str, at: int, message: str) -> Fault:
    if text.startswith("{", at):
        return fault(at, "{", OPEN_COMMENT)
    missing_at_end = not text[at : at + 1].strip()
    return fault(before_blanks(text, at) if missing_at_end else at, "", message)


OPEN_COMMENT = "this { opens a comment that no } closes"
