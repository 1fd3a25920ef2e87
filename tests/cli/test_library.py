"""The public face of the package."""

from __future__ import annotations

import ast
import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import couperation_formal as cf
from tests.cli.run import BROKEN, GAMES, HEAD, LEGAL


def test_the_session_in_the_documentation() -> None:
    outcome = doctest.testmod(cf)
    assert outcome.attempted >= 6
    assert outcome.failed == 0


def test_importing_it_loads_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import couperation_formal; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert set(done.stdout.split()) <= {"couperation_formal", "__future__"}


def test_every_public_name_exists_and_is_listed() -> None:
    assert [name for name in cf.__all__ if getattr(cf, name) is None] == []
    assert {*cf.__all__} <= {*dir(cf)}


def test_the_lazy_names_are_those_that_type_checkers_see() -> None:
    stub = ast.parse(Path(cf.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imported = [(node.module, each) for node in stub.body if isinstance(node, ast.ImportFrom) for each in node.names]
    assert [each.asname for _, each in imported] == cf.__all__
    for home, each in imported:
        assert getattr(cf, each.name) is getattr(import_module(str(home)), each.name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chek'"):
        getattr(cf, "chek")  # noqa: B009


def test_rules_as_text_and_as_value() -> None:
    (game,) = cf.read(GAMES / "game-50009-spread.cgn")
    assert cf.check(game).verdict == "illegal"
    assert cf.check(game, "en-2").verdict == "legal"
    assert cf.check(game, cf.parse_rules("en-2 spread=adjacent")).verdict == "illegal"
    with pytest.raises(cf.RulesError):
        cf.check(game, "en-2 spread=no")


def test_a_rulebook_from_a_file(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('base = "bgg"\n')
    assert cf.load_rules(f"{house} spread=anywhere").rulings.option("spread") == "anywhere"
    assert cf.load_rules(str(house)).rulings == cf.load_rules("bgg").rulings
    with pytest.raises(OSError, match="house2"):
        cf.load_rules(str(tmp_path / "house2.toml"))


def test_states_positions_and_moves() -> None:
    (game,) = cf.read_text(BROKEN)
    assert isinstance(game, cf.Game)
    assert cf.state_after(game, 0).turns == 0
    assert cf.position_after(game, 1).turn == "Ben"
    assert cf.moves(game, 2).complete
    assert cf.moves(game, 1, "en-2") != cf.moves(game, 1)
    with pytest.raises(cf.NoSuchTurn):
        cf.state_after(game, 2)
    (legal,) = cf.read_text(LEGAL)
    assert isinstance(legal, cf.Game)
    assert cf.state_after(legal).turns == 1


def test_a_sample_can_be_written_and_checked() -> None:
    record = cf.sample_game(2, "first", cf.parse_rules("en-2"), 3, "random")
    (game,) = cf.read_text(cf.record_text(record))
    assert isinstance(game, cf.Game)
    assert game.record == record
    assert cf.check(game).verdict == "legal"


def test_the_text_of_a_new_record() -> None:
    (game,) = cf.read_text(cf.new_record(["Aki", "Ben"]))
    assert isinstance(game, cf.Game)
    assert cf.format_item(game).startswith(HEAD.splitlines()[0])
