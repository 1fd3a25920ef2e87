"""Where two rulebooks part: for each ruling on which they differ, a record that only one of them accepts."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from couperation_formal.analysis.verify import check
from couperation_formal.game.record import Game
from couperation_formal.game.rulings import Rules, taggable
from couperation_formal.hidden.readings.shortest import MOST_STEPS, Difference, differences
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text


class Parting(msgspec.Struct, frozen=True):
    """A difference, the record as text, and the turn and the clause by which the other rulebook refuses it; these three
    are None where there is no record.
    """

    difference: Difference
    text: str | None = None
    turn: int | None = None
    code: str | None = None


def compare(first: Rules, second: Rules, most_turns: int, most_steps: int = MOST_STEPS) -> Iterator[Parting]:
    """The partings of two rulebooks, in the registry's order, as they are found; see `dispute.shortest.differences`.

    Each record was written as text, read back and checked under both rulebooks. Raises `RuntimeError` where that does
    not confirm it, a failure of ours.
    """
    for found in differences(first, second, most_turns, most_steps):
        yield Parting(found) if found.record is None else _parting(found, (first, second))


def _parting(found: Difference, books: tuple[Rules, Rules]) -> Parting:
    if found.record is None or found.accepts is None:
        return Parting(found)
    text = record_text(found.record)
    (game,) = read_text(text)
    accepting, refusing = taggable(books[found.accepts]), taggable(books[1 - found.accepts])
    report = check(game, refusing)
    if not isinstance(game, Game) or check(game, accepting).verdict != "legal" or report.verdict != "illegal":
        raise RuntimeError(f"the record found for {found.ruling} does not part the rulebooks")
    errors = [diagnostic.code for diagnostic in report.diagnostics if diagnostic.severity == "error"]
    return Parting(found, text, report.turn, errors[0])
