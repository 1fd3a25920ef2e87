"""What records force about marks: against every choice of marks, and in records made for it."""

from __future__ import annotations

from itertools import product
from math import prod
from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.game.record import Record
from couperation_formal.game.seen import seen_record as hide
from couperation_formal.game.tower import Mark, Value
from couperation_formal.hidden.smt import infer as infer_module
from couperation_formal.hidden.smt.exact import Possible
from couperation_formal.hidden.smt.infer import MOST_CLASHES, Claim, ClauseAt, Inference
from couperation_formal.hidden.symbolic.cards import MARKS
from couperation_formal.notation.read import read_text
from tests.conftest import LONG
from tests.hidden.readings.records import SMALL
from tests.hidden.symbolic import clashing
from tests.hidden.symbolic.asked import decide, infer
from tests.hidden.symbolic.brute import enumerate_worlds
from tests.hidden.symbolic.records import TINY, sampled, without_marks

pytestmark = pytest.mark.slow


def record_of(text: str, tags: str = "") -> Record:
    (game,) = read_text(f'[CGN "1"]\n[Players "Aki Ben"]\n[Rules "ja-2.2 spread=anywhere"]\n{tags}{text}')
    record: Record = game.record  # type: ignore[union-attr]
    return record


def inferred(*records: Record) -> Inference:
    return infer([(record, record.rules.rulings) for record in records])


def told(found: Inference) -> dict[int, tuple[str, ...]]:
    assert found.marks is not None
    return {known.card: known.marks for known in found.marks}


TWO_AFTER_20 = "1. Aki A 20@f1\n2. Ben +?,? A 30@h1 drop ?\n"
ONE_AFTER_20 = "1. Aki A 20@f1\n2. Ben +? A 30@h1\n"
NONE_AFTER_20 = "1. Aki A 20@f1\n2. Ben +0 A 30@h1\n"


def test_two_cards_drawn_after_a_card_of_level_1() -> None:
    """Only two diamonds allow two cards there."""
    found = inferred(record_of(TWO_AFTER_20))
    assert told(found) == {20: ("2",)}
    assert found.marks is not None
    assert found.marks[0].certain
    assert ClauseAt(0, 2, "DRW02") in found.marks[0].sources
    assert ClauseAt(0, 2, "DRW03") in found.marks[0].sources
    assert {place.turn for place in found.marks[0].sources} == {2}


def test_one_card_drawn_leaves_two_marks() -> None:
    assert told(inferred(record_of(ONE_AFTER_20))) == {20: ("1", "2")}
    assert told(inferred(record_of(NONE_AFTER_20))) == {}


def test_under_exact_no_card_drawn_means_a_heart() -> None:
    exact = record_of(NONE_AFTER_20).rules.rulings.with_changes({"draw_amount": "exact"})
    found = infer([(record_of(NONE_AFTER_20), exact)])
    assert told(found) == {20: ("H",)}


def test_several_records_of_one_deck_of_cards() -> None:
    """One leaves 20 one diamond or two, the other, under `exact`, one diamond or a heart."""
    exact = record_of("").rules.rulings.with_changes({"draw_amount": "exact"})
    first, second = record_of(ONE_AFTER_20), record_of(ONE_AFTER_20)
    found = infer([(first, first.rules.rulings), (second, exact)])
    assert told(found) == {20: ("1",)}
    assert found.marks is not None
    assert {place.record for place in found.marks[0].sources} == {0, 1} or {
        place.record for place in found.marks[0].sources
    } == {1}


def test_a_typo_in_one_of_three_is_named() -> None:
    right, typo = record_of(TWO_AFTER_20), record_of(ONE_AFTER_20)
    exact = typo.rules.rulings.with_changes({"draw_amount": "exact"})
    rules = right.rules.rulings
    found = infer([(right, rules), (typo, exact), (right, rules)])
    assert found.marks is None
    assert found.complete
    assert found.odd == (1,)
    assert [clash.records for clash in found.clashes] == [(0, 1), (1, 2)]


def test_contradictory_marks_tags() -> None:
    first = record_of(NONE_AFTER_20, '[Marks "5:1 6:2"]\n')
    second = record_of(NONE_AFTER_20, '[Marks "6:1"]\n')
    found = inferred(first, second)
    assert found.marks is None
    (clash,) = found.clashes
    assert clash.claims == (
        Claim(((Value(6), ("2",)),), (ClauseAt(0, 0, "Marks"),)),
        Claim(((Value(6), ("1",)),), (ClauseAt(1, 0, "Marks"),)),
    )
    assert found.odd == (0, 1)


