"""What the tests of the board share."""

from __future__ import annotations

import pytest

from couperation_formal.board import beside
from tests.board.local import forked


@pytest.fixture(autouse=True)
def _forked_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """What works beside a board of this process is forked, as `tests.started` says."""
    monkeypatch.setattr(beside, "begun", forked)
