"""A turn made of what was tapped: cards, a cell, and nothing that follows from them.

The sign of a sum, the marks of destroyed cards, the card that is replaced, the card known to lie on a cell that is
opened, the action itself where the taps can mean one only: the engine fills them in (`spec/board.md`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Annotated, Literal

import msgspec

from couperation_formal.game.budget import Spent, Steps
from couperation_formal.game.fact import Unfit, fact
from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, NoAction, Open, Turn
from couperation_formal.game.rules.arrangement import Windows, finish_number
from couperation_formal.game.rules.moves import Adjust, Payment, Places, Sign, may_allow, payments, writings
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rules.turn import draw_limit, ending
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Pile, State, with_hand
from couperation_formal.game.tower import FINISH, UNSEEN, Card, Cell, Down, FinishCard, Shown, UnseenCard, card_key
from couperation_formal.notation.parse import CARDS, CELLS, laid

Letter = Literal["A", "B", "C", "D", "-"]
Glyph = Literal["!", "?", "!?", "?!", "!!", "??", "~~"]
Word = Annotated[str, msgspec.Meta(max_length=4)]
Words = Annotated[tuple[Word, ...], msgspec.Meta(max_length=60)]


class Draft(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What was tapped of one turn, as words of CGN; whatever is left out is not told yet or follows.

    `card` is the card laid by A and B, shown by C, taken by D; `sent` the two cards of D and `destroyed` further ones.
    `sign`, `adjust`, `replaced` (as after ``x``: ``26``, ``~26``, ``?``) and `action` are told only where more than one
    could be meant and it is not the first. `down`: the card taken is laid down.
    """

    draw: Words = ()
    draw_open: bool = False
    action: Letter | None = None
    card: Word | None = None
    cell: Word | None = None
    sent: Words = ()
    destroyed: Words = ()
    sign: Sign | None = None
    adjust: Annotated[tuple[Adjust, ...], msgspec.Meta(max_length=60)] = ()
    down: bool = False
    replaced: Word | None = None
    fill: Words = ()
    fill_open: bool = False
    drop: Words = ()
    trim: Words = ()
    glyphs: Annotated[tuple[Glyph, ...], msgspec.Meta(max_length=4)] = ()

    @property
    def own(self) -> tuple[Shown, ...]:
        """The cards that the taps take from the player's own, but for those dropped."""
        mine = [self.card] if self.card is not None and not self.sent and self.action in (None, "A", "B") else []
        return cards((*mine, *self.sent, *self.destroyed))


def cards(words: tuple[str, ...]) -> tuple[Shown, ...]:
    """Cards by their words. Raises `Unfit`."""
    for word in words:
        if word not in CARDS:
            raise Unfit(fact("board_no_card", text=word))
    return tuple(CARDS[word] for word in words)


def cell_of(word: str) -> Cell:
    """A cell by its word. Raises `Unfit`."""
    if word not in CELLS:
        raise Unfit(fact("board_no_cell", text=word))
    return CELLS[word]


def begun(draft: Draft, number: int, player: str) -> Turn:
    """The turn with its draw and no action yet. Raises `Unfit` for a word that is no card."""
    return Turn(number, player, cards(draft.draw), NoAction(), draw_open=draft.draw_open)


def supposed(state: State, seat: int, tapped: tuple[Shown, ...]) -> State:
    """The table on which unseen cards of this hand are those that were tapped, as far as they may be."""
    hand = state.hands[seat]
    for card in tapped:
        if hand.unseen > 0 and isinstance(card, int) and state.whereabouts(card) is None:
            hand = Pile(hand.known | {card}, hand.unseen - 1)
    return msgspec.structs.replace(state, hands=with_hand(state.hands, seat, hand))


def turn_of(draft: Draft, start: Turn, drawn: State, rulings: Rulings, shown: bool) -> Turn | None:
    """The turn that the draft makes, None while its action is not told. `drawn` is the table after its draw;
    `shown` tells that the record shows all cards, so that a card that comes back to hand is named.
    Raises `Unfit` for words that are no cards or cells.
    """
    action = _action(draft, drawn, rulings, shown)
    if action is None:
        return None
    return msgspec.structs.replace(
        start,
        action=action,
        glyphs=draft.glyphs,
        fill=cards(draft.fill),
        fill_open=draft.fill_open,
        drop=cards(draft.drop),
        trim=cards(draft.trim),
    )


