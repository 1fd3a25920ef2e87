"""What happens in the midst of writing: a full disk, a kill, a failure, somebody else who writes too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.cli.run import LEGAL, couperation, process
from tests.files.work import SLIPS
from tests.kit.started import Started

pytestmark = pytest.mark.slow


def test_a_command_that_fails_leaves_the_older_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = Path("out.txt")
    out.write_text("old")
    for arguments in (("check", "no.cgn"), ("explain", "TOW99"), ("new", "--players", "Aki")):
        assert couperation(*arguments, "-o", out, "--force").exit_code == 2
        assert out.read_text() == "old"
    result = couperation("check", "no.cgn", "game.cgn", "-o", out, "--force")
    assert (result.exit_code, "legal" in out.read_text()) == (2, True)
    monkeypatch.setattr("couperation_formal.questions.records.check.check", lambda *_, **_options: 1 / 0)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(ZeroDivisionError):
        couperation("check", "game.cgn", "-o", out, "--force")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


SMALL_DISK = """
import resource
from couperation_formal.cli.main import run
resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
run()
"""
"""The program where no file may have more bytes, not even what it says."""


@pytest.mark.parametrize("command", [
    ("sample", "--seed", "1", "-o", "out"), ("report", "game.cgn", "-o", "out"),
    ("check", "game.cgn", "--certificate", "out"), ("show", "game.cgn", "-o", "out.svg"),
    ("fmt", "--write", "big.cgn"), ("fix", "--write", "big.cgn"),
], ids=lambda command: command[0])  # fmt: skip
def test_a_full_disk_is_told_and_the_older_file_is_whole(folder: Path, command: tuple[str, ...]) -> None:
    """A limit on the size of files stands in for the end of a disk."""
    for name in ("out", "out.svg"):
        Path(name).write_text("old")
    big = LEGAL.replace("1. Aki ", "1.  Aki ") if command[0] == "fmt" else SLIPS
    Path("big.cgn").write_text("".join(big + "\n" for _ in range(9)))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    words = [*command, *(() if command[1] == "--write" else ("--force",))]
    with Path(os.devnull).open("r+b") as nothing, tempfile.TemporaryFile() as told:
        streams = (nothing.fileno(), nothing.fileno(), told.fileno())
        assert Started(words, streams, code=SMALL_DISK).ended()[0] == 2
        told.seek(0)
        said = told.read()
    assert said.startswith(b"error: cannot write ")
    assert b"file too large" in said
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_killed_process_leaves_the_older_file(folder: Path) -> None:
    """SIGKILL while the output is being written: it goes on as long as its input does."""
    Path("out.txt").write_text("old")
    code = """
import os
from couperation_formal.cli.main import main
def told(path, *settings, open=os.open, **others):
    made = open(path, *settings, **others)
    if ".couperation-" in str(path):
        os.write(1, b"here\\n")
    return made
os.open = told
main(["check", "-", "--output-format", "json", "-o", "out.txt", "--force"])
"""
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write((LEGAL * 50).encode())
        running.stdin.flush()
        assert running.stdout.readline() == b"here\n"
        (half,) = folder.glob(".couperation-*")
        running.send_signal(signal.SIGKILL)
    assert running.returncode == -signal.SIGKILL
    assert Path("out.txt").read_text() == "old"
    assert couperation("check", "game.cgn", "-o", "out.txt", "--force").exit_code == 0
    assert half.exists()


def test_a_killed_fix_leaves_the_file(folder: Path) -> None:
    """SIGKILL where the mended text is written and not yet put in its place."""
    waits = "import os; os.fsync = lambda _: (print('here', flush=True), os.read(0, 1))"
    command = f"{waits}; from couperation_formal.cli.main import main; main(['fix', '--write', 'slips.cgn'])"
    with subprocess.Popen([sys.executable, "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert b"here\n" in iter(running.stdout.readline, b"")
        running.send_signal(signal.SIGKILL)
    assert running.returncode == -signal.SIGKILL
    assert Path("slips.cgn").read_text() == SLIPS
    (half,) = folder.glob(".couperation-*")
    assert couperation("fix", "--write", "slips.cgn").exit_code == 0
    assert Path("slips.cgn").read_text() == LEGAL
    assert half.exists()


@pytest.mark.parametrize(
    ("command", "reader", "name"),
    [("fix", "cli.commands.records.read_stream", "slips.cgn"), ("fmt", "questions.records.fmt.formed", "game.cgn")],
)
def test_a_file_that_changes_meanwhile_and_what_is_no_file_are_left(
    command: str, reader: str, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, _, reader = reader.rpartition(".")
    module = import_module(f"couperation_formal.{where}")
    read, file, changed = getattr(module, reader), Path(name), Path(name).read_text() + "; somebody else's\n"

    def slow(stream: BinaryIO, name: str) -> Iterator[object]:
        yield from read(stream, name)
        file.write_text(changed)

    monkeypatch.setattr(module, reader, slow)
    result = couperation(command, "--write", file)
    assert (result.exit_code, result.stderr) == (2, f"error: {name} was changed meanwhile; it is left as it is\n")
    assert file.read_text() == changed
    os.mkfifo("pipe.cgn")
    writer = subprocess.Popen(["sh", "-c", f"cat {name} > pipe.cgn"], cwd=folder)
    done = process(command, "--write", "pipe.cgn")
    assert writer.wait(timeout=30) == 0
    assert done.returncode == 2
    assert b"is no regular file" in done.stderr


def test_no_file_of_somebody_else_is_deleted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one whose name looks like a temporary one of ours."""
    theirs = [f".out.html.{os.getpid()}", ".couperation-abcdefgh", ".game.cgn.tmp"]
    for name in theirs:
        Path(name).write_text("mine")
    assert couperation("report", "game.cgn", "-o", "out.html").exit_code == 0
    monkeypatch.setattr("os.fsync", lambda _handle: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    assert couperation("report", "game.cgn", "-o", "other.html").exit_code == 2
    assert all(Path(name).read_text() == "mine" for name in theirs)
    assert not Path("other.html").exists()