def test_a_mark_that_one_record_gives_binds_the_other() -> None:
    found = inferred(record_of(TWO_AFTER_20), record_of(NONE_AFTER_20, '[Marks "20:H"]\n'))
    assert found.marks is None
    (clash,) = found.clashes
    assert [claim.bears for claim in clash.claims] == [((20, ("2",)),), ((20, ("H",)),)]
    assert [{(place.record, place.turn) for place in claim.sources} for claim in clash.claims] == [{(0, 2)}, {(1, 0)}]


def test_a_record_that_is_illegal_by_itself_takes_no_part() -> None:
    found = inferred(record_of("1. Aki A 20@h1\n"), record_of(TWO_AFTER_20))
    assert found.illegal == (ClauseAt(0, 1, "TOW01"),)
    assert told(found) == {20: ("2",)}


def test_a_set_up_that_shows_a_card_twice() -> None:
    found = inferred(record_of("deal Aki 3 4 5\ndeal Ben 3 ? ?\n" + ONE_AFTER_20), record_of(ONE_AFTER_20))
    assert found.illegal == (ClauseAt(0, 0, "SET06"),)
    assert told(found) == {20: ("1", "2")}


def test_a_spent_budget() -> None:
    found = infer([(record_of(TWO_AFTER_20), record_of("").rules.rulings)], budget=1)
    assert not found.complete
    assert found.marks is None


@pytest.mark.parametrize("seed", range(30 if LONG else 5))
def test_against_every_choice_of_marks(seed: int) -> None:
    """The marks of all cards tried in all ways, for one record or two, worlds enumerated."""
    board = TINY[seed % 3]
    rng = Random(seed)
    games = [sampled(seed, board)]
    if seed % 2:
        games.append(sampled(seed + 1000, board))
        games[1] = replace(games[1], marks=games[0].marks)
    records = []
    for game in games:
        cut = replace(game, turns=game.turns[: rng.randint(1, 3)], result=None)
        records.append(without_marks(hide(cut) if rng.random() < 0.3 else cut, 0.5, rng))
    if seed % 2:
        records[1] = replace(records[1], marks={})
    open_cards = [Value(value) for value in range(1, board.cards + 1)]
    possible: list[set[tuple[tuple[int, str], ...]]] = []
    for record in records:
        found = enumerate_worlds(record, record.rules.rulings, board, 50_000)
        possible.append({world.marks for world in found.worlds})
    assert prod(map(len, possible)) < 10**6
    want: dict[int, set[Mark]] = {}
    for chosen in product(*possible):
        joined: dict[int, set[str]] = {}
        for marks in chosen:
            for card, mark in marks:
                joined.setdefault(card, set()).add(mark)
        if all(len(marks) == 1 for marks in joined.values()):
            for card in open_cards:
                want.setdefault(card, set()).update(joined.get(card, MARKS))  # type: ignore[arg-type]
    answer = infer([(record, record.rules.rulings) for record in records], board)
    if any(not worlds for worlds in possible):
        assert answer.illegal
    elif not want:
        assert answer.marks is None
        assert [clash.records for clash in answer.clashes] == [(0, 1)]
    else:
        given = {card for record in records for card in record.marks}
        forced = {card: marks for card, marks in want.items() if len(marks) < 3 and card not in given}
        assert {card: set(marks) for card, marks in told(answer).items()} == forced
        below = all(record.rules.rulings.draw_amount == "up_to" for record in records)
        assert (len(answer.below) == len(records)) == below
        if below:
            assert all("2" in marks for marks in told(answer).values() if "1" in marks)


def test_marks_that_are_left_are_each_possible() -> None:
    record = without_marks(hide(sampled(4, SMALL[1])))
    found = infer([(record, record.rules.rulings)], SMALL[1])
    assert found.marks
    for known in found.marks:
        for mark in MARKS:
            outcome = decide(replace(record, marks={known.card: mark}), record.rules.rulings, SMALL[1])
            assert isinstance(outcome, Possible) == (mark in known.marks)


Bears = tuple[tuple[Value, tuple[Mark, ...]], ...]


