"""Tables whose hands may have several sizes, as draws were not noted: an answer is that of every size, or none."""

from __future__ import annotations

import pytest
from couperation_checker import check_object
from msgspec.structs import replace

from couperation_formal.game.fact import Steps
from couperation_formal.game.position import position_of, state_of
from couperation_formal.game.record import Position
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import parse_rules
from couperation_formal.output.blocks import plain
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.questions.tables.ask import Situation, ask, every_size
from couperation_formal.questions.tables.complete import TableAnswer
from couperation_formal.towers.continuation.answer import Dead, Unknown, Won
from couperation_formal.words.say import ENGLISH

RULES = parse_rules("ja-2.2")


def table(seed: int, before: int, seat: int, most: int) -> Position:
    """Near the end of a game: a hand of which nothing is known but that it has `most` cards at most."""
    game = sample_game(2, "first", RULES, seed, "careful")
    tags = tuple(tag for tag in game.tags if tag[0] in ("CGN", "Players", "Marks"))
    position = position_of(replay(game, RULES.rulings).states[-before], RULES, tags)
    name = position.players[seat]
    return replace(position, hands=position.hands | {name: ()}, deck=None, sizes={name: (0, most)})


def asked(position: Position, budget: int) -> TableAnswer:
    at = Situation(file="-", index=1, turn=None, turns=None, position=position)
    return TableAnswer(at=at, answer=ask(position, Steps(budget)))


def test_sizes_that_disagree_are_told() -> None:
    found = asked(table(7, 2, 1, 3), 10_000)
    assert isinstance(found.answer, Unknown)
    data = found.data()
    assert data.budget is not None
    told = [(each.hands["Ben"], each.verdict) for each in data.budget.sizes]
    assert told == [(0, "completable"), (3, "deadlocked")]
    assert "completable with Aki 3, Ben 0, deadlocked with Aki 3, Ben 3" in plain(found.blocks(), ENGLISH)
    assert list(found.certificates()) == []


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "before", "seat", "most"), [(2, 2, 1, 3), (2, 2, 0, 2), (11, 2, 0, 3), (8, 5, 1, 2)])
def test_what_holds_with_every_size_is_proved_with_each(seed: int, before: int, seat: int, most: int) -> None:
    position = table(seed, before, seat, most)
    found = asked(position, 60_000)
    assert isinstance(found.answer, Won | Dead)
    sizes = list(every_size(position))
    assert [each for each, _ in found.answer.each] == sizes
    assert sorted(len(each.hands[position.players[seat]]) for each in sizes) == list(
        range(min(most, len(state_of(position).deck)) + 1)
    )
    certificates = list(found.certificates())
    assert len(certificates) == len(sizes)
    assert {check_object(each).status for each in certificates} == {"accepted"}


def test_a_position_with_sizes_is_the_table_again() -> None:
    """Hands and deck of the state that it is made to: as many more as less."""
    state = state_of(table(7, 2, 1, 3))
    assert (state.open, state.sizes(1)) == (True, (0, 3))
    assert state.sizes() == (len(state.deck) - 3, len(state.deck))
