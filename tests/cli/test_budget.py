"""The budget of a question: what it counts, that it is kept, that it is the same everywhere, and who pays for what."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from bench.budget import POSITIONS, RECORDS, position, record
from couperation_formal.game.fact import DEFAULT, Spent, Steps, steps_of
from couperation_formal.game.position import state_of
from couperation_formal.game.record import Game, Snapshot
from couperation_formal.notation.read import read, read_text
from couperation_formal.questions.disputes.dispute import dispute
from couperation_formal.questions.records.check import check
from couperation_formal.questions.records.exact import explained
from couperation_formal.questions.tables.ask import ask
from couperation_formal.questions.tables.deadlock import scan_table
from couperation_formal.questions.tables.moves import prospect
from couperation_formal.towers.continuation.answer import Dead, Unknown, Won, answer
from couperation_formal.words.say import ENGLISH, catalog
from tests.cli.run import couperation
from tests.conftest import LONG, some
from tests.kit.started import run

SENTENCES = catalog(ENGLISH)

pytestmark = pytest.mark.slow

DATA = Path(__file__).resolve().parents[1] / "data" / "budget"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BOUND = 2
"""Processor seconds that a question with ten steps takes at most; all that is asked here takes a fifth of it."""


def the(name: str) -> Game | Snapshot:
    (item,) = read(DATA / name)
    assert isinstance(item, Game | Snapshot)
    return item


@pytest.mark.parametrize("limit", [0, 1, 10, 1000])
def test_steps_are_never_more_than_their_limit(limit: int) -> None:
    steps = Steps(limit)
    for _ in range(limit // 7):
        steps.spend(7)
    with pytest.raises(Spent):
        steps.spend(7)
    assert (steps.spent, steps.left) == (limit, 0)
    with pytest.raises(Spent):
        steps.spend()


def test_a_part_of_the_steps() -> None:
    steps = Steps(100)
    with steps.at_most(30), steps.at_most(50), pytest.raises(Spent):
        steps.spend(31)
    assert (steps.spent, steps.limit) == (30, 100)
    with steps.at_most(-1):
        assert steps.left == 0
    steps.spend(70)
    assert steps.left == 0
    assert steps_of(steps) is steps
    assert (steps_of(None).limit, steps_of(5).limit) == (DEFAULT, 5)


COMMANDS = [
    *((words, "many-payments.cgn") for words in POSITIONS.values()),
    *((words, "unseen.cgn") for words in RECORDS.values() if words[0] in ("check", "dispute", "infer")),
    *((words, "doubted.cgn") for words in RECORDS.values() if "OUT" not in words and words[0] != "complete"),
]


@pytest.mark.parametrize(("words", "name"), some(COMMANDS, 3))
def test_ten_steps_end_at_once(words: tuple[str, ...], name: str, tmp_path: Path) -> None:
    """As a person runs it. A process that takes more processor time than the promise is killed by the system."""
    names = {"LAST": "6", "OUT": str(tmp_path / "proof.json")}
    arguments = [*(names.get(word, word) for word in words), str(DATA / name), "--budget", "10"]
    done = run(arguments, seconds=BOUND)
    assert done.returncode in (0, 1, 2, 3), (done.returncode, done.stderr)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("words", some([("check", "--engine", "z3"), ("dispute",), ("explain", "ACT01", "--at", "9")]))
def test_what_z3_does_before_it_counts_ends_too(words: tuple[str, ...]) -> None:
    """Nine turns of which next to nothing was noted: a circuit whose gates share most of what is beneath them. Z3 took
    minutes to be told it where its solver was made before its terms, and no resource limit counts that.
    """
    done = run([*words, DATA / "not-noted.cgn"], seconds=20)
    assert done.returncode in (0, 1, 3), (done.returncode, done.stderr)


Asked = Callable[[Steps], object]

QUESTIONS: dict[str, Asked] = {
    "complete": lambda steps: ask(the("many-payments.cgn").position, steps),  # type: ignore[union-attr]
    "check": lambda steps: check(the("unseen.cgn"), None, "auto", steps),
    "check --why": lambda steps: explained(check(the("doubted.cgn"), None, "auto", steps), steps),
    "check --engine z3": lambda steps: check(the("unseen.cgn"), None, "z3", steps),
    "dispute": lambda steps: dispute(the("unseen.cgn"), None, steps),
    "deadlock": lambda steps: scan_table(_lost(), None, steps),
    "moves --alive": lambda steps: list(prospect(_lost(), 20, None, steps).chance.judged()),
}


def _lost() -> Game:
    (game,) = read(EXAMPLES / "tables" / "lost.cgn")
    assert isinstance(game, Game)
    return game


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("limit", [0, 10, 777, 20_000 if LONG else 5_000])
def test_a_question_takes_no_step_too_many_and_as_many_each_time(name: str, limit: int) -> None:
    counts = []
    for _ in range(2):
        steps = Steps(limit)
        QUESTIONS[name](steps)
        counts.append(steps.spent)
    assert counts[0] == counts[1] <= limit


@pytest.mark.parametrize("seed", range(0, 60, 5))
def test_a_decided_table_is_decided_the_same_with_more_steps(seed: int) -> None:
    (table,) = read_text(position(Random(seed)))
    assert isinstance(table, Snapshot)
    state, rulings = state_of(table.position), table.position.rules.rulings
    answers = []
    for limit in (300, 3_000, 30_000):
        steps = Steps(limit)
        with suppress(ValueError):  # no cards fit the up cards that are not seen
            answers.append(answer(state, rulings, steps))
        assert steps.spent <= limit
    decided = [type(each) for each in answers if not isinstance(each, Unknown)]
    assert len(set(decided)) <= 1, seed
    for each in answers:
        assert isinstance(each, Won | Dead) or each.spent <= each.limit


@pytest.mark.parametrize("seed", [1, 3])
def test_a_decided_record_is_decided_the_same_with_more_steps(seed: int) -> None:
    (game,) = read_text(record(Random(seed)))
    reports = [check(game, None, "auto", limit) for limit in (10, 3_000, 60_000, *((200_000,) if LONG else ()))]
    decided = {(each.verdict, each.turn) for each in reports if each.verdict != "undetermined"}
    assert len(decided) <= 1, seed


def test_a_dispute_tells_what_it_can() -> None:
    """With few steps parts are left out, and none of what is told is wrong."""
    (game,) = [the("unseen.cgn")] if LONG else read(EXAMPLES / "disputed" / "unnoted.cgn")
    assert isinstance(game, Game)
    full = dispute(game, None, 400_000)
    assert not full.verdicts.undetermined
    assert full.settled is not any(book.verdict == "illegal" and not book.code for book in full.rulebooks.values())
    for limit in (0, 10, 5_000, *((200_000,) if LONG else ())):
        found = dispute(game, None, limit)
        assert not found.verdicts.legal - full.verdicts.legal
        assert not found.verdicts.illegal - full.verdicts.illegal
        assert found.spent <= limit
        for name, book in found.rulebooks.items():
            assert book.verdict in ("undetermined", full.rulebooks[name].verdict)
            assert book.turn in (None, full.rulebooks[name].turn)


def test_a_game_that_eats_its_budget_costs_only_itself(tmp_path: Path) -> None:
    """The other games of a file are answered as if they stood alone."""
    hungry = (DATA / "unseen.cgn").read_text(encoding="utf-8")
    plain = (DATA / "doubted.cgn").read_text(encoding="utf-8")
    file = tmp_path / "several.cgn"
    file.write_text(plain + hungry + plain, encoding="utf-8")
    for words in (["check", "--why"], ["dispute"]):
        arguments = ["--budget", "20000", "--output-format", "json"]
        alone = json.loads(couperation(*words, DATA / "doubted.cgn", *arguments).stdout)
        lines = couperation(*words, file, *arguments).stdout.splitlines()
        data = [json.loads(line) for line in lines]
        same = {"file", "game", "line", "diagnostics", "span"}
        for each in (data[0], data[2]):
            assert {k: v for k, v in each.items() if k not in same} == {k: v for k, v in alone.items() if k not in same}
        assert data[1].get("verdict", "undetermined") == "undetermined"


@pytest.mark.parametrize("command", ["check", "dispute", "infer", "complete", "deadlock", "moves"])
def test_the_help_tells_the_one_default(command: str) -> None:
    words = " ".join(couperation(command, "--help").stdout.split())
    assert f"{DEFAULT:,} if left out" in words


def test_an_answer_that_is_not_checked_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker is paid from the question's budget; where that is too little, the answer stands, and says so."""
    arguments = ["complete", str(EXAMPLES / "tables" / "lost.cgn"), "--at", "35", "--output-format", "json"]
    data = json.loads(couperation(*arguments).stdout)
    assert (data["verdict"], data["checked"]) == ("deadlocked", True)
    monkeypatch.setattr("couperation_formal.cli.run.FREE", 3)
    monkeypatch.setattr("couperation_formal.cli.run._SHARE", DEFAULT)
    data = json.loads(couperation(*arguments).stdout)
    assert (data["verdict"], data["checked"]) == ("deadlocked", False)
    shown = couperation(*arguments[:-2])
    assert shown.exit_code == 1
    assert SENTENCES["unchecked"] in shown.stdout
