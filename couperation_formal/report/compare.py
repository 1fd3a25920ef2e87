"""Two rulebooks compared, as CGN with comments."""

from __future__ import annotations

from collections.abc import Iterator

from couperation_formal.analysis.compare import Parting
from couperation_formal.answers.compare import outcome_of
from couperation_formal.game.fact import fact
from couperation_formal.game.rulings import Rules
from couperation_formal.report.blocks import Block, Paragraph, Sentence, Verbatim
from couperation_formal.report.clauses import title_of
from couperation_formal.words.say import phrase


def parting_blocks(parting: Parting, first: Rules, second: Rules, search: int) -> Iterator[Paragraph]:
    """One ruling as CGN: what is said of it stands in comments before the record."""
    found = parting.difference
    names = str(first), str(second)
    options = dict(zip(("one", "two", "first", "second"), (*found.options, *names), strict=True))
    head: list[Block] = [Sentence(phrase("options_in", **options), f"; {found.ruling}")]
    if parting.text is None or found.record is None or found.accepts is None:
        yield [*head, Sentence(f"; {_without(parting, search)}"), Verbatim([""])]
        return
    accepts, refuses = names[found.accepts], names[1 - found.accepts]
    least = phrase("none_shorter") if found.shortest else phrase("at_least_needed", turns=found.least)
    code = parting.code or ""
    told = [
        phrase("accepts", turns=len(found.record.turns), least=least, book=accepts),
        phrase("refuses", book=refuses, turn=parting.turn, clause=f"{code} {title_of(code) or ''}".rstrip()),
        *([] if found.both else [phrase("refuses_both", book=refuses)]),
    ]
    yield [*head, *(Sentence(f"; {text}") for text in told)]
    yield [Verbatim([*parting.text.splitlines(), ""])]


def _without(parting: Parting, search: int) -> str:
    found = parting.difference
    match outcome_of(parting):
        case "warning only":
            return phrase("warning_only")
        case "none exists":
            return phrase("never", why=fact(_NEVER.get(found.ruling, "never_other")))
        case _:
            least = phrase("and_at_least", turns=found.least) if found.least else ""
            given_up = phrase("given_up", tried=found.tried) if found.exhausted else ""
            return phrase("no_record", search=search, more=given_up + least)


_NEVER = {
    "finish_reserve_count": "never_finish",
    "row_order": "never_equal",
    "between": "never_equal",
    "facedown": "never_facedown",
}
"""Why a ruling makes no difference between two rulebooks (`hidden.readings.candidates.can_differ`)."""
