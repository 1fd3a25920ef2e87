"""A rulebook of the user's own, read strictly: whatever it holds that is no rulebook is refused at its place."""

from __future__ import annotations

import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from couperation_formal.model.fact import Fact, fact
from couperation_formal.model.rulings import Rules, RulesError, registry, unknown

MAX_BYTES = 64 * 1024
"""A rulebook is not larger than this; the four of the specification take some 3 KiB."""

_KEY = r"^[ \t]*(?:[\w.\"'-]+[ \t]*\.[ \t]*)?[\"']?{}[\"']?[ \t]*(=)[ \t]*"
_VALUE = re.compile(r"\"[^\"\r\n]*\"?|'[^'\r\n]*'?|[^#\r\n]*[^#\r\n\s]")
_AT = re.compile(r"(.*) \(at line (\d+), column (\d+)\)$", re.DOTALL)
_LONG = re.compile(r"[+-]?[0-9][0-9_]{999,}")
_NESTED = re.compile(r"(?:[\[{][\s\w=]*){20,}")
_DOTTED = re.compile(
    r"""(?:\.[ \t]*(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*){20}"""
)  # tomllib's memory: its square
_TRIES = 20


class _Place(NamedTuple):
    """A stretch of the text, as offsets."""

    start: int
    end: int


def read_rulebook(path: Path) -> Rules:
    """Read a rulebook of the user's own from a TOML file.

    The file has the form of one profile of `rulings.toml`, with its table's header or without: a `title` (optional) and
    ``ruling = "option"`` lines. A number stands for the option that is spelt so: ``finish_value = 25``. Where not all
    sixteen are given, ``base = "en-2"`` names the rulebook that fills the rest (the default one where left out). Raises
    `RulesError`, with the place, for whatever else stands there, and for a file of more than `MAX_BYTES`; an unreadable
    file raises `OSError`. Cost: some parses of the file.
    """
    text = _text(path)
    known = registry()
    data = _table(path, text)
    base = data.pop("base", known.default)
    title = data.pop("title", "")
    if not isinstance(title, str):
        raise _refused(path, text, _value(text, "title"), fact("title", is_a=_kind(title)))
    if not isinstance(base, str) or base not in known.rulebooks:
        raise _refused(path, text, _value(text, "base"), unknown("no_rulebook", base, known.rulebooks, _said(base)))
    changes = {name: _option(path, text, name, value) for name, value in data.items()}
    return Rules(str(path), (), known.rulebooks[base].with_changes(changes))


def _text(path: Path) -> str:
    try:
        if not (stat.S_ISREG(path.stat().st_mode) or path.is_dir()):
            raise RulesError(str(path), fact("no_file", path=str(path)))
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except ValueError as error:  # a name that no file can have
        raise RulesError(str(path), fact("unreadable", path=str(path), why=str(error))) from None
    if len(content) > MAX_BYTES:
        raise RulesError(str(path), fact("rulebook_long", path=str(path), most=MAX_BYTES))
    try:
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        raise _refused(path, before + "\ufffd", _Place(len(before), len(before) + 1), fact("no_utf8")) from None


def _table(path: Path, text: str) -> dict[str, Any]:
    """The rulings of the file, still as TOML has them."""
    if found := _DOTTED.search(text):
        raise _refused(path, text, _Place(found.start(), found.end()), fact("nested"))
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _refused(path, text, _fault(text, str(error)), fact("no_toml", why=_fault_words(str(error)))) from None
    except (ValueError, RecursionError) as error:
        deep = isinstance(error, RecursionError)
        found = (_NESTED if deep else _LONG).search(text)
        place = _Place(found.start(), found.end()) if found else _Place(0, 0)
        raise _refused(path, text, place, fact("nested" if deep else "digits")) from None
    books = data.get("rulebook")
    if list(data) == ["rulebook"] and isinstance(books, dict) and len(books) == 1:
        (data,) = books.values()
    if not isinstance(data, dict):
        raise _refused(path, text, _value(text, "rulebook"), fact("no_table"))
    return data


def _option(path: Path, text: str, name: str, value: object) -> str:
    """The option that a value stands for."""
    known = registry().rulings
    if name not in known:
        raise _refused(path, text, _value(text, name, key=True), unknown("no_ruling", name, known, _said(name)))
    options = known[name].option_names()
    if isinstance(value, str) and value in options:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        spelt = [option for option in options if option.isdecimal() and int(option) == value]
        if spelt:
            return spelt[0]
    raise _refused(path, text, _value(text, name), unknown("no_option", value, options, _said(value), ruling=name))


def _said(value: object) -> Fact:
    """A value as a message names it: a text as it is, as far as it is short, anything else by its kind."""
    if not isinstance(value, str):
        return fact("that_is", is_a=_kind(value))
    return fact("quoted", text=value if len(value) <= 40 else value[:39] + "…")


def _kind(value: object) -> str:
    """The kind of a value of TOML, in a place for `is a`."""
    kinds = (bool, int, float, list, Mapping)
    return next((kind.__name__ for kind in kinds if isinstance(value, kind)), "date")


def _value(text: str, name: str, key: bool = False) -> _Place:
    """Where the value of a key stands, or the key itself: the first line with it before which the file is whole and
    does not have it yet. The file's beginning where no such line is found.
    """
    wanted = re.compile(_KEY.format(re.escape(name)), re.MULTILINE)
    header = re.compile(rf"^[ \t]*\[+[ \t]*[\"']?{re.escape(name)}[\"']?[^\r\n]*", re.MULTILINE)
    for found, _ in zip(wanted.finditer(text), range(_TRIES), strict=False):
        try:
            before = tomllib.loads(text[: found.start()])
        except (ValueError, RecursionError):
            continue
        if name in before:
            continue
        if key:
            start = found.start() + found[0].index(name)
            return _Place(start, start + len(name))
        value = _VALUE.match(text, found.end())
        return _Place(found.end(), value.end() if value else found.end())
    table = header.search(text)
    return _Place(table.start(), table.end()) if table else _Place(0, 0)


def _fault(text: str, message: str) -> _Place:
    """The place that a message of the TOML reader names: a line and a column, or the end."""
    found = _AT.match(message)
    if found is None:
        return _Place(len(text), len(text))
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: int(found[2]) - 1]) + int(found[3]) - 1
    return _Place(start, start)


def _fault_words(message: str) -> str:
    found = _AT.match(message)
    words = (found[1] if found else message.removesuffix(" (at end of document)")).strip()
    return words[:1].lower() + words[1:] if len(words) <= 100 else words[:99] + "…"


def _refused(path: Path, text: str, place: _Place, what: Fact) -> RulesError:
    """The error at a place of the file, with the line that it stands on."""
    first = text.rfind("\n", 0, place.start) + 1
    last = text.find("\n", place.start)
    line = text[first : len(text) if last < 0 else last]
    number, column = text.count("\n", 0, place.start) + 1, place.start - first
    at = fact("rulebook_at", path=str(path), line=number, column=column + 1, said=what)
    error = RulesError(line[column : place.end - first], at)
    error.line = (number, line, column, place.end - first)
    return error
