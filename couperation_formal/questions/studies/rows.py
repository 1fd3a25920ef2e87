"""A study: its plan, and its rows.

The plan says which games there are, the grid of rules under which they are played, and what is asked of each. It is a
TOML file of settings. What is read of it is written again in one form only (`Plan.text`), which is a plan too: rulebook
files and changes of rulings are spelt out there, so that it means the same everywhere.

A row says what was asked of a game, and the answer. Each is made by the function whose answer the command of the same
question prints, and its `id` says all that is needed to make it again.
"""

import io
import json
import os
import re
import socket
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, get_args
from urllib.parse import quote_plus, unquote_plus

from msgspec import Meta, Struct, ValidationError, convert, inspect, json as packed, structs

from couperation_formal import __version__
from couperation_formal.game import rulings
from couperation_formal.game.fact import DEFAULT, Fact, Steps, Told, Unfit, fact
from couperation_formal.game.record import Game
from couperation_formal.game.replay import replay
from couperation_formal.game.tower import Variant
from couperation_formal.notation.read import Item, Malformed, read_piece, split
from couperation_formal.questions.disputes.dispute import dispute
from couperation_formal.questions.records import sample
from couperation_formal.questions.records.check import check, check_certificates
from couperation_formal.questions.records.states import game_of, legal_part
from couperation_formal.questions.tables import complete, deadlock
from couperation_formal.questions.tables.ask import NoTower
from couperation_formal.towers.completion import answer as towers, deadlocks as search

# The plan.

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


class Plan(Struct, frozen=True, kw_only=True):
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
    players: tuple[Annotated[int, Meta(ge=2, le=len(sample.PLAYER_NAMES))], ...] = (2,)
    policies: Texts = ("careful",)
    under: Texts = ()
    turns: tuple[Annotated[int, Meta(ge=0, le=10_000)], ...] = (0,)
    budget: Seed = DEFAULT

    @property
    def text(self) -> str:
        """The plan in its one form."""
        written = ((each.name, getattr(self, each.name), each.default) for each in structs.fields(self))
        return "".join(f"{name} = {_toml(value)}\n" for name, value, default in written if value != default)

    @property
    def digest(self) -> str:
        """What tells this plan from others, wherever the files of a collection lie."""
        return sha256(structs.replace(self, files=()).text.encode()).hexdigest()[:32]

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
    file = rulings.TomlFile(path, "plan", rulings.TomlError)
    given, known = dict[str, Any](), {each.name: each for each in structs.fields(Plan)}
    for name, value in file.table().items():
        if name not in known:
            raise file.refused(
                file.value(name, key=True), rulings.unknown("no_plan_setting", name, known, rulings.said(name))
            )
        try:
            given[name] = convert(value, known[name].type)
        except ValidationError:
            raise file.refused(file.value(name), _wanted(name, known[name].type)) from None
    _need(file, (name for name in ("study", "source", "questions") if not given.get(name)))
    _words(file, given)
    return Plan(**_rules(file, path.parent, given))


def _wanted(name: str, kind: Any) -> Fact:
    """What the value of a setting has to be."""
    whole = inspect.type_info(kind)
    one = whole.item_type if isinstance(whole, inspect.VarTupleType) else whole
    if isinstance(one, inspect.IntType):
        return fact("plan_number" if one is whole else "plan_numbers", name=name, least=one.ge, most=one.le)
    return fact("plan_text" if one is whole else "plan_texts", name=name)


def _words(file: rulings.TomlFile, given: dict[str, Any]) -> None:
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
    known("policies", get_args(sample.Policy), given.get("policies", ()))
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
    _need(file, (name for name, needed in wanted.items() if needed and not given.get(name)))
    _need(file, (name for name, value in given.items() if value == ()))


def _need(file: rulings.TomlFile, missing: Iterable[str]) -> None:
    for name in missing:
        raise file.refused(file.value(name), fact("plan_wants", name=name))


def _rules(file: rulings.TomlFile, folder: Path, given: dict[str, Any]) -> dict[str, Any]:
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
    if given.get("first", 1) > (most := _GREATEST + 1 - games):
        raise file.refused(file.value("first"), fact("plan_number", name="first", least=0, most=most))
    return given


