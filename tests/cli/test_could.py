"""Where a hidden hand could lay a card: what `moves` lists is what the formulas allow, card by card, of tables that
show all hands.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.formulas.judge import legal_moves
from couperation_formal.game.record import Game, LayDown, LayUp
from couperation_formal.game.rules.moves import Move, legal_actions
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Pile, State, all_cards
from couperation_formal.game.tower import UNSEEN, Card, Down
from couperation_formal.notation.read import read_text
from couperation_formal.questions.records.states import moves_at, seen_by, turn_table
from tests.cli.run import couperation
from tests.questions.records.spoil import sampled

pytestmark = pytest.mark.slow
Kind = tuple[str, str]


def game(seed: int) -> Game:
    (found,) = read_text(sampled(seed))
    assert isinstance(found, Game)
    return found


def kinds(moves: Iterable[Move]) -> set[Kind]:
    """Letter and cell of the cards that are laid from the hand."""
    laid = [move for move in moves if isinstance(move, LayUp | LayDown)]
    return {("A" if isinstance(move, LayUp) else "B", str(move.cell)) for move in laid}


def filled(state: State, hand: tuple[Card, ...], rest: list[Card]) -> State:
    """The table with these cards in the hand of who is to move, and others wherever a pile is not seen."""
    cards = iter([card for card in rest if card not in hand])

    def seen(pile: Pile, first: tuple[Card, ...] = ()) -> Pile:
        return Pile(pile.known | {*first, *islice(cards, pile.unseen - len(first))})

    tower = state.tower
    for cell, laid in state.tower.cells.items():
        if laid == Down(UNSEEN):
            tower = tower.without(cell).lay(cell, Down(next(cards)))
    hands = tuple(seen(pile, hand if place == state.to_move else ()) for place, pile in enumerate(state.hands))
    return replace(state, hands=hands, reserve=seen(state.reserve), gone=seen(state.gone), tower=tower)


def by_formulas(state: State, rulings: Rulings) -> set[Kind]:
    """What is legal for a card of the hand that the table shows nowhere: each is tried, some at a time."""
    rest = [card for card in all_cards(state.board, "first") if state.whereabouts(card) is None]
    size = state.hands[state.to_move].unseen
    found = set[Kind]()
    for start in range(0, len(rest), size):
        hand = tuple(rest[start : start + size])
        moves = legal_moves(filled(state, hand, rest), rulings)
        found |= kinds(move for move in moves if isinstance(move, LayUp | LayDown) and move.card in hand)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_it_is_what_the_formulas_allow(seed: int) -> None:
    record = game(seed)
    public = seen_by(record)
    assert isinstance(public, Game)
    rulings = record.record.rules.rulings
    turns = Random(seed).sample(places := range(1, len(record.record.turns) + 1), len(places))
    tables = (turn_table(public, turn) for turn in turns)
    state = next(state for state in tables if state.hands[state.to_move].unseen > 0 and not state.turned)
    could = legal_actions(state, state.to_move, rulings).could
    assert kinds(could) == by_formulas(state, rulings)
    assert len(could) == len(kinds(could))
    assert all(move.card is UNSEEN for move in could)


def test_what_somebody_really_could_do_is_listed() -> None:
    """In games of which all is known: each card that was laid, and each that might have been."""
    seen = 0
    for seed in range(4):
        record = game(seed)
        public = seen_by(record)
        assert isinstance(public, Game)
        for turn in range(1, len(record.record.turns) + 1):
            state = turn_table(record, turn)
            own = set(state.hands[state.to_move].known)
            real = [
                move for move in moves_at(record, turn) if not isinstance(move, LayUp | LayDown) or move.card in own
            ]
            hidden = moves_at(public, turn)
            if turn_table(public, turn).hands[state.to_move].unseen > 0:
                seen += 1
                assert kinds(real) <= kinds(hidden.could) | kinds(hidden), (seed, turn)
    assert seen > 30


HEAD = '[CGN "1"]\n[Players "Ann Ben"]\n'


def told(text: str, turn: int) -> list[str]:
    done = couperation("moves", "-", "--at", str(turn), stdin=text)
    assert done.exit_code == 0
    return done.stdout.splitlines()


def test_a_hidden_hand_is_told() -> None:
    text = HEAD + "1. Ann A 17@f1\n2. Ben A 30@h1\n"
    shown = told(text, 3)
    assert [line for line in shown if line[0] == "A"] == ["A ?@e1", "A ?@i1", "A ?@f2", "A ?@g2"]
    assert "B ?@f2" in shown
    assert "A ?@f2" not in told(HEAD + "1. Ann A 24@f1\n", 2), "no card lies between 24 and 25"
    low = HEAD + "deal Ben 2 3 4\nreserve 1 50 12 33 40 7\n1. Ann A 5@f1\n"
    assert "A ?@e1" not in told(low + "2. Ben B 4@h1\n", 3), "1 to 4 lie elsewhere"
    data = json.loads(couperation("moves", "-", "--at", "3", "--output-format", "json", stdin=text).stdout)
    assert [each["text"] for each in data["could"]] == shown
    assert (data["actions"], data["complete"]) == ([], False)


def test_the_formulas_list_nothing_of_a_hidden_hand_and_the_help_says_so() -> None:
    """A table that hides cards gives them nothing to be asked of; where all is seen there is nothing that could be."""
    text = HEAD + "1. Ann A 17@f1\n2. Ben A 30@h1\n"
    done = couperation("moves", "-", "--at", "3", "--engine", "spec", stdin=text)
    assert (done.exit_code, done.stdout) == (0, "")
    assert "unseen cards may allow more" in done.stderr
    form = ("--engine", "spec", "--output-format", "json")
    data = json.loads(couperation("moves", "-", "--at", "3", *form, stdin=text).stdout)
    assert (data["actions"], data["could"], data["complete"]) == ([], [], False)
    assert "none where hands hide cards" in " ".join(couperation("moves", "--help").stdout.split())


def test_what_fits_whatever_an_up_card_is_that_is_not_seen_is_told() -> None:
    assert [line for line in told(HEAD + "1. Ann A ?@f1\n", 2) if line[0] == "A"] == ["A ?@h1"]
