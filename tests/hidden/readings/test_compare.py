"""Records that part two rulebooks: for every ruling, confirmed by a plain replay and by the formulas, none
shorter than the proven bound.
"""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.formulas.judge import judge
from couperation_formal.game.record import Game
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rulings import Rules, options_in_order, parse_rules, registry
from couperation_formal.game.state import Pile
from couperation_formal.game.tower import STANDARD, UNSEEN, Cell, Down, Tower, Up, Value, card_key
from couperation_formal.hidden.readings.sets import Readings, depends_on
from couperation_formal.hidden.readings.shortest import Difference, deal_for, differences, turns_needed
from couperation_formal.hidden.readings.standing import plain_verdicts
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text, turn_text
from couperation_formal.questions.disputes.compare import compare
from tests.conftest import LONG, some
from tests.hidden.readings.compare import PAIRS
from tests.hidden.readings.readings import union
from tests.hidden.readings.records import random_reading, sampled, spoiled, told
from tests.kit.rulings import drawn

pytestmark = pytest.mark.slow

BOOKS = list(registry().rulebooks)


def under(rules: Rules, text: str) -> str:
    """The formulas' verdict on a text under other rules."""
    (game,) = read_text(text)
    found = judge(game.record, rules.rulings)  # type: ignore[union-attr]
    assert found.open_ is None
    return "legal" if found.turn is None else "illegal"


def confirmed(found: Difference, books: tuple[Rules, Rules]) -> None:
    """The record does what is said of it, under a plain replay and by the formulas."""
    record = found.record
    assert record is not None
    assert found.accepts is not None
    accepting, refusing = books[found.accepts], books[1 - found.accepts]
    option = refusing.rulings.option(found.ruling)
    words = [word for word in str(accepting).split() if not word.startswith(f"{found.ruling}=")]
    changed = parse_rules(" ".join([*words, f"{found.ruling}={option}"]))
    text = record_text(record)
    assert "?" not in text
    assert record.rules.rulings == accepting.rulings
    assert replay(record, accepting.rulings).illegal is None
    assert replay(record, refusing.rulings).illegal == len(record.turns)
    assert under(accepting, text) == "legal"
    assert under(refusing, text) == "illegal"
    assert under(changed, text) == "illegal"
    assert found.least is not None
    assert found.least <= len(record.turns)


@pytest.mark.parametrize(("first", "second"), some(combinations(BOOKS, 2), 2))
def test_every_difference_between_two_rulebooks(first: str, second: str) -> None:
    books = parse_rules(first), parse_rules(second)
    found = list(differences(*books, most_turns=30))
    wanted = [name for name, _ in options_in_order() if len({book.rulings.option(name) for book in books}) == 2]
    assert [each.ruling for each in found] == wanted
    for each in found:
        assert each.options == tuple(book.rulings.option(each.ruling) for book in books)
        if each.ruling == "finish_half":
            assert each.record is None
            assert each.least is None
        else:
            confirmed(each, books)
            assert each.shortest
            assert each.both


NEVER = {("bgg", "refill_amount"), ("bgg", "opened_against")}
"""Two options of a ruling that are the same on top of a rulebook (`spec/dispute.md`)."""


@pytest.mark.parametrize("base", BOOKS if LONG else ["bgg"])
@pytest.mark.parametrize(("name", "one", "two"), PAIRS)
def test_every_two_options(base: str, name: str, one: str, two: str) -> None:
    books = parse_rules(f"{base} {name}={one}"), parse_rules(f"{base} {name}={two}")
    (found,) = differences(*books, most_turns=30)
    if (base, name) in NEVER:
        assert (found.record, found.least, found.tried) == (None, None, 0)
        return
    confirmed(found, books)
    assert found.shortest


@pytest.mark.parametrize("seed", range(40 if LONG else 4))
def test_any_two_rulebooks(seed: int) -> None:
    """Two readings drawn at random: what is found is confirmed; most is found."""
    rng = Random(seed)
    books = tuple(
        parse_rules(" ".join(["ja-2.2", *(f"{name}={option}" for name, option in drawn(rng).items())]))
        for _ in range(2)
    )
    found = list(differences(books[0], books[1], most_turns=30, most_steps=20_000 if LONG else 3_000))
    for each in found:
        if each.record is not None:
            confirmed(each, (books[0], books[1]))
        else:
            assert each.exhausted or each.least is None or each.least > 0
    assert sum(each.record is not None for each in found) >= len(found) // 2


