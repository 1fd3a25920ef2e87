"""Slips that people make, each with what the command line says of it and what mends it.

`slips.txt` holds a slip on each line that begins with ``>``, lines of it parted by ``|``. Below it stand the lines that
``check --output-format concise`` prints, and after ``=`` the lines as their edits mend them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from couperation_formal.game.record import NOTATION
from couperation_formal.notation.read import Malformed, read_text
from tests.cli.run import couperation
from tests.conftest import some
from tests.kit.started import run

TABLE = Path(__file__).with_name("slips.txt")
HEAD = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Ben 38 5 21\nreserve 1 50 12 33 40 14\n'


class Slip(NamedTuple):
    """A slip, its section, and the lines below it."""

    section: str
    slip: str
    told: list[str]

    @property
    def text(self) -> str:
        """The whole text."""
        lines = self.slip.replace("|", "\n") + "\n"
        return lines if self.section == "whole" else HEAD + lines


def table() -> Iterator[Slip]:
    section = ""
    for line in TABLE.read_text(encoding="utf-8").split("\n"):
        if line.startswith("## "):
            section = line[3:]
        elif line.startswith("> "):
            found = Slip(section, line[2:], [])
            yield found
        elif line:
            found.told.append(line)


SLIPS = list(table())


@cache
def mended(text: str) -> tuple[str, bool]:
    """The text with all its edits made, from the last one on and again until none is left, and whether each of its
    faults had one. Of edits that overlap, as those of two faults of one word do, the first is made."""
    whole = True
    for _ in range(5):
        (item, *_others) = read_text(text)
        if not isinstance(item, Malformed):
            break
        faults = [found for found in item.diagnostics if found.severity == "error"]
        edits = sorted((found.edit for found in faults if found.edit), key=lambda edit: edit.span)
        apart = [edit for at, edit in enumerate(edits) if not at or edit.span.start >= edits[at - 1].span.end]
        whole = len(edits) == len(faults)
        for edit in reversed(apart):
            text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    return text, whole


def told(folder: Path) -> Iterator[Slip]:
    """Each slip with what the command line says of it, lines counted from its own first, and its mended form."""
    for number, slip in enumerate(SLIPS):
        (folder / f"{number:03}").write_text(slip.text, encoding="utf-8", newline="")
    files = sorted(folder.iterdir())
    result = couperation("check", *files, "--engine", "plain", "--output-format", "concise")
    said = [line.split(":", 2) for line in result.stdout.splitlines()]
    for file, slip in zip(files, SLIPS, strict=True):
        before = 0 if slip.section == "whole" else HEAD.count("\n")
        lines = [f"{int(at) - before}:{rest}" for name, at, rest in said if name == str(file)]
        text, _ = mended(slip.text)
        if text != slip.text:
            lines.append("= " + text.removeprefix(HEAD if before else "")[:-1].replace("\n", "|"))
        yield slip._replace(told=lines)


@pytest.mark.slow
def test_what_is_said_of_each_slip(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    found = list(told(tmp_path))
    if request.config.getoption("--update-goldens"):
        lines, section = [], ""
        for slip in found:
            lines += [] if slip.section == section else ["", f"## {slip.section}"]
            section = slip.section
            lines += [f"> {slip.slip}", *slip.told]
        TABLE.write_text("\n".join(lines).lstrip("\n") + "\n", encoding="utf-8")
    assert {slip.slip: slip.told for slip in found} == {slip.slip: slip.told for slip in table()}
    assert len(found) > 150


def test_every_slip_but_a_few_names_is_an_error_of_the_notation() -> None:
    rules = [slip.slip for slip in SLIPS if not any(f": {NOTATION} " in line for line in slip.told)]
    assert rules == RULES


RULES = [
    *("1. +7 A 7@f1", "1. Aki: A 17@f1", "1. aki A 17@f1", "1. Aki, A 17@f1"),
    '[CGN "1"]|[Players "Zoë Tom"]|1. Zoë A 17@f1',
]
"""Names that are no player's, which END06 tells; and one that differs in its composition only, which is none."""


@pytest.mark.parametrize("slip", some(SLIPS), ids=lambda slip: slip.slip)
def test_what_is_mended_is_read(slip: Slip) -> None:
    text, whole = mended(slip.text)
    again, _ = mended(text)
    items = list(read_text(text))
    if whole:
        assert not any(isinstance(item, Malformed) for item in items), (text, items)
    else:
        assert again == text, "what was mended is not told again"


@pytest.mark.slow
@pytest.mark.parametrize("slip", SLIPS[:: len(SLIPS) // 4], ids=[slip.slip for slip in SLIPS[:: len(SLIPS) // 4]])
def test_a_process_says_the_same(slip: Slip, tmp_path: Path) -> None:
    path = tmp_path / "slip.cgn"
    path.write_text(slip.text, encoding="utf-8")
    ran = run(["check", path, "--engine", "plain", "--output-format", "concise"])
    said = couperation("check", "-", "--engine", "plain", "--output-format", "concise", stdin=slip.text)
    assert ran.stdout.decode() == said.stdout.replace("-:", f"{path}:", 1).replace("\n-:", f"\n{path}:")
    assert ran.returncode == said.exit_code
