"""Records for the checker's tests: the recorded corpus, sampled games, their mutations, and certificates by hand."""

import json
import random
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
from couperation_checker import Verdict, check_object

from couperation_formal.game.record import Game, Record
from couperation_formal.game.replay import Replay, replay
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.tower import Variant
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import Policy, sample_game
from couperation_formal.questions.records.verdict import illegal_certificate
from tests.kit.rulings import drawn
from tests.questions.records.spoil import mutations

BEFORE_FINISH = """[CGN "1"]
[Rules "ja-2.2 finish_value=none finish_refill=at_once"]
[Variant "finish"]
[Players "Ada Bo"]
[Marks "21:1"]

deal Ada 17 30 44
deal Bo 9 21 38
reserve 1 50 12 33 40 7
deck F 6 8 10

1. Ada +0 A 17@f1
2. Bo +0 A 9@e1
3. Ada +0 A 30@h1
4. Bo +0 A 38@i1
5. Ada +0 A 44@j1
6. Bo +0 A 21@f2
"""
"""Six turns, after which Ada may lay the Finish card and fill her hand at once."""

GAMES = sorted((Path(__file__).resolve().parents[1] / "data" / "games").glob("*.cgn"))
BREAKABLE = {
    *(f"SET{number:02}" for number in (1, 2, 3, 4, 6)), *(f"TOW{number:02}" for number in range(1, 9)),
    *(f"DRW{number:02}" for number in range(1, 7)), *(f"ACT{number:02}" for number in range(1, 9)),
    "LIM01", "LIM02", "END04", "END05", "END06",
}  # fmt: skip


@lru_cache(maxsize=64)
def read(text: str) -> Record:
    (game,) = read_text(text)
    assert isinstance(game, Game)
    return game.record


@lru_cache(maxsize=64)
def replayed(text: str) -> Replay:
    """What the program's replay finds under the record's own rules."""
    record = read(text)
    return replay(record, record.rules.rulings)


def rulings_of(text: str, **changes: str) -> dict[str, str]:
    return {**msgspec.structs.asdict(read(text).rules.rulings), **changes}


@cache
def sampled(seed: int) -> Record:
    """A complete game under a random rulebook with about a third of its rulings drawn anew."""
    rng = random.Random(f"record {seed}")
    words = [rng.choice(list(registry().rulebooks))]
    words += [f"{name}={option}" for name, option in drawn(rng, 0.3).items()]
    variant: Variant = "finish" if rng.random() < 0.5 else "first"
    policy: Policy = "careful" if rng.random() < 0.5 else "random"
    return sample_game(rng.choice([2, 3, 4]), variant, parse_rules(" ".join(words)), seed, policy)


@lru_cache(maxsize=8)
def mutated(seed: int) -> list[tuple[str, str]]:
    """The kinds and texts of the mutations of a sampled game."""
    return mutations(text_of(sampled(seed)), seed)


def legal(record: str, world: str, **changes: str) -> dict[str, Any]:
    """A certificate of a legal record, by hand."""
    return {
        "format": 1,
        "claim": "record-legal",
        "record": record,
        "rulings": rulings_of(world, **changes),
        "evidence": {"world": world},
    }


def illegal(record: str, turn: int, clause: str, numbers: dict[str, Any], **changes: str) -> dict[str, Any]:
    """A certificate of an illegal record, by hand."""
    return {
        "format": 1,
        "claim": "record-illegal",
        "record": record,
        "rulings": rulings_of(record, **changes),
        "evidence": {"turn": turn, "clause": clause, "numbers": numbers},
    }


def illegal_ones(text: str) -> list[dict[str, Any]]:
    """A certificate for each clause that the replay finds broken."""
    record = read(text)
    broken = [found for found in replayed(text).broken if not found.warning]
    return [through_json(illegal_certificate(record, record.rules.rulings, found)) for found in broken]


def through_json(certificate: dict[str, Any]) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(json.dumps(certificate))
    return value


def code(certificate: dict[str, Any]) -> str:
    verdict: Verdict = check_object(through_json(certificate))
    assert verdict.status != "rejected" or (verdict.code and verdict.message)
    return verdict.code or verdict.status


def text_of(record: Record) -> str:
    return record_text(record)
