"""No line is wider than the terminal on which it is shown, and none that is folded loses a word."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from couperation_formal.cli import output
from couperation_formal.notation.write import record_text
from couperation_formal.output.blocks import folded
from couperation_formal.questions.records.ask import questions
from tests.cli.run import couperation, on_a_terminal, process
from tests.conftest import LONG, some

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*/*.cgn"))[:: 1 if LONG else 2]
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
COMMANDS = (
    ("dispute", "--budget", "9000"), ("moves",), ("windows",), ("check",), ("show",),
    ("complete", "--level", "tower"), ("complete", "--budget", "2000"),
    ("deadlock", "--level", "tower"), ("deadlock", "--budget", "2000"),
    *(("explain", clause) for clause in ("SET03", "LIM01", "ACT05", "SET06")),
)  # fmt: skip
"""With a budget for what takes long; then less is said, and as wide."""


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "terminal_width", lambda _stream: 120)


def too_wide(shown: str) -> list[str]:
    return [line for line in shown.splitlines() if len(line) > 120]


@pytest.mark.parametrize("path", some(EXAMPLES, 3), ids=lambda path: path.stem)
def test_no_line_about_an_example_is_wider_than_the_terminal(path: Path) -> None:
    for command in COMMANDS:
        found = couperation(*command, path)
        assert too_wide(found.output) == [], command


def test_no_line_about_a_question_is_wider_than_the_terminal() -> None:
    folds = 0
    for question in questions()[:: 1 if LONG else 24]:
        record = record_text(question.game.record)
        for command in (("dispute", "-", "--budget", "20000"), ("check", "-", "--from", str(question.turn))):
            shown = couperation(*command, stdin=record).output
            assert too_wide(shown) == [], record
            folds += "\n     " in shown
    assert folds > (3 if LONG else 1)


@pytest.mark.parametrize("command", [("explain", "SET02"), ("dispute",)])
def test_on_a_terminal_lines_are_folded_and_in_a_pipe_they_are_whole(command: tuple[str, ...]) -> None:
    arguments = (*command, str(ROOT / "examples" / "broken" / "draw.cgn"))
    piped = process(*arguments).stdout.decode()
    for columns in some((80, 120), 2):
        _, shown = on_a_terminal(*arguments, columns=columns)
        shown = COLOURS.sub("", shown)
        assert shown.split() == piped.split()
        prose = [line for line in shown.splitlines() if not re.match(r" *[├└│]| *· |\d* +\|", line)]
        assert max(map(len, prose)) <= columns
    assert too_wide(piped)


def test_what_becomes_of_actions_and_what_is_refused_is_folded_too() -> None:
    lost = ROOT / "examples" / "tables" / "lost.cgn"
    for arguments in (("moves", lost, "--at", "34", "--alive", "--budget", "8600"), ("check", "--rules", "en-3", lost)):
        shown = COLOURS.sub("", on_a_terminal(*arguments, columns=60)[1])
        piped = process(*map(str, arguments))
        assert shown.split() == (piped.stdout + piped.stderr).decode().split()
        lines = [line for line in shown.splitlines() if not re.match(r"    \d+\. ", line)]
        assert max(map(len, lines)) <= 60
        assert max(map(len, (piped.stdout + piped.stderr).decode().splitlines())) > 100


def test_folding_keeps_words_and_styles() -> None:
    rng = Random(3)
    for _ in range(300):
        pieces = [
            (
                " ".join("x" * rng.randint(1, 9) for _ in range(rng.randint(1, 12)))
                + rng.choice(["", " ", "\n", ": "]),
                s,
            )
            for s in rng.choices(["", "bold", "red"], k=rng.randint(1, 6))
        ]
        width, hang = rng.randint(30, 60), rng.randint(0, 50)
        found = list(folded(pieces, width, hang))
        text, lines = "".join(part for part, _ in pieces), "".join(part for part, _ in found).split("\n")
        assert " ".join(lines).split() == text.split()
        assert max(map(len, lines)) <= width + text.endswith(" ")
        for style in ("bold", "red"):
            kept, was = ("".join(part for part, s in each if s == style) for each in (found, pieces))
            assert "".join(kept.split()) == "".join(was.split())
        assert list(folded(pieces, None, hang)) == pieces


def test_a_word_that_is_too_long_stays_whole() -> None:
    path = "/".join(["folder"] * 20)
    assert "".join(part for part, _ in folded([(f"in {path} it is\n", "")], 60, 2)) == f"in\n  {path}\n  it is\n"
