"""Counts with no card to spare and with fewer cards than cells: what proves something, and what proves nothing."""

from __future__ import annotations

import pytest

from tests.checker.table_corruptions import DEAD_TABLE, LAID, code, made, table

NO_SPARE = {"empty": 2, "cards": 2, "spent": 1}


def claimed(text: str, kind: str, numbers: dict[str, int]) -> str:
    return code(made("table-deadlocked", text, {"kind": kind, "numbers": numbers, "cells": [], "cards": []}))


@pytest.mark.parametrize("kind", ["exchanges", "replacements"])
def test_with_no_card_to_spare_a_count_holds(kind: str) -> None:
    assert claimed(DEAD_TABLE, kind, NO_SPARE) == "accepted"
    for name, change in (("spent", -1), ("spent", 1), ("cards", 1), ("empty", -1)):
        assert claimed(DEAD_TABLE, kind, {**NO_SPARE, name: NO_SPARE[name] + change}) == "COUNT"


@pytest.mark.parametrize("kind", ["exchanges", "replacements"])
def test_where_some_final_tower_can_be_paid_a_count_proves_nothing(kind: str) -> None:
    alive = table(LAID[:-1], "28 31", "", "d6")  # e6 and d7 are empty
    assert claimed(alive, kind, NO_SPARE) == "COUNT"


def test_what_the_reserve_could_fill_is_no_matter_of_replacements() -> None:
    text = table(LAID[:-1], "5 6", "", "d6", reserve="1 50 28 31 10 9")
    assert claimed(text, "exchanges", NO_SPARE) == "accepted"
    assert claimed(text, "replacements", NO_SPARE) == "COUNT"


@pytest.mark.parametrize("kind", ["exchanges", "replacements"])
def test_with_fewer_cards_than_cells_only_the_kind_of_the_cards_holds(kind: str) -> None:
    text = table(LAID[:-1], "5", "", "d6")
    assert claimed(text, "cards", {"empty": 2, "cards": 1}) == "accepted"
    assert claimed(text, kind, {"empty": 2, "cards": 1, "spent": 0}) == "COUNT"


def test_one_exchange_is_one_too_many_with_no_card_to_spare() -> None:
    text = table(LAID[:-1], "3 28", "", "d6", reserve="1 50 31 12 10 9")  # 31 = 28 + 3 for e6
    assert claimed(text, "exchanges", NO_SPARE) == "accepted"
    spared = table(LAID[:-1], "3 28", "2", "d6", reserve="1 50 31 12 10 9")
    assert claimed(spared, "exchanges", {"empty": 2, "cards": 3, "spent": 2}) == "COUNT"
