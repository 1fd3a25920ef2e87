"""A record to fill in at the table."""

from __future__ import annotations

from collections.abc import Sequence

from couperation_formal.model.board import STANDARD
from couperation_formal.model.cards import UNSEEN, Value, Variant
from couperation_formal.model.record import Record
from couperation_formal.model.rulings import Rules, parse_rules, taggable
from couperation_formal.notation.write import header_tags, record_text

_HELP = (
    ("+? A 17@f1", "draws a card unseen, lays 17 up on f1"),
    ("B ?@h1", "lays a card down on h1"),
    ("C h1=28", "turns it up"),
    ("D 44-30=14@i1 trim 12", "sends 44 and 30, lays 14 from the Reserve on i1"),
)


def new_record(
    players: Sequence[str], variant: Variant = "first", rules: Rules | None = None, event: str | None = None
) -> str:
    """The text of a record without turns, with comments that show how to go on.

    Raises `ValueError` for a number of players that the game is not for, and for names or an event that CGN cannot
    hold.
    """
    size = STANDARD.reserve_size(len(players))
    if size is None:
        raise ValueError(f"the game is for 2 to 4 players, not {len(players)}")
    for name in players:
        if players.count(name) > 1:
            raise ValueError(f"two players have the name {name}")
        if not name or any(character.isspace() or character in '";{}[]' for character in name):
            raise ValueError(f'{name!r} is no name: it has a space or one of " ; {{ }} [ ]')
    unseen = (UNSEEN,) * STANDARD.deal
    rules = taggable(rules or parse_rules(""))
    record = Record(
        tags=header_tags(players, rules, variant, event=event),
        players=tuple(players),
        rules=rules,
        variant=variant,
        marks={},
        deals=dict.fromkeys(players, unseen),
        reserve=(Value(1), Value(STANDARD.cards), *(UNSEEN,) * (size - 2)),
    )
    return record_text(record).removesuffix("*\n") + _help(players) + "*\n"


def _help(players: Sequence[str]) -> str:
    """Comments that show how to go on."""
    turns = [f"{place}. {players[(place - 1) % len(players)]} {words}" for place, (words, _) in enumerate(_HELP, 1)]
    width = max(len(turn) for turn in turns)
    lines = [
        "; Write the cards that you see in place of ?, one turn a line, and win, loss or stuck in place of *.",
        *(f"; {turn:{width}}  {says}" for turn, (_, says) in zip(turns, _HELP, strict=True)),
    ]
    return "".join(f"{line}\n" for line in lines)
