"""Syntax errors: the place, and what a player is told."""

from __future__ import annotations

import pytest

from couperation_formal.notation.parse import parser
from couperation_formal.notation.read import Malformed, read_text
from couperation_formal.notation.slips import EXPECTED
from tests.conftest import LONG

HEAD = '[CGN "1"]\n[Players "Aki Ben"]\n'
TURN = HEAD + "1. Aki A 17@f1\n"
POSITION = HEAD + "position\ntower 25@g1\n"

BROKEN = [
    # tags
    ("hello", 1, 1, 'begins with the tag [CGN "1"]'),
    ('[Players "Aki Ben"]', 1, 1, 'begins with the tag [CGN "1"]'),
    ('[CGN "2"]\n[Players "Aki"]', 1, 7, 'CGN "1" only, not "2"'),
    ('[CGN "1"]', 1, 1, "the tag Players is missing"),
    ('[CGN "1"]\n[players "Aki"]', 1, 1, "there is a tag players"),
    ('[CGN "1"]\n[Players " "]', 2, 1, "names nobody"),
    ('[CGN "1"]\n[Players "Aki B{n"]', 2, 15, "no name can hold the character {"),
    (HEAD + '[Event "a"]\n[Event "b"]', 4, 1, "the tag Event stands here a second time"),
    (HEAD + '[Event "a"', 3, 11, "closing bracket ]"),
    (HEAD + '[Event "a]', 3, 8, "this quote is not closed"),
    (HEAD + '[Event a"]', 3, 8, "stands in double quotes"),
    (HEAD + '[Event "a "b" c"]', 3, 12, "a double quote within"),
    (HEAD + '["a"]', 3, 2, "the name of the tag is missing"),
    (HEAD + '[Event { "a"]', 3, 8, "no } closes"),
    (HEAD + '[Event "a"] deal Aki 1', 3, 13, "nothing but tags"),
    (HEAD + '[Rules "en-9"]', 3, 9, "no rulebook 'en-9'; did you mean en-2?"),
    (HEAD + '[Rules "en-2 sprad=adjacent"]', 3, 14, "no ruling 'sprad'; did you mean spread?"),
    (HEAD + '[Rules "en-2 spread=far"]', 3, 14, "spread has no option 'far'"),
    (HEAD + '[Rules "spread=anywhere spread=anywhere"]', 3, 25, "set twice"),
    (HEAD + '[Rules "en-2 bgg"]', 3, 14, "write it as ruling=option"),
    (HEAD + '[Variant "second"]', 3, 11, "first or finish"),
    (HEAD + '[Marks "1:1 51:2"]', 3, 13, "1 to 50"),
    (HEAD + '[Marks "1:1 2:3"]', 3, 13, "1, 2 or H"),
    (HEAD + '[Marks "1:1 2"]', 3, 13, "value:mark"),
    (HEAD + '[Marks "1:1 2:H 1:1"]', 3, 17, "card 1 has a mark already"),
    (TURN + '[Event "late"]', 4, 1, "tags stand before"),
    # set-up
    (HEAD + "deal Cy 1 2 3", 3, 6, "Cy is not in the tag Players: Aki Ben"),
    (HEAD + "deal", 3, 5, "name is missing after deal"),
    (HEAD + "deal Aki 1\ndeal Aki 1", 4, 1, "the line deal Aki stands here a second time"),
    (HEAD + "reserve 1\nreserve 1", 4, 1, "the line reserve stands here a second time"),
    (HEAD + "deck 1\nreserve 2\ndeck 1", 5, 1, "the line deck stands here a second time"),
    (HEAD + "deal Aki 1,2,3", 3, 10, "no commas"),
    (HEAD + "deal Aki 1 0", 3, 12, "0 is no card"),
    (HEAD + "reserve 1 50 -3", 3, 14, "-3 is no card"),
    (HEAD + "deck 1 07", 3, 8, "begins with a zero: it is written 7"),
    (HEAD + "dael Aki 1", 3, 1, "did you mean deal?"),
    (HEAD + "tower 25@g1", 3, 1, "the line position comes first"),
    (TURN + "deck 1 2", 4, 1, "before the first turn"),
    (
        HEAD + "whatever it = 5",
        3,
        1,
        "a set-up line (deal, reserve, deck), the line position, a turn such as 5. or the result",
    ),
    # turns
    (HEAD + "1 Aki A 17@f1", 3, 1, "the dot after the number of the turn is missing: 1."),
    (HEAD + "1234567. Aki A 17@f1", 3, 1, "six digits at most"),
    (HEAD + "Aki A 17@f1", 3, 1, "the number of the turn is missing: 1. Aki"),
    (HEAD + "A 17@f1", 3, 1, "its number and the player"),
    (HEAD + "1.", 3, 3, "name is missing after 1."),
    (HEAD + '1. "Aki" A 17@f1', 3, 4, "quotes stand around this name: write Aki"),
    (HEAD + "1. A 17@f1", 3, 6, "is the player's name missing?"),
    (HEAD + "1. Aki", 3, 7, "the action is missing"),
    (HEAD + "1. Aki drop 4", 3, 8, "the action is missing before drop"),
    (HEAD + "1. Aki pass", 3, 8, "none was possible - is written"),
    (HEAD + "1. Aki E 17@f1", 3, 8, "there is no action E"),
    (HEAD + "1. Aki a 17@f1", 3, 8, "the action is A"),
    (HEAD + "1. Aki A17@f1", 3, 8, "the blank after the letter of the action is missing: A 17@f1"),
    (HEAD + "1. Aki 17@f1", 3, 8, "the letter of the action is missing"),
    (HEAD + "1. Aki nothing", 3, 8, "a draw such as +14,9 or an action"),
    (HEAD + "1. Aki + A 17@f1", 3, 8, "drawn cards are missing"),
    (HEAD + "1. Aki +0,5 A 17@f1", 3, 9, "0 is no card"),
    (HEAD + "1. Aki +14, 9 A 17@f1", 3, 8, "this draw has another form: write +14,9"),
    (HEAD + "1. Aki +14 9 A 17@f1", 3, 12, "joined by commas: +14,9"),
    (HEAD + "1. Aki +1 +2 A 17@f1", 3, 11, "a second draw"),
    (HEAD + "1. Aki A", 3, 9, "the word of action A is missing: A 17@f1"),
    (HEAD + "1. Aki A 17@n9", 3, 13, "column n does not exist: columns run from a to m"),
    (HEAD + "1. Aki A 17@f8", 3, 14, "level 8 does not exist: levels run from 1 to 7"),
    (HEAD + "1. Aki A 17@f", 3, 14, "the level is missing after column f"),
    (HEAD + "1. Aki A 17@F1", 3, 13, "it is written f1"),
    (HEAD + "1. Aki A 17@1f", 3, 13, "before the column: it is written f1"),
    (HEAD + "1. Aki A 17@", 3, 13, "a cell is missing"),
    (HEAD + "1. Aki A 17@*1", 3, 13, "*1 is no cell"),
    (HEAD + "1. Aki A 17", 3, 12, "the cell is missing: A 17@f1"),
    (HEAD + "1. Aki A 51@f1", 3, 10, "51 is no card: cards are 1 to 50, F or ?"),
    (
        HEAD + "1. Aki A １７@f1",
        3,
        10,
        "this is FULLWIDTH DIGIT ONE (U+FF11) and FULLWIDTH DIGIT SEVEN (U+FF17); write 17",
    ),
    (HEAD + "1. Aki A f@f1", 3, 10, "written F"),
    (HEAD + "1. Aki A ~17@f1", 3, 10, "no ~ here"),
    (HEAD + "1. Aki A 17@f1!", 3, 15, "the blank before the glyph ! is missing"),
    (HEAD + "1. Aki A 17@f1x26", 3, 15, "cannot replace a card: only D"),
    (HEAD + "1. Aki A 17@f1,18@h1", 3, 15, "has a comma"),
    (HEAD + "1. Aki A h1=26", 3, 10, "the form of action C"),
    (HEAD + "1. Aki B 44-30=14@h1", 3, 10, "the form of action D"),
    (HEAD + "1. Aki C 26@h1", 3, 10, "the cell does not come first"),
    (HEAD + "1. Aki C h1", 3, 12, "the card that h1 shows is missing"),
    (HEAD + "1. Aki C h1=", 3, 13, "a card is missing"),
    (HEAD + "1. Aki C h1=26?", 3, 15, "before the glyph ?"),
    (HEAD + "1. Aki C n1=26", 3, 10, "column n"),
    (HEAD + "1. Aki D 44-30=14", 3, 18, "the cell is missing: =14@h1"),
    (HEAD + "1. Aki D 44-30", 3, 15, "the card taken from the Reserve is missing"),
    (HEAD + "1. Aki D 44=14@h1", 3, 12, "sends two cards"),
    (HEAD + "1. Aki D 44^30=14@h1", 3, 12, "joined by + or -"),
    (HEAD + "1. Aki D 44-30+2=16@h1", 3, 15, "each further one is destroyed"),
    (HEAD + "1. Aki D 44-30^=14@h1", 3, 16, "a card is missing"),
    (HEAD + "1. Aki D 44-30^60=14@h1", 3, 16, "60 is no card"),
    (HEAD + "1. Aki D 44-30=~x@h1", 3, 17, "x is no card"),
    (HEAD + "1. Aki D 44-30=14@h1x", 3, 22, "a card is missing"),
    (HEAD + "1. Aki D 44-30=14@h1x99", 3, 22, "99 is no card"),
    (HEAD + "1. Aki D 44-30=14@h1x26!", 3, 24, "before the glyph !"),
    (HEAD + "1. Aki D 44-30=14@h1y", 3, 21, "y is no part of action D"),
    (HEAD + "1. Aki A 17@f1 !!!", 3, 16, "there is no glyph !!!"),
    (HEAD + "1. Aki A 17@f1 drop 5 !", 3, 23, "glyphs stand after the action"),
    (HEAD + "1. Aki +*,5 A 17@f1", 3, 8, "+* says that the draw was not noted, and stands alone"),
    (HEAD + "1. Aki +5,* A 17@f1", 3, 11, "* is no card"),
    (HEAD + "1. Aki A F@f1 fill", 3, 19, "the cards after fill are missing"),
    (HEAD + "1. Aki A F@f1 fill *,5", 3, 20, "fill * says that these cards were not noted, and stands alone"),
    (HEAD + "1. Aki A F@f1 drop 5 fill 6", 3, 22, "fill comes too late: it stands before drop"),
    (HEAD + "1. Aki A F@f1 fill 5 !", 3, 22, "before fill, drop and trim"),
    (HEAD + "1. Aki A 17@f1 drop", 3, 20, "the cards after drop are missing"),
    (HEAD + "1. Aki A 17@f1 trim ; none", 3, 20, "the cards after trim are missing"),
    (HEAD + "1. Aki A 17@f1 drop 5,", 3, 22, "missing beside this comma"),
    (HEAD + "1. Aki A 17@f1 drop 5 6", 3, 23, "the cards after drop are joined by commas"),
    (HEAD + "1. Aki A 17@f1 trim 5 drop 6", 3, 23, "drop comes too late: it stands before trim"),
    (HEAD + "1. Aki A 17@f1 drop 5 drop 6", 3, 23, "a second drop"),
    (HEAD + "1. Aki A 17@f1 Drop 5", 3, 16, "has a capital letter"),
    (HEAD + "1. Aki A 17@f1 drip 5", 3, 16, "did you mean drop?"),
    (HEAD + "1. Aki A 17@f1 +9", 3, 16, "it stands before the action"),
    (HEAD + "1. Aki A 17@f1 B 3@h1", 3, 16, "a second action"),
    (HEAD + "1. Aki A 17@f1 2. Ben -", 3, 16, "a line of its own"),
    (HEAD + "1. Aki A 17@f1 win", 3, 16, "a line of its own"),
    (
        HEAD + "1. Aki A 17@f1 so what",
        3,
        16,
        "a remark stands after a ;, or in braces: ; so …",
    ),
    # results and comments
    (TURN + "Win", 4, 1, "did you mean win?"),
    (TURN + "won", 4, 1, "did you mean win?"),
    (TURN + "stcuk", 4, 1, "did you mean stuck?"),
    (TURN + "win loss", 4, 5, "nothing but comments follows the result"),
    (TURN + "win\n2. Ben -", 5, 1, "nothing but comments follows the result"),
    (TURN + "{ open", 4, 1, "no } closes"),
    (HEAD + "1. Aki A { open", 3, 10, "no } closes"),
    (HEAD + "1. Aki A 17@f1 drop { open", 3, 21, "no } closes"),
    (TURN + "} closed", 4, 1, "closes no comment"),
    # positions
    (TURN + "position\ntower 25@g1", 4, 1, "right after the tags"),
    (HEAD + "position\nhand Aki", 3, 1, "the line tower is missing"),
    (HEAD + "position now", 3, 10, "the end of the line"),
    (POSITION + "1. Aki A 17@f1", 5, 1, "no deal, turns or result"),
    (POSITION + "towr 25@g1", 5, 1, "did you mean tower?"),
    (POSITION + "tower 25@g1", 5, 1, "the line tower stands here a second time"),
    (POSITION + "hand Cy 1", 5, 6, "Cy is not in the tag Players"),
    (POSITION + "front Cy", 5, 7, "Cy is not in the tag Players"),
    (POSITION + "turn", 5, 5, "name is missing after turn"),
    (POSITION + "last", 5, 5, "a cell is missing"),
    (POSITION + "last n3", 5, 6, "column n"),
    (POSITION + "skipped", 5, 8, "ends where a number of turns such as 1 should stand"),
    (POSITION + "skipped -1", 5, 9, "where a number of turns such as 1 should"),
    (POSITION + "replaced 1", 5, 10, "where yes or no should"),
    (TURN + "skipped 1", 4, 1, "belongs to a position"),
    (HEAD + "position\ntower 25g1", 4, 7, "write 25@g1"),
    (HEAD + "position\ntower 25@g1 51@h1", 4, 13, "51 is no card"),
    (HEAD + "position\ntower 25@g1 ~?", 4, 13, "is no card on a cell"),
    (HEAD + "position\ntower 25@g9", 4, 11, "level 9"),
]


