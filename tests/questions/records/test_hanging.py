"""The sign of a turn with unseen cards: a check mark where it keeps the rules whatever they are, as Z3 confirms."""

from __future__ import annotations

import pytest

from bench.ticks import cut, sign
from couperation_formal.formulas.circuit import no
from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Game, NoAction, Record
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.seen import seen_record
from couperation_formal.hidden.smt.exact import names, solver_for
from couperation_formal.hidden.symbolic.record import symbolic
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import turn_text
from couperation_formal.questions.records.check import as_known
from couperation_formal.questions.records.sample import Policy, sample_game
from tests.conftest import LONG

RULES = ("ja-2.2", "bgg finish_refill=at_once", "en-2 draw_amount=exact", "bgg reserve_face=either replace_target=any")
POLICIES: tuple[Policy, ...] = ("careful", "random")


def exact(record: Record, at: int) -> str:
    """The verdict on turn `at` over all that the record does not show, where the turns before were played as they were,
    each card lay where a turn took it from, and no unseen card that was drawn is the Finish card, which is laid open.
    """
    run = symbolic(cut(record, at), record.rules.rulings, budget=Steps(4_000_000), since=at, places=True)
    solver, every = solver_for(run), names(run, at)
    solver.add(*(run.table.places or ()))
    if run.table.failing or not solver.can_hold(every):
        return "illegal"
    asked = [rule for rule in run.table.rules if rule.turn == at and rule.clause not in ("SET06", "DRW05", "DRW06")]
    solver.name("broken", no(run.table.circuit.all_of(rule.formula for rule in asked)))
    kept = [name for name in every if name not in {rule.name for rule in asked}]
    return "undetermined" if solver.can_hold([*kept, "broken"]) else "legal"


def games(seeds: range) -> list[tuple[Record, str]]:
    """Games as somebody saw them, with some of the marks."""
    found = []
    for seed in seeds:
        rules = parse_rules(RULES[seed % len(RULES)])
        whole = sample_game(2 + seed % 3, ("first", "finish")[seed % 2], rules, seed, POLICIES[seed % 3 % 2])
        record = seen_record(whole, whole.players[0] if seed % 4 == 3 else None)
        marks = {card: mark for card, mark in record.marks.items() if (int(card) + seed) % 5 or seed % 2}
        found.append((record.bearing(marks), f"{seed}"))
    return found


@pytest.mark.slow
def test_a_turn_is_ticked_where_and_only_where_nothing_that_is_not_seen_can_break_it() -> None:
    """Turns of games with unseen hands, as Z3 answers them over all that they may be. That no action was possible with
    unseen cards the plain rules never tell.
    """
    compared = 0
    for record, name in games(range(28 if LONG else 4)):
        for at in range(1 + len(record.turns) % 7, len(record.turns) + 1, 3 if LONG else 9):
            told, why = sign(record, at)
            turn = record.turns[at - 1]
            unsure = turn.action == NoAction() and told == "undetermined"
            assert unsure or told == exact(record, at), (name, turn_text(turn), why)
            assert bool(why) == (told == "undetermined")
            compared += 1
    assert compared > (200 if LONG else 10)


def test_every_right_turn_of_games_with_unseen_hands_is_ticked_where_the_marks_are_told() -> None:
    """Each turn of games of the first variant as everybody saw them, but a turn without an action."""
    turns = 0
    for seed in range(60 if LONG else 6):
        record = seen_record(sample_game(2 + seed % 3, "first", None, seed, POLICIES[seed % 2]))
        for at, turn in enumerate(record.turns, 1):
            told, why = sign(record, at)
            assert told == "legal" or turn.action == NoAction(), (seed, turn_text(turn), why)
        turns += len(record.turns)
    assert turns > 100


HEAD = """[CGN "1"]
[Rules "{rules}"]
[Players "Ida Jon"]
[Marks "18:2 25:1 {marks}"]

deal Ida ? ? ?
deal Jon ? ? ?
reserve 1 50 ? ? ? ?

"""


@pytest.mark.parametrize(
    ("turns", "marks", "verdict", "why"),
    [
        ("Ida +? A 18@f1", "", "legal", ""),
        ("Ida +? B ?@f1", "", "legal", ""),
        ("Ida A 17@f1/Jon +? A 16@e1", "", "undetermined", "17"),
        ("Ida A 17@f1/Jon +? A 16@e1", "17:1", "legal", ""),
        ("Ida A 17@f1/Jon +0 A 16@e1", "", "legal", ""),
        ("Ida B ?@h1/Jon C h1=?", "", "undetermined", "opened card"),
        ("Ida B ?@h1/Jon C h1=30", "", "legal", ""),
        ("Ida A ?@h1", "", "undetermined", "orders"),
        ("Ida +* A 18@f1", "", "undetermined", "how many"),
        ("Ida +? D ?+20=50@h1 trim 1", "", "undetermined", "sum"),
        ("Ida +30 A 18@f1/Jon +? B ?@h1/Ida B ?@e1/Jon C h1=30", "", "undetermined", "30"),
    ],
)
def test_what_a_verdict_hangs_on_is_told(turns: str, marks: str, verdict: str, why: str) -> None:
    """Of the last turn. In the last game the card that is opened was seen when another player drew it, so it cannot lie
    there: the plain rules cannot tell, and no check mark is shown.
    """
    text = HEAD.format(rules="ja-2.2", marks=marks)
    text += "".join(f"{place}. {turn}\n" for place, turn in enumerate(turns.split("/"), 1))
    game = next(iter(read_text(text)))
    assert isinstance(game, Game), game
    told, open_ = sign(game.record, len(game.record.turns))
    assert told == verdict, open_
    assert why in " ".join(open_)
    assert as_known(game).verdict == verdict
