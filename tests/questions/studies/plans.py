"""Plans and results for the tests."""

from __future__ import annotations

from pathlib import Path

from couperation_formal.questions.studies.results import Results, make_part
from couperation_formal.questions.studies.rows import read_plan

TINY = """\
study = "tiny"
source = "games"
questions = ["verdict", "result", "tower"]
rulebooks = ["en-2"]
count = 6
part = 2
"""
"""A plan of six games in three parts."""


def written(folder: Path, text: str = TINY) -> Path:
    """A file with a plan."""
    path = folder / "plan.toml"
    path.write_text(text, "utf-8")
    return path


def made(folder: Path, text: str = TINY, parts: int | None = None) -> Results:
    """The results of a plan, so many parts of them, made without a cluster."""
    folder.mkdir(exist_ok=True)
    results = Results(folder / "r", read_plan(written(folder, text)))
    for part in results.wanted[:parts]:
        make_part(str(results.folder), part)
    return results
