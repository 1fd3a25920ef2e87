"""Every form that CGN accepts, and the value that it becomes."""

from __future__ import annotations

import msgspec
import pytest

from couperation_formal.game.record import Exchange, Game, LayDown, LayUp, NoAction, Open, Snapshot, Span
from couperation_formal.game.tower import FINISH, UNSEEN, Cell, Down, Up, Value
from couperation_formal.notation.read import Malformed, read_text
from couperation_formal.notation.write import action_text, format_item, record_text, turn_text

HEAD = '[CGN "1"]\n[Players "Aki Ben"]\n'


def game(text: str) -> Game:
    """The only game of a text."""
    (item,) = read_text(text)
    assert isinstance(item, Game), item
    return item


def v(number: int) -> Value:
    return Value(number)


H1, F1, D7, I1 = Cell(7, 1), Cell(5, 1), Cell(3, 7), Cell(8, 1)

ACTIONS = [
    ("A 17@f1", LayUp(v(17), F1)),
    ("A F@d7", LayUp(FINISH, D7)),
    ("A ?@a1", LayUp(UNSEEN, Cell(0, 1))),
    ("A 1@m7", LayUp(v(1), Cell(12, 7))),
    ("B 50@h1", LayDown(v(50), H1)),
    ("B ?@h1", LayDown(UNSEEN, H1)),
    ("B F@h1", LayDown(FINISH, H1)),
    ("C h1=26", Open(H1, v(26))),
    ("C h1=F", Open(H1, FINISH)),
    ("C h1=?", Open(H1, UNSEEN)),
    ("D 44-30=14@h1", Exchange(v(44), "-", v(30), (), v(14), True, H1, None)),
    ("D 12+21=33@h1", Exchange(v(12), "+", v(21), (), v(33), True, H1, None)),
    ("D ?-?=?@h1", Exchange(UNSEEN, "-", UNSEEN, (), UNSEEN, True, H1, None)),
    (
        "D F+5^?_F|9=F@d7",
        Exchange(FINISH, "+", v(5), (("^", UNSEEN), ("_", FINISH), ("|", v(9))), FINISH, True, D7, None),
    ),
    ("D 44-5^9=40@i1x30", Exchange(v(44), "-", v(5), (("^", v(9)),), v(40), True, I1, Up(v(30)))),
    ("D 44-5=39@i1xF", Exchange(v(44), "-", v(5), (), v(39), True, I1, Up(FINISH))),
    ("D 44-5=39@i1x?", Exchange(v(44), "-", v(5), (), v(39), True, I1, Down(UNSEEN))),
    ("D 44-5=39@i1x~26", Exchange(v(44), "-", v(5), (), v(39), True, I1, Down(v(26)))),
    ("D 44-5=39@i1x~F", Exchange(v(44), "-", v(5), (), v(39), True, I1, Down(FINISH))),
    ("D 44-30=~14@h1", Exchange(v(44), "-", v(30), (), v(14), False, H1, None)),
    ("D 44-30=~F@h1x?", Exchange(v(44), "-", v(30), (), FINISH, False, H1, Down(UNSEEN))),
    ("-", NoAction()),
]


@pytest.mark.parametrize("text, action", ACTIONS, ids=[text for text, _ in ACTIONS])
def test_actions(text: str, action: object) -> None:
    item = game(f"{HEAD}1. Aki {text}\n")
    assert item.record.turns[0].action == action
    assert action_text(item.record.turns[0].action) == text
    span = item.layout.turns[0].action
    assert item.layout.text[span.start : span.end] == text


def test_a_down_card_unseen_may_be_written_with_its_tilde() -> None:
    item = game(f"{HEAD}1. Aki D 44-5=39@i1x~?")
    assert turn_text(item.record.turns[0]) == "1. Aki +0 D 44-5=39@i1x?"


DRAWS = [
    ("", ()),
    ("+0", ()),
    ("+14", (v(14),)),
    ("+14,9", (v(14), v(9))),
    ("+?", (UNSEEN,)),
    ("+?,?", (UNSEEN, UNSEEN)),
    ("+F,9", (FINISH, v(9))),
    ("+1,2,3,4,5,1", (v(1), v(2), v(3), v(4), v(5), v(1))),
]


