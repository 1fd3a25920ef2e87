"""What one public function returns the next one takes, and it says what the command line says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import couperation_formal as cf
from tests.cli.run import couperation, objects
from tests.conftest import LONG

ROOT = Path(__file__).resolve().parents[3]
RECORD = cf.sample_game(seed=0)
STEPS = 1_200_000 if LONG else 20_000
"""Enough for the form of an answer; a long run asks with the usual budget."""
BEGUN = msgspec.structs.replace(RECORD, turns=RECORD.turns[:4], result=None)
(LOST,) = cf.read(ROOT / "examples" / "tables" / "lost.cgn")
assert isinstance(LOST, cf.Game)
POSITION = cf.position_after(RECORD, 20)
STATE = cf.state_after(RECORD, 20)
(SNAPSHOT,) = cf.read_text(cf.position_text(POSITION))
assert isinstance(SNAPSHOT, cf.Snapshot)


def forms(record: cf.Record) -> list[cf.GameLike]:
    (game,) = cf.read_text(cf.record_text(record))
    assert isinstance(game, cf.Game)
    return [game, record, cf.Table(record)]


PLACES: dict[str, cf.PlaceLike] = {"Position": POSITION, "Snapshot": SNAPSHOT, "State": STATE}

OF_GAMES: dict[str, Callable[[cf.GameLike], object]] = {
    "check": lambda game: cf.report_data(cf.check(game)),
    "dispute": lambda game: cf.dispute(game).data(),
    "infer": lambda game: cf.infer([game]).answer,
    "deadlock": lambda game: cf.deadlock(game).data(),
    "deadlock tower": lambda game: cf.deadlock(game, level="tower").data(),
    "first_dead_turn": lambda game: cf.first_dead_turn(game, "en-2", level="tower"),
    "state_after": lambda game: cf.state_after(game, 3),
    "position_after": cf.position_after,
    "moves": lambda game: cf.moves(game, 4),
    "moves_data": lambda game: cf.moves_data(game, 4, cf.moves(game, 4)),
    "complete": lambda game: cf.complete(game, 4, level="tower").data(),
    "table_winnable": lambda game: cf.table_winnable(game, 20),
    "windows": lambda game: cf.windows(game, 4).data(),
    "record_text": cf.record_text,
    "position_text": cf.position_text,
    "format_item": cf.format_item,
}
OF_PLACES: dict[str, Callable[[cf.PlaceLike], object]] = {
    "complete": lambda place: cf.complete(place, rules="en-2", level="tower").data(),
    "complete table": lambda place: str(cf.complete(place, rules="en-2")),
    "tower_completable": lambda place: cf.tower_completable(place, rules="en-2"),
    "table_winnable": lambda place: cf.table_winnable(place, rules="en-2"),
    "windows": lambda place: cf.windows(place, rules="en-2").data(),
    "moves": lambda place: cf.moves(place, rules="en-2"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_GAMES)
def test_a_game_is_taken_in_each_of_its_forms(name: str) -> None:
    answers = [OF_GAMES[name](game) for game in forms(BEGUN if name == "infer" else RECORD)]
    assert answers[0] is not None or name == "first_dead_turn"
    assert answers[1:] == answers[:1] * 2


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_PLACES)
def test_a_position_is_taken_in_each_of_its_forms(name: str) -> None:
    answers = [OF_PLACES[name](place) for place in PLACES.values()]
    assert answers[0] is not None
    assert answers[1:] == answers[:1] * 2


def test_a_position_asks_what_its_game_asks() -> None:
    assert cf.moves(POSITION) == cf.moves(RECORD, 21) or RECORD.turns[20].draw
    for turn in range(len(RECORD.turns)):
        position = cf.position_after(RECORD, turn)
        assert cf.tower_completable(position) == cf.tower_completable(RECORD, turn)
    assert cf.moves(cf.position_after(RECORD, 0)) == cf.moves(cf.Table.new(2, seed=0).record())


def test_a_record_is_judged_by_its_own_rules() -> None:
    """Also where its tags do not name them."""
    rulings = cf.parse_rules("en-2 between=inclusive").rulings
    house = msgspec.structs.replace(RECORD, rules=cf.Rules("house.toml", (), rulings))
    assert cf.check(house).rules == house.rules


SAME: dict[str, Callable[[cf.Item], object]] = {
    "check": lambda item: cf.report_data(cf.check(item)),
    "complete": lambda item: cf.complete(item).data(),
    "windows": lambda item: cf.windows(item).data(),
    f"deadlock --budget {STEPS}": lambda item: cf.deadlock(item, budget=STEPS).data(),
    "dispute": lambda item: cf.dispute(item).data(),
}
FILES = [
    ("check", "examples/broken/two-games.cgn"),
    ("complete", "examples/tables/dead.cgn"),
    ("complete", "examples/towers/dead.cgn"),
    ("complete", "examples/tables/lost.cgn"),
    ("windows", "examples/towers/open.cgn"),
    (f"deadlock --budget {STEPS}", "examples/tables/lost.cgn"),
    ("dispute", "examples/disputed/hearts.cgn"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "file"), FILES)
def test_a_function_says_what_the_command_of_its_name_says(
    command: str, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    said = objects(couperation(*command.split(), "--output-format", "json", file))
    items = [*cf.read(file)]
    assert said
    assert [json.loads(msgspec.json.encode(SAME[command](item))) for item in items] == said[: len(items)]


@pytest.mark.slow
def test_names_say_the_level() -> None:
    (lost,) = cf.read(ROOT / "examples" / "tables" / "lost.cgn")
    found, tower = cf.deadlock(lost), cf.deadlock(lost, level="tower")
    assert isinstance(found, cf.TableScan) and isinstance(tower, cf.Scan)  # noqa: PT018
    assert cf.first_dead_turn(lost) == found.dead
    assert cf.first_dead_turn(lost, level="tower") == tower.turn
    assert found.dead is not None
    assert cf.table_winnable(lost, found.dead) is False
    assert cf.table_winnable(lost, found.dead - 1) is True
    assert cf.tower_completable(lost, 0) is True
    (dead,) = cf.read(ROOT / "examples" / "towers" / "dead.cgn")
    assert cf.tower_completable(dead) is False
    assert cf.first_dead_turn(RECORD) is None


def test_what_is_open_looks_like_nothing_else() -> None:
    (lost,) = cf.read(ROOT / "examples" / "tables" / "lost.cgn")
    assert cf.table_winnable(lost, 0, budget=1) is None
    with pytest.raises(cf.Undetermined, match="whether the table was dead") as caught:
        cf.first_dead_turn(cf.sample_game(seed=0, policy="random"), budget=1)
    assert 0 <= caught.value.first <= caught.value.last


@pytest.mark.slow
def test_actions_are_judged_as_the_command_judges_them() -> None:
    found = cf.prospect(LOST, 34)
    judged = tuple(found.judged())
    assert Counter(each.verdict for each in judged) == {"alive": 4, "dead": 14}
    told = objects(couperation("moves", LOST.file, "--at", "34", "--alive", "--output-format", "json", "--no-verify"))
    data = json.loads(msgspec.json.encode(found.data(judged)))
    assert [each["verdict"] for each in told[0]["actions"]] == [each["verdict"] for each in data["actions"]]
    table = cf.Table.new(deals={"Aki": [17, 30, 44]})
    assert len(cf.prospect(table, budget=100_000).chance.moves.actions) == len(cf.moves(table).actions)


@pytest.mark.slow
def test_players_are_names_or_a_number_wherever_a_game_is_made() -> None:
    assert cf.sample_game(["Mia", "Jo", "Ada"]).players == cf.sample_game("Mia Jo Ada").players == ("Mia", "Jo", "Ada")
    assert cf.sample_game(2) == cf.sample_game(cf.Table.new(2).state.players)


@pytest.mark.slow
def test_one_game_is_asked_about_as_several_are() -> None:
    assert cf.infer(BEGUN).data() == cf.infer([BEGUN]).data()
