"""Rulings: the registry that `spec/rulings.toml` is, the options of one reading, and rulebooks that are files, read
strictly.
"""

import codecs
import re
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self, cast

import msgspec

from couperation_formal.game.fact import Datum, Fact, Unfit, fact, translated
from couperation_formal.words.say import ENGLISH, say

# A small file of the user's, TOML or marks, read strictly: whatever is wrong with it is refused at its place.

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


_table = lru_cache(maxsize=2)(tomllib.loads)
"""What a text holds: an editor asks for the configuration of its folder again and again."""


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
        """What it holds, still as TOML has it, for whoever reads only. Cost: some parses of the file. Raises the
        error.
        """
        text = self.text
        if refused := _DOTTED.search(text):
            raise self.refused(Stretch(*refused.span()), fact("nested"))
        try:
            return _table(text)
        except tomllib.TOMLDecodeError as error:
            raise self.refused(*_fault(text, str(error))) from None
        except (ValueError, RecursionError) as error:
            deep = isinstance(error, RecursionError)
            refused = (_NESTED if deep else _LONG).search(text)
            place = Stretch(*refused.span()) if refused else Stretch(0, 0)
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
        return Stretch(*table.span()) if table else Stretch(0, 0)

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


def _fault(text: str, message: str) -> tuple[Stretch, Fact]:
    """The place that a message of the TOML reader names, a line and a column or the end, and what it says."""
    at, start = _AT.match(message), len(text)
    if at is not None:
        lines = text.split("\n")
        start = sum(len(line) + 1 for line in lines[: int(at[2]) - 1]) + int(at[3]) - 1
    words = (at[1] if at else message.removesuffix(" (at end of document)")).strip()
    why = words[:1].lower() + words[1:] if len(words) <= 100 else words[:99] + "…"
    return Stretch(start, start), fact("no_toml", why=translated(why))


def said(value: object) -> Fact:
    """A value as a message names it: a text as it is, as far as it is short, anything else by its kind."""
    if not isinstance(value, str):
        return fact("that_is", is_a=kind_of(value))
    return fact("quoted", text=value if len(value) <= 40 else value[:39] + "…")


def kind_of(value: object) -> str:
    """The kind of a value of TOML, in a place for `is a`."""
    kinds = {bool: "bool", int: "int", float: "float", list: "list", dict: "Mapping"}
    return kinds.get(type(value), "date")


# Where the specification's files lie: inside an installed package, or beside it in a checkout.

_PACKAGE = Path(__file__).resolve().parent.parent


@lru_cache(maxsize=1)
def spec_folder() -> Path:
    """The folder of the specification. Raises `FileNotFoundError` where the installation lacks it."""
    for folder in (_PACKAGE / "spec", _PACKAGE.parent / "spec"):
        if (folder / "rulings.toml").is_file():
            return folder
    raise FileNotFoundError(say(fact("no_specification"), ENGLISH))


def spec_text(name: str) -> str:
    """The text of one of the specification's files, named relative to its folder."""
    return (spec_folder() / name).read_text(encoding="utf-8")


# Rulings as plain values, and the registry that `spec/rulings.toml` holds: options, each text's stand, the
# rulebooks.

Stand = Literal["states", "implies", "open", "literal", "silent"]
"""How a text stands to an option: it says so, it follows from the wording, its words admit others too and nothing
decides, it is taken at its word, it says nothing.
"""


class Rulings(msgspec.Struct, frozen=True, kw_only=True):
    """One option for each ruling. Plain strings; `rulings.toml` lists the options of each."""

    anchor: str
    spread: str
    row_order: str
    between: str
    facedown: str
    replace_target: str
    take_sent: str
    adjust: str
    reserve_face: str
    early_apex: str
    hearts_below: str
    draw_amount: str
    draw_source: str
    finish_value: str
    finish_half: str
    finish_reserve_count: str
    no_action: str
    finish_refill: str
    refill_amount: str
    heart_over_back: str
    opened_against: str
    replacements: str
    finish_in_hand: str

    def option(self, ruling: str) -> str:
        """The option of the ruling with this name."""
        value: str = getattr(self, ruling)
        return value

    def with_changes(self, changes: Mapping[str, str]) -> Self:
        """The same rulings with some options changed. Names and options are not checked here: see `parse_rules`."""
        return msgspec.structs.replace(self, **changes)

    def changes(self, names: Sequence[str], count: int) -> Iterator[dict[str, str]]:
        """Every way to change so many rulings among these, each to another option."""
        known = registry().rulings
        for chosen in combinations(names, count):
            others = ([each for each in known[name].option_names() if each != self.option(name)] for name in chosen)
            yield from (dict(zip(chosen, options, strict=True)) for options in product(*others))


RULING_NAMES: tuple[str, ...] = tuple(field.name for field in msgspec.structs.fields(Rulings))


