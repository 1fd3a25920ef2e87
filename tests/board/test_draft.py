"""A turn is made of its taps and of what follows from the table, and says at once what the rules think of it."""

from __future__ import annotations

import msgspec
import pytest

from bench.board import entered
from couperation_formal.board.judge import Draft, Drafted, Sum, draft_of, drafted, stood_before
from couperation_formal.game.fact import Unfit
from couperation_formal.game.record import Game, NoAction, Turn
from couperation_formal.game.rules.moves import legal_actions
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import Variant
from couperation_formal.notation.read import read as read_file, read_text
from couperation_formal.notation.write import action_text, record_text
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.words.say import ENGLISH, say
from tests.conftest import some
from tests.spec.book import ROOT

GAMES: list[tuple[int, Variant, str, bool]] = [
    (2, "first", "ja-2.2", False),
    (2, "finish", "bgg finish_refill=at_once", False),
    (3, "finish", "en-2 reserve_face=either adjust=up_to", False),
    (4, "first", "ja-2.2 draw_amount=exact no_action=skipped", False),
    (2, "finish", "ja-2.2 finish_value=none refill_amount=all_or_none", True),
    (4, "finish", "bgg reserve_face=either", True),
    (3, "first", "en-1 adjust=uniform", True),
]


def read(text: str) -> Game:
    item = next(iter(read_text(text)))
    assert isinstance(item, Game), item
    return item


def legal_file(name: str) -> Game:
    item = next(iter(read_file(ROOT / "examples" / "legal" / name)))
    assert isinstance(item, Game)
    return item


def turn(head: str, **taps: object) -> Drafted:
    """The next turn of this game with these taps."""
    return drafted(read(head), msgspec.convert(taps, Draft, strict=False))


@pytest.mark.parametrize("name", ["thursday.cgn", "finish.cgn"])
def test_a_whole_game_is_entered_by_its_taps(name: str) -> None:
    found = list(entered(legal_file(name)))
    assert len(found) > 20
    assert all(counts.taps <= counts.named for _, _, counts in found)


@pytest.mark.slow
@pytest.mark.parametrize("players, variant, rules, public", some(GAMES, 2))
def test_sampled_games_are_entered_by_their_taps(players: int, variant: Variant, rules: str, public: bool) -> None:
    entries = 0
    for seed in range(1, 6):
        record = sample_game(players, variant, parse_rules(rules), seed, "random", public)
        found = list(entered(read(record_text(record))))
        assert len(found) == len(record.turns)
        assert all(counts.taps <= counts.named for _, _, counts in found)
        entries += len(found)
    assert entries > 20


@pytest.mark.parametrize("players, variant, rules, public", GAMES)
def test_a_turn_that_was_played_is_begun_anew_with_its_taps(
    players: int, variant: Variant, rules: str, public: bool
) -> None:
    """As the page has it that puts it anew."""
    game = read(record_text(sample_game(players, variant, parse_rules(rules), 3, "random", public)))
    for place, played in enumerate(game.record.turns, 1):
        made = drafted(game, draft_of(played), place).turn
        assert made is not None
        assert msgspec.structs.replace(made, fill_open=played.fill_open, glyphs=played.glyphs) == played


def test_a_turn_of_a_legal_game_is_legal_and_nothing_is_due() -> None:
    game = legal_file("thursday.cgn")
    turns = game.record.turns
    for place, (_, draft, _) in enumerate(entered(game), 1):
        before = msgspec.structs.replace(game, record=msgspec.structs.replace(game.record, turns=turns[: place - 1]))
        found = drafted(before, draft)
        assert found.judged is not None
        assert (found.judged.verdict, [each for each in found.due if each.least]) == ("legal", [])
        assert found.judged.ends == ("win" if place == len(turns) else None)


