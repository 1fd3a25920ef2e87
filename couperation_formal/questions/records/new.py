"""A record to fill in at the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from couperation_formal.game.fact import of_type
from couperation_formal.game.record import Record
from couperation_formal.game.rulings import Rules, parse_rules, taggable
from couperation_formal.game.tower import STANDARD, UNSEEN, Value, Variant
from couperation_formal.notation.write import header_tags, record_text
from couperation_formal.output.blocks import padded, width_of
from couperation_formal.questions.records.taken import rules_of, word
from couperation_formal.words.say import phrase

_HELP = (
    ("+? A 17@f1", "example_a"),
    ("B ?@h1", "example_b"),
    ("C h1=28", "example_c"),
    ("D 44-30=14@i1 trim 12", "example_d"),
)


def new_record(
    players: Sequence[str] | str, variant: Variant = "first", rules: Rules | str | None = None, event: str | None = None
) -> str:
    """The text of a record to fill in at the table, with comments that show how to go on; `players` are names, or a
    text of them.

    Raises `ValueError` for a number of players that the game is not for, and for names or an event that CGN cannot
    hold.
    """
    word("variant", variant, get_args(Variant))
    of_type("event", event, str, "str")
    players = players.split() if isinstance(players, str) else list(of_type("players", players, Sequence, "names"))
    size = reserve_for(players)
    unseen = (UNSEEN,) * STANDARD.deal
    rules = taggable(rules_of(rules) or parse_rules(""))
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


def reserve_for(players: Sequence[str]) -> int:
    """The number of Reserve cards of a game of these players. Raises `ValueError` where there is no such game, or where
    CGN cannot hold the names.
    """
    size = STANDARD.reserve_size(len(players))
    if size is None:
        raise ValueError(phrase("players", least=2, most=4, players=len(players)))
    for name in players:
        if players.count(name) > 1:
            raise ValueError(phrase("same_name", name=name))
        if not name or any(character.isspace() or character in '";{}[]' for character in name):
            raise ValueError(phrase("no_name", name=repr(name)))
    return size


def _help(players: Sequence[str]) -> str:
    """Comments that show how to go on."""
    turns = [f"{place}. {players[(place - 1) % len(players)]} {turn}" for place, (turn, _) in enumerate(_HELP, 1)]
    width = max(map(width_of, turns))
    lines = [
        f"; {phrase('example_head')}",
        *(f"; {padded(turn, width)}  {phrase(says)}" for turn, (_, says) in zip(turns, _HELP, strict=True)),
    ]
    return "".join(f"{line}\n" for line in lines)
