"""A whole record run symbolically: what every clause asks, turn by turn."""

from __future__ import annotations

from typing import Final, NamedTuple

from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.budget import Steps
from couperation_formal.model.cards import FINISH, UNSEEN, Card, FinishCard, Mark, Shown, UnseenCard, Value
from couperation_formal.model.record import Record, Turn
from couperation_formal.model.rulings import Rulings
from couperation_formal.rules.setup import Setup, setup_of
from couperation_formal.symbolic.cards import Cards, Hidden, known
from couperation_formal.symbolic.choices import Choices
from couperation_formal.symbolic.circuit import FALSE, TRUE, Circuit, Formula, no
from couperation_formal.symbolic.drawing import draw
from couperation_formal.symbolic.limits import limit
from couperation_formal.symbolic.orders import Placed
from couperation_formal.symbolic.table import Pile, Table
from couperation_formal.symbolic.turns import act

_TURN: Final = 50
"""The steps that a turn takes beside its gates."""


class Symbolic(NamedTuple):
    """A record as a circuit.

    A record is legal up to turn t when some values of the variables satisfy the facts and every rule of turns 0 to t.
    `dealt` are the cards of each hand, `reserve` those of the Reserve, and `deck` the top of the deck at set-up, as far
    as the record speaks of it; what is in none of them lies below.
    """

    record: Record
    board: Board
    table: Table
    dealt: dict[str, Pile]
    reserve: Pile
    deck: tuple[Hidden, ...]


class Shared(NamedTuple):
    """What the records of one deck of cards have in common."""

    circuit: Circuit
    marks: dict[Card, dict[Mark, Formula]]


def symbolic(
    record: Record,
    rulings: Rulings | None,
    board: Board = STANDARD,
    doubting: bool = False,
    shared: Shared | None = None,
    prefix: str = "",
    budget: Steps | None = None,
) -> Symbolic:
    """Run `record` under these rulings, or with each ruling as a variable where they are None.

    With `doubting`, every number and mark that the record writes may be wrong: the pins of its line tie it to what is
    written. `shared` and `prefix` serve several records whose cards bear the same marks. `budget` pays for the gates of
    a circuit of its own. Cost: some thousand gates a turn with unseen cards, far fewer without.
    """
    circuit = Circuit(budget) if shared is None else shared.circuit
    choices = Choices(circuit, rulings)
    cards = Cards(circuit, choices, board, record.variant, None if shared is None else shared.marks)
    table = Table(circuit, choices, cards, len(record.players), doubting)
    table.prefix = prefix
    for ruling, formula in choices.rules.items():
        table.fact(f"one option of {ruling}", formula)
    if shared is None and not doubting:
        cards.given = record.marks
    setup = setup_of(record, board)
    run = Symbolic(record, board, table, {}, {}, ())
    if _counted(table, setup):
        run = _deal(run, setup)
        _play(table, record)
    for value, mark in record.marks.items() if shared is not None or doubting else ():
        here = cards.mark(value, mark)
        if doubting:
            table.pin("Marks", here)
        else:
            table.ask(0, "Marks", f"{value} bears {mark}", "Marks", here)
    for card, formula in cards.mark_rules.items():
        table.fact(f"{card} bears one mark", formula)
    return run


def _counted(table: Table, setup: Setup) -> bool:
    """Ask what the numbers of players and cards alone decide (SET01, SET02, SET03, SET06)."""
    board, players = setup.board, setup.record.players
    size = board.reserve_size(len(players))
    table.ask(0, "SET01", "players", "Players", TRUE if size and len(set(players)) == len(players) else FALSE)
    for name, cards in setup.deals.items():
        right = len(cards) == board.deal and FINISH not in cards
        table.ask(0, "SET02", f"so many cards for {name}", f"deal {name}", TRUE if right else FALSE)
    right = len(setup.reserve) == size and FINISH not in setup.reserve
    table.ask(0, "SET03", "so many cards", "reserve", TRUE if right else FALSE)
    deck = setup.record.deck or ()
    fits = len(deck) <= setup.deck_size and list(deck).count(FINISH) <= (setup.record.variant == "finish")
    table.ask(0, "SET06", "so many cards in the deck", "deck", TRUE if fits else FALSE)
    return not table.rules