def test_the_cells_that_are_lit_are_those_of_the_legal_actions() -> None:
    """Of every turn, for each card of the hand: what may be tapped is what the rules list."""
    game = legal_file("thursday.cgn")
    seen = 0
    for place in range(1, len(game.record.turns) + 1):
        draw = game.record.turns[place - 1].draw
        record = msgspec.structs.replace(game.record, turns=game.record.turns[: place - 1], result=None)
        found = drafted(msgspec.structs.replace(game, record=record), Draft(draw=tuple(map(str, draw))))
        state = stood_before(game.record, place)
        assert found.offers is not None
        drawn = carry_out(state, Turn(place, found.player, draw, NoAction()), state.to_move).drawn
        moves = {action_text(move) for move in legal_actions(drawn, state.to_move, record.rules.rulings)}
        hand = [str(card) for card in drawn.hands[state.to_move].known]
        lit = {f"A {card}@{cell}" for card, cells in found.offers.up.items() for cell in cells}
        lit |= {f"B {card}@{cell}" for card in hand for cell in found.offers.down}
        assert {each for each in moves if each[0] in "AB"} == lit
        assert {each[2:4] for each in moves if each[0] == "C"} == set(found.offers.opens)
        paid = {each.split("@")[0][2:] for each in moves if each[0] == "D"}
        assert paid == {f"{sums(each)}={each.taken}" for each in found.offers.sums if placed(each, moves)}
        seen += len(lit)
    assert seen > 100


def sums(each: Sum) -> str:
    adjust = "".join(f"{mark}{card}" for mark, card in zip(each.adjust, each.destroyed, strict=True))
    return f"{each.sent[0]}{each.sign}{each.sent[1]}{adjust}"


def placed(each: Sum, moves: set[str]) -> bool:
    return any(move.startswith(f"D {sums(each)}={each.taken}@") for move in moves)


HEAD = (
    '[CGN "1"]\n[Players "Aki Ben"]\n[Marks "17:2 30:1"]\ndeal Aki 17 30 44\ndeal Ben 2 9 46\nreserve 1 50 12 33 40 7\n'
)


def test_what_a_card_would_leave_is_told_with_its_cell() -> None:
    offers = turn(HEAD, draw=()).offers
    assert offers is not None
    leaves = offers.up["17"]["f1"]
    assert leaves.draw == (2,)
    assert leaves.windows["f2"] == (18, 24)
    assert leaves.windows["e1"] == (None, 16)


def test_an_illegal_turn_is_told_with_its_clause_its_numbers_its_places_and_who_allows_it() -> None:
    found = turn(f"{HEAD}1. Aki A 17@f1\n", card="9", cell="h1").judged
    assert found is not None
    assert found.verdict == "illegal"
    assert (found.found[0].clause, found.changes) == ("TOW01", {})
    found = turn(f"{HEAD}1. Aki A 17@f1\n", card="46", cell="j1").judged
    assert found is not None
    first = found.found[0]
    assert (first.clause, first.cells[:1]) == ("TOW05", ("j1",))
    assert {*found.changes} == {"spread=anywhere"}
    assert "gaps may remain" in say(found.changes["spread=anywhere"], ENGLISH)
    assert (found.books, found.nowhere) == (("en-1", "en-2"), False)


def test_drops_and_trims_are_asked_for_when_they_are_due() -> None:
    taps = {"draw": ("3",), "sent": ("17", "30"), "card": "12", "cell": "h1", "sign": "-"}
    found = turn(HEAD, **taps)
    assert found.judged is not None
    assert [(each.part, each.least) for each in found.due] == [("trim", 1)]
    assert "50" in found.due[0].cards
    assert "LIM02" not in {each.clause for each in found.judged.found}
    later = turn(HEAD, **taps, trim=("50",))
    assert later.due == ()


@pytest.mark.parametrize("taps", [{"card": "51"}, {"cell": "z9"}, {"card": "17", "cell": "1"}, {"draw": ("x",)}])
def test_words_that_are_none_are_refused_with_a_sentence(taps: dict[str, object]) -> None:
    with pytest.raises(Unfit, match="is no c"):
        turn(HEAD, **{"card": "17", "cell": "f1", **taps})


def test_a_turn_after_a_disputed_one_is_judged_by_itself() -> None:
    head = f"{HEAD}1. Aki A 17@i1 ~~\n"
    found = turn(head, card="9", cell="f1")
    assert found.offers is not None
    assert found.judged is not None
    assert found.judged.verdict == "legal", found.judged


def test_what_would_make_a_turn_legal_is_told_of_the_whole_turn() -> None:
    """The card does not lie in the hand, so no change that the orders hang on makes the turn legal."""
    found = turn(f"{HEAD}1. Aki A 17@f1\n", card="46", cell="j1").judged
    assert found is not None
    assert {*found.changes} == {"spread=anywhere"}
    other = turn(f"{HEAD}1. Aki A 17@f1\n", card="8", cell="j1").judged
    assert other is not None
    assert len(other.found) > 1
    assert other.changes == {}
