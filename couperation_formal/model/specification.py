"""Where the specification's files lie: inside an installed package, or beside it in a checkout."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


@lru_cache(maxsize=1)
def spec_folder() -> Path:
    """The folder of the specification. Raises `FileNotFoundError` where the installation lacks it."""
    for folder in (_PACKAGE / "spec", _PACKAGE.parent / "spec"):
        if (folder / "rulings.toml").is_file():
            return folder
    raise FileNotFoundError("the specification's files are missing from this installation")


def spec_text(name: str) -> str:
    """The text of one of the specification's files, named relative to its folder."""
    return (spec_folder() / name).read_text(encoding="utf-8")
