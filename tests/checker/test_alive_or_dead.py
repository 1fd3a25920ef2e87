"""No table is accepted as alive and as dead: every claim that can be forged about tables near the end, in order and out
of order, against what trying every turn says of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest
from couperation_checker import check_object, counting
from couperation_checker.counting import counts
from couperation_checker.orders import orders
from couperation_checker.position import Table, read
from couperation_checker.tower import standing, window

from couperation_formal.game.rules.arrangement import holds
from couperation_formal.game.state import Pile
from couperation_formal.game.tower import FINISH, STANDARD
from couperation_formal.notation.write import position_text, turn_text
from couperation_formal.towers.completion.answer import (
    Completable,
    complete,
    mend,
    repair_certificate,
    tower_certificate,
)
from couperation_formal.towers.continuation import line as line_module
from couperation_formal.towers.continuation.answer import Dead, Unknown, Won
from couperation_formal.towers.continuation.exhaust import REDUCTIONS, Exhaustion, Reductions
from couperation_formal.towers.continuation.line import Packed, line_of
from tests.checker.endings import ending, wins
from tests.checker.tables import Late, answered, certificate, searched
from tests.conftest import LONG

pytestmark = pytest.mark.slow

TABLES = range(1000) if LONG else range(40)
MOST = 250 if LONG else 160
"""So many tables may follow from one."""
STEPS = 12_000 if LONG else 4_000
EVERY = [used for size in range(5) for used in combinations(REDUCTIONS, size)]
KINDS = counting.SHAPE["kind"].split("|")  # type: ignore[attr-defined]


def dead(late: Late, evidence: dict[str, Any]) -> dict[str, Any]:
    return certificate("table-deadlocked", late.position, late.rules, evidence)


def accepted(made: dict[str, Any]) -> bool:
    return check_object(made).status == "accepted"


def counted(late: Late, rng: Random) -> Iterator[dict[str, Any]]:
    """A count of each kind, its numbers those of the position whether it proves anything or not."""
    made = dead(late, {})
    table = read(made["position"], made["rulings"], mover=True)
    for kind in KINDS:
        if kind == "interval":
            yield from _intervals(table)
            continue
        for cells in _choices(table, rng) if kind == "order" else [[]]:
            numbers, named, _ = counting._theorem(table, kind, cells, {})
            yield {"kind": kind, "numbers": numbers, "cells": sorted(named), "cards": []}
    for way in ("gone", "reserve", "laid"):
        yield {"kind": "finish", "numbers": {way: 1}, "cells": [], "cards": []}


def _choices(table: Table, rng: Random) -> Iterator[list[str]]:
    """Cells that may show that a tower is beyond mending: all, those of the orders that fail, and some of them."""
    laid = sorted(table.tower)
    yield laid
    failing = [
        {numbers[end] for end in ("lower", "upper") if numbers[end]}
        for _, numbers in orders(table.tower, table.rulings)
    ]
    yield sorted(set().union(*failing))
    for some in [*failing[:3], *(one | other for one, other in combinations(failing[:4], 2))]:
        yield sorted(some)
        yield sorted({*some, *rng.sample(laid, 2)})


def _intervals(table: Table) -> Iterator[dict[str, Any]]:
    """Every interval with more cells than numbers, whatever may stay where it lies."""
    empty, cards = counts(table)
    lying = {cell: card for cell, (card, _) in table.tower.items() if isinstance(card, int)}
    for place in table.places[:1]:
        for stay in (lying, table.up):
            _, bounds, free = standing(table, place, stay)
            out = {*table.gone, *stay.values(), *(table.reserve if empty == cards else ())}
            windows = {cell: window(bounds, cell) for cell in free}
            for above in {low for low, _ in windows.values()}:
                for below in {high for _, high in windows.values() if high > above}:
                    cells = sorted(cell for cell, (low, high) in windows.items() if above <= low and high <= below)
                    left = [number for number in range(above + 1, below) if number not in out]
                    if len(cells) > len(left) and above >= 0 and below <= 51:
                        numbers = {"empty": empty, "cards": cards, "above": above, "below": below}
                        yield {"kind": "interval", "numbers": numbers, "cells": cells, "cards": left}


def loose_line(late: Late) -> list[str] | None:
    """The turns of a line that wins if orders were only asked of the cell of the turn; None where there is none."""
    packed = Packed(late.state, late.rules.rulings)
    roots = list(packed.roots())
    packed.towers.astray.clear()
    found = Exhaustion(packed.turns, roots, Reductions(packed.frame, ("cards",))).search(STEPS)
    if found.won is None:
        return None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_module, "replay_fault", lambda *_: None)
        return list(map(turn_text, line_of(packed, found.won, late.state.marks).turns))


def tower_claims(late: Late) -> Iterator[tuple[dict[str, Any], bool]]:
    """What the program says of the tower, and whether no card replaced saves it."""
    found = complete(late.position)
    if isinstance(found, Completable):
        yield tower_certificate(late.position, found), False
        return
    mended = mend(late.position)
    yield tower_certificate(late.position, found), False
    yield repair_certificate(late.position, mended), mended is None


def judge(late: Late, alive: bool, rng: Random, seen: Counter[str]) -> None:
    """Everything that can be said about a table, against the truth."""
    where = late.state, late.rules
    found, proof = answered(late, late.state, 200_000)
    assert isinstance(found, (Won if alive else Dead) | Unknown), (where, found)
    if proof is not None and not (isinstance(found, Dead) and not found.checked):
        assert accepted(proof), (where, check_object(proof))
        seen[type(found).__name__] += 1
    for evidence in counted(late, rng):
        seen["counts tried"] += 1
        if accepted(dead(late, evidence)):
            assert not alive, (where, evidence)
            seen[evidence["kind"]] += 1
    for used in EVERY if LONG else [REDUCTIONS, *rng.sample(EVERY, 2)]:
        tried = searched(late, used, STEPS)
        if tried is not None:
            made, won = tried
            assert won == alive, (where, used)
            assert accepted(made) is not alive, (where, used, check_object(made))
            seen["search alive" if alive else "search dead"] += 1
    line = loose_line(late)
    if line is not None:
        world = position_text(late.position)
        claim = certificate("table-completable", late.position, late.rules, {"world": world, "line": line})
        assert accepted(claim) <= alive, (where, line)
        seen["line refused" if not accepted(claim) else "line accepted"] += 1
    for made, hopeless in tower_claims(late):
        assert accepted(made), (where, check_object(made))
        assert not (hopeless and alive), where
        seen[made["claim"]] += 1


def test_no_table_is_both() -> None:
    seen: Counter[str] = Counter()
    truth: Counter[tuple[bool, bool]] = Counter()
    for seed in TABLES:
        late = ending(seed)
        alive = wins(late, MOST)
        if alive is None:
            seen["too many"] += 1
            continue
        truth[alive, holds(STANDARD, late.state.tower, late.rules.rulings)] += 1
        judge(late, alive, Random(f"judge {seed}"), seen)
    print(dict(truth), dict(seen))
    assert min(truth[alive, ordered] for alive in (True, False) for ordered in (True, False)) >= 2
    assert seen["order"] >= 5
    assert seen["line refused"] >= 3
    assert min(seen["search alive"], seen["search dead"], seen["line accepted"], seen["Won"], seen["Dead"]) >= 5


def test_a_finish_card_that_can_only_be_gone() -> None:
    """With the gone cards unseen, and every other seen, F that lies nowhere is one of them: dead at both levels."""
    seen: Counter[str] = Counter()
    for seed in range(400 if LONG else 180):
        late = ending(seed)
        if FINISH not in late.state.gone.known:
            continue
        for unseen in (1, late.state.gone.size):
            known = sorted(late.state.gone.known - {FINISH}, key=str)
            gone = Pile(frozenset(known[: late.state.gone.size - unseen]), unseen)
            hidden = late._replace(state=msgspec.structs.replace(late.state, gone=gone))
            found, proof = answered(hidden, hidden.state, 1000)
            assert isinstance(found, Dead)
            assert proof is not None
            assert proof["evidence"]["kind"] == "finish"
            assert accepted(proof)
            for made, hopeless in tower_claims(hidden):
                assert made["claim"] != "tower-completable"
                assert hopeless or made["claim"] != "tower-repair"
                assert accepted(made)
                seen[made["claim"]] += 1
            table = hidden.state.reserve
            if table.known:  # now it may be the unseen card of the Reserve
                reserve = Pile(table.known - {min(table.known, key=str)}, 1)
                open_ = late._replace(state=msgspec.structs.replace(hidden.state, reserve=reserve))
                assert not accepted(certificate("table-deadlocked", open_.position, late.rules, proof["evidence"]))
                seen["open"] += 1
    assert min(seen["tower-repair"], seen["open"]) >= 3
