"""Complete legal games, and what a recorder at the table sees of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.cards import Variant
from couperation_formal.model.fact import Unfit, fact
from couperation_formal.model.record import Record, Turn
from couperation_formal.model.rulings import Rules, taggable
from couperation_formal.model.seen import seen_record
from couperation_formal.play.deal import Player, deal, take_turn
from couperation_formal.play.policy import CarefulPlayer, RandomPlayer
from couperation_formal.rules.setup import setup_of, starting_state

PLAYER_NAMES = ("Aki", "Ben", "Chie", "Dai")

Policy = Literal["careful", "random"]


def sample_game(
    players: int | Sequence[str],
    variant: Variant,
    rules: Rules,
    seed: int,
    policy: Policy,
    public: bool = False,
    board: Board = STANDARD,
) -> Record:
    """A complete legal game, its result stated; the same for the same arguments. All players follow `policy`; they are
    so many, or have these names.

    With `public` it is shown as a recorder at the table sees it (`model.seen`). A rulebook of the user's own is named
    by a known one and its changes. Raises `ValueError` for a number of players that the board has no Reserve for. Cost:
    some tens of milliseconds at random, a few tenths of a second with care.
    """
    names = PLAYER_NAMES[:players] if isinstance(players, int) else tuple(players)
    count = players if isinstance(players, int) else len(names)
    if board.reserve_size(count) is None or count != len(names):
        raise Unfit(fact("no_game_for", players=count))
    rules = taggable(rules)
    start = deal(names, variant, rules, seed, board, event=f"sample, seed {seed}, {policy}")
    state = starting_state(setup_of(start, board))
    player: Player = RandomPlayer(seed) if policy == "random" else CarefulPlayer(seed, rules.rulings)
    turns: list[Turn] = []
    while state.result is None:
        turn, state = take_turn(state, player, rules.rulings)
        turns.append(turn)
    record = msgspec.structs.replace(start, turns=tuple(turns), result=state.result)
    return seen_record(record) if public else record
