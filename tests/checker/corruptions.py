"""What the tests of corruptions share with others."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any

from tests.checker.evidence import answer, repair, table_of
from tests.checker.towers import RULINGS, bare, position, rules, sample

SEEDS = (  # of draw: they cover KINDS, and towers whose verdict hangs on each ruling
    2, 4, 5, 29, 31, 35, 53, 57, 60, 73, 89, 103, 109, 114, 124, 129, 136, 150, 169, 170,
    184, 194, 202, 206, 223, 240, 264, 270, 271, 362, 386, 588, 670, 676, 689, 796, 806, 813, 824, 893,
)  # fmt: skip


KINDS = {
    "tower-completable", "tower-completable gone",
    "tower-deadlocked interval", "tower-deadlocked order", "tower-deadlocked gone", "tower-deadlocked finish",
    "tower-repair 0", "tower-repair null", "tower-repair disjoint", "tower-repair tree",
    "tower-repair interval", "tower-repair order", "tower-repair gone", "tower-repair finish",
}  # fmt: skip


def kinds(certificate: dict[str, Any]) -> set[str]:
    """Which of KINDS a certificate belongs to."""
    claim, evidence = certificate["claim"], certificate["evidence"]
    if claim == "tower-completable":
        world = bare(table_of(certificate["position"], certificate["rulings"]), evidence["column"], None)
        unused = len(world.available - world.located - set(evidence["filling"].values()))
        return {claim, f"{claim} gone"} if unused == world.unseen_gone > 0 else {claim}
    if claim == "tower-deadlocked":
        return {f"{claim} {entry['reason']['kind']}" for entry in evidence["places"]}
    proofs = [entry["proof"] for entry in evidence["lower"]]
    reasons = {one["reason"]["kind"] for proof in proofs for one in proof["conflicts"]}
    shape = {0: {"0"}, None: {"null"}}.get(evidence["distance"], {proof["kind"] for proof in proofs})
    return {f"{claim} {kind}" for kind in reasons | shape}


def draw(seed: int) -> tuple[str, dict[str, str], bool]:
    """A position, its rulings, and whether proofs should be trees."""
    rng = random.Random(seed)
    rulings = {name: rng.choice(options) if len(options) > 1 else options[0] for name, options in RULINGS.items()}
    rulings["replace_target"] = rng.choice(["any", "any", "not_anchor", "facedown_only"])
    finish = rng.choice(["", "", "", "?", "?", "apex", "stray", "reserve", "gone"])
    size = 27 if finish == "apex" else rng.randint(6, 16)
    tight, broken, unseen = rng.choice([0, 0.4, 0.8, 1.0]), rng.choice([0, 0, 1, 2]), rng.choice([0, 0, 4, 9])
    unseen *= size < 20
    text = sample(seed, rulings, size=size, tight=tight, broken=broken, unseen=unseen, finish=finish)
    return text, rulings, rng.random() < 0.5


@cache
def pool() -> tuple[dict[str, Any], ...]:
    """Right certificates, at least three of each kind."""
    found = []
    for seed in SEEDS:
        text, rulings, trees = draw(seed)
        found += [answer(text, rulings), repair(text, rulings, trees=trees)]
    for tower in ("tower 25@d1 27@g1", "tower 24@d1 27@g1"):  # the bound of the apex alone makes these deadlocked
        text = position(tower, variant="finish")
        found += [answer(text, rules()), repair(text, rules(), trees=True)]
    count = Counter(kind for certificate in found for kind in kinds(certificate))
    assert count.keys() == KINDS
    assert min(count.values()) >= 3
    return tuple(found)
