"""Do the specification's examples notice a changed formula? Each formula is changed at one place at a time
(`mutants_formulas_places`). The changed book judges the examples of the clauses, those of the formula's own clause
first; then recorded games and games mutated at random from a fixed seed, also by the state after each turn; lists the
legal actions of tables, most of them on small boards; and follows records that end with an illegal turn, by the state
after each turn: until one answer is another one.

``python -m bench.mutants_formulas --write`` writes `bench/mutants_formulas.md`. Cost: some ten minutes. A change that
gives the same answers is told in `bench/mutants_formulas.toml`, with the reason.
"""

from __future__ import annotations

import argparse
import signal
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from types import FrameType
from unittest.mock import patch

from bench.mutants_formulas_places import Key, Mutant, changed, mutants
from couperation_formal.formulas import judge as judging
from couperation_formal.formulas.book import Book
from couperation_formal.formulas.judge import NotShown
from couperation_formal.formulas.writer import Values
from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Game, Record
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.notation.read import read_text
from tests.agree.formulas_agree import TABLES, opened
from tests.agree.worlds import SMALL, random_state, rulings_with
from tests.questions.records.spoil import mutations, sampled
from tests.spec.book import ROOT, Chapter, chapters

FOLDER = Path(__file__).resolve().parent
STEPS = 100_000
"""For one record: some examples try every action."""

SECONDS = 20
"""Of processor time for one record. A changed formula that needs more of either gives no answer, and is not noticed."""

SEEDS, TURNS, SPOILED = range(100), range(1, 9), 4
"""So many sampled games, cut after so many turns; of their spoiled ones that break the same clauses so many."""

STATE = (
    "W", "H", "f", "R", "G", "K", "laid", "touched", "moved", "turned", "laid_down", "replaced", "skipped", "due",
    "result",
)  # fmt: skip
HOW = (
    "by its own clause",
    "by another clause",
    "by a game",
    "by a list of legal actions",
    "by a state after an illegal turn",
)

Question = Callable[[], object]
Asked = tuple[Question, object]


class NoAnswer(Exception):
    """A record was not judged to its end within the bounds."""


@contextmanager
def bounds() -> Iterator[Steps]:
    """The bounds for one record."""

    def over(_: int, __: FrameType | None) -> None:
        raise NoAnswer

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    steps = Steps(STEPS)
    try:
        yield steps
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    if not steps.left:
        raise NoAnswer


def verdict(record: Record) -> object:
    """What the formulas say: turn, clauses, warnings, how far it is decided, the end."""
    with bounds() as steps:
        return judging.judge(record, record.rules.rulings, budget=steps)._replace(tables=())


def verdict_and_states(record: Record) -> object:
    """The same, and the state before the first turn and after every legal one."""
    with bounds() as steps:
        found = judging.judge(record, record.rules.rulings, budget=steps)
        return found._replace(tables=()), [state(values) for values in found.tables]


def states(record: Record) -> object:
    """The state after every turn, legal or not."""
    found: list[object] = []
    with bounds() as steps:
        try:
            for values in judging.tables(record, record.rules.rulings, budget=steps):
                found.append(state(judging.after(values) if values.value("t") else values))
        except NotShown:
            found.append("open")
    return found


def state(values: Values) -> list[object]:
    """The components of the state."""
    return [values.value(name) for name in STATE]


def actions(table: State, rulings: Rulings) -> object:
    """The legal actions of a table."""
    with bounds() as steps:
        return judging.legal_moves(table, rulings, steps)


def small(seed: int) -> tuple[State, Rulings]:
    """A table on a small board."""
    rng = Random(f"formulas {seed}")
    rulings = rulings_with(rng)
    return random_state(rng, rng.choice(SMALL), rulings), rulings


def answer(question: Question, book: Book) -> object:
    """The answer by this book. Raises `NoAnswer`."""
    try:
        with patch.object(judging, "book", lambda: book):
            return question()
    except NoAnswer:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a changed formula raises is another answer
        return repr(error)


class Examples:
    """Questions with the answers of the book as it stands."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self.clauses = {
            chapter.id: self._asked(partial(verdict, record) for record in examples(chapter)) for chapter in chapters()
        }
        again = [record for chapter in chapters() for record in examples(chapter)]
        recorded = records([*texts("examples/*/*.cgn"), *texts("tests/data/games/*.cgn")])
        self.games = self._asked(partial(verdict_and_states, record) for record in [*short(book), *again, *recorded])
        self.tables = self._asked(partial(actions, *table) for table in [*map(opened, TABLES), *map(small, SEEDS[:56])])
        self.after = self._asked(partial(states, record) for record in records(texts("tests/data/total/*.cgn")))

    def _asked(self, questions: Iterable[Question]) -> list[Asked]:
        return [(question, answer(question, self._book)) for question in questions]

    def notice(self, book: Book, clause: str) -> str | None:
        """How it is noticed that this book is another one; None where it is not. `clause` is the changed formula's."""
        others = [asked for name, asked in self.clauses.items() if name != clause]
        rounds = (self.clauses.get(clause, []), chain.from_iterable(others), self.games, self.tables, self.after)
        return next((how for how, asked in zip(HOW, rounds, strict=True) if differs(book, asked)), None)


