"""The specification's formulas, the rules and the checker: whole lists of broken clauses, all legal actions, every
component of the state after every turn.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest
from couperation_checker.replay import first_broken
from couperation_checker.strict import Work, read_record

from couperation_formal.formulas import judge as forms
from couperation_formal.formulas.judge import Judgement, after, book, failing, judge, legal_moves
from couperation_formal.formulas.writer import Values
from couperation_formal.game.record import NoAction, Record, Turn
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.moves import legal_actions
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rules.turn import ending
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, UNSEEN
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import draw_amounts, top_cards
from tests.agree.formulas_agree import TABLES, games, opened, slips
from tests.agree.small_boards import finished, random_rulings, table as small_table
from tests.agree.worlds import SMALL, random_state, rulings_with
from tests.checker.records import rulings_of
from tests.conftest import LONG, some
from tests.questions.records.spoil import mutations, sampled
from tests.spec.book import ROOT, chapters

pytestmark = pytest.mark.slow

RECORDS = sorted([*(ROOT / "examples").glob("*/*.cgn"), *(ROOT / "tests" / "data" / "games").glob("*.cgn")])
COMPONENTS = (
    "W", "H", "f", "R", "G", "laid", "touched", "moved", "turned", "replaced", "skipped", "due", "result",
)  # fmt: skip


def judged(record: Record) -> Judgement:
    return judge(record, record.rules.rulings)


def difference(record: Record, ours: Judgement) -> str | None:
    """How the formulas' answer on a fully seen record differs from that of the rules."""
    theirs = replay(record, record.rules.rulings)
    if ours.open_ is not None:
        shown = theirs.illegal is None and bool(theirs.doubts)
        return None if shown or not seen(record) else f"open at {ours.open_}, and the rules say {theirs.illegal}"
    broken = tuple(found.clause for found in theirs.broken if not found.warning)
    warned = tuple((found.turn, found.clause) for found in theirs.broken if found.warning)
    said = ours.turn, ours.broken, ours.reached, ours.warned
    if said != (theirs.illegal, broken, theirs.reached, warned):
        return f"{said} but {theirs.illegal, broken, theirs.reached, warned}"
    for place, (values, state) in enumerate(zip(ours.tables, theirs.states, strict=False)):
        if found := unlike(values, state):
            return f"after turn {place}: {found}"
    return None


def unchecked(text: str, ours: Judgement) -> str | None:
    """How the checker's answer on a fully seen illegal record differs from that of the formulas.

    Where a card is drawn from where it is not, the
    formulas take a second card of that name in the hand for some other card (D2), and the checker does not.
    """
    if ours.open_ is not None or ours.turn is None:
        return None
    place, listed = first_broken(read_record(text, Work()), rulings_of(text), 9999, Work())
    theirs, codes = {clause for clause, _ in listed}, set(ours.broken)
    same = theirs == codes or ({"DRW05", "SET06"} <= codes and codes < theirs)
    return None if same and place == ours.turn else f"{ours.turn, ours.broken} but the checker {place, listed}"


def seen(record: Record) -> bool:
    """Whether a record shows every card and mark that a turn names."""
    shown = [card for turn in record.turns for card in (*turn.draw, *turn.fill, *turn.drop, *turn.trim)]
    return len(record.marks) == STANDARD.cards and UNSEEN not in shown and bool(record.deals)


def unlike(values: Values, state: State) -> str | None:
    """The component of the state in which the formulas and the rules differ."""
    expected = forms.table(state)
    for name in COMPONENTS:
        if values.value(name) != expected[name]:
            return f"{name} is {values.value(name)} but {expected[name]}"
    deck = values.value("K")
    if len(deck) != len(state.deck) or any(
        top is not UNSEEN and forms.card(top) != card for card, top in zip(deck, state.deck, strict=True)
    ):
        return f"K is {deck} but {state.deck}"
    return None


@pytest.mark.parametrize("path", some(RECORDS), ids=lambda path: path.stem)
def test_recorded_games(path: Path) -> None:
    for game in games(path.read_text(encoding="utf-8")):
        assert difference(game.record, judged(game.record)) is None


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.id)
def test_the_examples_of_the_clauses(chapter: object) -> None:
    texts = [*chapter.accepts, *(example.text for example in chapter.refuses)]  # type: ignore[attr-defined]
    for game in (game for text in texts for game in games(text)):
        found = judged(game.record)
        assert difference(game.record, found) is None
        assert found.open_ is None


