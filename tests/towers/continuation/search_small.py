"""What the tests of search small share with others."""

from __future__ import annotations

from collections import Counter
from random import Random

from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import UNSEEN
from couperation_formal.towers.continuation.answer import Dead, Unknown, Won, answer
from couperation_formal.towers.continuation.exhaust import REDUCTIONS, Exhaustion, Reductions
from couperation_formal.towers.continuation.line import Packed, replay_fault
from tests.towers.continuation.brute import BOARDS, dealt, random_rulings

SETS = ((), *((name,) for name in REDUCTIONS), REDUCTIONS)


def searched(state: State, rulings: Rulings, used: tuple[str, ...]) -> bool | None:
    """Whether the exhaustive search alone, with these reductions, finds a line; None where it cannot tell, as unseen
    cards decide whether a player has an action.
    """
    packed = Packed(state, rulings)
    search = Exhaustion(packed.turns, list(packed.roots()), Reductions(packed.frame, used)).search(10**7)
    if packed.turns.unsure and search.won is None:
        assert rulings.no_action == "skipped"
        assert any(pile.unseen for pile in (*state.hands, state.reserve)) or UNSEEN in state.deck
        return None
    assert search.ended
    return search.won is not None


def check(state: State, rulings: Rulings, alive: bool, seen: Counter[str], used: tuple[str, ...] | None) -> None:
    found = answer(state, rulings, 10**6)
    if isinstance(found, Unknown):
        assert searched(state, rulings, ()) is None
        seen["unsure"] += 1
        return
    assert isinstance(found, Won if alive else Dead), (state, rulings, found)
    seen["alive" if alive else "dead"] += 1
    if isinstance(found, Won):
        assert replay_fault(found.world, found.line, rulings) is None
    if isinstance(found, Dead):
        seen[type(found.reason).__name__] += 1
    if used is not None:
        assert searched(state, rulings, used) in (alive, None), (state, rulings, used)
        seen["reduced"] += 1


def table(rng: Random) -> tuple[State, Rulings]:
    board = rng.choice(BOARDS)
    players = rng.choice((2, 3))
    kept = rng.randint(1, 3) if board.levels == 2 else rng.randint(2, 3)
    return dealt(rng, board, players, rng.choice(("first", "finish")), kept), random_rulings(rng)
