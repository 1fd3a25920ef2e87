"""`show` at a turn that is refused: the table before, by which clause, and the table as the turn would leave it."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from couperation_formal.game.record import Game
from couperation_formal.notation.read import read
from couperation_formal.output.blocks import plain
from couperation_formal.questions.records.check import check
from couperation_formal.questions.records.states import attempted, attempted_blocks, attempted_svg, position_after
from couperation_formal.words.say import ENGLISH
from tests.cli.run import BROKEN, GAMES, HEAD, LEGAL, couperation, process
from tests.conftest import LONG

ROOT = Path(__file__).parents[2]
BROKEN_GAMES = sorted((ROOT / "examples" / "broken").glob("*.cgn"))
SVG = "{http://www.w3.org/2000/svg}"

TWO = HEAD + "1. Aki A 17@f1\n2. Ben +30 A 30@f3 drop 9\n3. Aki A 44@h1\n"
"""Turn 2 draws a card that Aki holds, lays it where nothing carries it, and drops one too many."""


def test_both_tables_are_shown_and_what_is_refused() -> None:
    done = process("show", "-", "--at", "2", stdin=BROKEN.encode())
    shown = done.stdout.decode()
    assert (done.returncode, done.stderr) == (1, b"")
    before, refused, after = (shown.index(words) for words in ("after turn 1 of 2", "turn 2 is refused", "would leave"))
    assert before < refused < after
    assert "Ben      3 9 22\n" in shown[:refused]
    assert "2. Ben +0 A 9@f2\n  TOW02: 9 on f2 cannot lie between 17 on f1 and 25 on g1" in shown[refused:after]
    assert "(ja-2.2 §3, rule 2)" in shown[refused:after]
    assert "[9]" in shown[after:]
    assert "Ben      3 22\n" in shown[after:]
    assert "to move" not in shown[after:]


def test_all_that_the_turn_breaks_is_told() -> None:
    shown = couperation("show", "-", "--at", "2", stdin=TWO).stdout
    told = [line[2:7] for line in shown.splitlines() if line.startswith("  ") and line[7:8] == ":"]
    report = check(next(iter(_games(TWO))))
    assert told == [found.code for found in report.diagnostics if found.turn == 2 and found.severity != "warning"]
    assert len(told) > 1


def _games(text: str) -> list[Game]:
    from couperation_formal.notation.read import read_text

    return [item for item in read_text(text) if isinstance(item, Game)]


def test_on_what_it_hangs_is_told_and_another_rulebook_shows_the_table() -> None:
    file = ROOT / "examples" / "broken" / "hearts.cgn"
    shown = couperation("show", file, "--at", "3")
    assert shown.exit_code == 1
    assert "[hangs on hearts_below]" in shown.stdout
    legal = couperation("show", file, "--at", "3", "--rules", "ja-2.2")
    assert legal.exit_code == 0
    assert "refused" not in legal.stdout


def test_sizes_that_nobody_noted_are_those_of_the_table_before() -> None:
    text = HEAD.replace("reserve 1 50 12 33 40 7\n", "") + "1. Aki +* A 17@f1\n2. Ben +0 A 9@f2\n"
    shown = couperation("show", "-", stdin=text).stdout
    assert "turn 2 is refused" in shown
    assert shown.count("Aki      30 44 among 2 to 3 cards\n") == 2
    assert shown.count("deck     36 to 37 cards\n") == 2


def test_what_comes_after_the_refused_turn_has_no_table() -> None:
    result = couperation("show", "-", "--at", "3", stdin=TWO)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "turn 2 is illegal" in result.stderr


def test_a_legal_game_has_nothing_refused() -> None:
    result = couperation("show", "-", stdin=LEGAL)
    assert result.exit_code == 0
    assert "refused" not in result.stdout


def test_a_table_that_the_record_does_not_show_is_not_made_up() -> None:
    """What Ben lays over the 25 is not known, and so not what is left in the hand."""
    text = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\nreserve 1 50 12 33 40 7\n1. Aki A 17@f1\n2. Ben C ?@k7\n'
    result = couperation("show", "-", "--at", "2", stdin=text.replace("C ?@k7", "C k7=?"))
    assert result.exit_code == 1
    assert "the record does not show the table that turn 2 would leave" in result.stdout


def _refused() -> list[tuple[Game, int]]:
    files = [*BROKEN_GAMES, *sorted(GAMES.glob("*.cgn"))]
    games = [item for file in files for item in read(file) if isinstance(item, Game)]
    return [(game, report.turn) for game in games if (report := check(game, engine="plain")).turn]


@pytest.mark.slow
def test_every_refused_turn_of_the_records_can_be_shown() -> None:
    """And no card is made or lost: those that are seen lie in one place each."""
    shown = 0
    for game, turn in _refused():
        found = attempted(game, turn)
        if found is None:
            continue
        shown += 1
        rules = game.record.rules
        assert f"turn {turn} is refused" in plain(attempted_blocks(found, rules), ENGLISH)
        svg = ElementTree.fromstring(attempted_svg(found, position_after(game, turn - 1), rules, "light"))
        assert svg.findtext(f"{SVG}desc")
        if found.position is not None:
            at = found.position
            lying = [card.card for _, card in at.tower]
            cards = [*lying, *at.gone, *(at.reserve or ()), *(card for hand in at.hands.values() for card in hand)]
            seen = [card for card in cards if str(card) != "?"]
            assert len(seen) == len(set(seen)), (game.file, turn)
    assert shown > 30


@pytest.mark.parametrize("text, at, told", [(LEGAL, "1", None), (BROKEN, "2", "turn 2 is refused: 2. Ben +0 A 9@f2")])
def test_a_picture_shows_hands_and_reserve(tmp_path: Path, text: str, at: str, told: str | None) -> None:
    out = tmp_path / "table.svg"
    result = couperation("show", "-", "--at", at, "-o", out, stdin=text.replace("[Pl", '[Marks "30:H 44:2"]\n[Pl'))
    assert result.exit_code == (0 if told is None else 1)
    root = ElementTree.fromstring(out.read_text(encoding="utf-8"))
    table = root.find(f"{SVG}g[@class='cf-table']")
    assert table is not None
    words = [each.text for each in table.iter(f"{SVG}text")]
    at_names = [words.index(name) for name in ("Aki", "Ben", "Reserve", "gone")]
    assert at_names == sorted(at_names)
    aki, ben, reserve, gone = at_names
    assert words[aki + 1 : ben] == ["30", "44"]
    assert words[ben + 1 : reserve] == (["3", "9", "22"] if told is None else ["3", "22"])
    assert words[reserve + 1 : gone] == ["1", "7", "12", "33", "40", "50"]
    assert [each.get("href") for each in table.iter(f"{SVG}use")] == ["#cf-mark-H", "#cf-mark-2"]
    if told is not None:
        assert words[0] == told
        assert any("TOW02: 9 on f2" in (word or "") for word in words)
        assert 'href="#cf-refused"' in out.read_text(encoding="utf-8")
    x, y, width, height = map(float, (root.get("viewBox") or "").split())
    for each in table.iter(f"{SVG}rect"):
        assert x < float(each.get("x", 0)) < x + width - float(each.get("width", 0))
        assert y < float(each.get("y", 0)) < y + height - float(each.get("height", 0))


def test_long_names_and_many_cards_stay_inside_a_picture(tmp_path: Path) -> None:
    name = "Maximiliane-Theodora-von-und-zu"
    cards = " ".join(str(card) for card in range(1, 41) if card != 25)
    text = f'[CGN "1"]\n[Players "{name} Ben"]\nposition\ntower 25@g1\nhand {name} 41 42 43\ngone {cards}\n'
    out = tmp_path / "table.svg"
    assert couperation("show", "-", "-o", out, stdin=text).exit_code == 0
    root = ElementTree.fromstring(out.read_text(encoding="utf-8"))
    x, y, width, height = map(float, (root.get("viewBox") or "").split())
    table = root.find(f"{SVG}g[@class='cf-table']")
    assert table is not None
    rects = list(table.iter(f"{SVG}rect"))
    assert len(rects) == 42
    assert max(float(each.get("x", 0)) + float(each.get("width", 0)) for each in rects) < x + width
    assert max(float(each.get("y", 0)) + float(each.get("height", 0)) for each in rects) < y + height
    assert (table.findtext(f"{SVG}text") or "").endswith("…")


def test_a_result_that_is_not_reached_is_told_of_the_last_turn(tmp_path: Path) -> None:
    wrong = ROOT / "examples" / "legal" / "thursday.cgn"
    text = wrong.read_text(encoding="utf-8").replace("\nwin\n", "\nloss\n")
    shown = couperation("show", "-", stdin=text)
    assert shown.exit_code == 1
    assert shown.stdout.endswith("END05: the record states loss, but in turn 29 the game was won (ja-2.2 §5)\n")
    assert couperation("show", "-", "--at", "28", stdin=text).exit_code == 0
    drawn = couperation("show", "-", "-o", str(tmp_path / "tower.svg"), stdin=text)
    assert drawn.exit_code == 1
    assert drawn.stderr.startswith("END05: ")
    dead = couperation("deadlock", "-", "--level", "tower", stdin=text)
    assert "states a result that is not reached (END05): its turns were looked at" in dead.stdout
    assert "only what is before" not in dead.stdout


def test_a_wrong_result_of_no_turns_leaves_the_table_of_the_set_up() -> None:
    shown = couperation("show", "-", stdin=HEAD + "win\n")
    assert shown.exit_code == 1
    assert "after the set-up" in shown.stdout
    assert "END05: the record states win, but the game is unfinished" in shown.stdout
    assert couperation("deadlock", "-", "--level", "tower", stdin=HEAD + "win\n").exit_code == 1


def test_an_illegal_set_up_is_told_by_its_clause() -> None:
    shown = couperation("show", "-", stdin='[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 1 2 3\n')
    assert (shown.exit_code, shown.stderr) == (2, "error: the set-up is illegal (SET02): no state follows from it\n")


@pytest.mark.slow
def test_the_last_table_that_stands_is_offered(tmp_path: Path) -> None:
    """Where a later one is asked for; what is offered is answered, and what comes after it is not."""
    file = tmp_path / "game.cgn"
    file.write_text(BROKEN + "3. Aki A 30@h1\n4. Ben A 22@i1\n", encoding="utf-8")
    for command, last in (("show", 1), ("position", 1), ("windows", 1), ("moves", 2)):
        refused = couperation(command, file, "--at", "4")
        assert (refused.exit_code, f"; the last one that stands: --at {last}\n" in refused.stderr) == (2, True)
        if LONG or command != "windows":  # which takes a while: tests/questions/towers asks it after a turn
            assert couperation(command, file, "--at", str(last)).exit_code == 0
    assert couperation("moves", file, "--at", "3").exit_code == 2
    unknown = HEAD.replace("deal Aki 17 30 44\n", "") + "1. Aki A ?@f1\n2. Ben A 22@h1\n"
    assert "--at" not in couperation("show", "-", stdin=unknown).stderr
