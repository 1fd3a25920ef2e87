"""What the public functions do not take is refused at once, with a sentence: other types, words, numbers."""

from __future__ import annotations

import builtins
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import couperation_formal as cf
from couperation_formal.words import say as room
from tests.cli.run import HEAD, MALFORMED
from tests.words.pseudo import Catalog, left_over, part

MARKED = HEAD.replace("\n", '\n[Marks "17:2"]\n', 1) + "1. Aki A 17@f1\n"
ANY: Any = cf
"""The package as one sees it who checks no types."""
RECORD = cf.sample_game(policy="random")
LOST = Path(__file__).resolve().parents[3] / "examples" / "tables" / "lost.cgn"
POSITION = cf.position_after(RECORD, 2)
STATE = cf.state_after(RECORD, 2)
HIDDEN = cf.sample_game(public=True)
BEGUN = [msgspec.structs.replace(each, turns=each.turns[:6], result=None) for each in (RECORD, HIDDEN)]
HEART = MARKED.replace("17:2", "17:H")
ODD = msgspec.structs.replace(RECORD, turns=(msgspec.structs.replace(RECORD.turns[0], player="A b"),))

TYPES: dict[str, Callable[[], object]] = {
    "check takes a game .*, not list; ask about its games": lambda: ANY.check([RECORD]),
    "check takes a game .*, not str; read and read_text": lambda: ANY.check("game.cgn"),
    "check takes a game .*, not generator; ask": lambda: ANY.check(cf.read("game.cgn")),
    "check takes a game .*, not None": lambda: ANY.check(None),
    "this is a position; a recorded game is wanted": lambda: ANY.dispute(POSITION),
    "a recorded game is wanted here": lambda: ANY.deadlock(next(cf.read_text(cf.position_text(POSITION)))),
    "complete takes a game or a position .*, not int": lambda: ANY.complete(7),
    "tower_completable takes a game or a position": lambda: ANY.tower_completable(cf.check(RECORD)),
    "rules takes Rules or a text, not int": lambda: ANY.check(RECORD, 3),
    "budget takes a whole number, not float": lambda: ANY.check(RECORD, budget=1e6),
    "turn takes a whole number, not str": lambda: ANY.moves(RECORD, "3"),
    "since takes a whole number, not bool": lambda: ANY.check(RECORD, since=True),
    "players takes names or a number of players, not dict": lambda: ANY.Table.new({}),
    "players takes names or a number": lambda: ANY.new_record(3),
    "event takes a text, not int": lambda: ANY.new_record("Aki Ben", event=3),
    "seed takes a whole number, not str": lambda: ANY.sample_game(seed="x"),
    "infer takes a game .*, not int": lambda: ANY.infer(7),
    "players takes names or a number of players, not set": lambda: ANY.sample_game({"Aki"}),
    "play takes an action, a turn or its text, not int": lambda: ANY.Table.new().play(17),
    "report_data takes what check returns, not Record": lambda: ANY.report_data(RECORD),
    "board takes a Board, not int": lambda: ANY.sample_game(2, board=3),
    "this is a position": lambda: ANY.infer(next(cf.read_text(cf.position_text(POSITION))), 3),
    "moves_data takes what moves returns, not tuple": lambda: ANY.moves_data(RECORD, 1, ()),
    r"cell takes a Cell, as Cell\(5, 1\) for f1, not str": lambda: ANY.Table.new().play(ANY.LayUp(17, "f1")),
    "Table takes a game": lambda: ANY.Table(POSITION.players),
}

