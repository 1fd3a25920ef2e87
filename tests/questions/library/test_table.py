"""A game built and played in code: all that is legal plays, all else is refused and changes nothing."""

from __future__ import annotations

import copy
from random import Random

import msgspec
import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import couperation_formal as cf
from tests.conftest import LONG
from tests.questions.sample.games import rules, seats, seeds, variants

HAND: dict[str, cf.Cards] = {"Aki": "17 30 44", "Ben": [22, 9, 3]}
RESERVE = (1, 50, 12, 33, 40, 7)
DECK = "14 5 F 8"


def dealt() -> cf.Table:
    return cf.Table.new("Aki Ben", "en-2", deals=HAND, reserve=RESERVE, deck="14 5 48", marks={17: "2", 22: "1"})


def key(action: cf.Action) -> object:
    """What tells actions apart in effect: a sum may be written in several ways."""
    if isinstance(action, cf.Exchange):
        sent, destroyed = frozenset((action.first, action.second)), frozenset(card for _, card in action.adjust)
        return action.taken, action.cell, sent, destroyed, action.face_up, action.replaced
    return action


def any_action(draw: Random, actions: tuple[cf.Action, ...]) -> cf.Action:
    """Some action with a card of the game on a cell of the board, legal or not."""
    cell, card = cf.Cell(draw.randrange(13), draw.randint(1, 7)), cf.Value(draw.randint(1, 50))
    exchanges = [each for each in actions if isinstance(each, cf.Exchange)]
    if exchanges and draw.random() < 0.4:
        changed = draw.choice(({"cell": cell}, {"taken": card}, {"face_up": False}, {"replaced": cf.Up(card)}))
        return msgspec.structs.replace(draw.choice(exchanges), **changed)
    return draw.choice((cf.LayUp(card, cell), cf.LayDown(card, cell), cf.Open(cell, card), cf.NoAction()))


class Played(RuleBasedStateMachine):
    """A game from the deal to its end."""

    table: cf.Table

    @initialize(seat=seats, variant=variants, book=rules, seed=seeds)
    def begin(self, seat: int, variant: cf.Variant, book: cf.Rules, seed: int) -> None:
        self.table = cf.Table.new(seat, book, variant, seed=seed)

    @precondition(lambda self: self.table.result is None)
    @rule(data=st.data(), seed=seeds)
    def a_legal_turn(self, data: st.DataObject, seed: int) -> None:
        draw = data.draw(st.sampled_from(self.table.draw_amounts()))
        actions = self.table.legal_actions(draw)
        turn = Random(seed).choice(self.table.legal_turns(Random(seed).choice(actions) if actions else None, draw))
        before = len(self.table.turns)
        assert self.table.play(str(turn) if seed % 2 else turn) == turn
        assert len(self.table.turns) == before + 1

    @precondition(lambda self: self.table.result is None)
    @rule(seed=seeds)
    def any_turn(self, seed: int) -> None:
        """An action is played just where it is among the legal ones. The same cards of an action D give several sums,
        some of them wrong (ACT05).
        """
        draw, table = Random(seed), self.table
        actions = table.legal_actions()
        action = any_action(draw, actions)
        legal = {key(each) for each in actions or (cf.NoAction(),)}
        before = table.state, table.turns
        ends = table.legal_turns(action)
        assert all(turn.action == action for turn in ends)
        if ends:
            assert key(action) in legal
            table.play(draw.choice(ends))
        else:
            with pytest.raises(cf.IllegalPlay) as caught:
                table.play(action)
            first = caught.value.diagnostics[0]
            assert first.turn == len(before[1]) + 1
            assert key(action) not in legal or (isinstance(action, cf.Exchange) and first.code == "ACT05")
            assert (table.state, table.turns) == before

    @precondition(lambda self: self.table.result is not None)
    @rule()
    def nothing_follows_the_end(self) -> None:
        table = self.table
        assert (table.to_move, table.draw_amounts(), table.legal_actions(), table.legal_turns()) == (None, (), (), ())
        with pytest.raises(cf.IllegalPlay, match="END04"):
            table.play("-")

    @invariant()
    def it_is_the_game_that_was_played(self) -> None:
        if not hasattr(self, "table"):
            return
        game = self.table.record()
        assert game.record.turns == self.table.turns
        assert game.record.result == self.table.result
        assert cf.state_after(game) == self.table.state

    def teardown(self) -> None:
        if hasattr(self, "table"):
            report = cf.check(self.table.record(), engine="plain")
            assert report.verdict == "legal"
            assert (report.result == "unfinished") == (self.table.result is None)
            assert repr(cf.Table(self.table.record())) == repr(self.table)


TestPlayed = Played.TestCase
TestPlayed.settings = settings(max_examples=400 if LONG else 8, stateful_step_count=15)


def test_a_sum_that_is_wrong_is_refused_where_another_one_of_its_cards_is_legal() -> None:
    game = Played()
    game.table = cf.Table.new(3, "en-1", seed=850153)
    game.table.play("D 46-48_38=~1@e1 trim 50")
    legal = game.table.legal_actions()
    assert str(any_action(Random(2), legal)) == "D 6+12=~6@g1x25"
    assert "D 6-12=~6@g1x25" in map(str, legal)
    game.any_turn(2)
    assert len(game.table.turns) == 1


