"""The SMT-LIB files of the specification: as generated, and with the answers they state, from Z3 and from cvc5."""

from __future__ import annotations

import re
from pathlib import Path

import cvc5
import pytest
import z3

from couperation_formal.game.tower import Cell
from tests.conftest import LONG
from tests.towers.completion.lemmas import FILES, FOLDER, text_of
from tests.towers.completion.smt_text import APEX, CELLS, LEFT, least_and_greatest

pytestmark = pytest.mark.slow

NAMES = sorted(path.name for path in FOLDER.glob("*.smt2"))


def stated(text: str) -> list[str]:
    """The status before each check, which each must have."""
    found = re.findall(r"^\(set-info :status (\w+)\)\n\(check-sat\)$", text, re.MULTILINE)
    assert found
    assert len(found) == text.count("(check-sat)") == text.count(":status")
    return found


def cvc5_answers(path: Path) -> list[str]:
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("incremental", "true")
    parser = cvc5.InputParser(solver)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, str(path))
    answers = []
    while not (command := parser.nextCommand()).isNull():
        answer = command.invoke(solver, parser.getSymbolManager()).strip()
        if answer:
            answers.append(answer)
    return answers


def test_every_file_is_listed() -> None:
    assert sorted(FILES) == NAMES
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `(.*?\.smt2)`", readme, re.MULTILINE)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_as_generated(name: str) -> None:
    """Renew with ``python -m tests.towers.completion.lemmas``."""
    assert (FOLDER / name).read_text(encoding="utf-8") == text_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_z3_answers_as_stated(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert z3.Z3_eval_smtlib2_string(z3.Context().ref(), text).split() == stated(text)


@pytest.mark.parametrize("name", [name for name in NAMES if LONG or not name.startswith("ends")])
def test_cvc5_answers_as_stated(name: str) -> None:
    """In the suite without the three files on ends, of many checks each, which Z3 answers there alone."""
    assert cvc5_answers(FOLDER / name) == stated((FOLDER / name).read_text(encoding="utf-8"))


def test_the_table_of_ends() -> None:
    """The README's table is the closed form that the files prove."""
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([d-j]\d) \| (.*) \|$", readme, re.MULTILINE))
    assert sorted(rows) == sorted(map(str, CELLS))
    for cell in CELLS:
        for between, shown in zip((None, "strict", "inclusive"), rows[str(cell)].split(" | "), strict=True):
            if between is None or cell != APEX:
                assert shown == "{} to {}".format(*least_and_greatest(cell, between))


def test_the_closed_form_of_the_ends() -> None:
    for column, level in CELLS:
        first, right = column - LEFT, 7 - (column - LEFT) - level
        least = (first + 1) * (2 * level + first) // 2
        greatest = 51 - (right + 1) * (2 * level + right) // 2
        assert least_and_greatest(Cell(column, level), None) == (least, greatest)
