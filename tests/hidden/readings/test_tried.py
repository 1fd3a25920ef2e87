"""What the search for a record tries, and the parts of a dispute that no verdict shows: the same in every run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Exchange, LayDown, Record, Turn
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import STANDARD, UNSEEN, Cell, Down, Value
from couperation_formal.hidden.readings import condition as module
from couperation_formal.hidden.readings.condition import TruthTable, _groups, _left, _split, condition, size_of
from couperation_formal.hidden.readings.sets import Readings, space
from couperation_formal.hidden.readings.shortest import deal_for, differences, turns_needed
from couperation_formal.notation.write import turn_text
from tests.conftest import some
from tests.hidden.readings.compare import PAIRS
from tests.hidden.readings.condition import over

GOLDEN = Path(__file__).parent / "golden" / "tried.txt"
BASES = ("en-2", "bgg", "ja-2.2 row_order=weak between=inclusive", "en-1 facedown=ignored spread=anywhere")


def tried(bases: Iterable[str]) -> Iterator[str]:
    for base, (name, one, two) in product(bases, PAIRS):
        words = [word for word in base.split() if not word.startswith(f"{name}=")]
        books = parse_rules(" ".join([*words, f"{name}={one}"])), parse_rules(" ".join([*words, f"{name}={two}"]))
        (found,) = differences(*books, most_turns=30, most_steps=1500)
        turns = " ".join(map(turn_text, found.record.turns[-3:])) if found.record else "no record"
        yield f"{base} {name}={one},{two}: {found.tried} tried, {found.least}, {found.accepts}, {turns}\n"


@pytest.mark.slow
def test_the_same_turns_are_tried_in_every_run(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-goldens"):
        GOLDEN.write_text("".join(tried(BASES)), encoding="utf-8")
    for base in some(BASES):
        lines = GOLDEN.read_text(encoding="utf-8").splitlines(keepends=True)
        assert [*tried([base])] == [line for line in lines if line.startswith(f"{base} ")]


@pytest.mark.parametrize("ruling", ["draw_amount", "facedown", "row_order", "replace_target", "take_sent"])
def test_the_turn_itself_is_one_of_those_needed(ruling: str) -> None:
    rules = parse_rules("en-2")
    record = Record(tags=(), players=("Aki", "Ben"), rules=rules, variant="first", marks={}, deals={}, turns=())
    state = replace(starting_state(setup_of(record, STANDARD)), turns=3)
    assert turns_needed(ruling, state, rules.rulings, rules.rulings) == 1


def test_terms_that_share_nothing_make_up_the_set() -> None:
    rng = Random(5)
    options = tuple(space()[name] for name in ("spread", "facedown", "adjust"))
    points = list(product(*(range(len(each)) for each in options)))
    for _ in range(40):
        bits = rng.getrandbits(size_of(options))
        boxes = _split(TruthTable(options, bits), Steps())
        for index, point in enumerate(points):
            holding = [box for box in boxes if all(mask >> place & 1 for mask, place in zip(box, point, strict=True))]
            assert len(holding) == (bits >> index & 1)


def test_a_down_card_that_is_replaced_is_the_one_that_was_laid() -> None:
    cell = Cell(7, 1)
    action = Exchange(Value(30), "-", Value(10), (("|", Value(4)),), Value(20), True, cell, Down(UNSEEN))
    turns = (
        Turn(1, "Aki", (), LayDown(UNSEEN, cell)),
        Turn(2, "Ben", (), replace(action, replaced=Down(UNSEEN))),
    )
    record = Record(
        tags=(), players=("Aki", "Ben"), rules=parse_rules("en-2"), variant="first", marks={}, deals={}, turns=turns
    )
    laid, sent = (turn.action for turn in deal_for(record).turns)
    assert isinstance(laid, LayDown)
    assert isinstance(sent, Exchange)
    assert sent.replaced == Down(laid.card)
    assert (sent.first, sent.second, sent.adjust, sent.taken) == (30, 10, (("|", 4),), 20)


def test_only_rulings_that_make_a_difference_are_left_to_be_asked() -> None:
    names = ("spread", "take_sent", "anchor")
    values = "".join("l" if spread == take else "i" for spread, take, _ in product((0, 1), repeat=3))
    groups = _groups(values, names, "spread")
    assert _left(groups, names[1:]) == (2, 2)
    assert _left(_groups(values, names, "anchor"), names[:2]) == (2, 1)


@pytest.mark.parametrize(
    ("seed", "terms", "steps"), [(1, 9, 408), (5, 9, 387), (8, 11, 952), (14, 11, 1747), (15, 10, 1098)]
)
def test_the_steps_of_a_least_cover(seed: int, terms: int, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first cover of each of these sets has a term more."""
    readings = over(("anchor", "spread", "row_order", "between", "finish_value"), Random(seed))
    budget = Steps()
    assert (len(condition(readings, budget)), budget.spent) == (terms, steps)
    monkeypatch.setattr(module, "_MOST_STEPS", 0)
    assert len(condition(readings, Steps())) > terms


def test_a_member_is_the_first_one() -> None:
    chosen = {name: options[0] for name, options in space().items()}
    assert msgspec.structs.asdict(Readings.every().member()) == chosen
    last = space()["facedown"][-1]
    assert msgspec.structs.asdict(Readings.option("facedown", last).member()) == {**chosen, "facedown": last}
