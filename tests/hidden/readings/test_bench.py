"""The benchmark of disputes runs; what it measures is not asserted."""

from __future__ import annotations

from typing import Literal

import pytest

from bench import dispute
from tests.conftest import LONG

pytestmark = pytest.mark.slow


def test_the_benchmark_runs_on_two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    if not LONG:
        short = {"REPEATS": 1, "MOST_REPLAYS": 50, "TURNS": range(8, 16), "Policy": Literal["random"]}
        for name, value in short.items():
            monkeypatch.setattr(dispute, name, value)
    figures = dispute.measure(2, 1)
    assert figures["games"] == 2
    assert figures["sets_to_replay"] > 0
    assert figures["combinations"] >= 1
    assert figures["z3_games"] == 1
    assert figures["symbolic_ms"] > 0
    assert "| the replay over sets, all 226,492,416 readings | " in dispute.table(figures)
