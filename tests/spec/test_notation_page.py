"""The two tables of `spec/notation.md` on syntax and rules: each row by an example."""

from __future__ import annotations

import re

import pytest

from couperation_formal.game.record import Game
from couperation_formal.notation.read import Malformed, read_text
from couperation_formal.questions.records.check import check
from tests.spec.book import ROOT

PAGE = (ROOT / "spec" / "notation.md").read_text(encoding="utf-8").partition("## Syntax or rule")[2]
DEAL = "deal Ada 17 30 44\ndeal Bo 9 21 38\nreserve 1 50 12 33 40 14\n"

STUCK = "1. Ada A 17@f1\n2. Bo A 9@e1\n3. Ada A 30@h1\n4. Bo A 21@f2\n5. Ada A 44@i1\n6. Bo A 38@h2\n7. Ada -\n"

BROKEN = {
    "the Finish card laid down, by B or by `=~F`": [
        ("finish", DEAL + "1. Ada +F,7 B F@f1 drop 7\n", {"ACT03", "ACT08"}),
        ("finish", DEAL + "1. Ada D 17+30=~F@f1\n", {"ACT08"}),
    ],
    "`drop F`": [("finish", DEAL + "1. Ada +F,7 A 17@f1 drop F\n", {"LIM01"})],
    r"`\|` where [adjust] is not `up_to`": [("", DEAL + "1. Ada D 44-30|17=14@f1 trim 12\n", {"ACT05"})],
    "`-` in mid-game": [
        ("", DEAL + "1. Ada -\n2. Bo A 9@f1\n", {"ACT01"}),
        ("", DEAL + STUCK + "8. Bo -\n", {"END04"}),
    ],
    "a fill that no ruling allows, or after another card than `F`": [
        ("", DEAL + "1. Ada A 17@f1 fill 14\n", {"DRW04"}),
        ("finish", DEAL + "1. Ada +F,7 A F@f1 fill 8 drop 8\n", {"DRW04"}),
    ],
    "too many or too few cards in a deal, the Reserve, the deck or a draw": [
        ("", "deal Ada 17 30 44 45\n", {"SET02"}),
        ("", "deal Ada 17\n", {"SET02"}),
        ("", "reserve 1 50 12 33 40 7 8\n", {"SET03"}),
        ("", "deck" + " ?" * 50 + "\n", {"SET06"}),
        ("", DEAL + "1. Ada +5,6 A 17@f1 drop 6\n", {"DRW01"}),
        ("finish", DEAL + "1. Ada +F A 17@f1\n", {"DRW06"}),
    ],
    "a turn by the wrong player, or by somebody who does not play": [
        ("", DEAL + "1. Bo A 9@f1\n", {"END06"}),
        ("", DEAL + "1. Zoe A 9@f1\n", {"END06"}),
    ],
    "one player, five players, a name twice": [
        ("Ada", "*\n", {"SET01"}),
        ("Ada Bo Cy Di Ed", "*\n", {"SET01"}),
        ("Ada Ada", "*\n", {"SET01"}),
    ],
    "a cell of columns a to m and levels 1 to 7 that lies outside every pyramid": [
        ("", DEAL + "1. Ada A 17@m2\n", {"TOW04"})
    ],
}
"""For each row games by what differs in their tags, their text, and clauses that are broken first."""

MALFORMED = {
    "a cell with another letter or level": ["1. Ada A 17@n1\n", "1. Ada A 17@a8\n"],
    "a card outside 1 to 50 that is neither `F` nor `?`": ["1. Ada A 51@f1\n", "1. Ada A G@f1\n"],
    "a rulebook, ruling, option, variant or mark that does not exist": [
        '[Rules "en-9"]\n',
        '[Rules "spreads=anywhere"]\n',
        '[Rules "spread=wide"]\n',
        '[Variant "third"]\n',
        '[Marks "17:3"]\n',
    ],
    "a set-up or position line for somebody whom `Players` does not name": [
        "deal Zoe ? ? ?\n",
        "position\ntower 25@g1\nhand Zoe\n",
        "position\ntower 25@g1\nfront Zoe\n",
    ],
    "a tag, or a set-up or position line, that stands a second time; a ruling or a card's mark that is given twice": [
        '[Event "a"]\n[Event "b"]\n',
        "deal Ada\ndeal Ada\n",
        "position\ntower 25@g1\ngone\ngone\n",
        '[Rules "spread=adjacent spread=anywhere"]\n',
        '[Marks "17:1 17:2"]\n',
    ],
    "a set-up line after a turn; anything but a comment after the result": ["1. Ada A 17@f1\ndeck\n", "*\n*\n"],
}


def rows(heading: str) -> list[str]:
    """The first cells of the table under this heading."""
    table = PAGE.partition(heading)[2].partition("\n\n")[0]
    return [cell.strip() for cell in re.findall(r"^\| (.*?)(?<!\\) \|", table, re.MULTILINE)]


def text_of(tag: str, body: str) -> str:
    players = tag if tag[:1].isupper() else "Ada Bo"
    variant = '[Variant "finish"]\n' if tag == "finish" else ""
    return f'[CGN "1"]\n[Players "{players}"]\n{variant}{body}'


def test_every_row_has_its_example() -> None:
    assert rows("| no syntax error | broken instead |") == list(BROKEN)
    assert rows("| syntax error |") == list(MALFORMED)


@pytest.mark.slow
@pytest.mark.parametrize("row", BROKEN)
def test_what_a_clause_refuses(row: str) -> None:
    named = PAGE.partition(row)[2].partition("\n")[0]
    for tag, body, clauses in BROKEN[row]:
        (game,) = read_text(text_of(tag, body))
        assert isinstance(game, Game), game
        assert clauses <= {found.code for found in check(game).diagnostics}
        assert all(clause in named or (clause[:3] == "DRW" and "DRW01 to DRW06" in named) for clause in clauses)


@pytest.mark.parametrize("row", MALFORMED)
def test_what_the_grammar_refuses(row: str) -> None:
    for body in MALFORMED[row]:
        (item,) = read_text(text_of("", body))
        assert isinstance(item, Malformed), body