@pytest.mark.parametrize("text, cards", DRAWS)
def test_draws(text: str, cards: object) -> None:
    item = game(f"{HEAD}1. Aki {text} A 17@f1")
    assert item.record.turns[0].draw == cards
    span = item.layout.turns[0].draw
    assert (span is None) == (text == "")
    assert span is None or item.layout.text[span.start : span.end] == text


def test_the_parts_of_a_turn() -> None:
    text = "12. Ben +F,9 D 44-5^9=40@i1x30 ! ?? ~~ drop 5,? trim F"
    item = game(HEAD + text + "\n")
    turn, place = item.record.turns[0], item.layout.turns[0]
    assert (turn.number, turn.player, turn.draw) == (12, "Ben", (FINISH, v(9)))
    assert (turn.glyphs, turn.drop, turn.trim) == (("!", "??", "~~"), (v(5), UNSEEN), (FINISH,))
    parts = [place.number, place.player, place.draw, place.action, place.drop, place.trim]
    assert [item.layout.text[part.start : part.end] for part in parts if part] == [
        "12.",
        "Ben",
        "+F,9",
        "D 44-5^9=40@i1x30",
        "drop 5,?",
        "trim F",
    ]
    assert item.layout.text[place.line.start : place.line.end] == text == turn_text(turn)


@pytest.mark.parametrize(
    ("draw", "fill", "open_"),
    [("+*", "", (True, False)), ("+0", "fill 14,?", (False, False)), ("+9", "fill *", (False, True))],
)
def test_draws_that_were_not_noted_and_cards_drawn_after_the_action(
    draw: str, fill: str, open_: tuple[bool, bool]
) -> None:
    for text in (
        f"2. Ben {draw} A F@h1 ! {fill} drop 4 trim 5",
        f"2. Ben {draw} A F@h1 {{ a }} ! {{ b }} {fill} drop 4 trim 5",
    ):
        item = game(HEAD + " ".join(text.split()) + "\n")
        turn, place = item.record.turns[0], item.layout.turns[0]
        assert (turn.draw_open, turn.fill_open) == open_
        assert (turn.draw, turn.fill) == ((v(9),) if draw == "+9" else (), (v(14), UNSEEN) if "14" in fill else ())
        assert (turn.glyphs, turn.drop, turn.trim) == (("!",), (v(4),), (v(5),))
        assert (place.fill is None) == (not fill)
        assert place.fill is None or item.layout.text[place.fill.start : place.fill.end] == fill
        assert turn_text(turn) == " ".join(f"2. Ben {draw} A F@h1 ! {fill} drop 4 trim 5".split())
        assert game(record_text(item.record)).record == item.record


@pytest.mark.parametrize("glyph", ["!", "?", "!?", "?!", "!!", "??", "~~"])
def test_glyphs_stand_apart(glyph: str) -> None:
    turn = game(f"{HEAD}1. Aki D 44-5=39@i1x? {glyph}").record.turns[0]
    assert turn.glyphs == (glyph,)


@pytest.mark.parametrize("word", ["win", "loss", "stuck", "*", ""])
def test_results(word: str) -> None:
    result = None if word in ("*", "") else word
    item = game(f"{HEAD}1. Aki A 17@f1\n{word}\n")
    assert item.record.result == result
    assert (item.layout.result is None) == (word == "")


ACCEPTED = {
    "no turns": "",
    "a wrong player's name": "1. Cy A 17@f1",
    "no order of numbers": "7. Aki A 17@f1\n0. Aki A 17@f1\n000007. Ben -",
    "a name joined to its number": "1.Aki A 17@f1",
    "a deal of nothing": "deal Aki\nreserve\ndeck",
    "a deal of too much": "deal Aki 1 1 1 F ? ? ?\nreserve 1 50 2 3 4 5 6 7 8 9\ndeck F F",
    "set-up in any order": "deck 1 2\nreserve 3\ndeal Ben 4 5",
    "no action in between": "1. Aki -\n2. Ben A 17@f1",
    "the Finish card dropped and trimmed": "1. Aki A 17@f1 drop F trim F",
    "no effect": "1. Aki D 44-30|5=14@h1",
    "white space": "\t 1.\tAki \v A\t17@f1 \n\n   \n\f2. Ben C h1=28\t",
    "two tags in a line": '[Event "x"] [Site "y"]',
    "strange names in turns": "1. A A 17@f1\n2. +0 +0 B 1@a1\n3. - -\n4. drop - drop 4\n5. win C h1=3\n6. 1. -",
}


