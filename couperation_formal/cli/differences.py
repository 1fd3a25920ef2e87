"""A unified difference of a file, game by game, so that one game is in memory at a time."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from difflib import unified_diff

from couperation_formal.words.say import encodable, safe

_HUNK = re.compile(r"^@@ -(\d+)(\S*) \+(\d+)(\S*) @@")


class Differences:
    """The difference of a file's games, given in their order; `form` names what they become."""

    def __init__(self, file: str, form: str) -> None:
        self._names = (safe(encodable(file)), f"{safe(encodable(file))} ({form})")
        self._places = (0, 0)
        self._begun = False

    def add(self, before: str, after: str) -> str:
        """The lines of the difference of one game, which stands behind those given before."""
        text = "".join(self._lines(before, after)) if before != after else ""
        self._begun = self._begun or bool(text)
        self._places = (self._places[0] + before.count("\n"), self._places[1] + after.count("\n"))
        return text

    def _lines(self, before: str, after: str) -> Iterator[str]:
        for number, line in enumerate(unified_diff(_split(before), _split(after), *self._names)):
            if number >= 2 or not self._begun:
                yield _HUNK.sub(self._moved, line) if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"

    def _moved(self, at: re.Match[str]) -> str:
        before, after = self._places
        return f"@@ -{before + int(at[1])}{at[2]} +{after + int(at[3])}{at[4]} @@"


def _split(text: str) -> list[str]:
    return list(io.StringIO(text, newline="\n"))
