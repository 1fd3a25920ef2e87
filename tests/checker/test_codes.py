"""Certificates written by hand: every claim, every kind of reason and proof, every code."""

from typing import Any

import pytest
from couperation_checker import Verdict, check_object

from tests.checker.hand import (
    ALL,
    FREE,
    FULL,
    certificate,
    code,
    conflict,
    disjoint,
    filled,
    finish,
    gone,
    interval,
    order,
    refused,
    repaired,
    without,
)
from tests.towers.continuation.brute import FURTHER


def test_completable() -> None:
    assert filled(FREE) == "accepted"
    assert filled({}, "tower " + " ".join(f"{value}@{cell}" for cell, value in FULL.items())) == "accepted"
    assert filled({**FREE, "h1": 30, "f4": 32}, "tower 25@g1 ~32@h1 ~?@i1") == "accepted"
    others = " ".join(str(value) for value in range(1, 51) if value not in FULL.values())
    assert filled(FREE, "tower 25@g1", f"gone {others}") == "accepted"
    assert filled(FREE, column="c") == "PLACE"
    assert filled(FREE, column="c", anchor="floating") == "CELLS"
    assert filled(without("d7")) == "CELLS"
    assert filled(FULL) == "CELLS"
    assert filled({**FREE, "k1": 50}) == "CELLS"
    assert filled({**FREE, "d7": 25}) == "VALUE"
    assert filled({**FREE, "d7": 27}) == "VALUE"
    assert filled({**FREE, "d7": "F"}) == "VALUE"
    assert filled(FREE, "tower 25@g1", "gone 28") == "VALUE"
    assert filled({**FREE, "d1": 14, "d2": 13}) == "ORDER"
    assert filled({**FREE, "i1": 40, "j1": 37}) == "ORDER"


def test_completable_with_unseen_gone_cards() -> None:
    assert filled(FREE, "tower 25@g1", "gone" + " ?" * 22) == "accepted"
    assert filled(FREE, "tower 25@g1", "gone" + " ?" * 23) == "GONE"
    assert filled(FREE, "tower 25@g1", "gone" + " ?" * 22, "hand Ben 1") == "GONE"
    assert filled(FREE, "tower 25@g1", "gone" + " ?" * 22, "deck ? 13") == "accepted"
    assert filled(FREE, "tower 25@g1 ~37@h1", "gone" + " ?" * 22) == "accepted"
    assert filled(FREE, "tower 25@g1 ~1@h1", "gone" + " ?" * 22) == "GONE"


def test_completable_with_the_finish_card() -> None:
    right = {**FREE, "d7": "F"}
    assert filled(right, variant="finish") == "accepted"
    assert filled(FREE, variant="finish") == "VALUE"
    assert filled(right, "tower 25@g1", "reserve F", variant="finish") == "accepted"
    assert filled(right, "tower 25@g1", "gone F", variant="finish") == "FINISH"
    assert (
        filled({cell: card for cell, card in right.items() if cell != "h1"}, "tower 25@g1 F@h1", variant="finish")
        == "FINISH"
    )
    moved = {**right, "d6": 26, "f3": 24}
    assert filled(moved, variant="finish") == "ORDER"
    assert filled(moved, variant="finish", finish_value="none") == "accepted"
    assert filled(moved, variant="finish", finish_value="apex_free") == "accepted"
    lines = "tower 24@g1"
    equal = {**right, "d6": 25}
    assert filled(equal, lines, variant="finish") == "ORDER"
    assert filled(equal, lines, variant="finish", between="inclusive") == "accepted"
    all_up = " ".join(f"{value}@{cell}" for cell, value in FULL.items() if cell != "d7")
    assert filled({}, f"tower {all_up} F@d7", variant="finish") == "accepted"


