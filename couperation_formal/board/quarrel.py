"""The answer to a quarrel about a turn, in words: who says what, what decides, and what would change it."""

from collections.abc import Iterable, Iterator, Mapping
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
Said = dict[str, Any]
"""A line: `text`, what stands out before it (`lead`), and the verdict whose sign it bears."""


def quarrel_told(written: bytes, record: Record) -> Iterator[Said]:
    """What `dispute --at` wrote, as parts: a `head` and `lines`; what is for those who know ids is `aside`."""
    data = decode(written, type=QuarrelData)
    said = [_line(name, _says(name, book), book.says) for name, book in data.rulebooks.items()]
    notes = [each.text for proviso, whose in data.together() for each in proviso_blocks(proviso, record, whose)]
    ended = [book.ended for book in data.rulebooks.values() if book.ended is not None]
    notes += dict.fromkeys([*ended, *standing_words(data.standing), *untold_words(data)])
    yield {"head": phrase("board_who_says"), "lines": [*said, *(_line("", note) for note in notes)]}
    decides = [*(_rulings(data) if data.texts else _sources(data))]
    if decides:
        yield {"head": phrase("board_decides"), "lines": decides}
    changes = [(name, each) for name, found in data.changes.items() for each in (found or ())[:_MOST]]
    if data.decisive:
        turned = _together(((each.verdict, _answers(each.options)), name) for name, each in changes)
        lines = [
            _line(", ".join(names), phrase("board_with", verdict=verdict, what=what), verdict)
            for (verdict, what), names in turned.items()
        ]
        yield {"head": phrase("board_changes"), "lines": lines or [_line("", phrase("no_changes"))]}
    ids = [_line(name, book.code, book.verdict) for name, book in data.rulebooks.items() if book.code]
    ids += [_line(name, " ".join(map("=".join, each.options.items())), each.verdict) for name, each in changes]
    if ids:
        yield {"head": phrase("board_ids"), "lines": ids, "aside": True}


def _together(pairs: Iterable[tuple[T, str]]) -> dict[T, list[str]]:
    """What is said, each with those who say so."""
    told: dict[T, list[str]] = {}
    for said, who in pairs:
        told.setdefault(said, []).append(who)
    return told


def _line(lead: str, text: str, verdict: str = "") -> Said:
    return {"lead": lead, "text": text, "verdict": verdict}


def _says(name: str, book: BookData) -> str:
    """What a rulebook says of the turn, by which clause, and where; what its text leaves open."""
    first = phrase("end_of", result=book.says) if book.says != "open" else open_words(book)
    came = [open_words(book.outcome)] if book.outcome is not None and book.outcome.says == "open" else []
    return ". ".join([first, *([told_of(book.code, name)] if book.code else []), *came])


def open_words(text: Admits) -> str:
    """That a text leaves it open, and which answers lead to what."""
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


def _answers(options: Mapping[str, str]) -> str:
    return " ".join(told_ruling(*each) for each in options.items())


def _rulings(data: HangsData) -> Iterator[Said]:
    """Each ruling that decides by its question, and what the texts say."""
    for ruling, views in sorted(data.texts.items(), key=lambda each: registry().accord(each[0])):
        yield _line(registry().rulings[ruling].question, "")
        said = [(each.stand, " ".join((*meanings(ruling, (each.option,)), each.note))) for each in views.values()]
        for (stand, what), places in _together(zip(said, (each.place for each in views.values()), strict=True)).items():
            yield _line("", phrase("board_text_says", place=", ".join(places), stand=stand, what=what.strip()))


def _sources(data: HangsData) -> Iterator[Said]:
    """For each clause by which all refuse it, what every text says of it."""
    for code in dict.fromkeys(book.code for book in data.rulebooks.values() if book.code in clauses()):
        yield _line(clauses()[code].title, "")
        for row in clauses()[code].sources:
            yield _line("", phrase("board_text_says", place=f"{row.texts} {row.place}", stand="states", what=row.says))