def test_what_is_not_found_within_the_turns() -> None:
    (found,) = differences(parse_rules("en-2"), parse_rules("en-2 early_apex=no_win"), most_turns=26)
    assert (found.record, found.least, found.tried) == (None, 27, 0)


def test_a_search_that_is_given_up() -> None:
    (found,) = differences(parse_rules("en-2"), parse_rules("en-2 draw_source=opened"), most_turns=30, most_steps=5)
    assert found.record is None
    assert found.exhausted
    assert found.tried == 5


def test_a_finish_card_that_never_comes_to_the_reserve() -> None:
    rules = "en-2 finish_value=none finish_reserve_count="
    (found,) = differences(parse_rules(rules + "yes"), parse_rules(rules + "no"), most_turns=30)
    assert (found.record, found.least) == (None, None)


@pytest.mark.parametrize("change", ["row_order=weak", "between=inclusive"])
def test_numbers_that_are_never_equal(change: str) -> None:
    rules = "bgg finish_value=none"
    (found,) = differences(parse_rules(rules), parse_rules(f"{rules} {change}"), most_turns=30)
    assert (found.record, found.least, found.tried) == (None, None, 0)
    assert found.options[1] == change.partition("=")[2]


def test_numbers_that_the_deck_has_do() -> None:
    rules = "ja-2.2 row_order=weak between=inclusive"
    (found,) = differences(parse_rules(rules), parse_rules(f"{rules} facedown=deck"), most_turns=30)
    assert (found.record, found.least, found.tried) == (None, None, 0)
    if LONG:  # the search goes through thousands of turns; that it is made tests/hidden/readings/golden/tried.txt tells
        (found,) = differences(parse_rules(rules), parse_rules(f"{rules} facedown=ignored"), most_turns=30)
        assert found.record is not None


@pytest.mark.parametrize("seed", range(200 if LONG else 8))
def test_what_makes_no_difference_makes_none_in_games(seed: int) -> None:
    """The rulebooks for which no search is made, on sampled and spoiled games."""
    rng = Random(seed)
    record = sampled(seed)
    lax = {"row_order": ("weak",), "between": ("inclusive",)}
    for each in rng.sample([record, *(each for _, each in spoiled(record, seed))], 6):
        legal = plain_verdicts(each).legal
        blind = legal & union([{"facedown": ("ignored", "repeats"), "finish_value": ("none",)}])
        assert {"row_order", "between"}.isdisjoint(depends_on(blind))
        assert "finish_reserve_count" not in depends_on(legal & Readings.option("finish_value", "none"))
        assert "refill_amount" not in depends_on(legal & Readings.option("draw_amount", "exact"))
        assert "opened_against" not in depends_on(legal & Readings.option("facedown", "ignored"))
        for rulings in [random_reading(rng) for _ in range(40)]:
            changed = rulings.with_changes({name: options[0] for name, options in lax.items()})
            numbered = [changed.with_changes({"facedown": each}) in legal for each in ("deck", "integers", "repeats")]
            assert len(set(numbered)) == 1


def test_the_same_rulebook_twice() -> None:
    assert list(differences(parse_rules("en-2"), parse_rules("en-2"), most_turns=30)) == []
    assert list(compare(parse_rules("bgg"), parse_rules("bgg"), 30)) == []


EARLIEST: dict[str, tuple[int, dict[str, tuple[str, ...]]]] = {
    "anchor": (4, {"spread": ("adjacent",)}),
    "between": (2, {}),
    "facedown": (2, {}),
    "hearts_below": (3, {}),
    "draw_amount": (2, {"finish_refill": ("next",)}),
    "draw_source": (3, {}),
    "early_apex": (27, {}),
    "heart_over_back": (3, {}),
    "opened_against": (3, {}),
    "replacements": (2, {}),
    "finish_in_hand": (3, {}),
    "no_action": (3, {}),
    "refill_amount": (3, {"finish_refill": ("next",)}),
}
"""The bounds of `spec/dispute.md`: before this turn, and within these readings, the ruling makes no difference."""