def test_intervals() -> None:
    tower = "tower 24@f1 25@g1"
    assert refused(interval(24, 25, ["f2"], []), tower) == "accepted"
    assert refused(
        interval(1, 27, [c for c in ALL if c not in ("d1", "j1")], [*range(2, 25), 26]), "tower 1@d1 25@g1 27@j1"
    ) == ("accepted")
    assert refused(interval(24, 25, ["f1"], []), tower) == "CELLS"
    assert refused(interval(24, 25, ["f2", "f2"], []), tower) == "CELLS"
    assert refused(interval(24, 25, ["a1"], []), tower) == "CELLS"
    assert refused(interval(24, 25, ["e2"], []), tower) == "WINDOW"
    assert refused(interval(23, 25, ["f2"], []), tower) == "accepted"
    assert refused(interval(22, 25, ["f2"], []), tower) == "LEFT"
    assert refused(interval(24, 27, ["f2"], []), tower) == "LEFT"
    assert refused(interval(23, 27, ["f2"], [23, 26]), tower) == "LEFT"
    assert refused(interval(24, 27, ["f2"], [26]), tower) == "COUNT"
    assert refused(interval(24, 25, [], []), tower) == "COUNT"
    assert refused(interval(1, 51, ["d2"], []), tower) == "WINDOW"
    assert refused(interval(0, 50, ["h2"], []), tower) == "WINDOW"
    for wrong in (
        interval(-1, 51, [], []),
        interval(0, 52, [], []),
        interval(0, 51, [], [51]),
        interval(0, 51, [], [0]),
    ):
        assert refused(wrong, tower) == "FORM"
    assert refused(interval(22, 26, ["f2"], []), "tower 22@f1 26@g1 23@h1", "gone 24 25") == "accepted"
    assert refused(interval(22, 26, ["f2"], []), "tower 22@f1 26@g1 23@h1", "gone 24", "hand Aki 25") == "LEFT"


def test_orders() -> None:
    tower = "tower 30@f1 25@g1"
    assert refused(order("f1", "g1"), tower) == "accepted"
    assert refused(order("d1", "g1"), "tower 30@d1 25@g1") == "accepted"
    assert refused(order("g1", "f1"), tower) == "AGREE"
    assert refused(order("f1", "g1"), "tower 24@f1 25@g1") == "AGREE"
    assert refused(order("f1", "f2"), tower) == "CELLS"
    assert refused(order("f1", "f1"), tower) == "CELLS"
    assert refused(order("f1", "d7"), tower) == "CELLS"
    assert refused(order("f1"), tower) == "FORM"
    assert refused(order("f1", "g1", "f1"), tower) == "FORM"


@pytest.mark.parametrize(
    "cells, tower, rulings, expected",
    [
        ("d1 d7", "26@d1 27@g1", {}, "accepted"),
        ("d1 d7", "25@d1 27@g1", {}, "accepted"),
        ("d1 d7", "25@d1 27@g1", {"between": "inclusive"}, "AGREE"),
        ("d1 d7", "26@d1 27@g1", {"between": "inclusive"}, "accepted"),
        ("d7 j1", "23@g1 25@j1", {}, "accepted"),
        ("d7 j1", "23@g1 26@j1", {}, "AGREE"),
        ("d1 d7", "24@d1 27@g1", {}, "AGREE"),
        ("d7 j1", "23@g1 25@j1", {"between": "inclusive"}, "AGREE"),
        ("d7 j1", "23@g1 24@j1", {"between": "inclusive"}, "accepted"),
        ("d7 j1", "23@g1 24@j1", {"finish_value": "none"}, "AGREE"),
        ("d7 j1", "23@g1 24@j1", {"finish_value": "apex_free"}, "AGREE"),
        ("d7 g1", "23@g1", {}, "AGREE"),
    ],
)
def test_orders_with_the_apex(cells: str, tower: str, rulings: dict[str, str], expected: str) -> None:
    assert refused(order(*cells.split()), f"tower {tower}", variant="finish", **rulings) == expected