class _Noting:
    """A reading that notes which of its rulings are read."""

    def __init__(self, rulings: Rulings, read: set[str]) -> None:
        self._rulings, self._read = rulings, read

    def __getattr__(self, name: str) -> Any:
        if name not in RULING_NAMES:
            raise AttributeError(name)
        self._read.add(name)
        self.__dict__[name] = option = getattr(self._rulings, name)
        return option

    def option(self, name: str) -> Any:
        """The option of a ruling."""
        return getattr(self, name)

    def with_changes(self, changes: Mapping[str, str]) -> Any:
        """The same with some options changed."""
        return _Noting(self._rulings.with_changes(changes), self._read)


def noting(rulings: Rulings, read: set[str]) -> Rulings:
    """The same rulings for a question, which adds to `read` the names of those that it reads: others change no answer
    to it.
    """
    return cast("Rulings", _Noting(rulings, read))


class Rules(msgspec.Struct, frozen=True):
    """A rulebook with single rulings changed, as a `Rules` tag names it. `rulebook` is a name, or the path of an own
    rulebook.
    """

    rulebook: str
    changes: tuple[tuple[str, str], ...]
    rulings: Rulings

    @property
    def leaves(self) -> dict[str, tuple[str, ...]]:
        """The rulings that the rulebook's text leaves open and no change settles, with the options that it admits."""
        return _leaves(self)

    def __repr__(self) -> str:
        return f"<{' '.join(['Rules', repr(str(self))])}>"

    def __str__(self) -> str:
        return " ".join([self.rulebook, *(f"{name}={option}" for name, option in self.changes)])


@lru_cache(maxsize=256)
def _leaves(rules: Rules) -> dict[str, tuple[str, ...]]:
    changed = dict(rules.changes)
    stands = {name: registry().rulings[name].texts.get(rules.rulebook) for name in RULING_NAMES if name not in changed}
    return {name: stand.options for name, stand in stands.items() if stand is not None and stand.options}


class Option(msgspec.Struct, frozen=True):
    """One option of a ruling, and its meaning in a sentence."""

    name: str
    meaning: str


class TextStand(msgspec.Struct, frozen=True):
    """How one text stands to its option of a ruling, the place in it, and a remark that may be empty; where it leaves
    the ruling open its words admit these `options`, its rulebook's first.
    """

    stand: Stand
    place: str
    note: str = ""
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.stand}: {', '.join(self.options)}" if self.options else self.stand


class Ruling(msgspec.Struct, frozen=True):
    """A named choice: the question, its options in their stated order, and each text's stand."""

    name: str
    question: str
    options: tuple[Option, ...]
    texts: dict[str, TextStand]

    def option_names(self) -> tuple[str, ...]:
        """The names of the options, in their stated order."""
        return tuple(option.name for option in self.options)


class Registry(msgspec.Struct, frozen=True):
    """All that `rulings.toml` says."""

    default: str
    rulings: dict[str, Ruling]
    rulebooks: dict[str, Rulings]
    titles: dict[str, str]

    def takers(self, ruling: str, option: str) -> tuple[str, ...]:
        """The texts that take this option, then those that leave it open; none does either with an option of the
        house.
        """
        taken = [name for name, book in self.rulebooks.items() if book.option(ruling) == option]
        left = [name for name, stand in self.rulings[ruling].texts.items() if option in stand.options]
        return tuple(dict.fromkeys(taken + left))

    def accord(self, ruling: str) -> int:
        """0 where texts settle a ruling differently, 1 where else one leaves it open, 2 where all settle it alike."""
        texts = self.rulings[ruling].texts
        settled = {self.rulebooks[name].option(ruling) for name, stand in texts.items() if not stand.options}
        return 0 if len(settled) > 1 else 1 if any(stand.options for stand in texts.values()) else 2


class RulesError(TomlError):
    """A `Rules` text, or a rulebook file, that names an unknown rulebook, ruling or option, and nothing else than such
    a file may not hold; of a file the message names the place.
    """


@lru_cache(maxsize=1)
def registry() -> Registry:
    """The registry of rulings and rulebooks, read once from the specification."""
    data = tomllib.loads(spec_text("rulings.toml"))
    rulings = {
        name: Ruling(
            name=name,
            question=entry["question"],
            options=tuple(Option(option, meaning) for option, meaning in entry["options"].items()),
            texts={text: msgspec.convert(stand, TextStand) for text, stand in entry["texts"].items()},
        )
        for name, entry in data["ruling"].items()
    }
    titles = {name: profile.pop("title") for name, profile in data["rulebook"].items()}
    rulebooks = {name: msgspec.convert(profile, Rulings) for name, profile in data["rulebook"].items()}
    return Registry(data["default"], rulings, rulebooks, titles)


def unknown(kind: str, word: object, names: Iterable[str], said: Fact | None = None, **beside: Datum) -> Fact:
    """That a word, or a value that is none, is no name of a kind: `no_rulebook`, `no_ruling`, `no_option`. `said` is
    how it is told, `meant` the nearest name where one is near, capitals aside.
    """
    known = tuple(names)
    folded = {name.casefold(): name for name in known}
    from difflib import get_close_matches

    near = get_close_matches(word[:40].casefold(), list(folded), 1) if isinstance(word, str) else []
    text = said or fact("quoted", text=str(word))
    return fact(kind, text=text, meant=folded[near[0]] if near else None, names=known, **beside)