@pytest.mark.parametrize("seed", range(300 if LONG else 4))
def test_mutated_games(seed: int) -> None:
    text = sampled(seed)
    differing = []
    kinds: Counter[object] = Counter()
    for kind, spoiled in [("sampled", text), *mutations(text, seed)]:
        for game in games(spoiled):
            ours = judged(game.record)
            found = difference(game.record, ours)
            kinds[found] += 1
            if found is not None or (found := unchecked(spoiled, ours)) is not None:
                differing.append((kind, found))
    assert not differing
    assert kinds[None] > 30


@pytest.mark.parametrize("seed", range(250 if LONG else 8))
def test_whole_lists_of_clauses_under_rulings_drawn_at_random(seed: int) -> None:
    """The code and the order of all that a turn breaks which is spoiled in several ways at once."""
    for record in slips(seed, 20):
        ours, text = judged(record), record_text(record)
        assert difference(record, ours) is None, text
        assert unchecked(text, ours) is None, text


@pytest.mark.parametrize("seed", range(1000 if LONG else 56))
def test_legal_actions_on_small_boards(seed: int) -> None:
    rng = Random(f"formulas {seed}")
    rulings = rulings_with(rng)
    state = random_state(rng, rng.choice(SMALL), rulings)
    assert legal_moves(state, rulings) == legal_actions(state, state.to_move, rulings).actions


@pytest.mark.parametrize("seed", range(1000 if LONG else 8))
def test_legal_actions_on_the_printed_board(seed: int) -> None:
    rng = Random(f"formulas {seed}")
    rulings = rulings_with(rng)
    state = random_state(rng, STANDARD, rulings)
    assert legal_moves(state, rulings) == legal_actions(state, state.to_move, rulings).actions


@pytest.mark.parametrize("text", TABLES)
def test_legal_actions_early_in_a_game(text: str) -> None:
    """Cells apart from the tower, and a hand with `F` and the 25, which have one number."""
    state, rulings = opened(text)
    assert legal_moves(state, rulings) == legal_actions(state, state.to_move, rulings).actions


def turns_from(state: State, rulings: Rulings, rng: Random, most: int) -> list[tuple[Turn, State]]:
    """Some legal turns of a table, with the state after each as the rules have it."""
    seat = state.to_move
    found = []
    for amount in draw_amounts(state, rulings):
        turn = Turn(state.turns + 1, state.players[seat], top_cards(state.deck, amount), NoAction())
        drawn = carry_out(state, turn, seat)
        for action in legal_actions(drawn.drawn, seat, rulings).actions or (NoAction(),):
            acted = carry_out(state, msgspec.structs.replace(turn, action=action), seat)
            end = ending(acted, rulings)
            for played in finished(acted, end, rulings):
                after_it = carry_out(state, played, seat).after
                found.append((played, msgspec.structs.replace(after_it, result=end)))
    return rng.sample(found, min(most, len(found)))


def follow(state: State, rulings: Rulings, rng: Random, turns: int, most: int) -> int:
    """Compare the formulas with the rules on turns from this table on; how many turns there were."""
    count = 0
    given = {
        **msgspec.structs.asdict(rulings), **forms.constants(state.board), **forms.table(state),
        "deck": (), "order": state.deck, "deals": (), "reserve": (),
    }  # fmt: skip
    before = book().values(given)
    for turn, expected in turns_from(state, rulings, rng, most):
        values = before.given(forms.turn_of(turn, state.turns + 1, before.value("W")))
        assert failing(values, values.value("asked")) == (), turn
        assert unlike(after(values), expected) is None, turn
        count += 1
        if turns > 1 and expected.result is None:
            count += follow(expected, rulings, rng, turns - 1, most)
    return count


@pytest.mark.parametrize("variant", ["first", "finish"])
@pytest.mark.parametrize("seed", range(30 if LONG else 3))
def test_turns_on_small_boards(seed: int, variant: str) -> None:
    rng = Random(seed)
    number = seed * 10 + 2
    first = small_table(number, 2, variant)  # type: ignore[arg-type]
    assert follow(first, random_rulings(number), rng, 12 if LONG else 6, 2) > 5


