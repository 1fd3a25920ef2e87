"""A turn without action, where that does not lose the game (END03, `no_action=skipped`)."""

from __future__ import annotations

from collections.abc import Iterator

from couperation_formal.continuation.position.frame import DOWN
from couperation_formal.continuation.position.node import FIRST_TURN, Hidden, Move, Node, Own, PassMove, put
from couperation_formal.continuation.turns.draws import Draws
from couperation_formal.continuation.turns.spots import Spot, Towers
from couperation_formal.continuation.turns.sums import MOST, Sums


class Passing:
    """The turns without action under one frame. `unsure` tells that one was left out which some choice of unseen cards
    would have allowed.
    """

    def __init__(self, towers: Towers, draws: Draws, sums: Sums) -> None:
        self.frame, self._towers, self._draws, self._sums = draws.frame, towers, draws, sums
        self._either = self.frame.rulings.reserve_face == "either"
        self.unsure = False

    def turns(self, node: Node, own: Own, laid: tuple[Spot, ...]) -> Iterator[tuple[Node, Move]]:
        """The turn `-` after one draw, once for each way to settle what the next draw hangs on; none where an action is
        legal, or where the game is stuck with it. `laid` are the cards that D may replace.
        """
        frame, seat = self.frame, node.seat
        if node.skipped + 1 >= frame.players or self._can_act(node, own, laid):
            return
        following, hands = (seat + 1) % frame.players, put(node.hands, seat, own.hand)
        hidden = node.hidden
        if hidden is not None:
            hidden = hidden._replace(hands=put(hidden.hands, seat, own.unseen), finish=own.finish)
        # The draw is kept, and the next one follows what this one did.
        limits: list[tuple[int, Hidden | None]] = [(0, hidden)]
        if node.laid >= 0 or node.limit == FIRST_TURN:  # else a card was opened last and lets nobody draw
            limits = self._draws.limits(node.tower, node.laid, own.top, hands[following], following, hidden)
        move = Move(own.top - node.top, own.finish_at, PassMove())
        for limit, settled in limits:
            after = node._replace(hands=hands, front=own.front, top=own.top, seat=following, limit=limit)
            yield after._replace(hidden=settled, skipped=node.skipped + 1), move

    def _can_act(self, node: Node, own: Own, laid: tuple[Spot, ...]) -> bool:
        """Whether some action is legal after a draw, one that loses too (ACT01)."""
        cards = own.hand | (self.frame.finish_bit if own.front == node.seat else 0)
        spots = self._towers.free(node.tower)
        lays = any(spot.up & cards or (spot.down and (own.hand or own.unseen)) for spot in spots)
        if lays or max(node.tower) >= DOWN:
            return True
        if own.unseen or (node.hidden is not None and node.hidden.reserve):
            self.unsure = True
            return True
        totals = self._sums.totals(node, own, cards, MOST)
        downs = self._either and any(total.taken != self.frame.finish for total in totals)
        taken = sum({1 << total.taken for total in totals})
        return any(spot.up & taken or (downs and spot.down) for spot in (*spots, *laid))
