"""How far long work is: a line on a terminal's standard error, and nothing of it anywhere else."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from rich.console import Console

from couperation_formal.cli import output as module
from couperation_formal.game.fact import Steps
from tests.cli.run import LEGAL, left, process, sent_to_a_terminal
from tests.conftest import some


def uncoloured(shown: str) -> str:
    """What a terminal is sent without its colours and movements."""
    return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown)


ROOT = Path(__file__).parents[2]
LOST = ROOT / "examples" / "tables" / "lost.cgn"
STEPPED = """
import sys
from couperation_formal.cli import output as progress
calls = 0
def look(*_):
    global calls
    calls += 1
    if calls % {every} == 0 and not progress._COUNTS.lock._is_owned():
        sys.setprofile(None)
        progress._COUNTS.show()
        sys.setprofile(look)
progress._Counts.wait = lambda counts: sys.setprofile(look if counts._counted else None)
from couperation_formal.cli.main import run
run()
"""
"""The command, whose counts are shown after so many calls of functions, on any machine the same."""


def watched(*arguments: str | Path, every: int = 5_000, columns: int = 100, piped: bool = False) -> tuple[str, bytes]:
    """What a terminal is sent, and what standard output gets where that is `piped`."""
    with tempfile.TemporaryFile() as kept:
        code = STEPPED.format(every=every)
        shown = sent_to_a_terminal(*arguments, columns=columns, piped=kept if piped else None, code=code)
        kept.seek(0)
        return shown.decode(), kept.read()


COMMANDS = [
    (("check", "examples/broken"), r"\d+ % of \d+ files +\d:\d\d:\d\d left"),
    (("deadlock", "examples/tables/lost.cgn", "--budget", "1000"),
     r"of 1,000 steps of the budget +\d:\d\d:\d\d left at most"),
    (("complete", "examples/tables/lost.cgn", "--at", "30", "--budget", "1000"), r"of 1,000 steps of the budget"),
    (("dispute", "examples/disputed/unnoted.cgn", "--budget", "1000"), r"of 1,000 steps of the budget"),
    (("infer", "examples/infer", "--budget", "1000"), r"of 1,000 steps of the budget"),
    (("moves", "examples/tables/lost.cgn", "--at", "30", "--alive", "--budget", "1000"),
     r"\d+ % of \d+ actions +\d:\d\d:\d\d left.*\s+\d+ % of [\d,]+ steps"),
    (("deadlocks", "--max-cards", "1"), r"\d+ % of \d+ shapes +\d:\d\d:\d\d left"),
    (("report", "examples/disputed", "--force", "-o", "OUT"), r"\d+ % of \d+ files"),
    (("report", "examples/infer/wednesday.cgn", "--analyse", "--budget", "1000", "--force", "-o", "OUT"),
     r"of 1,000 steps of the budget +\d:\d\d:\d\d left at most"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"), some(COMMANDS, 3), ids=lambda words: words[0] if isinstance(words, tuple) else ""
)
def test_every_long_command_tells_how_far_it_is(
    words: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the terminal shows what it would have shown without."""
    monkeypatch.chdir(ROOT)
    arguments = [str(tmp_path / "page.html") if word == "OUT" else word for word in words]
    shown, out = watched(*arguments, columns=200, piped=True)
    assert re.search(told, uncoloured(shown)), shown[-400:]
    assert b"\x1b[2K" not in out
    quiet = process(*arguments)
    assert out == quiet.stdout
    assert left(shown).split() == quiet.stderr.decode().split()


@pytest.mark.slow
def test_on_one_terminal_the_lines_of_the_answer_stay_whole() -> None:
    arguments = ("moves", LOST, "--at", "34", "--alive", "--budget", "1000", "--color", "never")
    shown, _ = watched(*arguments, columns=200)
    assert " of 18 actions" in shown
    quiet = process(*arguments)
    assert left(shown).split() == quiet.stdout.decode().split()


@pytest.mark.slow
def test_the_line_is_no_wider_than_the_terminal() -> None:
    shown, _ = watched("moves", LOST, "--at", "34", "--alive", "--budget", "1000", columns=40, piped=True)
    lines = [line for line in re.split(r"\s*[\r\n]", uncoloured(shown)) if " % " in line]
    assert lines
    assert max(map(len, lines)) <= 40
    assert any(re.search(r"\d:\d\d:\d\d left at most$", line) for line in lines)


