"""Certificates of tables: what the program finds is accepted, and the checker's search is the program's."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from couperation_checker import check_object
from couperation_checker.strict import Work

from couperation_formal.towers.continuation.answer import Won
from couperation_formal.towers.continuation.exhaust import REDUCTIONS
from tests.checker.tables import answered, late_tables, searched, veiled
from tests.conftest import LONG

pytestmark = pytest.mark.slow

SEEDS = range(120) if LONG else range(17)
STEPS = 15_000 if LONG else 2_000


def test_the_checker_searches_what_the_program_searches() -> None:
    """Number and digest, with all, some and none of the reductions; and whether some turn wins."""
    counts = Counter[str]()
    kinds = Counter[tuple[str, int]]()
    for seed in SEEDS:
        rng = Random(seed)
        for late in late_tables(seed, 6):
            used = tuple(name for name in REDUCTIONS if rng.random() < 0.7)
            found = searched(late, used, STEPS)
            if found is None:
                counts["too long"] += 1
                continue
            certificate, wins = found
            verdict = check_object(certificate, Work(30 * STEPS))
            if wins and verdict.status == "unsupported":  # what wins is found early by the one, late by the other
                counts["alive, too long"] += 1
                continue
            assert verdict.code == ("ALIVE" if wins else ""), (seed, certificate, verdict)
            assert wins or verdict.status == "accepted", (seed, certificate, verdict)
            counts["alive" if wins else "dead"] += 1
            kinds[late.state.variant, len(late.state.players)] += 1
            counts["several"] += not wins and certificate["evidence"]["positions"] > 1
    print(dict(counts), dict(kinds))
    assert len(kinds) == 6
    assert min(counts["alive"], counts["dead"], counts["several"]) >= (50 if LONG else 5)


def test_what_the_program_answers_is_accepted() -> None:
    """Lines, counts and searches, of tables as they are and with cards and marks not seen."""
    counts = Counter[str]()
    for seed in SEEDS:
        rng = Random(seed)
        early = list(late_tables(seed, 99))[:1] if seed % (6 if LONG else 12) == 0 else []
        for late in early + list(late_tables(seed, 6))[:: 1 if LONG else 2]:
            for state in (late.state, veiled(rng, late.state)):
                found, certificate = answered(late, state, 200_000 if late in early else 30_000 if LONG else 4_000)
                if certificate is None:
                    counts["undetermined"] += 1
                    continue
                verdict = check_object(certificate)
                kind = certificate["evidence"].get("kind", "line")
                hidden = kind == "search" and state is not late.state
                assert verdict.status in ("accepted", "unsupported" if hidden else ""), (seed, certificate, verdict)
                counts[f"{kind} {verdict.status}"] += 1
                if isinstance(found, Won) and found.assumed_marks:
                    counts["marks assumed"] += 1
    print(dict(counts))
    assert counts["line accepted"] >= 10
    assert counts["search accepted"] >= (10 if LONG else 2)
    assert sum(count for kind, count in counts.items() if kind.endswith("accepted")) >= (40 if LONG else 30)
    assert counts["marks assumed"] >= 1
