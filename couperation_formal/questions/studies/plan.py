"""The plan of a study: which games there are, the grid of rules under which they are played, and what is asked of each.

It is a TOML file of settings. What is read of it is written again in one form only (`Plan.text`), which is a plan too:
rulebook files and changes of rulings are spelt out there, so that it means the same everywhere.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, get_args

import msgspec
from msgspec import Meta, convert, inspect
from msgspec.structs import fields

from couperation_formal.game import rulings
from couperation_formal.game.fact import DEFAULT, Fact, fact
from couperation_formal.game.rulings import RulesError, TomlError, TomlFile
from couperation_formal.game.tower import Variant
from couperation_formal.questions.records.sample import PLAYER_NAMES, Policy

SOURCES: Final = {
    "deals": ("winnable",),
    "games": ("verdict", "result", "length", "left", "tower", "table", "winnable", "decides", "breaks"),
    "collection": ("verdict", "result", "length", "left", "tower", "table", "winnable", "decides", "breaks"),
    "deadlocks": ("minimal",),
}
"""What a study is about, and what can be asked of it: the deals of seeds, the games that a policy plays from them,
games that were recorded, or the deadlocked towers of so many cards, for which the seeds stand.
"""

_MOST: Final = 1_000_000
"""So many parts, cells of the grid and games of a part there are at most."""

_GREATEST: Final = 1 << 53
"""Seeds and budgets are no larger than what every reader of numbers keeps whole."""

_NAME = re.compile(r"[\w.-]{1,64}")

Texts = tuple[Annotated[str, Meta(min_length=1, max_length=500)], ...]
Seed = Annotated[int, Meta(ge=0, le=_GREATEST)]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A study. `files` are those of a collection, relative to the plan. There are `count` seeds from `first` on, and
    `part` games in each part. `rulebooks` are the rules under which the games are played, of a collection those under
    which they are asked about, the records' own where there are none; verdicts are asked `under` other ones too. A
    table is asked about after each of `turns`, 0 being the set-up, with `budget` steps for each question.
    """

    study: Annotated[str, Meta(min_length=1, max_length=64)]
    source: str
    questions: Texts
    files: Texts = ()
    first: Seed = 1
    count: Annotated[int, Meta(ge=1, le=_GREATEST)] = 1
    part: Annotated[int, Meta(ge=1, le=_MOST)] = 100
    rulebooks: Texts = ()
    changes: tuple[str, ...] = ()
    variants: Texts = ("first",)
    players: tuple[Annotated[int, Meta(ge=2, le=len(PLAYER_NAMES))], ...] = (2,)
    policies: Texts = ("careful",)
    under: Texts = ()
    turns: tuple[Annotated[int, Meta(ge=0, le=10_000)], ...] = (0,)
    budget: Seed = DEFAULT

    @property
    def text(self) -> str:
        """The plan in its one form."""
        written = ((each.name, getattr(self, each.name), each.default) for each in fields(self))
        return "".join(f"{name} = {_toml(value)}\n" for name, value, default in written if value != default)

    @property
    def digest(self) -> str:
        """What tells this plan from others, wherever the files of a collection lie."""
        return sha256(msgspec.structs.replace(self, files=()).text.encode()).hexdigest()[:32]

    @property
    def parts(self) -> int:
        """So many parts have the games of seeds."""
        return -(-self.count // self.part)

    def seeds(self, part: int) -> range:
        """The seeds of a part."""
        begin = self.first + part * self.part
        return range(begin, min(begin + self.part, self.first + self.count))

    def cells(self) -> "Iterator[Cell]":
        """The grid."""
        if self.source == "collection":
            return (Cell(rules, None, None, None) for rules in self.rulebooks or ("",))
        policies = self.policies if self.source == "games" else (None,)
        players = self.players if self.source != "deadlocks" else (None,)
        return (Cell(*each) for each in product(self.rulebooks, self.variants, players, policies))

    def asked(self, cell: "Cell") -> Iterator[tuple[str, str, int | None]]:
        """What is asked of a game of a cell: the question, the rules that it is asked under, and the turn. What breaks
        a rule is asked of games under the first rules under all others, and of others under the first.
        """
        for question in self.questions:
            if question == "verdict":
                yield from ((question, rules, None) for rules in dict.fromkeys((cell.rules, *self.under)))
            elif question == "breaks" and self.source == "games":
                first, *others = self.rulebooks
                yield from ((question, rules, None) for rules in (others if cell.rules == first else [first]))
            elif question == "winnable":
                yield from ((question, cell.rules, turn) for turn in self.turns)
            else:
                yield question, "" if question == "decides" else cell.rules, None


class Cell(NamedTuple):
    """How a game is made; what a recorded game says itself is None."""

    rules: str
    variant: str | None
    players: int | None
    policy: str | None


def _toml(value: object) -> str:
    """A value as TOML, which is JSON but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def read_plan(path: Path) -> Plan:
    """The plan in a file. Raises `TomlError`, with the place, for what it may not hold, and `OSError` where it cannot
    be read.
    """
    file = TomlFile(path, "plan", TomlError)
    given, known = dict[str, Any](), {each.name: each for each in fields(Plan)}
    for name, value in file.table().items():
        if name not in known:
            raise file.refused(
                file.value(name, key=True), rulings.unknown("no_plan_setting", name, known, rulings.said(name))
            )
        try:
            given[name] = convert(value, known[name].type)
        except msgspec.ValidationError:
            raise file.refused(file.value(name), _wanted(name, known[name].type)) from None
    for name in ("study", "source", "questions"):
        if not given.get(name):
            raise file.refused(file.value(name), fact("plan_wants", name=name))
    _words(file, given)
    return Plan(**_rules(file, path.parent, given))


def _wanted(name: str, kind: Any) -> Fact:
    """What the value of a setting has to be."""
    whole = inspect.type_info(kind)
    one = whole.item_type if isinstance(whole, inspect.VarTupleType) else whole
    if isinstance(one, inspect.IntType):
        return fact("plan_number" if one is whole else "plan_numbers", name=name, least=one.ge, most=one.le)
    return fact("plan_text" if one is whole else "plan_texts", name=name)


def _words(file: TomlFile, given: dict[str, Any]) -> None:
    """Raises `TomlError` for words that mean nothing, and for settings beside a source that they say nothing of."""

    def known(name: str, words: Sequence[str], values: Sequence[str]) -> None:
        for value in values:
            if value not in words:
                wrong = rulings.unknown("no_plan_word", value, words, rulings.said(value), setting=name)
                raise file.refused(file.value(name), wrong)

    if not _NAME.fullmatch(given["study"]):
        raise file.refused(file.value("study"), fact("plan_name"))
    source = given["source"]
    known("source", [*SOURCES], [source])
    known("questions", SOURCES[source], given["questions"])
    known("variants", get_args(Variant), given.get("variants", ()))
    known("policies", get_args(Policy), given.get("policies", ()))
    beside = {
        "deals": ("files", "policies", "under"),
        "games": ("files",),
        "collection": ("first", "count", "variants", "players", "policies"),
        "deadlocks": ("files", "policies", "under", "players", "budget"),
    }
    idle = [name for name in beside[source] if name in given]
    idle += [name for name, asks in (("turns", "winnable"), ("under", "verdict")) if asks not in given["questions"]]
    for name in idle:
        if name in given:
            raise file.refused(file.value(name, key=True), fact("plan_idle", name=name, source=source))
    if source == "deals" and any(given.get("turns", ())):
        raise file.refused(file.value("turns"), fact("plan_deals"))
    wanted = {"files": source == "collection", "rulebooks": source != "collection" or "changes" in given}
    for name in (name for name, needed in wanted.items() if needed and not given.get(name)):
        raise file.refused(file.value(name), fact("plan_wants", name=name))
    for name, value in given.items():
        if value == ():
            raise file.refused(file.value(name), fact("plan_wants", name=name))


def _rules(file: TomlFile, folder: Path, given: dict[str, Any]) -> dict[str, Any]:
    """The settings with every rulebook and its changes spelt out, and nothing twice. Raises `TomlError`."""
    changes = given.pop("changes", ("",))
    for name, each in (("rulebooks", changes), ("under", ("",))):
        made = (_spelt(file, folder, name, *both) for both in product(given.get(name, ()), each))
        given[name] = tuple(made)
    given = {name: tuple(dict.fromkeys(value)) if isinstance(value, tuple) else value for name, value in given.items()}
    sizes = [len(given.get(name, ("",))) for name in ("rulebooks", "variants", "players", "policies")]
    games, part = given.get("count", 1), given.get("part", 100)
    cells = sizes[0] * sizes[1] * sizes[2] * sizes[3]
    for name, many in (("count", -(-games // part)), ("rulebooks", cells), ("part", cells * part)):
        if many > _MOST:
            raise file.refused(file.value(name), fact("plan_large", name=name, many=many, most=_MOST))
    return given


def _spelt(file: TomlFile, folder: Path, name: str, text: str, change: str) -> str:
    """Rules as a record can name them, whatever file they are in. Raises `TomlError`."""
    book = rulings.rulebook_file(text)
    own = text if book is None else " ".join([str(folder / book[0]), *book[1]])
    try:
        return str(rulings.taggable(rulings.load_rules(f"{own} {change}")))
    except RulesError as error:
        if error.line is not None:  # the rulebook's own line
            raise
        wrong, place = error.what, "changes" if change and error.word in change else name
    except OSError as error:
        wrong, place = fact("configured_unread", file=text, why=str(error.strerror)), name
    raise file.refused(file.value(place), wrong)


def plan_of(text: str) -> Plan:
    """The plan that was written in its one form."""
    return convert(tomllib.loads(text), Plan)
