"""A turn by itself, against the formulas of the specification asked of each turn, everything before carried out."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.formulas.judge import tables
from couperation_formal.game.record import Game, LayUp, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.setup import SETUP_CHECKS, setup_of
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.state import State
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board
from couperation_formal.hidden.readings.sets import Readings
from couperation_formal.hidden.readings.standing import EarlierSlip, cut, plain_verdicts, quarrel_verdicts, standing
from couperation_formal.notation.read import read_text
from couperation_formal.questions.records.sample import sample_game
from tests.conftest import LONG
from tests.formulas.judge.turns import state_of
from tests.hidden.readings.quarrels import judged
from tests.hidden.readings.records import SMALL, random_reading, sampled, spoiled, told
from tests.hidden.symbolic.records import sampled as small, spoiled as spoiled_small

BOOKS = registry().rulebooks
SEEDS = range(40 if LONG else 2)
COMPONENTS = ("tower", "hands", "front", "reserve", "gone", "to_move", "laid", "touched", "anchor_moved")
FILLED = [
    ("ja-2.2 finish_refill=at_once finish_value=none", 16, 7),
    ("en-2 finish_refill=at_once refill_amount=all_or_none", 46, 24),
]
"""Rules and seed of a game, and the turn in which somebody fills the hand."""
COUNTERS = ("turned", "replaced", "skipped")
HEAD = '[CGN "1"]\n[Players "Aki Ben"]\n[Marks "{marks}"]\ndeal Aki {aki}\ndeal Ben 22 9 3\nreserve 1 50 12 33 40 7\n'


def record(turns: str, marks: str, aki: str = "17 30 44") -> Record:
    (game,) = read_text(HEAD.format(marks=marks, aki=aki) + turns)
    assert isinstance(game, Game)
    return game.record


def spoils(seed: int) -> list[Record]:
    """A game and spoiled ones, but for set-ups that show a card twice: what their deck holds is nobody's to say."""
    game, rng = sampled(seed), Random(seed)
    kinds = [each for _, each in spoiled(game, seed) if len(set(each.players)) == len(each.players)]
    kinds = [each for each in kinds if SETUP_CHECKS["SET06"](setup_of(each, STANDARD)) is None]
    return [game, *(kinds if LONG else rng.sample(kinds, 5))]


def compared(each: Record, rng: Random, board: Board = STANDARD) -> set[str]:
    """Every turn by itself under the rulebooks and some readings: the sets say what the formulas say."""
    found = [quarrel_verdicts(each, at, board) for at in range(1, len(each.turns) + 1)]
    seen = set()
    for rulings in [*BOOKS.values(), each.rules.rulings, random_reading(rng), random_reading(rng)]:
        for at, (verdicts, codes) in enumerate(zip(found, judged(each, rulings, board), strict=True), start=1):
            if standing(each, at, (), board).state is None:  # a slip took away the card that sets the draw
                assert verdicts.undetermined == Readings.every()
                continue
            assert told(verdicts, rulings) == ("illegal" if codes else "legal"), (at, codes)
            seen.add(told(verdicts, rulings))
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_each_turn_of_sampled_and_spoiled_games(seed: int) -> None:
    rng = Random(seed)
    assert set().union(*(compared(each, rng) for each in spoils(seed))) == {"legal", "illegal"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300 if LONG else 8))
def test_each_turn_on_small_boards(seed: int) -> None:
    board, rng = SMALL[seed % len(SMALL)], Random(f"quarrels {seed}")
    each = spoiled_small(small(seed, board), rng, board, rng.choice((1, 2, 3)))
    if SETUP_CHECKS["SET06"](setup_of(each, board)) is None:
        compared(each, rng, board)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_table_before_is_that_of_the_total_step(seed: int) -> None:
    for each in spoils(seed):
        for at, values in enumerate(list(tables(each, each.rules.rulings))[1:], start=1):
            before = standing(each, at).state
            assert isinstance(before, State)
            want = state_of(values, before)
            names = (*COMPONENTS, *COUNTERS)
            assert [getattr(before, name) for name in names] == [getattr(want, name) for name in names]
            assert len(before.deck) == len(want.deck)
            pairs = zip(before.deck, want.deck, strict=True)
            assert all(ours in (UNSEEN, theirs) for ours, theirs in pairs)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_where_nothing_was_wrong_before_the_verdict_is_that_of_the_record(seed: int) -> None:
    """A reading under which all is legal up to the turn before, and the game goes on, says the same of the turn."""
    for each in spoils(seed)[: 4 if LONG else 2]:
        for at in range(1, len(each.turns) + 1):
            alone, ahead = quarrel_verdicts(each, at), plain_verdicts(each, turn=at)
            before = plain_verdicts(each, turn=at - 1).legal
            assert not ahead.legal - alone.legal
            assert not (before & alone.illegal) - ahead.illegal
            over = before & alone.legal & ahead.illegal
            if over:
                assert replay(cut(each, at - 1), over.member()).reached != "unfinished"


