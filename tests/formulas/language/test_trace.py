"""Why a formula holds or fails, told on games that nobody plays."""

from __future__ import annotations

import re
from random import Random

import pytest

from couperation_formal.formulas.book import Book
from couperation_formal.formulas.trace import Instance, Tracer
from couperation_formal.formulas.writer import Values
from tests.conftest import LONG
from tests.formulas.language.invented import BOOK, OPTIONS, RULES, given, table

MORE = """
## parts · Everything else that a formula can say

```formula
lone := there is s in dom pond with pond(s) = Toad
pair := there is s in dom pond with for all z in dom pond with z != s: next s = z
light := total + most <= 9
none := {s in dom pond with weight(pond(s)) > most} is empty
inside := {s for s in dom pond} is a subset of stones - {Stone(1, 4)}
either := total > 9 or toads > 1
nobody := not (favourite is defined)
twice := (total > 3) given pond = after
swap :=
    leap = Swaps(_, s): s in stones
mute := there are integers h on stones with for all s in stones: h(s) < h(s) - 1
level(w: Int) := w <= most when croak = loud
              := w < most when croak = quiet
calm := for all s in dom weights: level(weights(s))
```
"""
WHOLE = Book({"frogs.md": RULES + MORE}, OPTIONS)


def why(name: str, book: Book = WHOLE, /, **changed: object) -> tuple[bool, tuple[Instance, ...]]:
    found = Tracer(book, {}).trace(name, book.values(given(**changed)))
    return found.holds, found.instances


def told(name: str, **changed: object) -> list[tuple[dict[str, str], dict[str, str], str]]:
    return [(one.bindings, one.values, one.formula) for one in why(name, **changed)[1]]


ROW = {(1, spot): ("Weighs", weight) for spot, weight in ((1, 2), (2, 7), (3, 4), (4, 1))}


def test_a_for_all_that_fails_is_told_by_its_first_member_that_does() -> None:
    values = {"croak": "loud", "weights(s)": "7", "weights(next s)": "4"}
    assert told("steady", pond=ROW) == [({"s": "Stone(1, 2)"}, values, "7 < 4 is false")]


