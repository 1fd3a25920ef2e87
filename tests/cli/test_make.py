"""new, sample, completion."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import couperation_formal
from tests.cli.run import couperation, objects


@pytest.mark.parametrize("players", ["Aki Ben", "Aki Ben Zoë", "a b c d"])
@pytest.mark.parametrize("variant", ["first", "finish"])
def test_a_new_record_is_well_formed_and_legal_so_far(players: str, variant: str) -> None:
    text = couperation("new", "--players", players, "--variant", variant, "--rules", "en-2", "--event", "Sunday").stdout
    (data,) = objects(couperation("check", "-", "--output-format", "json", stdin=text))
    assert (data["verdict"], data["event"], data["rules"], data["variant"]) == ("legal", "Sunday", "en-2", variant)
    assert couperation("fmt", "-", "--check", stdin=text).exit_code == 0


def test_the_turns_that_a_new_record_shows_can_be_read() -> None:
    text = couperation("new", "--players", "Aki Ben").stdout
    turns = [line.removeprefix("; ").split("  ")[0] for line in text.splitlines() if line.startswith("; ")][1:]
    assert len(turns) == 4
    filled = text.removesuffix("*\n") + "\n".join(turns) + "\n"
    (game,) = couperation_formal.read_text(filled)
    assert isinstance(game, couperation_formal.Game)
    assert [turn.number for turn in game.record.turns] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--players", "Aki"], "one player cannot play: the game is for 2 to 4"),
        (["--players", ""], "0 players cannot play"),
        (["--players", "a b c d e"], "5 players cannot play"),
        (["--players", "Aki Aki"], "two players have the name Aki"),
        (["--players", "Aki Be;n"], "is no name"),
        (["--players", "Aki [Ben]"], "is no name"),
        (["--players", "Aki Ben", "--event", 'the "big" one'], "Event"),
        (["--players", "Aki Ben", "--event", "two\nlines"], "Event"),
        ([], "--players"),
    ],
)
def test_what_no_record_can_hold_is_refused(arguments: list[str], words: str) -> None:
    result = couperation("new", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_a_new_record_under_a_rulebook_of_ones_own(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('spread = "anywhere"\n')
    text = couperation("new", "--players", "Aki Ben", "--rules", house).stdout
    assert '[Rules "ja-2.2 spread=anywhere"]' in text


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["en-2", "bgg spread=anywhere"])
def test_a_sample_is_a_legal_game_and_the_same_again(rules: str) -> None:
    arguments = [
        "sample",
        "--players",
        "3",
        "--variant",
        "finish",
        "--rules",
        rules,
        "--seed",
        "7",
        "--policy",
        "random",
    ]
    text = couperation(*arguments).stdout
    (data,) = objects(couperation("check", "-", "--output-format", "json", stdin=text))
    assert (data["verdict"], data["rules"], data["variant"]) == ("legal", rules, "finish")
    assert data["result"] != "unfinished"
    assert couperation(*arguments).stdout == text
    hidden = couperation(*arguments, "--public").stdout
    (data,) = objects(couperation("check", "-", "--output-format", "json", stdin=hidden))
    assert data["verdict"] in ("legal", "undetermined")
    assert "deck" not in hidden


def test_several_samples_are_those_of_the_next_seeds(tmp_path: Path) -> None:
    out = tmp_path / "three.cgn"
    made = ["sample", "--policy", "random", "--players", "3"]
    text = couperation(*made, "--seed", "5", "--games", "3").stdout
    assert text == "\n".join(couperation(*made, "--seed", str(seed)).stdout for seed in (5, 6, 7))
    assert couperation(*made, "--seed", "5", "--games", "3", "-o", out).exit_code == 0
    assert out.read_text("utf-8") == text
    games = objects(couperation("check", out, "--output-format", "json"))
    assert [(each["game"], each["verdict"]) for each in games] == [(1, "legal"), (2, "legal"), (3, "legal")]
    assert couperation("sample", "--games", "0").exit_code == 2


@pytest.mark.parametrize("arguments", [["--players", "1"], ["--players", "5"], ["--seed", "x"], ["--policy", "bold"]])
def test_a_sample_that_no_game_is_like(arguments: list[str]) -> None:
    assert couperation("sample", *arguments).exit_code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    result = couperation("completion", shell)
    assert "_COUPERATION_COMPLETE" in result.stdout
    assert result.exit_code == 0


@pytest.mark.parametrize(
    "words, suggestions",
    [
        ("couperation ch", ["check"]),
        ("couperation sample --ga", ["--games"]),
        ("couperation check --rules e", ["en-1", "en-2", "early_apex=forbidden"]),
        ("couperation check --rules 'en-2 spr", ["en-2 spread=adjacent", "en-2 spread=anywhere"]),
        ("couperation explain TOW0", [f"TOW0{number}" for number in range(1, 9)]),
    ],
)
def test_completion(words: str, suggestions: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from couperation_formal.cli.main import cli

    monkeypatch.setitem(os.environ, "COMP_WORDS", words)
    monkeypatch.setitem(os.environ, "COMP_CWORD", str(len(words.split("'")[0].split()) - ("'" not in words)))
    monkeypatch.setitem(os.environ, "_COUPERATION_COMPLETE", "bash_complete")
    from click.testing import CliRunner

    result = CliRunner().invoke(cli, [], prog_name="couperation")
    found = [line.partition(",")[2] for line in result.stdout.splitlines()]
    assert set(suggestions) <= set(found)
    if len(suggestions) != 3:
        assert found == suggestions


BLANK = """\
[CGN "1"]
[Players "Anna_Maria Ben"]
deal Anna_Maria 17 30 44
deal Ben 22 9 3
reserve 1 50 12 33 40 7
1. Anna_Maria +0 A 17@f1
2. Anna_Maria +0 A 22@f2
"""


@pytest.mark.parametrize("command", ["new", "sample"])
def test_a_name_may_hold_blanks(command: str) -> None:
    for value, players in (("Anna Maria,  Ben ", "Anna_Maria Ben"), ("Ann Ben", "Ann Ben"), ("Ann, Ben,", "Ann Ben")):
        text = couperation(command, "--players", value).stdout
        assert f'[Players "{players}"]' in text
        assert couperation("fmt", "-", "--check", stdin=text).exit_code == 0


def test_people_are_shown_the_blank_and_programs_what_is_written(tmp_path: Path) -> None:
    file, page = tmp_path / "x.cgn", tmp_path / "x.html"
    file.write_text(BLANK, "utf-8")
    told = "it is Ben's turn, not Anna Maria's"
    assert f"error[END06]: {told}" in couperation("check", file).stdout
    assert "2. Anna_Maria +0" in couperation("check", file).stdout
    for form in ("concise", "github", "junit"):
        out = couperation("check", file, "--output-format", form).stdout
        assert told in out.replace("&apos;", "'")
        assert "Anna_Maria's" not in out
    for form in ("json", "sarif", "csv"):
        out = couperation("check", file, "--output-format", form).stdout
        assert "not Anna_Maria's" in out
        assert "Anna Maria" not in out
    assert "Anna Maria" in couperation("show", file, "--at", "1").stdout
    assert "turn 1, Anna Maria" in couperation("moves", file, "--at", "1").stderr
    assert "turn 1, Anna Maria" in couperation("explain", "TOW05", file, "--at", "1").stdout
    assert couperation("report", file, "-o", page).exit_code == 0
    html = page.read_text("utf-8")
    assert f"It{told[2:]}." in html
    for told in ("Anna Maria lays 17 up on f1", "Anna Maria, Ben sit down", "<span>Anna Maria, Ben</span>"):
        assert told in html
    assert '<dt title="Anna Maria">' in html


@pytest.mark.parametrize("name", ["Anna Maria", "Anna_Maria", '"Anna Maria"'])
def test_a_view_is_named_with_blanks_too(name: str, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(BLANK, "utf-8")
    shown = couperation("show", file, "--at", "0", "--as", name)
    assert shown.exit_code == 0
    assert re.search(r"Anna Maria +17 30 44\n", shown.stdout)
    assert "22 9 3" not in shown.stdout


def test_what_is_to_be_written_is_told_as_it_is_written() -> None:
    text = BLANK.replace("2. Anna_Maria", "2. anna_maria")
    assert "write Anna_Maria" in couperation("check", "-", stdin=text).stdout
