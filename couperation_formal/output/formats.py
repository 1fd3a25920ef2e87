"""The forms of the output, the data that they are made of, and the one way in which a file is written."""

import csv
import io
import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal, NamedTuple, Self, dataclass_transform
from urllib.parse import quote

import msgspec

from couperation_formal.game.fact import fact, told, translated
from couperation_formal.game.record import NOTATION, Diagnostic, Game
from couperation_formal.game.tower import FinishCard, UnseenCard
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.output.blocks import COLON, Paragraph, Place, Verbatim, line_at, place_of
from couperation_formal.output.report import Report, cited, clauses, complaint, hanging
from couperation_formal.words import say as words
from couperation_formal.words.say import ENGLISH, encodable, json_safe, safe, say, texts

Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
CardData = Positive | Literal["F", "?"]
"""A card: its number, ``F`` for the Finish card, ``?`` for one that the record does not show."""


def card_data(card: object) -> CardData:
    """The form of a card."""
    return "F" if isinstance(card, FinishCard) else "?" if isinstance(card, UnseenCard) else int(str(card))


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all JSON forms share: every field is written, and no other one is known; fields are given by name."""

    @classmethod
    def of(cls, value: object, **own: Any) -> Self:
        """The form of a value: its fields of the same names beside the form's `own`; `format` is 1."""
        rest = [name for name in cls.__struct_fields__ if name not in own]
        return cls(**own, **{name: 1 if name == "format" else getattr(value, name) for name in rest})


class GameData(Data):
    """A game of a file."""

    file: str
    game: Positive

    @classmethod
    def about(cls, item: Any, value: object = None, **own: Any) -> Self:
        """The form of a value, or of `item` itself, which it tells of: that has a `file` and an `index`."""
        return cls.of(item if value is None else value, file=encodable(item.file), game=item.index, **own)


def event_of(item: Item) -> str | None:
    """What the Event tag says."""
    if isinstance(item, Malformed):
        return item.event
    return (item.record if isinstance(item, Game) else item.position).tag("Event")


_LANG = re.compile(r'\[Lang\s+"([^"\r\n]*)"')


def language_of(item: Item) -> str:
    """The language that the Lang tag names, "" where it names none that there is."""
    if isinstance(item, Malformed):
        tags = _LANG.findall(item.text)[:1]
    else:
        tags = [(item.record if isinstance(item, Game) else item.position).tag("Lang") or ""]
    return words.language_of(tags) or ""


# The forms of the output: what stands before the answers, each of them, and what stands after. A form is one class and
# a line of `FORMS`, from which the commands, the configuration and the documentation have it.

Written = str | Iterable[Paragraph]
"""A text that is written as it is, in UTF-8, or blocks for people."""


@dataclass_transform(frozen_default=True)
class Answer(msgspec.Struct, frozen=True):
    """What a question answers: its JSON form, what people read, and the certificates that the checker accepts."""

    def data(self) -> Any:
        """Its JSON form."""
        raise NotImplementedError

    def data_in(self, _language: str) -> Any:
        """The same with the sentences that it has in this language."""
        return self.data()

    def blocks(self) -> Iterable[Paragraph]:
        """The answer for people."""
        raise NotImplementedError

    def certificates(self) -> Iterable[dict[str, Any] | str]:
        """Its certificates, none of what hangs on nothing that could be checked by itself."""
        return ()


class Case(NamedTuple):
    """One answer as the forms take it: as data in a language, for people, as a row of a table with these data. `report`
    is what `check` says.
    """

    data: Callable[[str], Any]
    blocks: Callable[[], Iterable[Paragraph]] = list
    row: Callable[[Any], Sequence[object]] = tuple
    report: Report | None = None


