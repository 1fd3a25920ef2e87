"""After a failure nothing is written at the end of the process: neither what waits for one stream nor for the other."""

from __future__ import annotations

import io
import os
import sys
from typing import NoReturn

import pytest
from couperation_checker import __main__ as command


class Full(io.StringIO):
    """An output that takes nothing."""

    def write(self, _text: str) -> NoReturn:
        raise OSError(28, "No space left on device")


def test_both_streams_are_closed_off(monkeypatch: pytest.MonkeyPatch) -> None:
    turned: list[tuple[str, int]] = []
    monkeypatch.setattr(sys, "argv", ["couperation-checker", "--version"])
    monkeypatch.setattr(sys, "stdout", Full())
    monkeypatch.setattr(sys, "stderr", errors := io.StringIO())
    monkeypatch.setattr(os, "open", lambda path, _flags: path)
    monkeypatch.setattr(os, "dup2", lambda opened, stream: turned.append((opened, stream)))
    assert command.main() == 70
    assert turned == [(os.devnull, 1), (os.devnull, 2)]
    assert errors.getvalue() == "couperation-checker: cannot write the output: No space left on device\n"
