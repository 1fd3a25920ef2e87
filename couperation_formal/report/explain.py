"""One clause, ruling or rulebook of the specification explained."""

from __future__ import annotations

from difflib import get_close_matches

import msgspec

from couperation_formal.model.diagnostic import NOTATION
from couperation_formal.model.rulings import RULING_NAMES, Ruling, registry
from couperation_formal.report.clauses import ClauseText, clauses
from couperation_formal.report.text import Piece


class RulebookText(msgspec.Struct, frozen=True):
    """A rulebook: its name, its title, and its option of each ruling."""

    name: str
    title: str
    rulings: dict[str, str]


class NothingToExplain(LookupError):
    """A name that is no clause, ruling or rulebook. `near` are known names like it."""

    def __init__(self, name: str, near: list[str]) -> None:
        super().__init__(f"there is no clause, ruling or rulebook {name!r}")
        self.near = near


Explained = ClauseText | Ruling | RulebookText

_CGN = ClauseText(
    id=NOTATION,
    title="The text is CGN",
    rulings=(),
    rule="A game or position is written in the notation CGN 1. A text that is not is reported with this code at the"
    " place where reading stops; the games after it in the file are read all the same.",
    sources=(),
    formula="",
)


def known_names() -> list[str]:
    """Everything that `explain` knows: clauses, rulings, rulebooks."""
    return [*clauses(), NOTATION, *RULING_NAMES, *registry().rulebooks]


def explain(name: str) -> Explained:
    """The clause, ruling or rulebook of this name; a clause's id may be in small letters. Raises
    `NothingToExplain`.
    """
    code = name.upper()
    if code == NOTATION:
        return _CGN
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


def explanation(found: Explained) -> list[Piece]:
    """The explanation as text."""
    if isinstance(found, ClauseText):
        return _clause(found)
    return _ruling(found) if isinstance(found, Ruling) else _rulebook(found)


def _clause(found: ClauseText) -> list[Piece]:
    pieces = [(found.id, "bold"), (f" · {found.title}\n\n{found.rule}\n", "")]
    if found.formula:
        pieces += [("\nFormula\n", "bold"), *((f"  {line}\n", "") for line in found.formula.splitlines())]
    if found.sources:
        pieces.append(("\nSources\n", "bold"))
        pieces += [(f"  {row.texts}, {row.place}: {row.says}\n", "") for row in found.sources]
    if found.rulings:
        pieces.append(("\nRulings\n", "bold"))
        for name in found.rulings:
            pieces.append((f"  {name}: {registry().rulings[name].question}\n", ""))
    return pieces


def _ruling(found: Ruling) -> list[Piece]:
    pieces = [(found.name, "bold"), (f" · {found.question}\n\n", ""), ("Options\n", "bold")]
    pieces += [(f"  {option.name}: {option.meaning}\n", "") for option in found.options]
    pieces.append(("\nTexts\n", "bold"))
    books = registry().rulebooks
    for text, stand in found.texts.items():
        remark = f" {stand.note}" if stand.note else ""
        pieces.append((f"  {text}: {books[text].option(found.name)}, {stand.stand} ({stand.place}).{remark}\n", ""))
    reading = [clause.id for clause in clauses().values() if found.name in clause.rulings]
    if reading:
        pieces += [("\nClauses\n", "bold"), (f"  {', '.join(reading)}\n", "")]
    return pieces


def _rulebook(found: RulebookText) -> list[Piece]:
    pieces = [(found.name, "bold"), (f" · {found.title}\n", "")]
    for name, option in found.rulings.items():
        known = registry().rulings[name]
        meaning = next(each.meaning for each in known.options if each.name == option)
        pieces += [(f"\n{name}={option}\n", "bold"), (f"  {known.question} {meaning}\n", "")]
    return pieces


def side_by_side(books: list[RulebookText]) -> list[Piece]:
    """The rulebooks in columns, one ruling a row; `*` marks the rows in which they differ."""
    rows = [["", "ruling", *(book.name for book in books)]]
    for name in RULING_NAMES:
        options = [book.rulings[name] for book in books]
        rows.append(["*" if len(set(options)) > 1 else "", name, *options])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    pieces: list[Piece] = []
    for row in rows:
        line = "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        style = "bold" if row is rows[0] else "yellow" if row[0] else ""
        pieces.append((line.rstrip() + "\n", style))
    titles = [(f"   {book.name}: {book.title}\n", "") for book in books]
    default = (f"\nThe default is {registry().default}. * marks a ruling in which they differ.\n", "")
    return [*pieces, default, *titles]
