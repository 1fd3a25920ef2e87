"""The answer to a dispute for people: what each rulebook says, on what it hangs, and how to get to a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from couperation_formal.analysis.dispute import Dispute
from couperation_formal.answers.disputes import (
    ChangeData,
    HangsData,
    QuarrelData,
    StoodData,
    TermData,
    TreeData,
    dispute_data,
    tree_data,
)
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Record
from couperation_formal.game.rulings import registry
from couperation_formal.report.blocks import BAD, GOOD, Block, Columns, Heading, Paragraph, Sentence, Verbatim
from couperation_formal.report.clauses import cited_for, clauses, marked, told_of
from couperation_formal.report.provisos import kind_of, proviso_blocks, together
from couperation_formal.words.say import Piece, phrase

STYLES = {"legal": GOOD, "illegal": BAD, "undetermined": "bold cyan"}

_ENDS = ("END01", "END02", "END03")

_MOST_TERMS = 40
_MOST_NODES = 200
_MOST_CHANGES = 12


def dispute_blocks(found: Dispute) -> Iterator[Paragraph]:
    """The whole answer, on turns that are disputed before the one on the record."""
    for quarrel in found.quarrels:
        yield from dispute_blocks(quarrel)
    data = dispute_data(found)
    file, game = found.game.file, data.game
    if isinstance(data, QuarrelData):
        asked = phrase("quarrel_asked", file=file, game=game, turn=data.at)
        yield [Heading(asked), *map(Sentence, standing_words(data.standing))]
    else:
        kind = "record_asked" if found.quarrels else "game_asked"
        yield [Heading(phrase(kind, file=file, game=game, turn=data.turn))]
    yield [_books(data), *_provisos(data, found.game.record)]
    if found.nowhere is not None:
        yield [Sentence(nowhere_words(found))]
        return
    yield [*_conditions(data), *map(Sentence, untold_words(msgspec.to_builtins(data)))]
    if data.legal_when == () and data.undetermined_when == ():
        yield list(_sources(data))
    if data.texts:
        yield [Heading(phrase("deciding")), *_texts(data)]
    if data.decisive:
        open_ = data.undetermined_when != ()
        none = phrase("no_known_changes" if open_ else "no_changes")
        rows = [
            (name, f"{phrase(data.rulebooks[name].verdict)}: {_to(each, none)}") for name, each in data.changes.items()
        ]
        yield [Heading(phrase("smallest_known" if open_ else "smallest_changes")), Columns(rows, indent=2)]
        tree = tree_data(found, _MOST_NODES)
        none = phrase("tree_untold" if "tree" in data.untold else "tree_too_large")
        yield [Heading(phrase("tree")), Verbatim([none] if tree is None else [*_node(tree, "")], indent=2)]


def nowhere_words(found: Dispute) -> str:
    """What cannot be carried out; empty where all can."""
    if found.nowhere is None:
        return ""
    what = found.nowhere.what or fact("nowhere_shown")
    return phrase("cannot_be_played", turn=found.nowhere.turn, what=what)


def standing_words(stood: Sequence[StoodData]) -> Iterator[str]:
    """What was wrong before a turn, each thing with the rulebooks under which it was and the places of the
    texts.
    """
    books: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for each in stood:
        books.setdefault((each.turn, each.clauses), []).append(each.rulebook)
    for (turn, codes), names in sorted(books.items()):
        every = len(names) == len(registry().rulebooks)
        under = fact("under_every") if every else fact("under_books", books=tuple(names))
        kind = "was_over" if codes[0] in _ENDS else "was_wrong"
        yield phrase(kind, under=under, turn=turn, clauses=tuple(cited_for(code, names) for code in codes))


def _books(data: HangsData) -> Columns:
    rows: list[Sequence[str | Piece]] = [[phrase(f"head_{name}") for name in ("rulebook", "verdict", "turn", "clause")]]
    for name, book in data.rulebooks.items():
        none = phrase("not_found") if f"rulebooks.{name}" in data.untold else "-"
        turn = none if book.turn is None else phrase("turn_number", turn=book.turn)
        clause = none if book.code is None else f"{book.code} {told_of(book.code, name) or ''}".rstrip()
        hangs = name in data.provisos and kind_of(data.provisos[name]) != "always"
        verdict = phrase("legal_provided" if hangs else book.verdict)
        rows.append([name, (verdict, STYLES[book.verdict]), turn, clause])
    return Columns(rows, head=True)


def _sources(data: HangsData) -> Iterator[Block]:
    """For each clause that a rulebook refuses by, what every text says of it, and which are silent."""
    for code in dict.fromkeys(book.code for book in data.rulebooks.values() if book.code in clauses()):
        clause = clauses()[code]
        yield Sentence(f"  {clause.title}", code, indent=2)
        yield Columns([(row.texts, row.place, row.says) for row in clause.sources], indent=4)


def _conditions(data: HangsData) -> Iterator[Block]:
    """When it is legal and, where some readings are undetermined, when it is that: legal is then what is known to
    be.
    """
    open_ = data.undetermined_when
    if open_ != ({},):
        yield from _condition("legal", data.legal_when, open_ != (), _hangs(data))
    if open_ != ():
        yield from _condition("undetermined", open_)


def untold_words(data: Mapping[str, Any]) -> Iterator[str]:
    """What the budget did not suffice for beside what says so where it stands, and what was spent; of a JSON form."""
    untold, spent = data.get("untold", ()), fact("taken", spent=data.get("spent", 0), limit=data.get("limit", 0))
    missing = tuple(name for name in data["rulebooks"] if f"rulebooks.{name}" in untold)
    if missing:
        yield phrase("books_untold", books=missing)
    if "nowhere" in untold:
        yield phrase("nowhere_untold")
    if data.get("undetermined_when"):
        yield phrase("verdict_open", taken=spent)
    elif untold:
        yield phrase("parts_open", taken=spent)


def _hangs(data: HangsData) -> bool:
    """Whether some legal verdict takes something for granted."""
    return any(kind_of(each) != "always" for each in data.provisos.values())


def _provisos(data: HangsData, record: Record) -> Iterator[Block]:
    """What the legal verdicts take for granted."""
    for found, whose in together(
        data.provisos, [name for name, book in data.rulebooks.items() if book.verdict == "legal"]
    ):
        yield from proviso_blocks(found, record, whose)


def _condition(
    verdict: str, terms: Sequence[TermData] | None, open_: bool = False, provided: bool = False
) -> Iterator[Block]:
    if not terms or terms == ({},):
        none = "no_reading_known" if open_ else "no_reading"
        every = "every_reading_provided" if provided else "every_reading"
        kind = "some_readings" if terms is None else every if terms else none
        yield Sentence(f" {phrase(kind)}", phrase(verdict), STYLES[verdict])
        return
    kind = "known_if" if open_ else "if_and_only_if_provided" if provided else "if_and_only_if"
    yield Sentence(f" {phrase(kind)}", phrase(verdict), STYLES[verdict])
    for place, term in enumerate(terms[:_MOST_TERMS]):
        yield Sentence(f"{phrase('or_else') if place else '  '} {term_words(term)}", indent=2)
    if len(terms) > _MOST_TERMS:
        yield Sentence(phrase("more_conditions", count=len(terms) - _MOST_TERMS), indent=2)


def term_words(term: TermData) -> str:
    """The rulings of a term with the options that it allows."""
    parts = tuple(fact("ruling_is", ruling=name, options=any_of(name, of)) for name, of in term.items())
    return phrase("term", parts=parts)


def any_of(ruling: str, options: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``: options of a ruling, those that no text takes marked."""
    shown = [marked(ruling, option) for option in options]
    return shown[0] if len(shown) == 1 else phrase("any_of", first=tuple(shown[:-1]), last=shown[-1])


