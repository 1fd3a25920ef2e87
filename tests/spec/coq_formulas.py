"""The formulas of the specification in Coq: `python -m tests.spec.coq_formulas` writes spec/coq/Formulas.v.

What formulas may be is said in spec/language.md; FormulaPrelude.v has the operations that are named here. What may be
undefined is an option. A definition is a function of `now`: the rulings, what a game gives, a turn, the state.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from couperation_formal.formulas.judge import book
from couperation_formal.formulas.syntax import BOOL, INT, Term, Type

WRITTEN = Path(__file__).resolve().parents[2] / "spec" / "coq" / "Formulas.v"
BOOK = book()
RULED = tuple(name for name, given in BOOK.givens.items() if given.type.kind == "options")
TURN = ("t", "number", "name", "d", "a", "fill", "drop", "trim")
STATE = tuple(name for name in BOOK.givens if name + "'" in BOOK.definitions)
GAME = tuple(name for name in BOOK.givens if name not in RULED + TURN + STATE)
GROUPS = {"Rulings": RULED, "Game": GAME, "Turn": TURN, "State": STATE}
HEAD = """(** The formulas of the pages as tests/spec/coq_formulas.py prints them. *)

From Coq Require Import String List ZArith Bool.
From Couperation Require Import FormulaPrelude.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.
Open Scope list_scope.