@pytest.mark.parametrize("seed", range(60 if LONG else 4))
def test_no_ruling_makes_a_difference_before_its_bound(seed: int) -> None:
    rng = Random(seed)
    record = sampled(seed)
    kinds = [record, *(each for _, each in spoiled(record, seed))]
    for each in kinds if LONG else rng.sample(kinds, 8):
        for turn in range(min(6, len(each.turns)) + 1):
            found = plain_verdicts(each, turn=turn)
            for name, (bound, within) in EARLIEST.items():
                if turn < bound:
                    rulings = random_reading(rng).with_changes({key: value[0] for key, value in within.items()})
                    told_so = {
                        told(found, rulings.with_changes({name: option})) for option in dict(options_in_order())[name]
                    }
                    assert len(told_so) == 1, (name, turn)
                    assert within_same(found.legal, name, within)


def within_same(legal: Readings, name: str, within: dict[str, tuple[str, ...]]) -> bool:
    """Whether the part of the set within these options does not depend on the ruling."""
    return name not in depends_on(legal & union([within]))


def test_a_rulebook_that_refused_before_is_parted_by_another_ruling() -> None:
    """Fewer turns than the bound of `anchor`: en-2 keeps the record, with floating columns it does not; but ja-2.2
    refuses an earlier turn.
    """
    text = """[CGN "1"]
[Players "Ada Bo Cy"]
deal Ada 20 30 8
deal Bo 9 49 38
deal Cy 45 46 47
reserve 1 50 12 33 40
1. Ada +0 D 20+30=50@g1x25 trim 1
2. Bo +0 A 49@d1
3. Cy +0 -
stuck
"""
    (game,) = read_text(text)
    assert isinstance(game, Game)
    illegal = {
        rules: replay(game.record, parse_rules(rules).rulings).illegal
        for rules in ("en-2", "en-2 anchor=floating", "ja-2.2", "ja-2.2 anchor=middle")
    }
    assert illegal == {"en-2": None, "en-2 anchor=floating": 3, "ja-2.2": 2, "ja-2.2 anchor=middle": 2}


def test_the_bounds_at_the_start() -> None:
    start = starting_state(setup_of(sampled(0), STANDARD))
    en, ja = (parse_rules(book).rulings for book in ("en-2", "ja-2.2"))
    bgg = parse_rules("bgg").rulings
    assert turns_needed("anchor", start, en, ja) == 4
    assert turns_needed("anchor", start, en, en.with_changes({"anchor": "floating"})) == 1
    assert turns_needed("early_apex", start, en, ja) == 27
    assert turns_needed("early_apex", start, bgg, ja) == 28
    assert turns_needed("draw_source", start, en, ja) == 4
    assert turns_needed("hearts_below", start, en, ja) == 3


SHORTEST = {
    ("anchor", "middle", "floating"): 1,
    ("row_order", "strict", "weak"): 1,
    ("between", "strict", "inclusive"): 2,
    ("facedown", "deck", "ignored"): 2,
    ("facedown", "deck", "repeats"): 2,
    ("facedown", "ignored", "repeats"): 3,
    ("replace_target", "not_anchor", "facedown_only"): 2,
    ("hearts_below", "zero_each", "zero_all"): 3,
    ("draw_amount", "up_to", "exact"): 2,
    ("draw_source", "opened", "last_placed"): 4,
    ("draw_source", "opened", "nothing"): 3,
    ("draw_source", "last_placed", "nothing"): 3,
    ("heart_over_back", "nothing", "zero"): 3,
    ("opened_against", "loses", "stands"): 3,
    ("replacements", "each", "once"): 2,
    ("no_action", "loses", "skipped"): 3,
    ("refill_amount", "up_to", "all_or_none"): 3,
    ("finish_in_hand", "no", "yes"): 3,
    ("finish_refill", "next", "at_once"): 1,
    ("finish_value", "none", "apex_free"): 1,
}
"""Turns of a shortest record that parts two versions of en-2."""


