"""Syntax errors in the player's words: what stands where the parser stopped, and what could stand there instead."""

from __future__ import annotations

import re
from difflib import get_close_matches

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from couperation_formal.notation.fault import Fault, Place, fault, shorten
from couperation_formal.notation.hints import (
    FORMS,
    OPEN_COMMENT,
    action_fault,
    card_fault,
    cell_fault,
    draw_fault,
    list_fault,
    placed_fault,
    tag_fault,
)
from couperation_formal.notation.words import CARDS

_ACTION = "an action (A, B, C, D or -)"
_SETUP_LINE = "a set-up line (deal, reserve, deck)"
_STATE_LINE = "a line of the position (tower, hand, reserve, gone, deck, turn, last, front, skipped, replaced)"
_SETUP_OR_STATE = "a line reserve or deck"

EXPECTED = {
    "TAGS": 'a tag such as [Event "Thursday"]',
    "PLAIN_SETUP": _SETUP_LINE,
    "DEAL": _SETUP_LINE,
    "RESERVE": _SETUP_OR_STATE,
    "DECK": _SETUP_OR_STATE,
    "TOWER": _STATE_LINE,
    "HAND": _STATE_LINE,
    "GONE": _STATE_LINE,
    "TURN": _STATE_LINE,
    "LAST": _STATE_LINE,
    "FRONT": _STATE_LINE,
    "SKIPPED": _STATE_LINE,
    "REPLACED": _STATE_LINE,
    "POSITION": "the line position",
    "PLAIN_TURNS": "a turn such as 5.",
    "NUMBER": "a turn such as 5.",
    "NAME": "a player's name",
    "CARDS": "cards (1 to 50, F or ?)",
    "PLACED": "cards of the tower such as 25@g1 ~?@f2",
    "CELL": "a cell such as h1",
    "NOTHING": "- for no card",
    "COUNT": "a number of turns such as 1",
    "WHETHER": "yes or no",
    "DRAW": "a draw such as +14,9",
    "LAY_UP": _ACTION,
    "LAY_DOWN": _ACTION,
    "OPEN": _ACTION,
    "EXCHANGE": _ACTION,
    "PASS": _ACTION,
    "GLYPH": "a glyph such as !?",
    "FILL": "fill",
    "DROP": "drop",
    "TRIM": "trim",
    "RESULT": "the result (win, loss, stuck or *)",
    "_NL": "the end of the line",
    "$END": "the end of the game",
}
"""What each terminal of the grammar is to a player, in the order in which a message names them."""

_SETUP = ("deal", "reserve", "deck")
_STATE = ("tower", "hand", "gone", "turn", "last", "front", "skipped", "replaced")
_LISTS = ("fill", "drop", "trim")
_RESULTS = {"won": "win", "wins": "win", "1-0": "win", "lost": "loss", "lose": "loss", "loses": "loss", "0-1": "loss"}
_KEYWORDS = (*_SETUP, *_STATE, "position", "win", "loss", "stuck")
_GLYPHS = ("!", "?", "!?", "?!", "!!", "??", "~~")
_END_OF_FILE = "<END-OF-FILE>"
"""What the lexer calls the terminal $END."""

_NUMBER = re.compile(r"[0-9]+\.?")
_JOINED = re.compile(r"([A-D])([0-9?F~]+@|[0-9?F]+[-+^_|=]|[a-m][1-7]=)")


def explain(text: str, error: UnexpectedInput) -> Fault:
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
    return _comment(place) or _hint(place) or _generic(place)


def _comment(place: Place) -> Fault | None:
    """A comment that is never closed right here or within a part of a turn, or one that was never opened."""
    within = len(place) == 1 and (place.word(0) in FORMS or place.word(0) in _LISTS)
    if (not len(place) or within) and place.text.startswith("{", place.end):
        return fault(place.end, "{", OPEN_COMMENT)
    if place.word(0).startswith("}"):
        return fault(place.start, "}", "this } closes no comment")
    return None


