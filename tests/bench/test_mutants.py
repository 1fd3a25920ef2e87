"""The sample of mutants, and the page about them."""

from __future__ import annotations

import ast

import pytest

from bench.mutants import SEED, mutants_of
from bench.mutants_page import Tried, equivalents, report
from bench.mutants_places import LEFT_OUT, ROOT, modules, sample
from bench.mutants_tests import block_of
from tests.conftest import LONG, some

pytestmark = pytest.mark.slow


def test_the_sample_is_fixed_and_every_mutant_is_one_change() -> None:
    rooms = ("game", "hidden") if LONG else ("game",)
    places = sample(SEED, rooms)
    assert places == sample(SEED, rooms)
    assert places != sample(SEED + 1, rooms)
    assert len({(place.module, place.line, place.operator, place.occurrence) for place in places}) == len(places) > 400
    assert not {f"{path.parent.name}/{path.stem}" for _, path in modules(("hidden",))} & {*LEFT_OUT}
    for mutant in mutants_of(some(places[:40])):
        before = (ROOT / mutant.place.module).read_text()
        assert ast.dump(ast.parse(before)) != ast.dump(ast.parse(mutant.source))
        assert mutant.key[2] != mutant.key[3]


def test_a_default_belongs_to_those_who_call_and_a_constant_to_the_module() -> None:
    tree = ast.parse("MOST = 3\n\n\ndef f(most=MOST):\n    if most:\n        return 1\n    return 2\n")
    assert [block_of(tree, line) for line in (1, 4, 5, 6, 7)] == [
        (1, False),
        (5, True),
        (5, True),
        (6, True),
        (5, True),
    ]


def test_the_page_counts_and_names() -> None:
    drawn = mutants_of(sample(SEED, ("game",))[:6])
    found = [
        (mutant.place, Tried(*mutant.key, outcome))
        for mutant, outcome in zip(drawn, ("killed", "endless", "survived", "unreached"), strict=False)
    ]
    same = {found[2][1].key[:4]: "for this reason"}
    page = report(found, [each.place for each in drawn], same, seed=SEED, most=1, patience=1, grace=1)
    assert f"| game | 4 | {len(drawn) - 4} | 2 | 1 | 1 | 1 | 66.7 |" in page
    equivalent, surviving = page.partition("## Equivalent")[2].split("## Surviving")
    assert "for this reason" in equivalent
    assert f"`{found[3][1].before}` → `{found[3][1].after}`" in surviving


def test_what_is_told_as_equal_is_a_change_of_code_that_is_there() -> None:
    def words(text: str) -> str:
        return " ".join(text.split())

    for module, _, before, after in equivalents():
        assert before != after
        assert words(before) in words((ROOT / module).read_text()), before