def _action(draft: Draft, drawn: State, rulings: Rulings, shown: bool) -> Action | None:
    if draft.action == "-":
        return NoAction()
    cell = None if draft.cell is None else cell_of(draft.cell)
    told = () if draft.card is None else cards((draft.card,))
    if cell is None:
        return None
    lies = drawn.tower.cells.get(cell)
    # A card on a cell lays it up; on a card that lies down it is what that shows.
    letter = draft.action or ("D" if draft.sent else "C" if isinstance(lies, Down) else "A")
    if letter == "C" and not told and isinstance(lies, Down) and lies.card is not UNSEEN:
        return Open(cell, lies.card)
    if not told:
        return None
    if letter == "C":
        return Open(cell, told[0])
    if letter == "D":
        return _exchange(draft, cell, told[0], rulings, drawn, shown)
    return (LayDown if letter == "B" else LayUp)(told[0], cell)


def _exchange(draft: Draft, cell: Cell, taken: Shown, rulings: Rulings, drawn: State, shown: bool) -> Action | None:
    if len(draft.sent) != 2:
        return None
    first, second = cards(draft.sent)
    destroyed = cards(draft.destroyed)
    sign, adjust = _sum(draft, taken, drawn, rulings)
    replaced = drawn.tower.cells.get(cell)
    if draft.replaced is not None:
        if draft.replaced.removeprefix("~") not in CARDS:
            raise Unfit(fact("board_no_card", text=draft.replaced))
        replaced = Down(UNSEEN) if draft.replaced == "?" else laid(draft.replaced)
    elif isinstance(replaced, Down) and not shown:
        replaced = Down(UNSEEN)
    pairs = tuple(zip(adjust, destroyed, strict=True))
    return Exchange(first, sign, second, pairs, taken, not draft.down, cell, replaced)


def _sum(draft: Draft, taken: Shown, drawn: State, rulings: Rulings) -> tuple[Sign, tuple[Adjust, ...]]:
    """The sign and the marks of the destroyed cards: as they are told, else the first way in which the numbers agree,
    else the way that comes nearest, of which the rules can tell by how much it fails.
    """
    count = len(draft.destroyed)
    told = draft.adjust if len(draft.adjust) == count else None
    up: Adjust = "^"
    below: Adjust = "_"
    low, high, target = (_number(card, drawn, rulings) for card in (*cards(draft.sent), taken))
    if low is None or high is None or target is None:
        return draft.sign or "-", told or (up,) * count
    for sign, adjust in writings(low, high, target, count, rulings):
        if draft.sign in (None, sign):
            return sign, told or adjust
    results: dict[Sign, int] = {"+": low + high, "-": abs(low - high)}
    by_far: list[Sign] = sorted(results, key=lambda sign: abs(results[sign] - target))
    nearest = draft.sign or by_far[0]
    return nearest, told or (up if target >= results[nearest] else below,) * count


def _number(card: Shown, drawn: State, rulings: Rulings) -> int | None:
    if isinstance(card, FinishCard):
        return finish_number(drawn.board, rulings)
    return None if isinstance(card, UnseenCard) else card


def after_draw(state: State, start: Turn) -> State:
    """The table after the draw of a turn that begins so."""
    return carry_out(state, start, state.to_move).drawn


def own_cards(state: State, seat: int) -> list[Card]:
    """The known cards that are a player's own, rising, the Finish card in front last."""
    hand: list[Card] = sorted(state.hands[seat].known, key=card_key)
    return [*hand, FINISH] if state.front == seat else hand


# What may be tapped next: the cells on which a card can be laid and what each would leave, and the sums that reach a
# card of the Reserve.

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
    below = min((card for card in hand.known if isinstance(card, int)), default=UNSEEN if hand.unseen else None)
    down = {str(cell): looks.at(LayDown(below, cell)) for cell in free if below is not None and places.fits_down(cell)}
    sums = list(_sums(drawn, own, rulings, frozenset(tapped)))
    paid = next((each for each in sums if each.taken == taken), None)
    return Offers(
        up=up,
        down=down,
        opens=tuple(map(str, sorted(drawn.tower.down))),
        sums=tuple(map(_paid, sums)),
        places={} if paid is None else dict(_taken(places, looks, free, paid, rulings)),
        either=rulings.reserve_face == "either",
        complete=not may_allow(drawn, seat),
    )


def _sums(drawn: State, own: list[Card], rulings: Rulings, tapped: frozenset[Shown]) -> Iterator[Payment]:
    ways = payments(drawn, own, rulings, Steps(_STEPS))
    fitting = (each for each in ways if tapped <= {each.first, each.second, *(card for _, card in each.adjust)})
    with suppress(Spent):
        yield from islice(fitting, _MOST)


def _paid(paid: Payment) -> Sum:
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
        free = {cell: windows.window(cell) for cell in Places(state, self._rulings).free()}
        return {str(cell): (window.low, window.high) for cell, window in free.items() if not window.empty}