class Form:
    """A form with nothing around its answers, and a `separator` between them, in a language. `configuration` names the
    file that the command takes something from, `version` is the program's.
    """

    separator = ""
    script = True
    """Whether programs read it."""

    def __init__(self, configuration: str | None, version: str, language: str) -> None:
        self.configuration, self.version, self.language = configuration, version, language

    def head(self, _columns: Sequence[str] = ()) -> str:
        """What stands before all answers; a table names its columns."""
        return ""

    def case(self, case: Case) -> Written:
        """One answer."""
        raise NotImplementedError

    def tail(self) -> str:
        """What stands after all answers."""
        return ""


class Full(Form):
    """For people."""

    script = False

    def case(self, case: Case) -> Written:
        """Its blocks."""
        return case.blocks()


class Concise(Form):
    """A line for each diagnostic."""

    script = False

    def case(self, case: Case) -> Written:
        """Its lines."""
        return [[Verbatim(concise(_report(case), self.language))]]


class Json(Form):
    """An object on a line of its own."""

    def case(self, case: Case) -> Written:
        """The object, with the configuration."""
        data = case.data(self.language)
        if self.configuration is not None:
            data = {**msgspec.to_builtins(data), "configuration": self.configuration}
        return json_line(data)


class Sarif(Form):
    """A log of static analysis."""

    separator = ","

    def head(self, _columns: Sequence[str] = ()) -> str:
        """The log up to its first result; results with commas between them follow, and the tail. Every clause is a rule
        of it.
        """
        rules = [_rule(code, self.language) for code in _codes()]
        driver = {"name": "couperation", "informationUri": HOME, "version": self.version, "rules": rules}
        named = {} if self.configuration is None else {"properties": {"configuration": self.configuration}}
        run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", **named, "results": []}
        return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, separators=(",", ":"))[:-4]

    def case(self, case: Case) -> Written:
        """Its results, with a comma between two."""
        report = _report(case)
        return self.separator.join(json_line(sarif_result(each, report, self.language)) for each in report.diagnostics)

    def tail(self) -> str:
        """The ends of what the head began."""
        return "]}]}\n"


class GitHub(Form):
    """Workflow commands."""

    def case(self, case: Case) -> Written:
        """One for each diagnostic."""
        return [[Verbatim(github(_report(case), self.language))]]


class Csv(Form):
    """A table; its last column is the configuration, where there is one."""

    def head(self, columns: Sequence[str] = ()) -> str:
        """The row of names."""
        return csv_line(*columns, *([] if self.configuration is None else ["configuration"]))

    def case(self, case: Case) -> Written:
        """A row."""
        last = [] if self.configuration is None else [file_field(self.configuration)]
        return csv_line(*case.row(case.data(self.language)), *last)


_KIND = {"illegal": "failure", "malformed": "error", "undetermined": "error"}


class JUnit(Form):
    """JUnit's XML, which build servers show: a suite, and in it a test case for each game."""

    def head(self, _columns: Sequence[str] = ()) -> str:
        """The document up to its first case."""
        named = ""
        if self.configuration is not None:
            value = _quoted(self.configuration)
            named = f'<properties><property name="configuration" value={value}/></properties>\n'
        return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites><testsuite name="couperation">\n{named}'

    def case(self, case: Case) -> Written:
        """One game: a failure where a rule is broken, an error where it cannot be read or is undetermined. The lines
        that tell of it, warnings and notes too, stand inside.
        """
        from xml.sax.saxutils import escape

        report = _report(case)
        lines, kind, first = concise(report, self.language), _KIND.get(report.verdict), report.error
        text = escape(encodable("\n".join(lines)))
        if kind is None:
            inner = f"<system-out>{text}</system-out>" if text else ""
        else:
            message = report.verdict if first is None else _message(first, report, self.language)
            code = report.verdict if first is None else first.code
            inner = f"<{kind} type={_quoted(code)} message={_quoted(message)}>{text}</{kind}>"
        name = _quoted(f"game {report.item.index}")
        return f"<testcase classname={_quoted(report.item.file)} name={name}>{inner}</testcase>\n"

    def tail(self) -> str:
        """The ends of what the head began."""
        return "</testsuite></testsuites>\n"