def test_one_that_holds_is_told_by_all_of_them() -> None:
    rising = {(1, spot): ("Weighs", spot) for spot in (1, 2, 3)}
    found = [one.formula for one in why("steady", pond=rising)[1]]
    assert found == [
        "1 < 2 is true", "2 < 3 is true", "0 = 0 is true",
        "Toad not in {Weighs(1), Weighs(2), Weighs(3)} is true",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name, changed, bindings, values, formula",
    [
        ("lone", {"pond": {(1, 2): ("Toad",)}}, {"s": "Stone(1, 2)"}, {"pond(s)": "Toad"},
         "there is s in dom pond with pond(s) = Toad is true"),
        ("lone", {"pond": {}}, {}, {}, "there is s in dom pond with pond(s) = Toad is false: no member"),
        ("lone", {"pond": {(1, 2): ("Weighs", 3)}}, {"s": "Stone(1, 2)"}, {"pond(s)": "Weighs(3)"},
         "Weighs(3) = Toad is false"),
        ("pair", {"pond": {(1, 2): ("Toad",), (1, 4): ("Toad",)}}, {"s": "Stone(1, 2)", "z": "Stone(1, 4)"},
         {"next s": "Stone(1, 3)"}, "Stone(1, 3) = Stone(1, 4) is false"),
        ("light", {}, {}, {"total + most": "10", "total": "7", "weight(pond(s))": None, "most": "3"},
         "10 <= 9 is false"),
        ("none", {}, {}, {"{s in dom pond with weight(pond(s)) > most}": "{Stone(1, 4)}"},
         "Stone(1, 4) in {s in dom pond with weight(pond(s)) > most};"
         " {s in dom pond with weight(pond(s)) > most} is empty is false"),
        ("inside", {}, {}, {"{s for s in dom pond} - stones - {Stone(1, 4)}": "{Stone(1, 4)}"},
         "{Stone(1, 1), Stone(1, 4)} is a subset of {Stone(1, 1), Stone(1, 2), Stone(1, 3)} is false"),
        ("nobody", {"favourite": (1, 1)}, {}, {"favourite": "Stone(1, 1)"},
         "favourite is defined is true; not (favourite is defined) is false"),
        ("nobody", {}, {}, {"favourite": "undefined"},
         "favourite is defined is false; not (favourite is defined) is true"),
        ("twice", {"leap": ("Leaps", ("Weighs", 1), (1, 2))},
         {"pond": "{Stone(1, 1) -> Weighs(2), Stone(1, 2) -> Weighs(1), Stone(1, 4) -> Weighs(5)}"},
         {"total": "8"}, "8 > 3 is true"),
        ("swap", {}, {}, {"leap": "Rests"}, "leap is no Swaps"),
        ("swap", {"leap": ("Swaps", (1, 1), (3, 3))}, {"s": "Stone(3, 3)"}, {},
         "Stone(3, 3) in {Stone(1, 1), Stone(1, 2), Stone(1, 3), Stone(1, 4)} is false"),
        ("calm", {}, {"s": "Stone(1, 4)"}, {"croak": "loud", "weights(s)": "5", "most": "3"}, "5 <= 3 is false"),
        ("calm", {"croak": "quiet", "most": 5}, {"s": "Stone(1, 4)"}, {"croak": "quiet"}, "5 < 5 is false"),
        ("mute", {"stones": frozenset({(1, 1)})}, {}, {"stones": "{Stone(1, 1)}"},
         "h(Stone(1, 1)) < h(Stone(1, 1)) - 1 for no integers"),
    ],
)  # fmt: skip
def test_each_kind_of_formula_has_its_reason(
    name: str,
    changed: dict[str, object],
    bindings: dict[str, str],
    values: dict[str, str | None],
    formula: str,
) -> None:
    first = why(name, **changed)[1][0]
    assert (first.bindings, first.formula) == (bindings, formula)
    assert {key: first.values.get(key) for key in values} == values


def test_all_parts_of_an_alternative_that_fails_are_told() -> None:
    assert [one.formula for one in why("either")[1]] == ["7 > 9 is false", "0 > 1 is false"]


def test_a_sum_is_told_term_by_term() -> None:
    book = Book({"a.md": "# sums · s\n```formula\ngiven ns: set Int\n(the sum of 2 * n for n in ns) < 9\n```\n"}, {})
    (one,) = Tracer(book, {}).trace("sums", book.values({"ns": frozenset({1, 4})})).instances
    assert one == Instance({}, {"(the sum of 2 * n for n in ns)": "2 + 8 = 10"}, "10 < 9 is false")


def test_no_integers_are_told_by_a_closed_chain_and_integers_by_some() -> None:
    tight = {(1, 1): ("Weighs", 2), (1, 4): ("Weighs", 4)}
    assert told("fits", pond=tight)[0][2] == "2 < h(Stone(1, 2)) < h(Stone(1, 3)) < 4 for no integers"
    holds, (one,) = why("fits")
    assert holds
    assert one.values["h(Stone(1, 2))"] == "3"
    assert one.values["h(Stone(1, 3))"] == "4"
    below = told("fits", pond={(1, 1): ("Weighs", 9)})[0][2]
    assert below == "9 < h(Stone(1, 2)) <= 9 for no integers"


