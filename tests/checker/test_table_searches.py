"""The checker's search: its least prices are the program's, and what a reduction leaves out changes no answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from couperation_checker import check_object, search
from couperation_checker.counting import counts, least
from couperation_checker.position import Table, read
from couperation_checker.replay import marked
from couperation_checker.strict import Refused

from couperation_formal.game.fact import Steps
from couperation_formal.game.position import state_of
from couperation_formal.game.record import Snapshot
from couperation_formal.notation.read import read as parsed
from couperation_formal.towers.continuation.exhaust import REDUCTIONS, Exhaustion, Reductions, canonical
from couperation_formal.towers.continuation.line import Packed
from tests.checker.table_corruptions import LAID, table
from tests.checker.tables import Late, certificate, late_tables
from tests.checker.towers import rules
from tests.conftest import LONG
from tests.kit.started import ROOT

pytestmark = pytest.mark.slow

SEEDS = range(60) if LONG else range(18)
FOLLOWED = 20 if LONG else 8
STEPS = 12_000 if LONG else 1_500


def table_of(late: Late) -> Table:
    """The table as the checker reads it."""
    made: dict[str, Any] = certificate("table-deadlocked", late.position, late.rules, {})
    return marked(read(made["position"], made["rulings"], mover=True))


def price(table: Table) -> int | None:
    """The least price within the slack, as the search of the checker asks for it."""
    empty, cards = counts(table)
    found = search._price(table, cards - empty)
    return None if found > cards - empty else found


def children_of(table: Table) -> Iterator[Table]:
    """The tables after every turn, as the checker makes them."""
    for after, trims in search.turns(table):
        for reserve in search._kept(after.reserve, trims, after.rulings["finish_reserve_count"] == "yes", after.work):
            yield replace(after, reserve=reserve)


def test_the_least_prices_are_the_programs() -> None:
    """Of tables all through sampled games and of what one turn makes of them, position by position."""
    found = Counter[int | None]()
    rulebooks = set()
    for seed in SEEDS:
        for late in list(late_tables(seed, 99))[seed % 5 :: 5]:
            packed = Packed(late.state, late.rules.rulings)
            bounds = Reductions(packed.frame)
            (root,) = packed.roots()
            children = (child for child, _ in packed.turns.turns(root) if child is not None)
            nodes = {canonical(packed.frame, node): node for node in (root, *islice(children, FOLLOWED))}
            table = table_of(late)
            after = (child for child in children_of(table) if not child.result)
            tables = {search.canonical(each): each for each in (table, *islice(after, 8 * FOLLOWED))}
            assert search.canonical(table) in nodes
            for text in sorted(nodes.keys() & tables.keys()):
                slack = packed.frame.slack(nodes[text])
                if slack >= 0:
                    expected = bounds.prices.least(nodes[text], slack)
                    assert price(tables[text]) == expected, (seed, text)
                    found[expected] += 1
                    rulebooks.add(late.rules.rulings)
    print(dict(found), len(rulebooks))
    assert len(rulebooks) >= len(SEEDS) // 2
    assert min(found[None], found[0], found[1], found[2]) >= 10


def test_a_table_costs_what_its_laid_cards_say() -> None:
    """The price of a table by hand: nothing while all may stay, one for each card that must be replaced."""

    def costs(tower: list[str], hand: str, limit: int, **rulings: str) -> int | None:
        position = read(table(tower, hand, "", "d6"), rules(**rulings), mover=True)
        return least(position, limit, ([1] * 51, [1] * 51))

    assert costs(LAID[:-1], "28 31", 3) == 0
    low = [word.replace("24@", "2@") for word in LAID[:-1]]  # 2 on d6 is below its supports
    assert costs(low, "24 28 31", 0) is None
    assert costs(low, "24 28 31", 3) == 1
    assert costs(low, "24 28 31", 3, replace_target="facedown_only") is None
    down = [word.replace("2@", "~2@") if word == "2@d6" else word for word in low]
    assert costs(down, "24 28 31", 3, replace_target="facedown_only") == 1


def searched(late: Late, used: set[str]) -> dict[bytes, int] | str | None:
    """The positions expanded, None where some turn wins."""
    table = table_of(late)
    table.work.left = STEPS
    try:
        return search.search(table, used)
    except Refused:
        return "too long"


def test_a_reduction_changes_no_answer() -> None:
    """Each reduction left out, and each alone: what wins still wins, and nothing is expanded but for the lack of it."""
    counts = Counter[str]()
    for seed in SEEDS if LONG else SEEDS[::5]:
        for late in late_tables(seed, 4):
            full = searched(late, set(REDUCTIONS))
            if full == "too long":
                counts["too long"] += 1
                continue
            for used in [*(set(REDUCTIONS) - {name} for name in REDUCTIONS), *({name} for name in REDUCTIONS), set()]:
                other = searched(late, used)
                if other == "too long":
                    counts["too long"] += 1
                    continue
                assert (full is None) == (other is None), (seed, used)
                counts["alive" if full is None else "dead"] += 1
                # What they prove lost makes more cards of the Reserve idle, and so other positions the same.
                if isinstance(full, dict) and isinstance(other, dict) and used >= {"reserve", "shut", "turns"}:
                    assert full.keys() <= other.keys(), (seed, used)
                    for name in set(REDUCTIONS) - used:
                        counts[f"less by {name}"] += len(full) < len(other)
    print(dict(counts))
    assert min(counts["alive"], counts["dead"]) >= (20 if LONG else 10)
    assert counts["less by exchanges"] >= (3 if LONG else 1)


@pytest.mark.parametrize(("number", "without", "fewer"), [(0, 795, 1.5), (1, 5542, 5)])
def test_cards_that_are_never_opened_leave_fewer_positions(number: int, without: int, fewer: float) -> None:
    """Two tables of sampled games, with `shut` and, in a long run, without; the checker expands the same positions."""
    item = list(parsed(ROOT / "tests" / "data" / "table" / "shut.cgn"))[number]
    assert isinstance(item, Snapshot)
    position, expanded = item.position, []
    for used in (REDUCTIONS, *([tuple(name for name in REDUCTIONS if name != "shut")] if LONG else [])):
        packed = Packed(state_of(position), position.rules.rulings, Steps(10**6))
        found = Exhaustion(packed.turns, list(packed.roots()), Reductions(packed.frame, used)).search(10**6)
        evidence = {"kind": "search", "reductions": [*used], "positions": found.positions, "digest": found.digest}
        claim = certificate("table-deadlocked", position, position.rules, evidence)
        assert check_object(claim).status == "accepted"
        expanded.append(found.positions)
    assert without > fewer * expanded[0]
    assert expanded[1:] == [without] * (len(expanded) - 1)
