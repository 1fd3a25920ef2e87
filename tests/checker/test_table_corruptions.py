"""Certificates of tables with something changed: each is refused, and for the right reason."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import jsonschema
import pytest
from couperation_checker import check_certificate

from tests.checker.record_package import SCHEMA
from tests.checker.table_corruptions import (
    DEAD_TABLE,
    LAID,
    LINE,
    MARKS,
    TABLE,
    USED,
    WON,
    code,
    found,
    made,
    searched,
    table,
)


def test_a_line() -> None:
    assert code(WON) == "accepted"
    unseen = TABLE.replace("hand Bo 28", "hand Bo ?")
    assert code(made("table-completable", unseen, WON["evidence"])) == "accepted"
    assert code(made("table-completable", unseen, {"world": unseen, "line": LINE})) == "UNSEEN"
    unseen = TABLE.replace("hand Bo 28", "hand Bo ?").replace("5 31", "31 ?").replace(f'"{MARKS}"', '"31:1"')
    assert code(made("table-completable", unseen, WON["evidence"])) == "accepted"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (LINE[:1], "WIN"),
        ([], "WIN"),
        ([*LINE, "3. Ada +0 B 5@c1"], "BROKEN"),
        (["1. Ada +0 A 5@e6", LINE[1]], "BROKEN"),
        ([LINE[0], "2. Bo +0 A 27@d7"], "BROKEN"),
        ([LINE[0], "3. Bo +0 A 28@d7"], "BROKEN"),
        ([LINE[1], LINE[0]], "BROKEN"),
        ([LINE[0], "2. Ada +0 A 28@d7"], "BROKEN"),
        ([LINE[0], "2. Bo +1 A 28@d7"], "BROKEN"),
        ([LINE[0], "2. Bo +0 A 28@d7 drop 5"], "BROKEN"),
        ([LINE[0], "2. Bo +0 B 28@d7"], "BROKEN"),
        ([LINE[0], "2. Bo A 28@d7"], "RECORD"),
        ([LINE[0], "win"], "RECORD"),
        ([LINE[0], "2. Bo +0 A 51@d7"], "RECORD"),
        (["\n".join(LINE)], "RECORD"),
    ],
)
def test_a_line_with_a_turn_changed(line: list[str], expected: str) -> None:
    assert code(made("table-completable", TABLE, {"world": TABLE, "line": line})) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("hand Bo 28", "hand Bo ?", "WORLD"),
        ("5 31", "31 ?", "WORLD"),
        ("5 31", "5 28", "POSITION"),
        ("turn Ada", "turn Bo", "WORLD"),
        ("last d6", "last e5", "WORLD"),
        ("last d6\n", "", "WORLD"),
        ("1:1 2:1", "1:1 2:2", "WORLD"),
        ("24@d6", "~24@d6", "WORLD"),
        ("gone 2 3", "gone 3", "WORLD"),
        ("gone 2 3", "gone 2 ?", "WORLD"),
        (" 12 11 10 9\n", " 12 11 10\n", "WORLD"),
        ("Ada Bo", "Ada Cy", "POSITION"),
        ("[Variant", "[Variety", "accepted"),
        ('"first"', '"finish"', "WORLD"),
        ("turn Ada\nlast d6\n", "", "POSITION"),
        ("hand Bo 28", "hand Bo F", "POSITION"),
    ],
)
def test_a_world_that_is_another_table(old: str, new: str, expected: str) -> None:
    assert old in TABLE
    world = TABLE.replace(old, new)
    assert code(made("table-completable", TABLE, {"world": world, "line": LINE})) == expected


def test_a_world_fills_in_and_changes_nothing() -> None:
    down = table(["~24@d6" if word == "24@d6" else word for word in LAID[:-1]], "5 31", "28", "d5")
    line = ["1. Ada +0 A 31@e6", "2. Bo +0 C d6=24", "3. Ada +0 A 5@d7"]
    assert code(made("table-completable", down, {"world": down, "line": line})) == "BROKEN"
    line[2] = "3. Ada +0 A 28@d7"
    swapped = down.replace("5 31", "28 31").replace("hand Bo 28", "hand Bo 5")
    assert code(made("table-completable", swapped, {"world": swapped, "line": line})) == "accepted"
    unseen = swapped.replace("~24@d6", "~?@d6").replace("28 31", "? ?")
    assert code(made("table-completable", unseen, {"world": swapped, "line": line})) == "accepted"
    other = swapped.replace("~24@d6", "~2@d6").replace("gone 2 ", "gone 24 ")
    assert code(made("table-completable", swapped, {"world": other, "line": line})) == "WORLD"
    marks = swapped.replace(f'"{MARKS}"', '""')
    assert code(made("table-completable", marks, {"world": swapped, "line": line})) == "accepted"
    assert code(made("table-completable", marks, {"world": marks, "line": line})) == "accepted"  # no deck, no draw


def test_a_mark_that_a_draw_asks_for() -> None:
    text = TABLE.replace("gone 2 ", "gone ").replace("turn Ada", "deck 2\nturn Ada")
    line = ["1. Ada +2 A 31@e6", LINE[1]]
    assert code(made("table-completable", text, {"world": text, "line": line})) == "accepted"
    bare = text.replace("24:1 ", "")
    assert code(made("table-completable", bare, {"world": bare, "line": line})) == "accepted"  # two diamonds
    assert code(made("table-completable", bare, {"world": text, "line": line})) == "accepted"
    heart = text.replace("24:1", "24:H")
    assert code(made("table-completable", bare, {"world": heart, "line": line})) == "accepted"
    hearts = heart.replace("21:1", "21:H").replace("27:1", "27:H")
    assert code(made("table-completable", hearts, {"world": hearts, "line": line})) == "BROKEN"


def test_a_search_with_something_changed() -> None:
    positions, digest = found(DEAD_TABLE, USED[:1])
    assert positions > 1
    right = searched(DEAD_TABLE, USED[:1], positions, digest)
    assert code(right) == "accepted"
    assert code(searched(DEAD_TABLE, USED[:1], positions + 1, digest)) == "SEARCH"
    other = digest[:-1] + ("0" if digest[-1] != "0" else "1")
    assert code(searched(DEAD_TABLE, USED[:1], positions, other)) == "SEARCH"
    assert code(searched(DEAD_TABLE, [], positions, digest)) == "SEARCH"
    assert code(searched(DEAD_TABLE, ["cards", "cards"], positions, digest)) == "SEARCH"
    assert code(searched(DEAD_TABLE, ["cards", "hope"], positions, digest)) == "FORM"
    assert code(searched(DEAD_TABLE, USED[:1], positions, digest.upper() + "A")) == "FORM"
    assert code(searched(DEAD_TABLE, USED[:1], -1, digest)) == "FORM"
    assert code(searched(TABLE, USED[:1], positions, digest)) == "ALIVE"
    assert code(searched(DEAD_TABLE.replace("turn Ada", "turn Bo"), USED[:1], positions, digest)) == "SEARCH"
    assert code(searched(DEAD_TABLE, [], *found(DEAD_TABLE, []))) == "accepted"
    assert code(searched(DEAD_TABLE, [], *found(DEAD_TABLE, []), replace_target="facedown_only")) == "SEARCH"
    assert code(searched(DEAD_TABLE.replace("turn Ada\nlast d6\n", ""), USED[:1], positions, digest)) == "POSITION"
    for field in right["evidence"]:
        less = copy.deepcopy(right)
        del less["evidence"][field]
        assert code(less) == "FORM"
        more = copy.deepcopy(right)
        more["evidence"]["more"] = 1
        assert code(more) == "FORM"


def test_a_reduction_left_out_gives_another_search() -> None:
    alone = {tuple(used): found(DEAD_TABLE, list(used)) for used in ((), ("cards",), ("exchanges",), ("reserve",))}
    assert len(set(alone.values())) >= 3
    for used, (positions, digest) in alone.items():
        for other, result in alone.items():
            expected = "accepted" if result == (positions, digest) else "SEARCH"
            assert code(searched(DEAD_TABLE, list(other), positions, digest)) == expected, (used, other)


def test_searches_that_are_unsupported() -> None:
    positions, digest = found(DEAD_TABLE, [])
    right = searched(DEAD_TABLE, [], positions, digest)
    assert code(right) == "accepted"
    unseen = DEAD_TABLE.replace("5 6", "5 ?")
    assert code({**right, "position": unseen}) == "unsupported"
    assert code({**right, "position": DEAD_TABLE.replace("gone 2 ", "gone ? ")}) == "unsupported"
    deck = DEAD_TABLE.replace("gone 2 ", "gone ").replace("turn Ada", "deck 2\nturn Ada")
    assert code({**right, "position": deck.replace("24:1 ", "")}) == "unsupported"
    assert code({**right, "position": DEAD_TABLE.replace("24:1 ", "")}) == "accepted"  # no deck: no draw asks for it


def test_a_count_of_another_table() -> None:
    numbers = {"empty": 2, "cards": 1}
    evidence = {"kind": "cards", "numbers": numbers, "cells": [], "cards": []}
    text = table(LAID[:-1], "", "31", "d6")
    assert code(made("table-deadlocked", text, evidence)) == "accepted"
    assert code(made("table-deadlocked", TABLE, evidence)) == "COUNT"
    assert code(made("table-deadlocked", text, {**evidence, "numbers": {**numbers, "cards": 0}})) == "COUNT"
    assert code(made("table-deadlocked", text, {**evidence, "numbers": {"empty": 2}})) == "COUNT"
    assert code(made("table-deadlocked", text, {**evidence, "cards": [5]})) == "COUNT"
    assert code(made("table-deadlocked", text, {**evidence, "kind": "hope"})) == "FORM"
    assert code(made("table-deadlocked", text, {**evidence, "digest": "0" * 16})) == "FORM"
    assert code(made("table-deadlocked", "nothing", evidence)) == "POSITION"


def pool() -> list[dict[str, Any]]:
    positions, digest = found(DEAD_TABLE, USED)
    count = {"kind": "cards", "numbers": {"empty": 2, "cards": 1}, "cells": [], "cards": []}
    counted = made("table-deadlocked", table(LAID[:-1], "", "31", "d6"), count)
    return [WON, searched(DEAD_TABLE, USED, positions, digest), counted]


def test_changed_characters_get_a_verdict() -> None:
    rng = random.Random(11)
    texts = [json.dumps(one) for one in pool()]
    statuses = set()
    for _ in range(1500):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 2)):
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(["", text[at] * 2, *'0123456789@~?F,:"{}[]\n -+^ABCD']) + text[at + 1 :]
        statuses.add(check_certificate(text).status)
    assert statuses >= {"accepted", "rejected"}


def test_the_published_form() -> None:
    SCHEMA.validate(pool())
    for right in pool():
        for field in ("claim", "position", "rulings", "evidence", "format"):
            assert not SCHEMA.is_valid({key: value for key, value in right.items() if key != field})
        for field in right["evidence"]:
            less = {key: value for key, value in right["evidence"].items() if key != field}
            assert not SCHEMA.is_valid({**right, "evidence": less})
        assert not SCHEMA.is_valid({**right, "evidence": {**right["evidence"], "more": 1}})
        assert not SCHEMA.is_valid({**right, "claim": "tower-completable"})
    found_search = pool()[1]
    for name, value in (("reductions", ["hope"]), ("positions", -1), ("digest", "xyz"), ("kind", "hope")):
        assert not SCHEMA.is_valid({**found_search, "evidence": {**found_search["evidence"], name: value}})
    assert isinstance(SCHEMA, jsonschema.Draft202012Validator)


@pytest.mark.parametrize("marks", ["1:1 1:2", "1:1 1:1", "1:3", "51:1", "1"])
def test_marks_that_cannot_be_read(marks: str) -> None:
    assert code(made("table-deadlocked", table(LAID[:-1], "5 31", "28", marks=marks), WON["evidence"])) == "FORM"
    assert code(made("table-completable", table(LAID[:-1], "5 31", "28", marks=marks), WON["evidence"])) == "POSITION"