def differs(book: Book, asked: Iterable[Asked]) -> bool:
    """Whether the book answers one of the questions in another way."""
    for question, before in asked:
        try:
            if answer(question, book) != before:
                return True
        except NoAnswer:
            continue
    return False


def examples(chapter: Chapter) -> list[Record]:
    """The examples of a clause."""
    return records([*chapter.accepts, *(example.text for example in chapter.refuses)])


def records(found: Iterable[str]) -> list[Record]:
    """The games in these texts."""
    return [item.record for text in found for item in read_text(text) if isinstance(item, Game)]


def short(book: Book) -> Iterator[Record]:
    """Sampled games, cut and spoiled: of those that break the same clauses the first few."""
    count: Counter[object] = Counter()
    for record in records(text for seed in SEEDS for text in mutated(seed)):
        before = answer(partial(verdict, record), book)
        assert isinstance(before, tuple)
        count[before[1]] += 1
        if count[before[1]] <= SPOILED:
            yield record


def texts(pattern: str) -> list[str]:
    """The files of the repository with such names."""
    return [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob(pattern))]


def mutated(seed: int) -> list[str]:
    """A sampled game cut after a few turns, spoiled in every way."""
    head, first, rest = sampled(seed).partition("\n1. ")
    turns = [line for line in (first + rest).splitlines() if line[:1].isdigit()][: TURNS[seed % len(TURNS)]]
    return [text for _, text in mutations(head + "\n" + "\n".join(turns) + "\n*\n", seed)]


def equals() -> dict[Key, str]:
    """Changes that give the same answers, each with the reason."""
    told = tomllib.loads((FOLDER / "mutants_formulas.toml").read_text(encoding="utf-8")).get("equal", [])
    return {(each["name"], each["text"], each["change"], each.get("nth", 1)): each["why"] for each in told}


def campaign(only: str = "", step: int = 1) -> list[tuple[Mutant, str]]:
    """Try every `step`th change of the definitions with this name, or of all: each with how it was noticed."""
    book = judging.book()
    asked, same = Examples(book), equals()
    print(len(asked.games), "games", flush=True)
    found = []
    for mutant in [mutant for mutant in mutants(book) if not only or mutant.name in only.split()][::step]:
        clause = mutant.name if mutant.name in book.headings else book.under(mutant.name)
        how = asked.notice(changed(book, mutant), clause)
        how = how or ("equal" if mutant.key in same else "not noticed")
        found.append((mutant, how))
        if how not in HOW[:2]:
            print(f"{how}: {mutant}", flush=True)
    return found


def report(found: list[tuple[Mutant, str]], same: dict[Key, str]) -> str:
    """The page."""
    counts = Counter(how for _, how in found)

    def listed(*hows: str) -> str:
        told = [(mutant, same.get(mutant.key, how)) for mutant, how in found if how in hows]
        return "\n".join(f"- `{mutant}`: {more}" for mutant, more in told) or "None."

    return PAGE.format(
        table="\n".join(f"| {how} | {counts[how]} |" for how in (*HOW, "equal", "not noticed")),
        changes=len(found),
        equal=listed("equal"),
        others=listed(*HOW[2:]),
        alive=listed("not noticed"),
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--step", type=int, default=1, help="try every Nth change only")
    parser.add_argument("--only", default="", help="the changes of the definitions with these names only")
    parser.add_argument("--write", action="store_true", help="write bench/mutants_formulas.md")
    chosen = parser.parse_args()
    found = campaign(chosen.only, chosen.step)
    print(Counter(how for _, how in found))
    if chosen.write:
        (FOLDER / "mutants_formulas.md").write_text(report(found, equals()), encoding="utf-8")


PAGE = """\
# Do the examples notice a changed formula?

`python -m bench.mutants_formulas --write`. Every formula is changed at one place at a time: a line, a condition, a case
or a set left out, a comparison or an operation exchanged, a number one greater, a name in the place of another one. The
changed book judges the examples of the clauses, those of the formula's own clause first (what stands on `step.md` has
none). Where all of them are judged as before, it judges recorded games and short games mutated at random, where the
state after each turn counts too; then it lists the legal actions of tables, most of them on small boards; last it
carries out the illegal turns of `tests/data/total`. Each of these is compared with the rules, or with reviewed answers,
by a test. A change that is *equal* gives the same answers; why is said below.

| noticed | changes |
|---|---|
{table}

{changes} changes in all.

## Equal

{equal}

## Noticed by no example of a clause

{others}

## Not noticed

{alive}
"""

if __name__ == "__main__":
    main()
