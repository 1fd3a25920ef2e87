"""The verdict on one game as a value, and the clauses as the specification words them."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct

from couperation_formal.game.fact import Fact, Text, fact, named, translated
from couperation_formal.game.record import Diagnostic, Game, Proviso, Reached, Record, Result, Verdict, short
from couperation_formal.game.replay import Doubt
from couperation_formal.game.rulings import Rules, TextStand, registry, spec_folder, spec_text
from couperation_formal.game.state import State
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.words.say import ENGLISH, say

# What a game is called in the text of an answer.


def game_named(item: Any) -> Fact:
    """The file and the number of what has both as `file` and `index`; the number alone where it comes from no file."""
    return fact("unnamed_game" if item.file == "-" else "the_game", file=item.file, game=item.index)


# The verdict on one game as data, of which every output form is made.


class Conflict(Struct, frozen=True):
    """What cannot all hold in an illegal record with unseen cards: the turn, the clause, and what it asks there.

    Each part is needed where `least` is true; where it is false the budget ended before all were tried. `script` is the
    same as an SMT-LIB 2 text that any solver refutes.
    """

    parts: tuple[tuple[int, str, Text], ...]
    least: bool
    script: str


class Correct(Struct, frozen=True):
    """The fewest lines whose correction makes an illegal record legal: places of turns, or set-up lines by their words
    (``"deal Aki"``, ``"Marks"``). None where no correction of cards and marks does, or (`complete` False) where the
    budget of `limit` steps ended first.
    """

    lines: tuple[int | str, ...] | None
    complete: bool
    limit: int


class Report(Struct, frozen=True, kw_only=True):
    """The verdict on one game. Of a malformed one the turns before its first line that cannot be read are judged too:
    `turn` and `states` are theirs, and what they break stands first among the `diagnostics`.

    `rules` is None where they could not be read. `turn` is the first illegal turn, counted by place, 0 for the set-up,
    None if none. `results` are those that legal worlds reach, all of them; none unless the verdict is legal.
    `states[k]` stands after turn k, up to the last legal turn. Where Z3 decided, `world` is the record with everything
    shown that makes it legal, and `conflict` what makes it illegal; `spent` are the steps that this took. `correct` is
    None unless it was asked for, and so is `provided`, what a legal verdict takes for granted; None too where the
    record shows all that was asked. `open` is the first thing but places that the plain replay of a legal record did
    not find shown. Turns before `since` stand as they were played.
    """

    item: Item
    rules: Rules | None
    verdict: Verdict
    results: tuple[Reached, ...]
    turn: int | None
    diagnostics: tuple[Diagnostic, ...]
    states: tuple[State, ...]
    world: Record | None = None
    conflict: Conflict | None = None
    correct: Correct | None = None
    spent: int = 0
    provided: Proviso | None = None
    open: Doubt | None = None
    since: int = 0

    def __repr__(self) -> str:
        return short(self, item=self.item, verdict=self.verdict, result=self.result, turn=self.turn)

    def __str__(self) -> str:
        """The verdict, and a line for each diagnostic."""
        said = fact("malformed" if self.verdict == "malformed" else "undetermined")
        if self.verdict == "legal":
            said = fact("ends_legal", result=self.end)
        elif self.verdict == "illegal":
            said = fact("illegal_in", turn=self.turn)
        told = say(fact("told_of", what=game_named(self.item), said=said), ENGLISH)
        return "\n".join([told, *map(str, self.diagnostics)])

    @property
    def result(self) -> Result | None:
        """What a legal game reaches, None of another one."""
        return self.results[0] if len(self.results) == 1 else "undetermined" if self.results else None

    @property
    def end(self) -> Fact:
        """The result of a legal game as it is told."""
        results = tuple(fact("end_of", result=result) for result in self.results)
        return results[0] if len(results) == 1 else fact("end_open", results=results)

    @property
    def error(self) -> Diagnostic | None:
        """The first error, None where there is none."""
        return next((each for each in self.diagnostics if each.severity == "error"), None)

    @property
    def words(self) -> str:
        """The verdict on a game in an English sentence, with the result or the first error."""
        return say(self.told, ENGLISH)

    @property
    def told(self) -> Fact:
        """The same as it is told."""
        if self.verdict == "illegal" and self.error is not None:
            if self.error.code == "END05":
                return fact("illegal_result", clause=self.error.code)
            return fact("illegal_turn" if self.turn else "illegal_setup", turn=self.turn, clause=self.error.code)
        if self.verdict == "undetermined":
            return fact("not_enough")
        return fact(f"legal_{self.result or 'unfinished'}" if self.world is None else "legal_world")

    @property
    def book(self) -> str:
        """The name of the rulebook, empty where that could not be read."""
        return "" if self.rules is None else self.rules.rulebook

    @property
    def game(self) -> Game | None:
        """The game that was judged, as far as it could be read."""
        item = self.item
        return item.judged if isinstance(item, Malformed) else item if isinstance(item, Game) else None


# The clauses as the specification words them: titles, rules, sources, formulas.

_HEADING = re.compile(r"^## (?P<id>[A-Z]{3}\d\d) · (?P<title>.+)$", re.MULTILINE)
_PART = re.compile(r"^\*\*(?P<name>\w+)\.\*\* ?", re.MULTILINE)
_ROW = re.compile(r"^\| (?P<text>.+?) \| (?P<place>.+?) \| (?P<says>.+?) \|$", re.MULTILINE)


class ClauseSource(Struct, frozen=True):
    """What a text says on a clause: the texts, the place in them, and what stands there in other words."""

    texts: str
    place: str
    says: str

    @property
    def silent(self) -> bool:
        """Whether nothing stands there."""
        return self.says.startswith("silent")


class ClauseText(Struct, frozen=True):
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
        _, *parts = _HEADING.split(spec_text(f"clauses/{name}"))
        for code, title, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            texts[code] = _clause(code, title, body, f"clauses/{name}#{_anchor(f'{code} · {title}')}")
    return texts


def _anchor(heading: str) -> str:
    """The anchor that a page of Markdown gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _clause(code: str, title: str, body: str, page: str) -> ClauseText:
    head, *told = _PART.split(body)
    parts = dict(zip(told[::2], map(str.strip, told[1::2]), strict=True))
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


