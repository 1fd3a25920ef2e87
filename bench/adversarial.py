"""Tables near the border between alive and dead, collected as records that end there.

``python -m bench.adversarial`` writes `tests/data/adversarial/*.cgn`. Each record is a game that the search wins, cut a
few turns before its end; then one to three turns are played at random, the first of them, where it can be, a card
laid down where it cannot be opened. The same records come out of every run.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import get_args

import msgspec

from couperation_formal.game.record import LayDown, Record, Turn
from couperation_formal.game.rules.moves import Move
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, Variant
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import PLAYER_NAMES, RandomPlayer, deal, take_turn
from couperation_formal.towers.continuation.answer import Won, answer

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "data" / "adversarial"
COUNT = 320
A_FILE = 40
FIRST_SEED = 70_000


class Spoiler(RandomPlayer):
    """Plays at random, but lays a card down whenever it can."""

    def action(self, state: State, actions: tuple[Move, ...]) -> Move:
        hidden = tuple(action for action in actions if isinstance(action, LayDown))
        return super().action(state, hidden or actions)


def collected() -> Iterator[Record]:
    """Records that end near the border, without end."""
    kinds = product(get_args(Variant), (2, 3, 4), registry().rulebooks)
    every = list(kinds)
    seed = FIRST_SEED
    while True:
        variant, players, book = every[seed % len(every)]
        rules = parse_rules(book)
        start = deal(PLAYER_NAMES[:players], variant, rules, seed, event=f"border, seed {seed}")
        found = answer(starting_state(setup_of(start, STANDARD)), rules.rulings)
        if isinstance(found, Won):
            yield from spoiled(start, found.line, seed)
        seed += 1


def spoiled(start: Record, line: tuple[Turn, ...], seed: int) -> Iterator[Record]:
    """Three records out of one won game."""
    rng = Random(f"border {seed}")
    rulings = start.rules.rulings
    for number in range(3):
        kept = len(line) - rng.randint(2, 9)
        state = starting_state(setup_of(start, STANDARD))
        turns = list(line[:kept])
        for turn in turns:
            state = carry_out(state, turn, state.to_move).after
        for wrong in range(rng.randint(1, 3)):
            kind = Spoiler if wrong == 0 and number else RandomPlayer
            turn, after = take_turn(state, kind(rng.randrange(1000)), rulings)
            if after.result is not None:
                break
            turns.append(turn)
            state = after
        yield msgspec.structs.replace(start, turns=tuple(turns))


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    texts: list[str] = []
    for record in collected():
        texts.append(record_text(record))
        if len(texts) == COUNT:
            break
    for at in range(0, COUNT, A_FILE):
        path = FOLDER / f"border-{at // A_FILE}.cgn"
        path.write_text("\n".join(texts[at : at + A_FILE]), encoding="utf-8")


if __name__ == "__main__":
    main()
