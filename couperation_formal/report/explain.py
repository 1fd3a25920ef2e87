"""One clause, ruling or rulebook of the specification explained."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

import msgspec

from couperation_formal.game.diagnostic import NOTATION
from couperation_formal.game.fact import Told, fact
from couperation_formal.game.rulings import RULING_NAMES, Option, Ruling, registry
from couperation_formal.report.blocks import Columns, Heading, Paragraph, Sentence, Verbatim
from couperation_formal.report.clauses import ClauseText, clauses, marked
from couperation_formal.words.say import Piece, phrase


class RulebookText(msgspec.Struct, frozen=True):
    """A rulebook: its name, its title, and its option of each ruling."""

    name: str
    title: str
    rulings: dict[str, str]


class NothingToExplain(Told, LookupError):
    """A name that is no clause, ruling or rulebook. `near` are known names like it."""

    def __init__(self, name: str, near: list[str]) -> None:
        meant = fact("meant_these", names=tuple(near)) if near else ""
        super().__init__(fact("nothing_to_explain", name=repr(name), meant=meant))
        self.near = near


Explained = ClauseText | Ruling | RulebookText


def known_names() -> list[str]:
    """Everything that `explain` knows: clauses, rulings, rulebooks."""
    return [*clauses(), NOTATION, *RULING_NAMES, *registry().rulebooks]


def explain(name: str) -> Explained:
    """The clause, ruling or rulebook of this name; a clause's id may be in small letters. Raises
    `NothingToExplain`.
    """
    code = name.upper()
    if code == NOTATION:
        return ClauseText(NOTATION, phrase("cgn_title"), (), phrase("cgn_rule"), (), "", "notation.md")
    if code in clauses():
        return clauses()[code]
    if name in registry().rulings:
        return registry().rulings[name]
    if name in registry().rulebooks:
        return rulebook(name)
    near = get_close_matches(name, known_names(), n=3) or get_close_matches(code, known_names(), n=3)
    raise NothingToExplain(name, near)


def rulebook(name: str) -> RulebookText:
    """The rulebook of this name. Raises `KeyError` where there is none."""
    rulings = registry().rulebooks[name]
    return RulebookText(name, registry().titles[name], {ruling: rulings.option(ruling) for ruling in RULING_NAMES})


def explanation(found: Explained) -> Iterator[Paragraph]:
    """The explanation for people."""
    if isinstance(found, ClauseText):
        return _clause(found)
    return _ruling(found) if isinstance(found, Ruling) else _rulebook(found)


def _clause(found: ClauseText) -> Iterator[Paragraph]:
    yield [Sentence(f" · {found.title}", found.id)]
    yield [Sentence(found.rule)]
    if found.formula:
        yield [Heading(phrase("head_formula")), Verbatim(found.formula.splitlines(), indent=2)]
    sources = [f"{row.texts}, {row.place}: {row.says}" for row in found.sources]
    rulings = [f"{name}: {registry().rulings[name].question}" for name in found.rulings]
    yield from _part(phrase("head_sources"), sources)
    yield from _part(phrase("head_rulings"), rulings)


def _part(head: str, lines: list[str]) -> Iterator[Paragraph]:
    if lines:
        yield [Heading(head), *(Sentence(line, indent=2) for line in lines)]


def _ruling(found: Ruling) -> Iterator[Paragraph]:
    yield [Sentence(f" · {found.question}", found.name)]
    yield from _part(phrase("head_options"), [_meaning(found, option) for option in found.options])
    books = registry().rulebooks
    texts = [
        f"{text}: {books[text].option(found.name)}, {stand.stand} ({stand.place}). {stand.note}".rstrip()
        for text, stand in found.texts.items()
    ]
    yield from _part(phrase("head_texts"), texts)
    reading = [clause.id for clause in clauses().values() if found.name in clause.rulings]
    yield from _part(phrase("head_clauses"), [", ".join(reading)] if reading else [])


def _meaning(ruling: Ruling, option: Option) -> str:
    """An option with its meaning, marked where no text takes it."""
    return f"{marked(ruling.name, option.name)}: {option.meaning}"


def _rulebook(found: RulebookText) -> Iterator[Paragraph]:
    yield [Sentence(f" · {found.title}", found.name)]
    for name, option in found.rulings.items():
        known = registry().rulings[name]
        meaning = next(each.meaning for each in known.options if each.name == option)
        yield [Heading(f"{name}={marked(name, option)}"), Sentence(f"{known.question} {meaning}", indent=2)]


def side_by_side(books: list[RulebookText]) -> Iterator[Paragraph]:
    """The rulebooks in columns, one ruling a row; `*` marks the rows in which they differ."""
    rows: list[list[str | Piece]] = [["", phrase("head_ruling"), *(book.name for book in books)]]
    for name in RULING_NAMES:
        options = [book.rulings[name] for book in books]
        differ = len(set(options)) > 1
        shown = [marked(name, option) for option in options]
        rows.append([(text, "yellow" if differ else "") for text in ("*" if differ else "", name, *shown)])
    yield [Columns(rows, head=True)]
    titles = [Sentence(f"{book.name}: {book.title}", indent=3) for book in books]
    yield [Sentence(phrase("default_rulebook", book=registry().default)), *titles]
