"""Strict JSON and the small reader of positions: what is refused, and what is read."""

import json
import random
from typing import Any

import pytest
from couperation_checker import Verdict, check_certificate, check_object
from hypothesis import given, settings, strategies as st

from tests.checker.corruptions import pool
from tests.checker.hand import FREE, certificate, code
from tests.conftest import LONG

pytestmark = pytest.mark.slow

RIGHT = certificate("completable", {"column": "d", "filling": FREE})
TEXT = json.dumps(RIGHT)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "\ufeff" + TEXT,
        TEXT + "]",
        TEXT[:-1] + ', "format": 1}',
        TEXT.replace('"format": 1', '"format": NaN'),
        TEXT.replace('"format": 1', '"format": -Infinity'),
        TEXT.replace('"format": 1', '"format": 01'),
        TEXT.replace('"format": 1', '"format": 1' + "0" * 9),
        pytest.param(TEXT.replace('"format": 1', '"format": 1' + "0" * 100_000), id="a long number"),
        TEXT.replace('"format": 1', '"format": ' + "[" * 64 + "]" * 64),
        pytest.param("[" * 100_000, id="brackets"),
        pytest.param('{"a":' * 5_000 + "1" + "}" * 5_000, id="braces"),
        pytest.param(" " * (1 << 20) + TEXT, id="blanks"),
        pytest.param(json.dumps("\u00e9" * (1 << 19), ensure_ascii=False), id="letters of two bytes"),
        TEXT.replace("Aki", "\udc80"),
    ],
)
def test_what_is_not_json_within_bounds(text: str) -> None:
    verdict = check_certificate(text)
    assert (verdict.status, verdict.code) == ("rejected", "JSON")
    assert len(verdict.message) < 200
    assert verdict.message.isascii()
    assert ("no UTF-8" in verdict.message) is ("\udc80" in text)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "null",
        '"right"',
        "[[]]",
        f"[[{TEXT}]]",
        "[" * 64 + "]" * 64,
        TEXT.replace('"format": 1', '"format": 1.0'),
        TEXT.replace('"format": 1', '"format": 1e999'),
        TEXT.replace('"format": 1', '"format": true'),
        TEXT.replace('"format": 1', '"format": -1'),
        TEXT.replace('"d1": 13', '"d1": 13.0'),
        TEXT.replace('"d1": 13', '"d1": 130000000'),
        TEXT.replace('"d1": 13', '"d1": 0'),
        TEXT.replace('"d1": 13', '"d1": "13"'),
        TEXT.replace('"d1": 13', '"d8": 13'),
        TEXT.replace('"d1": 13', '"D1": 13'),
        TEXT.replace('"d1": 13', '"d1\\n": 13'),
        TEXT.replace('"d1": 13', '"d\u0661": 13'),
        TEXT.replace('"middle"', '"center"'),
        TEXT.replace('"anchor"', '"anker"'),
        TEXT.replace("tower-completable", "tower-complete"),
        TEXT.replace('"tower-completable"', '["tower-completable"]'),
    ],
)
def test_what_is_not_of_the_form(text: str) -> None:
    assert check_certificate(text)[:2] == ("rejected", "FORM")


def test_several_certificates_in_one_text() -> None:
    wrong = TEXT.replace('"d1": 13', '"d1": 14')
    assert check_certificate(f"[{TEXT}]") == Verdict("accepted", "", "")
    assert check_certificate(f'[{TEXT}, {{"format": 2}}]').status == "unsupported"
    assert check_certificate(f'[{{"format": 2}}, {wrong}, {TEXT}]')[:2] == ("rejected", "VALUE")


def moved(text: str) -> str:
    return code({**RIGHT, "position": text})