@pytest.mark.parametrize("body", ACCEPTED.values(), ids=ACCEPTED)
def test_what_a_clause_refuses_is_read(body: str) -> None:
    item = game(HEAD + body + "\n")
    assert game(record_text(item.record)).record == item.record


def test_names_that_look_like_words_of_cgn() -> None:
    names = ["A", "drop", "-", "+0", "1.", "win", "*", "deal", "~~", "Åsa", "あき", "x?", "[CGN"[1:]]
    lines = [f"deal {name} 1 2 3" for name in names] + [f"{n}. {name} C h1=28" for n, name in enumerate(names, 1)]
    item = game(f'[CGN "1"]\n[Players "{" ".join(names)}"]\n' + "\n".join(lines))
    assert list(item.record.players) == names == list(item.record.deals) == [turn.player for turn in item.record.turns]


@pytest.mark.parametrize("names", [", Aki", "Aki, Ben", ",,, Aki, ,"])
def test_a_comma_is_a_slip_only_where_a_line_names_a_player_without_it(names: str) -> None:
    read = game(f'[CGN "1"]\n[Players "{names}"]\n1. {names.split()[0]} -\n').record
    assert read.players == tuple(names.split())
    assert game(record_text(read)).record == read
    (refused,) = read_text('[CGN "1"]\n[Players ", Aki, Ben"]\n1. Aki -\n')
    assert isinstance(refused, Malformed)
    assert refused.diagnostics[0].edit is not None
    assert refused.diagnostics[0].edit.replacement == "Aki Ben"


def test_tags() -> None:
    text = (
        '[CGN "1"]\n[Event "  a ; b { c  "]\n[Round ""]\n[Rules " en-2   spread=adjacent"]\n[Variant "finish"]\n'
        '[Players "Aki   Ben Aki"]\n[Marks "1:1  28:2 9:H"]\n'
    )
    item = game(text)
    record = item.record
    assert record.tag("Event") == "  a ; b { c  "
    assert record.tag("Round") == ""
    assert record.tag("Rules") == "en-2 spread=adjacent"
    assert record.tag("Nothing") is None
    assert record.rules.rulings.spread == "adjacent"
    assert (record.rules.rulebook, record.variant, record.players) == ("en-2", "finish", ("Aki", "Ben", "Aki"))
    assert record.marks == {1: "1", 28: "2", 9: "H"}
    assert item.layout.text[slice(*item.layout.tags["Round"])] == '[Round ""]'
    assert item.layout.comments == ()


def test_defaults() -> None:
    record = game(HEAD).record
    assert (record.rules.rulebook, record.variant, record.marks) == ("ja-2.2", "first", {})
    assert (record.deals, record.reserve, record.deck, record.turns, record.result) == ({}, None, None, (), None)


def test_one_player_and_five_are_read() -> None:
    assert game('[CGN "1"]\n[Players "Aki"]').record.players == ("Aki",)
    assert len(game('[CGN "1"]\n[Players "A B C D E"]').record.players) == 5


def test_places_of_set_up_lines() -> None:
    item = game(HEAD + "deal Ben 1 2 { x } 3 ; y\n  reserve 1 50\ndeck\n")
    texts = {key: item.layout.text[slice(*span)] for key, span in item.layout.lines.items()}
    assert texts == {"deal Ben": "deal Ben 1 2 { x } 3", "reserve": "reserve 1 50", "deck": "deck"}
    assert item.record.deals == {"Ben": (1, 2, 3)}
    assert (item.record.reserve, item.record.deck) == ((1, 50), ())


def test_comments_stand_between_all_tokens() -> None:
    text = (
        '; first\n{ a }[{ b " }CGN{ c }"1"{ d }]{ e }\n[Players "Aki Ben"] ; it"s\n'
        "deal { f } Aki { g } 1 { h } 2 ; { i\n"
        "1. { j } Aki { k\nk } A { l } 17@f1{ m } !{ n } drop { o } 5 { p };q \n; r } s\n* ; t\n{ u }"
    )
    item = game(text)
    assert item.record.turns[0] == game(HEAD + "1. Aki A 17@f1 ! drop 5").record.turns[0]
    texts = [comment.text for comment in item.layout.comments]
    assert texts[:4] == ["; first", "{ a }", '{ b " }', "{ c }"]
    assert "{ k\nk }" in texts
    assert texts[-5:] == ["{ p }", ";q", "; r } s", "; t", "{ u }"]
    places = [(comment.item, comment.slot) for comment in item.layout.comments]
    assert places[:6] == [(0, -1), (0, -1), (0, 0), (0, 0), (0, 0), (0, 0)]
    assert places[-5:] == [(3, 7), (3, 7), (4, -1), (4, 0), (5, -1)]
    assert format_item(item) == (
        '; first\n{ a }\n[CGN "1"] { b " } { c } { d } { e }\n[Players "Aki Ben"] ; it"s\n\n'
        "deal { f } Aki { g } 1 { h } 2 ; { i\n\n"
        "1. { j } Aki { k\nk } +0 A { l } 17@f1 { m } ! { n } drop { o } 5 { p } ;q\n; r } s\n* ; t\n{ u }\n"
    )


