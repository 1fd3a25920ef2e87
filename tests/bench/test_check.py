"""The benchmark runs; what it measures is not asserted."""

from __future__ import annotations

import pytest

from bench import check, parts
from tests.conftest import LONG


@pytest.mark.slow
def test_the_benchmark_runs_on_a_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = check.ASKED if LONG else check.ASKED[:1]
    monkeypatch.setattr(check, "ASKED", asked)
    figures = check.measure(games=4 if LONG else 2, rounds=1)
    assert figures["turns"] > 20
    assert set(figures["microseconds_a_turn"]) == {*check.STAGES, "whole"}
    assert tuple(figures["public_seconds"]) == asked
    assert set(figures["seconds_in_form"]) == {*check.FORMS}
    assert {"rules", "  carried out", "report", parts.PLY} <= figures["parts"].keys()
    assert "times a ply" in check.table(figures)
