"""What the documentation makes out of the program while it is built: reference pages, pictures, the colours of CGN.

A line ``<!-- generated: NAME -->`` of a page becomes what the function of `GENERATED` with this name gives, a line
``<!-- picture: NAME FILE OPTIONS -->`` the picture that `couperation show FILE OPTIONS --output` draws.
"""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import click
from formula_links import FormulaLexer, Links
from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Text
from sphinx.application import Sphinx

import couperation_formal
from couperation_formal.cli.main import cli, main
from couperation_formal.game.fact import fact
from couperation_formal.game.rulings import RULING_NAMES, registry, spec_text
from couperation_formal.game.tower import STANDARD, Tower
from couperation_formal.hidden.readings.standing import standing
from couperation_formal.output.report import clauses as clause_texts
from couperation_formal.output.svg import Picture, tower_picture, tower_svg
from couperation_formal.questions.records.ask import (
    PAGES,
    AskedData,
    Question,
    asked_data,
    questions as known_questions,
)
from couperation_formal.questions.records.states import attempt
from couperation_formal.questions.schemas import FORMS, schema
from couperation_formal.words.say import ENGLISH, say, texts

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
PICTURES = DOCS / "_build" / "pictures"
LIVE = DOCS / "_build" / "extra" / "live"
SCHEMAS = LIVE.parent / "schema"

_GENERATED = re.compile(r"^<!-- generated: (\S+) -->$", re.MULTILINE)
_PICTURE = re.compile(r"^<!-- picture: (\S+) (.+) -->$", re.MULTILINE)
_CLAUSE = re.compile(r"^### ([A-Z]{3}\d\d) ", re.MULTILINE)
_READS = re.compile(r"^Rulings: .*$", re.MULTILINE)

_VERDICT = re.compile("legal|illegal|undetermined")

_LAYING = ("ACT", "TOW")
"""The families of clauses that refuse a card on its cell."""

_WIDE = 420
"""A third of a page, in pixels."""