def _texts(data: HangsData) -> Iterator[Block]:
    """For each deciding ruling its question, and what the texts say."""
    for ruling, views in sorted(data.texts.items(), key=lambda each: not registry().disputed(each[0])):
        yield Sentence(f"  {registry().rulings[ruling].question}", ruling, indent=2)
        rows = [(name, view.option, view.stand, f"{view.place}  {view.note}".rstrip()) for name, view in views.items()]
        yield Columns(rows, indent=4)


def _to(changes: Sequence[ChangeData] | None, none: str) -> str:
    if changes is None:
        return phrase("budget_before_found")
    shown = []
    for verdict in ("legal", "illegal"):
        sets = [" ".join(f"{name}={marked(name, option)}" for name, option in change.options.items())
                for change in sorted(changes, key=_of_the_house) if change.verdict == verdict]  # fmt: skip
        if sets:
            more = phrase("more_changes", count=len(sets) - _MOST_CHANGES) if len(sets) > _MOST_CHANGES else ""
            shown.append(fact("verdict_under", verdict=fact(verdict), sets=tuple(sets[:_MOST_CHANGES]), more=more))
    return phrase("changes", shown=tuple(shown)) if shown else none


def _of_the_house(change: ChangeData) -> int:
    """How many of the options no text takes."""
    return sum(not registry().takers(name, option) for name, option in change.options.items())


def _node(tree: TreeData, indent: str) -> Iterator[str]:
    """The lines of a tree, the first one without its indent."""
    yield tree.name if tree.branches else phrase(tree.name)
    for place, (options, branch) in enumerate(tree.branches):
        last = place == len(tree.branches) - 1
        first, *rest = _node(branch, indent + ("   " if last else "│  "))
        yield f"{indent}{'└─' if last else '├─'} {any_of(tree.name, options)}: {first}"
        yield from rest