def _spelt(file: rulings.TomlFile, folder: Path, name: str, text: str, change: str) -> str:
    """Rules as a record can name them, whatever file they are in. Raises `TomlError`."""
    book = rulings.rulebook_file(text)
    own = text if book is None else " ".join([str(folder / book[0]), *book[1]])
    try:
        return str(rulings.taggable(rulings.load_rules(f"{own} {change}")))
    except rulings.RulesError as error:
        if error.line is not None:  # the rulebook's own line
            raise
        wrong, place = error.what, "changes" if change and error.word in change else name
    except OSError as error:
        wrong, place = fact("configured_unread", file=text, why=str(error.strerror)), name
    raise file.refused(file.value(place), wrong)


def plan_of(text: str) -> Plan:
    """The plan that was written in its one form."""
    return convert(tomllib.loads(text), Plan)


# What is asked of a game, and the row of the answer.

Proof = dict[str, Any] | str
Natural = Annotated[int, Meta(ge=0, le=1 << 53)]


class About(Struct, frozen=True, kw_only=True):
    """A game and a question of it. `record` is the digest of its text, `rules` are those of the cell, `under` those
    that it is asked under; both are empty where they are the record's own.
    """

    source: str
    seed: Natural | None = None
    file: Annotated[str, Meta(pattern="^[^\0]*$")] | None = None
    game: Annotated[int, Meta(ge=1)] | None = None
    record: str | None = None
    rules: str = ""
    variant: Variant | None = None
    players: Annotated[int, Meta(ge=2, le=len(sample.PLAYER_NAMES))] | None = None
    policy: sample.Policy | None = None
    question: str
    under: str = ""
    turn: Natural | None = None


