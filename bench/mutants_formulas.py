"""Do the specification's examples notice a changed formula? Each formula is changed at one place at a time, and the
examples of the clauses are judged by it, those of its own clause first, until one is judged otherwise.

``python -m bench.mutants_formulas --write`` writes `bench/mutants_formulas.md`. Cost: some ten minutes.
"""

from __future__ import annotations

import argparse
import copy
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from couperation_formal.formula.book import Book
from couperation_formal.formula.types import INT, Definition, Term
from couperation_formal.model.budget import Steps
from couperation_formal.model.record import Game, Record
from couperation_formal.notation.read import read_text
from couperation_formal.reference import judge as judging
from tests.spec.book import chapters

FOLDER = Path(__file__).resolve().parent
BUDGET = 40_000
"""Steps for one example: some that try every action take as many."""

OTHER = {
    "less": ("at_most",), "at_most": ("less",), "greater": ("at_least",), "at_least": ("greater",),
    "equal": ("unequal",), "unequal": ("equal",), "member": ("not_member",), "not_member": ("member",),
    "and": ("or",), "or": ("and",), "add": ("subtract",), "subtract": ("add",), "max": ("min",), "min": ("max",),
    "empty": ("not_empty",), "not_empty": ("empty",), "iff": (), "union": (), "not": (),
}  # fmt: skip
"""What stands in the place of an operation."""

Names = dict[tuple[object, bool], list[Term]]


class Mutant(NamedTuple):
    """A definition changed at one place: what was there, and what is done to it."""

    name: str
    text: str
    change: str
    definition: Definition


def mutants(book: Book) -> Iterator[Mutant]:
    """Every definition of the book changed at every place."""
    for name, definition in book.definitions.items():
        names: Names = defaultdict(list)
        params = {param for param, _ in definition.params}
        for term in terms(definition.body):
            if term.op in ("given", "defined_name") or (term.op == "local" and term.value in params):
                same = names[term.type, term.partial]
                if all(term.value != other.value for other in same):
                    same.append(term)
        for place, change, body in variants(definition.body, names):
            yield Mutant(name, book.text(book.page_of(name), place.span), change, definition._replace(body=body))


def terms(term: Term) -> Iterator[Term]:
    """A term and all its parts."""
    yield term
    for part in (*term.args, *term.steps):
        yield from terms(part)


def variants(term: Term, names: Names) -> Iterator[tuple[Term, str, Term]]:
    """The term changed at one place in all ways: the part that is changed, how, and the whole after it."""
    for change, other in own_variants(term, names):
        yield term, change, other
    for at, part in enumerate(term.args):
        for place, change, other in variants(part, names):
            yield place, change, term._replace(args=(*term.args[:at], other, *term.args[at + 1 :]))
    for at, part in enumerate(term.steps):
        for place, change, other in variants(part, names):
            yield place, change, term._replace(steps=(*term.steps[:at], other, *term.steps[at + 1 :]))


def own_variants(term: Term, names: Names) -> Iterator[tuple[str, Term]]:
    """The changes of the part itself."""
    for op in OTHER.get(term.op, ()):
        yield f"{term.op} becomes {op}", term._replace(op=op)
    if term.op in ("and", "or", "cases") and len(term.args) > 1:
        for at in range(len(term.args)):
            yield f"without part {at + 1}", term._replace(args=term.args[:at] + term.args[at + 1 :])
    if term.op in ("union", "without", "over"):
        yield "without its second part", term.args[0]
    if term.op == "not":
        yield "without not", term.args[0]
    for at, step in enumerate(term.steps):
        if step.op == "test":
            yield f"without the condition {at + 1}", term._replace(steps=term.steps[:at] + term.steps[at + 1 :])
    if term.op == "number" and term.type == INT:
        yield "one more", term._replace(value=str(int(term.value) + 1))
    for other in names.get((term.type, term.partial), ()):
        if term.op in ("given", "defined_name", "local") and other.value != term.value:
            yield f"{other.value} in its place", other
            break


class Examples:
    """The examples of the clauses, and how they are judged as things stand."""

    def __init__(self) -> None:
        self.of: dict[str, list[tuple[Record, object]]] = {}
        for chapter in chapters():
            texts = [*chapter.accepts, *(example.text for example in chapter.refuses)]
            games = [item for text in texts for item in read_text(text) if isinstance(item, Game)]
            self.of[chapter.id] = [(game.record, answer(game.record)) for game in games]

    def notice(self, book: Book, clause: str) -> str | None:
        """The clause one of whose examples is judged otherwise by this book; None where none is."""
        for name in (clause, *(name for name in self.of if name != clause)):
            for record, before in self.of.get(name, ()):
                if answer(record, book) != before:
                    return name
        return None


def answer(record: Record, book: Book | None = None) -> object:
    """What the formulas say of a record: turn, clauses, warnings, how far it is decided, the end."""
    original = judging.book
    try:
        if book is not None:
            judging.book = lambda: book  # type: ignore[assignment]
        found = judging.judge(record, record.rules.rulings, budget=Steps(BUDGET))
        return found[:-1]
    except Exception as error:  # noqa: BLE001 - whatever a changed formula raises is another answer
        return repr(error)
    finally:
        judging.book = original


def changed(book: Book, mutant: Mutant) -> Book:
    """The book with a changed definition."""
    other = copy.copy(book)
    other.__dict__.pop("values", None)
    other.definitions = {**book.definitions, mutant.name: mutant.definition}
    return other


def campaign(step: int = 1) -> tuple[Counter[str], list[Mutant]]:
    """Try every `step`th mutant: how many were tried and noticed, and which were not."""
    book, examples = judging.book(), Examples()
    counts: Counter[str] = Counter()
    alive: list[Mutant] = []
    for mutant in list(mutants(book))[::step]:
        heading = mutant.name if mutant.name in book.headings else book.under(mutant.name)
        noticed = examples.notice(changed(book, mutant), heading)
        counts.update(["tried", "noticed" if noticed else "not noticed"])
        if not noticed:
            alive.append(mutant)
            print(f"{mutant.name}: {mutant.text}: {mutant.change}", flush=True)
    return counts, alive


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--step", type=int, default=1, help="try every Nth place only")
    parser.add_argument("--write", action="store_true", help="write bench/mutants_formulas.md")
    chosen = parser.parse_args()
    counts, alive = campaign(chosen.step)
    print(counts)
    if chosen.write:
        (FOLDER / "mutants_formulas.md").write_text(
            PAGE.format(**counts, rows="\n".join(f"- `{m.name}`: `{m.text}`: {m.change}" for m in alive) or "None."),
            encoding="utf-8",
        )


PAGE = """\
# Do the examples notice a changed formula?

`python -m bench.mutants_formulas --write`. Every formula is changed at one place at a time: a line, a condition or a
case left out, a comparison or an operation exchanged, a number one greater, a name in the place of another one. The
examples of the clauses are judged by the changed book, and one of them must be judged otherwise.

{tried} changes, {noticed} noticed. Not noticed:

{rows}
"""

if __name__ == "__main__":
    main()
