"""`couperation report --as`: the file holds what its view may know, and the switch of a full page shows the same."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from couperation_formal.game.record import Game
from couperation_formal.game.rulings import parse_rules
from couperation_formal.notation.read import read, read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.questions.records.states import seen_by
from tests.cli.run import couperation, process
from tests.conftest import LONG, some
from tests.page.page import data_of
from tests.page.pages import LEGAL, TWO, opened, page_of
from tests.questions.records.worlds import another_world

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SAMPLE = sample_game(2, "finish", parse_rules("ja-2.2"), 4, "careful")
GAME = replace(SAMPLE, turns=SAMPLE.turns[: 6 if LONG else 5], result=None)
"""Short, so that it is soon known whether some choice of the unseen cards keeps every rule."""


def seen(player: str | None) -> Game:
    found = seen_by(next(read_text(record_text(GAME))), player)
    assert isinstance(found, Game)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("player, more", some([("Ben", ["--dispute"]), (None, [])], 2))
def test_the_page_is_the_same_in_every_world_that_it_may_be(
    tmp_path: Path, player: str | None, more: list[str]
) -> None:
    """The two games are judged in full, and each lies in a folder of its own."""
    other = replace(another_world(seen(player).record, Random(1)), tags=(*GAME.tags, ("Note", "Aki holds the 5")))
    pages = []
    for name, record in (("one", GAME), ("other", other)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "game.cgn").write_text(
            record_text(record).replace("\n\n", "\n; Aki holds the 5\n\n"), encoding="utf-8"
        )
        out = folder / "page.html"
        done = process("report", str(folder / "game.cgn"), "--as", player or "public", *more, "-o", str(out))
        assert done.returncode == 0, done.stderr
        pages.append(out.read_text(encoding="utf-8"))
    assert pages[0] == pages[1]
    assert str(tmp_path) not in pages[0]
    assert "holds the 5" not in pages[0]
    assert "game.cgn, game 1" in pages[0]
    assert "Legal: some choice of the cards that are not shown keeps every rule." in pages[0]
    assert list(data_of(pages[0])["seen"]) == ["table" if player is None else "1"]


def test_a_full_page_names_files_and_no_folders(tmp_path: Path) -> None:
    (tmp_path / "game.cgn").write_text(record_text(GAME).replace("A ", "C ", 1), encoding="utf-8")
    for out in (tmp_path / "page.html", tmp_path / "pages"):
        if out.suffix == "":
            out.mkdir()
        assert couperation("report", tmp_path / "game.cgn", "-o", out).exit_code == 0
    made = [tmp_path / "page.html", *(tmp_path / "pages").iterdir()]
    assert len(made) == 3
    for file in made:
        assert str(tmp_path) not in file.read_text(encoding="utf-8")


def test_games_that_the_player_did_not_play_and_texts_that_nobody_can_read_are_left_out(tmp_path: Path) -> None:
    out, game = tmp_path / "page.html", tmp_path / "game.cgn"
    game.write_text(record_text(GAME), encoding="utf-8")
    result = couperation("report", game, TWO, "--as", "Ben", "-o", out)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"error: {TWO}, game 1 is left out: it cannot be read, and may tell anything",
        f"error: {TWO}, game 2 is left out: there is no player 'Ben'; players: Kim, Lou",
        f"1 game: {out}",
    ]
    text = out.read_text(encoding="utf-8")
    assert text.count("<article") == 1
    assert "Kim" not in text


@pytest.mark.parametrize("name, meant", [("mira", "; did you mean Mira?"), ("Nor", "; did you mean Noor?"), ("X", "")])
def test_a_name_that_nobody_has(tmp_path: Path, name: str, meant: str) -> None:
    out = tmp_path / "page.html"
    result = couperation("report", LEGAL, "--as", name, "-o", out)
    assert (result.exit_code, out.exists()) == (2, False)
    assert f"there is no player '{name}'{meant}" in result.stderr


def test_a_position_as_a_player_sees_it(tmp_path: Path) -> None:
    text = (
        '[CGN "1"]\n[Players "Aki Ben"]\nposition\ntower 25@g1 ~26@h1\nhand Aki 3 9\nhand Ben 4 41\n'
        "reserve 1 50 12 33 40 7\ngone 5\ndeck 6\nturn Ben\nlast h1\n"
    )
    out = tmp_path / "page.html"
    assert couperation("report", "-", "--as", "Ben", "-o", out, stdin=text).exit_code == 0
    (step,) = data_of(out.read_text(encoding="utf-8"))["steps"]
    assert (step["cells"], step["hands"], step["gone"]) == ({"g1": "25", "h1": "~?"}, [["?", "?"], ["4", "41"]], ["?"])
    assert not {"top"} & {*step}


@pytest.mark.slow
def test_the_marks_of_the_copy_are_those_of_every_view(tmp_path: Path) -> None:
    marks = tmp_path / "marks.txt"
    marks.write_text(" ".join(f"{value}:{'12H'[value % 3]}" for value in range(1, 51)), encoding="utf-8")
    out = tmp_path / "page.html"
    bare = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Ben 17 30 44\n1. Aki +4 B 9@f1\n'
    assert couperation("report", "-", "--as", "Aki", "--marks", marks, "-o", out, stdin=bare).exit_code == 0
    assert len(data_of(out.read_text(encoding="utf-8"))["marks"]) == 50


@pytest.mark.slow
def test_the_switch_of_a_full_page_shows_what_each_view_has_seen(browser: Browser, tmp_path: Path) -> None:
    """Clicked through: hands, moves, words, and the position to take along are those of the view's own page."""
    (game,) = read(LEGAL)
    assert isinstance(game, Game)
    with opened(browser, page_of(LEGAL), tmp_path, "#turn=12") as shown:
        tab = shown.tab
        shown.click(tab.get_by_role("tab", name="Outlook"))
        views = {"all": "all", "the table": "table", "Mira": "0", "Tomas": "1", "Noor": "2"}
        told = set()
        for word, key in views.items():
            shown.click(tab.locator(".views").get_by_text(word, exact=True))
            data = data_of(page_of(LEGAL), view=key)
            step = data["steps"][12]
            assert tab.locator("textarea").input_value() == "\n".join([*data["head"], *step["lines"], ""])
            assert shown.text("words") == data["turns"][11]["words"]
            moves = shown.texts("[data-cgn]")
            assert moves[1:] == [turn["text"] for turn in data["turns"]]
            assert [line for line in shown.text("outlook").split("\n") if line] == step["told"]
            options = tab.locator('[data-part="card"] option').evaluate_all("all => all.map(each => each.value)")
            assert options[1:] == step["cards"]
            for cell, card in step["cells"].items():
                assert shown.cell(cell).split()[-1] == card
            slack = tab.locator(".strip .count").all_text_contents()
            assert slack == [str(step["outlook"].get("slack", "full")) for step in data["steps"]]
            shown.click(tab.locator(".strip .bar").nth(3))
            assert shown.place == "Turn 3 of 29"
            shown.click(tab.locator(".strip .bar").nth(12))
            told.add("\n".join(moves))
        assert len(told) == len(views)
