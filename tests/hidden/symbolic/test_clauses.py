"""Every clause is asked symbolically: the specification's refused records are refused, for it and at its turn, and
without its rules they are not.
"""

from __future__ import annotations

import pytest

from couperation_formal.game.record import Record
from couperation_formal.hidden.smt import exact
from couperation_formal.hidden.smt.exact import Impossible, Possible
from couperation_formal.hidden.symbolic.record import Symbolic, symbolic
from couperation_formal.notation.read import read_text
from tests.conftest import LONG
from tests.hidden.symbolic.asked import decide
from tests.spec.book import Chapter, Example, chapters

CHAPTERS = [chapter for chapter in chapters() if any(not example.warned for example in chapter.refuses)]

MOST = None if LONG else 1

NAMED = {"END01": "END05", "END02": "END05"}
"""Where the symbolic run charges a record to another clause than its chapter: the clauses that define an end are broken
by those that use them.
"""


def record_of(text: str) -> Record:
    (game,) = read_text(text)
    record: Record = game.record  # type: ignore[union-attr]
    return record


def refused(chapter: Chapter) -> list[Example]:
    """Those that are refused; but for the long runs the first one only."""
    return [example for example in chapter.refuses if not example.warned][:MOST]


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.id)
def test_the_refused_records_are_refused_at_their_turn(chapter: Chapter) -> None:
    for example in refused(chapter):
        record = record_of(example.text)
        outcome = decide(record, record.rules.rulings)
        assert isinstance(outcome, Impossible)
        assert outcome.turn == example.turn
        named = {NAMED.get(chapter.id, example.code), *(example.also or ())}
        assert named & {rule.clause for rule in outcome.broken}


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.id)
def test_the_accepted_records_are_possible(chapter: Chapter) -> None:
    for text in chapter.accepts[:MOST]:
        record = record_of(text)
        assert isinstance(decide(record, record.rules.rulings), Possible)


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.id)
def test_without_its_rules_the_refusal_is_gone(chapter: Chapter, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found then is another clause, another turn, or a world that the plain replay refuses."""

    def without(clause: str) -> None:
        def thinned(*arguments: object, **others: object) -> Symbolic:
            run = symbolic(*arguments, **others)  # type: ignore[arg-type]
            run.table.rules = [rule for rule in run.table.rules if rule.clause != clause]
            return run

        monkeypatch.setattr(exact, "symbolic", thinned)

    for example in refused(chapter):
        record = record_of(example.text)
        clause = NAMED.get(chapter.id, example.code)
        without(clause)
        try:
            outcome = decide(record, record.rules.rulings)
        except (RuntimeError, StopIteration, KeyError):
            continue
        left = {rule.clause for rule in outcome.broken} if isinstance(outcome, Impossible) else set()
        assert clause not in left
