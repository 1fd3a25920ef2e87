"""A board that is started again: who comes back, and who is not let in."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bench.board_client import Answer, Board
from couperation_formal.board.user import LASTS, Door, Doors, User
from tests.board.asked import Asked
from tests.board.local import Local, Own
from tests.board.taps import LAPTOP, PHONE, problems, screen, thursday, watching

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GAME = '[CGN "1"]\n[Event "Hanako"]\n[Players "Hanako Ben"]\n1. Hanako A 17@f1\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "game.cgn"
    found.write_text(GAME)
    return found


@pytest.fixture
def doors() -> Path:
    return Path(os.environ["XDG_CONFIG_HOME"]) / "couperation" / "doors.json"


def token(cookie: str) -> str:
    return cookie.partition("=")[2]


def entered(board: Board, token: str) -> Answer:
    """What a board answers to who has a token of before, in the cookie that may write."""
    return board.ask("GET", "/api/game", headers={"Cookie": f"{board.cookie.partition('=')[0]}={token}"}, cookie=False)


@contextmanager
def before(file: Path) -> Iterator[tuple[str, str]]:
    """A board that was ended: its token that may write, and one that watched."""
    with Local(file) as board:
        tokens = token(board.cookie), token(board.shared())
    yield tokens


def test_only_digests_are_kept_for_thirty_days(file: Path, doors: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with before(file) as tokens, Local(file) as board:
        kept = doors.read_bytes()
        assert not [each for each in (*tokens, str(file), "Hanako", file.name) if each.encode() in kept]
        assert (doors.stat().st_mode & 0o777, doors.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        assert all(set(each) == {"token", "of", "since"} for each in json.loads(kept))
        assert "undo" in entered(board, tokens[0]).data
        assert entered(board, tokens[1]).status == 403
        assert entered(board, token(board.cookie)).status == 200
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + LASTS + 60)
    with Local(file) as board:
        assert entered(board, tokens[0]).status == 403
        assert len(json.loads(doors.read_bytes())) == 1


def test_a_copy_of_the_file_lets_nobody_in(file: Path) -> None:
    copy = file.with_name("copy.cgn")
    shutil.copy(file, copy)
    with before(file) as (writes, _), Local(copy) as board:
        assert entered(board, writes).status == 403
        assert copy.read_text() == GAME


@pytest.mark.parametrize("mode", [0o750, 0o707])
def test_a_folder_of_others_lets_nobody_in(file: Path, doors: Path, mode: int) -> None:
    with before(file) as (writes, _):
        doors.parent.chmod(mode)
        with Local(file) as board:
            assert entered(board, writes).status == 403
        doors.parent.chmod(0o700)
        doors.chmod(mode & 0o666)
        with Local(file) as board:
            assert entered(board, writes).status == 403


def test_what_is_not_the_users_lets_nobody_in(file: Path, doors: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with before(file) as (writes, _):
        kept, owner = doors.read_bytes(), doors.stat().st_uid
        monkeypatch.setattr(os, "getuid", lambda: owner + 1)
        with Local(file) as board:
            assert entered(board, writes).status == 403
            assert board.edit("turn", line="A 18@f2").status == 200  # with a token of its own
        assert doors.read_bytes() == kept


def test_what_watched_comes_back_where_it_was_not_withdrawn(file: Path) -> None:
    with Local(file) as board:
        cookies = [board.shared(), board.shared("Ben")]
        told = board.get("/api/share").data
        board.post("/api/share", {"op": "close", "share": told["shares"][1]["number"]})
    for of, player, count in (("x", None, 0), (told["of"], "Hanako", 1), (told["of"], None, 1)):
        with Local(file) as board:
            shares = [{**each, "player": player} for each in told["shares"]]
            for each in shares:
                del each["number"]
            assert len(board.post("/api/share", {"op": "again", "of": of, "shares": shares}).data["shares"]) == count
            watched = [f"{board.cookie.partition('=')[0].rpartition('-')[0]}-watch={token(each)}" for each in cookies]
            found = [board.ask("GET", "/api/game", headers={"Cookie": each}, cookie=False).status for each in watched]
            assert found == [200 if count else 403, 403]


def test_all_that_lets_in_is_withdrawn_for_good_and_who_asked_goes_on(file: Path, doors: Path) -> None:
    with before(file) as (writes, watches), Local(file) as board:
        watched, stream = board.shared("Ben"), board.listen()
        answer = board.post("/api/share", {"op": "all"})
        assert (answer.status, answer.data["shares"]) == (200, [])
        assert b"".join(stream) == b"retry: 1000\n\n"
        old, board.cookie = board.cookie, answer.headers["set-cookie"].split(";")[0]
        assert board.get("/api/game").status == 200
        assert board.edit("turn", line="A 18@f2").status == 200
        for each in (old, watched):
            assert board.ask("GET", "/api/game", headers={"Cookie": each}, cookie=False).status == 403
        assert board.ask("GET", f"/?{board.query}", cookie=False).status == 403
        new = token(board.cookie)
    with Local(file) as board:
        assert [entered(board, each).status for each in (writes, watches, token(old), new)] == [403, 403, 403, 200]


@pytest.mark.parametrize("client, status", [("127.0.0.1", 200), ("192.0.2.9", 403)])
def test_all_is_withdrawn_at_this_machine_only(tmp_path: Path, client: str, status: int) -> None:
    board = Asked(tmp_path / "x.cgn")
    board.client, board.server = (client, 5), ("127.0.0.1", 1)
    writes = board.board.sharing.writes
    assert board.ask(writes, "/api/share", "POST", b'{"op": "all"}')[0] == status
    assert board.ask(writes, "/api/game")[0] == (403 if status == 200 else 200)


def test_who_is_not_let_in_sees_a_page_that_says_what_to_do(file: Path) -> None:
    with before(file) as (_, watches), Local(file) as board:
        name = board.cookie.partition("=")[0]
        for cookie in ("", f"{name}=x", f"{name}={watches}"):
            accept = {"Cookie": cookie, "Accept": "text/html,*/*;q=0.8"}
            answer = board.ask("GET", "/", headers=accept, cookie=False)
            assert (answer.status, answer.headers["content-type"]) == (403, "text/html; charset=utf-8")
            assert b"Open the address that the board printed" in answer.body
            assert b"Hanako" not in answer.body
            policy = answer.headers["content-security-policy"]
            assert "unsafe" not in policy
            assert "style-src 'sha256-" in policy
            assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("kept", [True, False])
def test_another_board_that_runs_lets_in_no_more_either(file: Path, doors: Path, kept: bool) -> None:
    """But where it cannot be read what is withdrawn: who was let in is not let out by a damaged file."""
    with Local(file) as other, Local(file) as board:
        assert other.get("/api/game").status == 200
        if not kept:
            doors.chmod(0o644)
        assert board.post("/api/share", {"op": "all"}).status == 200
        assert other.get("/api/game").status == (403 if kept else 200)


def test_what_could_not_be_withdrawn_for_later_boards_is_told(file: Path, doors: Path) -> None:
    with before(file) as (writes, _), Local(file) as board:
        assert "undo" in entered(board, writes).data
        (doors.parent / "doors.json.new").mkdir()
        answer = board.post("/api/share", {"op": "all"})
        assert "doors.json" in answer.data["said"]
        for each in (writes, token(board.cookie)):
            assert entered(board, each).status == 403


def test_boards_that_open_and_close_at_once_undo_nothing(doors: Path) -> None:
    rounds = 20

    def both(of: str) -> None:
        mine = Doors(of)
        for number in range(rounds):
            mine.open("write", f"{number}")
            mine.open("watch", f"{number}")
            mine.close(f"{number}") if number % 2 else None

    threads = [Thread(target=both, args=(each * 64,)) for each in "ab"]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for of in "ab":
        known = [Doors(of * 64).known("write", f"{number}") for number in range(rounds)]
        assert known == [number % 2 == 0 for number in range(rounds)]
    assert not doors.with_name("doors.json.new").exists()


def test_a_process_that_was_forked_meanwhile_holds_up_nobody(doors: Path) -> None:
    mine, children = Doors("a" * 64), list[int]()

    def forked(known: list[Door]) -> list[Door]:
        child = os.fork()
        if not child:
            signal.pause()
        children.append(child)
        return known

    User().change("doors.json", list[Door], forked)
    try:
        mine.open("write", "x")
        assert mine.known("write", "x")
    finally:
        os.kill(children[0], signal.SIGKILL)
        os.waitpid(children[0], 0)


def test_who_has_no_token_has_nothing_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Doors("a" * 64)
    mine.open("write", "x")
    mine.known("write", "x")
    monkeypatch.setattr(User, "read", lambda *_: 1 / 0)
    assert not mine.known("write", "y")
    assert mine.known("write", "x")


@pytest.mark.slow
def test_doors_of_many_boards_are_bounded(doors: Path) -> None:
    mine, other = Doors("a" * 64), Doors("b" * 64)
    mine.open("write", "first")
    other.open("watch", "x")
    other.close()
    assert mine.known("write", "first")
    assert not mine.known("watch", "first")
    assert not other.known("watch", "x")
    for number in range(400):
        mine.open("write", str(number))
    assert not mine.known("write", "first")
    assert mine.known("write", "0")
    doors.write_text("[")
    mine.open("write", "more")
    assert not mine.known("write", "0")
    assert doors.read_text() == "["


@pytest.mark.slow
def test_a_page_whose_board_was_killed_is_live_again_and_records_the_next_turn(
    browser: Browser, tmp_path: Path
) -> None:
    """What was begun is still there, who watches comes back too, and no old table passes for the present one."""
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    board = Own(file)
    with screen(browser, board, known=False, **PHONE) as (hand, page):
        link = page.locator("#link")
        expect(link).to_have_text("live")
        shared = f"http://{board.host}/?token={token(board.shared())}"
        page.reload()
        with watching(browser, shared, **LAPTOP) as watched:
            hand.tap('#fifty [data-card="12"]')
            hand.tap('#hand [data-card="29"]')
            board.kill()
            hand.away = True
            expect(link).to_contain_text("cut off since")
            expect(link).to_be_in_viewport()
            assert "grayscale" in page.locator("#tower").evaluate("node => getComputedStyle(node).filter")
            with Own(file, "--port", str(board.port)) as again:
                expect(link).to_have_text("live")
                assert page.locator("#tower").evaluate("node => getComputedStyle(node).filter") == "none"
                expect(page.locator("#stale")).to_be_hidden()
                hand.cell("g2")
                hand.tap("#up")
                hand.listed("4. Mira +12 A 29@g2")
                expect(watched.locator("#link")).to_have_text("live")
                expect(watched.locator("#last")).to_have_text("4. Mira +? A 29@g2")
                assert problems(page) == []
                assert again.get("/api/game").data["turns"][-1]["text"] == "4. Mira +12 A 29@g2"
                page.close()
        assert "4. Mira +12 A 29@g2" in file.read_text("utf-8")


@pytest.mark.slow
def test_a_game_that_is_being_begun_when_its_board_is_killed_begins(browser: Browser, tmp_path: Path) -> None:
    board = Own(tmp_path / "x.cgn")
    with screen(browser, board, known=False, **PHONE) as (hand, page):
        for seat, name in enumerate(("Ida", "Jon")):
            page.locator('[name="player"]').nth(seat).fill(name)
        board.kill()
        hand.away = True
        expect(page.locator("#link")).to_contain_text("cut off since")
        with Own(tmp_path / "x.cgn", "--port", str(board.port)) as again:
            expect(page.locator("#link")).to_have_text("live")
            hand.tap("#start .go")
            expect(page.locator("#mover")).to_have_text("Ida")
            assert again.get("/api/game").data["players"] == ["Ida", "Jon"]
            page.close()


@pytest.mark.slow
def test_a_board_that_is_asked_and_says_nothing_is_not_taken_to_be_live(browser: Browser, tmp_path: Path) -> None:
    """As the stream of a telephone that wakes where its network is gone."""
    with Local(tmp_path / "x.cgn", known=False) as board, screen(browser, board, **PHONE) as (_, page):
        expect(page.locator("#link")).to_have_text("live")
        page.clock.install()
        page.route("**/api/events", lambda _: None)
        with page.expect_request("**/api/events"):
            page.evaluate("dispatchEvent(new Event('online'))")
        page.clock.fast_forward(16_000)
        expect(page.locator("#link")).to_have_text("looking again every few seconds")  # as questions are answered
        page.unroute("**/api/events")
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.locator("#link")).to_have_text("live")


@pytest.mark.slow
def test_what_another_board_shows_at_the_same_port_does_not_pass_for_this_game(
    browser: Browser, tmp_path: Path
) -> None:
    """Both files have one name, and the browser may write both."""
    files = [tmp_path / place / "x.cgn" for place in ("here", "there")]
    for turns, each in enumerate(files, 2):
        each.parent.mkdir()
        each.write_text(thursday(turns), "utf-8")
    board = Own(files[0])
    with screen(browser, board, known=False, **LAPTOP) as (hand, page):
        expect(page.locator("#turns code")).to_have_count(2)
        board.kill()
        hand.away = True
        with Own(files[1], "--port", str(board.port)) as other:
            expect(page.locator("#link")).to_contain_text("not let in")
            another = page.context.new_page()
            another.goto(other.address)
            expect(another.locator("#turns code")).to_have_count(3)
            expect(page.locator("#notices")).to_contain_text("does not answer")
            expect(page.locator("#turns code")).to_have_count(2)
            another.close()
        with Own(files[0], "--port", str(board.port)):
            expect(page.locator("#notices")).to_be_empty()
            expect(page.locator("#link")).to_have_text("live")
            page.close()


@pytest.mark.slow
def test_a_telephone_that_was_lost_is_let_in_no_more(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    with Local(file, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        with screen(browser, board, **PHONE) as (_, phone):
            expect(phone.locator("#link")).to_have_text("live")
            hand.tap("#share")
            hand.tap("#share-end")
            expect(page.locator("#share-said")).to_contain_text("This page goes on")
            expect(phone.locator("#link")).to_contain_text("not let in")
            phone.reload()
            expect(phone.locator("h1")).to_have_text("Not let in")
            assert problems(phone) == []
            phone.goto(board.address)
            expect(phone.locator("h1")).to_have_text("Not let in")
        page.keyboard.press("Escape")
        expect(page.locator("#link")).to_have_text("live")
        page.locator("#line").fill("+12 A 29@g2")
        hand.tap("#up")
        hand.listed("4. Mira +12 A 29@g2")
