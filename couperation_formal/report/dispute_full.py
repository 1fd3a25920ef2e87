"""The answer to a dispute for people: what each rulebook says, on what it hangs, and how to get to a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from couperation_formal.analysis.dispute import BookVerdict, Change, Dispute
from couperation_formal.model.rulings import registry
from couperation_formal.readings.condition import Condition
from couperation_formal.readings.tree import Leaf, Settled, Tree, tree_size
from couperation_formal.report.clauses import title_of
from couperation_formal.report.text import Piece, safe

STYLES: dict[Settled, str] = {"legal": "bold green", "illegal": "bold red", "undetermined": "bold cyan"}

_MOST_TERMS = 40
_MOST_NODES = 200
_MOST_CHANGES = 12
_SPENT = "the budget ended before they were found"


def dispute_full(found: Dispute) -> list[Piece]:
    """The whole answer as text."""
    game = found.game
    asked = "" if found.turn is None else ", the set-up" if found.turn == 0 else f", up to turn {found.turn}"
    return [
        (f"{safe(game.file)}  game {game.index}{asked}\n\n", "bold"),
        *_books(found.rulebooks),
        ("\n", ""),
        *_condition("legal", found.legal_when),
        *(_condition("undetermined", found.undetermined_when) if found.verdicts.undetermined else []),
        *_texts(found),
        *_changes(found),
        *_tree(found),
    ]


def _books(books: dict[str, BookVerdict]) -> list[Piece]:
    name_width = max(len("rulebook"), *map(len, books))
    width = max(len(book.verdict) for book in books.values())
    width = max(width, len("verdict"))
    pieces: list[Piece] = [(f"{'rulebook':{name_width}}  {'verdict':{width}}  turn  clause\n", "bold")]
    for name, book in books.items():
        turn = "-" if book.turn is None else "set-up" if book.turn == 0 else str(book.turn)
        clause = "-" if book.code is None else f"{book.code} {title_of(book.code) or ''}".rstrip()
        pieces += [
            (f"{name:{name_width}}  ", ""),
            (f"{book.verdict:{width}}", STYLES[book.verdict]),
            (f"  {turn:4}  {clause}\n", ""),
        ]
    return pieces


def any_of(words: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _condition(verdict: Settled, terms: Condition | None) -> list[Piece]:
    if terms is None:
        return [(verdict, STYLES[verdict]), (f" under some readings: {_SPENT}\n", "")]
    if terms == ({},):
        return [(verdict, STYLES[verdict]), (" under every reading\n", "")]
    if not terms:
        return [(verdict, STYLES[verdict]), (" under no reading\n", "")]
    pieces: list[Piece] = [(verdict, STYLES[verdict]), (" if and only if\n", "")]
    for place, term in enumerate(terms[:_MOST_TERMS]):
        words = " and ".join(f"{ruling} is {any_of(options)}" for ruling, options in term.items())
        pieces.append((f"  {'or ' if place else '   '}{words}\n", ""))
    if len(terms) > _MOST_TERMS:
        pieces.append((f"  or one of {len(terms) - _MOST_TERMS} more conditions (all of them in JSON)\n", ""))
    return pieces


def _texts(found: Dispute) -> list[Piece]:
    if not found.texts:
        return []
    pieces: list[Piece] = [("\ndeciding rulings\n", "bold")]
    for ruling, views in found.texts.items():
        pieces += [(f"  {ruling}", "bold"), (f"  {registry().rulings[ruling].question}\n", "")]
        names = max(map(len, views)) + 2
        width = max(len(view.option) for view in views.values())
        for name, view in views.items():
            note = f"  {view.stand.note}" if view.stand.note else ""
            pieces.append(
                (f"    {name:{names}}{view.option:{width}}  {view.stand.stand:8}{view.stand.place}{note}\n", "")
            )
    return pieces


def _changes(found: Dispute) -> list[Piece]:
    if not found.decisive:
        return []
    pieces: list[Piece] = [("\nsmallest changes that turn the verdict\n", "bold")]
    names = max(map(len, found.changes)) + 2
    for name, changes in found.changes.items():
        pieces.append((f"  {name:{names}}{found.rulebooks[name].verdict}: {_to(changes)}\n", ""))
    return pieces


def _to(changes: Sequence[Change] | None) -> str:
    if changes is None:
        return _SPENT
    if not changes:
        return "no changes turn it"
    shown = []
    for verdict in ("legal", "illegal"):
        sets = [" ".join(f"{name}={option}" for name, option in change.options.items()) for change in changes
                if change.verdict == verdict]  # fmt: skip
        if sets:
            more = f", or {len(sets) - _MOST_CHANGES} other changes" if len(sets) > _MOST_CHANGES else ""
            shown.append(f"{verdict} under {', or '.join(sets[:_MOST_CHANGES])}{more}")
    return "; ".join(shown)


def _tree(found: Dispute) -> list[Piece]:
    if not found.decisive:
        return []
    pieces: list[Piece] = [("\ndecision tree\n", "bold")]
    if found.tree is None or tree_size(found.tree) > _MOST_NODES:
        return [*pieces, ("  too large to be drawn\n", "")]
    return [*pieces, *_node(found.tree, "  ")]


def _node(tree: Tree, indent: str) -> list[Piece]:
    if isinstance(tree, Leaf):
        return [(tree.verdict, STYLES[tree.verdict]), ("\n", "")]
    pieces: list[Piece] = [(tree.ruling, "bold"), ("\n", "")]
    if indent == "  ":
        pieces.insert(0, (indent, ""))
    for place, (options, branch) in enumerate(tree.branches):
        last = place == len(tree.branches) - 1
        pieces.append((f"{indent}{'└─' if last else '├─'} {any_of(options)}: ", ""))
        pieces += _node(branch, indent + ("   " if last else "│  "))
    return pieces
