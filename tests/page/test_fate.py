"""What the page tells of the table: under `--analyse` the turn that `deadlock` names, and nothing without."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from couperation_formal.cli.run import Proofs
from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Game
from couperation_formal.game.rulings import parse_rules
from couperation_formal.notation.read import read, read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import Policy, sample_game
from couperation_formal.questions.records.states import seen_by
from couperation_formal.questions.tables.deadlock import scan_table
from tests.cli.run import HEAD, LEGAL, couperation, objects
from tests.conftest import LONG, some
from tests.page.page import data_of
from tests.page.pages import DEAD, ROOT, complaints, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LOST = ROOT / "examples" / "tables" / "lost.cgn"
OPEN_TOWER = ROOT / "examples" / "towers" / "open.cgn"

ENOUGH = () if LONG else ("--budget", "40000")
"""What it takes to find the turn that lost the game of the examples; a long run has what the commands spend."""

GAMES: tuple[tuple[int, int, Policy], ...] = (
    (7, 4, "random"), (5, 3, "random"), (7, 3, "careful"), (0, 2, "random"), (0, 3, "random"), (0, 4, "random"),
    (1, 2, "random"), (1, 3, "random"), (1, 4, "careful"), (2, 2, "careful"), (3, 4, "careful"), (3, 2, "careful"),
    (4, 2, "careful"), (4, 4, "random"), (5, 2, "careful"), (5, 3, "careful"), (6, 3, "random"), (6, 4, "random"),
    (7, 2, "random"), (7, 4, "careful"),
)  # fmt: skip
"""Lost games: the seed, the number of players, how they play."""


def lost(games: tuple[tuple[int, int, Policy], ...]) -> str:
    texts = []
    for seed, players, policy in games:
        rules = parse_rules(("ja-2.2", "en-2")[seed % 2])
        record = sample_game(players, ("first", "finish")[seed % 3 == 2], rules, seed, policy)
        assert record.result in ("loss", "stuck"), (seed, players, policy)
        texts.append(record_text(record))
    return "".join(texts)


def articles(html: str) -> list[str]:
    return html.split("<article")[1:]


def rows(article: str) -> list[str]:
    """The answer of each turn in the strip."""
    return re.findall(r'data-turn-bar="\d+" data-table="(\w+)"', article)


def named(article: str) -> int | None:
    """The turn of death that the head of a game names."""
    (found,) = re.findall(r'data-lost="(\d*)"', article)
    return int(found) if found else None


@pytest.fixture(scope="module")
def lost_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of the game of the examples that was lost."""
    out = tmp_path_factory.mktemp("lost") / "lost.html"
    assert couperation("report", "--analyse", *ENOUGH, LOST, "-o", out).exit_code == 0
    return out.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_lost_game_of_the_examples(lost_page: str) -> None:
    """Turn 34 lost it, and the turns whose tower could not be filled as it lay did not."""
    html = lost_page
    (article,) = articles(html)
    assert named(article) == 34
    assert "† Lost from <a" in article
    assert rows(article) == ["alive"] * 34 + ["lost"] * 3
    (dagger,) = re.findall(r'data-turn-bar="(\d+)"(?:(?!data-turn-bar).)*class="dagger"', article)
    assert dagger == "34"
    steps = data_of(html)["steps"]
    deadlocked = [step["turn"] for step in steps if step["outlook"]["answer"] == "deadlocked"]
    assert deadlocked == [*range(25, 33)]
    told = [" ".join(step["told"]) for step in steps]
    assert [turn for turn, text in enumerate(told) if "†" in text] == [34]
    assert "4 legal actions after its draw would have kept the table alive." in told[34]
    assert [each["cell"] for each in data_of(html)["chances"]] == ["e5", "f3", "f4", "g1"]
    assert ["Some continuation of legal turns wins from here." in text for text in told] == [True] * 34 + [False] * 3
    assert told[34].startswith("† This turn lost the game")
    assert told[35].startswith("No continuation wins any more. The tower can still be completed.")
    assert told[36].startswith("The game is lost. The tower can still be completed.")
    assert all("Some continuation" in text.partition(".")[0] for text in told[:34])
    assert data_of(html)["verdicts"][34] == "✓ Keeps the rules, and loses the game."
    end = "The game is lost: no action was possible; the turn keeps the rules. The last chance to win was turn 34."
    assert data_of(html)["verdicts"][36] == end
    assert "nothing could be done" not in html
    assert re.findall(r'class="sign".*?>(.)</span>', article)[33:36] == ["✓", "†", "✓"]
    shown = couperation("deadlock", *ENOUGH, LOST).stdout
    for line in ("36. Ben +0 A 21@d7", "(search: spec/search.md, digest 40b4c9ca83472b54)", "after turn 33"):
        assert line in shown
        assert line in article
    assert re.search(
        r'<summary>Where it is proved</summary><pre class="frame">\(search: [^<]*</pre></details>', article
    )