ENDINGS = ("", "\n", "\r\n")
ENDED = [(*case, ending) for i, case in enumerate(BROKEN) for ending in (ENDINGS if LONG else ENDINGS[i % 3 :][:1])]
"""Each with one end of lines, in a long run with all."""


@pytest.mark.parametrize("text, line, column, phrase, ending", ENDED, ids=lambda part: ascii(str(part)[-20:]))
def test_what_is_wrong_and_where(text: str, line: int, column: int, phrase: str, ending: str) -> None:
    text = text.replace("\n", ending or "\n") + ending
    (item,) = read_text(text)
    assert isinstance(item, Malformed)
    diagnostic = item.diagnostics[0]
    before = text[: diagnostic.span.start]
    assert phrase in diagnostic.message
    assert (before.count("\n") + 1, len(before) - before.rfind("\n")) == (line, column)
    assert diagnostic.span.end <= len(item.text)


def test_every_fault_of_the_tags_and_the_set_up_is_named() -> None:
    (item,) = read_text('[CGN "1"]\n[Variant "x"]\n[Players "Aki"]\n[Marks "0:1 1:4"]\n')
    assert isinstance(item, Malformed)
    assert [item.text[slice(*diagnostic.span)] for diagnostic in item.diagnostics] == ["x", "0:1", "1:4"]
    (item,) = read_text(HEAD + "deal Cy\ndeal Dai\ndeck\ndeck\n")
    assert isinstance(item, Malformed)
    assert [item.text[slice(*diagnostic.span)] for diagnostic in item.diagnostics] == ["Cy", "Dai", "deck"]


def test_every_terminal_has_its_phrase() -> None:
    terminals = {terminal.name for terminal in parser().terminals} - set(parser().ignore_tokens)
    told = [name for names in EXPECTED.values() for name in names]
    assert terminals | {"$END"} == {*told}
    assert len({*told}) == len(told)


def test_a_message_stays_short() -> None:
    word = "x" * 60_000
    for text in (
        f"{word} 1",
        f"1. Aki A {word}@f1",
        f"1. Aki A 1@{word}",
        f"1. Aki D 1-2=3@h1{word}",
        f"deal {word} 1",
    ):
        (item,) = read_text(f"{HEAD}{text}\n")
        assert isinstance(item, Malformed)
        assert len(item.diagnostics[0].message) < 300
    (item,) = read_text(f'{HEAD}[Rules "{word}"]\n')
    assert isinstance(item, Malformed)
    assert len(item.diagnostics[0].message) < 300
