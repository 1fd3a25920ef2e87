"""A line by itself: what is wrong with it, by the grammar, as a line of the part of a game in which it stands."""

from __future__ import annotations

import re
from functools import lru_cache

from lark.exceptions import UnexpectedInput

from couperation_formal.model.diagnostic import Edit
from couperation_formal.model.record import Span
from couperation_formal.notation.errors import explain
from couperation_formal.notation.fault import Fault
from couperation_formal.notation.parse import parser

_PREFIXES = {
    "begin": "",
    "tags": '[CGN "1"]\n',
    "setup": '[CGN "1"]\nreserve\n',
    "turns": '[CGN "1"]\n1. a -\n',
    "result": '[CGN "1"]\n*\n',
    "position": '[CGN "1"]\nposition\n',
}
"""A text after which each part of a game goes on."""

_BEGINNINGS = frozenset("[dr0123456789")


@lru_cache(maxsize=1)
def _plain() -> dict[str, re.Pattern[str]]:
    """What lines are in each part in which the grammar takes whole lines as one token."""
    by_name = {terminal.name: terminal.pattern.to_regexp() for terminal in parser().terminals}
    tags, setup, turns = (re.compile(by_name[name]) for name in ("TAGS", "PLAIN_SETUP", "PLAIN_TURNS"))
    return {"begin": tags, "tags": tags, "setup": setup, "turns": turns}


def _reads(pattern: re.Pattern[str], line: str) -> bool:
    m = pattern.match(f"{line.lstrip()}\n")
    return m is not None and not line.lstrip()[m.end() :].strip()


def at_sight(line: str) -> bool:
    """Whether a line is a plain one of any part."""
    return line.lstrip()[:1] in _BEGINNINGS and any(_reads(pattern, line) for pattern in _plain().values())


def line_fault(part: str, line: str) -> Fault | None:
    """What is wrong with a line, without its comments, in this part of a game; None where it can be read."""
    if part in _plain() and _reads(_plain()[part], line):
        return None
    prefix = _PREFIXES[part]
    try:
        parser().parse(f"{prefix}{line}\n")
    except UnexpectedInput as error:
        found = explain(prefix + line, error)
        start = max(0, found.span.start - len(prefix))
        span = Span(start, max(start, found.span.end - len(prefix)))
        if found.edit is None:
            return Fault(span, found.what)
        edited = Span(found.edit.span.start - len(prefix), found.edit.span.end - len(prefix))
        return Fault(span, found.what, Edit(edited, found.edit.replacement))
    return None
