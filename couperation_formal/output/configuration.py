"""What a folder's owner chose once for the records in it: `couperation.toml`, or `[tool.couperation]` of a project."""

from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from couperation_formal.game import rulings
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Game
from couperation_formal.game.rulings import TomlError, TomlFile, kind_of, said
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.output.formats import FORMS
from couperation_formal.words.say import LANGUAGES

NAMES: Final = ("couperation.toml", "pyproject.toml")
"""Where a configuration stands; in a folder that has both, the first."""

KEYS: Final = ("rules", "marks", "language", "output-format")

_PROJECT_BYTES: Final = 1 << 20

T = TypeVar("T", bound=Item)


class Configuration(Struct, frozen=True):
    """A configuration that was found. `rules` judge records that name none, `marks` is a file for `read_marks`, which a
    record's own marks stand against, `form` the output's form, `language` that of people. What is not chosen is None.
    """

    file: Path
    rules: rulings.Rules | None = None
    marks: Path | None = None
    form: str | None = None
    language: str | None = None


def find_configuration(folder: Path, top: Path | None = None) -> Configuration | None:
    """The configuration of a folder: that of the nearest one above that has any, up to `top`. Raises `TomlError`, with
    the place, for what it may not hold, and `OSError` where it cannot be read. Cost: two looks a folder.
    """
    folder = folder.resolve()
    for each in (folder, *folder.parents):
        for name in NAMES:
            if (each / name).is_file() and (configuration := read_configuration(each / name)) is not None:
                return configuration
        if top is not None and each == top.resolve():
            return None
    return None


def read_configuration(path: Path) -> Configuration | None:
    """The configuration in this file; None where it is a project's that has none. See `find_configuration`."""
    if path.name != "pyproject.toml":
        file = TomlFile(path, "configuration", TomlError)
        data: Any = file.table()
    else:
        file = TomlFile(path, "configuration", TomlError, _PROJECT_BYTES)
        tools = file.table().get("tool") if "couperation" in file.text else None
        data = tools.get("couperation") if isinstance(tools, dict) else None
        if data is None:
            return None
    if not isinstance(data, dict):
        raise file.refused(file.value("couperation"), fact("configuration_no_table"))
    for name, value in data.items():
        if name not in KEYS:
            raise file.refused(file.value(name, key=True), rulings.unknown("no_setting", name, KEYS, said(name)))
        if not isinstance(value, str):
            raise file.refused(file.value(name), fact("setting_is", name=name, is_a=kind_of(value)))
    for name, kind, known in (("language", "no_language", LANGUAGES), ("output-format", "no_output_form", FORMS)):
        if (word := data.get(name)) is not None and word not in known:
            raise file.refused(file.value(name), rulings.unknown(kind, word, known, said(word)))
    rules, marks = data.get("rules"), data.get("marks")
    return Configuration(
        path,
        None if rules is None else _rules(file, path.parent, rules),
        None if marks is None else _inside(file, "marks", path.parent, marks),
        data.get("output-format"),
        data.get("language"),
    )


def _rules(file: TomlFile, folder: Path, text: str) -> rulings.Rules:
    """The rulebook that a text names; a file of one lies in the folder."""
    book = rulings.rulebook_file(text)
    try:
        if book is None:
            return rulings.parse_rules(text)
        return rulings.change_rules(rulings.read_rulebook(_inside(file, "rules", folder, str(book[0]))), book[1])
    except rulings.RulesError as error:
        if error.line is not None:  # the rulebook's own line
            raise
        raise file.refused(file.value("rules"), error.what) from None
    except OSError as error:
        why = fact("configured_unread", file=str(book and book[0]), why=str(error.strerror))
        raise file.refused(file.value("rules"), why) from None


def _inside(file: TomlFile, name: str, folder: Path, text: str) -> Path:
    """The file that a setting names, relative to the configuration's folder, which it does not leave."""
    try:
        path = (folder / text).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise file.refused(file.value(name), fact("configured_unread", file=text, why=str(error))) from None
    if not path.is_relative_to(folder.resolve()):
        raise file.refused(file.value(name), fact("configured_outside", file=text))
    return path


def configured(item: T, rules: rulings.Rules | None) -> T:
    """The item with these rules, where it names none itself."""
    if rules is None:
        return item
    if isinstance(item, Malformed):
        return item if item.judged is None else replace(item, judged=configured(item.judged, rules))
    tags = item.layout.tags
    if "Rules" in tags:
        return item
    layout = replace(item.layout, tags={**tags, "Rules": tags["CGN"]})
    if isinstance(item, Game):
        return replace(item, record=replace(item.record, rules=rules), layout=layout)
    return replace(item, position=replace(item.position, rules=rules), layout=layout)
