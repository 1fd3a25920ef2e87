"""One field of a right certificate of a record is falsified: the formulas say what is true, the checker its code."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from couperation_formal.formulas.judge import Judgement, judge
from couperation_formal.game.rulings import options_in_order
from couperation_formal.game.seen import seen_record as hide
from couperation_formal.questions.records.verdict import legal_certificate
from tests.checker.record_corruptions import HEAD, RIGHT, SETUP, TEXT, WRONG, pool
from tests.checker.records import BREAKABLE, code, illegal, legal, mutated, read, rulings_of, sampled, text_of
from tests.conftest import LONG, some

pytestmark = pytest.mark.slow

SETS = {"card", "support", "down", "cell", "face", "action", "lower", "upper", "place", "top", "player", "source"}


@cache
def judged(text: str, rulings: tuple[tuple[str, str], ...] = ()) -> Judgement:
    """What the formulas say of a text, with these rulings in place of some of its own."""
    record = read(text)
    found = judge(record, record.rules.rulings.with_changes(dict(rulings)))
    assert found.open_ is None
    return found


def wanted(certificate: dict[str, Any]) -> set[str]:
    """The codes that may be the right answer, from the formulas; both ways where a card is drawn from where it is not,
    as the checker then names more clauses (D2).
    """
    answer = judged(certificate["record"], tuple(certificate["rulings"].items()))
    evidence = certificate["evidence"]
    if answer.turn is not None and answer.turn < evidence["turn"]:
        return {"TURN"}
    if evidence["turn"] > len(read(certificate["record"]).turns):
        return {"TURN"}
    if answer.turn == evidence["turn"]:
        if evidence["clause"] in answer.broken:
            return {"accepted", "NUMBERS"}
        return {"CLAUSE", "accepted", "NUMBERS"} if {"DRW05", "SET06"} <= {*answer.broken} else {"CLAUSE"}
    return {"CLAUSE"}


@pytest.mark.parametrize("seed", range(20) if LONG else [1])
def test_falsified_evidence_is_rejected(seed: int) -> None:
    rng = random.Random(seed)
    codes: Counter[str] = Counter()
    for one in pool(seed):
        evidence = one["evidence"]
        assert code(one) == "accepted"
        for turn in {evidence["turn"] - 1, evidence["turn"] + 1, 0, 99} - {evidence["turn"], -1}:
            moved = {**one, "evidence": {**evidence, "turn": turn}}
            found = code(moved)
            assert found in wanted(moved), (found, moved)
            assert found in ("TURN", "CLAUSE")
            codes[found] += 1
        for clause in rng.sample(sorted(BREAKABLE - {evidence["clause"]}), 4):
            found = code({**one, "evidence": {**evidence, "clause": clause}})
            assert found in ("CLAUSE", "NUMBERS") or {clause, evidence["clause"]} <= {"ACT03", "ACT08", "SET02"}
            codes[found] += 1
        numbers = evidence["numbers"]
        for name, value in numbers.items():
            others = [value + 1, value - 1, str(value), None] if isinstance(value, int) else ["", "g9", "~", 3]
            for other in others:
                found = code({**one, "evidence": {**evidence, "numbers": {**numbers, name: other}}})
                assert found == "NUMBERS" or (found == "accepted" and name in SETS), (name, other, one)
                codes[found] += 1
            assert code({**one, "evidence": {**evidence, "numbers": {**numbers, f"{name}s": 1}}}) == "NUMBERS"
            fewer = {key: item for key, item in numbers.items() if key != name}
            assert code({**one, "evidence": {**evidence, "numbers": fewer}}) == "NUMBERS"
            assert code({**one, "evidence": {**evidence, "numbers": {**numbers, name: 1.5}}}) == "FORM"
            assert code({**one, "evidence": {**evidence, "numbers": {**numbers, name: [value]}}}) == "FORM"
        for ruling, options in rng.sample(sorted(options_in_order()), 4 if LONG else 1):
            flipped = {**one, "rulings": {**one["rulings"], ruling: rng.choice(options)}}
            found = code(flipped)
            assert found in wanted(flipped), (ruling, found, flipped)
            codes[found] += 1
    assert codes.keys() == {"TURN", "CLAUSE", "NUMBERS", "accepted"}
    assert codes["accepted"] < codes["CLAUSE"]


@pytest.mark.parametrize("seed", range(20) if LONG else [1])
def test_a_world_that_breaks_a_clause_is_rejected(seed: int) -> None:
    codes: Counter[str] = Counter()
    for _, text in some(mutated(seed), 3):
        found = code(legal(text, text))
        codes[found] += 1
        assert found == ("accepted" if judged(text).turn is None else "BROKEN")
    assert min(codes["accepted"], codes["BROKEN"]) > (10 if LONG else 5)


def edits(text: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Single changes of what a record shows, apart from what means nothing."""
    lines = text.splitlines()
    for index, line in enumerate(lines):
        changed = []
        if line.startswith("[Players"):
            changed.append(line.replace("Aki Ben", "Ben Aki"))
        elif line.startswith("[Variant"):
            changed.append('[Variant "first"]' if "finish" in line else '[Variant "finish"]')
        elif line.startswith("[Marks"):
            changed += [re.sub(":[12]", ":H", line, count=1), re.sub(":H", ":1", line, count=1)]
        elif re.match(r"deal|reserve|deck", line):
            changed += [f"{line} ?", re.sub(r" \d+$", " 25", line)]
            changed += [] if line.startswith("deck") else [re.sub(r" (\d+|\?)$", "", line)]  # a deck may be longer
        elif re.match(r"\d+\.", line):
            number, name, draw, *rest = line.split()
            action = " ".join(rest)
            changed += [
                " ".join([f"{int(number[:-1]) + 1}.", name, draw, action]),
                " ".join([number, f"{name}x", draw, action]),
                " ".join([number, name, "+?" if draw == "+0" else f"{draw},?", action]),
                line.replace("A ", "B ", 1) if " A " in line else line,
                line.replace("=", "=~", 1) if " D " in line and "=~" not in line else line,
                re.sub(r"(\d)-(\d)", r"\1+\2", line) if " D " in line else line,
                re.sub(r"\^", "_", line, count=1),
                re.sub(r"@(.)\d", lambda m: f"@{m[1]}{rng.choice('89')}", line),
                re.sub(r"@g", "@h", line),
                re.sub(r"x~?(\d+|\?)", "", line),
                line if "drop" in line else f"{line.split(' trim')[0]} drop ?",
                re.sub(r"(drop|trim) ((?:\d+|\?))", r"\1 \2,?", line),
                re.sub(r" (\d+)@", lambda m: f" {int(m[1]) % 50 + 1}@", line),
                re.sub(r"trim (\d+)", lambda m: f"trim {int(m[1]) % 50 + 1}", line),
            ]
        elif line in ("win", "loss", "stuck"):
            changed += ["*", "win" if line == "loss" else "loss"]
        for new in changed:
            if new != line:
                yield line, "\n".join([*lines[:index], new, *lines[index + 1 :], ""])
        if re.match(r"\d+\.", line):
            yield line, "\n".join([*lines[:index], *lines[index + 1 :], ""])


