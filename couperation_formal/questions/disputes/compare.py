"""Where two rulebooks part: for each ruling on which they differ, a record that only one of them accepts."""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.rulings import Rules, taggable
from couperation_formal.hidden.readings.shortest import MOST_STEPS, Difference, differences
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.output.blocks import Block, Paragraph, Sentence, Verbatim
from couperation_formal.output.formats import Data, Natural, Positive
from couperation_formal.output.report import title_of
from couperation_formal.questions.records.check import check
from couperation_formal.questions.records.hanging import Admits, left_open, plainly
from couperation_formal.words.say import encodable


class Parting(msgspec.Struct, frozen=True):
    """A difference, the record as text, and the turn and the clause by which the other rulebook refuses it; these three
    are None where there is no record. `open` has the rulebooks whose texts leave it open whether the record is legal.
    """

    difference: Difference
    text: str | None = None
    turn: int | None = None
    code: str | None = None
    open: dict[str, Admits] = {}


def compare(first: Rules, second: Rules, most_turns: int, most_steps: int = MOST_STEPS) -> Iterator[Parting]:
    """The partings of two rulebooks, in the registry's order, as they are found; see `dispute.shortest.differences`.

    Each record was written as text, read back and checked under both rulebooks. Raises `RuntimeError` where that does
    not confirm it, a failure of ours.
    """
    books = taggable(first), taggable(second)
    for difference in differences(first, second, most_turns, most_steps):
        if difference.record is None or difference.accepts is None:
            yield Parting(difference)
            continue
        text = record_text(difference.record)
        (game,) = read_text(text)
        accepted, refused = check(game, books[difference.accepts]), check(game, books[1 - difference.accepts])
        if accepted.verdict != "legal" or refused.verdict != "illegal" or refused.error is None:
            raise RuntimeError(f"the record found for {difference.ruling} does not part the rulebooks")
        says = ((rules, "legal" if at == difference.accepts else "illegal") for at, rules in enumerate((first, second)))
        texts = {str(rules): plainly(difference.record, rules, verdict) for rules, verdict in says}
        open_ = {name: text for name, text in texts.items() if text.says == "open"}
        yield Parting(difference, text, refused.turn, refused.error.code, open_)


# The JSON form of `dispute --compare`.

Outcome = Literal["found", "not found", "none exists", "warning only"]
"""Whether there is a record; `finish_half` decides a warning only, and some rulings can make no difference."""


class PartingData(Data):
    """One ruling on which two rulebooks differ, and a record that one of them accepts and the other refuses.

    `least` is a proven lower bound on its turns; `both` tells whether the ruling makes the difference in the refusing
    rulebook too; `tried` counts the turns tried; `open` has the rulebooks whose texts leave it open.
    """

    ruling: str
    first_option: str
    second_option: str
    outcome: Outcome
    record: str | None
    turns: Positive | None
    accepted_by: str | None
    refused_by: str | None
    turn: Natural | None
    code: str | None
    least: Positive | None
    shortest: bool
    both: bool
    tried: Natural
    open: dict[str, Admits]


class CompareData(Data):
    """All rulings on which two rulebooks differ; `search` is the most turns that a record may have."""

    first: str
    second: str
    search: Positive
    differences: tuple[PartingData, ...]
    format: Literal[1]


def outcome_of(parting: Parting) -> Outcome:
    """What came of the search for one ruling."""
    difference = parting.difference
    if difference.record is not None:
        return "found"
    if difference.ruling == "finish_half":
        return "warning only"
    return "none exists" if difference.least is None else "not found"


def compare_data(first: Rules, second: Rules, search: int, partings: Iterable[Parting]) -> CompareData:
    """The comparison as `dispute --compare --output-format json` writes it."""
    names, told = (encodable(str(first)), encodable(str(second))), list[PartingData]()
    for parting in partings:
        difference, accepts = parting.difference, parting.difference.accepts
        told.append(
            PartingData.of(
                difference,
                first_option=difference.options[0],
                second_option=difference.options[1],
                outcome=outcome_of(parting),
                record=parting.text,
                turns=None if difference.record is None else len(difference.record.turns),
                accepted_by=None if accepts is None else names[accepts],
                refused_by=None if accepts is None else names[1 - accepts],
                turn=parting.turn,
                code=parting.code,
                open={encodable(name): text for name, text in parting.open.items()},
            )
        )
    return CompareData(first=names[0], second=names[1], search=search, differences=tuple(told), format=1)


# Two rulebooks compared, as CGN with comments.


def parting_blocks(parting: Parting, first: Rules, second: Rules, search: int) -> Iterator[Paragraph]:
    """One ruling as CGN: what is said of it stands in comments before the record."""
    difference = parting.difference
    names = str(first), str(second)
    one, two = difference.options
    said = fact("options_in", one=one, two=two, first=names[0], second=names[1])
    head: list[Block] = [Sentence(said, f"; {difference.ruling}")]
    if parting.text is None or difference.record is None or difference.accepts is None:
        yield [*head, Sentence(_without(parting, search), gap="; "), Verbatim([""])]
        return
    accepts, refuses = names[difference.accepts], names[1 - difference.accepts]
    least = fact("none_shorter") if difference.shortest else fact("at_least_needed", turns=difference.least)
    code = parting.code or ""
    told = [
        fact("accepts", turns=len(difference.record.turns), least=least, book=accepts),
        fact("refuses", book=refuses, turn=parting.turn, clause=(code, " ", title_of(code))),
        *([] if difference.both else [fact("refuses_both", book=refuses)]),
        *(fact("said_of", books=(name,), what=left_open(text)) for name, text in parting.open.items()),
    ]
    yield [*head, *(Sentence(text, gap="; ") for text in told)]
    yield [Verbatim([*parting.text.splitlines(), ""])]


def _without(parting: Parting, search: int) -> Fact:
    difference = parting.difference
    match outcome_of(parting):
        case "warning only":
            return fact("warning_only")
        case "none exists":
            return fact("never", why=fact(_NEVER.get(difference.ruling, "never_other")))
        case _:
            least = fact("and_at_least", turns=difference.least) if difference.least else ""
            given_up = fact("given_up", tried=difference.tried) if difference.exhausted else ""
            return fact("no_record", search=search, more=(given_up, least))


_NEVER = {
    "finish_reserve_count": "never_finish",
    "row_order": "never_equal",
    "between": "never_equal",
    "facedown": "never_facedown",
}
"""Why a ruling makes no difference between two rulebooks (`hidden.readings.shortest.can_differ`)."""
