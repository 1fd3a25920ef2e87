"""A quarrel at the table: a turn of each family of clauses is refused with its reasons, and kept or not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from couperation_formal.board.judge import judge, stood_after
from couperation_formal.game.record import Game
from couperation_formal.game.replay import replay
from couperation_formal.notation.read import read_text
from couperation_formal.words.say import ENGLISH, say
from tests.board.taps import Hand, Seat, thursday
from tests.conftest import LONG

pytestmark = pytest.mark.slow

Taps = Callable[[Hand], None]


def tapped(*taps: str) -> Taps:
    """Cells by their names, cards of the fifty by their numbers, others by their row."""

    def tap(hand: Hand) -> None:
        hand.more()
        for each in taps:
            if each[0].isalpha() and each[1:].isdigit():
                hand.cell(each)
            elif each.isdigit():
                hand.tap(f'#fifty [data-card="{each}"]')
            else:
                hand.tap(each)

    return tap


def typed(line: str) -> Taps:
    def fill(hand: Hand) -> None:
        hand.more()
        hand.page.locator("#line").fill(line)

    return fill


REFUSED: dict[str, tuple[int, Taps, str]] = {
    "SET06": (3, tapped("18", "29", "g2"), "4. Mira +18 A 29@g2"),
    "TOW02": (9, tapped("12", "f3"), "10. Mira +0 A 12@f3"),
    "TOW03": (3, tapped("29", "f4"), "4. Mira +0 A 29@f4"),
    "TOW06": (9, tapped("12", "h1"), "10. Mira +0 A 12@h1"),
    "DRW02": (3, tapped("12", "13", "29", "g2"), "4. Mira +12,13 A 29@g2"),
    "ACT01": (3, tapped("#none"), "4. Mira +0 -"),
    "ACT05": (3, tapped('#reserve [data-card="36"]', "29", "8", "g2"), "4. Mira +0 D 29+8=36@g2"),
    "LIM01": (3, typed("A 29@g2 drop 8"), "4. Mira +0 A 29@g2 drop 8"),
    "LIM02": (3, typed("A 29@g2 trim 27"), "4. Mira +0 A 29@g2 trim 27"),
    "END04": (29, typed("A 11@a1"), "30. Noor +0 A 11@a1"),
}
"""By clause: the turns before, what is tapped or typed, and the line that it makes."""


def message(text: str, place: int, clause: str) -> str:
    """What the rules say of this turn."""
    game = next(iter(read_text(text)))
    assert isinstance(game, Game)
    outcome = replay(game.record, game.record.rules.rulings)
    return next(say(each.what, ENGLISH) for each in outcome.broken if (each.turn, each.clause) == (place, clause))


def test_a_game_with_a_disputed_turn_ends_as_any_other() -> None:
    """What is won after a turn that stands although it was wrong is won."""
    won = thursday(29).replace(" trim 50", "")
    game = next(iter(read_text(won)))
    assert isinstance(game, Game)
    assert replay(game.record, game.record.rules.rulings).illegal is not None
    assert stood_after(game.record, None).result == "win"


def test_a_turn_that_hangs_on_an_earlier_one_says_which() -> None:
    """Where F went is not known from turn 3 on; the turn after it breaks nothing by itself."""
    head = '[CGN "1"]\n[Rules "ja-2.2"]\n[Variant "finish"]\n[Players "Aki Ben"]\n'
    turns = "1. Aki +0 D 34-43=9@g1x25 trim 34\n2. Ben +?,? A 10@h1 drop ?\n3. Aki +F,?,? D 13-19^?^?_F=7@f1 trim 19\n"
    game = next(iter(read_text(f"{head}reserve 1 50 7 37 9 44\n{turns}4. Ben +0 A 28@i1\n*\n")))
    assert isinstance(game, Game)
    (hangs,) = judge(game.record, game.record.turns[3], 4).open
    assert say(hangs, ENGLISH).startswith("turn 3: where the Finish card went; the turns after this one")


APART = ("TOW02", "ACT05", "LIM01")
"""Those that differ in what is tapped: the others are alike to the page, and said by the same rules."""


@pytest.mark.parametrize("clause", REFUSED if LONG else APART)
def test_a_turn_of_each_family_is_refused_with_its_message(laptop: Seat, phone: Seat, clause: str) -> None:
    turns, taps, line = REFUSED[clause]
    seat = (laptop, phone)[list(REFUSED).index(clause) % 2]
    with seat(thursday(turns)) as (file, _, hand, page):
        expect(page.locator("#turns code")).to_have_count(turns)
        taps(hand)
        expect(page.locator("#told .line").first).to_have_text(line)
        finding = page.locator("#told .finding", has_text=clause).first
        if clause != "END04":  # of a turn after the end nothing is stated that a record could hold
            expect(finding).to_contain_text(message(f"{thursday(turns)}{line}\n", turns + 1, clause))
        expect(finding).to_be_visible()
        hand.tap("#up")
        hand.tap("#clear")
        expect(page.locator("#told .finding")).to_have_count(0)
        expect(page.locator("#turns code")).to_have_count(turns)
    assert file.read_text("utf-8") == thursday(turns)


def test_a_quarrel_is_kept_and_its_whole_answer_told(phone: Seat) -> None:
    """Five cards where four may be drawn: told at once, kept all the same, and its whole answer one tap away."""
    with phone(thursday(4)) as (file, _, hand, page):
        tapped("19", "6", "16", "17", "23", "15", "e2")(hand)
        expect(page.locator("#told .verdict")).to_contain_text("Against the rules")
        expect(page.locator("#told")).to_contain_text("DRW03")
        expect(page.locator("#told")).not_to_contain_text("Legal under")  # four cards are still to be destroyed
        for named in range(1, 5):
            hand.tap('#told [data-part="drop"]')
            expect(page.locator('#told [aria-pressed="true"]')).to_have_count(named)
        expect(page.locator("#told")).to_contain_text("Every rulebook refuses this turn")
        hand.keep()
        expect(page.locator("#turns code").last).to_contain_text("~~")
        expect(page.locator("#strip .chip").first).to_contain_text("✗ ja-2.2 · 5")
        expect(page.locator("#strip")).to_have_attribute("aria-busy", "false")
        hand.tap("#strip .chip")
        expect(page.locator("#answer")).to_contain_text("Who says what", timeout=60_000)
        expect(page.locator("#answer p").first).to_contain_text("✗ en-1 illegal")
        expect(page.locator("#answer h2").first).to_be_in_viewport()
        expect(page.locator("#answer")).not_to_contain_text("DRW03", use_inner_text=True)
        hand.tap("#answer summary")
        expect(page.locator("#answer")).to_contain_text("DRW03", use_inner_text=True)
    assert "15@e2 ~~ drop 4,6,16,17" in file.read_text("utf-8")
