"""What a command may write, as a person meets it: real processes, links, pipes, devices."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.run import BROKEN, LEGAL, couperation
from tests.conftest import some
from tests.files.work import UNSEEN
from tests.kit.started import Started

pytestmark = pytest.mark.slow

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
            continue  # it takes the pages: tests/page/test_report_cli.py
        refused = couperation(*command, bad, "--force")
        assert refused.exit_code == 2
        assert words in refused.stderr
    assert nothing.is_symlink()
    assert link.is_symlink()
    assert not Path("not-there").exists()
    assert pipe.is_fifo()
    os.close(ours)
    os.close(theirs)


def spellings(folder: Path, name: str) -> Iterator[str]:
    """An input's other names: another spelling, a symlink, a hard link."""
    yield name
    yield f"../{folder.name}/./{name}"
    for kind, make in (("soft", os.symlink), ("hard", os.link)):
        make(name, f"{kind}-{name}")
        yield f"{kind}-{name}"


@pytest.mark.parametrize("command", some([
    ("check", "game.cgn", "-o"), ("check", ".", "-o"), ("check", "game.cgn", "--certificate"), ("report", ".", "-o"),
    ("fmt", "game.cgn", "-o"), ("fmt", "-", "-o"), ("fix", "game.cgn", "-o"), ("position", "game.cgn", "-o"),
    ("complete", "game.cgn", "--certificate"),
    ("moves", "game.cgn", "--at", "1", "--alive", "--budget", "1", "--certificate"), ("dispute", "game.cgn", "-o"),
], 2), ids=" ".join)  # fmt: skip
def test_an_input_is_refused_whatever_it_is_called(folder: Path, command: tuple[str, ...]) -> None:
    for out in spellings(folder, "game.cgn"):
        with Path("game.cgn").open("rb") as stdin, Path("told").open("wb") as told:
            streams = (stdin.fileno(), told.fileno(), told.fileno())
            assert Started([*command, out, "--force"], streams).ended()[0] == 2
        assert "is an input; it is not overwritten" in Path("told").read_text()
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
