"""`couperation check` on records that do not show everything: exact verdicts, worlds, conflicts, certificates."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import cvc5
import msgspec
import pytest
from couperation_checker import check_certificate

from couperation_formal.game.rulings import parse_rules
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import sample_game
from tests.cli.run import BROKEN, LEGAL, couperation, objects
from tests.conftest import LONG

pytestmark = pytest.mark.slow

HEAD = """[CGN "1"]
[Players "Aki Ben"]
[Marks "12:1 33:1 40:1 7:1 17:2 30:H 28:1 26:1"]
deal Aki ? ? ?
deal Ben ? ? ?
reserve 1 50 12 33 40 7

"""

TWO_HANDS = HEAD + "1. Aki A 26@h1\n2. Ben B ?@f1\n3. Aki A 30@i1\n4. Ben C f1=26\n*\n"
"""The 26 lies up on h1 when Ben opens it on f1."""

RESERVED = HEAD + "1. Aki B ?@h1\n2. Ben A 17@f1\n3. Aki C h1=33\n*\n"
"""The card opened on h1 lay in the Reserve all the time."""

LATE = (
    HEAD
    + "1. Aki A 26@h1\n2. Ben A 28@i1\n3. Aki A 30@j1\n4. Ben A 17@f1\n5. Aki A 10@e1\n"
    + "6. Ben A 45@k1\n7. Aki A 22@f2\n*\n"
)
"""Aki plays four cards out of three, and draws none."""


@cache
def public(seed: int, marks: bool = True) -> str:
    """A game as everybody sees it; in the suite its first eight turns."""
    record = sample_game(2 + seed % 3, "finish" if seed % 2 else "first", parse_rules("ja-2.2"), seed, "careful", True)
    text = record_text(record if LONG else msgspec.structs.replace(record, turns=record.turns[:8], result=None))
    return text if marks else "".join(line for line in text.splitlines(True) if not line.startswith("[Marks"))


def data(text: str, *arguments: str) -> dict[str, object]:
    (found,) = objects(couperation("check", "-", "--output-format", "json", *arguments, stdin=text))
    return found


@pytest.mark.parametrize("marks", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_public_games_are_legal_and_their_worlds_plainly_so(seed: int, marks: bool) -> None:
    result = couperation("check", "-", "--world", stdin=public(seed, marks))
    assert result.exit_code == 0
    told = [line[:7] for line in result.stderr.splitlines() if line.startswith(("error", "warning", "legal: "))]
    assert told == (["legal: "] if marks else ["warning", "legal: "])
    assert "?" not in result.stdout.split("\n\n")[1]
    plain = couperation("check", "-", "--engine", "plain", stdin=result.stdout)
    assert plain.exit_code == 0
    assert "\nlegal: " in f"\n{plain.stdout}"


@pytest.mark.parametrize(
    "text, turn, codes", [(TWO_HANDS, 4, {"ACT04"}), (RESERVED, 3, {"SET06", "ACT04"}), (LATE, 7, {"SET06", "ACT02"})]
)
def test_cards_that_cannot_be_where_they_show(text: str, turn: int, codes: set[str]) -> None:
    found = data(text)
    assert (found["verdict"], found["turn"]) == ("illegal", turn)
    told: list[dict[str, str]] = found["diagnostics"]  # type: ignore[assignment]
    errors = {entry["code"] for entry in told if entry["severity"] == "error"}
    assert errors & codes


def test_the_plain_engine_leaves_open_what_it_cannot_tell() -> None:
    assert data(public(0))["verdict"] == "legal"
    assert data(public(0), "--engine", "plain")["verdict"] == "undetermined"


def test_a_spent_budget_is_undetermined() -> None:
    result = couperation("check", "-", "--budget", "1", stdin=public(0))
    assert result.exit_code == 3
    assert ": 1 step did not decide it" in result.stdout


def refuted(script: str) -> bool:
    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    said = []
    while not (command := parser.nextCommand()).isNull():
        said.append(command.invoke(solver, parser.getSymbolManager()).strip())
    return bool(said[-1] == "unsat")


HIDDEN_ILLEGAL = (
    HEAD.replace("deal Ben ? ? ?", "deal Ben 22 9 3")
    + "1. Aki A 26@h1\n2. Ben B ?@f1\n3. Aki A 28@i1\n4. Ben +? A 22@f2\n5. Aki A 30@j1\n6. Ben A 9@e1\n"
    + "7. Aki +? A 27@h2\n8. Ben A 3@d1\n*\n"
)
"""Ben laid one of 22, 9 and 3 down before the draw, and then all three up."""

SURE = HEAD + "1. Aki B ?@h1\n2. Ben B ?@f1\n3. Aki C f1=17\n4. Ben C h1=17\n*\n"
"""Two down cards show the same number, as the plain replay sees at once."""


@pytest.mark.parametrize("text, turn", [(HIDDEN_ILLEGAL, 8), (SURE, 4)])
def test_a_no_with_unseen_cards_is_an_smt_lib_script(tmp_path: Path, text: str, turn: int) -> None:
    out = tmp_path / "no.smt2"
    result = couperation("check", "-", "--certificate", str(out), stdin=text)
    assert result.exit_code == 1
    script = out.read_text()
    assert f"turn {turn}, " in script
    assert refuted(script)
    assert not refuted(script.rsplit("(assert", 1)[0] + "(check-sat)\n")
    assert check_certificate(script).status == "unsupported"


def test_yes_and_plain_no_are_json_that_the_checker_accepts(tmp_path: Path) -> None:
    out = tmp_path / "answers.json"
    result = couperation("check", "-", "--certificate", str(out), stdin=public(1) + LEGAL + BROKEN)
    assert result.exit_code == 1
    certificates = json.loads(out.read_text())
    assert [entry["claim"] for entry in certificates] == ["record-legal", "record-legal", "record-illegal"]
    assert all(check_certificate(json.dumps(entry)).status == "accepted" for entry in certificates)
    again = couperation("check", "-", "--certificate", str(out), stdin=LEGAL)
    assert again.exit_code == 2
    assert "--force" in again.stderr


def test_why_names_the_line_to_correct_though_a_later_one_fails() -> None:
    text = HEAD.replace("deal Aki ? ? ?", "deal Aki 17 30 44") + "1. Aki A 30@h1\n2. Ben A 44@i1\n*\n"
    found = data(text, "--why")
    assert (found["verdict"], found["turn"]) == ("illegal", 2)
    assert found["correct"] == {"lines": ["deal Aki"], "complete": True}
    assert "other numbers or marks on deal Aki would make" in couperation("check", "-", "--why", stdin=text).stdout


def test_the_conflict_names_both_turns() -> None:
    found = data(HIDDEN_ILLEGAL)
    parts = found["conflict"]["parts"]  # type: ignore[index]
    assert {part["turn"] for part in parts} == {0, 4, 6, 8}
    shown = couperation("check", "-", stdin=HIDDEN_ILLEGAL).stdout
    assert "together with this: A 22@f2" in shown


def test_fully_seen_records_never_import_z3() -> None:
    code = (
        "import sys; from couperation_formal import check, read_text; "
        "found = [check(game).verdict for game in read_text(sys.stdin.read())]; "
        "sys.exit(found != ['legal', 'illegal'] or 'z3' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], input=LEGAL + BROKEN, text=True, check=True)
