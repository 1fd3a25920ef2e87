"""The clauses as the specification words them: titles, rules, sources, formulas."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

import msgspec

from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Diagnostic, Game
from couperation_formal.game.rulings import Rules, registry, spec_folder, spec_text
from couperation_formal.words.say import named, phrase

_HEADING = re.compile(r"^## (?P<id>[A-Z]{3}\d\d) · (?P<title>.+)$", re.MULTILINE)
_PART = re.compile(r"^\*\*(?P<name>\w+)\.\*\* ?", re.MULTILINE)
_ROW = re.compile(r"^\| (?P<text>.+?) \| (?P<place>.+?) \| (?P<says>.+?) \|$", re.MULTILINE)


class ClauseSource(msgspec.Struct, frozen=True):
    """What a text says on a clause: the texts, the place in them, and what stands there in other words."""

    texts: str
    place: str
    says: str

    @property
    def silent(self) -> bool:
        """Whether nothing stands there."""
        return self.says.startswith("silent")


class ClauseText(msgspec.Struct, frozen=True):
    """A clause of the specification: its id, title and rule, the rulings that it reads, its sources and formula, and
    the `page` of `spec/` with the anchor at which it stands.
    """

    id: str
    title: str
    rulings: tuple[str, ...]
    rule: str
    sources: tuple[ClauseSource, ...]
    formula: str
    page: str


@lru_cache(maxsize=1)
def clauses() -> dict[str, ClauseText]:
    """Every clause by its id, read once from the specification."""
    texts: dict[str, ClauseText] = {}
    for name in sorted(path.name for path in (spec_folder() / "clauses").glob("*.md")):
        text = spec_text(f"clauses/{name}")
        headings = list(_HEADING.finditer(text))
        ends = [heading.start() for heading in headings[1:]] + [len(text)]
        for heading, end in zip(headings, ends, strict=True):
            page = f"clauses/{name}#{_anchor(heading[0])}"
            clause = _clause(heading["id"], heading["title"], text[heading.end() : end], page)
            texts[clause.id] = clause
    return texts


def _anchor(heading: str) -> str:
    """The anchor that a page of Markdown gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.removeprefix("## ").strip().lower()).replace(" ", "-")


def _clause(code: str, title: str, body: str, page: str) -> ClauseText:
    marks = list(_PART.finditer(body))
    ends = [mark.start() for mark in marks[1:]] + [len(body)]
    parts = {mark["name"]: body[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)}
    head = body[: marks[0].start()] if marks else body
    rows = list(_ROW.finditer(parts.get("Sources", "")))[1:]
    return ClauseText(
        id=code,
        title=title.strip(),
        rulings=tuple(re.findall(r"`(\w+)`", head)),
        rule=" ".join(parts.get("Rule", "").split()),
        sources=tuple(ClauseSource(row["text"], row["place"], row["says"]) for row in rows),
        formula=parts.get("Formula", "").removeprefix("```formula").removesuffix("```").strip("\n"),
        page=page,
    )


def said_by(code: str, text: str) -> ClauseSource | None:
    """What a text says on a clause; None for a rulebook that is no text, and for a code that is no clause."""
    clause = clauses().get(code)
    rows = clause.sources if clause else ()
    return next((row for row in rows if text in row.texts.split(", ")), None)


def places_of(code: str, text: str) -> tuple[Fact, ...]:
    """The place where a text says a clause; of a text that is silent, and of a rulebook that is no text, those of the
    others.
    """
    clause, source = clauses().get(code), said_by(code, text)
    if source is not None and not source.silent:
        return (fact("clause_place", texts=text, place=source.place),)
    rows = clause.sources if clause else ()
    return tuple(fact("clause_place", texts=row.texts, place=row.place) for row in rows if not row.silent)


def told_of(code: str, text: str) -> str | None:
    """The title of a clause with its places in the texts, by this one if it is not silent. None for a code that is no
    clause.
    """
    title, source, places = title_of(code), said_by(code, text), places_of(code, text)
    if title is None or not places:
        return title
    silent = source is not None and source.silent
    return phrase("clause_silent" if silent else "clause_at", title=title, text=text, places=places)


def marked(ruling: str, option: str) -> str:
    """An option, marked where no text takes it."""
    return option if registry().takers(ruling, option) else phrase("house", option=option)


def source_lines(code: str) -> Iterator[str]:
    """A clause with its title, and a line for each row of its sources."""
    clause = clauses()[code]
    yield f"{code} {clause.title}"
    for row in clause.sources:
        yield phrase("source_line", texts=row.texts, place=row.place, says=row.says)


def cited(code: str, rules: Rules | None) -> str:
    """The places of a clause in brackets, to stand behind a message; empty for a code that is no clause."""
    places = places_of(code, "" if rules is None else rules.rulebook)
    return phrase("clauses_places", places=places) if places else ""


def complaint(diagnostic: Diagnostic, game: Game | None) -> str:
    """The message of a finding for people: players' names in it are spoken, but for what it tells to write."""
    return diagnostic.message if diagnostic.edit or game is None else named(diagnostic.message, game.record.players)


def hanging(diagnostic: Diagnostic) -> str:
    """The rulings that a finding hangs on in brackets, to stand behind its message; empty where it hangs on none."""
    if not diagnostic.rulings:
        return ""
    return phrase("clause_hangs_shortly" if diagnostic.of_clause else "hangs_shortly", rulings=diagnostic.rulings)


def cited_for(code: str, books: Collection[str]) -> str:
    """A clause with the places in brackets where the texts of these rulebooks say it; where all of them are silent, or
    no texts, those of the others.
    """
    clause = clauses().get(code)
    rows = [(row.texts.split(", "), row.place) for row in clause.sources if not row.silent] if clause else []
    theirs = [([text for text in texts if text in books], place) for texts, place in rows]
    shown = [each for each in theirs if each[0]] or rows
    places = tuple(fact("clause_place", texts=", ".join(texts), place=place) for texts, place in shown)
    return code + (phrase("clauses_places", places=places) if places else "")


def title_of(code: str) -> str | None:
    """The title of a clause, None for a code that is no clause."""
    clause = clauses().get(code)
    return None if clause is None else clause.title