FORMS: dict[str, type[Form]] = {
    "full": Full,
    "concise": Concise,
    "json": Json,
    "sarif": Sarif,
    "github": GitHub,
    "csv": Csv,
    "junit": JUnit,
}
"""The forms by their names; a command has those that its answers are made for."""


def ready(data: Any) -> Callable[[str], Any]:
    """Data without sentences that are there already, as a case has them."""
    return lambda _language: data


def specified(data: Any) -> Callable[[str], Any]:
    """Data with texts of the specification, each said in the language."""

    def said(value: Any, known: dict[str, str]) -> Any:
        if isinstance(value, dict):
            return {name: said(each, known) for name, each in value.items()}
        if isinstance(value, tuple | list):
            return [said(each, known) for each in value]
        return known.get(value, value) if isinstance(value, str) else value

    return lambda language: said(msgspec.to_builtins(data), texts(language))


def json_line(data: Any) -> str:
    """A value as one line of JSON."""
    return json_safe(msgspec.json.encode(data).decode()) + "\n"


def _message(each: Diagnostic, report: Report, language: str) -> str:
    """The message of a diagnostic with the rulings that it hangs on."""
    return told(complaint(each, report.game), language) + say(hanging(each), language)


def _told(report: Report, language: str) -> Iterator[tuple[Diagnostic, Place, str]]:
    """Each diagnostic, its place, and its message with the places of the clause and the rulings that it hangs on."""
    for each in report.diagnostics:
        behind = say(cited(each.code, report.book), language) + say(hanging(each), language)
        yield each, place_of(report.item, each.span), safe(told(complaint(each, report.game), language)) + behind


def concise(report: Report, language: str = ENGLISH) -> list[str]:
    """``file:line:column: CODE message (places) [hangs on between]`` for each diagnostic; a warning or note says so."""
    lines = []
    for each, place, text in _told(report, language):
        kind = "" if each.severity == "error" else say(fact(each.severity), language) + say(COLON, language)
        lines.append(f"{safe(report.item.file)}:{place.line}:{place.column}: {each.code} {kind}{text}")
    return lines


_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def github(report: Report, language: str = ENGLISH) -> list[str]:
    """One workflow command for each diagnostic. Columns are left out where a stretch covers several lines."""
    lines = []
    for each, place, text in _told(report, language):
        file, one = encodable(report.item.file), place.line == place.end_line
        start, end = ({"col": place.column}, {"endColumn": place.end_column}) if one else ({}, {})
        properties = {"file": file, "line": place.line, **start, "endLine": place.end_line, **end, "title": each.code}
        listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
        lines.append(f"::{_LEVELS[each.severity]} {listed}::{_data(text)}")
    return lines


def _data(text: str) -> str:
    """The text of a command; `safe` has left no line end in it."""
    return text.replace("%", "%25")


def _property(text: str) -> str:
    """A property of a command: what it cannot hold as GitHub's own escapes, control characters as ours."""
    escaped = _data(text).replace("\r", "%0D").replace("\n", "%0A").replace(":", "%3A").replace(",", "%2C")
    return safe(escaped)


def csv_line(*fields: object) -> str:
    """A line of CSV; None is empty, a truth value as in JSON."""
    out = io.StringIO()
    words = ["" if field is None else str(field).lower() if isinstance(field, bool) else field for field in fields]
    csv.writer(out, lineterminator="\n").writerow(words)
    return out.getvalue()


def file_field(file: str) -> str:
    """A file's name as a field, behind ``./`` where a spreadsheet would take it for a formula."""
    return safe(f"./{file}" if file != "-" and file.startswith(("=", "+", "-", "@")) else file)


def _report(case: Case) -> Report:
    if case.report is None:
        raise TypeError("a form for reports was given another answer")
    return case.report


# SARIF 2.1.0, the exchange form of static analysis results.

