"""JUnit's XML, which build servers show: a suite, and in it a test case for each game."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from couperation_formal.output.blocks import Paragraph, Verbatim
from couperation_formal.output.clauses import cited, complaint, hanging
from couperation_formal.output.report import Report, place_of, source_of
from couperation_formal.words.say import encodable, json_safe, phrase, safe

# The forms of the output: what stands before the answers, each of them, and what stands after. A form is one class and
# a line of `FORMS`, from which the commands, the configuration and the documentation have it.

Written = str | Iterable[Paragraph]
"""A text that is written as it is, in UTF-8, or blocks for people."""


class Answer:
    """What a question answers: its JSON form, what people read, and the certificates that the checker accepts."""

    __slots__ = ()

    def data(self) -> Any:
        """Its JSON form."""
        raise NotImplementedError

    def blocks(self) -> Iterable[Paragraph]:
        """The answer for people."""
        raise NotImplementedError

    def certificates(self) -> Iterable[dict[str, Any] | str]:
        """Its certificates, none of what hangs on nothing that could be checked by itself."""
        return ()


class Case(NamedTuple):
    """One answer as the forms take it: as data, for people, as a row of a table with these data. `report` is what
    `check` says.
    """

    data: Callable[[], Any]
    blocks: Callable[[], Iterable[Paragraph]] = list
    row: Callable[[Any], Sequence[object]] = tuple
    report: Report | None = None


class Form:
    """A form with nothing around its answers. `configuration` names the file that the command takes something from,
    `version` is the program's.
    """

    def __init__(self, configuration: str | None, version: str) -> None:
        self.configuration, self.version = configuration, version

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

    def case(self, case: Case) -> Written:
        """Its blocks."""
        return case.blocks()


class Concise(Form):
    """A line for each diagnostic."""

    def case(self, case: Case) -> Written:
        """Its lines."""
        return [[Verbatim(concise(_report(case)))]]


class Json(Form):
    """An object on a line of its own."""

    def case(self, case: Case) -> Written:
        """The object, with the configuration."""
        data = case.data()
        if self.configuration is not None:
            data = {**msgspec.to_builtins(data), "configuration": self.configuration}
        return json_line(data)


class Sarif(Form):
    """A log of static analysis."""

    _before = ""

    def head(self, _columns: Sequence[str] = ()) -> str:
        """The log up to its first result."""
        from couperation_formal.output.exchange import sarif_head

        return sarif_head(self.version, self.configuration)

    def case(self, case: Case) -> Written:
        """Its results, with a comma between two."""
        from couperation_formal.output.exchange import sarif_results

        text = ""
        for result in sarif_results(_report(case)):
            text += self._before + json_line(result)
            self._before = ","
        return text

    def tail(self) -> str:
        """The ends of what the head began."""
        return "]}]}\n"


class GitHub(Form):
    """Workflow commands."""

    def case(self, case: Case) -> Written:
        """One for each diagnostic."""
        return [[Verbatim(github(_report(case)))]]


class Csv(Form):
    """A table; its last column is the configuration, where there is one."""

    def head(self, columns: Sequence[str] = ()) -> str:
        """The row of names."""
        return csv_line(*columns, *([] if self.configuration is None else ["configuration"]))

    def case(self, case: Case) -> Written:
        """A row."""
        last = [] if self.configuration is None else [file_field(self.configuration)]
        return csv_line(*case.row(case.data()), *last)


class JUnit(Form):
    """A suite of test cases."""

    def head(self, _columns: Sequence[str] = ()) -> str:
        """The document up to its first case."""

        from couperation_formal.output.exchange import junit_head

        return junit_head(self.configuration)

    def case(self, case: Case) -> Written:
        """A test case."""

        from couperation_formal.output.exchange import junit_case

        report = _report(case)
        return junit_case(report, concise(report))

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


def ready(data: Any) -> Callable[[], Any]:
    """Data that are there already, as a case has them."""
    return lambda: data


def json_line(data: Any) -> str:
    """A value as one line of JSON."""
    return json_safe(msgspec.json.encode(data).decode()) + "\n"


def concise(report: Report) -> list[str]:
    """``file:line:column: CODE message (places) [hangs on between]`` for each diagnostic; a warning or note says so."""
    source = source_of(report.item)
    lines = []
    for each in report.diagnostics:
        place = place_of(source, each.span)
        kind = "" if each.severity == "error" else f"{phrase(each.severity)}: "
        where = f"{safe(report.item.file)}:{place.line}:{place.column}"
        told = f"{safe(complaint(each, report.game))}{cited(each.code, report.rules)}{hanging(each)}"
        lines.append(f"{where}: {each.code} {kind}{told}")
    return lines


_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def github(report: Report) -> list[str]:
    """One workflow command for each diagnostic. Columns are left out where a stretch covers several lines."""
    source = source_of(report.item)
    lines = []
    for each in report.diagnostics:
        place = place_of(source, each.span)
        file, one = encodable(report.item.file), place.line == place.end_line
        start, end = ({"col": place.column}, {"endColumn": place.end_column}) if one else ({}, {})
        properties = {"file": file, "line": place.line, **start, "endLine": place.end_line, **end, "title": each.code}
        listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
        message = safe(complaint(each, report.game)) + cited(each.code, report.rules) + hanging(each)
        lines.append(f"::{_LEVELS[each.severity]} {listed}::{_data(message)}")
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
