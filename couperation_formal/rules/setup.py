"""The set-up of a record and its clauses (SET01 to SET06)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from couperation_formal.model.board import Board
from couperation_formal.model.cards import FINISH, UNSEEN, FinishCard, Shown, UnseenCard, Value
from couperation_formal.model.record import Record
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import Pile, State
from couperation_formal.model.tower import Tower


class SetupFinding(NamedTuple):
    """A clause of the set-up that does not hold: why, and the line that shows it (``"deal Aki"``, ``"Players"``)."""

    message: str
    line: str


class Setup(NamedTuple):
    """What a record says of the set-up, with what it leaves out filled in by unseen cards."""

    board: Board
    record: Record
    deals: dict[str, tuple[Shown, ...]]
    reserve: tuple[Shown, ...]
    deck_size: int


def setup_of(record: Record, board: Board) -> Setup:
    """The set-up of a record. The deck's size is what the deals and the Reserve, as written, leave."""
    unseen = (UNSEEN,) * board.deal
    deals = {name: record.deals.get(name, unseen) for name in record.players}
    reserve = record.reserve
    if reserve is None:
        rest = (board.reserve_size(len(record.players)) or 2) - 2
        reserve = (Value(1), Value(board.cards), *((UNSEEN,) * rest))
    dealt = sum(len(cards) for cards in deals.values())
    deck = board.cards - 1 + (record.variant == "finish") - dealt - len(reserve)
    return Setup(board, record, deals, reserve, max(0, deck))


def starting_state(setup: Setup) -> State:
    """The state before turn 1 as the record shows it."""
    record, board = setup.record, setup.board
    deck = (record.deck or ())[: setup.deck_size]
    deck = deck + (UNSEEN,) * (setup.deck_size - len(deck))
    return State(
        board=board,
        variant=record.variant,
        players=record.players,
        marks=record.marks,
        tower=Tower.start(board),
        hands=tuple(Pile.of(setup.deals[name]) for name in record.players),
        reserve=Pile.of(setup.reserve),
        deck=deck,
    )


def set01(setup: Setup) -> SetupFinding | None:
    """Two to four players with distinct names."""
    players = setup.record.players
    if setup.board.reserve_size(len(players)) is None:
        sizes = [size for size, _ in setup.board.reserve_sizes]
        return SetupFinding(f"the game is for {sizes[0]} to {sizes[-1]} players, not {len(players)}", "Players")
    for name in players:
        if players.count(name) > 1:
            return SetupFinding(f"two players have the name {name}", "Players")
    return None


def set02(setup: Setup) -> SetupFinding | None:
    """Each player is dealt three Glass cards; the least, the anchor and the greatest are set aside first."""
    board = setup.board
    aside = (1, board.anchor, board.cards)
    for name, cards in setup.deals.items():
        if len(cards) != board.deal:
            return SetupFinding(f"{name} is dealt {len(cards)} cards, not {board.deal}", f"deal {name}")
        for card in cards:
            if card is FINISH:
                return SetupFinding(f"{name} is dealt the Finish card; only Glass cards are dealt", f"deal {name}")
            if card in aside:
                return SetupFinding(f"{name} is dealt {card}, which is set aside before the deal", f"deal {name}")
    return None


def set03(setup: Setup) -> SetupFinding | None:
    """The Reserve holds the least and the greatest card and further dealt ones, up to its size."""
    board, reserve = setup.board, setup.reserve
    size = board.reserve_size(len(setup.record.players))
    if size is not None and len(reserve) != size:
        return SetupFinding(f"the Reserve begins with {len(reserve)} cards, not {size}", "reserve")
    hidden = reserve.count(UNSEEN)
    missing = [value for value in (1, board.cards) if value not in reserve]
    if len(missing) > hidden:
        return SetupFinding(f"the Reserve begins without {missing[0]}", "reserve")
    if board.anchor in reserve:
        return SetupFinding(f"{board.anchor} is set aside and not dealt to the Reserve", "reserve")
    if FINISH in reserve:
        return SetupFinding("the Finish card does not begin in the Reserve", "reserve")
    return None


def set04(setup: Setup) -> SetupFinding | None:
    """The anchor card lies up in the tower, so it begins nowhere else."""
    anchor = setup.board.anchor
    for line, cards in _lines(setup):
        if anchor in cards:
            return SetupFinding(f"{anchor} begins on {setup.board.anchor_cell}, not here", line)
    return None


def set05(setup: Setup, rulings: Rulings) -> SetupFinding | None:
    """The Finish card is shuffled into one half of the deck [finish_half]: a doubt, not an error, where a record puts
    it elsewhere.
    """
    deck = (setup.record.deck or ())[: setup.deck_size]
    if setup.record.variant != "finish":
        return None
    shown = FINISH in deck
    place = deck.index(FINISH) if shown else known_glass(deck)
    message = finish_half_doubt(place + 1, setup.deck_size - 1, rulings, shown)
    return None if message is None else SetupFinding(message, "deck")


def known_glass(deck: tuple[Shown, ...]) -> int:
    """How many Glass cards on top of a deck are shown one after the other."""
    return next((place for place, card in enumerate(deck) if card is UNSEEN or card is FINISH), len(deck))


def finish_half_doubt(place: int, glass: int, rulings: Rulings, shown: bool) -> str | None:
    """Why the Finish card at `place` (from 1, the top) of a deck with `glass` Glass cards is in doubt, or None; unless
    it is `shown`, it lies there or deeper (SET05).
    """
    where = f"is card {place} of" if shown else f"lies under card {place - 1} of"
    if rulings.finish_half == "top":
        return f"the Finish card {where} the deck, below its top half" if place > (glass + 1) // 2 + 1 else None
    above = shown and place <= glass // 2
    return f"the Finish card {where} the deck, above its bottom half" if above else None


def set06(setup: Setup) -> SetupFinding | None:
    """Every card begins in exactly one place, and the deck holds no more than what is left."""
    seen: dict[Shown, str] = {Value(setup.board.anchor): f"on {setup.board.anchor_cell}"}
    if setup.record.variant == "first":
        seen[FINISH] = "not in this variant"
    for line, cards in _lines(setup):
        for card in cards:
            if isinstance(card, UnseenCard):
                continue
            if card in seen:
                return SetupFinding(f"{_name(card)} is {seen[card]}, so it cannot be here", line)
            seen[card] = f"already under '{line}'"
    deck = setup.record.deck or ()
    if len(deck) > setup.deck_size:
        return SetupFinding(f"the deck shows {len(deck)} cards, and only {setup.deck_size} are left for it", "deck")
    full = len(deck) == setup.deck_size and UNSEEN not in deck
    if setup.record.variant == "finish" and full and FINISH not in seen:
        return SetupFinding("the deck is shown in full, without the Finish card", "deck")
    return None


def _name(card: Shown) -> str:
    return "the Finish card" if isinstance(card, FinishCard) else str(card)


def _lines(setup: Setup) -> list[tuple[str, tuple[Shown, ...]]]:
    """The set-up lines with their cards."""
    lines = [(f"deal {name}", cards) for name, cards in setup.deals.items()]
    lines.append(("reserve", setup.reserve))
    if setup.record.deck is not None:
        lines.append(("deck", setup.record.deck))
    return lines


SetupId = Literal["SET01", "SET02", "SET03", "SET04", "SET06"]

SETUP_CHECKS: dict[SetupId, Callable[[Setup], SetupFinding | None]] = {
    "SET01": set01,
    "SET02": set02,
    "SET03": set03,
    "SET04": set04,
    "SET06": set06,
}
"""The clauses whose failure makes the set-up illegal. SET05 only warns."""
