"""What all tests share."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if any("no browser was found" in str(report.longrepr) for report in skipped):
        terminalreporter.write_line("the browser tests of tests/html were skipped: no browser was found", yellow=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens", action="store_true", help="write the outputs that the golden tests expect anew"
    )