def _hint(place: Place) -> Fault | None:
    """What a person most likely meant, by what was expected."""
    expected = place.expected
    if place.word(0).startswith("["):
        return _tag(place)
    if "TAGS" in expected and expected <= {"TAGS", "_NL"}:
        return _head(place)
    if expected & {"NUMBER", "TOWER", "$END"}:
        return _line(place)
    if "NAME" in expected:
        return _name(place)
    if "LAY_UP" in expected:
        return _action(place)
    if place.before and re.match(r"[0-9]+\.", place.before[0]):
        return _after_action(place)
    return _list(place)


def _tag(place: Place) -> Fault | None:
    if "TAGS" in place.expected:
        return tag_fault(place.text, place.start)
    if not place.before:
        return place.fault(0, "tags stand before everything else of a game")
    return None


def _head(place: Place) -> Fault | None:
    if place.before:
        return place.fault(0, "nothing but tags stands on the line of a tag")
    return place.fault(0, 'a game begins with the tag [CGN "1"]')


def _line(place: Place) -> Fault | None:
    """The beginning of a line after the tags."""
    word = place.word(0)
    meant = _RESULTS.get(word.lower()) or next(iter(get_close_matches(word.lower(), _KEYWORDS, 1, 0.7)), "")
    if place.expected == {"$END"}:
        return place.fault(0, "nothing but comments follows the result; a further game begins with a line [CGN …")
    if "TOWER" in place.expected:
        if _NUMBER.match(word) or word in ("deal", "win", "loss", "stuck", "*"):
            return place.fault(0, "a position has no deal, turns or result")
    elif "POSITION" not in place.expected and word == "position":
        return place.fault(0, "a position stands in place of set-up and turns, right after the tags")
    elif word in _STATE:
        return place.fault(
            0, f"a line {word} belongs to a position: the line position comes first, right after the tags"
        )
    if word in _SETUP and "DEAL" not in place.expected:
        return place.fault(0, f"the line {word} belongs to the set-up, before the first turn")
    if meant and meant != word:
        return place.fault(0, f"no line begins with {shorten(word)}: did you mean {meant}?")
    if "NUMBER" in place.expected:
        return _number(place)
    return None


def _number(place: Place) -> Fault | None:
    word = place.word(0)
    number = _NUMBER.match(word)
    if number and len(number.group()) > 6:
        return place.fault(0, "the number of a turn has six digits at most")
    if number:
        return place.fault(0, f"a dot follows the number of a turn: {number.group()}.")
    if word in FORMS or word.startswith("+"):
        return place.fault(0, "a turn begins with its number and the player: 5. Aki")
    return None


def _name(place: Place) -> Fault | None:
    after = shorten(place.previous())
    if not len(place):
        return place.fault(0, f"a player's name is missing after {after}")
    bad = next((character for character in place.word(0) if character in '"{}[];'), None)
    return place.fault(0, f"no name can hold the character {bad}") if bad else None


def _action(place: Place) -> Fault | None:
    """After the player's name: a draw, or an action."""
    word = place.word(0)
    if word in FORMS:
        return action_fault(word, place.word(1), place.at(1))
    if word.startswith("+"):
        return (
            draw_fault(word, place.start) if "DRAW" in place.expected else place.fault(0, "a turn has one draw: +14,9")
        )
    if place.previous() in FORMS and len(place.before) == 2:
        return place.fault(0, f"is the player's name missing? {place.previous()} stands in its place")
    if "DRAW" not in place.expected and word in CARDS:
        return place.fault(0, f"the cards of a draw are joined by commas: {shorten(place.previous())},{word}")
    return _no_action(place, word)


