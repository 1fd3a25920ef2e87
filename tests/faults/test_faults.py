"""The list of faults: as many as there are to be, each at one place of the product, and each a program still."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

from tests.faults.faults import FOLDERS, ROOT, read_faults, read_product

FAULTS = read_faults()


@cache
def product() -> dict[Path, str]:
    return read_product(ROOT)


def test_there_are_fifteen_in_each_room() -> None:
    assert Counter(fault.room for fault in FAULTS) == dict.fromkeys(FOLDERS, 15)
    assert len(FOLDERS) == 9
    assert len({(fault.before, fault.after) for fault in FAULTS}) == len(FAULTS)
    assert all(fault.breaks.endswith(".") and len(fault.breaks) < 120 for fault in FAULTS)


def test_each_changes_one_place() -> None:
    counts = {fault.before: len(fault.places(product())) for fault in FAULTS if fault.before != fault.after}
    assert len(counts) == len(FAULTS)
    assert {before: count for before, count in counts.items() if count != 1} == {}


def test_what_is_changed_is_a_program_still() -> None:
    for fault in FAULTS:
        (path,) = fault.places(product())
        if path.suffix == ".py":
            ast.parse(product()[path].replace(fault.before, fault.after))
