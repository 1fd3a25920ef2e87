"""A game that is looked at through the board's answers: views, what if, comments, what is taken along, the folder."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.board_client import Board
from couperation_formal.board.judge import stood_before
from couperation_formal.board.record import row
from couperation_formal.board.views import table, whole
from couperation_formal.game.fact import worded
from couperation_formal.game.record import Game
from couperation_formal.game.replay import mends
from couperation_formal.notation.read import read_text
from couperation_formal.questions.records.states import game_seen
from couperation_formal.words.say import ENGLISH, say
from tests.board.local import Local, Telling, ended
from tests.board.taps import THURSDAY, thursday
from tests.page.page import data_of
from tests.spec.book import ROOT

SAID = (
    '; a file\r\n[CGN "1"]\r\n[Players "Aki Ben"] ; two\r\n'
    "1. Aki +0 A 17@f1 { one } ; one\r\n; above\r\n2. Ben { in\r\n it } +0 A 30@h1\r\n*\r\n; one\r\n"
)
FILES = {
    "a.cgn": f"{thursday(3)}\n{THURSDAY}",
    "b.cgn": f"{thursday(3)}4. Mira +12 A 29@a7\n",
    "c.cgn": "nothing of the kind\n",
    "said.cgn": SAID,
    "thursday.cgn": THURSDAY,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("games")
    for name, text in FILES.items():
        (made / name).write_bytes(text.encode())
    outside = tmp_path_factory.mktemp("outside") / "x.cgn"
    outside.write_text(THURSDAY, "utf-8")
    (made / "link.cgn").symlink_to(outside)
    if sys.platform == "linux":
        (made / os.fsdecode(b"\xff.cgn")).write_text(THURSDAY, "utf-8")
    return made


@pytest.fixture(scope="module")
def board(folder: Path) -> Iterator[Board]:
    with Local(folder) as running:
        yield running


def game_of(text: str) -> Game:
    found = next(iter(read_text(text)))
    assert isinstance(found, Game)
    return found


@pytest.mark.slow
def test_the_games_of_a_folder_are_told_as_they_are_read(board: Board) -> None:
    first, *rows = map(json.loads, board.post("/api/folder", {}).body.splitlines())
    assert first == {"files": 5}
    assert board.get("/api/files").data["files"] == sorted(FILES)
    found = [(each["file"], each["index"], each["verdict"]) for each in rows]
    assert found[:4] == [
        ("a.cgn", 1, "legal"), ("a.cgn", 2, "legal"), ("b.cgn", 1, "illegal"), ("c.cgn", 1, "malformed"),
    ]  # fmt: skip
    assert "won" in rows[1]["said"]
    assert "turn 4" in rows[2]["said"]
    assert rows[1]["players"] == ["Mira", "Tomas", "Noor"]


def test_what_nobody_noted_is_no_fault_in_the_list() -> None:
    """Its process has no time for what decides whatever the marks are: it says how far it looked."""
    found = row(game_of((ROOT / "examples" / "disputed" / "unnoted.cgn").read_text("utf-8")))
    assert found["verdict"] == "undetermined"
    assert say(found["said"], ENGLISH) == "Keeps the rules as far as is known"


def test_a_table_is_shown_as_somebody_saw_it(board: Board) -> None:
    game = game_of(THURSDAY)
    for seen, viewer in (("table", None), *((str(i), name) for i, name in enumerate(game.record.players))):
        record = game_seen(game, viewer).record
        for turn in (0, 9, 29):
            told = board.get(f"/api/table?file=thursday.cgn&turn={turn}&seen={seen}").data
            del told["scene"]
            assert told == json.loads(json.dumps(worded(table(stood_before(record, turn + 1)), ENGLISH)))
    assert board.get("/api/table?file=thursday.cgn&turn=1&seen=9").status == 422
    assert board.get("/api/table?file=thursday.cgn&turn=1&seen=Mira").status == 422


@pytest.mark.slow
def test_what_is_looked_at_is_taken_along(board: Board) -> None:
    body: dict[str, Any] = {"file": "thursday.cgn", "turn": 9, "form": "position"}
    assert "\nhand Mira 8 12 40\n" in board.post("/api/export", body).body.decode()
    hidden = board.post("/api/export", {**body, "seen": "table"}).body.decode()
    assert "\nhand Mira ? ? ?\n" in hidden
    branch = {"from": 3, "turns": ["4. Mira +12 A 8@d1"]}
    after = {"file": "thursday.cgn", "branch": branch}
    svg = board.post("/api/export", {**after, "form": "svg"}).body.decode()
    assert svg.startswith("<svg ")
    assert "[8]" in svg.split("<desc>")[1].split("</desc>")[0]
    text = board.post("/api/export", {**after, "form": "cgn"}).body.decode()
    assert text.endswith("4. Mira +12 A 8@d1\n*\n")
    page = board.post("/api/export", {**body, "form": "report", "seen": "0"}).body.decode()
    assert page.startswith("<!doctype html>")
    assert board.post("/api/export", {**body, "turn": 30}).status == 422


@pytest.mark.slow
def test_a_page_is_of_the_player_whatever_he_is_called(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text('[CGN "1"]\n[Players "public table"]\ndeal public 17 30 44\ndeal table 9 12 31\n')
    with Local(file) as board:
        for seen, cgn in (
            ("0", ["deal public 17 30 44", "deal table ? ? ?"]),
            ("1", ["deal public ? ? ?", "deal table 9 12 31"]),
            ("table", ["deal public ? ? ?", "deal table ? ? ?"]),
            ("all", ["deal public 17 30 44", "deal table 9 12 31"]),
        ):
            page = board.post("/api/export", {"form": "report", "seen": seen}).body.decode()
            data = data_of(page)
            assert data["view"] == seen
            assert [line for line in data["cgn"] if line.startswith("deal")] == cgn


def test_a_lost_game_says_by_what(tmp_path: Path) -> None:
    (tmp_path / "x.cgn").write_text(
        '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\ndeal Ben 28 9 3\nreserve 1 50 12 33 40 7\n'
        "1. Aki A 17@f1\n2. Ben B 28@f2\n3. Aki C f2=28\nloss\n"
    )
    with Local(tmp_path) as board:
        why = "The game is lost: 28 on f2 cannot lie between 17 on f1 and 25 on g1: 28 is not below 25."
        assert board.get("/api/game?file=x.cgn").data["ended"] == why


def test_what_if_is_judged_as_real_turns_are_and_nothing_is_written(board: Board, folder: Path) -> None:
    name = {"file": "thursday.cgn"}
    revision = board.revision("thursday.cgn")
    branch: dict[str, Any] = {"from": 3, "turns": []}
    told = board.post("/api/draft", {**name, "branch": branch, "line": "+12 A 29@g2"}).data
    assert (told["text"], told["judged"]["verdict"]) == ("4. Mira +12 A 29@g2", "legal")
    taps = {"draw": ["12"], "card": "8", "cell": "d1"}
    told = board.post("/api/draft", {**name, "branch": branch, "draft": taps}).data
    assert told["text"] == "4. Mira +12 A 8@d1"
    answer = board.post("/api/branch", {**name, "branch": branch, "draft": taps}).data
    assert answer["branch"] == {"from": 3, "turns": ["4. Mira +12 A 8@d1"]}
    assert (answer["table"]["turns"], answer["table"]["tower"]["d1"]) == (4, "8")
    branch = answer["branch"]
    refused = board.post("/api/branch", {**name, "branch": branch, "line": "A 6@a7"})
    assert refused.status == 422
    assert refused.data["draft"]["judged"]["verdict"] == "illegal"
    disputed = board.post("/api/branch", {**name, "branch": branch, "line": "A 6@a7", "disputed": True}).data
    assert disputed["branch"]["turns"][1] == "5. Tomas +0 A 6@a7 ~~"
    assert disputed["wrong"][0]["turn"] == 5
    for bad in ({"from": 99}, {"from": 3, "turns": ["A"]}, {"from": 3, "turns": ["4. Mira +12 A 8@d1\n\n[CGN]"]}):
        assert board.post("/api/branch", {**name, "branch": bad}).status == 422
    assert board.get("/api/game?file=thursday.cgn").data["revision"] == revision
    assert (folder / "thursday.cgn").read_text("utf-8") == THURSDAY
    kept = board.edit("what-if", **name, branch=branch).data["turns"][2]["comments"]
    assert kept[:1] == [{"text": "what if: 4. Mira +12 A 8@d1", "branch": branch}]
    assert board.edit("undo", **name).data["text"] == THURSDAY


def test_a_comment_is_taken_out_and_all_else_stays(board: Board) -> None:
    def told(view: Any) -> list[list[str]]:
        said = [view["comments"], *(turn["comments"] for turn in view["turns"])]
        return [[each["text"] for each in there] for there in said]

    game = board.get("/api/game?file=said.cgn").data
    assert told(game) == [["a file", "two"], ["one", "one"], ["above", "in it", "one"]]
    for place, index, left in (
        (1, 1, [["a file", "two"], ["one"], ["above", "in it", "one"]]),
        (2, 1, [["a file", "two"], ["one"], ["above", "one"]]),
        (2, 0, [["a file", "two"], ["one"], ["one"]]),
        (0, 0, [["two"], ["one"], ["one"]]),
        (2, 0, [["two"], ["one"], []]),
    ):
        game = board.edit("uncomment", file="said.cgn", place=place, index=index).data
        assert told(game) == left
    for place in (2, 9):
        assert board.edit("uncomment", file="said.cgn", place=place, index=0).status == 422
    assert game["text"] == (
        '[CGN "1"]\r\n[Players "Aki Ben"] ; two\r\n1. Aki +0 A 17@f1 { one }\r\n2. Ben +0 A 30@h1\r\n*\r\n'
    )


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="the end of a process is waited for by Linux")
def test_a_board_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / "a.cgn").write_text("\n".join([THURSDAY] * 150), "utf-8")
    board = Telling(tmp_path)
    connection = board.open_post("/api/folder", {})
    assert connection.readline()
    child = board.begun()
    board.kill()
    ended(child)


def test_turns_that_stand_are_shown_without_asking_what_they_hang_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a game with many disputed turns every answer would else take seconds."""
    asked = list[object]()

    def hangs(*told: Any) -> Any:
        asked.append(told)
        return mends(*told)

    monkeypatch.setattr("couperation_formal.game.replay.mends", hangs)
    turns = "".join(f"{turn}. {'Ben' if turn % 2 else 'Aki'} +0 -\n" for turn in range(1, 41))
    game = next(iter(read_text(f'[CGN "1"]\n[Players "Ben Aki"]\n{turns}')))
    assert isinstance(game, Game)
    assert {each["turn"] for each in whole(game)["wrong"]} == set(range(1, 41))
    assert len(asked) < 10
