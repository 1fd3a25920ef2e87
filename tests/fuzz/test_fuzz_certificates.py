"""Certificates spoiled at random: the checker answers each, within its steps, and accepts nothing that is false."""

from __future__ import annotations

import copy
import json
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from random import Random
from typing import Any

import pytest
from couperation_checker.claims import CODES, Verdict, check_certificate
from couperation_checker.strict import Work

from couperation_formal.game.replay import Replay, replay
from couperation_formal.game.rulings import Rulings
from tests.checker.budget import TRIMMED
from tests.checker.corrupt import CELLS
from tests.checker.corruptions import draw
from tests.checker.evidence import answer, repair
from tests.checker.hand import FREE, certificate
from tests.checker.judge import first_code
from tests.checker.record_corruptions import RIGHT, TEXT, pool as illegal_records
from tests.checker.records import legal, read
from tests.checker.table_corruptions import DEAD_TABLE, USED, WON, found, searched
from tests.checker.tables import answered, late_tables
from tests.checker.towers import RULINGS

ASKED = int(os.environ.get("COUPERATION_FUZZ", "0"))
PARTS = 8 if ASKED else 1
COUNT = ASKED // PARTS if ASKED else 1500
STEPS = 300
"""So many an input may take: a few milliseconds."""
_ODD: tuple[Any, ...] = (None, True, 0, -1, 10**9, 1.5, "", "?", [], {}, [[]], "d8", "\x1b", "\ud800", "F")
_WORDS = (*'?F~0Dx@";{},]', "51", "99", "a1", "m7", "g1", "drop", "trim", "\\n", "1e9")
_TOKEN = re.compile(r"[a-m][1-7]|\d+|[A-Za-z_]+|\S")
_FAULTS = (ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError)
"""What the readers of the tests, which are for right texts, raise for others."""


@cache
def pool() -> tuple[dict[str, Any], ...]:
    """Right certificates of every claim that take few steps, and one that wants more than there are."""
    made: list[dict[str, Any]] = [certificate("completable", {"column": "d", "filling": FREE}), RIGHT, WON]
    made += [legal(TEXT.replace("17@f1", "?@f1"), TEXT), searched(DEAD_TABLE, USED, *found(DEAD_TABLE, USED))]
    made += [one for seed in range(2) for one in illegal_records(seed)]
    for seed in range(8):
        text, rulings, trees = draw(seed)
        made += [answer(text, rulings), repair(text, rulings, trees=trees)]
        for late in list(late_tables(seed, 3)) if seed % 2 else ():
            made += [one for one in [answered(late, late.state, 300)[1]] if one is not None]
    return (*(one for one in made if taken(one) <= STEPS), TRIMMED)


def taken(one: dict[str, Any]) -> int:
    work = Work()
    assert check_certificate(json.dumps(one), work).status == "accepted"
    return Work().left - work.left


def key(one: dict[str, Any]) -> str:
    return json.dumps([one["claim"].split("-")[0], one.get("position"), one["rulings"]])


def bare(text: str) -> str:
    return re.sub(r"\d+", "0", text)


@cache
def forms() -> frozenset[str]:
    """The texts of positions as the tests' own rules can read them, whatever their numbers."""
    return frozenset(bare(one.get("position", "")) for one in pool())


def spoiled_bytes(rng: Random, one: dict[str, Any]) -> str:
    data = list(json.dumps(one))
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[place] = chr(rng.choice((rng.randrange(128), 0xE9, 0x1F0A1, 0xD800)))
            case 1:
                del data[place : place + rng.randrange(1, 9)]
            case 2:
                data[place:place] = data[place : place + rng.randrange(1, 40)]
            case _:
                data[place:place] = rng.choice(_WORDS)
    return "".join(data)


def spoiled_tokens(rng: Random, one: dict[str, Any]) -> str:
    """Some words of the text changed for others of their sort."""
    text = json.dumps(one)
    for _ in range(rng.randrange(1, 3)):
        token = rng.choice(list(_TOKEN.finditer(text)))
        word = token[0]
        if word.isdigit():
            word = str(max(0, int(word) + rng.choice((-1, 1)))) if rng.random() < 0.6 else str(rng.randrange(52))
        elif word in CELLS:
            word = rng.choice(CELLS)
        else:
            word = rng.choice(_WORDS) if rng.random() < 0.3 else rng.choice(_TOKEN.findall(text))
        text = text[: token.start()] + word + text[token.end() :]
    return text