def commands() -> str:
    """Every command with its help."""
    parts = []
    for name in cli.list_commands(click.Context(cli)):
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        context = click.Context(command, info_name=f"couperation {name}", terminal_width=100, max_content_width=100)
        parts.append(f"(command-{name})=\n## couperation {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


def clauses() -> str:
    """Every clause as the specification states it, with a target to link to."""
    parts = []
    for name in ("setup", "tower", "drawing", "actions", "limits", "end"):
        text = spec_text(f"clauses/{name}.md")
        text = re.sub(r"^#", "##", text, flags=re.MULTILINE)
        text = _READS.sub(lambda found: re.sub(r"`(\w+)`", r"[\1](#\1)", found[0]), text)
        parts.append(_CLAUSE.sub(lambda found: f"({found[1]})=\n{found[0]}", text))
    return "\n".join(parts)


def rulings() -> str:
    """Every ruling: the question, its options, and how each text stands to it."""
    known = registry()
    parts = []
    for name in RULING_NAMES:
        ruling = known.rulings[name]
        lines = [f"({name})=", f"## {name}", "", ruling.question, ""]
        lines += [f"- `{option.name}`: {option.meaning}" for option in ruling.options]
        lines += ["", "| text | option | stand | place | remark |", "|---|---|---|---|---|"]
        for text, stand in ruling.texts.items():
            option = known.rulebooks[text].option(name)
            lines.append(f"| {text} | `{option}` | {stand} | {stand.place} | {stand.note} |")
        reading = [f"[{clause.id}](#{clause.id})" for clause in clause_texts().values() if name in clause.rulings]
        parts.append("\n".join([*lines, "", f"Clauses: {', '.join(reading) or 'none'}"]) + "\n")
    return "\n".join(parts)


def rulebooks() -> str:
    """The rulebooks side by side."""
    books = registry().rulebooks
    lines = ["| ruling | " + " | ".join(books) + " |", "|---|" + "---|" * len(books)]
    for name in RULING_NAMES:
        options = " | ".join(f"`{book.option(name)}`" for book in books.values())
        lines.append(f"| [{name}](#{name}) | {options} |")
    titles = [f"- `{name}`: {title}" for name, title in registry().titles.items()]
    return "\n".join([*titles, "", *lines, ""])


def schemas() -> str:
    """Every JSON form, its parts and their fields; beside the page its schema as a file."""
    SCHEMAS.mkdir(parents=True, exist_ok=True)
    parts = []
    for form in FORMS:
        made = schema(form)
        (SCHEMAS / f"{form}.json").write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
        parts.append(f"## {form.replace('_', ' --')}\n")
        parts += [_form(name, part) for name, part in made["$defs"].items() if "properties" in part]
    return "\n".join(parts)


def _form(name: str, form: dict[str, Any]) -> str:
    about = " ".join(form.get("description", "").split())
    lines = [f"**{name}.** {about}", "", "| field | value |", "|---|---|"]
    lines += [f"| `{field}` | {_value(value)} |" for field, value in form["properties"].items()]
    return "\n".join(lines) + "\n"


def _value(value: dict[str, Any]) -> str:
    """A field's value in words."""
    if "$ref" in value:
        return str(value["$ref"]).rpartition("/")[2]
    if "anyOf" in value:
        return " or ".join(dict.fromkeys(_value(each) for each in value["anyOf"]))
    if "enum" in value:
        return ", ".join("`null`" if each is None else f"`{each}`" for each in value["enum"])
    if "const" in value:
        return f"`{value['const']}`"
    kind = value.get("type", "any")
    if kind == "array":
        items = value.get("items")
        return f"list of {_value(items)}" if isinstance(items, dict) else "list"
    return f"{kind}, at least {value['minimum']}" if "minimum" in value else str(kind)


def library() -> str:
    """The public names of the package by kinds, documented by autodoc."""
    kinds = {name: _kind(getattr(couperation_formal, name)) for name in couperation_formal.__all__}
    heads = {"function": "Functions", "class": "Classes", "exception": "Errors", "data": "Names of types, and cards"}
    parts, last = [], ""
    for name in sorted(kinds, key=lambda name: ([*heads].index(kinds[name]), name.lower())):
        kind = kinds[name]
        if kind != last:
            parts.append(f"## {heads[kind]}\n")
            last = kind
        members = "   :members:\n   :undoc-members:\n" if kind == "class" else ""
        # no targets: those of rulings and clauses would have two meanings
        parts.append(f"```{{eval-rst}}\n.. auto{kind}:: couperation_formal.{name}\n   :no-index:\n{members}```\n")
    return "\n".join(parts)


def _kind(value: object) -> str:
    if isinstance(value, type):
        return "exception" if issubclass(value, BaseException) else "class"
    return "function" if callable(value) else "data"


def questions(language: str = ENGLISH) -> str:
    """Every question with its tower, its record, what the rulebooks say and the answer."""
    parts, own = [], "" if language == ENGLISH else f"{language}/"
    PICTURES.mkdir(parents=True, exist_ok=True)
    for page in PAGES:
        parts.append(re.sub(r"^#", "##", spec_text(f"questions/{own}{page}.md").partition("\n")[0]) + "\n")
        for number, question in enumerate((each for each in known_questions() if each.page == page), 1):
            parts.append(_question(question, f"{page}-{number}", language))
    return "\n".join(parts)


def _picture_of(question: Question, asked: AskedData) -> Picture:
    """The tower before the turn in dispute with the turn's card, refused where the default rulebook refuses it there.
    Marks are drawn as the record gives them.
    """
    default = registry().default
    record, rulings = question.game.record, registry().rulebooks[default]
    before = standing(record, question.turn).state if question.turn else None
    tower, marks = Tower.start(STANDARD) if before is None else before.tower, record.marks
    shown = attempt(record.turns[question.turn - 1]) if question.turn else None
    if shown is None:
        return tower_picture(tower, rulings, marks)
    if asked.rulebooks[default].codes[:1] and asked.rulebooks[default].codes[0].startswith(_LAYING):
        return tower_picture(tower, rulings, marks, refused=shown)
    return tower_picture(tower.lay(*shown), rulings, marks, laid=shown[0])


def _question(question: Question, name: str, language: str) -> str:
    asked = asked_data(question, language=language)
    picture, drawn = _picture_of(question, asked), name if language == ENGLISH else f"{name}.{language}"
    (PICTURES / f"{drawn}.svg").write_text(tower_svg(picture, width=_WIDE, language=language), encoding="utf-8")
    said = (_VERDICT.sub(lambda found: say(fact(found[0]), language), each) for each in question.verdicts.values())
    verdicts = "| " + " | ".join(question.verdicts) + " |\n" + "|---" * len(question.verdicts) + "|\n"
    verdicts += "| " + " | ".join(map(_linked, said)) + " |\n"
    rests = [f"[{code}](#{code})" for code in (*asked.clauses, *asked.rulings)]
    cut = (each.partition(" ") for each in asked.places)
    places = [say(fact("clause_place", texts=(text,), place=place), language) for text, _, place in cut]
    return (
        f"### {asked.question}\n\n{asked.answer}\n\n{verdicts}\n{_shown(drawn, picture.text, language)}\n\n"
        f"```cgn\n{question.text}```\n\n{', '.join(rests)}; {', '.join(places)}\n"
    )


def _linked(text: str) -> str:
    """A text with its clauses as links."""
    return re.sub(r"\b[A-Z]{3}\d\d\b", lambda found: f"[{found[0]}](#{found[0]})", text)


GENERATED: dict[str, Callable[[], str]] = {
    "commands": commands,
    "clauses": clauses,
    "rulings": rulings,
    "rulebooks": rulebooks,
    "schemas": schemas,
    "library": library,
    "questions": questions,
    "questions-ja": partial(questions, "ja"),
}


def picture(name: str, words: str) -> str:
    """Draw a picture and give the Markdown that shows it; its text is the drawing that `show` prints. Raises
    `RuntimeError` where the program refuses.
    """
    PICTURES.mkdir(parents=True, exist_ok=True)
    file, *options = shlex.split(words)
    plain = [word for word in options if word != "--names"]
    drawing = _run(["show", str(ROOT / file), *plain])
    _run(["show", str(ROOT / file), *options, "--force", "--output", str(PICTURES / f"{name}.svg")])
    return _shown(name, drawing.partition("\n\n")[2].partition("\n\n")[0])


_FROM_THE_TOP = "The tower by levels, from the top:"


def _shown(name: str, drawing: str, language: str = ENGLISH) -> str:
    """The Markdown of a picture, with its drawing as text."""
    rows = "; ".join(" ".join(line.split()) for line in drawing.splitlines())
    alt = re.sub(r"([\\\[\]*_~`])", r"\\\1", rows)
    lead = texts(language).get(_FROM_THE_TOP, _FROM_THE_TOP)
    return f"![{lead} {alt}](/_build/pictures/{name}.svg)"


def _run(arguments: list[str]) -> str:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    if code:
        raise RuntimeError(f"couperation {shlex.join(arguments)} ended with {code}: {err.getvalue()}")
    return out.getvalue()


def fill(text: str) -> str:
    """A page with all that is generated put in. Raises `KeyError` for an unknown name."""
    text = _GENERATED.sub(lambda found: GENERATED[found[1]](), text)
    return _PICTURE.sub(lambda found: picture(found[1], found[2]), text)


def live_pages(app: Sphinx) -> None:
    """Write the pages that `report` makes and the documentation shows as they are, beside its own."""
    LIVE.mkdir(parents=True, exist_ok=True)
    for name in ("between",):
        _run(["report", str(ROOT / "examples" / "broken" / f"{name}.cgn"), "--force", "-o", str(LIVE / f"{name}.html")])
    app.config.html_extra_path = [str(LIVE.parent)]


def _fill_page(_app: Sphinx, _page: str, content: list[str]) -> None:
    content[0] = fill(content[0])


class CgnLexer(RegexLexer):  # type: ignore[misc]  # Pygments tells no type
    """Colours of CGN in code blocks."""

    name = "CGN"
    aliases = ["cgn"]  # noqa: RUF012 - the base class has it so
    tokens = {  # noqa: RUF012
        "root": [
            (r";[^\n]*", Comment.Single),
            (r"\{[^}]*\}", Comment.Multiline),
            (r"\[[^\]\n]*\]", Name.Tag),
            (r"^(deal|reserve|deck|position|tower|hand|gone|turn|front|last)\b", Keyword),
            (r"\b(drop|trim)\b", Keyword),
            (r"^(win|loss|stuck|\*)$", Keyword.Constant),
            (r"^\d+\.", Number),
            (r"(?<=\s)[ABCD](?=\s)", Keyword.Type),
            (r"(?<=[\s@])[a-m][1-7](?![^\s=x])", Name.Variable),
            (r"[-+^_|=@x~!?]", Operator),
            (r"\d+", Number),
            (r"[^\s\d]", Text),
            (r"\s+", Text),
        ]
    }


def setup(app: Sphinx) -> dict[str, Any]:
    """Sphinx's entry."""
    app.connect("builder-inited", live_pages)
    app.connect("source-read", _fill_page)
    app.add_lexer("cgn", CgnLexer)
    app.add_lexer("formula", FormulaLexer)
    app.add_post_transform(Links)
    return {"version": couperation_formal.__version__, "parallel_read_safe": True}
