"""Characters that take two cells of a terminal: names, columns and carets stand where they belong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from couperation_formal.output.blocks import Line, frame
from tests.cli.run import couperation, on_a_terminal, process

GAME = """\
[CGN "1"]
[Event "金曜日の乾杯"]
[Players "あきこ Ben"]
deal あきこ 17 30 44
deal Ben 22 9 3
reserve 1 50 12 33 40 7
1. あきこ A 17@f1
2. Ben A 9@f2 ; 九を置いた
"""
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "金曜日.cgn"
    file.write_text(GAME, encoding="utf-8")
    return file


def at(line: str, word: str) -> int:
    """The cell at which a word begins."""
    return cell_len(line[: line.index(word)])


def test_hands_stand_below_each_other(game: Path) -> None:
    lines = process("show", game, "--at", "1").stdout.decode().splitlines()
    hands = {line.split()[0]: line for line in lines if line.startswith(("あきこ", "Ben", "Reserve", "deck"))}
    assert len({at(line, line.split()[1]) for line in hands.values()}) == 1


def test_carets_stand_below_what_they_mean(game: Path) -> None:
    text = GAME.replace("1. あきこ A 17@f1", "1. あきこ A 17@f1 {三つのグラス} ~~").replace(
        "Ben A 9@f2", "あきこ A 9@f2"
    )
    lines = process("check", "-", stdin=text.encode()).stdout.decode().splitlines()
    place = next(number for number, line in enumerate(lines) if "^" in line)
    shown, carets = lines[place - 1], lines[place]
    assert cell_len(carets[: carets.index("^")]) == at(shown, "あきこ")
    assert carets.count("^") == cell_len("あきこ")


def test_the_examples_of_a_new_record_stand_below_each_other() -> None:
    lines = couperation("new", "--players", "あきこ Ben").stdout.splitlines()
    told = [line for line in lines if re.match(r"; \d\.", line)]
    assert len(told) == 4
    assert len({cell_len(re.match(r".*\S  +(?=\S)", line)[0]) for line in told}) == 1  # type: ignore[index]


@pytest.mark.parametrize("columns", [40, 57, 80])
def test_the_line_in_a_frame_fits_a_narrow_terminal(game: Path, columns: int) -> None:
    """And the carets stand below what they mean all the same."""
    game.write_text(GAME.replace("A 9@f2", "A 9@f2 {" + "九を置いた " * 20 + "}").replace("2. ", "2.    "), "utf-8")
    _, shown = on_a_terminal("check", game, columns=columns)
    lines = COLOURS.sub("", shown).splitlines()
    place = next(number for number, line in enumerate(lines) if "^" in line)
    assert cell_len(lines[place - 1]) <= columns
    assert at(lines[place], "^") == at(lines[place - 1], "A 9@f2")


@pytest.mark.parametrize("most", [20, 37, 60])
@pytest.mark.parametrize("start", [0, 40, 190])
@pytest.mark.parametrize("length", [1, 7, 100])
def test_a_line_is_shortened_to_the_cells_there_are(most: int, start: int, length: int) -> None:
    text = "あa" * 100
    shown, indent, width = frame(Line(1, text, start, min(200, start + length)), most)
    assert cell_len(shown) <= most
    assert indent + width <= most
    kept = [place for place in range(len(shown)) if cell_len(shown[:place]) == indent]
    assert shown[kept[0]] == text[start]