@pytest.mark.slow
def test_a_turn_that_is_refused_after_the_game_was_lost(tmp_path: Path) -> None:
    out, text = tmp_path / "page.html", LOST.read_text(encoding="utf-8").partition("\n35. ")[0]
    text += "\n35. Aki +0 A 20@d7\n"
    assert couperation("report", "--analyse", *ENOUGH, "-", "-o", out, stdin=text).exit_code == 0
    told = data_of(out.read_text(encoding="utf-8"))["steps"][35]["told"]
    assert told[:2] == ["No continuation wins any more.", "Before this turn, the tower can still be completed."]


@pytest.mark.parametrize("name, table", [("alive", "Some continuation of legal turns wins from here."),
                                         ("dead", "No continuation wins any more.")])  # fmt: skip
def test_the_table_of_a_position_stands_before_its_tower(
    name: str, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, file = tmp_path / "page.html", LOST.with_name(f"{name}.cgn")
    assert couperation("report", "--analyse", file, "-o", out).exit_code == 0
    told = data_of(out.read_text(encoding="utf-8"))["steps"][0]["told"]
    assert told[:2] == [table, "The tower can still be completed."]
    monkeypatch.setattr(Proofs, "add", lambda *_: "unsupported")
    assert couperation("report", "--analyse", file, "-o", out, "--force").exit_code == 0
    assert "could not repeat" in data_of(out.read_text(encoding="utf-8"))["steps"][0]["told"][1]


@pytest.mark.slow
@pytest.mark.parametrize("path", some([LOST, DEAD]), ids=lambda path: path.stem)
def test_without_the_analysis_nobody_is_dead(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert couperation("report", path, "-o", out).exit_code == 0
    html = out.read_text(encoding="utf-8")
    article = articles(html)[0].partition("<script>")[0]
    assert "The tower as it lies" in article
    for word in ("†", "data-lost", "data-table", "Lost from", 'class="dead"', "The table:"):
        assert word not in article
    assert "†" not in str(data_of(html))


@pytest.mark.slow
@pytest.mark.parametrize("budget", [(), ("--budget", "100000")] if LONG else [ENOUGH], ids=len)
def test_the_page_and_deadlock_name_the_same_turn(budget: tuple[str, ...], lost_page: str, tmp_path: Path) -> None:
    file, out = tmp_path / "lost.cgn", tmp_path / "lost.html"
    file.write_text(lost(GAMES if LONG else GAMES[:1]), encoding="utf-8")
    assert couperation("report", "--analyse", *budget, file, "-o", out).exit_code == 0
    for told_of, html, spent in ((file, out.read_text(encoding="utf-8"), budget), (LOST, lost_page, ENOUGH)):
        shown = articles(html)
        told = objects(couperation("deadlock", *spent, "--output-format", "json", told_of))[: len(shown)]
        assert len(told) == len(shown) == len(list(read(told_of)))
        assert [named(article) for article in shown] == [answer["turn"] for answer in told]
        assert None not in [answer["turn"] for answer in told]
        for number, (article, answer) in enumerate(zip(shown, told, strict=True), 1):
            tells_what_deadlock_tells(article, data_of(html, number), answer)


def tells_what_deadlock_tells(article: str, data: dict[str, Any], answer: dict[str, Any]) -> None:
    dead, alive = answer["turn"], answer["alive"]
    standing = rows(article)
    assert [turn for turn, each in enumerate(standing) if each == "lost"] == [*range(dead, len(standing))]
    assert max((turn for turn, each in enumerate(standing) if each == "alive"), default=None) == alive
    assert ("t is not known whether the table was lost" in article) == (alive != dead - 1)
    here = " ".join(data["steps"][dead]["told"])
    sure = alive is not None and alive == dead - 1
    assert ("† This turn lost the game" in here) == sure
    assert ("whether one did before it is not known" in here) == (dead > 0 and not sure)
    signs = re.findall(r'class="sign".*?>(.)</span>', article)
    assert article.count('class="dagger"') == signs.count("†") == sure
    for saving in answer["saving"] or ():
        assert saving["action"] in article.replace("&lt;", "<").replace("&gt;", ">")
    savings = [saving["line"] for saving in answer["saving"] or ()]
    assert [each["turns"] for each in data["chances"]] == (savings[:20] if sure else [])
    for number, line in enumerate(savings[:20] if sure else ()):
        assert data["seen"][f"line{number}"]["steps"][-1]["told"][0] == "The game is won."
        assert len(data["seen"][f"line{number}"]["turns"]) == dead - 1 + len(line)


def test_what_is_not_known_is_said(tmp_path: Path) -> None:
    """With no budget no turn is alive or lost, and none is named but the last, with which the game ended."""
    out = tmp_path / "page.html"
    file = tmp_path / "open.cgn"
    file.write_text("\n".join(LOST.read_text(encoding="utf-8").splitlines()[:-4]) + "\n", encoding="utf-8")
    assert couperation("report", "--analyse", "--budget", "50", file, "-o", out).exit_code == 0
    (article,) = articles(out.read_text(encoding="utf-8"))
    assert named(article) is None
    assert set(rows(article)) == {"unknown"}
    assert "It is not known whether the table was lost from the set-up to turn 33: " in article
    assert 'aria-label="The table: set-up not known. The tower as it lies: ' in article


def test_of_what_is_no_game_nothing_is_asked(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    spoiled = HEAD.replace("reserve 1 50 12 33 40 7", "reserve 1 50 12 33 40 40") + "1. Aki A 17@f1\n"
    assert couperation("report", "--analyse", "-", "-o", out, stdin=spoiled).exit_code == 0
    (article,) = articles(out.read_text(encoding="utf-8"))
    assert "Which turn lost it was not asked" in article
    assert "data-table" not in article
    assert couperation("report", "--analyse", "--budget", "1000", OPEN_TOWER, "-o", out, "--force").exit_code == 0
    assert "data-lost" not in out.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("player", ["Aki", None])
def test_what_a_player_knew_is_what_is_asked(player: str | None, tmp_path: Path) -> None:
    """The page for one view tells what `deadlock` says of the record as that view could have written it down."""
    text, last = (LOST.read_text(encoding="utf-8"), 36) if LONG else (lost(GAMES[11:12]), 12)
    (game,) = read_text(text)
    assert isinstance(game, Game)
    seen, out = tmp_path / "seen.cgn", tmp_path / "all" / "game-0001.html"
    view = seen_by(game, player)
    assert isinstance(view, Game)
    seen.write_text(record_text(view.record), encoding="utf-8")
    budget = ("--analyse", "--budget", "2000")
    to = ("-o", f"{tmp_path}/all/")
    assert couperation("report", "-", "--as", player or "public", *budget, *to, stdin=text).exit_code == 0
    (article,) = articles(out.read_text(encoding="utf-8"))
    (told,) = objects(couperation("deadlock", "--budget", "2000", "--output-format", "json", seen))
    assert named(article) == told["turn"] == last
    assert max((turn for turn, each in enumerate(rows(article)) if each == "alive"), default=None) == told["alive"]
    assert "unknown" in rows(article)
    assert "D 11-33^3^48=24@e5x21" not in article
    assert "whether one did before it is not known" in str(data_of(out.read_text(encoding="utf-8"))["steps"][last])
    assert "This turn lost" not in article
    assert 'class="dagger"' not in article
    index = (tmp_path / "all" / "index.html").read_text(encoding="utf-8")
    assert index.count(f"† Lost from turn {last} on: no continuation wins.") == 1
    assert "Lost at" not in index


def test_an_answer_that_the_checker_rejects_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Proofs, "add", lambda *_: "rejected")
    out = tmp_path / "page.html"
    assert couperation("report", "--analyse", "--budget", "1000", "-", "-o", out, stdin=LEGAL).exit_code == 70
    assert "data-lost" not in out.read_text(encoding="utf-8")
    monkeypatch.setattr(Proofs, "add", lambda *_: "unsupported")
    assert couperation("report", "--analyse", "--budget", "1000", "--force", "-", "-o", out, stdin=LEGAL).exit_code == 0
    assert "could not be verified" in out.read_text(encoding="utf-8") or "checker" in out.read_text(encoding="utf-8")


def test_a_budget_without_the_analysis_is_refused(tmp_path: Path) -> None:
    result = couperation("report", LOST, "--budget", "9", "-o", tmp_path / "page.html")
    assert result.exit_code == 2
    assert "--budget pays for what --analyse asks" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_record_that_shows_less_later_is_alive_only_where_that_is_known() -> None:
    """The tower's winner is not what its watcher saw: where a later position forgets, it proves nothing earlier."""
    (game,) = read(ROOT / "examples" / "hidden" / "public.cgn")
    found: Any = scan_table(game, None, Steps(20_000))  # type: ignore[arg-type]
    assert found.forgets
    for turn in range(len(found.positions)):
        if turn > found.served and found.alive_after(turn):
            assert found.answers[turn].__class__.__name__ == "Won"


@pytest.mark.slow
def test_the_turn_that_lost_it_is_found_by_a_click(browser: Browser, lost_page: str, tmp_path: Path) -> None:
    with opened(browser, lost_page, tmp_path) as shown:
        tab = shown.tab
        assert shown.text("outlook").startswith("The game is lost.")
        shown.click(tab.get_by_role("link", name="turn 34", exact=True).first)
        shown.arrives("Turn 34 of 36")
        assert "† This turn lost the game" in shown.text("outlook")
        shown.click(tab.locator(".strip .bar").nth(33))
        assert shown.place == "Turn 33 of 36"
        assert "Some continuation of legal turns wins from here." in shown.text("outlook")
        words = tab.locator(".strip").get_attribute("aria-label") or ""
        assert words.startswith("The table: set-up alive; turn 34 lost. The tower as it lies: set-up slack 15;")
        assert "D 11-33^3^48=24@e5x21" in str(tab.locator(".fate").text_content())
        shown.follow("#turn=34")
        assert shown.text("verdict") == "✓ Keeps the rules, and loses the game."
        assert tab.locator("text.ghost").all_text_contents() == ["24"] * 4
        assert complaints(tab) == []
        shown.click(tab.locator('[data-cell="e5"] .hit'))
        shown.arrives("Turn 36 of 36")
        assert (shown.text("words"), shown.text("verdict")) == (
            "Ben lays 21 up on d7.",
            "This was not played: it wins.",
        )
        shown.click(tab.locator('[data-part="back"]'))
        shown.arrives("Turn 34 of 36")
        shown.click(tab.get_by_role("tab", name="Outlook"))
        shown.click(tab.locator('[data-part="outlook"] button').nth(3))
        shown.arrives("Turn 33 of 36")
        tab.keyboard.press("j")
        assert "takes 24 and lays it up on g1" in shown.text("words")
        shown.click(tab.locator('[data-part="back"]'))
        shown.follow("#turn=33")
        before = tab.locator(".strip").bounding_box()
        assert tab.locator(".strip .dagger").count() == 1
        shown.click(tab.locator(".views").get_by_text("Ben", exact=True))
        assert tab.locator(".strip .dagger, .strip .alive").count() == 0
        assert tab.locator(".strip").bounding_box() == before
        assert "Some continuation" not in shown.text("outlook")


@pytest.mark.slow
def test_what_wins_a_game_that_goes_on_is_walked(browser: Browser, tmp_path: Path) -> None:
    text = LOST.read_text("utf-8").partition("\n34. ")[0] + "\n*\n"
    out = tmp_path / "page.html"
    assert couperation("report", "--analyse", *ENOUGH, "-", "-o", out, stdin=text).exit_code == 0
    with opened(browser, out.read_text("utf-8"), tmp_path) as shown:
        tab = shown.tab
        assert shown.place == "Turn 33 of 33"
        cell = tab.locator(".cf-slot:has(text.ghost)").get_attribute("data-cell")
        shown.click(tab.locator(f'[data-cell="{cell}"] .hit'))
        tab.keyboard.press("j")
        assert shown.text("verdict") == "This was not played: it wins."
        tab.keyboard.press("End")
        assert "won" in shown.text("outlook")
        shown.click(tab.locator('[data-part="back"]'))
        shown.arrives("Turn 33 of 33")
        assert complaints(tab) == []
