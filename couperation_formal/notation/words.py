"""Single words of CGN into the values of the model. The grammar has checked every word that comes here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal, cast

from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, NoAction, Open
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Cell, Down, Laid, Shown, Up, Value

CARDS: dict[str, Shown] = {
    **{str(value): Value(value) for value in range(1, STANDARD.cards + 1)},
    "F": FINISH,
    "?": UNSEEN,
}
"""Every card by the way it is written."""

CELLS: dict[str, Cell] = {
    str(cell): cell
    for cell in (Cell(column, level) for column in range(STANDARD.columns) for level in range(1, STANDARD.levels + 1))
}
"""Every cell that can be written, those outside all pyramids too."""

_NO_ACTION = NoAction()
_OPERATORS = re.compile(r"([-+^_|])")
_QUOTED = re.compile(r"(?<!\S)['‘’“”]+([^'‘’“”]+)['‘’“”]+(?![^\s,])")
_BETWEEN = re.compile(r",|(?<!\S)(?:and|und|[/&])(?!\S)")
_AROUND = ":.,!()<>*-"


def name_of(word: str) -> str:
    """A player's name as names are compared: composed (NFC)."""
    return word if word.isascii() else unicodedata.normalize("NFC", word)


def name_written(text: str) -> str:
    """A player's name as CGN writes it: a blank is ``_``."""
    return "_".join(name_of(text).split())


def names_meant(value: str) -> tuple[str, ...]:
    """The names of a list as people write one: parted by commas, by signs or ``and``, or with blanks within quotes."""
    value = _QUOTED.sub(lambda m: name_written(m[1]), value)
    parts = _BETWEEN.split(value) if _BETWEEN.search(value) else value.split()
    return tuple(filter(None, map(name_written, parts if len(parts) > 1 else re.split("[/&]", value))))


def meant_name(name: str, players: Sequence[str]) -> str | None:
    """The one player whose name this is but for capitals and marks at its end, if there is one."""
    bare = name_of(name).strip(_AROUND).casefold()
    like = [each for each in players if each.strip(_AROUND).casefold() == bare]
    return like[0] if len(like) == 1 and bare else None


def cards(words: list[str]) -> tuple[Shown, ...]:
    """The cards of a set-up line."""
    return tuple([CARDS[word] for word in words])


def listed(words: str | None) -> tuple[Shown, ...]:
    """The cards that a draw, a fill, a drop or a trim lists: ``+14,9``, ``drop 3``; none for ``+0`` and ``fill *``."""
    word = words.split()[-1].lstrip("+") if words else "0"
    return () if word in ("0", "*") else tuple([CARDS[card] for card in word.split(",")])


def action(text: str) -> Action:
    """An action from its letter and its word: ``A 17@f1``."""
    if text == "-":
        return _NO_ACTION
    letter, word = text.split()
    if letter == "C":
        cell, _, shown = word.partition("=")
        return Open(CELLS[cell], CARDS[shown])
    if letter == "D":
        return _exchange(word)
    shown, _, cell = word.partition("@")
    return (LayUp if letter == "A" else LayDown)(CARDS[shown], CELLS[cell])


def placed(word: str) -> tuple[Cell, Laid]:
    """A card in the tower of a position: ``25@g1``, ``~?@f2``."""
    card, _, cell = word.partition("@")
    return CELLS[cell], laid(card)


def laid(word: str) -> Laid:
    """A card as it lies in the tower: ``26``, ``~26``."""
    return Down(CARDS[word[1:]]) if word[0] == "~" else Up(CARDS[word])


def _exchange(word: str) -> Exchange:
    left, _, right = word.partition("=")
    first, sign, second, *rest = _OPERATORS.split(left)
    adjust = tuple((cast("Literal['^', '_', '|']", rest[i]), CARDS[rest[i + 1]]) for i in range(0, len(rest), 2))
    taken, _, place = right.partition("@")
    replaced: Laid | None = None
    if len(place) > 2:
        replaced = Down(UNSEEN) if place[3:] == "?" else laid(place[3:])
    return Exchange(
        CARDS[first],
        cast("Literal['+', '-']", sign),
        CARDS[second],
        adjust,
        CARDS[taken.removeprefix("~")],
        not taken.startswith("~"),
        CELLS[place[:2]],
        replaced,
    )
