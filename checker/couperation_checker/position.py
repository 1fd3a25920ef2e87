"""A small strict reader of CGN positions: spec/notation.md and spec/certificate.md, "What the position says"."""

import re
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from couperation_checker.strict import MAX_BYTES, Refused, need

NAME = r'[^\s";{}\[\]]+'
_TAG = rf'\[\s*({NAME})\s*"([^"]*)"\s*\]\s*'
_COMMENT = re.compile(r'("[^"\n]*")|(;[^\n]*|\{[^}]*\})|\{[^}]*')  # or a quotation, or a comment that nothing closes
CARD = r"[1-9]|[1-4][0-9]|50|F|\?"
_LAID = re.compile(rf"(~?)({CARD})@([a-m][1-7])")
_LINES = {"tower", "front", "reserve", "gone", "deck", "turn", "last"}
_need = partial(need, "POSITION")


class Position(NamedTuple):
    """What a position tells of the tower and its cards. Values are 1..50, cells are written as in CGN."""

    finish: bool  # the variant
    laid: frozenset[str]
    up: dict[str, int]  # the up cards with a number
    finish_at: str | None  # where the Finish card lies up
    finish_gone: bool
    gone: frozenset[int]
    unseen_gone: int
    located: frozenset[int]


def supports(cell: str) -> tuple[str, str]:
    """The two cells on which a cell above level 1 rests."""
    return f"{cell[0]}{int(cell[1]) - 1}", f"{chr(ord(cell[0]) + 1)}{int(cell[1]) - 1}"


def read(text: str) -> Position:
    """The position that a CGN text tells; Refused (POSITION) where it cannot be read or no ruling allows it."""
    tags, lines = split(text.removeprefix("\ufeff"), "POSITION")
    _need(lines[:1] == [["position"]], "no line position follows the tags")
    players, finish = tags.get("Players", "").split(), tags.get("Variant") == "finish"
    _need(finish or tags.get("Variant", "first") == "first", "there is no such variant")
    named = len(players) == len(set(players)) and all(re.fullmatch(NAME, name) for name in players)
    _need(named and 2 <= len(players) <= 4, "the tag Players does not name 2 to 4 players")
    hands = {f"hand {name}" for name in players}
    state: dict[str, list[str]] = {}
    for kind, *words in lines[1:]:
        if kind in ("hand", "front", "turn"):
            _need(f"hand {' '.join(words[:1])}" in hands, f"a line {kind} names none of the players")
            _need(kind == "hand" or len(words) == 1, f"a line {kind} has words left over")
        line, cards = (f"hand {words[0]}", words[1:]) if kind == "hand" else (kind, words)
        _need(line in _LINES | hands and line not in state, "a line of no known kind, or one a second time")
        state[line] = cards if kind != "front" else ["F"]
    _need("tower" in state, "the line tower is missing")
    _need(not state.pop("turn", None) or state.keys() >= {"reserve", *hands}, "turn without all hands and the Reserve")
    laid = _tower(state.pop("tower"), finish)
    last = state.pop("last", ["g1"])
    _need(len(last) == 1 and last[0] in laid, "the line last names no laid card's cell")
    return _cards(laid, state, finish)


def _tower(words: list[str], finish: bool) -> dict[str, str]:
    """The laid cards by cell, down ones with their `~`. SET04, TOW03, TOW06 and TOW08 hold of them."""
    matches = [_LAID.fullmatch(word) for word in words]
    laid = {match[3]: match[1] + match[2] for match in matches if match}
    _need(len(laid) == len(words), "a word is no laid card, or two lie on one cell")
    _need("g1" in laid, "g1 is never empty")
    for cell, card in laid.items():
        _need(cell[1] == "1" or laid.keys() >= {*supports(cell)}, f"{cell} lacks a support")
        _need(card != "~F" and (cell[1] != "7" or card[0] != "~"), f"the card on {cell} is never down")
        _need(not finish or cell[1] != "7" or card == "F", "the apex is F and nothing else in the variant finish")
    return laid


def _cards(laid: dict[str, str], state: dict[str, list[str]], finish: bool) -> Position:
    """What the cards of the tower and of the other lines come to; each lies in one place (SET06)."""
    cards = [card for words in state.values() for card in words]
    _need(all(re.fullmatch(CARD, card) for card in cards), "a word is no card")
    cards += [card.lstrip("~") for card in laid.values()]
    seen = {card for card in cards if card != "?"}
    _need(len(seen) + cards.count("?") == len(cards), "a card lies in two places")
    _need(finish or "F" not in seen, "there is no Finish card in the variant first")
    _need(len(cards) <= 50 + finish, "there are more cards than the game has")
    up = {cell: card for cell, card in laid.items() if card[0] != "~"}
    if "?" in up.values():
        raise Refused("", "an up card that is not told")
    gone = state.get("gone", [])
    return Position(
        finish=finish,
        laid=frozenset(laid),
        up={cell: int(card) for cell, card in up.items() if card != "F"},
        finish_at=next((cell for cell, card in up.items() if card == "F"), None),
        finish_gone="F" in gone,
        gone=frozenset(int(card) for card in gone if card not in "F?"),
        unseen_gone=gone.count("?"),
        located=frozenset(map(int, seen.difference(gone, up.values(), "F"))),
    )


def split(text: str, code: str) -> tuple[dict[str, str], list[list[str]]]:
    """The tags, and the words of each line after them; comments are left out. Refused (code) where there are none."""
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