class Asked(About, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question of a game: all that makes both again, but the text of a recorded game."""

    budget: Natural

    @property
    def id(self) -> str:
        """The question as a text without blanks: the source, then ``name=value`` for each field that has one."""
        given = [(name, value) for name, value in structs.asdict(self).items() if value not in (None, "")]
        return ",".join([self.source, *(f"{name}={quote_plus(str(value), '/=:')}" for name, value in given[1:])])


def asked_of(id_: str) -> Asked:
    """The question that an id says. Raises `Unfit`, and `RulesError` for rules that there are not."""
    source, *pairs = id_.split(",")
    given = {name: unquote_plus(value) for name, _, value in (each.partition("=") for each in pairs)}
    try:
        asked = convert(
            {**given, "source": source} if len({*given, "source"}) > len(pairs) else None, Asked, strict=False
        )
    except ValidationError:
        raise Unfit("study_id", text=rulings.said(id_)) from None
    players = 0 if source == "deadlocks" else asked.players
    needed = (asked.seed, asked.variant, players) if source != "collection" else (asked.file, asked.game)
    if asked.question not in SOURCES.get(source, ()) or None in needed or (source == "games" and not asked.policy):
        raise Unfit("study_id", text=rulings.said(id_))
    rulings.parse_rules(asked.rules), rulings.parse_rules(asked.under)
    return asked


class Row(About, frozen=True, kw_only=True):
    """One question of one game; docs/reference/study.md says what each column holds."""

    id: str
    study: str
    plan: str
    rulebook: str | None
    answer: str
    number: int | None
    least: int | None
    evidence: str
    certificate: str
    work: int | None
    seconds: float | None
    host: str
    worker: str
    version: str
    commit: str
    failed: str


ELSEWHERE = {"id", "study", "file", "seconds", "host", "worker", "version", "commit", "failed"}
"""What hangs on where, when and by whom a row was made: the digest of a study is over the other columns, and over
whether it failed.
"""


def told(row: Row) -> tuple[object, ...]:
    """What the digest of a study is over."""
    return *(getattr(row, name) for name in Row.__struct_fields__ if name not in ELSEWHERE), bool(row.failed)


# A game, made or read.


class Unit(NamedTuple):
    """What rows are made of together: a seed, or a recorded game with its text."""

    seed: int | None = None
    file: str | None = None
    game: int | None = None
    text: bytes | None = None

    @property
    def named(self) -> str:
        """How it is named where it fails."""
        return f"seed={self.seed}" if self.file is None else f"file={self.file},game={self.game}"


def made(asked: Asked, text: bytes | None = None) -> Item | None:
    """The game of a question; a recorded one is read from its text. None where it is about no game."""
    if asked.source == "deadlocks":
        return None
    if asked.source == "collection":
        return read_piece(next(split(io.BytesIO(text or b""))), asked.file or "", asked.game or 1)
    names, variant = sample.PLAYER_NAMES[: asked.players], asked.variant or "first"
    seed, rules = asked.seed or 0, rulings.parse_rules(asked.rules)
    if asked.policy is None:
        return game_of(sample.deal(names, variant, rules, seed), "study")
    return game_of(sample.sample_game(names, variant, rules, seed, asked.policy), "study")


def digest_of(item: Item) -> str:
    """What tells the text of a game from others."""
    return _digest(item.text.encode("utf-8", "surrogatepass"))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:32]


# What is asked of it, each by the function whose answer a command prints.


class Answered(NamedTuple):
    """An answer: a word, a number where it has one and the least that it may be, what it rests on, the steps that were
    taken, and the certificates.
    """

    answer: str
    number: int | None = None
    least: int | None = None
    evidence: str = ""
    work: int | None = 0
    certificates: Callable[[], Iterable[Proof]] = tuple

    @property
    def certificate(self) -> str:
        """The digest of the certificates, empty where there are none."""
        proofs = [*self.certificates()]
        return _digest(packed.encode(proofs)) if proofs else ""


def answer(asked: Asked, item: Item | None) -> Answered:
    """The answer to a question of a game. One that the question has no answer for is ``refused``."""
    rules = rulings.parse_rules(asked.under) if asked.under else None
    if item is None:
        return _minimal(
            search.Sought(rules=rules or rulings.parse_rules(""), variant=asked.variant or "first"), asked.seed or 0
        )
    if asked.question == "verdict":
        return _verdict(item, rules, Steps(asked.budget))
    if isinstance(item, Malformed):
        return Answered("malformed")
    try:
        return _QUESTIONS[asked.question](game_of(item, "study"), rules, Steps(asked.budget), asked.turn)
    except Told:
        return Answered("refused")


def _verdict(item: Item, rules: rulings.Rules | None, steps: Steps) -> Answered:
    report = check(item, rules, budget=steps)
    code = "" if report.error is None or report.verdict != "illegal" else report.error.code
    proofs = partial(check_certificates, report, Steps(steps.left))
    return Answered(report.verdict, report.turn, evidence=code, work=steps.spent, certificates=proofs)


def _result(game: Game, rules: rulings.Rules | None, steps: Steps, _turn: int | None) -> Answered:
    report = check(game, rules, budget=steps)
    return Answered(report.result or report.verdict, work=steps.spent)


def _length(game: Game, rules: rulings.Rules | None, _steps: Steps, _turn: int | None) -> Answered:
    turns = len(legal_part(game, rules)[0].record.turns)
    return Answered(str(turns), turns)


def _left(game: Game, rules: rulings.Rules | None, _steps: Steps, _turn: int | None) -> Answered:
    last = legal_part(game, rules)[1].states[-1]
    cards = sum(hand.size for hand in last.hands) + last.reserve.size + len(last.deck)
    return Answered(str(cards), cards)


def _tower(game: Game, rules: rulings.Rules | None, steps: Steps, _turn: int | None) -> Answered:
    found = deadlock.scan(game, rules, steps)
    data = found.data()
    evidence = "" if data.reason is None else str(data.reason.__struct_config__.tag)
    return Answered(data.verdict, found.turn, found.turn, evidence, steps.spent, found.certificates)


def _table(game: Game, rules: rulings.Rules | None, steps: Steps, _turn: int | None) -> Answered:
    found = deadlock.scan_table(game, rules, steps)
    data = found.data()
    least = None if found.dead is None else found.dead if found.open is None else found.open[0]
    evidence = data.reasons[0].kind if data.reasons else ""
    return Answered(data.verdict, found.dead, least, evidence, steps.spent, found.certificates)


def _winnable(game: Game, rules: rulings.Rules | None, steps: Steps, turn: int | None) -> Answered:
    if turn is not None and turn > len(game.record.turns):
        return Answered("over")
    try:
        found = complete.complete_table(game, turn, rules, steps)
    except NoTower as error:
        if error.what.kind == "over_after":
            return Answered("over")
        raise
    data = found.data()
    evidence = data.reasons[0].kind if data.reasons else "line" if data.line else ""
    turns = len(data.line) if data.line else None
    return Answered(data.verdict, turns, evidence=evidence, work=steps.spent, certificates=found.certificates)


def _decides(game: Game, _rules: rulings.Rules | None, steps: Steps, _turn: int | None) -> Answered:
    found = dispute(game, budget=steps, whole=True)
    names = " ".join(found.decisive) or "none"
    settled = found.settled
    return Answered(names if settled else "undetermined", len(found.decisive) if settled else None, work=steps.spent)


def _breaks(game: Game, rules: rulings.Rules | None, _steps: Steps, _turn: int | None) -> Answered:
    """The turns that break a rule, each of which stands as it was played."""
    record = game.record
    slips = replay(record, (rules or record.rules).rulings, since=len(record.turns) + 1, hanging=False).slips
    turns = len({slip.turn for slip in slips} - {0})
    return Answered(str(turns), turns)


def _minimal(question: search.Sought, cards: int) -> Answered:
    """How many minimal deadlocked towers there are of so many cards beside the anchor's, as `deadlocks` counts them."""
    found = [(cells, each) for cells in search.shapes(question, cards) for each in search.deadlocks(question, cells)]

    def proofs() -> Iterator[Proof]:
        for position in (search.position_of(question, *each) for each in found):
            yield towers.tower_certificate(position, towers.complete(position))

    return Answered(str(len(found)), len(found), certificates=proofs)


_QUESTIONS: dict[str, Callable[[Game, rulings.Rules | None, Steps, int | None], Answered]] = {
    "result": _result,
    "length": _length,
    "left": _left,
    "tower": _tower,
    "table": _table,
    "winnable": _winnable,
    "decides": _decides,
    "breaks": _breaks,
}


# The rows of a game.


def questions(plan: Plan, unit: Unit) -> Iterator[list[Asked]]:
    """What is asked of a unit, a list for each cell."""
    record = None if unit.text is None else _digest(unit.text)
    for cell in plan.cells():
        own = {**cell._asdict(), "seed": unit.seed, "file": unit.file, "game": unit.game, "record": record}
        own |= {"source": plan.source, "budget": plan.budget}
        yield [Asked(**own, question=each, under=under, turn=turn) for each, under, turn in plan.asked(cell)]


def rows(plan: Plan, unit: Unit) -> Iterator[Row]:
    """The rows of a unit, in the order of the plan. Cost: a game a cell, and what is asked of it."""
    for listed in questions(plan, unit):
        item = made(listed[0], unit.text)
        for asked in listed:
            begun = time.perf_counter()
            found = answer(asked, item)
            yield row(plan, asked, item, found, time.perf_counter() - begun)


def row(
    plan: Plan | None, asked: Asked, item: Item | None, found: Answered, seconds: float | None = None, failed: str = ""
) -> Row:
    """A row of an answer, or of none with the reason why."""
    own = structs.asdict(asked)
    del own["budget"]
    if item is not None:
        own["record"] = digest_of(item)
    if isinstance(item, Game):
        record = item.record
        own |= {"variant": record.variant, "players": len(record.players), "rules": asked.rules or str(record.rules)}
        own["under"] = asked.under or ("" if asked.question == "decides" else own["rules"])
    return Row(
        **own,
        id=asked.id,
        study="" if plan is None else plan.study,
        plan="" if plan is None else plan.digest,
        rulebook=own["rules"].partition(" ")[0] or None,
        **{name: getattr(found, name) for name in ("answer", "number", "least", "evidence", "certificate", "work")},
        seconds=seconds,
        host=socket.gethostname(),
        worker=str(os.getpid()),
        version=__version__,
        commit=commit(),
        failed=failed,
    )


def failed(plan: Plan, unit: Unit, why: str) -> list[Row]:
    """The rows of a unit that was given up, with the reason why."""
    nothing = Answered("failed", work=None)
    return [row(plan, asked, None, nothing, failed=why) for listed in questions(plan, unit) for asked in listed]


@cache
def commit() -> str:
    """The commit of the checkout that runs; empty where it is none."""
    root = Path(__file__).resolve().parents[3]
    if not (root / ".git").exists():
        return ""
    try:
        told = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return told.stdout.strip()
