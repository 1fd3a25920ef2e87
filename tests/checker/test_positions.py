"""The recorded positions with known answers: the tests' own certificates say the same, and are accepted."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from couperation_checker import Verdict, check_certificate

from tests.checker.evidence import answer, repair

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "data" / "positions"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
RULEBOOKS = tomllib.loads((ROOT / "spec" / "rulings.toml").read_text(encoding="utf-8"))["rulebook"]


def rulings(words: str) -> dict[str, str]:
    """The rulings that a tag `Rules` names, as in `en-2 spread=adjacent`."""
    rulebook = next((word for word in words.split() if "=" not in word), "ja-2.2")
    chosen = {name: option for name, option in RULEBOOKS[rulebook].items() if name != "title"}
    return {**chosen, **dict(word.split("=") for word in words.split() if "=" in word)}


def test_there_are_positions() -> None:
    assert len(EXPECTED) >= 32


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED)
def test_known_answers(name: str) -> None:
    expected = EXPECTED[name]
    text = (FOLDER / name).read_text(encoding="utf-8")
    told = answer(text, rulings(expected["rules"]))
    assert told["claim"] == f"tower-{expected['verdict']}"
    repaired = repair(text, rulings(expected["rules"]), trees=False)
    assert repaired["evidence"]["distance"] == expected["repair"]
    assert check_certificate(json.dumps([told, repaired])) == Verdict("accepted", "", "")
