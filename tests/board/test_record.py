"""Edits change what they name and no other byte."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import msgspec
import pytest

from couperation_formal.board.record import (
    Refused,
    Splice,
    appended,
    commented,
    decoded,
    encoded,
    game_at,
    items_of,
    replaced,
    retyped,
    started,
    taken_back,
    typed,
)
from couperation_formal.game.record import Game
from couperation_formal.notation.write import turn_text
from couperation_formal.output.blocks import parts
from tests.spec.book import ROOT

FILE = (
    "\ufeff; mine\r\n"
    '[CGN "1"]\r\n[Players   "Aki Ben"]\r\n\r\n{ the\r\ndeal }deal Aki 17 30 44 ; secret\r\n\r\n'
    "1. Aki {so} +14 A 17@f1 ; the first\r\n2.  Ben B ?@h1 !? {down\r\nside} drop ?\r\n\r\n*  ; more to come\r\n\r\n"
    '[CGN "1"]\n[Players "Cy Di"]\nnonsense\n\n[CGN "1"]\n[Players "Eva Finn"]\n1. Eva A 9@f1'
)


def games(text: str) -> dict[int, tuple[int, Game]]:
    found = [*parts(text, items_of(text, "x"))]
    return {at: game_at(found, at) for at, part in enumerate(found, 1) if isinstance(part.item, Game)}


def applied(text: str, index: int, edit: Callable[[Game], Splice]) -> str:
    start, game = games(text)[index]
    splice = edit(game)
    return splice._replace(at=splice.at + start).on(text)


def test_an_appended_turn_leaves_every_other_byte() -> None:
    for index, place in ((1, 3), (3, 2)):
        _, game = games(FILE)[index]
        turn = typed(game, "+0 A 30@i1", place, game.record.players[(place - 1) % 2])
        new = applied(FILE, index, partial(appended, turn=turn))
        line = turn_text(turn)
        end = "\r\n" if index == 1 else "\n"
        at = new.index(line)
        assert new.replace(f"{line}{end}", "", 1).rstrip("\n") == FILE
        assert new[at - 1] == "\n"
        assert games(new)[index][1].record.turns[-1] == turn
        assert applied(new, index, taken_back).rstrip("\n") == FILE.rstrip("\n")


def test_a_replaced_turn_keeps_comments_and_layout() -> None:
    _, game = games(FILE)[1]
    turn = typed(game, "A 18@f1", 1, "Aki")
    new = applied(FILE, 1, lambda game: replaced(game, 1, turn))
    assert new == FILE.replace("1. Aki {so} +14 A 17@f1 ;", "1. Aki +0 A 18@f1 {so} ;")


def test_comments_are_added_where_they_can_stand() -> None:
    assert "+14 A 17@f1 { well } ; the first" in applied(FILE, 1, lambda game: commented(game, 1, "well"))
    new = applied(FILE, 3, lambda game: commented(game, 1, "a } brace"))
    assert new == FILE + " ; a } brace"
    for said in ("", " \n "):
        with pytest.raises(Refused):
            applied(FILE, 1, partial(commented, place=1, said=said))
    with pytest.raises(Refused):
        applied(FILE, 1, lambda game: commented(game, 1, "a } brace"))


def test_the_result_is_stated_when_a_game_ends_and_taken_back_with_it() -> None:
    text = (ROOT / "examples" / "legal" / "thursday.cgn").read_text("utf-8")
    short = applied(text, 1, taken_back)
    assert short.endswith("28. Mira +17 D 34-13=21@d6 trim 34\n*\n")
    last = games(text)[1][1].record.turns[-1]
    assert applied(short, 1, lambda game: appended(game, last)) == text


def test_a_text_that_cannot_be_read_is_refused_with_the_readers_words() -> None:
    _, game = games(FILE)[1]
    with pytest.raises(Refused, match="level 9 does not exist"):
        typed(game, "A 9@h9", 3, "Aki")
    with pytest.raises(Refused):
        typed(game, "A 9@h1\n4. Ben -", 3, "Aki")
    with pytest.raises(Refused, match="Cy"):
        retyped(game, '[CGN "1"]\n[Players "Aki Ben"]\ndeal Cy 1 2 3\n')
    with pytest.raises(Refused):
        retyped(game, f"{game.layout.text}\n{game.layout.text}")


def test_a_game_is_started_at_the_end() -> None:
    _, game = games(FILE)[3]
    new = started(FILE, game.record).on(FILE)
    assert new.startswith(FILE)
    assert [*games(new)] == [1, 3, 4]
    assert games(new)[4][1].record == game.record
    assert started("", game.record).put.startswith("[CGN")


def test_any_bytes_come_back() -> None:
    random = Random(3)
    for _ in range(50):
        data = bytes(random.choices([*b'[CGN "1"]\n\r\xef\xbb\xbf\xff{};', 0], k=random.randrange(80)))
        assert encoded(decoded(data)) == data


def test_random_edits_of_a_game_undo_to_the_same_text() -> None:
    """Each edit says what was meant, and its splice turned round gives the text from before."""
    text, random = FILE, Random(7)
    steps = []
    for _ in range(60):
        _, game = games(text)[1]
        place = len(game.record.turns) + 1
        kind = random.choice(["append", "append", "back", "comment", "replace"])
        start, _ = games(text)[1]
        try:
            if kind == "append":
                splice = appended(game, typed(game, f"A {random.randint(1, 50)}@i1", place, "Aki"))
            elif kind == "back":
                splice = taken_back(game)
            elif kind == "comment":
                splice = commented(game, random.randrange(place), random.choice(["so", "{ no", "ä ; b", "日本"]))
            else:
                at = random.randrange(1, max(2, place))
                splice = replaced(game, at, msgspec.structs.replace(game.record.turns[at - 1], drop=()))
        except (Refused, ValueError, IndexError):
            continue
        splice = splice._replace(at=splice.at + start)
        steps.append((text, splice))
        text = splice.on(text)
    assert len(steps) > 20
    for before, splice in reversed(steps):
        text = splice.back.on(text)
        assert text == before


def test_a_typed_game_keeps_the_line_ends_of_its_file() -> None:
    text = '[CGN "1"]\r\n[Players "Aki Ben"]\r\n\r\n; said\r\n'
    ((_, item),) = parts(text, items_of(text, "x"))
    assert retyped(item, text.replace("\r", "") + "1. Aki A 17@f1").on(text) == f"{text}1. Aki A 17@f1\r\n"


def test_a_typed_game_that_begins_with_a_byte_order_mark_stays_a_game_of_its_file() -> None:
    text = '[CGN "1"]\n[Players "Aki Ben"]\n'
    start, item = [*parts(text * 2, items_of(text * 2, "x"))][1]
    splice = retyped(item, f"\ufeff{text}1. Aki A 17@f1\n")
    made = Splice(start + splice.at, splice.cut, splice.put).on(text * 2)
    assert made == f"{text}{text}1. Aki A 17@f1\n"