def test_what_was_wrong_before_does_not_mask_the_turn() -> None:
    """A card out of order, a back without a number, one outside the middle pyramid: the turns after answer for their
    own cards.
    """
    up_to = Readings.option("draw_amount", "up_to")
    row = record("1. Aki A 17@f1\n2. Ben A 22@e1\n3. Aki A 30@h1\n4. Ben A 9@h2\n", "17:1 22:1 30:1")
    assert [slip.turn for slip in standing(row, 3, (BOOKS["ja-2.2"],)).slips[0]] == [2]
    assert quarrel_verdicts(row, 3).legal == up_to
    assert quarrel_verdicts(row, 4).legal == Readings.none()
    back = record("1. Aki A 24@f1\n2. Ben B 22@f2\n3. Aki A 30@h1\n4. Ben A 9@e1\n", "24:1 30:1", "24 30 44")
    assert standing(back, 3, (BOOKS["bgg"], BOOKS["ja-2.2"])).slips[1] == (EarlierSlip(2, ("TOW07",)),)
    loose = Readings.option("facedown", "ignored") | Readings.option("facedown", "repeats")
    lax = loose | Readings.option("between", "inclusive")
    assert not quarrel_verdicts(back, 2).legal - lax
    assert quarrel_verdicts(back, 3).legal == Readings.every()
    assert quarrel_verdicts(back, 4).legal == up_to
    starved = "1. Aki A 23@f1\n2. Ben B 3@e1\n3. Aki A 24@h1\n4. Ben A {}@d1\n"
    room = record(starved.format(9), "23:1 24:1", "23 24 44")
    none = record(starved.format(22), "23:1 24:1", "23 24 44")
    assert standing(room, 4, (BOOKS["ja-2.2"],)).slips[0] == (EarlierSlip(3, ("TOW01",)),)
    assert quarrel_verdicts(room, 4).legal == up_to
    weak = loose | Readings.option("row_order", "weak")
    assert quarrel_verdicts(none, 4).legal == up_to & weak
    assert list(judged(none, BOOKS["ja-2.2"]))[3] == ("TOW07",)
    far = record("1. Aki A 44@k1\n2. Ben A 22@f1\n3. Aki A 30@h1\n4. Ben A 3@b1\n", "44:1 22:1 30:1")
    middle = Readings.option("anchor", "middle")
    assert not quarrel_verdicts(far, 1).legal & middle
    assert quarrel_verdicts(far, 3).legal == up_to
    assert not quarrel_verdicts(far, 4).legal


