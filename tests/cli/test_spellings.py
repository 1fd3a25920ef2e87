"""One spelling for one thing: players, games of a file, and the option that was called otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from couperation_formal.cli.main import COMMANDS, cli
from tests.cli.run import BROKEN, LEGAL, couperation, objects, process

TWO = LEGAL + "\n" + BROKEN

SPELT = {
    "--at": "N", "--from": "N", "--until": "N", "--game": "K", "--rules": "RULES", "--marks": "FILE",
    "--players": "NAMES", "--budget": "N|deep", "--certificate": "OUT", "--config": "FILE",
}  # fmt: skip
"""What an option takes, the same in every command that has it."""


def commands() -> dict[str, click.Command]:
    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in COMMANDS}
    return {name: command for name, command in found.items() if command is not None}


def test_an_option_takes_the_same_everywhere() -> None:
    seen = set()
    for name, command in commands().items():
        for param in command.params:
            if not isinstance(param, click.Option):
                continue
            for spelling in param.opts:
                if spelling in SPELT:
                    assert param.metavar == SPELT[spelling], (name, spelling)
                    seen.add(spelling)
            for one, other in (("-o", "--output"), ("-q", "--quiet")):
                assert (one in param.opts) == (other in param.opts), name
    assert seen == set(SPELT)


def test_what_reads_several_games_can_be_asked_about_one() -> None:
    """But for what rewrites a file, or takes its games together."""
    for name, command in commands().items():
        options = {spelling for param in command.params for spelling in param.opts}
        if {"files", "file"} & options and name not in ("fmt", "fix", "infer"):
            assert "--game" in options, name


def test_one_game_of_a_file_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "two.cgn"
    file.write_text(TWO, encoding="utf-8")
    assert process("check", file).returncode == 1
    assert process("check", file, "--game", "1").returncode == 0
    (only,) = objects(couperation("check", file, "--game", "2", "--output-format", "json"))
    assert (only["game"], only["verdict"]) == (2, "illegal")
    none = process("check", file, "--game", "3")
    assert none.returncode == 2
    assert b"has no game 3: it has 2" in none.stderr


@pytest.mark.slow
def test_one_game_of_a_file_is_on_a_page(tmp_path: Path) -> None:
    file, page = tmp_path / "two.cgn", tmp_path / "page.html"
    file.write_text(TWO, encoding="utf-8")
    done = couperation("report", file, "--game", "2", "-o", page)
    assert (done.exit_code, done.stderr) == (0, f"1 game: {page}\n")
    assert "TOW02" in page.read_text(encoding="utf-8")
    none = couperation("report", file, "--game", "3", "-o", tmp_path / "other.html")
    assert none.exit_code == 2
    assert "has no game 3: it has 2" in none.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["new", "sample"])
def test_players_are_names_or_so_many(command: str) -> None:
    named = process(command, "--players", "Mia Jo あき").stdout.decode()
    assert '[Players "Mia Jo あき"]' in named
    assert "deal あき " in named
    counted = process(command, "--players", "3").stdout.decode()
    assert '[Players "Aki Ben Chie"]' in counted
    for text in (named, counted):
        assert couperation("check", "-", "--quiet", stdin=text).exit_code in (0, 3)


@pytest.mark.parametrize("command", ["new", "sample"])
@pytest.mark.parametrize(
    ("players", "words"),
    [
        ("1", "one player cannot play: the game is for 2 to 4"),
        ("5", "5 players cannot play: the game is for 2 to 4"),
        ("9" * 5000, "one player cannot play"),
        ("Aki Aki", "two players have the name Aki"),
        ("Aki Be;n", "is no name"),
    ],
)
def test_players_that_cannot_play(command: str, players: str, words: str) -> None:
    result = couperation(command, "--players", players)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in " ".join(result.stderr.split())


def test_other_names_play_the_same_game() -> None:
    named = couperation("sample", "--players", "Mia Jo", "--seed", "5", "--policy", "random").stdout
    usual = couperation("sample", "--players", "2", "--seed", "5", "--policy", "random").stdout
    assert named == usual.replace("Aki", "Mia").replace("Ben", "Jo")


@pytest.mark.parametrize("words", [("--turn", "1"), ("--turn=1",)])
def test_the_old_spelling_works_with_a_note(words: tuple[str, ...]) -> None:
    arguments = ("dispute", "-", "--output-format", "json")
    old = process(*arguments, *words, stdin=BROKEN.encode())
    new = process(*arguments, "--until", "1", stdin=BROKEN.encode())
    assert old.stdout == new.stdout
    assert json.loads(new.stdout)["turn"] == 1
    assert (old.returncode, old.stderr) == (new.returncode, b"note: --turn is now --until\n")
    assert new.stderr == b""
    assert "--turn" not in couperation("dispute", "--help").stdout


@pytest.mark.parametrize(
    ("words", "wrong", "near"),
    [
        (("check", "x", "--output-format"), "jsn", "json"),
        (("sample", "--policy"), "carful", "careful"),
        (("deadlock", "x", "--level"), "tabel", "table"),
        (("check", "x", "--color"), "nevr", "never"),
        (("completion",), "bsh", "bash"),
    ],
)
def test_a_word_that_is_nearly_one_is_answered_with_it(words: tuple[str, ...], wrong: str, near: str) -> None:
    told = couperation(*words, wrong)
    assert told.exit_code == 2
    assert f"; did you mean {near}?" in told.stderr
    assert "did you mean" not in couperation(*words, "qqq").stderr
