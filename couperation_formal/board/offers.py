"""What may be tapped next: the cells on which a card can be laid and what each would leave, and the sums that reach a
card of the Reserve.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec

from couperation_formal.board.draft import own_cards
from couperation_formal.game.budget import Spent, Steps
from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, Open, Turn
from couperation_formal.game.rules.arrangement import Windows
from couperation_formal.game.rules.drawing import draw_limit
from couperation_formal.game.rules.ending import ending
from couperation_formal.game.rules.moves import Payment, Places, may_allow, payments
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import UNSEEN, Card, Cell, Shown

_STEPS = 6_000
"""The steps in which sums are looked for: some ten milliseconds."""
_MOST = 200
"""So many sums are offered at most."""

Range = tuple[int | None, int | None]
"""The least and the greatest number that fits a cell, None where nothing bounds it."""


class Leaves(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an action would leave: how many cards the next player may draw, the numbers that the free cells then take
    where that changes, the cells that take none any more, and how the game ends, if it does.
    """

    draw: tuple[int, ...] = ()
    windows: dict[str, Range] = {}
    closed: tuple[str, ...] = ()
    ends: str | None = None


class Sum(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A way to pay for a card of the Reserve: two cards sent, others destroyed, each with its mark."""

    taken: str
    sent: tuple[str, str]
    sign: str
    destroyed: tuple[str, ...] = ()
    adjust: tuple[str, ...] = ()


class Offers(msgspec.Struct, frozen=True, kw_only=True):
    """What the player to move may do after the draw, as far as the cards are known.

    `up` are the cells of each card by A, `down` those on which any Glass card of the hand can lie by B, `opens` the
    cells of C; `sums` the payments of D and `places` the cells of the card of the Reserve that was asked about, which
    may lie down where `either`. `complete` is False where unseen cards may allow more.
    """

    up: dict[str, dict[str, Leaves]]
    down: dict[str, Leaves]
    opens: tuple[str, ...]
    sums: tuple[Sum, ...]
    places: dict[str, Leaves]
    either: bool
    complete: bool


def offers(
    drawn: State, seat: int, rulings: Rulings, tapped: Iterable[Shown] = (), taken: Shown | None = None
) -> Offers:
    """The offers on a table after the draw. `tapped` are own cards that are to be sent or destroyed, so that only sums
    with them are offered; `taken` asks for the cells of that card. Cost: a carrying out for each cell of each card.
    """
    places, looks = Places(drawn, rulings), _Looks(drawn, seat, rulings)
    free, own, hand = list(places.free()), own_cards(drawn, seat), drawn.hands[seat]
    up = {
        str(card): {str(cell): looks.at(LayUp(card, cell)) for cell in free if places.fits_up(cell, card)}
        for card in own
    }
    below: Shown | None = next(
        iter(sorted(c for c in hand.known if isinstance(c, int))), UNSEEN if hand.unseen else None
    )
    down = {}
    if below is not None:
        down = {str(cell): looks.at(LayDown(below, cell)) for cell in free if places.fits_down(cell)}
    found = list(_sums(drawn, own, rulings, frozenset(tapped)))
    paid = next((each for each in found if each.taken == taken), None)
    return Offers(
        up=up,
        down=down,
        opens=tuple(map(str, sorted(drawn.tower.down))),
        sums=tuple(map(_sum, found)),
        places={} if paid is None else dict(_taken(places, looks, free, paid, rulings)),
        either=rulings.reserve_face == "either",
        complete=not may_allow(drawn, seat),
    )


def _sums(drawn: State, own: list[Card], rulings: Rulings, tapped: frozenset[Shown]) -> Iterator[Payment]:
    count = 0
    with suppress(Spent):
        for each in payments(drawn, own, rulings, Steps(_STEPS)):
            if tapped <= {each.first, each.second, *(card for _, card in each.adjust)}:
                yield each
                count += 1
            if count == _MOST:
                return


def _sum(paid: Payment) -> Sum:
    return Sum(
        taken=str(paid.taken),
        sent=(str(paid.first), str(paid.second)),
        sign=paid.sign,
        destroyed=tuple(str(card) for _, card in paid.adjust),
        adjust=tuple(mark for mark, _ in paid.adjust),
    )


def _taken(
    places: Places, looks: _Looks, free: list[Cell], paid: Payment, rulings: Rulings
) -> Iterator[tuple[str, Leaves]]:
    """The cells on which the card that is paid for can be laid; down ones, where they are ruled so, as ``~g3``."""
    for cell, replaced in [*((cell, None) for cell in free), *places.replaceable()]:
        for face_up in (True, False) if rulings.reserve_face == "either" else (True,):
            if places.fits(cell, paid.taken, face_up, replaced):
                action = Exchange(*paid[:4], paid.taken, face_up, cell, replaced)
                yield f"{'' if face_up else '~'}{cell}", looks.at(action)


class _Looks:
    """Looks at what actions leave, from one table."""

    def __init__(self, drawn: State, seat: int, rulings: Rulings) -> None:
        self._drawn, self._seat, self._rulings = drawn, seat, rulings
        self._before = self._windows(drawn)

    def at(self, action: Action) -> Leaves:
        """What the action leaves."""
        turn = Turn(self._drawn.turns + 1, self._drawn.players[self._seat], (), action)
        step = carry_out(self._drawn, turn, self._seat)
        end = ending(step, self._rulings)
        if end is not None:
            return Leaves(ends=end)
        after = self._windows(step.acted)
        cell = None if isinstance(action, Open) else str(getattr(action, "cell", None))
        return Leaves(
            draw=draw_limit(step.acted, step.acted.to_move, self._rulings).amounts,
            windows={name: window for name, window in after.items() if self._before.get(name) != window},
            closed=tuple(name for name in self._before if name not in after and name != cell),
        )

    def _windows(self, state: State) -> dict[str, Range]:
        windows = Windows(state.board, state.tower, self._rulings)
        found = {cell: windows.window(cell) for cell in Places(state, self._rulings).free()}
        return {str(cell): (window.low, window.high) for cell, window in found.items() if not window.empty}
