"""Records as texts: what the checker refuses and reads, whatever it is given, and what it says of odd ones."""

import random
from collections import Counter

import pytest
from couperation_checker import check_certificate, check_object
from hypothesis import given, settings, strategies as st

from tests.checker.record_corruptions import HEAD, RIGHT, SETUP, TEXT, WRONG
from tests.checker.records import code, illegal, legal, sampled, text_of
from tests.conftest import LONG

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "old, new",
    [
        ('[CGN "1"]', '[CGN "2"]'),
        ('[Players "Ada Bo"]\n', ""),
        ('"Ada Bo"', '"Ada {"'),
        ("17:1", "17:3"),
        ("17:1", "51:1"),
        ("17:1", "25:2"),
        ("\n\ndeal", '\n[Variant "last"]\n\ndeal'),
        ("deal Ada", "deal Eve"),
        ("deal Bo", "deal Ada"),
        ("17 30 44", "17 30 51"),
        ("17 30 44", "17, 30 44"),
        ("reserve 1", "reserve 01"),
        ("1. Ada", "1 Ada"),
        ("1. Ada", "1234567. Ada"),
        ("1. Ada", "\u0661. Ada"),
        ("+0 ", ""),
        ("+0", "+"),
        ("+14", "+14,"),
        ("+14", "+0,14"),
        ("A 17@f1", "E 17@f1"),
        ("A 17@f1", "A"),
        ("A 17@f1", "A 17@f8"),
        ("A 17@f1", "A 17@n1"),
        ("A 17@f1", "A ~17@f1"),
        ("A 17@f1", "A 17@f1x25"),
        ("A 17@f1", "A f1=17"),
        ("A 17@f1", "A 1+2=17@f1"),
        ("A 17@f1", "C 17@f1"),
        ("A 17@f1", "C f1"),
        ("A 17@f1", "C f1=17x25"),
        ("A 17@f1", "D 17@f1"),
        ("A 17@f1", "D 30=17@f1"),
        ("A 17@f1", "D 30-44=17"),
        ("A 17@f1", "D 30-44&5=17@f1"),
        ("A 17@f1", "D 30-44=17@f1x"),
        ("A 17@f1", "- 17"),
        ("A 17@f1", "A 17@f1 drop"),
        ("A 17@f1", "A 17@f1 trim 7 drop 5"),
        ("A 17@f1", "A 17@f1 ???"),
        ("2. Bo", "deck 1\n2. Bo"),
        ("*\n", "draw\n"),
        ("*\n", "*\n*\n"),
        ("*\n", '*\n[CGN "1"]\n'),
        ("2. Bo +14 B 9@e1\n", "2. Bo +0 A 9@e1\n" * 2000),
        ("2. Bo", "position\n2. Bo"),
    ],
)
def test_records_that_are_refused(old: str, new: str) -> None:
    assert old in TEXT
    assert code(legal(TEXT.replace(old, new, 1), TEXT)) == "RECORD"


@pytest.mark.parametrize(
    "old, new",
    [
        ("A 17@f1", "A 17@f1 !? ~~ ?"),
        ("A 17@f1", "A 17@f1 ; a comment"),
        ("*\n", ""),
        ('"1"]', '"1"]\n[Odd "; {"]'),
        ("\n\n1.", "\n\n\n  1."),
        ('[CGN "1"]', '\ufeff[CGN "1"]'),
    ],
)
def test_records_that_are_read(old: str, new: str) -> None:
    assert code(legal(TEXT.replace(old, new, 1), TEXT)) == "accepted"


def test_scripts_are_unsupported() -> None:
    for text in ("(set-logic QF_LIA)\n", "; turn 9\n;\n  ; more\n\n(set-info :status unsat)\n(check-sat)\n"):
        verdict = check_certificate(text)
        assert (verdict.status, verdict.code) == ("unsupported", "")
        assert "any SMT solver" in verdict.message
    for text in ("; only a comment\n", ";(set-logic QF_LIA)", "(assert true)", '{"a": "(set-logic"}', ";" * (1 << 20)):
        assert check_certificate(text).status == "rejected"


@settings(max_examples=300 if LONG else 75)
@given(st.text() | st.text(alphabet='[]"\n 0123456789.ABCD@gf+-=x~?^dropim'))
def test_any_text_gets_an_answer(text: str) -> None:
    assert code({**RIGHT, "record": text}) in ("RECORD", "CLAUSE")
    for record in (WRONG + text, WRONG.replace("A 17@i1", text), WRONG.replace("reserve", f"{text}\nreserve")):
        assert check_object({**RIGHT, "record": record}).status in ("accepted", "rejected")


def test_changed_characters_get_an_answer() -> None:
    rng = random.Random(3)
    games = [text_of(sampled(seed)) for seed in range(3)]
    codes: Counter[str] = Counter()
    for _ in range(500 if LONG else 200):
        text = rng.choice(games)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice("0123456789F?ABCD@x=+-^_|~ \n,gh") + text[at + rng.randint(0, 1) :]
        codes[code({**legal(games[0], games[0]), "record": text, "evidence": {"world": text}})] += 1
    assert codes.keys() >= {"RECORD", "BROKEN", "accepted"}


