"""Sentences of the catalogs, and text from records and file names made safe to show and to write."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from string import Formatter
from typing import Any, Final, Protocol

Piece = tuple[str, str]
"""A text and its style by one of rich's names. Colour only repeats what the words say."""

_ESCAPED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""The categories of characters that could steer a terminal, turn its text around, or break a line."""


def safe(text: str) -> str:
    """`text` with every control or unassigned character written as an escape, so that a terminal shows it and does
    not obey it.
    """
    if text.isprintable():
        return text
    return "".join(_escape(character) if _steers(character) else character for character in text)


def shown(text: str) -> str:
    """`text` as `safe` writes it, its line ends and tabs kept."""
    return re.sub(r"[^\n\t]+", lambda part: safe(part[0]), text)


def spoken(name: str) -> str:
    """A player's name as people read it: what CGN writes as ``_`` is a blank."""
    return name.replace("_", " ").strip() or name


def json_safe(text: str) -> str:
    """A JSON text that says the same with JSON's own escapes in place of what `safe` would escape."""
    if text.isprintable():
        return text
    return "".join(json.dumps(character)[1:-1] if _steers(character) else character for character in text)


def _steers(character: str) -> bool:
    return unicodedata.category(character) in _ESCAPED


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def encodable(text: str) -> str:
    """`text` with the undecodable bytes of a file's name replaced, so that it can be written as UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


# A sentence of the catalog with its places filled.
#
# A place ``{name}`` is the value as a record writes it, or the sentence of a fact. A place ``{name:word}`` is put into
# words: the entry ``word VALUE`` where the catalog has one, else ``word``, whose own place is the value. Of a list,
# ``word`` is what stands between its members, nothing where there is none. ``name`` is a player's name, spoken;
# ``capital`` begins a sentence, but with a cell's name; ``unended`` takes a sentence without its stop; ``translated``
# is an English text of the specification or of the command line, for which another language has an entry by the text
# itself; ``character`` is a character by its name in Unicode, and itself in another language than that of the names.


ENGLISH: Final = "en"
_FOLDER = Path(__file__).parent
LANGUAGES: Final = tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))
"""The languages by their tags (BCP 47): each is a file of this folder."""


def language_of(wanted: Iterable[str]) -> str | None:
    """The language of the first of these tags that is a catalog's or goes on from it, as `ja-JP` and `ja_JP.UTF-8` do
    from `ja` (RFC 4647, lookup); None where none is.
    """
    known = {each.casefold(): each for each in LANGUAGES}
    for tag in wanted:
        parts = re.split("[-_.@]", tag.casefold())[:8]
        begun = ("-".join(parts[:end]) for end in range(len(parts), 0, -1))
        if (found := next((known[each] for each in begun if each in known), None)) is not None:
            return found
    return None


@cache
def catalog(language: str) -> dict[str, str]:
    """The sentences of a language by their names; what is about one thing stands together in its file."""
    return _entries(language, True)


@cache
def texts(language: str) -> dict[str, str]:
    """What English texts are in a language, by these: the groups of its file that the English one does not have."""
    return _entries(language, False)


def _entries(language: str, named: bool) -> dict[str, str]:
    own, theirs = (json.loads((_FOLDER / f"{each}.json").read_text(encoding="utf-8")) for each in (language, ENGLISH))
    return {kind: said for group in own if (group in theirs) is named for kind, said in own[group].items()}


class Sayable(Protocol):
    """A fact (`game.fact`), as far as its sentence goes."""

    @property
    def kind(self) -> str:
        """Its sentence in the catalog."""

    @property
    def numbers(self) -> tuple[tuple[str, Any], ...]:
        """Values by the name of their places."""

    @property
    def beside(self) -> tuple[tuple[str, Any], ...]:
        """Further ones."""


def say(what: Sayable | str, language: str) -> str:
    """The sentence of a fact in a language; a text that is the record's own, or an id, stays as it is."""
    if isinstance(what, str):
        return what
    values, sentences = dict((*what.numbers, *what.beside)), catalog(language)
    said = [
        before
        if name is None
        else before + _words(repr(values[name]) if quoted else values[name], form or "", sentences, language)
        for before, name, form, quoted in _parts(sentences[what.kind])
    ]
    return "".join(said)


def entries(language: str, *prefixes: str) -> dict[str, str]:
    """The entries of the catalog whose names begin so, for a script, which fills their places itself."""
    return {kind: sentence for kind, sentence in catalog(language).items() if kind.startswith(prefixes)}


def _words(value: Any, form: str, sentences: dict[str, str], language: str) -> str:
    """The words for one place."""
    kind = type(value)
    if form == "translated":
        return texts(language).get(value, str(value))
    if form == "character":
        sign = unicodedata.lookup(value)
        if language == ENGLISH or unicodedata.category(sign)[0] not in "LNPS" or re.search("FILLER|BLANK", value):
            return texts(language).get(value, str(value))
        return sentences[form].format(sign)
    if form in ("capital", "unended"):
        said = _words(value, "", sentences, language)
        if form == "unended":
            return said.rstrip(".。")
        return said if said[1:2].isdigit() else said[:1].upper() + said[1:]
    if kind is tuple:
        return (sentences[form] if form else "").join([_words(each, "", sentences, language) for each in value])
    if hasattr(kind, "beside"):
        return say(value, language)
    if not form:
        return str(value)
    if form == "name":
        return spoken(value)
    entry = f"{form} {value}"
    return sentences[entry if entry in sentences else form].format(value)


@cache
def _parts(sentence: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    """A sentence taken apart once: what stands before each of its places, the place's name and form, `r` where the
    value is quoted.
    """
    return tuple(Formatter().parse(sentence))


# Runs of numbers.


def runs(values: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Rising numbers as stretches of three or more, and single ones."""
    for first, last in stretches(values):
        yield from [(first, last)] if last - first != 1 else [(first, first), (last, last)]


def stretches(values: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Rising numbers as stretches that follow each other, each by its first and last."""
    for _, pairs in groupby(enumerate(values), lambda pair: pair[1] - pair[0]):
        run = [value for _, value in pairs]
        yield run[0], run[-1]
