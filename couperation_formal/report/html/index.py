"""The index of several games: a row for each, with what a reader chooses by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from couperation_formal.report.html.games import GameView
from couperation_formal.words.say import phrase

_VERDICTS = ("legal", "illegal", "undetermined", "malformed", "position")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the index, some hundred bytes. `said` is the verdict in a sentence, with the result or the first error;
    `lost` tells who lost the game when, where that was asked; `href` leads to the game.
    """

    number: int
    title: str
    where: str
    players: str
    verdict: str
    said: str
    lost: str
    turns: int
    href: str


def entry_of(view: GameView, href: str) -> Entry:
    """The row of one game."""
    fate = view.fate
    lost = "" if fate is None else fate.said
    if fate is not None and fate.turn is not None:
        since = phrase("lost_from", turn=phrase("the_setup", turn=fate.turn))
        lost = phrase("lost_at", turn=fate.killer, player=fate.player) if fate.killer else since
    return Entry(
        number=view.number,
        title=view.title,
        where=view.where,
        players=", ".join(view.hands),
        verdict=view.verdict,
        said=view.verdict_words,
        lost=lost,
        turns=view.turns,
        href=href,
    )


def verdicts_of(entries: Sequence[Entry]) -> list[tuple[str, int]]:
    """The verdicts that there are, each with how many games have it."""
    counts = Counter(entry.verdict for entry in entries)
    return [(verdict, counts[verdict]) for verdict in _VERDICTS if counts[verdict]]