def _no_action(place: Place, word: str) -> Fault | None:
    joined = _JOINED.match(word)
    if word.upper() in FORMS:
        return place.fault(0, f"an action begins with a capital letter: {word.upper()}")
    if joined:
        return place.fault(0, f"a blank stands after the letter of an action: {word[0]} {shorten(word[1:])}")
    if "@" in word or "=" in word:
        return place.fault(0, "the letter of the action is missing: A lays up, B lays down, C opens, D exchanges")
    if len(word) == 1 and word.isalpha():
        return place.fault(0, f"there is no action {word}: it is A, B, C, D or -")
    if word in _LISTS or word in _GLYPHS or not word:
        before = f" before {word}" if word else ""
        return place.fault(0, f"the action is missing{before}: A, B, C or D, or - where none was possible")
    if word.lower() in ("pass", "none", "--", "–", "—"):
        return place.fault(0, "that no action was possible is written -")
    return None


def _after_action(place: Place) -> Fault | None:
    word, previous = place.word(0), place.previous(2)
    if word in _LISTS:
        return _destroyed(place, word)
    if word.lower() in _LISTS:
        return place.fault(0, f"{word.lower()} is written in small letters")
    if word in _GLYPHS:
        return place.fault(0, "glyphs stand after the action, before fill, drop and trim")
    if set(word) <= set("!?~"):
        return place.fault(0, f"there is no glyph {shorten(word)}; glyphs are {' '.join(_GLYPHS)}")
    if word.startswith("+"):
        return place.fault(0, "the draw stands before the action")
    if previous in _LISTS and (word in CARDS or word.startswith(",")):
        return place.fault(0, f"the cards after {previous} are joined by commas, without blanks: 5,9")
    if word in FORMS or "@" in word:
        return place.fault(0, "a turn has one action")
    if word in ("win", "loss", "stuck", "*") or re.fullmatch(r"[0-9]+\.", word):
        return place.fault(0, f"{shorten(word)} stands on a line of its own")
    meant = next(iter(get_close_matches(word.lower(), _LISTS, 1, 0.7)), None)
    return place.fault(0, f"{shorten(word)} is no part of a turn: did you mean {meant}?") if meant else None


def _destroyed(place: Place, word: str) -> Fault | None:
    if word.upper() in place.expected:
        if not place.word(1):
            return place.fault(1, f"{word} needs a card at least: {word} 5,?")
        if word == "fill" and place.word(1)[0] == "*":
            return place.fault(1, "fill * says that these cards were not noted, and stands alone")
        return list_fault(place.word(1), place.at(1))
    if place.previous(2) in _LISTS[_LISTS.index(word) + 1 :] and word not in place.before:
        return place.fault(0, f"{word} stands before {place.previous(2)}")
    return place.fault(0, f"a turn has one {word}: its cards are joined by commas")


def _list(place: Place) -> Fault | None:
    """Within a set-up line or a line of a position."""
    word = place.word(0)
    if place.previous() in ("win", "loss", "stuck", "*") and len(place.before) == 1:
        return place.fault(0, "nothing but comments follows the result")
    if "CELL" in place.expected:
        return cell_fault(word, place.at(0))
    if "PLACED" in place.expected:
        return placed_fault(word, place.start)
    if "CARDS" in place.expected and "," in word:
        return place.fault(0, "blanks part the cards of this line, no commas")
    return card_fault(word, place.start) if "CARDS" in place.expected else None


def _generic(place: Place) -> Fault:
    phrases = list(dict.fromkeys(phrase for name, phrase in EXPECTED.items() if name in place.expected))
    if _SETUP_LINE in phrases or _STATE_LINE in phrases:
        phrases = [phrase for phrase in phrases if phrase != _SETUP_OR_STATE]
    expected = " or ".join(filter(None, [", ".join(phrases[:-1]), *phrases[-1:]]))
    if len(place):
        return place.fault(0, f'"{shorten(place.word(0))}" stands where {expected} should')
    ends = "the line ends" if place.text[place.end :].strip() else "the text ends"
    return place.fault(0, f"{ends} where {expected} should stand")
