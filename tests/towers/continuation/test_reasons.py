"""Each kind of reason on a table of its own, beside a near miss that has none; the checker recounts certificates."""

from __future__ import annotations

import json
from typing import Any

import pytest
from couperation_checker.counting import SHAPE, table_faults
from couperation_checker.strict import Refused, Work, misfit

from couperation_formal.game.record import Position
from couperation_formal.game.rulings import spec_text
from couperation_formal.game.tower import UNSEEN
from couperation_formal.questions.tables.why import reason_data, table_sentence
from couperation_formal.towers.continuation.theorems import THEOREMS, Reason, reason
from couperation_formal.words.say import ENGLISH, say
from tests.towers.continuation.reasons_tables import FULL, certificate_of, position, state, without

DOWN = {**FULL, "d7": "F", "d6": "~24"}
NO_APEX = without("d7")
TWO_LEFT = without("d7", "e6")
UP_ONLY = "ja-2.2 replace_target=facedown_only"
GONE = "1 2 3 4 5 6 7 8 9 10 11 12 41 42 43 44 45 46 47 48"
COMPLETION = "ja-2.2 early_apex=win_on_completion"

CASES: dict[str, tuple[str, Position, Position, str]] = {
    "the Finish card is gone": (
        "finish",
        position(NO_APEX, aki="28", finish=True),
        position(NO_APEX, front="Aki", finish=True),
        "gone",
    ),
    "the Finish card in the Reserve without a number": (
        "finish",
        position(NO_APEX, aki="45 12", reserve="F", finish=True, rules="ja-2.2 finish_value=none"),
        position(NO_APEX, front="Aki", finish=True, rules="ja-2.2 finish_value=none"),
        "Reserve",
    ),
    "the Finish card on a cell that stays": (
        "finish",
        position(without("d7", j1="F"), aki="45 12", finish=True, rules=UP_ONLY),
        position(without("d7", j1="F"), aki="45 5", reserve="40", finish=True),
        "j1",
    ),
    "the Finish card lies over a down card": (
        "apex",
        position(DOWN, aki="28", finish=True),
        position(DOWN, aki="28", finish=True, rules=COMPLETION),
        "d7",
    ),
    "an apex that may not be replaced": (
        "apex",
        position(without(d6="~24"), aki="12 2", rules=UP_ONLY),
        position(without(d6="~24"), aki="12 2", rules=UP_ONLY + " early_apex=win_on_completion"),
        "d7",
    ),
    "nothing to do": (
        "stuck",
        position(NO_APEX, aki="28", turn="Ben"),
        position(NO_APEX, aki="28"),
        "Player 2",
    ),
    "a deck, and no draw": (
        "stuck",
        position(NO_APEX, aki="45", turn="Ben", deck="28", hearts="13"),
        position(NO_APEX, aki="45", turn="Ben", deck="28"),
        "no card may be drawn",
    ),
    "fewer cards than cells": (
        "cards",
        position(TWO_LEFT, aki="28", turn="Aki"),
        position(TWO_LEFT, aki="28", ben="31", turn="Ben"),
        "2 empty cells",
    ),
    "no number fits": (
        "interval",
        position(NO_APEX, aki="45"),
        position(NO_APEX, aki="28"),
        "between 24 and 31",
    ),
    "two laid cards in the way": (
        "replacements",
        position(without("d7", d4="~12", h3="~41"), aki="28 11", reserve="18 38"),
        position(without("d7", h3="~41"), aki="28", ben="45 7", reserve="38", turn="Ben"),
        "have to be replaced",
    ),
    "two cards out of order": (
        "order",
        position(without("d7", d4="12", h3="41"), aki="28 11", reserve="18 38"),
        position(without("d7", h3="41"), aki="28", ben="45 7", reserve="38", turn="Ben"),
        "out of order: 2 pairs of up cards do not agree",
    ),
    "the Finish card can only be gone": (
        "finish",
        position(NO_APEX, aki="28 ?", finish=True, gone=f"{GONE} 49 ?"),
        position(NO_APEX, aki="28 ?", finish=True, gone=f"{GONE} 49"),
        "gone",
    ),
    "a sum that cannot be made": (
        "exchanges",
        position(TWO_LEFT, aki="28", ben="44 12", reserve="31", turn="Ben"),
        position(TWO_LEFT, aki="28", ben="43 12", reserve="31", turn="Ben"),
        "actions D",
    ),
    "a sum of two players' cards": (
        "exchanges",
        position(TWO_LEFT, aki="28 43", ben="12", reserve="31", turn="Ben"),
        position(TWO_LEFT, aki="28", ben="12 43", reserve="31", turn="Ben"),
        "actions D",
    ),
    "nobody has two cards for an action D": (
        "turns",
        position(NO_APEX, aki="?", ben="?", reserve="28", gone=GONE),
        position(NO_APEX, aki="? ?", reserve="28", gone=GONE),
        "player 1 1, player 2 1",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_kind_has_its_table(name: str) -> None:
    kind, dead, _, words = CASES[name]
    found = reason(state(dead), dead.rules.rulings)
    assert found is not None
    assert found.kind == kind
    assert found.theorem == THEOREMS[kind]
    assert words in say(table_sentence(reason_data(found)), ENGLISH)


@pytest.mark.parametrize("name", CASES)
def test_the_near_miss_has_none(name: str) -> None:
    _, _, alive, _ = CASES[name]
    assert reason(state(alive), alive.rules.rulings) is None


def test_every_kind_is_tried() -> None:
    assert {kind for kind, _, _, _ in CASES.values()} == set(THEOREMS)


def test_every_theorem_is_a_heading() -> None:
    headings = [line.lstrip("# ") for line in spec_text("table.md").splitlines() if line.startswith("#")]
    anchors = {heading.lower().replace(",", "").replace(" ", "-") for heading in headings}
    assert set(THEOREMS.values()) <= anchors


def faults(asked: Position, evidence: dict[str, Any]) -> list[str]:
    certificate = json.loads(json.dumps(certificate_of(asked, Reason("cards", {})) | {"evidence": evidence}))
    assert misfit(certificate["evidence"], SHAPE, "evidence") is None
    return [
        code
        for code, _ in table_faults(certificate["position"], certificate["rulings"], certificate["evidence"], Work())
    ]


def evidence_of(asked: Position) -> dict[str, Any]:
    found = reason(state(asked), asked.rules.rulings)
    assert found is not None
    evidence: dict[str, Any] = certificate_of(asked, found)["evidence"]
    return evidence


@pytest.mark.parametrize("name", CASES)
def test_the_checker_accepts_and_refuses(name: str) -> None:
    """Every certificate is accepted; with a number changed, another kind, or the near miss as its table it is not."""
    kind, dead, alive, _ = CASES[name]
    evidence = evidence_of(dead)
    assert faults(dead, evidence) == []
    assert faults(alive, evidence)
    for number, value in evidence["numbers"].items():
        for other in {"above": (value + 1,), "below": (value - 1,)}.get(number, (value - 1, value + 1)):
            if other >= 0:
                assert faults(dead, {**evidence, "numbers": {**evidence["numbers"], number: other}}), number
    for other_kind in THEOREMS:
        if other_kind != kind and (kind, other_kind) != ("replacements", "exchanges"):  # which then holds as well
            assert faults(dead, {**evidence, "kind": other_kind}), other_kind
    assert faults(dead, {**evidence, "cells": [*evidence["cells"], "g1"]})
    assert faults(dead, {**evidence, "cards": [*evidence["cards"], 50]})
    if evidence["cells"]:
        assert faults(dead, {**evidence, "cells": []})


NUMBERS_OF_THE_NEAR_MISS: dict[str, dict[str, Any]] = {
    "fewer cards than cells": {"empty": 2, "cards": 2},
    "a sum that cannot be made": {"empty": 2, "cards": 3, "spent": 2},
    "a sum of two players' cards": {"empty": 2, "cards": 3, "spent": 2},
    "nobody has two cards for an action D": {
        "empty": 1, "down": 0, "owe": 1, "deck": 0, "draw": 1, "player 1": 2, "player 2": 0,
    },
    "nothing to do": {"player": 1, "deck": 0, "draw": 1},
}  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS_OF_THE_NEAR_MISS)
def test_right_numbers_that_prove_nothing_are_refused(name: str) -> None:
    kind, _, alive, _ = CASES[name]
    evidence = {"kind": kind, "numbers": NUMBERS_OF_THE_NEAR_MISS[name], "cells": [], "cards": []}
    assert faults(alive, evidence) == ["COUNT"]


def test_an_apex_that_lies_can_be_laid_again_once_all_are_up() -> None:
    """Opened first, then the apex replaced: no count speaks against it, whatever the ruling on an early apex."""
    shifted = {cell: str(int(card) + (int(card) >= 30)) for cell, card in FULL.items()}
    for ruling in ("no_win", "forbidden", "loses"):
        table = position({**shifted, "d6": "~24"}, ben="42 12", reserve="30", rules=f"ja-2.2 early_apex={ruling}")
        assert reason(state(table), table.rules.rulings) is None


def test_unseen_cards_are_favourable() -> None:
    """A hand card that is not seen could be the one that fits."""
    dead = position(NO_APEX, aki="45")
    assert reason(state(dead), dead.rules.rulings) is not None
    rest = " ".join(str(card) for card in range(1, 51) if str(card) not in {*NO_APEX.values(), "28", "45"})
    open_hand = position(NO_APEX, aki="?", gone=rest + " ?")
    assert UNSEEN not in state(open_hand).deck
    assert reason(state(open_hand), open_hand.rules.rulings) is None


def test_a_position_without_turn_is_no_table() -> None:
    text = '[CGN "1"]\n[Players "Aki Ben"]\nposition\ntower 25@g1\n'
    dead = CASES["fewer cards than cells"][1]
    certificate = certificate_of(dead, Reason("cards", {"empty": 2, "cards": 1}))
    with pytest.raises(Refused, match="nobody is to move"):
        list(table_faults(text, certificate["rulings"], certificate["evidence"], Work()))
    text = certificate["position"].replace("1:1 2:1", "1:1 2:5")
    with pytest.raises(Refused, match="Marks"):
        list(table_faults(text, certificate["rulings"], certificate["evidence"], Work()))