def test_an_earlier_end_never_makes_a_turn_illegal() -> None:
    opened = record("1. Aki B 44@f1\n2. Ben A 22@e1\n3. Aki C f1=44\n4. Ben A 3@d1\n", "44:1 22:1")
    none_drawn = Readings.option("draw_amount", "up_to") | Readings.option("draw_source", "nothing")
    assert quarrel_verdicts(opened, 4).legal == none_drawn
    assert not plain_verdicts(opened, turn=4).legal
    assert EarlierSlip(3, ("END02",)) in standing(opened, 4, (BOOKS["ja-2.2"],)).slips[0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_from_a_turn_on_the_first_illegal_turn_is_the_first_quarrel_lost(seed: int) -> None:
    """`check --from N` of fully seen games: turn after turn by itself, until one is illegal or the game is over."""
    for each in spoils(seed):
        rulings = each.rules.rulings
        alone = [quarrel_verdicts(each, at) for at in range(1, len(each.turns) + 1)]
        if any(verdicts.undetermined for verdicts in alone):
            continue
        for since in range(1, len(each.turns) + 1, 3):
            outcome = replay(each, rulings, since=since)
            lost = [at for at in range(since, len(alone) + 1) if rulings in alone[at - 1].illegal]
            codes = {broken.clause for broken in outcome.broken if not broken.warning}
            if not codes & {"END04", "END05"}:
                assert outcome.illegal == (lost[0] if lost else None)
            assert outcome.illegal is None or outcome.illegal >= since
            assert {slip.turn for slip in outcome.slips} == {
                slip.turn for slip in standing(each, since, (rulings,)).slips[0] if slip.clauses[0][:3] != "END"
            } | {slip.turn for slip in outcome.slips if slip.clause == "END06"}


def test_an_opened_card_that_may_leave_no_numbers_has_to_be_mended() -> None:
    """What a legal C leaves is no slip: TOW07 is asked of the whole tower after the next A, B or D. Where it lost the
    game, what is played on answers for its own card.
    """
    turns = "1. Aki B 24@f1\n2. Ben B 22@f2\n3. Aki C f1=24\n4. Ben A 9@e1\n"
    played = record(turns, "22:H 24:H 25:H 30:1", "24 30 44")
    loose = Readings.option("facedown", "ignored") | Readings.option("facedown", "repeats")
    numbered = loose | Readings.option("between", "inclusive")
    found = quarrel_verdicts(played, 4)
    assert found.legal == numbered | Readings.option("opened_against", "loses")
    assert not found.undetermined
    stands = BOOKS["ja-2.2"].with_changes({"opened_against": "stands"})
    assert standing(played, 4, (BOOKS["ja-2.2"], stands)).slips == ((EarlierSlip(3, ("END02",)),), ())
    for rulings, codes in ((BOOKS["ja-2.2"], ()), (stands, ("TOW07",))):
        assert list(judged(played, rulings))[3] == codes
        later = replay(played, rulings, since=4)
        assert (later.slips, tuple(broken.clause for broken in later.broken)) == ((), codes)
        whole = replay(played, rulings, since=2)
        assert [broken.clause for broken in whole.broken] == (list(codes) or ["END04"])


def test_after_an_opened_card_a_tower_that_had_no_numbers_before_has_to_be_mended_too() -> None:
    """The table does not tell which turn left it so."""
    turns = "1. Aki A 24@f1\n2. Ben B 22@f2\n3. Aki B 30@h1\n4. Ben B 9@e1\n5. Aki C h1=30\n6. Ben A 3@d1\n"
    played = record(turns, "24:1 30:1 3:1", "24 30 44")
    stands = BOOKS["ja-2.2"].with_changes({"opened_against": "stands"})
    for rulings, codes in ((BOOKS["ja-2.2"], ()), (stands, ("TOW07",))):
        assert standing(played, 6, (rulings,)).slips == ((EarlierSlip(2, ("TOW07",)),),)
        assert list(judged(played, rulings))[5] == codes
        assert tuple(broken.clause for broken in replay(played, rulings, since=6).broken) == codes
        assert told(quarrel_verdicts(played, 6), rulings) == ("illegal" if codes else "legal")


@pytest.mark.parametrize(("rules", "seed", "turn"), FILLED)
def test_cards_that_fill_a_hand_belong_to_what_is_drawn(rules: str, seed: int, turn: int) -> None:
    """Where the turn does not fit, too: here the Finish card is laid over the 25, or a card fills the hand twice."""
    game = sample_game(2, "finish", parse_rules(rules), seed, "random")
    filled = game.turns[turn - 1]
    assert filled.fill
    assert isinstance(filled.action, LayUp)
    over = replace(filled, action=replace(filled.action, cell=STANDARD.anchor_cell))
    twice = replace(filled, fill=(*filled.fill, *filled.fill))
    named = replace(filled, fill=(FINISH, *filled.fill), player="Zoe")
    finish = replace(filled, fill=(FINISH, *filled.fill))
    for played in (filled, over, twice, named, finish):
        changed = replace(game, turns=(*game.turns[: turn - 1], played, *game.turns[turn:]), result=None)
        before = standing(changed, turn + 1).state
        values = list(tables(changed, changed.rules.rulings))[turn + 1]
        assert isinstance(before, State)
        want = state_of(values, before)
        names = (*COMPONENTS, *COUNTERS)
        assert [getattr(before, name) for name in names] == [getattr(want, name) for name in names]
        assert len(before.deck) == len(want.deck)


def test_what_a_turn_that_does_not_fit_draws_leaves_a_deck_that_is_not_listed() -> None:
    over = record("1. Aki A 17@f1\n2. Ben +14 A 22@g1\n3. Aki A 30@h1\n", "17:1 22:1")
    assert [len(before.deck) for at in (1, 2, 3) if (before := standing(over, at).state)] == [37, 37, 36]


def test_a_draw_that_was_not_noted_leaves_sizes_open() -> None:
    """Before the quarrel and in it: the table goes on, and what is wrong whatever was drawn is told."""
    open_ = record("1. Aki B 17@f1\n2. Ben +* A 22@e1\n3. Aki B 30@h1\n4. Ben A 26@f2\n", "17:1 22:1")
    before = standing(open_, 3, (BOOKS["ja-2.2"],))
    assert isinstance(before.state, State)
    assert (before.state.sizes(1), before.state.sizes(), before.shown) == ((2, 39), (0, 37), False)
    assert before.slips == ((),)
    assert quarrel_verdicts(open_, 2).legal == Readings.every()
    assert quarrel_verdicts(open_, 4).illegal == Readings.every()
    later = replay(open_, BOOKS["ja-2.2"], since=4)
    assert [each.clause for each in later.broken] == ["TOW02"]