HEAD = '[CGN "1"]\n[Players "Aki Ben"]\n'


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}position\ntower 25@g1\n",
        f"{HEAD}position\ntower 25@g1",
        f"\ufeff\n{{ before }}\n{HEAD}\nposition ; here\n\n  tower\t25@g1 ; 26@h1\r\n\r\n",
        f"{HEAD}position\ntower {{ over\nlines }} 25@g1\n; {{ never closed\n",
        '[CGN "1"] [Players "Aki Ben"]\nposition\ntower 25@g1\n',
        '[CGN{x}"1"]\n[Event "; { [ ] no comment"]\n[Players\t"Aki Ben Cid D"]\nposition\ntower 25@g1\n',
        f'{HEAD}[Variant "first"]\n[Rules "nonsense"]\n[Marks "17:2"]\n[Odd ""]\nposition\ntower 25@g1\n',
        f"{HEAD}position\ngone ?\nlast g1\nhand Ben 1 ? 2\nreserve\ntower 25@g1\nhand Aki\nturn Aki\ndeck ? 50\n",
        f"{HEAD}position\ntower ~26@h1 25@g1 ~?@i1 ~?@g2\nlast g2\n",
    ],
)
def test_positions_that_are_read(text: str) -> None:
    assert moved(text) == "accepted"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "position\ntower 25@g1\n",
        HEAD,
        f"{HEAD}position\n",
        f"{HEAD}position\nhand Aki\n",
        f"{HEAD}tower 25@g1\n",
        f"{HEAD}position tower 25@g1\n",
        f"{HEAD}position\ntower 25@g1\n*\n",
        f"{HEAD}position\ntower 25@g1\n{{ open\n",
        f"{HEAD}position\ntower 25@g1 }}\n",
        pytest.param(HEAD + "position\ntower 25@g1\n" + "{\n" * 300_000, id="open braces"),
        pytest.param(HEAD + "position\ntower 25@g1\n" + '" { ; \n' * 100_000, id="open braces and quotations"),
        f'{HEAD}position\ntower 25@g1 "\n',
        f'{HEAD}position\ntower 25@g1\n[Event "late"]\n',
        f"{HEAD}position\ntower 25@g1\n{HEAD}position\ntower 25@g1\n",
        f'{HEAD}position\ntower 25@g1\n{{\n[CGN "1"]\n}}\n',
        '[Players "Aki Ben"]\n[CGN "1"]\nposition\ntower 25@g1\n',
        '[CGN "2"]\n[Players "Aki Ben"]\nposition\ntower 25@g1\n',
        '[CGN "1"]\nposition\ntower 25@g1\n',
        '[CGN "1"]\n[Players "Aki"]\nposition\ntower 25@g1\n',
        '[CGN "1"]\n[Players "Aki Aki"]\nposition\ntower 25@g1\n',
        '[CGN "1"]\n[Players "A B C D E"]\nposition\ntower 25@g1\n',
        '[CGN "1"]\n[Players "Aki {"]\nposition\ntower 25@g1\n',
        f'{HEAD}[Players "Aki Ben"]\nposition\ntower 25@g1\n',
        f'{HEAD}[Variant "last"]\nposition\ntower 25@g1\n',
        f'{HEAD}[Event\n"x"]\nposition\ntower 25@g1\n',
        f"{HEAD}[Event x]\nposition\ntower 25@g1\n",
        f'{HEAD}[Event "x"] position\ntower 25@g1\n',
        f"{HEAD}position\ntower 25@g1\ntower 25@g1\n",
        f"{HEAD}position\ntower 25@g1\nhand Aki\nhand Aki\n",
        f"{HEAD}position\ntower 25@g1\nhand\n",
        f"{HEAD}position\ntower 25@g1\nhand Cid\n",
        f"{HEAD}position\ntower 25@g1\nturn\n",
        f"{HEAD}position\ntower 25@g1\nturn Aki\n",
        f"{HEAD}position\ntower 25@g1\nturn Aki Ben\nhand Aki\nhand Ben\nreserve\n",
        f"{HEAD}position\ntower 25@g1\nlast\n",
        f"{HEAD}position\ntower 25@g1\nlast h1\n",
        f"{HEAD}position\ntower 25@g1\nlast g1 g1\n",
        f"{HEAD}position\ntower 25@g1\nfront Aki\n",
        f"{HEAD}position\ntower 25@g1\nreserve F\n",
        f"{HEAD}position\ntower 25@g1\nreserve 51\n",
        f"{HEAD}position\ntower 25@g1\nreserve 01\n",
        f"{HEAD}position\ntower 25@g1\nreserve 1, 2\n",
        f"{HEAD}position\ntower 25@g1\nreserve 1 1\n",
        f"{HEAD}position\ntower 25@g1\ndeck 25\n",
        f"{HEAD}position\ntower 25@g1\ngone \u0663\n",
        f"{HEAD}position\ntower 25@g1\ngone{' ?' * 50}\n",
        f"{HEAD}position\ntower\n",
        f"{HEAD}position\ntower 26@h1\n",
        f"{HEAD}position\ntower 25@g1 26@g1\n",
        f"{HEAD}position\ntower 25@g1 25@h1\n",
        f"{HEAD}position\ntower 25@g1 26@g2\n",
        f"{HEAD}position\ntower 25@g1 26@h1 27@g3\n",
        f"{HEAD}position\ntower 25@g1 26@k1\n",
        f"{HEAD}position\ntower 25@g1 26@n1\n",
        f"{HEAD}position\ntower 25@g1 26@h8\n",
        f"{HEAD}position\ntower 25g1\n",
        f"{HEAD}position\ntower 25@g1 F@h1\n",
        f"{HEAD}position\ntower 25@g1 ~F@h1\n",
        f'{HEAD}[Variant "finish"]\nposition\ntower 25@g1 ~F@h1\n',
        f'{HEAD}[Variant "finish"]\nposition\ntower 25@g1 F@h1\nfront Ben\n',
        f'{HEAD}[Variant "finish"]\nposition\ntower 25@g1\nfront Aki Ben\n',
        pytest.param(f"{HEAD}position\ntower 25@g1 ;{'x' * 65_536}\n", id="a long line"),
    ],
)
def test_positions_that_are_refused(text: str) -> None:
    assert moved(text) == "POSITION"


