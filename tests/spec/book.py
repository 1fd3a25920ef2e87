"""The clauses of the specification as its own files state them: read here apart from the code that the program uses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = {f"§{name}" for name in ("1", "2", "3", "4", "4.1", "4.2", "4.3", "5", "6")}
SECTIONS |= {f"§4.2 {action}" for action in "ABCD"} | {f"§6 ({part})" for part in ("2", "4.1", "4.2", "5")}
SECTIONS |= {"§3, rule 1", "§3, rule 2"} | {f"¶{place}" for place in range(1, 7)}
"""The places of the texts that bear a number: the three rulebooks share theirs, the summary has six paragraphs."""
_HEADING = re.compile(r"^## ([A-Z]{3}\d{2}) · (.+)$", re.MULTILINE)
_BLOCK = re.compile(r"```cgn\n(.*?)```", re.DOTALL)
_OUTCOME = re.compile(
    r"^(Refused|Warned) at turn (\d+) with ([A-Z]{3}\d{2})(?:; (.+) (?:is|are) named with it)?\.$", re.MULTILINE
)


@dataclass(frozen=True)
class Example:
    """A record that is refused or warned of with `code`, and with `also` where the page names others."""

    text: str
    turn: int
    code: str
    warned: bool
    also: frozenset[str] | None


@dataclass(frozen=True)
class Chapter:
    id: str
    title: str
    rulings: frozenset[str]
    accepts: tuple[str, ...]
    refuses: tuple[Example, ...]


def chapters() -> list[Chapter]:
    found = []
    for path in sorted((ROOT / "spec" / "clauses").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        heads = list(_HEADING.finditer(text))
        for head, following in zip(heads, [*heads[1:], None], strict=True):
            found.append(_chapter(head, text[head.end() : following.start() if following else len(text)]))
    return found


def _chapter(head: re.Match[str], body: str) -> Chapter:
    rulings = re.search(r"^Rulings: (.+)$", body, re.MULTILINE)
    names = frozenset(re.findall(r"`(\w+)`", rulings.group(1))) if rulings else frozenset()
    accepts, _, refuses = body.partition("**Refuses.**")
    examples = tuple(
        Example(block, int(outcome.group(2)), outcome.group(3), outcome.group(1) == "Warned", _also(outcome.group(4)))
        for block, outcome in zip(_BLOCK.findall(refuses), _OUTCOME.finditer(refuses), strict=True)
    )
    return Chapter(
        head.group(1), head.group(2), names, tuple(_BLOCK.findall(accepts.partition("**Accepts.**")[2])), examples
    )


def _also(named: str | None) -> frozenset[str] | None:
    return frozenset(re.findall(r"[A-Z]{3}\d{2}", named)) if named else None


def cited(text: str) -> list[str]:
    """The places that a page names."""
    found = []
    for place in re.findall(r"§\d(?:\.\d)?(?: \([^)]*\)|, rule \d| [A-D](?:, [A-D])*\b)?|¶\d", text):
        head, _, letters = place.partition(" ")
        if re.fullmatch(r"[A-D](, [A-D])*", letters):
            found += [f"{head} {letter}" for letter in letters.split(", ")]
        else:
            found.append(place)
    return found