def places_of(code: str, *books: str) -> tuple[Fact, ...]:
    """The places where the texts of these rulebooks say a clause; where all of them are silent, or no texts, those of
    the others.
    """
    clause = clauses().get(code)
    rows = [(row.texts.split(", "), row.place) for row in clause.sources if not row.silent] if clause else []
    theirs = [([text for text in texts if text in books], place) for texts, place in rows]
    shown = [each for each in theirs if each[0]] or rows
    return tuple(fact("clause_place", texts=tuple(texts), place=place) for texts, place in shown)


def told_of(code: str, text: str) -> Text:
    """The title of a clause with its places in the texts, by this one if it is not silent. Empty for a code that is no
    clause.
    """
    title, places = title_of(code), places_of(code, text)
    if not places:
        return title
    silent = any(row.silent and text in row.texts.split(", ") for row in clauses()[code].sources)
    return fact("clause_silent" if silent else "clause_at", title=title, text=text, places=places)


def stands(stand: TextStand) -> Fact:
    """How a text stands to its option of a ruling; where it leaves that open, with the options that it admits."""
    return fact(f"text_is_{stand.stand}", options=stand.options)


def marked(ruling: str, option: str, told: Text = "") -> Text:
    """An option, or what it is `told` as, marked where no text takes it."""
    return told or option if registry().takers(ruling, option) else fact("house", option=told or option)


def source_lines(code: str) -> Iterator[Text]:
    """A clause with its title, and a line for each row of its sources."""
    clause = clauses()[code]
    yield fact("parts", parts=(code, " ", translated(clause.title)))
    for row in clause.sources:
        yield fact("source_line", texts=tuple(row.texts.split(", ")), place=row.place, says=translated(row.says))


def cited(code: str, *books: str) -> Text:
    """The places of a clause in the texts of these rulebooks in brackets, to stand behind it; see `places_of`."""
    places = places_of(code, *books)
    return fact("clauses_places", places=places) if places else ""


def complaint(diagnostic: Diagnostic, game: Game | None) -> Fact:
    """The message of a finding for people: players' names in it are spoken, but for what it tells to write."""
    return diagnostic.what if diagnostic.edit or game is None else named(diagnostic.what, game.record.players)


def hanging(diagnostic: Diagnostic) -> Text:
    """The rulings that a finding hangs on in brackets, to stand behind its message; empty where it hangs on none."""
    if not diagnostic.rulings:
        return ""
    return fact("clause_hangs_shortly" if diagnostic.of_clause else "hangs_shortly", rulings=diagnostic.rulings)


def title_of(code: str) -> Text:
    """The title of a clause, empty for a code that is no clause."""
    clause = clauses().get(code)
    return "" if clause is None else translated(clause.title)
