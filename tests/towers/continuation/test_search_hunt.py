"""The beams: what every legal turn is worth near the end, and that the budget of a beam is kept."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Game
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import Rulings, parse_rules
from couperation_formal.game.state import State
from couperation_formal.notation.read import read
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.towers.continuation.answer import Won, answer
from couperation_formal.towers.continuation.exhaust import Reductions
from couperation_formal.towers.continuation.guesses import Beam, Weights
from couperation_formal.towers.continuation.hunt import Hunts
from couperation_formal.towers.continuation.legal import ExchangeMove
from couperation_formal.towers.continuation.line import Packed
from tests.conftest import some

BORDER = Path(__file__).resolve().parents[2] / "data" / "adversarial"


class Traced(Steps):
    """A budget that remembers what was spent when."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.traced: list[int] = []

    def spend(self, count: int = 1) -> None:
        """Take so many steps, and note it."""
        super().spend(count)
        self.traced.append(self.spent)


def end_of(name: str, number: int) -> tuple[State, Rulings]:
    """Where one of the collected records ends."""
    game = list(read(BORDER / f"{name}.cgn"))[number - 1]
    assert isinstance(game, Game)
    rulings = game.record.rules.rulings
    return replay(game.record, rulings).states[-1], rulings


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), some([("border-4", 9), ("border-6", 13)], 2))
def test_an_exact_payment_before_the_apex_is_found(name: str, number: int) -> None:
    assert isinstance(answer(*end_of(name, number)), Won)


def test_every_turn_is_every_legal_turn() -> None:
    packed = Packed(*end_of("border-4", 9))
    (root,) = packed.roots()
    hunts = Hunts(packed, [root], Reductions(packed.frame))
    assert {child for child, _ in hunts._every.turns(root)} == {child for child, _ in packed.turns.turns(root)}


def test_sparing_turns_are_those_that_destroy_little_and_lay_what_they_take_up() -> None:
    """The rules of `en-1` let D lay its card down."""
    rules, told = parse_rules("en-1"), Counter[bool]()
    for state in replay(sample_game(2, "finish", rules, 1093, "random"), rules.rulings).states[6:24:3]:
        packed = Packed(state, rules.rulings)
        (root,) = packed.roots()
        every = Counter(packed.turns.turns(root))
        spared = Counter(
            {
                turned: count
                for turned, count in every.items()
                if not isinstance(act := turned[1].act, ExchangeMove) or (len(act.destroyed) < 2 and act.face_up)
            }
        )
        assert Counter(Hunts(packed, [root], Reductions(packed.frame))._sparing.turns(root)) == spared
        told[spared == every] += 1
    assert told[False]


def test_a_beam_stops_at_its_budget_and_repeats_itself() -> None:
    rules = parse_rules("ja-2.2")
    state = replay(sample_game(2, "first", rules, 1006, "random"), rules.rulings).states[8]
    told: list[list[int]] = []
    for _ in range(2):
        steps = Traced(20_000)
        packed = Packed(state, rules.rulings, steps)
        hunts = Hunts(packed, list(packed.roots()), Reductions(packed.frame))
        assert not hunts.lines(3, Beam(20, Weights()), 15_000)
        assert steps.spent == 15_000
        told.append(steps.traced)
    assert told[0] == told[1]
    assert len(told[0]) > 10


def test_numpy_is_loaded_for_beams_only() -> None:
    names = "couperation_formal.cli.commands.check, couperation_formal.cli.commands.tables"
    code = f"import sys, {names}; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
