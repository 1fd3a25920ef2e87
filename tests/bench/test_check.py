"""The benchmark runs; what it measures is not asserted."""

from __future__ import annotations

import pytest

from bench.check import STAGES, measure, table
from tests.conftest import LONG


@pytest.mark.slow
def test_the_benchmark_runs_on_a_few_games() -> None:
    figures = measure(games=4 if LONG else 2, rounds=1)
    assert figures["turns"] > 20
    assert set(figures["microseconds_a_turn"]) == {*STAGES, "whole"}
    assert "times a ply" in table(figures)
