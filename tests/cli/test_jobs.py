"""Many games on several processes: the same output as on one, and what becomes of it where one of them ends."""

from __future__ import annotations

import os
import signal
from itertools import count
from pathlib import Path
from random import Random

import pytest

from couperation_formal.cli import workers
from couperation_formal.cli.workers import shared
from tests.cli.run import BROKEN, LEGAL, MALFORMED, POSITION, couperation
from tests.kit.started import ROOT, Started, run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of every kind, a position, and files that hold nothing and cannot be read."""
    kept = tmp_path_factory.mktemp("many")
    for name, text in (
        ("a", LEGAL + "\n" + BROKEN),
        ("b", MALFORMED + "\n" + POSITION + "\n" + LEGAL),
        ("c", "no game"),
        ("e", LEGAL * 3),
    ):
        (kept / f"{name}.cgn").write_text(text, "utf-8")
    (kept / "d.cgn").symlink_to("nothing.cgn")
    return kept


@pytest.mark.parametrize(
    "arguments",
    [
        *(
            ["check", "--output-format", form]
            for form in ("full", "concise", "json", "sarif", "github", "csv", "junit")
        ),
        ["check", "--strict", "--quiet"],
        ["check", "--statistics"],
        ["check", "--world"],
        ["check", "--game", "2"],
        ["check", "--why", "--exit-zero"],
        ["dispute"],
        ["dispute", "--output-format", "json"],
        ["complete", "--level", "tower"],
        ["deadlock", "--level", "tower"],
        ["deadlock", "--budget", "2000", "--output-format", "csv"],
        ["infer"],
    ],
    ids=" ".join,
)
def test_the_output_is_that_of_one_process(arguments: list[str], folder: Path) -> None:
    one, three = (run([*arguments, folder, folder / "a.cgn", "-j", jobs]) for jobs in ("1", "3"))
    assert (one.returncode, one.stdout, one.stderr) == (three.returncode, three.stdout, three.stderr)
    assert one.stdout or one.stderr


def test_what_is_told_of_a_file_waits_for_what_stands_before(tmp_path: Path) -> None:
    """A file that cannot be read is met before the game is judged that stands before it."""
    (tmp_path / "broken.cgn").write_text(BROKEN, "utf-8")
    asked = ["check", str(tmp_path / "broken.cgn"), str(tmp_path / "nothing.cgn"), "--output-format", "sarif"]
    one, two = (run([*asked, "-j", jobs]) for jobs in ("1", "2"))
    assert (one.returncode, one.stdout, one.stderr) == (two.returncode, two.stdout, two.stderr)


def test_certificates_are_those_of_one_process(tmp_path: Path) -> None:
    written = []
    for jobs in ("1", "2"):
        out = tmp_path / f"{jobs}.json"
        done = run(["check", ROOT / "examples" / "legal", "--certificate", out, "-j", jobs])
        assert done.returncode == 0
        written.append(out.read_bytes())
    assert written[0] == written[1]


def test_workers_start_with_the_500th_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where nothing is said of them; one process alone reads the 499 before, and is alone where there are no more."""
    handed: list[int] = []

    def counted(work: object, items: object, *_: object) -> list[None]:
        handed.append(sum(each.text is not None for each in items))  # type: ignore[attr-defined]
        return []

    monkeypatch.setattr(workers, "shared", counted)
    for games in (499, 500, 502):
        file = tmp_path / f"{games}.cgn"
        file.write_text(LEGAL * games, "utf-8")
        assert couperation("check", file, "--quiet").exit_code == 0
    assert handed == [1, 3]


BEGIN = """
import os, signal
from couperation_formal.cli.main import run
from couperation_formal.questions.records import check as asked
plain = asked.check
def check(item, *arguments, **settings):
    if item.index == {index}:
        {act}
    return plain(item, *arguments, **settings)
asked.check = check
run()
"""
"""The command, in which something happens at one game."""


def test_a_process_that_dies_costs_one_game(tmp_path: Path) -> None:
    file = tmp_path / "nine.cgn"
    file.write_text(LEGAL * 9, "utf-8")
    kill = BEGIN.format(index=3, act="os.kill(os.getpid(), signal.SIGKILL)")
    done = run(["check", file, "-j", "2", "--output-format", "json"], code=kill)
    whole = run(["check", file, "-j", "1", "--output-format", "json"]).stdout.splitlines()
    assert done.returncode == 70
    assert done.stdout.splitlines() == [*whole[:2], *whole[3:]]
    assert done.stderr.decode().splitlines()[0] == f"error: {file}: game 3: the process that was asked about it ended"


def test_an_error_of_ours_ends_the_run_where_its_turn_has_come(tmp_path: Path) -> None:
    file = tmp_path / "five.cgn"
    file.write_text(LEGAL * 5, "utf-8")
    fail = BEGIN.format(index=3, act="raise ArithmeticError('a fault')")
    one, two = (run(["check", file, "-j", jobs, "--output-format", "json"], code=fail) for jobs in ("1", "2"))
    assert one.returncode == two.returncode == 70
    assert (one.stdout, one.stderr) == (two.stdout, two.stderr)
    assert b"ArithmeticError" in one.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_nobody_is_left_behind(number: int, code: int, tmp_path: Path) -> None:
    """An interrupted command ends its processes; where it is killed each of them ends with the game that it is at."""
    file, begun, further = tmp_path / "three.cgn", tmp_path / "begun", tmp_path / "further"
    file.write_text(LEGAL * 3, "utf-8")
    os.mkfifo(begun)
    os.mkfifo(further)
    (seen, held), (out, out_end) = os.pipe(), os.pipe()
    stop = BEGIN.format(index=2, act=f"open({str(begun)!r}, 'w').close() or open({str(further)!r}).close()")
    running = Started(["check", file, "-j", "2"], (held, out_end, out_end), code=stop)
    os.close(held)
    os.close(out_end)
    begun.read_text("utf-8")  # a process is at the second game
    running.signal(number)
    assert running.ended()[0] == code
    if number == signal.SIGKILL:
        further.write_text("", "utf-8")  # which opens it
    assert os.read(seen, 1) == b""  # nobody holds the other end any more
    os.close(seen)
    os.close(out)


def test_what_is_made_comes_in_the_order_of_the_items() -> None:
    """Whatever the processes do meanwhile, and whichever of them end."""
    for seed in range(6):
        rng = Random(seed)
        items = [rng.randrange(100) for _ in range(60)]

        def work(item: int) -> int:
            if item % 10 == 7:
                os.kill(os.getpid(), signal.SIGKILL)
            return item + sum(range(item * 100)) * 0

        expected = [-1 if item % 10 == 7 else item for item in items]
        assert list(shared(work, iter(items), 1 + seed % 4, lambda _: -1, lambda _: 1)) == expected


@pytest.mark.parametrize(("bound", "most"), [("_AHEAD", 10), ("_HELD", 50)])
def test_no_more_than_some_is_read_ahead(bound: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten items, or of items that weigh five each."""
    monkeypatch.setattr(workers, bound, most)
    read, made = 0, 0

    def items() -> object:
        nonlocal read
        for number in count():
            read = number
            assert number <= made + 10
            yield number

    for made in shared(lambda item: item, items(), 2, lambda item: item, lambda _: 5):  # type: ignore[arg-type]
        if made == 200:
            break
    assert read >= 200