def holds(bears: Bears, world: clashing.World) -> bool:
    borne = dict(zip(clashing.CARDS, world, strict=True))
    return any(borne[card] in marks for card, marks in bears)


def least(bears: Bears, sources: tuple[ClauseAt, ...], broken: list[clashing.Broken]) -> None:
    """The sources rule out every choice of marks that is not claimed, and none of them can be spared."""
    else_ = [world for world in product(MARKS, repeat=len(clashing.CARDS)) if not holds(bears, world)]
    kept = [
        {place for place in sources if (place.turn, place.clause) not in broken[place.record][world]} for world in else_
    ]
    assert {*sources} not in kept
    assert all({*sources} - {place} in kept for place in sources)


SEEDS = {3: (3,), 9: (2,), 18: (2, 3), 22: (2,), 62: (2, 3), 74: (2, 3)}
"""Copies, six games of each, with the sizes of their clashes. In all some clash is about several cards together."""


@pytest.mark.parametrize("seed", SEEDS if LONG else (9, 18))
def test_every_least_clash_and_what_each_game_claims(seed: int) -> None:
    """Which games clash, what they force and by which turns, against every choice of marks."""
    records, allowed = clashing.copy(Random(seed), 6)
    broken = [clashing.broken(record) for record in records]
    answer = inferred(*records)
    assert answer.complete
    assert [clash.records for clash in answer.clashes] == clashing.clashes(allowed)
    assert {len(clash.records) for clash in answer.clashes} == {*SEEDS[seed]}
    others = [allowed[:i] + allowed[i + 1 :] for i in range(len(allowed))]
    assert answer.odd == tuple(i for i, sets in enumerate(others) if clashing.common(sets))
    together = 0
    for clash in answer.clashes:
        claimed = [{world for world in product(MARKS, repeat=5) if holds(claim.bears, world)} for claim in clash.claims]
        assert not set.intersection(*claimed)
        for claim, worlds in zip(clash.claims, claimed, strict=True):
            (record,) = {place.record for place in claim.sources}
            assert allowed[record] <= worlds
            least(claim.bears, claim.sources, broken)
        borne = {i: clashing.borne(allowed[i]) for i in clash.records}
        apart = [card for card in clashing.CARDS if not set.intersection(*(borne[i][card] for i in clash.records))]
        if apart:
            want = [((card, tuple(m for m in MARKS if m in borne[i][card])),) for card in apart for i in clash.records]
            assert [claim.bears for claim in clash.claims] == want
            assert [claim.sources[0].record for claim in clash.claims] == [*clash.records] * len(apart)
        else:
            together += 1
            assert {claim.sources[0].record for claim in clash.claims} == {*clash.records}
            for i in range(len(claimed)):
                assert set.intersection(*claimed[:i], *claimed[i + 1 :])
    assert together


@pytest.mark.parametrize("seed", range(12 if LONG else 2))
def test_the_turns_named_force_the_marks_and_none_can_be_spared(seed: int) -> None:
    records, allowed = clashing.copy(Random(seed), 2)
    broken = [clashing.broken(record) for record in records]
    for some in ([0], [1], [0, 1]):
        answer, worlds = inferred(*(records[i] for i in some)), clashing.common([allowed[i] for i in some])
        assert (answer.marks is None) == (not worlds)
        given = {card for i in some for card in records[i].marks}
        borne = {card: marks for card, marks in clashing.borne(worlds).items() if card not in given}
        if worlds:
            assert {card: {*marks} for card, marks in told(answer).items()} == {
                card: marks for card, marks in borne.items() if len(marks) < 3
            }
        for known in answer.marks or ():
            least(((known.card, known.marks),), known.sources, [broken[i] for i in some])


@pytest.mark.parametrize(("games", "most"), [(13, MOST_CLASHES), (5, 4)] if LONG else [(5, 4)])
def test_more_clashes_than_are_named(games: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games, each with another mark than the next: the first clashes are named, no more than `MOST_CLASHES`."""
    monkeypatch.setattr(infer_module, "MOST_CLASHES", most)
    record = clashing.game(Random(0))
    found = inferred(*(replace(record, marks={Value(5): MARKS[i % 2]}) for i in range(games)))
    clashes = [(i, k) for i in range(games) for k in range(i + 1, games, 2)]
    assert [clash.records for clash in found.clashes] == clashes[:most] != clashes
    assert found.odd == ()