def places(values: Values) -> Counter[object]:
    """How often each card lies somewhere."""
    hands, tower = values.value("H").values(), values.value("W").values()
    front = [("F",)] if values.value("f") is not None else []
    return Counter(
        [*(card for hand in hands for card in hand), *front, *values.value("R"), *values.value("G"), *values.value("K"),
         *(laid[1] for laid in tower)]
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(100 if LONG else 3))
def test_after_an_illegal_turn_no_card_is_in_two_places(seed: int) -> None:
    """The step is total: a misplaced card has left where it lay, and only a card that was laid over is nowhere."""
    text = sampled(seed)
    counted = 0
    for _, spoiled in mutations(text, seed):
        for game in games(spoiled):
            found = judged(game.record)
            if not found.turn or not found.tables or found.broken[0] in ("END04", "END05", "END06"):
                continue
            before = found.tables[-1]
            turn = forms.turn_of(game.record.turns[found.turn - 1], found.turn, before.value("W"))
            later = after(before.given(turn))
            now, then = places(later), places(before)
            assert max(now.values()) == 1, (found, turn)
            missing = set(then) - set(now)
            over = before.value("W").get(later.value("touched"))
            assert missing <= ({over[1]} if over else set()), (found, turn)
            counted += 1
    assert counted > 10


@pytest.mark.parametrize(
    "draw, broken",
    [
        ("43,16", ()),
        ("16,43", ("DRW05",)),
        ("16,16", ("DRW05", "SET06")),
        ("43,43", ("DRW05", "SET06")),
        ("43,17", ("DRW05", "SET06")),
        ("43,16,7,2", ("DRW04", "DRW05", "SET06")),
    ],
)
def test_what_a_wrong_draw_breaks(draw: str, broken: tuple[str, ...]) -> None:
    """A card that a draw names twice is in two places, even where the second time it is the deck's next one."""
    text = (
        '[CGN "1"]\n[Rules "ja-2.2"]\n[Players "Ada Bo"]\n\ndeal Ada 17 45 12\ndeal Bo 9 21 38\n'
        "reserve 1 50 33 40 7 28\ndeck 43 16 2\n\n1. Ada B 12@f1\n2. Bo B 38@h1\n3. Ada B 45@e1\n4. Bo B 21@i1\n"
        f"5. Ada B 17@d1\n6. Bo B 9@j1\n7. Ada +{draw} B 43@f2\n"
    )
    (game,) = games(text)
    found = judged(game.record)
    assert difference(game.record, found) is None
    assert tuple(code for code in found.broken if code not in ("ACT03", "LIM01")) == broken


def test_the_finish_card_sent_from_where_it_is_not_counts_as_little_as_any_other_time() -> None:
    """Under `finish_reserve_count=no` it takes up no room in the Reserve, though it lies there already (D3)."""
    text = (
        '[CGN "1"]\n[Rules "ja-2.2 finish_reserve_count=no"]\n[Variant "finish"]\n[Players "Ada Bo"]\n\n'
        "deal Ada 17 30 44\ndeal Bo 9 21 38\nreserve 1 50 12 33 40 19\ndeck F 6\n\n"
        "1. Ada +F,6 D F-6=19@f1\n2. Bo +0 D 9-F=12@e1\n"
    )
    (game,) = games(text)
    found = judged(game.record)
    assert difference(game.record, found) is None
    assert found.broken == ("ACT05", "SET06")


def test_an_apex_that_b_lays_down_ends_no_game() -> None:
    shown = {1, 50, 12, 33, 40, 7, 25, 17, 30, 44, 9, 21, 38, 6, 8}
    text = (
        '[CGN "1"]\n[Rules "en-1 early_apex=loses"]\n[Players "Ada Bo"]\n'
        f'[Marks "{" ".join(f"{card}:2" for card in range(1, 51))}"]\n'
        "deal Ada 17 30 44\ndeal Bo 9 21 38\nreserve 1 50 12 33 40 7\n"
        f"deck 6 8 {' '.join(str(card) for card in range(1, 51) if card not in shown)}\n"
        "1. Ada +0 A 17@f1\n2. Bo +6,8 B 9@g7 drop 38\n"
    )
    (game,) = games(text)
    found = judged(game.record)
    assert found.broken == ("TOW03", "TOW04", "TOW08")
    assert unchecked(text, found) is None
