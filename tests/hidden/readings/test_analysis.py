"""The whole answer to a dispute: rulebooks, conditions, changes, texts, tree."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path
from random import Random

import msgspec
import pytest

from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Game
from couperation_formal.game.rulings import Rules, registry
from couperation_formal.game.seen import seen_record as hide
from couperation_formal.hidden.readings.condition import Leaf, decision_tree, project, tree_size
from couperation_formal.hidden.readings.sets import Readings, depends_on, space
from couperation_formal.hidden.readings.standing import plain_verdicts
from couperation_formal.notation.read import read, read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.disputes.dispute import Dispute, dispute, least_changes
from couperation_formal.questions.records.check import check
from tests.conftest import LONG, some
from tests.hidden.readings.readings import answer, count, union
from tests.hidden.readings.records import random_reading, reading_at, sampled, spoiled, told
from tests.output.games import EXPECTED, GAMES

pytestmark = pytest.mark.slow

BOOKS = registry().rulebooks


def game(text: str) -> Game:
    (found,) = read_text(text)
    assert isinstance(found, Game)
    return found


def consistent(found: Dispute, rng: Random) -> None:
    """The parts of an answer say the same."""
    verdicts = found.verdicts
    assert found.legal_when is not None
    assert found.illegal_when is not None
    assert found.undetermined_when is not None
    assert union(found.legal_when) == verdicts.legal
    assert union(found.illegal_when) == verdicts.illegal
    assert union(found.undetermined_when) == verdicts.undetermined
    conditions = (found.legal_when, found.illegal_when, found.undetermined_when)
    named = {name for terms in conditions for term in terms for name in term}
    assert found.decisive == tuple(name for name in registry().rulings if name in named)
    assert "finish_half" not in found.decisive
    hangs = {*found.decisive, *(found.outcome.decisive if found.outcome else ())}
    assert list(found.texts) == [name for name in registry().rulings if name in hangs]
    assert list(found.rulebooks) == list(BOOKS)
    for name, book in found.rulebooks.items():
        assert book.verdict == told(verdicts, BOOKS[name])
        report = check(found.game, Rules(name, (), BOOKS[name]))
        if found.turn is None and report.verdict != "undetermined":
            errors = [each.code for each in report.diagnostics if each.severity == "error"]
            assert (book.verdict, book.turn, book.code) == (report.verdict, report.turn, errors[0] if errors else None)
        changes = found.changes[name]
        assert changes is not None
        for change in changes:
            assert told(verdicts, BOOKS[name].with_changes(change.options)) == change.verdict != book.verdict
    assert found.tree is not None
    for rulings in [random_reading(rng) for _ in range(30)]:
        assert answer(found.tree, rulings) == told(verdicts, rulings)


@pytest.mark.parametrize("file", some(GAMES, 2), ids=lambda file: file.stem)
def test_the_records_of_the_project(file: Path) -> None:
    (item,) = read(file)
    assert isinstance(item, Game)
    found = dispute(item)
    consistent(found, Random(file.stem))
    expected = EXPECTED[file.name]
    if expected["verdict"] == "legal" and found.settled:
        assert item.record.rules.rulings in found.verdicts.legal
    if expected["verdict"] == "illegal":
        assert item.record.rules.rulings in found.verdicts.illegal


@pytest.mark.parametrize("seed", range(4))
def test_spoiled_games_and_turns(seed: int) -> None:
    record, rng = sampled(seed), Random(seed)
    for _, each in rng.sample(list(spoiled(record, seed)), 6):
        consistent(dispute(game(record_text(each))), rng)
        found = dispute(game(record_text(each)), rng.randrange(len(each.turns) + 1))
        consistent(found, rng)


def test_the_own_rules_play_no_part() -> None:
    record = sampled(2)
    one = dispute(game(record_text(record)))
    tags = tuple((name, "bgg" if name == "Rules" else value) for name, value in record.tags)
    other = dispute(game(record_text(msgspec.structs.replace(record, tags=tags))))
    assert one.verdicts == other.verdicts
    assert one.rulebooks == other.rulebooks


@pytest.mark.parametrize("seed", range(6))
def test_least_changes_are_least_and_all(seed: int) -> None:
    """Against every combination of the deciding rulings."""
    record, rng = sampled(seed), Random(seed)
    _, each = rng.choice(list(spoiled(record, seed)))
    found = dispute(game(record_text(each)))
    for name, book in BOOKS.items():
        before = told(found.verdicts, book)
        turned: dict[int, set[tuple[tuple[str, str], ...]]] = {}
        if len(found.decisive) > 6:
            continue
        for options in product(*(space()[ruling] for ruling in found.decisive)):
            changes = {k: v for k, v in zip(found.decisive, options, strict=True) if book.option(k) != v}
            if told(found.verdicts, book.with_changes(changes)) != before:
                turned.setdefault(len(changes), set()).add(tuple(changes.items()))
        wanted = turned[min(turned)] if turned else set()
        least = found.changes[name]
        assert least is not None
        assert {tuple(change.options.items()) for change in least} == wanted


@pytest.mark.parametrize("seed", range(12 if LONG else 1))
def test_what_a_recorder_sees_leaves_every_legal_reading(seed: int) -> None:
    """A game is one of the worlds behind its public record: where it is legal, the record is. All is decided."""
    record, rng = sampled(1 + seed), Random(seed)
    marks = {} if seed % 2 else record.marks
    tags = tuple((name, value) for name, value in record.tags if marks or name != "Marks")
    public = msgspec.structs.replace(hide(record), marks=marks, tags=tags)
    found = dispute(game(record_text(public)))
    assert found.settled
    assert record.rules.rulings in found.verdicts.legal
    assert not plain_verdicts(record).legal - found.verdicts.legal
    assert not plain_verdicts(public).illegal - found.verdicts.illegal
    assert found.legal_when is not None
    assert union(found.legal_when) == found.verdicts.legal
    assert found.tree is not None
    for rulings in [random_reading(rng) for _ in range(20)]:
        assert answer(found.tree, rulings) == told(found.verdicts, rulings)


def test_a_spent_budget_leaves_readings_open() -> None:
    record = sampled(2)
    public = game(record_text(hide(record)))
    found = dispute(public, budget=10_000)
    assert not found.settled
    assert found.undetermined_when
    assert found.verdicts.illegal == plain_verdicts(public.record).illegal


def test_changes_of_two_rulings() -> None:
    both = Readings.option("between", "inclusive") & Readings.option("facedown", "ignored")
    verdicts = dispute(game(record_text(sampled(0)))).verdicts._replace(
        legal=both, illegal=~both, undetermined=Readings.none()
    )
    (change,) = least_changes(BOOKS["en-2"], verdicts, ("between", "facedown"), Steps())
    assert change.options == {"between": "inclusive", "facedown": "ignored"}
    assert change.verdict == "legal"
    tree = decision_tree(verdicts._asdict(), Steps())
    assert tree is not None
    assert tree_size(tree) == 5


def test_nothing_turns_what_no_ruling_decides() -> None:
    found = dispute(game(record_text(sampled(0))), 0)
    assert found.legal_when == ({},)
    assert found.illegal_when == found.undetermined_when == ()
    assert found.decisive == ()
    assert set(found.changes.values()) == {()}
    assert found.tree == Leaf("legal")
    assert found.settled


@pytest.mark.parametrize("seed", range(8))
def test_trees_are_least_over_three_rulings(seed: int) -> None:
    """Against every order of questions that begins with what the texts differ in, tried without the program's own short
    cuts.
    """
    rng = Random(seed)
    chosen = rng.sample(["spread", "facedown", "take_sent", "between"], 3)
    names = tuple(name for name in space() if name in chosen)
    points = list(product(*(space()[name] for name in names)))
    legal = [dict(zip(names, ((o,) for o in point), strict=True)) for point in points if rng.random() < 0.5]
    readings = union(legal)
    verdicts = dispute(game(record_text(sampled(0))), 0).verdicts._replace(legal=readings, illegal=~readings)
    tree = decision_tree(verdicts._asdict(), Steps())
    assert tree is not None
    assert tree_size(tree) == least_size(readings, names)
    for _ in range(50):
        rulings = reading_at(rng.randrange(count(Readings.every())))
        assert (answer(tree, rulings) == "legal") == (rulings in readings)


def least_size(readings: Readings, names: tuple[str, ...], within: Readings | None = None) -> int:
    within = within or Readings.every()
    if not readings & within or not within - readings:
        return 1
    sizes = []
    asked = [name for name in names if not alike(readings, within, name, space()[name])]
    for name in [name for name in asked if registry().accord(name) == min(map(registry().accord, asked))]:
        rest = tuple(each for each in names if each != name)
        options = space()[name]
        for groups in partitions(options):
            parts = []
            for group in groups:
                if not alike(readings, within, name, group):
                    break
                parts.append(least_size(readings, rest, within & Readings.option(name, group[0])))
            else:
                sizes.append(1 + sum(parts))
    return min(sizes)


def alike(readings: Readings, within: Readings, name: str, group: tuple[str, ...]) -> bool:
    """Whether these options leave the same function."""
    part = readings & within
    names = depends_on(part)
    if name not in names:
        return True
    points = list(product(*(space()[each] for each in names)))
    bits = project(part, names).bits
    kept = {
        option: [bits >> index & 1 for index, point in enumerate(points) if point[names.index(name)] == option]
        for option in group
    }
    return all(each == kept[group[0]] for each in kept.values())


def partitions(options: tuple[str, ...]) -> list[list[tuple[str, ...]]]:
    if not options:
        return [[]]
    found = []
    head, rest = options[0], options[1:]
    for size in range(len(rest) + 1):
        for chosen in combinations(rest, size):
            others = tuple(option for option in rest if option not in chosen)
            found += [[(head, *chosen), *more] for more in partitions(others)]
    return found
