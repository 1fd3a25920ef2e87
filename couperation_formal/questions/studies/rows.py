"""The rows of a study: what was asked of a game, and the answer. Each is made by the function whose answer the command
of the same question prints, and its `id` says all that is needed to make it again.
"""

import io
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote_plus, unquote_plus

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from couperation_formal import __version__
from couperation_formal.game.fact import Steps, Told, Unfit
from couperation_formal.game.record import Game
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import Rules, parse_rules, said
from couperation_formal.game.tower import Variant
from couperation_formal.notation.read import Item, Malformed, read_piece, split
from couperation_formal.questions.disputes.dispute import dispute
from couperation_formal.questions.records import sample
from couperation_formal.questions.records.check import check, check_certificates
from couperation_formal.questions.records.states import game_of, legal_part
from couperation_formal.questions.studies.plan import SOURCES, Plan
from couperation_formal.questions.tables import complete, deadlock
from couperation_formal.questions.tables.ask import NoTower
from couperation_formal.towers.completion.answer import complete as complete_tower, tower_certificate
from couperation_formal.towers.completion.deadlocks import Sought, deadlocks, position_of as tower_of, shapes

Proof = dict[str, Any] | str
Natural = Annotated[int, Meta(ge=0, le=1 << 53)]


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question of a game: all that makes both again, but the text of a recorded game. `record` is that text's digest,
    `rules` those of the cell, `under` those that it is asked under; both are empty where they are the record's own.
    """

    source: str
    seed: Natural | None = None
    file: str | None = None
    game: Annotated[int, Meta(ge=1)] | None = None
    record: str | None = None
    rules: str = ""
    variant: Variant | None = None
    players: Annotated[int, Meta(ge=2, le=len(sample.PLAYER_NAMES))] | None = None
    policy: sample.Policy | None = None
    question: str
    under: str = ""
    turn: Natural | None = None
    budget: Natural

    @property
    def id(self) -> str:
        """The question as a text without blanks: the source, then ``name=value`` for each field that has one."""
        given = {name: value for name, value in asdict(self).items() if name != "source" and value not in (None, "")}
        return ",".join([self.source, *(f"{name}={quote_plus(str(given[name]), '/=:')}" for name in given)])


def asked_of(id_: str) -> Asked:
    """The question that an id says. Raises `Unfit`, and `RulesError` for rules that there are not."""
    source, *pairs = id_.split(",")
    given = {name: unquote_plus(value) for name, _, value in (each.partition("=") for each in pairs)}
    try:
        asked = msgspec.convert({**given, "source": source}, Asked, strict=False)
    except msgspec.ValidationError:
        raise Unfit("study_id", text=said(id_)) from None
    players = 0 if source == "deadlocks" else asked.players
    needed = (asked.seed, asked.variant, players) if source != "collection" else (asked.file, asked.game)
    if asked.question not in SOURCES.get(source, ()) or None in needed or (source == "games" and not asked.policy):
        raise Unfit("study_id", text=said(id_))
    parse_rules(asked.rules), parse_rules(asked.under)
    return asked


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One question of one game; docs/reference/study.md says what each column holds."""

    id: str
    study: str
    plan: str
    question: str
    source: str
    seed: int | None
    file: str | None
    game: int | None
    record: str | None
    rulebook: str | None
    rules: str
    under: str
    variant: str | None
    players: int | None
    policy: str | None
    turn: int | None
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
    seed, rules = asked.seed or 0, parse_rules(asked.rules)
    if asked.policy is None:
        return game_of(sample.deal(names, variant, rules, seed), "study")
    return game_of(sample.sample_game(names, variant, rules, seed, asked.policy), "study")


def digest_of(item: Item | None) -> str | None:
    """What tells the text of a game from others."""
    return None if item is None else _digest(item.text.encode("utf-8", "surrogatepass"))


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
    work: int = 0
    certificates: Callable[[], Iterable[Proof]] = tuple

    @property
    def certificate(self) -> str:
        """The digest of the certificates, empty where there are none."""
        proofs = [*self.certificates()]
        return _digest(msgspec.json.encode(proofs)) if proofs else ""


def answer(asked: Asked, item: Item | None) -> Answered:
    """The answer to a question of a game. One that the question has no answer for is ``refused``."""
    rules = parse_rules(asked.under) if asked.under else None
    if item is None:
        return _minimal(Sought(rules=rules or parse_rules(""), variant=asked.variant or "first"), asked.seed or 0)
    if asked.question == "verdict":
        return _verdict(item, rules, Steps(asked.budget))
    if isinstance(item, Malformed):
        return Answered("malformed")
    try:
        return _QUESTIONS[asked.question](game_of(item, "study"), rules, Steps(asked.budget), asked.turn)
    except Told:
        return Answered("refused")