@lru_cache(maxsize=256)
def parse_rules(text: str) -> Rules:
    """Read ``"en-2 spread=adjacent"``: a rulebook, then changed rulings; without a rulebook the default one.

    Raises `RulesError` for an unknown rulebook, ruling or option, and for a ruling that is set twice.
    """
    known = registry()
    words = text.split()
    rulebook = known.default
    if words and "=" not in words[0]:
        rulebook = words.pop(0)
    if rulebook not in known.rulebooks:
        raise RulesError(rulebook, unknown("no_rulebook", rulebook, known.rulebooks))
    return change_rules(Rules(rulebook, (), known.rulebooks[rulebook]), words)


def change_rules(rules: Rules, words: list[str]) -> Rules:
    """`rules` with ``name=option`` words applied. Raises `RulesError` as `parse_rules` does."""
    changes, known = dict[str, str](), registry().rulings
    for word in words:
        name, equals, option = word.partition("=")
        if not equals:
            raise RulesError(word, fact("no_change", word=word))
        if name not in known:
            raise RulesError(word, unknown("no_ruling", name, known))
        if option not in known[name].option_names():
            raise RulesError(word, unknown("no_option", option, known[name].option_names(), ruling=name))
        if name in changes:
            raise RulesError(word, fact("ruling_twice", name=name))
        changes[name] = option
    return Rules(rules.rulebook, rules.changes + tuple(changes.items()), rules.rulings.with_changes(changes))


def taggable(rules: Rules) -> Rules:
    """The same rulings under a name that a `Rules` tag can hold: a rulebook of the user's own is named by the nearest
    known one and its changes.
    """
    books = registry().rulebooks
    if rules.rulebook in books:
        return rules
    wanted = msgspec.structs.asdict(rules.rulings)
    changes = {
        name: tuple((ruling, option) for ruling, option in wanted.items() if book.option(ruling) != option)
        for name, book in books.items()
    }
    nearest = min(changes, key=lambda name: len(changes[name]))
    return Rules(nearest, changes[nearest], rules.rulings)


def options_in_order() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each ruling with its options, in the order of the specification."""
    for name, ruling in registry().rulings.items():
        yield name, ruling.option_names()


# A rulebook of the user's own, read strictly: whatever it holds that is no rulebook is refused at its place.


def load_rules(text: str) -> Rules:
    """The `Rules` that a text names: ``"en-2 spread=adjacent"``, or the path of a rulebook and changes after it. Raises
    `RulesError`, and `OSError` for a file that cannot be read.
    """
    book = rulebook_file(text)
    return parse_rules(text) if book is None else change_rules(read_rulebook(book[0]), book[1])


def rulebook_file(text: str) -> tuple[Path, list[str]] | None:
    """The TOML file that a text for `load_rules` names, and the changes after it; None where it names none."""
    parts = re.match(r"\s*(.*?\.toml)(?:\s+(.*))?$", text, re.DOTALL)
    return None if parts is None else (Path(parts[1]), (parts[2] or "").split())


def read_rulebook(path: Path) -> Rules:
    """Read a rulebook of the user's own from a TOML file.

    The file has the form of one profile of `rulings.toml`, with its table's header or without: a `title` (optional) and
    ``ruling = "option"`` lines. A number stands for the option that is spelt so: ``finish_value = 25``. Where not all
    rulings are given, ``base = "en-2"`` names the rulebook that fills the rest (the default one where left out). Raises
    `RulesError`, with the place, for whatever else stands there, and for a file of more than `MAX_BYTES`; an
    unreadable file raises `OSError`. Cost: some parses of the file.
    """
    file = TomlFile(path, "rulebook", RulesError)
    known = registry()
    data = file.table()
    books = data.get("rulebook")
    if list(data) == ["rulebook"] and isinstance(books, dict) and len(books) == 1:
        (data,) = books.values()
    if not isinstance(data, dict):
        raise file.refused(file.value("rulebook"), fact("no_table"))
    data = dict(data)
    base = data.pop("base", known.default)
    title = data.pop("title", "")
    if not isinstance(title, str):
        raise file.refused(file.value("title"), fact("title", is_a=kind_of(title)))
    if not isinstance(base, str) or base not in known.rulebooks:
        raise file.refused(file.value("base"), unknown("no_rulebook", base, known.rulebooks, said(base)))
    changes = {name: _option(file, name, value) for name, value in data.items()}
    return Rules(str(path), (), known.rulebooks[base].with_changes(changes))


def _option(file: TomlFile, name: str, value: object) -> str:
    """The option that a value stands for."""
    known = registry().rulings
    if name not in known:
        raise file.refused(file.value(name, key=True), unknown("no_ruling", name, known, said(name)))
    options = known[name].option_names()
    spelt = str(value) if type(value) is int and abs(value) < 100 else value
    if isinstance(spelt, str) and spelt in options:
        return spelt
    raise file.refused(file.value(name), unknown("no_option", value, options, said(value), ruling=name))