"""
STRICT = {
    "at": "look {} {}", "item": "item {} {}", "add": "{} + {}", "subtract": "{} - {}", "multiply": "{} * {}",
    "divide": "{} / {}", "negate": "- {}", "absolute": "Z.abs {}", "max": "Z.max {} {}", "min": "Z.min {} {}",
    "max_of": "max_of {}", "min_of": "min_of {}", "union": "union {} {}", "without": "without {} {}",
    "over": "over {} {}", "map_without": "map_without {} {}", "then": "{} ++ {}", "size": "length_of {}",
    "dom": "dom {}", "places": "places {}", "range": "range {} {}", "subsets": "subsets {}",
    "less": "{} <? {}", "at_most": "{} <=? {}", "greater": "{1} <? {0}", "at_least": "{1} <=? {0}",
    "equal": "same {} {}", "unequal": "negb (same {} {})", "member": "mem {} {}", "not_member": "negb (mem {} {})",
    "subset": "subset {} {}", "empty": "is_empty {}", "not_empty": "negb (is_empty {})",
}  # fmt: skip
"""Operations that are undefined, or do not hold, where a part is undefined."""
OPENING = ("at", "item", "max_of", "min_of")
"""Those that may be undefined of parts that are defined."""
DIFFERENCES = {"less": "less {} {}", "greater": "less {1} {0}", "at_most": "at_most {} {}",
               "at_least": "at_most {1} {0}", "equal": "equal {} {}"}  # fmt: skip


def typed(type_: Type, partial: bool = False, numbers: str = "Z") -> str:
    """A type; `numbers` are what is called Int in it."""
    plain = {"Int": numbers, "Bool": "bool", "Text": "string", "options": "string", "named": type_.name}
    inner = [typed(type_.args[0]), *(typed(each, numbers=numbers) for each in type_.args[1:])] if type_.args else []
    text = plain.get(type_.kind) or f"list {inner[0] if len(inner) == 1 else f'({inner[0]} * {inner[1]})'}"
    text = f"({text})" if " " in text else text
    return f"(option {text})" if partial else text


def ident(name: str) -> str:
    return name.replace("<", "lt_")


def made(term: Term) -> str:
    """The name of what makes a value of a record or a variant."""
    return ("Make" if term.op == "record" else "") + term.value


def now(changed: Mapping[str, str]) -> str:
    """What is given, where these names have other values."""
    text = "MakeNow"
    for kind, names in GROUPS.items():
        parts = "".join(f" {changed.get(name, f'({name} now)')}" for name in names)
        text += f" (Make{kind}{parts})" if changed.keys() & set(names) else " now"
    return f"({text})"


def once(text: str) -> str:
    """The same, where names that are asked for under a quantifier are evaluated once before it."""
    before, quantifier, inner = text.partition("(fun ")
    for name in BOOK.definitions if "let now" not in inner else ():
        if f"({name} now)" in inner:
            inner = inner.replace(f"({name} now)", name + "_")
            before = f"let {name}_ := {name} now in\n  {before}"
    return before + quantifier + inner


class Printer:
    """Prints terms. `unknown` are the variables that stand for integers that are sought, or for maps to them."""

    def __init__(self, printed: list[str], unknown: Iterable[str] = ()) -> None:
        self.printed, self.unknown, self.fresh = printed, set(unknown), 0

    def new(self) -> str:
        self.fresh += 1
        return f"_{self.fresh}"

    def strict(
        self, template: str, args: Iterable[Term], opens: bool = False, truth: bool = False,
        how: Callable[[Term], str] | None = None,
    ) -> str:  # fmt: skip
        """An operation of parts that may be undefined; it may be undefined all the same where it `opens`."""
        parts = [((how or self.code)(arg), self.new() if arg.partial else "") for arg in args]
        text = template.format(*(name or code for code, name in parts))
        if not any(name for _, name in parts):
            return f"({text})"
        text = text if opens else f"Some ({text})"
        for code, name in reversed(parts):
            text = f"let? {name} := {code} in {text}" if name else text
        return f"(holds ({text}))" if truth else f"({text})"

    def code(self, term: Term, partial: bool = False) -> str:
        """A term: of its type, or an option of that where it may be undefined or this is wanted."""
        if partial and not term.partial:
            return f"(Some {self.code(term)})"
        args, name, steps, truth = term.args, ident(term.value), term.steps, term.type == BOOL
        holes = " {}" * len(args)
        match term.op:
            case "number" | "truth" | "local":
                return name
            case "text" | "label":
                return f'"{name}"'
            case "given" | "defined_name":
                return f"({name} now)"
            case "call":
                return self.strict(f"{name} now{holes}", args, BOOK.definitions[term.value].body.partial, truth)
            case "construct" | "record":
                return self.strict(made(term) + holes, args)
            case "field":
                return self.strict(BOOK.types.records[args[0].type.name][int(name)][0] + holes, args)
            case "seq":
                return self.strict(f"[{'; '.join(holes.split())}]", args)
            case "and" | "or":
                return f"({(' &&& ' if term.op == 'and' else ' ||| ').join(map(self.code, args))})"
            case "not":
                return f"(negb {self.code(args[0])})"
            case "defined":
                return f"(defined {self.code(args[0], True)})"
            case "choice":
                yes, no = (self.code(arg, term.partial) for arg in args[1:])
                return f"(if {self.code(args[0])} then {yes} else {no})"
            case "rebind":
                return f"(let now := {now({name: self.code(args[1])})} in {self.code(args[0])})"
            case "for_all":
                return self.under(steps, self.code(args[0]), "true", "for_all")
            case "there_is":
                return self.under(steps, "true", "false", "there_is")
            case "count":
                return f"(length_of {self.under(steps, '[true]')})"
            case "set" | "set_of" | "seq_of" | "sum":
                parts = [f"kept {self.code(arg)}" if arg.partial else f"[{self.code(arg)}]" for arg in args]
                listed = self.under(steps, f"({' ++ '.join(parts) or '[]'})", in_order=term.op == "seq_of")
                return listed if term.op == "seq_of" else f"({'sum' if term.op == 'sum' else 'members'} {listed})"
            case "map" | "map_of":
                half = len(args) // 2
                pairs = [f"kept {self.entry(*pair)}" for pair in zip(args[:half], args[half:], strict=True)]
                listed = " ++ ".join(pairs) or "[]"
                return f"(mapping {self.under(steps, f'({listed})')})"
            case "integers":
                ends = f"(Some ({self.code(args[2])}, {self.code(args[3])}))" if args[2:] else "None"
                body = Printer(self.printed, {name}).differences(args[0])
                return f"(there_are {self.code(args[1])} {ends} (fun {name} => {body}))"
        divided = term.op == "divide" and not (args[1].op == "number" and int(args[1].value))
        template = "divided {} {}" if divided else STRICT[term.op]
        if args[0].type.kind in ("set", "map"):
            template = template.replace("same", "same_" + args[0].type.kind)
        return self.strict(template, args, divided or term.op in OPENING, truth)

    def entry(self, key: Term, value: Term) -> str:
        pair = self.strict("{}, {}", (key, value))
        return pair if key.partial or value.partial else f"(Some {pair})"

    def under(
        self, steps: tuple[Term, ...], end: str, none: str = "[]", each: str = "each", in_order: bool = False
    ) -> str:
        """What `end` comes to under these variables and conditions, and `none` where a condition does not hold."""
        if not steps:
            return end
        (first, *pattern), rest = steps[0].args, self.under(steps[1:], end, none, each, in_order)
        if steps[0].op == "test":
            return f"(if {self.code(first)} then {rest} else {none})"
        if steps[0].op == "match":
            guards: list[str] = []
            shape = ("Some " if first.partial else "") + self.pattern(pattern[0], guards)
            rest = f"if {' &&& '.join(guards)} then {rest} else {none}" if guards else rest
            return f"(match {self.code(first)} with {shape} => {rest} | _ => {none} end)"
        members = f"(domain {self.code(first)})" if first.partial else self.code(first)
        if in_order and first.type == Type("set", (INT,)) and first.op not in ("range", "places"):
            members = f"(increasing {members})"
        return f"({each} {members} (fun {steps[0].value} => {rest}))"

    def pattern(self, pattern: Term, guards: list[str]) -> str:
        if pattern.op == "same":
            name = self.new()
            guards.append(self.strict(f"same {name} {{}}", pattern.args, truth=True))
            return name
        if pattern.op in ("any", "bind"):
            return pattern.value or "_"
        return f"({' '.join([made(pattern), *(self.pattern(part, guards) for part in pattern.args)])})"

    def body(self, term: Term) -> str:
        """What a definition stands for: of its cases the first that fits."""
        value = self.differences if self.unknown else lambda each: self.code(each, term.partial)
        if term.op != "cases":
            return value(term)
        text = "(truth false)" if self.unknown else "None" if term.partial else "false"
        for case in reversed(term.args):
            said, steps = value(case.args[0]), case.steps
            if all(step.op == "test" for step in steps):
                tests = " &&& ".join(self.code(step.args[0]) for step in steps)
                text = f"if {tests} then {said}\n  else {text}" if tests else said
            else:
                text = f"match {self.under(steps, f'Some {said}', 'None')} with Some _0 => _0\n  | None => {text} end"
        return text

    def definition(self, name: str) -> None:
        """Print a definition; where a parameter is unknown, what it asks of it."""
        _, params, body = BOOK.definitions[name]
        ends = "_differences {K}" if self.unknown else ""
        kind = "list (difference K)" if self.unknown else typed(body.type, body.partial)
        given = [(each, typed(type_, numbers="(offset K)" if each in self.unknown else "Z")) for each, type_ in params]
        head = " ".join(
            [f"Definition {ident(name)}{ends} (now : Now)", *(f"({each} : {type_})" for each, type_ in given)]
        )
        text = f"{head} : {kind} :=\n  {once(self.body(body))}."
        if text not in self.printed:
            self.printed.append(text)

    # Integers that are sought: what a body asks of them is a list of differences (language.md).

    def mentions(self, term: Term) -> bool:
        own = term.op == "local" and term.value in self.unknown
        return own or any(map(self.mentions, term.args + term.steps))

    def lifted(self, term: Term) -> str:
        """A number, or a map to numbers, beside unknown ones; anything else as it is."""
        if not self.mentions(term):
            plain = {INT: "plain {}", Type("map", (*term.type.args[:1], INT)): "plain_map {}"}.get(term.type)
            return self.strict(plain, (term,)) if plain else self.code(term)
        if term.op == "local":
            return term.value
        template = {"add": "more {} {}", "subtract": "more {} (- {})"}.get(term.op) or STRICT[term.op]
        number = term.args[1:] if term.op != "over" else ()
        how = lambda arg: self.code(arg) if arg in number else self.lifted(arg)  # noqa: E731
        return self.strict(template, term.args, term.op == "at", how=how)

    def differences(self, term: Term) -> str:
        if not self.mentions(term):
            return f"(truth {self.code(term)})"
        if term.op == "and":
            return f"({' ++ '.join(map(self.differences, term.args))})"
        if term.op == "for_all":
            return self.under(term.steps, self.differences(term.args[0]))
        if term.op == "call":
            params = BOOK.definitions[term.value].params
            sought = [name for (name, _), arg in zip(params, term.args, strict=True) if self.mentions(arg)]
            Printer(self.printed, sought).definition(term.value)
            template = f"{ident(term.value)}_differences now" + " {}" * len(params)
            text = self.strict(
                template, term.args, how=lambda arg: (self.lifted if self.mentions(arg) else self.code)(arg)
            )
        else:
            text = self.strict(DIFFERENCES[term.op], term.args, how=self.lifted)
        return f"(or_never {text})" if any(arg.partial for arg in term.args) else text


def record(name: str, fields: Mapping[str, str]) -> str:
    return (
        f"Record {name} : Type := Make{name} {{ {'; '.join(f'{each} : {type_}' for each, type_ in fields.items())} }}."
    )


def declared(name: str, printed: dict[str, str]) -> None:
    """Print a declared type, and those before it that it holds; and when two things of the type are equal."""
    fields = dict(BOOK.types.records.get(name, ()))
    shape = {each: held for each, (owner, held) in BOOK.types.constructors.items() if owner == name}
    shape = shape or {"Make" + name: tuple(fields.values())}
    for held in (inner for parts in shape.values() for part in parts for inner in (part, *part.args)):
        if held.kind == "named" and held.name not in printed:
            declared(held.name, printed)
    rows, cases = "", ""
    for each, parts in shape.items():
        rows += f"\n  | {each}" + "".join(f" (_ : {typed(part)})" for part in parts)
        one, other = ("".join(f" {side}{place}" for place in range(len(parts))) for side in "xy")
        said = " &&& ".join(f"same x{place} y{place}" for place in range(len(parts))) or "true"
        cases += f"\n  | {each}{one}, {each}{other} => {said}"
    cases += "\n  | _, _ => false" if len(shape) > 1 else ""
    text = (
        record(name, {each: typed(type_) for each, type_ in fields.items()})
        if fields
        else f"Inductive {name} : Type :={rows}."
    )
    printed[name] = (
        f"{text}\nDefinition same_{name} (x y : {name}) : bool :=\n  match x, y with{cases}\n  end.\n"
        f"#[global] Instance {name}_eq : Eq {name}.\nProof. shapes same_{name}. Defined."
    )


def state(name: str, defined: str) -> str:
    """A component of the state as it is defined; as it was, where it is not to be undefined and is (in no turn)."""
    if defined not in BOOK.definitions:
        return "None"
    may = BOOK.definitions[defined].body.partial and not BOOK.givens[name].partial
    return f"(match {defined} now with Some _0 => _0 | None => {name} now end)" if may else f"({defined} now)"


def whole() -> str:
    """All that is printed: types, what is given, definitions, the table at the set-up and after a turn, clauses."""
    types: dict[str, str] = {}
    for name in BOOK.types.names():
        if name not in types:
            declared(name, types)
    printed = list(types.values())
    for kind, names in GROUPS.items():
        printed.append(record(kind, {name: typed(*BOOK.givens[name][1:3]) for name in names}))
    printed.append(
        f"Record Now : Type := MakeNow {{ {'; '.join(f'its_{kind.lower()} :> {kind}' for kind in GROUPS)} }}."
    )
    for name in BOOK.definitions:
        Printer(printed).definition(name)
    for name, end in ("begun", "0"), ("after", "'"):
        values = {each: state(each, each + end) for each in STATE}
        printed.append(f"Definition {name} (now : Now) : Now :=\n  {now(values)}.")
    clauses = "; ".join(f'("{name}", {name})' for name in BOOK.headings if name in BOOK.definitions)
    printed.append(f"Definition clauses : list (string * (Now -> bool)) :=\n  [{clauses}].")
    return HEAD + "\n\n".join("\n".join(map(wrapped, text.split("\n"))) for text in printed) + "\n"


def wrapped(line: str) -> str:
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.fill(line, 110, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    WRITTEN.write_text(whole(), "utf-8")
