"""What who watches is told: of every answer no byte hangs on what that view may not know."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from couperation_formal.board import share as watch
from couperation_formal.board.gate import May, viewer
from couperation_formal.board.share import code
from couperation_formal.game.record import Game, Record
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.seen import seen_record
from couperation_formal.game.tower import Variant
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import Policy, sample_game
from couperation_formal.questions.records.states import game_seen
from tests.board.asked import Asked
from tests.conftest import some
from tests.spec.book import ROOT

PLAYERS = ["Aki", "Ben", "花子"]
NAMES = (None, "Aki", "Ben", "花子", "Zoe")
WORDS = ("Sesame", "Quince", "Umbra", "Vesper", "Walnut")
"""Free words of who writes: an event, two comments, a tag, and the name of the file."""


KINDS: list[tuple[Variant, Policy]] = [("first", "random"), ("first", "random"), ("finish", "careful")] * 2
"""Of games whose cards are all told, of both variants."""
OTHERS = [ROOT / "examples" / name for name in ("broken/hearts.cgn", "broken/sum.cgn", "disputed/unnoted.cgn")]
OTHERS += [ROOT / "examples" / name for name in ("hidden/three-of-three.cgn", "legal/finish.cgn")]
"""Games that are illegal, disputed, or not all told."""


@cache
def game(seed: int) -> Record:
    """One of the games."""
    variant, style = KINDS[seed]
    return sample_game(PLAYERS, variant, parse_rules("ja-2.2"), seed, style)


def spoken(record: Record) -> str:
    """The text of a game with words in it that tell anything."""
    turns = [msgspec.structs.replace(each, glyphs=("?!",)) if each.number == 3 else each for each in record.turns]
    text = record_text(msgspec.structs.replace(record, turns=tuple(turns)))
    head, *lines = (each for each in text.splitlines() if not each.startswith("[Event"))
    lines = [f"{each} {{ {WORDS[1]} }}" if each.startswith("2. ") else each for each in lines]
    lines = [f"{each} ; {WORDS[2]}" if each.startswith("3. ") else each for each in lines]
    return "\n".join([head, f'[Event "{WORDS[0]}"]', f'[Note "{WORDS[3]}"]', *lines]) + "\n"


def only(text: str) -> Game:
    found = next(iter(read_text(text, "x")))
    assert isinstance(found, Game), found
    return found


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_a_game_is_seen_as_the_one_statement_says(number: int) -> None:
    told = only(spoken(game(number)))
    assert told.layout.comments
    for name in NAMES:
        seen = game_seen(told, viewer(told, May("watch", name)))
        assert seen.record == seen_record(told.record, name if name in PLAYERS else None)
        assert not seen.layout.comments
        assert seen.layout.text == record_text(seen.record)


ROUTES = ["/", "/static/watch.js", "/static/shared.css", "/api/game", "/api/table", "/api/files", "/api/tower.svg"]
ROUTES += ["/api/strip", "/api/answer", "/api/answer?at=2", "/api/share", "/api/share.svg"]
ROUTES += ["/api/game?game=1", "/api/game?file=Walnut.cgn", "/api/table?turn=999", "/api/table?turn=x", "/nothing"]
REFUSED = {"/api/files", "/api/tower.svg", "/api/strip", "/api/answer", "/api/share", "/api/share.svg", "/nothing"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "which", [*some(range(len(KINDS))), *OTHERS], ids=lambda which: which.stem if isinstance(which, Path) else which
)
def test_no_byte_of_an_answer_hangs_on_what_is_not_seen(which: int | Path, tmp_path: Path) -> None:
    """The same game is served as it is known to who writes, with words in it, and as the watcher could have written it
    down: all that a watcher is answered is the same, to the last byte.
    """
    record = game(which) if isinstance(which, int) else only(which.read_text("utf-8")).record
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / f"{WORDS[4]}.cgn").write_text(spoken(record), "utf-8")
    known = Asked(tmp_path / "all" / f"{WORDS[4]}.cgn")
    for name in (*record.players, None, "Zoe"):
        seen = seen_record(record, name if name in record.players else None)
        file = tmp_path / f"{name}.cgn"
        file.write_text(record_text(seen), "utf-8")
        shown = Asked(file)
        one, other = known.token(name), shown.token(name)
        places = (0, 1, 2, len(record.turns) // 2, len(record.turns) - 1, len(record.turns))
        for route in (*ROUTES, *(f"/api/table?turn={place}" for place in places)):
            answer, same = known.ask(one, route), shown.ask(other, route)
            assert answer == same, route
            assert not [word for word in WORDS if word.encode() in answer[1]], route
            if route.partition("?")[0] in REFUSED:
                assert answer[0] == 403, route


def test_no_card_is_told_that_the_view_does_not_hold(tmp_path: Path) -> None:
    """Card by card: what lies anywhere, and each turn's line, as it stands in the answers."""
    for number in range(len(KINDS)):
        record = game(number)
        file = tmp_path / f"{number}.cgn"
        file.write_text(spoken(record), "utf-8")
        board = Asked(file)
        for name in NAMES:
            seen = seen_record(record, name if name in PLAYERS else None)
            told = json.loads(board.ask(board.token(name), "/api/game")[1].split(b"\n\n", 1)[1])
            lines = record_text(seen).splitlines()
            assert [each["text"] for each in told["turns"]] == [each for each in lines if each[:1].isdigit()]
            hidden = {str(card) for card in _cards(record)} - {str(card) for card in _cards(seen)}
            table = {key: told["table"][key] for key in ("tower", "hands", "reserve", "gone", "deck")}
            assert not hidden & {*_leaves(table)}
            assert hidden <= {*told["table"]["unplaced"]}
            assert len(hidden) > 3


