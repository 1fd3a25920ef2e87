"""What every free cell of a tower can still take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from couperation_formal.game.record import short
from couperation_formal.game.rulings import Rules
from couperation_formal.game.tower import Down, UnseenCard, column_name
from couperation_formal.output import formats
from couperation_formal.output.blocks import BAD, GOOD, Columns, Paragraph, Sentence, verdict
from couperation_formal.output.formats import Data, Natural, Positive
from couperation_formal.questions.records.taken import PlaceLike
from couperation_formal.questions.tables.ask import Situation, place_asked, situation
from couperation_formal.questions.tables.why import heading
from couperation_formal.towers.completion.answer import Windows, windows as tower_windows, windows_certificates
from couperation_formal.words.say import encodable, phrase, ranges


class Outlook(formats.Answer, msgspec.Struct, frozen=True, kw_only=True):
    """What every free cell of a position's tower can still take."""

    at: Situation
    windows: Windows

    def __repr__(self) -> str:
        return short(self, at=str(self.at), cells=len(self.windows.values))

    def __str__(self) -> str:
        """Each free cell and the numbers that it can take."""
        return "\n".join(" ".join(map(str, (cell, *values))) for cell, values in self.windows.values.items())

    def data(self) -> WindowsData:
        """The answer as `windows --output-format json` writes it."""
        at, windows = self.at, self.windows
        return WindowsData(
            file=encodable(at.file),
            game=at.index,
            turn=at.turn,
            level="tower",
            windows={str(cell): values for cell, values in windows.values.items()},
            down={str(cell): opens for cell, opens in windows.down.items()},
            places=tuple(column_name(left) for left in windows.lefts),
            checked=True,
            format=1,
        )

    def blocks(self) -> Iterator[Paragraph]:
        """A table of the free cells with the values that each can still take."""
        data = self.data()
        laid = {str(cell): card for cell, card in self.at.position.tower}
        yield heading(self.at)
        if not data.places:
            yield [verdict("deadlocked", BAD, "no_cell_can_be_filled")]
        elif not data.windows:
            yield [verdict("completable", GOOD, "no_cell_free")]
            return
        able = {cell: values for cell, values in data.windows.items() if values or cell in data.down}
        rows = [tuple(map(phrase, ("head_cell", "head_holds", "head_takes")))]
        for cell, values in able.items():
            takes = ranges(values) or phrase("takes_nothing")
            rows.append((cell, str(laid.get(cell, "")), takes, _opened(laid.get(cell), data.down.get(cell))))
        yield [Columns(rows, head=True)]
        unable = tuple(cell for cell in data.windows if cell not in able)
        if unable:
            yield [Sentence(phrase("nothing_fits", cells=unable))]
        if len(data.places) > 1:
            yield [Sentence(phrase("level_1_begins", columns=data.places))]

    def certificates(self) -> Iterator[dict[str, Any]]:
        """Certificates for every value listed and left out; see `towers.completion.answer.windows_certificates`."""
        return windows_certificates(self.at.position, self.windows)


def windows(item: PlaceLike, turn: int | None = None, rules: Rules | str | None = None) -> Outlook:
    """What each free cell of the tower of a position, or of a game after turn `turn` (None: the last), can still take,
    exactly. Raises `NoSuchTurn` and `NoTower`. Cost: see `towers.completion.answer`.
    """
    asked, read = place_asked("windows", item, turn, rules)
    return outlook(situation(asked, turn, read))


def outlook(at: Situation) -> Outlook:
    """The same where it is known what is asked about."""
    return Outlook(at=at, windows=tower_windows(at.position))


class WindowsData(Data, frozen=True, kw_only=True):
    """What each free cell can still take. `turn` is None for a position.

    `windows` holds the values that some filling puts there, rising. `down` tells for each down card whether it can be
    opened where it lies; of an unseen one, whether some card that it may be could. `places` are the leftmost columns
    with which the tower is completable.
    """

    file: str
    game: Positive
    turn: Natural | None
    level: Literal["tower"]
    windows: dict[str, tuple[Positive, ...]]
    down: dict[str, bool]
    places: tuple[str, ...]
    checked: bool
    format: Literal[1]


def _opened(laid: object, opens: bool | None) -> str:
    if opens is None or not isinstance(laid, Down):
        return ""
    if opens and isinstance(laid.card, UnseenCard):
        return phrase("may_be_opened")
    return phrase("can_be_opened" if opens else "cannot_be_opened")
