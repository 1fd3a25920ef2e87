"""The benchmark of the tower question runs; what it measures is not asserted."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from bench import tower


@pytest.mark.slow
def test_the_benchmark_runs_on_a_few_towers() -> None:
    figures = tower.measure(towers=6, solved=2, each=1)
    assert figures["played"]["towers"] == 6
    assert figures["tight"]["towers"] > 0
    assert [cells for cells, _ in figures["growth"]][:3] == [6, 10, 15]
    assert len(figures["growth"]) == 38
    assert "| Z3, order encoding | " in tower.table(figures)
    drawn = ElementTree.fromstring(tower.plot(figures))
    assert len(drawn.findall("{*}circle")) == 38
