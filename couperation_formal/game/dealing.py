"""From a table with unseen cards to a fully seen one on which the same turns can be played.

Each card has a slot, and turns take slots out of piles. A card that a turn names and that is not known to be in its
pile becomes an open one there. What no turn names gets a number last.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from types import MappingProxyType
from typing import NamedTuple, cast

from msgspec import Struct
from msgspec.structs import replace

from couperation_formal.game import tower
from couperation_formal.game.record import Action, Exchange, NoAction, Open, Record, Turn, cards_of, with_cards
from couperation_formal.game.replay import Replay, replay
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State, all_cards
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Card, Cell, Shown, card_key, level_by_level


class Dealt(NamedTuple):
    """The cards of a table with every card seen, and the turns played on it, with every card named."""

    hands: tuple[tuple[Card, ...], ...]
    reserve: tuple[Card, ...]
    gone: tuple[Card, ...]
    deck: tuple[Card, ...]
    laid: dict[Cell, Card]
    turns: tuple[Turn, ...]


def deal(state: State, turns: Sequence[Turn]) -> Dealt:
    """Deal a table so that the cards are all where the turns take them from; what is seen of it stays. Numbers are
    given out from the least, the Finish card last of all to the bottom of the deck. Raises `ValueError` where it finds
    one card at two places, or two at one. Cost: linear in the turns.
    """
    hands = [_slots(hand.cards) for hand in state.hands]
    reserve, gone, deck = map(_slots, (state.reserve.cards, state.gone.cards, state.deck))
    laid = {cell: _Slot(there.card) for cell, there in level_by_level(state.tower.cells)}
    table = _Table(list(map(list, hands)), list(reserve), iter(deck), dict(laid))
    if state.front is not None:
        table.hands[state.front].append(_Slot(FINISH))
    placed = [table.play(turn, (state.to_move + at) % len(hands)) for at, turn in enumerate(turns)]
    slots = [*chain(*hands), *reserve, *gone, *deck, *laid.values()]
    if state.variant == "finish" and state.front is None and all(slot.card is not FINISH for slot in slots):
        next(slot for slot in reversed(deck) if slot.card is UNSEEN).card = FINISH
    left = sorted(all_cards(state.board, "first").difference(slot.card for slot in slots), key=card_key)
    for slot, card in zip([slot for slot in slots if slot.card is UNSEEN], left, strict=True):
        slot.card = card
    lying = dict(zip(laid, _cards(laid.values()), strict=True))
    named = tuple(map(_named, turns, placed))
    return Dealt(tuple(map(_cards, hands)), _cards(reserve), _cards(gone), _cards(deck), lying, named)


def one_of(
    record: Record,
    rulings: Rulings,
    more: Sequence[Turn] = (),
    marks: Mapping[tower.Value, tower.Mark] = MappingProxyType({}),
) -> Replay | None:
    """The replay of one game that a record may be, and goes on to be by `more` turns, with `marks`: each card is dealt,
    and other marks are such that the draws keep them. None where that game is not legal, or no such game was found:
    another one may be. Cost: that of a replay.
    """
    if any(turn.draw_open or turn.fill_open for turn in record.turns):
        return None
    try:
        dealt = deal(starting_state(setup_of(record, STANDARD)), (*record.turns, *more))
    except (ValueError, LookupError):
        return None
    # A Finish card is shown when it is drawn (DRW06).
    draws = zip(record.turns, dealt.turns, strict=False)
    if any(FINISH in (*named.draw, *named.fill) and FINISH not in (*turn.draw, *turn.fill) for turn, named in draws):
        return None
    drawn = dict[tower.Value, tower.Mark]()
    for each, after in pairwise(dealt.turns[: len(record.turns) + 1]):
        laid = each.action.taken if isinstance(each.action, Exchange) else next(iter(cards_of(each.action)), None)
        if isinstance(laid, int):
            drawn[laid] = "2" if len(after.draw) > 1 else "1"
    game = replace(
        record.bearing({**drawn, **record.marks, **marks}),
        deals=dict(zip(record.players, dealt.hands, strict=True)),
        reserve=dealt.reserve,
        deck=dealt.deck,
        turns=dealt.turns,
        result=None if more else record.result,
    )
    played = replay(game, rulings, hanging=False)
    return None if played.doubts or played.illegal is not None else played


class _Slot(Struct, eq=False):
    """A card of the game; its identity may still be open."""

    card: Shown

    def settle(self, card: Shown) -> None:
        """Be this card, where it is told. Raises `ValueError` for what is known to be another one."""
        if card is not UNSEEN:
            if self.card not in (UNSEEN, card):
                raise ValueError(self.card, card)
            self.card = card


def _slots(cards: Iterable[Shown]) -> list[_Slot]:
    return list(map(_Slot, cards))


def _cards(slots: Iterable[_Slot]) -> tuple[Card, ...]:
    """The cards, each of which is told by now."""
    return tuple(cast("Card", slot.card) for slot in slots)


class _Table(Struct):
    """Where the cards lie; the Finish card in front counts to the hand."""

    hands: list[list[_Slot]]
    reserve: list[_Slot]
    deck: Iterator[_Slot]
    laid: dict[Cell, _Slot]

    def play(self, turn: Turn, player: int) -> dict[str, list[_Slot]]:
        """Carry a turn out and give its cards by its parts, those of its action in the order of `with_cards`."""
        hand = self.hands[player]
        return {
            "draw": self._draw(turn.draw, hand),
            "action": list(self._act(turn.action, hand)),
            "fill": self._draw(turn.fill, hand),
            "drop": [_take(hand, card) for card in turn.drop],
            "trim": [_take(self.reserve, card) for card in turn.trim],
        }

    def _draw(self, cards: tuple[Shown, ...], hand: list[_Slot]) -> list[_Slot]:
        drawn = [*islice(self.deck, len(cards))]
        for slot, card in zip(drawn, cards, strict=True):
            slot.settle(card)
        hand += drawn
        return drawn

    def _act(self, action: Action, hand: list[_Slot]) -> Iterator[_Slot]:
        """Carry the action out and give its cards."""
        if isinstance(action, Open):
            self.laid[action.cell].settle(action.card)
            yield self.laid[action.cell]
        elif isinstance(action, Exchange):
            sent = [_take(hand, action.first), _take(hand, action.second)]
            yield from sent
            for _, card in action.adjust:
                yield _take(hand, card)
            self.reserve += sent
            taken = _take(self.reserve, action.taken)
            yield taken
            if action.replaced is not None:
                old = self.laid[action.cell]
                old.settle(action.replaced.card)
                hand.append(old)
                yield old
            self.laid[action.cell] = taken
        elif not isinstance(action, NoAction):
            slot = self.laid[action.cell] = _take(hand, action.card)
            yield slot


def _take(pile: list[_Slot], card: Shown) -> _Slot:
    """`card` out of a pile; an open card of it becomes this one where none is."""
    known = next((slot for slot in pile if slot.card == card), None)
    slot = known or next((slot for slot in pile if slot.card is UNSEEN), pile[-1])
    slot.settle(card)
    pile.remove(slot)
    return slot


def _named(turn: Turn, placed: dict[str, list[_Slot]]) -> Turn:
    """The turn with every card named."""
    cards = {part: _cards(slots) for part, slots in placed.items()}
    return replace(turn, **{**cards, "action": with_cards(turn.action, cards["action"])})
