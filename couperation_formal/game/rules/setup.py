"""The set-up of a record and its clauses (SET01 to SET06)."""

from collections import Counter
from typing import NamedTuple

from couperation_formal.game.fact import Fact, Numbers, fact
from couperation_formal.game.record import Record
from couperation_formal.game.rules.step import Finding, Step, fails
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Shown, Tower, Value


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


def set01(setup: Setup) -> Finding | None:
    """Two to four players with distinct names."""
    players = setup.record.players
    numbers = {"players": len(players), "names": len(set(players))}
    if setup.board.reserve_size(len(players)) is None:
        sizes = [size for size, _ in setup.board.reserve_sizes]
        return fails("players", numbers, "Players", least=sizes[0], most=sizes[-1])
    for name in players:
        if players.count(name) > 1:
            return fails("same_name", numbers, "Players", name=name)
    return None


def set02(setup: Setup) -> Finding | None:
    """Each player is dealt three Glass cards; the least, the anchor and the greatest are set aside first."""
    board = setup.board
    aside = (1, board.anchor, board.cards)
    for name, cards in setup.deals.items():
        line = f"deal {name}"
        if len(cards) != board.deal:
            return fails("dealt", {"player": name, "cards": len(cards)}, line, deal=board.deal)
        for card in cards:
            if card is FINISH:
                return fails("dealt_finish", {"player": name, "card": card}, line)
            if card in aside:
                return fails("dealt_aside", {"player": name, "card": card}, line)
    return None


def set03(setup: Setup) -> Finding | None:
    """The Reserve holds the least and the greatest card and further dealt ones, up to its size."""
    board, reserve = setup.board, setup.reserve
    size = board.reserve_size(len(setup.record.players))
    if size is not None and len(reserve) != size:
        return fails("reserve", {"cards": len(reserve), "size": size}, "reserve")
    hidden = reserve.count(UNSEEN)
    missing = [value for value in (1, board.cards) if value not in reserve]
    if len(missing) > hidden:
        return fails("reserve_without", {"missing": len(missing), "unseen": hidden}, "reserve", card=missing[0])
    wrong = next((card for card in reserve if card in (board.anchor, FINISH)), None)
    if board.anchor in reserve:
        return fails("reserve_anchor", {"card": wrong}, "reserve", anchor=board.anchor)
    return None if wrong is None else fails("reserve_finish", {"card": wrong}, "reserve")


def set04(setup: Setup) -> Finding | None:
    """The anchor card lies up in the tower, so it begins nowhere else."""
    anchor, lines = setup.board.anchor, _lines(setup)
    for line, cards in lines:
        if anchor in cards:
            count = sum(cards.count(anchor) for _, cards in lines)
            return fails("anchor", {"count": count}, line, card=anchor, cell=setup.board.anchor_cell)
    return None


def set05(setup: Setup, rulings: Rulings) -> Finding | None:
    """The Finish card is shuffled into one half of the deck [finish_half]: a doubt, not an error, where a record puts
    it elsewhere.
    """
    deck = (setup.record.deck or ())[: setup.deck_size]
    if setup.record.variant != "finish":
        return None
    shown = FINISH in deck
    place = deck.index(FINISH) if shown else known_glass(deck)
    dealt = any(FINISH in cards for cards in (*setup.record.deals.values(), setup.record.reserve or ()))
    if not shown and (dealt or place == setup.deck_size):
        return None  # it lies nowhere in the deck, which other clauses tell
    what = finish_half_doubt(place + 1, setup.deck_size - 1, rulings, shown)
    return None if what is None else Finding(what, "deck")


def set05_drawn(setup: Setup, step: Step, rulings: Rulings) -> Finding | None:
    """The same of a draw that shows the Finish card in the wrong half of a deck that the record does not list, or shows
    that it lies below the top half.
    """
    draw, state = step.turn.draw, step.before
    if not draw or state.variant == "first" or FINISH in (setup.record.deck or ()) or state.open:
        return None
    shown = FINISH in draw
    if not shown and state.whereabouts(FINISH) is not None:
        return None
    glass = draw.index(FINISH) if shown else len(draw) + known_glass(step.deck)
    card = setup.deck_size - len(state.deck) + glass + 1
    what = finish_half_doubt(card, setup.deck_size - 1, rulings, shown)
    return None if what is None else Finding(what, "draw")


def known_glass(deck: tuple[Shown, ...]) -> int:
    """How many Glass cards on top of a deck are shown one after the other."""
    return next((place for place, card in enumerate(deck) if card is UNSEEN or card is FINISH), len(deck))


def finish_half_doubt(place: int, glass: int, rulings: Rulings, shown: bool) -> Fact | None:
    """Why the Finish card at `place` (from 1, the top) of a deck with `glass` Glass cards is in doubt, or None; unless
    it is `shown`, it lies there or deeper (SET05).
    """
    if rulings.finish_half == "top":
        if place <= (glass + 1) // 2 + 1:
            return None
        return fact("half_below", place=place) if shown else fact("half_under", place=place - 1)
    return fact("half_above", place=place) if shown and place <= glass // 2 else None


def set06(setup: Setup) -> Finding | None:
    """Every card begins in exactly one place, and the deck holds no more than what is left."""
    seen: dict[Shown, Fact] = {Value(setup.board.anchor): fact("on_cell", cell=setup.board.anchor_cell)}
    if setup.record.variant == "first":
        seen[FINISH] = fact("not_in_variant")
    for line, cards in _lines(setup):
        here = fact("already_under", line=line)
        for card in cards:
            if card in seen:
                return fails("begins_elsewhere", _too_often(setup), line, again=card, where=seen[card])
            if card is not UNSEEN:
                seen[card] = here
    deck = setup.record.deck or ()
    if len(deck) > setup.deck_size:
        return fails("deck_long", {"cards": len(deck), "room": setup.deck_size}, "deck")
    full = len(deck) == setup.deck_size and UNSEEN not in deck
    if setup.record.variant == "finish" and full and FINISH not in seen:
        return fails("deck_without", {"card": FINISH, "count": 0}, "deck")
    return None


def _too_often(setup: Setup) -> Numbers:
    """The first card that is shown too often in deals, Reserve, deck and tower, and how often."""
    counts = Counter(card for _, cards in _lines(setup) for card in cards if card is not UNSEEN)
    for card in counts:
        counts[card] += card == setup.board.anchor
        if counts[card] > 1 or (card is FINISH and setup.record.variant == "first"):
            return {"card": card, "count": counts[card]}
    return {}


def _lines(setup: Setup) -> list[tuple[str, tuple[Shown, ...]]]:
    """The set-up lines with their cards."""
    lines = [(f"deal {name}", cards) for name, cards in setup.deals.items()]
    lines.append(("reserve", setup.reserve))
    if setup.record.deck is not None:
        lines.append(("deck", setup.record.deck))
    return lines


SETUP_CHECKS = {"SET01": set01, "SET02": set02, "SET03": set03, "SET04": set04, "SET06": set06}
"""The clauses whose failure makes the set-up illegal. SET05 only warns."""
