"""What is known of tower and table: as the commands say it, from a process that ends with its server."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from playwright.sync_api import expect

from bench.board_client import Answer, Board
from couperation_formal.analysis.deadlock import scan
from couperation_formal.analysis.table_deadlock import scan_table
from couperation_formal.board import known
from couperation_formal.board.judge import stood_before
from couperation_formal.board.known import Asking, table_known, tower_known
from couperation_formal.model.cards import Value
from couperation_formal.model.rulings import parse_rules
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.play.sample import sample_game
from couperation_formal.report.html.fate import fate_of
from tests.board.taps import LAPTOP, PHONE, ROOT, game_of, problems, screen

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

LOST = ROOT / "examples" / "tables" / "lost.cgn"


def lost(turns: int) -> str:
    """The lost game up to this turn."""
    return LOST.read_text("utf-8").split(f"\n{turns + 1}. ")[0].rstrip("\n") + "\n"


def hard() -> str:
    """A deal of which not all is seen; the question about its table takes seconds."""
    record = sample_game(["Ada", "Ben", "Cy"], "finish", parse_rules("ja-2.2"), 5, "careful", public=True)
    return record_text(msgspec.structs.replace(record, turns=record.turns[:1], result=None))


def test_the_table_is_told_as_deadlock_tells_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "couperation_formal", "deadlock", str(LOST)]
    full = subprocess.run(command, capture_output=True, text=True, timeout=120).stdout
    assert "deadlocked: from turn 34 on" in full
    file = tmp_path / "x.cgn"
    file.write_text(LOST.read_text("utf-8"), "utf-8")
    with Board(file) as board:
        ended = board.get("/api/know").data
        assert (ended["standing"], ended["since"], ended["line"]) == ("lost", None, [])
        for turn, detail in ((34, "end"), (36, "saving")):
            found = board.get(f"/api/know?turn={turn}&detail={detail}").data
            assert (found["standing"], found["since"]) == ("lost", None if detail == "end" else 34)
            if detail != "end":
                assert found["alive"] == 33
                for line in (*found["said"], *found["line"], *(found["saving"] or ())):
                    assert f"{line['lead']}{line['text']}\n" in full
        assert found["saving"][0]["text"].startswith("4 legal actions")
        for turn in (0, 20, 33):  # what follows of the others is not asked again
            began = time.monotonic()
            assert board.get(f"/api/know?turn={turn}").data["standing"] == "alive"
            assert board.get("/api/know?turn=36&detail=since").data["since"] == 34
            assert time.monotonic() - began < 0.5
        assert board.get("/api/know?turn=37").status == 404
        assert board.get("/api/know?revision=1").status == 409
        assert board.get("/api/know?level=hall").status == 422
        assert not workers(board)


@pytest.mark.parametrize("name", ["thursday", "finish"])
def test_each_table_of_a_game_that_is_won_is_told_as_the_report_tells_it(tmp_path: Path, name: str) -> None:
    source, file = ROOT / "examples" / "legal" / f"{name}.cgn", tmp_path / "x.cgn"
    file.write_text(source.read_text("utf-8"), "utf-8")
    fate, last = fate_of(scan_table(game_of(source))), len(game_of(source).record.turns)
    with Board(file) as board:
        for turn in range(last, -1, -1):
            found = board.get(f"/api/know?turn={turn}").data
            assert found["standing"] == ("won" if turn == last else fate.at(turn))
        assert not workers(board)


def test_the_tower_is_told_as_the_report_tells_it() -> None:
    game = game_of(LOST)
    found = scan(game)
    for turn in range(len(game.record.turns) + 1):
        dead = any(first <= turn <= last for first, last in found.intervals)
        assert tower_known(game, turn)["standing"] == ("deadlocked" if dead else "completable")


def test_after_an_illegal_turn_the_table_is_taken_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(f"{lost(30)}31. Aki +0 A 46@d6 ~~\n32. Ben +0 B 13@e6\n", "utf-8")
    with Board(file) as board:
        before, after, since = (
            board.get(f"/api/know?{which}").data for which in ("turn=30", "turn=32", "detail=since")
        )
        assert board.get("/api/know?level=tower").data["standing"] == "deadlocked"
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
    assert (found.standing, found.said[0].lead) == ("unknown", "undetermined")
    more = table_known(msgspec.structs.replace(asking, double=4))
    assert (more.standing, more.alive, bool(more.line)) == ("alive", 24, True)


def workers(board: Board) -> list[int]:
    """The processes that the server has begun."""
    children = Path(f"/proc/{board.process.pid}/task/{board.process.pid}/children")
    return [int(each) for each in children.read_text().split()] if children.exists() else []


def runs(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def wait(what: str, done: Any, seconds: float = 20.0) -> None:
    """Wait until something holds."""
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until, what
        time.sleep(0.02)


class Question(threading.Thread):
    """A question that somebody waits for."""

    def __init__(self, board: Board, path: str) -> None:
        super().__init__(daemon=True)
        self._board, self._path = board, path
        self.answer: Answer | None = None
        self.start()

    def run(self) -> None:
        try:
            self.answer = self._board.get(self._path)
        except OSError:  # the server has ended
            self.answer = None


def asked(board: Board, *paths: str) -> Iterator[Question]:
    """Questions that are being answered, each in a process of its own."""
    for number, path in enumerate(paths, 1):
        yield Question(board, path)
        wait("a process", lambda number=number: len(workers(board)) == number)


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")


@needs_proc
def test_a_newer_turn_ends_the_question_before(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(hard(), "utf-8")
    with Board(file) as board:
        board.revision = board.get("/api/game").data["revision"]
        first, same = Question(board, "/api/know"), Question(board, "/api/know")
        wait("a process", lambda: workers(board))
        (worker,) = workers(board)
        wait("its rank", lambda: os.getpriority(os.PRIO_PROCESS, worker) > os.getpriority(os.PRIO_PROCESS, 0))
        began = time.monotonic()
        assert board.edit("comment", place=1, text="hm").status == 200
        for question in (first, same):
            question.join(5)
            assert question.answer is not None
            assert question.answer.status == 409
        assert time.monotonic() - began < 2
        wait("its end", lambda: not runs(worker))
        kinds = list(asked(board, "/api/know", "/api/answer?ask=check"))
        assert len(kinds) == len(workers(board)) == 2
        leaving = Question(board, "/api/know?double=1")  # a newer question of the same kind
        kinds[0].join(5)
        assert kinds[0].answer is not None
        assert kinds[0].answer.status == 409
        assert leaving.answer is None


def test_a_question_that_comes_while_the_board_ends_does_not_hold_it_up(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(hard(), "utf-8")
    board = Board(file)
    question = Question(board, "/api/know")
    began = time.monotonic()
    assert board.stop() == 0
    question.join(5)
    assert question.answer is None or question.answer.status == 409
    assert time.monotonic() - began < 2


@needs_proc
def test_nobody_waits_and_the_question_ends(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(hard(), "utf-8")
    with Board(file) as board:
        asker = http.client.HTTPConnection("127.0.0.1", board.port)
        asker.request("GET", "/api/know", headers={"Host": board.host, "Cookie": board.cookie})
        wait("a process", lambda: workers(board))
        begun = workers(board)
        asker.close()
        wait("its end", lambda: not any(map(runs, begun)), 5)


@needs_proc
@pytest.mark.parametrize("way", ["kill", "stop"])
def test_an_ended_server_leaves_no_process(tmp_path: Path, way: str) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(hard(), "utf-8")
    board = Board(file)
    list(asked(board, "/api/know", "/api/answer?ask=dispute"))
    begun = workers(board)
    assert len(begun) == 2
    getattr(board, way)()
    wait("their end", lambda: not any(map(runs, begun)), 5)
    assert way == "kill" or board.process.returncode == 0


def overlaps(page: Page) -> list[str]:
    """The glasses that the chip lies over."""
    found: list[str] = page.evaluate("""() => {
      const chip = document.getElementById("know-chip").getBoundingClientRect();
      return [...document.querySelectorAll("#tower [data-cell] use")].filter((each) => {
        const { left, top } = each.getBoundingClientRect();
        return left < chip.right && top < chip.bottom;
      }).map((each) => each.parentNode.dataset.cell);
    }""")
    return found


@pytest.mark.slow
def test_a_tower_dies_by_taps_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(lost(31), "utf-8")
    with Board(file) as board, screen(browser, board, **PHONE) as (hand, page):
        chip, panel, more = (page.locator(f"#{name}") for name in ("know-chip", "panel-know", "know-more"))
        expect(chip).to_have_text("✓ alive", timeout=15_000)
        hand.card(Value(13))
        hand.cell("d6")
        hand.tap("#down")
        hand.listed("32. Ben +0 B 13@d6")
        expect(chip).to_have_text("✗ lost since turn 32", timeout=15_000)
        expect(page.locator("#know-heard")).to_have_text("Table: lost since turn 32")
        assert overlaps(page) == []
        hand.tap("#know-chip")
        expect(panel).to_be_focused()
        expect(panel).to_contain_text("from turn 32 on no continuation wins")
        expect(panel).to_contain_text("D6 must hold a number between 17 and 20, and none is left.")
        assert page.locator("#tower .known").get_attribute("data-cell") == "d6"
        assert problems(page) == []
        for button in page.locator("#know-chip, #panel-know button:visible").all():
            box = button.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 40
        hand.tap("#know-close")
        expect(chip).to_be_focused()
        expect(page.locator("#tower .known")).to_have_count(0)
        hand.tap("#undo")
        expect(chip).to_have_text("✓ alive")
        hand.tap("#know-chip")
        expect(panel).to_contain_text("Some continuation of legal turns wins from here.")
        expect(more).to_have_text("")
        hand.tap("#know-line")
        expect(more).to_contain_text("33. Aki")
        hand.tap("#know-close")
        for name in ("know", "turns"):  # from its tab the panel stands below, and lies over nothing
            hand.tap(f"#tab-{name}")


@pytest.mark.slow
def test_a_table_is_lost_by_taps_and_what_would_have_saved_it(browser: Browser, tmp_path: Path) -> None:
    file, record = tmp_path / "x.cgn", game_of(LOST).record
    file.write_text(lost(33), "utf-8")
    with Board(file) as board, screen(browser, board, **LAPTOP) as (hand, page):
        chip, more = page.locator("#know-chip"), page.locator("#know-more")
        expect(chip).to_have_text("✓ alive", timeout=15_000)
        hand.take(record.turns[33], stood_before(record, 34))
        expect(chip).to_have_text("✗ lost since turn 34", timeout=15_000)
        assert overlaps(page) == []
        hand.tap("#tab-know")
        expect(more).to_have_text("")
        hand.tap("#know-saving")
        expect(more).to_contain_text("4 legal actions after the draw of this turn would have kept", timeout=20_000)
        expect(more).to_contain_text("after turn 33 this would have won")
        page.keyboard.press("Escape")
        expect(page.locator("#tab-turns")).to_have_attribute("aria-selected", "true")
        hand.tap("#undo")
        expect(chip).to_have_text("✓ alive")
        hand.tap("#know-chip")
        hand.tap("#know-line")
        expect(more).to_contain_text("34. Ben")
        hand.tap("#know-line")
        expect(more).to_have_text("")
        hand.tap("#know-always")
        expect(more).to_contain_text("34. Ben")
        page.reload()
        expect(chip).to_have_text("✓ alive")
        hand.tap("#tab-know")
        expect(more).to_contain_text("34. Ben")
        late(page, hand)


def caught(page: Page, held: list[Route], count: int) -> None:
    """Wait until so many questions are held up."""
    for _ in range(200):
        if len(held) == count:
            return
        page.wait_for_timeout(20)
    pytest.fail(f"{len(held)} questions")


def late(page: Page, hand: Any) -> None:
    """An answer that comes after a newer turn is not shown; in the form of a new game nothing is asked."""
    held: list[Route] = []
    page.route(re.compile("/api/know"), lambda route: held.append(route))
    hand.tap("#redo")
    caught(page, held, 1)
    expect(page.locator("#know-chip")).to_have_text("… asking …")
    hand.tap("#undo")
    caught(page, held, 2)
    said = {
        "turn": 32,
        "standing": "lost",
        "since": 7,
        "alive": 6,
        "first": 0,
        "said": [],
        "cells": [],
        "line": [],
        "saving": None,
    }
    held[0].fulfill(json={**said, "detail": "since"})
    page.wait_for_timeout(600)
    expect(page.locator("#know-chip")).to_have_text("… asking …")
    held[1].fulfill(json=said)
    caught(page, held, 3)
    held[2].fulfill(json={**said, "standing": "unknown", "since": None, "detail": "end"})
    expect(page.locator("#know-chip")).to_have_text("? not known yet")
    hand.tap("#know-on")
    caught(page, held, 4)
    assert "double=1" in held[3].request.url
    held[3].fulfill(json={**said, "since": 33, "alive": 30, "detail": "since"})
    expect(page.locator("#know-chip")).to_have_text("✗ lost by turn 33")
    hand.tap("#know-on")
    caught(page, held, 5)
    assert "detail=since&double=2" in held[4].request.url
    held[4].fulfill(json={**said, "standing": "alive", "since": None, "detail": "line"})
    expect(page.locator("#know-chip")).to_have_text("✓ alive")
    hand.tap("#new")
    page.locator('[name="player"]').first.fill("Aki")
    page.wait_for_timeout(500)
    assert len(held) == 5
    hand.tap("#new")
    hand.tap("#redo")
    caught(page, held, 6)
    hand.tap("#new")
    held[5].fulfill(json=said)
    page.wait_for_timeout(500)
    assert len(held) == 6
    hand.tap("#new")
    caught(page, held, 7)
