"""What ``make lint`` checks the types of: all of it, strictly."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MYPY = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]


def test_every_folder_with_python_is_checked() -> None:
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] not in "._"}
    held = {name for name in folders - {"build", "dist"} if any((ROOT / name).rglob("*.py"))}
    assert "tests" in held
    assert held == set(MYPY["files"])


def test_nothing_of_it_is_let_off() -> None:
    """Only that other people's packages may come without types."""
    assert MYPY["strict"] is True
    assert "ignore-without-code" in MYPY["enable_error_code"]
    assert not MYPY.keys() & {"exclude", "ignore_errors", "disable_error_code", "follow_imports"}
    others, studies = MYPY["overrides"]
    assert others.keys() == {"module", "ignore_missing_imports"}
    assert studies.keys() == {"module", "ignore_missing_imports", "follow_imports"}
    for name in (*others["module"], *studies["module"]):
        assert not name.startswith((*MYPY["files"], "couperation"))
