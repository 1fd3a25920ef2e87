"""A long run in parts: the parts are all tests, and what names no part is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import pytest_collection_modifyitems


def part(monkeypatch: pytest.MonkeyPatch, share: str) -> list[int]:
    monkeypatch.setenv("COUPERATION_SHARE", share)
    items: Any = list(range(10))
    pytest_collection_modifyitems(items)
    return list(items)


def test_the_parts_are_all_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [part(monkeypatch, f"{first}/3") for first in (1, 2, 3)]
    assert sorted(item for each in parts for item in each) == list(range(10))
    assert part(monkeypatch, "1/1") == part(monkeypatch, "") == list(range(10))


@pytest.mark.parametrize("share", ["0/3", "4/3", "-1/3", "1/0", "1", "x", "1/2/3", "1/3 "])
def test_what_is_no_part_is_refused(monkeypatch: pytest.MonkeyPatch, share: str) -> None:
    with pytest.raises(pytest.UsageError, match="COUPERATION_SHARE is K/N"):
        part(monkeypatch, share)
