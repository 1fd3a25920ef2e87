"""The values of a formula's parts, and what is written for them: what explanations are made of (`trace`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from couperation_formal.formula.book import Book
from couperation_formal.formula.plain import part
from couperation_formal.formula.shown import Shower, known, members
from couperation_formal.formula.tables import Values
from couperation_formal.formula.types import BOOL, INT, Term, Type

_ARITHMETIC = ("add", "subtract", "multiply", "divide", "negate", "max", "min", "absolute", "size", "max_of", "min_of")
_WRITTEN = ("number", "text", "label", "truth")
_OVER = ("set_of", "seq_of", "map_of", "count", "sum", "for_all", "there_is", "integers")


class Frame(NamedTuple):
    """Where a part stands: the given values, its page, its variables, what is written for them and the arguments that
    parameters stand for, and what was bound and chosen on the way to it.
    """

    values: Values
    page: str
    local: dict[str, Any]
    written: dict[str, str]
    arguments: dict[str, tuple[Term, Frame]]
    bound: dict[str, str]
    chosen: dict[str, str]


class Reader:
    """Reads the parts of formulas of one book where they stand."""

    def __init__(self, book: Book, own: Mapping[str, Callable[[Any], str]] | None = None) -> None:
        self._book = book
        self._shower = Shower(book.types, own)
        self._parts: dict[tuple[int, tuple[str, ...]], Callable[..., Any]] = {}

    def value(self, term: Term, frame: Frame) -> Any:
        """The value of a term where it stands; None where it is not defined."""
        key = id(term), tuple(frame.local)
        if key not in self._parts:
            self._parts[key] = part(term, key[1], self._book.values, self._book.definitions)
        return self._parts[key](frame.values, *frame.local.values())

    def text(self, term: Term, frame: Frame) -> str:
        """The term as it is written, what stands for the variables of definitions put in."""
        found = self._book.text(frame.page, term.span)
        if not frame.written:
            return found
        names = "|".join(map(re.escape, sorted(frame.written, key=len, reverse=True)))
        return re.sub(rf"(?<![\w'])(?:{names})(?![\w'])", lambda name: frame.written[name[0]], found)

    def show(self, type_: Type, value: Any) -> str:
        """The text of a value of this type."""
        return self._shower.show(type_, value)

    def entered(self, term: Term, frame: Frame) -> Frame:
        """Inside a definition: its parameters have the values of the arguments, which are written in their places."""
        local: dict[str, Any] = {}
        written: dict[str, str] = {}
        arguments: dict[str, tuple[Term, Frame]] = {}
        for (name, _), arg in zip(self._book.definitions[term.value].params, term.args, strict=True):
            text = self.text(arg, frame)
            local[name] = self.value(arg, frame)
            arguments[name] = arg, frame
            written[name] = text if _closed(text) else f"({text})"
        return frame._replace(page=self._book.page_of(term.value), local=local, written=written, arguments=arguments)

    def case_of(self, term: Term, frame: Frame) -> tuple[Term, Frame] | None:
        """The value of the first case that fits, and where it stands."""
        for case in term.args:
            for inner, lacking in self.runs(case.steps, frame):
                if lacking is None:
                    chosen = {**inner.chosen, **self._options(case.steps, inner)}
                    return case.args[0], inner._replace(chosen=chosen)
        return None

    def _options(self, steps: tuple[Term, ...], frame: Frame) -> dict[str, str]:
        """The options that conditions ask for, which are given."""
        asked = [
            arg for step in steps for test in step.args for arg in (test, *test.args) if arg.type.kind == "options"
        ]
        return {arg.value: self.show(arg.type, self.value(arg, frame)) for arg in asked if arg.op == "given"}

    def runs(self, steps: tuple[Term, ...], frame: Frame) -> Iterator[tuple[Frame, Term | None]]:
        """Every way to run through the steps: where it leads, and the step that does not hold there, if any."""
        if not steps:
            yield frame, None
            return
        step, rest = steps[0], steps[1:]
        if step.op == "each":
            domain = step.args[0]
            for one in members(domain.type, self.value(domain, frame) or ()):
                yield from self.runs(rest, self._bind(frame, step.value, step.type, one))
            return
        if step.op == "test":
            inner = frame if self.value(step.args[0], frame) else None
        else:
            scrutinee, pattern = step.args
            inner = self._match(pattern, self.value(scrutinee, frame), frame)
        if inner is None:
            yield frame, step
        else:
            yield from self.runs(rest, inner)

    def _bind(self, frame: Frame, name: str, type_: Type, value: Any) -> Frame:
        shown = name
        while shown in frame.bound:
            shown += "'"
        written = frame.written if shown == name else {**frame.written, name: shown}
        bound = {**frame.bound, shown: self.show(type_, value)}
        return frame._replace(local={**frame.local, name: value}, written=written, bound=bound)

    def _match(self, pattern: Term, value: Any, frame: Frame) -> Frame | None:
        if value is None:
            return None
        if pattern.op == "bind":
            return self._bind(frame, pattern.value, pattern.type, value)
        if pattern.op == "same":
            return frame if value == self.value(pattern.args[0], frame) else None
        if pattern.op == "any":
            return frame
        if pattern.op == "construct":
            if value[0] != pattern.value:
                return None
            value = value[1:]
        for inner, held in zip(pattern.args, value, strict=True):
            matched = self._match(inner, held, frame)
            if matched is None:
                return None
            frame = matched
        return frame

    def readings(self, term: Term, frame: Frame, whole: bool = True) -> dict[str, str]:
        """The values of a term and of the parts that it is made of, by how they are written, the `whole` first."""
        if term.op in _WRITTEN or (term.op == "construct" and not term.args):
            return {}
        value = self.value(term, frame)
        if not known(value):
            return {}
        found: dict[str, str] = {}
        text = self.text(term, frame)
        if term.type != BOOL and text not in frame.bound and (whole or term.op not in _ARITHMETIC):
            found[text] = self._sum_of(term, frame) + self.show(term.type, value)
        for inner, place in self._made_of(term, frame):
            for name, shown in (*place.chosen.items(), *self.readings(inner, place, False).items()):
                found.setdefault(name, shown)
        return found

    def _made_of(self, term: Term, frame: Frame) -> list[tuple[Term, Frame]]:
        """The parts of a term whose values tell how its own comes about, with their places."""
        if term.op in ("local", *_OVER):
            return [frame.arguments[term.value]] if term.value in frame.arguments else []
        if term.op in ("at", "item", "field", "dom"):  # whole tables tell less than what is looked up in them
            return [(arg, frame) for arg in term.args if arg.type.kind not in ("map", "seq", "named")]
        if term.op not in ("defined_name", "call"):
            return [(arg, frame) for arg in term.args]
        if term.type != INT:
            return []
        case = self.case_of(self._book.definitions[term.value].body, self.entered(term, frame))
        if case is None or case[0].op in ("count", "max_of", "min_of"):
            return []
        return [(arg, case[1]) for arg in case[0].args] if case[0].op in _ARITHMETIC else [case]

    def _sum_of(self, term: Term, frame: Frame) -> str:
        """The terms of a sum, joined by +, before its value."""
        if term.op != "sum":
            return ""
        terms = [self.value(term.args[0], inner) for inner, lacking in self.runs(term.steps, frame) if lacking is None]
        shown = [str(one) for one in terms if one is not None]
        return f"{' + '.join(shown)} = " if len(shown) > 1 else ""


def _closed(text: str) -> bool:
    """Whether a text can stand in any place without brackets of its own: no sign is outside of brackets."""
    count = 1
    while count:
        text, count = re.subn(r"\([^()]*\)|\{[^{}]*\}|\[[^\[\]]*\]|\|[^|]*\|", "", text)
    return not re.search(r"[-+*/=<>]| (?:and|or|given|with) ", text)
