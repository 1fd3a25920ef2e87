from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.run import LEGAL, POSITION
from tests.files.work import SLIPS, UNSEEN


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a game, an unseen one, one with slips, a position and a rulebook."""
    monkeypatch.chdir(tmp_path)
    position = POSITION.replace("25@g1", "4@d1 10@e1 17@f1 25@g1 33@h1 40@i1 46@j1")
    for name, text in (("game", LEGAL), ("unseen", UNSEEN), ("slips", SLIPS), ("position", position)):
        Path(f"{name}.cgn").write_text(text)
    Path("house.toml").write_text('base = "en-2"\n')
    return tmp_path