def _verdict(item: Item, rules: Rules | None, steps: Steps) -> Answered:
    report = check(item, rules, budget=steps)
    code = "" if report.error is None or report.verdict != "illegal" else report.error.code
    proofs = partial(check_certificates, report, Steps(steps.left))
    return Answered(report.verdict, report.turn, evidence=code, work=steps.spent, certificates=proofs)


def _result(game: Game, rules: Rules | None, steps: Steps, _turn: int | None) -> Answered:
    report = check(game, rules, budget=steps)
    return Answered(report.result or report.verdict, work=steps.spent)


def _length(game: Game, rules: Rules | None, _steps: Steps, _turn: int | None) -> Answered:
    turns = len(legal_part(game, rules)[0].record.turns)
    return Answered(str(turns), turns)


def _left(game: Game, rules: Rules | None, _steps: Steps, _turn: int | None) -> Answered:
    last = legal_part(game, rules)[1].states[-1]
    cards = sum(hand.size for hand in last.hands) + last.reserve.size + len(last.deck)
    return Answered(str(cards), cards)


def _tower(game: Game, rules: Rules | None, steps: Steps, _turn: int | None) -> Answered:
    found = deadlock.scan(game, rules, steps)
    data = found.data()
    evidence = "" if data.reason is None else str(data.reason.__struct_config__.tag)
    return Answered(data.verdict, found.turn, found.turn, evidence, steps.spent, found.certificates)


def _table(game: Game, rules: Rules | None, steps: Steps, _turn: int | None) -> Answered:
    found = deadlock.scan_table(game, rules, steps)
    data = found.data()
    least = None if found.dead is None else found.dead if found.open is None else found.open[0]
    evidence = data.reasons[0].kind if data.reasons else ""
    return Answered(data.verdict, found.dead, least, evidence, steps.spent, found.certificates)


def _winnable(game: Game, rules: Rules | None, steps: Steps, turn: int | None) -> Answered:
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


def _decides(game: Game, _rules: Rules | None, steps: Steps, _turn: int | None) -> Answered:
    found = dispute(game, budget=steps, whole=True)
    names = " ".join(found.decisive) or "none"
    settled = found.settled
    return Answered(names if settled else "undetermined", len(found.decisive) if settled else None, work=steps.spent)


def _breaks(game: Game, rules: Rules | None, _steps: Steps, _turn: int | None) -> Answered:
    """The turns that break a rule, each of which stands as it was played."""
    record = game.record
    slips = replay(record, (rules or record.rules).rulings, since=len(record.turns) + 1, hanging=False).slips
    turns = len({slip.turn for slip in slips} - {0})
    return Answered(str(turns), turns)


def _minimal(question: Sought, cards: int) -> Answered:
    """How many minimal deadlocked towers there are of so many cards beside the anchor's, as `deadlocks` counts them."""
    found = [(cells, each) for cells in shapes(question, cards) for each in deadlocks(question, cells)]

    def proofs() -> Iterator[Proof]:
        for position in (tower_of(question, *each) for each in found):
            yield tower_certificate(position, complete_tower(position))

    return Answered(str(len(found)), len(found), certificates=proofs)


_QUESTIONS: dict[str, Callable[[Game, Rules | None, Steps, int | None], Answered]] = {
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


def row(plan: Plan | None, asked: Asked, item: Item | None, found: Answered, seconds: float | None = None) -> Row:
    """A row of an answer."""
    record = item.record if isinstance(item, Game) else None
    own = asdict(asked)
    del own["budget"]
    if record is not None:
        own |= {"variant": record.variant, "players": len(record.players)}
        own["rules"] = asked.rules or str(record.rules)
        own["under"] = asked.under or ("" if asked.question == "decides" else own["rules"])
    return Row(
        **{**own, "record": digest_of(item)},
        id=asked.id,
        **_of(plan, own["rules"]),
        answer=found.answer,
        number=found.number,
        least=found.least,
        evidence=found.evidence,
        certificate=found.certificate,
        work=found.work,
        seconds=seconds,
        failed="",
    )


def failed(plan: Plan, unit: Unit, why: str) -> Iterator[Row]:
    """The rows of a unit that was given up, with the reason why."""
    nothing: dict[str, Any] = dict.fromkeys(("number", "least", "work", "seconds"))
    for listed in questions(plan, unit):
        for asked in listed:
            own = asdict(asked)
            del own["budget"]
            yield Row(
                **own,
                id=asked.id,
                **_of(plan, asked.rules),
                **nothing,
                answer="failed",
                evidence="",
                certificate="",
                failed=why,
            )


def _of(plan: Plan | None, rules: str) -> dict[str, Any]:
    """What all rows of a worker have alike."""
    return {
        "study": "" if plan is None else plan.study,
        "plan": "" if plan is None else plan.digest,
        "rulebook": rules.partition(" ")[0] or None,
        "host": socket.gethostname(),
        "worker": str(os.getpid()),
        "version": __version__,
        "commit": commit(),
    }


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
