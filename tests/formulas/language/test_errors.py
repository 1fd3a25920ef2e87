"""What is shown of a wrong formula: place, line, caret, types."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from couperation_formal.formulas.book import Book, BookError
from tests.conftest import LONG
from tests.formulas.language.invented import OPTIONS, RULES

GOLDEN = Path(__file__).parent / "golden" / "errors.txt"
WRONG = {
    "an unknown name, and the one that is near": ("total := ", "totl := wieght(Toad)\ntotal := "),
    "an unknown type": ("given most: Int", "given least: Number\ngiven most: Int"),
    "numbers and sets": ("given most: Int = 3", "given most: Int = 3\nmore := stones + most"),
    "the wrong type of argument": ("weight(pond(s)) for s in dom pond}", "weight(s) for s in dom pond}"),
    "too many arguments": ("leap = Leaps(_, s): s", "leap = Leaps(_, s, _): s"),
    "an unknown option": ("croak = quiet", "croak = silent"),
    "a formula where a number is wanted": ("uphill(weights)\n", "uphill(weights) + 1 = 2\n"),
    "a number where a formula is wanted": ("    s != z\n", "    |pond|\n"),
    "cases of two types": (":= pond otherwise", ":= toads otherwise"),
    "a variable that means something": ("for s in dom pond}\ntotal", "for most in dom pond}\ntotal"),
    "a variable that is never used": ("Leaps(_, s): s not in dom pond and s in stones", "Leaps(f, s): s in stones"),
    "no difference": ("with uphill(weights + h)", "with for all s in dom h: h(s) + h(s) < 9"),
    "an unknown number in a condition": ("with uphill(weights + h)", "with for all s in dom h with h(s) > 2: h(s) < 9"),
    "a choice between differences": ("with uphill(weights + h)", "with h(favourite) < 2 or h(favourite) > 5"),
    "a set of maps": ("choice := ", "worlds := {pond, after}\nchoice := "),
    "a bracket that is not closed": ("thirds := {|s| for", "thirds := {|s for"),
    "no term": ("toads > 1 then", "toads > then"),
    "a line without its block": ("leap = Swaps(s, z):\n    s != z\n", "leap = Swaps(s, z):\ns != z\n"),
    "a name with two meanings": ("total := ", "toads := 1\ntotal := "),
    "what may be undefined is given": ("given pond = after", "given most = heaviest"),
    "no letter of the language": ("toads > 1", "toads > $1"),
}  # fmt: skip


def said(change: tuple[str, str]) -> str:
    assert RULES.count(change[0]) == 1, change
    with pytest.raises(BookError) as raised:
        Book({"frogs.md": RULES.replace(*change)}, OPTIONS)
    return str(raised.value)


@pytest.mark.slow
def test_errors_are_shown_with_place_line_and_caret(request: pytest.FixtureRequest) -> None:
    found = "\n".join(f"# {title}\n{said(change)}\n" for title, change in WRONG.items())
    if request.config.getoption("--update-goldens"):
        GOLDEN.write_text(found, encoding="utf-8")
    assert found == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("title", WRONG)
def test_an_error_points_into_the_line_that_was_changed(title: str) -> None:
    place, line, caret = said(WRONG[title]).split("\n")
    number, column = map(int, place.split(":")[1:3])
    text = RULES.replace(*WRONG[title]).split("\n")
    assert line == "  " + text[number - 1]
    assert caret.index("^") == column + 1


@pytest.mark.slow
def test_whatever_is_spoiled_is_an_error_with_a_place_or_has_a_meaning() -> None:
    """Words of a page left out, doubled and exchanged: a book comes of it, or an error at a place, and nothing else."""
    rng = Random(15)
    words = re.split(r"(\s+|\b)", RULES)
    outcomes: Counter[str] = Counter()
    said: list[str] = []
    for _ in range(200 if LONG else 80):
        spoiled = list(words)
        for _ in range(rng.choice((1, 1, 2))):
            one, other = rng.randrange(len(words)), rng.randrange(len(words))
            spoiled[one] = rng.choice(("", spoiled[one] * 2, spoiled[other], spoiled[other] + " "))
        try:
            Book({"frogs.md": "".join(spoiled)}, OPTIONS)
            outcomes["a book"] += 1
        except BookError as error:
            outcomes["an error"] += 1
            said.append(str(error))
    assert not [text for text in said if not re.match(r"frogs\.md:\d+:\d+: .+\n  .*\n +\^+$", text)]
    assert min(outcomes["a book"], outcomes["an error"]) > (20 if LONG else 8), outcomes
