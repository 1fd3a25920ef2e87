"""Questions of players with their answers, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import get_args

from couperation_formal.answers.questions import AskData, SaidData
from couperation_formal.game.fact import Datum, fact
from couperation_formal.game.record import Outcome
from couperation_formal.game.rulings import registry
from couperation_formal.report.blocks import BAD, GOOD, Columns, Paragraph, Sentence, Verbatim
from couperation_formal.report.clauses import cited_for, title_of
from couperation_formal.words.say import Piece, phrase

_NARROW = 20


def ask_blocks(data: AskData, width: int) -> Iterator[Paragraph]:
    """The questions found, each with its answer, what the rulebooks say, and where it stands. Lines of prose have
    `width` characters at most.
    """
    for asked in data.questions:
        yield [Sentence("", asked.question)]
        yield [_prose(asked.answer, width)]
        yield [
            Columns([*map(_book, asked.rulebooks, asked.rulebooks.values())], indent=2),
            Columns([[(name, "bold"), registry().rulings[name].question] for name in asked.rulings], indent=2),
            _prose(phrase("ask_places_and_page", places=asked.places, page=asked.page), width),
        ]


def _prose(text: str, width: int) -> Verbatim:
    return Verbatim(wrap(text, max(_NARROW, width - 2), break_on_hyphens=False, break_long_words=False), indent=2)


def _book(name: str, said: SaidData) -> Sequence[str | Piece]:
    """A rulebook's row: its verdict, and what is to be noted."""
    remarks: list[Datum] = [
        fact("ask_as_is", value=f"{code} {title_of(code) or ''}".rstrip()) for code in said.codes[:1]
    ]
    remarks += [fact("ask_game_ends", result=said.ends)] if said.ends else []
    remarks += [fact("ask_legal_provided")] if said.provided else []
    remarks += [fact("ask_warned_of", clause=said.warning)] if said.warning else []
    for turn, what in said.standing.items():
        over = what in get_args(Outcome)
        wrong = fact("ask_was_wrong", turn=turn, what=cited_for(what, [name]))
        remarks.append(fact("ask_was_over", turn=turn, result=what) if over else wrong)
    style = GOOD if said.verdict == "legal" else BAD
    return [name, (phrase(said.verdict), style), phrase("ask_remarks", remarks=tuple(remarks))]