@pytest.mark.parametrize(("options", "turns"), some(SHORTEST.items(), 3))
def test_the_turns_of_a_shortest_record(options: tuple[str, str, str], turns: int) -> None:
    name, one, two = options
    (found,) = differences(parse_rules(f"en-2 {name}={one}"), parse_rules(f"en-2 {name}={two}"), most_turns=6)
    assert found.record is not None
    assert (len(found.record.turns), found.least) == (turns, turns)


def test_the_bounds_after_a_turn() -> None:
    """With a pair of cards below, the next turn can lay a third on them; nothing is told apart in no turns."""
    en = parse_rules("en-2").rulings
    inclusive = en.with_changes({"between": "inclusive"})
    start = starting_state(setup_of(sampled(0), STANDARD))
    cells = {**start.tower.cells, Cell(STANDARD.anchor_cell.column + 1, 1): Up(Value(31))}
    pair = replace(start, tower=Tower.of(STANDARD, cells), turns=1)
    assert turns_needed("between", start, en, inclusive) == 2
    assert turns_needed("between", pair, en, inclusive) == 1


def test_the_bounds_of_the_further_rulings_after_a_turn() -> None:
    """A down card, a card replaced, a hand laid off, and 27 cards bring the difference nearer."""
    en = parse_rules("en-2").rulings
    start = starting_state(setup_of(sampled(0), STANDARD))
    anchor = STANDARD.anchor_cell
    cells = {**start.tower.cells, Cell(anchor.column + 1, 1): Down(UNSEEN)}
    down = replace(start, tower=Tower.of(STANDARD, cells), turns=1)
    cells[Cell(anchor.column, 2)] = Up(Value(30))
    over = replace(start, tower=Tower.of(STANDARD, cells), turns=2, laid=Cell(anchor.column, 2), marks={Value(30): "H"})
    empty = replace(start, hands=(Pile(frozenset(), 0), *start.hands[1:]), to_move=0, turns=2)
    apex = en.with_changes({"finish_value": "apex_free"})
    for name, option, states in [
        ("heart_over_back", "zero", [(start, 3), (down, 2), (over, 1)]),
        ("opened_against", "stands", [(start, 3), (down, 2)]),
        ("replacements", "once", [(start, 2), (replace(start, replaced=True), 1)]),
        ("no_action", "skipped", [(start, 3), (down, 2), (over, 1)]),
        ("refill_amount", "all_or_none", [(start, 3), (empty, 1)]),
    ]:
        assert [turns_needed(name, state, en, en.with_changes({name: option})) for state, _ in states] == [
            turns for _, turns in states
        ]
    assert [turns_needed("finish_value", state, en, apex) for state in (start, over)] == [27, 25]
    assert turns_needed("finish_value", start, apex, en.with_changes({"finish_value": "none"})) == 1
    at_once = en.with_changes({"finish_refill": "at_once"})
    assert turns_needed("refill_amount", start, at_once, at_once.with_changes({"refill_amount": "all_or_none"})) == 1


def test_a_deal_for_turns() -> None:
    text = """[CGN "1"]
[Players "Aki Ben"]
1. Aki +? B ?@f1
2. Ben +0 D 44-5=39@h1 trim ?
3. Aki +? C f1=17 drop ?
4. Ben +?,? D 30-12^9=19@f1x17 trim 44
5. Aki +0 B ?@i1
6. Ben +0 A 17@e1
"""
    (game,) = read_text(text)
    assert isinstance(game, Game)
    dealt = deal_for(game.record)
    assert [turn_text(turn) for turn in dealt.turns] == [
        "1. Aki +7 B 17@f1",
        "2. Ben +0 D 44-5=39@h1 trim 4",
        "3. Aki +8 C f1=17 drop 2",
        "4. Ben +12,9 D 30-12^9=19@f1x17 trim 44",
        "5. Aki +0 B 3@i1",
        "6. Ben +0 A 17@e1",
    ]
    assert dealt.deals == {"Aki": (17, 2, 3), "Ben": (44, 5, 30)}
    assert dealt.reserve == (1, 50, 39, 4, 19, 6)
    assert dealt.deck is not None
    cards = [*dealt.reserve, *dealt.deck, *(card for hand in dealt.deals.values() for card in hand)]
    assert sorted(cards, key=card_key) == [value for value in range(1, 51) if value != 25]
