"""Right certificates are accepted; one changed field is judged by brute force, and the checker has to say the same."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from couperation_checker import check_object

from tests.checker.corrupt import corruptions
from tests.checker.corruptions import pool
from tests.checker.evidence import table_of
from tests.checker.judge import CODES, first_code
from tests.checker.towers import RULINGS, saved
from tests.conftest import LONG, some

pytestmark = pytest.mark.slow

CLAIMS = ("tower-completable", "tower-deadlocked", "tower-repair")
# Nothing hangs on these: the tag Rules, most rulings, replace_target outside repairs, and for a filling that fewer
# cards are gone or located.
NEUTRAL = {
    *(f"{claim} position.rules" for claim in CLAIMS),
    *(f"{claim} rulings.{name}" for claim in CLAIMS for name in RULINGS.keys() - {"anchor", "between", "finish_value"}),
    *(f"tower-completable position.{line}" for line in ("hand", "reserve", "deck", "gone")),
} - {"tower-repair rulings.replace_target"}


def codes_agree(certificate: dict[str, Any], code: str | None) -> bool:
    verdict = check_object(certificate)
    return (verdict.status, verdict.code) == (("rejected", code) if code else ("accepted", ""))


def bears(field: str) -> bool:
    """Whether a field of a claim has other values of the right form that can be false."""
    formal = {"format", "claim", "unknown", "position", "rulings", "evidence", "evidence.places[]", "evidence.lower[]"}
    return not (field in NEUTRAL or field.split()[1] in formal or field.endswith((".kind", ".why", ".nodes[]")))


def test_right_certificates_are_accepted_and_true() -> None:
    assert len(pool()) == 84
    for certificate in pool():
        assert first_code(certificate) is None
        assert codes_agree(certificate, None)
    assert all(map(holds, some(pool(), 5)))  # an odd step: repairs are every second one


def test_one_changed_field_is_judged_as_by_brute_force() -> None:
    false: Counter[str] = Counter()
    false_in_form: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    true: list[Any] = []
    for index, certificate in some(enumerate(pool()), 7):
        for where, form, corrupted in corruptions(certificate, random.Random(index)):
            field = f"{certificate['claim']} {where}"
            code = "FORM" if form else first_code(corrupted)
            assert codes_agree(corrupted, code), (field, code, check_object(corrupted), corrupted)
            false[field] += code is not None
            false_in_form[field] += code not in (None, "FORM")
            if code:
                codes[code] += 1
            else:
                true.append((field, corrupted))
    print(f"\n{codes.total()} false, {len(true)} true; {dict(codes.most_common())}")
    assert codes.total() > 2_000
    if not LONG:
        return  # of a part of the pool not every field is changed into something false
    assert codes.total() > 10_000
    assert len(true) > 3_000
    assert codes.keys() == {*CODES} - {"JSON"}, "a code without a corruption"
    assert min(codes.values()) >= 20
    assert false.keys() >= NEUTRAL
    assert {field for field, count in false.items() if not count} <= NEUTRAL
    assert {field for field, count in false_in_form.items() if not count and bears(field)} == set()
    assert {field for field in NEUTRAL if false_in_form[field]} == set()
    changed = [one for field, one in true if " position" in field or (" rulings" in field and field not in NEUTRAL)]
    assert len(changed) > 500
    for one in random.Random(4).sample(changed, 80):
        assert holds(one), one


def holds(certificate: dict[str, Any]) -> bool:
    """Whether the claim itself is true, whatever its evidence: by matching, and by trying what may be given up."""
    table = table_of(certificate["position"], certificate["rulings"])
    distance = {"tower-completable": 0, "tower-deadlocked": None}.get(certificate["claim"], "repair")
    if distance == 0:
        return any(saved(table, place, frozenset()) is not None for place in table.places())
    if distance is None:
        return all(saved(table, place, frozenset()) is None for place in table.places())
    distance, may_go = certificate["evidence"]["distance"], table.may_go()
    sizes = [len(may_go)] if distance is None else [distance] if distance == 0 else [distance - 1, distance]
    reached = [
        any(
            saved(table, place, frozenset(given_up)) is not None
            for place in table.places()
            for given_up in combinations(may_go, size)
        )
        for size in sizes
    ]
    return reached == ([False] if distance is None else [True] if distance == 0 else [False, True])
