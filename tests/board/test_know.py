"""What is known of tower and table: as the commands say it, from a process that ends with its server."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from bench.board_client import Answer, Board
from couperation_formal.board import know as known
from couperation_formal.board.know import Asking, table_known, tower_known
from couperation_formal.board.worker import framed
from couperation_formal.game.fact import DEFAULT, Steps, worded
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.seen import seen_record
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text, turn_text
from couperation_formal.page.sights import fate_of
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.questions.tables.deadlock import scan, scan_table
from couperation_formal.words.say import ENGLISH
from tests.board.local import Local, Own, Telling, ended
from tests.board.taps import LOST, ROOT, game_of, lost, thursday
from tests.kit.started import run


def hard() -> str:
    """A deal of which not all is seen; the question about its table takes seconds."""
    record = sample_game(["Ada", "Ben", "Cy"], "finish", parse_rules("ja-2.2"), 5, "careful", public=True)
    return record_text(msgspec.structs.replace(record, turns=record.turns[:1], result=None))


@pytest.mark.slow
def test_the_table_is_told_as_deadlock_tells_it(tmp_path: Path) -> None:
    full = run(["deadlock", LOST]).stdout.decode()
    assert "deadlocked: from turn 34 on" in full
    file = tmp_path / "x.cgn"
    file.write_text(LOST.read_text("utf-8"), "utf-8")
    with Local(file) as board:
        ended = board.know().data
        assert (ended["standing"], ended["since"], ended["line"]) == ("lost", None, [])
        for turn, detail in ((34, "end"), (36, "saving")):
            found = board.know(turn=turn, detail=detail).data
            assert (found["standing"], found["since"]) == ("lost", None if detail == "end" else 34)
            if detail != "end":
                assert found["alive"] == 33
                for line in (*found["said"], *(found["saving"] or ())):
                    assert f"{line['lead']}{line['text']}\n" in full
        assert found["saving"][0]["text"].startswith("4 legal actions")
        assert [each["cell"] for each in found["chances"]] == ["e5", "f3", "f4", "g1"]
        assert "\n".join(f"  {turn}" for turn in found["chances"][0]["turns"][1:]) in full
        for turn in (0, 20, 33):  # what follows of the others is not asked again
            assert board.know(turn=turn).data["standing"] == "alive"
            assert board.know(turn=36, detail="since").data["since"] == 34
        assert board.know(turn=37).status == 404
        assert board.know(revision=1).data is None
        assert board.know(level="hall").status == 422


@pytest.mark.slow
def test_what_is_tried_is_asked_about(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(LOST.read_text("utf-8"), "utf-8")
    worse = [turn_text(turn) for turn in game_of(LOST).record.turns[33:35]]
    with Local(file) as board:
        tried = board.know(branch={"from": 33, "turns": worse}, detail="since").data
        assert (tried["standing"], tried["since"], tried["turn"]) == ("lost", 34, 35)
        assert board.know(branch={"from": 33}).data["standing"] == "alive"
        assert board.know(branch={"from": 33, "turns": worse}, turn=36).status == 404
        assert board.know(branch={"from": 33, "turns": ["34. Ben what"]}).status == 422


@pytest.mark.slow
def test_a_view_is_asked_about_as_it_stands_for_whoever_sees_it(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(12), "utf-8")
    with Local(file) as board:
        whole, seen = (board.know(seen=who, level="tower").data for who in ("all", "table"))
        assert board.know(seen="0").data["standing"] == "alive"
        assert board.know(seen="7").status == 422
    file.write_text(record_text(seen_record(game_of(file).record, None)), "utf-8")
    assert seen == json.loads(msgspec.json.encode(worded(tower_known(game_of(file), 12), ENGLISH))) != whole


@pytest.mark.slow
@pytest.mark.parametrize("name", ["thursday", "finish"])
def test_each_table_of_a_game_that_is_won_is_told_as_the_report_tells_it(tmp_path: Path, name: str) -> None:
    source, file = ROOT / "examples" / "legal" / f"{name}.cgn", tmp_path / "x.cgn"
    file.write_text(source.read_text("utf-8"), "utf-8")
    fate, last = fate_of(scan_table(game_of(source), None, Steps(DEFAULT))), len(game_of(source).record.turns)
    with Own(file) as board:
        for turn in range(last, -1, -1):
            found = board.know(turn=turn).data
            assert found["standing"] == ("won" if turn == last else fate.at(turn))
        assert not workers(board)


def test_the_tower_is_told_as_the_report_tells_it() -> None:
    game = game_of(LOST)
    found = scan(game, None, Steps(DEFAULT))
    for turn in range(len(game.record.turns) + 1):
        dead = any(first <= turn <= last for first, last in found.intervals)
        assert tower_known(game, turn)["standing"] == ("deadlocked" if dead else "completable")


@pytest.mark.slow
def test_after_an_illegal_turn_the_table_is_taken_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(f"{lost(30)}31. Aki +0 A 46@d6 ~~\n32. Ben +0 B 13@e6\n", "utf-8")
    with Local(file) as board:
        before, after, since = (board.know(**which).data for which in ({"turn": 30}, {"turn": 32}, {"detail": "since"}))
        assert board.know(level="tower").data["standing"] == "deadlocked"
    assert before["standing"] == "alive"
    assert (after["standing"], after["since"]) == ("lost", None)
    assert (since["since"], since["alive"], since["first"]) == (32, None, 32)
    assert "not known" not in str(since["said"])
    assert after["said"][0]["text"].startswith("Turn 31 is illegal (ACT02)")


def test_a_spent_budget_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    game = next(read_text(lost(24)))
    monkeypatch.setattr(known, "DEFAULT", 12_000)
    asking = Asking(text=str(game), detail="end")
    found = table_known(asking)
    assert (found.standing, found.data(ENGLISH)["said"][0].lead) == ("unknown", "undetermined")
    more = table_known(msgspec.structs.replace(asking, double=4))
    assert (more.standing, more.alive, bool(more.line)) == ("alive", 24, True)


def workers(board: Board) -> list[int]:
    """The processes that the server has begun and that have not ended; those that answered have."""
    children = Path(f"/proc/{board.process.pid}/task/{board.process.pid}/children")
    return [int(each) for each in children.read_text().split()] if children.exists() else []


class Question(threading.Thread):
    """A question that somebody waits for."""

    def __init__(self, ask: Callable[[], Answer]) -> None:
        super().__init__(daemon=True)
        self._ask = ask
        self.answer: Answer | None = None
        self.start()

    def run(self) -> None:
        try:
            self.answer = self._ask()
        except OSError:  # the server has ended
            self.answer = None


def asked(board: Telling) -> Iterator[tuple[Question, int]]:
    """What is known and a quarrel, being answered, each in a process of its own."""
    questions: list[Callable[[], Answer]] = [board.know, partial(board.get, "/api/answer")]
    for ask in questions:
        yield Question(ask), board.begun()


needs_pidfd = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="the end of a process is waited for by Linux")


def test_a_process_beside_the_board_stands_back() -> None:
    code = "from couperation_formal.board.worker import begin; import os; print(begin().decode(), os.nice(0))"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(framed(b"who?"))
        worker.stdin.flush()
        assert worker.stdout.read() == b"who? %d\n" % min(19, os.nice(0) + 3)  # 19 is the lowest rank


@pytest.mark.slow
@needs_pidfd
def test_a_newer_turn_ends_the_question_before(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(hard(), "utf-8")
    with Telling(file) as board:
        first, same = Question(board.know), Question(board.know)
        worker = board.begun()
        assert board.edit("comment", place=1, text="hm").status == 200
        for question in (first, same):
            question.join(30)
            assert question.answer is not None
            assert (question.answer.status, question.answer.data) == (200, None)
        ended(worker)
        kinds = [question for question, _ in asked(board)]
        leaving = Question(partial(board.know, double=1))  # a newer question of the same kind
        kinds[0].join(30)
        assert kinds[0].answer is not None
        assert (kinds[0].answer.status, kinds[0].answer.data) == (200, None)
        assert leaving.answer is None


@pytest.mark.slow
def test_a_question_that_comes_while_the_board_ends_does_not_hold_it_up(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(hard(), "utf-8")
    board = Own(file)
    question = Question(board.know)
    assert board.stop() == 0
    question.join(30)
    assert not question.is_alive()
    assert question.answer is None or question.answer.data is None


@pytest.mark.slow
@needs_pidfd
def test_nobody_waits_and_the_question_ends(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(hard(), "utf-8")
    with Telling(file) as board:
        asker = http.client.HTTPConnection("127.0.0.1", board.port)
        own = {"Content-Type": "application/json", "Origin": f"http://{board.host}", "Cookie": board.cookie}
        asker.request("POST", "/api/know", b"{}", {"Host": board.host, **own})
        worker = board.begun()
        asker.close()
        ended(worker)


@pytest.mark.slow
@needs_pidfd
@pytest.mark.parametrize("way", ["kill", "stop"])
def test_an_ended_server_leaves_no_process(tmp_path: Path, way: str) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(hard(), "utf-8")
    board = Telling(file)
    workers = [worker for _, worker in asked(board)]
    getattr(board, way)()
    for worker in workers:
        ended(worker)
    assert way == "kill" or board.process.returncode == 0
