"""In which language a board answers, each request by itself: by its address, a cookie, the browser's wish, its own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from couperation_formal.board.gate import Gate
from couperation_formal.game.fact import fact
from couperation_formal.words.say import ENGLISH, say
from tests.board.asked import Asked
from tests.board.local import Local, Own
from tests.board.taps import LAPTOP, screen, watching
from tests.words.latin import WORDS, foreign_words

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

GAME = """[CGN "1"]
[Players "Aki Ben"]
deal Aki 17 30 44
deal Ben 22 9 3
reserve 1 50 12 33 40 7
1. Aki A 17@f1
2. Ben A 9@f2
"""


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    file = tmp_path / "x.cgn"
    file.write_text(GAME, "utf-8")
    return Asked(file)


def body(answer: tuple[int, bytes]) -> Any:
    return json.loads(answer[1].partition(b"\n\n")[2])


def spoken(answer: tuple[int, bytes]) -> str:
    """The language of a page."""
    found = re.search(rb'<html lang="(.+?)"', answer[1])
    assert found is not None
    return found[1].decode()


@pytest.mark.parametrize(
    ("wanted", "cookie", "query", "language"),
    [
        ("", "", "", "en"),
        ("ja", "", "", "ja"),
        ("ja-JP", "", "", "ja"),
        ("fr, JA-jp-x-any;q=0.2", "", "", "ja"),
        ("en;q=0.7, ja;q=0.8", "", "", "ja"),
        ("ja;q=0.7,en-GB", "", "", "en"),
        ("ja;q=0, fr", "", "", "en"),
        ("*, ja;q=0.5", "", "", "en"),
        ("fr-FR", "", "", "en"),
        ("ja;q=two, ;;=, ja;q=1.0001, \x00", "", "", "en"),
        ("-".join("ja" * 900), "", "", "en"),
        ("en", "couperation-language=ja", "", "ja"),
        ("ja", "couperation-language=fr", "", "ja"),
        ("", "couperation-language=ja", "?lang=en", "en"),
        ("", "", "?lang=ja", "ja"),
        ("ja", "", "?lang=fr", "ja"),
    ],
)
def test_a_page_is_in_the_language_that_is_wanted(
    asked: Asked, wanted: str, cookie: str, query: str, language: str
) -> None:
    for token in (asked.board.sharing.writes, asked.token(None)):
        status, told = answer = asked.ask(token, f"/{query}", wanted=wanted, cookie=cookie)
        assert (status, spoken(answer)) == (200, language)
        kept = f"set-cookie: couperation-language={language};".encode()
        assert (kept in told) == (query[6:] == language)


def test_what_is_kept_for_all_is_kept_for_each_language(asked: Asked) -> None:
    token = asked.token(None)
    for _ in range(2):
        for language in ("en", "ja"):
            game = body(asked.ask(token, "/api/game", wanted=language))
            for told in (game["wrong"][0]["message"], game["turns"][0]["words"], game["table"]["deck_size"]):
                assert told.isascii() == (language == ENGLISH)
            script = asked.ask(token, "/static/watch.js", wanted=language)[1].decode()
            assert json.dumps(say(fact("live_auto"), language), ensure_ascii=False) in script


def test_who_is_refused_is_told_so_in_the_language(asked: Asked) -> None:
    for language in ("en", "ja"):
        _, closed = asked.ask("x", "/", wanted=language)
        assert say(fact("board_token"), language).encode() in closed
        told = body(asked.ask(asked.board.sharing.writes, "/api/table?turn=9", wanted=language))
        assert told["said"] == say(fact("board_nothing"), language)
        posted = {"op": "turn", "revision": asked.shelf.keeper(None).revision, "line": "3. Aki A 16@z9"}
        answer = asked.ask(asked.board.sharing.writes, "/api/edit", "POST", json.dumps(posted).encode(), language)
        assert answer[0] == 422
        assert (language == ENGLISH) == body(answer)["said"].isascii()


def test_a_board_has_a_language_of_its_own(asked: Asked) -> None:
    watching = asked.board.watching()
    asked.gate = Gate(asked.board.app(), watching, asked.tokens, ["x"], 1, language="ja")
    for wanted, language in (("", "ja"), ("fr", "ja"), ("*", "ja"), ("en", "en")):
        assert spoken(asked.ask(asked.token(None), "/", wanted=wanted)) == language


def test_a_board_begins_in_the_language_of_its_record(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(GAME.replace("[Players", '[Lang "ja-JP"]\n[Players'), "utf-8")
    with Own(file) as board:
        assert spoken((200, board.ask("GET", "/").body)) == "ja"


SHOWN = """() => [
  document.title,
  ...[...document.querySelectorAll("body :not(script, style, datalist *)")].flatMap((each) =>
    [...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data)),
  ...[...document.querySelectorAll("*")].flatMap((each) =>
    ["aria-label", "title", "placeholder", "alt"].map((name) => each.getAttribute(name) ?? "")),
]"""
"""Whatever a page says or would say, to eyes and to ears."""


def words(page: Page) -> set[str]:
    """The words of a page that are neither Japanese nor the same in each language."""
    return {word for text in page.evaluate(SHOWN) for word in foreign_words(text)}


@pytest.mark.slow
def test_who_taps_the_name_of_a_language_reads_it_from_then_on(browser: Browser, tmp_path: Path) -> None:
    """No English word is left on the page, nor on that of who watches; and none of the other language comes back."""
    file = tmp_path / "x.cgn"
    file.write_text(GAME, "utf-8")
    own = {"Aki", "Ben", "English", "check", "fix", "host", "HTTP", "PNG", "QR", "SVG", *WORDS.findall(str(file))}
    with Local(file) as board, screen(browser, board, locale="en", **LAPTOP) as (hand, page):
        page.locator(".masthead a", has_text="日本語").click()
        page.wait_for_selector("html.live[lang=ja]")
        for panel in ("turns", "know", "books", "table", "text"):
            hand.tap(f"#tab-{panel}")
        hand.tap('#fifty [data-card="12"]')
        hand.tap("#share")
        hand.tap("#share-with .go")
        expect(page.locator("#shares li")).to_have_count(1)
        assert words(page) - own == set()
        told = board.post("/api/share", {"op": "open", "player": "Aki"}).data
        path = next(each["path"] for each in told["shares"] if each["number"] == told["opened"])
        with watching(browser, f"http://{board.host}{path}", locale="ja", **LAPTOP) as watched:
            assert words(watched) - own == set()
        page.goto(board.address.partition("?")[0])
        page.wait_for_selector("html.live[lang=ja]")
        page.locator(".masthead a", has_text="English").click()
        page.wait_for_selector("html.live[lang=en]")
        assert not re.search("[ぁ-ん]", "".join(page.evaluate(SHOWN)))