def nodes(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each object or array inside a value, with the name or index of each of its items."""
    for name, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, name
        if isinstance(item, dict | list):
            yield from nodes(item)


def spoiled_structure(rng: Random, one: dict[str, Any]) -> str:
    """Parts left out, doubled, changed for odd ones or for parts of another certificate."""
    one, other = copy.deepcopy(one), rng.choice(pool())
    for _ in range(rng.randrange(1, 3)):
        inside, name = rng.choice(list(nodes(one)))
        match rng.randrange(4):
            case 0:
                del inside[name]
            case 1 if isinstance(inside, list):
                inside.insert(rng.randrange(len(inside) + 1), copy.deepcopy(inside[name]))
            case 2:
                node, at = rng.choice(list(nodes(other)))
                inside[name] = copy.deepcopy(node[at])
            case _:
                inside[name] = copy.deepcopy(rng.choice(_ODD))
        if not one:
            break
    return json.dumps(one)


def spoiled_meaning(rng: Random, one: dict[str, Any]) -> str:
    """Of the right form still: another option, number, cell or card; another's evidence."""
    one = copy.deepcopy(one)
    match rng.randrange(4):
        case 0:
            name = rng.choice(list(RULINGS))
            one["rulings"][name] = rng.choice(RULINGS[name])
        case 1:
            subject = "record" if "record" in one else "position"
            head, _, state = one[subject].rpartition("]")
            words = re.split(r"(\d+)", state)
            if len(words) > 1:
                words[2 * rng.randrange(len(words) // 2) + 1] = str(rng.randrange(1, 51))
            one[subject] = f"{head}]{''.join(words)}"
        case 2:
            same = [each for each in pool() if each["claim"].split("-")[0] == one["claim"].split("-")[0]]
            other = rng.choice(same)
            one["claim"], one["evidence"] = other["claim"], copy.deepcopy(other["evidence"])
        case _:
            inside, name = rng.choice(list(nodes(one["evidence"])) or [({0: 0}, 0)])
            value = inside[name]
            if isinstance(value, int):
                inside[name] = value + rng.choice((-1, 1, rng.randrange(50)))
            elif value in CELLS:
                inside[name] = rng.choice(CELLS)
            elif isinstance(value, list) and value:
                value.pop(rng.randrange(len(value)))
    return json.dumps(one)


WAYS: tuple[Callable[[Random, dict[str, Any]], str], ...] = (
    spoiled_bytes,
    spoiled_tokens,
    spoiled_structure,
    spoiled_meaning,
)


@lru_cache(maxsize=1000)
def replayed(text: str, rulings: str) -> Replay:
    """What the program's replay finds, which shares no code with the checker."""
    return replay(read(text), Rulings(**json.loads(rulings)[2]))


def false(one: dict[str, Any], known: dict[str, str]) -> str:
    """Why an accepted claim is false, by those who share no code with the checker; empty where they find nothing.

    A tower is judged by the tests' own rules, a record by the program's replay, a table by what was accepted before.
    """
    claim = one["claim"]
    said = "dead" if claim.endswith("deadlocked") else "alive" if claim.endswith("completable") else ""
    if said and known.setdefault(key(one), said) != said:
        return "both alive and dead"
    with suppress(*_FAULTS):
        if claim.startswith("tower"):
            return (bare(one["position"]) in forms() and first_code(one)) or ""
        if claim.startswith("record"):
            evidence = one["evidence"]
            outcome = replayed(evidence.get("world", one["record"]), key(one))
            turns = {found.turn for found in outcome.broken if not found.warning}
            wanted = {evidence["turn"]} if claim == "record-illegal" else set()
            return "" if turns == wanted or (not turns and outcome.doubts) else f"turns {turns} are illegal"
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_spoiled_certificates_are_answered(part: int, record_property: Callable[[str, object], None]) -> None:
    known = {key(one): "dead" if one["claim"].endswith("deadlocked") else "alive" for one in pool()[:-1]
             if one["claim"].endswith(("deadlocked", "completable"))}  # fmt: skip
    counts, longest, began = Counter[str](), 0.0, time.process_time()
    for seed in range(part * COUNT, (part + 1) * COUNT):
        rng = Random(seed)
        way = rng.choice(WAYS)
        text, work, start = way(rng, rng.choice(pool())), Work(STEPS), time.process_time()
        verdict = check_certificate(text, work)
        longest = max(longest, time.process_time() - start)
        assert isinstance(verdict, Verdict)
        assert verdict.status in ("accepted", "rejected", "unsupported")
        assert (verdict.code in CODES.split()) == (verdict.status == "rejected"), (seed, verdict)
        assert 0 <= work.left <= STEPS
        assert verdict.message.isprintable(), (seed, verdict)
        counts[f"{way.__name__} {verdict.status}"] += 1
        counts[verdict.code or verdict.status] += 1
        if verdict.status == "accepted":
            value = json.loads(text)
            reason = false(value, known) if isinstance(value, dict) else ""
            assert not reason, (seed, reason, value)
    record_property("inputs", COUNT)
    record_property("longest", longest)
    print(f"\n{COUNT} inputs in {time.process_time() - began:.1f} s, the longest {longest:.3f} s: {dict(counts)}")
    assert longest < 1
    assert all(counts[f"{way.__name__} rejected"] > COUNT / 20 for way in WAYS)
    assert counts["accepted"] > COUNT / 100
    assert counts["unsupported"]
