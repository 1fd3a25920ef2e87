"""A long run in parts, and a quarter of the seeds: the parts are all tests, and what names no part is refused."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.conftest import LONG, chosen


def part(monkeypatch: pytest.MonkeyPatch, share: str) -> list[int]:
    monkeypatch.setenv("COUPERATION_SHARE", share)
    items: Any = list(range(10))
    found: Any = chosen(items)
    return list(found)


def test_the_parts_are_all_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [part(monkeypatch, f"{first}/3") for first in (1, 2, 3)]
    assert sorted(item for each in parts for item in each) == list(range(10))
    assert part(monkeypatch, "1/1") == part(monkeypatch, "") == list(range(10))


@pytest.mark.parametrize("share", ["0/3", "4/3", "-1/3", "1/0", "1", "x", "1/2/3", "1/3 "])
def test_what_is_no_part_is_refused(monkeypatch: pytest.MonkeyPatch, share: str) -> None:
    with pytest.raises(pytest.UsageError, match="COUPERATION_SHARE is K/N"):
        part(monkeypatch, share)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("other", ["a", "b"])
def test_seeded(seed: int, other: str, request: pytest.FixtureRequest) -> None:
    """Of each other parameter a fixed quarter of the seeds is here, the first one by itself."""
    here = [item.name for item in request.session.items if item.name.startswith(f"test_seeded[{other}-")]
    quarter = os.environ.get("COUPERATION_SEEDS", "1/4")
    if not LONG and quarter == "1/4":
        assert here == [f"test_seeded[{other}-0]", f"test_seeded[{other}-4]"]


def test_the_quarters_are_all_seeds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUPERATION_LONG", raising=False)
    seeded: Any = [item for item in request.session.items if item.name.startswith("test_seeded")]
    found = []
    for quarter in range(1, 5):
        monkeypatch.setenv("COUPERATION_SEEDS", f"{quarter}/4")
        found += chosen(seeded)
    assert set(found) == set(seeded)
    monkeypatch.setenv("COUPERATION_SEEDS", "5/4")
    with pytest.raises(pytest.UsageError, match="COUPERATION_SEEDS is K/N"):
        chosen(seeded)
