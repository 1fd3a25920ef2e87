"""Where each rulebook finds a record illegal that hides cards: all are asked together, and say what each says alone."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from couperation_formal.game.fact import DEFAULT, Steps
from couperation_formal.game.record import Game
from couperation_formal.game.rulings import Rules, registry
from couperation_formal.game.seen import seen_record as hide
from couperation_formal.hidden.smt.exact import first_illegal
from couperation_formal.notation.read import read, read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.disputes.dispute import dispute
from couperation_formal.questions.records.check import check
from tests.conftest import LONG
from tests.questions.records.spoil import mutations, sampled

pytestmark = pytest.mark.slow

HIDDEN = Path(__file__).resolve().parents[2] / "data" / "budget" / "hidden.cgn"
"""A public game that is illegal under every rulebook, in turns that each by itself takes a quarter of the budget."""


def test_the_turns_of_a_public_game_are_found_within_the_budget() -> None:
    (game,) = read(HIDDEN)
    assert isinstance(game, Game)
    found = dispute(game)
    assert found.untold == ()
    assert {name: (book.turn, book.code) for name, book in found.rulebooks.items()} == {
        "en-1": (14, "TOW02"), "en-2": (14, "TOW02"), "ja-2.2": (14, "TOW02"), "bgg": (16, "ACT07")
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(1, 60 if LONG else 5))
def test_each_rulebook_says_what_it_says_alone(seed: int) -> None:
    """Games cut short, spoiled in some turn, and hidden."""
    rng = Random(f"first illegal {seed}")
    head, first, rest = sampled(seed).partition("\n1. ")
    turns = [line for line in (first + rest).splitlines() if line[:1].isdigit()][: rng.randint(3, 7)]
    texts = [text for _, text in mutations(head + "\n" + "\n".join(turns) + "\n*\n", seed)]
    for text in rng.sample(texts, min(4 if LONG else 1, len(texts))):
        (item,) = read_text(text)
        if not isinstance(item, Game):
            continue
        (game,) = read_text(record_text(hide(item.record)))
        assert isinstance(game, Game)
        books = registry().rulebooks
        alone = {name: check(game, Rules(name, (), rulings)) for name, rulings in books.items()}
        said = {name: each for name, each in alone.items() if each.verdict == "illegal"}
        found = dispute(game, whole=True).rulebooks
        assert {name: book.verdict for name, book in found.items()} == {
            name: one.verdict for name, one in alone.items()
        }
        for name, one in said.items():
            code = next(each.code for each in one.diagnostics if each.severity == "error")
            assert (found[name].turn, found[name].code) == (one.turn, code), (name, record_text(game.record))
        together = first_illegal(game.record, {name: books[name] for name in said}, Steps(DEFAULT))
        assert all(at == said[name].turn for name, (at, _) in together.items())
        assert together or LONG
