"""A turn made of what was tapped: cards, a cell, and nothing that follows from them.

The sign of a sum, the marks of destroyed cards, the card that is replaced, the card known to lie on a cell that is
opened, the action itself where the taps can mean one only: the engine fills them in (`spec/board.md`).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from couperation_formal.game.fact import Unfit, fact
from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, NoAction, Open, Turn
from couperation_formal.game.rules.arrangement import finish_number
from couperation_formal.game.rules.moves import Adjust, Sign, writings
from couperation_formal.game.rules.run import with_hand
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import (
    FINISH,
    UNSEEN,
    Card,
    Cell,
    Down,
    FinishCard,
    Laid,
    Shown,
    UnseenCard,
    card_key,
)
from couperation_formal.notation.words import CARDS, CELLS, laid

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
    lies = None if cell is None else drawn.tower.cells.get(cell)
    letter = draft.action or _letter(draft, lies)
    if cell is None:
        return None
    if letter == "C":
        if not told and isinstance(lies, Down) and lies.card is not UNSEEN:
            return Open(cell, lies.card)
        return Open(cell, told[0]) if told else None
    if not told:
        return None
    if letter == "D":
        return _exchange(draft, cell, told[0], lies, rulings, drawn, shown)
    return (LayDown if letter == "B" else LayUp)(told[0], cell)


def _letter(draft: Draft, lies: Laid | None) -> Letter:
    """The action that these taps mean: a card on a cell lays it up, on a card that lies down it is what that shows."""
    if draft.sent:
        return "D"
    return "C" if isinstance(lies, Down) else "A"


def _exchange(
    draft: Draft, cell: Cell, taken: Shown, lies: Laid | None, rulings: Rulings, drawn: State, shown: bool
) -> Action | None:
    if len(draft.sent) != 2:
        return None
    first, second = cards(draft.sent)
    destroyed = cards(draft.destroyed)
    sign, adjust = _sum(draft, (first, second), destroyed, taken, drawn, rulings)
    replaced = lies
    if draft.replaced is not None:
        replaced = _replaced(draft.replaced)
    elif isinstance(lies, Down) and not shown:
        replaced = Down(UNSEEN)
    pairs = tuple(zip(adjust, destroyed, strict=True))
    return Exchange(first, sign, second, pairs, taken, not draft.down, cell, replaced)


def _replaced(word: str) -> Laid:
    if word.removeprefix("~") not in CARDS:
        raise Unfit(fact("board_no_card", text=word))
    return Down(UNSEEN) if word == "?" else laid(word)


def _sum(
    draft: Draft,
    sent: tuple[Shown, Shown],
    destroyed: tuple[Shown, ...],
    taken: Shown,
    drawn: State,
    rulings: Rulings,
) -> tuple[Sign, tuple[Adjust, ...]]:
    """The sign and the marks of the destroyed cards: as they are told, else the first way in which the numbers agree,
    else the way that comes nearest, of which the rules can tell by how much it fails.
    """
    count = len(destroyed)
    told = draft.adjust if len(draft.adjust) == count else None
    up: Adjust = "^"
    below: Adjust = "_"
    low, high, target = (_number(card, drawn, rulings) for card in (*sent, taken))
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
