"""Pages as text: nothing from a record becomes markup, nothing is loaded, and bad records make useful pages."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from couperation_formal.game.fact import fact
from couperation_formal.game.position import state_of
from couperation_formal.game.record import Diagnostic, Game, Snapshot, Span
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import Cell, Up, Value
from couperation_formal.notation.read import read, read_text
from couperation_formal.notation.write import position_text, record_text
from couperation_formal.questions.disputes.dispute import dispute
from couperation_formal.questions.disputes.judging import BookVerdict
from couperation_formal.questions.records.check import check
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.questions.records.states import conflict
from tests.conftest import some
from tests.page.page import EVIL, Elements, data_of
from tests.page.pages import (
    BROKEN,
    DEAD,
    EVENING,
    FINISH,
    HEAD,
    LEGAL,
    ROOT,
    TWO,
    page,
    page_of,
    page_of_text,
    page_with,
)


def test_nothing_from_a_record_becomes_markup() -> None:
    text = f'[CGN "1"]\n[Event "{EVIL} & <!-- "]\n[Players "{EVIL} <b>Ben"]\ndeal {EVIL} 17 30 44\n' + (
        f"deal <b>Ben 22 9 3\nreserve 1 50 12 33 40 7\n1. {EVIL} A 17@f1 {{ </script><img src=x onerror=alert(2)> }}\n"
        "2. <b>Ben A 9@f2\n"
    )
    (item,) = read_text(text, f"{EVIL}.cgn")
    assert isinstance(item, Game), item
    html = page([check(item)])
    clean = Elements(page_of(BROKEN))
    found = Elements(html)
    assert {tag for tag, _ in found.found} <= {tag for tag, _ in clean.found}
    assert sum(tag == "script" for tag, _ in found.found) == 2
    assert not any(name.startswith("on") or name == "style" for _, attrs in found.found for name in attrs)
    words = [turn["words"] for turn in data_of(html)["turns"]]
    assert words == [f"{EVIL} lays 17 up on f1.", "<b>Ben lays 9 up on f2."]
    assert data_of(html)["turns"][0]["remark"].startswith("</script>")
    assert "<img" not in html
    assert "&lt;script&gt;alert(1)" in html


@pytest.mark.parametrize("path", [LEGAL, TWO, ROOT / "examples/towers/open.cgn"], ids=lambda path: path.stem)
def test_the_policy_allows_this_script_and_style_only(path: Path) -> None:
    html = page_of(path)
    found = Elements(html)
    (policy,) = [attrs["content"] for tag, attrs in found.found if attrs.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; ")
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    for directive, text in (("style-src", style), ("script-src", script)):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy


def test_nothing_is_loaded_from_anywhere() -> None:
    html = page_of(*EVENING)
    for _, attrs in Elements(html).found:
        for name in ("src", "href", "action", "data", "srcset", "poster"):
            value = attrs.get(name)
            assert value is None or value.startswith(("#", "data:,")), value
    assert not re.search(r"@import|url\((?!#)|fetch\(|XMLHttpRequest|WebSocket", html)
    assert re.findall(r"https?://[^\"' ]+", html.replace("http://www.w3.org/2000/svg", "")) == []


@pytest.mark.slow
def test_a_game_of_forty_turns_stays_below_500_kilobytes() -> None:
    rules = parse_rules("ja-2.2")
    games = [sample_game(players, "first", rules, seed, "random") for players in (2, 3, 4) for seed in range(4, 8)]
    longest = max(games, key=lambda record: len(record.turns))
    bare = len(page_of_text(record_text(msgspec.structs.replace(longest, turns=(), result=None))))
    turns = len(longest.turns)
    assert turns > 25
    assert bare + (len(page_of_text(record_text(longest))) - bare) * 40 / turns < 350_000


@pytest.mark.slow
def test_ids_are_unique_and_what_names_them_exists() -> None:
    elements = Elements(page_of(*EVENING)).found
    ids = [attrs["id"] for _, attrs in elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    for _, attrs in elements:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            if name in attrs:
                assert attrs[name] in ids
        if (attrs.get("href") or "").startswith("#cf-"):
            assert (attrs["href"] or "")[1:] in ids


@pytest.mark.slow
@pytest.mark.parametrize("path", [LEGAL, FINISH, BROKEN, DEAD], ids=lambda path: path.stem)
def test_the_steps_are_the_states_of_the_replay(path: Path) -> None:
    (item,) = read(path)
    report = check(item)
    data = data_of(page_of(path))
    assert len(data["steps"]) == len(report.states) + (report.turn is not None)
    for state, step in zip(report.states, data["steps"], strict=False):
        assert step["cells"] == {str(cell): str(laid) for cell, laid in state.tower.cells.items()}
        assert step.get("deck", 0) == len(state.deck)
        assert [len(hand) for hand in step["hands"]] == [hand.size for hand in state.hands]


def test_the_positions_of_the_steps_are_read_back() -> None:
    data = data_of(page_of(LEGAL))
    for step in data["steps"]:
        text = "\n".join([*data["head"], *step["lines"]]) + "\n"
        (table,) = read_text(text)
        assert not isinstance(table, Game)
        assert hasattr(table, "position"), text
        assert position_text(table.position) == text


def test_the_illegal_turn_is_shown_with_its_card_its_conflict_and_its_clause() -> None:
    html = page_of(BROKEN)
    last = data_of(html)["steps"][-1]
    assert last["turn"] == 8
    assert last["refused"] == {"cell": "e2", "card": "22"}
    assert last["conflict"] == ["f1"]
    assert "22 on e2 cannot lie between" in html
    assert "^^^^^^^" in html
    assert data_of(html)["verdicts"][-1] == "Breaks TOW02."


@pytest.mark.parametrize("cell, card, against", [
    (Cell(8, 1), 26, [Cell(6, 1), Cell(7, 1)]),  # no number is left for the down card between
    (Cell(8, 1), 27, []),
    (Cell(5, 2), 9, [Cell(5, 1)]),
    (Cell(5, 1), 17, []),  # it lies there
    (Cell(12, 7), 30, []),  # off the board
])  # fmt: skip
def test_what_a_refused_card_cannot_stand_with(cell: Cell, card: int, against: list[Cell]) -> None:
    (table,) = read_text('[CGN "1"]\n[Players "Aki Ben"]\nposition\ntower 17@f1 25@g1 ~?@h1\n')
    assert isinstance(table, Snapshot)
    rulings = table.position.rules.rulings
    assert list(conflict(state_of(table.position), cell, Up(Value(card)), rulings)) == against


def test_why_a_clause_fails_is_behind_a_fold() -> None:
    text = page_of_text(HEAD + "1. Aki A 17@f1\n2. Ben A 9@f2\n")
    fold = re.findall(
        r"<details><summary>Why it fails</summary><pre class=\"frame\">(.*?)</pre></details>", text, re.DOTALL
    )
    assert len(fold) == 1
    assert "straddling(num2)" in fold[0]
    assert "x = f2: between = strict, num2(left x) = 17, num2(x) = 9; 17 &lt; 9 is false" in fold[0]


def test_where_the_tower_cannot_be_filled_is_told_with_a_filling_before() -> None:
    data = data_of(page_of(DEAD))
    answers = [step["outlook"]["answer"] for step in data["steps"]]
    assert answers == ["completable"] * 5 + ["deadlocked"] * 27
    assert data["steps"][4]["outlook"]["filling"]
    assert data["steps"][5]["outlook"]["reasons"]


def test_one_of_three_games_with_a_syntax_error() -> None:
    html = page_of_text(HEAD + "1. Aki A 17@f1\n" + HEAD + "1. Aki A 17f1\n" + HEAD + "1. Aki A 30@h1\n")
    assert html.count("<article") == 3
    assert "game-data-2" not in html
    assert "This is no CGN: 1 fault." in html
    assert data_of(html, 3)["steps"][-1]["cells"] == {"g1": "25", "h1": "30"}


def test_unseen_cards_make_a_page() -> None:
    html = page_of_text('[CGN "1"]\n[Players "Aki Ben"]\n1. Aki A 17@f1\n2. Ben B ?@h1\n3. Aki A ?@i1\n4. Ben A 9@e1\n')
    data = data_of(html)
    assert [step["outlook"]["answer"] for step in data["steps"]][:3] == ["completable"] * 3
    assert data["steps"][3]["outlook"]["answer"] == "unknown"
    assert _badges(html) == ["legal"]
    assert "some choice of the cards that are not shown keeps every rule" in html


def test_a_record_that_its_unseen_cards_leave_open() -> None:
    text = '[CGN "1"]\n[Players "Aki Ben"]\n1. Aki A 17@f1\n2. Ben B ?@h1\n3. Aki A ?@i1\n'
    (item,) = read_text(text)
    html = page([check(item, engine="plain")])
    assert _badges(html) == ["undetermined"]
    assert "The record does not show enough to tell." in html


def test_nothing_after_a_turn_that_cannot_be_is_called_legal() -> None:
    text = HEAD + "1. Aki A 17@f1\n2. Ben B ?@h1\n3. Aki A ?@i1\n4. Ben A ?@j1\n5. Aki C h1=49\n6. Ben B ?@e1\n"
    (item,) = read_text(text)
    report = check(item)
    assert len(report.states) == 4
    for turn in range(1, 5):
        error = msgspec.structs.replace(ERROR, turn=turn)
        shown = page([msgspec.structs.replace(report, verdict="illegal", turn=turn, diagnostics=(error,))])
        verdicts = re.findall(r'class="hidden">(Keeps the rules\.|Not judged\.|Breaks TOW01\.)', shown)
        assert verdicts[:turn] == ["Keeps the rules."] * turn
        assert "Keeps the rules." not in verdicts[turn:]
        assert data_of(shown)["steps"][-1]["turn"] == turn


def test_turns_after_a_draw_that_was_not_noted_have_their_steps() -> None:
    text = HEAD + "1. Aki +* A 17@f1\n2. Ben +0 A 3@e1\n3. Aki +* A 16@h1\n4. Ben A 9@d1\n"
    (item,) = read_text(text)
    html = page([check(item)])
    assert _badges(html) == ["illegal"]
    said = re.findall(r'class="hidden">(Keeps the rules|Not judged|Breaks TOW01)', html)
    assert said == [*["Keeps the rules"] * 3, "Breaks TOW01", "Not judged"]
    assert re.findall(r'data-turn="(\d+)"', html) == ["0", "1", "2", "3"]
    assert "2 to 3 cards" in html


ERROR = Diagnostic(code="TOW01", severity="error", turn=1, span=Span(0, 1), what=fact("told", said="said for the test"))


def _badges(html: str) -> list[str]:
    return re.findall(r'<p class="ruling"><span class="badge (\w+)">', html)


def test_three_hundred_turns_make_a_page() -> None:
    turns = "".join(f"{k}. {'Aki' if k % 2 else 'Ben'} A 17@f1\n" for k in range(1, 301))
    html = page_of_text(HEAD + turns)
    assert html.count('class="cgn"') == 301
    assert len(html) < 500_000
    legal = "".join(f"{k}. {'Aki' if k % 2 else 'Ben'} +? B ?@{'efhi'[k % 4]}{k % 7 + 1}\n" for k in range(1, 301))
    assert "Illegal at" in page_of_text(HEAD + legal)


@pytest.mark.parametrize("text", ["", "nothing", "[CGN", HEAD, HEAD + "1. Aki -\nstuck\n", HEAD + "1. Aki A 17@a7\n"])
def test_any_text_makes_a_page(text: str) -> None:
    assert page_of_text(text).startswith("<!doctype html>")


@pytest.mark.parametrize("path", sorted((ROOT / "tests/data/positions").glob("*.cgn"))[:12], ids=lambda path: path.stem)
def test_positions_make_pages(path: Path) -> None:
    html = page_of(path)
    assert [step["place"] for step in data_of(html)["steps"]] == ["The position"]


@pytest.mark.slow
def test_the_recorded_games_of_the_tests_make_pages() -> None:
    """Each twelfth of them, and all where there is time."""
    files = sorted((ROOT / "tests/data/games").glob("*.cgn"))
    assert len(files) > 30
    for file in some(files, 12):
        assert len(page_of(file)) < 350_000, file


def test_a_dispute_is_shown_as_a_table() -> None:
    (game,) = read(BROKEN)
    assert isinstance(game, Game)
    said = msgspec.structs.replace(
        dispute(game),
        rulebooks={"en-2": BookVerdict("legal"), "bgg": BookVerdict("illegal", 8, "TOW02")},
        decisive=("between",),
        legal_when=({"between": ("inclusive",)},),
        illegal_when=({"between": ("strict",)},),
        undetermined_when=(),
    )
    html = page_with(said, BROKEN)
    assert "What each rulebook says" in html
    assert re.search(r"bgg</th>.*?illegal.*?8.*?TOW02 A card lies between", html, re.DOTALL)
    asked, answer = "May a card equal one of its two supports?", "Yes: its number may also be that of either support"
    assert f"<b>legal</b> when the answer to “{asked}” is: {answer} (house option)." in html
    assert "What each rulebook says" not in page_of(BROKEN)


def test_a_lost_game_says_why_at_its_last_turn() -> None:
    """The 28 opened over 17 and 25."""
    turns = "1. Aki A 17@f1\n2. Ben B 28@f2\n3. Aki C f2=28\n"
    html = page_of_text(HEAD.replace("Ben 22", "Ben 28") + turns)
    why = "the game is lost: 28 on f2 cannot lie between 17 on f1 and 25 on g1: 28 is not below 25"
    assert data_of(html)["verdicts"][-1] == f"T{why[1:]}; the turn keeps the rules."
    assert "Keeps the rules." in data_of(html)["verdicts"]
    assert f"T{why[1:]}." in html


def test_other_rules_change_the_page() -> None:
    (item,) = read(BROKEN)
    rules = parse_rules("en-2 facedown=ignored")
    assert "What does a down card stand for while it is down?" in page([check(item, rules)], rules)


@pytest.mark.parametrize("odd", ["\u2028", "\x85", "\x0b", "\x0c"], ids=ascii)
def test_only_a_line_end_ends_a_line(odd: str) -> None:
    """A tag holds whatever a line end is not, so what is downloaded is the file, and what is copied can be read."""
    text = HEAD.replace("[Players", f'[Event "one{odd}two"]\n[Players') + f"1. Aki +14 A 17@f1 {{ a{odd}b }}\n"
    found = data_of(page_of_text(text))
    assert "\n".join([*found["cgn"], ""]) == text
    assert f'[Event "one{odd}two"]' in found["head"]
