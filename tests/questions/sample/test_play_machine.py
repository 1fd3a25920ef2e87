"""Any legal play whatever: the invariants that every table keeps, counted apart from the rules."""

from __future__ import annotations

from collections import Counter

import msgspec
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from couperation_formal.game.record import Exchange, LayDown, LayUp, NoAction, Open, Record, Turn
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.moves import Move
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rulings import Rules
from couperation_formal.game.state import State, all_cards
from couperation_formal.game.tower import FINISH, STANDARD, Card, Down, Variant
from couperation_formal.questions.records.sample import PLAYER_NAMES, deal, take_turn
from tests.conftest import LONG
from tests.questions.sample.games import rules, seats, seeds, variants

KINDS = (LayUp, Exchange, LayDown, LayUp, Exchange, LayDown, LayUp, Exchange, Open)
"""The kinds of action, the one that may end the game most seldom."""


class Drawn:
    """A player whose every choice is drawn from the test's data."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def amount(self, state: State, amounts: tuple[int, ...]) -> int:
        return self._data.draw(st.sampled_from(amounts[::-1]), "amount")

    def action(self, state: State, actions: tuple[Move, ...]) -> Move:
        kinds = sorted(
            {type(action).__name__ for action in actions}, key=["LayUp", "LayDown", "Exchange", "Open"].index
        )
        kind = self._data.draw(st.sampled_from(kinds), "kind")
        return self._data.draw(st.sampled_from([a for a in actions if type(a).__name__ == kind]), "action")

    def destroy(self, state: State, cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
        return tuple(self._data.draw(st.permutations(cards), "destroyed")[:count])


def own_cards(state: State) -> int:
    return sum(len(hand.known) for hand in state.hands) + (state.front is not None) + len(state.deck)


def down_cards(state: State) -> int:
    return sum(isinstance(laid, Down) for laid in state.tower.cells.values())


class Tables(RuleBasedStateMachine):
    """A game from the deal to its end; every turn is a legal one."""

    record: Record
    state: State
    turns: list[Turn]
    idle: set[int]
    """Whose last turn was without an action: they keep what they drew."""

    @initialize(seat=seats, variant=variants, rules=rules, seed=seeds)
    def begin(self, seat: int, variant: Variant, rules: Rules, seed: int) -> None:
        self.deal(seat, variant, rules, seed)

    @precondition(lambda self: self.state.result is not None)
    @rule(seat=seats, variant=variants, rules=rules, seed=seeds)
    def begin_again(self, seat: int, variant: Variant, rules: Rules, seed: int) -> None:
        self.check()
        self.deal(seat, variant, rules, seed)

    def deal(self, seat: int, variant: Variant, rules: Rules, seed: int) -> None:
        self.record = deal(PLAYER_NAMES[:seat], variant, rules, seed)
        self.state = starting_state(setup_of(self.record, STANDARD))
        self.turns = []
        self.idle = set()

    @precondition(lambda self: self.state.result is None)
    @rule(data=st.data())
    def turn(self, data: st.DataObject) -> None:
        before = self.state
        turn, self.state = take_turn(before, Drawn(data), self.record.rules.rulings)
        self.turns.append(turn)
        self.idle.discard(before.to_move)
        if isinstance(turn.action, NoAction):
            alone = self.record.rules.rulings.no_action == "loses" or self.state.skipped == len(before.players)
            assert (self.state.result == "stuck") == alone
            assert own_cards(self.state) == own_cards(before)
            self.idle.add(before.to_move)
        elif isinstance(turn.action, Open):
            assert down_cards(self.state) == down_cards(before) - 1
            assert own_cards(self.state) <= own_cards(before)
        else:
            assert own_cards(self.state) < own_cards(before)
        assert self.state.turns == before.turns + 1
        assert self.state.to_move == (before.to_move + 1) % len(before.players)

    @invariant()
    def every_card_is_in_one_place(self) -> None:
        state = self.state
        piles = [*state.hands, state.reserve, state.gone]
        cards = [*state.deck, *(card for pile in piles for card in pile.known)]
        cards += [laid.card for laid in state.tower.cells.values()]
        cards += [FINISH] * (state.front is not None)
        assert Counter(cards) == Counter(all_cards(state.board, state.variant))
        assert not any(pile.unseen for pile in piles)

    @invariant()
    def limits_are_kept(self) -> None:
        state = self.state
        if state.result is None:
            assert all(len(hand.known) <= 3 or player in self.idle for player, hand in enumerate(state.hands))
            uncounted = self.record.rules.rulings.finish_reserve_count == "no" and FINISH in state.reserve.known
            assert len(state.reserve.known) - uncounted <= {2: 6, 3: 5, 4: 4}[len(state.players)]

    @invariant()
    def the_tower_stands(self) -> None:
        cells = self.state.tower.cells
        for column, level in cells:
            assert level == 1 or {(column, level - 1), (column + 1, level - 1)} <= set(cells)
        assert len(cells) <= 28
        assert self.state.tower.down == {cell for cell, laid in cells.items() if isinstance(laid, Down)}

    def check(self) -> None:
        record = msgspec.structs.replace(self.record, turns=tuple(self.turns), result=self.state.result)
        outcome = replay(record, record.rules.rulings)
        assert (outcome.broken, outcome.doubts) == ((), ())
        assert outcome.states[-1] == self.state

    def teardown(self) -> None:
        if hasattr(self, "state"):
            self.check()


TestTables = Tables.TestCase
TestTables.settings = settings(max_examples=30 if LONG else 8, stateful_step_count=40)
