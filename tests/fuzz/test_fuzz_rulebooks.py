"""A rulebook of one's own is taken as it says, or refused with the name of what is wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random

import pytest

from couperation_formal.game.rulings import RulesError, Rulings, parse_rules, read_rulebook, registry
from tests.fuzz.inputs import PARTS, Record, spoiled, spoiled_bytes, tried

FEW = 500
OPTIONS = {name: ruling.option_names() for name, ruling in registry().rulings.items()}
BOOKS = tuple(registry().rulebooks)
PROFILES = tuple(
    f'[rulebook."{name}"]\ntitle = "Ours"\n' + "".join(f'{ruling} = "{book.option(ruling)}"\n' for ruling in OPTIONS)
    for name, book in registry().rulebooks.items()
)
VALUES = [
    *("25", "25.0", "24", "-25", "0x19", "2_5", "1e400", "nan", "true", "false", "''", '""', "[]", "{}", '["25"]'),
    *("1979-05-27", "{a = 1}", '"25"', '"none"', '"""strict"""', "'strict'", '"stri\\u0063t"', '"\\u0000"', '"STRICT"'),
    *("1" * 5000, "0x" + "1" * 5000, '"strict "'),
]
KEYS = (
    "base",
    "title",
    "rulebook",
    "finish_value",
    "turns",
    '""',
    "base.base",
    '"between"',
    "__class__",
    "default",
    "é",
)


def rulebook(draw: Random) -> str:
    """A profile, whole or in parts, with lines of other types and names."""
    if draw.random() < 0.2:
        return spoiled(draw, draw.choice(PROFILES), PROFILES)
    lines = [f'base = "{draw.choice((*BOOKS, *BOOKS, "ours"))}"'] if draw.random() < 0.5 else []
    for name in draw.sample(list(OPTIONS), draw.randrange(len(OPTIONS) + 1)):
        lines.append(f'{name} = "{draw.choice(OPTIONS[name])}"')
    for _ in range(draw.choice((0, 0, 1, 1, 2))):
        key = draw.choice((*KEYS, *OPTIONS))
        value = draw.choice((*VALUES, *(f'"{option}"' for option in OPTIONS.get(key, ()))))
        lines.insert(draw.randrange(len(lines) + 1), f"{key} = {value}")
    text = "\n".join(lines) + "\n"
    if draw.random() < 0.2:
        head = draw.choice(("[rulebook]", "[rulebook.ours]", "[[rulebook]]", "[ours]", "[rulebook.ours.more]"))
        text = f"{head}\n{text}"
    return spoiled(draw, text, PROFILES) if draw.random() < 0.2 else text


def wanted(data: bytes) -> Rulings | None:
    """What a file says, read in the plainest way; None where it is to be refused.

    A number where the option is spelt as one means that option; `title` is a text; lines may end in CR alone.
    """
    try:
        told = tomllib.loads(data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n"))
    except (ValueError, RecursionError):
        return None
    if list(told) == ["rulebook"]:
        inner = told["rulebook"]
        if not isinstance(inner, dict) or len(inner) != 1:
            return None
        (told,) = inner.values()
        if not isinstance(told, dict):
            return None
    told = dict(told)
    if not isinstance(told.pop("title", ""), str):
        return None
    base = told.pop("base", registry().default)
    if not isinstance(base, str) or base not in BOOKS:
        return None
    options = {name: _said(option) for name, option in told.items()}
    if any(name not in OPTIONS or option not in OPTIONS[name] for name, option in options.items()):
        return None
    return registry().rulebooks[base].with_changes(options)


def _said(value: object) -> str:
    """The option that a value means, "" where it can mean none."""
    if type(value) is int and abs(value) < 1000:
        return str(value)
    return value if isinstance(value, str) else ""


def words(draw: Random) -> str:
    """The text of a `Rules` tag."""
    some = [f"{name}={draw.choice(options)}" for name, options in draw.sample(list(OPTIONS.items()), draw.randrange(4))]
    some += draw.choice(([], [], ["=", "between", "x=y"], [draw.choice(BOOKS)]))
    text = " ".join([draw.choice((*BOOKS, "")), *some])
    return spoiled(draw, text, PROFILES) if draw.random() < 0.5 else text


def read(path: Path) -> Rulings | str:
    """The rulings, or why the file is refused."""
    try:
        return read_rulebook(path).rulings
    except RulesError as error:
        return str(error)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_rulebooks(part: int, record_property: Record, tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"

    def attempt(seed: int) -> None:
        draw = Random(f"rulebook {seed}")
        data = spoiled_bytes(draw, rulebook(draw).encode("utf-8", "surrogatepass"))
        path.write_bytes(data)
        want, found = wanted(data), read(path)
        assert found == want if want is not None else isinstance(found, str) and found, data

    tried(part, FEW, record_property, attempt)


@pytest.mark.parametrize("part", range(PARTS))
def test_rules_tags(part: int, record_property: Record) -> None:
    def attempt(seed: int) -> None:
        try:
            found = parse_rules(words(Random(f"words {seed}")))
        except RulesError as error:
            assert str(error)  # noqa: PT017
        else:
            assert parse_rules(str(found)).rulings == found.rulings

    tried(part, FEW, record_property, attempt)
