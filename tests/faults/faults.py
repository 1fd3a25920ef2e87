"""The list of faults, and where each is in the product."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("couperation_formal", "checker")
SUFFIXES = {"board scripts": (".js",), "page scripts": (".js",), "notation": (".py", ".lark")}
"""The kinds of files that a room's faults are looked for in; of the others Python."""

FOLDERS = {
    "board scripts": ("board",),
    "board server": ("board",),
    "page scripts": ("page",),
    "cli": ("cli", "files", "questions", "towers/deadlocks", "hidden/readings", "output", "docs"),
    "notation": ("notation", "cli", "words", "fuzz"),
    "report": ("output", "page", "hidden/readings", "cli", "questions"),
    "lsp": ("editor",),
    "rules and checker": ("game/replay", "agree", "checker", "questions/records", "spec", "questions/sample"),
    "studies": ("questions/studies", "questions/sample"),
}
"""The rooms, and the folders of tests that are tried first."""


class Fault(NamedTuple):
    """One line of the product changed, and what a person would suffer."""

    room: str
    breaks: str
    before: str
    after: str
    killed_by: tuple[str, ...] = ()

    def places(self, product: dict[Path, str]) -> list[Path]:
        """The files that hold the text that is changed, each as often as it does."""
        suffixes = SUFFIXES.get(self.room, (".py",))
        return [
            path for path, text in product.items() if path.suffix in suffixes for _ in range(text.count(self.before))
        ]


def read_faults() -> list[Fault]:
    """The list as it stands in faults.toml."""
    found = tomllib.loads((ROOT / "tests" / "faults" / "faults.toml").read_text("utf-8"))
    return [_fault(each) for each in found["fault"]]


def _fault(told: dict[str, Any]) -> Fault:
    return Fault(**{**told, "killed_by": tuple(told.get("killed_by", ()))})


def read_product(root: Path) -> dict[Path, str]:
    """The texts of the product below a root."""
    return {
        path: path.read_text("utf-8")
        for folder in PRODUCT
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in (".py", ".js", ".lark")
    }