def test_unseen_gone_cards() -> None:
    lines = ["tower 25@g1", "gone" + " ?" * 23]
    whole = interval(0, 51, ALL, [])
    assert refused(gone(1, whole), *lines) == "accepted"
    assert refused(gone(2, whole), *lines) == "LEFT"
    assert refused(gone(-99, whole), *lines) == "LEFT"
    assert refused(gone(-100, whole), *lines) == refused(gone(100, whole), *lines) == "FORM"
    assert refused(gone(1, interval(0, 51, ALL, [3])), *lines) == "LEFT"
    assert refused(gone(0, whole), "tower 25@g1", "gone" + " ?" * 22) == "COUNT"
    assert refused(gone(28, whole, whole), *lines) == "COUNT"
    assert refused(gone(1, whole), *lines, "hand Aki 3") == "LEFT"
    assert refused(gone(1, interval(0, 51, ALL, [3])), *lines, "hand Aki 3") == "accepted"
    assert refused(gone(1, interval(0, 51, [*ALL, "g1"], [])), *lines) == "CELLS"
    assert refused(gone(1, interval(0, 50, ALL, [])), *lines) == "WINDOW"
    assert refused(gone(1), "tower 25@g1", "gone" + " ?" * 50, variant="finish") == "accepted"
    right = interval(25, 51, ["h1", "i1", "j1", "g2", "h2", "i2", "g3", "h3", "g4"], [])
    left = interval(0, 25, ["d1", "e1", "f1", "d2", "e2", "f2", "d3", "e3", "d4"], [])
    lines = ["tower 25@g1", "gone" + " ?" * 33, "hand Aki 1", "hand Ben 2"]
    assert refused(gone(4, right, {**left, "left": [1, 2]}), *lines[:1], "gone" + " ?" * 35, *lines[2:]) == "accepted"


def test_finish_reasons() -> None:
    assert refused(finish("gone"), "tower 25@g1", "gone F", variant="finish") == "accepted"
    assert refused(finish("gone"), "tower 25@g1", variant="finish") == "FINISH"
    assert refused(finish("below_apex", "h1"), "tower 25@g1 F@h1", variant="finish") == "accepted"
    assert refused(finish("below_apex", "g1"), "tower 25@g1 F@h1", variant="finish") == "FINISH"
    assert refused(finish("gone", "h1"), "tower 25@g1", "gone F", variant="finish") == "FORM"
    assert refused(finish("below_apex"), "tower 25@g1 F@h1", variant="finish") == "FORM"
    assert refused(interval(25, 26, ["h1"], []), "tower 25@g1 F@h1 26@i1", variant="finish") == "CELLS"


def test_places() -> None:
    def columns(names: str, *lines: str) -> str:
        evidence = {"places": [{"column": name, "reason": interval(24, 25, ["f2"], [])} for name in names]}
        return code(certificate("deadlocked", evidence, *lines, anchor="floating"))

    tower = "tower 24@f1 25@g1"
    assert columns("abcdef", tower) == "accepted"
    for names in ("", "abcde", "abcdeff", "bacdef", "abcdefg", "abcdem"):
        assert columns(names, tower) == "PLACE"
    assert columns("cdef", f"{tower} 27@h1 30@i1") == "accepted"
    assert columns("abcdef", "tower 24@a1 25@g1 26@m1") == "POSITION"


PAIR = "tower 24@f1 25@g1"
CLASH = conflict("f1 g1", interval(24, 25, ["f2"], []))


