"""From a state of the table to positions of the search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from couperation_formal.continuation.position.frame import DOWN, Frame
from couperation_formal.continuation.position.node import FIRST_TURN, Hidden, Node
from couperation_formal.continuation.turns.legal import Turns
from couperation_formal.continuation.turns.spots import Towers
from couperation_formal.model.budget import Steps
from couperation_formal.model.cards import UNSEEN, Down, FinishCard, Shown, UnseenCard, Up
from couperation_formal.model.fact import Unfit, fact
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import Pile, State
from couperation_formal.rules.drawing import draw_source, idle

_FILLED: Final = 3
"""The steps that a number for an unseen up card takes."""


class Packed:
    """A state packed: the frame, the turns under it, and the positions that it may be. `budget` pays for the search.

    `roots` yields one position for each way to place what must be known at once: the numbers of unseen up cards, and
    whether an unplaced Finish card is in the deck, in the Reserve or gone. Mostly there is one.
    """

    def __init__(self, state: State, rulings: Rulings, budget: Steps | None = None) -> None:
        board = state.board
        self.state = state
        self.frame = Frame(
            board, state.variant, len(state.players), rulings, state.marks, tuple(map(self._code, state.deck)), budget
        )
        self.towers = Towers(self.frame)
        self.turns = Turns(self.frame, self.towers)

    def _code(self, card: Shown) -> int:
        if isinstance(card, UnseenCard):
            return 0
        return self.state.board.cards + 1 if isinstance(card, FinishCard) else card

    def mask(self, pile: Pile) -> int:
        """The known cards of a pile, as a mask."""
        return sum(1 << self._code(card) for card in pile.known)

    def _tower(self) -> tuple[bytes, list[int]]:
        """The tower, and the cells of its unseen up cards, which it leaves empty."""
        codes = bytearray(len(self.frame.cells))
        unseen = []
        for cell, laid in self.state.tower.cells.items():
            at, code = self.frame.number[cell], self._code(laid.card)
            codes[at] = code + DOWN if isinstance(laid, Down) else code
            if not codes[at]:
                unseen.append(at)
        return bytes(codes), sorted(unseen)

    def roots(self) -> Iterator[Node]:
        """The positions that the state may be. Raises `Unfit` where its cards do not add up."""
        state, frame = self.state, self.frame
        tower, unseen_up = self._tower()
        hands = tuple(self.mask(hand) for hand in state.hands)
        reserve = self.mask(state.reserve)
        located = reserve | self.mask(state.gone) | sum(hands)
        located |= sum(1 << (code & ~DOWN) for code in (*tower, *frame.deck) if code & ~DOWN)
        values = frame.glass & ~located
        lost = state.variant == "finish" and state.front is None and not located & frame.finish_bit
        slots = sum(hand.unseen for hand in state.hands) + state.reserve.unseen + state.gone.unseen
        slots += frame.unseen_below[0] + tower.count(DOWN) + len(unseen_up)
        if slots != values.bit_count() + lost:
            raise Unfit(fact("unplaced", slots=slots, cards=values.bit_count() + lost))
        counts = tuple(hand.unseen for hand in state.hands)
        found = self._finish_places() if lost else ["placed"]
        fills = [(finish, values | frame.finish_bit * (finish == "tower")) for finish in found]
        ordered = any(next(self._fill(tower, unseen_up, cards, True), None) for _, cards in fills)
        for finish, cards in fills:
            in_reserve = finish == "reserve"
            hidden = Hidden(values, counts, state.reserve.unseen - in_reserve, finish == "deck")
            for filled, left in self._fill(tower, unseen_up, cards, ordered):
                yield from self._root(
                    filled, hands, reserve | (frame.finish_bit if in_reserve else 0), hidden._replace(values=left)
                )

    def _finish_places(self) -> list[str]:
        """Where a Finish card that is placed nowhere may be."""
        state = self.state
        places = {"deck": self.frame.unseen_below[0], "reserve": state.reserve.unseen, "gone": state.gone.unseen}
        places["tower"] = list(state.tower.cells.values()).count(Up(UNSEEN))
        return [place for place, unseen in places.items() if unseen]

    def _fill(self, tower: bytes, cells: list[int], values: int, ordered: bool) -> Iterator[tuple[bytes, int]]:
        """The tower with every choice of cards for these up cards, and the cards left; where `ordered`, every one that
        keeps the orders. A Finish card among the cards is chosen; no other card is the apex of its variant.
        """
        if not cells:
            if not values & self.frame.finish_bit:
                yield tower, values
            return
        cell, finish = cells[0], self.frame.finish
        only_finish = self.frame.is_apex[cell] and self.state.variant == "finish"
        for card in range(1, finish + 1):
            if values >> card & 1 and (card == finish or not only_finish):
                self.frame.budget.spend(_FILLED)
                filled = tower[:cell] + bytes((card,)) + tower[cell + 1 :]
                if not ordered or self.towers.holds(filled):
                    yield from self._fill(filled, cells[1:], values & ~(1 << card), ordered)

    def _root(self, tower: bytes, hands: tuple[int, ...], reserve: int, hidden: Hidden) -> Iterator[Node]:
        state, frame, turns = self.state, self.frame, self.turns
        if not self.towers.holds(tower):
            self.towers.astray.add(tower)
        front = -1 if state.front is None else state.front
        seat = state.to_move
        source = draw_source(state, frame.rulings)
        seen = not hidden.values and not hidden.finish
        settled = all(value in state.marks for value in range(1, frame.board.cards + 1))
        known = None if seen and (settled or not frame.deck) else hidden
        kept = frame.rulings.draw_source == "last_placed" or frame.rulings.no_action == "skipped"
        laid = frame.number[source] if kept and source is not None else -1
        replaced = state.replaced and frame.rulings.replacements == "once"
        moved = state.anchor_moved and frame.rulings.replace_target == "not_anchor"
        limits: list[tuple[int, Hidden | None]]
        if source is None:
            limits = [(FIRST_TURN if frame.deck and not idle(state, frame.rulings) else 0, known)]
        else:
            limits = turns.draws.limits(tower, frame.number[source], 0, hands[seat], seat, known)
        for limit, settled_marks in limits:
            yield Node(
                tower, hands, front, reserve, 0, seat, limit, laid, moved, settled_marks, replaced, state.skipped
            )  # fmt: skip
