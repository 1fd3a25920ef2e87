"""Folders with pipes, devices, loops and odd names, and records full of control characters: what a person sees."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import socket
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from tests.cli.run import BROKEN, LEGAL, POSITION, couperation, on_a_terminal, process
from tests.conftest import LONG, some
from tests.kit.started import run

pytestmark = pytest.mark.slow

STEERING = "\x1b]0;owned\x07|\x1b[31m|\x7f|\x9b31m|\x85|\x00|\u202e|\u2066|\u2028|\r|\b"
"""Sequences that a terminal obeys: OSC, CSI, DEL, C1, changes of direction, line ends."""

NAME = "A\x1b[31m\x9b\x7f\x07\u202e\x1b]0;x\x07i"
"""A player's name: any run of characters but blanks and ``" ; { } [ ]`` is one (so no CSI sequence)."""
NAME = NAME.replace("[", "(").replace("]", ")").replace(";", ":")


def record(text: str = BROKEN) -> str:
    """A record with them in names, tags, comments, and where no CGN stands."""
    event = '[Event "{}"]\n'.format(STEERING.replace("\r", ""))
    return text.replace("Aki", NAME).replace("[Players", event + "[Players", 1).replace("9@f2", f"9@f2 {{{STEERING}}}")


def raw(shown: str) -> set[str]:
    """What steers a terminal in a text, but for line ends, tabs, and the colours and cursor moves of our own output."""
    own = re.sub(
        r"\x1b\[[0-9;]*m|\r\x1b\[K|\x1b\[2K|\x1b\[1?[AG]|\x1b\[\?25[lh]|\r\n", "", shown.replace("\x1b[31m|", "RAW\x07")
    )
    return {character for character in own if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs")} - {
        "\n",
        "\t",
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records whose names and contents steer a terminal."""
    where = tmp_path_factory.mktemp("games")
    odd = "\x1b[31m|\x9b\x07\n,=\udcff.cgn"
    (where / odd).write_bytes(record().encode())
    (where / "broken.cgn").write_text(record())
    (where / "legal.cgn").write_text(record(LEGAL))
    (where / "bad.cgn").write_text(record() + f"3. {STEERING} A 1@g1\n" + f"{STEERING}\n")
    (where / "position.cgn").write_text(record(POSITION))
    (where / "house.toml").write_text(f'"{json.dumps(STEERING)[1:-1].replace("|", "")}" = "x"\n')
    return where


COMMANDS = [
    ("check", "."),
    ("check", ".", "--output-format", "json"),
    ("check", ".", "--output-format", "sarif"),
    ("check", ".", "--output-format", "github"),
    ("check", "legal.cgn", "--world"),
    ("check", f"no{STEERING.replace(chr(0), '')}.cgn"),
    ("check", "legal.cgn", "--rules", "house.toml"),
    ("check", "legal.cgn", "--rules", "en-9\x1b[31m|\x07"),
    ("fmt", "legal.cgn"),
    ("fmt", "broken.cgn", "--diff"),
    ("fix", "."),
    ("fix", "bad.cgn", "--output-format", "json"),
    ("show", "legal.cgn"),
    ("position", "legal.cgn"),
    ("moves", "legal.cgn", "--at", "1"),
    ("moves", "legal.cgn", "--at", "1", "--output-format", "json"),
    ("moves", "legal.cgn", "--at", "1", "--alive", "--budget", "1"),
    ("complete", "position.cgn"),
    ("deadlock", "legal.cgn", "--budget", "1", "--output-format", "csv"),
    ("dispute", "broken.cgn"),
    ("infer", "legal.cgn"),
    ("explain", "\x1b[31m|\x07"),
    ("ask", "gap\x1b[31m|\x07", "--output-format", "json"),
    ("new", "--players", f"{NAME} Ben"),
    ("\x1b[31m|\x9b",),
    ("check", "--no\x1b[31m|\x07"),
    ("check", "--budget", "\x1b[31m|\x9b", "-"),
    ("show", "legal.cgn", "-o", "\x1b[31m|\x07.gif"),
    ("report", "legal.cgn", "-o", "\x1b[31m|\x07/x"),
]


@pytest.mark.parametrize("command", some(COMMANDS, 2), ids=lambda command: ascii(" ".join(command)))
def test_nothing_that_steers_a_terminal_reaches_one(folder: Path, command: tuple[str, ...]) -> None:
    code, shown = on_a_terminal(*command, cwd=folder)
    assert code < 70
    assert shown
    assert raw(shown) == set()
    assert "Traceback" not in shown


def test_what_goes_elsewhere_is_what_the_record_says(folder: Path) -> None:
    """The record itself is escaped for a terminal only."""
    done = process("fmt", folder / "legal.cgn")
    assert NAME.encode() in done.stdout
    assert "{" not in NAME
    assert NAME.encode() in process("position", folder / "legal.cgn").stdout
    moves = process("moves", folder / "legal.cgn", "--at", "1", "--output-format", "json").stdout.decode()
    assert json.loads(moves)["player"] == NAME
    assert raw(moves) == set()


def test_names_of_files_in_tables_differences_and_workflows(tmp_path: Path) -> None:
    names = ['=1+2,"x"\n\x1b.cgn', "@home.cgn", "plain.cgn", "50%,a:b\r.cgn"]
    for name in names:
        (tmp_path / name).write_text(LEGAL)
    csv_form = ("--level", "tower", "--output-format", "csv")
    done = run(["deadlock", *names, *csv_form], cwd=tmp_path)
    rows = list(csv.reader(io.StringIO(done.stdout.decode(), newline="")))
    assert [row[0] for row in rows] == [
        "file",
        './=1+2,"x"\\x0a\\x1b.cgn',
        "./@home.cgn",
        "plain.cgn",
        "50%,a:b\\x0d.cgn",
    ]
    assert {len(row) for row in rows} == {7}
    done = run(["fmt", "--diff", *names], cwd=tmp_path)
    heads = re.findall(rb"^(?:---|\+\+\+) (.*)$", done.stdout, re.MULTILINE)
    assert heads[0] == rb'=1+2,"x"\x0a\x1b.cgn'
    assert len(heads) == 2 * len(names)
    for name in names:
        (tmp_path / name).write_text(BROKEN)
    done = run(["check", "--output-format", "github", *names], cwd=tmp_path)
    lines = done.stdout.decode().splitlines()
    assert len(lines) == len(names)
    assert lines[0].startswith('::error file==1+2%2C"x"%0A\\x1b.cgn,line=')
    assert lines[3].startswith("::error file=50%25%2Ca%3Ab%0D.cgn,line=")


def test_pipes_devices_and_loops_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "legal.cgn").write_text(LEGAL)
    os.mkfifo(tmp_path / "pipe.cgn")
    ours, theirs = os.openpty()
    (tmp_path / "terminal.cgn").symlink_to(os.ttyname(theirs))
    (tmp_path / "round").mkdir()
    (tmp_path / "round" / "again").symlink_to(tmp_path)
    (tmp_path / "folder.cgn").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(tmp_path / "socket.cgn"))
        for command in (("check",), ("fmt", "--write"), ("dispute",), ("report", "-o", tmp_path / "page.html")):
            done = process(*command, tmp_path)
            assert done.returncode == 0
            skipped = [line.split("/")[-1] for line in done.stderr.decode().splitlines() if line.startswith("note: ")]
            assert skipped == [
                "pipe.cgn is no file, skipped",
                "socket.cgn is no file, skipped",
                "terminal.cgn is no file, skipped",
            ]
    os.close(ours)
    os.close(theirs)
    (tmp_path / "terminal.cgn").unlink()
    (tmp_path / "legal.cgn").unlink()
    assert process("check", tmp_path).returncode == 2
    (tmp_path / "loop.cgn").symlink_to("loop.cgn")
    assert b"cannot read" in process("check", tmp_path).stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_told_and_the_rest_is_checked(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    (tmp_path / "legal.cgn").write_text(LEGAL)
    done = process("check", tmp_path)
    assert (done.returncode, b"legal" in done.stdout) == (2, True)


@pytest.mark.parametrize("command", ["check", "fmt", "dispute"])
def test_a_pipe_that_is_named_is_read(tmp_path: Path, command: str) -> None:
    pipe = tmp_path / "pipe.cgn"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", 'printf "%s" "$1" > "$2"', "sh", LEGAL, str(pipe)]) as writer:
        assert process(command, pipe).returncode == 0
    assert writer.returncode == 0
    assert process(command, "/dev/stdin", stdin=LEGAL.encode()).returncode == 0
    if not LONG and command != "fmt":
        return  # of what a shell names one is enough
    script = f'"$1" -m couperation_formal {command} <(printf "%s" "$2")'
    done = subprocess.run(
        ["bash", "-c", script, "bash", sys.executable, LEGAL], capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 0
    assert b"Aki" in done.stdout or command != "fmt"


def test_the_difference_of_many_games_is_a_patch(tmp_path: Path) -> None:
    loose = LEGAL.replace("Aki A", "Aki  A").replace("\n1.", "\n\n\n1.") + "\n\n\n"
    file = tmp_path / "games.cgn"
    for text in (loose * 5, LEGAL + loose * 3, loose + LEGAL + POSITION + loose.rstrip("\n"), "\ufeff" + loose + LEGAL):
        file.write_text(text)
        wanted = couperation("fmt", file).stdout
        difference = process("fmt", "--diff", file).stdout
        patched = _patched(text, difference.decode())
        assert patched == wanted
    assert process("fmt", "--diff", "-", stdin=wanted.encode()).stdout == b""


def _patched(text: str, difference: str) -> str:
    """A unified difference applied at the lines that it names, each of which has to be as it says."""
    before, after, at = text.split("\n"), [], 0
    _, _, *lines = difference.split("\n")[:-1]
    for line in lines:
        if head := re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line):
            start = int(head[1]) - (head[2] != "0")
            after += before[at:start]
            at = start
            assert len(after) == int(head[3]) - (head[4] != "0")
        elif line[0] in " -":
            assert before[at] == line[1:]
            at += 1
            after += [line[1:]] * (line[0] == " ")
        elif line[0] == "+":
            after.append(line[1:])
    rest = before[at:]
    return "\n".join(after + (rest or [""]))
