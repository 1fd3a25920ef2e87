"""A small TextMate tokenizer: line by line, the earliest match of the rules in force wins, as editors do it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple


class Scoped(NamedTuple):
    """A stretch of a text and its innermost scope."""

    start: int
    end: int
    scope: str


class _Open(NamedTuple):
    rule: dict[str, Any]
    end: re.Pattern[str]


def scopes(grammar: dict[str, Any], text: str) -> list[Scoped]:
    """Every captured or named stretch of the text, in order."""
    stack: list[_Open] = []
    found: list[Scoped] = []
    start = 0
    for line in text.splitlines(keepends=True):
        at = 0
        while at <= len(line):
            at = _step(grammar, line, at, start, stack, found)
        start += len(line)
    return found


def _step(grammar: dict[str, Any], line: str, at: int, start: int, stack: list[_Open], found: list[Scoped]) -> int:
    """One match from `at` on; where to go on, beyond the line where there is none."""
    best: tuple[re.Match[str], dict[str, Any] | None] | None = None
    if stack:
        match = stack[-1].end.search(line, at)
        best = (match, None) if match else None
    rules = _flat(grammar, stack[-1].rule.get("patterns", []) if stack else grammar["patterns"])
    for rule in rules:
        match = re.compile(rule.get("match") or rule["begin"], re.MULTILINE).search(line, at)
        if match and (best is None or match.start() < best[0].start()):
            best = (match, rule)
    if best is None:
        return len(line) + 1
    match, rule_found = best
    if rule_found is None:
        stack.pop()
        return max(match.end(), at) if match.end() > at or stack else max(match.end(), at + 1)
    captures = rule_found.get("captures") or rule_found.get("beginCaptures") or {}
    if "begin" in rule_found:
        stack.append(_Open(rule_found, re.compile(rule_found["end"], re.MULTILINE)))
    if not captures:
        found.append(Scoped(start + match.start(), start + match.end(), rule_found["name"]))
    for number, capture in captures.items():
        if match.group(int(number)) is not None:
            found.append(Scoped(start + match.start(int(number)), start + match.end(int(number)), capture["name"]))
    return max(match.end(), at + (0 if "begin" in rule_found else 1))


def _flat(grammar: dict[str, Any], patterns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    flat: list[dict[str, Any]] = []
    for each in patterns:
        if "include" in each:
            flat += _flat(grammar, [grammar["repository"][each["include"].removeprefix("#")]])
        elif "match" in each or "begin" in each:
            flat.append(each)
        else:
            flat += _flat(grammar, each["patterns"])
    return flat
