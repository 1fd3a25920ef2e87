"""`spec/coverage.md`: every sentence of the four texts, by section and number, and what became of it."""

from __future__ import annotations

import re
import tomllib
from collections import Counter

from tests.spec.book import ROOT

KINDS = ("clause", "ruling", "decision", "not checkable", "errata", "no rule")
_HEAD = """# Every sentence of the texts

What became of each sentence of the four texts, by section and number; the sentences themselves are not here. A sentence
is one of the text, an item of a list, a table, a caption or the heading of an action; headings of sections are not
counted. *No rule* are titles, captions, advice, hints and credits (`not-checkable.md`). The page is made of
`tests/data/sentences.toml`, which is written by hand: `pytest tests/spec/test_coverage.py --update-goldens`.

A sentence counts once under each kind that is told of it.
"""


def sentences() -> dict[str, dict[str, list[list[str]]]]:
    """By text and section, what is told of each sentence."""
    read = tomllib.loads((ROOT / "tests" / "data" / "sentences.toml").read_text(encoding="utf-8"))
    return {text: {at: [each.split() for each in told] for at, told in rows.items()} for text, rows in read.items()}


def kind(told: str) -> str:
    """Which of `KINDS` a name is."""
    if re.fullmatch(r"[A-Z]{3}\d\d", told):
        return "clause"
    if re.fullmatch(r"D\d+", told):
        return "decision"
    named = told.replace("-", " ")
    return named if named in KINDS else "ruling"


def page() -> str:
    """The page as it should be."""
    parts = [_HEAD]
    for text, sections in sentences().items():
        rows = [f"\n## {text}\n\n| section | sentences | {' | '.join(KINDS)} |\n|---|---|{'---|' * len(KINDS)}\n"]
        total: Counter[str] = Counter()
        for at, told in sections.items():
            count = Counter(each for names in told for each in {kind(name) for name in names})
            total += Counter({**count, "": len(told)})
            rows.append(f"| {at} | {len(told)} | {' | '.join(str(count[each] or '') for each in KINDS)} |\n")
        rows.append(f"| all | {total['']} | {' | '.join(str(total[each]) for each in KINDS)} |\n\n")
        for at, told in sections.items():
            listed = "; ".join(f"{number} {', '.join(names)}" for number, names in enumerate(told, start=1))
            rows.append(f"- {at}: {listed}\n")
        parts += rows
    return "".join(parts)