def test_no_finish_card_is_drawn_in_the_variant_first() -> None:
    text = f"{HEAD}{SETUP}1. Ada +F,14 A 17@f1\n*\n"
    assert code(legal(text, text)) == "BROKEN"
    assert code(illegal(text, 1, "DRW05", {"card": "F", "place": 1, "top": "?"})) == "accepted"
    assert code(illegal(text, 1, "SET06", {"card": "F", "source": "deck"})) == "accepted"


def test_a_deck_drawn_to_its_end_shows_the_finish_card() -> None:
    shown = {17, 30, 44, 9, 21, 38, 1, 50, 12, 33, 40, 7, 25}
    rest = [value for value in range(1, 51) if value not in shown]
    head = HEAD.replace("\n\n", '\n[Variant "finish"]\n\n', 1)
    all_drawn = f"{head}{SETUP}1. Ada +{','.join(map(str, [*rest, 17]))} A 17@f1\n*\n"
    assert code(illegal(all_drawn, 1, "DRW06", {"place": 0, "left": 0})) == "accepted"
    assert code(illegal(all_drawn, 1, "DRW05", {"card": 17, "place": 38, "top": "?"})) == "accepted"
    assert code(illegal(all_drawn, 1, "DRW01", {"drawn": 38, "limit": 1, "left": 0})) == "accepted"
    too_many = all_drawn.replace("A 17@f1", "A 30@h1").replace(",17 ", ",F,17 ")
    assert code(illegal(too_many, 1, "DRW05", {"card": 17, "place": 39, "top": None})) == "accepted"
    assert code(illegal(too_many, 1, "DRW06", {"place": 0, "left": 0})) == "CLAUSE"


def test_a_question_mark_for_the_card_that_lies_there() -> None:
    text = f"{HEAD}{SETUP}1. Ada +0 B 17@f1\n2. Bo +0 C f1=?\n*\n"
    assert code(legal(text, text)) == "accepted"
    assert code(legal(text, text.replace("f1=?", "f1=17"))) == "accepted"
    assert code(legal(text, text.replace("f1=?", "f1=30"))) == "BROKEN"
    assert code(legal(text.replace("f1=?", "f1=17"), text)) == "WORLD"
    up = illegal(text.replace("B 17", "A 17"), 2, "ACT04", {"cell": "f1", "shown": "?", "lies": 17})
    assert code(up) == "accepted"
    none = illegal(text.replace("C f1", "C h1"), 2, "ACT04", {"cell": "h1", "shown": "?", "lies": None})
    assert code(none) == "accepted"
    replaced = f"{HEAD}{SETUP}1. Ada +0 B 17@h1\n2. Bo +0 D 38-9=29@h1x?\n*\n"
    taken = replaced.replace("reserve 1 50 12", "reserve 1 50 29").replace("x?\n", "x? trim 7\n")
    assert code(legal(taken, taken)) == "accepted"
    assert code(legal(taken, taken.replace("x?", "x~17"))) == "accepted"
    assert code(legal(taken, taken.replace("x?", "x~30"))) == "BROKEN"
    assert code(legal(taken, taken.replace("x?", "x17"))) == "WORLD"
    assert code(legal(taken.replace("x?", "x~17"), taken)) == "WORLD"


def test_a_set_up_that_is_not_told_holds_its_cards_all_the_same() -> None:
    """The 1 and the 50 lie in a Reserve without a line, so a deck that shows them shows them twice (SET06)."""
    bare = TEXT.replace("reserve 1 50 12 33 40 7\n", "")
    for card in (1, 50):
        shown = bare.replace("deal Bo 9 21 38\n", f"deal Bo 9 21 38\ndeck 14 {card}\n")
        assert code(illegal(shown, 0, "SET06", {"card": card, "count": 2})) == "accepted"
    assert code(legal(bare, TEXT)) == "accepted"
    assert code(illegal(bare, 0, "SET03", {"cards": 7, "size": 6})) == "CLAUSE"
    other = bare.replace("deal Bo 9 21 38\n", "deal Bo 9 21 38\ndeck 14 2\n")
    assert code(illegal(other, 0, "SET06", {"card": 2, "count": 2})) == "CLAUSE"


def test_a_deck_written_to_its_end_without_the_finish_card() -> None:
    shown = {17, 30, 44, 9, 21, 38, 1, 50, 12, 33, 40, 7, 25}
    rest = " ".join(str(value) for value in range(1, 51) if value not in shown)
    head = HEAD.replace("\n\n", '\n[Variant "finish"]\n\n', 1)
    setup = SETUP.removesuffix("\n")
    text = f"{head}{setup}deck {rest} 17\n\n1. Ada +0 A 17@f1\n*\n"
    assert code(illegal(text, 0, "SET06", {"card": "F", "count": 0})) == "accepted"
    assert code(illegal(text, 0, "SET06", {"card": "F", "count": 1})) == "NUMBERS"
