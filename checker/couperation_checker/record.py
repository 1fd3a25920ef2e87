"""A small strict reader of CGN records: spec/notation.md and spec/certificate.md, "What a record says"."""

import re
from functools import partial
from typing import Any, NamedTuple

from couperation_checker.strict import CARD, NAME, Card, Cards, Work, need, read_cards, read_text

MAX_TURNS = 2000
_LIST = rf"(?:{CARD})(?:,(?:{CARD}))*"
_TURN = re.compile(
    rf"([0-9]{{1,6}})\. ({NAME}) \+(0|\*|{_LIST}) (?:([A-D]) (\S+)|-)"
    rf"(?: (?:!\??|\?!?|!!|\?\?|~~))*(?: fill (\*|{_LIST}))?(?: drop ({_LIST}))?(?: trim ({_LIST}))?"
)
_ACTION = re.compile(  # of A, B and D; C is read as if it laid its card
    rf"(?:({CARD})([+-])({CARD})((?:[\^_|](?:{CARD}))*)=(~?))?({CARD})@([a-m][1-7])(?:x(~?)({CARD}))?"
)
_need = partial(need, "RECORD")


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


def read_record(text: str, work: Work | None = None) -> Record:
    """The record that a CGN text tells; Refused (RECORD) where it cannot be read."""
    players, finish, marks, lines = read_text(text, "RECORD", work or Work())
    result = lines.pop()[0] if lines and lines[-1] in (["win"], ["loss"], ["stuck"], ["*"]) else "*"
    state: dict[str, Cards] = {}
    keys = {"reserve", "deck", *(f"deal {name}" for name in players)}
    for words in lines:
        key = " ".join(words[: 1 + (words[0] == "deal")])
        if key not in keys:
            break
        _need(key not in state, "a line of the set-up stands twice")
        state[key] = read_cards(words[len(key.split()) :], "RECORD")
    _need(len(lines) - len(state) <= MAX_TURNS, "there are too many turns")
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
    _need(bool(match and fits), f"no turn: {line!a:.60}")
    adjust, lies = re.sub(r"[^\^_|]", "", marks or ""), "" if old is None else "down" if face or old == "?" else "up"
    fixed = (int(number), name, letter or "-", cell if letter else "", letter != "B" and not down, sign or "", adjust)
    sent = f"{first} {second}" if sign else ""
    parts = (draw, card if letter else "", sent, marks, old, drop, trim, fill)
    words = (re.findall(r"[1-9][0-9]?|[F?*]", part or "") for part in parts)
    listed: Any = (None if part == ["*"] else read_cards(part, "RECORD") for part in words)
    return Turn(*fixed, lies, *listed)
