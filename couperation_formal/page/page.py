"""The whole page: one of some games, or one a game and the index of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from markupsafe import Markup, escape

from couperation_formal.game.rulings import Rules
from couperation_formal.output.report import Report
from couperation_formal.output.svg import SHAPES
from couperation_formal.page.assets import SHARED, embedded, policy, script, shared, style, templates
from couperation_formal.page.fate import Fate
from couperation_formal.page.games import GameView, game_view
from couperation_formal.questions.disputes.dispute import Dispute
from couperation_formal.questions.records.states import View
from couperation_formal.words.say import phrase

# The index of several games: a row for each, with what a reader chooses by.

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


# The page: templates filled in, styles and scripts put inside, and a policy that lets nothing else run or load.

_SCRIPTS = (*SHARED, "room.js", "whatif.js", "game.js", "page.js", "index.js")
_STYLES = ("base.css", "page.css", "index.css")


def page(
    reports: Sequence[Report],
    rules: Rules | None = None,
    disputes: Mapping[int, Dispute] | None = None,
    only: View | None = None,
    fates: Mapping[int, Fate] | None = None,
) -> str:
    """One self-contained HTML page about these games, positions and malformed games; there is at least one.

    `rules` are those that the reports were made under in place of the items' own. `disputes` holds, by place in
    `reports`, a dispute, `fates` what became of a game's table. With `only` the reports are on what
    this view could have written down: the page says so and has no other view. Cost: some tens of milliseconds a game,
    for each view.
    """
    told, lost = disputes or {}, fates or {}
    return page_of(
        [game_view(each, at, rules, told.get(at - 1), only, lost.get(at - 1)) for at, each in enumerate(reports, 1)]
    )


def page_of(views: Sequence[GameView], back: str = "") -> str:
    """The page about these games, of which there is at least one; `back` leads to an index that has it."""
    rows = [entry_of(view, f"#game={view.number}") for view in views]
    return _rendered(views, rows, views[0].title if len(views) == 1 else "", back)


def index_page(rows: Sequence[Entry]) -> str:
    """The page of an index, whose games have pages of their own. Cost: some ten microseconds a game."""
    return _rendered((), rows, "", "")


def _rendered(views: Sequence[GameView], rows: Sequence[Entry], title: str, back: str) -> str:
    sheet, code = style(*_STYLES), script(*_SCRIPTS)
    return (
        templates("couperation_formal.page", _said)
        .get_template("page.html.j2")
        .render(
            title=title or phrase("title_games", count=len(rows)),
            games=views,
            entries=rows,
            verdicts=verdicts_of(rows),
            back=back,
            style=Markup(sheet),
            script=Markup(code),
            shapes=Markup(SHAPES),
            data={
                view.number: embedded(shared(msgspec.to_builtins(view.data)))
                for view in views
                if view.scene is not None
            },
            policy=policy(sheet, code),
        )
    )


def _said(kind: str, **values: Any) -> Markup:
    """A sentence of the catalog for a template: its values are escaped, but for what is markup already."""
    return Markup(phrase(kind, **{name: escape(value) for name, value in values.items()}))
