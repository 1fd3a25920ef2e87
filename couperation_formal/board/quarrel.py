"""The answer to a quarrel about a turn, in words: who says what, what decides, and what would change it."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, TypeVar

from msgspec.json import decode

from couperation_formal.board.judge import meanings, told_ruling
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Record
from couperation_formal.game.rulings import registry
from couperation_formal.output.report import clauses, told_of
from couperation_formal.questions.disputes.dispute import BookData, HangsData, QuarrelData, standing_words, untold_words
from couperation_formal.questions.records.provided import proviso_blocks
from couperation_formal.questions.records.texts import Admits
from couperation_formal.words.say import phrase

_MOST = 6
"""So many changes of a rulebook are told at most."""
T = TypeVar("T")
Line = tuple[str, str, str]
"""The verdict whose sign a line bears, if any, what stands out, and the rest."""


def quarrel_told(written: bytes, record: Record) -> list[dict[str, Any]]:
    """What `dispute --at` wrote, as parts: a `head` and `lines`; what is for those who know ids is `aside`."""
    data = decode(written, type=QuarrelData)
    books = data.rulebooks.items()
    notes = [each.text for proviso, whose in data.together() for each in proviso_blocks(proviso, record, whose)]
    notes += [book.ended for _, book in books if book.ended is not None]
    notes = list(dict.fromkeys([*notes, *standing_words(data.standing), *untold_words(data)]))
    changes = [(name, each) for name, found in data.changes.items() for each in (found or ())[:_MOST]]
    turned = _together(
        ((each.verdict, " ".join(told_ruling(*one) for one in each.options.items())), name) for name, each in changes
    )
    parts: dict[str, list[Line]] = {
        phrase("board_who_says"): [(book.says, name, _says(name, book)) for name, book in books]
        + [("", "", note) for note in notes],
        phrase("board_decides"): [*(_rulings(data) if data.texts else _sources(data))],
        phrase("board_changes"): [
            (verdict, ", ".join(names), phrase("board_with", verdict=verdict, what=what))
            for (verdict, what), names in turned.items()
        ],
    }
    ids: list[Line] = [(book.verdict, name, book.code) for name, book in books if book.code]
    ids += [(each.verdict, name, " ".join(map("=".join, each.options.items()))) for name, each in changes]
    told = [{"head": head, "lines": lines} for head, lines in parts.items() if lines]
    return [*told, {"head": phrase("board_ids"), "lines": ids, "aside": True}]


def _together(pairs: Iterable[tuple[T, str]]) -> dict[T, list[str]]:
    """What is said, each with those who say so."""
    told: dict[T, list[str]] = {}
    for said, who in pairs:
        told.setdefault(said, []).append(who)
    return told


def _says(name: str, book: BookData) -> str:
    """What a rulebook says of the turn, by which clause, and where; what its text leaves open."""
    came = [open_words(book.outcome)] if book.outcome is not None and book.outcome.says == "open" else []
    return ". ".join([open_words(book), *([told_of(book.code, name)] if book.code else []), *came])


def open_words(text: Admits) -> str:
    """What a text says; where it leaves that open, which answers lead to what."""
    if text.says != "open":
        return phrase("end_of", result=text.says)
    ways = (
        fact(
            "board_comes_if",
            to=to,
            what=" ".join(chain.from_iterable(meanings(*one) for one in term.items())).rstrip("."),
        )
        for to, terms in (text.when or {}).items()
        for term in terms
    )
    return phrase("board_open", ways=tuple(ways))


def _rulings(data: HangsData) -> Iterator[Line]:
    """Each ruling that decides by its question, and what the texts say."""
    for ruling, views in sorted(data.texts.items(), key=lambda each: registry().accord(each[0])):
        yield "", registry().rulings[ruling].question, ""
        said = [(each.stand, " ".join((*meanings(ruling, (each.option,)), each.note))) for each in views.values()]
        for (stand, what), places in _together(zip(said, (each.place for each in views.values()), strict=True)).items():
            yield "", "", phrase("board_text_says", place=", ".join(places), stand=stand, what=what.strip())


def _sources(data: HangsData) -> Iterator[Line]:
    """For each clause by which all refuse it, what every text says of it."""
    for code in dict.fromkeys(book.code for book in data.rulebooks.values() if book.code in clauses()):
        yield "", clauses()[code].title, ""
        for row in clauses()[code].sources:
            yield "", "", phrase("board_text_says", place=f"{row.texts} {row.place}", stand="states", what=row.says)
