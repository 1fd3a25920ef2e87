"""A record to fill in at the table."""

from __future__ import annotations

from collections.abc import Sequence

from couperation_formal.model.board import STANDARD
from couperation_formal.model.cards import UNSEEN, Value, Variant
from couperation_formal.model.record import Record
from couperation_formal.model.rulings import Rules, parse_rules, taggable
from couperation_formal.notation.write import header_tags, record_text

_HELP = """\
; Write a card that you see in place of each ?, one turn a line, the result (win, loss, stuck) last. For example:
; 1. {first} +? A 17@f1        draw a card unseen, lay 17 up on f1
; 2. {second} B ?@h1           lay a card down
; 3. {third} C h1=28           turn it up
; 4. {fourth} D 44-30=14@i1    send 44 and 30, take 14
"""


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
    order = [players[turn % len(players)] for turn in range(4)]
    text = record_text(record).removesuffix("*\n")
    return text + _HELP.format(first=order[0], second=order[1], third=order[2], fourth=order[3]) + "*\n"
