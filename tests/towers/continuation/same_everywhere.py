"""What the tests of same everywhere share with others."""

from __future__ import annotations

from random import Random

from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.questions.records.sample import RandomPlayer, take_turn
from tests.towers.continuation.brute import BOARDS, dealt, hide, random_rulings


def small(seed: int, further: bool = False) -> tuple[State, Rulings]:
    """A table on a small board after some random turns, half of them with unseen cards and marks; `further` under the
    later rulings too.
    """
    rng = Random(seed)
    rulings = random_rulings(rng, further)
    state = dealt(rng, rng.choice(BOARDS), rng.choice((2, 3)), rng.choice(("first", "finish")), rng.randint(0, 6))
    player = RandomPlayer(seed)
    for _ in range(rng.choice((0, 0, 1, 2, 3, 4))):
        _, after = take_turn(state, player, rulings)
        if after.result is not None:
            break
        state = after
    return (hide(rng, state) if rng.random() < 0.5 else state), rulings