def ponds(rng: Random) -> dict[str, object]:
    kinds: list[tuple[object, ...]] = [("Toad",), *(("Weighs", rng.randint(0, 6)) for _ in range(4))]
    pond = {(1, spot): rng.choice(kinds) for spot in range(1, 5) if rng.random() < 0.6}
    leap = rng.choice(
        (("Rests",), ("Swaps", (1, 1), (1, rng.randint(2, 5))), ("Leaps", rng.choice(kinds), (1, rng.randint(1, 4))))
    )
    favourite = {"favourite": (1, rng.randint(1, 5))} if rng.random() < 0.5 else {}
    return {"pond": pond, "leap": leap, "croak": rng.choice(("loud", "quiet")), "most": rng.randint(0, 6), **favourite}


FORMULAS = ("free", "steady", "fits", "lone", "pair", "light", "none", "inside", "either", "nobody", "twice", "swap",
            "calm", "mute")  # fmt: skip


@pytest.mark.slow
def test_what_is_told_is_what_is_so() -> None:
    """The trace says what the value says, and each comparison of numbers in it is as true as it says."""
    rng = Random(15)
    compare = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, "=": int.__eq__}
    compared = 0
    seen = set()
    for _ in range(300 if LONG else 100):
        changed = ponds(rng)
        for name in FORMULAS:
            values: Values = WHOLE.values(given(**changed))
            found = Tracer(WHOLE, {}).trace(name, values)
            assert found.holds is values.value(name)
            assert found.instances, (name, changed)
            seen.add((name, found.holds))
            for one in found.instances:
                if parts := re.fullmatch(r"(-?\d+) (<=?|>|=) (-?\d+) is (true|false)", one.formula):
                    compared += 1
                    truth = compare[parts[2]](int(parts[1]), int(parts[3]))
                    assert str(truth).lower() == parts[4], one
    assert compared > (1000 if LONG else 330)
    assert {(name, holds) for name in FORMULAS for holds in (True, False)} - seen == {("mute", True)}


def test_renamed_formulas_are_told_alike() -> None:
    """Nothing hangs on the names: of a book with other names the same is told in those."""
    names = {"pond": "marsh", "weights": "loads", "steady": "even", "Stone": "Rock", "croak": "call", "uphill": "up"}

    def other(text: str) -> str:
        return re.sub(r"\b(?:" + "|".join(names) + r")\b", lambda found: names[found[0]], text)

    book = Book({"marsh.md": other(RULES)}, {"call": ("loud", "quiet")})
    renamed = {other(name): value for name, value in given(pond=ROW).items()}
    ours, theirs = why("steady", BOOK, pond=ROW), Tracer(book, {}).trace("even", book.values(renamed))
    assert theirs.holds is ours[0]
    assert ours[1]
    assert [str(one) for one in theirs.instances] == [other(str(one)) for one in ours[1]]


def test_a_line_that_is_not_asked_is_told_only_where_none_is() -> None:
    """Of `steady` the line on a favourite is not asked without one; of `swap` none is."""
    steady = Tracer(BOOK, {}).trace("steady", table(pond={(1, 1): ("Weighs", 1)}))
    assert steady.asked
    assert all(one.asked for one in steady.instances)
    assert "favourite" not in str(steady.instances)
    swap = Tracer(WHOLE, {}).trace("swap", WHOLE.values(given()))
    assert (swap.holds, swap.asked) == (True, False)
    assert [one.asked for one in swap.instances] == [False]


LISTS = """
## lists · What is asked when

```formula
due := ["parts"] when total > 1000
    := ["steady", "free"] when favourite is defined, total >= 0
    := ["free"] otherwise
```
"""


def test_why_a_text_is_not_in_a_list() -> None:
    book = Book({"frogs.md": RULES + LISTS}, OPTIONS)
    for changed, text, wanted in (
        ({}, "steady", ["favourite is defined is false"]),
        ({"favourite": (1, 1)}, "parts", None),
    ):
        values = book.values(given(**changed))
        assert text not in values.value("due")
        found = Tracer(book, {}).left_out("due", text, values)
        assert (found.holds, found.asked) == (True, False)
        told = [one.formula for one in found.instances]
        assert told == wanted if wanted is not None else "favourite is defined is true" in told[1:], told
