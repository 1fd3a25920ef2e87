"""Formulas over open values against the plain evaluation: under every choice of what is open both say the same."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

import pytest

from couperation_formal.formulas.book import Book
from couperation_formal.formulas.circuit import (
    FALSE,
    TRUE,
    Cases,
    Circuit,
    Formula,
    Many,
    OpenMap,
    OpenRecord,
    OpenSequence,
    OpenValues,
)
from couperation_formal.formulas.lifting import OpenNames, Program
from couperation_formal.formulas.syntax import BOOL
from tests.formulas.language import differences, invented, terms
from tests.hidden.symbolic.evaluate import evaluated

Choice = Mapping[Formula, bool]


def shown(lift: OpenValues, value: Any, choice: Choice) -> Any:
    """The plain value that an open one is under a choice of the variables; a truth is a number of a gate."""

    def here(formula: Formula) -> bool:
        return evaluated(lift.circuit, [formula], choice)[0]

    if isinstance(value, Cases):
        found = [plain for plain, when in value.ways.items() if here(when)]
        assert len(found) <= 1
        assert here(value.here) is bool(found)
        return found[0] if found else None
    if isinstance(value, Many):
        members = frozenset(member for member, when in value.members.items() if here(when))
        assert len(members) <= value.most
        assert value.size is None or shown(lift, value.size, choice) == len(members)
        return members
    if isinstance(value, OpenMap):
        entries = {key: shown(lift, found, choice) for key, found in value.entries.items()}
        return {key: found for key, found in entries.items() if found is not None}
    if isinstance(value, OpenSequence):
        items = tuple(shown(lift, item, choice) for item in value.items)
        assert here(lift.here(value)) is (None not in items)
        return None if None in items else items
    if isinstance(value, OpenRecord):
        ((tag, parts),) = [(tag, parts) for tag, (when, parts) in value.ways.items() if here(when)]
        plain = tuple(shown(lift, part, choice) for part in parts)
        return plain if tag is None else (tag, *plain)
    return frozenset(value) if isinstance(value, type({}.keys()) | range) else value


def agree(book: Book, choices: Mapping[str, tuple[Any, Any]], given: Mapping[str, Any], names: tuple[str, ...]) -> None:
    """Each given name of `choices` has one of two values, as a variable says: compare what `names` stand for."""
    lift = OpenValues(Circuit())
    switches = {name: lift.circuit.variable(name) for name in choices}
    opened = {name: lift.choose(switches[name], *pair) for name, pair in choices.items()}
    table = OpenNames(Program(book.givens, book.definitions), lift, {**given, **opened})
    found = {name: table.value(name) for name in names}
    for bits in product((True, False), repeat=len(choices)):
        chosen = dict(zip(choices, bits, strict=True))
        plain = {name: pair[0 if chosen[name] else 1] for name, pair in choices.items()}
        values = book.values({**given, **plain})
        choice = {switches[name]: bit for name, bit in chosen.items()}
        for name in names:
            expected = values.value(name)
            if book.type_of(name) == BOOL:
                assert evaluated(lift.circuit, [found[name]], choice) == [expected], (name, plain)
            else:
                assert shown(lift, found[name], choice) == expected, (name, plain)


OPEN_TERMS: dict[str, tuple[Any, Any]] = {
    "m": ({1: 10, 2: 20}, {1: 10, 3: 5}),
    "s": ((5, 6, 5), (1, 6, 7)),
    "u": (frozenset({1, 2, 3}), frozenset({2, 6})),
    "three": (3, 0),
    "none": (None, 2),
    "a": (("Apple", 4), ("Plum",)),
}
REFUSED = ("subsets of ({1, 2})",)
OPEN_LENGTH = ("[x for x in s with x > 5] + [x for x in u]",)


@pytest.mark.parametrize("text", [text for text in terms.TERMS if text not in (*REFUSED, *OPEN_LENGTH)])
def test_every_operation(text: str) -> None:
    book = Book({"terms.md": terms.DECLARED.replace("VALUE", f"value := {text}")}, {})
    agree(book, OPEN_TERMS, {}, ("value",))
    for name in OPEN_TERMS:
        agree(book, {name: OPEN_TERMS[name]}, {}, ("value",))


@pytest.mark.parametrize("text, error", [(REFUSED[0], NotImplementedError), (OPEN_LENGTH[0], TypeError)])
def test_what_is_not_made_over_open_values_is_refused(text: str, error: type[Exception]) -> None:
    book = Book({"terms.md": terms.DECLARED.replace("VALUE", f"value := {text}")}, {})
    with pytest.raises(error):
        agree(book, OPEN_TERMS, {}, ("value",))


FROGS: tuple[Any, ...] = (("Toad",), ("Weighs", 1), ("Weighs", 2), ("Weighs", 5))
STONES = tuple((1, spot) for spot in (1, 2, 3, 4))


def leap(rng: Random) -> Any:
    way = rng.randrange(3)
    if way == 0:
        return "Leaps", rng.choice(FROGS), rng.choice(STONES)
    return ("Swaps", rng.choice(STONES), rng.choice(STONES)) if way == 1 else ("Rests",)


def pond(rng: Random) -> dict[Any, Any]:
    return {stone: rng.choice(FROGS) for stone in STONES if rng.random() < 0.6}


@pytest.mark.parametrize("seed", range(25))
def test_frogs_on_stones(seed: int) -> None:
    rng = Random(seed)
    choices = {
        "croak": ("loud", "quiet"),
        "pond": (pond(rng), pond(rng)),
        "leap": (leap(rng), leap(rng)),
        "favourite": (rng.choice((None, *STONES)), rng.choice(STONES)),
        "most": (3, 1),
    }
    given = {"stones": frozenset(STONES), "queue": (("Toad",), ("Weighs", 7), ("Weighs", 1))}
    names = ("after", "weights", "total", "heaviest", "toads", "served", "pairs", "choice", "seen", "other", "half")
    agree(invented.BOOK, choices, given, (*names, "free", "steady"))
    one, two = ({stone: rng.choice(FROGS[1:]) for stone in STONES[::2]} for _ in range(2))
    choices["pond"] = one, two
    agree(invented.BOOK, choices, given, ("fits",))


@pytest.mark.parametrize("seed", range(60))
def test_integers_exist_where_the_plain_evaluation_finds_some(seed: int) -> None:
    rng = Random(seed)
    given, size = differences.system(rng)
    other = dict(given)
    while True:  # another system over the same unknown numbers
        more, width = differences.system(rng)
        if width == size and more["fixed"].keys() == given["fixed"].keys():  # type: ignore[attr-defined]
            other.update(more)
            break
    plain = {name: (value, other[name]) for name, value in given.items()}
    nodes = plain.pop("nodes")[0]
    low = plain.pop("low")[0]
    agree(differences.book(), plain, {"nodes": nodes, "low": low}, ("free", "bound", "rows"))


SOUGHT = """```formula
given c: Int or undefined
given k: Int
above := there are integers h on {1} with h(1) > c
least := there are integers h on {1, 2} with h(1) + 2 < h(2) and h(2) <= c
apart := there are integers h on {1} in 1..4 with h(1) >= c + k
moved := there are integers h on {1} with h(1) + k < 3
```
"""


def test_a_number_that_is_not_defined_is_neither_above_nor_below_an_unknown_one() -> None:
    book = Book({"page.md": SOUGHT}, {})
    for c in ((None, 3), (3, None), (None, None), (2, 9)):
        agree(book, {"c": c}, {"k": 1}, ("above", "least", "apart"))
        agree(book, {"c": c, "k": (1, -7)}, {}, ("above", "least", "apart"))


def test_an_open_number_is_not_added_to_an_unknown_one() -> None:
    with pytest.raises(TypeError):
        agree(Book({"page.md": SOUGHT}, {}), {"k": (1, 2)}, {"c": 1}, ("moved",))


def test_a_size_that_is_told_is_not_counted() -> None:
    book = Book(
        {"page.md": "```formula\ngiven s: set Int\nfew := |s| < 3\nodd := (the number of x in s with x > 1)\n```\n"},
        {},
    )
    lift = OpenValues(Circuit())
    members = {number: lift.circuit.variable(str(number)) for number in range(1, 40)}
    table = OpenNames(Program(book.givens, book.definitions), lift, {"s": Many(members, None, 2)})
    assert table.value("few") == TRUE
    size = table.value("odd")
    assert size.ways.keys() == {1, 2}
    assert len(lift.circuit.inputs) < 50


def test_what_holds_under_no_choice_is_the_constant_false() -> None:
    circuit = Circuit()
    lift = OpenValues(circuit)
    one = lift.choose(circuit.variable("x"), 1, 2)
    assert lift.equal(one, 3) == FALSE
    assert lift.at_most(one, 0, 2) == TRUE
    assert lift.here(one) == TRUE


def test_the_order_in_which_members_are_asked_hangs_on_no_process() -> None:
    """The order of a set of texts does, and the work of a question would."""
    lift, names = OpenValues(Circuit()), [f"name {number:02}" for number in range(30)]
    assert list(frozenset(names)) != names
    assert list(lift.members(frozenset(names)).members) == names
    assert [member for member, _ in lift.each(frozenset(names), False)] == names
