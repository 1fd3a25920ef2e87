"""What single clauses find and say, where a whole verdict does not show it."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from couperation_formal.game import record as values
from couperation_formal.game.fact import Steps, fact
from couperation_formal.game.record import Action, Exchange, Game, LayDown, LayUp, Open, Turn
from couperation_formal.game.replay import mends, replay
from couperation_formal.game.rules.arrangement import broken_orders as plainly
from couperation_formal.game.rules.clauses import act07
from couperation_formal.game.rules.moves import legal_actions
from couperation_formal.game.rules.setup import finish_half_doubt
from couperation_formal.game.rules.step import Finding, Step, carry_out, stood_by, unsure
from couperation_formal.game.rules.turn import draw_limit, drw01, ending, lim02, tow04
from couperation_formal.game.rulings import Rulings, parse_rules, registry
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board, Cell, Down, Laid, Tower, Up, Value
from couperation_formal.hidden.smt.tower import Model
from couperation_formal.notation.read import read_text
from couperation_formal.words.say import ENGLISH, say
from tests.conftest import LONG
from tests.towers.continuation.brute import BOARDS, dealt

JA = parse_rules("ja-2.2").rulings
ANCHOR = STANDARD.anchor_cell


def table(cells: dict[str, Laid], touched: str = "g1", **changes: object) -> State:
    """A table for two on the printed board, whose unnamed cards are gone or in the deck."""
    places = {Cell("abcdefghijklm".index(name[0]), int(name[1])): laid for name, laid in cells.items()}
    cell = Cell("abcdefghijklm".index(touched[0]), int(touched[1]))
    state = State(
        board=STANDARD, variant="first", players=("Aki", "Ben"), marks=dict.fromkeys(map(Value, range(1, 51)), "1"),
        tower=Tower.of(STANDARD, {ANCHOR: Up(Value(25)), **places}),
        hands=(Pile(frozenset({Value(30), Value(35)})),) * 2,
        reserve=Pile(frozenset(map(Value, (1, 2, 3, 4, 5, 50)))), gone=Pile(frozenset()), deck=(UNSEEN,) * 9,
        laid=cell, touched=cell, turns=3,
    )  # fmt: skip
    return replace(state, **changes)


def done(state: State, action: Action, trim: tuple[Value, ...] = ()) -> Step:
    return carry_out(state, Turn(state.turns + 1, "Aki", (), action, trim=trim), 0)


def test_a_replaced_card_that_lies_otherwise() -> None:
    def said(lies: Laid, told: Laid) -> str:
        action = Exchange(Value(30), "-", Value(35), (), Value(5), True, Cell(7, 1), told)
        found = act07(done(table({"h1": lies}), action), JA)
        assert found is not None
        return say(found.what, ENGLISH)

    assert said(Down(Value(31)), Up(Value(31))) == "the card on h1 lies down, not as the record says"
    assert said(Up(Value(31)), Down(Value(31))) == "the card on h1 lies up, not as the record says"


def test_a_cell_outside_the_middle_pyramid() -> None:
    middle = parse_rules("ja-2.2 anchor=middle").rulings
    found = tow04(done(table({}), LayUp(Value(30), Cell(10, 1))), middle)
    assert found is not None
    assert say(found.what, ENGLISH) == "k1 lies outside the pyramid with level 1 on d1 to j1"
    assert tow04(done(table({}), LayUp(Value(30), Cell(9, 1))), middle) is None


@pytest.mark.parametrize("hearts_below", ["zero_all", "zero_each"])
def test_what_may_be_drawn_after_a_card_that_hides_its_mark_or_itself(hearts_below: str) -> None:
    """On level 1 a heart allows nothing, so all of 0, 1 and 2 are possible, none by way of the supports."""
    rulings = JA.with_changes({"hearts_below": hearts_below})
    state = table({"h1": Up(Value(30))}, "h1")
    without = replace(state, marks={card: mark for card, mark in state.marks.items() if card != 30})
    assert draw_limit(without, 0, rulings) == ("DRW02", (0, 1, 2))
    hidden = table({"h1": Up(UNSEEN)}, "h1")
    assert draw_limit(hidden, 0, rulings) == ("DRW02", (0, 1, 2))
    assert draw_limit(replace(state, marks={**state.marks, Value(30): "H"}), 0, rulings) == ("DRW03", (0,))


@pytest.mark.parametrize(("glass", "last"), [(20, 11), (21, 12), (37, 20), (38, 20)])
def test_the_last_place_of_the_top_half(glass: int, last: int) -> None:
    """The Finish card goes into the upper of two halves, of an odd number the larger one, so at most on top of the
    first card of the lower one.
    """
    top = JA.with_changes({"finish_half": "top"})
    assert finish_half_doubt(last, glass, top, True) is None
    assert finish_half_doubt(last + 1, glass, top, True) == fact("half_below", place=last + 1)


def unseen_open(rulings: Rulings, trim: tuple[Value, ...]) -> Step:
    """C beside an up card that is not seen, over a Reserve with a card too many."""
    state = table({"h1": Down(Value(31)), "i1": Up(UNSEEN)})
    state = replace(state, reserve=Pile(frozenset(map(Value, range(1, 8)))))
    return done(state, Open(Cell(7, 1), Value(31)), trim=trim)


def test_a_trim_after_an_end_that_cannot_be_told_is_in_doubt() -> None:
    step = unseen_open(JA, ())
    assert ending(step, JA) == "unknown"
    assert lim02(step, JA) == unsure("whether_went_on")
    assert lim02(unseen_open(JA, (Value(7),)), JA) is None
    seen = done(table({"h1": Down(Value(31))}), Open(Cell(7, 1), Value(31)))
    assert ending(seen, JA) is None


def test_what_takes_three_changes_hangs_on_no_ruling_but_for_a_draw() -> None:
    asked = ("take_sent", "adjust", "reserve_face")
    changed = [next(o for o in registry().rulings[name].option_names() if o != JA.option(name)) for name in asked]

    def check(_step: Step, rulings: Rulings) -> Finding | None:
        kept = all(rulings.option(name) != JA.option(name) for name in asked)
        return None if kept else Finding(fact("no"), "action")

    step = done(table({}), LayUp(Value(30), Cell(7, 1)))
    assert len(changed) == 3
    assert mends(check, asked, step, JA) == ()
    assert mends(check, asked[:0], step, JA) == ()
    two = mends(lambda step, rulings: check(step, rulings.with_changes({asked[0]: changed[0]})), asked, step, JA)
    assert {tuple(name for name, _ in change) for change in two} == {asked[1:]}
    assert tuple(zip(asked[1:], changed[1:], strict=True)) in two


def test_the_steps_of_listing_the_actions() -> None:
    """Steps are promised to be the same everywhere: each pair of cards sent takes one at least."""
    budget = Steps()
    state = dealt(Random(3), BOARDS[1], 2, "first", 2)
    found = legal_actions(state, state.to_move, JA, budget)
    assert (len(found.actions), budget.spent) == (6, 1)


@pytest.mark.slow
def test_z3_lists_broken_orders_as_the_rules_do() -> None:
    """Those to the cells below come first."""
    rng = Random(23)
    several, by_z3 = 0, Model(Steps()).broken_orders
    board = Board(levels=3, cards=9, anchor=5)
    for _ in range(60 if LONG else 12):
        cells: dict[Cell, Laid] = {
            cell: Up(Value(card))
            for cell, card in zip(board.pyramid(board.middle), rng.sample(range(1, 10), 6), strict=True)
        }
        tower = Tower.of(board, cells)
        cell = rng.choice(sorted(cells))
        found = by_z3(board, tower, JA, cell)
        assert found == plainly(board, tower, JA, cell)
        several += found != [each for each in by_z3(board, tower, JA) if cell in each.order[:2]]
    assert several >= 3


KINDS = [
    each
    for each in vars(values).values()
    if isinstance(each, type) and issubclass(each, msgspec.Struct) and each.__module__ == values.__name__
]


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_record_says_cannot_be_changed(kind: type[msgspec.Struct]) -> None:
    assert kind.__struct_config__.frozen


def test_equal_actions_are_one_in_a_set() -> None:
    cell = Cell(3, 1)
    assert len({LayDown(Value(3), cell), LayDown(Value(3), cell), LayUp(Value(3), cell)}) == 2
    with pytest.raises(AttributeError):
        LayDown(Value(3), cell).card = FINISH  # type: ignore[misc]
    given = values.Record(
        tags=(("Event", "x"),), players=("Aki", "Ben"), rules=parse_rules("en-2"), variant="first", marks={}, deals={},
        turns=(Turn(1, "Aki", (), LayDown(Value(3), cell)),),
    )  # fmt: skip
    assert (given.tag("Event"), given.tag("Site")) == ("x", None)
    assert hash(given.turns) == hash((Turn(1, "Aki", (), LayDown(Value(3), cell)),))


def test_why_no_more_may_be_drawn_before_a_card_was_laid() -> None:
    """Turn 1, and a table that names no card laid last because it was taken away since."""
    turn = Turn(4, "Aki", (Value(7), Value(8)), LayUp(Value(30), Cell(7, 1)))
    said, placed = [], parse_rules("ja-2.2 draw_source=last_placed").rulings
    for state in (replace(table({}), laid=None, touched=None), table({}, laid=None)):
        found = drw01(carry_out(state, turn, 0), placed)
        assert found is not None
        said.append(say(found.what, ENGLISH).partition(": ")[2])
    assert said == ["in turn 1 up to one card may be drawn", "no card was laid before"]


@pytest.mark.parametrize("up", [True, False])
def test_a_swap_that_could_not_be_leaves_its_card_as_it_is_said_to_lie(up: bool) -> None:
    """The card that is taken is not in the Reserve; it lies on the table from then on, up or down."""
    action = Exchange(Value(30), "-", Value(35), (), Value(9), up, Cell(7, 1), None)
    after = stood_by(table({}), Turn(4, "Aki", (), action), 0)
    assert after is not None
    assert after.tower.cells[Cell(7, 1)] == (Up if up else Down)(Value(9))


@pytest.mark.parametrize("players, name, meant", [
    ("Aki Ben", "Be", "did you mean Ben?"), ("Aki Ben", "Zed", "it is Aki's turn"),
    ("Anna Anne", "Anni", "it is Anna's turn"),
])  # fmt: skip
def test_a_name_that_is_near_one_player_alone_is_taken_for_his(players: str, name: str, meant: str) -> None:
    (game,) = read_text(f'[CGN "1"]\n[Players "{players}"]\n1. {name} A 17@f1\n')
    assert isinstance(game, values.Game)
    assert say(replay(game.record, JA).broken[0].what, ENGLISH).startswith(f"{name} is not one of the players")
    assert meant in say(replay(game.record, JA).broken[0].what, ENGLISH)


def test_a_card_that_is_opened_as_another_one_sets_the_next_draw() -> None:
    """Another card lies there, so that the turn cannot be; the cell is the one that was touched last all the same."""
    after = stood_by(table({"h1": Down(Value(31))}), Turn(4, "Aki", (), Open(Cell(7, 1), Value(30))), 0)
    assert after is not None
    assert after.touched == Cell(7, 1)


def test_whose_turn_it_is_is_told_before_what_follows_of_it() -> None:
    """Aki plays twice, the second time a card of Ben's."""
    head = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\ndeal Ben 22 9 3\nreserve 1 50 12 33 40 7\n'
    (game,) = read_text(f"{head}1. Aki A 17@f1\n2. Aki A 22@f2\n")
    assert isinstance(game, values.Game)
    assert [each.clause for each in replay(game.record, JA).broken][:2] == ["END06", "ACT02"]


@pytest.mark.parametrize(("source", "drawn"), [("last_placed", 3), ("as_laid", 3), ("opened", 2), ("nothing", 0)])
def test_a_heart_over_an_opened_card_is_read_at_the_draw(source: str, drawn: int) -> None:
    """Action C opens a support between the laying of a heart and the draw that follows it (D16): under `as_laid` too
    that draw may be three cards.
    """
    text = f"""[CGN "1"]
[Rules "en-2 draw_source={source}"]
[Players "Ada Bo"]
[Marks "21:H 17:2 25:1"]
deal Ada 17 30 44
deal Bo 9 21 38
reserve 1 50 12 33 40 7
1. Ada +0 B 17@f1
2. Bo +0 A 21@f2
3. Ada +0 C f1=17
*
"""
    (game,) = read_text(text)
    assert isinstance(game, Game)
    outcome = replay(game.record, game.record.rules.rulings)
    assert outcome.illegal is None
    assert draw_limit(outcome.states[-1], 1, game.record.rules.rulings).amounts == (drawn,)
