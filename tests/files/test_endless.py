"""Files that do not end: every way in ends on them all the same, soon and in little memory, as unusable input.

Each is a process of its own, on the device itself or on a pipe that somebody keeps filling.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from couperation_formal.notation.read import MAX_GAME, MAX_STREAM, Bounded, read, split
from tests.cli.run import LEGAL
from tests.conftest import LONG, some
from tests.kit.started import Started

PROGRAM, TURN = "couperation_formal", "1. Aki A 17@f1"
pytestmark = pytest.mark.slow
SECONDS, MEBIBYTES = 10, 300
ASKED = {
    "check": ["check"], "exact": ["check", "--engine", "z3"], "json": ["check", "--output-format", "json"],
    "sarif": ["check", "--output-format", "sarif"], "junit": ["check", "--output-format", "junit"],
    "csv": ["check", "--output-format", "csv"], "fmt": ["fmt"], "fmt-diff": ["fmt", "--diff"],
    "fmt-check": ["fmt", "--check"], "fix": ["fix"], "show": ["show"], "report": ["report", "-o", "page.html"],
    "dispute": ["dispute"], "complete": ["complete"], "windows": ["windows"], "moves": ["moves", "--at", "1"],
    "deadlock": ["deadlock"], "infer": ["infer"], "position": ["position"], "explain": ["explain", "TOW02"],
    "certificate": ["check", "--certificate", "proof.json"],
}  # fmt: skip
"""Commands whose last argument is a file of games."""

FORMS = ("exact", "json", "sarif", "junit", "csv", "fmt-diff", "fmt-check")
"""What is read by a command that is here without: asked in a long run only."""

BESIDE = {
    "--marks": ["check", "game.cgn", "--marks"], "--rules": ["check", "game.cgn", "--rules"],
    "--rules toml": ["check", "game.cgn", "--rules", "endless.toml"], "--config": ["check", "game.cgn", "--config"],
    "--resume": ["deadlocks", "--max-cards", "1", "--resume"], "board": ["board"],
    "configuration": ["check", "game.cgn", "--config", "couperation.toml"],
}  # fmt: skip
"""Commands whose last argument is another file that does not end."""


SOONER = """
from couperation_formal.cli.main import run
from couperation_formal.editor import server
from couperation_formal.notation import read
server.MOST >>= 6
read.MAX_HEADLESS >>= 6
read.MAX_STREAM >>= 6
run()
"""
"""The program with bounds of a sixty-fourth: what the suite runs, but for `check` and the checker."""


def ended(
    folder: Path,
    arguments: list[str],
    filling: list[str] | None = None,
    code: int = 2,
    module: str = PROGRAM,
    sooner: bool = False,
) -> str:
    """Run a command to its end, its input from a pipe that is being filled: what it says. It may take no more time and
    memory than said.
    """
    filler = None if filling is None else subprocess.Popen(filling, stdout=subprocess.PIPE)
    with (folder / "told").open("wb") as told, Path(os.devnull).open("rb") as nothing:
        stdin = nothing if filler is None or filler.stdout is None else filler.stdout
        streams = (stdin.fileno(), told.fileno(), told.fileno())
        changed = SOONER if sooner and not LONG else ""
        running = Started(arguments, streams, folder, seconds=SECONDS, module=module, code=changed)
        stdin.close()
        code_of, memory = running.ended()
    if filler is not None:
        filler.kill()
        filler.wait()
    text = (folder / "told").read_text("utf-8")
    assert code_of == code, (arguments, text)
    assert 0 < memory < MEBIBYTES << 10
    assert "Traceback" not in text
    return text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.cgn").write_text(LEGAL, encoding="utf-8")
    for name in ("endless.toml", "couperation.toml", "endless.cgn"):
        (tmp_path / name).symlink_to("/dev/zero")
    return tmp_path


@pytest.mark.parametrize("name", some((name for name in ASKED if LONG or name not in FORMS), 3))
def test_a_file_of_games_that_does_not_end(name: str, folder: Path) -> None:
    before = {each.name for each in folder.iterdir()}
    arguments = [*ASKED[name], *([] if name.startswith("f") else ["--isolated"])]
    assert "no game begins in it" in ended(folder, [*arguments, "/dev/zero"], sooner=name != "check")
    if LONG or name in ("check", "fmt", "fix", "report", "explain"):
        assert "no game begins in it" in ended(folder, [*arguments, "-"], ["yes"], sooner=name != "check")
    assert {each.name for each in folder.iterdir()} == before | {"told"}


@pytest.mark.parametrize("name", BESIDE)
def test_another_file_that_does_not_end(name: str, folder: Path) -> None:
    arguments = BESIDE[name]
    ended(folder, arguments if arguments[-1].endswith(".toml") else [*arguments, "/dev/zero"])


@pytest.mark.parametrize("filling", [["cat", "/dev/zero"], ["yes", ""], ["yes", "; a comment"], ["yes", TURN]])
def test_pipes_and_their_names(filling: list[str], folder: Path) -> None:
    """A game before what does not end is answered."""
    assert "legal: game.cgn" in ended(folder, ["check", "--isolated", "game.cgn", "-"], filling, sooner=True)
    ended(folder, ["check", "--isolated", "/dev/stdin"], filling, sooner=True)


def test_what_does_not_end_in_a_folder_is_left(folder: Path) -> None:
    assert "endless.cgn" in ended(folder, ["check", "--isolated", "."], code=0)


def test_the_checker_reads_nothing_that_does_not_end(folder: Path) -> None:
    for name, filling in (("/dev/zero", None), ("-", ["yes"]), ("-", ["yes", "(set-logic ALL)"])):
        told = ended(folder, [name], filling, module="couperation_checker")
        assert told.endswith(": cannot be read: longer than 1 MiB\n")


NO_MESSAGES = [["cat", "/dev/zero"], ["yes"], ["yes", ""], ["yes", "Content-Length: 0\r\n\r"]]


@pytest.mark.parametrize("filling", some(NO_MESSAGES, 3))
def test_an_editor_that_sends_no_end(filling: list[str], folder: Path) -> None:
    assert "error: no message begins in what the editor sends" in ended(folder, ["lsp"], filling, sooner=True)


def test_a_slow_pipe_is_read_and_a_fifo_waited_for(folder: Path) -> None:
    slowly = "import sys\nfor part in sys.argv[1]: sys.stdout.write(part), sys.stdout.flush()"
    told = ended(folder, ["check", "--isolated", "-"], [sys.executable, "-c", slowly, LEGAL], code=0)
    assert "legal: -" in told
    os.mkfifo(folder / "pipe")
    running = subprocess.Popen(
        [sys.executable, "-m", PROGRAM, "check", "--isolated", "pipe"], stdout=subprocess.PIPE, cwd=folder
    )
    (folder / "pipe").write_text(LEGAL, encoding="utf-8")  # which waits for who reads it
    told_too, _ = running.communicate()
    assert running.returncode == 0
    assert told_too == told.replace("-", "pipe", 1).encode()


def test_games_without_end_end_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are: what `fmt` keeps of them goes to the disk. The suite reads a sixteenth."""
    most = MAX_STREAM if LONG else MAX_STREAM >> 4
    monkeypatch.setattr("couperation_formal.notation.read.MAX_STREAM", most)
    game = LEGAL.encode() + b"; so it is\n" * 5000
    pieces = split(cast("BinaryIO", Bounded(cast("BinaryIO", io.BufferedReader(Endless(game))))))
    faults = [next(pieces).fault for _ in range(most // len(game))]
    assert not any(faults)
    with pytest.raises(OSError, match="part it into several files"):
        next(pieces)


class Endless(io.RawIOBase):
    """The same again and again."""

    def __init__(self, filling: bytes) -> None:
        self._filling, self._at = filling * 2, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # what a BufferedReader gives
        part = self._filling[self._at : self._at + min(len(buffer), len(self._filling) // 2)]
        buffer[: len(part)] = part
        self._at = (self._at + len(part)) % (len(self._filling) // 2)
        return len(part)


def test_the_library_too() -> None:
    with pytest.raises(OSError, match="no game begins in it"):
        list(read("/dev/zero"))


def test_what_is_allowed_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of blank lines as long as may be, which is a quarter in the suite, and one after much that is none."""
    most = MAX_GAME if LONG else MAX_GAME >> 2
    monkeypatch.setattr("couperation_formal.notation.read.MAX_GAME", most)
    file = tmp_path / "long.cgn"
    blank = LEGAL + "\n" * (most - len(LEGAL))
    file.write_text(blank + "no game\n" * (most // 25) + LEGAL, encoding="utf-8")
    assert [type(item).__name__ for item in read(file)] == ["Malformed", "Game"]
    file.write_text(blank + LEGAL, encoding="utf-8")
    assert [type(item).__name__ for item in read(file)] == ["Game", "Game"]