def test_repair() -> None:
    assert repaired(0, "", FREE, disjoint()) == "accepted"
    assert repaired(0, "", FREE, disjoint(conflict("g1", order("g1", "g1")))) == "CELLS"
    assert repaired(0, "", FREE, {"kind": "tree", "conflicts": [], "nodes": []}) == "PROOF"
    assert repaired(1, "f1", FREE, disjoint(CLASH), PAIR) == "accepted"
    assert repaired(1, "f1", FREE, disjoint(), PAIR) == "PROOF"
    assert repaired(1, "f1", without("f1"), disjoint(CLASH), PAIR) == "CELLS"
    assert repaired(1, "f1", {**FREE, "f1": 22, "f2": 19}, disjoint(CLASH), PAIR) == "ORDER"
    assert repaired(1, "f2", FREE, disjoint(CLASH), PAIR) == "CELLS"
    assert repaired(2, "f1", FREE, disjoint(CLASH), PAIR) == "DISTANCE"
    assert repaired(0, "f1", FREE, disjoint(), PAIR) == "DISTANCE"
    assert repaired(1, "f1", FREE, disjoint(conflict("f1", CLASH["reason"])), PAIR) == "WINDOW"
    assert repaired(1, "f1", FREE, disjoint(conflict("g1 f1", CLASH["reason"])), PAIR) == "CELLS"
    assert repaired(
        1, "f1", FREE, {"kind": "tree", "conflicts": [CLASH], "nodes": [{"conflict": 0, "branches": []}]}, PAIR
    ) == ("accepted")
    assert repaired(1, "f1", None, disjoint(CLASH), PAIR) == "FORM"
    assert repaired(1, "f1", FREE, disjoint(CLASH), PAIR, column="e") == "PLACE"


def test_repair_by_what_may_be_given_up() -> None:
    only = conflict("f1", interval(24, 25, ["f2"], []))
    assert repaired(1, "f1", FREE, disjoint(only), PAIR, replace_target="not_anchor") == "accepted"
    assert repaired(1, "f1", FREE, disjoint(CLASH), PAIR, replace_target="not_anchor") == "CELLS"
    none = disjoint(conflict("", interval(24, 25, ["f2"], [])))
    assert repaired(None, "", None, none, PAIR, replace_target="facedown_only") == "accepted"
    assert repaired(None, "", None, none, PAIR) == "WINDOW"
    assert repaired(None, "f1", None, none, PAIR, replace_target="facedown_only") == "CELLS"
    assert (
        repaired(None, "f1", None, disjoint(conflict("", finish("gone"))), PAIR, "gone F", variant="finish")
        == "DISTANCE"
    )
    assert repaired(None, "", None, disjoint(), PAIR, replace_target="facedown_only") == "PROOF"
    assert repaired(None, "", None, disjoint(CLASH), PAIR) == "PROOF"


TRIPLE = "tower 27@f1 26@g1 25@h1"
PAIRS = [conflict(cells, order(*cells.split())) for cells in ("f1 g1", "g1 h1", "f1 h1")]
AFTER = {**FREE, "f3": 25}


@pytest.mark.parametrize(
    "nodes, expected",
    [
        ([(0, [1, 2]), (1, []), (2, [])], "accepted"),
        ([(0, [2, 1]), (2, []), (1, [])], "accepted"),
        ([(0, [1, 2]), (2, []), (1, [])], "PROOF"),
        ([(0, [1]), (1, [])], "PROOF"),
        ([(0, [1, 1]), (1, [])], "PROOF"),
        ([(0, [1, 1]), (2, [])], "PROOF"),
        ([(0, [0, 1]), (1, [])], "PROOF"),
        ([(0, [0, 1]), (2, [])], "PROOF"),
        ([(0, [1, 3]), (1, []), (2, [])], "PROOF"),
        ([(0, [1, 2]), (1, []), (2, []), (2, [])], "PROOF"),
        ([(0, [1, 2]), (1, [3, 4]), (2, []), (2, []), (2, [])], "PROOF"),
        ([(0, [1, 2]), (1, []), (3, [])], "PROOF"),
        ([(0, [])], "PROOF"),
        ([], "PROOF"),
    ],
)
def test_trees(nodes: list[tuple[int, list[int]]], expected: str) -> None:
    listed = [{"conflict": number, "branches": branches} for number, branches in nodes]
    tree = {"kind": "tree", "conflicts": PAIRS, "nodes": listed}
    assert repaired(2, "f1 h1", AFTER, tree, TRIPLE) == expected


