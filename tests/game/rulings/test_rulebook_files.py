"""Rulebooks of the user's own: what they may hold, and that anything else is refused at its place."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import couperation_formal as cf
from couperation_formal.game.rulings import MAX_BYTES
from tests.cli.run import couperation
from tests.kit.started import run

GAME = '[CGN "1"]\n[Players "Ada Bo"]\n1. Ada A ?@f1\n*\n'


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "house.toml"


@pytest.mark.parametrize(
    "text",
    [
        "finish_value = 25\n",
        'finish_value = "25"\n',
        "finish_value = 0x19 # twenty-five\n",
        'title = "Ours"\n"finish_value" = 2_5\r\n',
        "[rulebook.ours]\nfinish_value = +25\n",
    ],
)
def test_a_number_means_the_option_that_is_spelt_so(house: Path, text: str) -> None:
    house.write_text('base = "en-2"\n' * ("[" not in text) + text, encoding="utf-8", newline="")
    rules = cf.load_rules("house.toml")
    assert rules.rulings.finish_value == "25"
    assert rules.rulings == cf.load_rules("ja-2.2" if "[" in text else "en-2").rulings


REFUSED = [
    ("finish_value = 24", 1, 16, "24", "finish_value has no option that is a number; options: 25, none"),
    ("finish_value = 25.0", 1, 16, "25.0", "a number with a point"),
    ("between = 25", 1, 11, "25", "between has no option that is a number; options: strict, inclusive"),
    ("spread = 'anywhere'\nbetween = true", 2, 11, "true", "that is true or false"),
    ("  between   = 2.5 # odd", 1, 15, "2.5", "a number with a point"),
    ("between = 1979-05-27", 1, 11, "1979-05-27", "a date or a time"),
    ("between = ['strict']", 1, 11, "['strict']", "that is a list"),
    ("between = {a = 1}", 1, 11, "{a = 1}", "that is a table"),
    ("[between]\na = 1", 1, 1, "[between]", "that is a table"),
    ("between = 'inclusiv'", 1, 11, "'inclusiv'", "did you mean inclusive?; options: strict, inclusive"),
    ("betwen = 'strict'", 1, 1, "betwen", "there is no ruling 'betwen'; did you mean between?"),
    ("title = 5", 1, 9, "5", "a title is a text, not a number"),
    ("base = 'en-3'", 1, 8, "'en-3'", "did you mean en-2?"),
    ("base = 3", 1, 8, "3", "there is no rulebook that is a number"),
    ("finish_value = 25\nfinish_value = 25", 2, 18, "", "not TOML"),
    ("between = strict", 1, 11, "", "not TOML"),
    ("title = '''\nbetween = 1\n'''\nbetween = 2", 4, 11, "2", "that is a number"),
    ("rulebook = 5", 1, 1, "rulebook", "there is no ruling 'rulebook'"),
    ("[rulebook]\nmine = 5", 1, 1, "[rulebook]", "this is no table of rulings"),
    (f"between = {'9' * 5000}", 1, 11, "9" * 5000, "so many digits"),
    (f"between = 0x{'f' * 5000}", 1, 11, f"0x{'f' * 5000}", "that is a number"),
    (f"between = {'[' * 5000}", 1, 11, "[" * 5000, "nested too deeply"),
    (f"a{'.a' * 10} = 1", 1, 1, "a", "there is no ruling 'a'"),
    (f"a{'.a' * 32000} = 1", 1, 2, ".a" * 20, "nested too deeply"),
    ("'='" + ' . "a"' * 9000 + " = 1", 1, 5, None, "nested too deeply"),
    (f"between = {'x' * 9000!r}", 1, 11, None, "between has no option 'xxx"),
]


@pytest.mark.parametrize(("text", "line", "column", "word", "message"), REFUSED, ids=range(len(REFUSED)))
def test_anything_else_is_refused_at_its_place(
    house: Path, text: str, line: int, column: int, word: str | None, message: str
) -> None:
    house.write_text(text, encoding="utf-8")
    with pytest.raises(cf.RulesError) as caught:
        cf.load_rules("house.toml")
    found = caught.value
    assert str(found).startswith(f"house.toml:{line}:{column}: "), str(found)
    assert message in str(found)
    assert word is None or found.word == word
    result = couperation("check", "-", "--rules", "house.toml", stdin=GAME)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"house.toml:{line}:{column}: " in result.stderr
    assert max(map(len, result.stderr.splitlines())) < 420
    shown = result.stderr.rstrip("\n").splitlines()[-3:]
    assert shown[0].strip() == "|"
    assert shown[1].startswith(f"{line} | ")
    assert shown[2].strip().removeprefix("|").strip().strip("^") == ""
    if "…" not in shown[1]:
        assert shown[2].index("^") == len(f"{line} | ") + column - 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"between = 'strict'\n# \xff\n", "house.toml:2:3: this is no UTF-8"),
        (b"#" * (MAX_BYTES + 1), f"house.toml:1:1: this is too long: a rulebook has {MAX_BYTES} bytes at most"),
        (b"between = \x1b", "not TOML"),
        (b"between = \x00", "not TOML"),
    ],
)
def test_bytes_that_are_no_rulebook(house: Path, content: bytes, message: str) -> None:
    house.write_bytes(content)
    result = couperation("check", "-", "--rules", "house.toml", stdin=GAME)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "\x1b" not in result.stderr


def test_wherever_a_rulebook_comes_in(house: Path) -> None:
    """Every command with --rules, both sides of a comparison, the library: one complaint, exit 2, no traceback."""
    house.write_text("[rulebook.house]\nbetween = true\n", encoding="utf-8")
    Path("game.cgn").write_text(GAME, encoding="utf-8")
    for arguments in (
        ["check", "game.cgn", "--rules", "house.toml"],
        ["check", "game.cgn", "--rules", "house.toml spread=anywhere"],
        ["report", "game.cgn", "--rules", "house.toml", "--output", "page.html"],
        ["moves", "game.cgn", "--rules", "house.toml"],
        ["show", "game.cgn", "--rules", "house.toml"],
        ["complete", "game.cgn", "--rules", "house.toml"],
        ["deadlock", "game.cgn", "--rules", "house.toml"],
        ["sample", "--rules", "house.toml"],
        ["new", "Ada", "Bo", "--rules", "house.toml"],
        ["dispute", "--compare", "house.toml", "en-2"],
        ["dispute", "--compare", "en-2", "house.toml"],
    ):
        result = couperation(*arguments)
        assert result.exit_code == 2, (arguments, result.stdout)
        assert "house.toml:2:11: between has no option that is true or false" in result.stderr, arguments
        assert "2 | between = true" in result.stderr
        assert "Traceback" not in result.stderr
    assert not Path("page.html").exists()
    (game,) = cf.read("game.cgn")
    assert isinstance(game, cf.Game)
    with pytest.raises(cf.RulesError, match=r"house\.toml:2:11"):
        cf.check(game, "house.toml")


def test_the_verdict_under_an_unquoted_number_is_that_under_the_quoted_one(house: Path) -> None:
    """As a person does it: one process each."""
    record = Path(__file__).parents[2] / "data" / "games" / "game-50032-finish_value.cgn"
    answers = []
    for text in ("finish_value = 25", 'finish_value = "25"'):
        house.write_text(f'base = "ja-2.2"\n{text}\n', encoding="utf-8")
        done = run(["check", record, "--rules", "house.toml", "--output-format", "json"])
        data = json.loads(done.stdout)
        answers.append((done.returncode, data["verdict"], data["turn"], data["codes"]))
    assert answers[0] == answers[1]


def test_a_pipe_is_no_rulebook(house: Path) -> None:
    os.mkfifo(house)
    with pytest.raises(cf.RulesError, match="a rulebook is a file"):
        cf.load_rules("house.toml")
    with pytest.raises(cf.RulesError, match="cannot read"):
        cf.load_rules("a\0.toml")
