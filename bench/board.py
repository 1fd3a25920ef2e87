"""What a turn takes at the board: taps beside the things that its canonical text names, and how fast the board answers.

``python -m bench.board`` prints both counts for each turn of the games that are named (``examples/legal`` if none is),
then the times of a board in a process of its own, for a game of 40 turns with 20 screens that watch, half of them as a
player: for each turn the verdict and cells of a draft, then the accepted write, and until all of them show it, while
the table's question is being answered in a process of its own. Last, the time until it is known whether each of these
tables can be won, with nothing else to do; and the time to the first paint of the page.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from playwright.sync_api import sync_playwright

from bench.board_client import Board
from couperation_formal.board.judge import Draft, draft_of, drafted, stood_before
from couperation_formal.game.record import Exchange, Game, LayDown, NoAction, Open, Record, Turn
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.state import State
from couperation_formal.game.tower import UNSEEN, Down, Shown
from couperation_formal.notation.read import read
from couperation_formal.notation.write import record_text, turn_text
from couperation_formal.questions.records.sample import sample_game
from tests.kit.browser import ARGUMENTS, find_browser

ROOT = Path(__file__).resolve().parent.parent
PAINTED = 12
"""So often the page is loaded."""
_BEGUN = 0.5
"""Seconds after which a process is at work."""


class Count(NamedTuple):
    """Taps that enter a turn, the one that confirms it among them, and the things that its text names."""

    taps: int
    named: int


def tapped(turn: Turn, before: State, shown: bool) -> Draft:
    """The taps that make a turn: nothing that follows from the table before it. `shown` as for `draft.turn_of`."""
    action, draft = turn.action, replace(draft_of(turn), fill_open=turn.fill_open, glyphs=turn.glyphs)
    if isinstance(action, NoAction):
        return draft
    lies = before.tower.cells.get(action.cell)
    if isinstance(action, Open):
        follows = lies is not None and lies.card == action.card is not UNSEEN
        return replace(draft, action=None, card=None if follows else draft.card)
    if not isinstance(action, Exchange):
        return replace(draft, action="B" if isinstance(action, LayDown) else None)
    followed = Down(UNSEEN) if isinstance(lies, Down) and not shown else lies
    below = None if action.replaced == followed else draft.replaced
    return replace(draft, action=None, sign=None, adjust=(), replaced=below)


def count(turn: Turn, draft: Draft) -> Count:
    """Both counts. A run of unseen cards in a draw is one number, and so is that nothing was drawn; B, ``-`` and a card
    laid down by D are ways to confirm. A replaced card is named where the text says more of it than follows.
    """
    told = [draft.card, draft.cell, draft.sign, draft.replaced, draft.draw_open or None, draft.fill_open or None]
    taps = sum(each is not None for each in told) + bool(draft.adjust)
    taps += len(draft.sent) + len(draft.destroyed) + len(draft.drop) + len(draft.trim) + len(draft.glyphs)
    drawn = _runs(turn.draw) or not turn.draw_open
    taps += drawn + _runs(turn.fill) + 1
    named = drawn + _runs(turn.fill) + turn.draw_open + turn.fill_open
    named += len(turn.drop) + len(turn.trim) + len(turn.glyphs)
    if isinstance(turn.action, Exchange):
        named += 4 + len(turn.action.adjust) + (draft.replaced is not None)
    elif not isinstance(turn.action, NoAction):
        named += 2
    return Count(taps, named + 1)


def _runs(cards: tuple[Shown, ...]) -> int:
    return sum(card is not UNSEEN for card in cards) + (UNSEEN in cards)


def entered(game: Game) -> Iterator[tuple[Turn, Draft, Count]]:
    """Each turn of a game with its taps. Raises `ValueError` where they do not make its canonical line."""
    record = game.record
    for place, turn in enumerate(record.turns, 1):
        draft = tapped(turn, stood_before(record, place), record.deck is not None)
        before = msgspec.structs.replace(record, turns=record.turns[: place - 1], result=None)
        found = drafted(msgspec.structs.replace(game, record=before), draft)
        if found.text != turn_text(turn):
            raise ValueError(f"{found.text} is not {turn_text(turn)}")
        yield turn, draft, count(turn, draft)


def times(record: Record, watchers: int) -> dict[str, list[float]]:
    """The seconds that a board takes for each turn's draft and for its write while so many watch, each of whom asks for
    the game after every turn, and until the last of them has it (`seen`); `cut` those after which a question about the
    table was ended by the write, as it was still at work.
    """
    found: dict[str, list[float]] = {"draft": [], "edit": [], "seen": [], "cut": []}
    with tempfile.TemporaryDirectory() as folder, Board(Path(folder) / "game.cgn") as board:
        board.start(record)
        cookies = [board.shared(None if number % 2 else record.players[0]) for number in range(watchers)]
        told: multiprocessing.Queue[tuple[int, float]] = multiprocessing.Queue()
        others = multiprocessing.Process(target=_watch, args=(board.port, cookies, told), daemon=True)
        others.start()
        for _ in range(watchers):
            told.get(timeout=30)
        for place, turn in enumerate(record.turns, 1):
            draft = tapped(turn, stood_before(record, place), record.deck is not None)
            body = {"draft": msgspec.to_builtins(draft)}
            threading.Thread(target=_ask, args=(board, found["cut"]), daemon=True).start()
            time.sleep(_BEGUN)
            for kind, more in (("draft", {}), ("edit", {"op": "turn", "revision": board.revision()})):
                began = time.perf_counter()
                answer = board.post(f"/api/{kind}", {**body, **more})
                found[kind].append(time.perf_counter() - began)
                if answer.status != 200:
                    raise ValueError(answer.body)
            if watchers:
                found["seen"].append(max(told.get(timeout=30)[1] for _ in range(watchers)) - began)
        others.kill()
    return {kind: seconds for kind, seconds in found.items() if seconds}


def _watch(port: int, cookies: list[str], told: Any) -> None:
    """Watch with each of these cookies, and tell when each turn is there."""
    threads = [threading.Thread(target=_follow, args=(port, cookie, told)) for cookie in cookies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _follow(port: int, cookie: str, told: Any) -> None:
    stream, asked = (http.client.HTTPConnection("127.0.0.1", port) for _ in range(2))
    headers = {"Host": f"127.0.0.1:{port}", "Cookie": cookie}
    stream.request("GET", "/api/events", headers=headers)
    answer = stream.getresponse()
    told.put((0, time.perf_counter()))
    while line := answer.readline():
        if line == b"event: changed\n":
            asked.request("GET", "/api/game", headers=headers)
            turns = json.loads(asked.getresponse().read())["turns"]
            told.put((len(turns), time.perf_counter()))


def known(record: Record) -> list[tuple[str, float]]:
    """What is known of the table after each turn as it is played, and the seconds that it took."""
    found = []
    with tempfile.TemporaryDirectory() as folder, Board(Path(folder) / "game.cgn") as board:
        board.start(record)
        for place, turn in enumerate(record.turns, 1):
            draft = tapped(turn, stood_before(record, place), record.deck is not None)
            board.edit("turn", draft=msgspec.to_builtins(draft))
            began = time.perf_counter()
            standing = board.know().data["standing"]
            found.append((standing, time.perf_counter() - began))
    return found


def _ask(board: Board, cut: list[float]) -> None:
    began = time.perf_counter()
    if board.know().data is None:
        cut.append(time.perf_counter() - began)


def painted(record: Record) -> list[float]:
    """The seconds until a browser shows something of the page for this game, each time with nothing kept."""
    entry = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    found = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "game.cgn"
        file.write_text(record_text(record), "utf-8")
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(ARGUMENTS))
        with Board(file) as board:
            for _ in range(PAINTED):
                page = browser.new_context().new_page()
                page.goto(board.address)
                page.wait_for_selector("html.live")
                found.append(page.wait_for_function(entry).json_value() / 1000)
                page.context.close()
        browser.close()
    return found


def forty(record_seed: int = 0) -> Record:
    """A sampled game with all cards shown, of 40 turns if it is so long."""
    games = (sample_game(2, "first", parse_rules("ja-2.2"), seed, "careful") for seed in range(record_seed, 100))
    found = next(each for each in games if len(each.turns) >= 40)
    return msgspec.structs.replace(found, turns=found.turns[:40], result=None)


def public() -> Record:
    """A sampled game as everybody sees it."""
    return sample_game(3, "first", parse_rules("ja-2.2"), 6, "careful", public=True)


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--watchers", type=int, default=20)
    chosen = parser.parse_args()
    for path in chosen.files or sorted((ROOT / "examples" / "legal").glob("*.cgn")):
        for item in read(path):
            if isinstance(item, Game):
                print(f"{path.name}, game {item.index}: taps, things named")
                for turn, _, counts in entered(item):
                    print(f"{counts.taps:4}{counts.named:4}  {turn_text(turn)}")
    for kind, seconds in times(forty(), chosen.watchers).items():
        print(_spread(kind, seconds))
    print(_spread("first paint", painted(forty())))
    for name, record in (("all shown", forty()), ("public", public())):
        tables = known(record)
        standings = Counter(standing for standing, _ in tables)
        told = ", ".join(f"{count} {standing}" for standing, count in standings.items())
        print(f"{_spread(f'known, {name}', [seconds for _, seconds in tables])}: {told}")


def _spread(kind: str, seconds: list[float]) -> str:
    cut = statistics.quantiles(seconds, n=100, method="inclusive")
    return f"{kind}: median {cut[49] * 1000:.1f} ms, 99th percentile {cut[98] * 1000:.1f} ms, of {len(seconds)}"


if __name__ == "__main__":
    main()