def test_disjoint_conflicts() -> None:
    assert repaired(2, "f1 h1", AFTER, disjoint(PAIRS[0]), TRIPLE) == "PROOF"
    assert repaired(2, "f1 h1", AFTER, disjoint(PAIRS[0], PAIRS[1]), TRIPLE) == "PROOF"
    assert repaired(2, "f1 h1", AFTER, disjoint(PAIRS[0], conflict("f1 h1", order("h1", "f1"))), TRIPLE) == "AGREE"
    assert repaired(2, "h1 f1", AFTER, disjoint(PAIRS[0]), TRIPLE) == "CELLS"
    four = "tower 27@f1 26@g1 25@h1 24@i1"
    both = [conflict("f1 g1", order("f1", "g1")), conflict("h1 i1", order("h1", "i1"))]
    assert repaired(3, "f1 h1 i1", AFTER, disjoint(*both), four) == "PROOF"


def test_repair_of_a_finish_card() -> None:
    right, lines = {**FREE, "d7": "F"}, "tower 25@g1 F@h1"
    stray = conflict("h1", finish("below_apex", "h1"))
    assert repaired(1, "h1", right, disjoint(stray), lines, variant="finish") == "accepted"
    assert repaired(1, "g1", {**right, "g1": 25}, disjoint(stray), lines, variant="finish") == "FINISH"
    assert repaired(0, "", right, disjoint(), lines, variant="finish") == "FINISH"
    assert (
        repaired(1, "h1", right, disjoint(conflict("", finish("below_apex", "h1"))), lines, variant="finish")
        == "FINISH"
    )
    kept = disjoint(conflict("", finish("below_apex", "h1")))
    assert repaired(None, "", None, kept, lines, variant="finish", replace_target="facedown_only") == "accepted"
    lost = disjoint(conflict("", finish("gone")))
    assert repaired(None, "", None, lost, "tower 25@g1", "gone F", variant="finish") == "accepted"
    assert repaired(None, "", None, lost, lines, variant="finish") == "FINISH"


def test_vacuous_evidence_is_refused() -> None:
    assert code(certificate("deadlocked", {"places": []})) == "PLACE"
    assert code(certificate("deadlocked", {})) == "FORM"
    assert refused(gone(1)) == "LEFT"
    assert refused(interval(0, 0, [], [])) == "COUNT"
    assert filled({}) == "CELLS"
    assert code({}) == "FORM"
    full: dict[str, Any] = {"distance": None, "column": None, "give_up": [], "filling": None, "lower": []}
    assert code(certificate("repair", full)) == "PLACE"


def test_the_first_code_of_the_table_is_told() -> None:
    reasons = [interval(24, 25, ["f2"], [3]), interval(24, 25, ["e2"], []), order("f1", "h7")]
    for number, expected in enumerate(["LEFT", "WINDOW", "CELLS"], 1):
        fitting = [reasons[index] if index < number else interval(24, 25, ["f2"], []) for index in range(6)]
        places = [{"column": name, "reason": reason} for name, reason in zip("abcdef", fitting, strict=True)]
        assert code(certificate("deadlocked", {"places": places}, "tower 24@f1 25@g1", anchor="floating")) == expected


def test_later_formats_and_cards_not_told_are_unsupported() -> None:
    assert check_object({"format": 2, "claim": "anything"}) == Verdict("unsupported", "", "a later format")
    assert filled(without("h1"), "tower 25@g1 ?@h1") == "unsupported"
    for ruling, option in FURTHER:
        assert filled(FREE, "tower 25@g1", **{ruling: option}) == "accepted"
        assert filled(FREE, "tower 25@g1", **{ruling: f"{option}s"}) == "FORM"
    assert code({**certificate("completable", {}), "claim": "table-completable"}) == "FORM"