def test_the_canonical_form() -> None:
    text = (
        '\n[CGN "1"]\n[Variant   "first"]\n[Players "Aki  Ben"]\n[Marks "2:1   1:H"]\n'
        "reserve 1   50\n\n\ndeal Aki 2 3 4\n\n  01.   Aki A 17@f1   ;  why\n"
    )
    assert format_item(game(text)) == (
        '[CGN "1"]\n[Variant "first"]\n[Players "Aki Ben"]\n[Marks "2:1 1:H"]\n\n'
        "reserve 1 50\ndeal Aki 2 3 4\n\n1. Aki +0 A 17@f1 ;  why\n*\n"
    )


def test_a_tag_that_cgn_cannot_hold_is_not_written() -> None:
    record = game(HEAD).record
    for value in ('a "b"', "a\nb", "a\rb"):
        with pytest.raises(ValueError, match="Event"):
            record_text(msgspec.structs.replace(record, tags=(*record.tags, ("Event", value))))


POSITION = (
    HEAD + "position\ntower 25@g1 17@f1 ~26@h1 ~?@f2 ?@g2\nhand Aki 3 9\nhand Ben\nreserve 1 50 12\n"
    "gone 4 ?\ndeck 14 ? ?\nturn Ben\nlast h1\n"
)


def test_a_position() -> None:
    (item,) = read_text(POSITION)
    assert isinstance(item, Snapshot)
    position = item.position
    assert position.tower == (
        (Cell(6, 1), Up(v(25))),
        (F1, Up(v(17))),
        (H1, Down(v(26))),
        (Cell(5, 2), Down(UNSEEN)),
        (Cell(6, 2), Up(UNSEEN)),
    )
    assert position.hands == {"Aki": (3, 9), "Ben": ()}
    assert (position.reserve, position.gone, position.deck) == ((1, 50, 12), (4, UNSEEN), (14, UNSEEN, UNSEEN))
    assert (position.turn, position.last, position.front) == ("Ben", H1, None)
    assert format_item(item) == POSITION
    assert item.layout.text[slice(*item.layout.lines["hand Aki"])] == "hand Aki 3 9"
    assert item.layout.text[slice(*item.layout.lines["position"])] == "position"


def test_a_position_of_the_tower_alone_and_one_with_the_finish_card_in_front() -> None:
    (item,) = read_text(HEAD + "position\ntower 25@g1")
    assert isinstance(item, Snapshot)
    assert (item.position.reserve, item.position.deck, item.position.gone, item.position.hands) == (None, None, (), {})
    text = '[CGN "1"]\n[Variant "finish"]\n[Players "A -"]\nposition\nfront -\ntower 25@g1 { the first } ; c\n'
    (item,) = read_text(text)
    assert isinstance(item, Snapshot)
    assert item.position.front == "-"
    assert format_item(item) == text


def test_spans_count_characters_of_the_games_own_text() -> None:
    items = list(read_text("\ufeff; ä\r\n" + HEAD.replace("\n", "\r\n") + "1. Aki A 17@f1\r\n" + HEAD + "2. Ben -\n"))
    assert not any(isinstance(item, Malformed) for item in items)
    first, second = items
    assert isinstance(first, Game)
    assert isinstance(second, Game)
    assert (first.layout.line, second.layout.line) == (1, 5)
    assert first.layout.text.startswith("; ä\r\n[CGN")
    assert first.layout.text[slice(*first.layout.turns[0].line)] == "1. Aki A 17@f1"
    assert second.layout.turns[0].number == Span(len(HEAD), len(HEAD) + 2)