def test_the_apex_is_up_and_f_in_the_variant_finish() -> None:
    full = " ".join(f"{value}@{cell}" for cell, value in {**FREE, "g1": 25}.items())
    empty = {"column": "d", "filling": {}}
    assert code(certificate("completable", empty, f"tower {full}")) == "accepted"
    assert code(certificate("completable", empty, f"tower {full.replace('28@d7', '~28@d7')}")) == "POSITION"
    assert code(certificate("completable", empty, f"tower {full}", variant="finish")) == "POSITION"
    assert (
        code(certificate("completable", empty, f"tower {full.replace('28@d7', 'F@d7')}", variant="finish"))
        == "accepted"
    )


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["d", "d1", "F", "interval"]),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from([*RIGHT, "kind", "cells", "d1"]) | st.text(), inner)
    ),
)


@settings(max_examples=300 if LONG else 75)
@given(st.text() | st.text(alphabet='[]{}",:0123456789-e.ntf \\u'))
def test_any_text_gets_a_verdict(text: str) -> None:
    assert check_certificate(text).status == "rejected"


@settings(max_examples=300 if LONG else 40)
@given(VALUES)
def test_any_value_gets_a_verdict(value: Any) -> None:
    assert check_object(value).status in ("rejected", "unsupported")
    assert check_object({**RIGHT, "evidence": value}).code == "FORM"


@settings(max_examples=300 if LONG else 75)
@given(st.text() | st.text(alphabet='[]{}";\n @~?F12abg CGNtower'))
def test_any_position_gets_a_verdict(text: str) -> None:
    assert moved(text) == "POSITION"
    assert moved(f"{HEAD}position\ntower 25@g1 ;\n{text}") in ("POSITION", "accepted")


def test_certificates_with_changed_characters_get_a_verdict() -> None:
    rng = random.Random(7)
    texts = [json.dumps(one) for one in pool()]
    statuses = set()
    for _ in range(4000 if LONG else 1500):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            text = (
                text[:at] + rng.choice(['"', "[", "]", "{", "}", ",", ":", "1", "g", "\\", "\n", ""]) + text[at + 1 :]
            )
        verdict = check_certificate(text)
        assert isinstance(verdict, Verdict)
        assert (verdict.code != "") == (verdict.status == "rejected")
        statuses.add(verdict.status)
    assert statuses >= {"accepted", "rejected"}
