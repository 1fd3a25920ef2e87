"""The fewest lines to correct, against every set of lines tried."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.game.record import Record, Turn, cards_of, with_cards
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board, Shown
from couperation_formal.hidden.smt.exact import Possible
from couperation_formal.hidden.smt.infer import Corrections
from couperation_formal.hidden.symbolic.cards import Line
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from tests.conftest import LONG
from tests.hidden.symbolic.asked import corrections, decide
from tests.hidden.symbolic.records import TINY, hidden, sampled, spoiled


def lines_of(record: Record) -> list[Line]:
    """The lines that show cards or marks, in the order of canonical text."""
    found: list[Line] = ["Marks"] if record.marks else []
    found += [f"deal {name}" for name in record.players if name in record.deals]
    found += ["reserve"] if record.reserve is not None else []
    found += ["deck"] if record.deck is not None else []
    return [*found, *range(1, len(record.turns) + 1)]


def corrected(record: Record, lines: tuple[Line, ...]) -> Record:
    """The record with the numbers and marks on these lines unseen; the Finish card is public and stays."""

    def unseen(cards: tuple[Shown, ...]) -> tuple[Shown, ...]:
        return tuple(card if card is FINISH else UNSEEN for card in cards)

    def turned(place: int, turn: Turn) -> Turn:
        if place not in lines:
            return turn
        action = with_cards(turn.action, unseen(cards_of(turn.action)))
        return replace(turn, draw=unseen(turn.draw), action=action, drop=unseen(turn.drop), trim=unseen(turn.trim))

    def setup(line: str, cards: tuple[Shown, ...] | None) -> tuple[Shown, ...] | None:
        return unseen(cards) if cards is not None and line in lines else cards

    return replace(
        record,
        marks={} if "Marks" in lines else record.marks,
        deals={name: setup(f"deal {name}", cards) or () for name, cards in record.deals.items()},
        reserve=setup("reserve", record.reserve),
        deck=setup("deck", record.deck),
        turns=tuple(turned(place, turn) for place, turn in enumerate(record.turns, start=1)),
    )


def by_trial(record: Record, board: Board, most: int = 2) -> tuple[Line, ...] | None:
    """The first least set of at most so many lines whose correction makes the record possible."""
    for size in range(most + 1):
        for lines in combinations(lines_of(record), size):
            if isinstance(decide(corrected(record, lines), record.rules.rulings, board), Possible):
                return lines
    return None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(80 if LONG else 6))
def test_the_fewest_lines_are_those_found_by_trial(seed: int) -> None:
    rng = Random(f"correct {seed}")
    board = TINY[seed % len(TINY)]
    record = spoiled(sampled(seed, board), rng, board, 1)
    record = hidden(record, rng) if rng.random() < 0.6 else record
    if len(record.turns) > 9:
        record = replace(record, turns=record.turns[:9], result=None)
    found = corrections(record, record.rules.rulings, board)
    assert found.complete
    want = by_trial(record, board)
    if want is None:
        assert found.lines is None or len(found.lines) > 2, record_text(record)
    else:
        assert found.lines == want, record_text(record)


def record_of(text: str) -> Record:
    (game,) = read_text(text)
    record: Record = game.record  # type: ignore[union-attr]
    return record


HEAD = '[CGN "1"]\n[Players "Aki Ben"]\n[Rules "ja-2.2 spread=anywhere"]\n'


@pytest.mark.slow
def test_the_first_line_that_fails_is_not_the_culprit() -> None:
    """Turn 1 says 44 where 24 was meant; two later turns fail for it, so the earlier line is the one to correct."""
    record = record_of(
        HEAD + "deal Aki ? ? ?\ndeal Ben ? ? ?\nreserve 1 50 12 33 40 7\n"
        "1. Aki A 44@f1\n2. Ben A 30@h1\n"
    )  # fmt: skip
    assert corrections(record, record.rules.rulings).lines == (1,)
    record = record_of(
        HEAD + "deal Aki 17 30 44\ndeal Ben ? ? ?\nreserve 1 50 12 33 40 7\n"
        "1. Aki A 17@f1\n2. Ben A 44@i1\n3. Aki A 30@h1\n4. Ben B ?@e1\n5. Aki B 9@d1\n"
    )  # fmt: skip
    assert corrections(record, record.rules.rulings).lines == ("deal Aki",)


def test_a_tie_goes_to_the_earliest_line() -> None:
    record = record_of(
        HEAD + "deal Aki ? ? ?\ndeal Ben ? ? ?\nreserve 1 50 12 33 40 7\n1. Aki A 20@f1\n2. Ben A 20@e1\n"
    )
    assert corrections(record, record.rules.rulings).lines == (1,)


def test_letters_cells_and_counts_are_not_corrected() -> None:
    record = record_of(HEAD + "1. Aki A 20@f2\n")
    assert corrections(record, record.rules.rulings) == Corrections(None)


def test_a_legal_record_needs_none() -> None:
    record = record_of(HEAD + "1. Aki A 20@f1\n")
    assert corrections(record, record.rules.rulings) == Corrections(())


def test_marks_are_a_line_of_their_own() -> None:
    """A heart on level 1 allows no draw; without the marks nothing is wrong."""
    record = record_of('[CGN "1"]\n[Players "Aki Ben"]\n[Marks "20:H"]\n1. Aki A 20@f1\n2. Ben +? A 30@h1\n')
    assert corrections(record, record.rules.rulings).lines == ("Marks",)


def test_a_spent_budget_leaves_it_open() -> None:
    record = record_of(HEAD + "1. Aki A 20@f1\n2. Ben A 20@e1\n")
    assert corrections(record, record.rules.rulings, STANDARD, budget=1) == Corrections(None, complete=False)
