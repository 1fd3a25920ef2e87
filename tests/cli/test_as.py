"""`show` and `position` as a player, or everybody at the table, could have known the table then."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.run import couperation
from tests.page.pages import BROKEN, LEGAL


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first nine turns of a game."""
    file = tmp_path_factory.mktemp("nine") / "game.cgn"
    file.write_text(LEGAL.read_text(encoding="utf-8").partition("\n10. ")[0] + "\n*\n", encoding="utf-8")
    return file


@pytest.mark.slow
def test_a_position_holds_what_the_player_knew(game: Path) -> None:
    whole = couperation("position", game, "--at", "9").stdout
    assert "~45@h2" in whole
    told = {}
    for name in ("Noor", "Tomas", "public"):
        result = couperation("position", game, "--at", "9", "--as", name)
        assert (result.exit_code, result.stderr) == (0, "")
        told[name] = [line for line in result.stdout.splitlines() if line.startswith(("tower", "hand", "gone"))]
    tower = "tower 11@e1 18@f1 25@g1 32@h1 39@i1 46@j1 15@e2 22@f2 29@g2 ~?@h2"
    assert told["public"] == [tower, "hand Mira ? ? ?", "hand Tomas ? ? ?", "hand Noor ? ?", "gone ? ?"]
    assert told["Noor"] == [*told["public"][:3], "hand Noor 33 43", "gone 2 ?"]
    tower = tower.replace("~?", "~45")
    assert told["Tomas"] == [tower, "hand Mira ? ? ?", "hand Tomas 4 7 19", "hand Noor ? ?", "gone 6 ?"]


def test_who_is_called_as_everybody_is_named_between_quotation_marks(tmp_path: Path) -> None:
    game = tmp_path / "x.cgn"
    game.write_text('[CGN "1"]\n[Players "public Ben"]\ndeal public 17 30 44\ndeal Ben 9 12 31\n')
    for name, hands in (
        ("public", ["public ? ? ?", "Ben ? ? ?"]),
        ('"public"', ["public 17 30 44", "Ben ? ? ?"]),
        ('"Ben"', ["public ? ? ?", "Ben 9 12 31"]),
    ):
        told = couperation("position", game, "--as", name).stdout
        assert [line for line in told.splitlines() if line.startswith("hand")] == [f"hand {each}" for each in hands]


def test_a_shown_table_does_too(game: Path) -> None:
    shown = couperation("show", game, "--at", "9", "--as", "Mira").stdout.replace(str(game), "")
    assert "~45" in couperation("show", game, "--at", "9").stdout
    assert "45" not in shown
    assert "8 12 40" in shown


@pytest.mark.parametrize("command", ["show", "position"])
def test_a_name_that_nobody_has(command: str) -> None:
    result = couperation(command, BROKEN, "--as", "tomaz")
    assert result.exit_code == 2
    assert "there is no player 'tomaz'; did you mean Tomas?" in result.stderr
