"""Complete legal games, and what a recorder at the table sees of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.cards import FINISH, UNSEEN, Down, Shown, Variant
from couperation_formal.model.fact import Unfit, fact
from couperation_formal.model.record import Action, Exchange, LayDown, Record, Turn
from couperation_formal.model.rulings import Rules, taggable
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

    With `public` it is shown as a recorder at the table sees it (`hide`). A rulebook of the user's own is named by a
    known one and its changes. Raises `ValueError` for a number of players that the board has no Reserve for. Cost: some
    tens of milliseconds at random, a few tenths of a second with care.
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
    return hide(record) if public else record


def hide(record: Record) -> Record:
    """`record` as a recorder at the table sees it.

    Unseen are the deck, the cards dealt, drawn, laid down, dropped, destroyed in action D, and the down cards that D
    replaces. Seen are the Reserve, the up and opened cards, the cards sent and taken, trims, and the Finish card
    everywhere. Marks stay: they are printed on the cards. Cost: linear in the turns.
    """
    deals = {name: _hidden(cards) for name, cards in record.deals.items()}
    turns = tuple(
        msgspec.structs.replace(
            turn,
            draw=_hidden(turn.draw),
            action=_hidden_action(turn.action),
            drop=_hidden(turn.drop),
            fill=_hidden(turn.fill),
        )
        for turn in record.turns
    )
    return msgspec.structs.replace(record, deals=deals, deck=None, turns=turns)


def _hidden(cards: tuple[Shown, ...]) -> tuple[Shown, ...]:
    return tuple(card if card is FINISH else UNSEEN for card in cards)


def _hidden_action(action: Action) -> Action:
    if isinstance(action, LayDown):
        return LayDown(UNSEEN, action.cell)
    if isinstance(action, Exchange):
        adjust = tuple((sign, card if card is FINISH else UNSEEN) for sign, card in action.adjust)
        replaced = Down(UNSEEN) if isinstance(action.replaced, Down) else action.replaced
        return msgspec.structs.replace(action, adjust=adjust, replaced=replaced)
    return action
