"""A line-based reader of one game in CGN, enough for well-formed records, and the way back to text."""

from __future__ import annotations

import re
from typing import NamedTuple

from .rulebooks import read_rules
from .tower import Card, Cell

UNSEEN = "?"
GLYPHS = {"!", "?", "!?", "?!", "!!", "??", "~~"}
COMMENT = re.compile(r'("[^"\n]*")|;[^\n]*|\{[^}]*\}')
TAG = re.compile(r'\[\s*(\w+)\s+"([^"]*)"\s*\]')
ONE = r"(?:\d+|F|\?)"
TURN = re.compile(r"(\d+)\s*\.\s*(\S+)\s*(.*)")
LAYING = re.compile(rf"([AB])\s*({ONE})@([a-m][1-7])$")
OPENING = re.compile(rf"C\s*([a-m][1-7])=({ONE})$")
EXCHANGE = re.compile(rf"D\s*({ONE})([+-])({ONE})((?:[\^_|]{ONE})*)=(~?)({ONE})@([a-m][1-7])(?:x(~?)({ONE}))?$")


class Exchange(NamedTuple):
    """Action D as written: two sent cards, + or -, (mark, card) for each destroyed one, what is taken and where."""

    sent: tuple[Card, Card]
    sign: str
    adjust: tuple[tuple[str, Card], ...]
    taken: Card
    face_up: bool
    cell: Cell
    replaced: tuple[Card, bool] | None


class Turn(NamedTuple):
    """A turn as written; `action` is (letter, card, cell) for A and B, ("C", cell, card), ("D", Exchange) or ("-",)."""

    number: int
    name: str
    draw: tuple[Card, ...]
    action: tuple
    drop: tuple[Card, ...] = ()
    trim: tuple[Card, ...] = ()


class Record(NamedTuple):
    """A game as written; what was not written is None, `result` is None for ``*`` too."""

    tags: dict[str, str]
    players: tuple[str, ...]
    rulings: dict[str, str]
    finish: bool
    marks: dict[int, str]
    deals: dict[str, tuple[Card, ...]]
    reserve: tuple[Card, ...] | None
    deck: tuple[Card, ...] | None
    turns: tuple[Turn, ...]
    result: str | None


def read_card(text: str) -> Card:
    """``17`` is a number; "F" and "?" stay as they are."""
    return int(text) if text.isdigit() else text


def read_cards(text: str) -> tuple[Card, ...]:
    """The cards of a list that is parted by commas or spaces."""
    return tuple(read_card(word) for word in re.split(r"[,\s]+", text.strip()) if word)


def read_cell(text: str) -> Cell:
    """``a1`` is (0, 1)."""
    return "abcdefghijklm".index(text[0]), int(text[1])


def write_cell(cell: Cell) -> str:
    """(0, 1) is ``a1``."""
    return f"{'abcdefghijklm'[cell[0]]}{cell[1]}"


def read_action(text: str) -> tuple:
    """An action as written; raises ValueError where it is none."""
    if text == "-":
        return ("-",)
    if laying := LAYING.match(text):
        letter, card, cell = laying.groups()
        return letter, read_card(card), read_cell(cell)
    if opening := OPENING.match(text):
        cell, card = opening.groups()
        return "C", read_cell(cell), read_card(card)
    if exchange := EXCHANGE.match(text):
        first, sign, second, adjust, down, taken, cell, old_down, old = exchange.groups()
        destroyed = tuple((mark, read_card(card)) for mark, card in re.findall(rf"([\^_|])({ONE})", adjust))
        replaced = None if old is None else (read_card(old), not old_down and old != UNSEEN)
        sent = (read_card(first), read_card(second))
        return "D", Exchange(sent, sign, destroyed, read_card(taken), not down, read_cell(cell), replaced)
    raise ValueError(f"no action: {text}")


def read_turn(line: str) -> Turn:
    """One line of a turn, its comments gone."""
    number, name, rest = TURN.match(line).groups()
    words = [word for word in rest.split() if word not in GLYPHS]
    draw = read_cards(words.pop(0)[1:]) if words and words[0].startswith("+") else ()
    draw = () if draw == (0,) else draw
    trim = words.index("trim") if "trim" in words else len(words)
    drop = words.index("drop") if "drop" in words else trim
    action = read_action(" ".join(words[:drop]))
    dropped, trimmed = " ".join(words[drop + 1 : trim]), " ".join(words[trim + 1 :])
    return Turn(int(number), name, draw, action, read_cards(dropped), read_cards(trimmed))


def read_record(text: str) -> Record:
    """One game; raises ValueError or AttributeError where the text is not well formed."""
    text = COMMENT.sub(lambda found: found.group(1) or " ", text)
    tags = dict(TAG.findall(text))
    deals, reserve, deck, turns, result = {}, None, None, [], None
    for line in TAG.sub("", text).splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "deal":
            deals[words[1]] = read_cards(" ".join(words[2:]))
        elif words[0] == "reserve":
            reserve = read_cards(" ".join(words[1:]))
        elif words[0] == "deck":
            deck = read_cards(" ".join(words[1:]))
        elif words[0] in ("win", "loss", "stuck", "*"):
            result = None if words[0] == "*" else words[0]
        else:
            turns.append(read_turn(line.strip()))
    marks = dict(word.split(":") for word in tags.get("Marks", "").split())
    return Record(
        tags,
        tuple(tags["Players"].split()),
        read_rules(tags.get("Rules", "")),
        tags.get("Variant", "first") == "finish",
        {int(value): mark for value, mark in marks.items()},
        deals,
        reserve,
        deck,
        tuple(turns),
        result,
    )


def write_action(action: tuple) -> str:
    """An action in CGN."""
    if action[0] == "-":
        return "-"
    if action[0] == "C":
        return f"C {write_cell(action[1])}={action[2]}"
    if action[0] in "AB":
        return f"{action[0]} {action[1]}@{write_cell(action[2])}"
    d = action[1]
    adjust = "".join(f"{mark}{card}" for mark, card in d.adjust)
    old = "" if d.replaced is None else f"x{'' if d.replaced[1] or d.replaced[0] == UNSEEN else '~'}{d.replaced[0]}"
    return f"D {d.sent[0]}{d.sign}{d.sent[1]}{adjust}={'' if d.face_up else '~'}{d.taken}@{write_cell(d.cell)}{old}"


def write_turn(turn: Turn) -> str:
    """A turn's line in CGN."""
    words = [f"{turn.number}. {turn.name}", "+" + (",".join(map(str, turn.draw)) or "0"), write_action(turn.action)]
    for name, cards in (("drop", turn.drop), ("trim", turn.trim)):
        if cards:
            words += [name, ",".join(map(str, cards))]
    return " ".join(words)


def write_record(record: Record) -> str:
    """A whole game in CGN, one line for each part; the Rules and Marks tags are written from `tags`."""
    lines = [f'[{name} "{value}"]' for name, value in record.tags.items()] + [""]
    lines += [" ".join(["deal", name, *map(str, cards)]) for name, cards in record.deals.items()]
    for word, cards in (("reserve", record.reserve), ("deck", record.deck)):
        if cards is not None:
            lines.append(" ".join([word, *map(str, cards)]))
    lines += ["", *map(write_turn, record.turns), record.result or "*"]
    return "\n".join(lines) + "\n"