def test_a_turn_is_an_action_or_its_text() -> None:
    one, other, third = dealt(), dealt(), dealt()
    turn = one.play("A 17@f1", draw=1)
    assert turn.draw == (14,)
    assert other.play("1. Aki +14 A 17@f1") == turn
    assert third.play(cf.LayUp(cf.Value(17), cf.Cell(5, 1)), draw=1) == turn
    assert str(one.record()) == str(other.record()) == str(third.record())
    assert (one.to_move, one.result, one.position().turn) == ("Ben", None, "Ben")
    assert one.draw_amounts() == (0, 1, 2)
    one.play("+5,48 B 9@h1 drop 3")
    other.play(cf.LayDown(cf.Value(9), cf.Cell(7, 1)), draw=2, drop=[3])
    assert one.state == other.state
    assert "2. Ben +5,48 B 9@h1 drop 3" in str(one.record())


def test_a_refused_turn_tells_why_and_changes_nothing() -> None:
    table = dealt()
    table.play("A 17@f1")
    before = repr(table), str(table), str(table.record())
    for text, code in (
        ("A 9@f2", "TOW02"),
        ("A 30@h1", "ACT02"),
        ("+14,5,48 A 9@e1 drop 22,3", "DRW02"),
        ("+5 A 9@e1", "DRW05"),
        ("+14,5 A 9@e1", "LIM01"),
        ("1. Aki A 9@e1", "END06"),
        ("-", "ACT01"),
        ("A 22@z1", "CGN"),
    ):
        with pytest.raises(cf.IllegalPlay, match=code) as caught:
            table.play(text)
        assert caught.value.diagnostics[0].code == code
        assert caught.value.report.verdict == ("malformed" if code == "CGN" else "illegal")
        assert (repr(table), str(table), str(table.record())) == before
    for text in ("A 9@e1\nwin", "A 9@e1\n3. Aki A 30@i1", ""):
        with pytest.raises(ValueError, match="a turn is one line"):
            table.play(text)
    assert (repr(table), str(table), str(table.record())) == before


def test_what_is_not_given_is_dealt_by_the_seed() -> None:
    first, again, other = (str(cf.Table.new(3, seed=seed).record()) for seed in (4, 4, 5))
    assert first == again != other
    record = dealt().record().record
    assert record.deals == {"Aki": (17, 30, 44), "Ben": (22, 9, 3)}
    assert (record.reserve, (record.deck or ())[:3], record.marks[cf.Value(17)]) == (RESERVE, (14, 5, 48), "2")
    assert len(record.marks) == 50
    assert len({*(record.deck or ())}) == 37
    for seed in range(30):
        finish = cf.Table.new(4, "ja-2.2", "finish", seed=seed, deals={"Ben": "2 3 4"}, deck=[5, 6])
        assert [found.message for found in cf.check(finish.record()).diagnostics] == ["no turn is recorded"]
        assert finish.state.deck[:2] == (5, 6)
        assert cf.FINISH in finish.state.deck
    assert cf.Table.new(2, variant="finish", deck=DECK).state.deck[:4] == (14, 5, cf.FINISH, 8)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"deals": {"Aki": "17 30"}}, "SET02"),
        ({"deals": {"Aki": "1 2 3"}}, "SET02"),
        ({"deals": {"Aki": "2 3 4", "Ben": "4 5 6"}}, "SET06"),
        ({"reserve": "2 3 4 5 6 7"}, "SET03"),
        ({"deck": "25"}, "SET04"),
        ({"players": "Aki Aki"}, "SET01|two players"),
    ],
)
def test_a_set_up_that_the_rules_do_not_allow_is_refused(given: dict[str, object], code: str) -> None:
    with pytest.raises(ValueError, match=code):
        cf.Table.new(**{"players": "Aki Ben", **given})  # type: ignore[arg-type]


def test_a_copy_is_a_table_of_its_own() -> None:
    table = dealt()
    other = copy.copy(table)
    other.play(table.legal_turns("A 17@f1", draw=1)[0])
    assert (len(table.turns), len(other.turns)) == (0, 1)
    assert table.state == dealt().state


def test_a_game_is_gone_on_with() -> None:
    record = cf.sample_game(3, seed=2)
    cut = msgspec.structs.replace(record, turns=record.turns[:9], result=None)
    table = cf.Table(cut)
    for turn in record.turns[9:]:
        assert table.result is None
        table.play(turn)
    assert table.record().record == record
    assert cf.Table(table).turns == record.turns
    (broken,) = cf.read_text(cf.record_text(cut).replace("A ", "A 1@a7 ;", 1))
    with pytest.raises(cf.IllegalPlay):
        cf.Table(broken)


def test_cards_are_drawn_that_the_rules_ask_for() -> None:
    """Under `draw_amount=exact` an action without a draw comes after the one draw that is legal."""
    table = cf.Table.new(2, "bgg", seed=3)
    while table.draw_amounts() in ((0, 1), (0,)):
        table.play(table.legal_turns()[0])
    (amount,) = table.draw_amounts()
    turn = table.play(table.legal_turns(table.legal_actions()[0])[0])
    assert len(turn.draw) == amount > 0