def _deal(run: Symbolic, setup: Setup) -> Symbolic:
    """Lay out the set-up: each card in exactly one place (SET02 to SET06)."""
    table, cards, board = run.table, run.table.cards, run.board
    aside = (Value(1), Value(board.anchor), Value(board.cards))
    dealt = [card for card in cards.glass if card not in aside]
    places: dict[Card, list[Formula]] = {card: [] for card in cards.every}
    hands = {}
    for name, shown in setup.deals.items():
        hands[name] = _pile(table, f"deal {name}", "SET02", shown, dealt, places)
    reserve = _pile(table, "reserve", "SET03", setup.reserve, dealt, places, (aside[0], aside[2]))
    deck = _deck(table, setup, places)
    in_deck = setup.deck_size - len(deck)
    mixed: list[Card] = [card for card in cards.every if card not in aside]
    rest = [no(table.circuit.any_of(places[card])) for card in mixed]
    table.ask(0, "SET06", f"{in_deck} cards lie deeper in the deck", "deck", table.circuit.at_most(in_deck, rest))
    for card in mixed:
        once = table.circuit.at_most(1, places[card])
        table.ask(0, "SET06", f"{card} is in one place", _line(card, setup), once)
    table.tower[board.anchor_cell] = Placed(known(Value(board.anchor)), False)
    table.hands = [dict(hands[name]) for name in run.record.players]
    table.reserve = dict(reserve)
    table.deck, table.deck_size = list(deck), setup.deck_size
    table.hand_sizes = [board.deal] * len(run.record.players)
    table.reserve_size = len(setup.reserve)
    return run._replace(dealt=hands, reserve=reserve, deck=deck)


def _line(card: Card, setup: Setup) -> str:
    """The set-up line that shows a card, for a finding about it."""
    for name, shown in setup.deals.items():
        if card in shown:
            return f"deal {name}"
    return "reserve" if card in setup.reserve else "deck"


def _pile(
    table: Table,
    line: str,
    clause: str,
    shown: tuple[Shown, ...],
    possible: list[Value],
    places: dict[Card, list[Formula]],
    always: tuple[Value, ...] = (),
) -> Pile:
    """A pile of the set-up: the cards that a line shows, and so many more among the possible ones."""
    pile: Pile = dict.fromkeys(always, TRUE)
    written = [card for card in shown if not isinstance(card, UnseenCard | FinishCard)]
    more = len(shown) - len(always)
    if not table.doubting:
        for card in written:
            if card in possible:
                pile[card] = TRUE
                more -= 1
            elif card not in always:
                table.ask(0, clause, f"{card} is dealt", line, FALSE)
        if len(set(written)) < len(written):
            table.ask(0, "SET06", f"one card twice under {line}", line, FALSE)
    if more < 0:
        table.ask(0, clause, "the cards set aside", line, FALSE)
    elif more:
        others = [card for card in possible if card not in pile]
        pile.update({card: table.circuit.variable(f"{table.prefix}{line}={card}") for card in others})
        count = table.circuit.exactly(more, [pile[card] for card in others])
        table.fact(f"{line}: {more} unseen", count)
    if table.doubting:
        for card in written:
            table.pin(line, pile.get(card, FALSE))
        if len(set(written)) < len(written):
            table.pin(line, FALSE)
    for card in possible:
        places[card].append(pile.get(card, FALSE))
    return pile


def _deck(table: Table, setup: Setup, places: dict[Card, list[Formula]]) -> tuple[Hidden, ...]:
    """The deck's top, as far as the record lists it or draws from it."""
    record, cards = setup.record, table.cards
    written = record.deck or ()
    drawn = sum(len(turn.draw) for turn in record.turns)
    length = min(setup.deck_size, max(len(written), drawn))
    possible = [card for card in cards.every if card not in (1, cards.board.anchor, cards.board.cards)]
    deck: list[Hidden] = []
    for place in range(length):
        shown = written[place] if place < len(written) else UNSEEN
        hidden: Hidden
        if isinstance(shown, FinishCard) or (shown in possible and not table.doubting):
            hidden = known(shown)
        else:
            hidden = table.unseen(f"deck {place + 1}", possible)
            if not isinstance(shown, UnseenCard):
                here = hidden.get(shown, FALSE)
                if table.doubting:
                    table.pin("deck", here)
                else:
                    clause = "SET04" if shown == cards.board.anchor else "SET06"
                    table.ask(0, clause, f"{shown} is in the deck", "deck", here)
        deck.append(hidden)
        for card in possible:
            places[card].append(hidden.get(card, FALSE))
    return tuple(deck)


def _play(table: Table, record: Record) -> None:
    """Every turn, and the stated result."""
    place = 0
    for place, turn in enumerate(record.turns, start=1):
        table.circuit.budget.spend(_TURN)
        if not _turn(table, place, turn, record.players):
            return
    reached = {"win": table.won, "loss": table.lost, "stuck": table.stuck}
    if record.result is not None:
        table.ask(place, "END05", f"the result is {record.result}", "result", reached[record.result])


def _turn(table: Table, place: int, turn: Turn, players: tuple[str, ...]) -> bool:
    """One turn; False where the run ends with it."""
    over = table.circuit.any_of((table.won, table.lost, table.stuck))
    table.ask(place, "END04", "the game goes on", "number", no(over))
    table.won = table.lost = table.stuck = FALSE
    player = (place - 1) % len(players)
    if turn.player != players[player] or turn.number != place:
        part = "player" if turn.player != players[player] else "number"
        table.ask(place, "END06", f"turn {place} of {players[player]}", part, FALSE)
        return False
    if over == TRUE or not draw(table, place, player, turn.draw):
        return False
    if not act(table, place, player, turn.action):
        return False
    limit(table, place, player, turn)
    return not any(rule.formula == FALSE and rule.turn == place for rule in table.rules)
