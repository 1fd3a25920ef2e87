"""On what a verdict hangs that nobody saw. Cards that lie hidden are no doubt by themselves (`spec/board.md`)."""

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from couperation_formal.game.fact import fact
from couperation_formal.game.record import Exchange, Game, Reached, Record, Turn, cards_of, with_cards
from couperation_formal.game.replay import PLACES, Doubt, Replay, closed, is_open, replay
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rules, Rulings
from couperation_formal.game.state import Pile, State, with_hand
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Shown, UnseenCard, card_key
from couperation_formal.hidden.readings.standing import broken
from couperation_formal.output.report import Report
from couperation_formal.questions.records.check import check


def hanging(record: Record, rulings: Rulings, outcome: Replay) -> Iterator[Doubt]:
    """What the verdicts on turns hang on (`spec/board.md`): the doubts of a replay but for those about where a card
    lay, which the turn itself tells as long as it can have lain there; orders of cards that lie up unseen, and sizes of
    draws that were not noted. Cost: that of carrying out the turns.
    """
    sure = placed(record)
    yield from (each for each in outcome.doubts if each.what.kind not in PLACES or each.turn > sure)
    states = zip(outcome.states, outcome.states[1:], record.turns, strict=False)
    for place, (before, after, turn) in enumerate(states, 1):
        if after.tower.hidden:
            yield Doubt(place, fact("whether_towers"))
        if is_open(before, turn):
            sizes = (carry_out(*each, before.to_move) for each in closed(before, turn, before.to_move))
            if any(True for each in sizes for _ in broken(each, rulings)):
                yield Doubt(place, fact("whether_size"))


def comes_to(record: Record, rulings: Rulings) -> Reached | None:
    """What a record comes to where it is legal under these rulings and that hangs on nothing unseen, else None."""
    outcome = replay(record, rulings, hanging=False)
    return outcome.reached if next(hanging(record, rulings, outcome), None) is None else None


def as_known(game: Game, rules: Rules | None = None) -> Report:
    """The report on a game as far as the cards are known: a legal one where its verdict hangs on nothing unseen."""
    report = check(game, rules, "plain")
    if report.verdict == "undetermined" and report.rules is not None:
        reached = comes_to(game.record, report.rules.rulings)
        return report if reached is None else replace(report, verdict="legal", results=(reached,))
    return report


_WAYS = 60
"""So many ways in which the cards may lie are followed at most."""


def placed(record: Record) -> int:
    """The turn up to which every card can surely have lain where it was taken from. Of a pile that an unseen card left
    either all cards that were known stay known, or one of the hand was it: where each card that was seen lies at a
    known place, any other one may be each of the unseen ones.
    """
    ways = [starting_state(setup_of(record, STANDARD))]
    for place, turn in enumerate(record.turns):
        ways = list(islice((after for state in ways for after in _afters(state, turn)), _WAYS))
        if not ways:
            return place
    return len(record.turns)


def _afters(state: State, turn: Turn) -> Iterator[State]:
    """The tables after a turn on which each card that was seen lies at a known place."""
    cards = (*cards_of(turn.action), *turn.drop)
    own = sorted({*state.hands[state.to_move].known, *turn.draw} - {UNSEEN}, key=card_key)
    named = [(*cards[:at], known, *cards[at + 1 :]) for at, card in enumerate(cards) if card is UNSEEN for known in own]
    for each in (cards, *named):
        own_drop = len(cards) - len(turn.drop)
        told = replace(turn, action=with_cards(turn.action, each[:own_drop]), drop=each[own_drop:])
        step = carry_out(state, told, state.to_move)
        after = step.after
        lost = {*each, *turn.draw, *turn.fill, *turn.trim, *_lying(step.drawn)} - _lying(after) - {UNSEEN, FINISH}
        sent = each[:2] if isinstance(turn.action, Exchange) else ()
        row = lost & {*state.reserve.known, *sent}
        hand, reserve = _staying(after.hands[step.player], lost - row), _staying(after.reserve, row)
        after = replace(after, hands=with_hand(after.hands, step.player, hand), reserve=reserve)
        if not step.strays and turn.player == state.players[step.player] and lost <= _lying(after):
            yield after


def _lying(state: State) -> set[Shown]:
    """The cards that lie at a place that is known."""
    piles = (*(hand.known for hand in state.hands), state.reserve.known, state.gone.known, state.deck)
    return {*(laid.card for laid in state.tower.cells.values()), *(card for pile in piles for card in pile)}


def _staying(pile: Pile, cards: set[Shown]) -> Pile:
    """The pile with cards that are known to have stayed in it, where so many can have."""
    known = frozenset(card for card in cards if not isinstance(card, UnseenCard))
    return pile if len(known) > pile.unseen else Pile(pile.known | known, pile.unseen - len(known), pile.more)