@pytest.mark.parametrize("seed", range(40) if LONG else [1, 2])
def test_a_world_that_is_no_completion_is_rejected(seed: int) -> None:
    game = sampled(seed)
    certificate = legal_certificate(hide(game), game, game.rules.rulings)
    codes = Counter(
        code({**certificate, "record": text}) for _, text in some(edits(certificate["record"], random.Random(seed)), 3)
    )
    assert codes.keys() == {"WORLD", "RECORD"}
    assert codes["WORLD"] > (40 if LONG else 13)
    full = text_of(game)
    for line, text in some(edits(full, random.Random(seed)), 3):
        found = code(legal(text, full))
        assert found in ("WORLD", "RECORD"), (line, text)


def test_what_a_world_may_add() -> None:
    bare = '[CGN "1"]\n[Players "Ada Bo"]\n\n1. Ada +0 A ?@f1\n2. Bo +? B ?@e1\n*\n'
    assert code(legal(bare, TEXT)) == "accepted"
    assert code(legal(bare, TEXT.replace(" 25:1", ""))) == "accepted"
    assert code(legal(bare, TEXT.replace("17:1 ", ""))) == "UNSEEN"
    assert code(legal(bare, TEXT.replace("17:1", "17:H"))) == "BROKEN"
    assert code(legal(TEXT, bare)) == "WORLD"
    assert code(legal(bare, bare)) == "UNSEEN"
    assert code(legal(bare, TEXT.replace("9 21 38", "9 21 ?"))) == "UNSEEN"
    assert code(legal(bare, TEXT.replace("*\n", "win\n"))) == "WORLD"
    assert code(legal(TEXT.replace("*\n", ""), TEXT)) == "accepted"
    deck = TEXT.replace("\n\n1.", "\ndeck 14 6\n\n1.")
    assert code(legal(TEXT.replace("\n\n1.", "\ndeck 14\n\n1."), deck)) == "accepted"
    assert code(legal(deck, TEXT)) == "WORLD"
    assert code(legal(deck.replace("14 6", "14 ?"), deck)) == "accepted"
    assert code(legal(deck, deck.replace("14 6", "6 14"))) == "WORLD"
    empty = '[CGN "1"]\n[Players "Ada Bo"]\n\n*\n'
    assert code(legal(empty, f"{HEAD}{SETUP}*\n")) == "accepted"
    assert code(legal(empty, empty)) == "UNSEEN"


