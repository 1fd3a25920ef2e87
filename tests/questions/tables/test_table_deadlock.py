"""`deadlock` at the table level: the first dead position, both ends, open ranges, what would have saved, summaries."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import couperation_formal as cf
from couperation_formal.game.fact import DEFAULT, Steps
from couperation_formal.game.replay import replay
from couperation_formal.questions.tables import ask, deadlock as table_deadlock
from couperation_formal.questions.tables.ask import line_from
from couperation_formal.towers.continuation.answer import Answer, Dead, Unknown, Won
from couperation_formal.towers.continuation.theorems import Reason
from tests.cli.run import BROKEN, GAMES, MALFORMED, POSITION, objects
from tests.conftest import LONG
from tests.kit.started import ROOT
from tests.questions.tables.run import ALIVE, LOST, WON, accepted, couperation, plays, valid, validated

pytestmark = pytest.mark.slow

STUCK_SOON = """[CGN "1"]
[Rules "en-2"]
[Players "Aki Ben"]
deal Aki 17 30 44
deal Ben 22 9 3
reserve 1 50 12 33 40 7
1. Aki A 17@f1
*
"""
PUBLIC = ROOT / "bench" / "public.cgn"
NEVER = Dead(Reason("cards", {"empty": 27, "cards": 1}), True)
OPEN = Unknown(5, 5, 3)
SOON = ("--budget", "18000")
"""With these the lost game is known to be dead one turn later than it is."""


@cache
def won() -> Won:
    (game,) = cf.read(WON)
    assert isinstance(game, cf.Game)
    return Won((), {}, cf.state_after(game, 0))


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """What is said of the lost game, and its certificates."""
    out = tmp_path_factory.mktemp("killed") / "proof.json"
    return valid("deadlock", LOST, "--certificate", out, code=1), out


def test_the_turn_that_killed_a_game_and_what_would_have_saved_it(killed: tuple[dict[str, Any], Path]) -> None:
    data, out = killed
    assert (data["verdict"], data["result"], data["turn"], data["alive"]) == ("deadlocked", "stuck", 34, 33)
    assert data["laid"] == "34. Ben +3,48 D 3-48=45@j1x44 trim 3"
    assert (data["reasons"][0]["kind"], data["checked"], data["undecided"]) == ("search", True, [])
    assert plays(LOST, 33, data["line"]) == "win"
    assert len(data["saving"]) == 4
    for saving in data["saving"]:
        assert f" {saving['action']}" in saving["line"][0]
        assert plays(LOST, 33, saving["line"]) == "win"
    claims = [each["claim"] for each in accepted(out)]
    assert claims == ["table-deadlocked", "table-completable"] + ["table-completable"] * 4


def test_the_saving_actions_are_those_after_which_the_record_can_be_won(killed: tuple[dict[str, Any], Path]) -> None:
    """Every legal turn with the recorded draw, written into the record and asked about by itself; all are decided in
    `golden/lost.moves.txt` and in a long run.
    """
    data, _ = killed
    alone = valid("moves", LOST, "--at", "34", "--alive", *(() if LONG else SOON))
    assert [each["text"] for each in alone["actions"] if each["verdict"] == "alive"] == [
        saving["action"] for saving in data["saving"]
    ]
    assert {each["verdict"] for each in alone["actions"]} == {"alive", "dead", *(() if LONG else ("undetermined",))}


def test_every_turn_around_the_end_asked_by_itself() -> None:
    """Deadness does not revert, and it begins at the turn that the halves find."""
    verdicts = [valid("complete", LOST, "--at", str(turn), "--budget", "5000")["verdict"] for turn in range(28, 36)]
    assert verdicts[-2:] == ["deadlocked", "deadlocked"]
    assert "deadlocked" not in verdicts[:-2]
    assert verdicts[-3] == "completable"


def test_a_won_game_proves_its_own_positions_alive(tmp_path: Path) -> None:
    out = tmp_path / "proof.json"
    data = valid("deadlock", WON, "--certificate", out, code=0)
    assert (data["verdict"], data["result"], data["turn"], data["alive"]) == ("completable", "win", None, 29)
    assert (data["line"], data["reasons"], data["saving"]) == (None, [], None)
    assert [each["claim"] for each in accepted(out)] == ["table-completable"]


def test_a_record_that_ends_alive() -> None:
    text = "\n".join(line for line in LOST.read_text(encoding="utf-8").splitlines() if not line.startswith("3"))
    text = text.replace("\nstuck", "") + "\n*\n"
    kept = LOST.read_text(encoding="utf-8").partition("\n34. ")[0] + "\n*\n"
    assert kept != text
    data = valid("deadlock", "-", stdin=kept, code=0)
    assert (data["verdict"], data["result"], data["turn"], data["alive"]) == ("completable", None, None, 33)
    assert plays(LOST, 33, data["line"]) == "win"
    assert "completable: alive to the end\n" in couperation("deadlock", "-", stdin=kept).stdout


def test_a_deal_that_is_dead_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask, "ask", lambda *_: NEVER)
    data = valid("deadlock", "-", "--no-verify", stdin=STUCK_SOON, code=1)
    assert (data["turn"], data["alive"], data["laid"], data["saving"], data["line"]) == (0, None, None, None, None)
    shown = couperation("deadlock", "-", "--no-verify", stdin=STUCK_SOON).stdout
    assert "deadlocked: from the set-up on no continuation wins\n" in shown


def search_of(last: int, answer: Callable[[int], Answer], serves: Collection[int] = ()) -> table_deadlock._Search:
    """A search through so many turns of a game that goes on, with answers that are given, and whether they serve."""
    search = table_deadlock._Search.__new__(table_deadlock._Search)
    search._result, search._last, search._asked = None, last, last
    search.answers, search._ask = {}, answer  # type: ignore[assignment, method-assign]
    search._served, search._serves = -1, serves.__contains__  # type: ignore[method-assign, assignment]
    return search


@given(
    last=st.integers(0, 40),
    dead=st.integers(0, 41),
    unknown=st.sets(st.integers(0, 40)),
    serves=st.sets(st.integers(0, 40)),
)
def test_halves_find_the_border_whatever_is_known(last: int, dead: int, unknown: set[int], serves: set[int]) -> None:
    """Against a walk over all turns: with every answer known exactly; else within what single answers show."""
    alive_answer = won()

    def answer(turn: int) -> Answer:
        return OPEN if turn in unknown else NEVER if turn >= dead else alive_answer

    alive = {turn for turn in range(dead) if turn not in unknown}
    search = search_of(last, answer, serves & alive)
    found_dead, found_alive = search.by_halves()
    walked = [answer(turn) for turn in range(last + 1)]
    if found_dead is not None:
        assert walked[found_dead] is NEVER
    if found_alive is not None:
        assert walked[found_alive] is alive_answer
        assert found_dead is None or found_alive < found_dead
    if not unknown:
        assert found_dead == (dead if dead <= last else None)
        assert found_alive == (min(dead, last + 1) - 1 if min(dead, last + 1) else None)
    first = next((turn for turn, each in enumerate(walked) if each is NEVER), None)
    assert search.by_turns() == (first, max(alive & {*range(last + 1)}, default=None))
    assert search._served == -1 or search._served in serves & alive


@pytest.mark.parametrize("dead", range(42))
def test_where_every_line_serves_few_turns_are_asked(dead: int) -> None:
    """Of a record that may show less later, where the plain rules play each line from the set-up on."""
    asked = set[int]()

    def answer(turn: int) -> Answer:
        asked.add(turn)
        return NEVER if turn >= dead else won()

    search = search_of(40, answer, range(dead))
    assert search.by_turns() == (dead if dead < 41 else None, dead - 1 if dead else None)
    assert len(asked) <= 8


def test_a_line_serves_where_it_is_one_game_with_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """One table of a public record is asked about in place of all, and what is told is what all of them tell."""
    (game,) = cf.read(PUBLIC)
    assert isinstance(game, cf.Game)
    found = table_deadlock.scan_table(game, None, Steps(DEFAULT))
    assert found.forgets
    assert (found.served, [*found.answers]) == (13, [13])
    monkeypatch.setattr(table_deadlock._Search, "_serves", lambda *_: False)
    every = table_deadlock.scan_table(game, None, Steps(DEFAULT))
    assert (every.served, [*every.answers]) == (-1, [*range(14)])
    assert found.data() == every.data()
    assert [found.alive_after(turn) for turn in range(14)] == [every.alive_after(turn) for turn in range(14)]


def test_the_halves_ask_few_turns() -> None:
    asked: list[int] = []

    def answer(turn: int) -> Answer:
        asked.append(turn)
        return NEVER if turn >= 13 else won()

    search = search_of(40, answer)
    assert search.by_halves() == (13, 12)
    assert len(set(asked)) <= 8


def test_the_line_that_was_found_is_among_what_would_have_saved_it() -> None:
    """Also where the budget does not suffice to judge the action by which it begins."""
    (game,) = cf.read(LOST)
    assert isinstance(game, cf.Game)
    states, rules = replay(game.record, game.record.rules.rulings).states, game.record.rules
    search = table_deadlock._Search(game, states, rules, Steps(DEFAULT))
    ends = search.from_end(32)
    search._budget = Steps(2_000)
    judged = search.scan(ends, False, None).alternatives
    line = line_from(search.answers[33], 33)
    assert len(judged) > 1
    assert [each.line for each in judged if each.verdict == "alive"] == [line]
    assert [each.action for each in judged if each.verdict == "alive"] == [line[0].action]


def test_what_the_budget_leaves_open_is_told() -> None:
    data = valid("deadlock", LOST, "--budget", "10000", code=1)
    assert data["turn"] == 35
    assert data["alive"] is None or data["alive"] < 34
    assert data["saving"] is None
    shown = couperation("deadlock", LOST, "--budget", "10000").stdout
    assert "it is not known whether the table was dead: " in shown
    assert "known dead after: 35. Aki" in shown
    begun = LOST.read_text(encoding="utf-8").partition("\n5. ")[0] + "\n*\n"
    undecided = valid("deadlock", "-", "--budget", "1", stdin=begun, code=3)
    assert (undecided["verdict"], undecided["turn"], undecided["alive"]) == ("undetermined", None, None)
    assert undecided["budget"]["limit"] == 1
    text = couperation("deadlock", "-", "--budget", "1", stdin=begun)
    assert (text.exit_code, "undetermined: " in text.stdout) == (3, True)


def test_a_game_that_its_last_turn_lost() -> None:
    """The last turn opens a card that does not fit: the game's own end is the reason."""
    text = LOST.read_text(encoding="utf-8")
    assert "36. " in text
    file = GAMES / "game-00030.cgn"
    data = valid("deadlock", file, "--budget", "500", code=1)
    assert (data["turn"], data["result"], data["checked"]) == (9, "loss", None)
    assert data["reasons"][0] | {"numbers": {}} == {
        "kind": "loss",
        "theorem": "END02",
        "numbers": {},
        "cells": [],
        "cards": [],
        "reductions": [],
        "digest": None,
    }


