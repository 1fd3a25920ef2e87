"""Where the specification's files lie: inside an installed package, or beside it in a checkout."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from couperation_formal.model.fact import fact
from couperation_formal.words.say import say

_PACKAGE = Path(__file__).resolve().parent.parent


@lru_cache(maxsize=1)
def spec_folder() -> Path:
    """The folder of the specification. Raises `FileNotFoundError` where the installation lacks it."""
    for folder in (_PACKAGE / "spec", _PACKAGE.parent / "spec"):
        if (folder / "rulings.toml").is_file():
            return folder
    raise FileNotFoundError(say(fact("no_specification")))


def spec_text(name: str) -> str:
    """The text of one of the specification's files, named relative to its folder."""
    return (spec_folder() / name).read_text(encoding="utf-8")
