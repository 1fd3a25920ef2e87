"""Tells at the end of a run how many inputs each target tried."""

from __future__ import annotations

from collections import Counter

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    counts: Counter[str] = Counter()
    longest: dict[str, float] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            told = dict(getattr(report, "user_properties", ()))
            if getattr(report, "when", "") == "call" and "inputs" in told:
                target = report.nodeid.partition("[")[0].rpartition("/")[2]
                counts[target] += told["inputs"]
                longest[target] = max(longest.get(target, 0), told.get("longest", 0))
    if counts:
        for target, count in counts.items():
            terminalreporter.write_line(f"{count:>9,} inputs, the dearest {longest[target]:.2f} s: {target}")
        terminalreporter.write_line(f"{counts.total():>9,} inputs in all")