def test_a_drawn_finish_card_is_never_unseen() -> None:
    finish = HEAD.replace("\n\n", '\n[Variant "finish"]\n\n', 1)
    world = f"{finish}{SETUP}1. Ada +F,14 A 17@f1\n*\n"
    assert code(legal(world.replace("F,14", "F,?"), world)) == "accepted"
    assert code(legal(world.replace("F,14", "?,?"), world)) == "WORLD"
    assert code(legal(world.replace("+F,14", "+?"), world)) == "WORLD"


def test_every_code_of_a_claim_on_an_illegal_record() -> None:
    assert code(RIGHT) == "accepted"
    assert code({**RIGHT, "rulings": rulings_of(WRONG, row_order="weak")}) == "NUMBERS"
    assert code({**RIGHT, "record": TEXT}) == "CLAUSE"
    assert code({**RIGHT, "record": WRONG.replace("17 30 44", "17 30 1")}) == "TURN"
    assert code({**RIGHT, "record": WRONG.replace("17 30 44", "17 30 ?")}) == "UNSEEN"
    assert code({**RIGHT, "record": WRONG.replace("reserve 1 50 12 33 40 7\n", "")}) == "UNSEEN"
    assert code({**RIGHT, "record": WRONG.replace("B 9@e1", "B ?@e1")}) == "accepted"
    assert code({**RIGHT, "record": WRONG.replace("A 17@h1", "A ?@h1")}) == "UNSEEN"
    for claim in ("SET05", "END01", "END02", "END03", "TOW09", "", "TOW01 "):
        assert code({**RIGHT, "evidence": {**RIGHT["evidence"], "clause": claim}}) == "FORM"
    second = illegal(TEXT.replace("+14", "+14,6"), 2, "DRW02", {"drawn": 2, "limit": 1, "left": 35})
    assert code(second) == "accepted"
    assert code({**second, "record": second["record"].replace("17:1 ", "")}) == "UNSEEN"
    assert code({**second, "evidence": {**second["evidence"], "turn": 3}}) == "TURN"
    assert code({**second, "position": TEXT}) == "FORM"
    assert code({key: item for key, item in second.items() if key != "record"}) == "FORM"
    assert code({**second, "claim": "record-legal"}) == "FORM"
    unseen = illegal(TEXT.replace("17 30 44", "? ?"), 0, "SET02", {"player": "Ada", "cards": 2})
    assert code(unseen) == "accepted"
