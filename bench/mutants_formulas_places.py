"""The places where a formula can be changed, and the changes."""

from __future__ import annotations

import copy
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from couperation_formal.formulas.book import Book
from couperation_formal.formulas.syntax import INT, Definition, Term
from couperation_formal.formulas.writer import uses_of
from couperation_formal.game.record import Span

OTHER = {
    "less": ("at_most",), "at_most": ("less",), "greater": ("at_least",), "at_least": ("greater",),
    "equal": ("unequal",), "unequal": ("equal",), "member": ("not_member",), "not_member": ("member",),
    "and": ("or",), "or": ("and",), "add": ("subtract",), "subtract": ("add",), "max": ("min",), "min": ("max",),
    "empty": ("not_empty",), "not_empty": ("empty",),
}  # fmt: skip
"""What stands in the place of an operation."""

NEGATED = {"member": "not_member", "equal": "unequal", "empty": "not_empty"}
NEGATED |= {negative: positive for positive, negative in NEGATED.items()}

Names = dict[tuple[object, bool], list[Term]]
Key = tuple[str, str, str, int]


class Mutant(NamedTuple):
    """A definition changed at one place: the text of what was there, and what was done to it. `nth` tells apart changes
    of one definition that read the same.
    """

    name: str
    text: str
    change: str
    nth: int
    definition: Definition

    @property
    def key(self) -> Key:
        """What the change is, wherever the definition stands."""
        return self.name, self.text, self.change, self.nth

    def __str__(self) -> str:
        return f"{self.name}: {self.text}: {self.change}" + (f" ({self.nth})" if self.nth > 1 else "")


def mutants(book: Book) -> Iterator[Mutant]:
    """Every definition of the book changed at every place. A change that says in other words what the formula says, or
    what an earlier change says, is none; nor is one of a definition that nothing asks for.
    """
    idle = unasked(book)
    for name, definition in book.definitions.items():
        if name in idle:
            continue
        names: Names = defaultdict(list)
        params = {param for param, _ in definition.params}
        for term in terms(definition.body):
            if term.op in ("given", "defined_name") or (term.op == "local" and term.value in params):
                same = names[term.type, term.partial]
                if all(term.value != other.value for other in same):
                    same.append(term)
        seen = {plain(definition.body)}
        told: Counter[tuple[str, str]] = Counter()
        for place, change, body in variants(definition.body, names):
            if plain(body) in seen:
                continue
            seen.add(plain(body))
            text = book.text(book.page_of(name), place.span)
            told[text, change] += 1
            yield Mutant(name, text, change, told[text, change], definition._replace(body=body))


def unasked(book: Book) -> set[str]:
    """The definitions that are there for the reader: no formula names them, and they are no part of the state."""
    named = frozenset().union(*(uses_of(definition.body) for definition in book.definitions.values()))
    state = {given + sign for given in book.givens for sign in ("0", "'")}
    return {
        name
        for name in book.definitions.keys() - named - state - book.headings.keys()
        if not name.startswith(("asked", "warned"))
    }


def plain(term: Term) -> Term:
    """The term without its place, and without words that say nothing: a conjunction of one part, a double negation."""
    args = tuple(map(plain, term.args))
    if term.op in ("and", "or") and len(args) == 1:
        return args[0]
    if term.op in ("and", "or"):
        args = tuple(part for arg in args for part in (arg.args if arg.op == term.op else (arg,)))
    if term.op == "not" and args[0].op in ("member", "not_member", "empty", "not_empty", "not"):
        inner = args[0]
        return inner.args[0] if inner.op == "not" else inner._replace(op=NEGATED[inner.op])
    return term._replace(args=args, steps=tuple(map(plain, term.steps)), span=Span(0, 0))


def terms(term: Term) -> Iterator[Term]:
    """A term and all its parts."""
    yield term
    for part in (*term.args, *term.steps):
        yield from terms(part)


def variants(term: Term, names: Names) -> Iterator[tuple[Term, str, Term]]:
    """The term changed at one place in all ways: the part that is changed, how, and the whole after it."""
    yield from own_variants(term, names)
    for at, part in enumerate(term.args):
        for place, change, other in variants(part, names):
            yield place, change, term._replace(args=(*term.args[:at], other, *term.args[at + 1 :]))
    for at, part in enumerate(term.steps):
        for place, change, other in variants(part, names):
            yield place, change, term._replace(steps=(*term.steps[:at], other, *term.steps[at + 1 :]))


def own_variants(term: Term, names: Names) -> Iterator[tuple[Term, str, Term]]:
    """The changes of the part itself."""
    for op in OTHER.get(term.op, ()):
        yield term, f"{term.op} becomes {op}", term._replace(op=op)
    if term.op in ("and", "or", "cases") and len(term.args) > 1:
        for at, part in enumerate(term.args):
            yield part, "left out", term._replace(args=term.args[:at] + term.args[at + 1 :])
    if term.op in ("union", "without", "over", "then", "map_without"):
        yield term.args[1], f"left out after {SIGNS[term.op]}", term.args[0]
    if term.op == "not":
        yield term, "without not", term.args[0]
    for at, step in enumerate(term.steps):
        if step.op == "test":
            left = term.steps[:at] + term.steps[at + 1 :]
            yield step, "not asked", term._replace(steps=left) if left or term.op != "for_all" else term.args[0]
    if term.op == "number" and term.type == INT:
        yield term, "one more", term._replace(value=str(int(term.value) + 1))
    for other in names.get((term.type, term.partial), ()):
        if term.op in ("given", "defined_name", "local") and other.value != term.value:
            yield term, f"{other.value} in its place", other._replace(span=term.span)
            break


SIGNS = {"union": "+", "without": "-", "over": "+", "then": "+", "map_without": "-"}


def changed(book: Book, mutant: Mutant) -> Book:
    """The book with a changed definition."""
    other = copy.copy(book)
    other.__dict__.pop("values", None)
    other.definitions = {**book.definitions, mutant.name: mutant.definition}
    return other
