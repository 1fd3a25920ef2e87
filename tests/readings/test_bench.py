"""The benchmark of disputes runs; what it measures is not asserted."""

from __future__ import annotations

import pytest

from bench import dispute

pytestmark = pytest.mark.slow


def test_the_benchmark_runs_on_two_games() -> None:
    figures = dispute.measure(2, 1)
    assert figures["games"] == 2
    assert figures["sets_to_replay"] > 0
    assert figures["combinations"] >= 1
    assert figures["z3_games"] == 1
    assert figures["symbolic_ms"] > 0
    assert "| the replay over sets, all 63,700,992 readings | " in dispute.table(figures)
