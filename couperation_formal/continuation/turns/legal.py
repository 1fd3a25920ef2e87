"""Every legal turn of a position of the search: draw, action, drops and trims together.

What nobody saw is settled when it matters: an unseen card becomes a number when it is played, a mark that is not given
when a draw hangs on it. Until then unseen cards are only counted; any numbers that are left can be given to them, so
nothing is lost or gained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final

from couperation_formal.continuation.position.frame import DOWN, Frame, bits
from couperation_formal.continuation.position.node import (
    Act,
    ExchangeMove,
    LayDownMove,
    LayUpMove,
    Move,
    Node,
    OpenMove,
    Own,
    Total,
)
from couperation_formal.continuation.turns.draws import Draws
from couperation_formal.continuation.turns.spots import Spot, Towers
from couperation_formal.continuation.turns.sums import Sums

MOST: Final = 99
"""More cards than any turn destroys and drops."""
_TRIED: Final = 64
_CHOSEN: Final = 8
_FEW: Final = 128
"""So many payments tried on a cell, and so many choices of cards to destroy, are one step; no more choices are kept."""


def as_it_is(node: Node) -> Node | None:
    """The position itself."""
    return node


class Turns:
    """The legal turns under one frame. Only one walk over turns goes on at a time, and what it is told belongs to
    it.
    """

    most: int = MOST
    untrimmed: Callable[[Node], Node | None]

    def __init__(self, frame: Frame, towers: Towers) -> None:
        self.frame, self.towers = frame, towers
        rulings = frame.rulings
        self._either = rulings.reserve_face == "either"
        self._from_laid = rulings.draw_source == "last_placed"
        self._moves_matter = rulings.replace_target == "not_anchor"
        self.draws, self.sums = Draws(frame), Sums(frame)
        self.untrimmed = as_it_is

    def turns(
        self, node: Node, most: int = MOST, untrimmed: Callable[[Node], Node | None] = as_it_is
    ) -> Iterator[tuple[Node | None, Move]]:
        """Every legal turn with the position after it, None where it wins. Turns that lose are left out, and those that
        destroy and drop more than `most` cards together. Where something is trimmed `untrimmed` is told the position
        before that, and says which stands for it, or None to leave it out.

        Where marks are not given, a turn comes once for each way to settle those that the next draw hangs on.
        """
        self.most, self.untrimmed = most, untrimmed
        for own in self.draws.draws(node):
            yield from self.acts(node, own)

    def acts(self, node: Node, own: Own) -> Iterator[tuple[Node | None, Move]]:
        """Every legal action after one draw, with its drops and trims."""
        tower, moved, hidden = node[0], node[8], node[9]
        values = hidden.values if hidden and own.unseen else 0
        cards = own.hand | (self.frame.finish_bit if own.front == node[5] else 0)
        spots = self.towers.free(tower)
        for spot in spots:
            for card in bits(spot.up & cards):
                yield from self._lay_up(node, own, spot.cell, card, False)
            for card in bits(spot.up & values):
                yield from self._lay_up(node, own, spot.cell, card, True)
            if spot.down:
                for card in bits(own.hand):
                    yield from self._lay_down(node, own, spot.cell, card)
                if own.unseen:
                    yield from self._lay_down(node, own, spot.cell, 0)
        yield from self._opens(node, own)
        totals = self.sums.totals(node, own, cards, self.most)
        if totals:
            targets = (*spots, *self.towers.replaceable(tower, moved))
            self.frame.budget.spend(len(targets) * len(totals) // _TRIED)
            for spot in targets:
                for total in totals:
                    if spot.up >> total.taken & 1:
                        yield from self._exchange(node, own, spot, total, True)
                    if self._either and spot.down and total.taken != self.frame.finish:
                        yield from self._exchange(node, own, spot, total, False)

    def _lay_up(self, node: Node, own: Own, cell: int, card: int, unseen: bool) -> Iterator[tuple[Node | None, Move]]:
        tower = node[0][:cell] + bytes((card,)) + node[0][cell + 1 :]
        hand, front = own.hand, own.front
        if card == self.frame.finish:
            front = -1
        elif not unseen:
            hand ^= 1 << card
        shown = 1 << card if unseen else 0
        after = own._replace(hand=hand, front=front, unseen=own.unseen - unseen)
        yield from self._end(node, own, after, LayUpMove(card, cell), tower, cell, shown=shown)

    def _lay_down(self, node: Node, own: Own, cell: int, card: int) -> Iterator[tuple[Node | None, Move]]:
        tower = node[0][:cell] + bytes((DOWN + card,)) + node[0][cell + 1 :]
        after = own._replace(hand=own.hand ^ 1 << card) if card else own._replace(unseen=own.unseen - 1)
        yield from self._end(node, own, after, LayDownMove(card, cell), tower, cell, wins=False)

    def _opens(self, node: Node, own: Own) -> Iterator[tuple[Node | None, Move]]:
        """C, where it does not lose."""
        tower, hidden = node[0], node[9]
        for spot in self.towers.openable(tower):
            known, cell = spot.old - DOWN, spot.cell
            cards = 1 << known if known else hidden.values if hidden else 0
            for card in bits(cards & spot.up):
                opened = tower[:cell] + bytes((card,)) + tower[cell + 1 :]
                shown = 0 if known else 1 << card
                yield from self._end(node, own, own, OpenMove(cell, card), opened, cell, shown=shown, opened=True)

    def _exchange(
        self, node: Node, own: Own, spot: Spot, total: Total, face_up: bool
    ) -> Iterator[tuple[Node | None, Move]]:
        frame, seat = self.frame, node[5]
        cell, old = spot.cell, spot.old
        code = total.taken if face_up else DOWN + total.taken
        tower = node[0][:cell] + bytes((code,)) + node[0][cell + 1 :]
        used = total.sent_mask | total.gone_mask
        hand = own.hand & ~used
        unseen = own.unseen - total.sent_unseen - total.gone_unseen
        front = -1 if used & frame.finish_bit else own.front
        if old == frame.finish:
            front = seat
        elif old == DOWN:
            unseen += 1
        elif old:
            hand |= 1 << (old - DOWN if old >= DOWN else old)
        reserve = (node[3] | total.sent_mask | self._sent_shown(total)) & ~(1 << total.taken)
        act = ExchangeMove(total.first, total.second, total.destroyed, total.taken, face_up, cell, old)
        after = own._replace(hand=hand, unseen=unseen, front=front)
        yield from self._end(
            node, own, after, act, tower, cell,
            shown=total.shown, reserve=reserve, reserve_unseen=-total.taken_unseen,
            moved=cell == frame.anchor and old != 0, wins=face_up,
        )  # fmt: skip

    @staticmethod
    def _sent_shown(total: Total) -> int:
        return (1 << total.first | 1 << total.second) & ~total.sent_mask

    def _end(
        self,
        node: Node,
        own: Own,
        after: Own,
        act: Act,
        tower: bytes,
        cell: int,
        shown: int = 0,
        reserve: int = -1,
        reserve_unseen: int = 0,
        moved: bool = False,
        opened: bool = False,
        wins: bool = True,
    ) -> Iterator[tuple[Node | None, Move]]:
        """The end of a turn: won, lost, or the limits and the next player's draw."""
        frame = self.frame
        seat = node[5]
        early = frame.rulings.early_apex
        drawn = own.top - node[4]
        if wins and tower.count(0) == len(tower) - frame.size and max(tower) < DOWN:
            if early == "win_on_completion" or (frame.is_apex[cell] and not opened):
                yield None, Move(drawn, own.finish_at, act)
                return
        elif early == "loses" and not opened and frame.is_apex[cell] and max(tower) >= DOWN:
            return
        if reserve < 0:
            reserve = node[3]
        hidden = node[9]
        if hidden is not None:
            counts = (*hidden.hands[:seat], after.unseen, *hidden.hands[seat + 1 :])
            hidden = hidden._replace(
                values=hidden.values & ~shown, hands=counts, reserve=hidden.reserve + reserve_unseen,
                finish=own.finish,
            )  # fmt: skip
        laid = node[7]
        if self._from_laid and not opened:
            laid = cell
        moved = self._moves_matter and (moved or node[8])
        next_seat = (seat + 1) % frame.players
        hands = (*node[1][:seat], after.hand, *node[1][seat + 1 :])
        most = self.most - (len(act.destroyed) if type(act) is ExchangeMove else 0)
        if after.hand.bit_count() + after.unseen - frame.limit > most:
            frame.budget.spend()
            return
        drops = self._drops(after.hand, after.unseen)
        trims = self._trims(reserve, hidden.reserve if hidden else 0) is not _NONE
        for limit, settled in self.draws.limits(
            tower, laid if self._from_laid else cell, own.top, hands[next_seat], next_seat, hidden
        ):
            for drop_mask, drop_unseen, drop in drops:
                kept = hands if not drop else (*hands[:seat], hands[seat] & ~drop_mask, *hands[seat + 1 :])
                left = settled
                if left is not None and drop_unseen:
                    counts = (*left.hands[:seat], left.hands[seat] - drop_unseen, *left.hands[seat + 1 :])
                    left = left._replace(hands=counts)
                untrimmed = (
                    tower, kept, after.front, reserve, own.top, next_seat, limit, laid if self._from_laid else -1,
                    moved, left,
                )  # fmt: skip
                if not trims:
                    yield untrimmed, Move(drawn, own.finish_at, act, drop)
                elif (stands := self.untrimmed(untrimmed)) is not None:
                    yield from self._trimmed(stands, Move(drawn, own.finish_at, act, drop))

    def _drops(self, hand: int, unseen: int) -> list[tuple[int, int, tuple[int, ...]]]:
        extra = hand.bit_count() + unseen - self.frame.limit
        return self.choices(hand, unseen, extra) if extra > 0 else _NONE

    def _trimmed(self, node: Node, move: Move) -> Iterator[tuple[Node, Move]]:
        """A position before anything is trimmed and the turn to it, for each choice of what is trimmed."""
        before, reserve, after, hidden = node[:3], node[3], node[4:9], node[9]
        for mask, unseen, trim in self._trims(reserve, hidden.reserve if hidden else 0):
            left = hidden._replace(reserve=hidden.reserve - unseen) if hidden is not None and unseen else hidden
            yield (*before, reserve & ~mask, *after, left), Move(move.drawn, move.finish_at, move.act, move.drop, trim)

    def _trims(self, reserve: int, unseen: int) -> list[tuple[int, int, tuple[int, ...]]]:
        frame = self.frame
        cards = reserve if frame.rulings.finish_reserve_count == "yes" else reserve & ~frame.finish_bit
        extra = cards.bit_count() + unseen - frame.reserve_size
        if extra <= 0:
            return _NONE
        idle = bits(cards & ~frame.cards)[-extra:]
        if not idle:
            return self.choices(cards, unseen, extra)
        gone = sum(1 << card for card in idle)
        rest = self.choices(cards & frame.cards, unseen, extra - len(idle))
        return [(mask | gone, hid, (*chosen, *idle)) for mask, hid, chosen in rest]

    def choices(self, cards: int, unseen: int, count: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """`choices`, paid for before they are made."""
        size = cards.bit_count()
        number = sum(comb(size, count - hid) for hid in range(min(unseen, count) + 1))
        self.frame.budget.spend(number // _CHOSEN)
        return (choices if number <= _FEW else choices.__wrapped__)(cards, unseen, count)


_NONE: Final[list[tuple[int, int, tuple[int, ...]]]] = [(0, 0, ())]


@lru_cache(maxsize=1 << 13)
def choices(cards: int, unseen: int, count: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Every choice of so many of the cards and the unseen ones: mask, number of unseen ones, the cards."""
    found = []
    for hid in range(min(unseen, count) + 1):
        for chosen in combinations(bits(cards), count - hid):
            found.append((sum(1 << card for card in chosen), hid, chosen + (0,) * hid))
    return found
