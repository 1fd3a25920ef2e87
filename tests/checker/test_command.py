"""The command `couperation-checker` as a process: an exit code of 1 means rejected and nothing else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import couperation_formal
from tests.checker.package import FOLDER, RIGHT, WRONG

pytestmark = pytest.mark.slow

COMMAND = f"{sys.executable} -m couperation_checker"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(FOLDER.parent), "LC_ALL": "C.UTF-8"}


def shell(line: str, folder: Path) -> tuple[int, str, str]:
    """A line of bash whose exit code is that of the checker: `couperation-checker` stands for the module."""
    line = line.replace("couperation-checker", COMMAND)
    run = subprocess.run(["bash", "-c", line], cwd=folder, env=ENVIRONMENT, capture_output=True, check=False)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "right.json").write_text(json.dumps(RIGHT))
    (tmp_path / "wrong.json").write_text(json.dumps(WRONG))
    (tmp_path / "many.json").write_text(json.dumps([WRONG] * 1350))  # whose answers no pipe holds
    (tmp_path / "long.json").write_text(" " * (1 << 20) + json.dumps(RIGHT))
    (tmp_path / "folder").mkdir()
    return tmp_path


def test_the_version_and_the_help(folder: Path) -> None:
    version = (0, f"couperation-checker {couperation_formal.__version__}\n", "")
    assert shell("couperation-checker --version", folder) == version
    isolated = f"cd / && PYTHONPATH={FOLDER.parent} {sys.executable} -S -m couperation_checker --version"
    assert shell(isolated, folder) == version  # from a checkout, nothing installed
    code, output, errors = shell("couperation-checker --help", folder)
    assert (code, errors) == (0, "")
    assert shell("couperation-checker -h", folder)[1] == output
    for words in ("usage: couperation-checker FILE...", "0 all are accepted", "1 one is rejected", "1 MiB", "steps"):
        assert words in output
    code, output, errors = shell("couperation-checker --fast", folder)
    assert (code, output, errors.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    "line",
    [
        "couperation-checker none.json",
        "couperation-checker folder",
        "couperation-checker right.json none.json",
        "couperation-checker wrong.json none.json",
        "couperation-checker - <&-",
        "couperation-checker right.json/none",
        "couperation-checker long.json",
        "couperation-checker right.json wrong.json long.json",
        "couperation-checker $'a\\0b'x$'\\x1b'",
    ],
)
def test_a_file_that_cannot_be_read_is_two(line: str, folder: Path) -> None:
    code, _, errors = shell(line, folder)
    assert (code, errors.count("\n")) == (2, 1)
    assert not any(word in errors for word in ("Traceback", "AttributeError", "\x1b"))


@pytest.mark.parametrize(
    "line",
    [
        "couperation-checker right.json >/dev/full",
        "couperation-checker many.json >/dev/full",
        "couperation-checker --help >/dev/full",
        "couperation-checker right.json >&-",
        "exec 3> >(:); wait $!; couperation-checker right.json >&3",
        "exec 3> >(:); wait $!; couperation-checker many.json >&3",
    ],
)
def test_an_output_that_cannot_be_written_is_seventy(line: str, folder: Path) -> None:
    code, _, errors = shell(line, folder)
    assert (code, errors.count("\n")) == (70, 1)
    assert errors.startswith("couperation-checker: cannot write the output: ")


def test_with_both_outputs_unusable_it_is_still_no_rejection(folder: Path) -> None:
    assert shell("couperation-checker right.json >/dev/full 2>/dev/full", folder)[0] == 70
    assert shell("couperation-checker none.json 2>/dev/full", folder)[0] == 70
    assert shell("couperation-checker right.json >&- 2>&-", folder)[0] == 70


def test_an_interrupt_is_one_line_and_seventy(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with (
        subprocess.Popen(
            [*COMMAND.split(), "pipe"],
            cwd=folder,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # where these tests ignore it
        ) as run,
        (folder / "pipe").open("wb") as pipe,
    ):  # the checker has opened it too, and reads
        pipe.write(b"[")
        pipe.flush()
        run.send_signal(signal.SIGINT)
        pipe.close()  # a signal that comes just before a read begins is seen only when the read ends
        output, errors = run.communicate()
    assert (run.returncode, output, errors) == (70, b"", b"couperation-checker: interrupted\n")


def test_names_in_a_certificate_reach_no_terminal_raw(folder: Path) -> None:
    certificate = {**RIGHT, "claim": "record-illegal", "record": "", "evidence": {"turn": 1, "clause": "SET01"}}
    del certificate["position"]
    certificate["evidence"]["numbers"] = {"\x1b]0;x\x07\ud800": [1]}
    (folder / "odd.json").write_text(json.dumps(certificate))
    code, output, errors = shell("couperation-checker odd.json", folder)
    assert (code, errors) == (1, "")
    assert output.isascii()
    assert output.rstrip("\n").isprintable()
