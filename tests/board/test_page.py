"""The plain page in a browser: led in, a game started, typed, refused, kept as disputed, taken back."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import ConsoleMessage, expect, sync_playwright

from bench.board_client import Board
from tests.browser import ARGUMENTS, find_browser


def bad(message: ConsoleMessage) -> bool:
    """Whether this is an error, and not that the gate was met once without the cookie, or a turn was refused."""
    return message.type == "error" and not re.search(r"responded with a status of (403|422)", message.text)


def journey(board: Board, leading: Path) -> list[str]:
    problems: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(ARGUMENTS))
        page = browser.new_page()
        page.on("console", lambda message: problems.append(message.text) if bad(message) else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        allowed = (f"http://{board.host}/", leading.as_uri())
        page.on("request", lambda request: None if request.url.startswith(allowed) else problems.append(request.url))
        leading.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={board.address}">')
        page.goto(leading.as_uri())
        page.wait_for_url(f"http://{board.host}/")
        page.get_by_label("Players").fill("花子 <b>Ben</b>")
        page.get_by_role("button", name="Start").click()
        line = page.get_by_label("Next turn")
        line.fill("A 17@f1")
        expect(page.locator("#verdict")).to_contain_text("legal as far as")
        line.press("Enter")
        expect(page.locator("#turns li")).to_have_text(["1. 花子 +0 A 17@f1"])
        line.fill("A 13@h1")
        expect(page.locator("#verdict")).to_contain_text("17 is not below 13")
        line.press("Enter")
        page.get_by_role("button", name="Keep, disputed").click()
        expect(page.locator("#turns li.wrong")).to_contain_text("2. <b>Ben</b> +0 A 13@h1 ~~ — TOW01")
        page.get_by_role("button", name="Take back").click()
        expect(page.locator("#turns li")).to_have_count(1)
        expect(page.locator("#tower")).to_have_js_property("complete", True)
        assert page.locator("#tower").evaluate("image => image.naturalWidth") > 0
        assert page.locator("main b").count() == 0
        browser.close()
    return problems


def test_a_game_is_typed_on_the_plain_page(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    with Board(file) as board, ThreadPoolExecutor(1) as thread:  # a browser of its own beside those of other tests
        assert thread.submit(journey, board, tmp_path / "lead.html").result() == []
    assert "1. 花子 +0 A 17@f1\n" in file.read_text("utf-8")
    assert "<b>Ben</b>" in file.read_text("utf-8")
