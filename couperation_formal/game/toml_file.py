"""A small file of the user's, TOML or marks, read strictly: whatever is wrong with it is refused at its place."""

from __future__ import annotations

import codecs
import re
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from couperation_formal.game.fact import Fact, Unfit, fact

MAX_BYTES = 64 * 1024
"""Such a file is not larger than this; the four rulebooks of the specification take some 3 KiB."""

_KEY = r"^[ \t]*(?:[\w.\"'-]+[ \t]*\.[ \t]*)?[\"']?{}[\"']?[ \t]*(=)[ \t]*"
_VALUE = re.compile(r"\"[^\"\r\n]*\"?|'[^'\r\n]*'?|[^#\r\n]*[^#\r\n\s]")
_AT = re.compile(r"(.*) \(at line (\d+), column (\d+)\)$", re.DOTALL)
_LONG = re.compile(r"[+-]?[0-9][0-9_]{999,}")
_NESTED = re.compile(r"(?:[\[{][\s\w=]*){20,}")
_DOTTED = re.compile(
    r"""(?:\.[ \t]*(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*){20}"""
)  # tomllib's memory: its square
_TRIES = 20


class TomlError(Unfit):
    """A file that holds something else than it should. `word` is the offending word. `line` is the number of its line,
    the line itself, and where in it the word begins and ends; None where there is no such place.
    """

    def __init__(self, word: str, what: Fact) -> None:
        super().__init__(what)
        self.word = word
        self.line: tuple[int, str, int, int] | None = None


class Stretch(NamedTuple):
    """A stretch of the text, as offsets."""

    start: int
    end: int


class TomlFile:
    """The text of a file, and what is told of it. Raises `error` for one that is no UTF-8, no regular file or longer
    than `most` bytes, and `OSError` where it cannot be read. `kind` names what the file is in these messages.
    """

    def __init__(self, path: Path, kind: str, error: Callable[[str, Fact], TomlError], most: int = MAX_BYTES) -> None:
        self._path, self._error = path, error
        self.text = ""
        try:
            if not (stat.S_ISREG(path.stat().st_mode) or path.is_dir()):
                raise error(str(path), fact("toml_no_file", file=kind))
            with path.open("rb") as stream:
                content = stream.read(most + 1)
        except ValueError as wrong:  # a name that no file can have, or no file
            raise error(str(path), fact("unreadable", path=str(path), why=str(wrong))) from None
        if len(content) > most:
            raise error(str(path), fact("toml_long", path=str(path), file=kind, most=most))
        content = content.removeprefix(codecs.BOM_UTF8)  # as some editors write it
        try:
            self.text = content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError as wrong:
            before = content[: wrong.start].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
            self.text = before + "\ufffd"
            raise self.refused(Stretch(len(before), len(before) + 1), fact("no_utf8")) from None

    def table(self) -> dict[str, Any]:
        """What it holds, still as TOML has it. Cost: some parses of the file. Raises the error."""
        text = self.text
        if refused := _DOTTED.search(text):
            raise self.refused(Stretch(refused.start(), refused.end()), fact("nested"))
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise self.refused(_fault(text, str(error)), fact("no_toml", why=_fault_words(str(error)))) from None
        except (ValueError, RecursionError) as error:
            deep = isinstance(error, RecursionError)
            refused = (_NESTED if deep else _LONG).search(text)
            place = Stretch(refused.start(), refused.end()) if refused else Stretch(0, 0)
            raise self.refused(place, fact("nested" if deep else "digits")) from None

    def value(self, name: str, key: bool = False) -> Stretch:
        """Where the value of a key stands, or the key itself: the first line with it before which the file is whole and
        does not have it yet. The file's beginning where no such line is found.
        """
        text = self.text
        wanted = re.compile(_KEY.format(re.escape(name)), re.MULTILINE)
        header = re.compile(rf"^[ \t]*\[+[ \t]*[\"']?{re.escape(name)}[\"']?[^\r\n]*", re.MULTILINE)
        for key_there, _ in zip(wanted.finditer(text), range(_TRIES), strict=False):
            try:
                before = tomllib.loads(text[: key_there.start()])
            except (ValueError, RecursionError):
                continue
            if name in before:
                continue
            if key:
                start = key_there.start() + key_there[0].index(name)
                return Stretch(start, start + len(name))
            value = _VALUE.match(text, key_there.end())
            return Stretch(key_there.end(), value.end() if value else key_there.end())
        table = header.search(text)
        return Stretch(table.start(), table.end()) if table else Stretch(0, 0)

    def refused(self, place: Stretch, what: Fact) -> TomlError:
        """The error at a place, with the line that it stands on."""
        text = self.text
        first = text.rfind("\n", 0, place.start) + 1
        last = text.find("\n", place.start)
        line = text[first : len(text) if last < 0 else last]
        number, column = text.count("\n", 0, place.start) + 1, place.start - first
        at = fact("rulebook_at", path=str(self._path), line=number, column=column + 1, said=what)
        error = self._error(line[column : place.end - first], at)
        error.line = (number, line, column, place.end - first)
        return error


def _fault(text: str, message: str) -> Stretch:
    """The place that a message of the TOML reader names: a line and a column, or the end."""
    at = _AT.match(message)
    if at is None:
        return Stretch(len(text), len(text))
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: int(at[2]) - 1]) + int(at[3]) - 1
    return Stretch(start, start)


def _fault_words(message: str) -> str:
    at = _AT.match(message)
    words = (at[1] if at else message.removesuffix(" (at end of document)")).strip()
    return words[:1].lower() + words[1:] if len(words) <= 100 else words[:99] + "…"


def said(value: object) -> Fact:
    """A value as a message names it: a text as it is, as far as it is short, anything else by its kind."""
    if not isinstance(value, str):
        return fact("that_is", is_a=kind_of(value))
    return fact("quoted", text=value if len(value) <= 40 else value[:39] + "…")


def kind_of(value: object) -> str:
    """The kind of a value of TOML, in a place for `is a`."""
    kinds = (bool, int, float, list, dict)
    name = next((kind.__name__ for kind in kinds if isinstance(value, kind)), "date")
    return "Mapping" if name == "dict" else name
