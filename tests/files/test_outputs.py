"""What a command may write, as a person meets it: real processes, links, pipes, devices, a full disk, a kill."""

from __future__ import annotations

import json
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from couperation_formal.cli.outfile import PNG, SMT, _marked
from couperation_formal.notation.read import read_stream
from tests.cli.run import BROKEN, LEGAL, POSITION, couperation, process

pytestmark = pytest.mark.slow

UNSEEN = '[CGN "1"]\n[Players "Aki Ben"]\n\n1. Aki +0 A ?@h1\n2. Ben +0 A ?@i1\n3. Aki +0 A 49@g2\n'
SLIPS = LEGAL.replace("1. Aki", "1 Aki")
WRITERS = {
    "check": ("check", "game.cgn", "-o"),
    "sarif": ("check", "game.cgn", "--output-format", "sarif", "-o"),
    "world": ("check", "game.cgn", "--world", "--output"),
    "proof of check": ("check", "game.cgn", "--certificate"),
    "script": ("check", "unseen.cgn", "--certificate"),
    "fmt": ("fmt", "game.cgn", "-o"),
    "fix": ("fix", "slips.cgn", "-o"),
    "explain": ("explain", "TOW02", "-o"),
    "ask": ("ask", "gap", "-o"),
    "rules": ("rules", "-o"),
    "position": ("position", "game.cgn", "-o"),
    "moves": ("moves", "game.cgn", "--at", "1", "-o"),
    "complete": ("complete", "position.cgn", "-o"),
    "proof of complete": ("complete", "position.cgn", "--certificate"),
    "windows": ("windows", "position.cgn", "-o"),
    "deadlock": ("deadlock", "game.cgn", "--level", "tower", "--output-format", "csv", "-o"),
    "deadlocks": ("deadlocks", "--max-cards", "1", "-o"),
    "proof of deadlocks": ("deadlocks", "--max-cards", "1", "--certificate"),
    "report": ("report", "game.cgn", "-o"),
    "dispute": ("dispute", "game.cgn", "-o"),
    "infer": ("infer", "game.cgn", "-o"),
    "new": ("new", "--players", "Aki Ben", "-o"),
    "sample": ("sample", "-o"),
    "completion": ("completion", "bash", "-o"),
    "picture": ("show", "game.cgn", "-o"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a game, an unseen one, one with slips, a position and a rulebook."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("game", LEGAL), ("unseen", UNSEEN), ("slips", SLIPS), ("position", POSITION)):
        Path(f"{name}.cgn").write_text(text)
    Path("house.toml").write_text('base = "en-2"\n')
    return tmp_path


@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS.keys())
def test_every_command_writes_a_new_file_and_nothing_that_is_there(folder: Path, command: tuple[str, ...]) -> None:
    suffix = ".svg" if command[0] == "show" else ".smt2" if "unseen.cgn" in command else ".out"
    before = {path.name for path in folder.iterdir()}
    out = Path("new" + suffix)
    assert couperation(*command, out).exit_code in (0, 1, 3)
    assert out.stat().st_size > 0
    assert {path.name for path in folder.iterdir()} == before | {out.name}
    assert stat.S_IMODE(out.stat().st_mode) == stat.S_IMODE(Path("game.cgn").stat().st_mode)

    mine = Path("mine" + suffix)
    mine.write_text("<svg <!doctype html> my notes")
    refused = couperation(*command, mine)
    assert (refused.exit_code, refused.stderr) == (2, f"error: {mine} exists; --force replaces it\n")
    assert mine.read_text() == "<svg <!doctype html> my notes"
    mine.chmod(0o640)
    assert couperation(*command, mine, "--force").exit_code in (0, 1, 3)
    assert mine.read_bytes() == out.read_bytes()
    assert stat.S_IMODE(mine.stat().st_mode) == 0o640

    link, nothing, pipe = Path("link" + suffix), Path("nothing" + suffix), Path("pipe" + suffix)
    ours, theirs = os.openpty()  # a device that no failure here can harm
    link.symlink_to(os.ttyname(theirs))
    nothing.symlink_to("not-there")
    os.mkfifo(pipe)
    Path("folder" + suffix).mkdir()
    for bad, words in ((link, "no regular file"), (nothing, "a link to nothing"), (pipe, "no regular file"),
                       (Path("folder" + suffix), "is a directory"), (Path("none") / out, "no folder")):  # fmt: skip
        if command[0] == "report" and words == "is a directory":
            continue  # it takes the pages: tests/html/test_report_cli.py
        refused = couperation(*command, bad, "--force")
        assert refused.exit_code == 2
        assert words in refused.stderr
    assert nothing.is_symlink()
    assert link.is_symlink()
    assert not Path("not-there").exists()
    assert pipe.is_fifo()
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("command, own", [
    (("report", "game.cgn", "-o"), True), (("show", "game.cgn", "-o"), True),
    (("check", "unseen.cgn", "--certificate"), True),
    (("check", "game.cgn", "--certificate"), False), (("new", "--players", "Aki Ben", "-o"), False),
    (("check", "game.cgn", "--output-format", "json", "-o"), False), (("deadlock", "game.cgn", "-o"), False),
], ids=["page", "picture", "script", "certificate", "record", "JSON", "text"])  # fmt: skip
def test_only_what_was_made_here_and_not_changed_since_is_replaced(
    folder: Path, command: tuple[str, ...], own: bool
) -> None:
    out = Path("out.svg" if command[0] == "show" else "out.smt2")
    assert couperation(*command, out).exit_code in (0, 1)
    made = out.read_bytes()
    assert couperation(*command, out).exit_code == (0 if own and command[0] != "check" else 1 if own else 2)
    assert out.read_bytes() == made
    for changed in (made.replace(b"1", b"2", 1), made + b" ", b" " + made, made[:-90], b""):
        out.write_bytes(changed)
        assert couperation(*command, out).exit_code == 2
        assert out.read_bytes() == changed


@pytest.mark.parametrize("data", [b"(check-sat)\n", b""])
def test_a_mark_is_where_it_can_be_read_back(data: bytes) -> None:
    assert _marked(data, SMT).startswith(data + b"; made by couperation, ")
    png = b"\x89PNG" + bytes(20) + b"\0\0\0\0IEND\xaeB`\x82"
    assert _marked(png, PNG).endswith(png[-12:])
    assert b"tEXtSoftware\0couperation " in _marked(png, PNG)


def spellings(folder: Path, name: str) -> Iterator[str]:
    """An input's other names: another spelling, a symlink, a hard link."""
    yield name
    yield f"../{folder.name}/./{name}"
    for kind, make in (("soft", os.symlink), ("hard", os.link)):
        make(name, f"{kind}-{name}")
        yield f"{kind}-{name}"


@pytest.mark.parametrize("command", [
    ("check", "game.cgn", "-o"), ("check", ".", "-o"), ("check", "game.cgn", "--certificate"), ("report", ".", "-o"),
    ("fmt", "game.cgn", "-o"), ("fmt", "-", "-o"), ("fix", "game.cgn", "-o"), ("position", "game.cgn", "-o"),
    ("complete", "game.cgn", "--certificate"),
    ("moves", "game.cgn", "--at", "1", "--alive", "--budget", "1", "--certificate"), ("dispute", "game.cgn", "-o"),
], ids=" ".join)  # fmt: skip
def test_an_input_is_refused_whatever_it_is_called(folder: Path, command: tuple[str, ...]) -> None:
    for out in spellings(folder, "game.cgn"):
        with Path("game.cgn").open("rb") as stdin:
            done = subprocess.run(
                [sys.executable, "-m", "couperation_formal", *command, out, "--force"],
                stdin=stdin, capture_output=True, check=False, timeout=60, cwd=folder,
            )  # fmt: skip
        assert done.returncode == 2
        assert b"is an input; it is not overwritten" in done.stderr
        assert Path("game.cgn").read_text() == LEGAL
        if command[0] != "check":
            return  # one spelling each; all of them for two commands


def test_a_rulebook_in_use_and_two_outputs_of_one_name(folder: Path) -> None:
    for out in spellings(folder, "house.toml"):
        for command in (
            ("check", "game.cgn", "--rules", "house.toml spread=anywhere", "-o"),
            ("new", "--players", "A B", "--rules", "house.toml", "-o"),
            ("dispute", "--compare", "en-2", "house.toml", "-o"),
        ):
            refused = couperation(*command, out, "--force")
            assert (refused.exit_code, refused.stderr) == (2, f"error: {out} is an input; it is not overwritten\n")
    assert Path("house.toml").read_text() == 'base = "en-2"\n'
    refused = couperation("check", "game.cgn", "-o", "x.json", "--certificate", "./x.json")
    assert "named for two outputs" in refused.stderr
    assert not Path("x.json").exists()


def test_a_link_to_a_file_is_followed_and_a_read_only_file_is_left(folder: Path) -> None:
    Path("there").mkdir()
    Path("there/real.html").write_text("old")
    Path("link.html").symlink_to("there/real.html")
    assert couperation("report", "game.cgn", "-o", "link.html", "--force").exit_code == 0
    assert Path("link.html").is_symlink()
    assert Path("there/real.html").read_text().startswith("<!doctype html>")
    if os.geteuid() != 0:
        Path("there/real.html").chmod(0o400)
        assert "read-only" in couperation("report", "game.cgn", "-o", "link.html", "--force").stderr


def test_a_command_that_fails_leaves_the_older_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = Path("out.txt")
    out.write_text("old")
    for arguments in (("check", "no.cgn"), ("explain", "TOW99"), ("new", "--players", "Aki")):
        assert couperation(*arguments, "-o", out, "--force").exit_code == 2
        assert out.read_text() == "old"
    result = couperation("check", "no.cgn", "game.cgn", "-o", out, "--force")
    assert (result.exit_code, "legal" in out.read_text()) == (2, True)
    monkeypatch.setattr("couperation_formal.cli.check.check", lambda *_: 1 / 0)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(ZeroDivisionError):
        couperation("check", "game.cgn", "-o", out, "--force")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


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
    done = subprocess.run(
        [sys.executable, "-m", "couperation_formal", *command, *(() if command[1] == "--write" else ("--force",))],
        capture_output=True, check=False, timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)),
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.decode().startswith("error: cannot write ")
    assert b"file too large" in done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_killed_process_leaves_the_older_file(folder: Path) -> None:
    """SIGKILL while the output is being written: it goes on as long as its input does."""
    Path("out.txt").write_text("old")
    command = [
        sys.executable,
        "-m",
        "couperation_formal",
        "check",
        "-",
        "--output-format",
        "json",
        "-o",
        "out.txt",
        "--force",
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdin is not None
        running.stdin.write((LEGAL * 50).encode())
        running.stdin.flush()
        deadline = time.monotonic() + 30
        while not any(path.stat().st_size for path in folder.glob(".couperation-*")) and time.monotonic() < deadline:
            time.sleep(0.02)
        (half,) = folder.glob(".couperation-*")
        assert half.stat().st_size > 0
        running.send_signal(signal.SIGKILL)
    assert running.returncode == -signal.SIGKILL
    assert Path("out.txt").read_text() == "old"
    assert couperation("check", "game.cgn", "-o", "out.txt", "--force").exit_code == 0
    assert half.exists()


def test_a_killed_fix_leaves_the_file(folder: Path) -> None:
    """SIGKILL where the mended text is written and not yet put in its place."""
    waits = "import os, time; os.fsync = lambda _: (print('here', flush=True), time.sleep(60))"
    command = f"{waits}; from couperation_formal.cli.main import main; main(['fix', '--write', 'slips.cgn'])"
    with subprocess.Popen([sys.executable, "-c", command], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert b"here\n" in iter(running.stdout.readline, b"")
        running.send_signal(signal.SIGKILL)
    assert running.returncode == -signal.SIGKILL
    assert Path("slips.cgn").read_text() == SLIPS
    (half,) = folder.glob(".couperation-*")
    assert couperation("fix", "--write", "slips.cgn").exit_code == 0
    assert Path("slips.cgn").read_text() == LEGAL
    assert half.exists()


def test_fix_leaves_a_file_that_changes_meanwhile_and_what_is_no_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from couperation_formal.cli import fix

    file = Path("slips.cgn")

    def slow(stream: BinaryIO, name: str) -> Iterator[object]:
        yield from read_stream(stream, name)
        file.write_text(SLIPS + "; somebody else's\n")

    monkeypatch.setattr(fix, "read_stream", slow)
    result = couperation("fix", "--write", file)
    assert (result.exit_code, result.stderr) == (2, "error: slips.cgn was changed meanwhile; it is left as it is\n")
    assert file.read_text() == SLIPS + "; somebody else's\n"
    os.mkfifo("pipe.cgn")
    writer = subprocess.Popen(["sh", "-c", "cat slips.cgn > pipe.cgn"], cwd=folder)
    done = process("fix", "--write", "pipe.cgn")
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


def test_fmt_leaves_a_file_that_changes_meanwhile_and_what_is_no_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from couperation_formal.cli import fmt
    from couperation_formal.report.canonical import formed

    file = Path("game.cgn")

    def slow(stream: object, name: str) -> Iterator[object]:
        yield from formed(stream, name)  # type: ignore[arg-type]
        file.write_text(LEGAL + "; somebody else's\n")

    monkeypatch.setattr(fmt, "formed", slow)
    result = couperation("fmt", "--write", file)
    assert (result.exit_code, result.stderr) == (2, "error: game.cgn was changed meanwhile; it is left as it is\n")
    assert file.read_text() == LEGAL + "; somebody else's\n"
    os.mkfifo("pipe.cgn")
    writer = subprocess.Popen(["sh", "-c", "cat unseen.cgn > pipe.cgn"], cwd=folder)
    done = process("fmt", "--write", "pipe.cgn")
    assert writer.wait(timeout=30) == 0
    assert done.returncode == 2
    assert b"is no regular file" in done.stderr


def test_every_number_of_certificates_asks_before_it_replaces(folder: Path) -> None:
    """A second file of the same certificate is not written over either."""
    many = "".join(BROKEN.replace("9@f2", "3@f2") + "\n" for _ in range(2)) + UNSEEN
    Path("many.cgn").write_text(many)
    Path("proofs-2.smt2").write_text("mine")
    refused = couperation("check", "many.cgn", "--certificate", "proofs.json")
    assert refused.exit_code == 2
    assert "proofs-2.smt2 exists; --force replaces it" in refused.stderr
    assert Path("proofs-2.smt2").read_text() == "mine"
    assert not Path("proofs.json").exists()
    assert couperation("check", "many.cgn", "--certificate", "proofs.json", "--force").exit_code == 1
    assert len(json.loads(Path("proofs.json").read_text())) == 2


@pytest.mark.parametrize("text", ["notes", "{", '{"format"', ""])
def test_the_file_of_a_long_enumeration(folder: Path, text: str) -> None:
    Path("parts").write_text(text)
    result = couperation("deadlocks", "--max-cards", "0", "--resume", "parts")
    assert result.exit_code == (2 if text else 0)
    assert text in Path("parts").read_text()
    os.mkfifo("pipe")
    Path("nothing").symlink_to("not-there")
    for bad in ("pipe", "nothing"):
        assert "no regular file" in couperation("deadlocks", "--max-cards", "0", "--resume", bad).stderr
    assert not Path("not-there").exists()


@pytest.mark.parametrize("option", ["-o", "--certificate"])
def test_the_file_of_an_enumeration_is_no_output_of_it(folder: Path, option: str) -> None:
    assert couperation("deadlocks", "--max-cards", "1", "--resume", "parts").exit_code == 0
    before = Path("parts").read_bytes()
    result = couperation("deadlocks", "--max-cards", "1", "--resume", "parts", option, "parts", "--force")
    assert result.exit_code == 2
    assert "parts is an input" in result.stderr
    assert Path("parts").read_bytes() == before
