"""`complete` and its neighbours where a tower is out of order, F can only be gone, or piles are empty."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import couperation_formal as cf
from couperation_formal.game.position import state_of
from couperation_formal.game.record import Exchange, Open, Position
from couperation_formal.game.rules.moves import legal_actions
from couperation_formal.notation.write import action_text, position_text
from tests.checker.package import command
from tests.cli.run import process
from tests.questions.tables.run import accepted, couperation, valid
from tests.towers.continuation.reasons_tables import FULL, position, without

SQUEEZED = without("d7", d1="10", d2="~13", e1="11")  # no number between 10 and 11 for d2
LOW = without("d7", d1="~13", d2="~14", e1="2")  # under `deck` two numbers are wanted below 2
UP_ONLY = "replace_target=facedown_only"
SORTS: dict[str, tuple[Position, str | list[str]]] = {
    "one pair, mended": (
        position(without("d7", h3="41"), aki="45 7", ben="28", reserve="38"),
        ["1. Aki +0 D 7-45=38@h3x41", "2. Ben +0 A 28@d7"],
    ),
    "one pair, and nothing pays": (position(without("d7", h3="41"), aki="45 8", ben="28", reserve="38"), "search"),
    "two pairs": (position(without("d7", d4="12", h3="41"), aki="45 7", ben="28", reserve="38"), "order"),
    "one pair that stays": (
        position(without("d7", h3="41"), aki="45 7", reserve="38", rules=f"ja-2.2 {UP_ONLY}"),
        "order",
    ),
    "a down card without a number, mended": (
        position(SQUEEZED, aki="7 8 28", reserve="15", last="g1"),
        ["1. Aki +0 D 7+8=15@e1x11", "2. Ben +0 C d2=13", "3. Aki +0 A 28@d7"],
    ),
    "a down card without a number": (position(SQUEEZED, aki="7 8 28", reserve="14", last="g1"), "search"),
    "only the down card may go": (position(SQUEEZED, aki="7 8 28", reserve="15", rules=f"ja-2.2 {UP_ONLY}"), "order"),
    "beyond the deck": (position(LOW, aki="7 8 28", reserve="15", rules=f"en-2 {UP_ONLY}"), "order"),
    "any integer will do": (position(LOW, aki="7 8 28", reserve="15", rules=f"ja-2.2 {UP_ONLY}"), "interval"),
    "down cards are ignored": (
        position(SQUEEZED, aki="7 8 28", reserve="15", rules=f"bgg {UP_ONLY}", last="g1"),
        "interval",
    ),
    "a full tower, won by mending it": (
        position({**FULL, "h3": "41"}, aki="45 7", reserve="38", rules="bgg", last="h3"),
        ["1. Aki +0 D 7-45=38@h3x41"],
    ),
    "opening the last down card loses": (
        position({**FULL, "h3": "~38", "d1": "14", "d2": "13"}, aki="9", rules="bgg", last="h3"),
        "exchanges",
    ),
}


@pytest.mark.parametrize("name", SORTS)
def test_a_tower_out_of_order(name: str, tmp_path: Path) -> None:
    asked, expected = SORTS[name]
    out = tmp_path / "proof.json"
    text = position_text(asked)
    data = valid("complete", "-", "--certificate", out, stdin=text, code=0 if isinstance(expected, list) else 1)
    (proof,) = accepted(out)
    if isinstance(expected, list):
        assert data["line"] == expected
        return
    (reason,) = data["reasons"]
    assert reason["kind"] == expected
    if expected == "order":
        assert proof["evidence"] == {part: reason[part] for part in ("kind", "numbers", "cells", "cards")}
        assert "out of order" in couperation("complete", "-", stdin=text).stdout


def test_what_a_reason_names() -> None:
    def named(name: str) -> tuple[Any, Any]:
        (reason,) = valid("complete", "-", stdin=position_text(SORTS[name][0]), code=1)["reasons"]
        return reason["numbers"], reason["cells"]

    assert named("two pairs") == ({"pairs": 2, "down": 0}, ["d3", "d4", "h3", "i2"])
    assert named("one pair that stays") == ({"pairs": 1, "down": 0}, ["h3", "i2"])
    assert named("only the down card may go") == ({"pairs": 0, "down": 1}, ["d1", "d2", "e1"])
    assert named("beyond the deck") == ({"pairs": 0, "down": 2}, ["d1", "d2", "e1"])


def order(asked: Position, numbers: dict[str, int], cells: list[str]) -> dict[str, Any]:
    import msgspec

    evidence = {"kind": "order", "numbers": numbers, "cells": cells, "cards": []}
    rulings = msgspec.structs.asdict(asked.rules.rulings)
    text = position_text(asked)
    return {"format": 1, "claim": "table-deadlocked", "position": text, "rulings": rulings, "evidence": evidence}


def test_other_cells_prove_nothing() -> None:
    from couperation_checker import check_object

    def code(*claim: Any) -> str:
        return check_object(order(*claim)).code

    two, one = SORTS["two pairs"][0], SORTS["one pair, mended"][0]
    cells = ["d3", "d4", "h3", "i2"]
    assert code(two, {"pairs": 2, "down": 0}, cells) == ""
    assert code(two, {"pairs": 2, "down": 0}, sorted([*cells, "g1"])) == ""
    assert code(two, {"pairs": 1, "down": 0}, cells) == "COUNT"
    assert code(two, {"pairs": 2, "down": 1}, cells) == "COUNT"
    assert code(two, {"pairs": 2, "down": 0}, cells[::-1]) == "COUNT"
    assert code(two, {"pairs": 2, "down": 0}, [*cells, "i2"]) == "COUNT"
    assert code(two, {"pairs": 2, "down": 0}, [*cells, "j7"]) == "COUNT"
    assert code(two, {"pairs": 1, "down": 0}, cells[2:]) == "COUNT"  # one of the two can be replaced
    assert code(one, {"pairs": 1, "down": 0}, cells[2:]) == "COUNT"
    assert code(one, {"pairs": 0, "down": 0}, []) == "COUNT"


FALSE_TOWER = (
    "15@d1 14@d2 13@e1 16@d3 17@e2 18@d4 19@f1 20@e3 21@d5 22@f2 23@e4 24@d6 25@g1 26@f3 27@e5 29@g2 30@f4 31@e6 32@h1"
    " 33@g3 34@f5 35@h2 36@g4 37@i1 38@h3 39@i2 40@j1"
)


def false_win() -> dict[str, Any]:
    """A line that lays the apex on a tower whose level 1 begins 15, 13."""
    laid = {cell: card for card, cell in (word.split("@") for word in FALSE_TOWER.split())}
    asked = position(laid, aki="28", reserve="1 2 3 4 5 6", rules="en-2", last="e6")
    claim = order(asked, {}, [])
    line = {"world": claim["position"], "line": ["1. Aki +0 A 28@d7"]}
    return {**claim, "claim": "table-completable", "evidence": line}


def test_a_win_with_a_tower_out_of_order_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "win.json"
    file.write_text(json.dumps(false_win()), encoding="utf-8")
    assert command(str(file)) == (1, f"{file}: rejected: BROKEN turn 1 of the line breaks TOW01\n", "")
    answer = process("complete", "-", stdin=false_win()["position"].encode())
    assert answer.returncode == 1
    assert b"d1, d2, e1 are out of order" in answer.stdout


def test_only_c_and_a_d_that_mends_are_legal() -> None:
    asked = SORTS["a down card without a number, mended"][0]
    state = state_of(asked)
    actions = legal_actions(state, state.to_move, asked.rules.rulings).actions
    assert [action_text(action) for action in actions] == ["C d2=13", "D 7+8=15@e1x11"]
    assert {type(action) for action in actions} == {Open, Exchange}


def test_no_command_takes_it_for_bad_input() -> None:
    for asked, _ in SORTS.values():
        text = position_text(asked)
        for command_, code in (("windows", {0, 1}), ("show", {0})):
            assert couperation(command_, "-", stdin=text).exit_code in code
        assert couperation("complete", "-", "--level", "tower", stdin=text).exit_code in {0, 1}
        (table,) = cf.read_text(text)
        assert isinstance(table, cf.Snapshot)
        assert cf.complete(table, level="tower") is not None


def test_an_unseen_up_card_of_a_tower_out_of_order() -> None:
    """Where no card keeps the orders each is tried, as the position allows it; in order it can be F too."""
    gone = "1 2 3 4 5 6 8 9 10 11 12 42 43 44 46 47 48 49 50"
    asked = position({**without("d7", h3="41"), "j1": "?"}, aki="45 7", ben="28", reserve="38", gone=gone)
    assert valid("complete", "-", "--no-verify", stdin=position_text(asked), code=0)["verdict"] == "completable"
    gone = " ".join(str(number) for number in range(1, 51) if number == 28 or str(number) not in FULL.values())
    asked = position({**FULL, "d6": "~24", "d7": "?"}, rules="bgg", finish=True, gone=gone, last="d6")
    assert valid("complete", "-", "--no-verify", stdin=position_text(asked), code=0)["line"] == ["1. Aki +0 C d6=24"]


GONE_FINISH = """[CGN "1"]
[Rules "ja-2.2"]
[Variant "finish"]
[Players "Ada Bo"]
position
tower 25@g1
hand Ada 2 3 ?
hand Bo
reserve
gone ?
deck 1 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 \
44 45 46 47 48 49
"""


def test_a_finish_card_that_can_only_be_gone(tmp_path: Path) -> None:
    """Ada's unseen card is not F, which would lie in front; so F is the gone one, and no other."""
    out = tmp_path / "proof.json"
    table = GONE_FINISH + "turn Ada\nlast g1\n"
    for text, level in ((GONE_FINISH, "tower"), (table, "tower"), (table, "table")):
        result = couperation("complete", "-", "--level", level, "--certificate", out, "--force", stdin=text)
        assert result.exit_code == 1
        assert "the Finish card is gone" in result.stdout.replace("The", "the")
        for proof in accepted(out):
            assert "gone" in json.dumps(proof["evidence"])
    assert couperation("windows", "-", stdin=GONE_FINISH).exit_code == 1
    assert "nothing can save it" in couperation("complete", "-", stdin=GONE_FINISH).stdout
    for elsewhere in (
        GONE_FINISH.replace(" 48 49", " 48"),
        GONE_FINISH.replace(" 48 49", " 48 ?"),
        GONE_FINISH.replace("2 3 ?", "2 3").replace("reserve", "reserve ?"),
        GONE_FINISH.replace("2 3 ?", "2 3").replace("reserve", "front Bo\nreserve"),
    ):
        assert couperation("complete", "-", stdin=elsewhere).exit_code == 0


