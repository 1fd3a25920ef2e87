"""Records that differ from another one only in what a view of it cannot know."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, Open, Record, Turn
from couperation_formal.game.tower import FINISH, UNSEEN, Card, Cell, Down, Shown, Up, Value


class Slip(Exception):
    """The cards do not come out even this time."""


class Slot:
    """A card under way; its value is None as long as nothing tells it."""

    def __init__(self, card: Shown) -> None:
        self.card: Card | None = None if card is UNSEEN else card  # type: ignore[assignment]


def another_world(seen: Record, rng: Random, tries: int = 300) -> Record:
    """A fully seen record of which `seen`, of a legal fully seen one, is what its view could have written down: every
    unseen card is dealt anew, and which card of a hand is laid down or destroyed is chosen anew.
    """
    for _ in range(tries):
        try:
            return _World(seen, rng).record()
        except Slip:
            continue
    raise AssertionError("no other world was found")


class _World:
    def __init__(self, seen: Record, rng: Random) -> None:
        self.seen, self.rng = seen, rng
        self.hands = {name: [Slot(card) for card in cards] for name, cards in seen.deals.items()}
        self.deals = {name: list(hand) for name, hand in self.hands.items()}
        self.down: dict[Cell, Slot] = {}
        self.deck: list[Slot] = []
        self.slots = [slot for hand in self.hands.values() for slot in hand]
        self.told = {25, *(seen.reserve or ()), *(slot.card for slot in self.slots)}

    def record(self) -> Record:
        turns = [self._turn(turn) for turn in self.seen.turns]
        left = self._left()
        for slot in self.slots:
            if slot.card is None:
                slot.card = left.pop()
        deck = [slot.card for slot in self.deck]
        if self.seen.variant == "finish" and FINISH not in deck:
            left.insert(self.rng.randint(0, len(left)), FINISH)
        return replace(
            self.seen,
            deals={name: tuple(_card(slot) for slot in hand) for name, hand in self.deals.items()},
            deck=tuple(card for card in (*deck, *left) if card is not None),
            turns=tuple(map(_told, turns)),
        )

    def _tell(self, slot: Slot, card: Shown) -> Slot:
        """This card is that one; what was told of another card before is not told of it now."""
        if card is UNSEEN or slot.card == card:
            return slot
        if slot.card is not None or card in self.told:
            raise Slip
        self.told.add(card)
        slot.card = card  # type: ignore[assignment]
        return slot

    def _left(self) -> list[Card]:
        """The cards that nothing shows, in some order."""
        known = {25, *(self.seen.reserve or ()), *(slot.card for slot in self.slots)}
        left: list[Card] = [Value(value) for value in range(1, 51) if value not in known]
        self.rng.shuffle(left)
        return left

    def _turn(self, turn: Turn) -> tuple[Turn, dict[str, list[Slot]]]:
        """The turn with the slots of the cards that its parts name."""
        hand = self.hands[turn.player]
        parts = {"draw": self._drawn(turn.draw, hand)}
        parts["action"] = list(self._acts(turn.action, hand))
        parts["fill"] = self._drawn(turn.fill, hand)
        parts["drop"] = [self._gives(card, hand) for card in turn.drop]
        return turn, parts

    def _drawn(self, cards: tuple[Shown, ...], hand: list[Slot]) -> list[Slot]:
        found = [Slot(card) for card in cards]
        self.told |= {*cards}
        self.deck += found
        self.slots += found
        hand += [slot for slot in found if slot.card is not FINISH]
        return found

    def _gives(self, card: Shown, hand: list[Slot]) -> Slot:
        """The card of the hand that leaves it: this one where it is told."""
        if card is FINISH:
            return Slot(FINISH)
        fitting = [slot for slot in hand if slot.card == card] if card is not UNSEEN else []
        unknown = [slot for slot in hand if slot.card is None]
        if card is UNSEEN and self.rng.random() < 0.2:  # it may be one of which everybody knows that it was there
            unknown = hand
        slot = self.rng.choice(fitting or unknown or (hand if card is UNSEEN else _none()))
        hand.remove(slot)
        return self._tell(slot, card)

    def _acts(self, action: Action, hand: list[Slot]) -> Iterator[Slot]:
        """The slots of the cards that the action names and that may be unseen, in the order in which it names them."""
        match action:
            case LayUp():
                self._gives(action.card, hand)
            case LayDown():
                self.down[action.cell] = self._gives(action.card, hand)
                yield self.down[action.cell]
            case Open():
                self._tell(self.down.pop(action.cell), action.card)
            case Exchange():
                yield from self._exchanges(action, hand)

    def _exchanges(self, action: Exchange, hand: list[Slot]) -> Iterator[Slot]:
        for card in (action.first, action.second):
            self._gives(card, hand)
        for _, card in action.adjust:
            yield self._gives(card, hand)
        match action.replaced:
            case Up(card) if card is not FINISH:
                hand.append(Slot(card))
            case Down(card):
                taken = self._tell(self.down.pop(action.cell), card)
                hand.append(taken)
                yield taken
        if not action.face_up:
            self.down[action.cell] = Slot(action.taken)


def _none() -> list[Slot]:
    raise Slip


def _card(slot: Slot) -> Card:
    assert slot.card is not None
    return slot.card


def _told(given: tuple[Turn, dict[str, list[Slot]]]) -> Turn:
    turn, parts = given
    named = [_card(slot) for slot in parts["action"]]
    action = turn.action
    if isinstance(action, LayDown):
        action = replace(action, card=named[0])
    elif isinstance(action, Exchange):
        count = len(action.adjust)
        adjust = tuple((sign, card) for (sign, _), card in zip(action.adjust, named, strict=False))
        replaced = Down(named[count]) if isinstance(action.replaced, Down) else action.replaced
        action = replace(action, adjust=adjust, replaced=replaced)
    rest = {name: tuple(map(_card, parts[name])) for name in ("draw", "fill", "drop")}
    return replace(turn, action=action, **rest)


def scrambled(record: Record, seen: Record, rng: Random) -> Record:
    """The record with other cards, or none told, wherever `seen` does not tell what it tells, and another deck: no
    rule is looked at. The glyphs are others too.
    """

    anything: list[Shown] = [UNSEEN, *map(Value, range(1, 51))]

    def card(told: Shown, shown: Shown) -> Shown:
        return told if told == shown else rng.choice(anything)

    def cards(told: tuple[Shown, ...], shown: tuple[Shown, ...]) -> tuple[Shown, ...]:
        return tuple(map(card, told, shown))

    def action(told: Action, shown: Action) -> Action:
        if isinstance(told, LayDown) and isinstance(shown, LayDown):
            return replace(told, card=card(told.card, shown.card))
        if isinstance(told, Exchange) and isinstance(shown, Exchange):
            adjust = tuple((a[0], card(a[1], b[1])) for a, b in zip(told.adjust, shown.adjust, strict=True))
            replaced = told.replaced
            if isinstance(replaced, Down) and isinstance(shown.replaced, Down):
                replaced = Down(card(replaced.card, shown.replaced.card))
            return replace(told, adjust=adjust, replaced=replaced)
        return told

    turns = tuple(
        replace(
            turn,
            draw=cards(turn.draw, shown.draw),
            action=action(turn.action, shown.action),
            fill=cards(turn.fill, shown.fill),
            drop=cards(turn.drop, shown.drop),
            glyphs=tuple(rng.sample(["!", "?", "~~"], rng.randrange(3))),
        )
        for turn, shown in zip(record.turns, seen.turns, strict=True)
    )
    deals = {name: cards(told, seen.deals[name]) for name, told in record.deals.items()}
    deck = tuple(rng.sample(record.deck, len(record.deck))) if record.deck else None
    return replace(record, deals=deals, deck=deck, turns=turns)