def _cards(record: Record) -> Iterator[object]:
    """Every card that stands in a record."""
    for turn in record.turns:
        yield from (*turn.draw, *turn.fill, *turn.drop, *turn.trim)
        action = msgspec.structs.asdict(turn.action)
        yield from (value for key, value in action.items() if key in ("card", "first", "second", "taken"))
        yield from (card for _, card in action.get("adjust", ()))
        yield from (laid.card for laid in [action.get("replaced")] if laid is not None)
    yield from (card for hand in record.deals.values() for card in hand)
    yield from (*(record.reserve or ()), *(record.deck or ()))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from ([key] if key.isdigit() else [])
            yield from _leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    elif isinstance(value, str):
        yield value.replace("~", "")


def test_a_player_of_another_game_sees_what_everybody_sees(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(spoken(game(0)), "utf-8")
    board = Asked(file)
    one, other = (board.ask(board.token(name), "/api/game") for name in ("Zoe", None))
    assert one == other
    assert b'"seer":null' in one[1]


def test_a_token_shows_its_game_and_no_other(tmp_path: Path) -> None:
    first, second = game(0), game(1)
    (tmp_path / "a.cgn").write_text(record_text(first) + "\n" + record_text(second), "utf-8")
    (tmp_path / "b.cgn").write_text(record_text(second), "utf-8")
    board = Asked(tmp_path)
    token = board.board.sharing.open(May("watch"), board.shelf.keeper("a.cgn"), 1).token
    wanted = board.ask(token, "/api/game")
    for query in ("?file=b.cgn", "?game=2", "?file=b.cgn&game=1", "?file=../x"):
        assert board.ask(token, f"/api/game{query}") == wanted
    written = board.board.sharing.first()
    assert board.ask(written.token, "/api/game")[1].endswith(b'{"game":null}')
    assert board.ask(written.token, "/api/table")[0] == 404
    board.board.sharing.written(board.shelf.keeper("b.cgn"))
    assert b'"turns"' in board.ask(written.token, "/api/game")[1]


@pytest.mark.parametrize(
    "client, server, here",
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("::1", "::1", True),
        ("192.0.2.7", "192.0.2.7", True),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("192.0.2.9", "192.0.2.7", False),
        ("10.0.0.1", "127.0.0.1", False),
        ("x", "x", False),
        (None, None, False),
    ],
)
def test_the_code_that_lets_write_is_drawn_at_this_machine_only(
    tmp_path: Path, client: str | None, server: str | None, here: bool
) -> None:
    for local in (True, False):
        board = Asked(tmp_path / "x.cgn", local)
        board.client, board.server = client and (client, 5), server and (server, 1)
        writes, watches = board.board.sharing.writes, board.board.sharing.first().token
        status, told = board.ask(writes, "/api/share")
        assert (status, b'"record":true' in told) == (200, here and not local)
        assert writes.encode() not in told
        made = io.BytesIO()
        code(f"http://x/?token={writes}").save(made, kind="svg", scale=4, border=4, light="#fff")
        status, drawing = board.ask(writes, "/api/share.svg")
        assert (status, made.getvalue() in drawing) == ((200, True) if here and not local else (404, False))
        assert board.ask(watches, "/api/share.svg")[0] == 403


def test_what_cannot_be_read_is_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text('[CGN "1"]\n[Event "Sesame"]\n[Players "Aki Ben"]\n1. Aki A 17@zz\n', "utf-8")
    board = Asked(file)
    token = board.token("Aki")
    assert board.ask(token, "/api/game")[1].endswith(b'{"game":null}')
    for route in ROUTES:
        assert b"Sesame" not in board.ask(token, route)[1]


def test_answers_are_made_once_and_kept_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str | None] = []

    def counted(game: Game, seer: str | None) -> Game:
        made.append(seer)
        return game_seen(game, seer)

    monkeypatch.setattr(watch, "game_seen", counted)
    file = tmp_path / "x.cgn"
    file.write_text(spoken(game(0)), "utf-8")
    board = Asked(file)
    tokens = [board.token(name) for name in NAMES]
    for _ in range(3):
        for token in Random(1).sample(tokens, len(tokens)):
            assert board.ask(token, "/api/game")[0] == 200
            assert board.ask(token, "/api/table?turn=1")[0] == 200
    assert len(made) == 2 * (len(PLAYERS) + 1)