def test_a_record_with_unseen_cards_is_asked_turn_by_turn() -> None:
    text = """[CGN "1"]
[Rules "en-2"]
[Players "Aki Ben"]
[Marks "17:1"]
deal Aki 17 30 44
1. Aki A 17@f1
2. Ben B ?@h1
"""
    data = valid("deadlock", "-", "--budget", "50", stdin=text, code=3)
    assert (data["verdict"], data["alive"]) == ("undetermined", None)


@pytest.mark.parametrize(
    "stdin, words",
    [
        (POSITION, "this is a position"),
        (ALIVE.read_text(encoding="utf-8"), "this is a position"),
        (STUCK_SOON.replace("17@f1", "51@f1"), "51 is no card"),
    ],
)
def test_what_cannot_be_scanned_is_told(stdin: str, words: str) -> None:
    result = couperation("deadlock", "-", stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_the_tower_level_is_still_there() -> None:
    (data,) = objects(couperation("deadlock", LOST, "--level", "tower", "--output-format", "json"))
    assert data["level"] == "tower"
    assert "intervals" in data


def test_several_games_are_summed_up() -> None:
    files = [LOST, WON, GAMES / "game-00000.cgn"]
    lines = couperation("deadlock", *files, *SOON, "--output-format", "json").stdout.splitlines()
    games = [validated(line, "table_deadlock") for line in lines[:-1]]
    summary = validated(lines[-1], "deadlock_summary")
    assert [game["verdict"] for game in games] == ["deadlocked", "completable", "completable"]
    assert (summary["games"], summary["alive"], summary["dead"], summary["undetermined"]) == (3, 2, 1, 0)
    assert (summary["turns"], summary["reasons"]) == ({"35": 1}, {"search": 1})
    text = couperation("deadlock", *files, *SOON).stdout
    assert "\nsummary\n" in text
    assert "  alive to the end                2\n" in text
    assert "  dead, killing turn not certain  1\n" in text
    assert "\nfirst dead after\n  turn 35     1 #\n" in text
    assert text.endswith("\nreasons\n  search  1\n")
    assert "summary" not in couperation("deadlock", WON).stdout


def test_a_table_of_csv(tmp_path: Path) -> None:
    odd = tmp_path / 'a, "b".cgn'
    odd.write_text(WON.read_text(encoding="utf-8"), encoding="utf-8")
    result = couperation("deadlock", LOST, odd, tmp_path / "no.cgn", *SOON, "--output-format", "csv")
    assert result.exit_code == 2
    rows = list(csv.reader(io.StringIO(result.stdout)))
    assert rows == [
        ["file", "game", "verdict", "dead turn", "reason", "checked", "illegal turn"],
        [str(LOST), "1", "deadlocked", "35", "search", "true", ""],
        [str(odd), "1", "completable", "", "", "true", ""],
    ]
    tower = couperation("deadlock", LOST, "--level", "tower", "--output-format", "csv")
    assert len(tower.stdout.splitlines()) == 2


def test_an_illegal_game_is_looked_at_up_to_its_illegal_turn(tmp_path: Path) -> None:
    text = LOST.read_text(encoding="utf-8")
    broken = tmp_path / "broken.cgn"
    broken.write_text(text.replace("36. Ben", "36. Aki") + "\n" + BROKEN + "\n" + MALFORMED, encoding="utf-8")
    data, begun, _ = objects(couperation("deadlock", broken, *SOON, "--output-format", "json"))
    assert (data["verdict"], data["turn"], data["illegal"]) == ("deadlocked", 35, 36)
    assert begun["illegal"] == 2
    alive = WON.read_text(encoding="utf-8").replace("29. Tomas", "29. Noor").replace("\nwin", "\n*")
    assert valid("deadlock", "-", *SOON, stdin=alive, code=1)["verdict"] == "completable"
    told = couperation("deadlock", broken, *SOON)
    assert told.exit_code == 2
    assert "turn 36 is illegal (END06): only what is before it was looked at\n" in told.stdout
    table = couperation("deadlock", broken, *SOON, "--output-format", "csv").stdout
    rows = list(csv.reader(io.StringIO(table)))[1:]
    assert [(row[1], row[2], row[6]) for row in rows][::2] == [("1", "deadlocked", "36"), ("3", "malformed", "")]


def test_a_wrong_result_leaves_all_turns() -> None:
    text = LOST.read_text(encoding="utf-8").replace("\nstuck", "\nwin")
    (data,) = objects(couperation("deadlock", "-", *SOON, "--output-format", "json", stdin=text))
    assert (data["illegal"], data["result"], data["turn"]) == (36, "stuck", 35)


def test_a_game_of_which_a_guest_saw_little_is_alive_and_says_what_that_assumes(tmp_path: Path) -> None:
    """The suite asks about its first two turns."""
    guest = (Path(__file__).parents[3] / "docs" / "games" / "guest.cgn").read_text(encoding="utf-8")
    played, text = (5, guest) if LONG else (2, guest.partition("\n3. ")[0] + "\n*\n")
    out = tmp_path / "proof.json"
    data = valid("deadlock", "-", "--certificate", out, "--no-verify", stdin=text, code=0)
    assert (data["verdict"], data["turn"], data["result"]) == ("completable", None, None)
    assert data["line"][0].startswith(f"{played + 1}. ")
    certificate = accepted(out)[-1]
    assert certificate["claim"] == "table-completable"
    assert "?" in certificate["position"]
    assert "?" not in certificate["evidence"]["world"]