HOME = "https://github.com/couperation/couperation-formal"
"""Where the project is at home, as `pyproject.toml` says too."""

_ROOT = "%SRCROOT%"

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def _codes() -> list[str]:
    return [NOTATION, *clauses()]


def _rule(code: str, language: str) -> dict[str, Any]:
    own, text, page = say(fact("cgn_title"), ENGLISH), say(fact("cgn_in_short"), language), "notation.md"
    if code != NOTATION:
        clause = clauses()[code]
        own, text, page = clause.title, say(translated(clause.rule), language), clause.page
    title = say(fact("cgn_title") if code == NOTATION else translated(own), language)
    return {
        "id": code,
        "name": _name(own),
        "helpUri": f"{HOME}/blob/main/spec/{page}",
        "shortDescription": {"text": title},
        "fullDescription": {"text": text},
        "help": {"text": say(fact("more_of_clause", text=text, code=code), language)},
        "defaultConfiguration": {"level": "warning" if code == "SET05" else "error"},
    }


def _location(diagnostic: Diagnostic, report: Report) -> dict[str, Any]:
    place = place_of(report.item, diagnostic.span)
    region = dict(zip(("startLine", "startColumn", "endLine", "endColumn"), place, strict=True))
    return {"physicalLocation": {"artifactLocation": _place(report.item.file), "region": region}}


def sarif_result(diagnostic: Diagnostic, report: Report, language: str = ENGLISH) -> dict[str, Any]:
    """The result for one diagnostic. A note is a result of its own level that is related to the error above it."""
    related, error = [], report.error
    if diagnostic.severity == "note" and error is not None:
        text = say(fact("of_error", code=error.code, message=told(error.what, language)), language)
        related = [{**_location(error, report), "message": {"text": text}}]
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": _codes().index(diagnostic.code),
        "level": diagnostic.severity,
        "message": {"text": told(diagnostic.what, language) + say(hanging(diagnostic), language)},
        "locations": [_location(diagnostic, report)],
        **({"relatedLocations": related} if related else {}),
        "partialFingerprints": {"couperation/v1": _fingerprint(diagnostic, report)},
        "properties": {"game": report.item.index, "turn": diagnostic.turn, "rulings": list(diagnostic.rulings)},
    }


def _name(title: str) -> str:
    """A rule's name as SARIF wants it: the words of its title, each with a capital, without blanks."""
    return "".join(word[:1].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", title))


def _fingerprint(each: Diagnostic, report: Report) -> str:
    """What a finding is, wherever its line moves to: the file, the event, the clause and the line's own words."""
    from hashlib import sha256

    line = line_at(report.item, each.span).text
    told = (_place(report.item.file)["uri"], each.code, each.severity, " ".join(line.split()), each.message)
    return sha256("\0".join(map(encodable, map(str, told))).encode()).hexdigest()[:32]


def _place(file: str) -> dict[str, str]:
    """A file as SARIF names it: what lies in the working folder relative to this, standard input as ``-``."""
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(os.fsencode(path.as_posix())), "uriBaseId": _ROOT}


def _quoted(text: str) -> str:
    from xml.sax.saxutils import quoteattr

    return quoteattr(safe(encodable(text)))


# A file is written whole, or not at all.


@contextmanager
def written_atomically(path: Path, temporary: Path, permissions: Callable[[], int]) -> Iterator[BinaryIO]:
    """What is written to this stream is the content of `path` if the block ends well: at any moment that is the old one
    or the new one, whole, and afterwards the new one is on the disk. It is made ready as `temporary` in the same
    folder, a name under which there is nothing yet. `permissions` tells those of the file, and is asked first and last:
    where it, the block or the disk raises, nothing has changed.
    """
    permissions()
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(stat.S_IMODE(permissions()))
        permissions()
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    with suppress(OSError):  # not every system opens a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def new_permissions() -> int:
    """The permissions of a file that is not there yet."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