WORDS: dict[str, Callable[[], object]] = {
    r"engine has no option 'palin'; did you mean plain\?; options: auto": lambda: ANY.check(RECORD, engine="palin"),
    r"engine has no option 'exakt'; did you mean exact\?": lambda: ANY.complete(POSITION, engine="exakt"),
    "engine asks about towers": lambda: ANY.complete(POSITION, level="table", engine="z3"),
    "engine has no option 'z4'; options: auto, plain, z3": lambda: ANY.check(RECORD, engine="z4"),
    r"level has no option 'towr'; did you mean tower\?": lambda: ANY.complete(POSITION, level="towr"),
    r"level has no option 'tabel'; did you mean table\?": lambda: ANY.first_dead_turn(RECORD, level="tabel"),
    r"policy has no option 'carefull'; did you mean careful\?": lambda: ANY.sample_game(policy="carefull"),
    r"variant has no option 'finnish'; did you mean finish\?": lambda: ANY.sample_game(variant="finnish"),
    "variant has no option 'second'; options": lambda: ANY.new_record("Aki Ben", "second"),
    "variant has no option '3'": lambda: ANY.Table.new(variant=3),
    r"there is no rulebook 'en-3'; did you mean en-2\?": lambda: cf.sample_game(rules="en-3"),
    "there is no ruling 'betwen'": lambda: cf.new_record("Aki Ben", rules="en-2 betwen=strict"),
    "between has no option 'loose'": lambda: cf.Table.new(rules="en-2 between=loose"),
    r"there is no player 'Akki'; did you mean Aki\?": lambda: cf.Table.new(deals={"Akki": "2 3 4"}),
    "no game is for 5 players": lambda: cf.Table.new(5),
    "this game cannot be read: ": lambda: cf.complete(next(cf.read_text(MALFORMED))),
    "this game cannot be read": lambda: cf.check(ODD),
    "a State does not tell by which rules": lambda: cf.complete(STATE),
    "reserve takes cards .*, not 51": lambda: cf.Table.new(reserve=[1, 50, 51]),
    "deck takes cards .*, not '.'": lambda: cf.Table.new(deck="?"),
    "has no option 'X'; options: 1, 2, H": lambda: ANY.Table.new(marks={17: "X"}),
    "marks takes cards .*, not 51": lambda: ANY.Table.new(marks={51: "H"}),
    "5 cards cannot be drawn here; amounts: 0, 1": lambda: cf.Table.new().legal_actions(5),
    "a turn is one line of CGN": lambda: cf.Table.new().play("A 6@f1\nwin"),
    "one line of CGN, with an action": lambda: cf.Table.new().play(""),
    "tells already what is drawn": lambda: cf.Table.new().play("+?  A 2@f1", draw=1),
    "'A b' is no name": lambda: cf.Table.new(["A b", "Ben"]),
    "'' is no name": lambda: cf.sample_game(["", "Ben"]),
    "no game is for 1 players": lambda: cf.sample_game(["Ben"]),
    "a table shows every card and mark": lambda: cf.Table(HIDDEN),
}
"""Beginnings of what is told."""

OTHERS: dict[str, Callable[[], object]] = {
    "only a game has turns": lambda: cf.windows(POSITION, 3),
    "so nobody is to move": lambda: cf.moves(cf.position_after(RECORD)),
    "whether the table was dead": lambda: cf.first_dead_turn(RECORD, budget=1),
}


@pytest.mark.parametrize("told", TYPES)
def test_another_type_is_told(told: str) -> None:
    with pytest.raises(TypeError, match=told):
        TYPES[told]()


@pytest.mark.parametrize("told", WORDS)
def test_another_word_is_told(told: str) -> None:
    with pytest.raises(ValueError, match=told):
        WORDS[told]()


@pytest.mark.parametrize("told", OTHERS)
def test_what_cannot_be_asked_is_told(told: str) -> None:
    with pytest.raises((LookupError, RuntimeError), match=told):
        OTHERS[told]()


@pytest.mark.slow
def test_a_rulebook_is_named_wherever_rules_go() -> None:
    house = cf.parse_rules("en-2 between=inclusive")
    marks = cf.infer(BEGUN[:1], house).answer
    for rules in (house, "en-2 between=inclusive"):
        assert cf.sample_game(rules=rules).rules == house
        assert '[Rules "en-2 between=inclusive"]' in cf.new_record("Aki Ben", rules=rules)
        assert cf.Table.new(rules=rules).record().record.rules == house
        assert cf.infer(BEGUN[:1], rules).answer == marks
        assert cf.check(RECORD, rules).rules == house


def parameters(call: Any) -> set[str]:
    try:
        return {*inspect.signature(call).parameters}
    except ValueError:
        return set()


@pytest.mark.slow
def test_in_another_language_no_word_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = Catalog()
    monkeypatch.setattr(room, "catalog", lambda _: catalog)
    texts = []
    for ask in (*TYPES.values(), *WORDS.values(), *OTHERS.values()):
        with pytest.raises((TypeError, ValueError, LookupError, RuntimeError)) as caught:
            ask()
        texts.append(str(caught.value))
    (lost,) = cf.read(LOST)
    answers = (cf.deadlock(RECORD, budget=1), cf.deadlock(cf.sample_game(seed=1), level="tower"), cf.dispute(lost))
    texts.append(str(cf.deadlock(lost, level="tower")))
    checks = [cf.check(item) for item in (RECORD, BEGUN[1], *cf.read_text(MALFORMED))]
    texts += map(str, (*answers, *checks, cf.check(RECORD, "bgg"), cf.infer(BEGUN[:1])))
    texts.append(str(cf.infer([*cf.read_text(MARKED), *cf.read_text(HEART)])))
    arguments = {name for each in dir(cf) if callable(call := getattr(cf, each)) for name in parameters(call)}
    python = " ".join((*dir(builtins), *dir(cf), "generator", "play", *arguments))
    options = [each for words in (cf.Engine, cf.Level, cf.Policy, cf.Variant) for each in get_args(words)]
    wrong = [each for told in WORDS for each in re.findall(r"'([^']+)'", told)]
    own = (*options, *wrong, "marks[17]", f"{LOST} game.cgn", cf.record_text(RECORD), MALFORMED, python)
    for text in texts:
        for line in text.splitlines():
            parts = [part for each in left_over(line, *own) for part in re.split(r"[, ]+", each)]
            assert [left for part in parts for left in left_over(part, *own)] == [], line
    assert part("the library") - catalog.said == set()
