"""The answer to a dispute for people: what each rulebook says, on what it hangs, and how to get to a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
from couperation_formal.model.fact import fact
from couperation_formal.model.rulings import registry
from couperation_formal.report.blocks import BAD, GOOD, Block, Columns, Heading, Paragraph, Sentence, Verbatim
from couperation_formal.report.clauses import title_of
from couperation_formal.words.say import phrase
from couperation_formal.words.text import Piece

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
        yield [Heading(asked), *_standing(data.standing)]
    else:
        kind = "record_asked" if found.quarrels else "game_asked"
        yield [Heading(phrase(kind, file=file, game=game, turn=data.turn))]
    yield [_books(data)]
    if found.nowhere is not None:
        what = found.nowhere.what or fact("nowhere_shown")
        yield [Sentence(phrase("cannot_be_played", turn=found.nowhere.turn, what=what))]
        return
    yield [*_conditions(data), *_untold(data)]
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


def _standing(stood: Sequence[StoodData]) -> Iterator[Block]:
    """What was wrong before a turn, each thing with the rulebooks under which it was."""
    books: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for each in stood:
        books.setdefault((each.turn, each.clauses), []).append(each.rulebook)
    for (turn, clauses), names in sorted(books.items()):
        every = len(names) == len(registry().rulebooks)
        under = fact("under_every") if every else fact("under_books", books=tuple(names))
        kind = "was_over" if clauses[0] in _ENDS else "was_wrong"
        yield Sentence(phrase(kind, under=under, turn=turn, clauses=clauses))


def _books(data: HangsData) -> Columns:
    rows: list[Sequence[str | Piece]] = [[phrase(f"head_{name}") for name in ("rulebook", "verdict", "turn", "clause")]]
    for name, book in data.rulebooks.items():
        none = phrase("not_found") if f"rulebooks.{name}" in data.untold else "-"
        turn = none if book.turn is None else phrase("turn_number", turn=book.turn)
        clause = none if book.code is None else f"{book.code} {title_of(book.code) or ''}".rstrip()
        rows.append([name, (phrase(book.verdict), STYLES[book.verdict]), turn, clause])
    return Columns(rows, head=True)


def _conditions(data: HangsData) -> Iterator[Block]:
    """When it is legal and, where some readings are undetermined, when it is that: legal is then what is known to
    be.
    """
    open_ = data.undetermined_when
    if open_ != ({},):
        yield from _condition("legal", data.legal_when, open_ != ())
    if open_ != ():
        yield from _condition("undetermined", open_)


def _untold(data: HangsData) -> Iterator[Block]:
    """What the budget did not suffice for beside what says so where it stands."""
    books = tuple(name for name in data.rulebooks if f"rulebooks.{name}" in data.untold)
    if books:
        yield Sentence(phrase("books_untold", books=books))
    if "nowhere" in data.untold:
        yield Sentence(phrase("nowhere_untold"))


def _condition(verdict: str, terms: Sequence[TermData] | None, open_: bool = False) -> Iterator[Block]:
    kind = "some_readings" if terms is None else "no_reading" if not terms else "every_reading"
    if not terms or terms == ({},):
        known = "no_reading_known" if open_ and terms == () else kind
        yield Sentence(f" {phrase(known)}", phrase(verdict), STYLES[verdict])
        return
    yield Sentence(f" {phrase('known_if' if open_ else 'if_and_only_if')}", phrase(verdict), STYLES[verdict])
    for place, term in enumerate(terms[:_MOST_TERMS]):
        yield Sentence(f"{phrase('or_else') if place else '  '} {term_words(term)}", indent=2)
    if len(terms) > _MOST_TERMS:
        yield Sentence(phrase("more_conditions", count=len(terms) - _MOST_TERMS), indent=2)


def term_words(term: TermData) -> str:
    """The rulings of a term with the options that it allows."""
    return phrase("term", parts=tuple(fact("ruling_is", ruling=name, options=any_of(of)) for name, of in term.items()))


def any_of(options: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    return options[0] if len(options) == 1 else phrase("any_of", first=tuple(options[:-1]), last=options[-1])


def _texts(data: HangsData) -> Iterator[Block]:
    """For each deciding ruling its question, and what the texts say."""
    for ruling, views in data.texts.items():
        yield Sentence(f"  {registry().rulings[ruling].question}", ruling, indent=2)
        rows = [(name, view.option, view.stand, f"{view.place}  {view.note}".rstrip()) for name, view in views.items()]
        yield Columns(rows, indent=4)


def _to(changes: Sequence[ChangeData] | None, none: str) -> str:
    if changes is None:
        return phrase("budget_before_found")
    shown = []
    for verdict in ("legal", "illegal"):
        sets = [" ".join(f"{name}={option}" for name, option in change.options.items()) for change in changes
                if change.verdict == verdict]  # fmt: skip
        if sets:
            more = phrase("more_changes", count=len(sets) - _MOST_CHANGES) if len(sets) > _MOST_CHANGES else ""
            shown.append(fact("verdict_under", verdict=fact(verdict), sets=tuple(sets[:_MOST_CHANGES]), more=more))
    return phrase("changes", shown=tuple(shown)) if shown else none


def _node(tree: TreeData, indent: str) -> Iterator[str]:
    """The lines of a tree, the first one without its indent."""
    yield tree.name if tree.branches else phrase(tree.name)
    for place, (options, branch) in enumerate(tree.branches):
        last = place == len(tree.branches) - 1
        first, *rest = _node(branch, indent + ("   " if last else "│  "))
        yield f"{indent}{'└─' if last else '├─'} {any_of(options)}: {first}"
        yield from rest