def test_a_finish_card_without_a_number_that_can_only_be_in_the_reserve(tmp_path: Path) -> None:
    """Unseen or seen there, no D takes it: the same count, which the checker repeats. Unseen in the deck it may be."""
    out = tmp_path / "proof.json"
    table = GONE_FINISH.replace("2 3 ?", "2 3").replace("reserve", "reserve ?") + "turn Ada\nlast g1\n"
    for unseen, known in (("reserve ?", "reserve F"), ("", "")):
        text = table.replace(unseen, known)
        text = text.replace('"ja-2.2"', '"ja-2.2 finish_value=none"')
        out.unlink(missing_ok=True)
        result = couperation("complete", "-", "--budget", "1000", "--certificate", out, "--force", stdin=text)
        assert result.exit_code == 1
        assert [proof["evidence"]["numbers"] for proof in accepted(out)] == [{"reserve": 1}]
    elsewhere = text.replace("deck 1 ", "deck ? ")
    assert elsewhere != text
    assert couperation("complete", "-", "--budget", "1000", stdin=elsewhere).exit_code == 3


@pytest.mark.slow
def test_an_empty_reserve_and_empty_hands(tmp_path: Path) -> None:
    """The search's positions are written alike by the program and the checker, whatever is empty."""
    out = tmp_path / "proof.json"
    laid = without("d7", "e6")
    for asked in (
        position(laid, aki="28", ben="31", last="d6"),
        position(laid, aki="28", ben="31", deck="2 3", last="d6"),
        position(laid, aki="28", ben="31", reserve="2", last="d6"),
        position(laid, aki="28 5", deck="31", last="d6"),
    ):
        result = process("complete", "-", "--certificate", out, "--force", stdin=position_text(asked).encode())
        assert result.returncode in (0, 1), result.stderr
        assert len(accepted(out)) == 1