def test_work_that_is_soon_done_shows_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.cgn").write_text(LEGAL, encoding="utf-8")
    assert b" % " not in sent_to_a_terminal("check", tmp_path)


def test_the_line_comes_by_itself_while_one_waits(tmp_path: Path) -> None:
    """A file that is a pipe: its end is written once the line has been seen and renewed; then the line goes away."""
    (tmp_path / "y.cgn").write_text(LEGAL, encoding="utf-8")
    os.mkfifo(tmp_path / "x.cgn")
    pipe = os.open(tmp_path / "x.cgn", os.O_RDWR)  # which waits for nobody
    terminal, inside = pty.openpty()
    soon = "progress._PATIENCE, progress._EVERY = 0.0, 0.01"
    code = f"from couperation_formal.cli import main, output as progress; {soon}; main.run()"
    with (tmp_path / "out").open("wb") as out:
        running = subprocess.Popen([sys.executable, "-c", code, "check", tmp_path / "x.cgn", tmp_path / "y.cgn"],
                                   stdin=inside, stdout=out, stderr=inside)  # fmt: skip
    os.close(inside)
    shown = b""
    with suppress(OSError):  # the terminal is left when the program has ended
        while part := os.read(terminal, 1 << 16):
            shown += part
            if pipe and shown.count(b"0 %") > 1 < shown.count(b"of 2 files"):
                os.write(pipe, LEGAL.encode())
                os.close(pipe)
                pipe = 0
    os.close(terminal)
    assert running.wait() == 0
    assert (tmp_path / "out").read_bytes().count(b"legal: ") == 2
    assert left(shown.decode()) in ("", "2 games: 2 legal\r\n")


def test_while_somebody_types_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, begun = module._Counts(), list[bool]()
    monkeypatch.setattr(module, "_COUNTS", counts)
    monkeypatch.setattr(module, "is_terminal", lambda _: True)
    monkeypatch.setattr("rich.live.Live.start", lambda *_, **__: begun.append(counts.typing))
    monkeypatch.setattr("rich.live.Live.stop", lambda _: begun.append(counts.typing))
    monkeypatch.setattr(counts, "wait", lambda: None)
    terminal, inside = pty.openpty()
    with counts.count("files", 2, lambda: 0, most=False):
        counts.show()
        assert begun == [False]
        with os.fdopen(inside, "rb", buffering=0) as typed, module.reading(typed):
            assert begun == [False, True]
            counts.show()
            assert begun == [False, True]
        counts.show()
        assert begun == [False, True, False]
    os.close(terminal)


def test_how_much_of_one_file_was_read(tmp_path: Path) -> None:
    (tmp_path / "many.cgn").write_text(LEGAL * 100, encoding="utf-8")
    shown, _ = watched("check", tmp_path / "many.cgn", "--quiet", piped=True)
    told = [int(percent) for percent in re.findall(r"(\d+) % of the file ", uncoloured(shown))]
    assert told
    assert told == sorted(told)


def test_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question may end before its budget does: what is told is the most that it takes."""
    monkeypatch.setattr(module, "is_terminal", lambda _: True)
    now, steps, read = 1_000.0, Steps(1_000_000), 0.0
    counts = module._Counts()
    counts.wait = lambda: None  # type: ignore[method-assign]
    counts.progress.get_time = lambda: now
    stack = ExitStack()
    stack.enter_context(counts.count("steps", steps.left, lambda: steps.spent, most=True))

    def told() -> list[str]:
        out = io.StringIO()
        Console(file=out, width=100).print(counts.seen())
        return [line.strip() for line in out.getvalue().splitlines()]

    assert told() == ["0 % of 1,000,000 steps of the budget -:--:-- left at most"]
    for now in (1_100.0, 1_200.0):  # noqa: B007 - told of
        steps.spend(20_000)
        last = told()
    assert last == ["4 % of 1,000,000 steps of the budget 1:20:00 left at most"]
    with counts.count("files", 4, lambda: read, most=False):
        for now, read in ((1_205.0, 1.0), (1_206.0, 1.5)):  # noqa: B007 - told of
            last = told()
    assert last[1] == "38 % of 4 files                       0:00:05 left"
    assert len(told()) == 1
    stack.close()
    assert told() == []
