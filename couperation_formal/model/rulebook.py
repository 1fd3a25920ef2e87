"""A rulebook of the user's own, read strictly: whatever it holds that is no rulebook is refused at its place."""

from __future__ import annotations

import re
from pathlib import Path

from couperation_formal.model.fact import fact
from couperation_formal.model.rulings import Rules, RulesError, change_rules, parse_rules, registry, unknown
from couperation_formal.model.toml_file import TomlFile, kind_of, said


def load_rules(text: str) -> Rules:
    """The `Rules` that a text names: ``"en-2 spread=adjacent"``, or the path of a rulebook and changes after it. Raises
    `RulesError`, and `OSError` for a file that cannot be read.
    """
    book = rulebook_file(text)
    return parse_rules(text) if book is None else change_rules(read_rulebook(book[0]), book[1])


def rulebook_file(text: str) -> tuple[Path, list[str]] | None:
    """The TOML file that a text for `load_rules` names, and the changes after it; None where it names none."""
    found = re.match(r"\s*(.*?\.toml)(?:\s+(.*))?$", text, re.DOTALL)
    return None if found is None else (Path(found[1]), (found[2] or "").split())


def read_rulebook(path: Path) -> Rules:
    """Read a rulebook of the user's own from a TOML file.

    The file has the form of one profile of `rulings.toml`, with its table's header or without: a `title` (optional) and
    ``ruling = "option"`` lines. A number stands for the option that is spelt so: ``finish_value = 25``. Where not all
    rulings are given, ``base = "en-2"`` names the rulebook that fills the rest (the default one where left out). Raises
    `RulesError`, with the place, for whatever else stands there, and for a file of more than `toml_file.MAX_BYTES`; an
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
    if isinstance(value, str) and value in options:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        spelt = [option for option in options if option.isdecimal() and int(option) == value]
        if spelt:
            return spelt[0]
    raise file.refused(file.value(name), unknown("no_option", value, options, said(value), ruling=name))
